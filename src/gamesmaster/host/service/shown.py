"""What of a table's parts is shown to a viewer: seats, orders, votes, messages, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class StandbyView:
    """A person's own offer to take a power: which (`wish`, empty for any), and for which orders are asked now.

    `lines` are the orders sent for the phase being played, `sent_at` is none if there are none.
    """

    wish: str
    power: str
    lines: tuple[str, ...]
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a user or nobody, the powers that he or she orders for, and whether it is the Gamesmaster.

    A standby orders for no power: its press, votes and sheets are the player's alone.  `invitation` is the key of one
    that holds, if a guest has come with it.
    """

    user: User | None
    powers: tuple[str, ...] = ()
    gm: bool = False
    owner: bool = False
    seat: int | None = None
    standby: StandbyView | None = None
    invitation: str = ""

    @property
    def role(self) -> str:
        """`gm`, `player`, `observer` or `public`."""
        return "gm" if self.gm else "player" if self.seat or self.powers else "observer" if self.user else "public"


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer may see it.  `player` is a name, or what stands for one that is hidden.

    `asked` says in words what is asked of the power; `sent` and `ready` are None where they are not to be known.
    `away_until` is the player's last day away, for those who play with him or her, by name.
    `statement` is the player's statement about the game once it is over.
    """

    power: str
    player: str
    user: int | None
    bot: str
    state: str
    centres: int
    units: int
    asked: str
    sent: bool | None
    ready: bool | None
    own: bool
    away_until: date | None = None
    statement: str = ""


@dataclass(frozen=True, slots=True)
class SheetView:
    """The orders that a power has sent for the phase being played."""

    power: str
    lines: tuple[str, ...]
    version: int
    sent_at: datetime
    channel: str
    confirmed: bool
    hold: bool


@dataclass(frozen=True, slots=True)
class BallotView:
    """A proposal that is known: what (`title` says it in words), how many agree of how many that must, and who.

    `count` and `needed` are None where they are not to be known; `own`: the viewer agrees.
    """

    kind: str
    winners: tuple[str, ...]
    title: str
    count: int | None
    needed: int | None
    powers: tuple[str, ...]
    own: bool


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message that the viewer may read."""

    number: int
    ordinal: int
    sender: str
    to: tuple[str, ...]
    text: str
    sent_at: datetime
    own: bool
