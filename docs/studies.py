"""Play the studies, keep their figures, and make their pages.

    python docs/studies.py [NAME ...] [--games N] [--jobs N] [--cluster ADDRESS]
    python docs/studies.py [NAME ...] --pages

Games lie in `build/studies/` and are played only if they are missing: a run may be broken off and begun again.  What
they come to is kept as `studies/*.json`, and everything else is made from that: the tables of `studies/<name>.md`, and
beside them the whole reports and the pictures, which are not kept (`--pages` makes them anew; `make docs` does so).
What stands in a page below the mark is written by hand, and stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gamesmaster.cli.lab import RunOptions, number, percent, play_games
from gamesmaster.lab import (
    Balance,
    Comparison,
    Conclusion,
    Estimate,
    Experiment,
    GameSummary,
    Missing,
    Turns,
    balance_of,
    compare,
    conclusions,
    evidence,
    read_balance,
    read_comparison,
    read_games,
    shared_differences,
)
from gamesmaster.lab.balance import DEEPEST, LARGEST, balance_data
from gamesmaster.lab.comparison import comparison_data
from gamesmaster.lab.experiment import read_as
from gamesmaster.lab.figures import pictures
from gamesmaster.lab.report import comparison_page, on_paper, report_page, verdict

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
OTHERS = ("people", "peaceful")
"""The players that are asked beside the heuristic one."""
SECOND_OPINION = 100
"""The most games that each of them plays of a variant."""
DIGITS = 6
"""Significant digits of a figure that is kept."""


@dataclass(frozen=True, slots=True)
class Study:
    """Games between heuristic players, and some between each of `OTHERS`, broken off after so many turns.

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
    "indianomacy": Study("Indianomacy: balance", ("indianomacy",), 1_000, 30, batch=True),
    "indianomacy2": Study("Indianomacy II: balance", ("indianomacy2",), 1_000, 30, batch=True, seed=2),
    "scottomacy": Study("Scottomacy: balance", ("scottomacy",), 1_000, 15),
    "conquest2": Study("Conquest of the New World II: balance", ("conquest2",), 1_000, 30),
    "franceaustria": Study("France against Austria: balance", ("franceaustria",), 200, 20, batch=True),
    "fleetrome": Study("Fleet Rome: balance", ("fleetrome",), 200, 20, batch=True),
    "ancmed": Study("The Ancient Mediterranean: balance", ("ancmed",), 200, 20, batch=True),
    "hundredyears": Study("The Hundred Years' War: balance", ("hundredyears",), 200, 20, batch=True),
    "1900": Study("Nineteen Hundred: balance", ("1900",), 50, 15),
    "modern": Study("Modern Europe: balance", ("modern",), 200, 20, batch=True),
    "asia1870": Study("Asia 1870: balance", ("asia1870",), 50, 20),
    "eurasia1901": Study("Eurasia 1901: balance", ("eurasia1901",), 24, 20, batch=True),
    "fog": Study("Fog of War: balance", ("fog",), 50, 15),
    "blind": Study("Blind: balance", ("blind",), 50, 15),
    "welfare": Study("Welfare: balance", ("welfare",), 50, 10),
}


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which studies; all if none is named.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each, in place of its own number.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes that play.")] = None,
    cluster: Annotated[str | None, typer.Option(help="A Dask scheduler whose workers play.")] = None,
    docs: Annotated[Path, typer.Option(help="Where the pages go.")] = DOCS,
    build: Annotated[Path, typer.Option(help="Where the games lie.")] = BUILD,
    pages: Annotated[bool, typer.Option("--pages", help="Play nothing: make the pages from the figures.")] = False,
    others: Annotated[
        bool, typer.Option("--others", help="Of one variant, play only the other players' games.")
    ] = False,
) -> None:
    """Play the studies, keep their figures, and make their pages."""
    folder = docs / "studies"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or (with_figures(folder) if pages else STUDIES):
        if not pages:
            study = STUDIES[name]
            work = RunOptions(games or study.games, jobs, cluster)
            if len(study.variants) > 1 or not others:
                found = _played_out(study, "heuristic", build, work)
                _write(folder, _figures(name, found, asked=work.games or 0))
            work = replace(work, games=min(work.games or 0, SECOND_OPINION))
            said = {player: _played_out(study, player, build / player, work) for player in OTHERS}
            _write(folder, {f"{name}-players.json": _json(_opinions(folder, name, build, said))})
        _write(folder, reports(folder, name))
        _write(folder, {f"{name}.md": page(folder, name)})


Games = tuple[Experiment, list[GameSummary]]


def _played_out(study: Study, player: str, build: Path, work: RunOptions) -> list[Games]:
    """A study's games between equal players, by variant; what is missing is played."""
    batch = None if player in OTHERS else study.batch
    for variant in study.variants:
        experiment = Experiment.of(variant, player, until=Turns(study.turns), seed=study.seed, batch=batch)
        if play_games(experiment, build / variant, work.games, work).stopped:
            raise typer.Exit(1)
    return [read_games(build / variant) for variant in study.variants]


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write files, but not those that say the same already: who watches the folder would build again and again."""
    for name, text in texts.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


# -- figures ---------------------------------------------------------------------------------------------------------


def _figures(name: str, found: Sequence[Games], asked: int) -> dict[str, str]:
    """What a study's games came to, of so many that there should be, as the files that are kept."""
    balances = [balance_of(*one, asked=asked) for one in found]
    if len(found) > 2:
        return {f"{name}.json": _json([balance_data(_of_one(balance, STUDIES[name].power)) for balance in balances])}
    kept = {f"{_file(balance.experiment.variant)}.json": _json(balance_data(balance)) for balance in balances}
    if len(found) == 2:
        kept[f"{name}.json"] = _json(comparison_data(compare(*found, asked=asked)))
    return kept


def _opinions(folder: Path, name: str, build: Path, said: Mapping[str, list[Games]]) -> list[Any]:
    """How many games the heuristic player and others played of a study, and their conclusions by variant, as JSON data.

    Of one variant these are about its powers; of several, about the differences between the first and each other.
    """
    study = STUDIES[name]
    first, *others = study.variants
    if not others:
        (kept,) = _balances(folder, name)
        found = {"heuristic": kept, **{player: balance_of(*games) for player, (games,) in said.items()}}
        games = {player: balance.games for player, balance in found.items()}
        return [games, {first: [asdict(c) for c in conclusions(found)]}]
    played = {"heuristic": [read_games(build / variant) for variant in study.variants], **said}
    told = {}
    for n, variant in enumerate(others, 1):
        every = shared_differences({player: compare(games[0], games[n]) for player, games in played.items()})
        told[variant] = [asdict(c) for c in every if len(others) == 1 or c.what == f"{study.power}: centres"]
    return [{player: len(games[0][1]) for player, games in played.items()}, told]


def _of_one(balance: Balance, power: str) -> Balance:
    """Of a balance what a study of many variants tells: how one power fares, and how even the game is."""
    fares = (replace(p, by_year={}, alive={}) for p in balance.powers if p.power == power)
    even = tuple(entry for entry in balance.fairness if entry.index == "evenness")
    bare: dict[str, Any] = {"players": (), "lengths": {}, "attacks": {}, "openings": (), "played": {}, "lapses": ()}
    return replace(balance, powers=tuple(fares), fairness=even, **bare)


def _json(value: object) -> str:
    """Figures as JSON, a line for each power and opening, so that one sees what has changed."""
    return f"{_lines(_rounded(value), deep=2)}\n"


def _lines(value: object, deep: int) -> str:
    if deep and value and isinstance(value, dict):
        entries = (f"{json.dumps(str(key))}:{_lines(entry, deep - 1)}" for key, entry in value.items())
        return "{\n" + ",\n".join(entries) + "\n}"
    if deep and value and isinstance(value, list):
        return "[\n" + ",\n".join(_lines(entry, deep - 1) for entry in value) + "\n]"
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _rounded(value: Any) -> Any:
    """The same, of each number only the digits that are kept."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    return [_rounded(entry) for entry in value] if isinstance(value, list | tuple) else value


def _kept_in(name: str) -> list[str]:
    """The files in which a study's figures are kept: those of each variant, or only its own."""
    variants = STUDIES[name].variants
    whole = [f"{_file(variant)}.json" for variant in variants] if len(variants) < 3 else []
    return whole + [f"{name}.json"] * (len(variants) > 1)


def with_figures(folder: Path) -> list[str]:
    """The studies whose figures are kept; others have the pages of an earlier version."""
    return [name for name in STUDIES if all((folder / file).exists() for file in _kept_in(name))]


def _balances(folder: Path, name: str) -> list[Balance]:
    """The balances of a study's variants, from the figures."""
    study = STUDIES[name]
    if len(study.variants) > 2:
        return list(read_as(tuple[Balance, ...], folder / f"{name}.json", limit=LARGEST, depth=DEEPEST + 1))
    return [read_balance(folder / f"{_file(variant)}.json") for variant in study.variants]


# -- pages -----------------------------------------------------------------------------------------------------------


def reports(folder: Path, name: str) -> dict[str, str]:
    """The whole reports of a study and the pictures of its page, by the names of their files."""
    made: dict[str, str] = {}
    study = STUDIES[name]
    if len(study.variants) == 2:
        made[f"{name}.html"] = comparison_page(read_comparison(folder / f"{name}.json"))
    for balance in _balances(folder, name) if len(study.variants) < 3 else ():
        variant, drawn = balance.experiment.variant, pictures(balance)
        made[f"{_file(variant)}.html"] = report_page(balance, drawn)
        made |= {_picture(variant, picture): on_paper(drawn[picture]) for picture in SHOWN}
    return made


def page(folder: Path, name: str) -> str:
    """A study's page; what stands in it below the mark is kept."""
    file, study = folder / f"{name}.md", STUDIES[name]
    balances = _balances(folder, name)
    if len(balances) == 1:
        told = _balanced(balances[0])
    elif len(balances) == 2:
        told = _compared(name, study, balances, read_comparison(folder / f"{name}.json"))
    else:
        told = _many(study, balances)
    asked = folder / f"{name}-players.json"
    if asked.exists():
        opinions = read_as(
            tuple[dict[str, int], dict[str, tuple[Conclusion, ...]]], asked, limit=LARGEST, depth=DEEPEST + 1
        )
        told = [*told, *_for_how_many(study, *opinions)]
    kept = file.read_text(encoding="utf-8").partition(END)[2] if file.exists() else "\n"
    return "\n\n".join([HEAD, f"# {study.title}", *told, END]) + kept


def _file(variant: str) -> str:
    """A variant's name as a file's: without brackets."""
    return variant.replace("[", "-").replace("]", "").replace("=", "-")


def _picture(variant: str, picture: str) -> str:
    return f"{_file(variant)}-{picture}.svg"


def _alarm(missing: Missing | None, of: str = "") -> Iterable[str]:
    """The red box that a page or a part of it opens with if games are missing."""
    if missing:
        yield f'!!! danger "Games{of} are missing"\n\n    {missing}'


def _pictures(name: str) -> str:
    return " ".join(f"![{told}]({_picture(name, picture)})" for picture, told in SHOWN.items())


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


# -- one variant -----------------------------------------------------------------------------------------------------


def _balanced(balance: Balance) -> Iterable[str]:
    """What the games of one variant say."""
    name = balance.experiment.variant
    yield from _alarm(balance.missing)
    yield _played(balance)
    yield _powers(balance)
    yield _pictures(name)
    if fair := " ".join(_fair(balance)):
        yield f"**How fair?** {fair}"
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
    yield from _alarm(comparison.missing)
    yield f"`{first}` (A) against `{second}` (B), game by game with the same chance: {comparison.pairs:,} pairs."
    for letter, balance in zip("AB", balances, strict=True):
        yield f"## {letter}: `{balance.experiment.variant}`"
        yield from _alarm(balance.missing)
        yield _played(balance)
        yield _powers(balance)
        yield _pictures(balance.experiment.variant)
        yield f"[The whole report]({_file(balance.experiment.variant)}.html)."
    yield "## What differs"
    yield f"{verdict(comparison)} [The whole comparison]({name}.html)."
    yield (
        "Intervals and *p* are corrected for looking at so many things; *seen* is the least true difference that so"
        " many pairs would have shown four times of five. Told are all differences that are more than chance, and"
        f" those of {study.power} and of fairness."
    )
    yield _differences(comparison, study.power)


def _differences(comparison: Comparison, power: str) -> str:
    told = [d for d in comparison.differences if d.sure or power in d.what or "evenness" in d.what]
    rows = []
    for d in sorted(told, key=lambda d: (d.corrected, d.p, d.what)):
        digits = d.digits
        low, high = d.difference.low, d.difference.high
        bounds = f" ({low:+.{digits}f} to {high:+.{digits}f})" if low is not None and high is not None else ""
        change = f"{d.difference.value:+.{digits}f}{bounds}"
        numbers = (f"{d.first:.{digits}f}", f"{d.second:.{digits}f}", change)
        rows.append((d.what, *numbers, evidence(d.corrected), f"{d.detectable:.{digits}f}"))
    return _table(("", "A", "B", "B less A", "that they differ", "seen"), rows)


# -- many ------------------------------------------------------------------------------------------------------------


def _many(study: Study, balances: Sequence[Balance]) -> Iterable[str]:
    """How one power fares in each of several variants, and how even each is."""
    for balance in balances:
        yield from _alarm(balance.missing, f" of `{balance.experiment.variant}`")
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
        even = [f.found for f in balance.fairness if (f.index, f.of) == ("evenness", "centres")]
        told = f"{even[0]:.3f}" if even and even[0] is not None else "-"
        shown = (percent(p.wins), percent(p.survival), number(p.centres), number(p.first_gain, 2), told)
        rows.append((f"`{balance.experiment.variant}`", f"{balance.games:,}", *shown))
    yield _table(heads, rows)


# -- several players -------------------------------------------------------------------------------------------------


def _for_how_many(study: Study, played: Mapping[str, int], said: Mapping[str, Sequence[Conclusion]]) -> Iterable[str]:
    """For how many players, each of whom played so many games, their conclusions by variant hold."""
    players = ", ".join(f"{player} ({games:,} games)" for player, games in played.items())
    yield "## For how many players it holds"
    yield (
        f"Equal players in all seats, of each variant: {players}. A conclusion holds for a player whose whole interval"
        " lies on the same side as the mean of all."
    )
    first, *others = study.variants
    if not others:
        fair = said[first][0].fair
        yield (
            f"In front stands the part of the centres; *more* and *less* are than the {fair:.0%} that each power has in"
            " a fair game."
        )
        yield _table(("power", *played, "centres", "leads", "victories"), _said_of_powers(said[first]))
        return
    yield f"*More* and *less* are than in `{first}`."
    rows = [
        (f"`{variant}`" if len(others) > 1 else c.what, *(_change(one) for one in c.by_player.values()), _holds(c))
        for variant, every in said.items()
        for c in every
        if c.holds or len(others) > 1
    ]
    what = f"{study.power}'s centres in" if len(others) > 1 else ""
    yield _table((what, *played, "holds for"), rows)


def _said_of_powers(said: Sequence[Conclusion]) -> Iterable[Sequence[str]]:
    """A row for each power: its part of centres by player, and for how many each conclusion of it holds."""
    for power in dict.fromkeys(c.power for c in said):
        of = {c.what: c for c in said if c.power == power}
        shares = (percent(one) for one in of["owned"].by_player.values())
        yield power, *shares, *(_holds(of[what]) for what in ("owned", "leads", "victory"))


def _holds(c: Conclusion) -> str:
    """For how many players a conclusion holds, and which one."""
    return f"{'more' if c.mean.value > c.fair else 'less'}: {c.holds} of {len(c.by_player)}"


def _change(one: Estimate) -> str:
    """A difference, with its interval."""
    bounds = f" ({one.low:+.1f} to {one.high:+.1f})" if one.low is not None and one.high is not None else ""
    return f"{one.value:+.1f}{bounds}"


if __name__ == "__main__":
    typer.run(main)
