"""A table as one viewer may see it, as plain values: seats, orders, votes, messages, phases; and words of the site.

What is asked of a view is answered from what it holds, and it holds nothing else.  States, lists of names and lengths
of time are put in the language of whoever reads them.  What people read goes through gettext; `_` marks it, and
`gettext_lazy` does where a module is read before its reader is known.  What is kept for others (e-mails, notices, the
log) is written in the language of the site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property, wraps
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gamesmaster.board import Position
from gamesmaster.game import Game, Ledger, Outcome, Record, SentAhead, history, ledger_of, report
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.models import Message, SeatState, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.judge import Adjudication, LegalOrders
from gamesmaster.players import View, views
from gamesmaster.variant import HouseRules, Variant

Params = ParamSpec("Params")
Written = TypeVar("Written")

STATES: dict[str, str | Promise] = {
    TableState.FORMING: gettext_lazy("waiting for players"),
    TableState.RUNNING: gettext_lazy("running"),
    TableState.PAUSED: gettext_lazy("paused"),
    TableState.FINISHED: gettext_lazy("finished"),
    TableState.CANCELLED: gettext_lazy("cancelled"),
    TableState.QUARANTINED: gettext_lazy("stopped by a fault"),
}
"""What people call the states of a game."""
SEAT_STATES: dict[str, str | Promise] = {
    SeatState.AWAY: gettext_lazy("away"),
    SeatState.STANDBY_WANTED: gettext_lazy("needs a player"),
    SeatState.DISORDER: gettext_lazy("civil disorder"),
}
"""What people call the states of a seat whose player may be missing."""


def state_words(state: str) -> str:
    """What people call a state of a game: `waiting for players`."""
    return str(STATES[state])


def this_game_is(state: str) -> str:
    """Why something cannot be done now, as a sentence: `This game is paused`."""
    return _("This game is {state}.").format(state=state_words(state))


def join_with_and(names: Sequence[object]) -> str:
    """Names as they stand in a sentence: `Austria, France and Italy`."""
    *others, last = [str(name) for name in names] or [""]
    if not others:
        return last
    return _("{others} and {last}").format(others=", ".join(others), last=last)


def length_words(minutes: int) -> str:
    """A length of time: `2 days`, `1 day 12 hours`."""
    words, rest = [], minutes
    if rest % WEEK == 0 and rest:  # 10 days, not 1 week 3 days
        return ngettext("{number} week", "{number} weeks", rest // WEEK).format(number=rest // WEEK)
    if days := rest // DAY:
        words.append(ngettext("{number} day", "{number} days", days).format(number=days))
    if hours := rest % DAY // HOUR:
        words.append(ngettext("{number} hour", "{number} hours", hours).format(number=hours))
    if left := rest % HOUR:
        words.append(ngettext("{number} minute", "{number} minutes", left).format(number=left))
    return " ".join(words) or _("0 minutes")


HOUR, DAY, WEEK = 60, 24 * 60, 7 * 24 * 60


def in_site_language(write: Callable[Params, Written]) -> Callable[Params, Written]:
    """Write something that is kept for others in the language of the site, whoever has brought it about."""

    @wraps(write)
    def wrapper(*args: Params.args, **named: Params.kwargs) -> Written:
        with site_language():
            return write(*args, **named)

    return wrapper


def site_language() -> translation.override:
    """A context in which everything is written in the language of the site, whoever asks."""
    return translation.override(settings.LANGUAGE_CODE)


# -- a table as one viewer may see it, as plain values -----------------------------------------------------------------


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


OVER = (TableState.FINISHED, TableState.CANCELLED)
NO_SEED = bytes(32)


@dataclass(frozen=True)
class TableView:
    """A table as one viewer may see it; what is not in it, the viewer does not learn.

    `ready_at` is when the phase is processed early, for those at the table and where all may know who is ready;
    `late_since` is the deadline that was missed, while the table waits for late orders until `deadline`; `paused_why`
    says who has paused the table (`Table.paused_why`), and `may_resume` that the viewer may let it go on.  `ahead` is
    what powers of the viewer's sent ahead.
    """

    viewer: Viewer
    key: str
    name: str
    variant: Variant
    settings: TableSettings
    state: str
    sandbox: bool
    forked_from: str
    ordinal: int
    deadline: datetime | None
    deadline_wall: str
    late_since: datetime | None
    ready_at: datetime | None
    paused_why: str
    may_resume: bool
    has_gm: bool
    created: datetime
    started: datetime | None
    finished: datetime | None
    seats: tuple[SeatView, ...]
    sheets: tuple[SheetView, ...]
    ballots: tuple[BallotView, ...]
    ahead: Mapping[str, SentAhead]
    _table: int = field(repr=False)
    _game: Game | None = field(repr=False)
    _agreed: Mapping[str, object] = field(repr=False)

    @property
    def begun(self) -> bool:
        """Has the game begun?"""
        return self._game is not None

    @property
    def bare_game(self) -> Game:
        """The game without what has been sent for this phase and, until it is over, with a seed of nothing but zeros.

        To look ahead in, and to print from; its dice are not the game's.  Raises `Refused` before the game begins.
        """
        game = self._begun
        return game if game.outcome else replace(game, seed=NO_SEED)

    @property
    def _begun(self) -> Game:
        if self._game is None:
            raise Refused("not-started", _("The game has not begun."))
        return self._game

    @property
    def variant_name(self) -> str:
        """The name of the variant."""
        return self.variant.name

    @property
    def phase_code(self) -> str:
        """The code of the phase being played, empty before the first."""
        return self._game.phase.code if self._game else ""

    @property
    def phase_name(self) -> str:
        """Its name: Spring 1901 Movement."""
        return self.variant.calendar.name(self._game.phase) if self._game else ""

    @property
    def position(self) -> Position:
        """Where everything stands; the start, before the game begins."""
        return self._game.position if self._game else self.variant.start

    @property
    def records(self) -> tuple[Record, ...]:
        """The phases that are over, by their ordinals."""
        return self._game.records if self._game else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return self._game.outcome if self._game else None

    @property
    def house_rules(self) -> HouseRules:
        """The game's house rules."""
        return self._game.house_rules if self._game else HouseRules.of(self._agreed)

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, empty before the game begins."""
        return self._game.dice.commitment if self._game else ""

    @property
    def seed(self) -> str:
        """The seed in hexadecimal, empty until the game is over."""
        return self._game.seed.hex() if self._game and self.state in OVER else ""

    @cached_property
    def legal(self) -> LegalOrders:
        """The lawful orders in the position: by possibility, not by what anybody has sent."""
        return LegalOrders(self._begun.rules, self.position)

    def power(self, power: str) -> View:
        """What the room `players` lets a power see; raises `Refused` for a power that is not the viewer's."""
        if power not in self.viewer.powers and not self.viewer.gm:
            raise Refused("no-seat", _("You do not play {power}.").format(power=power[:60]))
        return views(self._begun)[power]

    def record(self, ordinal: int) -> Record:
        """A phase that is over; raises `Refused` if there is none of this number."""
        if not 0 <= ordinal < len(self.records):
            raise Refused("no-phase", _("There are no results for that phase."))
        return self.records[ordinal]

    def adjudication(self, ordinal: int) -> Adjudication:
        """What became of the orders of a phase that is over, and why."""
        return self._begun.adjudication(self.record(ordinal))

    def ledger(self, ordinal: int | None = None) -> Ledger | None:
        """What is published beside the map of the phase being played, or of one that is over; None before the game."""
        if self._game is None:
            return None
        if ordinal is None:
            return self._game.ledger
        record = self.record(ordinal)
        return ledger_of(self._game.variant, self._game.rules, record.phase, record.position)

    def report(self, ordinal: int | None = None) -> str:
        """The report of a phase that is over, of the last if none is named."""
        return report(self._begun, "" if ordinal is None else self.record(ordinal).phase.code)

    def history(self) -> str:
        """The reports of all phases."""
        return history(self._begun)

    def messages(self, after: int = 0) -> tuple[MessageView, ...]:
        """The press that the viewer may read, oldest first, from the one after this number."""
        return _messages(self, after)


def _messages(view: TableView, after: int) -> tuple[MessageView, ...]:
    viewer = view.viewer
    found = []
    for m in Message.objects.filter(table=view._table, pk__gt=after).order_by("pk"):
        own = bool(m.sender) and m.sender in viewer.powers
        if not m.to or own or viewer.gm or any(power in viewer.powers for power in m.to):
            found.append(MessageView(m.pk, m.ordinal, m.shown_as, tuple(m.to), m.text, m.sent_at, own))
    return tuple(found)
