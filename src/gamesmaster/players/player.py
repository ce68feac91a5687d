"""The protocol of players, their view of a game, and the code that gets their answers.

A `View` is all that a player sees.  `Player` has five names, the same for bots in this process, bots over a network and
people; a `Seat` calls one, and returns a valid answer or raises with the reason.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from random import Random
from threading import Thread
from typing import Generic, Protocol, TypeVar

from gamesmaster.board import Board, Position, Unit
from gamesmaster.game import LONGEST_NAME, MOST_ORDERS, Game, Outcome, Record, Status, seen_by
from gamesmaster.judge import Account, LegalOrders, accounts
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.rules import Rules, Season, YearMechanic, limits_sight
from gamesmaster.variant import Phase, Variant

CLAUSE = "players"
"""Stands for a clause in the draws that players' chance comes from."""


@dataclass(frozen=True, eq=False)
class View:
    """A game as one power sees it.

    It has everything except the orders and votes that others have sent in the phase being played, the seed of the dice,
    and what the power does not see where a variant limits sight (`game.seen_by`).  `season` is the phase as mechanics
    know it.  `history` holds the phases that are over, `disorder` the powers whose players are gone.  `status` has the
    orders due from the power, None if it is out or the game is over; `legal` has the legal orders of every unit.
    """

    variant: Variant
    rules: Rules
    power: str
    phase: Phase
    season: Season
    position: Position
    history: tuple[Record, ...]
    disorder: frozenset[str]
    outcome: Outcome | None
    status: Status | None
    legal: LegalOrders
    luck: bytes = field(repr=False)

    @property
    def board(self) -> Board:
        """The board."""
        return self.variant.board

    @cached_property
    def choices(self) -> dict[Unit, tuple[Order, ...]]:
        """Every legal order for each of the power's units that may have one, in a phase of movement or retreats."""
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            return {}
        return {unit: tuple(self.legal.of_unit(unit)) for unit in self.units}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The power's units on the board, or, in a phase of retreats, those that must leave their place.

        Those aboard go with their carriers, unless they may be ordered by themselves.
        """
        if self.phase.kind is PhaseKind.RETREATS:
            beaten = (d.unit for d in self.position.dislodged if d.unit.power == self.power)
            return tuple(unit for unit in beaten if not unit.aboard)
        own = self.position.of(self.power)
        if self.phase.kind is PhaseKind.MOVEMENT:
            return tuple(unit for unit in own if not unit.aboard or self.legal.of_unit(unit))
        return own

    @cached_property
    def winter(self) -> tuple[Order, ...]:
        """The builds and the waive, or the removals, that the power may choose from in a phase of adjustments."""
        if self.phase.kind is not PhaseKind.ADJUSTMENTS:
            return ()
        return tuple(self.legal.of_winter(self.power))

    @cached_property
    def extras(self) -> tuple[Order, ...]:
        """Orders without a unit, for questions of mechanics to the power: homes to name, arrivals to accept."""
        asked = self.rules.hooks(YearMechanic.extra_orders)
        return tuple(o for m in asked for o in m(self.rules, self.season, self.position, self.power))

    @cached_property
    def account(self) -> Account:
        """The power's account in a Winter: its supply, the cost of its units, its sites."""
        return accounts(self.rules, self.position)[self.power]

    @property
    def is_due(self) -> bool:
        """True if the power has orders due in this phase."""
        return self.status is not None and self.status.is_due

    @property
    def due(self) -> int:
        """The number due: of orders or retreats, of builds, or, if negative, of removals."""
        return self.status.due if self.status else 0

    @property
    def choices_due(self) -> int:
        """The number of orders due that name or bid for homes; at least 1."""
        return max(1, self.status.choices if self.status else 1)

    def chance(self, purpose: str = "") -> Random:
        """Return a new generator for this game, phase and purpose; it gives the same numbers at every call."""
        return Random(self.luck + purpose.encode())


def views(game: Game) -> dict[str, View]:
    """Return the view of every power, those that are out too, in the variant's order."""
    if limits_sight(game.rules):
        return {power.name: _view(seen_by(game, (power.name,)), power.name) for power in game.variant.powers}
    legal, status = LegalOrders(game.rules, game.position), {s.power: s for s in game.status}
    return {power.name: _view(game, power.name, legal, status) for power in game.variant.powers}


def _view(game: Game, power: str, legal: LegalOrders | None = None, status: Mapping[str, Status] | None = None) -> View:
    """Return the view of a power of a game that hides nothing else; what all powers share can be given."""
    status = {s.power: s for s in game.status} if status is None else status
    return View(
        variant=game.variant,
        rules=game.rules,
        power=power,
        phase=game.phase,
        season=game.season,
        position=game.position,
        history=game.records,
        disorder=game.disorder,
        outcome=game.outcome,
        status=status.get(power),
        legal=legal or LegalOrders(game.rules, game.position),
        luck=game.dice.draw(game.phase.code, CLAUSE, power),
    )


Answer = str | Iterable[str | Order]
"""A set of orders: a sheet, or texts and `Order`s, one each."""


class Player(Protocol):
    """Somebody who plays one power of one game.

    Each method is given the `View` of its power as the game then stands.  One that raises, answers what makes no sense
    or takes too long does no harm to the game: its power is held to have said nothing.
    """

    @property
    def name(self) -> str:
        """The player's name in the record of the game."""
        ...

    def orders(self, view: View) -> Answer:
        """Return the power's orders for `view.phase`; called only if orders are due (`view.status.due`)."""
        ...

    def vote(self, view: View) -> Collection[str]:
        """Return who should share the victory if the game ended here: all survivors, one other power, or () to play on.

        Called in every movement phase after the orders; the game is over when all agree (STD-2.b).
        """
        ...

    def hear(self, view: View) -> None:
        """Hear that a phase is over: `view.history[-1]` is its record, `view.phase` the next."""
        ...

    def over(self, view: View) -> None:
        """Hear that the game is over (`view.outcome`), or broken off (None)."""
        ...


class Bot(ABC):
    """A player that only gives orders; derive from it and override the other methods as needed."""

    name = "bot"

    @abstractmethod
    def orders(self, view: View) -> Answer:
        """Return the power's orders for `view.phase`."""

    def vote(self, view: View) -> Collection[str]:
        """Play on."""
        return ()

    def hear(self, view: View) -> None:  # noqa: B027  # to pass over it is what most bots want
        """Pass over the results."""

    def over(self, view: View) -> None:  # noqa: B027
        """Pass over the end."""


T = TypeVar("T")
LONGEST_REASON = 200
MOST_NAMED = 200
"""Names read of a vote: more than any game has powers."""


@dataclass(frozen=True, slots=True)
class Lapse:
    """A question that a player did not answer: the code of the phase, the question, and the reason.

    `question` is the method's name; a lapse in "orders" means that the power sent none for that phase.
    """

    phase: str
    power: str
    question: str
    why: str

    def __str__(self) -> str:
        return f"{self.phase}, {self.power}, {self.question}: {self.why}"


class Silent(Exception):
    """A player has not answered; the text says why."""


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
        """Return the texts of the player's orders; raise `Silent`."""
        return self._ask(lambda: _texts(self.player.orders(view), view))

    def vote(self, view: View) -> tuple[str, ...]:
        """Return who should share the victory, as powers' names, () for nobody; raises `Silent`."""
        named = self._ask(lambda: tuple(map(str, islice(self.player.vote(view), MOST_NAMED))))
        for name in named:
            if name not in view.rules.numbers:
                raise Silent(f"no power {name[:40]!r}")
        return named

    def tell(self, view: View) -> None:
        """Tell it that a phase is over; raises `Silent`."""
        self._ask(lambda: self.player.hear(view))

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
    """Return the answer; raise `Silent` for any error of the player except the user's interrupt."""
    try:
        return question()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a player that asks the whole program to stop is not obeyed either
        raise Silent(f"{type(error).__name__}: {_told(error)}"[:LONGEST_REASON]) from error


def _told(error: BaseException) -> str:
    """Return the text of an error, on one line; `?` if it cannot be printed."""
    try:
        return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    except Exception:
        return "?"


def _texts(answer: object, view: View) -> tuple[str, ...]:
    """Return an answer as texts; raises TypeError for anything but orders, ValueError for too many of them."""
    if isinstance(answer, str):
        return (answer,)
    given = tuple(islice(answer, MOST_ORDERS + 1))  # type: ignore[call-overload]  # TypeError says that it is not iterable
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
    """Return a player's name, fit to be written in a record; its class's if it cannot tell one."""
    try:
        name = "".join(c for c in str(player.name) if c.isprintable()).strip()
    except Exception:
        name = ""
    return name[:LONGEST_NAME] or type(player).__name__[:LONGEST_NAME]
