"""The results: a JSON file for programs, a table in docs/bench.md for people."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench.measure import Measure

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs/bench.md"
BEGIN, END = "<!-- results -->\n", "<!-- end of results -->\n"
PACKAGES = ("diplomacy", "gamesmaster", "numba", "numpy")


def machine() -> dict[str, str]:
    """What was measured on: processor, Python, versions of the packages in play."""
    model = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        named = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = named[0] if named else model
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {"processor": model, "python": python} | {package: version(package) for package in PACKAGES}


def write_results(measures: Sequence[Measure], notes: dict[str, int]) -> Path:
    """Keep the results of this Python version, in place of its earlier ones."""
    name = f"{platform.python_implementation().lower()}-{'.'.join(platform.python_version_tuple()[:2])}.json"
    data = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "notes": notes,
        "measures": [asdict(m) | {"holds": m.holds} for m in measures],
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / name).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return RESULTS / name


def write_page(measures: Sequence[Measure], notes: dict[str, int]) -> None:
    """Put the results into the page, between its two marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    on = machine()
    head = f"{on.pop('processor')}, {on.pop('python')}, " + ", ".join(f"{name} {v}" for name, v in on.items())
    text = "\n".join([head + ".", "", *(f"* {name}: {count:,}" for name, count in notes.items()), "", *table(measures)])
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{after}", encoding="utf-8")


def table(measures: Sequence[Measure]) -> list[str]:
    """The rows of a Markdown table."""
    rows = ["| measured | median | least to most | bound | |", "|---|---:|---:|---:|---|"]
    for m in measures:
        bound = "" if m.bound is None else f"{'≤' if m.at_most else '≥'} {m.bound:g}"
        verdict = "" if m.bound is None else "holds" if m.holds else "**broken**"
        least, most = _number(m.spread.least), _number(m.spread.most)
        rows.append(f"| {m.name} | {_number(m.spread.median)} {m.unit} | {least} to {most} | {bound} | {verdict} |")
    return rows


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
