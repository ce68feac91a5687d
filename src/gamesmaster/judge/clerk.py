"""Reading orders against the board: what a text can mean for a unit of a kind at a place, whoever else is where.

A text is read once (`Reading`), worked out once for each unit it is given to (`Draft`) and, if it helps another, once
for each unit it meets there (`Aid`).  Units that differ only in their number are one to the clerk (`Stance`).  All this
is remembered, within bounds, since the same orders are given over and over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.board import Location, Unit
from gamesmaster.errors import BadOrder
from gamesmaster.judge.draft import NOWHERE, VACANT, Aid, Draft, Reading, Stance
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge.ruling import Cause
from gamesmaster.orders import Order, PhaseKind, Verb

if TYPE_CHECKING:
    from gamesmaster.judge.rules import Rules

MOST_REMEMBERED = 50_000
"""Texts kept in memory; when full, all are forgotten and reading starts afresh."""


class Clerk:
    """Reads orders for one set of `Rules`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = rules.board
        self.kinds = tuple(sorted(rules.board.ways))
        self.memory: dict[PhaseKind, dict[str | Order, Reading]] = {kind: {} for kind in PhaseKind}
        self.stances: dict[tuple[str, str, Location], Stance] = {}

    def stance(self, unit: Unit) -> Stance:
        """The stance of a unit: one object for all units of this kind and power at this place."""
        key = unit.kind, unit.power, unit.at
        stance = self.stances.get(key)
        if stance is None:
            location = self.board.location_index[unit.at]
            place = self.board.place[location]
            afloat = self.board.ways[unit.kind] == "fleet"
            carries = afloat and self.board.carries[place]
            owner, reach = self.rules.numbers.get(unit.power, 0), self.board.reach(unit.kind, location)
            stance = Stance(*key, owner, location, place, afloat, carries, reach)
            if len(self.stances) >= MOST_REMEMBERED:
                self.stances.clear()
            self.stances[key] = stance
        return stance

    def read(self, given: str | Order, phase: PhaseKind) -> Reading:
        """Read one order, or remember it."""
        memory = self.memory[phase]
        reading = memory.get(given)
        if reading is None:
            reading = self._read(given, phase)
            if len(memory) >= MOST_REMEMBERED:
                memory.clear()
            memory[given] = reading
        return reading

    def _read(self, given: str | Order, phase: PhaseKind) -> Reading:
        try:
            order = self.rules.notation.read(given, phase) if isinstance(given, str) else given
        except BadOrder as error:
            return Reading(None, error=error)
        named = order.at.province if order.at else ""
        return Reading(order, self.board.index.get(named, NOWHERE))

    def draft(self, reading: Reading, stance: Stance) -> Draft:
        """Work a reading out for a unit at the place it names, or remember it."""
        draft = reading.drafts.get(stance)
        if draft is None:
            assert reading.order is not None
            draft = reading.drafts[stance] = self._draft(reading.order, stance)
        return draft

    def _draft(self, order: Order, stance: Stance) -> Draft:
        via = order.via or (bool(order.route) and self.rules.rulebook.convoy_path != "ignored")
        draft = Draft(order, stance, via=via)
        if order.verb is Verb.MOVE:
            self._move(draft)
        elif order.verb is Verb.SUPPORT:
            self._support(draft)
        elif order.verb is Verb.CONVOY:
            self._convoy(draft)
        elif order.verb is not Verb.HOLD:
            draft.fault = Cause.OTHER_PHASE
        if draft.fault is None:
            draft.fault = self._misnamed(order, stance.kind, stance.at)
        draft.settled = draft.fault is not None or draft.code == HOLD or draft.land
        return draft

    def _misnamed(self, order: Order, kind: str, at: Location) -> Cause | None:
        """Check the words for the ordered unit itself: its letter (4.C.1, 4.C.2) and its coast (4.B.5, 4.B.6)."""
        book = self.rules.rulebook
        if order.kind != kind and (book.kind_mistaken if order.kind else book.kind_omitted) == "void":
            return Cause.WRONG_KIND
        assert order.at is not None
        return self.wrong_standing_coast(order.at, at)

    def wrong_standing_coast(self, named: Location, actual: Location) -> Cause | None:
        """Does naming this coast for where a unit stands spoil the order (4.B.5, 4.B.6)?"""
        if not named.coast or named.coast == actual.coast:
            return None
        known = named.coast in self.board.province(named.province).coasts
        book = self.rules.rulebook
        strict = book.needless_coast if known and actual.coast else book.unknown_coast
        return Cause.WRONG_COAST if strict == "void" else None

    # -- moves -------------------------------------------------------------------------------------------------------

    def _move(self, draft: Draft) -> None:
        board, order, stance = self.board, draft.order, draft.stance
        assert order.to is not None
        draft.code = MOVE
        draft.to = there = board.index.get(order.to.province, NOWHERE)
        if there == stance.place:
            draft.fault = Cause.NOWHERE
            return
        reached = stance.reach.get(there, ())
        draft.sea = self.sails(stance.kind, stance.place, there)
        if not (reached or draft.sea):
            draft.fault = Cause.NOT_ADJACENT
        elif stance.afloat:
            draft.via = False
            draft.goal, draft.fault = self.coast(order.to, reached)
        else:
            draft.goal = board.location_index[Location(order.to.province)]
            if order.to.coast and self.rules.rulebook.unknown_coast == "void":
                draft.fault = Cause.WRONG_COAST
        if reached and draft.fault is None:
            draft.land = not (board.restricted and board.barred(stance.power, stance.kind, stance.location, draft.goal))
            if not (draft.land or draft.sea):
                draft.fault = Cause.CLOSED

    def sails(self, kind: str, here: int, there: int) -> bool:
        """Could a unit of this kind ever be convoyed from here to there, for all that the shores say?"""
        board = self.board
        if there < 0 or board.ways[kind] == "fleet" or there == here:
            return False
        ashore = board.provinces[here].land and board.provinces[there].land
        return ashore and bool(board.waters[here]) and bool(board.waters[there])

    def coast(self, named: Location, reached: tuple[int, ...]) -> tuple[int, Cause | None]:
        """Choose the location that a fleet bound for `named` reaches (4.B.1, 4.B.2, 4.B.3, 4.B.6)."""
        board, book = self.board, self.rules.rulebook
        coasts = {board.locations[i].coast: i for i in reached}
        split, name = board.province(named.province).coasts, named.coast
        if name and name not in coasts:
            if (book.wrong_coast_named if name in split else book.unknown_coast) == "void":
                return NOWHERE, Cause.WRONG_COAST
            name = ""
        if not name and "" not in coasts:
            answer = book.coast_omitted if len(reached) > 1 else book.coast_omitted_single
            if answer == "understood":
                return reached[0], None
            if answer == "void":
                return NOWHERE, Cause.WHICH_COAST
            name = split[-1]
        return (coasts[name], None) if name in coasts else (NOWHERE, Cause.WRONG_COAST)

    # -- supports and convoys ----------------------------------------------------------------------------------------

    def _support(self, draft: Draft) -> None:
        self._name_helped(draft)
        draft.code = SUPPORT
        draft.into = draft.to if draft.order.to else draft.of
        draft.split = draft.to >= 0 and bool(self.board.provinces[draft.to].coasts)
        if draft.of in (NOWHERE, draft.stance.place):
            draft.fault = Cause.NOBODY
        elif draft.to == draft.of:
            draft.fault = Cause.CANNOT
        elif draft.into not in draft.stance.reach:
            draft.fault = Cause.OUT_OF_REACH

    def _convoy(self, draft: Draft) -> None:
        self._name_helped(draft)
        draft.code = CONVOY
        if not draft.stance.carries:
            draft.fault = Cause.NOT_AT_SEA
        elif not any(self.sails(kind, draft.of, draft.to) for kind in self.kinds):
            draft.fault = Cause.NO_PASSAGE

    def _name_helped(self, draft: Draft) -> None:
        order, index = draft.order, self.board.index
        assert order.of is not None
        draft.of = index.get(order.of.province, NOWHERE)
        draft.to = index.get(order.to.province, NOWHERE) if order.to else NOWHERE

    def aid(self, draft: Draft, helped: Stance) -> Aid:
        """Work a support or convoy out for the unit it meets where it names one, or remember it."""
        aid = draft.aids.get(helped)
        if aid is None:
            aid = draft.aids[helped] = self._aid(draft, helped)
        return aid

    def _aid(self, draft: Draft, helped: Stance) -> Aid:
        if helped is VACANT:
            return Aid(Cause.NOBODY)
        words = self._wrong_words(draft, helped)
        if draft.code == CONVOY:
            return Aid(Cause.NO_ARMY if helped.afloat else words, by_sea=True)
        if draft.to < 0:
            return Aid(words)
        reached = helped.reach.get(draft.to)
        if reached is None:
            able = self.sails(helped.kind, draft.of, draft.to)
            return Aid(words if able else Cause.CANNOT, by_sea=True)
        return Aid(self._coast_unsaid(draft, helped, reached) or words)

    def _coast_unsaid(self, draft: Draft, helped: Stance, reached: tuple[int, ...]) -> Cause | None:
        """A support into a split coast may have to name it (4.B.4)."""
        assert draft.order.to is not None
        if draft.order.to.coast or not draft.split or not helped.afloat:
            return None
        answer = self.rules.rulebook.support_coast
        wanted = answer == "always_required" or (
            len(reached) > 1
            and (answer == "required" or (answer == "own_unit_only" and helped.owner != draft.stance.owner))
        )
        return Cause.WHICH_COAST if wanted else None

    def _wrong_words(self, draft: Draft, helped: Stance) -> Cause | None:
        """Do the words for the unit helped spoil the order (4.B.5, 4.C.1, 4.C.2, 4.C.5, 4.C.6)?"""
        book, order = self.rules.rulebook, draft.order
        assert order.of is not None
        if order.of_kind != helped.kind and (book.kind_mistaken if order.of_kind else book.kind_omitted) == "void":
            return Cause.WRONG_KIND
        foreign = helped.owner != draft.stance.owner
        wrong_nation = order.of_power not in ("", helped.power) and book.nation_mistaken == "void"
        if wrong_nation or (not order.of_power and foreign and book.nation_omitted == "void"):
            return Cause.WRONG_NATION
        return self.wrong_standing_coast(order.of, helped.at)
