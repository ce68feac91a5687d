"""`python -m bench.searcher`: one searching player among heuristic ones, seat by seat, into docs/players.md.

Games lie in `build/searcher/` and are played only if they are missing: a run may be broken off and begun again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bench.players import PAGE, TURNS, named, told
from gamesmaster.cli.lab import RunOptions, play_games
from gamesmaster.lab import Experiment, GameSummary, Turns, read_games
from gamesmaster.lab.statistics import mean
from gamesmaster.variant import Variant, find_variant

BUILD = Path("build/searcher")
BOARDS = "standard,cline9,conquest2,indianomacy"
BEGIN, END = "<!-- searcher -->\n", "<!-- end of searcher -->\n"
HEAD = (
    "| board | games | ahead at the end (95 %) | won | its share of the centres (95 %) | an equal share |",
    "|---|---|---|---|---|---|",
)


@dataclass(frozen=True)
class Result:
    """What one game brought the searching player.

    `centres` is its share of the centres that are anybody's, `ahead` 1 if it has most of all, a part if several have.
    """

    won: bool
    ahead: float
    centres: float


def results(variant: Variant, games: int, jobs: int | None) -> list[Result]:
    """Games in which each power in its turn is played by the searching player, all others by heuristic ones."""
    experiment, folder = Experiment.of(variant.id, "searcher,heuristic", until=Turns(TURNS)), BUILD / variant.id
    run = play_games(experiment, folder, games, RunOptions(jobs=jobs))
    if run.stopped or run.failures:
        raise SystemExit(1)
    found = read_games(folder)[1]
    if silent := [game.number for game in found if game.lapses]:
        raise SystemExit(f"{named(variant)}, game {silent[0]}: a player did not answer")
    return [_result(game, experiment) for game in found]


def _result(game: GameSummary, experiment: Experiment) -> Result:
    power, centres = experiment.first_seat(game.number), dict(zip(experiment.powers, game.final, strict=True))
    leaders = [p for p, count in centres.items() if count == max(centres.values())]
    return Result(game.winners == (power,), (power in leaders) / len(leaders), centres[power] / sum(centres.values()))


def row(variant: Variant, found: list[Result]) -> str:
    """A row of the table."""
    games, equal = len(found), f"{1 / len(variant.powers):.0%}"
    ahead = mean(np.array([result.ahead for result in found]), most=1)
    first = f"{ahead.value:.0%} ({ahead.low:.0%} to {ahead.high:.0%})"
    won = f"{sum(result.won for result in found)}"
    return f"| {named(variant)} | {games} | {first} | {won} | {told(tuple(r.centres for r in found))} | {equal} |"


def main(
    games: Annotated[int, typer.Option(help="Games on each board; best a multiple of its powers.", min=3)] = 30,
    boards: Annotated[str, typer.Option(help="Variants, joined by commas.")] = BOARDS,
    jobs: Annotated[int | None, typer.Option(help="Processes that play.")] = None,
) -> None:
    """Measure, print, and put the table into the page."""
    rows = list(HEAD)
    for variant in map(find_variant, boards.split(",")):
        rows.append(row(variant, results(variant, games, jobs)))
        typer.echo(rows[-1])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table = "\n".join(rows)
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
