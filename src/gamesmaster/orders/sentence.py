"""The grammar of orders: one order read from its words, from left to right, and its commonest forms looked up.

Nothing is tried twice and no other order is looked at, so the time is in proportion to the words, and a text means the
same wherever it stands (STD-4.f).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder, Unreadable
from gamesmaster.orders.model import BY_CONVOY, CARRYING, DASH, FILLERS, WITH, AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.parts import BESIDE, Parts
from gamesmaster.orders.words import Lexicon

LOG = logging.getLogger("gamesmaster")
LONGEST_ORDER = 400
"""Characters of an order; a longer text is refused."""

_IN_PHASE: dict[tuple[PhaseKind, AnyVerb], AnyVerb] = {
    (PhaseKind.RETREATS, Verb.MOVE): Verb.RETREAT,
    (PhaseKind.RETREATS, Verb.REMOVE): Verb.DISBAND,
    (PhaseKind.ADJUSTMENTS, Verb.DISBAND): Verb.REMOVE,
}


def read_order(parts: Parts, phase: PhaseKind | None) -> Order:
    """The order that these words make in a phase of this kind; raises `Unreadable` or `Ambiguous`.

    What the program itself falls over is unreadable too, so that nobody's text stops anything, and stands in the log.
    """
    try:
        return _read(parts, phase)
    except BadOrder:
        raise
    except Exception as error:  # whatever it is, it is a fault of ours
        raise defect(error) from error


def defect(error: Exception) -> Unreadable:
    """Note in the log that the program falls over a text; returns what is to be said of the text."""
    LOG.error("an order could not be read", exc_info=error, extra={"event": "defect"})
    return Unreadable("the program cannot read this, by a fault of its own")


def _read(parts: Parts, phase: PhaseKind | None) -> Order:
    _check(parts)
    power = _heading(parts)
    first = parts.lexicon.first.get(parts.key)
    order = _led_order(parts, first) if first else _unit_order(parts, phase)
    if parts.more:
        parts.fail(f"the order should end before {parts.quote()}")
    verb = _IN_PHASE.get((phase, order.verb), order.verb) if phase else order.verb
    return replace(order, verb=verb, power=order.power or power)


def _check(parts: Parts) -> None:
    """Refuse what is not an order at first sight: nothing, far too much, or signs that nobody can see."""
    if not parts.more:
        parts.fail("there is no order here")
    for number, key in enumerate(parts.keys):
        if not key.isprintable():
            parts.fail(f"the character U+{ord(key):04X} has no place in an order", number)


def _heading(parts: Parts) -> str:
    """The power before a whole order, as in "France: A Par - Bur" or "France builds A Par"; "" without one."""
    power, size = parts.power_at(parts.at)
    after = parts.key_at(size)
    if not power or not (after == ":" or after in parts.lexicon.first):
        return ""
    parts.at += size
    parts.skip(":")
    return power


def _led_order(parts: Parts, verb: AnyVerb) -> Order:
    """An order that its verb begins: "Build A Par", "Waive", "Designate Nov", "Remove A from A/F Atl"."""
    waives = parts.key in _WAIVING
    parts.at += 1
    if verb is Verb.WAIVE or (waives and _waives(parts)):
        _skip_build(parts)
        return Order(Verb.WAIVE)
    if verb.phrase.place:
        return Order(verb, at=parts.place())
    half = parts.half() if verb in (Verb.REMOVE, Verb.DISBAND) else ""
    power, kind, where = parts.unit()
    return Order(verb, half or kind, where, of_kind=kind if half else "", power=power)


_WAIVING = frozenset(Verb.WAIVE.phrase.before.split())


def _waives(parts: Parts) -> bool:
    """Return whether a word such as "decline" means to build nothing.  It does if no unit follows."""
    start = parts.at
    _skip_build(parts)
    waives = not parts.more
    parts.at = start
    return waives


def _skip_build(parts: Parts) -> None:
    parts.skip(*FILLERS)
    parts.skip("build", "builds")


def _unit_order(parts: Parts, phase: PhaseKind | None) -> Order:
    power, kind, where = parts.unit()
    if phase is PhaseKind.ADJUSTMENTS and kind and not parts.more:  # "A Yor", as a placement is written (TAD-5.a)
        return Order(Verb.BUILD, kind, where, power=power)
    verb = parts.verb()
    order = Order(verb, kind, where, power=power)
    rest = verb.phrase.rest or _REST.get(verb)
    return rest(parts, order) if rest else order


def _move(parts: Parts, order: Order) -> Order:
    carried = parts.lexicon.thing and parts.key_at(-1) in CARRYING
    if carried:
        order = read_carried(parts, order) if parts.thing_in(0) else replace(order, carried=1)
    order = read_journey(parts, order)
    if carried or not parts.lexicon.thing:
        return order
    return read_carried(parts, order) if parts.skip(WITH) or parts.sits_in else order


def _support(parts: Parts, order: Order) -> Order:
    order = read_helped(parts, order)
    if _in_place(parts):
        return order
    doing = parts.next_verb
    if doing and doing.phrase.helped and doing.phrase.rest:
        parts.at += 1
        return replace(doing.phrase.rest(parts, order), doing=doing)
    return _convoy_on(parts, order)


def _convoy(parts: Parts, order: Order) -> Order:
    return _convoy_on(parts, read_helped(parts, order))


def _convoy_on(parts: Parts, order: Order) -> Order:
    """The move of the unit helped."""
    need_move(parts)
    return read_journey(parts, order)


def read_helped(parts: Parts, order: Order) -> Order:
    """The unit for which this one does something: `A Par`, `German A Kie`."""
    power, kind, where = parts.unit()
    return replace(order, of=where, of_kind=kind, of_power=power)


def need_move(parts: Parts) -> None:
    """Take the word that says that the unit helped moves."""
    if parts.lexicon.verbs.get(parts.key) is not Verb.MOVE:
        parts.refuse("where the unit goes")
    parts.at += 1


def _in_place(parts: Parts) -> bool:
    """Return whether a support ends after the unit, perhaps with "H", "holds" or "to hold"."""
    if parts.key == "to" and parts.key_at(1) in ("hold", "stand", "stay"):
        parts.at += 1
    if parts.lexicon.verbs.get(parts.key) is Verb.HOLD:
        parts.at += 1
        return True
    return not parts.more


# -- where a unit goes, and how: its goal, the words about a convoy, what goes along -----------------------------------

TOWARDS = (DASH, "to", "into")
"""The words before a goal."""

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


def read_carried(parts: Parts, order: Order, *, named: bool = True) -> Order:
    """Things carried, how many, and if they may be `named` whose: `CF`, `2 BB`, `2 BB of Macdonald Macleod`.

    Without a number there are as many as builders, one at least.
    """
    number = _number(parts)
    parts.thing()
    builders: list[str] = []
    if named and parts.skip("of"):
        while parts.more or not builders:
            if builders:
                parts.skip("and")
            builders.append(parts.power())
    return replace(order, carried=number or len(builders) or 1, builders=tuple(builders))


def _number(parts: Parts) -> int:
    """Take a number of things, 0 if none is written."""
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
        parts.refuse("the word convoy")
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


_REST: dict[AnyVerb, Callable[[Parts, Order], Order]] = {
    Verb.MOVE: _move,
    Verb.RETREAT: _move,
    Verb.SUPPORT: _support,
    Verb.CONVOY: _convoy,
}
"""What reads the words behind a regular verb; nothing where none may follow."""


# -- the commonest forms -----------------------------------------------------------------------------------------------


class CommonForms:
    """Reads `A Par - Bur`, `F Stp/SC S A Nwy - Swe` and their like by looking each word up, which is much faster.

    Only words that the grammar cannot take for anything else are known here: letters of units, and places of one word,
    perhaps with a coast.  What is read here, the grammar reads as the same order.

    With `only`, no other words are places than these.
    """

    def __init__(self, lexicon: Lexicon, only: Collection[str] | None = None) -> None:
        said = {DASH: Verb.MOVE, "h": Verb.HOLD, "s": Verb.SUPPORT, "c": Verb.CONVOY}
        known = lexicon.verbs | lexicon.ahead
        self._verbs = {word: verb for word, verb in said.items() if known.get(word) is verb}
        names = [lexicon.places.exact, lexicon.closed.exact, lexicon.powers.exact, lexicon.carried.exact]
        longer = [name.split() for exact in names for name in exact if " " in name]
        other = {*lexicon.first, *(words[0] for words in longer), *(name for exact in names for name in exact)}
        self._kinds = {word: kind for word, kind in lexicon.kinds.items() if len(word) == 1 and word not in other}
        taken = {*lexicon.stops, *lexicon.verbs, *lexicon.kinds_begin, *lexicon.coasts, *lexicon.first}
        taken |= {*FILLERS, *BESIDE}
        taken |= {words[0] for words in longer if words[1] in self._verbs or words[1] == "/"}
        taken |= {name for exact in names[1:] for name in exact}
        self._places: dict[str, Location] = {}
        for word, meanings in lexicon.places.exact.items():
            if only is not None and word not in only:
                continue
            if len(meanings) == 1 and len(word) > 1 and word.isalnum() and word not in taken:
                self._places[word] = Location(meanings[0])
                for coast, letters in lexicon.coasts.items() if lexicon.board.province(meanings[0]).coasts else ():
                    if coast.isalnum():
                        self._places[f"{word}/{coast}"] = lexicon.at(meanings[0], letters)

    def read(self, text: str, phase: PhaseKind | None) -> Order | None:
        """The order, if its text has one of these forms."""
        words = text.lower().replace(DASH, f" {DASH} ").split() if text.isascii() else []
        if not _SHORTEST_FORM <= len(words) <= _LONGEST_FORM:
            return None
        kind, at, verb = self._kinds.get(words[0]), self._places.get(words[1]), self._verbs.get(words[2])
        if not kind or not at or not verb:
            return None
        behind = words[3:]
        if verb is Verb.HOLD:
            return None if behind else Order(verb, kind, at)
        if verb is not Verb.MOVE:
            return self._help(verb, kind, at, behind)
        if goal := self._goal(behind):
            return Order(_IN_PHASE.get((phase, verb), verb) if phase else verb, kind, at, goal, via=len(behind) > 1)
        return None

    def _help(self, verb: AnyVerb, kind: str, at: Location, behind: list[str]) -> Order | None:
        """A support or a convoy: the unit helped, and where it goes."""
        of_kind, of = (self._kinds.get(behind[0]), self._places.get(behind[1])) if len(behind) > 1 else (None, None)
        if not of_kind or not of:
            return None
        if not behind[2:]:
            return Order(verb, kind, at, None, of, of_kind) if verb is Verb.SUPPORT else None
        goal = self._goal(behind[3:]) if behind[2] == DASH else None
        return Order(verb, kind, at, goal, of, of_kind, via=len(behind) > _HELPED) if goal else None

    def _goal(self, words: list[str]) -> Location | None:
        """Where a unit goes, perhaps by convoy."""
        return self._places.get(words[0]) if words and words[1:] in _COMMON_ENDS else None


_SHORTEST_FORM, _HELPED, _LONGEST_FORM = 3, 4, 9
"""Words of `A Par H`, of `A Bel - Hol` behind a support, and of `A Lon S A Bel - Hol via convoy`."""
_COMMON_ENDS: tuple[list[str], ...] = ([], ["via"], ["via", "convoy"])
