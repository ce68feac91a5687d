"""`python -m bench.variants`: what adjudicating a unit costs in each variant, beside the standard game's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bench.timing import Spread, cores, on_cores, seconds
from gamesmaster.board import Position
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.testing.conformance import play
from gamesmaster.variant import find_variant, variant_names

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/bench.md"
BEGIN, END = "<!-- variants -->\n", "<!-- end of variants -->\n"
PHASES = 60
"""Phases of random play from which the seasons of movement are taken."""

MOST = 3.0
"""The bound: a unit of the largest variant takes at most so many times as long as one of the standard game."""


@dataclass(frozen=True)
class Seasons:
    """Movement phases of random play in one variant, with lawful orders as texts."""

    name: str
    rules: Rules
    played: tuple[tuple[Position, Mapping[str, Sequence[str]]], ...]

    @property
    def units(self) -> int:
        """How many units were ordered about in all."""
        return sum(len(position.units) for position, _ in self.played)

    def run(self) -> None:
        """Adjudicate them all, to the next position."""
        for position, orders in self.played:
            _ = adjudicate(self.rules, PhaseKind.MOVEMENT, position, orders).position

    def each(self) -> float:
        """Seconds for a unit."""
        return seconds(self.run) / self.units


def seasons(name: str) -> Seasons:
    """The movement phases among so many phases of random play."""
    variant = find_variant(name)
    rules = Rules.of(variant)
    write = rules.notation.write
    played = tuple(
        (game.position, {power: [write(order) for order in given] for power, given in orders.items()})
        for game, orders in play(variant, PHASES, seed=1)
        if game.phase.kind is PhaseKind.MOVEMENT
    )
    return Seasons(name, rules, played)


def main(rounds: Annotated[int, typer.Option(help="Rounds, each of all variants in turn.", min=1)] = 15) -> None:
    """Measure, print, put the table into the page, and fail if the bound is broken."""
    with on_cores(cores()[:1]):
        every = [seasons(name) for name in (*variant_names(), "1000ad[af_module=yes]")]
        for one in every:
            one.run()  # texts are read once
        times = [{one.name: one.each() for one in every} for _ in range(rounds)]
    rows = ["| variant | units in a season | µs a unit | times the standard game's |", "|---|---:|---:|---:|"]
    ratios: dict[str, Spread] = {}
    for one in every:
        ratios[one.name] = Spread.of(t[one.name] / t["standard"] for t in times)
        own, size = Spread.of(t[one.name] for t in times), one.units / len(one.played)
        rows.append(f"| {one.name} | {size:.0f} | {1e6 * own.median:.1f} | {ratios[one.name].median:.2f} |")
    largest = max(every, key=lambda one: one.units / len(one.played)).name
    rows += ["", f"* The largest, {largest}: {ratios[largest].median:.2f} times, bound {MOST:g}."]
    text = "\n".join(rows)
    print(text)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    if ratios[largest].median > MOST:
        raise SystemExit("a bound is broken")


if __name__ == "__main__":
    typer.run(main)
