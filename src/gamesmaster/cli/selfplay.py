"""`selfplay`: the games of an experiment; and what it shares with `balance` and `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import RulebookText, rulebook_of
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, progress_bar, say, say_json

if TYPE_CHECKING:
    from gamesmaster.lab import Experiment, Run

GAMES = 100
"""How many games are played if nobody says."""
MOST_GAMES = 10_000_000
TOLD = 10
"""Failures told of a run; of the others only their number."""

Games = Annotated[
    int | None, typer.Option(metavar="N", help="How many games.", min=1, max=MOST_GAMES, show_default=False)
]
Players = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Names that rotate through the powers, or POWER=NAME with the others rotating; the last fills up.",
        show_default=False,
    ),
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="The seed of all games; 1 by default.", show_default=False)]
Until = Annotated[
    int | None, typer.Option(metavar="YEAR", help="The last year to play; 50 turns by default.", show_default=False)
]
Turns = Annotated[int | None, typer.Option(metavar="N", help="The most turns to play.", min=1, show_default=False)]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=CHOICE", help="An option of the variant; may be repeated.", show_default=False
    ),
]
InBatch = Annotated[
    bool,
    typer.Option(
        "--batch", help="Let compiled code play: several times as fast, with other random numbers and no special rules."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", help="The number of processes; by default one per processor.", min=1, show_default=False),
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers play.", show_default=False)
]
Patience = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="The time limit for a player in a phase; unlimited by default. A power whose player takes"
        " longer sends no orders then, so that such games depend on the machine.",
        min=0.001,
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        help="The folder; by default it is named after the experiment.",
        show_default=False,
    ),
]


def selfplay(
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
    records: Annotated[bool, typer.Option("--records", help="Keep the whole record of each game too.")] = False,
    output: Output = None,
    as_json: AsJson = False,
) -> None:
    """Play many games and keep them in a folder, for balance and compare.

    If a run was stopped, by Ctrl-C or by force, give the command again: it goes on where it stopped. You can also ask
    for more games later. The same experiment gives the same games on any machine.

    For example:

      gamesmaster selfplay standard --games 200 --turns 12 -o trial
      gamesmaster selfplay trial --games 500
      gamesmaster selfplay cline9 --players heuristic,random --games 90 --seed 7
      gamesmaster selfplay standard --games 5000 --cluster tcp://10.0.0.5:8786 -o big
    """
    experiment, folder = experiment_of(variant, players, seed, until, turns, option, rulebook, output, batch=batch)
    run = play_games(experiment, folder, games or GAMES, jobs, cluster, records=records, patience=patience)
    if as_json:
        failures = [{"game": f.number, "seed": f.seed, "why": f.why} for f in run.failures]
        told = {"folder": str(folder), "experiment": experiment.fingerprint, "games": run.games, "played": run.played}
        say_json({**told, "stopped": run.stopped, "failures": failures})
    else:
        say(f"{folder}: {many(run.games, 'game')}, {run.played:,} of them played now.")
    end(run)


def experiment_of(
    variant: str,
    players: str | None,
    seed: int | None,
    until: int | None,
    turns: int | None,
    option: list[str] | None,
    rulebook: str | None,
    output: Path | None,
    *,
    batch: bool = False,
) -> tuple[Experiment, Path]:
    """The experiment that a command line means, and its folder: one that is there, or a new one's."""
    from gamesmaster.lab.experiment import Experiment, read_experiment
    from gamesmaster.lab.store import EXPERIMENT, is_experiment

    needed()
    if until is not None and turns is not None:
        raise typer.BadParameter("give either a last year or a number of turns, not both", param_hint="--turns")
    folder = Path(variant)
    if is_experiment(folder):
        if any(x is not None for x in (players, seed, until, turns, rulebook, output)) or option or batch:
            raise typer.BadParameter(
                f"{variant} is an experiment's folder, and says who plays what", param_hint="VARIANT"
            )
        return read_experiment(folder / EXPERIMENT), folder
    made = Experiment.of(
        with_options(variant, option or []),
        players or "heuristic",
        seed=1 if seed is None else seed,
        until=until,
        turns=turns,
        rulebook=rulebook_of(rulebook),
        batch=batch,
    )
    return made, output or Path(f"{Path(variant.partition('[')[0]).stem}-{made.fingerprint[:8]}")


def with_options(variant: str, options: list[str]) -> str:
    """A variant's name with these options beside those that it names in brackets."""
    from gamesmaster.variant import full_name, split_name

    if not options:
        return variant
    name, chosen = split_name(variant)
    return full_name(name, {**chosen, **split_name(f"{name}[{','.join(options)}]")[1]})


def play_games(
    experiment: Experiment,
    folder: Path,
    games: int,
    jobs: int | None,
    cluster: str | None,
    *,
    records: bool = False,
    patience: float | None = None,
) -> Run:
    """Play what is missing, with a bar; tells of games that failed, and of players who did not answer."""
    from gamesmaster.lab.run import selfplay

    with progress_bar(rate=True) as tell:
        run = selfplay(
            experiment, folder, games, jobs=jobs or -1, cluster=cluster or "", records=records, patience=patience,
            tell=tell,
        )  # fmt: skip
    for failure in run.failures[:TOLD]:
        complain("warning", str(failure))
    if len(run.failures) > TOLD:
        complain("warning", f"{len(run.failures) - TOLD:,} more games failed")
    for lapses in run.lapses[:TOLD]:
        complain("warning", str(lapses))
    if run.stopped:
        complain("note", f"stopped; {many(run.games, 'game')} of {games:,} are kept, and the same command goes on")
    return run


def end(run: Run) -> None:
    """Leave with the exit code of a run."""
    if run.stopped or run.failures:
        raise typer.Exit(ExitCode.FAILED)


def needed() -> None:
    """See that the libraries of the lab are there; raises `GamesmasterError` if they are not."""
    from importlib.util import find_spec

    from gamesmaster.errors import GamesmasterError, install

    for name in ("joblib", "numpy", "scipy", "matplotlib"):
        if find_spec(name) is None:
            raise GamesmasterError(f"the lab needs {name}", hint=install("lab"))
