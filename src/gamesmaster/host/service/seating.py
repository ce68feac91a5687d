"""Who sits down at a table, gets up, is invited, or takes over what another has left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.game import find_variant
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Invitation, Seat, SeatState, Table, TableState
from gamesmaster.host.service import (
    beginning,
    bots,
    clock,
    deadlines,
    letters,
    orders,
    outbox,
    press,
    rows,
    standbys,
    store,
    turns,
)
from gamesmaster.host.service.rights import let_in, must_host, must_run


def join(
    table: Table | int,
    user: User,
    *,
    invitation: str = "",
    preferences: Sequence[str] = (),
    power: str = "",
    now: datetime | None = None,
) -> Seat:
    """Sit down; who sits already has the same seat again.

    Before the game begins any seat is as good as another; later a seat is free whose player is lost, `power` names it.
    With an invitation one may join what is not open.  Raises `Refused`.
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        mine = row.seats.filter(user=user, state__in=[SeatState.SITTING, SeatState.AWAY]).first()
        if mine is not None:
            return mine
        if row.gm_id == user.pk:
            raise Refused("is-gm", "The Gamesmaster of a table does not play at it.")
        let_in(row, user, invitation)
        if row.state == TableState.FORMING:
            return _sit_down(row, user, preferences, at)
        if row.state not in (TableState.RUNNING, TableState.PAUSED):
            raise Refused("not-open", f"This table is {row.state}.")
        rows.check_quiet(row, at)
        return _take_over(row, user, power, at)


def add_bot(table: Table | int, bot: str, by: User | None, *, now: datetime | None = None) -> Seat:
    """Put a bot in a seat before the game begins."""
    bots.check_name(bot)
    with rows.locked(table) as row:
        must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-open", f"This table is {row.state}.")
        _check_room(row)
        seat = Seat.objects.create(table=row, bot=bot, joined=now or clock.now())
        beginning.start_if_full(row, now or clock.now())
    return seat


def leave(table: Table | int, user: User, *, now: datetime | None = None) -> None:
    """Get up.  In a game a standby then takes the power, or it wants a player; what it had sent is forgotten."""
    with rows.locked(table) as row:
        at = now or clock.now()
        seat = row.seats.filter(user=user, state__in=rows.SEATED).first()
        if seat is None:
            raise Refused("no-seat", "You do not sit at this table.")
        if row.state == TableState.FORMING:
            seat.delete()
            return
        rows.check_quiet(row, at)
        standby = standbys.first_for(row, seat.power or "")
        if standby is not None:  # to resign is like the last miss (CLN-H.e)
            _exchange(row, seat, standby.user, at)
            rows.audit(user, f"left {seat.power}", row, at)
            return
        orders.forget(row, seat.power or "")
        seat.state, seat.left_ordinal = SeatState.LEFT, row.ordinal
        seat.save()
        Seat.objects.create(
            table=row, power=seat.power, state=SeatState.STANDBY_WANTED, joined=at, joined_ordinal=row.ordinal
        )
        press.announce(row, f"The player of {seat.power} has left; a player is wanted.", at)
        rows.audit(user, f"left {seat.power}", row, at)


def replace(table: Table | int, power: str, user: User, by: User | None, *, now: datetime | None = None) -> Seat:
    """Put another player in a power's seat, at the Gamesmaster's word."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_quiet(row, at)
        if row.seats.filter(user=user, state__in=rows.SEATED).exists():
            raise Refused("sits-already", "That player sits at this table.")
        seat = _seat_of(row, power)
        made = _exchange(row, seat, user, at)
        rows.audit(by, f"replaced the player of {power}", row, at)
    return made


def invite(
    table: Table | int, by: User | None, *, power: str = "", uses: int = 1, now: datetime | None = None
) -> Invitation:
    """Make a link with which somebody may join, so many times."""
    with rows.locked(table) as row:
        must_host(row, by)
        if not 1 <= uses <= 100:
            raise Refused("bad-number", "An invitation holds for 1 to 100 people.")
        return Invitation.objects.create(table=row, power=power[:60], uses_left=uses, made=now or clock.now())


def _check_room(table: Table) -> None:
    if len(rows.seated(table)) >= len(find_variant(table.variant).powers):
        raise Refused("full", "This table is full.")


def _sit_down(table: Table, user: User, preferences: Sequence[str], now: datetime) -> Seat:
    _check_room(table)
    known = [power.name for power in find_variant(table.variant).powers]
    wanted = [name for name in preferences if name in known]
    seat = Seat.objects.create(table=table, user=user, preferences=wanted, joined=now)
    standbys.settle(seat)
    beginning.start_if_full(table, now)
    seat.refresh_from_db()
    return seat


def _seat_of(table: Table, power: str) -> Seat:
    seat = table.seats.filter(power=power, state__in=rows.SEATED).first()
    if seat is None:
        raise Refused("no-power", f"Nobody plays {power[:60]!r} here.")
    return seat


def _take_over(table: Table, user: User, power: str, now: datetime) -> Seat:
    """Take a lost power; one's own again if one was lost oneself."""
    open_ = table.seats.filter(state__in=[SeatState.STANDBY_WANTED, SeatState.DISORDER])
    own = open_.filter(user=user).first()
    seat = own or (open_.filter(power=power).first() if power else open_.order_by("pk").first())
    if seat is None:
        raise Refused("full", "No seat is free here.")
    return _exchange(table, seat, user, now)


def _exchange(table: Table, seat: Seat, user: User, now: datetime) -> Seat:
    """Give a seat to another player, who gets the time of a full phase, and none of the former player's orders."""
    power = seat.power or ""
    orders.forget(table, power)
    seat.state, seat.left_ordinal = SeatState.LEFT, table.ordinal
    seat.save()
    made = Seat.objects.create(table=table, power=power, user=user, joined=now, joined_ordinal=table.ordinal)
    standbys.settle(made)
    game = store.load(table)
    if power in game.disorder:
        game = game.set_disorder(power, False)
        store.keep(table, game)
    table.ready_at = None
    full = deadlines.due(rows.settings_of(table), game.phase.kind, now)
    if table.state == TableState.RUNNING and full and table.deadline and full.at > table.deadline:
        turns.put_deadline(table, full)
    store.touch(table)
    table.save()
    press.announce(table, f"{power} has a new player.", now)
    seats = rows.seated(table)
    outbox.tell_seats(table, seats, letters.moved(table, f"{power} has a new player."), now)
    standbys.look_again(table, seats, now)
    return made
