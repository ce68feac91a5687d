"""Many games: `selfplay` plays them, `balance` and `compare` say what they show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import LastYear, RulebookText, complete_variant, grouped, rulebook_of
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, progress_bar, say, say_alarm, say_json, table
from gamesmaster.errors import GamesmasterError, install

if TYPE_CHECKING:
    from gamesmaster.lab import Balance, Comparison, Estimate, Experiment, Missing, Run

GAMES = 100
"""The default number of games."""
PLAYERS = "people"
"""The default player of all powers: the one whose games are most like people's (docs/calibration.md)."""
MOST_GAMES = 10_000_000
MOST_LISTED = 10
"""Failures told of a run; of the others only their number."""


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """Which games are played."""

    players: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Names that change powers from game to game, or POWER=NAME for one that stays; the last fills up.",
        ),
    ] = None
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of all games; 1 by default.")] = None
    until: LastYear = None
    turns: Annotated[int | None, typer.Option(metavar="N", help="The most turns to play.", min=1)] = None
    rulebook: RulebookText = None
    batch: Annotated[
        bool | None,
        typer.Option(
            help="Let compiled code play, several times as fast, with other random numbers; by default where it can."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class VariantOptions(ExperimentOptions):
    """Which games of one variant are played."""

    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=CHOICE", help="An option of the variant; may be repeated."),
    ] = None


@dataclass(frozen=True, slots=True)
class ComparedOptions(ExperimentOptions):
    """Which games of two sides are played."""

    players_b: Annotated[str | None, typer.Option(metavar="LIST", help="Who plays B, if not the same players.")] = None
    rulebook_b: Annotated[str | None, typer.Option(metavar="CHOICES", help="B's rulebook, if not the same one.")] = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How many games are played, and by which processes."""

    games: Annotated[int | None, typer.Option(metavar="N", help="How many games.", min=1, max=MOST_GAMES)] = None
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="The number of processes; by default one per processor.", min=1)
    ] = None
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers play.")] = None
    patience: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="The time limit for a player in a phase; unlimited by default. A power whose player takes"
            " longer sends no orders then, so that such games depend on the machine.",
            min=0.001,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ReportedOptions(RunOptions):
    """How many games are played for a report, and how it is looked at."""

    early: Annotated[
        bool,
        typer.Option(
            "--early",
            help="Intervals and probabilities that hold at every look, so that you may stop when you please; wider.",
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class BalanceOptions(ReportedOptions):
    """How many games are played for a balance, and how they are scored."""

    scoring: Annotated[
        str, typer.Option(metavar="SYSTEM", help="Report the mean points of powers, too, by this scoring system.")
    ] = ""


VariantOrFolder = Annotated[
    str,
    typer.Argument(metavar="[VARIANT]", help="A variant, or an experiment's folder.", autocompletion=complete_variant),
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="The folder; by default it is named after the experiment."),
]


@grouped
def selfplay(
    variant: VariantOrFolder = "standard",
    chosen: VariantOptions = VariantOptions(),
    work: RunOptions = RunOptions(),
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
    experiment, folder = experiment_of(variant, chosen, output)
    run = play_games(experiment, folder, work.games or GAMES, work, records=records)
    if as_json:
        failures = [{"game": f.number, "seed": f.seed, "why": f.why} for f in run.failures]
        data = {"folder": str(folder), "experiment": experiment.fingerprint, "games": run.games, "played": run.played}
        say_json({**data, "stopped": run.stopped, "failures": failures})
    else:
        say(f"{folder}: {many(run.games, 'game')}, {run.played:,} of them played now.")
    end(run)


def experiment_of(variant: str, chosen: VariantOptions, output: Path | None) -> tuple[Experiment, Path]:
    """Return the experiment that a command line describes, and its folder, which may be new."""
    from gamesmaster.lab import EXPERIMENT, Experiment, Turns, is_experiment, read_experiment

    require_libraries()
    if chosen.until is not None and chosen.turns is not None:
        raise typer.BadParameter("give either a last year or a number of turns, not both", param_hint="--turns")
    folder = Path(variant)
    if is_experiment(folder):
        if chosen.option or replace(chosen, option=None) != VariantOptions() or output is not None:
            raise typer.BadParameter(
                f"{variant} is an experiment's folder, and says who plays what", param_hint="VARIANT"
            )
        return read_experiment(folder / EXPERIMENT), folder
    made = Experiment.of(
        with_options(variant, chosen.option or []),
        chosen.players or PLAYERS,
        seed=1 if chosen.seed is None else chosen.seed,
        until=chosen.until if chosen.turns is None else Turns(chosen.turns),
        rulebook=rulebook_of(chosen.rulebook),
        batch=chosen.batch,
    )
    return made, output or Path(f"{Path(variant.partition('[')[0]).stem}-{made.fingerprint[:8]}")


def with_options(variant: str, options: list[str]) -> str:
    """Return a variant's name with these options added to those in its brackets."""
    from gamesmaster.variant import full_name, split_name

    if not options:
        return variant
    name, chosen = split_name(variant)
    return full_name(name, {**chosen, **split_name(f"{name}[{','.join(options)}]")[1]})


def play_games(
    experiment: Experiment, folder: Path, games: int | None, work: RunOptions, *, records: bool = False
) -> Run:
    """Play what is missing, with a bar, or nothing if `games` is None.

    Print the games that failed, and the players that did not answer.
    """
    from gamesmaster.lab import Workers, selfplay

    workers = Workers(work.jobs or -1, work.cluster or "", work.patience)
    with progress_bar(rate=True) as tell:
        run = selfplay(experiment, folder, games, workers, records=records, tell=tell)
    for failure in run.failures[:MOST_LISTED]:
        complain("warning", str(failure))
    if len(run.failures) > MOST_LISTED:
        complain("warning", f"{len(run.failures) - MOST_LISTED:,} more games failed")
    for lapses in run.lapses[:MOST_LISTED]:
        complain("warning", str(lapses))
    if run.stopped:
        complain("note", f"stopped; {many(run.games, 'game')} of {games or 0:,} are kept, and the same command goes on")
    return run


def end(run: Run, missing: Missing | None = None) -> None:
    """Leave with the exit code of a run, and of a report that lacks games."""
    if run.stopped or run.failures or missing:
        raise typer.Exit(ExitCode.FAILED)


def require_libraries() -> None:
    """See that the libraries of the lab are there; raises `GamesmasterError` if they are not."""
    from importlib.util import find_spec

    for name in ("joblib", "numpy", "scipy", "matplotlib"):
        if find_spec(name) is None:
            raise GamesmasterError(f"the lab needs {name}", hint=install("lab"))


# -- `balance` -------------------------------------------------------------------------------------------------------


@grouped
def balance(
    variant: VariantOrFolder = "standard",
    chosen: VariantOptions = VariantOptions(),
    work: BalanceOptions = BalanceOptions(),
    output: Output = None,
    ask: Annotated[
        str | None,
        typer.Option(
            metavar="LIST", help="Players who each play all seats of games of their own, for a second opinion."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how fair a variant is: play games, and report how each power does.

    The games are those of selfplay, in the same folder; only missing games are played. The folder gets a page with all
    numbers, intervals and plots, balance.html, and the same numbers as balance.json and CSV files. With --ask every
    player gets such a folder in the folder, and a table says for how many of them each conclusion holds. Instead of a
    variant, a file of recorded games of other programs can be given: they are adjudicated again, and nothing is played.

    For example:

      gamesmaster balance standard --games 500 --turns 15 -o trial
      gamesmaster balance trial
      gamesmaster balance cline9 --option turkey=fleet-smyrna --turns 12
      gamesmaster balance games.jsonl
      gamesmaster balance cline9 --ask people,peaceful,heuristic -o asked
    """
    if ask:
        if chosen.players or output is None:
            raise typer.BadParameter("--ask names the players, and -o the folder for theirs", param_hint="--ask")
        names = [name.strip() for name in ask.split(",")]
        _say_players(
            {name: _balance(variant, replace(chosen, players=name), work, output / name) for name in names},
            as_json=as_json,
        )
        return
    run, found, page = _balance(variant, chosen, work, output)
    if as_json:
        from gamesmaster.lab import balance_data

        say_json(balance_data(found))
    else:
        _say_balance(found)
        say(f"\n{page}")
    end(run, found.missing)


Balanced = tuple["Run", "Balance", Path]
"""The games of a balance, the balance, and its page."""


def _balance(variant: str, chosen: VariantOptions, work: BalanceOptions, output: Path | None) -> Balanced:
    """Play the games of a balance, or read recorded ones, write its report, and return all with its page."""
    from gamesmaster.formats import games_in

    if Path(variant).is_file() and games_in(Path(variant)):
        return _balance_of_recorded(Path(variant), output, work)
    experiment, folder = experiment_of(variant, chosen, output)
    from gamesmaster.lab import (
        LEAST_GAMES,
        balance_of,
        games_asked,
        is_experiment,
        read_games,
        write_report,
    )

    wanted = work.games or (games_asked(folder) if is_experiment(folder) else 0) or GAMES
    if wanted < LEAST_GAMES:
        raise typer.BadParameter(f"at least {LEAST_GAMES} games, preferably hundreds", param_hint="--games")
    as_it_is = not work.games and is_experiment(Path(variant))
    run = play_games(experiment, folder, None if as_it_is else wanted, work)
    if not run.games:
        end(run)
    found = balance_of(*read_games(folder), asked=wanted, early=work.early, scoring=work.scoring)
    return run, found, write_report(found, folder)


def _balance_of_recorded(file: Path, output: Path | None, work: BalanceOptions) -> Balanced:
    """Read recorded games, write the report of their balance, and return all with its page."""
    require_libraries()
    from gamesmaster.lab import Run, balance_of, read_recorded, write_report

    experiment, games = read_recorded(file)
    folder = output or Path(f"{file.name.partition('.')[0]}-balance")
    found = balance_of(experiment, games, early=work.early, scoring=work.scoring)
    return Run(folder, len(games), 0), found, write_report(found, folder)


def _say_players(runs: dict[str, Balanced], *, as_json: bool) -> None:
    """Say for how many players, each with games of its own, each conclusion holds."""
    from dataclasses import asdict

    from gamesmaster.lab import conclusions

    found = conclusions({name: told for name, (_, told, _) in runs.items()})
    if as_json:
        say_json([asdict(conclusion) for conclusion in found])
    else:
        words = {"victory": "victories", "leads": "leads", "owned": "centres"}
        table(
            ("power", "part of", *runs, "all, with their spread", "holds for"),
            [
                (
                    c.power,
                    words[c.what],
                    *map(percent, c.by_player.values()),
                    percent(c.mean),
                    f"{c.holds} of {len(runs)}",
                )
                for c in found
            ],
        )
        say("\nholds for: the players whose whole interval lies on the same side of the fair part as the mean of all.")
        say("How far players are like people is known on the standard board only (docs/calibration.md).")
        for _, _, page in runs.values():
            say(str(page))
    for run, told, _ in runs.values():
        end(run, told.missing)


def _say_balance(found: Balance) -> None:
    from gamesmaster.lab import evidence

    if found.missing:
        say_alarm(str(found.missing))
    heads = ["power", "wins", "part of leads", "survives", "centres", "first gain"]
    heads += [f"points ({found.scoring})"] if found.scoring else []
    rows = [
        (
            p.power, percent(p.wins), percent(p.leads), percent(p.survival), number(p.centres), number(p.first_gain),
            *([number(p.points)] if p.points else []),
        )
        for p in found.powers
    ]  # fmt: skip
    table(heads, rows)
    if len(found.players) > 1:
        shown = [(p.player, percent(p.victory), percent(p.leads), percent(p.owned)) for p in found.players]
        table(("player, a seat", "victories", "leads", "part of centres"), shown)
    say()
    for entry in found.fairness:
        if entry.index == "evenness":
            evenness = "-" if entry.found is None else f"{entry.found:.3f}"
            fair = number(entry.fair, 3) if entry.fair else "-"
            say(f"evenness of {entry.of}: {evenness}; a fair game: {fair}; {evidence(entry.p)} that it is not fair")
    say(f"{found.games:,} games, {found.decided:,} of them decided")


def percent(value: Estimate) -> str:
    """Return a share with its interval: `12% (8-17)`."""
    part, *bounds = value.percent()
    return f"{part}%" + (f" ({'-'.join(bounds)})" if bounds else "")


def number(value: Estimate, digits: int = 1) -> str:
    """Return a number with its interval: `4.2 (3.9 to 4.5)`."""
    if value.low is None or value.high is None:
        return f"{value.value:.{digits}f}"
    return f"{value.value:.{digits}f} ({value.low:.{digits}f} to {value.high:.{digits}f})"


# -- `compare` -------------------------------------------------------------------------------------------------------


@grouped
def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A variant, or an experiment's folder.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    chosen: ComparedOptions = ComparedOptions(),
    work: ReportedOptions = ReportedOptions(),
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
    from gamesmaster.lab import compare as compared
    from gamesmaster.lab import comparison_data, games_asked, is_experiment, read_games, write_comparison

    names = {"a": first, "b": second}
    made = {letter: _side(letter, name, chosen, output) for letter, name in names.items()}
    if chosen.batch is None and made["a"][0].batch != made["b"][0].batch:  # else they have other random numbers
        chosen = replace(chosen, batch=False)
        made = {letter: _side(letter, name, chosen, output) for letter, name in names.items()}
    runs, sides, pairs = [], [], MOST_GAMES
    for letter, (experiment, folder) in made.items():
        as_it_is = not work.games and is_experiment(Path(names[letter]))
        wanted = games_asked(folder) if as_it_is else work.games or GAMES
        run = play_games(experiment, folder, None if as_it_is else wanted, work)
        pairs = min(pairs, wanted)
        runs.append(run)
        if run.stopped:
            end(run)
        sides.append(read_games(folder))
    comparison = compared(*sides, asked=pairs, early=work.early)
    page = write_comparison(comparison, output) if output else None
    if as_json:
        say_json(comparison_data(comparison))
    else:
        _say_comparison(comparison)
        if page:
            say(f"\n{page}")
    for run in runs:
        end(run, comparison.missing)


def _side(letter: str, name: str, chosen: ComparedOptions, output: Path | None) -> tuple[Experiment, Path]:
    """Return the experiment of one side, and its folder."""
    from gamesmaster.lab import is_experiment

    if is_experiment(Path(name)):
        return experiment_of(name, VariantOptions(), None)
    players, rulebook = chosen.players, chosen.rulebook
    if letter == "b":
        players, rulebook = chosen.players_b or players, chosen.rulebook_b or rulebook
    own = VariantOptions(players, chosen.seed, chosen.until, chosen.turns, rulebook, chosen.batch)
    return experiment_of(name, own, output / letter if output else None)


def _say_comparison(found: Comparison) -> None:
    from gamesmaster.lab import evidence

    if found.missing:
        say_alarm(str(found.missing))
    if not found.differences:
        say(f"The two are the same in all of {many(found.pairs, 'pair')} of games.")
        return
    rows = []
    for d in sorted(found.differences, key=lambda d: (d.corrected, d.p)):
        low, high, digits = d.difference.low, d.difference.high, d.digits
        bounds = f"{low:+.{digits}f} to {high:+.{digits}f}" if low is not None and high is not None else "-"
        more = "settled" if d.sure else "-" if d.more is None else f"{d.more:,}"
        numbers = (f"{d.first:.{digits}f}", f"{d.second:.{digits}f}", f"{d.difference.value:+.{digits}f}")
        alike = "-" if d.correlation is None else f"{d.correlation:.2f}"
        rows.append((d.what, *numbers, bounds, evidence(d.corrected), alike, more))
    table(("measure", "A", "B", "B - A", "95% interval", "that they differ", "pairs alike", "games more"), rows)
    sure = sum(d.sure for d in found.differences)
    say(
        f"\n{many(found.pairs, 'pair')} of games; {many(sure, 'difference')} of {len(rows)} more than chance (p < 0.05)"
    )
    say(
        "intervals and p: corrected for looking at so many things; pairs alike: the correlation of the games of a pair;"
    )
    say("games more: to be sure of a difference as large as the one seen")
