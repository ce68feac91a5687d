"""Play the league of the package's players, keep its figures, and make its page.

    python docs/league.py [VARIANT ...] [--jobs N]
    python docs/league.py --pages

Games lie in `build/league/` and are played only if they are missing.  What they come to is kept as
`league/<variant>.json`; the page between its marks and its picture are made from that (`--pages`; `make docs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.lab import RunOptions, VariantOptions, number, percent
from gamesmaster.cli.league import play_league
from gamesmaster.lab import League, read_league, write_league
from gamesmaster.lab.experiment import find
from gamesmaster.lab.figures import intervals
from gamesmaster.lab.report import on_paper

DOCS = Path(__file__).resolve().parent
BUILD = DOCS.parent / "build" / "league"
BEGIN, END = "<!-- made by python docs/league.py, down to the next mark -->\n", "<!-- from here on by hand -->\n"
PLAYERS = ("heuristic", "people", "peaceful", "dumbbot")
TURNS = {"standard": 10, "cline9": 10, "ancmed": 10, "1000ad": 10, "hundredyears": 10, "conquest2": 10}
"""After how many turns the games of a variant are broken off."""


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which variants; all if none is named.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes that play.")] = None,
    docs: Annotated[Path, typer.Option(help="Where the page goes.")] = DOCS,
    build: Annotated[Path, typer.Option(help="Where the games lie.")] = BUILD,
    pages: Annotated[bool, typer.Option("--pages", help="Play nothing: make the page from the figures.")] = False,
) -> None:
    """Play the league, keep its figures, and make its page."""
    for name in () if pages else names or TURNS:
        league = play_league(
            name, list(PLAYERS), VariantOptions(turns=TURNS[name]), RunOptions(jobs=jobs), build / name
        )
        (docs / "league").mkdir(parents=True, exist_ok=True)
        write_league(league, docs / "league" / name)
    leagues = [read_league(docs / "league" / name / "league.json") for name in TURNS]
    file = docs / "league.md"
    before, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    made = "\n".join(tables(leagues))
    file.write_text(f"{before}{BEGIN}\n{made}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    (docs / "league" / "points.svg").write_text(picture(leagues), encoding="utf-8")


def tables(leagues: Sequence[League]) -> Iterator[str]:
    """Yield the lines of the tables: strengths by player and variant, and the meetings of each variant."""
    names = [find(league.variant).name for league in leagues]
    yield "| points | " + " | ".join(PLAYERS) + " |"
    yield "|---" * (1 + len(PLAYERS)) + "|"
    for name, league in zip(names, leagues, strict=True):
        points = {strength.player: strength.points for strength in league.strengths}
        yield f"| {name} | " + " | ".join(number(points[player], 0) for player in PLAYERS) + " |"
    yield ""
    yield "![Strengths with their 95 % intervals](league/points.svg)"
    for name, league in zip(names, leagues, strict=True):
        yield from ("", f"### {name}", "")
        yield f"{league.meetings[0].games} games each way, to the end of {league.until} at the latest."
        yield from ("", "| one | others | ahead of | part of centres | of victories |", "|---|---|---|---|---|")
        for m in league.meetings:
            yield f"| {m.one} | {m.others} | {percent(m.ahead)} | {percent(m.centres)} | {percent(m.victory)} |"


def picture(leagues: Sequence[League]) -> str:
    """Return a picture of the strengths, player by player."""
    rows = [
        (f"{player}: {find(league.variant).name}", place, strength.points)
        for place, player in enumerate(PLAYERS)
        for league in leagues
        for strength in league.strengths
        if strength.player == player
    ]
    return on_paper(intervals(rows, "points", at=0, name="Strengths of players"))


if __name__ == "__main__":
    typer.run(main)
