"""The results: a JSON file for programs, a table in docs/bench.md for people."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.measure import Measure

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs/bench.md"
PACKAGES = ("diplomacy", "gamesmaster", "numba", "numpy")


def machine() -> dict[str, str]:
    """What was measured on: processor, Python, versions of the packages that are installed."""
    model = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        named = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = named[0] if named else model
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {"processor": model, "python": python} | {name: version(name) for name in PACKAGES if find_spec(name)}


def write_results(measures: Sequence[Measure], notes: dict[str, int], what: str = "") -> Path:
    """Keep the results of this Python version, in place of its earlier ones; `what` was measured, all if left out."""
    name = f"{platform.python_implementation().lower()}-{'.'.join(platform.python_version_tuple()[:2])}.json"
    path = RESULTS / (f"{what}-{name}" if what else name)
    data = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "notes": notes,
        "measures": [asdict(m) | {"holds": m.holds} for m in measures],
    }
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return path


def write_page(measures: Sequence[Measure], notes: dict[str, int], what: str = "results") -> None:
    """Put the results into the page, between the two marks for what was measured."""
    begin, end = f"<!-- {what} -->\n", f"<!-- end of {what} -->\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    on = machine()
    head = f"{on.pop('processor')}, {on.pop('python')}, " + ", ".join(f"{name} {v}" for name, v in on.items())
    text = "\n".join([head + ".", "", *(f"* {name}: {count:,}" for name, count in notes.items()), "", *table(measures)])
    PAGE.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")


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
