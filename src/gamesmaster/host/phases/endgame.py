"""Final tables, the chart of centres, and players' statements on finished games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, agreed_scores, centre_counts, points_text, unit_counts
from gamesmaster.host.games import ratings
from gamesmaster.host.games.ratings import RatedSeat
from gamesmaster.host.games.words import rule_sentence
from gamesmaster.host.maps import pictures
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import SEATED, Seat, Table
from gamesmaster.host.tables.requests import account, begun_view, posted
from gamesmaster.host.tables.view import OVER, SeatView, TableView

LONGEST_STATEMENT = 4000


@dataclass(frozen=True, slots=True)
class Standing:
    """The final standing of a power."""

    power: str
    seat: SeatView | None  # its last player, as far as the viewer may know
    place: int  # place from 1
    centres: int
    units: int
    out: int | None  # year of its elimination; None for a survivor
    points: str  # its points, if the game is scored
    rating: tuple[int, int] | None  # its player's rating before and after, in a rated game


@dataclass(frozen=True, slots=True)
class Year:
    """A year of the game, and the centres at its end."""

    year: int
    ordinal: int  # its last phase
    centres: tuple[int, ...]  # by power, in the variant's order


def standings(view: TableView) -> tuple[Standing, ...]:
    """Return the final table, best first; raise `Refused` while the game goes on."""
    game = view.bare_game
    if game.outcome is None:
        raise Refused("not-over", _("The game is not over."))
    places, out = ratings.places(game), _went_out(game)
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    seats = {seat.power: seat for seat in view.seats}
    rated = {one.power: (round(one.before), round(one.after)) for one in RatedSeat.objects.filter(table__key=view.key)}
    points = {power: points_text(number) for power, number in agreed_scores(game).items()}
    rows = [
        Standing(
            p, seats.get(p), places[p], centres.get(p, 0), units.get(p, 0), out.get(p), points.get(p, ""), rated.get(p)
        )
        for p in places
    ]
    return tuple(sorted(rows, key=lambda one: (one.place, -one.centres)))


def years_of(view: TableView) -> tuple[Year, ...]:
    """Return the finished years of a game and the current one, each with the centres after its last finished phase."""
    game, years = view.bare_game, dict[int, Year]()
    stood = [*(record.position for record in game.records), game.position]
    for ordinal, (record, position) in enumerate(zip(game.records, stood[1:], strict=True)):
        counts = centre_counts(game.variant, position)
        years[record.phase.year] = Year(record.phase.year, ordinal, tuple(counts[p.name] for p in game.variant.powers))
    return tuple(years.values())


def centres_at_start(view: TableView) -> tuple[int, ...]:
    """Return the number of centres of each power when the game began, in the variant's order."""
    game = view.bare_game
    counts = centre_counts(game.variant, game.records[0].position if game.records else game.position)
    return tuple(counts[power.name] for power in game.variant.powers)


def state(table: Table | int, user: User | None, text: str, *, now: datetime | None = None) -> None:
    """Save a player's statement on a finished game in place of an earlier one; an empty text deletes it.

    Players of eliminated powers may write one as well. Raise `Refused`.
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
                _("A statement has at most {longest_statement:,} characters."),
                hint,
                longest_statement=LONGEST_STATEMENT,
            )
        statement = correspondence.clean(text) if text.strip() else ""
        Seat.objects.filter(pk=seat.pk).update(statement=statement)
        store.touch(row)
        row.save(update_fields=["version"])
        store.audit(user, gettext_lazy("wrote a statement"), row, now or clock.now())


def _went_out(game: Game) -> dict[str, int]:
    """Return the year in which each eliminated power last had a unit or a centre."""
    years: dict[str, int] = {}
    living = set(game.survivors)
    for record in game.records:
        for power in {unit.power for unit in record.position.units} | set(record.position.owners.values()):
            if power not in living:
                years[power] = record.phase.year
    return years


@dataclass(frozen=True, slots=True)
class Final:
    """What the page shows of a finished game."""

    standings: tuple[Standing, ...]
    statements: tuple[SeatView, ...]  # seats with a statement, best place first
    own: SeatView | None  # the reader's seat, if the reader has played
    scoring: str  # how the game is scored, as a sentence; empty if it is not
    unrated: str  # why the game is not rated
    longest: int = LONGEST_STATEMENT  # maximum length of a statement


def final(view: TableView) -> Final | None:
    """Return what the page shows of a finished game; None while the game goes on."""
    if view.outcome is None:
        return None
    rows = standings(view)
    seats = {seat.power: seat for seat in view.seats}
    return Final(
        standings=rows,
        statements=tuple(s for one in rows if (s := seats.get(one.power)) is not None and s.statement),
        own=next((seat for seat in view.seats if seat.own and not view.sandbox), None),
        scoring=rule_sentence(view.house_rules, "scoring") if rows[0].points else "",
        unrated="" if view.sandbox else ratings.rating_obstacle(row_of(view), view.bare_game),
    )


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key]) + "#statements"


@posted(_back)
def statement(request: HttpRequest, key: str) -> HttpResponse:
    """Save a player's statement; an empty text deletes it."""
    view, text = begun_view(request, key), request.POST.get("text", "")
    state(row_of(view), account(request), text)
    messages.success(
        request, _("Your statement has been saved.") if text.strip() else _("Your statement has been deleted.")
    )
    return redirect(_back(request, key))


WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 26, 112, 12, 24
"""Margins: numbers at the left, names of powers at the right, years below."""
APART = 3.4
"""Distance by which coinciding lines are moved apart, at most."""
DASHES = ("", "9 3", "3 3", "9 3 3 3", "14 3", "6 6", "14 3 3 3", "3 6")
MOST_YEARS = 8
"""Maximum number of years written below the chart; with more, every second, fifth, and so on."""


@dataclass(frozen=True, slots=True)
class Line:
    """A power's line in the chart."""

    power: str
    letters: str  # in its badge
    colour: str
    ink: str  # colour of the letters
    dash: str  # dashes distinguish lines in addition to colour
    points: str  # SVG points
    end_y: str  # end of the line
    badge_y: str
    centres: tuple[int, ...]  # from the start, per year

    @property
    def last(self) -> int:
        """Return the number of centres at the end of the line."""
        return self.centres[-1]


@dataclass(frozen=True, slots=True)
class Mark:
    """A number or year at the edge of the chart, and its coordinate."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The whole chart."""

    years_of: tuple[Year, ...]
    began: str  # label of the start
    lines: tuple[Line, ...]  # best power first
    heights: tuple[Mark, ...]  # marks of the left edge
    below: tuple[Mark, ...]  # marks of the bottom edge
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    badge_x: int = WIDTH - RIGHT + 20
    name_x: int = WIDTH - RIGHT + 33


def chart(view: TableView) -> Chart | None:
    """Return the chart of a game; None before its first phase is over.

    While parts of the board are hidden, it has the viewer's powers alone.
    """
    if not view.records or (view.partial and not view.viewer.powers):
        return None
    years, began = years_of(view), centres_at_start(view)
    powers = [power.name for power in view.variant.powers]
    course = {
        power: (began[n], *(year.centres[n] for year in years))
        for n, power in enumerate(powers)
        if not view.partial or power in view.viewer.powers
    }
    most = max(4, *(max(numbers) for numbers in course.values()))
    order = sorted(course, key=lambda power: -course[power][-1])
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
    """Return how far each point of each line is moved, so that powers with equal numbers lie side by side."""
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
    """Return the positions of badges beside the ends of lines, from above, close to them and without overlap."""
    room = min(21.0, (HEIGHT - 4) / len(ends))
    groups: list[tuple[float, int]] = []  # middle and number of badges that stand close together
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
