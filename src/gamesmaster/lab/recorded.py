"""Recorded games of people as those of an experiment, for the same reports as games of players."""

from __future__ import annotations

from pathlib import Path

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.experiment import Experiment
from gamesmaster.lab.outcome import GameSummary, summary_of
from gamesmaster.players import Match

RECORDED = "recorded"
"""The player of every power in a recorded game."""


def read_recorded(*files: Path) -> tuple[Experiment, list[GameSummary]]:
    """Return the games in files of other programs, each adjudicated again, in the order of the files.

    The experiment has no seed or length of its own: nothing can be played on.  Raises what `formats.import_games`
    raises, and `GamesmasterError` for games of more than one variant.
    """
    from gamesmaster.formats import import_games

    games = [imported.game for imported in import_games(*files)]
    variants = {game.variant.id: game.variant for game in games}
    if len(variants) != 1:
        raise GamesmasterError(
            f"games of {', '.join(sorted(variants)) or 'no variant'}, not of one", hint="give each variant its own file"
        )
    (variant,) = variants.values()
    seats = {power.name: RECORDED for power in variant.powers}
    experiment = Experiment(variant=variant.id, digest=variant.digest, fixed=seats, seed=0)
    return experiment, [summary_of(experiment, number, Match(game)) for number, game in enumerate(games)]
