"""API of games: lists, creating and joining, seats, standbys."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.board import Position
from gamesmaster.game import agreed_scores, position_data
from gamesmaster.host.api.callers import Done, Given, Name, OrderSet, Ordinal, Plain, TextOut, caller, person
from gamesmaster.host.games import hosting, patience, seats, standbys
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.press import live, threads
from gamesmaster.host.site import limits
from gamesmaster.host.site.limits import Limit
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import Invitation, Table
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import StandbyView, TableView


class TableLine(Schema):
    """A game in a list; `waiting`: your orders are due."""

    key: str
    name: str
    variant: str = Field(alias="variant.id")
    state: str
    phase: str
    deadline: datetime | None
    free: int
    power: str = Field(alias="mine")
    waiting: bool


class SeatOut(Schema):
    """A seat as you see it; `sent` and `ready` are null where they are secret."""

    power: str
    player: str
    bot: str
    state: str
    centres: int
    units: int
    asked: str
    sent: bool | None
    ready: bool | None
    own: bool
    away_until: date | None = Field(description="a last day away, for those who play with the player")
    statement: str = Field(description="the player's statement about the game once it is over")


class TableOut(Schema):
    """A game as you see it.  `powers` are those you give orders for; `unread` counts your new press."""

    key: str
    name: str
    variant: str = Field(alias="variant.id")
    variant_name: str
    state: str
    role: str = Field(alias="viewer.role")
    powers: list[str] = Field(alias="viewer.powers")
    sandbox: bool
    ordinal: int
    phase: str = Field(alias="phase_code")
    phase_name: str
    deadline: datetime | None
    deadline_wall: str
    late_since: datetime | None = Field(
        description="the deadline that was missed, while the game waits for late orders"
    )
    ready_at: datetime | None
    paused_why: str = Field(description="who has paused the game: gm, vote, or deserted")
    may_resume: bool = Field(description="you may resume the game")
    started: datetime | None
    finished: datetime | None
    outcome: str
    scores: dict[str, float] = Field(description="points by power, when a game is over whose house rules score it")
    commitment: str
    seed: str
    unread: int
    seats: list[SeatOut]
    settings: TableSettings
    house_rules: dict[str, str | int] = Field(
        alias="house_rules.choices", description="house rules that are not the usual ones"
    )
    version: str = Field(description="changes whenever anything that you can see of the game changes")

    @staticmethod
    def resolve_outcome(view: TableView) -> str:
        """Return the result in words; "" until the game is over."""
        return view.outcome.text if view.outcome else ""

    @staticmethod
    def resolve_scores(view: TableView) -> dict[str, float]:
        """Return the points of each power."""
        return {power: float(points) for power, points in agreed_scores(view.bare_game).items()} if view.outcome else {}

    @staticmethod
    def resolve_unread(view: TableView) -> int:
        """Return the number of new messages."""
        return threads.unread(view)

    @staticmethod
    def resolve_version(view: TableView) -> str:
        """Return the stamp of what the viewer can see."""
        return live.stamp(view)


class PositionOut(Schema):
    """The position, by power."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    dislodged: dict[str, list[dict[str, Any]]]


class TableIn(Given):
    """A new game; fields that are left out have their defaults."""

    variant: Name
    name: Name = ""
    settings: TableSettings = Field(default_factory=TableSettings)
    house_rules: str | dict[str, Any] | None = None
    rulebook: str | dict[str, Any] | None = None
    gamesmaster: bool = Field(default=False, description="you run the game and do not play")
    sandbox: bool = Field(
        default=False, description="begins at once; anyone who has the key can give orders for all powers"
    )


class JoinIn(Given):
    """How to join: the key of an invitation, the powers you would like, or the power you take over."""

    invitation: Name = ""
    preferences: list[Name] = Field(default=[], max_length=100)
    power: Name = ""


class StandbyIn(Given):
    """An offer to be a standby, for any power if none is named; with the key of an invitation."""

    power: Name = ""
    invitation: Name = ""


class StandbyOrdersIn(Given):
    """A standby's orders for the phase with this number."""

    ordinal: Ordinal
    orders: OrderSet


class StandbyOut(Schema):
    """Your offer: the power you wish for (empty: any), the power whose orders are due from you, and what you sent."""

    wish: str
    power: str
    orders: list[str] = Field(alias="lines")
    sent_at: datetime | None


class InvitationOut(Schema):
    """An open invitation: for how many people, and for which power, if for one."""

    key: str
    uses: int = Field(alias="uses_left")
    power: str


class BotIn(Given):
    """A bot for a seat."""

    bot: Name


class InviteIn(Given):
    """An invitation: for a power that needs a player, if one is named, and for how many people."""

    power: Name = ""
    uses: Annotated[int, Field(ge=1, le=100)] = 1


def position_out(phase: str, position: Position) -> dict[str, object]:
    """Return the fields of `PositionOut`."""
    return {"phase": phase, **position_data(position)}


router = Router()
SANDBOXES = Limit("api-sandbox", 60, 3600)
TABLES = Limit("api-table", 20, 24 * 3600)
Kind = Literal["open", "mine", "running", "finished"]


@router.get("", response=list[TableLine])
def listed(
    request: HttpRequest,
    kind: Kind = "open",
    words: Annotated[str, Query(max_length=100)] = "",
    page: Annotated[int, Plain, Query(0, ge=0, le=10_000)] = 0,
) -> list[hosting.TableLine]:
    """Games with a free seat, your own, running games, or finished games; 24 per page."""
    return hosting.find_tables(kind, caller(request), words=words, page=page)


@router.post("", response={201: TableOut})
def make(request: HttpRequest, given: TableIn) -> Status[TableView]:
    """Create a game. A sandbox needs no account."""
    limits.check(SANDBOXES if given.sandbox else TABLES, request)
    if given.sandbox:
        user = caller(request, "tables")
        table = hosting.sandbox(given.variant, user, name=given.name)
    else:
        user = person(request, "tables")
        table = hosting.create(
            user,
            GameChoice(given.variant, name=given.name, rulebook=given.rulebook, house_rules=given.house_rules),
            given.settings,
            gm=user if given.gamesmaster else None,
        )
    return Status(201, look(table.key, user))


@router.get("/{slug:key}", response=TableOut)
def table(request: HttpRequest, key: str, invitation: Annotated[str, Query(max_length=16)] = "") -> TableView:
    """A game as you see it. A game for invited players needs the key of an invitation."""
    return look(key, caller(request), invitation=invitation)


@router.get("/{slug:key}/position", response=PositionOut)
def position(request: HttpRequest, key: str) -> dict[str, object]:
    """The present position."""
    view = look(key, caller(request))
    return position_out(view.phase_code, view.position)


@router.post("/{slug:key}/join", response=TableOut)
def join(request: HttpRequest, key: str, given: JoinIn) -> TableView:
    """Join a game, take over a power that needs a player, or come back to your own."""
    user = person(request, "tables")
    found = Table.objects.filter(key=key, sandbox=False).first()
    if found is None:
        raise Refused("no-table", "There is no such game.")
    try:
        seats.join(found, user, invitation=given.invitation, preferences=given.preferences, power=given.power)
    except Refused:
        look(key, user)  # raises a 404 for people who may not see the table
        raise
    return look(key, user)


@router.post("/{slug:key}/nudge", response=Done)
def nudge(request: HttpRequest, key: str) -> Done:
    """Remind the players for whom a phase without a deadline waits, at most once a day."""
    user = person(request, "tables")
    patience.nudge(row_of(look(key, user)), user)
    return Done()


@router.post("/{slug:key}/leave", response=Done)
def leave(request: HttpRequest, key: str) -> Done:
    """Leave a game. In a running game, your power then needs another player."""
    user = person(request, "tables")
    seats.leave(row_of(look(key, user)), user)
    return Done()


@router.post("/{slug:key}/bots", response=TableOut)
def add_bot(request: HttpRequest, key: str, given: BotIn) -> TableView:
    """Give a seat to a bot, before the game begins."""
    user = person(request, "tables")
    seats.add_bot(row_of(look(key, user)), given.bot, user)
    return look(key, user)


@router.post("/{slug:key}/invitations", response={201: TextOut})
def invite(request: HttpRequest, key: str, given: InviteIn) -> Status[dict[str, str]]:
    """Make an invitation."""
    user = person(request, "tables")
    made = seats.invite(row_of(look(key, user)), user, power=given.power, uses=given.uses)
    return Status(201, {"text": made.key})


@router.get("/{slug:key}/invitations", response=list[InvitationOut])
def invitations(request: HttpRequest, key: str) -> QuerySet[Invitation]:
    """The open invitations; for the people who created or run the game."""
    view = look(key, person(request, "tables"))
    if not (view.viewer.gm or view.viewer.owner):
        raise Refused("not-gm", "Only the person who created the game can do that.")
    return row_of(view).invitations.filter(uses_left__gt=0).order_by("-pk")


@router.delete("/{slug:key}/invitations/{slug:invitation}", response=Done)
def withdraw(request: HttpRequest, key: str, invitation: str) -> Done:
    """Withdraw an invitation: its link no longer works."""
    user = person(request, "tables")
    seats.withdraw(row_of(look(key, user)), user, invitation)
    return Done()


@router.post("/{slug:key}/start", response=TableOut)
def start(request: HttpRequest, key: str) -> TableView:
    """Begin the game."""
    user = person(request, "tables")
    hosting.start(row_of(look(key, user)), user)
    return look(key, user)


@router.post("/{slug:key}/cancel", response=Done)
def cancel(request: HttpRequest, key: str) -> Done:
    """Cancel the game."""
    user = person(request, "tables")
    hosting.cancel(row_of(look(key, user)), user)
    return Done()


@router.get("/{slug:key}/standby", response=StandbyOut)
def own_offer(request: HttpRequest, key: str) -> StandbyView:
    """Your offer, whether orders are due from you, and the orders you have sent."""
    return _standby(look(key, person(request)))


@router.put("/{slug:key}/standby", response=StandbyOut)
def offer(request: HttpRequest, key: str, given: StandbyIn) -> StandbyView:
    """Offer to be a standby, in a game that asks standbys for orders in advance."""
    user = person(request, "tables")
    standbys.offer(
        row_of(look(key, user, invitation=given.invitation)), user, wish=given.power, invitation=given.invitation
    )
    return _standby(look(key, user))


@router.delete("/{slug:key}/standby", response=Done)
def withdraw_offer(request: HttpRequest, key: str) -> Done:
    """Stop being a standby."""
    user = person(request, "tables")
    standbys.withdraw(row_of(look(key, user)), user)
    return Done()


@router.put("/{slug:key}/standby/orders", response=StandbyOut)
def send_standby_orders(request: HttpRequest, key: str, given: StandbyOrdersIn) -> StandbyView:
    """Send a standby's orders. They are used if the player misses another deadline; otherwise nobody ever sees them."""
    user = person(request, "orders")
    standbys.send(row_of(look(key, user)), user, given.orders, ordinal=given.ordinal)
    return _standby(look(key, user))


def _standby(view: TableView) -> StandbyView:
    own = view.viewer.standby
    if own is None:
        raise Refused("no-offer", "You are not a standby in this game.")
    return own
