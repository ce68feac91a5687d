"""The one door to a table for whoever looks: what a player, an observer, the Gamesmaster or the public may know.

Everything that pages, API, mail and feeds show of a table comes out of `view`; no one of them reads the rows itself.
Masked are: orders and votes of the phase being played, who has sent any, the seed while the game lasts, who plays which
power in anonymous games, and press that is not addressed to the viewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, Status
from gamesmaster.game.progress import centre_counts, unit_counts
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat, SeatState, Sheet, Standby, Table
from gamesmaster.host.models.tables import SEATED
from gamesmaster.host.service import ballots, calendars, clock, editions, rows, store, tutorial_turns
from gamesmaster.host.service.rights import STOPPED, may_resume
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

    At a sandbox everybody who has its key orders for all powers; at a private plan its maker alone; at a tutorial for
    the newcomer's power alone.  The Gamesmaster who sits at the table is a player.
    """
    person = user if isinstance(user, User) and user.is_active else None
    if table.sandbox and not rows.opens_to(table, person):
        return Viewer(person)
    if table.sandbox and tutorial_turns.first_scene(table.forked_from) is not None:
        return Viewer(person, (tutorial_turns.POWER,))
    if table.sandbox:
        powers = tuple(power.name for power in editions.of(table).powers)
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


HIDDEN = "hidden"
"""Stands for the name of a player whom the viewer may not know."""
USED_UP = gettext_lazy("This invitation has been used up or withdrawn.")
NOBODYS = TableSettings(join="invited", observers=False).model_dump(mode="json")
"""The settings of a table that there is not."""


def look(key: str, user: AbstractBaseUser | AnonymousUser | None, *, invitation: str = "") -> TableView:
    """The table with this key, as this person may see it.

    Raises `Refused` with the code `no-table` if there is none, or none for this person: both look the same.  Who comes
    with an invitation that holds no longer is told so (`used-up`), and nothing of the table.
    """
    table = Table.objects.filter(key=key).defer("record").first()  # the game may be on the shelf
    if table is None:
        table = Table(pk=0, settings=NOBODYS)  # as much is done as for a hidden one, so that no clock tells them apart
    seats = rows.seated(table)
    viewer = viewer_of(table, user, seats)
    settings = rows.settings_of(table)
    stranger = not (viewer.gm or viewer.owner or viewer.seat or viewer.standby)
    invited = table.invitations.filter(key=invitation).first() if invitation else None
    if invited is not None and invited.uses_left and stranger:
        viewer = replace(viewer, invitation=invited.key)
    elif stranger and (settings.join == "invited" or not settings.observers):
        if invited is not None:
            raise Refused("used-up", USED_UP, _("ask the person who sent it for a new link"))
        raise Refused("no-table", _("There is no such game."))
    return view(table, viewer, seats)


def view(table: Table, viewer: Viewer, seats: Sequence[Seat] | None = None) -> TableView:
    """The one place where it is decided what a viewer sees of a table."""
    settings = rows.settings_of(table)
    seats = rows.seated(table) if seats is None else seats
    game = replace(store.load(table), players=_names(table, settings, seats)) if table.phase_code else None
    sheets = {s.power: s for s in Sheet.objects.filter(table=table, ordinal=table.ordinal)}
    status = {s.power: s for s in game.status} if game else {}
    away = _away(table, settings, viewer, seats)
    final = {} if game is None or game.outcome is None else _final(game)
    return TableView(
        viewer=viewer,
        key=table.key,
        name=table.name,
        variant=game.variant if game else editions.of(table),
        settings=settings,
        state=table.state,
        sandbox=table.sandbox,
        forked_from=table.forked_from,
        ordinal=table.ordinal,
        deadline=table.deadline,
        deadline_wall=table.deadline_wall,
        late_since=table.late_since,
        ready_at=table.ready_at if settings.ready_shown or viewer.gm or viewer.seat else None,
        paused_why=table.paused_why,
        may_resume=table.state in STOPPED and may_resume(table, viewer.user),
        has_gm=table.gm_id is not None,
        created=table.created,
        started=table.started,
        finished=table.finished,
        seats=_seats_shown([_seat_view(table, settings, viewer, seat, sheets, status, final, away) for seat in seats]),
        sheets=tuple(_sheet_view(s) for p, s in sheets.items() if viewer.gm or p in viewer.powers),
        ballots=ballots.known(table, viewer, game, seats, settings, hidden=_hidden(table, settings)) if game else (),
        _table=table.pk,
        _game=game,
    )


def _names(table: Table, settings: TableSettings, seats: Sequence[Seat]) -> dict[str, str]:
    """Who plays which power, as reports and records tell everybody; nobody's name where some must not know it."""
    if table.sandbox or _hidden(table, settings):
        return {}
    named = {seat.power or "": _called(seat) for seat in seats if seat.power}
    return {power: name for power, name in named.items() if name}


def _called(seat: Seat) -> str:
    if seat.bot:
        return f"{seat.bot} (bot)"
    return seat.user.username if seat.user else ""


def _seats_shown(seats: list[SeatView]) -> tuple[SeatView, ...]:
    """The seats in the powers' order; before they are drawn the nameless last, who look all alike."""
    return tuple(sorted(seats, key=lambda seat: not seat.power and seat.player == HIDDEN))


def _seat_view(
    table: Table,
    settings: TableSettings,
    viewer: Viewer,
    seat: Seat,
    sheets: dict[str, Sheet],
    status: dict[str, Status],
    final: dict[str, tuple[int, int]],
    away: dict[int, date],
) -> SeatView:
    own = viewer.seat == seat.pk or (seat.power or "") in viewer.powers
    named = viewer.gm or own or not _hidden(table, settings)
    stands = status.get(seat.power or "")
    centres, units = final.get(seat.power or "", (0, 0))
    lamps = own or viewer.gm or settings.ready_shown
    asked = bool(stands and stands.asked)  # of others nothing is shown where nothing is owed, nor when the game is over
    sheet = sheets.get(seat.power or "") if own or viewer.gm or asked else None
    # a bot is shown like a player who is ready: one that never is would be known for a bot
    prompt = bool(seat.bot) and asked and not viewer.gm
    return SeatView(
        power=seat.power or "",
        player=(seat.user.username if seat.user else seat.bot) if named else HIDDEN,
        user=seat.user_id if named else None,
        bot=seat.bot if named else "",
        state=_state_shown(table, seat, named),
        centres=stands.centres if stands else centres,
        units=stands.units if stands else units,
        asked=stands.text if stands else "",
        sent=prompt or sheet is not None if lamps else None,
        ready=prompt or (sheet is not None and sheet.confirmed) if lamps else None,
        own=own,
        statement=seat.statement if table.state in OVER else "",
        away_until=away.get(seat.user_id) if seat.user_id else None,
    )


def _final(game: Game) -> dict[str, tuple[int, int]]:
    """The centres and units of each power at the end of a game, of which nobody is asked for anything any more."""
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    return {power: (centres[power], units.get(power, 0)) for power in centres}


def _away(table: Table, settings: TableSettings, viewer: Viewer, seats: Sequence[Seat]) -> dict[int, date]:
    """The last days away of the players, for those who play with them; of the nameless nobody is told anything."""
    known = viewer.gm or (viewer.seat is not None and not _hidden(table, settings))
    if not known or table.sandbox or table.state in OVER:
        return {}
    return calendars.away(seats, clock.now())


def _state_shown(table: Table, seat: Seat, named: bool) -> str:
    """Being away comes out of a person's calendar, and is not told of the nameless; a game over wants no player."""
    if table.state in OVER and seat.state in rows.WANTED:
        return SeatState.SITTING
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
