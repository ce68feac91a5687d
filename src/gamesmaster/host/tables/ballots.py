"""Votes: what can be voted on, who votes, how many must agree, and who sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, Termination
from gamesmaster.host.tables.models import Ballot, Seat, SeatState, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import BallotView, Viewer

RUNNING, PAUSED = TableState.RUNNING, TableState.PAUSED
PLAYING = (SeatState.SITTING, SeatState.AWAY)


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of vote."""

    states: tuple[str, ...]  # states of a table in which it is possible
    share: tuple[int, int] = (1, 1)  # the part of the voters that must agree: numerator, denominator
    final: bool = False  # cannot be undone once it carries

    def quorum(self, asked: int) -> int:
        """Return how many of `asked` voters must agree."""
        part, whole = self.share
        return -(-asked * part // whole)


QUESTIONS = {
    "end": Question((RUNNING, PAUSED), final=True),
    "extend": Question((RUNNING,), (2, 3)),
    "pause": Question((RUNNING,), (2, 3)),
    "resume": Question((PAUSED,), (2, 3)),
    "cancel": Question((RUNNING, PAUSED), final=True),
}
"""The kinds of vote. Final ones need all voters, the others two thirds."""

TITLES = {
    "extend": gettext_lazy("more time"),
    "pause": gettext_lazy("a pause"),
    "resume": gettext_lazy("an end of the pause"),
    "cancel": gettext_lazy("cancelling the game"),
}


def ballot_title(game: Game, kind: str, winners: Sequence[str] = ()) -> str:
    """Return a proposal in words: `a pause`, `a draw shared by Austria and France`."""
    if kind in TITLES:
        return str(TITLES[kind])
    if tuple(winners) == game.survivors:
        return _("a draw shared by all survivors")
    *others, last = winners or ("nobody",)
    return (
        _("a draw shared by {others} and {last}").format(others=", ".join(others), last=last)
        if others
        else _("a win for {last}").format(last=last)
    )


def voters(
    game: Game, seats: Sequence[Seat], bots_agree: str, kind: str, winners: Sequence[str] = ()
) -> frozenset[str]:
    """Return the powers that vote on a proposal.

    On an end of the game, these are the powers that the house rules name, without bots that agree with all people. On
    anything else, they are the surviving powers with a present player.
    """
    if kind == "end":
        agreeing = bot_powers(seats) if bots_agree == "with_all" else frozenset()
        return frozenset(game.voters(tuple(winners))) - agreeing
    return frozenset(
        seat.power for seat in seats
        if seat.user_id and seat.state in PLAYING and seat.power in game.survivors and seat.power
    )  # fmt: skip


def bot_powers(seats: Sequence[Seat]) -> frozenset[str]:
    """Return the powers that bots play."""
    return frozenset(seat.power for seat in seats if seat.bot and seat.power)


def bots_decided(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether the game ended by an agreement that needed bots."""
    outcome = game.outcome
    if outcome is None or outcome.termination is Termination.VICTORY:
        return False
    if outcome.phase != game.phase.code:  # a draw by rule
        return False
    return bool(bot_powers(seats) & set(game.voters(outcome.winners)))


def is_public_ballot(policy: str, kind: str) -> bool:
    """Return whether everybody learns of a proposal. Only votes to end the game can be secret."""
    return policy != "secret" or kind != "end"


def known_ballots(
    table: Table, viewer: Viewer, game: Game, seats: Sequence[Seat], settings: TableSettings, *, hidden: bool
) -> tuple[BallotView, ...]:
    """Return the viewer's votes, and those of others that the house rules reveal (CLN-H.j).

    With `hidden` names the number that must agree is not shown: it would reveal which powers are bots.
    """
    policy = game.house_rules.votes
    cast: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for ballot in Ballot.objects.filter(table=table, ordinal=table.ordinal).order_by("power"):
        cast.setdefault((ballot.kind, tuple(ballot.winners)), []).append(ballot.power)
    views = []
    for (kind, winners), powers in cast.items():
        own = tuple(power for power in powers if viewer.gm or power in viewer.powers)
        if not own and not is_public_ballot(policy, kind):
            continue
        many = len(voters(game, seats, settings.bots_agree, kind, winners))
        views.append(
            BallotView(
                kind=kind,
                winners=winners,
                title=ballot_title(game, kind, winners),
                count=len(powers) if policy != "secret" or viewer.gm else None,
                needed=None if hidden and not viewer.gm else QUESTIONS[kind].quorum(many),
                powers=tuple(powers) if policy == "open" else own,
                own=any(power in viewer.powers for power in powers),
            )
        )
    return tuple(views)
