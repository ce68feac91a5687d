"""Reading orders against the board: what a text can mean for a unit of a kind at a place, whoever else is where.

A text is read once (`Reading`), and worked out (`Draft`) for the kind of unit it meets at its place (`Stance`).  Both
are remembered, within bounds, since the same orders are given over and over.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import Ambiguous, BadOrder, Unreadable
from gamesmaster.judge.draft import NOWHERE, VACANT, Draft, Reading, Stance
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.judge.rules import Made, Rules
from gamesmaster.judge.values import AnyCause, Cause, Mechanic
from gamesmaster.orders import Order, PhaseKind, Verb

LANDING = "landing"
"""The way of travel of those aboard a fleet, from its water to the shores beside it."""


class OrderMechanic(Mechanic):
    """What a variant changes in what orders mean."""

    def resolve_order(self, clerk: Clerk, draft: Draft) -> None:
        """Work out an order for a kind of unit at a place: a verb of its own, or a change of what the rules made of it.

        What orders mean is remembered, so this knows no position; `MovementMechanic.order_fault` does.
        """


class Clerk:
    """Reads orders for one set of `Rules`.

    `readings` gives what orders of a kind of phase say; `stances` every stance on the board, by kind and location.
    `holds`, `moves` and `helps` are the orders a unit may be given, each written once: a hold by stance; a move by
    stance, goal (location) and whether by convoy; help by verb, stance, stance of the unit helped, and goal, -1 for
    support in place.  `strides` are the steps from a stance, restrictions aside: the province, the location, the move.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = rules.board
        self.kinds = tuple(sorted(rules.board.ways))
        self.readings = {phase: Made(partial(self._read, phase)) for phase in PhaseKind}
        self.holds = Made(self._hold_order)
        self.moves = Made(self._move_order)
        self.strides = Made(self._strides)
        self.helps = Made(self._help_order)
        self._stowed: dict[tuple[str, Location], Stance] = {}
        self.stances = {kind: {at: self._stance(kind, at) for at in self.board.locations} for kind in self.kinds}

    def _stance(self, kind: str, at: Location) -> Stance:
        board, location = self.board, self.board.location_index[at]
        place, afloat = board.place[location], board.sails(kind)
        carries = board.ways[kind] == "fleet" and board.carries[place]
        reach = helps = flees = board.reach(kind, location)
        if form := board.forms.get(kind):
            helps, flees = board.steps_by(form.helps, location), board.steps_by(form.flees, location)
        return Stance(kind, at, location, place, afloat, carries, reach, helps, flees)

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """Province number -> its location without a coast."""
        return tuple(self.board.locations_of(place)[0] for place in range(len(self.board.provinces)))

    @cached_property
    def ports(self) -> frozenset[int]:
        """Numbers of the provinces that armies can be convoyed from and to, for all that the shores say."""
        board = self.board
        return frozenset(i for i, province in enumerate(board.provinces) if province.land and board.waters[i])

    def _hold_order(self, stance: Stance) -> Order:
        return Order(Verb.HOLD, stance.kind, stance.at)

    def _move_order(self, key: tuple[Stance, int, bool]) -> Order:
        stance, end, via = key
        return Order(Verb.MOVE, stance.kind, stance.at, self.board.locations[end], via=via)

    def _strides(self, stance: Stance) -> tuple[tuple[int, int, Order], ...]:
        steps = ((place, end) for place, ends in stance.reach.items() for end in ends)
        return tuple((place, end, self.moves[stance, end, False]) for place, end in steps)

    def _help_order(self, key: tuple[Verb, Stance, Stance, int]) -> Order:
        verb, stance, helped, end = key
        goal = None if end < 0 else self.board.locations[end]
        return Order(verb, stance.kind, stance.at, goal, helped.at, helped.kind)

    def stowed(self, kind: str, at: Location) -> Stance:
        """The stance of a unit aboard of another that lies here: it does nothing but go ashore."""
        if (kind, at) not in self._stowed:
            board, location = self.board, self.board.location_index[at]
            ashore = board.steps_by(LANDING, location)
            self._stowed[kind, at] = Stance(kind, at, location, board.place[location], False, False, ashore, {}, {})
        return self._stowed[kind, at]

    def read(self, given: str | Order, phase: PhaseKind) -> Reading:
        """Read one order, or remember it."""
        return self.readings[phase][given]

    def words(self, given: str | Order) -> str:
        """An order as it was given: the text, or what an `Order` prints as."""
        if isinstance(given, str):
            return given
        return self.rules.notation.write(given) if given.complete else str(given)

    def _read(self, phase: PhaseKind, given: str | Order) -> Reading:
        try:
            order = self.rules.notation.read(given, phase) if isinstance(given, str) else given
        except Ambiguous as error:
            settled = self.rules.rulebook.doubtful_name == "settled_by_unit"
            orders = self.rules.notation.meanings(str(given), phase) if settled else ()
            return Reading(None, error=error, meanings=tuple(self._placed(order) for order in orders))
        except BadOrder as error:
            return Reading(None, error=error)
        if not order.complete:
            return Reading(None, error=Unreadable("the order does not say all that it must"))
        return self._placed(order)

    def _placed(self, order: Order) -> Reading:
        named = order.at.province if order.at else ""
        return Reading(order, self.board.index.get(named, NOWHERE), lands=order.verb is Verb.LAND)

    def landing(self, reading: Reading) -> Reading:
        """A move read as going ashore: whoever is aboard moves in no other way (SCO-7.a, CNW-6.b2, AFM-6.a)."""
        order = reading.order
        assert order is not None
        return self.read(replace(order, verb=Verb.LAND), PhaseKind.MOVEMENT)

    def draft(self, reading: Reading, stance: Stance) -> Draft:
        """Work a reading out for a unit at the place it names, or remember the last time."""
        draft = reading.draft
        if draft.stance is not stance:
            assert reading.order is not None
            reading.draft = draft = self._draft(reading.order, stance)
        return draft  # not the remembered one: another thread may have replaced that

    def _draft(self, order: Order, stance: Stance) -> Draft:
        via = order.via or (bool(order.route) and self.rules.rulebook.convoy_path != "ignored")
        draft = Draft(order, stance, via=via)
        if order.verb is Verb.MOVE:
            self._move(draft)
        elif order.verb is Verb.SUPPORT:
            self._support(draft)
        elif order.verb in (Verb.CONVOY, Verb.FERRY):
            self._convoy(draft)
        elif order.verb is Verb.LAND:
            self._land(draft)
        elif order.verb is not Verb.HOLD:
            draft.fault = Cause.OTHER_PHASE
        if draft.fault is None and order.verb is not Verb.LAND:
            draft.fault = self.misnamed(order, stance.kind, stance.at)
        for resolve in self.rules.asked(OrderMechanic.resolve_order):
            resolve(self, draft)
        if self.board.restricted:
            draft.guarded = self._guarded(draft)
        if draft.fault is None and (draft.code == HOLD or (draft.land and not draft.guarded)):
            draft.fits = VACANT
        return draft

    def misnamed(self, order: Order, kind: str, at: Location) -> AnyCause | None:
        """Check the words for the ordered unit itself: its letter (4.C.1, 4.C.2) and its coast (4.B.5, 4.B.6)."""
        book = self.rules.rulebook
        if not self._alike(order.kind, kind) and (book.kind_mistaken if order.kind else book.kind_omitted) == "void":
            return Cause.WRONG_KIND
        assert order.at is not None
        return self.wrong_standing_coast(order.at, at)

    def _alike(self, said: str, kind: str) -> bool:
        """Is this the kind said, or the same one laden or afloat (AFM-5.e)?"""
        return said == kind or (said in self.board.ways and self.board.base(said) == self.board.base(kind))

    def wrong_standing_coast(self, named: Location, actual: Location) -> AnyCause | None:
        """Does naming this coast for where a unit stands spoil the order (4.B.5, 4.B.6)?"""
        if not named.coast or named.coast == actual.coast:
            return None
        known = named.coast in self.board.province(named.province).coasts
        book = self.rules.rulebook
        strict = book.needless_coast if known and actual.coast else book.unknown_coast
        return Cause.WRONG_COAST if strict == "void" else None

    def _guarded(self, draft: Draft) -> bool:
        """Do closed provinces or borders for some powers only have a say in this move or support?"""
        board, stance = self.board, draft.stance
        if draft.code == MOVE:
            return draft.goal >= 0 and board.guarded(stance.location, draft.goal)
        ends = stance.helps.get(draft.into, ()) if draft.code == SUPPORT else ()
        return any(board.guarded(stance.location, end) for end in ends)

    # -- moves -------------------------------------------------------------------------------------------------------

    def _move(self, draft: Draft) -> None:
        board, order, stance = self.board, draft.order, draft.stance
        assert order.to is not None
        draft.code = MOVE
        draft.to = draft.into = there = board.index.get(order.to.province, NOWHERE)
        if there == stance.place:
            draft.fault = Cause.NOWHERE
            return
        reached = stance.reach.get(there, ())
        draft.land, draft.sea = bool(reached), self.sails(stance.kind, stance.place, there)
        if not (draft.land or draft.sea):
            draft.fault = Cause.NOT_ADJACENT
        elif stance.afloat:
            draft.via = False
            draft.goal, draft.fault = self.coast(order.to, reached)
        else:
            draft.goal = board.location_index[Location(order.to.province)]
            if order.to.coast and self.rules.rulebook.unknown_coast == "void":
                draft.fault = Cause.WRONG_COAST

    def _land(self, draft: Draft) -> None:
        board, order = self.board, draft.order
        assert order.to is not None
        draft.code, draft.land = MOVE, True
        draft.to = draft.into = board.index.get(order.to.province, NOWHERE)
        if draft.to not in draft.stance.reach:
            draft.fault = Cause.NOT_ADJACENT
        else:
            draft.goal = board.location_index[Location(order.to.province)]

    def sails(self, kind: str, here: int, there: int) -> bool:
        """Could a unit of this kind ever be convoyed from here to there, for all that the shores say?"""
        return here != there and here in self.ports and there in self.ports and not self.board.sails(kind)

    def coast(self, named: Location, reached: tuple[int, ...]) -> tuple[int, AnyCause | None]:
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
        draft.seaward = draft.to >= 0 and self._from_sea(draft)
        place, board = draft.stance.place, self.board
        # others lie in a box beside it, and a laden unit may be told to help its own army ashore
        together = draft.to >= 0 and (draft.stance.kind in board.forms or place in board.boxes)
        if draft.of == NOWHERE or (draft.of == place and not together):
            draft.fault = Cause.NOBODY
        elif draft.to == draft.of:
            draft.fault = Cause.CANNOT
        elif draft.into not in draft.stance.helps:
            draft.fault = Cause.OUT_OF_REACH
        elif self.board.provinces[draft.into].terrain is Terrain.BOX:
            draft.fault = Cause.NEEDLESS

    def _from_sea(self, draft: Draft) -> bool:
        """Could this be for an army that goes ashore ("lands", or an army named where fleets lie)?"""
        if draft.order.landing or draft.of < 0:
            return draft.order.landing
        cargo = any(form.cargo == draft.order.of_kind for form in self.board.forms.values())
        return cargo and self.board.provinces[draft.of].terrain not in (Terrain.INLAND, Terrain.COAST)

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

    def misfit(self, draft: Draft, helped: Stance, power: str, foreign: bool) -> AnyCause | None:
        """Why a support or convoy cannot be meant for the unit where it names one, this one; None if it can."""
        unable: AnyCause | None
        if draft.code == CONVOY:
            unable = Cause.NO_ARMY if helped.afloat else None
        elif draft.to < 0:
            unable = None
        elif draft.to in helped.reach:
            unable = self._coast_unsaid(draft, helped, foreign)
        else:
            unable = None if self.sails(helped.kind, draft.of, draft.to) else Cause.CANNOT
        return unable or self._wrong_words(draft.order, helped, power, foreign)

    def asks_whose(self, draft: Draft) -> bool:
        """May it count for a support or convoy whose the unit it helps is?"""
        book = self.rules.rulebook
        return bool(draft.order.of_power) or book.nation_omitted == "void" or book.support_coast == "own_unit_only"

    def _coast_unsaid(self, draft: Draft, helped: Stance, foreign: bool) -> AnyCause | None:
        """A support into a split coast may have to name it (4.B.4)."""
        assert draft.order.to is not None
        if draft.order.to.coast or not draft.split or not helped.afloat:
            return None
        answer = self.rules.rulebook.support_coast
        wanted = answer == "always_required" or (
            len(helped.reach[draft.to]) > 1 and (answer == "required" or (answer == "own_unit_only" and foreign))
        )
        return Cause.WHICH_COAST if wanted else None

    def _wrong_words(self, order: Order, helped: Stance, power: str, foreign: bool) -> AnyCause | None:
        """Do the words for the unit helped spoil the order (4.B.5, 4.C.1, 4.C.2, 4.C.5, 4.C.6)?"""
        book = self.rules.rulebook
        assert order.of is not None
        if (
            not self._alike(order.of_kind, helped.kind)
            and (book.kind_mistaken if order.of_kind else book.kind_omitted) == "void"
        ):
            return Cause.WRONG_KIND
        wrong_nation = order.of_power not in ("", power) and book.nation_mistaken == "void"
        if wrong_nation or (not order.of_power and foreign and book.nation_omitted == "void"):
            return Cause.WRONG_NATION
        return self.wrong_standing_coast(order.of, helped.at)
