"""Reports and comparisons written to folders: a page to read, pictures, and the numbers as JSON and CSV."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from gamesmaster import __version__
from gamesmaster.files import write_folder
from gamesmaster.lab.balance import Balance, balance_data
from gamesmaster.lab.comparison import MEASURES, Comparison, comparison_data
from gamesmaster.lab.experiment import Experiment, find
from gamesmaster.lab.figures import (
    OF,
    attack_tables,
    comparison_rows,
    comparison_table,
    csv_tables,
    csv_text,
    endings_table,
    fairness_table,
    intervals,
    opening_tables,
    paints,
    pictures,
    players_table,
    powers_table,
)
from gamesmaster.lab.outcome import RECORDED, Missing

PAGE, NUMBERS = "balance.html", "balance.json"
FEW = 100
"""Games below which a report warns of its numbers."""
FIXED = "Stopping when a look at the games pleases you finds what is not there; the option --early allows it."
EARLY = "All intervals and probabilities hold at every look, so you may stop when you please; they are wider for it."
FITTED = {"people", "peaceful"}
"""The players whose tastes were fitted to games of people (docs/calibration.md)."""


def write_report(balance: Balance, folder: Path) -> Path:
    """Write the page `balance.html`, `balance.json` and the CSV files into a folder; returns the page."""
    texts = {name: csv_text(rows) for name, rows in csv_tables(balance).items()}
    numbers = json.dumps(balance_data(balance), indent=1, allow_nan=False)
    texts |= {NUMBERS: f"{numbers}\n", PAGE: report_page(balance, pictures(balance))}
    write_folder(folder, {name: text.encode() for name, text in texts.items()})
    return folder / PAGE


def report_page(balance: Balance, drawn: Mapping[str, str]) -> str:
    """Return the page: its pictures, drawn by `pictures`, within; nothing fetched, no script."""
    variant = find(balance.experiment.variant)
    return Template(part("html")).substitute(
        drawn,
        title=escape(f"{variant.name}: balance"),
        style=part("css"),
        alarm=_alarm(balance.missing),
        played=escape(_describe_games(balance)),
        warnings=_warnings(balance),
        powers=powers_table(balance),
        fairness=fairness_table(balance),
        wins=_too_few(balance),
        endings=endings_table(balance),
        attacks=attack_tables(balance),
        openings=opening_tables(balance),
        players=players_table(balance),
        trust=escape(_trust(balance.experiment, {player.player for player in balance.players})),
        facts=_facts(balance),
        early=EARLY if balance.early else FIXED,
        version=escape(__version__),
    )


def part(ending: str) -> str:
    """Return the part shared by all pages, or a page's form: the file `report.<ending>` of this package."""
    return (files(__package__) / f"report.{ending}").read_text(encoding="utf-8")


def on_paper(svg: str) -> str:
    """Return a picture by itself, in the colours of a report on white paper: no page lends it its own."""
    paper = dict(re.findall(r"--(card|ink|grid): (#\w+)", part("css").partition("@media")[0]))
    svg = svg.replace("<svg ", f'<svg style="background:{paper["card"]}" ', 1)
    return svg.replace("currentColor", paper["ink"]).replace("var(--grid)", paper["grid"])


def _alarm(missing: Missing | None) -> str:
    """Return the red line that a page opens with if games are missing."""
    return f'<p class="alarm"><strong>Warning.</strong> {escape(str(missing))}</p>' if missing else ""


def _describe_games(balance: Balance) -> str:
    names = " and ".join(player.player for player in balance.players) or "nobody"
    until = f", to the end of {balance.experiment.until} at the latest" if balance.experiment.until is not None else ""
    return f"{balance.games:,} games between {names}{until}; {balance.decided:,} of them decided."


def _warnings(balance: Balance) -> str:
    told = []
    if balance.games < FEW:
        told.append(f"{balance.games} games are few, so the intervals are wide. Several hundred games would say more.")
    seats = len(balance.experiment.dealt)
    if len(balance.players) > 1 and seats and balance.games % seats:
        told.append(f"Not every player has played every power equally often: that takes a multiple of {seats} games.")
    told += [f"{lapses}." for lapses in balance.lapses]
    return "\n".join(f"<p><strong>Note.</strong> {escape(text)}</p>" for text in told)


def _too_few(balance: Balance) -> str:
    """Return the sentence that names what is too rare for an index."""
    rare = [name for of, name in OF.items() if of not in {entry.of for entry in balance.fairness}]
    if not rare:
        return ""
    of = " and ".join([", ".join(rare[:-1]), rare[-1]] if len(rare) > 1 else rare)
    return f"<p>There are too few {of} for an index: five for each power are needed.</p>"


def _trust(experiment: Experiment, players: set[str]) -> str:
    """Return the sentence that says how far these players' games are known to be like people's."""
    if players == {RECORDED}:
        return "They are those who played the recorded games."
    asked = "Other players may say something else: gamesmaster balance --ask says for how many a conclusion holds."
    if not players <= FITTED:
        return f"Not all of them have been fitted to games of people. {asked}"
    known = "On the standard board powers grow and survive in nearly the same order as among people, but win otherwise."
    where = "" if experiment.variant == "standard" else " Whether this holds on other boards is not known."
    return f"They have been fitted to games of people. {known}{where} {asked}"


def _facts(balance: Balance) -> str:
    experiment = balance.experiment
    seats = [f"{power}: {player}" for power, player in experiment.fixed.items()]
    if experiment.dealt:
        seats.append(f"going round: {', '.join(experiment.dealt)}")
    facts = {
        "variant": experiment.variant,
        "digest": experiment.digest,
        "players": "; ".join(seats),
        "rulebook": ", ".join(f"{k} = {v}" for k, v in experiment.rulebook.items()) or "datc",
        "seed": str(experiment.seed),
        "last year": "none" if experiment.until is None else str(experiment.until),
        "experiment": experiment.fingerprint,
    }
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items()) + "</dl>"


COMPARISON_PAGE, COMPARISON_NUMBERS, ROWS = "compare.html", "compare.json", "compare.csv"
PICTURES = {measure: f"{measure}, B less A" for measure in MEASURES}


def write_comparison(comparison: Comparison, folder: Path) -> Path:
    """Write `compare.html`, `compare.json` and `compare.csv` into a folder; returns the page."""
    numbers = json.dumps(comparison_data(comparison), indent=1, allow_nan=False)
    texts = {
        ROWS: csv_text(comparison_rows(comparison)),
        COMPARISON_NUMBERS: f"{numbers}\n",
        COMPARISON_PAGE: comparison_page(comparison),
    }
    write_folder(folder, {name: text.encode() for name, text in texts.items()})
    return folder / COMPARISON_PAGE


def comparison_page(comparison: Comparison) -> str:
    """Return the page: pictures within, nothing fetched, no script."""
    return Template(part("compared.html")).substitute(
        title=escape(f"{comparison.first.variant} and {comparison.second.variant} compared"),
        style=part("css"),
        alarm=_alarm(comparison.missing),
        sides="\n".join(_side(*side) for side in (("A", comparison.first), ("B", comparison.second))),
        pairs=f"{comparison.pairs:,}",
        verdict=escape(verdict(comparison)),
        pictures="\n".join(_figure(comparison, of, label) for of, label in PICTURES.items()),
        differences=comparison_table(comparison),
        trust=escape(_trust(comparison.second, _players(comparison.first) | _players(comparison.second))),
        early=EARLY if comparison.early else FIXED,
        version=escape(__version__),
    )


def _players(experiment: Experiment) -> set[str]:
    return {*experiment.fixed.values(), *experiment.dealt}


def verdict(comparison: Comparison) -> str:
    """Return a sentence that says which differences are more than chance."""
    sure = [d for d in comparison.differences if d.sure]
    if not comparison.differences:
        return "The two are the same in every game."
    if not sure:
        return f"Of {len(comparison.differences)} measures, none differs by more than chance could explain."
    most = max(sure, key=lambda d: abs(d.difference.value) / d.error if d.error else 0)
    more = "more" if most.difference.value > 0 else "less"
    return (
        f"Of {len(comparison.differences)} measures, {len(sure)} differ by more than chance; the surest is"
        f" {most.what}: {most.second:.{most.digits}f} in B, {abs(most.difference.value):.{most.digits}f} {more} than in"
        " A."
    )


def _side(letter: str, experiment: Experiment) -> str:
    round_about = (f"{name} ({seats} seats)" for name, seats in Counter(experiment.dealt).items())
    players = ", ".join([*(f"{name} ({power})" for power, name in experiment.fixed.items()), *round_about])
    until = f", to the end of {experiment.until} at the latest" if experiment.until is not None else ""
    return f"<p><strong>{letter}</strong> {escape(experiment.variant)}, played by {escape(players)}{until}.</p>"


def _figure(comparison: Comparison, of: str, label: str) -> str:
    """Return the figure of the powers' results in B against A, empty if no power differs."""
    found = {d.what: d.difference for d in comparison.differences}
    named = [(power, n, found.get(f"{power}: {of}")) for power, n in paints(comparison.first).items()]
    rows = [(power, n, value) for power, n, value in named if value is not None]
    if not rows:
        return ""
    told = f"The {label}, with its interval: right of the broken line B has more."
    return f"<figure><figcaption>{told}</figcaption>{intervals(rows, label, at=0, name=label)}</figure>"
