"""How everybody stands in a game, how it came to that, and what its players say of it when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from gamesmaster.game import Game, centre_counts, unit_counts
from gamesmaster.host.games import ratings
from gamesmaster.host.games.ratings import RatedSeat
from gamesmaster.host.maps import pictures
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import SEATED, Seat, Table
from gamesmaster.host.tables.requests import account, begun_view, lead_back
from gamesmaster.host.tables.view import OVER, SeatView, TableView

LONGEST_STATEMENT = 4000


@dataclass(frozen=True, slots=True)
class Standing:
    """How a power stands at the end.

    `seat` is who played it last, as the viewer may know that; `out` the year in which it went out of the game (None: it
    did not), `rating` that of its player before and after, if the game is rated.
    """

    power: str
    seat: SeatView | None
    place: int
    centres: int
    units: int
    out: int | None
    rating: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Year:
    """A year that was played: its last phase, and how many centres each power had after it, in the variant's order."""

    year: int
    ordinal: int
    centres: tuple[int, ...]


def standings(view: TableView) -> tuple[Standing, ...]:
    """The final table, the best first.  Raises `Refused` while the game goes on."""
    game = _over(view)
    places, out = ratings.places(game), _went_out(game)
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    seats, rated = {seat.power: seat for seat in view.seats}, _rating_changes(view)
    rows = [
        Standing(p, seats.get(p), places[p], centres.get(p, 0), units.get(p, 0), out.get(p), rated.get(p))
        for p in places
    ]
    return tuple(sorted(rows, key=lambda one: (one.place, -one.centres)))


def years_of(view: TableView) -> tuple[Year, ...]:
    """The years of a game, each with the centres at its end; of the year being played, as they stand."""
    game, years = view.bare_game, dict[int, Year]()
    stood = [*(record.position for record in game.records), game.position]
    for ordinal, (record, position) in enumerate(zip(game.records, stood[1:], strict=True)):
        counts = centre_counts(game.variant, position)
        years[record.phase.year] = Year(record.phase.year, ordinal, tuple(counts[p.name] for p in game.variant.powers))
    return tuple(years.values())


def centres_at_start(view: TableView) -> tuple[int, ...]:
    """How many centres each power had when the game began, in the variant's order."""
    game = view.bare_game
    counts = centre_counts(game.variant, game.records[0].position if game.records else game.position)
    return tuple(counts[power.name] for power in game.variant.powers)


def state(table: Table | int, user: User | None, text: str, *, now: datetime | None = None) -> None:
    """Keep a player's statement on a game that is over, in place of an earlier one; an empty text takes it away.

    Players whose powers went out of the game have one, too.  Raises `Refused`.
    """
    with store.lock(table) as row:
        if row.state not in OVER:
            raise Refused("not-over", _("Statements are for games that are over."))
        seat = row.seats.filter(user=user, power__isnull=False, state__in=SEATED).first() if user else None
        if seat is None:
            raise Refused("no-seat", _("Only players of this game can write a statement."))
        if (length := len(text.replace("\r\n", "\n"))) > LONGEST_STATEMENT:
            hint = _("yours has {length:,}").format(length=length)
            raise Refused(
                "too-long",
                _("A statement has at most {longest_statement:,} characters.").format(
                    longest_statement=LONGEST_STATEMENT
                ),
                hint,
            )
        statement = correspondence.clean(text) if text.strip() else ""
        Seat.objects.filter(pk=seat.pk).update(statement=statement)
        store.touch(row)
        row.save(update_fields=["version"])
        store.audit(user, gettext_lazy("wrote a statement"), row, now or clock.now())


def rating_obstacle(view: TableView) -> str:
    """Why a game that is over is not rated, in a sentence; empty if it is."""
    return ratings.rating_obstacle(row_of(view), _over(view))


def _over(view: TableView) -> Game:
    game = view.bare_game
    if game.outcome is None:
        raise Refused("not-over", _("The game is not over."))
    return game


def _rating_changes(view: TableView) -> dict[str, tuple[int, int]]:
    """Ratings before and after by power; a game whose players stay anonymous has none."""
    return {one.power: (round(one.before), round(one.after)) for one in RatedSeat.objects.filter(table__key=view.key)}


def _went_out(game: Game) -> dict[str, int]:
    """The year in which each power that is out of the game went out: that of the phase after which it had nothing."""
    years: dict[str, int] = {}
    living = set(game.survivors)
    for record in game.records:
        for power in {unit.power for unit in record.position.units} | set(record.position.owners.values()):
            if power not in living:
                years[power] = record.phase.year
    return years


@dataclass(frozen=True, slots=True)
class Final:
    """What is shown of a game that is over.

    `own` is the seat of a reader who has played, `unrated` says why there are no ratings.
    """

    standings: tuple[Standing, ...]
    statements: tuple[SeatView, ...]
    own: SeatView | None
    unrated: str
    longest: int = LONGEST_STATEMENT


def final(view: TableView) -> Final | None:
    """What there is to show; None while the game goes on."""
    if view.outcome is None:
        return None
    rows = standings(view)
    seats = {seat.power: seat for seat in view.seats}
    return Final(
        standings=rows,
        statements=tuple(s for one in rows if (s := seats.get(one.power)) is not None and s.statement),
        own=next((seat for seat in view.seats if seat.own and not view.sandbox), None),
        unrated="" if view.sandbox else rating_obstacle(view),
    )


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key]) + "#statements"


@login_required
@require_POST
@lead_back(_back)
def statement(request: HttpRequest, key: str) -> HttpResponse:
    """Keep what a player says of the game; an empty text takes it away."""
    view, text = begun_view(request, key), request.POST.get("text", "")
    state(row_of(view), account(request), text)
    messages.success(
        request, _("Your statement has been saved.") if text.strip() else _("Your statement has been deleted.")
    )
    return redirect(_back(request, key))


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

    years_of: tuple[Year, ...]
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
    years, began = years_of(view), centres_at_start(view)
    powers = [power.name for power in view.variant.powers]
    course = {power: (began[n], *(year.centres[n] for year in years)) for n, power in enumerate(powers)}
    most = max(4, *(max(numbers) for numbers in course.values()))
    order = sorted(powers, key=lambda power: -course[power][-1])
    apart = _apart(course, most)
    ends = [_y(course[power][-1], most) + apart[power][-1] for power in order]
    bearers = pictures.picture(view.variant.address, "light").heraldry
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
    offsets: dict[str, list[float]] = {power: [] for power in course}
    unit = (HEIGHT - TOP - BOTTOM) / most
    for n in range(len(next(iter(course.values())))):
        for number in {numbers[n] for numbers in course.values()}:
            equal = [power for power in course if course[power][n] == number]
            step = min(APART, 0.8 * unit / len(equal)) if number else 0.0
            for rank, power in enumerate(equal):
                offsets[power].append(step * (rank - (len(equal) - 1) / 2))
    return offsets


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
    numbers = [n for n in range(len(names)) if n == last or (n % step == 0 and last - n >= step)]
    return tuple(Mark(f"{_x(n, len(names)):.1f}", names[n]) for n in numbers)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/statement", statement, name="table-statement"),
]
