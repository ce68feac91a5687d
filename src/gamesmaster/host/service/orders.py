"""Orders come in: stored before they are acknowledged, for the phase they name and no other."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, Receipt, SeatState, Sheet, Table, TableState
from gamesmaster.host.service import clock, readiness, receipts, rows, store
from gamesmaster.host.service.viewing import TableView, Viewer, viewer_of
from gamesmaster.judge import Ruling
from gamesmaster.judge.corroborate import Warning, corroborate

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Draft:
    """What a power's orders would come to if nobody else gave any, and what may be slips in them."""

    rulings: tuple[Ruling, ...]
    warnings: tuple[Warning, ...]


def submit(
    table: Table | int,
    power: str,
    texts: str | Sequence[str],
    *,
    ordinal: int,
    user: User | None,
    channel: str = "web",
    phase: str = "",
    amend: bool | None = None,
    confirm: bool | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Store a set of orders of `power` for the phase with this number (and, if told, this code).

    `user` sits at the power, or runs the table; at a sandbox everybody with its key orders for all.  `confirm` says at
    once whether the player is ready; a new set by one who was ready otherwise makes him or her unready.  The receipt is
    returned when the orders are safe.  Orders are in time if they are stored no later than the deadline; later ones are
    taken as the house rules say, until the phase is processed.  Raises `Refused`, and nothing is stored then.
    """
    with rows.locked(table, record=False) as row:
        at = now or clock.now()
        game, viewer = _open(row, power, user, ordinal, phase, at)
        old = Sheet.objects.filter(table=row, ordinal=ordinal, power=power).first()
        lines = taken(row, game, power, texts, old, amend, at)
        sheet = old or Sheet(table=row, ordinal=ordinal, power=power, version=0)
        sheet.text, sheet.salt = "\n".join(lines), secrets.token_hex(SALT_BYTES)
        sheet.version, sheet.sent_at, sheet.by = sheet.version + 1, at, user
        sheet.channel = "gm" if viewer.gm and power not in viewer.powers else channel
        sheet.confirmed = bool(confirm)
        sheet.save()
        receipt = receipts.make(row, sheet)
        row.seats.filter(power=power, user=user, state=SeatState.AWAY).update(state=SeatState.SITTING)
        readiness.look_again(row, game, at)
    return receipt


def confirm(
    table: Table | int, power: str, ready: bool, *, ordinal: int, user: User | None, now: datetime | None = None
) -> None:
    """Say that a power's orders are final, or no longer; when all are, the phase is processed early."""
    with rows.locked(table, record=False) as row:
        at = now or clock.now()
        game, _ = _open(row, power, user, ordinal, "", at)
        sheet = _sheet(row, ordinal, power, user, at) if ready else None
        changed = {"confirmed": ready, "hold": False} if ready else {"confirmed": False}
        Sheet.objects.filter(table=row, ordinal=ordinal, power=power).update(**changed)
        assert sheet is not None or not ready
        readiness.look_again(row, game, at)


def hold(
    table: Table | int, power: str, wait: bool, *, ordinal: int, user: User | None, now: datetime | None = None
) -> None:
    """Ask that the phase be not processed before its deadline, or no longer."""
    with rows.locked(table, record=False) as row:
        at = now or clock.now()
        game, _ = _open(row, power, user, ordinal, "", at)
        sheet = _sheet(row, ordinal, power, user, at)
        sheet.hold, sheet.confirmed = wait, sheet.confirmed and not wait
        sheet.save(update_fields=["hold", "confirmed"])
        readiness.look_again(row, game, at)


def forget(table: Table, power: str) -> None:
    """Take away what a power has sent for the phase being played: its player has left."""
    Sheet.objects.filter(table=table, ordinal=table.ordinal, power=power).delete()
    Ballot.objects.filter(table=table, ordinal=table.ordinal, power=power).delete()


def draft_preview(view: TableView, power: str, texts: str | Sequence[str]) -> Draft:
    """What these orders would come to by themselves; nothing is stored, and no other power's orders are looked at.

    Raises `Refused` for a power that the viewer does not order for, or orders that cannot be taken.
    """
    if power not in view.viewer.powers and not view.viewer.gm:
        raise Refused("no-seat", f"You do not order for {power}.")
    bare = view.bare_game
    try:
        trial = bare.submit(power, texts, amend=False)
        judged = trial.what_if()
        warned = corroborate(bare.rules, bare.phase.kind, bare.position, {power: list(trial.orders[power])})
    except GamesmasterError as error:
        raise Refused("bad-orders", error.what, error.hint) from error
    return Draft(tuple(r for r in judged.rulings if r.power == power), tuple(warned))


def _open(table: Table, power: str, user: User | None, ordinal: int, phase: str, now: datetime) -> tuple[Game, Viewer]:
    """The game, if this person may order for this power in this phase now."""
    viewer = viewer_of(table, user)
    if power not in viewer.powers and not viewer.gm:
        raise Refused("no-seat", f"You do not order for {power[:60]}.")
    if table.state != TableState.PAUSED:  # orders may be thought over while the clock stands still
        rows.check_running(table, now)
    rows.check_quiet(table, now)
    rows.check_turn(table, ordinal, phase)
    return store.load(table), viewer


def _sheet(table: Table, ordinal: int, power: str, user: User | None, now: datetime) -> Sheet:
    """The power's sheet, an empty one if it has sent none: to be ready without orders is a set of none."""
    sheet, _ = Sheet.objects.get_or_create(
        table=table, ordinal=ordinal, power=power,
        defaults={"sent_at": now, "channel": "web", "by": user, "salt": secrets.token_hex(SALT_BYTES)},
    )  # fmt: skip
    return sheet


def taken(
    table: Table,
    game: Game,
    power: str,
    texts: str | Sequence[str],
    old: Sheet | None,
    amend: bool | None,
    now: datetime,
) -> tuple[str, ...]:
    """The power's orders when this set has come, as the game takes them; raises `Refused` for what it does not take."""
    late = table.deadline is not None and now > table.deadline
    if "\x00" in (texts if isinstance(texts, str) else "".join(texts)):
        raise Refused("bad-orders", "Orders hold no null characters.")
    try:
        if old is not None:
            game = game.submit(power, old.lines, amend=False)
        return game.submit(power, texts, amend=amend, late=late).orders[power]
    except GamesmasterError as error:
        raise Refused("bad-orders", error.what, error.hint) from error
