"""Submitting orders: saved before they are acknowledged, and only for the phase they name.

When all players are ready, the phase is processed early, after a pause for second thoughts.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, SentAhead, seen_by
from gamesmaster.host.orders import receipts
from gamesmaster.host.orders.drafts import look_over, refusal_of, sheet_of
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, store
from gamesmaster.host.tables.access import viewer_of
from gamesmaster.host.tables.models import Ballot, Receipt, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.tables.view import Viewer
from gamesmaster.reading import OrderSheet, Sent

SHORTEST_PHASE = timedelta(seconds=60)
"""Minimum length of a phase in a game of bots only, so that people can follow it."""
HELD_TO_COME = (SeatState.SITTING, SeatState.AWAY, SeatState.STANDBY_WANTED)


def awaited_powers(game: Game, seats: Sequence[Seat]) -> list[str]:
    """Return the powers whose orders are due from a person who still counts as a player."""
    due = {status.power for status in game.status if status.is_due and not status.disorder}
    held = [seat.power or "" for seat in seats if seat.user_id and seat.state in HELD_TO_COME]
    return [power for power in held if power in due]


def missing(game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet]) -> list[str]:
    """Return the awaited powers that have sent nothing."""
    sent = {sheet.power for sheet in sheets}
    return [power for power in awaited_powers(game, seats) if power not in sent]


def has_people(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether a person who still counts as a player has a power left in the game."""
    return any(seat.user_id and seat.state in HELD_TO_COME and seat.power in game.survivors for seat in seats)


def look_again(table: Table, game: Game, now: datetime) -> None:
    """Set or clear the time at which the phase is processed early, and save the table.

    The time is set when the last player becomes ready, stays while all are, and is never after the deadline.
    """
    at = None
    if _may_be(table):
        sheets = list(Sheet.objects.filter(table=table, ordinal=table.ordinal))
        at = early(table, game, list(table.seats.filter(state__in=HELD_TO_COME)), sheets, now)
    if at != table.ready_at:
        table.ready_at = at
        table.save(update_fields=["ready_at"])


def early(table: Table, game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet], now: datetime) -> datetime | None:
    """Return when the phase is processed early, because all awaited powers are ready and nobody waits; else None."""
    if not _may_be(table) or any(sheet.hold for sheet in sheets):
        return None
    waited = awaited_powers(game, seats)
    if not set(waited) <= {sheet.power for sheet in sheets if sheet.confirmed}:
        return None
    if table.ready_at is not None:
        return table.ready_at
    at = now + timedelta(minutes=store.settings_of(table).panic if waited else 0)
    if not has_people(game, seats):
        at = max(at, (table.phase_began or now) + SHORTEST_PHASE)
    return min(at, table.deadline) if table.deadline and table.deadline > now else at


def _may_be(table: Table) -> bool:
    return not table.sandbox and store.settings_of(table).early


# -- submitting orders -------------------------------------------------------------------------------------------------


SALT_BYTES = 16
WAY_BACK = gettext_lazy("come back to the game first, with the button on its page or a mail that says COME BACK")
NOT_THERE = (SeatState.AWAY, SeatState.STANDBY_WANTED)
"""States of a player who has missed orders: new orders end them."""


@dataclass(frozen=True, slots=True)
class Submission:
    """How a set of orders is submitted."""

    ordinal: int  # number of the phase that it is for
    phase: str = ""  # code of that phase, if the writer named it
    channel: str = "web"
    amend: bool | None = None  # whether earlier orders of other units stay; by default as the house rules say
    confirm: bool | None = None  # whether the player is ready; by default a new set makes the player unready
    sure: bool = True  # whether the player becomes ready even if the set lacks something
    based_on: int | None = None  # version of the saved set that the writer saw, 0 for none; refused if there is another
    drop: Collection[str] = ()  # kinds of orders sent ahead (`retreats`, `adjustments`) to withdraw


def submit(
    table: Table | int,
    power: str,
    sent: Sent,
    how: Submission,
    *,
    user: User | None,
    now: datetime | None = None,
) -> Receipt:
    """Save a set of orders of `power`.

    `user` plays the power or runs the table; in a sandbox, anybody with the key orders for all powers.

    Return the receipt once the orders are saved; if only readiness changes, that of the saved set. Orders saved by the
    deadline are in time. Later ones are taken as the house rules say, until the phase is processed. Raise `Refused` if
    the set is not accepted; nothing is saved then.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        ordinal, confirm = how.ordinal, how.confirm
        game, viewer = _open(row, power, user, ordinal, how.phase, at)
        old = Sheet.objects.filter(table=row, ordinal=ordinal, power=power).first()
        sheets = [old] if old else []
        seen = game if viewer.gm else seen_by(game, viewer.powers)
        seen = store.with_sheets(seen, sheets, store.ahead_at(row, sheets))
        after = accept_orders(row, seen, power, sent, at, amend=how.amend)
        lines, ahead = after.orders[power], after.ahead.get(power, SentAhead()).without(*how.drop).data
        same_orders = old is not None and tuple(old.lines) == lines
        same = old is not None and same_orders and old.ahead == ahead
        if not (same or (how.drop and same_orders)):
            _check_version(old, how.based_on)
        ready = bool(confirm) and (how.sure or not look_over(seen, power, lines).lacks)
        if old is not None and confirm is not None and same:
            sheet = old
        else:
            sheet = old or Sheet(table=row, ordinal=ordinal, power=power, version=0)
            sheet.text, sheet.ahead, sheet.salt = "\n".join(lines), ahead, secrets.token_hex(SALT_BYTES)
            sheet.version, sheet.sent_at, sheet.by = sheet.version + 1, at, user
            sheet.channel = "gm" if viewer.gm and power not in viewer.powers else how.channel
        sheet.confirmed, sheet.hold = ready, sheet.hold and not ready
        sheet.save()
        receipt = receipts.of(sheet) or receipts.make(row, sheet)
        _is_there(row, game, power, user, at)
        look_again(row, game, at)
    return receipt


def _is_there(table: Table, game: Game, power: str, user: User | None, now: datetime) -> None:
    """Note that a missing player has returned; announce it if the power could have been lost."""
    seats = table.seats.filter(power=power, user=user, state__in=NOT_THERE)
    states = set(seats.values_list("state", flat=True))
    if states:
        seats.update(state=SeatState.SITTING)
    if SeatState.STANDBY_WANTED in states:
        correspondence.notify(table, notifications.back(table, game, power), now)


def confirm(
    table: Table | int, power: str, *, ready: bool, ordinal: int, user: User | None, now: datetime | None = None
) -> None:
    """Mark a power's saved orders as final, or not; when all are final, the phase is processed early.

    Raise `Refused`; its code is `no-orders` if orders are due and none are saved.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        game = _open(row, power, user, ordinal, "", at)[0]
        if ready:
            why = _("You have sent no orders for {phase}, so you cannot be ready.").format(phase=row.phase_code)
            _sheet(
                row, game, power, user, at, Refused("no-orders", why, _("send them first; an empty set counts, too"))
            )
        changed = {"confirmed": ready, "hold": False} if ready else {"confirmed": False}
        Sheet.objects.filter(table=row, ordinal=ordinal, power=power).update(**changed)
        look_again(row, game, at)


def hold(
    table: Table | int, power: str, *, wait: bool, ordinal: int, user: User | None, now: datetime | None = None
) -> None:
    """Ask that the phase not be processed before its deadline, or withdraw that.

    Raise `Refused`; its code is `no-orders` if orders are due and none are saved, since the phase waits anyway.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        game = _open(row, power, user, ordinal, "", at)[0]
        why = _("You have sent no orders for {phase}, so the phase waits for you anyway.").format(phase=row.phase_code)
        sheet = _sheet(row, game, power, user, at, Refused("no-orders", why, _("send them first")))
        sheet.hold, sheet.confirmed = wait, sheet.confirmed and not wait
        sheet.save(update_fields=["hold", "confirmed"])
        look_again(row, game, at)


def save_ahead(table: Table, game: Game, senders: Mapping[str, User | None], now: datetime) -> None:
    """Save the orders that powers sent ahead for the phase that has begun, each as a set that is not final.

    `game` is the game with these orders. Orders of powers that are not in `senders` are dropped.
    """
    for power in [power for power in game.orders if power in senders]:
        sheet = Sheet(table=table, ordinal=table.ordinal, power=power, text="\n".join(game.orders[power]))
        sheet.ahead, sheet.salt = table.ahead.get(power, {}), secrets.token_hex(SALT_BYTES)
        sheet.sent_at, sheet.channel, sheet.by = now, "ahead", senders[power]
        sheet.save()
        receipts.make(table, sheet)


def forget(table: Table, power: str) -> None:
    """Delete what a power has sent for the current phase and ahead, because its player has left."""
    if table.ahead.pop(power, None):
        table.save(update_fields=["ahead"])
    Sheet.objects.filter(table=table, ordinal=table.ordinal, power=power).delete()
    Ballot.objects.filter(table=table, ordinal=table.ordinal, power=power).delete()


def _open(table: Table, power: str, user: User | None, ordinal: int, phase: str, now: datetime) -> tuple[Game, Viewer]:
    """Return game and viewer; raise `Refused` unless this person may order for the power in this phase now."""
    viewer = viewer_of(table, user)
    if power not in viewer.powers and not viewer.gm:
        raise Refused("no-seat", _("You do not give orders for {power}."), power=power[:60])
    if table.state != TableState.PAUSED:  # players may revise their orders during a pause
        store.check_running(table, now)
    store.check_quiet(table, now)
    store.check_turn(table, ordinal, phase)
    game = store.load(table)
    if power in game.disorder:
        back = WAY_BACK if power in viewer.powers else ""
        raise Refused("disorder", _("{power} is in civil disorder."), back, power=power)
    return game, viewer


def _check_version(old: Sheet | None, based_on: int | None) -> None:
    """Raise `Refused` if other orders were saved since the writer looked, so that they are not overwritten unseen."""
    if old is None or based_on is None or old.version == based_on:
        return
    raise Refused(
        "newer",
        _("Set {version} was saved for {power} after you opened the page."),
        _("look at it first"),
        version=old.version,
        power=old.power,
    )


def _sheet(table: Table, game: Game, power: str, user: User | None, now: datetime, without: Refused) -> Sheet:
    """Return the power's sheet. Create an empty one if no orders are due; raise `without` if they are due."""
    sheet = Sheet.objects.filter(table=table, ordinal=table.ordinal, power=power).first()
    if sheet is not None:
        return sheet
    if any(status.is_due for status in game.status if status.power == power):
        raise without
    return Sheet.objects.create(
        table=table, ordinal=table.ordinal, power=power, sent_at=now, channel="web", by=user,
        ahead=table.ahead.get(power, {}), salt=secrets.token_hex(SALT_BYTES),
    )  # fmt: skip


def accept_orders(
    table: Table,
    game: Game,
    power: str,
    sent: Sent,
    now: datetime,
    *,
    amend: bool | None,
) -> Game:
    """Return the game with this set of orders added; raise `Refused` if it does not accept them."""
    late = table.deadline is not None and now > table.deadline
    text = sent.text if isinstance(sent, OrderSheet) else sent if isinstance(sent, str) else "".join(map(str, sent))
    if "\x00" in text:
        raise Refused("bad-orders", _("Orders must not contain null characters."))
    sheet = sheet_of(game, power, sent)
    try:
        return game.submit(power, sheet, amend=amend, late=late)
    except GamesmasterError as error:
        raise refusal_of(error, sheet) from error
