"""How the games of a site go: a page of figures for admins, each with its definition.

The figures are about the newest `MOST` games and accounts, so that the page costs the same on a site of any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from gamesmaster.host.site import clock
from gamesmaster.host.tables.models import Seat, SeatState, Table, TableState
from gamesmaster.host.tables.requests import account

MOST = 2000
PEOPLE = 2
"""The number of people from which on a game is one between people."""
SETTLING = timedelta(days=30)
"""The age from which on an account could have finished a game."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its name, its value, what it is of, and how it is defined."""

    name: str
    value: str
    base: str
    says: str


def figures(now: datetime) -> Iterator[Figure]:
    """Yield the figures of a site."""
    begun = _newest(Table.objects).filter(sandbox=False, started__isnull=False)
    many = Count("seats__user", distinct=True)
    games = list(
        begun.annotate(people=many).filter(people__gte=PEOPLE).only("pk", "state", "created", "started", "paused_why")
    )
    seats = Seat.objects.filter(table__in=[game.pk for game in games], user__isnull=False)
    yield _missed_turns(games, seats)
    yield _clean_games(games, seats)
    yield _time_to_fill(games)
    yield _abandoned_games(games)
    yield _first_games(now)


def _newest(rows: Any) -> QuerySet[Any]:
    """Return the newest rows of a table, by their numbers."""
    last = rows.aggregate(last=Max("pk"))["last"] or 0
    found: QuerySet[Any] = rows.filter(pk__gt=last - MOST)
    return found


def _missed_turns(games: Sequence[Table], seats: QuerySet[Seat]) -> Figure:
    total = seats.aggregate(asked=Sum("asked"), sent=Sum("sent"))
    asked, sent = total["asked"] or 0, total["sent"] or 0
    says = _(
        "Seasons in which moves were due from a person who sent none, as a share of all seasons in which moves were due"
        " from people."
    )
    return Figure(_("Missed turns"), _share(asked - sent, asked), _games(len(games)), says)


def _clean_games(games: Sequence[Table], seats: QuerySet[Seat]) -> Figure:
    finished = [game.pk for game in games if game.state == TableState.FINISHED]
    spoilt = seats.filter(Q(state=SeatState.LEFT) | Q(sent__lt=F("asked")), table__in=finished)
    clean = len(finished) - spoilt.values("table").distinct().count()
    says = _("Finished games in which nobody missed a turn, and nobody left or lost a seat.")
    return Figure(_("Clean games"), _share(clean, len(finished)), _games(len(finished)), says)


def _time_to_fill(games: Sequence[Table]) -> Figure:
    waits = [(game.started - game.created).total_seconds() for game in games if game.started]
    says = _("The time from the creation of a game to its beginning: half of the games took less.")
    return Figure(_("Time to fill"), _middle(waits), _games(len(waits)), says)


def _abandoned_games(games: Sequence[Table]) -> Figure:
    left = sum(game.state == TableState.CANCELLED or game.paused_why == "deserted" for game in games)
    ended = left + sum(game.state == TableState.FINISHED for game in games)
    says = _(
        "Games that were cancelled, or are paused because all players have left, as a share of these and of the"
        " finished ones."
    )
    return Figure(_("Abandoned games"), _share(left, ended), _games(ended), says)


def _first_games(now: datetime) -> Figure:
    begun = Seat.objects.filter(user=OuterRef("pk"), table__sandbox=False, table__started__isnull=False)
    people = _newest(User.objects).filter(date_joined__lte=now - SETTLING)
    first = people.annotate(seat=Subquery(begun.order_by("joined", "pk").values("pk")[:1])).values("seat")
    over = Q(table__state__in=[TableState.FINISHED, TableState.CANCELLED]) | Q(state=SeatState.LEFT)
    ended = Seat.objects.filter(over, pk__in=first)
    kept = ended.filter(table__state=TableState.FINISHED).exclude(state=SeatState.LEFT).count()
    many = ended.count()
    says = _(
        "First games that newcomers played to the end, as a share of the first games that are over for them: finished,"
        " cancelled, or left. Accounts count when they are a month old."
    )
    base = ngettext("%(many)s newcomer", "%(many)s newcomers", many) % {"many": many}
    return Figure(_("First games finished"), _share(kept, many), base, says)


def _games(many: int) -> str:
    return ngettext("%(many)s game", "%(many)s games", many) % {"many": many}


def _share(part: int, whole: int) -> str:
    """Return a share in per cent, or a dash without a whole."""
    return f"{number_format(100 * part / whole, 1)} %" if whole else "–"


def _middle(seconds: Sequence[float]) -> str:
    """Return the median of these lengths of time in days or hours, or a dash without any."""
    if not seconds:
        return "–"
    hours = median(seconds) / 3600
    if hours >= 48:
        return _("%(many)s days") % {"many": number_format(hours / 24, 1)}
    return _("%(many)s hours") % {"many": number_format(hours, 1)}


@login_required
@require_safe
def club(request: HttpRequest) -> HttpResponse:
    """Show the figures; raise 404 for people who are not admins."""
    if not account(request).is_superuser:
        raise Http404
    return render(request, "moderation/club.html", {"figures": list(figures(clock.now())), "most": MOST})


urlpatterns: list[URLPattern] = [path("moderation/club", club, name="club")]
