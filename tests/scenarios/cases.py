"""Worked cases: positions with orders and what must become of them, read from files of two forms and run.

The *DATC form* holds the adjudicator test cases (`{"cases": [...]}`, tags as in DATC 4.E.2, and per case the choices of
chapter 4 under which something else holds).  The *scenario form* belongs to a variant (a list of scenarios; results in
a Gamesmaster's words; the clauses each one shows).  Either is run by the same judge that runs games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile, GamesmasterError
from gamesmaster.judge import Adjudication, adjudicate, balance
from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.rules import Cause, Result, Rulebook, Rules, Ruling
from gamesmaster.strictjson import read
from gamesmaster.variant import Variant, file_of, find_variant
from tests.scenarios.running import Row, Run, run_scenario, title
from tests.scenarios.words import Stage, host_reason

LARGEST = 16 * 2**20
"""Bytes of a file of cases; larger ones are refused."""

DEEPEST = 12
"""Levels of nesting."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that came out otherwise: what was looked at, what was expected, what was got."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class CaseReport:
    """A case: its id (with the choice it was run under), its title, and what failed.

    `not_run` is what only the host of a game could show, `not_understood` what the program cannot make of it; both are
    empty for a case that was run.
    """

    id: str
    title: str
    failures: tuple[Failure, ...] = ()
    not_run: str = ""
    not_understood: str = ""

    @property
    def passed(self) -> bool:
        """True if it was run, and all results were as expected."""
        return not (self.failures or self.not_run or self.not_understood)


def run_cases(path: Path, variant: Variant | None = None, folder: Path | None = None) -> Iterator[CaseReport]:
    """Run every case of a file, or of the `scenarios.json` in a folder, under every rulebook it names.

    `folder` is that of a variant outside the package. A case that cannot be understood does not stop the others. Raises
    `NotFound` for a missing file, `BadFile` if it has neither form.
    """
    path = file_of(path, "scenarios.json") if path.is_dir() else path
    data = read(path, limit=LARGEST, depth=DEEPEST)
    cases, run = _form(data, str(path), variant or find_variant("standard"), folder)
    for number, case in enumerate(cases, 1):
        try:
            yield from list(run(case))
        except GamesmasterError as error:
            yield _puzzling(case, number, str(error))
        except KeyError as error:
            yield _puzzling(case, number, f"not in the form of a case: {str(error)[:80]} is missing, or not known")
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            yield _puzzling(case, number, f"not in the form of a case: {error}")


def _puzzling(case: object, number: int, why: str) -> CaseReport:
    """Return the report on a case that cannot be understood, by whatever name it has."""
    entry = case if isinstance(case, Mapping) else {}
    id_, title_ = (entry.get(key) for key in ("id", "title"))
    return CaseReport(str(id_)[:80] if id_ else f"case {number}", str(title_ or "")[:200], not_understood=why)


def _form(
    data: object, where: str, variant: Variant, folder: Path | None
) -> tuple[list[Any], Callable[[Any], Iterator[CaseReport]]]:
    """Return the cases of a file, and how to run one."""
    if isinstance(data, Mapping) and isinstance(data.get("cases"), list):
        return data["cases"], lambda case: map(_report, run_datc(case, variant))
    scenarios = data.get("scenarios") if isinstance(data, Mapping) else data
    if isinstance(scenarios, list):
        Stage(variant, folder).words  # noqa: B018 (what is wrong in its file is wrong for all)
        return scenarios, lambda scenario: iter([_scenario(scenario, variant, folder)])
    raise BadFile("neither a file of DATC cases nor a list of scenarios", where=where)


def _scenario(scenario: Mapping[str, Any], variant: Variant, folder: Path | None) -> CaseReport:
    if reason := host_reason(scenario):
        return CaseReport(scenario["id"], title(scenario), not_run=f"needs the host: {reason}")
    return _report(run_scenario(scenario, variant, folder))


def _report(run: Run) -> CaseReport:
    id_, name, rows = run
    return CaseReport(id_, name, tuple(Failure(w, _show(e), _show(g)) for w, e, g in rows if e != g))


def _show(value: Any) -> str:
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)


_MOVES = {Result.SUCCEEDS: "succeeds", Result.BOUNCES: "fails", Result.NO_CONVOY: "fails", Result.VOID: "invalid"}
_OTHERS: dict[Result, dict[AnyVerb, str]] = {
    Result.SUCCEEDS: {Verb.SUPPORT: "given", Verb.CONVOY: "available"},
    Result.VOID: dict.fromkeys((Verb.SUPPORT, Verb.CONVOY), "invalid"),
    Result.HOLDS: {Verb.HOLD: "stands"},
    Result.CUT: {Verb.SUPPORT: "cut"},
    Result.DISRUPTED: {Verb.CONVOY: "disrupted"},
}


def run_datc(case: Mapping[str, Any], variant: Variant) -> Iterator[Run]:
    """Run a case as preferred, then under every choice it lists (those the DATC calls undetermined excepted)."""
    yield case["id"], case["title"], _check(case, variant, Rulebook(), {})
    for issue, choices in (case.get("choices") or {}).items():
        for choice in choices:
            if not choice.get("undetermined"):
                name = f"{case['id']} ({issue} {choice['choice']}, {choice['source']})"
                yield name, case["title"], _check(case, variant, _rulebook(issue, choice), choice)


def _rulebook(issue: str, choice: Mapping[str, Any]) -> Rulebook:
    """Return the rulebook that makes this choice, and any other the choice says it goes with ("1971, with 4.A.1 a")."""
    chosen = {issue: str(choice["choice"])}
    dated = f"{choice['choice']}@{choice['source']}"
    if choice["source"] != "3.2" and any(dated in answers.split() for answers in _answers(issue).values()):
        chosen[issue] = dated
    if with_other := re.search(r"with (4\.[A-E]\.\d) (\w)", choice["rule"]):
        chosen[with_other[1]] = with_other[2]
    return Rulebook.of(chosen)


def _answers(issue: str) -> Mapping[str, str]:
    choice: Mapping[str, str] = next(
        f.metadata["answers"] for f in Rulebook.__dataclass_fields__.values() if f.metadata["issue"] == issue
    )
    return choice


def _check(case: Mapping[str, Any], variant: Variant, book: Rulebook, choice: Mapping[str, Any]) -> list[Row]:
    rules = Rules.of(variant, book)
    if case["phase"] in ("build", "civil-disorder"):
        return _check_adjustment(case, rules, choice)
    position = Position(units_from(case["units_abbr"]))
    done = adjudicate(rules, PhaseKind.MOVEMENT, position, case["orders"])
    rows = _compare(case["expect"], choice.get("results"), _movement_tags(done, book))
    if not _departs(choice):
        rows += [_retreat_row(d, done.position) for d in case["dislodged"]]
        rows.append(("number dislodged", len(case["dislodged"]), len(done.position.dislodged)))
    if case["phase"] == "retreat" and not choice.get("after_abbr"):
        rows.append(("after movement", unit_set(case["after_movement_abbr"]), standing(done.position)))
        before = done.position
        done = adjudicate(rules, PhaseKind.RETREATS, before, case["retreat_orders"])
        rows += _compare(case["expect_retreat"], choice.get("retreat_results"), _short_tags(done))
    after = choice.get("after_abbr") or (None if _departs(choice) else case["after_abbr"])
    return rows if after is None else [*rows, ("after", unit_set(after), standing(done.position))]


def _departs(choice: Mapping[str, Any]) -> bool:
    """Return whether a choice changes results without saying where the units then are."""
    return bool(choice.get("results") or choice.get("retreat_results"))


def _compare(expected: list[Any], changed: Mapping[str, Any] | None, got: list[tuple[str, str]]) -> list[Row]:
    """Compare tags, order by order as given; `changed` overlays what a choice expects otherwise."""
    rows: list[Row] = []
    for entry, (given, tags) in zip([e for e in expected if e["order"]], got, strict=False):
        wanted = (changed or {}).get(entry["abbr"], entry["result"])
        if wanted is not None:
            wanted = wanted if isinstance(wanted, str) else " ".join(wanted)
            rows.append((given, wanted, tags))
    return rows


def _movement_tags(done: Adjudication, book: Rulebook) -> list[tuple[str, str]]:
    stuck = {d.unit.number for d in done.position.dislodged if not d.retreats}
    return [(r.given, _tags(r, book, stuck)) for r in done.rulings if r.given]


def _tags(ruling: Ruling, book: Rulebook, stuck: set[int]) -> str:
    """Say a ruling in the DATC's terms (4.E.2)."""
    verb = ruling.order.verb if ruling.order else None
    if not ruling.possible:
        tag = _illegal(ruling, book)
    elif verb is Verb.MOVE:
        tag = _MOVES[ruling.result]
    else:
        tag = _OTHERS[ruling.result][verb] if verb else "illegal"
    if not ruling.dislodged or ruling.unit is None:
        return tag
    lost = "destroyed" if ruling.unit.number in stuck else "dislodged"
    return lost if tag == "stands" else f"{tag} {lost}"


def _illegal(ruling: Ruling, book: Rulebook) -> str:
    """The DATC says that a move counting as one, though impossible, fails (4.E.1) or lacks its convoy."""
    if ruling.order is None or ruling.order.verb is not Verb.MOVE:
        return "illegal"
    if ruling.cause is Cause.WHICH_COAST and book.coast_omitted_single == "void":
        return "fails"
    if book.impossible_order == "holds_supportable":
        return "illegal"
    return "invalid" if ruling.cause is Cause.NO_PASSAGE else "fails"


def _short_tags(done: Adjudication) -> list[tuple[str, str]]:
    words = {Result.SUCCEEDS: "succeeds", Result.BOUNCES: "fails", Result.VOID: "illegal"}
    return [(r.given, words[r.result]) for r in done.rulings if r.given]


def _retreat_row(entry: Mapping[str, Any], position: Position) -> Row:
    units = [d for d in position.dislodged if str(d.unit) == entry["abbr"]]
    got = {str(location) for d in units for location in d.retreats} if units else "not dislodged"
    return f"{entry['abbr']} may retreat to", set(entry["may_retreat_to"]), got


def _check_adjustment(case: Mapping[str, Any], rules: Rules, choice: Mapping[str, Any]) -> list[Row]:
    owners = {centre: power for power, centres in case["centers_abbr"].items() for centre in centres}
    position = Position(units_from(case["units_abbr"]), owners)
    due = {power: n for power, n in balance(rules, position).items() if power in case["adjustment"]}
    done = adjudicate(rules, PhaseKind.ADJUSTMENTS, position, case["orders"])
    rows: list[Row] = [("adjustment", case["adjustment"], due)]
    rows += _compare(case["expect"], choice.get("results"), _short_tags(done))
    if not _departs(choice) and not choice.get("after_abbr"):
        automatic = {e["abbr"] for e in case["expect"] if not e["order"]}
        rows.append(("automatic", automatic, {f"{r.unit} D" for r in done.rulings if not r.given}))
    after = choice.get("after_abbr") or (None if _departs(choice) else case["after_abbr"])
    return rows if after is None else [*rows, ("after", unit_set(after), standing(done.position))]


def unit_set(units: Mapping[str, list[str]]) -> set[str]:
    """Units from their plain form, to compare."""
    return {f"{power}: {unit}" for power, texts in units.items() for unit in texts}


def standing(position: Position) -> set[str]:
    """Units of a position, to compare."""
    return {f"{unit.power}: {unit}" for unit in position.units}
