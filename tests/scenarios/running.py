"""Scenarios of a variant: a position, orders, and in a Gamesmaster's words what becomes of them.

Each shows some clauses of the rules.  What a scenario begins with is under `other` (`setup`), what it looks at
beside the orders under `state` (`states`): who wins, who is removed, how many builds are due, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamesmaster.board import Dislodged, Position
from gamesmaster.errors import BadFile, nearest
from gamesmaster.game.progress import begin
from gamesmaster.judge import Adjudication, OrderReader, adjudicate
from gamesmaster.orders import GivenOrder
from gamesmaster.reading import Situation, read
from gamesmaster.rules import Rules, Ruling
from gamesmaster.variant import Variant
from tests.scenarios.marks import Compared, Seen
from tests.scenarios.setup import Scene, orders, position, scene
from tests.scenarios.states import SETUP, STATES
from tests.scenarios.words import Stage, Words, in_our_words

Row = tuple[str, object, object]
"""The thing checked, the expected value, and the actual one."""
Run = tuple[str, str, list[Row]]
"""The name of a case, its title, and its rows."""


def run_scenario(scenario: Mapping[str, Any], variant: Variant, folder: Path | None = None) -> Run:
    """Run one scenario of the variant in a folder (one of the package's by default).

    It may be in our words or in those of a dossier.  Its own options are added to those of the variant.  Raises
    `BadFile` for an unknown field or check.
    """
    stage = Stage(variant, folder)
    ours = in_our_words(scenario, stage)
    ready = scene(ours, stage)
    play = _start if ours["phase"] == "Setup" else _phase
    return ours["id"], title(ours), play(ours, ready)


def title(scenario: Mapping[str, Any]) -> str:
    """Return a scenario's title, with the clauses that it shows."""
    return f"{scenario['title']} ({', '.join(scenario['clauses'])})"


def _start(scenario: Mapping[str, Any], ready: Scene) -> list[Row]:
    """Return the rows of a scenario about the start; units are compared if any are expected."""
    expect, start = ready.expect, ready.variant.start
    rows = _after_row(expect, start, "start") if expect["after"] else []
    for name, wanted in expect.get("state", {}).items():
        rows.append(_row(name, wanted, _look_up(SETUP, name, scenario)(ready)))
    return rows


def _phase(scenario: Mapping[str, Any], ready: Scene) -> list[Row]:
    """Return the rows of a scenario about a phase: every order, every unit, every retreat."""
    phase = ready.variant.calendar.read(scenario["phase"])
    opening = position(scenario, phase, ready)
    dice = Fallen(list(ready.other.get("dice", ())), scenario["id"])
    before, _ = begin(ready.variant, ready.rules, phase, opening, dice)
    given = orders(scenario, ready, phase, before)
    disorder = ready.other.get("civil_disorder", ())
    _read_as_written(ready, Situation(ready.rules, phase.kind, before), given)
    done = adjudicate(ready.rules, phase.kind, before, given, disorder=disorder)
    expect = ready.expect
    seen = Seen(ready, scenario, phase, opening, before, done)
    rows = [*_order_rows(expect, done, tuple(given), ready.stage.words), *_after_row(expect, seen.after)]
    rows += _dislodged_rows(expect, before, done, ready.rules)
    if dice.left:
        rows.append(("dice not thrown", [], dice.left))
    if "centres" in expect:
        rows.append(
            ("centres", _plain(expect["centres"]), _plain({p: seen.after.centres(p) for p in expect["centres"]}))
        )
    if "builds" in expect:
        rows.append(("builds", expect["builds"], {power: seen.remaining_builds(power) for power in expect["builds"]}))
    for name, wanted in expect.get("state", {}).items():
        got = _look_up(STATES, name, scenario)(seen)
        rows.append((name, *map(_plain, got)) if isinstance(got, Compared) else _row(name, wanted, got))
    return rows


class Fallen:
    """The dice of a scenario: they fall as it tells, one after the other."""

    def __init__(self, left: list[int], scenario: str) -> None:
        self.left, self.scenario = left, scenario

    def __call__(self, sides: int, clause: str, subject: str) -> int:
        """Return the next of the scenario's dice."""
        if not self.left or not 1 <= self.left[0] <= sides:
            raise BadFile(f"scenario {self.scenario} does not tell how a die of {sides} sides falls for {subject}")
        return self.left.pop(0)


def _look_up(table: Mapping[str, Any], name: str, scenario: Mapping[str, Any]) -> Any:
    if name not in table:
        what = f"scenario {scenario['id']} expects {name!r}, which nothing here can tell"
        raise BadFile(what, hint=nearest(name, table))
    return table[name]


def _order_rows(expect: Mapping[str, Any], done: Adjudication, powers: Sequence[str], words: Words) -> list[Row]:
    """Return the rows of the orders' results; a dossier's own word for a result may stand for several of ours.

    An order that is given several times has a list of results, in the order of the scenario's powers and of their
    orders.
    """
    place = {power: number for number, power in enumerate(powers)}
    found: dict[str, list[str]] = {}
    for ruling in sorted((r for r in done.rulings if r.given), key=lambda r: place.get(r.power, len(place))):
        found.setdefault(ruling.given, []).append(_result(ruling))
    rows: list[Row] = []
    for text, wanted in expect["orders"].items():
        got = found.get(text, ["no such order"])
        each = wanted if isinstance(wanted, list) else [wanted] * len(got)
        same = len(each) == len(got) and all(map(words.covers, each, got))
        rows.append((text, wanted, wanted if same else ", then ".join(got)))
    return rows


def _result(ruling: Ruling) -> str:
    """Return the result of an order and of its unit; an order beside another has only its own result."""
    beside = ruling.order is not None and ruling.order.verb.rider
    return f"{ruling.result}{', dislodged' if ruling.dislodged and not beside else ''}"


def _read_as_written(ready: Scene, at: Situation, given: Mapping[str, Sequence[GivenOrder]]) -> None:
    """Tell the judge what orders mean that are not in the notation, such as `A Fin - Sweeden`."""
    known, book = at.rules.derive(OrderReader), at.rules.rulebook
    if book.doubtful_name == "void":
        at = replace(at, rules=Rules.of(ready.variant, replace(book, doubtful_name="never")))
    for power, texts in given.items():
        for text in texts:
            if isinstance(text, str) and known.read(text, at.kind).order is None:
                for order in read(at, power, [text]).orders:
                    known.parsed_orders[at.kind][text] = known.read(order, at.kind)


def _after_row(expect: Mapping[str, Any], position: Position, name: str = "after") -> list[Row]:
    """Return the row of every unit; a carrier stands for its cargo too."""
    if "after" not in expect:
        return []
    wanted = sorted(f"{power}: {unit}" for power, units in expect["after"].items() for unit in units)
    return [(name, wanted, sorted(f"{unit.power}: {unit}" for unit in position.units if not unit.aboard))]


def _dislodged_rows(expect: Mapping[str, Any], before: Position, done: Adjudication, rules: Rules) -> list[Row]:
    """Return the rows of the dislodged units.

    Neutral ones, which are gone at once, are included only where a scenario lists them.
    """
    listed = expect.get("dislodged", {})
    beaten = [d for d in done.position.dislodged if not d.unit.aboard]
    if listed:
        gone = (u for u in before.units if u.number in done.dislodgements and u.power not in rules.powers)
        beaten += [Dislodged(unit) for unit in gone]
    if isinstance(listed, list):
        return [("dislodged", set(listed), {str(d.unit) for d in beaten})]
    wanted = {
        f"{power}: {unit} to {' '.join(sorted(open_to))}"
        for power, units in listed.items()
        for unit, open_to in units.items()
    }
    actual = {f"{d.unit.power}: {d.unit} to {' '.join(sorted(map(str, d.retreats)))}" for d in beaten}
    return [("dislodged", wanted, actual)]


def _row(name: str, wanted: object, got: object) -> Row:
    """Compare what was looked at.  Where a list is found, a number asks how long it is, a truth whether it is empty."""
    if isinstance(got, (list, tuple)) and isinstance(wanted, int):
        got = bool(got) if isinstance(wanted, bool) else len(got)
    return name, _plain(wanted), _plain(got)


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    return sorted(value) if isinstance(value, (list, tuple)) else value
