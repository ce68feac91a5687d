"""Votes: to end the game, for more time, for a pause and its end, and to cancel the game.

A vote counts for one phase and can be withdrawn in it. The vote that completes an agreement takes effect at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.host.games import deadlines, hosting
from gamesmaster.host.games.words import said
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import ballots, notifications, store
from gamesmaster.host.tables.access import row_of, viewer_of
from gamesmaster.host.tables.ballots import QUESTIONS, TITLES
from gamesmaster.host.tables.models import Ballot, Message, Seat, Table
from gamesmaster.host.tables.requests import begun_view, lead_back, person, posted_ordinal
from gamesmaster.host.tables.view import BallotView, TableView, in_site_language, length_words, this_game_is

MOST_ANNOUNCED = 12
"""Maximum number of proposals announced per phase, so that nobody floods the others' mailboxes."""


def cast(
    table: Table | int,
    power: str,
    winners: Collection[str],
    *,
    ordinal: int,
    user: User | None,
    now: datetime | None = None,
) -> bool:
    """Vote that `winners` share the victory: all survivors for a draw, one for a concession, none to withdraw.

    Return whether this ended the game. Raise `Refused`.
    """
    if not winners:
        withdraw(table, power, "end", ordinal=ordinal, user=user, now=now)
        return False
    return _vote(table, _Vote(power, "end", winners, ordinal, user), now)


def wish(
    table: Table | int,
    power: str,
    kind: str,
    *,
    ordinal: int,
    user: User | None,
    now: datetime | None = None,
) -> bool:
    """Vote for more time (`extend`), a pause (`pause`), its end (`resume`), or to cancel the game (`cancel`).

    Return whether the vote carried. Raise `Refused`.
    """
    _check_kind(kind)
    return _vote(table, _Vote(power, kind, (), ordinal, user), now)


def _check_kind(kind: str) -> None:
    """Raise `Refused` for an unknown kind of vote; that to end the game has its own function."""
    if kind not in QUESTIONS or kind == "end":
        known = ", ".join(name for name in QUESTIONS if name != "end")
        raise Refused("bad-vote", _("There is no vote called {kind!r}."), known, kind=kind[:40])


def withdraw(
    table: Table | int, power: str, kind: str = "", *, ordinal: int, user: User | None, now: datetime | None = None
) -> tuple[str, ...]:
    """Withdraw a power's vote of this kind, by default all; return the kinds withdrawn. Raise `Refused`."""
    if kind not in ("", "end"):
        _check_kind(kind)
    with store.lock(table) as row:
        at = now or clock.now()
        store.check_turn(row, ordinal)
        store.check_quiet(row, at)
        _check_power(row, power, user)
        mine = Ballot.objects.filter(table=row, ordinal=ordinal, power=power, **({"kind": kind} if kind else {}))
        kinds = tuple(mine.order_by("kind").values_list("kind", flat=True))
        mine.delete()
    return kinds


class _Vote(NamedTuple):
    """A vote as it is given."""

    power: str
    kind: str
    winners: Collection[str]  # of a vote to end the game
    ordinal: int  # the number of the phase
    user: User | None


def _vote(table: Table | int, given: _Vote, now: datetime | None) -> bool:
    """Save a vote, announce a new proposal, and carry out one that is agreed; return whether it was."""
    power, kind, winners, ordinal, user = given
    with store.lock(table) as row:
        at = now or clock.now()
        store.check_turn(row, ordinal)
        store.check_quiet(row, at)
        _check_power(row, power, user)
        _check_askable(row, kind)
        game, seats = store.load(row), store.seats_at(row)
        shared = _check_winners(game, power, kind, winners)
        ballot, _new = Ballot.objects.update_or_create(
            table=row, ordinal=ordinal, power=power, kind=kind, defaults={"winners": list(shared), "at": at}
        )
        cast_ = Ballot.objects.filter(table=row, ordinal=ordinal, kind=kind)
        agree = {ballot.power for ballot in cast_ if tuple(ballot.winners) == shared}
        voters = ballots.voters(game, seats, store.settings_of(row).bots_agree, kind, shared)
        if not voters or len(agree & voters) < QUESTIONS[kind].quorum(len(voters)):
            _announce(row, game, seats, ballot)
            return False
        cast_.delete()
        if kind == "end":
            for voter in game.voters(shared):  # bots included
                game = _with_vote(game, voter, shared)
            deadlines.finish_game(row, game, at)
        else:
            _carry(row, kind, at)
        return True


def _check_power(table: Table, power: str, user: User | None) -> None:
    if power not in viewer_of(table, user).powers:
        raise Refused("no-seat", _("You cannot cast the vote of {power}."), power=power[:60])


def _check_askable(table: Table, kind: str) -> None:
    if table.state not in QUESTIONS[kind].states:
        raise Refused("not-running", this_game_is(table.state))
    if table.sandbox and kind != "end":
        raise Refused("no-vote", _("A sandbox has no votes."))
    if kind == "extend" and table.deadline is None:
        raise Refused("no-deadline", _("There is no deadline to move."))


def _check_winners(game: Game, power: str, kind: str, winners: Collection[str]) -> tuple[str, ...]:
    """Return the winners in the variant's order; raise `Refused` for a proposal that this power cannot make."""
    try:
        if kind != "end":
            if power not in game.survivors:
                raise Refused("bad-vote", _("{power} is out of the game."), power=power)
            if power in game.disorder:
                raise Refused(
                    "bad-vote", _("{power} is in civil disorder."), _("come back to the game first"), power=power
                )
            return ()
        one = len(winners) == 1
        shared = (game.variant.power(next(iter(winners))).name,) if one else game.sharing(winners)
        _with_vote(game, power, shared)
    except GamesmasterError as error:
        raise error if isinstance(error, Refused) else Refused("bad-vote", error.what, error.hint) from error
    return shared


def _with_vote(game: Game, power: str, winners: tuple[str, ...]) -> Game:
    if len(winners) == 1 and game.survivors != winners:
        return game.concede(power, winners[0])
    return game.vote_draw(power, among=winners)


@in_site_language
def _announce(table: Table, game: Game, seats: list[Seat], ballot: Ballot) -> None:
    """Announce a new proposal to the others, if votes are not secret, once per phase."""
    kind, winners = ballot.kind, tuple(ballot.winners)
    if table.sandbox or not ballots.is_public_ballot(game.house_rules.votes, kind):
        return
    what, proposed = ballots.ballot_title(game, kind, winners), _("Proposed:")
    until = _("Votes last until the end of {phase}.").format(phase=table.phase_code)
    notice = f"{proposed} {what}. {until}"
    before = Message.objects.filter(table=table, ordinal=table.ordinal, sender="", text__startswith=proposed)
    if before.filter(text=notice).exists() or before.count() >= MOST_ANNOUNCED:
        return
    agree, withdraw = _replies(game, kind, winners)
    notification = notifications.write(table, "proposed", what=what, agree=agree, withdraw=withdraw, notice=notice)
    correspondence.notify(table, notification, ballot.at, [seat for seat in seats if seat.power != ballot.power])


def _replies(game: Game, kind: str, winners: tuple[str, ...]) -> tuple[str, str]:
    """Return the lines that agree to a proposal by mail, and withdraw that."""
    if kind != "end":
        return f"vote {kind}", f"withdraw {kind}"
    among = "" if winners == game.survivors else f" among {', '.join(winners)}"
    return f"vote draw{among}" if len(winners) > 1 else f"vote for {winners[0]}", "withdraw end"


def _carry(table: Table, kind: str, now: datetime) -> None:
    """Carry out what was agreed, save the table, and notify everybody."""
    match kind:
        case "cancel":
            hosting.give_up(
                table,
                notifications.cancellation(table, gettext_lazy("The players have voted to cancel the game.")),
                now,
            )
        case "pause":
            deadlines.stop_clock(table, now, "vote")
            why = gettext_lazy("The players have voted to pause the game.")
            correspondence.notify(table, notifications.write(table, "paused", why=why), now)
        case "resume":
            deadlines.start_clock(table, now)
            why = gettext_lazy("The players have voted to end the pause.")
            correspondence.notify(table, notifications.write(table, "resumed", why=why), now)
        case "extend":
            assert table.deadline is not None
            settings = store.settings_of(table)
            deadlines.put_deadline(
                table, deadlines.due_on_working_day(settings, table.deadline + timedelta(minutes=settings.extension))
            )
            table.save()
            correspondence.notify(table, notifications.write(table, "extension"), now)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal as the page shows it."""

    ballot: BallotView
    final: bool  # needs an extra confirmation before agreeing
    how: str  # how many must agree, in words


@dataclass(frozen=True, slots=True)
class Panel:
    """What the page shows of votes."""

    proposals: tuple[Proposal, ...]
    power: str  # the power that the viewer can vote for; "" if not one
    now: tuple[tuple[str, str], ...]  # proposals about time: kind and words
    winners: tuple[str, ...]  # powers to whom the viewer may concede
    sharing: tuple[str, ...]  # powers that a draw may name; empty if all survivors share it
    policy: str  # who sees votes, in words
    bots: str  # whether bots agree, in words


def panel(view: TableView) -> Panel | None:
    """Return the votes as the viewer may see them; None if votes are not possible."""
    if view.sandbox or not view.begun or view.outcome or view.state not in QUESTIONS["end"].states:
        return None
    game = view.bare_game
    power = next((p for p in view.viewer.powers if p in game.survivors and p not in game.disorder), "")
    bots = any(seat.bot or seat.player == "hidden" for seat in view.seats)
    length = length_words(view.settings.extension)
    kinds = [k for k, q in QUESTIONS.items() if k != "end" and not q.final and view.state in q.states]
    return Panel(
        proposals=tuple(_proposal(ballot) for ballot in view.ballots),
        power=power,
        now=tuple((k, _words(k, length)) for k in kinds if k != "extend" or view.deadline is not None),
        winners=tuple(p for p in game.survivors if p != power or p in game.voters((p,))),
        sharing=game.survivors if game.house_rules.draw_shares == "any_group" else (),
        policy=said("votes", game.house_rules.votes),
        bots=said("bots_agree", view.settings.bots_agree) if bots else "",
    )


def _proposal(ballot: BallotView) -> Proposal:
    question = QUESTIONS[ballot.kind]
    if ballot.needed is None:
        how = _("All who are asked must agree.") if question.final else _("Two thirds of the players must agree.")
    elif ballot.count is None:
        how = ngettext("{number} player must agree.", "{number} players must agree.", ballot.needed).format(
            number=ballot.needed
        )
    else:
        how = _("{count} of {needed} agree.").format(count=ballot.count, needed=ballot.needed)
    return Proposal(ballot, question.final, how)


def _words(kind: str, length: str) -> str:
    title = str(TITLES[kind])
    return f"{title} ({length})" if kind == "extend" else title


def _back(request: HttpRequest, key: str) -> str:
    return reverse("table", args=[key]) + "#votes"


@require_POST
@lead_back(_back)
def vote(request: HttpRequest, key: str) -> HttpResponse:
    """Vote (`kind`, with `winners` for an end of the game), or withdraw the vote (`wanted=0`).

    A vote that cannot be undone once it carries needs `sure=yes`.
    """
    view = begun_view(request, key)
    post, row = request.POST, row_of(view)
    kind, wanted = post.get("kind", ""), post.get("wanted", "1") == "1"
    if kind in QUESTIONS and QUESTIONS[kind].final and wanted and post.get("sure") != "yes":
        raise Refused("not-sure", _("Your vote was not counted."), _("tick the box to confirm it"))
    ordinal, power, user = posted_ordinal(request), post.get("power", ""), person(request)
    if kind == "end":
        winners = _winners(view, post.getlist("winners")) if wanted else []
        carried = cast(row, power, winners, ordinal=ordinal, user=user)
    else:
        change = wish if wanted else withdraw
        carried = bool(change(row, power, kind, ordinal=ordinal, user=user)) and wanted
    message = (
        _("Your vote was the last one needed.")
        if carried
        else _("Your vote has been saved.")
        if wanted
        else _("Your vote has been withdrawn.")
    )
    messages.success(request, message)
    return redirect("table", key=key) if carried else redirect(_back(request, key))


def _winners(view: TableView, named: list[str]) -> list[str]:
    """Return the powers named; all survivors for `all`. Raise `Refused` if the list is empty."""
    winners = list(view.bare_game.survivors) if named == ["all"] else [name for name in named if name]
    if not winners:
        raise Refused("no-winner", _("Your vote was not counted."), _("choose the powers that share the draw"))
    return winners


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/vote", vote, name="table-vote"),
]
