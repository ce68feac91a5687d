"""Seats: joining, leaving, replacing, inviting and bots; and starting a game that is full."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import LOTS, Dice, Game, new_seed
from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.games.ratings import let_in
from gamesmaster.host.orders import submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, notifications, outbox, store
from gamesmaster.host.tables.access import must_host, must_run
from gamesmaster.host.tables.models import NOT_OVER, SEATED, Invitation, Seat, SeatState, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import in_site_language, this_game_is
from gamesmaster.players import Searcher, Silent, find_player, views
from gamesmaster.players import Seat as Place
from gamesmaster.variant import Variant


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that can take a seat."""

    name: str  # as stored
    title: str | Promise  # as shown
    says: str | Promise  # how it plays


BOTS = {
    bot.name: bot
    for bot in (
        Bot("heuristic", gettext_lazy("Club player"), gettext_lazy("plays sound moves at once")),
        Bot("searcher", gettext_lazy("Deep thinker"), gettext_lazy("looks ahead, and is the hardest to beat")),
        Bot("random", gettext_lazy("Dice thrower"), gettext_lazy("makes any legal move")),
        Bot("holder", gettext_lazy("Sleeper"), gettext_lazy("only ever holds")),
    )
}
"""The bots that the project ships."""
PATIENCE = 10.0
"""Seconds that a bot may take for a phase."""
THINKING = 1.0
"""Seconds for all searching bots of a table together, because a person may be waiting."""
LOG = logging.getLogger("gamesmaster.host")


def bot_title(name: str) -> str:
    """Return the displayed name of a bot."""
    return str(BOTS[name].title) if name in BOTS else name


def check_bot(name: str) -> None:
    """Raise `Refused` for an unknown bot. Paths are refused as well: a bot's file would be executed."""
    if name not in BOTS:
        raise Refused(
            "no-bot", _("There is no bot {name!r}."), _("there are {bots}").format(bots=", ".join(BOTS)), name=name[:40]
        )


def bot_orders(game: Game, seats: Iterable[Seat]) -> dict[str, tuple[str, ...]]:
    """Return the orders of all bots from which orders are due. A bot that fails has sent none."""
    sitting = [seat for seat in seats if seat.bot and seat.power]
    if not sitting:
        return {}
    seen = views(game)
    orders = {}
    for seat in sitting:
        power = seat.power or ""
        view = seen[power]
        if not view.is_due or power in game.disorder:
            continue
        try:
            check_bot(seat.bot)
            player = find_player(seat.bot)
            if isinstance(player, Searcher):
                player.seconds = THINKING / len(sitting)
            orders[power] = Place(power, player, PATIENCE).orders(view)
        except (Silent, GamesmasterError) as error:
            LOG.warning("a bot did not answer", extra={"event": "bot", "why": type(error).__name__})
    return orders


def start_if_full(table: Table, now: datetime) -> None:
    """Begin the game if all seats are taken and nobody has to start it."""
    full = len(store.seats_at(table)) == len(editions.variant_of(table).powers)
    if full and table.gm_id is None and store.settings_of(table).starts == "full":
        start(table, now)


def start(table: Table, now: datetime) -> None:
    """Begin the game of a table under lock, with bots in empty seats if the settings say so.

    Raise `Refused` if seats remain empty.
    """
    settings, variant = store.settings_of(table), editions.variant_of(table)
    seats = store.seats_at(table)
    if settings.fill:
        while len(seats) < len(variant.powers):
            seats.append(Seat.objects.create(table=table, bot=settings.fill, joined=now))
    if len(seats) != len(variant.powers):
        raise Refused(
            "not-full",
            _("{needed} players are needed, and {joined} have joined."),
            needed=len(variant.powers),
            joined=len(seats),
        )
    for seat, power in _draw_powers(variant, seats, settings):
        seat.power = power
        seat.save(update_fields=["power"])
    game = new_game(table)
    begin(table, game, now)
    seats = store.seats_at(table)
    correspondence.notify(table, notifications.beginning(table, game, seats), now, seats)


def begin(table: Table, game: Game, now: datetime) -> None:
    """Set the table to running and begin its first phase."""
    table.state, table.started = TableState.RUNNING, now
    deadlines.begin_phase(table, game, now)


def new_game(table: Table) -> Game:
    """Return the game of a table before its first phase; raise `Refused` if it is not playable.

    The record names no players: `view` decides who may see them.
    """
    rulebook = table.rulebook.get("given")
    try:
        return Game.start(
            editions.variant_of(table), seed=bytes(table.seed), rulebook=rulebook, house_rules=dict(table.house_rules)
        )
    except GamesmasterError as error:
        raise Refused("bad-variant", error.what, error.hint) from error


def _draw_powers(variant: Variant, seats: list[Seat], settings: TableSettings) -> Iterator[tuple[Seat, str]]:
    """Yield each seat with its power: at random, or by preference in a random order.

    These draws do not use the game's seed. The seed is published at the end, and with the order of joining anybody
    could then compute who played what in an anonymous game.
    """
    lots = Dice(new_seed())
    left = [*lots.shuffle((power.name for power in variant.powers), LOTS, "STD-1.a")]
    wishes = {str(seat.pk): seat.preferences if settings.powers == "preference" else [] for seat in seats}
    drawn = lots.shuffle(wishes, LOTS, "STD-1.a")
    by_key = {str(seat.pk): seat for seat in seats}
    for key in sorted(drawn, key=lambda key: not wishes[key]):  # seats without preferences choose last
        taken = next((power for power in wishes[key] if power in left), left[-1])
        left.remove(taken)
        yield by_key[key], taken


PLAYED = (TableState.RUNNING, TableState.PAUSED)
"""States of a table whose game has begun and is not over."""


def join(
    table: Table | int,
    user: User,
    *,
    invitation: str = "",
    preferences: Sequence[str] = (),
    power: str = "",
    now: datetime | None = None,
) -> Seat:
    """Take a seat and return it. A person with a seat gets the same one; one who lost it through absence returns to it.

    Before the game begins, seats are equal. Later only seats that lost their player are free; `power` chooses among
    them. Raise `Refused` if joining is not possible.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        mine = row.seats.filter(user=user, state__in=SEATED).first()
        if mine is not None:
            if row.state in PLAYED and mine.state in store.WANTED:
                store.check_quiet(row, at)
                return _come_back(row, mine, at)
            return mine
        store.check_plays(row, user)
        meant = let_in(row, user, invitation)
        if row.state == TableState.FORMING:
            return _sit_down(row, user, [meant] if meant else preferences, at)
        if row.state not in PLAYED:
            raise Refused("not-open", this_game_is(row.state))
        store.check_quiet(row, at)
        return _take_over(row, user, meant or power, at)


def add_bot(
    table: Table | int, bot: str, by: User | None, *, all_free: bool = False, now: datetime | None = None
) -> Seat:
    """Put a bot into a free seat, or with `all_free` into each, before the game begins; return the last seat taken."""
    check_bot(bot)
    with store.lock(table) as row:
        must_host(row, by)
        if row.state != TableState.FORMING:
            raise Refused("not-open", this_game_is(row.state))
        _check_room(row)
        free = len(editions.variant_of(row).powers) - len(store.seats_at(row))
        for _ in range(free if all_free else 1):
            seat = Seat.objects.create(table=row, bot=bot, joined=now or clock.now())
        start_if_full(row, now or clock.now())
    return seat


def leave(table: Table | int, user: User, *, now: datetime | None = None) -> None:
    """Leave a game. In a running game, a standby takes over or the seat needs a player; unused orders are deleted."""
    with store.lock(table) as row:
        at = now or clock.now()
        seat = row.seats.filter(user=user, state__in=SEATED).first()
        if seat is None:
            raise Refused("no-seat", _("You do not play in this game."))
        if row.state == TableState.FORMING:
            seat.delete()
            _tell_host(row, user, "got_up", at)
            return
        store.check_quiet(row, at)
        if row.state not in NOT_OVER:
            raise Refused("over", this_game_is(row.state))
        standby = standbys.first_for(row, seat.power or "")
        if standby is not None:  # leaving is like the last missed deadline (CLN-H.e)
            _exchange(
                row,
                seat,
                standby.user,
                format_lazy(
                    gettext_lazy("The player of {power} has left, and a standby takes over."), power=seat.power
                ),
                at,
            )
            store.audit(user, gettext_lazy("left {power}"), row, at, power=seat.power)
            return
        _vacate(row, seat, at)
        store.audit(user, gettext_lazy("left {power}"), row, at, power=seat.power)


def replace(table: Table | int, power: str, user: User, by: User | None, *, now: datetime | None = None) -> Seat:
    """Give a power's seat to another player. Only the Gamesmaster may do this.

    Without a Gamesmaster, the owner may fill seats, but only those that lost their player.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        seat = row.seats.filter(power=power, state__in=SEATED).first()
        if seat is None:
            raise Refused("no-power", _("Nobody plays {power!r} here."), power=power[:60])
        hosts = row.gm_id is None and by is not None and row.owner_id == by.pk
        if not (hosts and seat.state in store.WANTED):
            must_run(row, by)
        if row.state not in PLAYED:
            raise Refused("not-running", this_game_is(row.state))
        store.check_quiet(row, at)
        store.check_plays(row, user)
        if row.seats.filter(user=user, state__in=SEATED).exists():
            raise Refused("sits-already", _("That player already plays in this game."))
        made = _exchange(
            row,
            seat,
            user,
            format_lazy(
                gettext_lazy("{doer} has given {power} to another player."),
                doer=notifications.doer(row, by),
                power=power,
            ),
            at,
        )
        store.audit(by, gettext_lazy("replaced the player of {power}"), row, at, power=power)
    return made


def invite(
    table: Table | int, by: User | None, *, power: str = "", uses: int = 1, now: datetime | None = None
) -> Invitation:
    """Create an invitation that up to `uses` people can use to join."""
    with store.lock(table) as row:
        must_host(row, by)
        if not 1 <= uses <= 100:
            raise Refused("bad-number", _("An invitation can be for 1 to 100 people."))
        return Invitation.objects.create(table=row, power=power[:60], uses_left=uses, made=now or clock.now())


def withdraw(table: Table | int, by: User | None, invitation: str) -> None:
    """Withdraw an invitation; raise `Refused` unless `by` may invite."""
    with store.lock(table, record=False) as row:
        must_host(row, by)
        if not row.invitations.filter(key=invitation, uses_left__gt=0).update(uses_left=0):
            raise Refused("no-invitation", _("There is no such invitation, or it has been used up already."))


def _check_room(table: Table) -> None:
    if len(store.seats_at(table)) >= len(editions.variant_of(table).powers):
        raise Refused("full", _("This game is full."))


def _sit_down(table: Table, user: User, preferences: Sequence[str], now: datetime) -> Seat:
    _check_room(table)
    known = [power.name for power in editions.variant_of(table).powers]
    wanted = [name for name in preferences if name in known]
    seat = Seat.objects.create(table=table, user=user, preferences=wanted, joined=now)
    standbys.settle(seat)
    start_if_full(table, now)
    seat.refresh_from_db()
    if table.state == TableState.FORMING:
        _tell_host(table, user, "joined", now)
    return seat


def _tell_host(table: Table, user: User, what: str, now: datetime) -> None:
    """Notify the Gamesmaster, or else the owner, that somebody `joined` or `got_up` before the game begins."""
    host = table.gm or table.owner
    if host is not None and host.pk != user.pk:
        places = len(editions.variant_of(table).powers)
        notification = notifications.seats_taken(table, what, user.username, len(store.seats_at(table)), places)
        outbox.tell_gm(table, notification, now)


def _vacate(table: Table, seat: Seat, now: datetime) -> None:
    """Mark a player as having left. The seat then needs a player, unless the power is eliminated."""
    game, power = store.load(table) if table.state in PLAYED else None, seat.power or ""
    submission.forget(table, power)
    given_up = seat.state == SeatState.DISORDER
    seat.state, seat.left_ordinal = SeatState.LEFT, table.ordinal
    seat.save()
    alive = game is None or power in game.survivors
    wanted = SeatState.DISORDER if given_up else SeatState.STANDBY_WANTED
    state = wanted if alive else SeatState.SITTING
    Seat.objects.create(table=table, power=power, state=state, joined=now, joined_ordinal=table.ordinal)
    notification = notifications.write(table, "left_wanted" if alive else "left", power=power)
    correspondence.notify(table, notification, now)
    if table.gm is not None:
        outbox.tell_gm(table, notification, now)
    if table.state == TableState.RUNNING and not deadlines.halt_if_deserted(table, store.seats_at(table), now):
        submission.look_again(table, store.load(table), now)


def _take_over(table: Table, user: User, power: str, now: datetime) -> Seat:
    """Take over a power that lost its player: `power`, or the first in the order of powers."""
    survivors = store.load(table).survivors
    free = [seat for seat in store.seats_at(table) if seat.state in store.WANTED and seat.power in survivors]
    seat = next((one for one in free if power in ("", one.power)), None)
    if seat is None:
        raise Refused(
            "full",
            _("Nobody can take over {power}.").format(power=power[:60])
            if power
            else _("No power here can be taken over."),
        )
    return _exchange(table, seat, user, "", now)


@in_site_language
def _exchange(table: Table, seat: Seat, user: User, why: notifications.Said, now: datetime) -> Seat:
    """Give a seat to another player, who gets none of the former player's orders.

    The player gets the time of a full phase, but not after leaving this seat in any phase, or another one in this
    phase: nobody can stretch phases by leaving and joining. `why` is shown to everybody.
    """
    power = seat.power or ""
    left = table.seats.filter(user=user, state=SeatState.LEFT)
    just_left = left.filter(left_ordinal=table.ordinal).exists()
    returns = just_left or left.filter(power=power).exists()
    submission.forget(table, power)
    seat.state, seat.left_ordinal = SeatState.LEFT, table.ordinal
    seat.save()
    made = Seat.objects.create(table=table, power=power, user=user, joined=now, joined_ordinal=table.ordinal)
    standbys.settle(made)
    full = deadlines.next_due(store.settings_of(table), store.load(table).phase.kind, now)
    if table.state == TableState.RUNNING and not returns and full and table.deadline and full.at > table.deadline:
        deadlines.put_deadline(table, full)
    seats = _play_on(table, power, now, gain=not just_left)
    text = why or _("Another player has taken {power} over.").format(power=power)
    outbox.tell_seats(table, [seat], notifications.write(table, "replaced", power=power, why=text), now)
    correspondence.notify(table, notifications.new_player(table, store.load(table), power, why), now, seats)
    return made


def _come_back(table: Table, seat: Seat, now: datetime) -> Seat:
    """Return the seat to a player who had lost it, if nobody else has taken it."""
    seat.state = SeatState.SITTING
    seat.save(update_fields=["state"])
    seats = _play_on(table, seat.power or "", now)
    correspondence.notify(table, notifications.back(table, store.load(table), seat.power or ""), now, seats)
    return seat


def _play_on(table: Table, power: str, now: datetime, *, gain: bool = True) -> list[Seat]:
    """End a power's civil disorder, resume a deserted table, and return the seats.

    A deserted table resumes with a full phase, or without `gain` with the time that was left.
    """
    game = store.load(table)
    if power in game.disorder:
        game = store.keep(table, game.set_disorder(power, gone=False))
    if table.state == TableState.PAUSED and table.paused_why == "deserted":
        if gain:
            table.seconds_left = None
        deadlines.start_clock(table, now, gain=gain)
        notification = notifications.write(table, "resumed", why=gettext_lazy("The game goes on."))
        correspondence.announce(table, notification.notice, now)
    else:
        store.touch(table)
        table.save()
    seats = store.seats_at(table)
    standbys.look_again(table, seats, now)
    if table.state == TableState.RUNNING:
        submission.look_again(table, game, now)
    return seats
