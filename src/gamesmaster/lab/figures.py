"""The content of a report: its numbers as rows and tables, for the page and for CSV files alike, and its pictures.

Pictures are SVG to be put into a page, for light and dark paper alike, as narrow as a phone; lines, letters and rims
take the colour of the page's text.  Powers have their colours of the maps, and beside them, for every eye, a mark and
their name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from html import escape
from io import StringIO
from math import inf
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke
from matplotlib.ticker import MaxNLocator

from gamesmaster.lab.experiment import Experiment, find
from gamesmaster.pictures import PLATES, neighbours_of, paints_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gamesmaster.lab.balance import Balance
    from gamesmaster.lab.comparison import Comparison, Difference
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
    """Map each power to the number of its paint, the one that it has on the maps of the variant."""
    variant = find(experiment.variant)
    numbers = paints_of(variant.powers, neighbours_of(variant.board))
    return {power.name: number for power, number in zip(variant.powers, numbers, strict=True)}


def colour(paint: int) -> str:
    """Return the colour of a paint, by its number."""
    return PLATES[paint % len(PLATES)]


def intervals(rows: Sequence[tuple[str, int, Estimate]], label: str, *, at: float | None, name: str) -> str:
    """Return a plot with a dot for each row (name, number of its paint, value) and a line for its interval.

    `at` is the value of equal powers.
    """

    def draw(axes: Axes) -> None:
        for y, (_, number, value) in enumerate(rows):
            if value.low is not None and value.high is not None:
                axes.plot([value.low, value.high], [y, y], color=_INK, linewidth=1.4, zorder=2)
            axes.plot(value.value, y, **_point_style(number), markersize=9, zorder=3)
        if at is not None:
            axes.axvline(at, color=_INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.xaxis.set_major_locator(MaxNLocator("auto"))
        axes.set_xlabel(label)
        axes.grid(axis="y", visible=False)

    return _render(draw, 0.9 + 0.3 * len(rows), name)


def courses(rows: Sequence[tuple[str, int, dict[int, Estimate]]], label: str, *, name: str) -> str:
    """Return a plot with a line for each row (name, number of its paint, value by year), with its name at the end."""

    def draw(axes: Axes) -> None:
        years = sorted({year for _, _, values in rows for year in values})
        every = max(1, len(years) // 8)
        for place, (_, number, values) in enumerate(rows):
            xs = sorted(values)
            dash = _DASHES[number % len(_DASHES)]
            line = axes.plot(
                xs, [values[x].value for x in xs], linewidth=2.2, linestyle=dash, **_point_style(number), markersize=6,
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

    return _render(draw, 3.4, name)


def lengths(counts: dict[int, int], label: str, *, name: str) -> str:
    """Return a column for each length of game."""

    def draw(axes: Axes) -> None:
        axes.bar(list(counts), list(counts.values()), color=PLATES[2], edgecolor=_INK, linewidth=0.8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(min(counts) - 0.8, max(counts) + 0.8)
        axes.set_xlabel(label)
        axes.set_ylabel("games")
        axes.grid(axis="x", visible=False)

    return _render(draw, 2.6, name)


def spread(ends: dict[int, float], least: float, floor: float = -inf) -> dict[int, float]:
    """Return places for names beside the ends of lines, in their order, at least `least` apart, none below `floor`.

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


def _point_style(number: int) -> dict[str, Any]:
    again = number // len(PLATES)
    mark = _MARKS[(number + 5 * again) % len(_MARKS)]
    return {"color": colour(number), "marker": mark, "markeredgecolor": _INK, "markeredgewidth": 0.9}


def _render(draw: Callable[[Axes], None], height: float, name: str) -> str:
    """Return an SVG with ids of its own; its title is for people who use a screen reader."""
    with mpl.rc_context(_LOOKS):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        svg = StringIO()
        figure.savefig(svg, format="svg", metadata={"Date": None}, transparent=True)
    return _at_home(svg.getvalue(), name)


def _at_home(svg: str, name: str) -> str:
    """Return a picture for a page: its colours, ids distinct from other pictures', no fixed size."""
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
    """Return all pictures of a report, by name."""
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


Cell = str | int | float | None
Row = list[Cell]
MEASURES = ("wins", "draws", "victory", "leads", "survival", "centres", "owned", "first_gain")
SHARES = frozenset({"wins", "draws", "victory", "leads", "survival", "owned"})
HEADS = {
    "wins": "wins alone", "draws": "wins shared", "victory": "part of victories", "leads": "part of leads",
    "survival": "survives", "centres": "centres at the end", "owned": "part of centres",
    "first_gain": "gained by the first count",
}  # fmt: skip
INDEX = {"evenness": "evenness", "ratio": "ratio", "gini": "Gini's index"}
OF = {"victory": "victories", "lead": "leads", "centres": "centres"}


# -- as numbers ------------------------------------------------------------------------------------------------------


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as the text of a CSV file."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def csv_tables(balance: Balance) -> dict[str, list[Row]]:
    """Return the tables by the names of their files, heads first."""
    lengths: list[Row] = [[turns, games] for turns, games in balance.lengths.items()]
    return {
        "powers.csv": [_heads("power", *_measures(balance)), *_power_rows(balance)],
        "years.csv": [[*_heads("power,year", "centres"), *_heads("", "alive")[1:]], *_year_rows(balance)],
        "fairness.csv": [[*_heads("index,of,found", "fair"), "p"], *_fairness_rows(balance)],
        "endings.csv": [_heads("ending", "share"), *([name, *_three(x)] for name, x in balance.endings.items())],
        "lengths.csv": [["turns", "games"], *lengths],
        "attacks.csv": [["kind", "power", "against", "mean"], *_attack_rows(balance)],
        "openings.csv": [_heads("power,orders,games", "victory", "centres", "first_gain"), *_opening_rows(balance)],
        "players.csv": [_heads("player,seats", "victory", "leads", "owned"), *_player_rows(balance)],
    }


def _heads(first: str, *measures: str) -> Row:
    return [*first.split(","), *(f"{m}{part}" for m in measures for part in ("", "_low", "_high"))]


def _three(value: Estimate | None) -> Row:
    return [value.value, value.low, value.high] if value else [None] * 3


def _measures(balance: Balance) -> Sequence[str]:
    return (*MEASURES, "points") if balance.scoring else MEASURES


def _power_rows(balance: Balance) -> Iterable[Row]:
    return ([p.power, *(x for m in _measures(balance) for x in _three(getattr(p, m)))] for p in balance.powers)


def _year_rows(balance: Balance) -> Iterable[Row]:
    return ([p.power, y, *_three(x), *_three(p.alive[y])] for p in balance.powers for y, x in p.by_year.items())


def _fairness_rows(balance: Balance) -> Iterable[Row]:
    return ([f.index, f.of, f.found, *_three(f.fair), f.p] for f in balance.fairness)


def _attack_rows(balance: Balance) -> Iterable[Row]:
    for kind, rows in balance.attacks.items():
        for who, counts in rows.items():
            for whom, count in counts.items():
                if who != whom:
                    yield [kind, who, whom, count]


def _opening_rows(balance: Balance) -> Iterable[Row]:
    for o in balance.openings:
        yield [o.power, o.orders, o.games, *_three(o.victory), *_three(o.centres), *_three(o.first_gain)]


def _player_rows(balance: Balance) -> Iterable[Row]:
    return ([p.player, p.seats, *_three(p.victory), *_three(p.leads), *_three(p.owned)] for p in balance.players)


def comparison_rows(comparison: Comparison) -> list[Row]:
    """Return the differences between two experiments, heads first."""
    heads: Row = ["what", "first", "second", "difference", "low", "high", "p", "corrected", "detectable", "more",
                  "correlation"]  # fmt: skip
    rows = ([d.what, d.first, d.second, *_three(d.difference), d.p, d.corrected, d.detectable, d.more, d.correlation]
            for d in comparison.differences)  # fmt: skip
    return [heads, *rows]


# -- as a page -------------------------------------------------------------------------------------------------------


def percent(value: Estimate | None) -> str:
    """Return a share with its bounds, as HTML: `12 %` and below `8 to 17`."""
    if value is None:
        return "-"
    part, *bounds = value.percent()
    return f"{part}&nbsp;%" + (f"<small>{' to '.join(bounds)}</small>" if bounds else "")


def number(value: Estimate | float | None, digits: int = 1) -> str:
    """Return a number with its bounds if it has any, as HTML; no bound, or no number, is infinite."""
    if value is None:
        return "infinite"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    low, high = ("..." if x is None else f"{x:.{digits}f}" for x in (value.low, value.high))
    return f"{value.value:.{digits}f}" + (f"<small>{low} to {high}</small>" if value.low is not None else "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "", kind: str = "") -> str:
    """Return a table of ready HTML, its first column heads of the rows."""
    top = "".join(f'<th scope="col"{" class=text" if not n else ""}>{head}</th>' for n, head in enumerate(heads))
    body = "\n".join(f'<tr><th scope="row">{first}</th>{"".join(_cells(rest))}</tr>' for first, *rest in rows)
    told = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{caption or escape(heads[0])}">'
        f'<table class="{kind}">{told}<thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
    )


def _cells(cells: Iterable[str]) -> Iterable[str]:
    return (cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)


def _power_label(balance: Balance, power: str) -> str:
    """Return a power's name after a chip of its colour."""
    paint = paints(balance.experiment)[power]
    return f'<span class="chip" style="background:{colour(paint)}"></span>{escape(power)}'


def powers_table(balance: Balance) -> str:
    """Return the table of each power's results."""
    shown = [m for m in MEASURES if m != "owned"]
    rows = (
        [
            _power_label(balance, p.power),
            *((percent if m in SHARES else number)(getattr(p, m)) for m in shown),
            *([number(p.points)] if p.points else []),
        ]
        for p in balance.powers
    )
    heads = ["power", *(HEADS[m] for m in shown), *([f"points ({balance.scoring})"] if balance.scoring else [])]
    return _table(heads, rows, caption=f"Over {balance.games:,} games")


def fairness_table(balance: Balance) -> str:
    """Return the indices, with the values that a fair game would have."""
    if not balance.fairness:
        return ""
    rows = (
        [f"{INDEX[f.index]} of {OF[f.of]}", number(f.found, 2), number(f.fair, 2), evidence(f.p)]
        for f in balance.fairness
    )
    heads = ("index", "here", "a fair game", "that it is not fair")
    return _table(heads, rows, caption="Indices, and the bounds of a fair game's")


EVIDENCE = ((0.001, "very strong"), (0.01, "strong"), (0.05, "some"), (0.1, "weak"))
"""The words for a probability below each number."""


def evidence(p: float) -> str:
    """Return a probability with what it says: `p = 0.20: no evidence`, `p = 0.0031: strong evidence`."""
    word = next((word for most, word in EVIDENCE if p < most), "no")
    told = f"p = {p:.2f}" if p >= 0.1 else f"p = {Decimal(f'{p:.2g}'):f}" if p >= 1e-6 else "p < 0.000001"
    return f"{told}: {word} evidence"


def endings_table(balance: Balance) -> str:
    """Return the table of how games end, and how long they are."""
    rows = [[name, percent(x)] for name, x in balance.endings.items()]
    rows += [
        ["turns", number(balance.turns)],
        ["phases", number(balance.phases)],
        ["stuck: broken off, the last three counts without a change of owner", percent(balance.stuck)],
        ["most counts in a row without a change of owner", number(balance.stillest)],
    ]
    return _table(("games", ""), rows, caption="How games end, and how long they are", kind="prose")


def attack_tables(balance: Balance) -> str:
    """Return the tables of attacks by attacker and attacked, one for each kind; darker is more."""
    return "\n".join(_attack_table(balance, kind) for kind in balance.attacks)


def _attack_table(balance: Balance, kind: str) -> str:
    rows = balance.attacks[kind]
    most = max((n for who, row in rows.items() for whom, n in row.items() if whom), default=0) or 1
    victims = [p.power for p in balance.powers] + ([""] if any(row[""] for row in rows.values()) else [])

    def cell(who: str, whom: str) -> str:
        if who == whom:
            return "<td>&middot;</td>"
        heat = f' style="--h:{min(1, rows[who][whom] / most):.2f}"' if whom else ""
        return f"<td{heat}>{rows[who][whom]:.2f}</td>"

    lines = ([_power_label(balance, who), *(cell(who, whom) for whom in victims)] for who in rows)
    return _table(
        [kind, *(escape(v) or "nobody" for v in victims)], lines, caption=f"{kind.capitalize()} a game", kind="heat"
    )


def opening_tables(balance: Balance) -> str:
    """Return each power's openings, folded away."""
    parts = []
    for power in (p.power for p in balance.powers):
        rows = [
            [
                str(o.games),
                f'<td class="orders">{escape(o.orders) or "no orders"}</td>',
                percent(o.victory),
                number(o.centres),
                number(o.first_gain),
            ]
            for o in balance.openings
            if o.power == power
        ]
        heads = ("games", "orders", HEADS["victory"], HEADS["centres"], HEADS["first_gain"])
        inner = _table(heads, rows, caption=f"Openings of {escape(power)}") if rows else "<p>None was seen twice.</p>"
        summary = f"{_power_label(balance, power)}: {balance.played[power]:,} different openings"
        parts.append(f"<details><summary>{summary}</summary>\n{inner}</details>")
    return "\n".join(parts)


def players_table(balance: Balance) -> str:
    """Return the table of each player's results, empty for a single player."""
    if len(balance.players) < 2:
        return ""
    rows = (
        [escape(p.player), f"{p.seats:,}", percent(p.victory), percent(p.leads), percent(p.owned)]
        for p in balance.players
    )
    heads = ("player", "seats", HEADS["victory"], HEADS["leads"], HEADS["owned"])
    return "<h2>How the players did</h2>\n<p>Averages over the games, per seat.</p>\n" + _table(
        heads, rows, caption="Players"
    )


def comparison_table(comparison: Comparison) -> str:
    """Return the differences between two experiments, the surest first."""
    if not comparison.differences:
        return "<p>Nothing does.</p>"
    differences = sorted(comparison.differences, key=lambda d: (d.corrected, d.p, d.what))
    heads = ("over each game", "A", "B", "B less A", "that they differ", "pairs alike", "could be seen", "pairs more")
    return _table(heads, map(_difference_cells, differences), caption=f"{comparison.pairs:,} pairs of games")


def _difference_cells(d: Difference) -> list[str]:
    more = "settled" if d.sure else "-" if d.more is None else f"{d.more:,}"
    numbers = (f"{d.first:.{d.digits}f}", f"{d.second:.{d.digits}f}", number(d.difference, d.digits))
    alike = "-" if d.correlation is None else f"{d.correlation:.2f}"
    seen = f"{d.detectable:.{d.digits}f}" if d.detectable else "-"
    return [escape(d.what), *numbers, evidence(d.corrected), alike, seen, more]
