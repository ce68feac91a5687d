"""Games made up for tests of what is reckoned from games, and small experiments that are quickly played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gamesmaster.lab import Experiment, GameSummary, Turns

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
START = (3, 3, 3, 3, 3, 4, 3)
QUICK = Experiment.of("standard", "random", until=Turns(1), seed=5)
"""An experiment whose games take a tenth of a second."""


def made(
    number: int,
    centres: Mapping[int, Sequence[int]],
    winners: Sequence[str] = (),
    *,
    ending: str = "",
    out: Mapping[str, int] | None = None,
    experiment: Experiment = QUICK,
) -> GameSummary:
    """A game of the regular variant with these centres by year."""
    gone = dict(out or {})
    return GameSummary(
        number=number,
        seed=experiment.seed_of(number).hex(),
        seats=experiment.seats(number),
        ending=ending or ("victory" if winners else ""),
        winners=tuple(winners),
        phase="F1901M",
        phases=4,
        turns=len(centres),
        start=START,
        centres={year: tuple(counts) for year, counts in centres.items()},
        alive=tuple(power for power in POWERS if power not in gone),
        out=gone,
        openings={"France": "A Par H" if number % 2 else "A Par - Bur"},
        attacks=(("France", "Germany", 2, 1, 1), ("France", "", 0, 0, 3)),
        still=0,
        stillest=1,
        lapses=0,
    )


def numbered(games: Sequence[GameSummary], experiment: Experiment = QUICK) -> list[GameSummary]:
    """Games with the numbers from 0 on, and what hangs on them."""
    return [
        replace(
            game,
            number=n,
            seed=experiment.seed_of(n).hex(),
            seats=experiment.seats(n),
            openings={"France": "A Par H" if n % 2 else "A Par - Bur"},
        )
        for n, game in enumerate(games)
    ]
