"""Permissions at a table, and what each viewer sees of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, SeenGame, Status, centre_counts, seen_by, unit_counts
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import ballots, editions, store
from gamesmaster.host.tables.models import SEATED, Seat, SeatState, Sheet, Standby, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import OVER, SeatView, SheetView, StandbyView, TableView, Viewer, due_text

STOPPED = (TableState.PAUSED, TableState.QUARANTINED)
"""States in which the clock stands still until somebody resumes the game."""


def must_run(table: Table, user: User | None) -> None:
    """Raise `Refused` for all but the Gamesmaster, helpers, admins who do not play, and users of the sandbox."""
    if store.opens_to(table, user) or store.is_gm(table, user):
        return
    plays = user is not None and table.seats.filter(user=user, state__in=SEATED).exists()
    if user is None or not user.is_superuser or plays:
        raise Refused("not-gm", _("Only the Gamesmaster can do that."))


def may_resume(table: Table, user: User | None) -> bool:
    """Return whether this person may resume a game that is paused or stopped.

    People who run the game may. Without a Gamesmaster, its owner may end a pause as well.
    """
    owns = user is not None and table.gm_id is None and table.owner_id == user.pk
    if owns and table.state == TableState.PAUSED:
        return True
    try:
        must_run(table, user)
    except Refused:
        return False
    return True


def must_host(table: Table, user: User | None) -> None:
    """Raise `Refused` unless this person owns the table or runs it."""
    if user is not None and table.owner_id == user.pk:
        return
    must_run(table, user)


def row_of(view: TableView) -> Table:
    """Return the row of a table to pass to a service; its record is loaded on demand."""
    return Table.objects.defer("record").get(key=view.key)


def viewer_of(
    table: Table, user: AbstractBaseUser | AnonymousUser | None, seats: Sequence[Seat] | None = None
) -> Viewer:
    """Return this person's role at the table now; `seats` are the taken seats, if already loaded.

    In a sandbox, anybody with its key orders for all powers; in a private plan, only its owner; in the tutorial, only
    for the newcomer's power. A Gamesmaster with a seat counts as a player.
    """
    person = user if isinstance(user, User) and user.is_active else None
    if table.sandbox and not store.opens_to(table, person):
        return Viewer(person)
    if table.sandbox and first_scene(table.forked_from) is not None:
        return Viewer(person, (POWER,))
    if table.sandbox:
        powers = tuple(power.name for power in editions.variant_of(table).powers)
        return Viewer(person, powers, gm=True, owner=True)
    if person is None:
        return Viewer(None)
    taken = table.seats.filter(user=person, state__in=SEATED) if seats is None else seats
    seat = next((one for one in taken if one.user_id == person.pk), None)
    powers = (seat.power,) if seat is not None and seat.power else ()
    runs = seat is None and store.is_gm(table, person)
    offer = _offer(table, person) if seat is None else None
    number = seat.pk if seat else None
    return Viewer(person, powers, gm=runs, owner=table.owner_id == person.pk, seat=number, standby=offer)


def _offer(table: Table, person: User) -> StandbyView | None:
    """Return this person's offer as standby, with the orders sent for the current phase."""
    row = Standby.objects.filter(table=table.pk, user=person).first()
    if row is None:
        return None
    now = row.sent_at is not None and row.ordinal == table.ordinal
    return StandbyView(row.wish, row.power, tuple(row.lines) if now else (), row.sent_at if now else None)


HIDDEN = "hidden"
"""Stands for the name of a player whom the viewer may not know."""
USED_UP = gettext_lazy("This invitation has been used up or withdrawn.")
NOBODYS = TableSettings(join="invited", observers=False).model_dump(mode="json")
"""Settings that stand for a table that does not exist."""


def look(key: str, user: AbstractBaseUser | AnonymousUser | None, *, invitation: str = "") -> TableView:
    """Return the table with this key as this person may see it.

    Raise `Refused` with the code `no-table` if it does not exist or is hidden from this person, without a difference
    between the two. A used invitation raises `used-up` instead and reveals nothing about the table.
    """
    table = Table.objects.filter(key=key).defer("record").first()  # the game may be in the cache
    if table is None:
        table = Table(pk=0, settings=NOBODYS)  # do the same work as for a hidden table, against timing attacks
    seats = store.seats_at(table)
    viewer = viewer_of(table, user, seats)
    settings = store.settings_of(table)
    stranger = not (viewer.gm or viewer.owner or viewer.seat or viewer.standby)
    invited = table.invitations.filter(key=invitation).first() if invitation else None
    if invited is not None and invited.uses_left and stranger:
        viewer = replace(viewer, invitation=invited.key)
    elif stranger and (settings.join == "invited" or not settings.observers):
        if invited is not None:
            raise Refused("used-up", USED_UP, _("ask the person who sent it for a new link"))
        raise Refused("no-table", _("There is no such game."))
    return view(table, viewer, seats)


NUDGE_EVERY = timedelta(days=1)


def next_nudge(table: Table) -> datetime | None:
    """Return from when the players that a table waits for may be nudged; None with a deadline."""
    if table.state != TableState.RUNNING or table.sandbox or table.deadline is not None or table.phase_began is None:
        return None
    return max(table.phase_began, table.nudged_at or table.phase_began) + NUDGE_EVERY


def view(table: Table, viewer: Viewer, seats: Sequence[Seat] | None = None) -> TableView:
    """Return what a viewer sees of a table. This is the only place that decides it."""
    settings = store.settings_of(table)
    seats = store.seats_at(table) if seats is None else seats
    game = replace(store.load(table), players=_names(table, settings, seats)) if table.phase_code else None
    if game is not None and not viewer.gm and table.state not in OVER:
        game = seen_by(game, viewer.powers or ((viewer.standby.power,) if viewer.standby else ()))
    sheets = {s.power: s for s in Sheet.objects.filter(table=table, ordinal=table.ordinal)}
    status = {s.power: s for s in game.status} if game else {}
    away = _away(table, settings, viewer, seats)
    hides = isinstance(game, SeenGame)
    final = _final(game) if game is not None and (game.outcome or hides) else {}
    background = _Background(table, settings, viewer, sheets, status, final, away, hides)
    return TableView(
        viewer=viewer,
        key=table.key,
        name=table.name,
        variant=game.variant if game else editions.variant_of(table),
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
        nudge_at=next_nudge(table) if viewer.gm or viewer.owner or viewer.powers else None,
        may_resume=table.state in STOPPED and may_resume(table, viewer.user),
        has_gm=table.gm_id is not None,
        created=table.created,
        started=table.started,
        finished=table.finished,
        # seats with neither name nor power look alike, and come last
        seats=tuple(
            sorted((_seat_view(s, background) for s in seats), key=lambda s: not s.power and s.player == HIDDEN)
        ),
        sheets=tuple(_sheet_view(s) for p, s in sheets.items() if viewer.gm or p in viewer.powers),
        ahead={p: a for p, a in store.ahead_at(table, sheets.values()).items() if viewer.gm or p in viewer.powers},
        ballots=ballots.known_ballots(table, viewer, game, seats, settings, hidden=_hides_players(table, settings))
        if game
        else (),
        _table=table.pk,
        _game=game,
        _agreed=table.house_rules,
    )


def _names(table: Table, settings: TableSettings, seats: Sequence[Seat]) -> dict[str, str]:
    """Return players' names by power, as reports and records show them; empty if some viewers must not know them."""
    if table.sandbox or _hides_players(table, settings):
        return {}
    named = {seat.power or "": _player_name(seat) for seat in seats if seat.power}
    return {power: name for power, name in named.items() if name}


def _player_name(seat: Seat) -> str:
    if seat.bot:
        return f"{seat.bot} (bot)"
    return seat.user.username if seat.user else ""


@dataclass(frozen=True, slots=True)
class _Background:
    """What the view of a seat is made of, beside the seat."""

    table: Table
    settings: TableSettings
    viewer: Viewer
    sheets: dict[str, Sheet]  # by power
    status: dict[str, Status]  # by power
    final: dict[str, tuple[int, int]]  # centres and units by power, at the end or as far as they are in sight
    away: dict[int, date]  # last days away, by user
    hides: bool  # whether the viewer may not know what is due from others


def _seat_view(seat: Seat, at: _Background) -> SeatView:
    table, settings, viewer = at.table, at.settings, at.viewer
    own = viewer.seat == seat.pk or (seat.power or "") in viewer.powers
    named = viewer.gm or own or not _hides_players(table, settings)
    stands = at.status.get(seat.power or "")
    centres, units = at.final.get(seat.power or "", (0, 0))
    lamps = own or viewer.gm or (settings.ready_shown and not at.hides)
    # without a deadline the players of a game see for whom it waits
    waits = viewer.seat is not None and next_nudge(table) is not None and not at.hides
    is_asked = bool(stands and stands.is_due)  # others show it only if orders are due from them, and not after the game
    sheet = at.sheets.get(seat.power or "") if own or viewer.gm or is_asked else None
    # a bot looks like a player who is ready; one that never is would be recognized as a bot
    prompt = bool(seat.bot) and is_asked and not viewer.gm
    return SeatView(
        power=seat.power or "",
        player=(seat.user.username if seat.user else seat.bot) if named else HIDDEN,
        user=seat.user_id if named else None,
        bot=seat.bot if named else "",
        state=_visible_state(table, seat, named=named),
        centres=stands.centres if stands else centres,
        units=stands.units if stands else units,
        asked=due_text(stands) if stands else "",
        sent=prompt or sheet is not None if lamps else None,
        ready=prompt or (sheet is not None and sheet.confirmed) if lamps or waits else None,
        own=own,
        statement=seat.statement if table.state in OVER else "",
        away_until=at.away.get(seat.user_id) if seat.user_id else None,
    )


def _final(game: Game) -> dict[str, tuple[int, int]]:
    """Return the number of centres and units of each power at the end of a game."""
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    return {power: (centres[power], units.get(power, 0)) for power in centres}


def _away(table: Table, settings: TableSettings, viewer: Viewer, seats: Sequence[Seat]) -> dict[int, date]:
    """Return players' last days away by user; empty for viewers who do not play with them or may not know them."""
    known = viewer.gm or (viewer.seat is not None and not _hides_players(table, settings))
    if not known or table.sandbox or table.state in OVER:
        return {}
    return last_days_away(seats, clock.now())


def _visible_state(table: Table, seat: Seat, *, named: bool) -> str:
    """Return the state to show. Absence is not shown for hidden names, and vacancies not after the game."""
    if table.state in OVER and seat.state in store.WANTED:
        return SeatState.SITTING
    return SeatState.SITTING if seat.state == SeatState.AWAY and not named else seat.state


def _hides_players(table: Table, settings: TableSettings) -> bool:
    if settings.anonymity == "until_end":
        return table.state not in OVER
    return settings.anonymity == "always"


def _sheet_view(sheet: Sheet) -> SheetView:
    lines = tuple(sheet.lines)
    return SheetView(
        sheet.power, lines, sheet.version, sheet.sent_at, sheet.channel, sheet.confirmed, sheet.hold
    )  # fmt: skip


POWER = "France"

MARK = "tutorial "
"""Beginning of `Table.forked_from` in a sandbox of the tutorial; the number of its first scene follows."""


def first_scene(forked_from: str) -> int | None:
    """Return the number of a sandbox's first scene in the tutorial; None for other sandboxes."""
    number = forked_from.removeprefix(MARK)
    return int(number) if number != forked_from and number.isdecimal() else None


def last_days_away(seats: Iterable[Seat], now: datetime) -> dict[int, date]:
    """Map each user in these seats who is away now to the last day away."""
    zones = {seat.user_id: time_zone(seat) for seat in seats if seat.user_id}
    near = User.objects.filter(  # a day's margin, because of time zones
        pk__in=list(zones), absences__begins__lte=now + timedelta(days=1), absences__ends__gte=now - timedelta(days=1)
    )
    absences = near.order_by("absences__ends").values_list("pk", "absences__begins", "absences__ends")
    return {user: ends for user, begins, ends in absences if begins <= now.astimezone(zones[user]).date() <= ends}


def return_time(seat: Seat, last: date) -> datetime:
    """Return when a player is expected to have sent orders, with a full day after the last day away."""
    return datetime.combine(last + timedelta(days=2), datetime.min.time(), time_zone(seat))


def time_zone(seat: Seat) -> ZoneInfo:
    """Return the time zone of the player in a seat."""
    profile = getattr(seat.user, "profile", None)
    return ZoneInfo(profile.time_zone if profile else "UTC")
