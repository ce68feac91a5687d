"""Tags and filters of the site's templates: `{% load site_tags %}`.

`{% power_sign view power %}`, `{% order_signs view %}`: signs of the map in text. `{{ settings|pace }}`,
`{% moment at as when %}` and others: pace, times, state and bots of a game in words.
`{% table_tabs view "press" %}`: links between the pages of a game, with numbers of new items.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django import template
from django.contrib.auth.models import User
from django.template import Context
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from gamesmaster.host.games import seats
from gamesmaster.host.games.words import Wait, remaining_time
from gamesmaster.host.gm import remarks
from gamesmaster.host.maps.pictures import key
from gamesmaster.host.press import threads
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, view
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import TableView
from gamesmaster.host.web import home

register = template.Library()
register.filter("remaining", remaining_time)
register.filter("bot_title", seats.bot_title)
register.filter("result_name", view.result_name)
register.filter("state_words", view.state_words)
register.simple_tag(home.words_address, name="script_words")


def _looks(context: Context, view: TableView) -> dict[str, object]:
    """Return the addresses of the key by day, and by night if that is different."""
    day, night = context.get("map_style", "light"), context.get("map_style_at_night", "light")
    other = key(view.variant.address, night).address if night != day else ""
    return {"day": key(view.variant.address, day).address, "night": other}


@register.inclusion_tag("host/parts/power_sign.html", takes_context=True)
def power_sign(context: Context, view: TableView, power: str) -> dict[str, object]:
    """Return the badge of a power; empty for a power not assigned yet."""
    return {**_looks(context, view), "id": key(view.variant.address, "light").powers.get(power, "")}


@register.inclusion_tag("table/order_signs.html", takes_context=True)
def order_signs(context: Context, view: TableView) -> dict[str, object]:
    """Return the key to the board and to the signs of orders, in the reader's language."""
    found = key(view.variant.address, "light")
    board, orders = ([(sign, _(words)) for sign, words in part] for part in (found.board, found.orders))
    return {**_looks(context, view), "board": board, "orders": orders}


@register.filter
def pace(settings: TableSettings) -> str:
    """Return how fast a game is: `15 minutes a move`."""
    move = settings.deadlines.movement
    if move.wall is not None:
        return _("moves due at {times}").format(times=view.join_with_and(move.wall.times))
    return _("{length} a move").format(length=view.length_words(move.minutes)) if move.minutes else _("no clock")


@register.simple_tag
def moment(at: datetime | None, title: str = "") -> SafeString:
    """Return a time in the reader's zone, with the year if it is another than this one.

    A script can convert it to the browser's zone. `title` is the promised text.
    """
    if at is None:
        return SafeString()
    at = localtime(at)  # in templates, filters do that by themselves
    note = format_html(' title="{}"', title) if title else SafeString()
    words = date(at, "D j M H:i" if at.year == localtime(clock.now()).year else "D j M Y H:i")
    return format_html('<time datetime="{}" data-local{}>{}</time>', date(at, "c"), note, words)


@register.simple_tag
def clock_says(waits: Wait) -> SafeString:
    """Return the sentence on what a game waits for, with its times filled in."""
    return format_html(waits.says, at=moment(waits.at), late=moment(waits.late))


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the table in the tabs."""

    name: str  # name of its URL
    title: str
    address: str
    new: int = 0  # number of new items


@register.inclusion_tag("table/tabs.html")
def table_tabs(view: TableView, here: str) -> dict[str, object]:
    """Return the tabs of the pages that this reader may open; `here` is the open one."""
    return {"tabs": list(tabs(view)), "here": here, "key": view.key}


def tabs(view: TableView) -> list[Tab]:
    """Return the pages of the table that this reader may open; empty for a sandbox, which has one page."""
    if view.sandbox:
        return []
    found = [_tab("table", _("Board"), view)]
    if view.begun:
        found.append(_tab("press", _("Press"), view, threads.unread(view) if view.viewer.seat else 0))
    found.append(_tab("lobby", _("Seats"), view))
    user = view.viewer.user
    if user is None:
        return found
    row = row_of(view)
    if remarks.may_read(row, user) or remarks.may_answer(row, user):
        found.append(_tab("remarks", _("Remarks"), view))
    if _runs(view, row, user):
        found.append(_tab("gm", _("Desk"), view))
    return found


def _tab(name: str, title: str, view: TableView, new: int = 0) -> Tab:
    return Tab(name, title, reverse(name, args=[view.key]), new)


def _runs(view: TableView, row: Table, user: User) -> bool:
    if not (view.viewer.gm or user.is_superuser):
        return False
    try:
        access.must_run(row, user)
    except Refused:
        return False
    return True
