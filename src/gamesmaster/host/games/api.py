"""API of games: lists, creating and joining, seats, standbys."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.board import Position
from gamesmaster.game import position_data
from gamesmaster.host.api.callers import (
    Code,
    Done,
    Given,
    Key,
    Name,
    OrderSet,
    Ordinal,
    Power,
    TextOut,
    Units,
    caller,
    person,
)
from gamesmaster.host.games import hosting, seats, standbys
from gamesmaster.host.press import correspondence, live
from gamesmaster.host.site import limits
from gamesmaster.host.site.limits import Limit
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import view
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import TableView
from gamesmaster.variant import HouseRules


class TableLine(Schema):
    """A game in a list; `waiting`: your orders are due."""

    key: Key
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    state: str = Field(examples=["running"])
    phase: Code
    deadline: datetime | None
    free: int = Field(examples=[0])
    power: Power
    waiting: bool = Field(examples=[True])


class SeatOut(Schema):
    """A seat as you see it; `sent` and `ready` are null where they are secret."""

    power: Power
    player: str = Field(examples=["ann"])
    bot: str = Field(examples=[""])
    state: str = Field(examples=["sitting"])
    centres: int = Field(examples=[3])
    units: int = Field(examples=[3])
    asked: str = Field(examples=["orders"])
    sent: bool | None = Field(examples=[True])
    ready: bool | None = Field(examples=[False])
    own: bool = Field(examples=[True])
    away_until: date | None = Field(examples=[None], description="a last day away, for those who play with the player")
    statement: str = Field(examples=[""], description="the player's statement about the game once it is over")


class AgreedSettings(TableSettings):
    """The settings of a game, and two house rules under their former names: `draws` and `ballots`."""

    draws: Literal["survivors", "subset"] | None = Field(
        None,
        json_schema_extra={"deprecated": True},
        description="the house rule draw_shares: all_survivors, or any_group",
    )
    ballots: Literal["secret", "counted", "open"] | None = Field(
        None, json_schema_extra={"deprecated": True}, description="the house rule votes"
    )

    def settings(self) -> TableSettings:
        """Return the settings without the two deprecated fields."""
        return TableSettings.model_validate(self.model_dump(exclude_unset=True, exclude={"draws", "ballots"}))

    def house_rules(self, given: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
        """Return `given` with the deprecated fields merged in; `given` wins."""
        rules: dict[str, Any] = {}
        if self.draws:
            rules["draw_shares"] = "any_group" if self.draws == "subset" else "all_survivors"
        if self.ballots:
            rules["votes"] = self.ballots
        return rules | ({"preset": given} if isinstance(given, str) else given or {}) if rules else given

    @classmethod
    def of(cls, settings: TableSettings, agreed: HouseRules) -> AgreedSettings:
        """Return the agreed settings and house rules, under both names."""
        draws = "subset" if agreed.draw_shares == "any_group" else "survivors"
        return cls.model_validate({**settings.model_dump(), "draws": draws, "ballots": agreed.votes})


class TableOut(Schema):
    """A game as you see it.  `powers` are those you give orders for; `unread` counts your new press."""

    key: Key
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    variant_name: str = Field(examples=["Diplomacy"])
    state: str = Field(examples=["running"])
    role: str = Field(examples=["player"])
    powers: list[Power]
    sandbox: bool = Field(examples=[False])
    ordinal: int = Field(examples=[0])
    phase: Code
    phase_name: str = Field(examples=["Spring 1901 Movement"])
    deadline: datetime | None
    deadline_wall: str = Field(examples=["2027-01-05 20:00 Europe/Vienna"])
    late_since: datetime | None = Field(
        examples=[None], description="the deadline that was missed, while the game waits for late orders"
    )
    ready_at: datetime | None = Field(examples=[None])
    paused_why: str = Field(examples=[""], description="who has paused the game: gm, vote, or deserted")
    may_resume: bool = Field(examples=[False], description="you may resume the game")
    started: datetime | None
    finished: datetime | None = Field(examples=[None])
    outcome: str = Field(examples=[""])
    commitment: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    seed: str = Field(examples=[""])
    unread: int = Field(examples=[2])
    seats: list[SeatOut]
    settings: AgreedSettings
    house_rules: dict[str, str | int] = Field(
        examples=[{"votes": "counted"}], description="house rules that are not the usual ones"
    )
    version: str = Field(
        examples=["4b1d0c7e"], description="changes whenever anything that you can see of the game changes"
    )


class PositionOut(Schema):
    """The position, by power."""

    phase: Code
    units: Units
    centers: Annotated[dict[str, list[str]], Field(examples=[{"France": ["Par", "Bre", "Mar"]}])]
    dislodged: dict[str, list[dict[str, Any]]] = Field(examples=[{}])


class TableIn(Given):
    """A new game; fields that are left out have their defaults."""

    variant: Name = Field(examples=["standard"])
    name: Name = Field(default="", examples=["Seven at a table"])
    settings: AgreedSettings = Field(default_factory=lambda: AgreedSettings.model_validate({}))
    house_rules: str | dict[str, Any] | None = None
    rulebook: str | dict[str, Any] | None = None
    gamesmaster: bool = Field(default=False, description="you run the game and do not play")
    sandbox: bool = Field(
        default=False, description="begins at once; anyone who has the key can give orders for all powers"
    )


class JoinIn(Given):
    """How to join: the key of an invitation, the powers you would like, or the power you take over."""

    invitation: Name = ""
    preferences: list[Name] = Field(default=[], max_length=100, examples=[["France", "Italy"]])
    power: Name = ""


class StandbyIn(Given):
    """An offer to be a standby, for any power if none is named; with the key of an invitation."""

    power: Name = ""
    invitation: Name = ""


class StandbyOrdersIn(Given):
    """A standby's orders for the phase with this number."""

    ordinal: Ordinal
    orders: OrderSet = Field(examples=[["A Par H", "F Bre - Mao"]])


class StandbyOut(Schema):
    """Your offer: the power you wish for (empty: any), the power whose orders are due from you, and what you sent."""

    wish: str = Field(examples=[""])
    power: str = Field(examples=["France"])
    orders: list[str] = Field(examples=[["A Par H"]])
    sent_at: datetime | None


class InvitationOut(Schema):
    """An open invitation: for how many people, and for which power, if for one."""

    key: Key
    uses: int = Field(examples=[1])
    power: str = Field(examples=[""])


class BotIn(Given):
    """A bot for a seat."""

    bot: Name = Field(examples=["heuristic"])


class InviteIn(Given):
    """An invitation: for a power that needs a player, if one is named, and for how many people."""

    power: Name = ""
    uses: Annotated[int, Field(ge=1, le=100)] = 1


def table_out(view: TableView) -> TableOut:
    """Return a game as the API shows it."""
    return TableOut(
        key=view.key,
        name=view.name,
        variant=view.variant.id,
        variant_name=view.variant_name,
        state=view.state,
        role=view.viewer.role,
        powers=list(view.viewer.powers),
        sandbox=view.sandbox,
        ordinal=view.ordinal,
        phase=view.phase_code,
        phase_name=view.phase_name,
        deadline=view.deadline,
        deadline_wall=view.deadline_wall,
        late_since=view.late_since,
        ready_at=view.ready_at,
        paused_why=view.paused_why,
        may_resume=view.may_resume,
        started=view.started,
        finished=view.finished,
        outcome=view.outcome.text if view.outcome else "",
        commitment=view.commitment,
        seed=view.seed,
        unread=correspondence.unread(view),
        seats=[_seat(seat) for seat in view.seats],
        settings=AgreedSettings.of(view.settings, view.house_rules),
        house_rules=view.house_rules.choices(),
        version=live.stamp(view),
    )


def _seat(seat: view.SeatView) -> SeatOut:
    return SeatOut(**{name: getattr(seat, name) for name in SeatOut.model_fields})


def position_out(phase: str, position: Position) -> PositionOut:
    """Return a position as the API shows it."""
    return PositionOut.model_validate({"phase": phase, **position_data(position)})


router = Router()
SANDBOXES = Limit("api-sandbox", 60, 3600)
TABLES = Limit("api-table", 20, 24 * 3600)
Kind = Literal["open", "mine", "running", "finished"]


@router.get("", response=list[TableLine])
def listed(
    request: HttpRequest,
    kind: Kind = "open",
    words: Annotated[str, Query(max_length=100)] = "",
    page: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> list[TableLine]:
    """Games with a free seat, your own, running games, or finished games; 24 per page."""
    lines = hosting.find_tables(kind, caller(request), words=words, page=page)
    return [
        TableLine(
            key=line.key, name=line.name, variant=line.variant.id, state=line.state, phase=line.phase,
            deadline=line.deadline, free=line.free, power=line.mine, waiting=line.waiting,
        )
        for line in lines
    ]  # fmt: skip


@router.post("", response={201: TableOut})
def make(request: HttpRequest, given: TableIn) -> Status[TableOut]:
    """Create a game. A sandbox needs no account."""
    limits.check(SANDBOXES if given.sandbox else TABLES, request)
    if given.sandbox:
        user = caller(request, "tables")
        table = hosting.sandbox(given.variant, user, name=given.name)
    else:
        user = person(request, "tables")
        table = hosting.create(
            user, given.variant, given.settings.settings(), name=given.name, rulebook=given.rulebook,
            house_rules=given.settings.house_rules(given.house_rules), gm=user if given.gamesmaster else None,
        )  # fmt: skip
    return Status(201, table_out(look(table.key, user)))


@router.get("/{slug:key}", response=TableOut)
def table(request: HttpRequest, key: str, invitation: Annotated[str, Query(max_length=16)] = "") -> TableOut:
    """A game as you see it. A game for invited players needs the key of an invitation."""
    return table_out(look(key, caller(request), invitation=invitation))


@router.get("/{slug:key}/position", response=PositionOut)
def position(request: HttpRequest, key: str) -> PositionOut:
    """The present position."""
    view = look(key, caller(request))
    return position_out(view.phase_code, view.position)


@router.post("/{slug:key}/join", response=TableOut)
def join(request: HttpRequest, key: str, given: JoinIn) -> TableOut:
    """Join a game, take over a power that needs a player, or come back to your own."""
    user = person(request, "tables")
    found = Table.objects.filter(key=key, sandbox=False).first()
    if found is None:
        raise Refused("no-table", "There is no such game.")
    try:
        seats.join(
            found, user, invitation=given.invitation, preferences=given.preferences, power=given.power
        )  # fmt: skip
    except Refused:
        look(key, user)  # raises a 404 for people who may not see the table
        raise
    return table_out(look(key, user))


@router.post("/{slug:key}/leave", response=Done)
def leave(request: HttpRequest, key: str) -> Done:
    """Leave a game. In a running game, your power then needs another player."""
    user = person(request, "tables")
    seats.leave(row_of(look(key, user)), user)
    return Done()


@router.post("/{slug:key}/bots", response=TableOut)
def add_bot(request: HttpRequest, key: str, given: BotIn) -> TableOut:
    """Give a seat to a bot, before the game begins."""
    user = person(request, "tables")
    seats.add_bot(row_of(look(key, user)), given.bot, user)
    return table_out(look(key, user))


@router.post("/{slug:key}/invitations", response={201: TextOut})
def invite(request: HttpRequest, key: str, given: InviteIn) -> Status[TextOut]:
    """Make an invitation."""
    user = person(request, "tables")
    made = seats.invite(row_of(look(key, user)), user, power=given.power, uses=given.uses)
    return Status(201, TextOut(text=made.key))


@router.get("/{slug:key}/invitations", response=list[InvitationOut])
def invitations(request: HttpRequest, key: str) -> list[InvitationOut]:
    """The open invitations; for the people who created or run the game."""
    view = look(key, person(request, "tables"))
    if not (view.viewer.gm or view.viewer.owner):
        raise Refused("not-gm", "Only the person who created the game can do that.")
    rows = row_of(view).invitations.filter(uses_left__gt=0).order_by("-pk")
    return [InvitationOut(key=one.key, uses=one.uses_left, power=one.power) for one in rows]


@router.delete("/{slug:key}/invitations/{slug:invitation}", response=Done)
def withdraw(request: HttpRequest, key: str, invitation: str) -> Done:
    """Withdraw an invitation: its link no longer works."""
    user = person(request, "tables")
    seats.withdraw(row_of(look(key, user)), user, invitation)
    return Done()


@router.post("/{slug:key}/start", response=TableOut)
def start(request: HttpRequest, key: str) -> TableOut:
    """Begin the game."""
    user = person(request, "tables")
    hosting.start(row_of(look(key, user)), user)
    return table_out(look(key, user))


@router.post("/{slug:key}/cancel", response=Done)
def cancel(request: HttpRequest, key: str) -> Done:
    """Cancel the game."""
    user = person(request, "tables")
    hosting.cancel(row_of(look(key, user)), user)
    return Done()


@router.get("/{slug:key}/standby", response=StandbyOut)
def own_offer(request: HttpRequest, key: str) -> StandbyOut:
    """Your offer, whether orders are due from you, and the orders you have sent."""
    return _standby(look(key, person(request)))


@router.put("/{slug:key}/standby", response=StandbyOut)
def offer(request: HttpRequest, key: str, given: StandbyIn) -> StandbyOut:
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
def send_standby_orders(request: HttpRequest, key: str, given: StandbyOrdersIn) -> StandbyOut:
    """Send a standby's orders. They are used if the player misses another deadline; otherwise nobody ever sees them."""
    user = person(request, "orders")
    standbys.send(row_of(look(key, user)), user, given.orders, ordinal=given.ordinal)
    return _standby(look(key, user))


def _standby(view: TableView) -> StandbyOut:
    own = view.viewer.standby
    if own is None:
        raise Refused("no-offer", "You are not a standby in this game.")
    return StandbyOut(wish=own.wish, power=own.power, orders=list(own.lines), sent_at=own.sent_at)
