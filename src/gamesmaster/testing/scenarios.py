"""Scenarios of a variant: a position, orders, and in a Gamesmaster's words what becomes of them.

Each shows some clauses of the rules.  What it looks at beside the orders is under `state`: who wins, who is removed,
how many builds are due, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

from gamesmaster.board import Dislodged, Location, Position, muster
from gamesmaster.errors import BadFile
from gamesmaster.game import Phase, Variant, Victory
from gamesmaster.game.course import Game
from gamesmaster.game.progress import leaders
from gamesmaster.judge import Adjudication, Cause, Rulebook, Rules, adjudicate, balance, count_owners
from gamesmaster.orders import PhaseKind
from gamesmaster.testing.datc import Row, Run, placed, standing

_NO_SEED = bytes(32)


def run_scenario(scenario: Mapping[str, Any], variant: Variant) -> Run:
    """Run one scenario; raises `BadFile` if it looks at something nobody here knows."""
    other, expect = scenario["other"], scenario["expect"]
    title = f"{scenario['title']} ({', '.join(scenario['clauses'])})"
    if scenario["phase"] == "Setup":
        return scenario["id"], title, _check_start(expect, variant)
    phase = variant.calendar.read(scenario["phase"])
    options = dict(other.get("options", {}))
    victory = replace(variant.victory, count=_COUNTS[options.pop("victory_count", "centres")])
    rules = Rules.of(variant, Rulebook.of({"preset": other.get("preset", "datc"), **options}))
    before = _position(scenario, phase, rules)
    done = adjudicate(rules, phase.kind, before, scenario["orders"], disorder=other.get("civil_disorder", ()))
    rows = [*_order_rows(expect, done), ("after", placed(expect["after"]), standing(done.position))]
    rows += _dislodged_rows(expect, done.position)
    for name, wanted in expect.get("state", {}).items():
        if name not in _STATES:
            raise BadFile(f"scenario {scenario['id']} expects {name!r}, which nothing here can tell")
        rows.append((name, _plain(wanted), _plain(_STATES[name](_Run(variant, victory, rules, other, before, done)))))
    return scenario["id"], title, rows


_COUNTS: dict[str, Literal["centres", "units", "either"]] = {
    "centres": "centres",
    "units": "units",
    "centres_or_units": "either",
}


class _Run:
    """All that the states of a scenario may look at."""

    def __init__(
        self, variant: Variant, victory: Victory, rules: Rules, other: Mapping[str, Any], before: Position,
        done: Adjudication,
    ) -> None:  # fmt: skip
        self.variant, self.victory, self.rules, self.other = variant, victory, rules, other
        self.before, self.done = before, done


def _position(scenario: Mapping[str, Any], phase: Phase, rules: Rules) -> Position:
    other = scenario["other"]
    units = muster(scenario["units"])
    owners = other.get("centres", other.get("centres_before", {}))
    beaten: list[Dislodged] = []
    for power, entries in other.get("dislodged", {}).items():
        for text, open_to in entries.items():
            (unit,) = muster({power: [text]}, first=len(units) + len(beaten) + 1)
            beaten.append(Dislodged(unit, "", tuple(map(Location.of, open_to))))
    position = Position(units, {c: p for p, centres in owners.items() for c in centres}, tuple(beaten))
    counted = phase.kind is PhaseKind.ADJUSTMENTS and "centres_before" in other
    return count_owners(rules, position) if counted else position


def _order_rows(expect: Mapping[str, Any], done: Adjudication) -> list[Row]:
    found = {r.given: f"{r.result}{', dislodged' if r.dislodged else ''}" for r in done.rulings if r.given}
    return [(text, wanted, found.get(text, "no such order")) for text, wanted in expect["orders"].items()]


def _dislodged_rows(expect: Mapping[str, Any], position: Position) -> list[Row]:
    wanted = {
        f"{power}: {unit} to {' '.join(sorted(open_to))}"
        for power, units in expect.get("dislodged", {}).items()
        for unit, open_to in units.items()
    }
    found = {f"{d.unit.power}: {d.unit} to {' '.join(sorted(map(str, d.retreats)))}" for d in position.dislodged}
    return [("dislodged", wanted, found)]


def _check_start(expect: Mapping[str, Any], variant: Variant) -> list[Row]:
    state = expect["state"]
    free = sum(centre not in variant.start.owners for centre in variant.board.centres)
    return [
        ("start", placed(expect["after"]), standing(variant.start)),
        ("first phase", state["first_phase"], variant.calendar.name(variant.calendar.first)),
        ("victory", state["victory"], variant.victory.centres),
        ("neutral centres", state["neutral_centres"], free),
    ]


def _removed(run: _Run) -> list[str]:
    left = {u.number for u in run.done.position.units}
    return [str(u) for u in run.before.units if u.number not in left]


def _removed_today(run: _Run) -> list[str]:
    rules = Rules.of(run.variant)
    left = {u.number for u in adjudicate(rules, PhaseKind.ADJUSTMENTS, run.before, {}).position.units}
    return [str(u) for u in run.before.units if u.number not in left]


def _disbanded(run: _Run) -> list[str]:
    left = {u.number for u in run.done.position.units}
    return [str(d.unit) for d in run.before.dislodged if d.unit.number not in left]


def _builds(run: _Run) -> dict[str, int]:
    return {power: n for power, n in balance(run.rules, run.before).items() if n > 0}


def _unused(run: _Run) -> dict[str, int]:
    built = [r.power for r in run.done.rulings if r.cause is Cause.BUILT]
    return {power: n - built.count(power) for power, n in _builds(run).items() if n > built.count(power)}


def _centres(run: _Run) -> dict[str, list[str]]:
    owned = {power: list(run.before.centres(power)) for power in run.rules.powers}
    return {power: centres for power, centres in owned.items() if centres}


def _winner(run: _Run) -> str | None:
    centres, units = run.other["centre_count"], run.other.get("unit_count_after_builds", {})
    ahead = leaders(run.victory, centres, units)
    return ahead[0] if len(ahead) == 1 else None


def _draw(run: _Run) -> list[str]:
    game = replace(
        Game.start(run.variant, seed=_NO_SEED),
        position=replace(run.before, owners={}),
    )
    for power, yes in run.other["draw_votes"].items():
        game = game.vote_draw(power, yes)
    return list(game.outcome.winners) if game.outcome else []


_STATES: dict[str, Callable[[_Run], object]] = {
    "removed": _removed,
    "removed_today": _removed_today,
    "disbanded": _disbanded,
    "builds": _builds,
    "unused_builds": _unused,
    "centres": _centres,
    "winner": _winner,
    "draw": _draw,
}


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, (list, tuple)) else value
