"""Tables: which there are, making one, joining and leaving."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router, Status

from gamesmaster.host.api.callers import caller, person
from gamesmaster.host.api.seeing import look, position_out, table_out
from gamesmaster.host.api.shapes.common import Done, TextOut
from gamesmaster.host.api.shapes.tables import (
    BotIn,
    InvitationOut,
    InviteIn,
    JoinIn,
    PositionOut,
    StatementIn,
    TableIn,
    TableLine,
    TableOut,
)
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table
from gamesmaster.host.service import endgame, limits, listing, tables
from gamesmaster.host.service.limits import Limit
from gamesmaster.host.service.viewing import row_of

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
    found = listing.find(kind, caller(request), words=words, page=page)
    return [
        TableLine(
            key=line.key, name=line.name, variant=line.variant.id, state=line.state, phase=line.phase,
            deadline=line.deadline, free=line.free, power=line.mine, waiting=line.waiting,
        )
        for line in found
    ]  # fmt: skip


@router.post("", response={201: TableOut})
def make(request: HttpRequest, given: TableIn) -> Status[TableOut]:
    """Create a game. A sandbox needs no account."""
    limits.check(SANDBOXES if given.sandbox else TABLES, request)
    if given.sandbox:
        user = caller(request, "tables")
        table = tables.sandbox(given.variant, user, name=given.name)
    else:
        user = person(request, "tables")
        table = tables.create(
            user, given.variant, given.settings, name=given.name, rulebook=given.rulebook,
            house_rules=given.house_rules, gm=user if given.gamesmaster else None,
        )  # fmt: skip
    return Status(201, table_out(look(table.key, user)))


@router.get("/{slug:key}", response=TableOut)
def table(request: HttpRequest, key: str, invitation: Annotated[str, Query(max_length=16)] = "") -> TableOut:
    """A game as you see it. A game for invited players needs the key of an invitation."""
    return table_out(look(key, caller(request), invitation))


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
        tables.join(
            found, user, invitation=given.invitation, preferences=given.preferences, power=given.power
        )  # fmt: skip
    except Refused:
        look(key, user)  # whoever may not see the table is not told that it is there
        raise
    return table_out(look(key, user))


@router.post("/{slug:key}/leave", response=Done)
def leave(request: HttpRequest, key: str) -> Done:
    """Leave a game. In a running game, your power then needs another player."""
    user = person(request, "tables")
    tables.leave(row_of(look(key, user)), user)
    return Done()


@router.post("/{slug:key}/bots", response=TableOut)
def add_bot(request: HttpRequest, key: str, given: BotIn) -> TableOut:
    """Give a seat to a bot, before the game begins."""
    user = person(request, "tables")
    tables.add_bot(row_of(look(key, user)), given.bot, user)
    return table_out(look(key, user))


@router.post("/{slug:key}/invitations", response={201: TextOut})
def invite(request: HttpRequest, key: str, given: InviteIn) -> Status[TextOut]:
    """Make an invitation."""
    user = person(request, "tables")
    made = tables.invite(row_of(look(key, user)), user, power=given.power, uses=given.uses)
    return Status(201, TextOut(text=made.key))


@router.get("/{slug:key}/invitations", response=list[InvitationOut])
def invitations(request: HttpRequest, key: str) -> list[InvitationOut]:
    """The open invitations; for the people who created or run the game."""
    view = look(key, person(request, "tables"))
    if not (view.viewer.gm or view.viewer.owner):
        raise Refused("not-gm", "Only the person who created the game can do that.")
    found = row_of(view).invitations.filter(uses_left__gt=0).order_by("-pk")
    return [InvitationOut(key=one.key, uses=one.uses_left, power=one.power) for one in found]


@router.put("/{slug:key}/statement", response=Done)
def state(request: HttpRequest, key: str, given: StatementIn) -> Done:
    """Publish your statement about a finished game in which you played."""
    user = person(request, "orders")
    endgame.state(row_of(look(key, user)), user, given.text)
    return Done()


@router.delete("/{slug:key}/invitations/{slug:invitation}", response=Done)
def withdraw(request: HttpRequest, key: str, invitation: str) -> Done:
    """Withdraw an invitation: its link no longer works."""
    user = person(request, "tables")
    tables.withdraw(row_of(look(key, user)), user, invitation)
    return Done()


@router.post("/{slug:key}/start", response=TableOut)
def start(request: HttpRequest, key: str) -> TableOut:
    """Begin the game."""
    user = person(request, "tables")
    tables.start(row_of(look(key, user)), user)
    return table_out(look(key, user))


@router.post("/{slug:key}/cancel", response=Done)
def cancel(request: HttpRequest, key: str) -> Done:
    """Cancel the game."""
    user = person(request, "tables")
    tables.cancel(row_of(look(key, user)), user)
    return Done()
