"""The balance of a variant over many games: results of each power, fairness, attacks, and ends of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import FinalCount, ScoringSystem, scoring_system
from gamesmaster.lab.experiment import Experiment, find, read_as
from gamesmaster.lab.outcome import GameSummary, Lapses, Missing, lapses_of, missing_of, with_warning
from gamesmaster.lab.statistics import (
    LEAST_GAMES,
    Estimate,
    Fairness,
    Floats,
    Samples,
    Truths,
    indices,
    mean,
    samples,
)

LARGEST = 16 * 1024 * 1024  # bytes of a file: 100 powers over 50 turns take less
DEEPEST = 5
MOST_OPENINGS = 8
"""Openings told of each power; the others are only counted."""
STILL = 3
"""Counts without a change of owner after which a game that goes on is held to be stuck."""
UNDECIDED, NOBODY = "undecided", "nobody left"
ENDINGS = ("victory", "shared victory", "draw", "concession", NOBODY, UNDECIDED)
ATTACKS = ("supported attacks", "dislodgements", "captures")


@dataclass(frozen=True, slots=True)
class PowerBalance:
    """The results of a power, as shares of games or means over games."""

    power: str
    wins: Estimate  # the share that it won alone
    draws: Estimate  # the share of shared victories
    victory: Estimate  # the mean of its part of the victory
    leads: Estimate  # the mean of its part in having most centres at the end
    survival: Estimate  # a share
    centres: Estimate  # at the end
    owned: Estimate  # the mean of their part of all that are owned
    first_gain: Estimate  # centres won by the first count
    by_year: dict[int, Estimate]  # mean centres
    alive: dict[int, Estimate]  # by year: the share in which it was still alive at the end
    points: Estimate | None = None  # its mean points by `Balance.scoring`


@dataclass(frozen=True, slots=True)
class Opening:
    """A power's orders for the first movement: in how many games it gave them, and what these games came to."""

    power: str
    orders: str
    games: int
    victory: Estimate
    centres: Estimate
    first_gain: Estimate


@dataclass(frozen=True, slots=True)
class PlayerBalance:
    """The results of a player over all its seats: means of a seat's share of the victory, lead and centres, by game."""

    player: str
    seats: int
    victory: Estimate
    leads: Estimate
    owned: Estimate


@dataclass(frozen=True, slots=True)
class Balance:
    """The results of games.

    Without the games that are `missing` all numbers are biased.
    """

    experiment: Experiment
    games: int
    powers: tuple[PowerBalance, ...]
    players: tuple[PlayerBalance, ...]
    endings: dict[str, Estimate]  # the shares of games by ending
    turns: Estimate  # the mean
    lengths: dict[int, int]
    phases: Estimate  # the mean
    stuck: Estimate  # the share of games that ended without a centre changing hands for `STILL` counts
    stillest: Estimate  # the mean of the most counts in a row without a change
    fairness: tuple[Fairness, ...]  # without an index of what is too rare
    attacks: dict[str, dict[str, dict[str, float]]]  # means per game: by kind, attacker and attacked ("" is nobody)
    openings: tuple[Opening, ...]
    played: dict[str, int]  # how many openings of each power
    lapses: tuple[Lapses, ...]  # the players that left questions without an answer
    missing: Missing | None = None  # games that should have been played as well
    early: bool = False  # the intervals and probabilities hold at every look
    scoring: str = ""  # the system by which games are scored, if any

    @property
    def decided(self) -> int:
        """Return how many games were won, by one player or several."""
        return round(self.games * (1 - self.endings[UNDECIDED].value - self.endings[NOBODY].value))


def balance_of(
    experiment: Experiment, games: Sequence[GameSummary], *, asked: int = 0, early: bool = False, scoring: str = ""
) -> Balance:
    """Return the balance of a variant by these games of an experiment.

    `early` is for those who look before all games are played, and stop when they please: wider intervals, that hold at
    every look.
    `scoring` is a system of `SCORING_SYSTEMS`; games that were broken off are scored as draws of the survivors.
    There should be the first `asked` games, and all up to the last one; `Balance.missing` lists those missing. Raises
    `NotFound` for an unknown system, `GamesmasterError` if the games are fewer than two, or all too short.
    """
    if len(games) < LEAST_GAMES:
        raise GamesmasterError(
            f"{len(games)} game{'' if len(games) == 1 else 's'} cannot show how balanced a variant is",
            hint=f"at least {LEAST_GAMES} are needed, preferably hundreds",
        )
    if not any(game.centres for game in games):
        raise GamesmasterError("no game lasted until the first count of centres", hint="let more turns be played")
    games = sorted(games, key=lambda game: game.number)
    points = _points(experiment, games, scoring_system(scoring)) if scoring else None
    table = samples(experiment, games)
    rng = np.random.default_rng(experiment.seed)  # the same games give the same report
    endings = np.array([_ending(game) for game in games])
    stuck = np.array([not game.ending and game.still >= STILL for game in games])
    return Balance(
        experiment=experiment,
        games=len(games),
        powers=tuple(
            replace(_power(table, n, early=early), points=None if points is None else mean(points[:, n], early=early))
            for n in range(len(table.powers))
        ),
        players=tuple(_players(table, games, early=early)),
        endings={ending: mean(endings == ending, most=1, early=early) for ending in ENDINGS},
        turns=mean(_column([game.turns for game in games]), early=early),
        lengths=dict(sorted(Counter(game.turns for game in games).items())),
        phases=mean(_column([game.phases for game in games]), early=early),
        stuck=mean(stuck, most=1, early=early),
        stillest=mean(_column([game.stillest for game in games]), early=early),
        fairness=tuple(
            entry
            for of, values in (("victory", table.victory), ("lead", table.lead), ("centres", table.owned))
            for entry in indices(of, values, rng, early=early)
        ),
        attacks=_attacks(table.powers, games),
        openings=tuple(o for n in range(len(table.powers)) for o in _openings(table, games, n, early=early)),
        played={power: len({game.openings.get(power, "") for game in games}) for power in table.powers},
        lapses=lapses_of(games),
        missing=missing_of({game.number for game in games}, asked),
        early=early,
        scoring=scoring,
    )


def _points(experiment: Experiment, games: Sequence[GameSummary], system: ScoringSystem) -> Floats:
    """Return the points by game and power."""
    board = len(find(experiment.variant).board.centres)
    rows = []
    for game in games:
        centres = dict(zip(experiment.powers, game.final, strict=True))
        points = system.scores(FinalCount(centres, board, game.winners or game.alive, game.out))
        rows.append([float(points[power]) for power in experiment.powers])
    return np.array(rows, dtype=np.float64)


def _column(values: Sequence[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def _ending(game: GameSummary) -> str:
    if game.ending == "victory" and len(game.winners) != 1:
        return "shared victory" if game.winners else NOBODY
    return game.ending or UNDECIDED


def _power(table: Samples, k: int, *, early: bool) -> PowerBalance:
    def part(values: Floats | Truths) -> Estimate:
        return mean(values, most=1, early=early)

    def centres(values: Floats, least: float = 0) -> Estimate:
        return mean(values, least=least, most=table.most, early=early)

    return PowerBalance(
        power=table.powers[k],
        wins=part(table.won[:, k]),
        draws=part(table.shared[:, k]),
        victory=part(table.victory[:, k]),
        leads=part(table.lead[:, k]),
        survival=part(table.alive[:, k]),
        centres=centres(table.final[:, k]),
        owned=part(table.owned[:, k]),
        first_gain=centres(table.first[:, k] - table.start[:, k], -table.most),
        by_year={year: centres(table.centres[:, y, k]) for y, year in enumerate(table.years)},
        alive={year: part(table.living[:, y, k]) for y, year in enumerate(table.years)},
    )


def _players(table: Samples, games: Sequence[GameSummary], *, early: bool) -> list[PlayerBalance]:
    """Return each player's rows; within a game its seats are averaged first, since they are not independent."""
    names = sorted({name for game in games for name in game.seats.values()})
    found = []
    for name in names:
        mask = np.array([[game.seats.get(power) == name for power in table.powers] for game in games])
        there = mask.any(axis=1)
        weights = mask[there] / mask[there].sum(axis=1, keepdims=True)
        victory, leads, owned = (
            (part[there] * weights).sum(axis=1) for part in (table.victory, table.lead, table.owned)
        )
        found.append(
            PlayerBalance(
                player=name,
                seats=int(mask.sum()),
                victory=mean(victory, most=1, early=early),
                leads=mean(leads, most=1, early=early),
                owned=mean(owned, most=1, early=early),
            )
        )
    return found


def _attacks(powers: Sequence[str], games: Sequence[GameSummary]) -> dict[str, dict[str, dict[str, float]]]:
    whole: dict[str, Counter[tuple[str, str]]] = {kind: Counter() for kind in ATTACKS}
    for game in games:
        for who, whom, *counts in game.attacks:
            for kind, count in zip(ATTACKS, counts, strict=True):
                whole[kind][who, whom] += count
    return {
        kind: {who: {whom: sums[who, whom] / len(games) for whom in (*powers, "")} for who in powers}
        for kind, sums in whole.items()
    }


def _openings(table: Samples, games: Sequence[GameSummary], k: int, *, early: bool) -> list[Opening]:
    """Return the openings of a power that were seen most often, those seen once left out."""
    power = table.powers[k]
    rows: dict[str, list[int]] = {}
    for number, game in enumerate(games):
        rows.setdefault(game.openings.get(power, ""), []).append(number)
    usual = sorted(
        (orders for orders in rows if len(rows[orders]) > 1), key=lambda orders: (-len(rows[orders]), orders)
    )
    return [
        Opening(
            power=power,
            orders=orders,
            games=len(rows[orders]),
            victory=mean(table.victory[rows[orders], k], most=1, early=early),
            centres=mean(table.final[rows[orders], k], most=table.most, early=early),
            first_gain=mean(
                table.first[rows[orders], k] - table.start[rows[orders], k],
                least=-table.most,
                most=table.most,
                early=early,
            ),
        )
        for orders in usual[:MOST_OPENINGS]
    ]


def balance_data(balance: Balance) -> dict[str, Any]:
    """Return it as JSON data, for `read_balance`; a warning of missing games comes first."""
    return with_warning(asdict(balance), balance.missing)


def read_balance(file: Path) -> Balance:
    """Return the balance in a file, such as the `balance.json` of a report.

    Raises `NotFound` for a missing file, `BadFile` for a file of another form.
    """
    return read_as(Balance, file, limit=LARGEST, depth=DEEPEST)
