"""The orders of mechanics that thinking players of a batch take into account."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.heuristic.context import OwnOrders
from gamesmaster.engine import HOLD
from gamesmaster.rules import DRAWN

if TYPE_CHECKING:
    from gamesmaster.batches.state import Game


def list_own(games: Game, ask: Callable[[str], None]) -> OwnOrders:
    """Return the numbers of mechanics' orders that thinking players consider, of those that units may be given.

    `games.orders.offers` has the number of such orders per unit.  The orders in the columns are cleared.
    """
    import numpy as np

    offers, count, found = games.orders.offers.copy(), np.zeros_like(games.orders.offers), []
    for number in range(int(offers.max(initial=0))):
        offered = offers > number
        games.orders.verb[:], games.orders.to[:] = np.where(offered, DRAWN, HOLD), np.where(offered, number, -1)
        games.orders.load[:] = games.orders.rider[:] = 0
        ask("choose")
        ask("thinks")
        at = (offered & (games.orders.verb != HOLD)).nonzero()
        o = games.orders
        found.append((*at, count[at], o.verb[at], o.to[at], o.load[at], o.rider[at]))
        count[at] += 1
    own = no_own(count, int(count.max(initial=0)))
    for i, r, n, *orders in found:
        for column, given in zip(own[1:], orders, strict=True):
            column[i, r, n] = given
    return own


def no_own(number: Any, most: int = 0) -> OwnOrders:
    """Return room for `most` orders of each unit; `number` is how many it has."""
    import numpy as np

    return OwnOrders(number, *(np.zeros((*number.shape, max(1, most)), np.int16) for _ in range(4)))
