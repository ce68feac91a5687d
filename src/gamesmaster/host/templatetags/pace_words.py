"""Words for the pace of a game and for its bots: `{{ settings|pace }}`, `{{ seat.bot|bot_title }}`."""

from __future__ import annotations

from django import template

from gamesmaster.host.service import bots
from gamesmaster.host.table_settings import TableSettings
from gamesmaster.host.views.durations import told

register = template.Library()


@register.filter
def pace(settings: TableSettings) -> str:
    """How fast a game is, by its deadlines: `15 minutes a move`."""
    move = settings.deadlines.movement
    if move.wall is not None:
        return f"moves due at {' and '.join(move.wall.times)}"
    return f"{told(move.minutes)} a move" if move.minutes else "no clock"


@register.filter
def bot_title(name: str) -> str:
    """What people call a bot."""
    return bots.title(name)
