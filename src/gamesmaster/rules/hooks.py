"""The moments at which mechanics are asked: the board, the year, the Winter, and what is shown and told.

Each hook is asked at one named point of the way of the data and changes nothing unless a mechanic overrides it, so that
the regular game is the same sequence of hooks with no mechanic installed.  The hooks of the movement phase are in
`movement.MovementMechanic`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from gamesmaster.board import Board, Finding, Location, Position, Unit
from gamesmaster.orders import AnyVerb, Order, PhaseKind
from gamesmaster.rules.rules import Rules
from gamesmaster.rules.state import Ahead, LedgerEntry
from gamesmaster.rules.values import (
    NO_OVERRIDE,
    AnyCause,
    AnyEvent,
    Cause,
    Event,
    GameEnd,
    Mechanic,
    MechanicResult,
    ReasonOverride,
    Ruling,
    Season,
    Sites,
    Throw,
    with_state,
)


class BoardMechanic(Mechanic):
    """A variant's additions to the board and to the start."""

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield what is or may be wrong with the parameters on this board; `seasons` are those of the calendar.

        The reader of variants has already checked that the names in them (`names`) exist.
        """
        return iter(())

    def extend_board(self, board: Board) -> Board:
        """Return the board with the kinds of unit and the ways of travel that this adds."""
        return board

    def start(self, rules: Rules, position: Position) -> Position:
        """Return the position at the start, with what the mechanic needs beside units and owners."""
        return position

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """Return the position with the state to assume this number of `winters` after the start, if it is not given."""
        return with_state(position, self.id, self.start(rules, position).state.get(self.id))

    def in_season(self, rules: Rules, season: Season, position: Position) -> Position:
        """Return the position with what is kept of the phase that it is in.

        This is called for each phase when it begins, and where a game or a position begins without one before.
        """
        return position


class YearMechanic(Mechanic):
    """A variant's additions to the phases of a year."""

    counts_first: ClassVar[bool] = False
    """True if `after_count` is called before the check for victory."""

    asks: ClassVar[tuple[str, str]] = ("a choice", "choices")
    """The words for what `orders_due` needs: one item with its article, and the noun for several."""

    repeats: ClassVar[bool] = False
    """True if several of the orders that are due may be the same: more bids for one place."""

    @property
    def goal(self) -> str:
        """The end of the game that it brings, in words that follow those of victory; empty for none."""
        return ""

    def goal_provinces(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        """Map powers to the provinces that they own or enter to win: maps show them, and players aim at them."""
        return {}

    @property
    def power_verbs(self) -> frozenset[AnyVerb]:
        """The verbs of its own of orders that powers give it outside movement phases."""
        return frozenset(verb for verb in self.verbs if verb.of_power)

    def silent(self, rules: Rules, position: Position) -> Mapping[str, AnyCause]:
        """Map each power that gives no orders and agrees to nothing to the reason."""
        return {}

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after the beginning of a phase, played or not, and the events (storms).

        This is called before anybody checks whether there is anything to do. It is not called for the first phase of a
        game, whose position is the start itself.
        """
        return position, ()

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Map powers to the number of this mechanic's orders due in this phase. A phase with any is played."""
        return {}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Yield the legal orders of this mechanic's own that a power may give in this phase."""
        return iter(())

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Carry out powers' orders with a verb of this mechanic, after retreats or before builds and removals.

        `orders` has all orders by power, with None for those of others.
        """
        return MechanicResult(position)

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after a phase of moves, or of retreats, and the events."""
        return position, ()

    def after_retreats(self, rules: Rules, before: Position, after: Position) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after a phase of retreats, and the events: cargo follows or is lost."""
        return after, ()

    def yields_retreat(self, rules: Rules, unit: Unit, to: Location) -> AnyCause | None:
        """Return why the retreat of a unit to a place fails alone if one that does not yield leads there too.

        Return None if it does not yield: two such retreats both fail.
        """
        return None

    def after_loss(self, rules: Rules, position: Position, units: Collection[Unit]) -> Position:
        """Return the position after these units were lost without being beaten: what they held is lost with them."""
        return position

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after the year's count, and the events.

        Owners and victory by numbers are settled before the call.
        """
        return position, ()

    def centres_counted(self, rules: Rules, position: Position, regular: Mapping[str, int]) -> Mapping[str, int]:
        """Return the number of centres by which each power wins, given the numbers so far."""
        return regular

    def bars_victory(self, rules: Rules, position: Position, power: str) -> AnyEvent | None:
        """Return the event that a power with the number that wins does not win; None if it does."""
        return None

    def ends_game(self, rules: Rules, before: Position, position: Position) -> tuple[Position, GameEnd | None]:
        """Return the position after the year's count with what is kept of it, and the end of the game, if this is one.

        `before` is the position before the owners were settled.  This is called last at a count, whether or not the
        game has been won by numbers; a victory by numbers goes before this end.
        """
        return position, None

    def points(self, rules: Rules, position: Position) -> Mapping[str, int]:
        """Map powers to the points by which `points` scores a finished game; empty where no points are counted."""
        return {}

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """Return the position after an adjustment phase, played or not; `before` is the position at its beginning."""
        return position


class WinterMechanic(Mechanic):
    """A variant's changes to supply, builds and removals."""

    homes_alone: ClassVar[bool] = False
    """True if powers build in no centre but their homes by this mechanic, so that players value these more."""

    def homes_now(self, rules: Rules, position: Position) -> Mapping[str, str]:
        """Map provinces that are now homes of other powers than on the board to these, "" for nobody's homes."""
        return {}

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Return the number of units that a power can feed, given the number so far."""
        return regular

    def strength(self, rules: Rules, position: Position, power: str, regular: int | None) -> int | None:
        """Return the number of units that a power could feed in the Winter just over, given the number so far.

        Return None if it is unknown.
        """
        return None if regular is None else self.supply(rules, position, power, regular)

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """Return the supply that these units of a power cost, given the cost so far."""
        return regular

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the sites where a power may build, given those so far."""
        return regular

    def room(self, rules: Rules, position: Position, power: str, province: str, regular: int) -> int:
        """Return the number of units that a power may build in one of its sites this Winter, given that so far."""
        return regular

    def removal_fault(
        self, rules: Rules, position: Position, units: Sequence[Unit], owed: int, regular: AnyCause | None
    ) -> AnyCause | None:
        """Return why these units, or this one of a pair, cannot be removed by one order; None if they can.

        `regular` is the reason found so far, and `owed` the amount by which the cost of the power's units exceeds its
        supply.  Where nothing is owed, `regular` is `Cause.NO_REMOVALS`: a mechanic that allows it anyway returns None.
        """
        return regular

    def stray_removal(
        self, rules: Rules, position: Position, units: Sequence[Unit], order: Order, regular: AnyCause
    ) -> AnyCause:
        """Return why a removal matches none of its power's `units` in its place; `regular` is the reason so far."""
        return regular

    def removal_order(self, rules: Rules, position: Position, power: str) -> Sequence[Unit] | None:
        """Return a power's units in the order of removal by default; None leaves it to the rulebook (4.D.8)."""
        return None


class Case(NamedTuple):
    """The data from which the reason for a ruling is put into words."""

    rules: Rules
    position: Position
    kind: PhaseKind
    ruling: Ruling  # the judge's, with the unit as the phase found it
    orders: Mapping[int, Order] = MappingProxyType({})  # by number of a unit: what it carries out in a movement


class ReportMechanic(Mechanic):
    """A mechanic's additions to maps and reports."""

    def unit_signs(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Map the numbers of units with a sign of their own on maps to a word of the closed list (`pictures.Sign`)."""
        return {}

    def kind_signs(self) -> Mapping[str, str]:
        """Map the kinds of unit and the things that it adds to signs of the same list: `{"A/BB": "army-afloat"}`."""
        return {}

    def place_signs(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """Map provinces to the signs that maps show in them beside units.

        Words of the same list, one for each thing there.
        """
        return {}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the ledger's lines about the things that this mechanic keeps; `ahead` are the phases from now on."""
        return iter(())

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return a more precise reason of this mechanic for a ruling; `NO_OVERRIDE` without one."""
        return NO_OVERRIDE

    def event_aspect(self, board: Board, event: Event, winter: Callable[[int], str]) -> ReasonOverride:
        """Return the override of an event's reason; `winter` names the first, second ...

        Winter from the event's phase on.

        The `detail` is put where its sentence has `{detail}`.
        """
        return NO_OVERRIDE


class ProofMechanic(Mechanic):
    """A mechanic's additions to tests of a variant: random states, and checks of states that were played."""

    def random_state(self, board: Board, units: Collection[Unit], chance: Random) -> object:
        """Return a random state of this mechanic that is possible with these units."""
        return None

    def phase_faults(
        self, before: Position, after: Position, rulings: Sequence[Ruling], happened: Collection[Event]
    ) -> Iterator[str]:
        """Yield the parts of its state that appear or vanish without a reason between two positions of a game."""
        return iter(())


def extend(board: Board, mechanics: Iterable[Mechanic]) -> Board:
    """Return the board with the kinds of unit and the ways of travel that these mechanics add, one after the other."""
    for mechanic in mechanics:
        if isinstance(mechanic, BoardMechanic):
            board = mechanic.extend_board(board)
    return board


def in_season(rules: Rules, season: Season, position: Position) -> Position:
    """Return the position with what mechanics keep of the phase that it is in."""
    for settle in rules.hooks(BoardMechanic.in_season):
        position = settle(rules, season, position)
    return position


def goals_of(rules: Rules) -> dict[str, set[str]]:
    """Map each province that somebody must own or enter to win to the powers whose goal it is."""
    found: dict[str, set[str]] = {}
    for goal_provinces in rules.hooks(YearMechanic.goal_provinces):
        for power, provinces in goal_provinces(rules).items():
            for province in provinces:
                found.setdefault(province, set()).add(power)
    return found


def after_movement(rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after the mechanics' part in a phase of moves or retreats, and the events."""
    happened: tuple[Event, ...] = ()
    for after in rules.hooks(YearMechanic.after_movement):
        position, more = after(rules, position)
        happened += more
    return position, happened


def power_mechanics(rules: Rules) -> Iterator[YearMechanic]:
    """Return the mechanics that powers give orders of their own outside movement phases."""
    return (m for m in rules.mechanics if isinstance(m, YearMechanic) and m.power_verbs)


def lose(rules: Rules, position: Position, units: Collection[Unit]) -> Position:
    """Return the position without these units, their cargo, and what the mechanics remove with them."""
    gone = {unit.number for unit in units}
    left = tuple(u for u in position.units if u.number not in gone and u.aboard not in gone)
    position = replace(position, units=left)
    for after_loss in rules.hooks(YearMechanic.after_loss):
        position = after_loss(rules, position, units)
    return position


def silent_powers(rules: Rules, position: Position, disorder: Iterable[str] = ()) -> dict[str, AnyCause]:
    """Map each power that gives no orders to the cause: civil disorder, or a mechanic that silences it."""
    causes: dict[str, AnyCause] = dict.fromkeys(disorder, Cause.DISORDER)
    for silent in rules.hooks(YearMechanic.silent):
        causes |= silent(rules, position)
    return causes
