"""Words for the pace of a game, its times, its state and its bots: `{{ settings|pace }}`, `{% moment at as when %}`."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.template.defaultfilters import date
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from gamesmaster.host.games import bots
from gamesmaster.host.games.words import Wait
from gamesmaster.host.tables import wording
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.web import help

register = template.Library()


@register.filter
def pace(settings: TableSettings) -> str:
    """How fast a game is, by its deadlines: `15 minutes a move`."""
    move = settings.deadlines.movement
    if move.wall is not None:
        return _("moves due at {times}").format(times=wording.listed(move.wall.times))
    return _("{length} a move").format(length=wording.length_words(move.minutes)) if move.minutes else _("no clock")


@register.filter
def bot_title(name: str) -> str:
    """What people call a bot."""
    return bots.title(name)


@register.filter
def state_words(state: str) -> str:
    """What people call the state of a game."""
    return wording.state_words(state)


@register.simple_tag
def moment(at: datetime | None, title: str = "") -> SafeString:
    """A time in the reader's zone, or as a script can tell it in that of the browser; `title` is what was promised."""
    if at is None:
        return SafeString()
    at = localtime(at)  # which a filter does only in a template
    note = format_html(' title="{}"', title) if title else SafeString()
    return format_html(
        '<time datetime="{}" data-local{}>{}</time>', date(at, "c"), note, date(at, "D j M H:i")
    )  # fmt: skip


@register.simple_tag
def clock_says(waits: Wait) -> SafeString:
    """What a game waits for, with the times in their places."""
    return format_html(waits.says, at=moment(waits.at), late=moment(waits.late))


@register.simple_tag
def script_words() -> str:
    """The address of the scripts' words in the language of the page."""
    return help.address()
