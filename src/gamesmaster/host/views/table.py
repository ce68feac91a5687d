"""The page of a table: the map, who owes what, the desk for orders, and the phases that are over."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gamesmaster.host.service import clock, live, threads
from gamesmaster.host.service.viewing import SeatView, TableView
from gamesmaster.host.views.table_answers import seen
from gamesmaster.host.views.table_ballots import panel
from gamesmaster.host.views.table_centres import chart
from gamesmaster.host.views.table_desk import PLAYED, Desk, desk
from gamesmaster.host.views.table_exports import words
from gamesmaster.host.views.table_finished import final
from gamesmaster.host.views.table_join import seating
from gamesmaster.host.views.table_maps import frame
from gamesmaster.host.views.table_plans import planning
from gamesmaster.host.views.table_standby import standby_shown
from gamesmaster.host.views.table_waits import waits
from gamesmaster.host.views.tutorial import lesson, scenes_over

__all__ = ["page", "seen", "table"]


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The table as it stands."""
    view = seen(request, key)
    if scenes_over(view):
        return redirect("table-past", key, view.ordinal - 1)
    planned = planning(view)
    own = planned.home.power if planned and planned.home else ""
    return page(request, view, desk(view, request.GET.get("power", own)))


def page(
    request: HttpRequest,
    view: TableView,
    shown: Desk | None,
    *,
    status: int = 200,
    lost: dict[str, object] | None = None,
) -> HttpResponse:
    """The page, with this on the desk; `lost` is what was written for a desk that is no longer there."""
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than what the page shows
        **common(view),
        **seating(view),
        "frame": frame(view),
        "desk": shown,
        "lost": lost,
        "words": words(view),
        "ledger": view.ledger(),
        "seats": seats_shown(view),
        "votes": panel(view),
        "final": final(view),
        "centres": chart(view),
        "planning": planning(view),
        "standby": standby_shown(view) if view.viewer.standby else None,
        "phases": phases_shown(view),
        "last": len(view.records) - 1 if view.records else None,
        "letters": view.begun and not view.sandbox,
        "unread": threads.unread(view) if view.viewer.seat else 0,
        "lesson": (taught := lesson(view)),
        **clock_shown(view),
    }
    return render(request, "host/tutorial_scene.html" if taught else "host/table.html", context, status=status)


def common(view: TableView) -> dict[str, object]:
    """What every page of a table is told."""
    return {"view": view, "played": view.state in PLAYED}


def seats_shown(view: TableView) -> list[SeatView]:
    """The seats in the powers' order; at a sandbox, where nobody sits, the powers as they stand."""
    if not view.sandbox or not view.begun:
        order = {power.name: number for number, power in enumerate(view.variant.powers)}
        return sorted(view.seats, key=lambda seat: order.get(seat.power, len(order)))
    sent = {sheet.power for sheet in view.sheets}
    return [
        SeatView(s.power, "", None, "", "sitting", s.centres, s.units, s.text, s.power in sent, None, True)
        for s in view.bare_game.status
    ]


def phases_shown(view: TableView) -> Sequence[tuple[int, str]]:
    """The phases that are over, last first, by their codes."""
    return [(number, record.phase.code) for number, record in reversed(list(enumerate(view.records)))]


def clock_shown(view: TableView) -> dict[str, object]:
    """What the headline tells: what is waited for, and until when."""
    utc = f"{view.deadline:%Y-%m-%d %H:%M}" if view.deadline else ""
    return {"waits": waits(view), "left": _left(view), "utc": utc}


def _left(view: TableView) -> str:
    """How long there is until the deadline, in words."""
    if view.deadline is None:
        return ""
    minutes = int((view.deadline - clock.now()).total_seconds() // 60)
    if minutes < 0:
        return _("the deadline has passed")
    days, hours = divmod(minutes // 60, 24)
    if days:
        return _("in {days} d {hours} h").format(days=days, hours=hours)
    return (
        _("in {hours} h {minutes} min").format(hours=hours, minutes=minutes % 60)
        if hours
        else _("in {minutes} min").format(minutes=minutes)
    )
