"""`python -m bench`: run it all, keep the results, and fail if a bound is broken."""

from __future__ import annotations

from typing import Annotated

import typer

from bench.measure import differing, measure_race, measure_ratios, measure_sizes, measure_worst
from bench.page import table, write_page, write_results
from bench.puzzle import CROWDED, draw_crowded, draw_puzzles
from bench.race import Race
from bench.timing import cores, on_cores


def main(
    problems: Annotated[int, typer.Option(help="Movement phases to draw.", min=55)] = 2_200,
    rounds: Annotated[int, typer.Option(help="Rounds; a round has its own share of the problems.", min=1)] = 11,
    seed: Annotated[int, typer.Option(help="The same seed draws the same problems.")] = 1,
    keep: Annotated[bool, typer.Option(help="Write bench/results and docs/bench.md.")] = True,
) -> None:
    """Measure Gamesmaster against PyPI `diplomacy` on the same problems, turn and turn about, on one core."""
    free = cores()
    with on_cores(free[:1]):
        puzzles = draw_puzzles(problems, seed)
        crowded = draw_crowded(problems // 5, seed)
        alike, preferred = map(sum, zip(differing(puzzles), differing(crowded), strict=True))
        measures = [
            *measure_race(Race(puzzles, rounds, free)),
            *measure_ratios(Race(crowded, rounds, free[:1]), f", {CROWDED} units"),
            *measure_sizes(rounds),
            *measure_worst(rounds),
        ]
    notes = {
        "problems": len(puzzles),
        f"problems with {CROWDED} units": len(crowded),
        "units in them": sum(len(units) for puzzle in puzzles for units in puzzle.units.values()),
        "verdicts that differ": alike,
        "verdicts that differ under our preferred answer to DATC 4.A.3": preferred,
    }
    print(*(f"{name}: {count:,}" for name, count in notes.items()), *table(measures), sep="\n")
    if keep:
        write_page(measures, notes)
        print(f"kept in {write_results(measures, notes)}")
    if alike or not all(m.holds for m in measures):
        raise SystemExit("a bound is broken, or verdicts differ")


if __name__ == "__main__":
    typer.run(main)
