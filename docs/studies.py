"""Play the studies and write their pages: `studies/<name>.md`, each with the whole report beside it as a page.

    python docs/studies.py [NAME ...] [--games N] [--jobs N] [--cluster ADDRESS]

Games lie in `build/studies/` and are played only if they are missing: a run may be broken off and begun again.  What
stands in a page below the mark is written by hand, and stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.balance import number, percent
from gamesmaster.cli.selfplay import play_games
from gamesmaster.lab import Balance, Comparison, Experiment, GameSummary, balance_of, compare, read_games
from gamesmaster.lab.report import comparison_page, report_page, verdict
from gamesmaster.lab.report_plots import pictures

DOCS = Path(__file__).resolve().parent
BUILD = DOCS.parent / "build" / "studies"
HEAD = "<!-- made by python docs/studies.py, down to the next mark -->"
END = "<!-- from here on by hand -->"
WARNING = (
    " In brackets the bounds of 95 %, as [the lab](../lab.md) has them. The players have not been calibrated on games"
    " of people: what is so here need not be so among people."
)
SHOWN = {"leads": "Each power's part of the leads", "centres": "Centres by year"}
"""The pictures of the report that stand in a page too."""


@dataclass(frozen=True, slots=True)
class Study:
    """Games between heuristic players, broken off after so many turns.

    Of one variant its balance is told, two are compared, of more it is told how the `power` fares in each.  Where the
    rules allow it, machine code thinks for the players (a `batch`).
    """

    title: str
    variants: tuple[str, ...]
    games: int
    turns: int
    batch: bool = False
    seed: int = 1
    power: str = ""


WAYS = ("A-A-A", "A-A-F", "A-F-A", "A-F-F", "F-F-A", "F-F-F")
"""What else Turkey may open with in Ankara, Constantinople and Smyrna (CLN-A.d)."""
STUDIES = {
    "standard": Study("Diplomacy: balance", ("standard",), 2_000, 20, batch=True),
    "cline9": Study("Cline Nine-Man Diplomacy: balance", ("cline9",), 2_000, 20, batch=True),
    "cline9-turkey": Study(
        "Turkey's fleet in Smyrna", ("cline9", "cline9[turkey=fleet-smyrna]"), 2_000, 20, batch=True, power="Turkey"
    ),
    "cline9-openings": Study(
        "Turkey's eight ways to open",
        ("cline9", "cline9[turkey=fleet-smyrna]", *(f"cline9[turkey={way}]" for way in WAYS)),
        1_000,
        20,
        batch=True,
        power="Turkey",
    ),
    "1000ad": Study("1000 AD: balance", ("1000ad",), 1_000, 15),
    "indianomacy": Study("Indianomacy: balance", ("indianomacy",), 1_000, 30),
    "indianomacy2": Study("Indianomacy II: balance", ("indianomacy2",), 1_000, 30, seed=2),
    "scottomacy": Study("Scottomacy: balance", ("scottomacy",), 1_000, 15),
    "conquest2": Study("Conquest of the New World II: balance", ("conquest2",), 1_000, 30),
}


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which studies; all if none is named.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each, in place of its own number.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes that play.")] = None,
    cluster: Annotated[str | None, typer.Option(help="A Dask scheduler whose workers play.")] = None,
    docs: Annotated[Path, typer.Option(help="Where the pages go.")] = DOCS,
    build: Annotated[Path, typer.Option(help="Where the games lie.")] = BUILD,
) -> None:
    """Play the studies and write their pages."""
    pages = docs / "studies"
    pages.mkdir(parents=True, exist_ok=True)
    for name in names or STUDIES:
        study = STUDIES[name]
        found = [_played_out(study, variant, build, games, jobs, cluster) for variant in study.variants]
        balances = [balance_of(*one) for one in found]
        if len(found) == 1:
            told = _balanced(balances[0])
        elif len(found) == 2:
            comparison = compare(*found)
            (pages / f"{name}.html").write_text(comparison_page(comparison), encoding="utf-8")
            told = _compared(name, study, balances, comparison)
        else:
            told = _many(study, balances)
        _write(pages / f"{name}.md", study.title, told)
        for balance in balances if len(found) < 3 else ():
            _write_report(pages, balance)


def _played_out(
    study: Study, variant: str, build: Path, games: int | None, jobs: int | None, cluster: str | None
) -> tuple[Experiment, list[GameSummary]]:
    """A study's games of one variant; what is missing is played."""
    experiment = Experiment.of(variant, "heuristic", turns=study.turns, seed=study.seed, batch=study.batch)
    if play_games(experiment, build / variant, games or study.games, jobs, cluster).stopped:
        raise typer.Exit(1)
    return read_games(build / variant)


def _write_report(pages: Path, balance: Balance) -> None:
    """The whole report as a page, and the pictures of it that are shown elsewhere."""
    name = balance.experiment.variant
    (pages / f"{_file(name)}.html").write_text(report_page(balance), encoding="utf-8")
    drawn = pictures(balance)
    for picture in SHOWN:
        (pages / _picture(name, picture)).write_text(_alone(drawn[picture]), encoding="utf-8")


def _file(variant: str) -> str:
    """A variant's name as a file's: without brackets."""
    return variant.replace("[", "-").replace("]", "").replace("=", "-")


def _picture(variant: str, picture: str) -> str:
    return f"{_file(variant)}-{picture}.svg"


def _alone(svg: str) -> str:
    """A picture by itself, on white paper: no page lends it its colours."""
    return svg.replace("<svg ", '<svg style="background:#fff" ', 1).replace("currentColor", "#222").replace(
        "var(--grid)", "#ddd"
    )  # fmt: skip


def _pictures(name: str) -> str:
    return " ".join(f"![{told}]({_picture(name, picture)})" for picture, told in SHOWN.items())


def _write(page: Path, title: str, told: Iterable[str]) -> None:
    """Write a page; what stands below the mark is kept."""
    kept = page.read_text(encoding="utf-8").partition(END)[2] if page.exists() else "\n"
    page.write_text("\n\n".join([HEAD, f"# {title}", *told, END]) + kept, encoding="utf-8")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


# -- one variant -----------------------------------------------------------------------------------------------------


def _balanced(balance: Balance) -> Iterable[str]:
    """What the games of one variant say."""
    name = balance.experiment.variant
    yield _played(balance)
    yield _powers(balance)
    yield _pictures(name)
    yield "**How fair?** " + " ".join(_fair(balance))
    yield "**How long?** " + " ".join(_long(balance))
    yield "**Who fights whom most?** Dislodgements a game, the six most frequent pairs."
    yield _table(("power", "against", "a game"), _pairs(balance, 6))
    yield f"[The whole report]({_file(name)}.html): plots, centres by year, attacks by pair of powers, openings."


def _played(balance: Balance) -> str:
    experiment = balance.experiment
    return (
        f"{balance.games:,} games of `{experiment.variant}` between heuristic players, to the end of {experiment.until}"
        f" at the latest; {balance.decided:,} of them decided.{WARNING}"
    )


def _powers(balance: Balance) -> str:
    heads = ("power", "wins", "part of leads", "survives", "centres at the end", "gained by the first count")
    rows = [
        (p.power, percent(p.wins), percent(p.leads), percent(p.survival), number(p.centres), number(p.first_gain))
        for p in balance.powers
    ]
    return _table(heads, rows)


def _fair(balance: Balance) -> Iterable[str]:
    of = {"victory": "victories", "lead": "leads", "centres": "centres"}
    for entry in (f for f in balance.fairness if f.index == "evenness" and f.found and f.fair):
        assert entry.found is not None
        assert entry.fair is not None
        yield (
            f"Evenness of {of[entry.of]}: {entry.found:.3f}; a fair game of as many games would show"
            f" {number(entry.fair, 3)}."
        )


def _long(balance: Balance) -> Iterable[str]:
    yield f"{number(balance.turns)} turns, {number(balance.phases)} phases."
    yield f"Stuck at the end: {percent(balance.stuck)} of the games."


def _pairs(balance: Balance, most: int) -> Iterable[Sequence[str]]:
    beaten = balance.attacks["dislodgements"]
    found = [(count, who, whom) for who, row in beaten.items() for whom, count in row.items() if whom and who != whom]
    return [(who, whom, f"{count:.2f}") for count, who, whom in sorted(found, reverse=True)[:most]]


# -- two, compared ---------------------------------------------------------------------------------------------------


def _compared(name: str, study: Study, balances: Sequence[Balance], comparison: Comparison) -> Iterable[str]:
    """What the games of two variants say of each, and of what is different."""
    first, second = study.variants
    yield f"`{first}` (A) against `{second}` (B), game by game with the same chance: {comparison.pairs:,} pairs."
    for letter, balance in zip("AB", balances, strict=True):
        yield f"## {letter}: `{balance.experiment.variant}`"
        yield _played(balance)
        yield _powers(balance)
        yield _pictures(balance.experiment.variant)
        yield f"[The whole report]({_file(balance.experiment.variant)}.html)."
    yield "## What differs"
    yield f"{verdict(comparison)} [The whole comparison]({name}.html)."
    yield (
        "*p* is corrected for looking at so many things; *seen* is the least true difference that so many pairs would"
        " have shown four times of five. Told are all differences that are more than chance, and those of"
        f" {study.power} and of fairness."
    )
    yield _differences(comparison, study.power)


def _differences(comparison: Comparison, power: str) -> str:
    told = [d for d in comparison.differences if d.sure or power in d.what or "evenness" in d.what]
    rows = []
    for d in sorted(told, key=lambda d: (d.corrected, d.p, d.what)):
        bounds = f" ({d.difference.low:+.3f} to {d.difference.high:+.3f})" if d.difference.low is not None else ""
        change = f"{d.difference.value:+.3f}{bounds}"
        rows.append((d.what, f"{d.first:.3f}", f"{d.second:.3f}", change, f"{d.corrected:.3f}", f"{d.detectable:.3f}"))
    return _table(("over each game", "A", "B", "B less A", "p", "seen"), rows)


# -- many ------------------------------------------------------------------------------------------------------------


def _many(study: Study, balances: Sequence[Balance]) -> Iterable[str]:
    """How one power fares in each of several variants, and how even each is."""
    yield (
        f"Heuristic players, games to the end of {balances[0].experiment.until} at the latest, the same chance for all."
        f"{WARNING}"
    )
    heads = (
        "variant",
        "games",
        "wins",
        "survives",
        "centres at the end",
        "gained by the first count",
        "evenness of centres",
    )
    rows = []
    for balance in balances:
        p = next(p for p in balance.powers if p.power == study.power)
        even = next(f.found for f in balance.fairness if (f.index, f.of) == ("evenness", "centres"))
        assert even is not None
        shown = (percent(p.wins), percent(p.survival), number(p.centres), number(p.first_gain, 2), f"{even:.3f}")
        rows.append((f"`{balance.experiment.variant}`", f"{balance.games:,}", *shown))
    yield _table(heads, rows)


if __name__ == "__main__":
    typer.run(main)
