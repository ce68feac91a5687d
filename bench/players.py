"""`python -m bench.players`: how the heuristic player fares against random ones, seat by seat, into docs/players.md."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Annotated

import typer

from gamesmaster.formats import read_foreign
from gamesmaster.orders import Order
from gamesmaster.players import Heuristic, Player, Random, View, play
from gamesmaster.variant import Variant, find_variant, variant_names

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/players.md"
FOREIGN = ("ancientmediterranean", "empiresandcoalitions")
OPTIONS = ("1000ad[af_module=yes]", *(f"conquest2[players={n}]" for n in (2, 3, 4)), "conquest2[indians=sixth]")
BEGIN, END = "<!-- results -->\n", "<!-- end of results -->\n"
TURNS = 8
Z = NormalDist().inv_cdf(0.975)


def interval(shares: tuple[float, ...]) -> tuple[float, float]:
    """Where the mean lies 95 times of a hundred, by Student's distribution (its quantile by Cornish and Fisher)."""
    free = len(shares) - 1
    wide = Z + (Z**3 + Z) / (4 * free) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
    half = wide * stdev(shares) / sqrt(len(shares))
    return mean(shares) - half, mean(shares) + half


def told(shares: tuple[float, ...]) -> str:
    """A mean share with its interval: `51% (49% to 53%)`."""
    low, high = interval(shares)
    return f"{mean(shares):.0%} ({max(0.0, low):.0%} to {high:.0%})"


@dataclass(frozen=True)
class Seat:
    """What one power came to: its share of all centres in each game, that of a random player, and the games it won."""

    variant: Variant
    power: str
    shares: tuple[float, ...]
    others: tuple[float, ...]
    wins: int

    @property
    def row(self) -> str:
        """Its row of the table."""
        return (
            f"| {named(self.variant)} | {self.power} | {told(self.shares)} | {told(self.others)} "
            f"| {self.wins} of {len(self.shares)} |"
        )

    @property
    def better(self) -> bool:
        """Does its interval lie above that of the random players?"""
        return interval(self.shares)[0] > interval(self.others)[1]


def named(variant: Variant) -> str:
    """A variant's name, with the options chosen."""
    _, bracket, chosen = variant.id.partition("[")
    return f"{variant.name} ({chosen.rstrip(']')})" if bracket else variant.name


def measured(variant: Variant, games: int) -> Iterator[Seat]:
    """Each power played by the heuristic player against random ones, so many games of `TURNS` turns at most."""
    centres = len(variant.board.centres)
    for power in (power.name for power in variant.powers):
        players: dict[str, Player] = {p.name: Random() for p in variant.powers} | {power: Heuristic()}
        matches = [play(variant, players, seed=seed, until=variant.calendar.last_year(TURNS)) for seed in range(games)]
        if lapses := [lapse for match in matches for lapse in match.lapses]:
            raise SystemExit(f"{named(variant)}: {lapses[0]}")
        shares = tuple(match.centres[power] / centres for match in matches)
        rest = len(variant.powers) - 1
        others = tuple((sum(match.centres.values()) - match.centres[power]) / rest / centres for match in matches)
        wins = sum(match.outcome is not None and match.outcome.winners == (power,) for match in matches)
        yield Seat(variant, power, shares, others, wins)


class Timed(Heuristic):
    """The heuristic player, with a watch."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: list[float] = []

    def orders(self, view: View) -> list[Order]:
        """As ever; the time is noted."""
        started = time.process_time()
        given = super().orders(view)
        self.spent.append(time.process_time() - started)
        return given


def pace(variant: Variant) -> str:
    """A row: how long a random game takes, and how long the heuristic player thinks in a game of its like."""
    started = time.process_time()
    match = play(variant, [Random()] * len(variant.powers), seed=1, until=variant.calendar.last_year(TURNS))
    spent, phases = time.process_time() - started, len(match.game.records)
    watch = Timed()
    play(variant, [watch] * len(variant.powers), seed=1, until=variant.calendar.last_year(TURNS))
    return (
        f"| {named(variant)} | {len(variant.powers)} | {phases} | {spent:.1f} s | {spent / phases * 1000:.0f} ms "
        f"| {mean(watch.spent) * 1000:.0f} ms | {max(watch.spent) * 1000:.0f} ms |"
    )


def main(games: Annotated[int, typer.Option(help="Games from each seat.", min=3)] = 10) -> None:
    """Measure, print, and put the tables into the page."""
    rows = ["| board | power | its share (95 %) | a random player's share (95 %) | won |", "|---|---|---|---|---|"]
    paces = [
        "| board | powers | random: phases | the game | a phase | heuristic: a power and phase | at most |",
        "|---|---|---|---|---|---|---|",
    ]
    foreign = (read_foreign(ROOT / f"tests/data/boards/{name}.json") for name in FOREIGN)
    worse: list[str] = []
    for variant in [*map(find_variant, sorted((*variant_names(), *OPTIONS))), *foreign]:
        for seat in measured(variant, games):
            rows.append(seat.row)
            worse += [] if seat.better else [seat.row]
            typer.echo(seat.row)
        paces.append(pace(variant))
        typer.echo(paces[-1])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    text = "\n".join([*rows, "", "## How fast it is", "", PACE, "", *paces])
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    if worse:
        raise SystemExit("\n".join(["no better than random:", *worse]))


PACE = f"""A game between random players only, {TURNS} turns at most, adjudication included; and how long the heuristic
player thinks about its orders in a game between heuristic players only, on the average and at most (processor time)."""


if __name__ == "__main__":
    typer.run(main)
