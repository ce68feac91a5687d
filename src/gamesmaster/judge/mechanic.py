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
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import Board, Finding, Position, Unit
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.state import Ahead, Entry
from gamesmaster.judge.values import (
    PLAIN,
    AnyCause,
    Aspect,
    Cause,
    Event,
    Mechanic,
    MechanicResult,
    Ruling,
    Season,
    Sites,
    Throw,
    with_state,
)
from gamesmaster.orders import AnyVerb, Order, PhaseKind


class BoardMechanic(Mechanic):
    """What a variant adds to the board and to the start."""

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """What is wrong with its parameters on this board, or may be; `seasons` are those of the calendar.

        That what its parameters name exists (`names`) is seen to when a variant is read.
        """
        return iter(())

    def extend_board(self, board: Board) -> Board:
        """The board with the kinds of unit and the ways of travel that this adds."""
        return board

    def start(self, rules: Rules, position: Position) -> Position:
        """What the start needs beyond units and owners."""
        return position

    def resume(self, rules: Rules, winters: int, position: Position) -> Position:
        """What is to be supposed of its state in a position of which nobody says, so many Winters after the start."""
        return with_state(position, self.id, self.start(rules, position).state.get(self.id))


class YearMechanic(Mechanic):
    """What the phases of a year bring."""

    counts_first: ClassVar[bool] = False
    """Is its `after_count` asked before victory is looked at?"""

    asks: ClassVar[tuple[str, str]] = ("a choice", "choices")
    """What `orders_due` asks for, in words: one, and the noun for several."""

    @property
    def power_verbs(self) -> frozenset[AnyVerb]:
        """The verbs of its own of orders that powers give it outside movement phases."""
        return frozenset(verb for verb in self.verbs if verb.of_power)

    def silent(self, rules: Rules, position: Position) -> Mapping[str, AnyCause]:
        """Powers that give no orders and agree to nothing, and why."""
        return {}

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """What the beginning of a phase brings, played or not (storms).

        It is asked before it is seen whether anybody has anything to do; not of the first phase of a game, whose
        position is the start itself.
        """
        return position, ()

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Powers that are asked for orders of its own in this phase, and how many: then the phase is played."""
        return {}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """The lawful orders of its own that a power may give in this phase."""
        return iter(())

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Carry out the orders of powers whose verb is its own: after the retreats, or before builds and removals.

        `orders` are all, power by power, None for what is not this mechanic's.
        """
        return MechanicResult(position)

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """What becomes of the position that a phase of moves, or one of retreats, has left."""
        return position, ()

    def after_retreats(self, rules: Rules, before: Position, after: Position) -> tuple[Position, tuple[Event, ...]]:
        """What becomes of the position that a phase of retreats has left: cargo follows or is lost."""
        return after, ()

    def after_loss(self, rules: Rules, position: Position, units: Collection[Unit]) -> Position:
        """What becomes of the position that these units, lost and not beaten, have left: what went down with them."""
        return position

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """What the year's count brings, after the owners are settled and victory by numbers has been looked at."""
        return position, ()

    def after_winter(self, rules: Rules, before: Position, position: Position) -> Position:
        """What the end of an adjustment phase brings, played or not; `before` is what it began with."""
        return position


class WinterMechanic(Mechanic):
    """What powers live on, may build and must remove."""

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """How many units a power can feed, given how many it could so far."""
        return regular

    def strength(self, rules: Rules, position: Position, power: str, regular: int | None) -> int | None:
        """How many units a power could feed as reckoned in the Winter just over, given how many so far.

        None if that cannot be said.
        """
        return None if regular is None else self.supply(rules, position, power, regular)

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """What these units of a power cost in supply, given what they would so far."""
        return regular

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Where a power may build, given where it might so far."""
        return regular

    def room(self, rules: Rules, position: Position, power: str, province: str, regular: int) -> int:
        """How many units a power may build in one of its sites this Winter, given how many so far."""
        return regular

    def removal_fault(
        self, rules: Rules, position: Position, units: Sequence[Unit], owed: int, regular: AnyCause | None
    ) -> AnyCause | None:
        """Why these units, or this one of a pair, may not be removed by one order; given why not so far, None if so.

        `owed` is by how much the power's units cost more than it can feed.
        """
        return regular

    def stray_removal(
        self, rules: Rules, position: Position, units: Sequence[Unit], order: Order, regular: AnyCause
    ) -> AnyCause:
        """Why a removal means none of its power's `units` in the place that it names, given why so far."""
        return regular

    def removal_order(self, rules: Rules, position: Position, power: str) -> Sequence[Unit] | None:
        """A power's units in the order in which they go if nobody says; None leaves it to the rulebook (4.D.8)."""
        return None


class Case(NamedTuple):
    """What is known of a ruling when its reason is put into words.

    `ruling` is as the judge has it, its unit as the phase found it; `orders` is what units carry out in a movement
    phase, by their numbers.
    """

    rules: Rules
    position: Position
    kind: PhaseKind
    ruling: Ruling
    orders: Mapping[int, Order] = MappingProxyType({})


class ReportMechanic(Mechanic):
    """What maps show and reports tell."""

    def unit_signs(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Units that maps show with a sign of their own: number to a word of the closed list (`pictures.Sign`)."""
        return {}

    def kind_signs(self) -> Mapping[str, str]:
        """Signs, of the same list, for what it adds, units or things: `{"A/BB": "army-afloat"}`."""
        return {}

    def place_signs(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """What maps show in provinces beside units: words of the same list, one for each thing that lies there."""
        return {}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """What is published of the things it keeps, line by line, `ahead` being the phases from now on."""
        return iter(())

    def ruling_aspect(self, case: Case) -> Aspect:
        """What of the reason for a ruling this knows better than its cause tells; `PLAIN` for nothing."""
        return PLAIN

    def event_aspect(self, board: Board, event: Event, winter: Callable[[int], str]) -> Aspect:
        """The same of an event; `winter` names the first, second ... Winter from the event's phase on.

        The `detail` is put where its sentence has `{detail}`.
        """
        return PLAIN


class ProofMechanic(Mechanic):
    """What tests of a variant ask of the things that it keeps."""

    scenario_words: ClassVar[tuple[str, ...]] = ()
    """The words by which scenarios tell its state."""

    def read_words(self, board: Board, words: Mapping[str, Any], units: Collection[Unit]) -> object:
        """The state that these words tell of, all units being those told of; what is not told is not there."""
        return None

    def random_state(self, board: Board, units: Collection[Unit], chance: Random) -> object:
        """Some state that it may have where these units are."""
        return None

    def phase_faults(
        self, before: Position, after: Position, rulings: Sequence[Ruling], happened: Collection[Event]
    ) -> Iterator[str]:
        """What of its state has come from nowhere, or gone without a word, between two positions of a game."""
        return iter(())


def extend(board: Board, mechanics: Iterable[Mechanic]) -> Board:
    """The board with the kinds of unit and the ways of travel that these mechanics add, one after the other."""
    for mechanic in mechanics:
        if isinstance(mechanic, BoardMechanic):
            board = mechanic.extend_board(board)
    return board


def after_movement(rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
    """What the mechanics make of the position that a phase of moves or retreats has left, and what happened."""
    happened: tuple[Event, ...] = ()
    for after in rules.hooks(YearMechanic.after_movement):
        position, more = after(rules, position)
        happened += more
    return position, happened


def power_mechanics(rules: Rules) -> Iterator[YearMechanic]:
    """The mechanics that powers give orders of their own outside movement phases."""
    return (m for m in rules.mechanics if isinstance(m, YearMechanic) and m.power_verbs)


def lose(rules: Rules, position: Position, units: Collection[Unit]) -> Position:
    """The position without these units, those aboard of them, and what mechanics say goes with them."""
    gone = {unit.number for unit in units}
    left = tuple(u for u in position.units if u.number not in gone and u.aboard not in gone)
    position = replace(position, units=left)
    for after_loss in rules.hooks(YearMechanic.after_loss):
        position = after_loss(rules, position, units)
    return position


def silent_powers(rules: Rules, position: Position, disorder: Iterable[str] = ()) -> dict[str, AnyCause]:
    """All who give no orders, and why: powers in civil disorder, and those that a mechanic silences."""
    causes: dict[str, AnyCause] = dict.fromkeys(disorder, Cause.DISORDER)
    for silent in rules.hooks(YearMechanic.silent):
        causes |= silent(rules, position)
    return causes
