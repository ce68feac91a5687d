"""Locking tables and loading their games, the first step of every service.

Games are read from the records of their tables and cached in memory.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from threading import Lock

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import LOTS, DueOrders, Game, SentAhead, dumps, loads
from gamesmaster.host.site.places import unwritten
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions
from gamesmaster.host.tables.models import SEATED, AuditLine, Seat, SeatState, Sheet, Standby, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import in_site_language, this_game_is
from gamesmaster.judge import OrderReader

WANTED = (SeatState.STANDBY_WANTED, SeatState.DISORDER)
"""States of a seat that another player may take over."""
CLAIM_LASTS = timedelta(minutes=5)
"""Time after which a worker that has not finished a phase is considered dead."""


@contextmanager
def lock(table: Table | int, *, record: bool = True, lasting: bool = True) -> Iterator[Table]:
    """Lock a table for the duration of a transaction; raise `Refused` if it does not exist.

    Without `record`, by far the largest column, it is loaded on demand. Without `lasting`, the commit does not wait for
    the disk, and may be lost as a whole in a power cut.
    """
    number = table if isinstance(table, int) else table.pk
    rows = Table.objects.select_for_update()
    with nullcontext() if lasting else unwritten(), transaction.atomic():
        try:
            yield (rows if record else rows.defer("record")).get(pk=number)
        except Table.DoesNotExist:
            raise Refused("no-table", _("There is no such game.")) from None


def is_claimed(table: Table, now: datetime) -> bool:
    """Return whether a worker processes the phase, as far as known."""
    return table.claimed_at is not None and now - table.claimed_at < CLAIM_LASTS


def check_quiet(table: Table, now: datetime) -> None:
    """Raise `Refused` while the phase is being adjudicated.

    The claim of a dead worker is removed, so that its result no longer counts.
    """
    if is_claimed(table, now):
        raise Refused(
            "processing",
            _("{phase} is being adjudicated right now."),
            _("see the results, then try again"),
            phase=table.phase_code,
        )
    if table.claimed_by:
        table.claimed_by, table.claimed_at = "", None
        table.save(update_fields=["claimed_by", "claimed_at"])


def check_running(table: Table, now: datetime) -> None:
    """Raise `Refused` unless the table is running and not being processed."""
    if table.state != TableState.RUNNING:
        raise Refused("not-running", this_game_is(table.state))
    check_quiet(table, now)


def check_turn(table: Table, ordinal: int, phase: str = "") -> None:
    """Raise `Refused` unless this phase is the current one."""
    if table.ordinal == ordinal and phase in ("", table.phase_code):
        return
    past = table.phases.filter(ordinal=ordinal).first() if ordinal < table.ordinal else None
    now, calendar = table.phase_code, editions.variant_of(table).calendar
    named = {code: calendar.name(calendar.read(code)) for code in (now, past.code if past else now)}
    says = _("{past} is over; orders are now due for {now}.") if past else _("Orders are now due for {now}.")
    raise Refused(
        "not-this-phase",
        says.format(past=named[past.code] if past else "", now=named[now]),
        _("{now}, number {ordinal}").format(now=now, ordinal=table.ordinal),
    )


def settings_of(table: Table) -> TableSettings:
    """Return the settings of a table."""
    return _settings(json.dumps(table.settings))


MOVED = frozenset({"draws", "ballots"})
"""Settings of older tables that are house rules now; these tables have them there as well."""


@lru_cache(1024)
def _settings(text: str) -> TableSettings:
    data = json.loads(text)
    return TableSettings.model_validate_json(json.dumps({k: data[k] for k in data.keys() - MOVED}))


def seats_at(table: Table) -> list[Seat]:
    """Return the taken seats in the order of powers, which does not reveal who joined when.

    Before powers are drawn, they are in the order of joining.
    """
    seats = list(table.seats.filter(state__in=SEATED).select_related("user", "user__profile").order_by("pk"))
    if not any(seat.power for seat in seats):
        return seats
    order = _powers_order(table.variant, table.digest)
    return sorted(seats, key=lambda seat: order.get(seat.power or "", len(order)))


@lru_cache(256)
def _powers_order(variant: str, digest: str) -> dict[str, int]:
    """Return the number of each power of a variant; empty if the variant no longer exists."""
    with suppress(GamesmasterError):
        return {power.name: number for number, power in enumerate(editions.variant_by_digest(variant, digest).powers)}
    return {}


def opens_to(table: Table, user: User | None) -> bool:
    """Return whether this is a sandbox in which this person may order for all powers.

    Everybody may, except in plans (`join` is "invited"), which are open only to their owner.
    """
    if not table.sandbox:
        return False
    return settings_of(table).join != "invited" or (user is not None and table.owner_id == user.pk)


def is_gm(table: Table, user: User | None) -> bool:
    """Return whether this person is the Gamesmaster of the table, or a helper of the Gamesmaster.

    A table that does not exist takes the same query, against timing attacks.
    """
    if user is None or table.gm_id == user.pk:
        return user is not None
    return table.helpers.filter(user=user, ended=None).exists() and table.gm_id is not None


def check_plays(table: Table, user: User) -> None:
    """Raise `Refused` for people who may not play at the table, because they run it or have helped to run it."""
    if user.pk == table.gm_id:
        raise Refused("is-gm", _("The Gamesmaster cannot also play in the game."))
    if table.helpers.filter(user=user).exists():
        raise Refused("is-gm", _("Those who have helped the Gamesmaster cannot play in the game."))


@in_site_language
def audit(who: User | None, what: str | Promise, table: Table | None, now: datetime, /, **values: object) -> None:
    """Write a line into the audit log, with `values` in place of placeholders; never with orders, votes or press."""
    text = str(what).format(**values) if values else str(what)
    AuditLine.objects.create(who=who, what=text[:200], table=table, ordinal=table.ordinal if table else None, at=now)


MOST_KEPT = 256


class _GameCache:
    """A cache of the games used last, by table and version. A version always means the same game."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[int, int], Game] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[int, int]) -> Game | None:
        with self._lock:
            if key in self._games:
                self._games.move_to_end(key)
            return self._games.get(key)

    def put(self, key: tuple[int, int], game: Game) -> None:
        with self._lock:
            self._games[key] = game
            while len(self._games) > MOST_KEPT:
                self._games.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


GAMES = _GameCache()


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored, with its record."""

    game: Game  # without votes and orders, including those sent ahead
    record: str  # of `game`, serialized
    whole: Game  # the complete game
    due: tuple[DueOrders, ...]  # the orders sent ahead for its phase, and what happened to them


def load(table: Table) -> Game:
    """Return the game of a table, without the orders and votes of the current phase.

    If the game is not cached, a row loaded without its record is reloaded as a whole, so that all its columns have the
    same version. Raise `Refused` if the game has not begun or its record cannot be read.
    """
    game = GAMES.get((table.pk, table.version))
    if game is None:
        if "record" in table.get_deferred_fields():
            table.refresh_from_db(fields=[field.attname for field in Table._meta.concrete_fields])
        if not table.record:
            raise Refused("not-started", _("The game has not begun."))
        try:
            game = _nameless(loads(table.record, find=editions.variant_finder(table.digest), verify=False))
        except GamesmasterError as error:
            raise Refused("unreadable", _("The record of this game cannot be read."), str(error)[:200]) from error
        GAMES.put((table.pk, table.version), game)
    return game


def _nameless(game: Game) -> Game:
    """Return the game without its players and the dice that assigned the powers.

    Old records name players in the order of joining. Anybody who saw them join would know who plays what.
    """
    lots = any(throw.phase == LOTS for throw in game.throws)
    if not (game.players or lots):
        return game
    return replace(game, players={}, throws=tuple(throw for throw in game.throws if throw.phase != LOTS))


def serialise(game: Game) -> StoredGame:
    """Return the stored form of a game, without votes and orders."""
    records = tuple(replace(record, ahead={}) if record.ahead else record for record in game.records)
    bare = replace(game, orders={}, votes={}, ahead={}, records=records)
    return StoredGame(bare, dumps(bare), game, game.due_orders)


def keep(table: Table, game: Game | StoredGame) -> Game:
    """Put a changed game into its row, which the caller saves; return the stored form."""
    kept = game if isinstance(game, StoredGame) else serialise(game)
    bare = kept.game
    table.record, table.ordinal, table.phase_code = kept.record, len(bare.records), bare.phase.code
    table.owing = [one.power for one in bare.status if one.is_due and not one.disorder] if not bare.outcome else []
    touch(table)
    key = (table.pk, table.version)
    transaction.on_commit(lambda: GAMES.put(key, bare))
    return bare


def touch(table: Table) -> None:
    """Increase the version of the table."""
    table.version += 1


def with_sheets(game: Game, sheets: Iterable[Sheet | Standby], ahead: Mapping[str, SentAhead] | None = None) -> Game:
    """Return the game with these sheets and the orders sent `ahead` added.

    Sheets that the game does not accept, for eliminated or unknown powers, are left out.
    """
    for sheet in sheets:
        with suppress(GamesmasterError):
            game = game.restore_orders(sheet.power, sheet.lines)
    for power, sent in (ahead or {}).items():
        with suppress(GamesmasterError):
            game = game.restore_ahead(power, sent)
    return game


def ahead_at(table: Table, sheets: Iterable[Sheet]) -> dict[str, SentAhead]:
    """Return what each power has sent ahead, with its current set or in earlier phases."""
    found = {**table.ahead, **{sheet.power: sheet.ahead for sheet in sheets}}
    return {power: SentAhead.of(data) for power, data in found.items() if data}


def in_fair_copy(game: Game) -> Game:
    """Return the game with the current orders rewritten in standard notation, as bots write them.

    The spelling could identify an anonymous player. Lines that cannot be read stay as given.
    """
    return replace(game, orders={p: tuple(_fair(game, text) for text in texts) for p, texts in game.orders.items()})


def _fair(game: Game, text: str) -> str:
    order = game.rules.derive(OrderReader).read(text, game.phase.kind).order
    return game.rules.notation.write(order) if order else text
