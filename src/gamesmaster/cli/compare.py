"""`compare`: two experiments against each other, game by game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import RulebookText
from gamesmaster.cli.console import AsJson, many, say, say_json, table
from gamesmaster.cli.selfplay import (
    GAMES,
    Cluster,
    Games,
    InBatch,
    Jobs,
    Output,
    Patience,
    Players,
    Seed,
    Turns,
    Until,
    end,
    experiment_of,
    play_games,
)

if TYPE_CHECKING:
    from gamesmaster.lab import Comparison, Experiment, GameSummary


def compare(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A variant, or an experiment's folder.", show_default=False)
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.", show_default=False)],
    games: Games = None,
    players: Players = None,
    players_b: Annotated[
        str | None, typer.Option(metavar="LIST", help="Who plays B, if not the same players.", show_default=False)
    ] = None,
    seed: Seed = None,
    until: Until = None,
    turns: Turns = None,
    rulebook: RulebookText = None,
    rulebook_b: Annotated[
        str | None, typer.Option(metavar="CHOICES", help="B's rulebook, if not the same one.", show_default=False)
    ] = None,
    batch: InBatch = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    patience: Patience = None,
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Compare two variants, rulebooks or players: what differs, how certainly, and how many more games would settle it.

    Game by game, both have the same random numbers and the same seats. Missing games are played first, into the folders
    DIR/a and DIR/b; folders of selfplay named as A or B are used as they are, unless --games asks for more games. With
    --output, DIR also gets a page with pictures, compare.html, and the same numbers as compare.json and compare.csv.

    For example:

      gamesmaster compare cline9 "cline9[turkey=fleet-smyrna]" --games 300 --turns 12 -o smyrna
      gamesmaster compare standard standard --players heuristic,random --players-b random -o bots
      gamesmaster compare trial-a trial-b
    """
    from gamesmaster.lab.store import is_experiment

    runs, sides = [], []
    for letter, name, who, book in (
        ("a", first, players, rulebook),
        ("b", second, players_b or players, rulebook_b or rulebook),
    ):
        if is_experiment(Path(name)):
            experiment, folder = experiment_of(name, None, None, None, None, None, None, None)
            wanted = games or len(_games(folder)[1])
        else:
            experiment, folder = experiment_of(
                name, who, seed, until, turns, None, book, output / letter if output else None, batch=batch
            )
            wanted = games or GAMES
        run = play_games(experiment, folder, wanted, jobs, cluster, patience=patience)
        runs.append(run)
        if run.stopped:
            end(run)
        sides.append(_games(folder))
    _tell(sides, as_json, output)
    for run in runs:
        end(run)


def _games(folder: Path) -> tuple[Experiment, list[GameSummary]]:
    from gamesmaster.lab import read_games

    return read_games(folder)


def _tell(sides: list[tuple[Experiment, list[GameSummary]]], as_json: bool, output: Path | None) -> None:
    from gamesmaster.lab import compare as compared
    from gamesmaster.lab import write_comparison
    from gamesmaster.lab.comparison import comparison_data

    found = compared(*sides)
    page = write_comparison(found, output) if output else None
    if as_json:
        say_json(comparison_data(found))
    else:
        _say(found)
        if page:
            say(f"\n{page}")


def _say(found: Comparison) -> None:
    if not found.differences:
        say(f"The two are the same in all of {many(found.pairs, 'pair')} of games.")
        return
    rows = []
    for d in sorted(found.differences, key=lambda d: (d.corrected, d.p)):
        bounds = f"{d.difference.low:+.3f} to {d.difference.high:+.3f}" if d.difference.low is not None else "-"
        more = "settled" if d.sure else "-" if d.more is None else f"{d.more:,}"
        seen = f"{d.difference.value:+.3f}"
        rows.append((d.what, f"{d.first:.3f}", f"{d.second:.3f}", seen, bounds, f"{d.corrected:.3f}", more))
    table(("over each game", "A", "B", "B - A", "95% interval", "p", "games more"), rows)
    sure = sum(d.sure for d in found.differences)
    say(
        f"\n{many(found.pairs, 'pair')} of games; {many(sure, 'difference')} of {len(rows)} more than chance (p < 0.05,"
    )
    say("corrected for looking at so many things); games more: to be sure of a difference as large as the one seen")
