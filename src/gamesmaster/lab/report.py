"""The report on a balance: one page that is complete in itself, and the same numbers as JSON and CSV."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from gamesmaster import __version__
from gamesmaster.files import write_folder
from gamesmaster.lab.balance import balance_data
from gamesmaster.lab.experiment import find
from gamesmaster.lab.report_plots import pictures
from gamesmaster.lab.report_tables import (
    attack_tables,
    csv_tables,
    csv_text,
    endings_table,
    fairness_table,
    opening_tables,
    players_table,
    powers_table,
    probability,
)

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance

PAGE, NUMBERS = "balance.html", "balance.json"
FEW = 100
"""Games below which a report warns of its numbers."""


def write_report(balance: Balance, folder: Path) -> Path:
    """Write the page `balance.html`, `balance.json` and the CSV files into a folder; returns the page."""
    texts = {name: csv_text(rows) for name, rows in csv_tables(balance).items()}
    numbers = json.dumps(balance_data(balance), indent=1, allow_nan=False)
    texts |= {NUMBERS: f"{numbers}\n", PAGE: report_page(balance)}
    write_folder(folder, {name: text.encode() for name, text in texts.items()})
    return folder / PAGE


def report_page(balance: Balance) -> str:
    """The page: pictures within, nothing fetched, no script."""
    variant = find(balance.experiment.variant)
    return Template(part("html")).substitute(
        pictures(balance),
        title=escape(f"{variant.name}: balance"),
        style=part("css"),
        played=escape(_played(balance)),
        warnings=_warnings(balance),
        powers=powers_table(balance),
        fairness=fairness_table(balance),
        wins=escape(_wins(balance)),
        endings=endings_table(balance),
        attacks=attack_tables(balance),
        openings=opening_tables(balance),
        players=players_table(balance),
        facts=_facts(balance),
        version=escape(__version__),
    )


def part(ending: str) -> str:
    """What all pages have in common, or a page's form: the file `report.<ending>` of this room."""
    return (files(__package__) / f"report.{ending}").read_text(encoding="utf-8")


def _played(balance: Balance) -> str:
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


def _wins(balance: Balance) -> str:
    if balance.equal_wins is None:
        return "There are too few wins for a test of whether all powers win equally often (five per power are needed)."
    told = probability(balance.equal_wins)
    return f"If all powers won equally often, wins as unequal as these would come about {told} (chi-square test)."


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
