"""The heuristic player's precomputed tables and scratch arrays in batches.

`engine.heuristic.chart` computes the tables; here they are only laid out for machine code.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.batches.mechanics import rules_in_batch
from gamesmaster.batches.state import Game, Scratch
from gamesmaster.batches.tables import Tables, verbs_of
from gamesmaster.engine.heuristic.chart import Chart, chart_of, likelihoods, starts, targets
from gamesmaster.engine.heuristic.menu import MOST_MOVES, Menu
from gamesmaster.engine.heuristic.outlook import LEAVES, Outlook, Rings
from gamesmaster.engine.heuristic.plan import MOST_ROUNDS, REALS, Plan, lengths
from gamesmaster.judge.columns import BUILDS, NO_THOUGHT
from gamesmaster.players import Heuristic
from gamesmaster.players.valuation import form_afloat, form_laden
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamesmaster.batches.state import Line, Sheet
    from gamesmaster.batches.tables import Flags, Numbers

    Reals = NDArray[np.float64]
    Table = NDArray[np.float64]

RANDOM, HOLDER, HEURISTIC = range(3)
"""The players of a power, by number; `SEATS` are their names."""

SEATS = ("random", "holder", "heuristic")

TAKING, LEADER, KEEPING, WHIM = range(4)
"""Indices into `Lore.tastes`."""


class Ways(NamedTuple):
    """The sources of each ring, for machine code (`outlook.sum_up`): `source[at[n] : at[n + 1]]` for ring n."""

    at: Numbers
    source: Numbers


class Nodes(NamedTuple):
    """The possible states of units on a board: the stances that anything leads from (`chart.Chart`).

    `owns` is 1 where the place itself counts; `rings` are those around.
    """

    stance: Numbers
    owns: Reals
    rings: Rings


class Lore(NamedTuple):
    """A board as precomputed tables of the heuristic player.

    `charts[chart[power]]` is a power's; all share one where the board is open to all alike.  `weights[1]` are the
    rings' in the last movement before a count, `weights[0]` in others.  `box`, `leaves`, `fewer` and its `width` (one
    number) are the outlook's.

    By stance: `state` is the same place for the unit's basic kind; `foe[foe_at[n] : foe_at[n + 1]]` are the states
    where it could attack, of any power, and `foes` likewise the provinces, each once; `lies` is 1 if a carrier may be
    there loaded. By verb: `thought` is how an order is understood (`judge.columns`). By kind: `afloat` is its form in a
    vessel, `laden` the kind that carries it, or itself.
    """

    charts: tuple[Nodes, ...]
    chart: Numbers
    weights: Table
    tastes: Reals
    box: Flags
    leaves: Reals
    fewer: Reals
    width: Numbers
    state: Numbers
    foe_at: Numbers
    foe: Numbers
    foes_at: Numbers
    foes: Numbers
    lies: Flags
    thought: Numbers
    afloat: Numbers
    laden: Numbers


class Own(NamedTuple):
    """The orders of mechanics that units may be given, of those that are thought about.

    By row `number` is how many there are; by row and number `verb`, `to`, `load` and `rider` are as in `Game`.
    """

    number: Line
    verb: Sheet
    to: Sheet
    load: Sheet
    rider: Sheet


class Mind(NamedTuple):
    """The scratch arrays of one player for one position, all computed anew each time.

    By province: its own `worth`; `calm`, `standing`, `strength` and `strongest` as in `Outlook`; `leader`, `most` and
    `second` as in `outlook.rank`. `numbers`, `ring`, `share` and `total` are for the rings; `value` is their sum, by
    stance; `guesses` are draws. By row: `begins` and `ends`, the range of its stance's attacks; `owners` and `states`,
    as `outlook.expect` takes them; `nth`, the unit's number in the plan, whose units have the rows `mine`. By option:
    `to` and `about` are those of its order; `order` is one more than the number of the mechanic's order that it is, 0
    for other options. `picked` are options; `sorts` has the begin and end of each sort of a unit's options
    (`first_of`). `turns` are units in the order in which they are considered, `tried` options. `fleets` are the waters
    of a power's own fleets, `ferry` is the unit that carries others there, by province; `waters` are those that may
    carry a voyage, `chain` the indices of those that do. `came` is for searches, `drawn` are orders set aside, `kinds`
    counts units of each kind. The outlook of the `plan` is nobody's; outside movements its menu has the options for
    `engine.heuristic.pick`.
    """

    worth: Reals
    calm: Reals
    guesses: Reals
    numbers: Reals
    ring: Reals
    share: Reals
    total: Reals
    value: Reals
    strongest: Line
    standing: Line
    leader: Line
    most: Line
    second: Line
    came: Line
    calm_at: Line
    fleets: Line
    ferry: Line
    waters: Line
    chain: Line
    kinds: Line
    begins: Numbers
    ends: Numbers
    owners: Numbers
    states: Numbers
    order: Numbers
    to: Numbers
    about: Numbers
    picked: Numbers
    sorts: Numbers
    nth: Numbers
    mine: Numbers
    turns: Numbers
    tried: Numbers
    strength: Line
    drawn: Sheet
    plan: Plan


class Desk(NamedTuple):
    """All data for one player's orders; `safe[power, province]` is the probability that a unit survives there.

    `own` are the orders on offer by mechanics. In Winters `homes[power, province]` becomes the value of a province to
    units that the power builds there; without a heuristic player that names homes it has no provinces.
    """

    t: Tables
    game: Game
    s: Scratch
    lore: Lore
    mind: Mind
    safe: Table
    own: Own
    homes: Table


def lore_of(variant: Variant, t: Tables, player: Heuristic, rows: int) -> Lore:
    """Return the tables of a board for this player with its tastes, for always fewer than `rows` units."""
    import numpy as np

    tastes, board, first = player.tastes, variant.board, len(variant.board.locations)
    kinds, rules = list(board.ways), rules_in_batch(variant)
    base = [kinds.index(board.base(kind)) * first for kind in kinds]
    stances = [(number, kind, at) for number, kind in enumerate(kinds) for at in board.locations]
    foe = [
        [base[number] + end for end in targets(board, kind, board.location_index[at])] for number, kind, at in stances
    ]
    foes = [sorted({board.place[end % first] for end in ends}) for ends in foe]
    width = min(max(np.bincount([*chain(*foes)], minlength=1).tolist()) if not board.shared else rows, rows) + 2
    own = [chart_of(board, power.name) for power in variant.powers]
    charts = list(dict.fromkeys(own))
    return Lore(
        charts=tuple(map(_nodes, charts)),
        chart=np.array([0, *map(charts.index, own)], np.int32),
        weights=np.array([tastes.later, tastes.now], np.float64),
        tastes=np.array([tastes.taking, tastes.leader, tastes.keeping, player.whim], np.float64),
        box=np.array([place in board.boxes for place in range(len(board.provinces))], np.uint8),
        leaves=np.array([0.0, *(LEAVES for _ in variant.powers), 0.0], np.float64),
        fewer=np.array(likelihoods(width), np.float64),
        width=np.array([width], np.int32),
        state=np.array([base[number] + board.location_index[at] for number, _, at in stances], np.int32),
        foe_at=np.array(starts(foe), np.int32),
        foe=np.array([*chain(*foe)], np.int32),
        foes_at=np.array(starts(foes), np.int32),
        foes=np.array([*chain(*foes)], np.int32),
        lies=np.array([board.can_stand(kind, at) for _, kind, at in stances], np.uint8),
        thought=np.array([verb.thought for verb in verbs_of(rules)], np.int32),
        afloat=np.array([kinds.index(form_afloat(board, kind)) for kind in kinds], np.int32),
        laden=np.array([kinds.index(form_laden(board, kind)) for kind in kinds], np.int32),
    )


def _nodes(chart: Chart) -> Nodes:
    import numpy as np

    rings = chart.columns
    ways = Ways(np.array(starts(chart.sources), np.int32), np.array([*chain(*chart.sources)], np.int32))
    share, faint = np.array(rings.share, np.float64), np.array(rings.faint, np.float64)
    split_at, split = np.array(rings.split_at, np.int32), np.array(rings.split, np.int32)
    owns = np.array(chart.owning, np.float64)
    return Nodes(np.array(chart.used, np.int32), owns, Rings(share, ways, faint, split_at, split))


def mind_of(t: Tables, lore: Lore, rows: int) -> Mind:
    """Return scratch arrays for one thread, for boards with fewer than `rows` units."""
    import numpy as np

    size, stances, nodes = len(t.port), len(t.place), max(len(chart.stance) for chart in lore.charts)
    plan_size = rows * (2 * MOST_TRIED + size)
    shapes: dict[str, int | tuple[int, ...]] = {
        **dict.fromkeys(("worth", "calm", "strongest", "standing", "leader", "most", "second", "calm_at"), size),
        **dict.fromkeys(("fleets", "ferry", "waters", "chain"), size),
        "came": size + 1,
        **dict.fromkeys(("ring", "share", "total"), nodes),
        "numbers": max(len(c.stance) * (1 + len(c.rings.faint)) + len(c.rings.split_at) for c in lore.charts),
        "guesses": max(nodes, size),
        "value": stances,
        "strength": size * len(lore.leaves),
        "drawn": (4, rows + 1),
        "kinds": 1 + int(max(t.sort)),
        "tried": MOST_TRIED * rows + stances,
        **dict.fromkeys(("order", "to", "about"), plan_size),
        "picked": MOST_MOVES,
        "sorts": 2 * SORTS * rows,
    }
    reals = {"worth", "calm", "guesses", "numbers", "ring", "share", "total", "value"}
    wide = {"begins", "ends", "owners", "states", "order", "to", "about", "picked", "sorts", "nth", "mine"}
    wide |= {"turns", "tried"}
    columns: dict[str, Any] = {
        name: np.zeros(
            shapes.get(name, rows + 1), np.float64 if name in reals else np.int32 if name in wide else np.int16
        )
        for name in Mind._fields
        if name != "plan"
    }
    look = Outlook(
        0, len(lore.leaves), lore.width[0], lore.box, columns["standing"], columns["strength"], lore.leaves,
        columns["strongest"], columns["calm"], lore.fewer,
    )  # fmt: skip
    return Mind(**columns, plan=_plan(look, size, rows, plan_size, aims=stances // len(t.empty) + 2))


HELPS, SORTS = NO_THOUGHT, BUILDS
"""Sorts of a unit's options, and how many there are: what orders of mechanics are taken for, and 0, supports.

From `RIDES` on, where the moves of the regular rules are, too, they are moves, and the best of each sort are tried.
"""


def first_of(n: int, sort: int) -> int:
    """Return the index in `Mind.sorts` of the begin of a unit's options of this sort; the end is next to it."""
    return 2 * (n * SORTS + sort)


MOST_TRIED = 64
"""Options that a unit has room for on the average, beside one on each shore; and as many again for fleets' convoys.

No board of ours comes near; what finds no room is not thought of.
"""


def _plan(look: Outlook, size: int, rows: int, options: int, aims: int) -> Plan:
    """Return an empty plan with this number of options, on a board of `size` provinces."""
    import numpy as np

    ways = rows * (2 * MOST_MOVES * rows + MOST_TRIED)
    sizes = lengths(size, rows, aims, options, MOST_TRIED * rows, ways)
    columns = {name: np.zeros(length, np.float64 if name in REALS else np.int32) for name, length in sizes.items()}
    menu = Menu(aims, *(columns[name] for name in Menu._fields[1:]))
    return Plan(menu, look, rows + 2, *(columns[name] for name in Plan._fields[3:]))


def whims_of(t: Tables, rows: int) -> int:
    """Return the most draws of chance that one player makes in one phase."""
    return len(t.place) + len(t.port) + MOST_ROUNDS * rows
