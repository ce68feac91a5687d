"""The centres of each power year by year: the lines of a chart, and the rows of the table beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from gamesmaster.host.service import drawing, endgame
from gamesmaster.host.service.endgame import Year
from gamesmaster.host.service.viewing import TableView

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 26, 112, 12, 24
"""Room for the numbers at the left, for the powers' names at the right, and for the years below."""
APART = 3.4
"""By how much lines that would lie upon one another are moved apart, at most."""
DASHES = ("", "9 3", "3 3", "9 3 3 3", "14 3", "6 6", "14 3 3 3", "3 6")
MOST_YEARS = 8
"""How many years are written below; of more, every second, fifth, ..."""


@dataclass(frozen=True, slots=True)
class Line:
    """A power in the chart: its line as points, where its badge stands; lines differ by dashes as well as by colour."""

    power: str
    letters: str
    colour: str
    ink: str
    dash: str
    points: str
    end_y: str
    badge_y: str
    centres: tuple[int, ...]

    @property
    def last(self) -> int:
        """How many centres it has now."""
        return self.centres[-1]


@dataclass(frozen=True, slots=True)
class Mark:
    """A number or a year along an edge of the chart, and where."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The whole chart: lines, best power first, marks along both edges; `began` are the centres at the start."""

    years: tuple[Year, ...]
    began: str
    lines: tuple[Line, ...]
    heights: tuple[Mark, ...]
    below: tuple[Mark, ...]
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    badge_x: int = WIDTH - RIGHT + 20
    name_x: int = WIDTH - RIGHT + 33


def chart(view: TableView) -> Chart | None:
    """The chart of a game in which a phase is over; None before."""
    if not view.records:
        return None
    years, began = endgame.years(view), endgame.opening(view)
    powers = [power.name for power in view.variant.powers]
    course = {power: (began[n], *(year.centres[n] for year in years)) for n, power in enumerate(powers)}
    most = max(4, *(max(numbers) for numbers in course.values()))
    order = sorted(powers, key=lambda power: -course[power][-1])
    apart = _apart(course, most)
    ends = [_y(course[power][-1], most) + apart[power][-1] for power in order]
    bearers = drawing.picture(view.variant.address, "light").heraldry
    lines = []
    for power, end, badge in zip(order, ends, _badges(ends), strict=True):
        bearer, numbers = bearers[power], course[power]
        points = [
            f"{_x(n, len(numbers)):.1f},{_y(number, most) + apart[power][n]:.1f}" for n, number in enumerate(numbers)
        ]
        lines.append(
            Line(
                power, bearer.letters, bearer.paint.plate, bearer.paint.letter, DASHES[bearer.number % len(DASHES)],
                " ".join(points), f"{end:.1f}", f"{badge:.1f}", numbers,
            )
        )  # fmt: skip
    start = _("start")
    return Chart(years, start, tuple(lines), _heights(most), _below([start, *(str(y.year) for y in years)]))


def _x(number: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * number / max(1, count - 1)


def _y(centres: float, most: int) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - centres / most)


def _apart(course: Mapping[str, Sequence[int]], most: int) -> dict[str, list[float]]:
    """How far each point of each line is moved, so that powers with equal numbers are seen side by side."""
    found: dict[str, list[float]] = {power: [] for power in course}
    unit = (HEIGHT - TOP - BOTTOM) / most
    for n in range(len(next(iter(course.values())))):
        for number in {numbers[n] for numbers in course.values()}:
            equal = [power for power in course if course[power][n] == number]
            step = min(APART, 0.8 * unit / len(equal)) if number else 0.0
            for rank, power in enumerate(equal):
                found[power].append(step * (rank - (len(equal) - 1) / 2))
    return found


def _badges(ends: Sequence[float]) -> list[float]:
    """Where badges stand beside the ends of lines, from above: as near as may be, and none upon another."""
    room = min(21.0, (HEIGHT - 4) / len(ends))
    groups: list[tuple[float, int]] = []  # the middle of badges that stand close together, and how many they are
    for end in ends:
        middle, count = end, 1
        while groups and groups[-1][0] + room * (groups[-1][1] + count) / 2 > middle:
            above, more = groups.pop()
            middle, count = (above * more + middle * count) / (more + count), count + more
            middle = min(max(middle, 2 + room * count / 2), HEIGHT - 2 - room * count / 2)
        groups.append((min(max(middle, 2 + room * count / 2), HEIGHT - 2 - room * count / 2), count))
    return [middle + room * (n - (count - 1) / 2) for middle, count in groups for n in range(count)]


def _heights(most: int) -> tuple[Mark, ...]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 500) if most / step <= 6)
    return tuple(Mark(f"{_y(number, most):.1f}", str(number)) for number in range(0, most + 1, step))


def _below(names: Sequence[str]) -> tuple[Mark, ...]:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if len(names) / step <= MOST_YEARS)
    last = len(names) - 1
    shown = [n for n in range(len(names)) if n == last or (n % step == 0 and last - n >= step)]
    return tuple(Mark(f"{_x(n, len(names)):.1f}", names[n]) for n in shown)
