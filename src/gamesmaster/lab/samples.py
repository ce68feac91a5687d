"""Games as arrays: a row a game, a column a power (and a year), for everything that is reckoned from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.intervals import Floats
from gamesmaster.lab.outcome import GameSummary

Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Samples:
    """What games came to.

    By game and power: `start` and `final` are centres, `first` those at the first count; `victory` is the share of the
    victory, `lead` the share in having most centres at the end, `owned` the share of all centres owned at the end;
    `won` is a victory alone, `shared` one with others, `alive` whether it still took part.  By game, year and power:
    `centres` and `living`; a game that is over keeps its last counts.
    """

    powers: tuple[str, ...]
    years: tuple[int, ...]
    start: Floats
    first: Floats
    final: Floats
    victory: Floats
    lead: Floats
    owned: Floats
    won: Truths
    shared: Truths
    alive: Truths
    centres: Floats
    living: Truths


def samples(powers: Sequence[str], games: Sequence[GameSummary]) -> Samples:
    """Games as arrays; raises `GamesmasterError` if there are none."""
    if not games:
        raise GamesmasterError("no game has been played")
    years = tuple(sorted({year for game in games for year in game.centres}))
    final = np.array([game.final for game in games], dtype=np.float64)
    among = np.array([[power in game.winners for power in powers] for game in games])
    winners = among.sum(axis=1, keepdims=True)
    leading = final == final.max(axis=1, keepdims=True)
    return Samples(
        powers=tuple(powers),
        years=years,
        start=np.array([game.start for game in games], dtype=np.float64),
        first=np.array([game.centres[min(game.centres)] if game.centres else game.start for game in games], np.float64),
        final=final,
        victory=_divided(among),
        lead=_divided(leading),
        owned=np.asarray(final / np.maximum(final.sum(axis=1, keepdims=True), 1)),
        won=among & (winners == 1),
        shared=among & (winners > 1),
        alive=np.array([[power in game.alive for power in powers] for game in games]),
        centres=np.array([_carried(game, years) for game in games], np.float64).reshape(len(games), -1, len(powers)),
        living=np.array([_living(game, powers, years) for game in games], bool).reshape(len(games), -1, len(powers)),
    )


def _divided(values: Truths) -> Floats:
    """Each game's whole divided equally among those for whom it is true; nothing where it is true for nobody."""
    whole = values.sum(axis=1, keepdims=True)
    return np.asarray(values / np.maximum(whole, 1))


def _carried(game: GameSummary, years: Sequence[int]) -> list[tuple[int, ...]]:
    """The centres in each year; in years without a count, those of the count before."""
    rows, last = [], game.start
    for year in years:
        last = game.centres.get(year, last)
        rows.append(last)
    return rows


def _living(game: GameSummary, powers: Sequence[str], years: Sequence[int]) -> list[list[bool]]:
    """Who was still in the game when each year was over."""
    return [[power not in game.out or year < game.out[power] for power in powers] for year in years]
