"""Orders of mechanics in the menu of a movement, in batches: with boats, and with armies that go aboard fleets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamesmaster.judge.columns import DRAWN
from gamesmaster.judge.engine.kernel import HOLD, MOVE
from gamesmaster.lab.batches.heuristic.lore import Own
from gamesmaster.lab.batches.heuristic.survey import as_kind
from gamesmaster.lab.batches.state import VIA
from gamesmaster.mechanics.boats.columns import DESTROY, GO, MAKE

if TYPE_CHECKING:
    from gamesmaster.lab.batches.heuristic.lore import Desk
    from gamesmaster.lab.batches.state import Game


def list_own(games: Game, ask: Callable[[str], None]) -> Own:
    """The orders of mechanics that players think about, of those that units may be given.

    How many they may be given, `games.offers` says.  Of what is ordered in the columns nothing is left.
    """
    import numpy as np

    offers, count, found = games.offers.copy(), np.zeros_like(games.offers), []
    for number in range(int(offers.max(initial=0))):
        offered = offers > number
        games.verb[:], games.to[:] = np.where(offered, DRAWN, HOLD), np.where(offered, number, -1)
        games.load[:] = games.rider[:] = 0
        ask("choose")
        ask("thinks")
        at = (offered & (games.verb != HOLD)).nonzero()
        found.append((*at, count[at], games.verb[at], games.to[at], games.load[at], games.rider[at]))
        count[at] += 1
    own = no_own(count, int(count.max(initial=0)))
    for i, r, n, *orders in found:
        for column, given in zip(own[1:], orders, strict=True):
            column[i, r, n] = given
    return own


def no_own(count: Any, most: int = 0) -> Own:
    """Room for so many orders of each unit; `count` is how many there are."""
    import numpy as np

    return Own(count, *(np.zeros((*count.shape, max(1, most)), np.int16) for _ in range(4)))


# -- what an order makes of its unit -----------------------------------------------------------------------------------


def takes_boats(d: Desk, r: int) -> bool:
    """Could a unit go somewhere with boats that it takes along?"""
    found = False
    for k in range(d.own.count[r]):
        found = found or (d.own.verb[r, k] == GO and d.own.load[r, k] != 0)
    return found


def afloat(d: Desk, stance: int) -> int:
    """The same place for a unit that goes in something."""
    return as_kind(d, d.lore.afloat[d.t.sort[stance]], stance)


def works(d: Desk, r: int, k: int) -> bool:
    """Is this order of a unit one to build a boat, which comes to something?"""
    return bool(d.own.verb[r, k] == MAKE and not d.own.load[r, k])


def give_own(d: Desk, r: int, k: int) -> None:
    """Give a unit its order of this number among those of mechanics."""
    game, own = d.game, d.own
    game.verb[r], game.to[r], game.about[r] = own.verb[r, k], own.to[r, k], 0
    game.load[r], game.rider[r] = own.load[r, k], own.rider[r, k]


def break_up(d: Desk, r: int) -> None:
    """Let a unit that walks away destroy a boat that it leaves behind, if its power could build no more of them."""
    vain, boat = 0, 0
    for other in range(len(d.own.count)):
        if d.game.owner[other] == d.game.owner[r]:
            for k in range(d.own.count[other]):
                vain += d.own.verb[other, k] == MAKE and d.own.load[other, k] != 0
    for k in range(d.own.count[r] - 1, -1, -1):
        boat = d.own.rider[r, k] if d.own.verb[r, k] == DESTROY else boat
    if vain and (d.game.verb[r] == MOVE or d.game.verb[r] == VIA):
        d.game.rider[r] = boat
