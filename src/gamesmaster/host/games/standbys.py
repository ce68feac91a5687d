"""Players whose orders are missing, and standbys who may take their place.

The steps are: notice (a reminder), grace (the table waits once per phase), standby (another player is sought), civil
disorder. Orders bring a player back to `sitting` at any step before the last, which only a new player ends. Where
standbys are asked in advance, one of them takes the seat at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.errors import nearest
from gamesmaster.game import Game, seen_by
from gamesmaster.host.games.ratings import let_in
from gamesmaster.host.orders import submission
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, notifications, outbox, store
from gamesmaster.host.tables.models import SEATED, Seat, SeatState, Sheet, Standby, Table, TableState
from gamesmaster.host.tables.settings import Absent
from gamesmaster.host.tables.view import this_game_is
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import Sent


@dataclass(frozen=True, slots=True)
class Missing:
    """A player whose orders are due and missing; `away_until` is the end of an announced absence."""

    power: str
    state: str
    away_until: datetime | None = None


def remind_at(policy: Absent, began: datetime, deadline: datetime) -> datetime | None:
    """Return when reminders about missing orders are due. Phases shorter than twice the notice have none."""
    notice = timedelta(minutes=policy.notice)
    return deadline - notice if notice and deadline - began >= 2 * notice else None


def wait_until(policy: Absent, missing: Iterable[Missing], now: datetime) -> datetime | None:
    """Return until when the table waits for missing orders after a deadline; None if it does not wait.

    It waits only for seats whose player still counts as present or away: until the end of an announced absence (at
    most `most_away` days), or else for the grace.
    """
    longest = now + timedelta(days=policy.most_away)
    waits = [
        max(now + timedelta(minutes=policy.grace), min(one.away_until or now, longest))
        for one in missing
        if one.state in (SeatState.SITTING, SeatState.AWAY)
    ]
    return max((wait for wait in waits if wait > now), default=None)


def before_processing(state: str) -> str:
    """Return the state of a missing player's seat once a phase is processed: a search that failed ends in disorder."""
    return SeatState.DISORDER if state == SeatState.STANDBY_WANTED else state


def in_danger(policy: Absent, state: str, misses: int) -> bool:
    """Return whether the next miss loses the seat, so that a standby is asked for orders as well (CLN-H.e)."""
    held = state in (SeatState.SITTING, SeatState.AWAY)
    return bool(policy.beforehand) and held and last_miss(policy, misses)


def last_miss(policy: Absent, misses: int) -> bool:
    """Return whether the next missed season is the last that is allowed."""
    return bool(policy.misses) and misses + 1 >= policy.misses


def after_moves(policy: Absent, state: str, misses: int, *, sent: bool, standby: bool = False) -> tuple[str, int]:
    """Return the new state and number of misses of a seat after moves for which orders were due.

    The state is `left` if the seat is lost and a `standby` with orders takes it.
    """
    if state == SeatState.DISORDER:
        return state, misses
    if sent:
        return SeatState.SITTING, 0
    misses += 1
    if policy.misses and misses >= policy.misses:
        if standby:
            return SeatState.LEFT, misses
        return SeatState.STANDBY_WANTED, misses
    return state, misses


MOST_OFFERS = 50
OPEN = (TableState.FORMING, TableState.RUNNING, TableState.PAUSED)
"""States of a table in which people may offer to be standbys."""


def offer(
    table: Table | int, user: User, *, wish: str = "", invitation: str = "", now: datetime | None = None
) -> Standby:
    """Offer to take a power that loses its player: `wish`, or any. A second offer replaces the first.

    Raise `Refused` if the table does not accept the offer.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        _check_open(row, user)
        name = _power(row, wish)
        made = row.standbys.filter(user=user).first()
        if made is None:
            let_in(row, user, invitation)
            if row.standbys.count() >= MOST_OFFERS:
                raise Refused("full", _("This game has enough standbys."))
            made = Standby(table=row, user=user, offered=at)
        store.check_quiet(row, at)
        made.wish = name
        made.save()
        look_again(row, store.seats_at(row), at)
        made.refresh_from_db()
    return made


def withdraw(table: Table | int, user: User, *, now: datetime | None = None) -> None:
    """Withdraw an offer and delete the standby's orders; raise `Refused` while the phase is adjudicated."""
    with store.lock(table) as row:
        at = now or clock.now()
        store.check_quiet(row, at)
        row.standbys.filter(user=user).delete()
        look_again(row, store.seats_at(row), at)


def send(table: Table | int, user: User | None, sent: Sent, *, ordinal: int, now: datetime | None = None) -> Standby:
    """Store a standby's orders for the moves of phase `ordinal`, replacing earlier ones.

    Raise `Refused` if the standby is not asked or the orders are not acceptable; nothing is stored then.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        one = row.standbys.filter(user=user).exclude(power="").first() if user is not None else None
        if one is None:
            raise Refused("not-asked", _("You are not asked for orders here."))
        if row.state != TableState.PAUSED:
            store.check_running(row, at)
        store.check_quiet(row, at)
        store.check_turn(row, ordinal)
        game = store.load(row)
        if game.phase.kind is not PhaseKind.MOVEMENT:
            raise Refused("moves-only", _("Standbys send orders only for moves."))
        game = seen_by(game, (one.power,))
        one.text = "\n".join(submission.accept_orders(row, game, one.power, sent, at, amend=False).orders[one.power])
        one.ordinal, one.sent_at = ordinal, at
        one.save()
    return one


# -- what happens to offers and orders ---------------------------------------------------------------------------------


def candidates(table: Table) -> list[Standby]:
    """Return the standbys who are asked for orders; an empty list for tables that do not ask in advance."""
    if not store.settings_of(table).absent.beforehand:
        return []
    return list(table.standbys.filter(user__is_active=True).exclude(power="").select_related("user", "user__profile"))


def stand_ins(asked: Iterable[Standby], game: Game, missing: Collection[str]) -> list[Standby]:
    """Return the standbys whose orders count in the current phase, because those of the players are missing."""
    if game.phase.kind is not PhaseKind.MOVEMENT:
        return []
    number = len(game.records)
    return [one for one in asked if one.power in missing and one.sent_at is not None and one.ordinal == number]


def first_for(table: Table, power: str) -> Standby | None:
    """Return the standby who would take this power: the one asked for it, else the first free one who offered."""
    return _first(list(table.standbys.filter(user__is_active=True).select_related("user").order_by("pk")), power)


def look_again(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Ask one standby for each power whose next miss is the last; no longer ask for others. The table is under lock."""
    policy = store.settings_of(table).absent
    if not policy.beforehand:
        return
    danger = [s.power for s in seats if s.user_id and s.power and in_danger(policy, s.state, s.misses)]
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
            outbox.tell_user(table, found.user, notifications.write(table, "standby", power=power), now)


def settle(seat: Seat) -> None:
    """Turn a standby into the player of `seat`. Orders sent as standby become those of the power."""
    one = Standby.objects.filter(table=seat.table_id, user=seat.user_id).first()
    if one is None:
        return
    if one.sent_at is not None and one.power == seat.power:
        kept = {
            "text": one.text,
            "salt": secrets.token_hex(submission.SALT_BYTES),
            "sent_at": one.sent_at,
            "by": one.user,
        }
        Sheet.objects.update_or_create(
            table=seat.table, ordinal=one.ordinal, power=one.power, defaults={**kept, "channel": "web"}
        )
    one.delete()


def forget(table: Table) -> None:
    """Delete the orders of standbys, because the phase is over or was taken back."""
    if not store.settings_of(table).absent.beforehand:
        return
    table.standbys.exclude(power="").update(text="", sent_at=None)


def _first(offers: Sequence[Standby], power: str) -> Standby | None:
    free = [one for one in offers if one.power == power or (not one.power and one.wish in ("", power))]
    return min(free, key=lambda one: (one.power != power, one.wish != power), default=None)


def _check_open(table: Table, user: User) -> None:
    if table.sandbox or not store.settings_of(table).absent.beforehand:
        raise Refused("no-standbys", _("This game does not ask standbys in advance."))
    if table.state not in OPEN:
        raise Refused("not-open", this_game_is(table.state))
    store.check_plays(table, user)
    if table.seats.filter(user=user, state__in=SEATED).exists():
        raise Refused("sits-already", _("You already play in this game."))


def _power(table: Table, wish: str) -> str:
    known = [power.name for power in editions.variant_of(table).powers]
    found = next((name for name in known if name.casefold() == wish.strip().casefold()), "")
    if wish.strip() and not found:
        raise Refused(
            "no-power", _("There is no power {wish!r}."), nearest(wish, known) or ", ".join(known)[:300], wish=wish[:60]
        )
    return found
