"""Orders as people and programs write them, with what they mean, and how a reading is judged against that.

`tests/data/orders/as_written.jsonl` has a text to a line, with its position, who wrote it, and the orders meant (null:
it must be refused).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from gamesmaster.board import Location, Position, units_from
from gamesmaster.game import Game
from gamesmaster.judge import read_unit
from gamesmaster.judge.legal import add_dislodged
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.reading import OrderSheet, Situation
from gamesmaster.reading import read as read_sheet
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

FILE = Path(__file__).parents[1] / "data" / "orders" / "as_written.jsonl"

MISTAKEN = {
    "s0657": "'W 97 - Cheyenne': of the two Cheyennes only the southern is in reach, as of the gulfs in 'F Swe - Gulf'",
}
"""Entries whose meaning we hold to be mistaken, and why."""


@cache
def entries() -> tuple[dict[str, Any], ...]:
    """Every entry of the corpus."""
    return tuple(json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines())


@cache
def rules_of(variant: str) -> Rules:
    """The rules of a variant."""
    return Rules.of(find_variant(variant))


def position_of(entry: dict[str, Any]) -> Position:
    """Where the units of an entry are."""
    rules = rules_of(entry["variant"])

    def mustered(group: str, first: int) -> Any:
        told = entry.get(group) or {}
        plain = {p: [f"{u.kind} {u.at}" for u in (read_unit(t, p, 1, rules) for t in ts)] for p, ts in told.items()}
        return units_from(plain, first, rules.board.forms)

    units = mustered("units", 1)
    position = Position(
        units, {place: power for power, places in (entry.get("centers") or {}).items() for place in places}
    )
    if entry["phase"] != "retreats":
        return position
    return add_dislodged(rules, position, mustered("dislodged", len(units) + 1))


def game_of(entry: dict[str, Any]) -> Game:
    """A game that stands in the position of an entry."""
    game = Game.start(find_variant(entry["variant"]), seed=bytes(32))
    phase = game.variant.calendar.first
    while phase.kind is not PhaseKind(entry["phase"]):
        phase = game.variant.calendar.next(phase)
    return replace(game, phase=phase, position=position_of(entry))


def read(entry: dict[str, Any]) -> OrderSheet:
    """What the reader makes of an entry."""
    situation = Situation(rules_of(entry["variant"]), PhaseKind(entry["phase"]), position_of(entry))
    return read_sheet(situation, entry["power"], entry["text"])


@dataclass
class Judge:
    """Tells orders apart that could differ on the board of an entry: idle letters, coasts and words make none."""

    entry: dict[str, Any]

    def __post_init__(self) -> None:
        self.rules, position = rules_of(self.entry["variant"]), position_of(self.entry)
        beaten = tuple(d.unit for d in position.dislodged)
        self.at = {unit.at.province: unit for unit in (*position.units, *beaten) if not unit.aboard}

    def verdict(self, found: OrderSheet) -> str:
        """`right`: all that is meant and no more; `wrong`: something that is not meant; else `refused`."""
        kind = PhaseKind(self.entry["phase"])
        meant = Counter(self.key(self.rules.notation.read(text, kind)) for text in self.entry["means"] or ())
        got = Counter(map(self.key, found.orders))
        return "right" if got == meant else "wrong" if got - meant else "refused"

    def key(self, order: Order) -> tuple[object, ...]:
        """What must differ in two orders that differ."""
        if order.verb is Verb.WAIVE or order.at is None:
            return (order.verb,)
        here = order.at.province
        if order.verb in (Verb.BUILD, ReinforcementVerb.ARRIVE, ReinforcementVerb.DECLINE, HomeVerb.DESIGNATE):
            inland = self.rules.board.province(here).terrain.value == "inland"
            kind = order.kind or (next(iter(self.rules.kinds)) if inland or "W" in self.rules.kinds else "")
            return (order.verb, kind, here, order.at.coast)
        if order.verb is Verb.REMOVE:
            return (order.verb, here, order.kind if order.of_kind else "")
        moving = order.verb in (Verb.MOVE, Verb.RETREAT)
        goal = order.to and (self._goal(order, order.to) if moving else order.to.province)
        of = order.of.province if order.of else ""
        via = order.via and moving and (bool(order.route) or order.to is None or self._near(order, order.to))
        route = order.route if moving else ()
        return (order.verb, here, of, goal, via, route, order.carried, tuple(sorted(order.builders)), order.doing)

    def _reach(self, order: Order, to: Location) -> tuple[int, ...]:
        board = self.rules.board
        assert order.at is not None
        unit = self.at.get(order.at.province)
        if unit is None or unit.at not in board.location_index:
            return ()
        return tuple(board.reach(unit.kind, board.location_index[unit.at]).get(board.index[to.province], ()))

    def _near(self, order: Order, to: Location) -> bool:
        return bool(self._reach(order, to))

    def _goal(self, order: Order, to: Location) -> tuple[str, str]:
        """The goal without a coast that makes no difference."""
        board = self.rules.board
        assert order.at is not None
        unit = self.at.get(order.at.province)
        kind = unit.kind if unit else order.kind
        split = any(at.coast for at in board.locations if at.province == to.province)
        if not split or kind not in board.ways or not board.sails(kind):
            return (to.province, "")
        near = [board.locations[end].coast for end in self._reach(order, to)]
        return (to.province, to.coast or (near[0] if len(near) == 1 else ""))
