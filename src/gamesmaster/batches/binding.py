"""Orders from texts bound to their units, over flat tables, game by game.

Which orders could come true is decided by the judge's own rules (`engine`). A game in which anything else counts than
that is left to the judge: a text in doubt, two possible orders for one unit, units that cannot lie where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.batches.orders import note_groups
from gamesmaster.batches.state import AWAY, CAME, COUNT, VIA, VICTOR, WINNER, Game, Scratch, game_at, set_order
from gamesmaster.batches.tables import Tables, steps_of
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.engine.convoys import crosses_without, crossing, is_useful
from gamesmaster.engine.machine import held

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]
    Flags = NDArray[np.uint8]

STAYED, MOVED, DISLODGED, GONE = range(4)
"""What becomes of a unit: it is gone if it disbands, is removed or lost."""

NEVER = -1
"""The verb of an order that cannot come true in any position."""


class Meanings(NamedTuple):
    """The meanings of texts, of which number 0 is in doubt.

    By text: `place`, the province of the unit that it orders, -1 for none, and `first`, the first of its meanings: it
    has one for each stance in that province.  By stance: `slot`, its place among those of its province.

    By meaning: `verb`, `HOLD` to `VIA` or `NEVER`, `moves`, 1 for an impossible move that the rulebook takes for a
    move, and `walks`, 1 for a move that needs no convoy.  `to` is the province that it leads to, -1 for none, `goal`
    the stance in which a move ends, `coast` the location on a coast that a move ends at or a support names, -1 for
    none. `of` is the province of the unit that is helped, and `suits` has a bit for each slot there that can be meant.
    """

    place: Numbers
    first: Numbers
    slot: Numbers
    verb: Numbers
    moves: Numbers
    walks: Numbers
    to: Numbers
    goal: Numbers
    coast: Numbers
    of: Numbers
    suits: Numbers


class OrderTexts(NamedTuple):
    """The orders of many games, one after the other.

    `begin[i]` is the first order of game i.  By order: `text` and `power` are numbers, and `refused` is 1 where it is
    not carried out.  `doubtful[i]` is 1 for games that are left to the judge.
    """

    begin: Numbers
    text: Numbers
    power: Numbers
    refused: Flags
    doubtful: Flags


def bind_all(number: int, given: OrderTexts, meanings: Meanings, t: Tables, games: Game, s: Scratch) -> None:
    """Set the orders of a movement phase in games 0 to `number` - 1; those left to the judge stand still."""
    t, s, c, m = held(t), held(s), held(given), held(meanings)
    for i in range(number):
        game = held(game_at(games, i))
        if c.doubtful[i] or not (place_units(t, game, s) and bind(i, c, m, t, game, s)):
            c.doubtful[i] = 1
            game.tally[WINNER] = AWAY


def place_units(t: Tables, game: Game, s: Scratch) -> bool:
    """Note who is where, and which fleets are joined; return whether each unit has a province of its own."""
    s.tenant[:] = 0
    s.rows.turn[:] = 0
    fleets = 0
    for r in range(1, game.tally[COUNT] + 1):
        place = t.stances.place[game.units.stance[r]]
        if s.tenant[place]:
            return False
        s.tenant[place] = r
        set_order(game.orders, r, HOLD)
        if t.stances.carries[game.units.stance[r]]:
            s.search.fleet[fleets] = place
            fleets += 1
    note_groups(t, s, fleets)
    return True


def bind(i: int, c: OrderTexts, m: Meanings, t: Tables, game: Game, s: Scratch) -> bool:
    """Bind the orders of game i to its units; return whether the rest of the rules has no say in it.

    `s.rows.turn` is 1 + the meaning that each row carries out, 0 for none.
    """
    for k in range(c.begin[i], c.begin[i + 1]):
        place = m.place[c.text[k]]
        r = s.tenant[place] if place >= 0 else 0
        c.refused[k] = 1
        if not c.text[k]:
            return False
        if not r or game.units.owner[r] != c.power[k]:
            continue
        n = m.first[c.text[k]] + m.slot[game.units.stance[r]]
        if could_come_true(n, r, m, t, game, s):
            if s.rows.turn[r]:
                return False
            s.rows.turn[r], c.refused[k] = 1 + n, 0
        elif m.moves[n]:
            return False
    for r in range(1, game.tally[COUNT] + 1):
        if s.rows.turn[r]:
            _set_order(s.rows.turn[r] - 1, r, m, t, game, s)
    return True


def could_come_true(n: int, r: int, m: Meanings, t: Tables, game: Game, s: Scratch) -> bool:
    """Return whether the unit of a row could do what meaning n says, whatever others are ordered (STD-4.d)."""
    verb, here, size = m.verb[n], t.stances.place[game.units.stance[r]], len(s.tenant)
    if verb in (HOLD, NEVER):
        return bool(verb == HOLD)
    crossings, search = s.crossings, s.search
    if verb in (MOVE, VIA):
        return bool(m.walks[n] or crossing(crossings, size, here, m.to[n], 0))
    a, b, other = m.of[n], m.to[n], s.tenant[m.of[n]]
    if not other or not m.suits[n] >> m.slot[game.units.stance[other]] & 1:
        return False
    if verb == CONVOY:
        at = s.crossings.group[here] * size
        touches = s.crossings.touched[at + a] != 0 and s.crossings.touched[at + b] != 0
        return touches and is_useful(t.seas, crossings, a, b, here, t.book, search)
    if b < 0 or t.steps.near[steps_of(t, game.units.owner[other], game.units.stance[other]), b]:
        return True
    if not crossing(crossings, size, a, b, 0):
        return False
    return bool(not t.stances.carries[game.units.stance[r]] or crosses_without(t.seas, crossings, a, b, here, search))


def _set_order(n: int, r: int, m: Meanings, t: Tables, game: Game, s: Scratch) -> None:
    """Set meaning n as the order of a row; a support that names no coast is for whichever its unit goes to."""
    game.orders.verb[r] = m.verb[n]
    if m.verb[n] == MOVE or m.verb[n] == VIA:
        game.orders.to[r] = m.goal[n]
    elif m.verb[n] == SUPPORT or m.verb[n] == CONVOY:
        other = s.tenant[m.of[n]]
        game.orders.about[r], done = other, s.rows.turn[other] - 1
        if m.to[n] >= 0:
            to = m.coast[n] if m.coast[n] >= 0 else t.lands.bare[m.to[n]]
            locations = len(t.stances.place) // len(t.kinds.base)
            game.orders.to[r] = t.stances.sort[game.units.stance[other]] * locations + to
            moves = done >= 0 and (m.verb[done] == MOVE or m.verb[done] == VIA) and m.to[done] == m.to[n]
            if moves and (m.coast[n] < 0 or m.coast[done] < 0):
                game.orders.to[r] = m.goal[done]


def tell_all(number: int, units: Any, at: Any, fate: Any, t: Tables, games: Game, s: Scratch) -> None:
    """Write where the units of games 0 to `number` - 1 are after a movement phase, and what became of them.

    `units` are how many there were, with the numbers from 1; the columns of `at` and `fate` begin with the first.
    """
    t, locations = held(t), len(t.stances.place) // len(t.kinds.base)
    for i in range(number):
        if games.tally[i, WINNER]:
            continue
        game = held(game_at(games, i))
        for r in range(1, units[i] + 1):
            fate[i, r - 1] = DISLODGED if game.moved[VICTOR, r] else game.moved[CAME, r]
        for r in range(1, game.tally[COUNT] + 1):
            at[i, game.units.number[r] - 1] = game.units.stance[r] % locations
