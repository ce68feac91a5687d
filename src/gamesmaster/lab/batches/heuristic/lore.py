"""What the heuristic player knows in batches: its board and tastes as flat tables, and the room that it thinks in.

`players.chart` and `players.survey` work these out; they are only written down here as machine code takes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gamesmaster.lab.batches.state import Game, Scratch
from gamesmaster.lab.batches.tables import Tables
from gamesmaster.players import Heuristic
from gamesmaster.players.options import MOST_MOVES
from gamesmaster.players.outlook import LEAVES, Outlook
from gamesmaster.players.plan import MOST_ROUNDS
from gamesmaster.players.survey import chart_of, likelihoods, starts
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamesmaster.lab.batches.state import Line, Sheet
    from gamesmaster.lab.batches.tables import Flags, Numbers

    Reals = NDArray[np.float64]
    Table = NDArray[np.float64]

RANDOM, HOLDER, HEURISTIC = range(3)
"""Who plays a power, by number; `SEATS` are their names."""

SEATS = ("random", "holder", "heuristic")

TAKING, LEADER, KEEPING, WHIM = range(4)
"""What `Lore.tastes` holds."""

VERB, TO, ABOUT, WITH = range(4)
"""The rows of `Mind.ways`."""

ROW, WAS_VERB, WAS_TO, WAS_ABOUT, WAS_VOYAGE, NEW_VERB, NEW_TO, NEW_ABOUT, NEW_VOYAGE, CHANGES = range(10)
"""The rows of `Mind.trial`."""

WAYS, VOYAGES, UNDER_WAY, MINE = range(4)
"""What `Mind.counts` holds: how many ways and voyages are listed, voyages under way, and units."""


class Ways(NamedTuple):
    """What each ring is summed up from, in machine code (`outlook.sum_up`): `source[at[n] : at[n + 1]]` for ring n."""

    at: Numbers
    source: Numbers


class Lore(NamedTuple):
    """A board as the heuristic player sees it.

    A node is a stance that anything leads from: `stance`, with the `share` of its ring, `owns` 1 where the place itself
    counts; `way_at` and `way` are the `Ways` that its ring is summed up from, `faint`, `split_at` and `split` more of
    `outlook.sum_rings`.  `weights[1]` are the rings' in the last movement before a count, `weights[0]` in others.
    `box`, `leaves`, `fewer` and its `width` (one number) are the outlook's.  `kind` is each stance's kind of unit, by
    number.
    """

    stance: Numbers
    share: Reals
    owns: Reals
    way_at: Numbers
    way: Numbers
    split_at: Numbers
    split: Numbers
    faint: Reals
    weights: Table
    tastes: Reals
    box: Flags
    leaves: Reals
    fewer: Reals
    width: Numbers
    kind: Numbers


class Mind(NamedTuple):
    """What one player thinks of one position; all of it is worked out anew each time.

    By province: its own `worth`, `calm`, `standing`, `strength` and `strongest` as the `Outlook` has them, `leader`,
    `most` and `second` as `outlook.rank` does; `own` (the row of the unit there), `first` of the units bound there,
    which `after`, by row, goes on with.  `numbers`, `ring` and `total` are for the rings; `value` is what they come to,
    by stance; `guesses` are draws.  By row: `begins` and `ends`, where its stance's reach does so; `here` is what its
    place is worth to a unit, `stays` how likely it is kept without help, `expected` what it may expect of the plan,
    `voyage` the voyage that it is on, 0 for none; `helped[row, goal + 1]` how many supports it has.

    The plan itself stands in the game's columns of orders.  `ways` from `way_at[row]` to `way_end[row]` are what a unit
    might do: a supporter goes `WITH` a move, a voyage with a convoyed one.  Voyage v needs the fleets of the rows
    `chain[chain_at[v]:chain_at[v + 1]]`.  `trial` are changes that are tried; `mine` are the
    power's rows, `turns` the same in the order in which they are thought about, `content` those that nothing better was
    found for.  `mark`, `queue`, `came` and `behind` are for searches, `drawn` orders put aside.
    """

    worth: Reals
    calm: Reals
    guesses: Reals
    numbers: Reals
    ring: Reals
    total: Reals
    value: Reals
    here: Reals
    stays: Reals
    expected: Reals
    strongest: Line
    standing: Line
    leader: Line
    most: Line
    second: Line
    own: Line
    first: Line
    came: Line
    behind: Line
    calm_at: Line
    after: Line
    voyage: Line
    mine: Line
    turns: Line
    content: Line
    mark: Line
    queue: Line
    begins: Numbers
    ends: Numbers
    way_at: Numbers
    way_end: Numbers
    strength: Line
    helped: Sheet
    trial: Sheet
    drawn: Sheet
    ways: Sheet
    chain_at: Numbers
    chain: Line
    counts: Numbers


class Desk(NamedTuple):
    """All that one player has before it."""

    t: Tables
    game: Game
    s: Scratch
    lore: Lore
    mind: Mind


class Plan(NamedTuple):
    """What of all that a plan is weighed by: columns of the desk, few enough to be handed from function to function."""

    look: Outlook
    place: Numbers
    verb: Line
    to: Line
    about: Line
    stance: Line
    owner: Line
    value: Reals
    here: Reals
    stays: Reals
    expected: Reals
    own: Line
    first: Line
    after: Line
    behind: Line
    voyage: Line
    mine: Line
    mark: Line
    queue: Line
    helped: Sheet
    trial: Sheet
    chain_at: Numbers
    chain: Line
    counts: Numbers


def lore_of(variant: Variant, t: Tables, player: Heuristic) -> Lore:
    """The tables of a board without special rules, for this player with its tastes."""
    import numpy as np

    tastes = player.tastes
    chart = chart_of(variant.board, "")
    used = chart.used
    width = int(max(np.bincount(t.helps, minlength=1))) + 2
    return Lore(
        stance=np.array(used, np.int32),
        share=np.array(chart.shares, np.float64),
        owns=np.array(chart.owning, np.float64),
        way_at=np.array(starts(chart.sources), np.int32),
        way=_joined(chart.sources),
        split_at=np.array(chart.split_at, np.int32),
        split=np.array(chart.split, np.int32),
        faint=np.array(chart.faint, np.float64),
        weights=np.array([tastes.later, tastes.now], np.float64),
        tastes=np.array([tastes.taking, tastes.leader, tastes.keeping, player.whim], np.float64),
        box=np.zeros(len(t.port), np.uint8),
        leaves=np.array([0.0, *(LEAVES for _ in variant.powers), 0.0], np.float64),
        fewer=np.array(likelihoods(width), np.float64),
        width=np.array([width], np.int32),
        kind=np.repeat(np.arange(len(variant.board.kinds), dtype=np.int32), len(variant.board.locations)),
    )


def mind_of(t: Tables, lore: Lore, rows: int) -> Mind:
    """Room for one thread to think in, for boards with fewer than so many units.

    A unit has room for its best moves with every supporter and as many supports and voyages again; the fleets of the
    voyages, for four each on every shore.  No board of ours comes near; what found no room would not be thought of.
    """
    import numpy as np

    size, stances, nodes = len(t.port), len(t.place), len(lore.stance)
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("worth", "calm", "strongest", "standing", "leader", "most", "second"), (size,)),
        **dict.fromkeys(("own", "first", "came", "calm_at"), (size,)),
        "numbers": (nodes * (1 + len(lore.faint)) + len(lore.split_at),),
        "guesses": (max(nodes, size),),
        **dict.fromkeys(("ring", "total"), (nodes,)),
        "value": (stances,),
        "strength": (size * len(lore.leaves),),
        "helped": (rows, stances + 1),
        "trial": (CHANGES, rows),
        "drawn": (3, rows + 1),
        "ways": (4, rows * (2 * MOST_MOVES * rows + 64)),
        "chain_at": (rows * size + 2,),
        "chain": (4 * rows * size,),
        "behind": (max(rows, size),),
        "counts": (4,),
    }
    reals = {"worth", "calm", "guesses", "numbers", "ring", "total", "value", "here", "stays", "expected"}
    wide = {"begins", "ends", "way_at", "way_end", "chain_at", "counts"}
    return Mind(
        *(
            np.zeros(
                shapes.get(name, (rows + 1,)),
                np.float64 if name in reals else np.int32 if name in wide else np.int16,
            )
            for name in Mind._fields
        )
    )


def whims_of(t: Tables, rows: int) -> int:
    """The most draws of chance that one player makes in one phase."""
    return len(t.place) + len(t.port) + MOST_ROUNDS * rows


def _joined(rows: Iterable[Sequence[int]]) -> Numbers:
    import numpy as np

    return np.array([number for row in rows for number in row], np.int32)
