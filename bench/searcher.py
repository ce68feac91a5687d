"""`python -m bench.searcher`: one searching player among heuristic ones, seat by seat, into docs/players.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from bench.players import PAGE, TURNS, named, told
from gamesmaster.game import Variant, find_variant
from gamesmaster.lab.intervals import share
from gamesmaster.players import Heuristic, Match, Player, Searcher, play

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


def results(variant: Variant, games: int, seed: int) -> Iterator[Result]:
    """Games in which each power in its turn is played by the searching player, all others by heuristic ones."""
    powers = [power.name for power in variant.powers]
    for number in range(seed, seed + games):
        power = powers[number % len(powers)]
        players: dict[str, Player] = {p: Heuristic() for p in powers} | {power: Searcher()}
        match = play(variant, players, seed=number, until=variant.calendar.last_year(TURNS))
        if match.lapses:
            raise SystemExit(f"{named(variant)}, game {number}: {match.lapses[0]}")
        yield _result(match, power)


def _result(match: Match, power: str) -> Result:
    centres = match.centres
    leaders = [p for p, count in centres.items() if count == max(centres.values())]
    won = match.outcome is not None and match.outcome.winners == (power,)
    return Result(won, (power in leaders) / len(leaders), centres[power] / sum(centres.values()))


def row(variant: Variant, found: list[Result]) -> str:
    """A row of the table."""
    games, equal = len(found), f"{1 / len(variant.powers):.0%}"
    ahead = share(sum(result.ahead for result in found), games)
    first = f"{ahead.value:.0%} ({ahead.low:.0%} to {ahead.high:.0%})"
    won = f"{sum(result.won for result in found)}"
    return f"| {named(variant)} | {games} | {first} | {won} | {told(tuple(r.centres for r in found))} | {equal} |"


def main(
    games: Annotated[int, typer.Option(help="Games on each board; best a multiple of its powers.", min=3)] = 30,
    boards: Annotated[str, typer.Option(help="Variants, joined by commas.")] = BOARDS,
    seed: Annotated[int, typer.Option(help="Of the first game.")] = 0,
) -> None:
    """Measure, print, and put the table into the page."""
    rows = list(HEAD)
    for variant in map(find_variant, boards.split(",")):
        rows.append(row(variant, list(results(variant, games, seed))))
        typer.echo(rows[-1])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table = "\n".join(rows)
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
