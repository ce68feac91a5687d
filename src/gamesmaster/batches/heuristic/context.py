"""What a thinking player of a batch works with: a game, and the tables and columns of `engine.heuristic` as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.batches.mechanics import rules_in_batch
from gamesmaster.batches.state import Game, Scratch
from gamesmaster.batches.tables import Tables, verbs_of
from gamesmaster.engine.groups import end_to_end, map_columns
from gamesmaster.engine.heuristic.chart import StateGraph, graphs_of, likelihoods
from gamesmaster.engine.heuristic.memory import Memory, new_memory
from gamesmaster.engine.heuristic.outlook import LEAVE_CHANCE, Chances, Rings
from gamesmaster.engine.heuristic.plan import MOST_ROUNDS, Plan
from gamesmaster.engine.heuristic.survey import outlook_of
from gamesmaster.engine.heuristic.tables import (
    Assessment,
    BoardTables,
    Listing,
    Nodes,
    Survey,
    Tastes,
    board_tables,
    new_assessment,
    new_listing,
    new_plan,
    new_survey,
)
from gamesmaster.errors import GamesmasterError
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamesmaster.batches.state import Line, Sheet
    from gamesmaster.batches.tables import Numbers

    Table = NDArray[np.float64]

RANDOM, HOLDER, MINDED = range(3)
"""The players of a power, by number: from `MINDED` on those with minds, in their order."""

MOST_MINDS = 8
"""The number of minds that fewer are filled up to: machine code is compiled anew for every number."""

CHARTS = 12
"""The number of charts that boards with fewer are filled up to: machine code is compiled anew for every number."""


class RingSources(NamedTuple):
    """The sources of each ring, for machine code (`outlook.sum_up`): `source[at[n] : at[n + 1]]` for ring n."""

    at: Numbers
    source: Numbers


class OwnOrders(NamedTuple):
    """The orders of mechanics that units may be given, of those that are thought about, by row and number."""

    number: Line  # by row: how many there are
    verb: Sheet  # as in `Game`, like the rest
    to: Sheet
    load: Sheet
    rider: Sheet


class Workspace(NamedTuple):
    """The columns that one thread works in, all computed anew for each position."""

    survey: Survey
    assessment: Assessment
    listing: Listing
    plan: Plan  # its outlook is nobody's; outside movements its menu has the options for `pick`
    thought: Numbers  # by verb: what it is taken for (`orders.Phrase.thought`); not changed
    to: Numbers  # by option: the stance that its order names, unless it is a mechanic's
    nth: Numbers  # by row: the number of a unit in the plan, or of what carries it
    mine: Numbers  # by unit of the plan: its row
    turns: Numbers  # the units in the order in which they are considered
    fleets: Numbers  # the waters of a power's own fleets
    kinds: Numbers  # by kind: how many units a power has
    drawn: Sheet  # the orders of a Winter set aside: verb, to, about and load, by number


class Context(NamedTuple):
    """All data for one player's orders."""

    t: Tables
    game: Game
    s: Scratch
    b: BoardTables
    minds: tuple[Tastes, ...]
    memory: Memory
    w: Workspace
    safe: Table  # [power, province]: the probability that a unit survives there
    own: OwnOrders  # the orders on offer by mechanics
    homes: Table  # [power, province]: what becomes the value of new units there; no provinces if nobody names homes


def arrays_of(variant: Variant, rows: int) -> BoardTables:
    """Return the tables of a board for thinking players, as arrays, for always fewer than `rows` units."""
    board, powers = variant.board, tuple(power.name for power in variant.powers)
    tables, charts = board_tables(board, powers), graphs_of(board, powers)
    width = min(max(Counter(tables.targets.place).values(), default=0) if not board.shared else rows, rows) + 2
    chances = Chances([0.0, *(LEAVE_CHANCE for _ in powers), 0.0], width, likelihoods(width))
    nodes = tuple(map(_nodes, charts))
    nodes += nodes[:1] * (CHARTS - len(nodes))
    return map_columns(_array, tables._replace(charts=(), chances=chances))._replace(charts=nodes)


def minds_of(tastes: Sequence[Tastes]) -> tuple[Tastes, ...]:
    """Return tastes as machine code takes them; raises `GamesmasterError` for more than `MOST_MINDS`."""
    if len(tastes) > MOST_MINDS:
        raise GamesmasterError(f"{len(tastes)} minds in a batch, where at most {MOST_MINDS} find room")
    filled = (*tastes, *(Tastes() for _ in range(MOST_MINDS - len(tastes))))
    return tuple(Tastes(**{name: _taste(value) for name, value in each._asdict().items()}) for each in filled)


def _taste(value: float | Sequence[float]) -> Any:
    """Return a taste with the one type that machine code has for it."""
    import numpy as np

    return np.array(value, np.float64) if isinstance(value, Sequence) else float(value)


def _array(column: list[float] | list[int] | bytes | int) -> Any:
    import numpy as np

    if isinstance(column, int):
        return column
    if isinstance(column, bytes):
        return np.frombuffer(column, np.uint8).copy()
    return np.array(column, np.float64 if isinstance(next(iter(column), 0), float) else np.int32)


def _nodes(chart: StateGraph) -> Nodes:
    import numpy as np

    rings = chart.columns
    ways = RingSources(*map(_array, end_to_end(chart.sources)))
    share, faint = np.array(rings.share, np.float64), np.array(rings.faint, np.float64)
    split_at, split = np.array(rings.split_at, np.int32), np.array(rings.split, np.int32)
    owns = np.array(chart.owning, np.float64)
    return Nodes(np.array(chart.used, np.int32), owns, Rings(share, ways, faint, split_at, split))


def new_workspace(variant: Variant, b: BoardTables, rows: int) -> Workspace:
    """Return a workspace for one thread, for boards with fewer than `rows` units."""
    import numpy as np

    def make(length: int, real: bool = False) -> Any:
        return np.zeros(length, np.float64 if real else np.int32)

    assessment = new_assessment(b, max(len(chart.stance) for chart in b.charts), make)
    survey, listing = new_survey(b, rows, make), new_listing(b, rows, assessment.value, make)
    return Workspace(
        survey,
        assessment,
        listing,
        plan=new_plan(b, rows, outlook_of(b, survey, assessment, 0), make),
        thought=np.array([verb.thought for verb in verbs_of(rules_in_batch(variant))], np.int32),
        to=make(len(listing.order)),
        nth=make(rows + 1),
        mine=make(rows + 1),
        turns=make(rows + 1),
        fleets=make(len(b.provinces.box)),
        kinds=make(len(b.kinds.cargo)),
        drawn=np.zeros((4, rows + 1), np.int16),
    )


def memories(variant: Variant, games: int) -> Memory:
    """Return the memory of games at their start, each column with an axis of games before its own."""
    import numpy as np

    def make(length: int, real: bool) -> Any:
        return np.zeros((games, length), np.float64 if real else np.int16)

    return new_memory(len(variant.board.provinces), len(variant.powers) + 1, make)


def memory_at(memory: Memory, i: int) -> Memory:
    """Return the memory of the game at this place, of that of many."""
    return Memory(
        memory.unit[i], memory.goal[i], memory.tries[i], memory.tenant[i], memory.sizes[i], memory.growth[i],
        memory.grudge[i],
    )  # fmt: skip


def count_draws(t: Tables, rows: int) -> int:
    """Return the most random draws that one player makes in one phase."""
    return len(t.stances.place) + len(t.lands.port) + (MOST_ROUNDS + 1) * rows
