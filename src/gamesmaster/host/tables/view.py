"""A table as one viewer may see it, as plain values; and common words of the site.

A view answers from what it holds, and holds nothing that its viewer may not see. Texts are in the reader's language:
`_` marks them for gettext, and `gettext_lazy` where a module is loaded before the reader is known. Texts stored for
others (e-mails, notices, the log) are in the language of the site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property, wraps
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gamesmaster.board import Position
from gamesmaster.game import (
    Game,
    Ledger,
    Outcome,
    Record,
    SeenGame,
    SentAhead,
    Status,
    ToldCorrection,
    dumps,
    history,
    ledger_of,
    report,
    told_corrections,
)
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.models import HOUSE, Message, SeatState, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.judge import Adjudication, LegalOrders
from gamesmaster.orders import PhaseKind
from gamesmaster.players import View, views
from gamesmaster.rules import Result
from gamesmaster.variant import Calendar, HouseRules, Phase, Variant

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
"""Names of the states of a game."""
SEAT_STATES: dict[str, str | Promise] = {
    SeatState.AWAY: gettext_lazy("away"),
    SeatState.STANDBY_WANTED: gettext_lazy("needs a player"),
    SeatState.DISORDER: gettext_lazy("civil disorder"),
}
"""Names of the states of a seat whose player may be missing."""


SEASONS: dict[str, str | Promise] = {
    "Spring": gettext_lazy("Spring"),
    "Summer": gettext_lazy("Summer"),
    "Autumn": gettext_lazy("Autumn"),
    "Fall": gettext_lazy("Fall"),
    "Winter": gettext_lazy("Winter"),
    "Year": gettext_lazy("Year"),
}
"""Names of the usual seasons; a variant's own seasons keep its names."""
PHASE_KINDS: dict[PhaseKind, str | Promise] = {
    PhaseKind.MOVEMENT: gettext_lazy("Movement"),
    PhaseKind.RETREATS: gettext_lazy("Retreats"),
    PhaseKind.ADJUSTMENTS: gettext_lazy("Adjustments"),
}


RESULTS: dict[Result, str | Promise] = {
    Result.SUCCEEDS: gettext_lazy("succeeds"),
    Result.HOLDS: gettext_lazy("holds"),
    Result.BOUNCES: gettext_lazy("bounces"),
    Result.CUT: gettext_lazy("cut"),
    Result.VOID: gettext_lazy("void"),
    Result.NO_CONVOY: gettext_lazy("no convoy"),
    Result.DISRUPTED: gettext_lazy("disrupted"),
    Result.FAILS: gettext_lazy("fails"),
}
"""Names of the results of orders."""


def result_name(result: Result) -> str:
    """Return the name of a result in the reader's language: `bounces`."""
    return str(RESULTS[result])


def phase_words(calendar: Calendar, phase: Phase) -> str:
    """Return the name of a phase in the reader's language: `Spring 1901 Movement`."""
    date = calendar.date(phase)
    words = _("{season} {year} {kind}").format(
        season=SEASONS.get(phase.season, phase.season), year=calendar.year(phase), kind=PHASE_KINDS[phase.kind]
    )
    return f"{words} ({date})" if date != phase.year else words


def state_words(state: str) -> str:
    """Return the name of a state of a game: `waiting for players`."""
    return str(STATES[state])


def this_game_is(state: str) -> str:
    """Return a sentence on why something is not possible now: `This game is paused`."""
    return _("This game is {state}.").format(state=state_words(state))


def join_with_and(names: Sequence[object]) -> str:
    """Return names as a list in a sentence: `Austria, France and Italy`."""
    *others, last = [str(name) for name in names] or [""]
    if not others:
        return last
    return _("{others} and {last}").format(others=", ".join(others), last=last)


def due_text(status: Status) -> str:
    """Return the orders due from a power in the reader's language, or `nothing`; those of mechanics stay in English."""
    number, due = abs(status.due), ""
    if number and status.kind is PhaseKind.MOVEMENT:
        due = ngettext("orders for {number} unit", "orders for {number} units", number)
    elif number and status.kind is PhaseKind.RETREATS:
        due = ngettext("a retreat", "{number} retreats", number)
    elif number and status.due > 0:
        due = ngettext("a build", "{number} builds", number)
    elif number:
        due = ngettext("a removal", "{number} removals", number)
    choices = ngettext("a choice", "{number} choices", status.choices).format(number=status.choices)
    own = (status.choosing or choices) if status.choices else ""
    return ", ".join(filter(None, (due.format(number=number), own))) or "nothing"


def length_words(minutes: int) -> str:
    """Return a length of time in words: `2 days`, `1 day 12 hours`."""
    words, rest = [], minutes
    if rest % WEEK == 0 and rest:  # 10 days rather than 1 week 3 days
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
    """Return the function run in the language of the site, because its text is stored for others."""

    @wraps(write)
    def wrapper(*args: Params.args, **named: Params.kwargs) -> Written:
        with site_language():
            return write(*args, **named)

    return wrapper


def site_language() -> translation.override:
    """Return a context in which texts are in the language of the site."""
    return translation.override(settings.LANGUAGE_CODE)


# -- a table as one viewer may see it, as plain values -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StandbyView:
    """A person's own offer as standby."""

    wish: str  # power wished for; "" for any
    power: str  # power whose orders are due from the standby
    lines: tuple[str, ...]  # orders sent for the current phase
    sent_at: datetime | None  # None without orders


@dataclass(frozen=True, slots=True)
class Viewer:
    """The viewer of a table.

    A standby has no `powers`: press, votes and orders belong to the player alone.
    """

    user: User | None  # None for a visitor
    powers: tuple[str, ...] = ()  # powers that the viewer orders for
    gm: bool = False  # runs the game
    owner: bool = False  # created the game
    seat: int | None = None  # primary key of the viewer's seat
    standby: StandbyView | None = None
    invitation: str = ""  # key of a guest's valid invitation

    @property
    def role(self) -> str:
        """Return `gm`, `player`, `observer` or `public`."""
        return "gm" if self.gm else "player" if self.seat or self.powers else "observer" if self.user else "public"


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer may see it."""

    power: str
    player: str  # name, or a placeholder for a hidden one
    user: int | None
    bot: str
    state: str
    centres: int
    units: int
    asked: str  # orders due from the power, in words
    sent: bool | None  # None if the viewer may not know
    ready: bool | None  # None if the viewer may not know
    own: bool
    away_until: date | None = None  # last day away, for viewers who play with this player
    statement: str = ""  # the player's statement on the finished game


@dataclass(frozen=True, slots=True)
class SheetView:
    """A power's saved orders for the current phase."""

    power: str
    lines: tuple[str, ...]
    version: int
    sent_at: datetime
    channel: str
    confirmed: bool
    hold: bool


@dataclass(frozen=True, slots=True)
class BallotView:
    """A proposal that the viewer may know of: its `title` in words, how many must agree, how many do, and who.

    `count` and `needed` are null if they are hidden, `powers` are those that agree, as far as visible.  `own`: the
    viewer agrees.
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
    struck: bool = False  # the Gamesmaster has struck it out; nobody else sees its text

    @property
    def official(self) -> bool:
        """Return whether the Gamesmaster wrote it. No power has this name."""
        return self.sender == HOUSE


OVER = (TableState.FINISHED, TableState.CANCELLED)
NO_SEED = bytes(32)


@dataclass(frozen=True)
class TableView:
    """A table as one viewer may see it. The viewer learns nothing that is not in it."""

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
    late_since: datetime | None  # the missed deadline, while the table waits for late orders
    ready_at: datetime | None  # when the phase is processed early, if the viewer may know
    paused_why: str  # as in `Table.paused_why`
    nudge_at: datetime | None  # from when the viewer may nudge those that the game waits for; None: never
    may_resume: bool  # the viewer may resume the game
    has_gm: bool
    created: datetime
    started: datetime | None
    finished: datetime | None
    seats: tuple[SeatView, ...]
    sheets: tuple[SheetView, ...]
    ballots: tuple[BallotView, ...]
    ahead: Mapping[str, SentAhead]  # orders that the viewer's powers sent ahead
    _table: int = field(repr=False)
    _game: Game | None = field(repr=False)
    _agreed: Mapping[str, object] = field(repr=False)

    @property
    def begun(self) -> bool:
        """Return whether the game has begun."""
        return self._game is not None

    @property
    def partial(self) -> bool:
        """Return whether parts of the board are hidden from the viewer."""
        return isinstance(self._game, SeenGame)

    def record_text(self) -> str:
        """Return the record of the game as a file; raise `Refused` while parts of the game are hidden."""
        if self.partial:
            raise Refused("not-over", _("The record of this game is open when the game is over."))
        return dumps(self.bare_game)

    @property
    def bare_game(self) -> Game:
        """Return the game without current orders and, until it is over, with a seed of zeros.

        It serves for previews and printing; its dice are not the game's. Raise `Refused` before the game begins.
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
        """Return the name of the variant."""
        return self.variant.name

    @property
    def phase_code(self) -> str:
        """Return the code of the current phase; "" before the game begins."""
        return self._game.phase.code if self._game else ""

    @property
    def phase_name(self) -> str:
        """Return the name of the current phase: Spring 1901 Movement."""
        return self.variant.calendar.name(self._game.phase) if self._game else ""

    @property
    def phase_words(self) -> str:
        """Return the name of the current phase in the reader's language; "" before the game begins."""
        return phase_words(self.variant.calendar, self._game.phase) if self._game else ""

    @property
    def position(self) -> Position:
        """Return the current position; the start position before the game begins."""
        return self._game.position if self._game else self.variant.start

    @property
    def records(self) -> tuple[Record, ...]:
        """Return the finished phases by ordinal."""
        return self._game.records if self._game else ()

    @property
    def outcome(self) -> Outcome | None:
        """Return the result of the game; None until it is over."""
        return self._game.outcome if self._game else None

    @property
    def house_rules(self) -> HouseRules:
        """Return the game's house rules."""
        return self._game.house_rules if self._game else HouseRules.of(self._agreed)

    @property
    def commitment(self) -> str:
        """Return the SHA-256 of the seed; "" before the game begins."""
        return self._game.dice.commitment if self._game else ""

    @property
    def seed(self) -> str:
        """Return the seed in hexadecimal; "" until the game is over."""
        return self._game.seed.hex() if self._game and self.state in OVER else ""

    @cached_property
    def legal(self) -> LegalOrders:
        """Return the legal orders in the position, independent of orders that were sent."""
        return LegalOrders(self._begun.rules, self.position)

    def power(self, power: str) -> View:
        """Return what a player of this power sees, for the room `players`; raise `Refused` for powers of others."""
        if power not in self.viewer.powers and not self.viewer.gm:
            raise Refused("no-seat", _("You do not play {power}."), power=power[:60])
        return views(self._begun)[power]

    def record(self, ordinal: int) -> Record:
        """Return a finished phase; raise `Refused` if it does not exist."""
        if not 0 <= ordinal < len(self.records):
            raise Refused("no-phase", _("There are no results for that phase."))
        return self.records[ordinal]

    def adjudication(self, ordinal: int) -> Adjudication:
        """Return the results of a finished phase, with reasons."""
        return self._begun.adjudication(self.record(ordinal))

    def ledger(self, ordinal: int | None = None) -> Ledger | None:
        """Return the ledger of the current or a finished phase; None before the game begins."""
        if self._game is None:
            return None
        if ordinal is None:
            return self._game.ledger
        record = self.record(ordinal)
        return ledger_of(self._game.variant, self._game.rules, record.phase, record.position)

    def corrections(self, ordinal: int | None = None) -> list[ToldCorrection]:
        """Return the corrections of the board of the current or a finished phase, in words."""
        stage = self._game if ordinal is None else self.record(ordinal)
        return told_corrections(self.variant, stage) if stage else []

    def report(self, ordinal: int | None = None) -> str:
        """Return the report of a finished phase, by default the last."""
        return report(self._begun, "" if ordinal is None else self.record(ordinal).phase.code)

    def history(self) -> str:
        """Return the reports of all phases."""
        return history(self._begun)

    @cached_property
    def readable(self) -> QuerySet[Message]:
        """The messages that the viewer may read."""
        rows, powers = Message.objects.filter(table=self._table), self.viewer.powers
        if self.viewer.gm:
            return rows
        keys = rows.values_list("thread", flat=True).distinct() if powers else []
        own = [key for key in keys if any(power in key.split(",") for power in powers)]
        return rows.filter(Q(thread__in=["", *own]) | Q(sender__in=powers))

    def messages(self, rows: Iterable[Message] | None = None) -> tuple[MessageView, ...]:
        """Return the messages that the viewer may read: those of `rows`, or all, oldest first."""
        return tuple(
            MessageView(
                m.pk, m.ordinal, m.shown_as, tuple(m.to), m.text if m.struck is None or self.viewer.gm else "",
                m.sent_at, m.sender in self.viewer.powers, m.struck is not None,
            )
            for m in (self.readable.order_by("pk") if rows is None else rows)
            if not m.to or self.viewer.gm or {m.sender, *m.to} & {*self.viewer.powers}
        )  # fmt: skip
