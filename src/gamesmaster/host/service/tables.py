"""Tables: made, joined, started, paused, ended."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, Variant, find_variant, new_seed
from gamesmaster.game.seats import LOTS
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Invitation, Seat, SeatState, Table, TableState
from gamesmaster.host.service import bots, clock, deadlines, letters, orders, outbox, press, ratings, rows, store, turns
from gamesmaster.host.table_settings import TableSettings

LONGEST_NAME = 80
SHORTEST_LEFT = timedelta(hours=1)
"""After a pause there is at least this much time."""


def create(
    owner: User | None,
    variant: str,
    settings: TableSettings | None = None,
    *,
    name: str = "",
    rulebook: str | Mapping[str, object] | None = None,
    house_rules: str | Mapping[str, object] | None = None,
    gm: User | None = None,
    sandbox: bool = False,
    now: datetime | None = None,
) -> Table:
    """Make a table; `variant` is a name with options (`cline9[turkey=fleet-smyrna]`).

    The game's own house rules take their votes from the settings, and leave lost players to the table's policy.  Raises
    `Refused` for what cannot be played.
    """
    settings = settings or TableSettings()
    if settings.fill:
        bots.check_name(settings.fill)
    seed = new_seed()
    try:
        found = find_variant(variant)
        base = Game.start(found, seed=seed, rulebook=rulebook, house_rules=house_rules)
        lost = {"missed_before_standby": 0, "standby_players": "whoever_comes"}
        wanted = {"preset": "standard", **base.house_rules.choices(), **_votes(settings), **lost}
        trial = Game.start(found, seed=seed, rulebook=rulebook, house_rules=wanted)
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error
    at = now or clock.now()
    return Table.objects.create(
        name=" ".join((name or found.name).split())[:LONGEST_NAME],
        variant=found.id,
        digest=found.digest,
        rulebook={} if rulebook is None else {"given": rulebook},
        house_rules={"preset": "standard", **trial.house_rules.choices()},  # not the variant's where they differ
        settings=settings.model_dump(mode="json"),
        sandbox=sandbox,
        seed=seed,
        owner=owner,
        gm=gm,
        created=at,
    )


def sandbox(variant: str, user: User | None = None, *, name: str = "", now: datetime | None = None) -> Table:
    """A table at which whoever has its key orders for all powers: no seats, no deadlines, begun at once."""
    at = now or clock.now()
    made = create(user, variant, TableSettings(), name=name, sandbox=True, now=at)
    with rows.locked(made) as table:
        _begin(table, _new_game(table, {}), at)
    return table


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
        _let_in(row, user, invitation)
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
        _must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-open", f"This table is {row.state}.")
        _check_room(row)
        seat = Seat.objects.create(table=row, bot=bot, joined=now or clock.now())
        _start_if_full(row, now or clock.now())
    return seat


def leave(table: Table | int, user: User, *, now: datetime | None = None) -> None:
    """Get up.  In a game the power then wants a player, and what it had sent for the phase is forgotten."""
    with rows.locked(table) as row:
        at = now or clock.now()
        seat = row.seats.filter(user=user, state__in=rows.SEATED).first()
        if seat is None:
            raise Refused("no-seat", "You do not sit at this table.")
        if row.state == TableState.FORMING:
            seat.delete()
            return
        rows.check_quiet(row, at)
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
        _must_host(row, by)
        if not 1 <= uses <= 100:
            raise Refused("bad-number", "An invitation holds for 1 to 100 people.")
        return Invitation.objects.create(table=row, power=power[:60], uses_left=uses, made=now or clock.now())


def start(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Begin the game: the powers are drawn by its dice, and the first deadline is set.  Raises `Refused`."""
    with rows.locked(table) as row:
        _must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-forming", f"This table is {row.state}.")
        _start(row, now or clock.now())


def cancel(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Give up a table: before it begins whoever made it may, later only the Gamesmaster."""
    with rows.locked(table) as row:
        at = now or clock.now()
        _must_host(row, by) if row.state == TableState.FORMING else must_run(row, by)
        if row.state in (TableState.FINISHED, TableState.CANCELLED):
            raise Refused("over", f"This table is {row.state}.")
        rows.check_quiet(row, at)
        row.state, row.finished, row.ready_at = TableState.CANCELLED, at, None
        turns.put_deadline(row, None)
        store.touch(row)
        row.save()
        press.announce(row, "The table was given up.", at)
        outbox.tell_seats(row, rows.seated(row), letters.noted(row, "the table was given up"), at)
        rows.audit(by, "cancelled", row, at)


def pause(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Stop the clock; what is left of the deadline is kept."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        stop_clock(row, at)
        press.announce(row, "The table is paused.", at)
        outbox.tell_seats(row, rows.seated(row), letters.noted(row, "the table is paused"), at)
        rows.audit(by, "paused", row, at)


def resume(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Start the clock again, of a table that was paused or set apart; there is at least an hour left."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        if row.state not in (TableState.PAUSED, TableState.QUARANTINED):
            raise Refused("not-paused", f"This table is {row.state}.")
        start_clock(row, at)
        press.announce(row, "The table goes on.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, "The table goes on."), at)
        rows.audit(by, "resumed", row, at)


def extend(table: Table | int, by: User | None, until: datetime, *, now: datetime | None = None) -> None:
    """Move the deadline of the phase being played; never into the past, nor further than a year."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        if not at < until <= at + timedelta(days=366):
            raise Refused("bad-time", "A deadline is in the future, and within a year.")
        turns.put_deadline(row, deadlines.later(rows.settings_of(row), until))
        row.ready_at = None
        row.save()
        press.announce(row, f"The new deadline is {row.deadline_wall}.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, "The Gamesmaster has moved the deadline."), at)
        rows.audit(by, f"moved the deadline to {row.deadline_wall}", row, at)


# -- the clock -------------------------------------------------------------------------------------------------------


def stop_clock(table: Table, now: datetime) -> None:
    """Pause a table under lock; the table is saved."""
    left = table.deadline - now if table.deadline else None
    table.seconds_left = max(int(left.total_seconds()), 0) if left is not None else None
    table.state, table.ready_at = TableState.PAUSED, None
    turns.put_deadline(table, None)
    store.touch(table)
    table.save()


def start_clock(table: Table, now: datetime) -> None:
    """Let a table under lock go on; the table is saved."""
    settings = rows.settings_of(table)
    table.state, table.attempts, table.claimed_at, table.claimed_by = TableState.RUNNING, 0, None, ""
    if table.seconds_left is not None:
        left = max(timedelta(seconds=table.seconds_left), SHORTEST_LEFT)
        turns.put_deadline(table, deadlines.later(settings, now + left))
    elif not table.sandbox:
        turns.put_deadline(table, deadlines.due(settings, store.load(table).phase.kind, now))
    table.seconds_left = None
    store.touch(table)
    table.save()


# -- who may ---------------------------------------------------------------------------------------------------------


def must_run(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person is the table's Gamesmaster, an admin who does not play, or plays alone."""
    if table.sandbox or rows.is_gm(table, user):
        return
    plays = user is not None and table.seats.filter(user=user, state__in=rows.SEATED).exists()
    if user is None or not user.is_superuser or plays:
        raise Refused("not-gm", "Only the Gamesmaster does that.")


def _must_host(table: Table, user: User | None) -> None:
    if user is not None and table.owner_id == user.pk:
        return
    must_run(table, user)


def _let_in(table: Table, user: User, invitation: str) -> None:
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


# -- seats -----------------------------------------------------------------------------------------------------------


def _check_room(table: Table) -> None:
    if len(rows.seated(table)) >= len(find_variant(table.variant).powers):
        raise Refused("full", "This table is full.")


def _sit_down(table: Table, user: User, preferences: Sequence[str], now: datetime) -> Seat:
    _check_room(table)
    known = [power.name for power in find_variant(table.variant).powers]
    wanted = [name for name in preferences if name in known]
    seat = Seat.objects.create(table=table, user=user, preferences=wanted, joined=now)
    _start_if_full(table, now)
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
    outbox.tell_seats(table, rows.seated(table), letters.moved(table, f"{power} has a new player."), now)
    return made


# -- the beginning ---------------------------------------------------------------------------------------------------


def _start_if_full(table: Table, now: datetime) -> None:
    full = len(rows.seated(table)) == len(find_variant(table.variant).powers)
    if full and table.gm_id is None and rows.settings_of(table).starts == "full":
        _start(table, now)


def _start(table: Table, now: datetime) -> None:
    settings, variant = rows.settings_of(table), find_variant(table.variant)
    seats = rows.seated(table)
    if settings.fill:
        for _ in range(len(variant.powers) - len(seats)):
            seats.append(Seat.objects.create(table=table, bot=settings.fill, joined=now))
    if len(seats) != len(variant.powers):
        raise Refused("not-full", f"{len(variant.powers)} players are wanted, and {len(seats)} sit here.")
    game = _drawn(table, variant, seats, settings)
    places = {player: power for power, player in game.players.items()}
    for number, seat in enumerate(seats):
        seat.power = places[_called(number)]
        seat.save(update_fields=["power"])
    _begin(table, game, now)
    outbox.tell_seats(table, rows.seated(table), letters.started(table, game), now)


def _called(number: int) -> str:
    """What the record calls a player: it names nobody, for it may be an anonymous game."""
    return f"player {number + 1:02}"


def _drawn(table: Table, variant: Variant, seats: list[Seat], settings: TableSettings) -> Game:
    """The game with the powers drawn: by lot, or each in turn, in an order drawn by lot, taking the dearest left."""
    names = [_called(number) for number in range(len(seats))]
    if settings.powers == "lot":
        return _new_game(table, names)
    wishes = {name: seat.preferences for name, seat in zip(names, seats, strict=True)}
    left = [power.name for power in variant.powers]
    players = {}
    drawn = Game.start(variant, seed=bytes(table.seed)).dice.shuffle(names, LOTS, "STD-1.a")
    for name in sorted(drawn, key=lambda name: not wishes[name]):  # who wants nothing takes what is left
        taken = next((power for power in wishes[name] if power in left), left[-1])
        left.remove(taken)
        players[taken] = name
    return _new_game(table, players)


def _new_game(table: Table, players: Mapping[str, str] | Sequence[str]) -> Game:
    rulebook = table.rulebook.get("given")
    try:
        return Game.start(
            find_variant(table.variant), seed=bytes(table.seed), rulebook=rulebook, players=players,
            house_rules=dict(table.house_rules),
        )  # fmt: skip
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error


def _begin(table: Table, game: Game, now: datetime) -> None:
    table.state, table.started = TableState.RUNNING, now
    turns.begin(table, game, now)
    if not table.sandbox:
        press.announce(table, f"The game begins. SHA-256 of the seed: {hashlib.sha256(game.seed).hexdigest()}", now)


def _votes(settings: TableSettings) -> dict[str, object]:
    shares = "all_survivors" if settings.draws == "survivors" else "any_group"
    return {"draw_shares": shares, "votes": settings.ballots}
