"""Play the games that `calibration.md` compares with people's, and make its tables.

    python -m docs.calibration [--games N]
    python -m docs.calibration --fit ROUNDS

The first writes the part of the page between its marks. The second prints tastes fitted to people from those of the
player `people`, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from bench.people import LAST_YEAR, PLAIN, RANKED, Figures, agreements, figures_of, fitted, people, ranks_agree
from gamesmaster.players import MINDS

PAGE = Path(__file__).with_name("calibration.md")
BEGIN, END = "<!-- made by python -m docs.calibration, down to the next mark -->\n", "<!-- from here on by hand -->\n"
PLAYERS = ("heuristic", "people", "peaceful")
SHARES = {
    "decided": "games won by one power",
    "last_year": "the year in which games end",
    "moves": "moves, of all orders",
    "holds": "holds",
    "supports": "supports",
    "convoys": "convoys",
    "failed": "moves that fail",
    "attacking": "moves at others' units or centres",
    "foreign": "supports for other powers",
    "repeated": "moves that have just failed and are ordered again",
}
"""The figures that are one number, in words."""
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def main(
    games: Annotated[int, typer.Option(help="Games of each player.", min=100)] = 2_000,
    fit: Annotated[int, typer.Option(help="Rounds of fitting.", min=0)] = 0,
) -> None:
    """Make the page, or fit tastes."""
    to, test = people()
    if fit:
        typer.echo(fitted(MINDS["people"], to, rounds=fit))
        return
    found = {player: figures_of(games, seats=[player] * len(POWERS)) for player in PLAYERS}
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    made = "\n".join(tables(found, to, test))
    PAGE.write_text(f"{before}{BEGIN}\n{made}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def tables(found: Mapping[str, Figures], fit: Figures, test: Figures) -> Iterator[str]:
    """Yield the lines of the tables: rank correlations, shares, and the numbers behind the correlations."""
    rows = {player: {a.what: a for a in agreements(figures, fit, test)} for player, figures in found.items()}
    games = next(iter(found.values())).games
    yield f"{games:,} games of each player, broken off after {LAST_YEAR}, beside {test.games} games of people."
    yield ""
    yield from _head("rank correlation with people", *found, "people with people")
    for name in RANKED:
        ceiling = next(iter(rows.values()))[name].ceiling
        yield _row(name, *(f"{each[name].found:.2f}" for each in rows.values()), f"{ceiling:.2f}")
    yield _row("first orders in common", *(f"{each['first orders'].found:.0%}" for each in rows.values()), "-")
    yield ""
    middle, low, high = possible_solos(fit, test)
    yield (
        f"Of the solos no player can be expected to come nearer than {middle:.2f} (5 to 95 %: {low:.2f} to {high:.2f}):"
        f" that is how the true shares, if they are those of all {fit.games + test.games:,} games of people, agree with"
        f" {test.games} games drawn by them."
    )
    yield ""
    yield from _head("share", *found, "people")
    for name in PLAIN:
        numbers = (*(getattr(figures, name) for figures in found.values()), getattr(test, name))
        yield _row(SHARES[name], *(f"{n:.1f}" if name == "last_year" else f"{n:.0%}" for n in numbers))
    yield ""
    yield from _head("", *POWERS)
    for title, digits in (("gains 1901", 2), ("centres 1905", 1), ("survival", 2), ("solos", 3)):
        for name, figures in (("people's games", test), *found.items()):
            yield _row(f"{title}, {name}", *(f"{number:.{digits}f}" for number in RANKED[title](figures)))


def possible_solos(fit: Figures, test: Figures, draws: int = 2_000) -> tuple[float, float, float]:
    """Return the mean rank correlation of true shares of solos with as many games as `test`, and its 5 and 95 %."""
    sizes = np.array([fit.games, test.games])
    true = sizes @ np.array([fit.solos, test.solos]) / sizes.sum()
    drawn = np.random.default_rng(1).multinomial(test.games, [*true, 1 - true.sum()], size=draws)[:, :-1]
    found = np.array([ranks_agree(true, solos) for solos in drawn])
    low, high = np.quantile(found, (0.05, 0.95))
    return float(found.mean()), float(low), float(high)


def _head(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield "|---" * len(titles) + "|"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    typer.run(main)
