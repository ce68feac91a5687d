"""Votes: to end the game, for more time, for a pause and its end, to cancel the game.

A vote is for one phase, and may be taken back in it.  The one that completes an agreement takes effect at once.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, Message, Seat, Table
from gamesmaster.host.service import ballots, clock, deadlines, letters, press, rows, store, tables, turns
from gamesmaster.host.service.ballots import QUESTIONS
from gamesmaster.host.service.viewing import viewer_of
from gamesmaster.host.wording import in_site_language, this_game_is

MOST_ANNOUNCED = 12
"""So many proposals a phase are announced: nobody fills the others' mailboxes with draws of every kind."""


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

    Is the game over with that?  Raises `Refused`.
    """
    return _vote(table, power, "end", winners, bool(winners), ordinal, user, now)


def wish(
    table: Table | int,
    power: str,
    kind: str,
    wanted: bool = True,
    *,
    ordinal: int,
    user: User | None,
    now: datetime | None = None,
) -> bool:
    """Vote for more time (`extend`), a pause (`pause`) or its end (`resume`), or to cancel the game (`cancel`).

    `wanted=False` takes the vote back.  Does it carry?  Raises `Refused`.
    """
    if kind not in QUESTIONS or kind == "end":
        known = ", ".join(name for name in QUESTIONS if name != "end")
        raise Refused("bad-vote", _("There is no vote called {kind!r}.").format(kind=kind[:40]), known)
    return _vote(table, power, kind, (), wanted, ordinal, user, now)


def withdraw(
    table: Table | int, power: str, *, ordinal: int, user: User | None, now: datetime | None = None
) -> tuple[str, ...]:
    """Take all votes of a power back; of which kinds were there any?  Raises `Refused`."""
    with rows.locked(table) as row:
        at = now or clock.now()
        rows.check_turn(row, ordinal)
        rows.check_quiet(row, at)
        _check_power(row, power, user)
        mine = Ballot.objects.filter(table=row, ordinal=ordinal, power=power)
        kinds = tuple(mine.order_by("kind").values_list("kind", flat=True))
        mine.delete()
    return kinds


def _vote(
    table: Table | int,
    power: str,
    kind: str,
    winners: Collection[str],
    wanted: bool,
    ordinal: int,
    user: User | None,
    now: datetime | None,
) -> bool:
    """Store or take back one vote, tell the others of a new proposal, and do what carries."""
    with rows.locked(table) as row:
        at = now or clock.now()
        rows.check_turn(row, ordinal)
        rows.check_quiet(row, at)
        _check_power(row, power, user)
        if not wanted:
            Ballot.objects.filter(table=row, ordinal=ordinal, power=power, kind=kind).delete()
            return False
        _check_askable(row, kind)
        game, seats = store.load(row), rows.seated(row)
        shared = _checked(game, power, kind, winners)
        Ballot.objects.update_or_create(
            table=row, ordinal=ordinal, power=power, kind=kind, defaults={"winners": list(shared), "at": at}
        )
        cast_ = Ballot.objects.filter(table=row, ordinal=ordinal, kind=kind)
        agree = {ballot.power for ballot in cast_ if tuple(ballot.winners) == shared}
        asked = ballots.asked(game, seats, rows.settings_of(row).bots_agree, kind, shared)
        if not asked or len(agree & asked) < QUESTIONS[kind].needed(len(asked)):
            _announce(row, game, seats, power, kind, shared, at)
            return False
        cast_.delete()
        if kind == "end":
            turns.finish(row, _agreed(game, shared), at)
        else:
            _carry(row, kind, at)
        return True


def _check_power(table: Table, power: str, user: User | None) -> None:
    if power not in viewer_of(table, user).powers:
        raise Refused("no-seat", _("You cannot cast the vote of {power}.").format(power=power[:60]))


def _check_askable(table: Table, kind: str) -> None:
    if table.state not in QUESTIONS[kind].states:
        raise Refused("not-running", this_game_is(table.state))
    if table.sandbox and kind != "end":
        raise Refused("no-vote", _("A sandbox has no votes."))
    if kind == "extend" and table.deadline is None:
        raise Refused("no-deadline", _("There is no deadline to move."))


def _checked(game: Game, power: str, kind: str, winners: Collection[str]) -> tuple[str, ...]:
    """Who is to share the victory, in the variant's order; raises `Refused` for what this power cannot propose."""
    try:
        if kind != "end":
            if power not in game.survivors:
                raise Refused("bad-vote", _("{power} is out of the game.").format(power=power))
            if power in game.disorder:
                raise Refused(
                    "bad-vote", _("{power} is in civil disorder.").format(power=power), _("come back to the game first")
                )
            return ()
        one = len(winners) == 1
        shared = (game.variant.power(next(iter(winners))).name,) if one else game.sharing(winners)
        _voted(game, power, shared)
    except GamesmasterError as error:
        raise error if isinstance(error, Refused) else Refused("bad-vote", error.what, error.hint) from error
    return shared


def _agreed(game: Game, winners: tuple[str, ...]) -> Game:
    """The game with the votes of all who are asked, bots among them."""
    for power in game.asked(winners):
        game = _voted(game, power, winners)
    return game


def _voted(game: Game, power: str, winners: tuple[str, ...]) -> Game:
    if len(winners) == 1 and game.survivors != winners:
        return game.concede(power, winners[0])
    return game.vote_draw(power, among=winners)


@in_site_language
def _announce(
    table: Table, game: Game, seats: list[Seat], power: str, kind: str, winners: tuple[str, ...], now: datetime
) -> None:
    """Tell the others of a proposal that they may know of, once a phase."""
    if table.sandbox or not ballots.told_to_all(game.house_rules.votes, kind):
        return
    what, proposed = ballots.title(game, kind, winners), _("Proposed:")
    until = _("Votes last until the end of {phase}.").format(phase=table.phase_code)
    notice = f"{proposed} {what}. {until}"
    before = Message.objects.filter(table=table, ordinal=table.ordinal, sender="", text__startswith=proposed)
    if before.filter(text=notice).exists() or before.count() >= MOST_ANNOUNCED:
        return
    agree, withdraw = _replies(game, kind, winners)
    how = _("To agree, vote on the game's page, or reply with this line:")
    back = _("You can also withdraw your vote, on the page or with this line:")
    lines = [
        _("A player has proposed {what}.").format(what=what) + f" {until}",
        f"{how}\n  {agree}",
        f"{back}\n  {withdraw}",
    ]
    letter = letters.written(table, "table", _("proposed: {what}").format(what=what), *lines, notice=notice)
    press.proclaim(table, letter, now, [seat for seat in seats if seat.power != power])


def _replies(game: Game, kind: str, winners: tuple[str, ...]) -> tuple[str, str]:
    """What to write in a mail to agree, or to take that back."""
    if kind != "end":
        return f"vote {kind}", f"withdraw {kind}"
    among = "" if winners == game.survivors else f" among {', '.join(winners)}"
    return f"vote draw{among}" if len(winners) > 1 else f"vote for {winners[0]}", "withdraw end"


def _carry(table: Table, kind: str, now: datetime) -> None:
    """Do what has been agreed, and tell everybody; the table is saved."""
    match kind:
        case "cancel":
            tables.give_up(
                table, letters.cancelled(table, gettext_lazy("The players have voted to cancel the game.")), now
            )
        case "pause":
            tables.stop_clock(table, now, "vote")
            press.proclaim(table, letters.paused(table, gettext_lazy("The players have voted to pause the game.")), now)
        case "resume":
            tables.start_clock(table, now)
            press.proclaim(table, letters.resumed(table, gettext_lazy("The players have voted to end the pause.")), now)
        case "extend":
            assert table.deadline is not None
            settings = rows.settings_of(table)
            turns.put_deadline(table, deadlines.later(settings, table.deadline + timedelta(minutes=settings.extension)))
            table.save()
            press.proclaim(table, letters.extended(table), now)
