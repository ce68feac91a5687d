"""A phase of movement, over flat tables: orders become the kernel's rows, and its answer the next position.

The rules are the judge's own (`judge.engine.convoys`, `kernel`, `aftermath`); here are the columns of orders that are
all legal.
"""

from __future__ import annotations

from gamesmaster.judge.engine.aftermath import barred_origin, close, dislodge
from gamesmaster.judge.engine.choices import (
    CONTEST,
    IN_KERNEL,
    KNOT,
    ORIGIN_BARRED,
    PARADOX,
)
from gamesmaster.judge.engine.convoys import match, release, send_by_sea, spare_supports, weakened
from gamesmaster.judge.engine.kernel import CAME as CAME_THROUGH
from gamesmaster.judge.engine.kernel import (
    HOLD,
    MOVE,
    SUPPORT,
    Outcome,
    Rows,
    Work,
    solve,
)
from gamesmaster.judge.engine.problem import NOBODY
from gamesmaster.judge.engine.resolution import WEIGHT
from gamesmaster.lab.batches.state import (
    ACT,
    BEATEN,
    CAME,
    COUNT,
    FLAGS,
    TO,
    VIA,
    VICTOR,
    Game,
    Scratch,
    search_of,
)
from gamesmaster.lab.batches.tables import Tables, seas_of, steps_of


def move(t: Tables, game: Game, s: Scratch) -> None:
    """Carry out the orders of a phase of movement; nobody is dislodged before it."""
    n = game.tally[COUNT]
    c, a, p, w = s.cells, s.answers, s.places, s.lines
    rows = Rows(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8])
    out = Outcome(a[0], a[1], a[2], a[3], a[4], a[5], a[6])
    work = Work(p[0], p[1], w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9])
    _lay_out(t, game, s, rows, n)
    s.answers[:, : n + 1] = 0
    s.places[:] = 0
    s.lines[:, : n + 1] = 0
    solve(n, rows, out, work, len(s.tenant), t.link, t.book[CONTEST], t.book[KNOT])
    _dislodge(t, game, s, rows, out, n)
    moved = game.moved
    for r in range(1, n + 1):
        moved[ACT, r], moved[TO, r], moved[FLAGS, r] = rows.kind[r], rows.to[r], rows.flags[r]
        moved[CAME, r], moved[VICTOR, r] = out.state[r] == CAME_THROUGH, s.goals[r]


# -- rows ------------------------------------------------------------------------------------------------------------


def _lay_out(t: Tables, game: Game, s: Scratch, rows: Rows, n: int) -> None:
    """Make the kernel's rows; support that matches nothing, and convoys nobody goes by, become holds (STD-4.e)."""
    kind, at, to, whence, about, owner, force, stay, flags = rows
    s.tenant[:] = 0
    for r in range(n + 1):
        kind[r], to[r], about[r], flags[r] = HOLD, 0, 0, 0
        at[r], owner[r], force[r], stay[r] = -1, NOBODY, WEIGHT, WEIGHT
        if r:
            at[r], owner[r] = t.place[game.stance[r]], game.owner[r]
            s.tenant[at[r]] = r
        whence[r] = at[r]
    for r in range(1, n + 1):
        verb = game.verb[r]
        kind[r], force[r], flags[r], about[r] = t.act[verb], t.force[verb], t.flags[verb], game.about[r]
        if kind[r] != HOLD:
            to[r] = t.place[game.to[r]] if game.to[r] >= 0 else at[about[r]]
    convoys, _ = match(n, rows, game.to, s.fleets, s.queue, s.goals)
    for r in range(1, n + 1):
        if kind[r] == MOVE and game.verb[r] <= VIA and t.army[game.stance[r]]:
            via, walks = game.verb[r] == VIA, t.near[steps_of(t, owner[r], game.stance[r]), to[r]] != 0
            send_by_sea(r, rows, s.tenant, s.fleets, convoys, via, walks, seas_of(t), t.book, search_of(s))
    release(rows, s.fleets, convoys)
    for r in range(1, n + 1):
        if kind[r] == MOVE or kind[r] == SUPPORT:
            row = game.stance[r] + (len(t.place) if kind[r] == SUPPORT else 0)
            force[r] = weakened(force[r], flags[r], t.weak[row, to[r]])
    if convoys and t.book[PARADOX] != IN_KERNEL:
        for r in range(1, n + 1):
            s.afloat[r] = not t.army[game.stance[r]]
        spare_supports(n, rows, s.tenant, s.afloat, seas_of(t), t.book, search_of(s))


# -- what comes of it ------------------------------------------------------------------------------------------------


def _dislodge(t: Tables, game: Game, s: Scratch, rows: Rows, out: Outcome, n: int) -> None:
    """Set the dislodged units apart, and close the provinces that nobody may retreat to (STD-9).

    `s.goals` is, from here on, each row's victor.
    """
    victor = s.goals
    victor[: n + 1] = 0
    game.tally[BEATEN] = dislodge(n, rows, out, s.tenant, victor)
    if not game.tally[BEATEN]:
        return
    game.closed[:] = 0
    close(n, rows, out, victor, t.book[CONTEST], game.closed)
    row = 0
    for r in range(1, n + 1):
        if victor[r]:
            row += 1
            game.lost_number[row], game.lost_stance[row] = game.number[r], game.stance[r]
            game.lost_owner[row], game.lost_from[row] = game.owner[r], rows.at[victor[r]]
            game.lost_free[row] = barred_origin(victor[r], rows, out, t.book[ORIGIN_BARRED]) < 0


def leave(game: Game) -> None:
    """Move the units that came through, and take off those that are dislodged or gone."""
    left = 0
    for r in range(1, game.tally[COUNT] + 1):
        if not (game.moved[VICTOR, r] or game.gone[r]):
            left += 1
            game.number[left], game.owner[left] = game.number[r], game.owner[r]
            game.stance[left] = game.to[r] if game.moved[CAME, r] else game.stance[r]
    game.tally[COUNT] = left
    game.gone[:] = 0
