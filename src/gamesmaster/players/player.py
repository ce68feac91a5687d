"""The protocol of players: five names, the same for bots in this process, bots over a network and people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Protocol

from gamesmaster.orders import Order
from gamesmaster.players.view import View

Answer = str | Iterable[str | Order]
"""A set of orders: a sheet, or texts and `Order`s, one each."""


class Player(Protocol):
    """Somebody who plays one power of one game.

    Each method is given the `View` of its power as the game then stands.  One that raises, answers what makes no sense
    or takes too long does no harm to the game: its power is held to have said nothing.
    """

    @property
    def name(self) -> str:
        """What the record of the game calls it."""
        ...

    def orders(self, view: View) -> Answer:
        """The power's orders for `view.phase`; asked only if something is wanted of it (`view.status.due`)."""
        ...

    def vote(self, view: View) -> Collection[str]:
        """Who should share the victory if the game ended here: all survivors, one other power, or () to play on.

        Asked in every movement phase, when the orders are in; the game is over when all agree (STD-2.b).
        """
        ...

    def told(self, view: View) -> None:
        """Hear that a phase is over: `view.history[-1]` is its record, `view.phase` the next."""
        ...

    def over(self, view: View) -> None:
        """Hear that the game is over (`view.outcome`), or broken off (None)."""
        ...


class Bot(ABC):
    """A player that does no more than give orders; derive from it and override what else is wanted."""

    name = "bot"

    @abstractmethod
    def orders(self, view: View) -> Answer:
        """The power's orders for `view.phase`."""

    def vote(self, view: View) -> Collection[str]:
        """Play on."""
        return ()

    def told(self, view: View) -> None:  # noqa: B027  # to pass over it is what most bots want
        """Pass over the results."""

    def over(self, view: View) -> None:  # noqa: B027
        """Pass over the end."""
