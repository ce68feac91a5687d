"""The meaning of orders: how a text resolves for a unit of a kind at a place, whatever other units there are.

A text is read once (`ParsedOrder`), and resolved (`ResolvedOrder`) for the kind of unit that it meets at its place
(`Placement`). Both are cached, within bounds, since the same orders are given over and over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from gamesmaster.board import LANDING, Board, Location, Terrain
from gamesmaster.engine import ALONE, CONVOY, HOLD, MOVE, NOWHERE, SUPPORT
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.errors import Ambiguous, BadOrder, Unreadable
from gamesmaster.orders import AnyVerb, GivenOrder, Order, PhaseKind, Unread, Verb
from gamesmaster.rules import AnyCause, Cause, Made, Mechanic, Rules, limits_sight


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A kind of unit at a location.  There is one object for each, so they are compared by identity."""

    kind: str
    at: Location
    location: int  # the number of `at`
    place: int  # the number of its province
    afloat: bool  # no convoy carries it
    carries: bool  # it may convoy where it lies
    reach: Mapping[int, tuple[int, ...]]  # of one step: {province: the locations there}
    helps: Mapping[int, tuple[int, ...]]  # likewise, for supports
    flees: Mapping[int, tuple[int, ...]]  # likewise, for retreats


VACANT = Placement("", Location(""), NOWHERE, NOWHERE, False, False, {}, {}, {})
"""Row 0's placement: no unit is there."""


def open_ends(board: Board, power: str | None, kind: str, here: int, ends: Sequence[int]) -> Sequence[int]:
    """Return those of the adjacent locations that are open to a power's unit; all of them if no power is named."""
    if power is None or not board.restricted:
        return ends
    return [end for end in ends if not board.barred(power, kind, here, end)]


def supportable(board: Board, here: Placement, power: str | None) -> Collection[int]:
    """Return the places into which a power's unit may support.

    These are places where units fight and where it may go (CNW-5.b, SCO-6.e).
    """
    if not (board.restricted or board.shared):
        return here.helps
    return [
        place
        for place, ends in here.helps.items()
        if place not in board.shared and open_ends(board, power, here.kind, here.location, ends)
    ]


@dataclass(slots=True, eq=False)
class ResolvedOrder:
    """An order worked out for a unit of one kind at one location; numbers are -1 for none."""

    order: Order
    placement: Placement
    code: int = HOLD  # the kernel's kind
    to: int = NOWHERE  # the province that it leads to
    of: int = NOWHERE  # the province of the unit that it names
    goal: int = NOWHERE  # the location a move ends in
    into: int = 0  # the province where it counts, 0 for a hold
    split: bool = False  # a support is for a move to where there are several coasts
    coast: int = NOWHERE  # the location on one of them that a move ends in or a support is for
    land: bool = False  # a move goes by land, or as a fleet
    sea: bool = False  # a move goes by convoy; with `land`, it could do either
    via: bool = False
    fault: AnyCause | None = None  # why it is impossible on any position
    guarded: bool = False  # whether it is possible depends on the power
    seaward: bool = False  # a support for an army that may be going ashore from a fleet
    force: int = WEIGHT  # the weight it attacks or helps with
    flags: int = 0  # the kernel's
    secondary: bool = False  # it is carried out beside its unit's other order
    alone: AnyCause | None = None  # why a move takes no support
    came: AnyCause | None = None  # a mechanic's cause for a move that came true
    left: AnyCause | None = None  # a mechanic's cause for a move that is not carried
    suits: Placement | None = None  # the placement that was found in `of` and can be meant, of any power
    fits: Placement | None = None  # the same if the order is then possible; `VACANT` if it depends on no other unit


NO_ORDER = ResolvedOrder(Order(Verb.HOLD), VACANT)
"""The order of a unit for which no order counts: it holds."""

CONFLICTING = ResolvedOrder(Order(Verb.HOLD), VACANT)
"""The order of a unit whose orders contradict each other (4.D.3): it holds, too."""


@dataclass(slots=True, eq=False)
class ParsedOrder:
    """A text as it was read: an order at a place, or the error; and what it was last resolved to."""

    order: Order | None
    place: int = NOWHERE
    error: BadOrder | None = None
    resolved: ResolvedOrder = NO_ORDER
    meanings: tuple[ParsedOrder, ...] = ()  # the possible orders of a text whose names are in doubt
    exact: bool = False  # the notation prints the order so
    plain: bool = False  # nothing else may be meant: no fleet can be where "F Ion - Tyr" says

    @property
    def kind(self) -> str:
        """The letter of the unit it is for, if it says so."""
        return self.order.kind if self.order else ""


class ParsedOrders(Made[GivenOrder, ParsedOrder]):
    """What plain orders say, made when it is looked up; what all others say is kept apart.

    `doubted` is another object after each look at an order that is not plain.
    """

    def __init__(self, make: Callable[[GivenOrder], ParsedOrder]) -> None:
        super().__init__(make)
        self._others = Made(make)
        self.doubted = object()

    def __missing__(self, given: GivenOrder) -> ParsedOrder:
        parsed = self._others[given]
        if parsed.plain:
            del self._others[given]
            return self.keep(given, parsed)
        self.doubted = object()
        return parsed


class OrderMechanic(Mechanic):
    """A variant's changes to the meaning of orders."""

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Resolve an order of a kind of unit at a place: one with a verb of the mechanic, or a change to a regular one.

        The results are remembered, so they must not depend on a position; `BindingMechanic.order_fault` may.
        """


class OrderReader:
    """Reads orders for one set of `Rules`.

    `parsed_orders` gives what orders of a kind of phase say; `placements` every placement on the board, by kind and
    location.  `holds`, `moves` and `helps` are the orders a unit may be given, each written once: a hold by placement;
    a move by placement, goal (location) and whether by convoy; help by verb, placement, placement of the unit helped,
    and goal, -1 for support in place.  `strides` are the steps from a placement, restrictions aside: the province, the
    location, the move.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = rules.board
        self.kinds = tuple(sorted(rules.board.ways))
        self.parsed_orders = {phase: ParsedOrders(partial(self._read, phase)) for phase in PhaseKind}
        self.holds = Made(self._hold_order)
        self.moves = Made(self._move_order)
        self.strides = Made(self._strides)
        self.helps = Made(self._help_order)
        self._stowed: dict[tuple[str, Location], Placement] = {}
        self.placements = {kind: {at: self._placement(kind, at) for at in self.board.locations} for kind in self.kinds}

    def _placement(self, kind: str, at: Location) -> Placement:
        board, location = self.board, self.board.location_index[at]
        place, afloat = board.place[location], not board.convoyed(kind)
        carries = kind in board.fleets and board.carries[place]
        reach = helps = flees = board.reach(kind, location)
        if form := board.forms.get(kind) or board.traits.get(kind):
            helps, flees = board.steps_by(form.helps, location), board.steps_by(form.flees, location)
        return Placement(kind, at, location, place, afloat, carries, reach, helps, flees)

    @cached_property
    def bare(self) -> tuple[int, ...]:
        """Province number -> its location without a coast."""
        return tuple(self.board.locations_of(place)[0] for place in range(len(self.board.provinces)))

    @cached_property
    def ports(self) -> frozenset[int]:
        """Numbers of the provinces that armies can be convoyed from and to, for all that the shores say."""
        board = self.board
        return frozenset(i for i, province in enumerate(board.provinces) if province.land and board.waters[i])

    def _hold_order(self, placement: Placement) -> Order:
        return Order(Verb.HOLD, placement.kind, placement.at)

    def _move_order(self, key: tuple[Placement, int, bool]) -> Order:
        placement, end, via = key
        return Order(Verb.MOVE, placement.kind, placement.at, self.board.locations[end], via=via)

    def _strides(self, placement: Placement) -> tuple[tuple[int, int, Order], ...]:
        steps = ((place, end) for place, ends in placement.reach.items() for end in ends)
        return tuple((place, end, self.moves[placement, end, False]) for place, end in steps)

    def _help_order(self, key: tuple[AnyVerb, Placement, Placement, int]) -> Order:
        verb, placement, helped, end = key
        goal = None if end < 0 else self.board.locations[end]
        return Order(verb, placement.kind, placement.at, goal, helped.at, helped.kind)

    def placement_aboard(self, kind: str, at: Location) -> Placement:
        """Return the placement of a unit aboard another at this location: it can do nothing but land."""
        if (kind, at) not in self._stowed:
            board, location = self.board, self.board.location_index[at]
            ashore = board.steps_by(LANDING, location)
            self._stowed[kind, at] = Placement(kind, at, location, board.place[location], False, False, ashore, {}, {})
        return self._stowed[kind, at]

    def read(self, given: GivenOrder, phase: PhaseKind) -> ParsedOrder:
        """Read one order, or remember it."""
        return self.parsed_orders[phase][given]

    def words(self, given: GivenOrder) -> str:
        """Return an order as it was given: its text, or the text that an `Order` prints."""
        if isinstance(given, str):
            return given
        if isinstance(given, Unread):
            return given.text
        return self.rules.notation.write(given) if given.complete else str(given)

    def _read(self, phase: PhaseKind, given: GivenOrder) -> ParsedOrder:
        if isinstance(given, Unread):
            return ParsedOrder(None, error=Unreadable(given.what, text=given.text, hint=given.hint))
        notation = self.rules.notation
        if isinstance(given, str) and (known := notation.look_up(given, phase)):
            return self._placed(known, exact=True)
        try:
            order = notation.read(given, phase) if isinstance(given, str) else given
        except Ambiguous as error:
            by_unit = self.rules.rulebook.doubtful_name == "settled_by_unit"
            settled = by_unit and not limits_sight(self.rules)  # else it would depend on what a power may not see
            orders = notation.meanings(str(given), phase) if settled else ()
            return ParsedOrder(None, error=_alone(error), meanings=tuple(self._placed(order) for order in orders))
        except BadOrder as error:
            return ParsedOrder(None, error=_alone(error))
        if not order.complete:
            return ParsedOrder(None, error=Unreadable("the order does not say all that it must"))
        return self._placed(order, exact=not isinstance(given, str) or notation.prints(order, given))

    def _placed(self, order: Order, *, exact: bool = False) -> ParsedOrder:
        named = order.at.province if order.at else ""
        plain = exact and self._is_plain(order)
        return ParsedOrder(order, self.board.index.get(named, NOWHERE), exact=exact, plain=plain)

    def _is_plain(self, order: Order) -> bool:
        """Return whether an order is possible on this board and has no word that could also name a place.

        It is possible if units of the kinds named can be at the places named.
        """
        if not (order.kind or order.to or order.of):
            return order.verb.phrase.short.casefold() not in self.rules.notation.lexicon.places.exact  # "62 h"
        if order.to is None or order.carried or order.doing or not isinstance(order.verb, Verb):
            return True
        may_be, goes = self.board.may_be, order.of_kind if order.of else order.kind
        return (order.at is None or may_be(order.kind, order.at.province)) and may_be(goes, order.to.province)

    def resolve(self, parsed: ParsedOrder, placement: Placement) -> ResolvedOrder:
        """Work a parsed order out for a unit at the place it names, or remember the last time."""
        resolved = parsed.resolved
        if resolved.placement is not placement:
            assert parsed.order is not None
            parsed.resolved = resolved = self._resolve(parsed.order, placement)
        return resolved  # not the remembered one: another thread may have replaced that

    def _resolve(self, order: Order, placement: Placement) -> ResolvedOrder:
        via = order.via or (bool(order.route) and self.rules.rulebook.convoy_path != "ignored")
        resolved = ResolvedOrder(order, placement, via=via)
        verb = order.verb.like
        if verb is Verb.MOVE:
            self._move(resolved)
        elif verb is Verb.SUPPORT:
            self._support(resolved)
        elif verb is Verb.CONVOY:
            self._convoy(resolved)
        elif verb is not Verb.HOLD:
            resolved.fault = Cause.OTHER_PHASE
        if resolved.fault is None:
            resolved.fault = self.name_fault(order, placement.kind, placement.at)
        for resolve in self.rules.hooks(OrderMechanic.resolve_order):
            resolve(self, resolved)
        if resolved.code == MOVE and resolved.goal >= 0 and self.board.locations[resolved.goal].coast:
            resolved.coast = resolved.goal
        if resolved.alone is not None:
            resolved.flags |= ALONE
        if self.board.restricted:
            resolved.guarded = self._guarded(resolved)
        if resolved.fault is None and (resolved.code == HOLD or (resolved.land and not resolved.guarded)):
            resolved.fits = VACANT
        return resolved

    def name_fault(self, order: Order, kind: str, at: Location) -> AnyCause | None:
        """Check the words for the ordered unit itself: its letter (4.C.1, 4.C.2) and its coast (4.B.5, 4.B.6)."""
        book = self.rules.rulebook
        if not self._alike(order.kind, kind) and (book.kind_mistaken if order.kind else book.kind_omitted) == "void":
            return Cause.WRONG_KIND
        assert order.at is not None
        return self.wrong_standing_coast(order.at, at)

    def _alike(self, said: str, kind: str) -> bool:
        """Return whether `kind` is the kind named, or the same kind loaded or afloat (AFM-5.e)."""
        return said == kind or (said in self.board.ways and self.board.base(said) == self.board.base(kind))

    def wrong_standing_coast(self, named: Location, actual: Location) -> AnyCause | None:
        """Return the cause if naming this coast for a unit's place spoils the order, else None (4.B.5, 4.B.6)."""
        if not named.coast or named.coast == actual.coast:
            return None
        known = named.coast in self.board.province(named.province).coasts
        book = self.rules.rulebook
        strict = book.needless_coast if known and actual.coast else book.unknown_coast
        return Cause.WRONG_COAST if strict == "void" else None

    def _guarded(self, resolved: ResolvedOrder) -> bool:
        """Return whether provinces or borders closed to some powers concern this move or support."""
        board, placement = self.board, resolved.placement
        if resolved.code == MOVE:
            return resolved.goal >= 0 and board.guarded(placement.location, resolved.goal)
        ends = placement.helps.get(resolved.into, ()) if resolved.code == SUPPORT else ()
        return any(board.guarded(placement.location, end) for end in ends)

    # -- moves -------------------------------------------------------------------------------------------------------

    def _move(self, resolved: ResolvedOrder) -> None:
        board, order, placement = self.board, resolved.order, resolved.placement
        assert order.to is not None
        resolved.code = MOVE
        resolved.to = resolved.into = there = board.index.get(order.to.province, NOWHERE)
        if there == placement.place:
            resolved.fault = Cause.NOWHERE
            return
        reached = placement.reach.get(there, ())
        resolved.land, resolved.sea = bool(reached), self.sails(placement.kind, placement.place, there)
        if not (resolved.land or resolved.sea):
            resolved.fault = Cause.NOT_ADJACENT
        elif placement.afloat:
            resolved.via = False
            resolved.goal, resolved.fault = self.coast(order.to, reached)
        else:
            resolved.goal = board.location_index[Location(order.to.province)]
            if order.to.coast and self.rules.rulebook.unknown_coast == "void":
                resolved.fault = Cause.WRONG_COAST

    def sails(self, kind: str, here: int, there: int) -> bool:
        """Return whether the shores allow that a unit of this kind is ever convoyed from here to there."""
        return here != there and here in self.ports and there in self.ports and self.board.convoyed(kind)

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

    def _support(self, resolved: ResolvedOrder) -> None:
        self._name_helped(resolved)
        resolved.code = SUPPORT
        resolved.into = resolved.to if resolved.order.to else resolved.of
        resolved.split = resolved.to >= 0 and bool(self.board.provinces[resolved.to].coasts)
        resolved.coast = self._coast_helped(resolved) if resolved.split else NOWHERE
        resolved.seaward = resolved.to >= 0 and self._from_sea(resolved)
        alone = resolved.of in (NOWHERE, resolved.placement.place)
        resolved.fault = Cause.NOBODY if alone else self._help_fault(resolved)

    @staticmethod
    def _help_fault(resolved: ResolvedOrder) -> AnyCause | None:
        """Return why the map forbids a support, regardless of the units; None if it does not."""
        if resolved.to == resolved.of:
            return Cause.CANNOT
        return None if resolved.into in resolved.placement.helps else Cause.OUT_OF_REACH

    def help_within(self, resolved: ResolvedOrder) -> None:
        """Allow a support for the move of another unit in the same province, if several can be there."""
        if resolved.fault is Cause.NOBODY and resolved.to >= 0 and resolved.of == resolved.placement.place:
            placement = resolved.placement
            resolved.fault = self._help_fault(resolved) or self.name_fault(resolved.order, placement.kind, placement.at)

    def _coast_helped(self, resolved: ResolvedOrder) -> int:
        """Return the location on a coast that a support into a split one is for, -1 if any will do (4.B.4)."""
        board, order, answer = self.board, resolved.order, self.rules.rulebook.support_coast
        assert order.to is not None
        coasts, named = board.provinces[resolved.to].coasts, order.to.coast
        if not named and answer == "default":
            named = coasts[-1]
        return (
            board.location_index[Location(order.to.province, named)]
            if named in coasts and answer != "ignored"
            else NOWHERE
        )

    def _from_sea(self, resolved: ResolvedOrder) -> bool:
        """Return whether this could be for an army that lands ("lands", or an army named where only fleets can be)."""
        if resolved.order.doing or resolved.of < 0:
            return resolved.order.doing is not None
        cargo = any(form.cargo == resolved.order.of_kind for form in self.board.forms.values())
        return cargo and self.board.provinces[resolved.of].terrain not in (Terrain.INLAND, Terrain.COAST)

    def _convoy(self, resolved: ResolvedOrder) -> None:
        self._name_helped(resolved)
        resolved.code, resolved.into = CONVOY, resolved.to
        if not resolved.placement.carries:
            resolved.fault = Cause.NOT_AT_SEA
        elif not any(self.sails(kind, resolved.of, resolved.to) for kind in self.kinds):
            resolved.fault = Cause.NO_PASSAGE

    def _name_helped(self, resolved: ResolvedOrder) -> None:
        order, index = resolved.order, self.board.index
        assert order.of is not None
        resolved.of = index.get(order.of.province, NOWHERE)
        resolved.to = index.get(order.to.province, NOWHERE) if order.to else NOWHERE

    def misfit(self, resolved: ResolvedOrder, helped: Placement, power: str, *, foreign: bool) -> AnyCause | None:
        """Return why a support or convoy cannot be meant for the unit `helped` in the place it names; else None."""
        unable: AnyCause | None
        if resolved.code == CONVOY:
            unable = Cause.NO_ARMY if helped.afloat else None
        elif resolved.to < 0:
            unable = None
        elif resolved.to in helped.reach:
            unable = self._coast_unsaid(resolved, helped, foreign=foreign)
        else:
            unable = None if self.sails(helped.kind, resolved.of, resolved.to) else Cause.CANNOT
        return unable or self._wrong_words(resolved.order, helped, power, foreign=foreign)

    def asks_whose(self, resolved: ResolvedOrder) -> bool:
        """Return whether a support or convoy may depend on the power of the unit that it helps."""
        book = self.rules.rulebook
        return bool(resolved.order.of_power) or book.nation_omitted == "void" or book.support_coast == "own_unit_only"

    def _coast_unsaid(self, resolved: ResolvedOrder, helped: Placement, *, foreign: bool) -> AnyCause | None:
        """Return the cause if a support into a split coast must name it and does not, else None (4.B.4)."""
        assert resolved.order.to is not None
        if resolved.order.to.coast or not resolved.split or not helped.afloat:
            return None
        answer = self.rules.rulebook.support_coast
        wanted = answer == "always_required" or (
            len(helped.reach[resolved.to]) > 1 and (answer == "required" or (answer == "own_unit_only" and foreign))
        )
        return Cause.WHICH_COAST if wanted else None

    def _wrong_words(self, order: Order, helped: Placement, power: str, *, foreign: bool) -> AnyCause | None:
        """Return the cause if the words for the unit helped spoil the order, else None.

        (4.B.5, 4.C.1, 4.C.2, 4.C.5, 4.C.6.)
        """
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


def _alone(error: BadOrder) -> BadOrder:
    """Return an error without the frames in which it was raised: they would stay in memory as long as it is kept."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)
