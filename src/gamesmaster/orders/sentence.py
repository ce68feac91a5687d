"""The grammar of orders: one order read from its words, from left to right, and its commonest forms looked up.

Nothing is tried twice and no other order is looked at, so the time is in proportion to the words, and a text means the
same wherever it stands (STD-4.f).  What stands behind a verb its `Phrase` names, part by part.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import ClassVar

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder, Unreadable
from gamesmaster.orders.model import BY_CONVOY, CARRYING, DASH, FILLERS, WITH, AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.parts import BESIDE, CLOSING, Parts
from gamesmaster.orders.words import Lexicon

LOG = logging.getLogger("gamesmaster")
LONGEST_ORDER = 400
"""Characters of an order; a longer text is refused."""

_IN_PHASE: dict[tuple[PhaseKind | None, AnyVerb], AnyVerb] = {
    (PhaseKind.RETREATS, Verb.MOVE): Verb.RETREAT,
    (PhaseKind.RETREATS, Verb.REMOVE): Verb.DISBAND,
    (PhaseKind.ADJUSTMENTS, Verb.DISBAND): Verb.REMOVE,
}
_TOWARDS = (DASH, "to", "into")  # the words before a goal
_ASHORE = (*_TOWARDS, "in", "at", "on")
_WAIVING = frozenset(Verb.WAIVE.phrase.before.split())
_NUMBERS = {"a": 1, "an": 1, "the": 1, "one": 1, "two": 2, "three": 3}
_MOST_DIGITS = 2


def defect(error: Exception) -> Unreadable:
    """Log an error of the program in reading a text, and return the error for the writer."""
    LOG.error("an order could not be read", exc_info=error, extra={"event": "defect"})
    return Unreadable("the program cannot read this, by a fault of its own")


class Sentence(Parts):
    """One order, read from its words."""

    def read(self, phase: PhaseKind | None) -> Order:
        """Return the order that the words make in a phase of this kind; raise `Unreadable` or `Ambiguous`.

        If the program itself fails, the text is unreadable and the failure is logged, so that no text stops a game.
        """
        try:
            return self._read(phase)
        except BadOrder:
            raise
        except Exception as error:  # any error here is a fault of this program
            raise defect(error) from error

    def _read(self, phase: PhaseKind | None) -> Order:
        if not self.more:
            self.fail("there is no order here")
        for number, key in enumerate(self.keys):
            if not key.isprintable():
                self.fail(f"the character U+{ord(key):04X} has no place in an order", number)
        power = self._heading()
        first = self.lexicon.first.get(self.key)
        order = self._led_order(first) if first else self._unit_order(phase)
        if self.more:
            self.fail(f"the order should end before {self.quote()}")
        return replace(order, verb=_IN_PHASE.get((phase, order.verb), order.verb), power=order.power or power)

    def _heading(self) -> str:
        """Read the power before an order: "France: A Par - Bur", "France builds A Par"; return "" without one."""
        power, size = self.power_at(self.at)
        after = self.key_at(size)
        if not power or not (after == ":" or after in self.lexicon.first):
            return ""
        self.at += size
        self.skip(":")
        return power

    def _led_order(self, verb: AnyVerb) -> Order:
        """Read an order that begins with its verb: "Build A Par", "Waive", "Designate Nov", "Remove A from A/F Atl"."""
        waives = self.key in _WAIVING
        self.at += 1
        behind = self.at
        if waives:
            self.skip(*FILLERS)
            self.skip("build", "builds")
        if verb is Verb.WAIVE or (waives and not self.more):
            return Order(Verb.WAIVE)  # "decline" means to build nothing if no unit follows
        self.at = behind
        if verb.phrase.place:
            return Order(verb, at=self.place())
        half = self.half() if verb in (Verb.REMOVE, Verb.DISBAND) else ""
        power, kind, where = self.unit()
        return Order(verb, half or kind, where, of_kind=kind if half else "", power=power)

    def _unit_order(self, phase: PhaseKind | None) -> Order:
        power, kind, where = self.unit()
        if phase is PhaseKind.ADJUSTMENTS and kind and not self.more:  # "A Yor", as a placement is written (TAD-5.a)
            return Order(Verb.BUILD, kind, where, power=power)
        verb = self.verb()
        return self._behind(verb, Order(verb, kind, where, power=power))

    def _behind(self, verb: AnyVerb, order: Order) -> Order:
        for part in verb.phrase.rest.split():
            order = self._PARTS[part](self, order)
        return order

    def _goal(self, order: Order) -> Order:
        """Read where a unit goes, how, and what it takes along, which may also come first: `carries CF to 13`."""
        carries = self.lexicon.thing and self.key_at(-1) in CARRYING
        if carries:
            order = self._builders(order) if self.thing_in(0) else replace(order, carried=1)
        order = self._journey(order)
        along = self.lexicon.thing and not carries and (self.skip(WITH) or self.sits_in)
        return self._builders(order) if along else order

    def _of(self, order: Order) -> Order:
        """Read the unit that this order supports, convoys or serves otherwise: `A Par`, `German A Kie`."""
        power, kind, where = self.unit()
        return replace(order, of=where, of_kind=kind, of_power=power)

    def _does(self, order: Order) -> Order:
        """Read what the other unit does: it holds, moves, or does what a mechanic's verb says."""
        if self.key == "to" and self.key_at(1) in ("hold", "stand", "stay"):
            self.at += 1
        if not self.more or (self.lexicon.verbs.get(self.key) is Verb.HOLD and self.skip(self.key)):
            return order
        doing = self.next_verb
        if doing and doing.phrase.helped:
            self.at += 1
            return replace(self._behind(doing, order), doing=doing)
        return self._journey(self._dash(order))

    def _dash(self, order: Order) -> Order:
        """Read the word which says that the other unit moves."""
        if self.lexicon.verbs.get(self.key) is not Verb.MOVE:
            self.refuse("where the unit goes")
        self.at += 1
        return order

    def _up(self, order: Order) -> Order:
        """Read an optional word: `picks up`."""
        self.skip("up")
        return order

    def _vessel(self, order: Order) -> Order:
        """Read the unit that the army boards."""
        power, _, where = self.unit()
        return replace(order, to=where, of_power=power)

    def _shore(self, order: Order) -> Order:
        """Read a place without a way to it: `Jel`, `in Jel`, `on Jel`, `A Jel`."""
        self.skip_kind()
        if self.key in _ASHORE and not self.place_at(self.at):
            self.at += 1
        return replace(order, to=self.place())

    def _form(self, order: Order) -> Order:
        """Read what a unit becomes, of which only the coast is kept: `into a fleet`, `into F Stp/NC`, `nc`."""
        self.skip("to", "into")
        while self.key in self.lexicon.kinds_begin and not self.place_at(self.at):
            self.at += 1
        self.skip("in", "at", "on")
        coast, size = self._coast_at(self.at, self.lexicon.loose_coasts)
        if coast and order.at:
            self.at += size
            return replace(order, to=self.lexicon.at(order.at.province, coast))
        return replace(order, to=self.place()) if self.more else order

    def _things(self, order: Order) -> Order:
        """Read things that units make: `CF`, `2 BB`."""
        return replace(order, carried=self._number() or 1)

    def _builders(self, order: Order) -> Order:
        """Read things that units have, and builders: `2 BB of Macdonald Macleod`; one each if no number is given."""
        number, builders = self._number(), list[str]()
        if self.skip("of"):
            while self.more or not builders:
                if builders:
                    self.skip("and")
                builders.append(self.power())
        return replace(order, carried=number or len(builders) or 1, builders=tuple(builders))

    def _number(self) -> int:
        """Take things that are carried, and return how many are said; 0 if no number is."""
        word = self.key
        small = word.isdecimal() and len(word) <= _MOST_DIGITS
        number = int(word) if small else _NUMBERS.get(word, 0)
        self.at += number > 0
        self.thing()
        return number

    def _journey(self, order: Order) -> Order:
        """Read the destination and words about a convoy: `Bel`, `Nth - Bel`, `Bel via convoy`, `Bel via Nth, Eng`."""
        self.skip(*_TOWARDS)
        start, goal = self.at, self.place()
        route: list[str] = []
        while self.skip(DASH):
            route.append(self._water(goal, start))
            start, goal = self.at, self.place()
        bracket = self.key_at(1) in BY_CONVOY and self.skip("(")
        via = self._by_convoy()
        route += self._waters() if via else ()
        if bracket:
            self.need(")", CLOSING)
        return replace(order, to=goal, via=via or bool(route), route=tuple(route))

    def _by_convoy(self) -> bool:
        """Take `via`, `via convoy`, `by convoy`, `by sea`."""
        if self.skip("via"):
            self.skip("convoy", "sea")
            return True
        if not self.skip("by"):
            return False
        if not self.skip("convoy", "sea"):
            self.refuse("the word convoy")
        return True

    def _waters(self) -> list[str]:
        """Read the waters listed after `via`, with commas, dashes or "and" between them."""
        route: list[str] = []
        while self.more and self.key not in (")", WITH):
            if route:
                self.skip(DASH, "and")
            start = self.at
            route.append(self._water(self.place(), start))
        return route

    def _water(self, where: Location, start: int) -> str:
        """Return the water of a place in a convoy's route; its name began at word `start`."""
        province = self.lexicon.board.province(where.province)
        if not province.convoy:
            self.fail(f"no convoy passes through {province.name}", start)
        return province.id

    _PARTS: ClassVar[dict[str, Callable[[Sentence, Order], Order]]] = {
        "goal": _goal, "of": _of, "does": _does, "dash": _dash, "journey": _journey,
        "up": _up, "vessel": _vessel, "shore": _shore, "form": _form, "things": _things, "builders": _builders,
    }  # fmt: skip
    """What reads the parts that a `Phrase` names."""


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
        """Return the order, if its text has one of these forms."""
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
        """Return a support or a convoy, with the other unit and its destination."""
        of_kind, of = (self._kinds.get(behind[0]), self._places.get(behind[1])) if len(behind) > 1 else (None, None)
        if not of_kind or not of:
            return None
        if not behind[2:]:
            return Order(verb, kind, at, None, of, of_kind) if verb is Verb.SUPPORT else None
        goal = self._goal(behind[3:]) if behind[2] == DASH else None
        return Order(verb, kind, at, goal, of, of_kind, via=len(behind) > _HELPED) if goal else None

    def _goal(self, words: list[str]) -> Location | None:
        """Return the destination of a unit, which may go by convoy."""
        return self._places.get(words[0]) if words and words[1:] in _COMMON_ENDS else None


_SHORTEST_FORM, _HELPED, _LONGEST_FORM = 3, 4, 9
"""Words of `A Par H`, of `A Bel - Hol` behind a support, and of `A Lon S A Bel - Hol via convoy`."""
_COMMON_ENDS: tuple[list[str], ...] = ([], ["via"], ["via", "convoy"])
