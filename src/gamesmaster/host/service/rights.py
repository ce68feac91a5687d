"""Who may do what at a table."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Invitation, Table, TableState
from gamesmaster.host.service import ratings, rows

STOPPED = (TableState.PAUSED, TableState.QUARANTINED)
"""States in which no clock runs until somebody lets the table go on."""


def must_run(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person is the table's Gamesmaster, an admin who does not play, or plays alone."""
    if rows.opens_to(table, user) or rows.is_gm(table, user):
        return
    plays = user is not None and table.seats.filter(user=user, state__in=rows.SEATED).exists()
    if user is None or not user.is_superuser or plays:
        raise Refused("not-gm", _("Only the Gamesmaster can do that."))


def may_resume(table: Table, user: User | None) -> bool:
    """May this person let a table go on that stands still?

    Who runs it may; where there is no Gamesmaster a pause may be ended by whoever made the table, player or not.
    """
    owns = user is not None and table.gm_id is None and table.owner_id == user.pk
    if owns and table.state == TableState.PAUSED:
        return True
    try:
        must_run(table, user)
    except Refused:
        return False
    return True


def must_host(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person made the table, or runs it."""
    if user is not None and table.owner_id == user.pk:
        return
    must_run(table, user)


def let_in(table: Table, user: User, invitation: str) -> str:
    """Raise `Refused` unless the table is open, or the invitation good; it is used then.

    Returns the power that the invitation is for, if it is for one.
    """
    settings = rows.settings_of(table)
    if table.owner_id == user.pk:
        return ""
    ratings.check_reliable(user, settings.min_reliability)
    if settings.join == "open":
        return ""
    found = Invitation.objects.select_for_update().filter(table=table, key=invitation, uses_left__gt=0).first()
    if found is None:
        raise Refused("not-invited", _("This game is for invited players."), _("ask for a new invitation"))
    found.uses_left -= 1
    found.save()
    return found.power
