"""Votes: what may be voted on, who is asked, how many must agree, and who sees what of it."""

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
    """A kind of vote: the states of a table in which it is asked, and how many of those who are asked must agree.

    `share` is that part, as numerator and denominator; what is `final` cannot be taken back once it carries.
    """

    states: tuple[str, ...]
    share: tuple[int, int] = (1, 1)
    final: bool = False

    def quorum(self, asked: int) -> int:
        """How many of so many must agree."""
        part, whole = self.share
        return -(-asked * part // whole)


QUESTIONS = {
    "end": Question((RUNNING, PAUSED), final=True),
    "extend": Question((RUNNING,), (2, 3)),
    "pause": Question((RUNNING,), (2, 3)),
    "resume": Question((PAUSED,), (2, 3)),
    "cancel": Question((RUNNING, PAUSED), final=True),
}
"""The kinds of vote.  All must agree to what is final, two thirds to the rest."""

TITLES = {
    "extend": gettext_lazy("more time"),
    "pause": gettext_lazy("a pause"),
    "resume": gettext_lazy("an end of the pause"),
    "cancel": gettext_lazy("cancelling the game"),
}


def ballot_title(game: Game, kind: str, winners: Sequence[str] = ()) -> str:
    """What is proposed, in words: `a pause`, `a draw shared by Austria and France`."""
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
    """The powers that must agree, or a part of them.

    To an end of the game those whom the house rules name; bots that agree with what all people agree on are not asked.
    To anything else the players who sit and are still in the game.
    """
    if kind == "end":
        agreeing = bot_powers(seats) if bots_agree == "with_all" else frozenset()
        return frozenset(game.voters(tuple(winners))) - agreeing
    return frozenset(
        seat.power for seat in seats
        if seat.user_id and seat.state in PLAYING and seat.power in game.survivors and seat.power
    )  # fmt: skip


def bot_powers(seats: Sequence[Seat]) -> frozenset[str]:
    """The powers that bots play."""
    return frozenset(seat.power for seat in seats if seat.bot and seat.power)


def bots_decided(game: Game, seats: Sequence[Seat]) -> bool:
    """Is the game over by an agreement that would not have come about without bots?"""
    outcome = game.outcome
    if outcome is None or outcome.termination is Termination.VICTORY:
        return False
    return bool(bot_powers(seats) & set(game.voters(outcome.winners)))


def is_public_ballot(policy: str, kind: str) -> bool:
    """Does everybody learn that something is proposed?  Nobody could agree to a pause of which nobody knows."""
    return policy != "secret" or kind != "end"


def known_ballots(
    table: Table, viewer: Viewer, game: Game, seats: Sequence[Seat], settings: TableSettings, *, hidden: bool
) -> tuple[BallotView, ...]:
    """The viewer's own votes, and of the others' what the house rules tell (CLN-H.j).

    Where names are `hidden` it is not told how many must agree: that would tell which powers are bots.
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
