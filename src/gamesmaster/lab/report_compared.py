"""The report on a comparison: one page that is complete in itself, and the same numbers as JSON and CSV."""

from __future__ import annotations

import json
from collections import Counter
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from gamesmaster import __version__
from gamesmaster.files import write_folder
from gamesmaster.lab.comparison import comparison_data
from gamesmaster.lab.report import part
from gamesmaster.lab.report_plots import intervals, paints
from gamesmaster.lab.report_tables import compared_rows, compared_table, csv_text

if TYPE_CHECKING:
    from gamesmaster.lab.comparison import Comparison
    from gamesmaster.lab.experiment import Experiment

PAGE, NUMBERS, ROWS = "compare.html", "compare.json", "compare.csv"
PICTURES = {"victory": "share of victory, B less A", "centres": "share of centres, B less A"}


def write_comparison(comparison: Comparison, folder: Path) -> Path:
    """Write `compare.html`, `compare.json` and `compare.csv` into a folder; returns the page."""
    numbers = json.dumps(comparison_data(comparison), indent=1, allow_nan=False)
    texts = {ROWS: csv_text(compared_rows(comparison)), NUMBERS: f"{numbers}\n", PAGE: comparison_page(comparison)}
    write_folder(folder, {name: text.encode() for name, text in texts.items()})
    return folder / PAGE


def comparison_page(comparison: Comparison) -> str:
    """The page: pictures within, nothing fetched, no script."""
    return Template(part("compared.html")).substitute(
        title=escape(f"{comparison.first.variant} and {comparison.second.variant} compared"),
        style=part("css"),
        sides="\n".join(_side(*side) for side in (("A", comparison.first), ("B", comparison.second))),
        pairs=f"{comparison.pairs:,}",
        verdict=escape(verdict(comparison)),
        pictures="\n".join(_figure(comparison, of, label) for of, label in PICTURES.items()),
        differences=compared_table(comparison),
        version=escape(__version__),
    )


def verdict(comparison: Comparison) -> str:
    """In a sentence, what is more than chance."""
    sure = [d for d in comparison.differences if d.sure]
    if not comparison.differences:
        return "The two are the same in every game."
    if not sure:
        return f"Of {len(comparison.differences)} measures, none differs by more than chance could explain."
    most = max(sure, key=lambda d: abs(d.difference.value) / d.error if d.error else 0)
    more = "more" if most.difference.value > 0 else "less"
    return (
        f"Of {len(comparison.differences)} measures, {len(sure)} differ by more than chance; the surest is"
        f" {most.what}: {most.second:.3f} in B, {abs(most.difference.value):.3f} {more} than in A."
    )


def _side(letter: str, experiment: Experiment) -> str:
    round_about = (f"{name} ({seats} seats)" for name, seats in Counter(experiment.dealt).items())
    players = ", ".join([*(f"{name} ({power})" for power, name in experiment.fixed.items()), *round_about])
    until = f", to the end of {experiment.until} at the latest" if experiment.until is not None else ""
    return f"<p><strong>{letter}</strong> {escape(experiment.variant)}, played by {escape(players)}{until}.</p>"


def _figure(comparison: Comparison, of: str, label: str) -> str:
    """How the powers that both have fare in B against A, or nothing if none of them fares otherwise."""
    found = {d.what: d.difference for d in comparison.differences}
    named = [(power, n, found.get(f"{power}: share of {of}")) for power, n in paints(comparison.first).items()]
    rows = [(power, n, value) for power, n, value in named if value is not None]
    if not rows:
        return ""
    told = f"The {label}, with its interval: right of the broken line B has more."
    return f"<figure><figcaption>{told}</figcaption>{intervals(rows, label, at=0, name=label)}</figure>"
