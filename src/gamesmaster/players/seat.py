"""Asking a player: what comes back is an answer that makes sense, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from threading import Thread
from typing import Generic, TypeVar

from gamesmaster.game.dice import LONGEST_NAME
from gamesmaster.game.state import MOST_ORDERS
from gamesmaster.orders import Order
from gamesmaster.players.player import Player
from gamesmaster.players.view import View

T = TypeVar("T")
LONGEST_REASON = 200
MOST_NAMED = 200
"""Names read of a vote: more than any game has powers."""


@dataclass(frozen=True, slots=True)
class Lapse:
    """A question that a player did not answer: in which phase (its code), which one, and why.

    `question` is the method's name; a lapse in "orders" means that the power sent none for that phase (NMR).
    """

    phase: str
    power: str
    question: str
    why: str

    def __str__(self) -> str:
        return f"{self.phase}, {self.power}, {self.question}: {self.why}"


class Silent(Exception):
    """There is no answer; the text says why."""


class _Asked(Thread, Generic[T]):
    """A question under way in a thread of its own, which does not keep the program from ending."""

    def __init__(self, question: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self.question = question
        self.answers: list[T] = []
        self.why = ""

    def run(self) -> None:
        try:
            self.answers.append(_caught(self.question))
        except Silent as silent:
            self.why = str(silent)


class Seat:
    """A player at its power's place.

    `patience` is how many seconds it may take to answer, None for as long as it likes.  While a late answer is still
    being worked at, the player is asked nothing else.
    """

    def __init__(self, power: str, player: Player, patience: float | None) -> None:
        self.power, self.player, self.patience = power, player, patience
        self.late: Thread | None = None

    def orders(self, view: View) -> tuple[str, ...]:
        """The texts of its orders; raises `Silent`."""
        return self._ask(lambda: _texts(self.player.orders(view), view))

    def vote(self, view: View) -> tuple[str, ...]:
        """Who should share the victory, as powers' names, () for nobody; raises `Silent`."""
        named = self._ask(lambda: tuple(map(str, islice(self.player.vote(view), MOST_NAMED))))
        for name in named:
            if name not in view.rules.numbers:
                raise Silent(f"no power {name[:40]!r}")
        return named

    def told(self, view: View) -> None:
        """Tell it that a phase is over; raises `Silent`."""
        self._ask(lambda: self.player.told(view))

    def over(self, view: View) -> None:
        """Tell it that the game is over; raises `Silent`."""
        self._ask(lambda: self.player.over(view))

    def _ask(self, question: Callable[[], T]) -> T:
        if self.patience is None:
            return _caught(question)
        if self.late is not None:
            self.late.join(self.patience)
            if self.late.is_alive():
                raise Silent("has not answered an earlier question yet")
        asked = _Asked(question)
        asked.start()
        asked.join(self.patience)
        self.late = asked if asked.is_alive() else None
        if self.late is not None:
            raise Silent(f"took longer than {self.patience:g} s")
        if not asked.answers:
            raise Silent(asked.why)
        return asked.answers[0]


def _caught(question: Callable[[], T]) -> T:
    """The answer; whatever a player raises, short of the user's interrupt, becomes `Silent`."""
    try:
        return question()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a player that asks the whole program to stop is not obeyed either
        raise Silent(f"{type(error).__name__}: {_told(error)}"[:LONGEST_REASON]) from error


def _told(error: BaseException) -> str:
    """What an error says, on one line; nothing if it cannot even be asked."""
    try:
        return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    except Exception:
        return "?"


def _texts(answer: object, view: View) -> tuple[str, ...]:
    """An answer as texts; raises TypeError for what is no set of orders, ValueError for one without end."""
    if isinstance(answer, str):
        return (answer,)
    given = tuple(islice(answer, MOST_ORDERS + 1))  # type: ignore[call-overload]  # what is not iterable is told so
    if len(given) > MOST_ORDERS:
        raise ValueError(f"more than {MOST_ORDERS} orders")
    return tuple(_text(order, view) for order in given)


def _text(order: object, view: View) -> str:
    if isinstance(order, Order):
        if not order.complete:
            raise ValueError("an order does not say all that it must")
        return view.rules.notation.write(order)
    if isinstance(order, str):
        return order
    raise TypeError(f"{type(order).__name__} is not an order")


def name_of(player: Player) -> str:
    """A player's name, fit to be written in a record; its class's if it cannot tell one."""
    try:
        name = "".join(c for c in str(player.name) if c.isprintable()).strip()
    except Exception:
        name = ""
    return name[:LONGEST_NAME] or type(player).__name__[:LONGEST_NAME]
