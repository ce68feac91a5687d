"""Where a unit goes, and how: its goal, the words about a convoy, the boats that go along."""

from __future__ import annotations

from dataclasses import replace

from gamesmaster.board.model import Location
from gamesmaster.orders.model import Order
from gamesmaster.orders.parts import Parts
from gamesmaster.orders.verbs import BY_CONVOY, WITH
from gamesmaster.orders.words import DASH

TOWARDS = (DASH, "to", "into")
_ASHORE = (*TOWARDS, "in", "at", "on")
_NUMBERS = {"a": 1, "an": 1, "the": 1, "one": 1, "two": 2, "three": 3}
_MOST_DIGITS = 2


def read_journey(parts: Parts, order: Order) -> Order:
    """The goal, and the words about a convoy: `Bel`, `Nth - Bel`, `Bel via convoy`, `Bel via Nth, Eng`."""
    parts.skip(*TOWARDS)
    start, goal = parts.at, parts.place()
    route: list[str] = []
    while parts.skip(DASH):
        route.append(_water(parts, goal, start))
        start, goal = parts.at, parts.place()
    bracket = parts.key_at(1) in BY_CONVOY and parts.skip("(")
    via = _by_convoy(parts)
    if via:
        route += _waters(parts)
    if bracket:
        parts.need(")", "a closing bracket")
    return replace(order, to=goal, via=via or bool(route), route=tuple(route))


def read_landing(parts: Parts) -> Location:
    """Where an army goes ashore: `Jel`, `in Jel`, `on Jel`, `A Jel`."""
    parts.skip_kind()
    if parts.key in _ASHORE and not parts.place_at(parts.at):
        parts.at += 1
    return parts.place()


def read_boats(parts: Parts, order: Order, *, named: bool = True) -> Order:
    """The boats, how many, and if they may be `named` whose: `CF`, `2 BB`, `2 BB of Macdonald Macleod`.

    Without a number there are as many as builders, one at least.
    """
    number = _number(parts)
    parts.boat()
    builders: list[str] = []
    if named and parts.skip("of"):
        while parts.more or not builders:
            if builders:
                parts.skip("and")
            builders.append(parts.power())
    return replace(order, boats=number or len(builders) or 1, builders=tuple(builders))


def _number(parts: Parts) -> int:
    """Take a number of boats, 0 if none is written."""
    word = parts.key
    small = word.isdecimal() and len(word) <= _MOST_DIGITS
    number = int(word) if small else _NUMBERS.get(word, 0)
    parts.at += number > 0
    return number


def _by_convoy(parts: Parts) -> bool:
    """Take `via`, `via convoy`, `by convoy`, `by sea`."""
    if parts.skip("via"):
        parts.skip("convoy", "sea")
        return True
    if not parts.skip("by"):
        return False
    if not parts.skip("convoy", "sea"):
        parts.expected("the word convoy")
    return True


def _waters(parts: Parts) -> list[str]:
    """The waters listed after `via`, with commas, dashes or `and` between them."""
    route: list[str] = []
    while parts.more and parts.key not in (")", WITH):
        if route:
            parts.skip(DASH, "and")
        start = parts.at
        route.append(_water(parts, parts.place(), start))
    return route


def _water(parts: Parts, where: Location, start: int) -> str:
    """The province of a place named as a part of a convoy's route, whose name began at word `start`."""
    province = parts.lexicon.board.province(where.province)
    if not province.convoy:
        parts.fail(f"no convoy passes through {province.name}", start)
    return province.id
