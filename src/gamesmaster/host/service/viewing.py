"""The one door to a table for whoever looks: what a player, an observer, the Gamesmaster or the public may know.

Everything that pages, API, mail and feeds show of a table comes out of `view`; no one of them reads the rows itself.
Masked are: orders and votes of the phase being played, who has sent any, the seed while the game lasts, who plays which
power in anonymous games, and press that is not addressed to the viewer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from gamesmaster.board import Position
from gamesmaster.game import Game, HouseRules, Outcome, Record, Status, Variant, find_variant, history, report
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, Message, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.models.tables import SEATED
from gamesmaster.host.service import rows, store
from gamesmaster.host.table_settings import TableSettings
from gamesmaster.judge import Adjudication, LegalOrders
from gamesmaster.players.view import View, views

OVER = (TableState.FINISHED, TableState.CANCELLED)
NO_SEED = bytes(32)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a user or nobody, the powers that he or she orders for, and whether it is the Gamesmaster."""

    user: User | None
    powers: tuple[str, ...] = ()
    gm: bool = False
    owner: bool = False
    seat: int | None = None

    @property
    def role(self) -> str:
        """`gm`, `player`, `observer` or `public`."""
        return "gm" if self.gm else "player" if self.seat or self.powers else "observer" if self.user else "public"


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as the viewer may see it.  `player` is a name, or what stands for one that is hidden.

    `asked` says in words what is asked of the power; `sent` and `ready` are None where they are not to be known.
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
    """Votes that are known: for what, of how many, and of whom if that is open."""

    kind: str
    winners: tuple[str, ...]
    count: int
    powers: tuple[str, ...]


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


@dataclass(frozen=True)
class TableView:
    """A table as one viewer may see it; what is not in it, the viewer does not learn.

    `ready_at` is when the phase is processed early, None as well where that would tell that all are ready.
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
    ready_at: datetime | None
    created: datetime
    started: datetime | None
    finished: datetime | None
    seats: tuple[SeatView, ...]
    sheets: tuple[SheetView, ...]
    ballots: tuple[BallotView, ...]
    _table: int = field(repr=False)
    _game: Game | None = field(repr=False)

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
            raise Refused("not-started", "The game has not begun.")
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
        return self._begun.house_rules

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
            raise Refused("no-seat", f"You do not play {power[:60]}.")
        return views(self._begun)[power]

    def record(self, ordinal: int) -> Record:
        """A phase that is over; raises `Refused` if there is none of this number."""
        if not 0 <= ordinal < len(self.records):
            raise Refused("no-phase", "No such phase is over.")
        return self.records[ordinal]

    def adjudication(self, ordinal: int) -> Adjudication:
        """What became of the orders of a phase that is over, and why."""
        return self._begun.adjudication(self.record(ordinal))

    def report(self, ordinal: int | None = None) -> str:
        """The report of a phase that is over, of the last if none is named."""
        return report(self._begun, "" if ordinal is None else self.record(ordinal).phase.code)

    def history(self) -> str:
        """The reports of all phases."""
        return history(self._begun)

    def messages(self, after: int = 0) -> tuple[MessageView, ...]:
        """The press that the viewer may read, oldest first, from the one after this number."""
        return _messages(self, after)


def viewer_of(table: Table, user: AbstractBaseUser | AnonymousUser | None) -> Viewer:
    """Who this person is at this table, now.

    At a sandbox everybody who has its key orders for all powers.  The Gamesmaster who sits at the table is a player.
    """
    person = user if isinstance(user, User) and user.is_active else None
    if table.sandbox:
        powers = tuple(power.name for power in find_variant(table.variant).powers)
        return Viewer(person, powers, gm=True, owner=True)
    if person is None:
        return Viewer(None)
    seat = table.seats.filter(user=person, state__in=SEATED).first()
    powers = (seat.power,) if seat is not None and seat.power else ()
    runs = table.gm_id == person.pk and seat is None
    return Viewer(person, powers, gm=runs, owner=table.owner_id == person.pk, seat=seat.pk if seat else None)


def look(key: str, user: AbstractBaseUser | AnonymousUser | None, *, invitation: str = "") -> TableView:
    """The table with this key, as this person may see it.

    Raises `Refused` with the code `no-table` if there is none, or none for this person: both look the same.
    """
    table = Table.objects.filter(key=key).select_related("owner", "gm").first()
    if table is None:
        raise Refused("no-table", "There is no such table.")
    viewer = viewer_of(table, user)
    settings = rows.settings_of(table)
    stranger = not (viewer.gm or viewer.owner or viewer.seat)
    invited = bool(invitation) and table.invitations.filter(key=invitation, uses_left__gt=0).exists()
    if stranger and not invited and (settings.join == "invited" or not settings.observers):
        raise Refused("no-table", "There is no such table.")
    return view(table, viewer)


def view(table: Table, viewer: Viewer) -> TableView:
    """The one place where it is decided what a viewer sees of a table."""
    settings, game = rows.settings_of(table), store.load(table) if table.record else None
    seats = rows.seated(table)
    sheets = {s.power: s for s in Sheet.objects.filter(table=table, ordinal=table.ordinal)}
    status = {s.power: s for s in game.status} if game else {}
    return TableView(
        viewer=viewer,
        key=table.key,
        name=table.name,
        variant=game.variant if game else find_variant(table.variant),
        settings=settings,
        state=table.state,
        sandbox=table.sandbox,
        forked_from=table.forked_from,
        ordinal=table.ordinal,
        deadline=table.deadline,
        deadline_wall=table.deadline_wall,
        ready_at=table.ready_at if settings.ready_shown or viewer.gm else None,
        created=table.created,
        started=table.started,
        finished=table.finished,
        seats=tuple(_seat_view(table, settings, viewer, seat, sheets, status) for seat in seats),
        sheets=tuple(_sheet_view(s) for p, s in sheets.items() if viewer.gm or p in viewer.powers),
        ballots=_ballots(table, viewer, game) if game else (),
        _table=table.pk,
        _game=game,
    )


def _seat_view(
    table: Table,
    settings: TableSettings,
    viewer: Viewer,
    seat: Seat,
    sheets: dict[str, Sheet],
    status: dict[str, Status],
) -> SeatView:
    own = viewer.seat == seat.pk or (seat.power or "") in viewer.powers
    named = viewer.gm or own or not _hidden(table, settings)
    stands = status.get(seat.power or "")
    lamps = own or viewer.gm or settings.ready_shown
    sheet = sheets.get(seat.power or "")
    return SeatView(
        power=seat.power or "",
        player=(seat.user.username if seat.user else seat.bot) if named else "hidden",
        user=seat.user_id if named else None,
        bot=seat.bot if named else "",
        state=_state_shown(seat, named),
        centres=stands.centres if stands else 0,
        units=stands.units if stands else 0,
        asked=stands.text if stands else "",
        sent=sheet is not None if lamps else None,
        ready=sheet is not None and sheet.confirmed if lamps else None,
        own=own,
    )


def _state_shown(seat: Seat, named: bool) -> str:
    """Being away comes out of a person's calendar, and is not told of the nameless."""
    return SeatState.SITTING if seat.state == SeatState.AWAY and not named else seat.state


def _hidden(table: Table, settings: TableSettings) -> bool:
    if settings.anonymity == "until_end":
        return table.state not in OVER
    return settings.anonymity == "always"


def _sheet_view(sheet: Sheet) -> SheetView:
    lines = tuple(sheet.lines)
    return SheetView(
        sheet.power, lines, sheet.version, sheet.sent_at, sheet.channel, sheet.confirmed, sheet.hold
    )  # fmt: skip


def _ballots(table: Table, viewer: Viewer, game: Game) -> tuple[BallotView, ...]:
    """The viewer's own votes, and of the others' what the house rules tell (CLN-H.j)."""
    policy = game.house_rules.votes
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for ballot in Ballot.objects.filter(table=table, ordinal=table.ordinal).order_by("power"):
        found.setdefault((ballot.kind, tuple(ballot.winners)), []).append(ballot.power)
    told = []
    for (kind, winners), powers in found.items():
        own = tuple(p for p in powers if viewer.gm or p in viewer.powers)
        shown = tuple(powers) if policy == "open" else own
        count = len(powers) if policy != "secret" else len(own)
        if count:
            told.append(BallotView(kind, winners, count, shown))
    return tuple(told)


def _messages(view: TableView, after: int) -> tuple[MessageView, ...]:
    viewer = view.viewer
    found = []
    for m in Message.objects.filter(table=view._table, pk__gt=after).order_by("pk"):
        own = bool(m.sender) and m.sender in viewer.powers
        if not m.to or own or viewer.gm or any(power in viewer.powers for power in m.to):
            found.append(MessageView(m.pk, m.ordinal, m.shown_as, tuple(m.to), m.text, m.sent_at, own))
    return tuple(found)
