"""The pictures of a report, as SVG to be put into a page, for light and dark paper alike.

Every picture is as narrow as a phone; lines, letters and rims take the colour of the page's text.  Powers have their
colours of the maps, and beside them, for every eye, a mark and their name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import StringIO
from math import inf
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke
from matplotlib.ticker import MaxNLocator

from gamesmaster.lab.experiment import find
from gamesmaster.pictures import neighbours_of, paints_of
from gamesmaster.pictures.style import PLATES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gamesmaster.lab.balance import Balance
    from gamesmaster.lab.experiment import Experiment
    from gamesmaster.lab.statistics import Estimate

WIDTH = 4.6  # inches
_INK, _FAINT = "#010203", "#040506"  # stand for the colours of the page
_MARKS = "osD^vP*Xh<>p"
_DASHES = ("-", "--", ":", "-.")
_LOOKS: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "gamesmaster", "font.family": "sans-serif", "font.size": 10.5,
    "text.color": _INK, "axes.labelcolor": _INK, "axes.edgecolor": _INK, "xtick.color": _INK, "ytick.color": _INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": _FAINT,
    "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.titlesize": 10.5,
}  # fmt: skip


def paints(experiment: Experiment) -> dict[str, int]:
    """Power to the number of its paint: the one that it has on the maps of the variant."""
    variant = find(experiment.variant)
    numbers = paints_of(variant.powers, neighbours_of(variant.board))
    return {power.name: number for power, number in zip(variant.powers, numbers, strict=True)}


def colour(paint: int) -> str:
    """The colour of a paint, by its number."""
    return str(PLATES[paint % len(PLATES)])


def intervals(rows: Sequence[tuple[str, int, Estimate]], label: str, *, at: float | None, name: str) -> str:
    """A dot for each row (name, number of its paint, value) on a line from bound to bound; `at` is what is equal."""

    def draw(axes: Axes) -> None:
        for y, (_, number, value) in enumerate(rows):
            if value.low is not None and value.high is not None:
                axes.plot([value.low, value.high], [y, y], color=_INK, linewidth=1.4, zorder=2)
            axes.plot(value.value, y, **_marked(number), markersize=9, zorder=3)
        if at is not None:
            axes.axvline(at, color=_INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(label)
        axes.grid(axis="y", visible=False)

    return _drawn(draw, 0.9 + 0.3 * len(rows), name)


def courses(rows: Sequence[tuple[str, int, dict[int, Estimate]]], label: str, *, name: str) -> str:
    """A line over the years for each row (name, number of its paint, value by year), its name at the end."""

    def draw(axes: Axes) -> None:
        years = sorted({year for _, _, values in rows for year in values})
        every = max(1, len(years) // 8)
        for place, (_, number, values) in enumerate(rows):
            xs = sorted(values)
            dash = _DASHES[number % len(_DASHES)]
            line = axes.plot(
                xs, [values[x].value for x in xs], linewidth=2.2, linestyle=dash, **_marked(number), markersize=6,
                markevery=(place % every, every),
            )  # fmt: skip
            line[0].set_path_effects([Stroke(linewidth=3, foreground=_INK), Normal()])
        ends = {row: values[max(values)].value for row, (_, _, values) in enumerate(rows)}
        low, high = axes.get_ylim()
        for row, y in spread(ends, (high - low) * 0.062, low).items():
            shown: dict[str, Any] = {
                "xytext": (years[-1] + (years[-1] - years[0] or 1) * 0.1, y),
                "annotation_clip": False,
            }
            arrow = {"arrowstyle": "-", "color": _INK, "linewidth": 0.7, "relpos": (0, 0.5), "shrinkB": 3}
            axes.annotate(rows[row][0], (years[-1], ends[row]), va="center", fontsize=9.5, arrowprops=arrow, **shown)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.ticklabel_format(useOffset=False)
        axes.set_ylabel(label)

    return _drawn(draw, 3.4, name)


def lengths(counts: dict[int, int], label: str, *, name: str) -> str:
    """A column for each length of game."""

    def draw(axes: Axes) -> None:
        axes.bar(list(counts), list(counts.values()), color=PLATES[2], edgecolor=_INK, linewidth=0.8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(min(counts) - 0.8, max(counts) + 0.8)
        axes.set_xlabel(label)
        axes.set_ylabel("games")
        axes.grid(axis="x", visible=False)

    return _drawn(draw, 2.6, name)


def spread(ends: dict[int, float], least: float, floor: float = -inf) -> dict[int, float]:
    """Places for names beside the ends of lines, in their order, so that any two are `least` apart, none below `floor`.

    >>> spread({0: 1.0, 1: 1.1, 2: 5.0}, 1.0)
    {0: 0.55, 1: 1.55, 2: 5.0}
    >>> spread({0: 1.0, 1: 1.1, 2: 2.0}, 1.0, 1.0)
    {0: 1.0, 1: 2.0, 2: 3.0}
    """
    groups: list[list[int]] = []
    for row in sorted(ends, key=lambda row: ends[row]):
        groups.append([row])
        while len(groups) > 1 and _top(groups[-2], ends, least) + least > _bottom(groups[-1], ends, least):
            groups[-2:] = [groups[-2] + groups[-1]]
    placed, lowest = dict[int, float](), floor
    for group in groups:
        for n, row in enumerate(group):
            placed[row] = max(lowest, _bottom(group, ends, least) + n * least)
            lowest = placed[row] + least
    return {row: round(placed[row], 9) for row in ends}


def _bottom(group: Sequence[int], ends: dict[int, float], least: float) -> float:
    return sum(ends[row] for row in group) / len(group) - least * (len(group) - 1) / 2


def _top(group: Sequence[int], ends: dict[int, float], least: float) -> float:
    return _bottom(group, ends, least) + least * (len(group) - 1)


def _marked(number: int) -> dict[str, Any]:
    again = number // len(PLATES)
    mark = _MARKS[(number + 5 * again) % len(_MARKS)]
    return {"color": colour(number), "marker": mark, "markeredgecolor": _INK, "markeredgewidth": 0.9}


def _drawn(draw: Callable[[Axes], None], height: float, name: str) -> str:
    """An SVG of its own names; its title is what those hear who do not see it."""
    with mpl.rc_context(_LOOKS):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        told = StringIO()
        figure.savefig(told, format="svg", metadata={"Date": None}, transparent=True)
    return _at_home(told.getvalue(), name)


def _at_home(svg: str, name: str) -> str:
    """A picture that goes with a page: colours of the page, ids apart from those of other pictures, no fixed size."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    slug = re.sub(r"\W+", "-", name.casefold())
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{slug}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{slug}-\1)", svg)
    svg = re.sub(r'xlink:href="#([^"]+)"', rf'xlink:href="#{slug}-\1"', svg)
    svg = re.sub(r'<svg ([^>]*?)width="[^"]+" height="[^"]+"|<svg ', r"<svg \1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?)\b(?:width|height)="[^"]+" ', r"\1", svg)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)
    return svg.replace(_INK, "currentColor").replace(_FAINT, "var(--grid)").strip()


def pictures(balance: Balance) -> dict[str, str]:
    """All pictures of a report, by name."""
    paint = paints(balance.experiment)
    powers = [(paint[p.power], p) for p in balance.powers]
    equal = 1 / len(powers)
    return {
        "leads": intervals([(p.power, n, p.leads) for n, p in powers], "part of the leads", at=equal, name="Leads"),
        "victories": intervals(
            [(p.power, n, p.victory) for n, p in powers], "part of the victories, of all games",
            at=balance.decided / balance.games * equal, name="Victories",
        ),
        "centres": courses([(p.power, n, p.by_year) for n, p in powers], "centres", name="Centres by year"),
        "alive": courses([(p.power, n, p.alive) for n, p in powers], "share of games", name="Survival by year"),
        "lengths": lengths(balance.lengths, "turns played", name="Length of games"),
    }  # fmt: skip
