"""`python -m bench.players`: how the heuristic player fares against random ones, seat by seat, into docs/players.md."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Annotated

import typer

from gamesmaster.formats import read_foreign
from gamesmaster.game import Variant, find_variant, variant_names
from gamesmaster.players import Heuristic, Player, Random, play

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/players.md"
FOREIGN = ("ancientmediterranean", "empiresandcoalitions")
BEGIN, END = "<!-- results -->\n", "<!-- end of results -->\n"
TURNS = 8
WIDE = 1.96
"""Standard errors that an interval of 95 % reaches to either side."""


@dataclass(frozen=True)
class Seat:
    """What one power came to: its share of all supply centres in each game, and the games it won."""

    variant: Variant
    power: str
    shares: tuple[float, ...]
    wins: int

    @property
    def row(self) -> str:
        """Its row of the table: the mean share, with its interval, and the equal share."""
        middle, half = mean(self.shares), WIDE * stdev(self.shares) / sqrt(len(self.shares))
        even = 1 / len(self.variant.powers)
        return (
            f"| {self.variant.name} | {self.power} | {middle:.0%} ({middle - half:.0%} to {middle + half:.0%}) "
            f"| {even:.0%} | {self.wins} of {len(self.shares)} |"
        )


def measured(variant: Variant, games: int) -> Iterator[Seat]:
    """Each power played by the heuristic player against random ones, so many games of `TURNS` turns at most."""
    calendar = variant.calendar
    last = calendar.first_year + TURNS * calendar.years_per_turn - 1
    for power in (power.name for power in variant.powers):
        players: dict[str, Player] = {p.name: Random() for p in variant.powers} | {power: Heuristic()}
        matches = [play(variant, players, seed=seed, until=last) for seed in range(games)]
        shares = tuple(match.centres[power] / len(variant.board.centres) for match in matches)
        wins = sum(match.outcome is not None and match.outcome.winners == (power,) for match in matches)
        yield Seat(variant, power, shares, wins)


def pace(variant: Variant) -> str:
    """How long the heuristic player thinks over a phase, in a game of its like."""
    started, match = time.process_time(), play(variant, [Heuristic()] * len(variant.powers), seed=1, until=1910)
    spent = time.process_time() - started
    phases = len(match.game.records)
    return (
        f"A game of seven heuristic players, {phases} phases long, took {spent:.1f} s: "
        f"{spent / phases / len(variant.powers) * 1000:.1f} ms for each power and phase, adjudication included."
    )


def main(games: Annotated[int, typer.Option(help="Games from each seat.", min=2)] = 20) -> None:
    """Measure, print, and put the table into the page."""
    rows = ["| board | power | share of the centres (95 %) | equal share | won |", "|---|---|---|---|---|"]
    foreign = (read_foreign(ROOT / f"tests/data/boards/{name}.json") for name in FOREIGN)
    variants = [*map(find_variant, variant_names()), *foreign]
    for variant in variants:
        for seat in measured(variant, games):
            rows.append(seat.row)
            typer.echo(seat.row)
    text = "\n".join([*rows, "", pace(find_variant("standard"))])
    typer.echo(text.rpartition("\n")[2])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
