"""`league`: many games that say which players are strong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gamesmaster.cli.arguments import grouped
from gamesmaster.cli.console import AsJson, say, say_json, table
from gamesmaster.cli.lab import (
    Output,
    RunOptions,
    VariantOptions,
    VariantOrFolder,
    end,
    experiment_of,
    number,
    percent,
    play_games,
)

if TYPE_CHECKING:
    from gamesmaster.lab import League


@grouped
def league(
    variant: VariantOrFolder = "standard",
    chosen: VariantOptions = VariantOptions(),
    work: RunOptions = RunOptions(),
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Say which players are strong: each plays one seat against another in all others, both ways round.

    --players names two or more. Each pair plays twice as many games as there are powers each way round, or --games: so
    everyone has every seat equally often. With two players on the standard board this is the match of fourteen games by
    which programs are compared. The folder keeps the games of each pair and league.json; only missing games are played.

    For example:

      gamesmaster league --players bots/mine.py:Mine,dumbbot --turns 10 -o match
      gamesmaster league cline9 --players people,heuristic,dumbbot --games 9 --turns 10 -o league
    """
    from gamesmaster.lab import league_data

    names = [name.strip() for name in (chosen.players or "").split(",")]
    if len(set(names)) < max(2, len(names)) or output is None:
        raise typer.BadParameter("name two players or more, each once, and a folder with -o", param_hint="--players")
    found = play_league(variant, names, chosen, work, output)
    if as_json:
        say_json(league_data(found))
    else:
        _say_league(found)


def play_league(variant: str, names: list[str], chosen: VariantOptions, work: RunOptions, folder: Path) -> League:
    """Play the missing games of a league of these players in a folder, write its numbers there and return them."""
    from itertools import permutations

    from gamesmaster.lab import league_of, read_games, write_league

    results = {}
    for one, others in permutations(names, 2):
        place = folder / f"{names.index(one) + 1}-{names.index(others) + 1}"
        experiment, _ = experiment_of(variant, replace(chosen, players=f"{one},{others}"), place)
        run = play_games(experiment, place, work.games or 2 * len(experiment.powers), work)
        if run.stopped or run.failures:
            end(run)
        results[one, others] = read_games(place)
    found = league_of(results)
    write_league(found, folder)
    return found


def _say_league(found: League) -> None:
    table(("player", "points"), [(s.player, number(s.points, 0)) for s in found.strengths])
    say()
    table(
        ("one", "others", "games", "ahead of", "part of centres", "of victories"),
        [
            (m.one, m.others, f"{m.games:,}", percent(m.ahead), percent(m.centres), percent(m.victory))
            for m in found.meetings
        ],
    )
    say("\npoints: 0 is the mean of the league; with 100 more, a seat ends ahead in 64 of 100 pairs of seats.")
    say("ahead of: the part of the other seats that the one ends before, by victory or centres; equals have a half")
