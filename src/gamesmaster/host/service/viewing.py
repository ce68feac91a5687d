"""The one door to a table for whoever looks: what a player, an observer, the Gamesmaster or the public may know.

Everything that pages, API, mail and feeds show of a table comes out of `view`; no one of them reads the rows itself.
Masked are: orders and votes of the phase being played, who has sent any, the seed while the game lasts, who plays which
power in anonymous games, and press that is not addressed to the viewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from gamesmaster.game import Game, Status, find_variant
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, Seat, SeatState, Sheet, Standby, Table
from gamesmaster.host.models.tables import SEATED
from gamesmaster.host.service import rows, store
from gamesmaster.host.service.shown import BallotView as BallotView
from gamesmaster.host.service.shown import MessageView as MessageView
from gamesmaster.host.service.shown import SeatView as SeatView
from gamesmaster.host.service.shown import SheetView as SheetView
from gamesmaster.host.service.shown import StandbyView as StandbyView
from gamesmaster.host.service.shown import Viewer as Viewer
from gamesmaster.host.service.table_view import NO_SEED as NO_SEED
from gamesmaster.host.service.table_view import OVER as OVER
from gamesmaster.host.service.table_view import TableView as TableView
from gamesmaster.host.table_settings import TableSettings


def row_of(view: TableView) -> Table:
    """The row of a table that was looked at, to hand to a service; its record is read only if somebody asks for it."""
    return Table.objects.defer("record").get(key=view.key)


def viewer_of(
    table: Table, user: AbstractBaseUser | AnonymousUser | None, seats: Sequence[Seat] | None = None
) -> Viewer:
    """Who this person is at this table, now; `seats` are those that are taken, if one has them at hand.

    At a sandbox everybody who has its key orders for all powers.  The Gamesmaster who sits at the table is a player.
    """
    person = user if isinstance(user, User) and user.is_active else None
    if table.sandbox:
        powers = tuple(power.name for power in find_variant(table.variant).powers)
        return Viewer(person, powers, gm=True, owner=True)
    if person is None:
        return Viewer(None)
    taken = table.seats.filter(user=person, state__in=SEATED) if seats is None else seats
    seat = next((one for one in taken if one.user_id == person.pk), None)
    powers = (seat.power,) if seat is not None and seat.power else ()
    runs = table.gm_id == person.pk and seat is None
    offer = _offer(table, person) if seat is None else None
    number = seat.pk if seat else None
    return Viewer(person, powers, gm=runs, owner=table.owner_id == person.pk, seat=number, standby=offer)


def _offer(table: Table, person: User) -> StandbyView | None:
    """What this person offers as a standby, and has sent."""
    found = Standby.objects.filter(table=table.pk, user=person).first()
    if found is None:
        return None
    now = found.sent_at is not None and found.ordinal == table.ordinal
    return StandbyView(found.wish, found.power, tuple(found.lines) if now else (), found.sent_at if now else None)


NOBODYS = TableSettings(join="invited", observers=False).model_dump(mode="json")
"""The settings of a table that there is not."""


def look(key: str, user: AbstractBaseUser | AnonymousUser | None, *, invitation: str = "") -> TableView:
    """The table with this key, as this person may see it.

    Raises `Refused` with the code `no-table` if there is none, or none for this person: both look the same.
    """
    table = Table.objects.filter(key=key).defer("record").first()  # the game may be on the shelf
    if table is None:
        table = Table(pk=0, settings=NOBODYS)  # as much is done as for a hidden one, so that no clock tells them apart
    seats = rows.seated(table)
    viewer = viewer_of(table, user, seats)
    settings = rows.settings_of(table)
    stranger = not (viewer.gm or viewer.owner or viewer.seat or viewer.standby)
    invited = bool(invitation) and table.invitations.filter(key=invitation, uses_left__gt=0).exists()
    if stranger and not invited and (settings.join == "invited" or not settings.observers):
        raise Refused("no-table", "There is no such table.")
    return view(table, viewer, seats)


def view(table: Table, viewer: Viewer, seats: Sequence[Seat] | None = None) -> TableView:
    """The one place where it is decided what a viewer sees of a table."""
    game, settings = store.load(table) if table.phase_code else None, rows.settings_of(table)
    seats = rows.seated(table) if seats is None else seats
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
