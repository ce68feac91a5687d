"""A league: one of one player against all of another, in all seats and both ways round, and how strong each one is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize

from gamesmaster.errors import GamesmasterError
from gamesmaster.files import write_folder
from gamesmaster.lab.experiment import Experiment, read_as
from gamesmaster.lab.outcome import GameSummary
from gamesmaster.lab.statistics import Estimate, Floats, estimate, mean

NUMBERS = "league.json"
LARGEST, DEEPEST = 1024 * 1024, 4
POINTS = 400 / np.log(10)
"""Points of strength in a difference of log odds of one: with 100 more, a seat is ahead in 64 of 100 pairs of seats."""
SAMPLES = 200
"""Leagues that are drawn anew from the games for the bounds of strengths."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Games of one player in one seat against another in all others.

    Means over `games`: `ahead`, the part of the other seats that it ends before, a victory being before all centres and
    an equal end a half; `centres` and `victory`, its parts of all owned centres and of the victory.
    """

    one: str
    others: str
    games: int
    ahead: Estimate
    centres: Estimate
    victory: Estimate


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's strength in points (`POINTS`), 0 for the mean of the league."""

    player: str
    points: Estimate


@dataclass(frozen=True, slots=True)
class League:
    """The meetings of all pairs of players in a variant until a year, and their strengths, the strongest first."""

    variant: str
    until: int | None
    meetings: tuple[Meeting, ...]
    strengths: tuple[Strength, ...]


Results = Mapping[tuple[str, str], tuple[Experiment, Sequence[GameSummary]]]
"""By the player in one seat and the one in all others: the experiment of their games, and the games."""


def league_of(results: Results) -> League:
    """Return the league of these games; raises `GamesmasterError` if any two players have not met both ways round.

    Strengths are those of Bradley and Terry (Biometrika 39, 1952): each game is one comparison of its lone seat with
    all others.  Their bounds come from leagues drawn anew from the games.
    """
    players = sorted({name for pair in results for name in pair})
    if len(players) < 2 or any((a, b) not in results for a in players for b in players if a != b):
        raise GamesmasterError("a league needs two players or more, each of whom has met all others both ways round")
    seats = {pair: _lone_seats(*games) for pair, games in results.items()}
    meetings = tuple(
        Meeting(one, others, len(rows), *(mean(column, most=1) for column in rows.T))
        for (one, others), rows in seats.items()
    )
    experiment, _ = next(iter(results.values()))
    rng = np.random.default_rng(experiment.seed)
    ahead = {pair: rows[:, 0] for pair, rows in seats.items()}
    points = _points(players, ahead)
    drawn = [_points(players, {pair: rng.choice(x, len(x)) for pair, x in ahead.items()}) for _ in range(SAMPLES)]
    strengths = (Strength(name, estimate(points[n], np.array(drawn)[:, n])) for n, name in enumerate(players))
    order = sorted(strengths, key=lambda strength: -strength.points.value)
    return League(experiment.variant, experiment.until, meetings, tuple(order))


def _lone_seats(experiment: Experiment, games: Sequence[GameSummary]) -> Floats:
    """Return a row for each game: what its lone seat is ahead of, its part of the centres, and of the victory."""
    rows = []
    for game in games:
        ends = {
            power: (power in game.winners, count) for power, count in zip(experiment.powers, game.final, strict=True)
        }
        lone = experiment.first_seat(game.number)
        others = [end for power, end in ends.items() if power != lone]
        ahead = sum((ends[lone] > end) + (ends[lone] == end) / 2 for end in others) / len(others)
        victory = (lone in game.winners) / max(1, len(game.winners))
        rows.append((ahead, ends[lone][1] / max(1, sum(game.final)), victory))
    return np.array(rows, np.float64)


def _points(players: Sequence[str], ahead: Mapping[tuple[str, str], Floats]) -> Floats:
    """Return the strengths of players by what each lone seat was ahead of, game by game, in points around 0."""
    place = {name: n for n, name in enumerate(players)}
    won = np.full((len(players), len(players)), 0.5)  # half a win each way, so that none is infinite
    for (one, others), values in ahead.items():
        won[place[one], place[others]] += values.sum()
        won[place[others], place[one]] += (1 - values).sum()
    np.fill_diagonal(won, 0)

    def unlikely(strengths: Floats) -> tuple[float, Floats]:
        odds = strengths[:, None] - strengths[None, :]
        surprise = won / (1 + np.exp(odds))
        return float((won * np.logaddexp(0, -odds)).sum()), surprise.sum(axis=0) - surprise.sum(axis=1)

    found = optimize.minimize(unlikely, np.zeros(len(players)), jac=True).x
    return np.asarray((found - found.mean()) * POINTS)


def league_data(league: League) -> dict[str, Any]:
    """Return it as JSON data, for `read_league`."""
    return asdict(league)


def write_league(league: League, folder: Path) -> Path:
    """Write `league.json` into a folder and return it."""
    text = json.dumps(league_data(league), indent=1, allow_nan=False)
    write_folder(folder, {NUMBERS: f"{text}\n".encode()})
    return folder / NUMBERS


def read_league(file: Path) -> League:
    """Return the league in a file; raises `NotFound` for a missing file, `BadFile` for a file of another form."""
    return read_as(League, file, limit=LARGEST, depth=DEEPEST)
