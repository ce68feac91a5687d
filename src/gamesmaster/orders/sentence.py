"""The grammar of orders: one order read from its words, from left to right.

Nothing is tried twice and no other order is looked at, so the time is in proportion to the words, and a text means the
same wherever it stands (STD-4.f).
"""

from __future__ import annotations

from dataclasses import replace

from gamesmaster.board.model import Location
from gamesmaster.orders.model import Order, PhaseKind, Verb
from gamesmaster.orders.parts import BY_CONVOY, VERBS, Parts
from gamesmaster.orders.words import DASH

LONGEST_ORDER = 400  # characters

_FIRST = {word: VERBS[word] for word in ["build", "builds", "remove", "removes", "disband", "disbands"]}
_FIRST |= dict.fromkeys(("waive", "waives", "decline", "declines"), Verb.WAIVE)
_TOWARDS = (DASH, "to", "into")
_IN_PHASE = {
    (PhaseKind.RETREATS, Verb.MOVE): Verb.RETREAT,
    (PhaseKind.RETREATS, Verb.REMOVE): Verb.DISBAND,
    (PhaseKind.ADJUSTMENTS, Verb.DISBAND): Verb.REMOVE,
}


def read_order(parts: Parts, phase: PhaseKind | None) -> Order:
    """The order that these words make in a phase of this kind; raises `Unreadable` or `Ambiguous`."""
    _check(parts)
    power = _heading(parts)
    first = _FIRST.get(parts.key)
    if first is Verb.WAIVE:
        order = _waive(parts)
    elif first:
        parts.at += 1
        whose, kind, where = parts.unit()
        order = Order(first, kind, where, power=whose)
    else:
        order = _unit_order(parts)
    if parts.more:
        parts.fail(f"the order should end before {parts.quoted()}")
    verb = _IN_PHASE.get((phase, order.verb), order.verb) if phase else order.verb
    return replace(order, verb=verb, power=order.power or power)


def _check(parts: Parts) -> None:
    """Refuse what is no order at first sight: nothing, far too much, or signs that nobody can see."""
    if not parts.more:
        parts.fail("there is no order here")
    length = parts.words[-1].end - parts.words[0].start
    if length > LONGEST_ORDER:
        parts.fail(f"an order of {length} characters; the most is {LONGEST_ORDER}")
    for number, key in enumerate(parts.keys):
        if not key.isprintable():
            parts.fail(f"the character U+{ord(key):04X} has no place in an order", number)


def _heading(parts: Parts) -> str:
    """The power before a whole order, as in "France: A Par - Bur" or "France builds A Par"; "" if there is none."""
    power, size = parts.power_at(parts.at)
    after = parts.key_at(size)
    if not power or not (after == ":" or after in _FIRST):
        return ""
    parts.at += size
    parts.skip(":")
    return power


def _waive(parts: Parts) -> Order:
    parts.at += 1
    parts.skip("a", "one", "to", "the")
    parts.skip("build", "builds")
    return Order(Verb.WAIVE)


def _unit_order(parts: Parts) -> Order:
    power, kind, where = parts.unit()
    verb = VERBS.get(parts.key)
    if verb is None:
        parts.expected("what the unit does")
    parts.at += 1
    order = Order(verb, kind, where, power=power)
    if verb in (Verb.MOVE, Verb.RETREAT):
        return _journey(parts, order)
    if verb not in (Verb.SUPPORT, Verb.CONVOY):
        return order
    of_power, of_kind, of = parts.unit()
    order = replace(order, of=of, of_kind=of_kind, of_power=of_power)
    if verb is Verb.SUPPORT and _in_place(parts):
        return order
    if VERBS.get(parts.key) is not Verb.MOVE:
        parts.expected("where the unit goes")
    parts.at += 1
    return _journey(parts, order)


def _in_place(parts: Parts) -> bool:
    """Does a support end after the unit, perhaps with "H", "holds" or "to hold"?"""
    if parts.key == "to" and parts.key_at(1) in ("hold", "stand", "stay"):
        parts.at += 1
    if VERBS.get(parts.key) is Verb.HOLD:
        parts.at += 1
        return True
    return not parts.more


def _journey(parts: Parts, order: Order) -> Order:
    """The goal, and the words about a convoy: `Bel`, `Nth - Bel`, `Bel via convoy`, `Bel via Nth, Eng`."""
    parts.skip(*_TOWARDS)
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
    while parts.more and parts.key != ")":
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
