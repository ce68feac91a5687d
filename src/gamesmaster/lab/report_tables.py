"""The numbers of a report as rows, for the page and for CSV files alike, and as tables of the page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from gamesmaster.lab.report_plots import colour, paints

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance
    from gamesmaster.lab.comparison import Comparison, Difference
    from gamesmaster.lab.statistics import Estimate

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
    """Rows as the text of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def csv_tables(balance: Balance) -> dict[str, list[Row]]:
    """The tables by the names of their files, heads first."""
    return {
        "powers.csv": [_heads("power", *MEASURES), *_power_rows(balance)],
        "years.csv": [[*_heads("power,year", "centres"), *_heads("", "alive")[1:]], *_year_rows(balance)],
        "fairness.csv": [[*_heads("index,of,found", "fair"), "p"], *_fairness_rows(balance)],
        "endings.csv": [_heads("ending", "share"), *([name, *_three(x)] for name, x in balance.endings.items())],
        "lengths.csv": [["turns", "games"], *_length_rows(balance)],
        "attacks.csv": [["kind", "power", "against", "mean"], *_attack_rows(balance)],
        "openings.csv": [_heads("power,orders,games", "victory", "centres", "first_gain"), *_opening_rows(balance)],
        "players.csv": [_heads("player,seats", "victory", "leads", "owned"), *_player_rows(balance)],
    }


def _heads(first: str, *measures: str) -> Row:
    return [*first.split(","), *(f"{m}{part}" for m in measures for part in ("", "_low", "_high"))]


def _three(value: Estimate | None) -> Row:
    return [value.value, value.low, value.high] if value else [None] * 3


def _power_rows(balance: Balance) -> Iterable[Row]:
    return ([p.power, *(x for m in MEASURES for x in _three(getattr(p, m)))] for p in balance.powers)


def _year_rows(balance: Balance) -> Iterable[Row]:
    return ([p.power, y, *_three(x), *_three(p.alive[y])] for p in balance.powers for y, x in p.by_year.items())


def _fairness_rows(balance: Balance) -> Iterable[Row]:
    return ([f.index, f.of, f.found, *_three(f.fair), f.p] for f in balance.fairness)


def _length_rows(balance: Balance) -> Iterable[Row]:
    return ([turns, games] for turns, games in balance.lengths.items())


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
    """The differences between two experiments, heads first."""
    heads: Row = ["what", "first", "second", "difference", "low", "high", "p", "corrected", "detectable", "more"]
    rows = ([d.what, d.first, d.second, *_three(d.difference), d.p, d.corrected, d.detectable, d.more]
            for d in comparison.differences)  # fmt: skip
    return [heads, *rows]


# -- as a page -------------------------------------------------------------------------------------------------------


def percent(value: Estimate | None) -> str:
    """A share with its bounds, as HTML: `12 %` and below `8 to 17`."""
    if value is None:
        return "-"
    bounds = (
        ""
        if value.low is None or value.high is None
        else f"<small>{100 * value.low:.0f} to {100 * value.high:.0f}</small>"
    )
    return f"{100 * value.value:.0f}&nbsp;%{bounds}"


def number(value: Estimate | float | None, digits: int = 1) -> str:
    """A number with its bounds if it has any, as HTML; no bound, or no number, is infinite."""
    if value is None:
        return "infinite"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    low, high = ("..." if x is None else f"{x:.{digits}f}" for x in (value.low, value.high))
    return f"{value.value:.{digits}f}" + (f"<small>{low} to {high}</small>" if value.low is not None else "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "", kind: str = "") -> str:
    """A table of ready HTML, its first column heads of the rows."""
    top = "".join(f'<th scope="col"{" class=text" if not n else ""}>{head}</th>' for n, head in enumerate(heads))
    body = "\n".join(f'<tr><th scope="row">{first}</th>{"".join(_cells(rest))}</tr>' for first, *rest in rows)
    told = f"<caption>{caption}</caption>" if caption else ""
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{caption or escape(heads[0])}">'
        f'<table class="{kind}">{told}<thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
    )


def _cells(cells: Iterable[str]) -> Iterable[str]:
    return (cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)


def _named(balance: Balance, power: str) -> str:
    """A power's name after a chip of its colour."""
    paint = paints(balance.experiment)[power]
    return f'<span class="chip" style="background:{colour(paint)}"></span>{escape(power)}'


def powers_table(balance: Balance) -> str:
    """How each power fared."""
    shown = [m for m in MEASURES if m != "owned"]
    rows = (
        [_named(balance, p.power), *((percent if m in SHARES else number)(getattr(p, m)) for m in shown)]
        for p in balance.powers
    )
    return _table(["power", *(HEADS[m] for m in shown)], rows, caption=f"Over {balance.games:,} games")


def fairness_table(balance: Balance) -> str:
    """The indices, and what a fair game would show."""
    rows = (
        [f"{INDEX[f.index]} of {OF[f.of]}", number(f.found, 2), number(f.fair, 2), probability(f.p)]
        for f in balance.fairness
    )
    heads = ("index", "here", "a fair game", "a fair game looks as uneven")
    return _table(heads, rows, caption="Indices, and the bounds of a fair game's")


def probability(p: float) -> str:
    """A probability in words: `1 time of 50`, `less than 1 time in 500`."""
    if p <= 1 / 500:
        return "less than 1 time in 500"
    return f"1 time of {1 / p:.0f}" if p < 0.2 else f"{100 * p:.0f} times of 100"


def endings_table(balance: Balance) -> str:
    """How games ended and how long they were."""
    rows = [[name, percent(x)] for name, x in balance.endings.items()]
    rows += [
        ["turns", number(balance.turns)],
        ["phases", number(balance.phases)],
        ["stuck: broken off, the last three counts without a change of owner", percent(balance.stuck)],
        ["most counts in a row without a change of owner", number(balance.stillest)],
    ]
    return _table(("games", ""), rows, caption="How games end, and how long they are", kind="prose")


def attack_tables(balance: Balance) -> str:
    """Who attacked whom, a table for each kind; darker is more."""
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

    told = ([_named(balance, who), *(cell(who, whom) for whom in victims)] for who in rows)
    return _table(
        [kind, *(escape(v) or "nobody" for v in victims)], told, caption=f"{kind.capitalize()} a game", kind="heat"
    )


def opening_tables(balance: Balance) -> str:
    """Each power's openings, folded away."""
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
        told = f"{_named(balance, power)}: {balance.played[power]:,} different openings"
        parts.append(f"<details><summary>{told}</summary>\n{inner}</details>")
    return "\n".join(parts)


def players_table(balance: Balance) -> str:
    """How each player fared, if there were several."""
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
    """The differences between two experiments, the surest first."""
    if not comparison.differences:
        return "<p>Nothing does.</p>"
    told = sorted(comparison.differences, key=lambda d: (d.corrected, d.p, d.what))
    heads = ("over each game", "A", "B", "B less A", "by chance", "could be seen", "pairs more")
    return _table(heads, map(_compared, told), caption=f"{comparison.pairs:,} pairs of games")


def _compared(d: Difference) -> list[str]:
    more = "settled" if d.sure else "-" if d.more is None else f"{d.more:,}"
    numbers = (f"{d.first:.3f}", f"{d.second:.3f}", number(d.difference, 3))
    return [escape(d.what), *numbers, probability(d.corrected), f"{d.detectable:.3f}", more]
