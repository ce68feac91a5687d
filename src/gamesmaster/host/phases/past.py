"""Going back: the Gamesmaster takes a phase back, a player reports an error, or a sandbox branches off a phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, new_seed
from gamesmaster.host.games import deadlines, hosting, ratings, standbys
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, store
from gamesmaster.host.tables.access import viewer_of
from gamesmaster.host.tables.models import SEATED, Ballot, PhaseRow, Receipt, SeatState, Sheet, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import TableView, site_language, this_game_is


def rollback(table: Table | int, to: int, by: User | None, *, now: datetime | None = None) -> None:
    """Take a game back to the phase with this ordinal. Its orders are restored, and nobody is ready.

    Everybody is notified, and the phase gets a new deadline. Receipts of the phases taken back are void. The dice stay
    the same. Raise `Refused`, also if the house rules no longer allow it (CLN-H.i).
    """
    with store.lock(table) as row:
        at = now or clock.now()
        access.must_run(row, by)
        if row.state in (TableState.FORMING, TableState.CANCELLED):
            raise Refused("not-running", this_game_is(row.state))
        store.check_quiet(row, at)
        game = store.load(row)
        if not 0 <= to < len(game.records):
            raise Refused("no-phase", _("There are no results for that phase."))
        if not (row.sandbox or correctable(game, to)):
            raise Refused(
                "stands",
                _("{code} can no longer be taken back: a later season has been adjudicated."),
                code=game.records[to].phase.code,
            )
        back = game.rollback(game.records[to].phase.code)
        newcomers = list(row.seats.filter(state__in=SEATED, joined_ordinal__gt=to).values_list("power", flat=True))
        back = _seats_back(row, to, back)
        waited = PhaseRow.objects.filter(table=row, ordinal=to).values_list("ahead", flat=True).first() or {}
        row.ahead = {power: sent for power, sent in waited.items() if power not in newcomers}
        PhaseRow.objects.filter(table=row, ordinal__gte=to).delete()
        Receipt.objects.filter(table=row, ordinal__gt=to).update(void=True)
        Sheet.objects.filter(table=row, ordinal__gt=to).delete()
        Sheet.objects.filter(table=row, ordinal=to).update(confirmed=False, hold=False)
        Sheet.objects.filter(table=row, ordinal=to, power__in=newcomers).update(ahead={})
        Ballot.objects.filter(table=row, ordinal__gte=to).delete()
        standbys.forget(row)
        row.state, row.paused_why, row.seconds_left, row.finished = TableState.RUNNING, "", None, None
        row.graced, row.reminded = -1, -1
        deadlines.begin_phase(row, back, at)
        if row.sandbox:
            return
        ratings.take_back(row, at)
        correspondence.notify(row, notifications.rollback(row, back, by), at)
        store.audit(by, gettext_lazy("rolled back to {code}"), row, at, code=back.phase.code)


def _seats_back(table: Table, to: int, back: Game) -> Game:
    """Restore the seats as they were before a phase, and return the game with civil disorder to match.

    Misses since then no longer count. Seats that changed hands keep the new player, and players who have returned stay.
    """
    stood: dict[str, tuple[str, int, int, int]] = {}
    for phase in PhaseRow.objects.filter(table=table, ordinal__gte=to).order_by("-ordinal"):
        stood |= phase.seats
    for seat in table.seats.all():
        if str(seat.pk) in stood:
            state, seat.misses, seat.asked, seat.sent = stood[str(seat.pk)]
            there = seat.user_id is not None and seat.state not in store.WANTED
            if seat.state != SeatState.LEFT and not (there and state in store.WANTED):
                seat.state = state
        seat.joined_ordinal = min(seat.joined_ordinal, to)
        seat.left_ordinal = None if seat.left_ordinal is None else min(seat.left_ordinal, to)
        seat.save()
        if seat.state != SeatState.LEFT and seat.power in back.survivors:
            back = back.set_disorder(seat.power, gone=seat.state == SeatState.DISORDER)
    return back


def correctable(game: Game, ordinal: int) -> bool:
    """Return whether a finished phase can still be corrected: by the house rules any, or those of the last season."""
    if game.house_rules.corrections == "any_time":
        return True
    last, phase = game.records[-1].phase, game.records[ordinal].phase
    return (phase.year, phase.season) == (last.year, last.season)


def claimable(table: Table, game: Game, ordinal: int, now: datetime) -> bool:
    """Return whether players can still report an error in a finished phase."""
    if table.sandbox or table.gm_id is None or not 0 <= ordinal < len(game.records):
        return False
    late = table.deadline is not None and table.deadline < now
    return correctable(game, ordinal) and not (late and game.house_rules.corrections == "until_next_deadline")


def claim(table: Table | int, ordinal: int, text: str, user: User | None, *, now: datetime | None = None) -> None:
    """Report an error in the results of a phase to the Gamesmaster, as a player; raise `Refused` (CLN-H.i)."""
    row = Table.objects.get(pk=table if isinstance(table, int) else table.pk)
    at, game, powers = now or clock.now(), store.load(row), viewer_of(row, user).powers
    if not powers:
        raise Refused("no-seat", _("Only the players of this game can report errors."))
    if not claimable(row, game, ordinal, at):
        raise Refused(
            "too-late",
            _("It is too late to report an error in these results."),
            _("that is possible until the next deadline"),
        )
    with site_language():
        notification = _("{power} reports an error in the results of {phase}. {text}").format(
            power=powers[0], phase=game.records[ordinal].phase.code, text=text
        )
    correspondence.send(row, powers[0], Press(notification, [correspondence.HOUSE]), user=user, now=at)


def fork(view: TableView, ordinal: int, user: User | None, *, now: datetime | None = None) -> Table:
    """Create a sandbox from a phase of a game that the viewer may see, with its orders if the phase is over.

    A sandbox from a private plan is private. It has a new seed: the game's would reveal its future dice.
    """
    if view.partial:
        raise Refused("not-over", _("This game hides parts of the board; sandboxes can begin from it when it is over."))
    game = view.bare_game
    if ordinal != len(game.records):
        game = game.rollback(view.record(ordinal).phase.code)
    name, private = (
        _("{name}, from {code}").format(name=view.name, code=game.phase.code),
        view.sandbox and view.settings.join == "invited",
    )
    return branch(view, game, user, name=name, private=private, now=now)


def branch(
    view: TableView, game: Game, user: User | None, *, name: str, private: bool = False, now: datetime | None = None
) -> Table:
    """Create a sandbox with this game's state and orders; only its owner can see a private one."""
    at, seed = now or clock.now(), new_seed()
    settings = TableSettings(join="invited", observers=False) if private else None
    made = hosting.create(user, GameChoice(view.variant.address, name=name), settings, sandbox=True, now=at)
    with store.lock(made) as table:
        whose = (
            view.forked_from.partition(" ")[0] if private and view.sandbox else view.key
        )  # a plan made from a plan belongs to the same game
        table.seed, table.forked_from = seed, f"{whose} {game.phase.code}"
        table.state, table.started = TableState.RUNNING, at
        deadlines.begin_phase(table, replace(game, seed=seed, outcome=None, disorder=frozenset(), players={}), at)
        lay_down(table, game.orders, user, at)
    return table


def lay_down(table: Table, sent: Mapping[str, Sequence[str]], user: User | None, now: datetime) -> None:
    """Save orders by power in a sandbox that has just begun."""
    for power, lines in sent.items():
        Sheet.objects.create(
            table=table,
            ordinal=table.ordinal,
            power=power,
            text="\n".join(lines),
            sent_at=now,
            channel="web",
            by=user,
        )
