"""What mechanics say in columns: rules that the table and batches carry out alike, and what they keep as numbers.

A rule is a plain function of its module, over the columns of a `Standing`: at the table they are lists made of the
position (`standing`), in batches arrays, for which Numba compiles the same source.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeAlias

from gamesmaster.board import Location, Position, Unit, units_from
from gamesmaster.judge.engine.indexed import IndexedPosition, sorts_of
from gamesmaster.judge.engine.kernel import Column, Rows
from gamesmaster.judge.engine.resolution import NOWHERE, WEIGHT
from gamesmaster.judge.engine.winter import count_centres, ground
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import Mechanic, Season
from gamesmaster.orders import Order, PhaseKind

OWN, VERBS, DRAWN = 9, 24, -1
"""The number of the first verb that mechanics have of their own, and one more than the last may be; the verb where one
of the orders on offer is drawn, of which `goal` is the number, from 0."""

NO_MOVES, NO_STEPS, NO_SUPPORTS, UNHELPED, NO_REMOVAL, FOR_TWO = 1, 2, 4, 8, 16, 32
"""What a unit may not be ordered: to move at all; to move as regular units do; to support.

That it is unhelped says that nobody may be ordered to support its moves; the others, in Winter, that it may not be
removed while somebody is aboard of it, and both only while two removals are owed."""


OPENED = 256
"""What is added to the room of a site that is only open if a mechanic says so, and is."""


class Standing(NamedTuple):
    """A position in columns; powers go by their numbers, 0 is nobody, kinds of unit by theirs in `Board.ways`.

    Of units 1 to `n`, `number` are their own, `at` the provinces, -1 for those aboard of another unit, `sort` the kinds
    and `owner` the powers, `aboard` the numbers of those that carry them, 0 for none, `span` what a mechanic keeps of
    each; `gone` says who is taken off.  Rules may change `sort` and `aboard`: who is aboard lies where its carrier is.
    Of dislodged units 1 to `beaten`, `beaten_at` and so on are the same, `refuge` is the province that one retreats to,
    -1 for none; `closed` is not 0 for provinces that nobody may retreat to.  `holder` owns each province; `centres` is
    how many each power owns, `silent` 1 for those that give no orders any more, `barren` 1 for those that build nothing
    this Winter.  `kept` is what the mechanic keeps, `spare` is scratch, as long, and zeros.  `joins[0]` is how many
    units come onto the board, `joins[1]` the goal of the first, `joins[2]` whose it is, and so on (`join`).

    Of Winters, `fed` is how many units each power can feed beside those of its centres, whoever costs nothing among
    them, and, once one is over, how many it could have fed and did not; `free[power * kinds + kind]` is how many of a
    kind, at bottom, cost nothing, and `room[power * provinces + province]` how many may be built in a site, or, once
    the Winter is over, how many more; it is `OPENED` too where a mechanic opens it.  `stance` is where units stand, as
    a goal, and `far` how far from home, beyond what their places say.

    Before a phase, `barred` says what a unit may not be ordered (`NO_MOVES` and so on), `offers` how many orders of the
    mechanic's own it may be given; `fell` is 1 where a die is thrown for it, and then what fell.  Orders are `verb`,
    `goal` (kind * locations + location, -1 for none), `about`, the row that one is about, and `load`, and what a unit
    does beside is `rider`.  Once it is foreseen what units would do, `act`, `to` and `flags` are the kernel's `kind`,
    `to` and `flags`.

    While units are `moving`, decided but not yet carried out, `came` is 1 for those that came where they were to go,
    `left` for those that have left their place, `victor` the row that dislodged one, and `sort` the kind that a unit
    then is; `result` is what a rule made of an order, in its own numbers.
    """

    n: int
    number: Column
    at: Column
    sort: Column
    owner: Column
    aboard: Column
    span: Column
    gone: Column
    beaten: int
    beaten_at: Column
    beaten_sort: Column
    beaten_owner: Column
    beaten_gone: Column
    refuge: Column
    closed: Column
    holder: Column
    centres: Column
    silent: Column
    barren: Column
    kept: Column
    spare: Column
    joins: Column
    fed: Column
    free: Column
    room: Column
    stance: Column
    far: Column
    barred: Column
    offers: Column
    fell: Column
    verb: Column
    goal: Column
    about: Column
    load: Column
    rider: Column
    result: Column
    moving: bool
    act: Column
    to: Column
    flags: Column
    came: Column
    victor: Column
    left: Column


Rule: TypeAlias = Callable[[Any, Standing], None]
"""What changes a standing, by the parameters of its mechanic."""


NO_THOUGHT, TAKES_IN, RIDES, GOES_ABOARD, SAILS_LADEN, GOES_ASHORE, BUILDS, BREAKS_UP = range(8)
"""What players who think take an order for, if they give it any thought.

A carrier takes in who goes aboard, or sails as if it were laden already; who is aboard, or would be, goes ashore.  A
unit rides in what it takes along, its `load`, which is no fight; it builds such things, in vain if there is a `load`;
and, beside another order, it breaks up its `rider`.
"""


class OwnVerb(NamedTuple):
    """What an order with a verb of a mechanic's own is to the kernel: its row's `kind`, `force` and `flags`.

    `thought` is what players make of it, in batches (`NO_THOUGHT` and so on).
    """

    kind: int
    force: int = WEIGHT
    flags: int = 0
    thought: int = NO_THOUGHT


@dataclass(frozen=True)
class Columns:
    """How a mechanic is carried out in columns.

    Where its powers may build (`sites`) must hang on nothing but a place's owner, the unit there, and what it keeps
    that is `dated`: the same in all games at the same time, as `resume` tells it.  Else it keeps so many numbers,
    `width`, 0 at the start, of which `state` makes what is kept.

    `spans` makes what is kept of units' `span`, by their numbers, of which one mechanic of a variant may make use.

    Its rules are by the hook that calls each at the table, `before_moves` to `after_winter`, and `after_loss` after
    each of another's that takes units off.  But `bars` says which orders units may not be given, and then `offers` how
    many of its own they may, beside others'; `feeds` what powers can feed, `before_winter` which of them are barren,
    how much room there is, and which units stay; and in phases that are `stormy`, `throws` for whom a die of so many
    `sides` is thrown for a `clause`, at the beginning, and `storm` what comes of it; where `due` has parameters for a
    season, a phase `begins` by these.  `verbs` are its own, from `first_verb` on; `choose` makes one of its orders on
    offer of the number drawn, if it is one of its own, and else takes off the number how many it offered itself;
    `thinks` lets those units hold whose order, though with a verb that players think about, is not worth a thought;
    `orders` puts what a unit is told into the judge's words, if it is of its own: by the unit, the verb's number, the
    goal, the load, the rider and what is kept; the regular order of a unit with a rider is left to the judge.  `weak`
    says of which steps a move, or a support, weighs half: by the kind of unit, the kernel's kind of row, and the
    provinces.  `more` is the most units that it brings onto the board beside those that centres feed; `spares` says
    that some cost nothing, `crowds` that it tells of room.  Where it opens sites, `opens` is a power's state in which
    all are open; where it says how far units are from home, `ties` is the order in which those go that are equally far,
    and it may look at what another mechanic keeps, which it `reads`.

    In phases that are `asked` of, powers give it orders of their own: `asks` puts how many there are into what is kept,
    of one matter where each of the `askers` says, with the power's number; `settle` makes of the number of the one that
    is given, 0 for none, what `says` puts into the judge's words, and `carry_out` carries it out.
    Players who think give the first, or, if they are `places`, from 1, as settled, that which is worth most.

    `table` are the parameters of all rules, as a NamedTuple.
    """

    dated: bool = False
    width: int = 0
    state: Callable[[Sequence[int]], object] | None = None
    spans: Callable[[Mapping[int, int]], object] | None = None
    bars: Rule | None = None
    offers: Rule | None = None
    stormy: Callable[[Season], bool] | None = None
    sides: int = 0
    clause: str = ""
    throws: Rule | None = None
    storm: Rule | None = None
    due: Callable[[Season], tuple[Sequence[int], ...] | None] | None = None
    begins: Rule | None = None
    before_moves: Rule | None = None
    adjust_problem: Rule | None = None
    after_moves: Rule | None = None
    after_retreats: Rule | None = None
    after_movement: Rule | None = None
    after_loss: Rule | None = None
    after_count: Rule | None = None
    feeds: Rule | None = None
    before_winter: Rule | None = None
    after_winter: Rule | None = None
    first_verb: int = OWN
    verbs: tuple[OwnVerb, ...] = ()
    choose: Rule | None = None
    thinks: Rule | None = None
    orders: Callable[[Unit, int, Location | None, int, int, Sequence[int]], list[Order]] | None = None
    weak: Callable[[str, int, int, int], bool] | None = None
    more: int = 0
    spares: bool = False
    crowds: bool = False
    opens: Callable[[str], object] | None = None
    ties: Callable[[Sequence[Unit]], Sequence[Unit]] | None = None
    reads: str = ""
    asked: tuple[PhaseKind, ...] = ()
    askers: tuple[tuple[int, int], ...] = ()
    asks: Rule | None = None
    settle: Rule | None = None
    places: bool = False
    says: Callable[[Sequence[int]], Sequence[tuple[str, Order]]] | None = None
    carry_out: Rule | None = None
    table: tuple[Sequence[int], ...] = ()

    @property
    def foreseen(self) -> bool:
        """Do players in batches, who think, know all that may be ordered?

        That is so if it says of a verb of its own what they make of it.
        """
        return not self.offers or any(verb.thought for verb in self.verbs)


HOOKS = tuple(field.name for field in fields(Columns) if field.type == "Rule | None")
"""The names of the hooks at which a mechanic's rules are asked in batches."""


class ColumnMechanic(Mechanic):
    """A mechanic that can be carried out in columns."""

    @abstractmethod
    def columns(self, rules: Rules) -> Columns | str:
        """How it is; or why, with these parameters, it cannot be."""

    def form_at(self, rules: Rules, kind: str, at: Location) -> str:
        """The form, as a kind, that a unit of some kind has when it has come to a place."""
        return kind


BY_ROW = (
    "span", "barred", "offers", "fell", "verb", "goal", "about", "load", "rider", "result", "act", "to", "flags",
    "came", "victor", "left",
)  # fmt: skip
"""The columns of a `Standing` by row that are zeros unless somebody says more."""


def empty_standing(rules: Rules) -> Standing:
    """The columns of an empty position, which nobody may change; `rules.derive(empty_standing)` remembers them."""
    empty = standing(rules, Position())
    fixed: dict[str, Any] = {
        name: tuple(column) for name, column in empty._asdict().items() if isinstance(column, list)
    }
    return empty._replace(**fixed)


def intended_standing(field: IndexedPosition, rows: Rows) -> Standing:
    """The columns of what units would do, whose flags a rule of a mechanic may change; owners are left out."""
    units, idle = field.position.units, [0] * len(field.at)
    return field.rules.derive(empty_standing)._replace(
        n=len(units),
        number=[0, *[unit.number for unit in units]],
        at=[NOWHERE if r in field.carrier else at for r, at in enumerate(field.at)] if field.carrier else field.at,
        sort=field.sorts,
        owner=field.owner,
        aboard=field.aboard,
        barred=idle,
        offers=idle,
        fell=idle,
        goal=idle,
        about=rows.about,
        act=rows.kind,
        to=rows.to,
        flags=rows.flags,
    )


def standing(rules: Rules, position: Position, kept: Column | None = None) -> Standing:
    """The columns of a position, for one rule; it may change them."""
    index, numbers, units, land = rules.board.index, rules.numbers, position.units, rules.derive(ground)
    holder, centres = [0] * len(index), [0] * (1 + len(rules.powers))
    if position.owners:
        for province, power in position.owners.items():
            holder[index[province]] = numbers.get(power, 0)
        count_centres(holder, land.centre, centres)
    beaten, sorts = [dislodged.unit for dislodged in position.dislodged], rules.derive(sorts_of)
    row, line = [0] * (1 + len(units)), [0] * (1 + len(beaten))
    return Standing(
        n=len(units),
        number=[0, *[unit.number for unit in units]],
        aboard=[0, *[unit.aboard for unit in units]],
        at=[0, *[NOWHERE if unit.aboard else index[unit.at.province] for unit in units]],
        sort=[0, *[sorts[unit.kind] for unit in units]],
        owner=[0, *[numbers.get(unit.power, 0) for unit in units]],
        gone=row,
        beaten=len(beaten),
        beaten_at=[0, *[index[unit.at.province] for unit in beaten]],
        beaten_sort=[0, *[sorts[unit.kind] for unit in beaten]],
        beaten_owner=[0, *[numbers.get(unit.power, 0) for unit in beaten]],
        beaten_gone=line,
        refuge=[-1] * len(line),
        closed=[0] * len(index),
        holder=holder,
        centres=centres,
        silent=[0] * len(centres),
        barren=[0] * len(centres),
        kept=[] if kept is None else kept,
        spare=[] if kept is None else [0] * len(kept),
        joins=[0] * (1 + 2 * len(index)),
        fed=[0] * len(centres),
        free=[0] * (len(centres) * len(sorts)),
        room=[1] * (len(centres) * len(index)),
        stance=[0, *[goal_of(rules, unit.kind, unit.at) for unit in units]],
        far=row.copy(),
        **{name: row.copy() for name in BY_ROW},
        moving=False,
    )


def join(now: Standing, goal: int, owner: int) -> None:
    """Let a unit come onto the board, behind all others, with whom it carries; no more than one for each province."""
    coming = now.joins[0]
    now.joins[1 + 2 * coming], now.joins[2 + 2 * coming] = goal, owner
    now.joins[0] = coming + 1


def goal_of(rules: Rules, kind: str, at: Location) -> int:
    """A kind of unit at a location, as a number."""
    return rules.derive(sorts_of)[kind] * len(rules.board.locations) + rules.board.location_index[at]


def with_newcomers(rules: Rules, position: Position, now: Standing, nobody: str = "") -> Position:
    """The position with the units that come onto the board; `nobody` is the name of those whose number is 0."""
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
