"""Standbys: asked for orders beside a player whose next miss is the last, and put in that place by it (CLN-H.e).

A standby sees the board and nothing else of the power: no press, no orders, no votes.  What he or she sends is kept
apart, seen by nobody else, and thrown away with the phase unless it was used.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.errors import nearest
from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat, Sheet, Standby, Table, TableState
from gamesmaster.host.service import absence, clock, editions, orders, outbox, rows, seat_letters, store
from gamesmaster.host.service.rights import let_in
from gamesmaster.host.wording import this_game_is
from gamesmaster.orders import PhaseKind

MOST_OFFERS = 50
OPEN = (TableState.FORMING, TableState.RUNNING, TableState.PAUSED)
"""States of a table in which one may offer oneself."""


def offer(
    table: Table | int, user: User, *, wish: str = "", invitation: str = "", now: datetime | None = None
) -> Standby:
    """Offer to take a power that loses its player: the one of the `wish`, or any; who offers again changes the wish.

    Raises `Refused`.
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        _check_open(row, user)
        name = _power(row, wish)
        made = row.standbys.filter(user=user).first()
        if made is None:
            let_in(row, user, invitation)
            if row.standbys.count() >= MOST_OFFERS:
                raise Refused("full", _("This game has enough standbys."))
            made = Standby(table=row, user=user, offered=at)
        rows.check_quiet(row, at)
        made.wish = name
        made.save()
        look_again(row, rows.seated(row), at)
        made.refresh_from_db()
    return made


def withdraw(table: Table | int, user: User, *, now: datetime | None = None) -> None:
    """Be no standby any longer; what was sent is thrown away.  Raises `Refused` while the phase is adjudicated."""
    with rows.locked(table) as row:
        at = now or clock.now()
        rows.check_quiet(row, at)
        row.standbys.filter(user=user).delete()
        look_again(row, rows.seated(row), at)


def send(
    table: Table | int, user: User | None, texts: str | Sequence[str], *, ordinal: int, now: datetime | None = None
) -> Standby:
    """Keep a standby's orders for the moves with this number; they take the place of those sent before.

    Raises `Refused`, and nothing is kept then.
    """
    with rows.locked(table, record=False) as row:
        at = now or clock.now()
        one = row.standbys.filter(user=user).exclude(power="").first() if user is not None else None
        if one is None:
            raise Refused("not-asked", _("You are not asked for orders here."))
        if row.state != TableState.PAUSED:
            rows.check_running(row, at)
        rows.check_quiet(row, at)
        rows.check_turn(row, ordinal)
        game = store.load(row)
        if game.phase.kind is not PhaseKind.MOVEMENT:
            raise Refused("moves-only", _("Standbys send orders only for moves."))
        one.text = "\n".join(orders.taken(row, game, one.power, texts, None, False, at))
        one.ordinal, one.sent_at = ordinal, at
        one.save()
    return one


# -- what becomes of them --------------------------------------------------------------------------------------------


def asked(table: Table) -> list[Standby]:
    """Those who are asked for orders; nobody's at tables that ask none beforehand."""
    if not rows.settings_of(table).absent.beforehand:
        return []
    return list(table.standbys.filter(user__is_active=True).exclude(power="").select_related("user", "user__profile"))


def sent(asked: Iterable[Standby], game: Game, missing: Collection[str]) -> list[Standby]:
    """Those whose orders count for the phase that the game stands in, since their players' are missing."""
    if game.phase.kind is not PhaseKind.MOVEMENT:
        return []
    number = len(game.records)
    return [one for one in asked if one.power in missing and one.sent_at is not None and one.ordinal == number]


def first_for(table: Table, power: str) -> Standby | None:
    """Who would take this power: the one asked for it, else the first who offered and is asked for no other."""
    return _first(list(table.standbys.filter(user__is_active=True).select_related("user").order_by("pk")), power)


def look_again(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Ask a standby for each power whose next miss is the last, and no longer for others; the table is under lock."""
    policy = rows.settings_of(table).absent
    if not policy.beforehand:
        return
    danger = [s.power for s in seats if s.user_id and s.power and absence.in_danger(policy, s.state, s.misses)]
    offers = list(table.standbys.filter(user__is_active=True).select_related("user").order_by("pk"))
    for one in offers:
        if one.power and one.power not in danger:
            one.power, one.text, one.sent_at = "", "", None
            one.save()
    for power in danger:
        found = _first(offers, power)
        if found is not None and not found.power:
            found.power = power
            found.save()
            outbox.tell_user(table, found.user, seat_letters.standby_asked(table, power), now)


def settle(seat: Seat) -> None:
    """Make a player of a standby who has sat down: what he or she sent for the power is now the power's own set."""
    one = Standby.objects.filter(table=seat.table_id, user=seat.user_id).first()
    if one is None:
        return
    if one.sent_at is not None and one.power == seat.power:
        kept = {"text": one.text, "salt": secrets.token_hex(orders.SALT_BYTES), "sent_at": one.sent_at, "by": one.user}
        Sheet.objects.update_or_create(
            table=seat.table, ordinal=one.ordinal, power=one.power, defaults={**kept, "channel": "web"}
        )
    one.delete()


def forget(table: Table) -> None:
    """Throw away what standbys have sent: the phase is over, or is taken back."""
    if not rows.settings_of(table).absent.beforehand:
        return
    table.standbys.exclude(power="").update(text="", sent_at=None)


def _first(offers: Sequence[Standby], power: str) -> Standby | None:
    free = [one for one in offers if one.power == power or (not one.power and one.wish in ("", power))]
    return min(free, key=lambda one: (one.power != power, one.wish != power), default=None)


def _check_open(table: Table, user: User) -> None:
    if table.sandbox or not rows.settings_of(table).absent.beforehand:
        raise Refused("no-standbys", _("This game does not ask standbys in advance."))
    if table.state not in OPEN:
        raise Refused("not-open", this_game_is(table.state))
    if table.gm_id == user.pk:
        raise Refused("is-gm", _("The Gamesmaster cannot also play in the game."))
    if table.seats.filter(user=user, state__in=rows.SEATED).exists():
        raise Refused("sits-already", _("You already play in this game."))


def _power(table: Table, wish: str) -> str:
    known = [power.name for power in editions.of(table).powers]
    found = next((name for name in known if name.casefold() == wish.strip().casefold()), "")
    if wish.strip() and not found:
        raise Refused(
            "no-power",
            _("There is no power {wish!r}.").format(wish=wish[:60]),
            nearest(wish, known) or ", ".join(known)[:300],
        )
    return found
