"""What whoever runs a table does by mail: process, look ahead, stop the clock, move the deadline."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from gamesmaster.host.errors import Refused
from gamesmaster.host.mail.commands import Command
from gamesmaster.host.mail.desk import Desk
from gamesmaster.host.models import Table
from gamesmaster.host.service import phases, tables


def process(desk: Desk, command: Command) -> None:
    """Process the phase now."""
    ordinal = desk.turn()[1]
    tables.must_run(Table.objects.get(pk=desk.number), desk.user)
    desk.say(_("The phase: {answer}.").format(answer=phases.ask(desk.number, ordinal, desk.user, now=desk.now)))


def preview(desk: Desk, command: Command) -> None:
    """Look ahead; it is noted."""
    judged = phases.preview(Table.objects.get(pk=desk.number), desk.user, now=desk.now)
    desk.say(*(f"  {ruling}" for ruling in judged.rulings))


def pause(desk: Desk, command: Command) -> None:
    """Stop the clock, or start it again."""
    desk.view  # noqa: B018  a table that is hidden is none
    (tables.pause if command.name == "pause" else tables.resume)(desk.number, desk.user, now=desk.now)
    desk.say(_("The game is paused.") if command.name == "pause" else _("The game goes on."))


def extend(desk: Desk, command: Command) -> None:
    """Move the deadline, told in the table's zone."""
    view = desk.view
    try:
        until = datetime.fromisoformat(f"{command.words[0]} {command.words[1]}")
    except ValueError as error:
        raise Refused("bad-time", _("That is not a time of day.")) from error
    zone = ZoneInfo(view.settings.deadlines.zone)
    tables.extend(desk.number, desk.user, until.replace(tzinfo=zone), now=desk.now)
    desk.say(_("The deadline is {time}.").format(time=desk.view.deadline_wall))
