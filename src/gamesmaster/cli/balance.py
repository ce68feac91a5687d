"""`balance`: what many games say of a variant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import RulebookText
from gamesmaster.cli.console import AsJson, say, say_json, table
from gamesmaster.cli.selfplay import (
    GAMES,
    Cluster,
    Games,
    InBatch,
    Jobs,
    Options,
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
    from gamesmaster.lab import Balance, Estimate


def balance(
    variant: Annotated[
        str, typer.Argument(metavar="[VARIANT]", help="A variant, or an experiment's folder.")
    ] = "standard",
    games: Games = None,
    players: Players = None,
    seed: Seed = None,
    until: Until = None,
    turns: Turns = None,
    option: Options = None,
    rulebook: RulebookText = None,
    batch: InBatch = False,
    jobs: Jobs = None,
    cluster: Cluster = None,
    patience: Patience = None,
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Say how fair a variant is: play games, and report how each power does.

    The games are those of selfplay, in the same folder; only missing games are played. The folder gets a page with all
    numbers, intervals and plots, balance.html, and the same numbers as balance.json and CSV files.

    For example:

      gamesmaster balance standard --games 500 --turns 15 -o trial
      gamesmaster balance trial
      gamesmaster balance cline9 --option turkey=fleet-smyrna --turns 12
    """
    experiment, folder = experiment_of(variant, players, seed, until, turns, option, rulebook, output, batch=batch)
    from gamesmaster.lab import balance_of, read_games, write_report
    from gamesmaster.lab.balance import balance_data
    from gamesmaster.lab.statistics import LEAST_GAMES
    from gamesmaster.lab.store import is_experiment

    kept = len(read_games(folder)[1]) if is_experiment(folder) else 0
    wanted = games or kept or GAMES
    if max(wanted, kept) < LEAST_GAMES:
        raise typer.BadParameter(f"at least {LEAST_GAMES} games, preferably hundreds", param_hint="--games")
    run = play_games(experiment, folder, wanted, jobs, cluster, patience=patience)
    if not run.games:
        end(run)
    found = balance_of(*read_games(folder))
    page = write_report(found, folder)
    if as_json:
        say_json(balance_data(found))
    else:
        _say(found)
        say(f"\n{page}")
    end(run)


def _say(balance: Balance) -> None:
    heads = ("power", "wins", "part of leads", "survives", "centres", "first gain")
    rows = [
        (p.power, percent(p.wins), percent(p.leads), percent(p.survival), number(p.centres), number(p.first_gain))
        for p in balance.powers
    ]
    table(heads, rows)
    say()
    for entry in balance.fairness:
        if entry.index == "evenness":
            found = "-" if entry.found is None else f"{entry.found:.3f}"
            fair = number(entry.fair, 3) if entry.fair else "-"
            say(f"evenness of {entry.of}: {found}; a fair game: {fair}; p = {entry.p:.3f}")
    say(f"{balance.games:,} games, {balance.decided:,} of them decided")


def percent(value: Estimate) -> str:
    """A share with its interval: `12% (8-17)`."""
    if value.low is None or value.high is None:
        return f"{100 * value.value:.0f}%"
    return f"{100 * value.value:.0f}% ({100 * value.low:.0f}-{100 * value.high:.0f})"


def number(value: Estimate, digits: int = 1) -> str:
    """A number with its interval: `4.2 (3.9 to 4.5)`."""
    if value.low is None or value.high is None:
        return f"{value.value:.{digits}f}"
    return f"{value.value:.{digits}f} ({value.low:.{digits}f} to {value.high:.{digits}f})"
