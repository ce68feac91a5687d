"""What the heuristic player answers in a phase, over flat tables; its retreats, builds and removals.

What is done here is what `players.heuristic` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.judge.engine.kernel import HOLD
from gamesmaster.lab.batches.heuristic.lore import HOLDER, RANDOM, Desk
from gamesmaster.lab.batches.heuristic.survey import look_ahead, look_around, value_places
from gamesmaster.lab.batches.heuristic.tactics import settle
from gamesmaster.lab.batches.orders import survey
from gamesmaster.lab.batches.state import (
    BEATEN,
    BUILD,
    COUNT,
    DISBAND,
    MOVES,
    ORDERS,
    REMOVE,
    RETREAT,
    RETREATS,
    WINTER,
)
from gamesmaster.lab.batches.years import (
    add_order,
    balance,
    begin_winter,
    build,
    free,
    open_to,
    refuges,
    remove_farthest,
)

if TYPE_CHECKING:
    from gamesmaster.lab.batches.state import Line


def answer(d: Desk, seats: Line, kind: int, last: bool, seed: int, number: int, draw: int, whims: int) -> None:
    """Set the orders of all powers in one game but of those that are played by lot, whose orders are there.

    `seats` says who plays each power, `last` that owners are counted before the next movement; each power has so many
    `whims`, the first power's beginning with number `draw`.
    """
    if kind == MOVES:
        survey(d.t, d.game, d.s)
    elif kind == WINTER:
        _put_aside(d)
    look_around(d)
    for power in range(len(seats)):
        if seats[power] == RANDOM:
            if kind == WINTER:
                _put_back(d, power)
        else:
            _rest(d, kind, power)
            silent = seats[power] == HOLDER or d.game.silent[power]
            if not silent and _asked(d, kind, power):
                first = draw + (power - 1) * whims
                after = value_places(d, power, last, seed, number, first)
                if kind == MOVES:
                    settle(d, power, seed, number, look_ahead(d, power, seed, number, after))
                elif kind == RETREATS:
                    fall_back(d, power)
                else:
                    winter(d, power)
            elif silent and kind == WINTER and power:
                remove_farthest(d.t, d.game, d.s, power, -balance(d.game, power))


def _asked(d: Desk, kind: int, power: int) -> bool:
    """Is there anything that a power may choose?"""
    game = d.game
    if kind == WINTER:
        return balance(game, power) != 0
    if kind == RETREATS:
        for r in range(1, game.tally[BEATEN] + 1):  # noqa: SIM110 (machine code has no generators)
            if game.lost_owner[r] == power and refuges(d.t, game, r):
                return True
        return False
    for r in range(1, game.tally[COUNT] + 1):  # noqa: SIM110 (machine code has no generators)
        if game.owner[r] == power:
            return True
    return False


def _rest(d: Desk, kind: int, power: int) -> None:
    """Let a power's units hold, or disband if they are dislodged."""
    game = d.game
    if kind == MOVES:
        for r in range(1, game.tally[COUNT] + 1):
            if game.owner[r] == power:
                game.verb[r], game.to[r], game.about[r] = HOLD, -1, 0
    elif kind == RETREATS:
        for r in range(1, game.tally[BEATEN] + 1):
            if game.lost_owner[r] == power:
                game.verb[r], game.to[r], game.about[r] = DISBAND, -1, 0


def _put_aside(d: Desk) -> None:
    """Begin a Winter's orders anew, those drawn put aside."""
    game, drawn = d.game, d.mind.drawn
    drawn[0, 0] = game.tally[ORDERS]
    for n in range(1, game.tally[ORDERS] + 1):
        drawn[0, n], drawn[1, n], drawn[2, n] = game.verb[n], game.to[n], game.about[n]
    begin_winter(d.t, game, d.s)


def _put_back(d: Desk, power: int) -> None:
    """Enter a power's drawn orders again."""
    drawn = d.mind.drawn
    for n in range(1, drawn[0, 0] + 1):
        if (drawn[2, n] if drawn[0, n] == BUILD else d.game.owner[drawn[2, n]]) == power:
            add_order(d.game, drawn[0, n], drawn[1, n], drawn[2, n])


def fall_back(d: Desk, power: int) -> None:
    """Retreats to the best places, the unit that finds the best of all choosing first; who finds none disbands."""
    t, game, m = d.t, d.game, d.mind
    m.came[:] = 0
    while True:
        best, to = 0, -1
        for r in range(1, game.tally[BEATEN] + 1):
            if game.lost_owner[r] == power and game.verb[r] == DISBAND:
                stance = game.lost_stance[r]
                for i in range(t.reach_at[stance], t.reach_at[stance + 1]):
                    end = t.reach[i]
                    if open_to(t, game, r, end) and not m.came[t.place[end]] and (
                        not best or m.value[end] > m.value[to]
                    ):  # fmt: skip
                        best, to = r, end
        if not best:
            return
        game.verb[best], game.to[best] = RETREAT, to
        m.came[t.place[to]] = 1


def winter(d: Desk, power: int) -> None:
    """Build where units are worth most, of a kind that there are many of a little less; or remove the least worth."""
    due = balance(d.game, power)
    for _ in range(due):
        _build(d, power)
    d.mind.gone[:] = 0
    for _ in range(-due):
        _remove(d, power)
    d.mind.gone[:] = 0


def _build(d: Desk, power: int) -> None:
    """Build what is worth most beside what is built, if anything can be."""
    t, m = d.t, d.mind
    best, most = -1, 0.0
    for n in range(t.site_at[power], t.site_at[power + 1]):
        if free(t, d.game, d.s, power, n):
            for i in range(t.build_at[n], t.build_at[n + 1]):
                stance = t.build[i]
                worth = m.value[stance] * (1.5 - _share(d, power, stance))
                if best < 0 or worth > most:
                    best, most = stance, worth
    if best >= 0:
        build(t, d.game, d.s, power, best)


def _share(d: Desk, power: int, stance: int) -> float:
    """The part of a power's units, those built and one more counted, that are of this stance's kind."""
    game, kind, total, alike = d.game, d.lore.kind, 1, 0
    for r in range(1, game.tally[COUNT] + 1):
        if game.owner[r] == power:
            total += 1
            alike += kind[game.stance[r]] == kind[stance]
    for n in range(1, game.tally[ORDERS] + 1):
        if game.verb[n] == BUILD and game.about[n] == power:
            total += 1
            alike += kind[game.to[n]] == kind[stance]
    return alike / total


def _remove(d: Desk, power: int) -> None:
    """Remove the unit that is worth least where it stands."""
    game, m = d.game, d.mind
    worst = 0
    for r in range(1, game.tally[COUNT] + 1):
        if game.owner[r] == power and not m.gone[r] and (
            not worst or m.value[game.stance[r]] < m.value[game.stance[worst]]
        ):  # fmt: skip
            worst = r
    if worst:
        m.gone[worst] = 1
        add_order(game, REMOVE, -1, worst)
