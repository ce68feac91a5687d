"""Who may do what at a table."""

from __future__ import annotations

from django.contrib.auth.models import User

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Invitation, Table
from gamesmaster.host.service import ratings, rows


def must_run(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person is the table's Gamesmaster, an admin who does not play, or plays alone."""
    if table.sandbox or rows.is_gm(table, user):
        return
    plays = user is not None and table.seats.filter(user=user, state__in=rows.SEATED).exists()
    if user is None or not user.is_superuser or plays:
        raise Refused("not-gm", "Only the Gamesmaster does that.")


def must_host(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person made the table, or runs it."""
    if user is not None and table.owner_id == user.pk:
        return
    must_run(table, user)


def let_in(table: Table, user: User, invitation: str) -> None:
    """Raise `Refused` unless the table is open, or the invitation good; it is used then."""
    settings = rows.settings_of(table)
    if table.owner_id == user.pk:
        return
    ratings.check_reliable(user, settings.min_reliability)
    if settings.join == "open":
        return
    found = Invitation.objects.select_for_update().filter(table=table, key=invitation, uses_left__gt=0).first()
    if found is None:
        raise Refused("not-invited", "This table is for invited players.", "ask for an invitation")
    found.uses_left -= 1
    found.save()
