"""Helpers of a Gamesmaster: people who run a game beside the Gamesmaster, and can do the same except naming others."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts.people import named_user
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, outbox, store
from gamesmaster.host.tables.models import NOT_OVER, SEATED, Helper, Table, TableState
from gamesmaster.host.tables.view import this_game_is

MOST_HELPERS = 5
"""Helpers of a game at the same time."""


def helpers_of(table: Table) -> list[User]:
    """Return the helpers of a game in the order in which they were named."""
    return [one.user for one in table.helpers.filter(ended=None).select_related("user").order_by("pk")]


def name(table: Table | int, player: str, by: User | None, *, now: datetime | None = None) -> User:
    """Make the person with this name a helper, and notify that person and all players; return the person.

    Raise `Refused` for all but the Gamesmaster, and for people who play in the game, or could.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        _check(row, by)
        user = named_user(player)
        if store.is_gm(row, user):
            raise Refused("is-gm", _("{name} runs this game already."), name=user.username)
        offered = row.standbys.filter(user=user).exists()
        if offered or row.seats.filter(user=user, state__in=SEATED).exists():
            raise Refused("sits-already", _("{name} plays in this game, or is a standby."), name=user.username)
        if row.helpers.filter(ended=None).count() >= MOST_HELPERS:
            raise Refused("too-many", _("A game can have at most {most} helpers."), most=MOST_HELPERS)
        Helper.objects.update_or_create(table=row, user=user, defaults={"named": at, "ended": None})
        _touch(row)
        outbox.tell_user(row, user, notifications.write(row, "helper_named"), at)
        correspondence.notify(row, notifications.write(row, "helper", name=user.username), at)
        store.audit(by, gettext_lazy("named {name} as helper"), row, at, name=user.username)
    return user


def drop(table: Table | int, player: str, by: User | None, *, now: datetime | None = None) -> None:
    """End the help of the person with this name, for the Gamesmaster or that person; raise `Refused`.

    Once the game has begun, a former helper can never play in it.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        found = row.helpers.filter(ended=None, user__username=player).select_related("user").first()
        if found is None or by is None or by.pk not in (row.gm_id, found.user_id):
            _check(row, by)
            raise Refused("no-player", _("{name} is not a helper of this game."), name=player[:60])
        if row.state == TableState.FORMING:
            found.delete()
        else:
            found.ended = at
            found.save(update_fields=["ended"])
        _touch(row)
        outbox.tell_user(row, found.user, notifications.write(row, "helper_dropped"), at)
        correspondence.notify(row, notifications.write(row, "no_helper", name=found.user.username), at)
        store.audit(by, gettext_lazy("ended the help of {name}"), row, at, name=found.user.username)


def _check(table: Table, by: User | None) -> None:
    """Raise `Refused` unless this person is the Gamesmaster and the game is not over."""
    if by is None or table.gm_id != by.pk:
        raise Refused("not-gm", _("Only the Gamesmaster can name helpers."))
    if table.state not in NOT_OVER:
        raise Refused("over", this_game_is(table.state))


def _touch(table: Table) -> None:
    store.touch(table)
    table.save(update_fields=["version"])
