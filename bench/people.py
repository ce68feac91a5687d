"""How much the games of heuristic players are like people's: the same figures of both, on the standard board.

The figures of people are kept in `people.json`, in two parts that have no game in common: tastes are fitted to the
part `fit`, and judged by the part `test`.  Needs the extras `lab` and `fast`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamesmaster import strictjson
from gamesmaster.batches import Batch
from gamesmaster.batches.state import CAME, COUNT, VIA, WINNER
from gamesmaster.board import Location
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import Tastes
from gamesmaster.variant import find_variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FILE = Path(__file__).with_name("people.json")
LARGEST, DEEPEST = 256 * 1024, 6
YEARS = range(1901, 1911)
"""The years whose centres are compared."""
LAST_YEAR = 1925
"""The year in which simulated games are broken off at the latest; nearly all of people's were over."""
ATTACK_YEARS = (1901, 1902)
BLOCK = 500
"""Games that are simulated at a time."""
READ = 100
"""Games of each block whose first orders are read."""


@dataclass(frozen=True)
class Figures:
    """Figures of games, in the order of the powers where there is one for each.

    Means over games: `gains`, centres won by the first count; `centres`, by year, games that are over keeping their
    last count; `last_year`.  Shares of games: `attacks[a][b]`, power a ordered a move at a unit or a centre of b in
    `ATTACK_YEARS`; `survival`; `solos`; `decided`, won by one power.  Shares of orders: `moves`, `holds`, `supports`,
    `convoys`; of moves: `failed`, `attacking`, and `repeated`, ordered to the same unit in the movement before, when it
    failed; of supports: `foreign`.  `first_orders` are, by unit, the shares of its orders for the first movement.
    """

    games: int
    gains: list[float]
    centres: dict[str, list[float]]
    attacks: list[list[float]]
    survival: list[float]
    solos: list[float]
    last_year: float
    decided: float
    moves: float
    holds: float
    supports: float
    convoys: float
    failed: float
    attacking: float
    foreign: float
    repeated: float
    first_orders: dict[str, dict[str, float]] = field(repr=False)


class Agreement(NamedTuple):
    """How a figure agrees with people's: `found` between players and people, `ceiling` between people and people.

    Both are rank correlations over powers, or over pairs of them; for first orders the part that is the same; for the
    `PLAIN` figures, which are one number, that of the players and that of people.
    """

    what: str
    found: float
    ceiling: float


def people() -> tuple[Figures, Figures]:
    """Return the figures of people: of the part that tastes are fitted to, and of the part that judges them."""
    data: Any = strictjson.read(FILE, limit=LARGEST, depth=DEEPEST)
    both = {name: data[name] for name in ("first_orders", "repeated")}
    fit, test = (Figures(**data["parts"][part], **both) for part in ("fit", "test"))
    return fit, test


# -- comparing ---------------------------------------------------------------------------------------------------------


def ranks_agree(a: Sequence[float], b: Sequence[float]) -> float:
    """Return Spearman's rank correlation, 0 if one side is all alike."""
    from scipy.stats import rankdata

    return _correlation(rankdata(a), rankdata(b))


def agreements(found: Figures, fit: Figures, test: Figures) -> list[Agreement]:
    """Return how the figures of players agree with people's of the part `test`, beside those of the part `fit`."""
    rows = [
        Agreement(name, ranks_agree(of(found), of(test)), ranks_agree(of(fit), of(test))) for name, of in RANKED.items()
    ]
    rows.append(Agreement("first orders", overlap(found.first_orders, test.first_orders), 1.0))
    return rows + [Agreement(name, getattr(found, name), getattr(test, name)) for name in PLAIN]


def overlap(a: Mapping[str, Mapping[str, float]], b: Mapping[str, Mapping[str, float]]) -> float:
    """Return what the shares of orders have in common, as the mean over units; 1 if they are the same."""
    shared = [sum(min(share, a[unit].get(order, 0)) for order, share in orders.items()) for unit, orders in b.items()]
    return sum(shared) / len(shared)


def _pairs(figures: Figures) -> list[float]:
    powers = range(len(figures.gains))
    return [figures.attacks[a][b] for a in powers for b in powers if a != b]


def _owned_in(year: int) -> Callable[[Figures], Sequence[float]]:
    return lambda figures: figures.centres[str(year)]


RANKED: Mapping[str, Callable[[Figures], Sequence[float]]] = {
    "gains 1901": lambda f: f.gains,
    **{f"centres {year}": _owned_in(year) for year in YEARS},
    "attacks 1901-02": _pairs,
    "survival": lambda f: f.survival,
    "solos": lambda f: f.solos,
}
"""The figures of which only the order of the powers, or of the pairs of powers, is compared."""
PLAIN = ("decided", "last_year", "moves", "holds", "supports", "convoys", "failed", "attacking", "foreign", "repeated")
"""The figures that are one number."""


# -- fitting -----------------------------------------------------------------------------------------------------------

RANGES: Mapping[str, tuple[float, float]] = {
    "free": (1, 8), "taking": (0.7, 2.5), "leader": (-1, 1.5), "peace": (0, 1), "patience": (0.2, 1),
    "keeping": (1, 8), "daring": (0, 5), "envy": (0, 4), "helping": (0, 6), "tiring": (6, 12),
    "whim": (0.2, 2.2), "surely": (0.1, 1),
}  # fmt: skip
"""Between what a taste is fitted."""


def distance(found: Figures, others: Figures) -> float:
    """Return how far figures are from others, 0 if they are the same: what fitting makes small."""
    ranked = (RANKED[name] for name in ("gains 1901", "centres 1905", "attacks 1901-02", "survival", "solos"))
    far: float = sum(
        1 - (ranks_agree(of(found), of(others)) + _correlation(of(found), of(others))) / 2 for of in ranked
    )
    far += sum(
        abs(getattr(found, name) - getattr(others, name)) for name in ("decided", "repeated", "supports", "foreign")
    )
    return far + _error(found.gains, others.gains) + _error(found.centres["1905"], others.centres["1905"]) / 2


def fitted(start: Tastes, to: Figures, *, rounds: int, games: int = 500, seed: int = 1) -> Tastes:
    """Return the best of tastes that come from `start` by small random steps, by `distance` of their games to figures.

    Every step changes some tastes of the best so far; all play `games` games with the same seed.
    """
    chance = np.random.default_rng(seed)
    best, least = start, distance(figures_of(games, seed=seed, seats=[start] * 7), to)
    for _ in range(rounds):
        steps: dict[str, Any] = {
            name: float(np.clip(getattr(best, name) + chance.normal(0, 0.15) * (high - low), low, high))
            for name, (low, high) in RANGES.items()
            if chance.random() < 1 / 3
        }
        if "tiring" in steps:
            steps["tiring"] = round(steps["tiring"])
        tried = best._replace(**steps)
        far = distance(figures_of(games, seed=seed, seats=[tried] * 7), to)
        if far < least:
            best, least = tried, far
    return best


def _correlation(a: Sequence[float] | Array, b: Sequence[float] | Array) -> float:
    return float(np.corrcoef(a, b)[0, 1]) if np.ptp(a) and np.ptp(b) else 0.0


def _error(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the root of the mean squared difference."""
    return float(np.sqrt(np.mean((np.asarray(a) - np.asarray(b)) ** 2)))


# -- simulated games ---------------------------------------------------------------------------------------------------


def figures_of(
    games: int, *, seed: int = 1, seats: Sequence[str | Tastes] = ("people",) * 7, until: int = LAST_YEAR
) -> Figures:
    """Return the figures of this number of games between these players, played in batches."""
    parts = []
    for first in range(0, games, BLOCK):
        size = min(BLOCK, games - first)
        watch = _Watch(Batch(find_variant("standard"), size, seed=seed, first=first, seats=seats))
        watch.play(until)
        parts.append((size, watch.figures()))
    return _mean(parts)


def _mean(parts: Sequence[tuple[int, Figures]]) -> Figures:
    """Return the mean of figures, each weighted with its number of games."""
    whole = sum(size for size, _ in parts)

    def mean(values: list[Any]) -> Any:
        first = values[0]
        if isinstance(first, dict):
            keys = dict.fromkeys(key for value in values for key in value)
            return {key: mean([value.get(key, 0.0) for value in values]) for key in keys}
        if isinstance(first, list):
            return [mean(list(each)) for each in zip(*values, strict=True)]
        return sum(size * value for (size, _), value in zip(parts, values, strict=True)) / whole

    columns = [asdict(figures) for _, figures in parts]
    return Figures(**{name: mean([column[name] for column in columns]) for name in columns[0]} | {"games": whole})


class _Watch:
    """Plays the games of a batch and counts what is done in them."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.place = batch, batch.tables.stances.place
        self.powers = [power.name for power in batch.variant.powers]
        games, powers = len(batch), len(self.powers) + 1
        self.start = batch.games.powers.centres[:, 1:].copy()
        self.centres: dict[int, Array] = {}
        self.attacks = np.zeros((games, powers, powers), np.bool_)
        self.last_year = np.zeros(games, np.int64)
        self.counts: dict[str, int] = {}
        self.first_orders: dict[str, dict[str, float]] = {}

    def play(self, until: int) -> None:
        """Play all games to their ends, or to the end of the year `until`."""
        tally = self.batch.games.tally
        while (phase := self.batch.phase).year <= until:
            going_on = tally[:, WINNER] == 0
            self.batch.draw()
            going_on &= tally[:, WINNER] == 0  # a draw ends a game before its movement
            self.last_year[going_on] = phase.year
            if phase.kind is PhaseKind.MOVEMENT:
                self._move(phase.year, going_on)
            else:
                self.batch.carry_out()
            if self.batch.variant.calendar.counts(phase):
                self.centres[phase.year] = self.batch.games.powers.centres[:, 1:].copy()

    def figures(self) -> Figures:
        """Return the figures of all games."""
        won, counts = self.batch.games.tally[:, WINNER], self.counts
        solos = [float((won == power).mean()) for power in range(1, len(self.powers) + 1)]
        orders, moves = max(1, counts["orders"]), max(1, counts["moves"])
        return Figures(
            games=len(self.batch),
            gains=(self.centres[YEARS[0]] - self.start).mean(axis=0).tolist(),
            centres={str(year): self.centres[year].mean(axis=0).tolist() for year in YEARS if year in self.centres},
            attacks=self.attacks.mean(axis=0)[1:, 1:].tolist(),
            survival=(self.batch.games.powers.fallen[:, 1:] == 0).mean(axis=0).tolist(),
            solos=solos,
            last_year=float(self.last_year.mean()),
            decided=sum(solos),
            **{name: counts[name] / orders for name in ("moves", "holds", "supports", "convoys")},
            **{name: counts[name] / moves for name in ("failed", "attacking", "repeated")},
            foreign=counts["foreign"] / max(1, counts["supports"]),
            first_orders=self.first_orders,
        )

    def _move(self, year: int, going_on: Array) -> None:
        """Carry out a movement of these games and count its orders."""
        g, t = self.batch.games, self.batch.tables
        rows = np.arange(g.orders.verb.shape[1])
        given = (rows > 0) & (rows <= g.tally[:, COUNT, None]) & going_on[:, None] & (g.units.owner > 0)
        if not self.first_orders:
            self.first_orders = self._first_orders()
        verb, owner, holder = g.orders.verb.copy(), g.units.owner.copy(), g.lands.holder.copy()
        at, goal = self.place[g.units.stance], np.where(g.orders.to >= 0, self.place[g.orders.to], -1)
        helped = np.take_along_axis(owner, g.orders.about.clip(0), axis=1)
        game, row = np.nonzero(given)
        tenant = np.zeros(holder.shape, np.int16)
        tenant[game, at[game, row]] = owner[game, row]
        self.batch.carry_out()
        moves, supports = given & ((verb == MOVE) | (verb == VIA)), given & (verb == SUPPORT)
        game, row = np.nonzero(moves)
        to, power = goal[game, row], owner[game, row]
        targets = tenant[game, to], np.where(np.asarray(t.ground.centre)[to] > 0, holder[game, to], 0)
        hostile = [(target > 0) & (target != power) for target in targets]
        if year in ATTACK_YEARS:
            for target, at_them in zip(targets, hostile, strict=True):
                self.attacks[game[at_them], power[at_them], target[at_them]] = True
        self._add(
            orders=given,
            moves=moves,
            holds=given & (verb == HOLD),
            supports=supports,
            convoys=given & (verb == CONVOY),
            failed=moves & (g.moved[:, CAME] == 0),
            attacking=hostile[0] | hostile[1],
            foreign=supports & (helped != owner),
            repeated=self.batch.memory.tries[game, at[game, row]] > 1,
        )

    def _add(self, **marks: Array) -> None:
        """Count what is marked."""
        for name, marked in marks.items():
            self.counts[name] = self.counts.get(name, 0) + int(marked.sum())

    def _first_orders(self) -> dict[str, dict[str, float]]:
        """Return, by unit, the shares of its orders in the first games of the batch."""
        found: dict[str, dict[str, float]] = {}
        games = min(len(self.batch), READ)
        for order in chain(*(orders for i in range(games) for orders in self.batch.orders(i).values())):
            shares = found.setdefault(_unit(order.kind, order.at), {})
            shares[_text(order)] = shares.get(_text(order), 0.0) + 1 / games
        return found


def _unit(kind: str, at: Location | None) -> str:
    return f"{kind} {at.province if at else ''}"


def _text(order: Order) -> str:
    """Return an order without coasts, as the figures of people have it: `A VEN - TYR`."""
    helped = f" {order.verb.phrase.short} {_unit(order.of_kind, order.of)}" if order.of else ""
    goal = f" - {order.to.province}" if order.to and order.to != order.of else ""
    return f"{_unit(order.kind, order.at)}{helped}{goal}" if helped or goal else f"{_unit(order.kind, order.at)} H"
