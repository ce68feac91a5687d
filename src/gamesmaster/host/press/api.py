"""API of press."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.host.api.callers import Done, Given, Name, Number, Power, Text, caller, own_power, person
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Line
from gamesmaster.host.tables.access import look, row_of


class MessageOut(Schema):
    """A message; `number` counts the messages that you may read, `to` is empty if all may read it."""

    number: int = Field(examples=[3])
    phase_number: int = Field(examples=[0])
    thread: str = Field(examples=["France,Italy"])
    sender: Power
    to: list[str] = Field(examples=[["Italy"]])
    text: str = Field(examples=["Shall we leave Piedmont empty?"])
    sent_at: datetime
    own: bool = Field(examples=[True])


class MessageIn(Given):
    """A message to the powers in `to`; `grey`: unsigned, where that is allowed."""

    text: Text = Field(examples=["Shall we leave Burgundy empty?"])
    to: list[Name] = Field(
        default=[],
        max_length=100,
        description="the readers: powers, `Gamesmaster`, or `all` alone; without any the message is refused",
        examples=[["France"]],
    )
    grey: bool = False
    power: Name = Field(default="", description="which of your powers writes; empty: the only one, or the Gamesmaster")


class ReadIn(Given):
    """A thread has been read, up to the message with this number."""

    thread: Annotated[str, Field(max_length=400)] = Field(default="", examples=["France,Italy"])
    number: Number


class MuteIn(Given):
    """Whether to mute a power."""

    power: Name = Field(examples=["Italy"])
    muted: bool = True


router = Router()
MOST = 200


@router.get("/{slug:key}/press", response=list[MessageOut])
def read(
    request: HttpRequest,
    key: str,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="only messages after the one with this number")] = 0,
    thread: Annotated[str | None, Query(max_length=400, description="only this thread; empty: public messages")] = None,
    words: Annotated[str, Query(max_length=100, description="only messages that contain these words")] = "",
) -> list[MessageOut]:
    """The messages that you may read, oldest first, up to 200; get more with `after`."""
    view = look(key, caller(request))
    if words:
        found = correspondence.search(view, words)[::-1]
    elif thread is not None:
        found = list(correspondence.thread(view, thread).lines)
    else:
        found = [Line(number, message, False) for number, message in correspondence.numbered_messages(view)]
    return [message_out(line) for line in found if line.number > after][:MOST]


@router.post("/{slug:key}/press", response={201: MessageOut})
def write(request: HttpRequest, key: str, given: MessageIn) -> Status[MessageOut]:
    """Write a message."""
    user = person(request, "press")
    view = look(key, user)
    as_gm = view.viewer.gm and not given.power and not view.viewer.powers
    power = "" if as_gm else own_power(view, given.power)
    made = correspondence.send(row_of(view), power, given.text, to=given.to, grey=given.grey, user=user)
    mine = (Line(n, m, False) for n, m in correspondence.numbered_messages(look(key, user)) if m.number == made.pk)
    return Status(201, message_out(next(mine)))


@router.post("/{slug:key}/press/read", response=Done)
def mark_read(request: HttpRequest, key: str, given: ReadIn) -> Done:
    """Mark a thread as read, up to a message."""
    view = look(key, person(request, "press"))
    thread = correspondence.thread(view, given.thread)
    upto = [line.message.number for line in thread.lines if line.number <= given.number]
    if upto:
        correspondence.mark_read(view, thread.key, upto[-1])
    return Done()


@router.put("/{slug:key}/press/mutes", response=Done)
def mute(request: HttpRequest, key: str, given: MuteIn) -> Done:
    """Mute a power, or unmute it."""
    user = person(request, "press")
    correspondence.mute(row_of(look(key, user)), user, given.power, given.muted)
    return Done()


def message_out(line: correspondence.Line) -> MessageOut:
    """Return a message as the API shows it."""
    m = line.message
    return MessageOut(
        number=line.number, phase_number=m.ordinal, thread=correspondence.key_of(m), sender=m.sender, to=list(m.to),
        text=m.text, sent_at=m.sent_at, own=m.own,
    )  # fmt: skip
