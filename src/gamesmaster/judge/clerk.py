"""Reading orders against the board: what a text can mean for a unit of a kind at a place, whoever else is where.

A text is read once (`Reading`), and worked out once for each stance it meets (`Draft`): a kind of unit at a location.
Both are remembered, within bounds, since the same orders are given over and over.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge.ruling import Cause
from gamesmaster.orders import Order, PhaseKind, Verb

if TYPE_CHECKING:
    from gamesmaster.judge.rules import Rules

MOST_REMEMBERED = 50_000
"""Texts kept in memory; when full, all are forgotten and reading starts afresh."""

NOWHERE = -1


@dataclass(slots=True, eq=False)
class Draft:
    """An order worked out for a unit of one kind at one location.

    `code` is the kernel's kind; `to`, `of` are provinces (numbers, -1 for none), `goal` the location a move ends in.
    A move goes by `land` (or as a fleet), or by `sea` (an army, by convoy), or could do both.  `fault` is why it could
    not come true on any position, None if it could.
    """

    order: Order
    code: int = HOLD
    to: int = NOWHERE
    of: int = NOWHERE
    goal: int = NOWHERE
    land: bool = False
    sea: bool = False
    via: bool = False
    fault: Cause | None = None


@dataclass(slots=True, eq=False)
class Reading:
    """A text as it was read: an order, or why it is none; and the drafts made of it so far."""

    order: Order | None
    place: int = NOWHERE
    error: BadOrder | None = None
    drafts: dict[int, Draft] = field(default_factory=dict)


class Clerk:
    """Reads orders for one set of `Rules`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = rules.board
        self.kinds = tuple(sorted(rules.board.ways))
        self._kind_index = {kind: i for i, kind in enumerate(self.kinds)}
        self.memory: dict[PhaseKind, dict[str | Order, Reading]] = {kind: {} for kind in PhaseKind}

    def stance(self, kind: str, location: int) -> int:
        """Number a kind of unit at a location."""
        return location * len(self.kinds) + self._kind_index[kind]

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

    def draft(self, reading: Reading, stance: int) -> Draft:
        """Work a reading out for a unit at the place it names, or remember it."""
        draft = reading.drafts.get(stance)
        if draft is None:
            assert reading.order is not None
            location, kind = divmod(stance, len(self.kinds))
            draft = self._draft(reading.order, self.kinds[kind], location)
            reading.drafts[stance] = draft
        return draft

    def _draft(self, order: Order, kind: str, location: int) -> Draft:
        draft = Draft(order, via=order.via or (bool(order.route) and self.rules.rulebook.convoy_path != "ignored"))
        if order.verb is Verb.MOVE:
            self._move(draft, kind, location)
        elif order.verb is Verb.SUPPORT:
            self._support(draft, kind, location)
        elif order.verb is Verb.CONVOY:
            self._convoy(draft, kind, location)
        elif order.verb is not Verb.HOLD:
            draft.fault = Cause.OTHER_PHASE
        if draft.fault is None:
            draft.fault = self._misnamed(order, kind, self.board.locations[location])
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

    def _move(self, draft: Draft, kind: str, location: int) -> None:
        board, order = self.board, draft.order
        assert order.to is not None
        here, draft.code = board.place[location], MOVE
        draft.to = there = board.index.get(order.to.province, NOWHERE)
        if there == here:
            draft.fault = Cause.NOWHERE
            return
        reached = board.reach(kind, location).get(there, ())
        draft.land = bool(reached)
        draft.sea = self.sails(kind, here, there)
        if not (draft.land or draft.sea):
            draft.fault = Cause.NOT_ADJACENT
        elif board.ways[kind] == "fleet":
            draft.via = False
            draft.goal, draft.fault = self.coast(order.to, reached)
        else:
            draft.goal = board.location_index[Location(order.to.province)]
            if order.to.coast and self.rules.rulebook.unknown_coast == "void":
                draft.fault = Cause.WRONG_COAST

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

    def _support(self, draft: Draft, kind: str, location: int) -> None:
        board, order = self.board, draft.order
        assert order.of is not None
        draft.code = SUPPORT
        draft.of = board.index.get(order.of.province, NOWHERE)
        draft.to = board.index.get(order.to.province, NOWHERE) if order.to else NOWHERE
        target = draft.to if order.to else draft.of
        if draft.of == board.place[location]:
            draft.fault = Cause.NOBODY
        elif target == draft.of and order.to:
            draft.fault = Cause.CANNOT
        elif target not in board.reach(kind, location):
            draft.fault = Cause.OUT_OF_REACH

    def _convoy(self, draft: Draft, kind: str, location: int) -> None:
        board, order = self.board, draft.order
        assert order.of is not None
        draft.code = CONVOY
        draft.of = board.index.get(order.of.province, NOWHERE)
        draft.to = board.index.get(order.to.province, NOWHERE) if order.to else NOWHERE
        if board.ways[kind] != "fleet" or not board.carries[board.place[location]]:
            draft.fault = Cause.NOT_AT_SEA
        elif not any(self.sails(k, draft.of, draft.to) for k in self.kinds):
            draft.fault = Cause.NO_PASSAGE
