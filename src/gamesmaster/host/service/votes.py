"""Votes: to end the game, for more time, for a pause.  A vote that completes an agreement takes effect at once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, SeatState, Table
from gamesmaster.host.service import clock, deadlines, letters, outbox, press, rows, store, tables, turns
from gamesmaster.host.service.viewing import viewer_of

MAJORITY = 2, 3
"""Of the players who sit, two thirds must want more time or a pause."""


def cast(
    table: Table | int,
    power: str,
    winners: Collection[str],
    *,
    ordinal: int,
    user: User | None,
    now: datetime | None = None,
) -> bool:
    """Vote that `winners` share the victory (all survivors: a draw; one: a concession; nobody: no longer).

    Is the game over with that?  A vote is for one phase.  Bots agree with what all people agree on.  Raises `Refused`.
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        _check(row, power, user, ordinal, at)
        game = store.load(row)
        if not winners:
            Ballot.objects.filter(table=row, ordinal=ordinal, power=power, kind="end").delete()
            return False
        try:
            shared = _shared(game, power, winners)
            game = _counted(row, game, power, shared)
        except GamesmasterError as error:
            raise Refused("bad-vote", error.what, error.hint) from error
        _write(row, power, "end", shared, at)
        if game.outcome:
            turns.finish(row, game, at)
        return game.outcome is not None


def wish(
    table: Table | int, power: str, kind: str, *, ordinal: int, user: User | None, now: datetime | None = None
) -> bool:
    """Vote for more time (`extend`) or a pause (`pause`); does it carry?  Raises `Refused`."""
    if kind not in ("extend", "pause"):
        raise Refused("bad-vote", f"There is no vote on {kind[:40]!r}.", "extend or pause")
    with rows.locked(table) as row:
        at = now or clock.now()
        _check(row, power, user, ordinal, at)
        _write(row, power, kind, (), at)
        people = {s.power for s in rows.seated(row) if s.user_id and s.state in (SeatState.SITTING, SeatState.AWAY)}
        cast_ = set(Ballot.objects.filter(table=row, ordinal=ordinal, kind=kind).values_list("power", flat=True))
        if len(cast_ & people) * MAJORITY[1] < len(people) * MAJORITY[0]:
            return False
        Ballot.objects.filter(table=row, ordinal=ordinal, kind=kind).delete()
        if kind == "pause":
            tables.stop_clock(row, at)
            press.announce(row, "The table is paused by vote.", at)
        elif row.deadline is not None:
            settings = rows.settings_of(row)
            turns.put_deadline(row, deadlines.later(settings, row.deadline + timedelta(minutes=settings.extension)))
            row.save()
            press.announce(row, f"The deadline is extended by vote to {row.deadline_wall}.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, f"By vote: {kind}."), at)
        return True


def _check(table: Table, power: str, user: User | None, ordinal: int, now: datetime) -> None:
    rows.check_running(table, now)
    rows.check_turn(table, ordinal)
    if power not in viewer_of(table, user).powers:
        raise Refused("no-seat", f"You do not vote for {power[:60]}.")


def _shared(game: Game, power: str, winners: Collection[str]) -> tuple[str, ...]:
    """Who is to share the victory, in the variant's order."""
    if len(winners) == 1:
        return (game.variant.power(next(iter(winners))).name,)
    return game.sharing(winners)


def _counted(table: Table, game: Game, power: str, winners: tuple[str, ...]) -> Game:
    """The game with all votes of the phase, this one in place of the power's earlier one, and the bots' agreement."""
    cast_ = {b.power: tuple(b.winners) for b in Ballot.objects.filter(table=table, ordinal=table.ordinal, kind="end")}
    cast_[power] = winners
    for seat in rows.seated(table):
        if seat.bot and seat.power in game.asked(winners):
            cast_.setdefault(seat.power, winners)
    game = _voted(game, power, cast_.pop(power))
    for other, wanted in cast_.items():
        if game.outcome is None and other in game.survivors and other not in game.disorder:
            game = _voted(game, other, wanted)
    return game


def _voted(game: Game, power: str, winners: tuple[str, ...]) -> Game:
    if len(winners) == 1 and game.survivors != winners:
        return game.concede(power, winners[0])
    return game.vote_draw(power, among=winners)


def _write(table: Table, power: str, kind: str, winners: tuple[str, ...], now: datetime) -> None:
    Ballot.objects.update_or_create(
        table=table, ordinal=table.ordinal, power=power, kind=kind, defaults={"winners": list(winners), "at": now}
    )
