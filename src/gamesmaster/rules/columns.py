"""The columns of mechanics: rules that the table and batches carry out alike, and the numbers that mechanics keep.

A rule is a plain function of its module, over the columns of a `Standing`. At the table these are lists made of the
position (`standing`); in batches they are arrays, for which Numba compiles the same source.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, TypeAlias

from gamesmaster.board import Location, Position, Unit, units_from
from gamesmaster.engine import NOWHERE, Column
from gamesmaster.engine.groups import map_columns
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.engine.winter import count_centres
from gamesmaster.orders import NO_THOUGHT, Order, PhaseKind
from gamesmaster.rules.rules import Rules
from gamesmaster.rules.tables import board_graph, sorts_of
from gamesmaster.rules.values import Mechanic, Season

OWN = 9
"""The number of the first verb that mechanics have of their own."""
VERBS = 24
"""One more than the number of their last verb may be."""
DRAWN = -1
"""The verb where one of the orders on offer is drawn; `goal` is its number, from 0."""

NO_MOVES = 1
"""Bit of `OrderColumns.barred`: no move at all."""
NO_STEPS = 2
"""Bit of `OrderColumns.barred`: no move as regular units make them."""
NO_SUPPORTS = 4
"""Bit of `OrderColumns.barred`: no support."""
NO_REMOVAL = 16
"""Bit of `OrderColumns.barred` in Winter: the unit may not be removed while it carries another one."""
FOR_TWO = 32
"""Bit of `OrderColumns.barred` in Winter: the two may be removed together only while two removals are owed."""

OPENED = 256
"""Added to the room of a site that is open only because a mechanic opens it."""


class UnitColumns(NamedTuple):
    """Units, by row from 1; rules may change `sort` and `aboard`: a unit put aboard is where its carrier is."""

    number: Column  # the unit's number for life
    at: Column  # its province, -1 aboard another unit
    sort: Column  # its kind, by the number in `Board.ways`
    owner: Column  # its power's number, 0 for nobody
    aboard: Column  # the number of the unit that carries it, 0 for none
    span: Column  # what the mechanic keeps of it
    gone: Column  # 1 for a unit taken off
    stance: Column  # where it stands, as a goal: kind * locations + location
    far: Column  # in Winter: its distance from home, beyond what its place implies


class BeatenColumns(NamedTuple):
    """Dislodged units, by row from 1 to `n`."""

    n: int
    at: Column  # as in `UnitColumns`
    sort: Column
    owner: Column
    gone: Column
    refuge: Column  # the province that it retreats to, -1 for none


class LandColumns(NamedTuple):
    """Provinces, by number."""

    holder: Column  # the power that owns it, 0 for nobody
    closed: Column  # not 0 if it is closed to retreats
    room: Column  # [power * provinces + province]: units that may be built there, plus `OPENED` if a mechanic opens it


class PowerColumns(NamedTuple):
    """Powers, by number from 1."""

    centres: Column  # the number of centres that it owns
    silent: Column  # 1 if it no longer gives orders
    barren: Column  # 1 if it builds nothing this Winter
    fed: Column  # units that it can feed beyond its centres; after the Winter, those it could have fed and did not
    free: Column  # [power * kinds + kind]: units of a basic kind that cost nothing


class OrderColumns(NamedTuple):
    """The orders of units, by row; before a phase what they may be ordered."""

    barred: Column  # the bits of what the unit may not be ordered (`NO_MOVES` and so on)
    offers: Column  # the number of the mechanic's own orders that it may be given
    fell: Column  # 1 if a die is thrown for it, and then the number thrown
    verb: Column  # the order: its verb,
    goal: Column  # kind * locations + location, -1 for none,
    about: Column  # the row that it names,
    load: Column  # what goes along,
    rider: Column  # and what the unit does beside it
    result: Column  # a rule's result of the order, in its own numbers


class MoveColumns(NamedTuple):
    """A movement phase, by row: orders once they are resolved, and, while `moving`, what came of them."""

    moving: bool  # the moves are decided, and not yet carried out; `UnitColumns.sort` is what a unit then is
    act: Column  # the kernel's `kind`
    to: Column  # the kernel's `to`
    flags: Column  # the kernel's `flags`
    came: Column  # 1 if its move succeeds
    victor: Column  # the row that dislodged it
    left: Column  # 1 if it has left its place


class Standing(NamedTuple):
    """A position in columns; there are `n` units."""

    n: int
    kept: Column  # what the mechanic keeps
    spare: Column  # scratch of the same length, all zeros
    joins: Column  # the number of units that come onto the board, then the goal and the power of each (`join`)
    units: UnitColumns
    beaten: BeatenColumns
    lands: LandColumns
    powers: PowerColumns
    orders: OrderColumns
    moves: MoveColumns


Rule: TypeAlias = Callable[[Any, Standing], None]
"""A function that changes a standing, given the parameters of its mechanic."""


class OwnVerb(NamedTuple):
    """The kernel's view of an order with a mechanic's own verb."""

    kind: int  # of its row
    force: int = WEIGHT  # likewise
    flags: int = 0  # likewise
    thought: int = NO_THOUGHT  # what players take it for (`orders.Phrase.thought`)


@dataclass(frozen=True)
class Columns:
    """The columns of a mechanic, and the rules over them.

    A rule is named for the hook that calls it at the table. The sites of the mechanic's powers (`sites`) may depend
    only on a place's owner, the unit there, and a state that is `dated`. Any other state is kept as `width` numbers.
    Only one mechanic of a variant may use `spans`.
    """

    # what is kept
    dated: bool = False  # its state is the same in all games at the same time, as `resume` returns it
    width: int = 0  # the number of numbers that it keeps of a game, 0 at the start
    state: Callable[[Sequence[int]], object] | None = None  # the mechanic's state, of these numbers
    spans: Callable[[Mapping[int, int]], object] | None = None  # the same of units' `span`
    reads: str = ""  # the mechanic whose numbers it reads instead of its own
    table: tuple[Any, ...] = ()  # the parameters of all rules, a NamedTuple of columns or of groups of columns

    # before a phase
    bars: Rule | None = None  # sets what units may not be ordered
    offers: Rule | None = None  # then sets the number of the mechanic's own orders
    stormy: Callable[[Season], bool] | None = None  # whether dice are thrown at the beginning
    sides: int = 0  # of a die
    clause: str = ""  # for which it is thrown
    throws: Rule | None = None  # marks for whom a die is thrown
    storm: Rule | None = None  # applies the result
    due: Callable[[Season], tuple[Sequence[int], ...] | None] | None = None  # parameters of a phase that it begins
    begins: Rule | None = None  # begins a phase, with the parameters of `due`

    # in and after a phase
    before_moves: Rule | None = None
    adjust_problem: Rule | None = None
    after_moves: Rule | None = None
    after_retreats: Rule | None = None
    after_movement: Rule | None = None
    after_loss: Rule | None = None  # follows each rule of another mechanic that takes units off
    after_count: Rule | None = None

    # in Winter
    feeds: Rule | None = None  # sets what powers can feed
    before_winter: Rule | None = None  # sets who is barren, how much room there is, and which units stay
    after_winter: Rule | None = None
    more: int = 0  # the most units that it brings onto the board beyond those that centres feed
    spares: bool = False  # some units cost nothing
    crowds: bool = False  # it sets room
    opens: Callable[[str], object] | None = None  # a power's state in which all sites are open that it opens
    ties: Callable[[Sequence[Unit]], Sequence[Unit]] | None = None  # the order in which units equally far are removed

    # orders to units
    first_verb: int = OWN  # the number of the first of `verbs`
    verbs: tuple[OwnVerb, ...] = ()
    choose: Rule | None = None  # turns the number drawn into an order on offer, or subtracts the number that it offered
    thinks: Rule | None = None  # makes units hold whose order with a thought about verb is worthless
    # the judge's orders of a row, by the unit, the verb's number, the goal, the load, the rider and `kept`; the regular
    # order of a unit with a rider is left to the judge
    orders: Callable[[Unit, int, Location | None, int, int, Sequence[int]], list[Order]] | None = None
    weak: Callable[[str, int, int, int], bool] | None = None  # (kind, row's kind, from, to): whether it counts half
    weights: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # by kind: of attack, of help

    # orders of powers
    asked: tuple[PhaseKind, ...] = ()  # kinds of phase in which powers give it orders of their own
    askers: tuple[tuple[int, int], ...] = ()  # for each pending question its index in `kept`, and the power's number
    asks: Rule | None = None  # writes the number of choices for each question into `kept`
    settle: Rule | None = None  # stores the chosen option, 0 for none
    places: bool = False  # the options are provinces, from 1: thinking players name the most valuable, else the first
    says: Callable[[Sequence[int]], Sequence[tuple[str, Order]]] | None = None  # the options as orders
    carry_out: Rule | None = None  # carries them out

    @property
    def foreseen(self) -> bool:
        """Return whether thinking players in batches understand all orders of this mechanic.

        They do if it offers no orders, or if one of its verbs has a `thought`.
        """
        return not self.offers or any(verb.thought for verb in self.verbs)


HOOKS = tuple(field.name for field in fields(Columns) if field.type == "Rule | None")
"""The names of the hooks at which a mechanic's rules are asked in batches."""


class ColumnMechanic(Mechanic):
    """A mechanic that can be carried out in columns."""

    @abstractmethod
    def columns(self, rules: Rules) -> Columns | str:
        """Return the columns of this mechanic, or the reason why its parameters cannot be put into columns."""

    def form_at(self, rules: Rules, kind: str, at: Location) -> str:
        """Return the form, as a kind, that a unit of some kind has when it has come to a place."""
        return kind


def empty_standing(rules: Rules) -> Standing:
    """Return the columns of an empty position, which nobody may change.

    `rules.derive(empty_standing)` remembers them.
    """
    return map_columns(lambda each: tuple(each) if isinstance(each, list) else each, standing(rules, Position()))


def standing(rules: Rules, position: Position, kept: Column | None = None) -> Standing:
    """Return the columns of a position, for one rule; it may change them."""
    index, numbers, units, land = rules.board.index, rules.numbers, position.units, rules.derive(board_graph)
    holder, centres = [0] * len(index), [0] * (1 + len(rules.powers))
    if position.owners:
        for province, power in position.owners.items():
            holder[index[province]] = numbers.get(power, 0)
        count_centres(holder, land.centre, centres)
    beaten, sorts = [dislodged.unit for dislodged in position.dislodged], rules.derive(sorts_of)
    row, line, where = [0] * (1 + len(units)), [0] * (1 + len(beaten)), rules.board.location_index
    return Standing(
        n=len(units),
        kept=[] if kept is None else kept,
        spare=[] if kept is None else [0] * len(kept),
        joins=[0] * (1 + 2 * len(index)),
        units=UnitColumns(
            number=[0, *[unit.number for unit in units]],
            at=[0, *[NOWHERE if unit.aboard else index[unit.at.province] for unit in units]],
            sort=[0, *[sorts[unit.kind] for unit in units]],
            owner=[0, *[numbers.get(unit.power, 0) for unit in units]],
            aboard=[0, *[unit.aboard for unit in units]],
            span=row.copy(),
            gone=row,
            stance=[0, *[sorts[unit.kind] * len(where) + where[unit.at] for unit in units]],
            far=row.copy(),
        ),
        beaten=BeatenColumns(
            n=len(beaten),
            at=[0, *[index[unit.at.province] for unit in beaten]],
            sort=[0, *[sorts[unit.kind] for unit in beaten]],
            owner=[0, *[numbers.get(unit.power, 0) for unit in beaten]],
            gone=line,
            refuge=[-1] * len(line),
        ),
        lands=LandColumns(holder, [0] * len(index), [1] * (len(centres) * len(index))),
        powers=PowerColumns(
            centres,
            silent=[0] * len(centres),
            barren=[0] * len(centres),
            fed=[0] * len(centres),
            free=[0] * (len(centres) * len(sorts)),
        ),
        orders=OrderColumns(*[row.copy() for _ in OrderColumns._fields]),
        moves=MoveColumns(moving=False, **{name: row.copy() for name in MoveColumns._fields[1:]}),
    )


def join(now: Standing, goal: int, owner: int) -> None:
    """Add a unit that comes onto the board to `joins`, after the others and with its cargo.

    The caller adds at most one per province.
    """
    coming = now.joins[0]
    now.joins[1 + 2 * coming], now.joins[2 + 2 * coming] = goal, owner
    now.joins[0] = coming + 1


def with_newcomers(rules: Rules, position: Position, now: Standing, nobody: str = "") -> Position:
    """Return the position with the units that come onto the board; power 0 is called `nobody`."""
    if not now.joins[0]:
        return position
    kinds, places, units = tuple(rules.board.ways), rules.board.locations, list(position.units)
    for n in range(now.joins[0]):
        goal, owner = now.joins[1 + 2 * n], now.joins[2 + 2 * n]
        kind, at = kinds[goal // len(places)], places[goal % len(places)]
        power = rules.powers[owner - 1] if owner else nobody
        number = 1 + max((unit.number for unit in (*units, *(d.unit for d in position.dislodged))), default=0)
        units += units_from({power: [f"{kind} {at}"]}, number, rules.board.forms)
    return replace(position, units=tuple(units))
