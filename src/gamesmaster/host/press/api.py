"""API of press."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.db.models import Q
from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gamesmaster.host.api.callers import Done, Given, Name, Number, Plain, Text, caller, own_power, person
from gamesmaster.host.press import correspondence, holding, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.press.threads import ANY, LONGEST_PAGE, Line
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import HeldLetter


class MessageOut(Schema):
    """A message; `number` counts the messages that you may read (0: not sent yet), `to` is empty if all may read it."""

    number: int
    phase_number: int = Field(alias="message.ordinal")
    thread: str
    sender: str = Field(alias="message.sender")
    to: list[str] = Field(alias="message.to")
    text: str = Field(alias="message.text")
    sent_at: datetime = Field(alias="message.sent_at")
    own: bool = Field(alias="message.own")
    struck: bool = Field(alias="message.struck", description="struck out by the Gamesmaster, who alone sees its text")
    held: int = Field(0, description="not sent yet: you can take it back by this number until `sent_at`; 0: sent")

    @staticmethod
    def resolve_thread(line: Line) -> str:
        """Return the key of the message's thread."""
        return threads.key_of(line.message)


class MessageIn(Given):
    """A message to the powers in `to`; `grey`: unsigned, where that is allowed."""

    text: Text
    to: list[Name] = Field(
        default=[],
        max_length=100,
        description="the readers: powers, `Gamesmaster`, or `all` alone; without any the message is refused",
    )
    grey: bool = False
    power: Name = Field(default="", description="which of your powers writes; empty: the only one, or the Gamesmaster")


class ReadIn(Given):
    """A thread has been read, up to the message with this number."""

    thread: Annotated[str, Field(max_length=400)] = ""
    number: Number


class StrikeIn(Given):
    """Whether to strike out the message with this number."""

    number: Number
    struck: bool = True


class MuteIn(Given):
    """Whether to mute a power."""

    power: Name
    muted: bool = True


router = Router()


@router.get("/{slug:key}/press", response=list[MessageOut])
def read(
    request: HttpRequest,
    key: str,
    after: Annotated[
        int, Plain, Query(0, ge=0, le=2**31 - 1, description="only messages after the one with this number")
    ] = 0,
    thread: Annotated[str | None, Query(max_length=400, description="only this thread; empty: public messages")] = None,
    words: Annotated[str, Query(max_length=100, description="only messages that contain these words")] = "",
) -> list[Line]:
    """The messages that you may read, oldest first, up to 200; get more with `after`."""
    view = look(key, caller(request))
    if words:
        return [line for line in threads.search(view, words)[::-1] if line.number > after][:LONGEST_PAGE]
    key = threads.key_with(threads.members_of(thread or ""))
    return threads.lines(view, ANY if thread is None else Q(thread=key), after=after)


@router.post("/{slug:key}/press", response={201: MessageOut})
def write(request: HttpRequest, key: str, given: MessageIn) -> Status[Line]:
    """Write a message. You can take it back for some seconds; it is sent at once if the phase ends soon."""
    user = person(request, "press")
    view = look(key, user)
    as_gm = view.viewer.gm and not given.power and not view.viewer.powers
    power = "" if as_gm else own_power(view, given.power)
    made = correspondence.send(row_of(view), power, Press(given.text, given.to, grey=given.grey), user=user)
    if isinstance(made, HeldLetter):
        return Status(201, holding.line_of(made))
    return Status(201, threads.lines(look(key, user), Q(pk=made.pk))[0])


@router.get("/{slug:key}/press/held", response=list[MessageOut])
def read_held(request: HttpRequest, key: str) -> list[Line]:
    """Your messages that are not sent yet, so that you can take them back, oldest first."""
    return holding.own_letters(look(key, caller(request)))


@router.delete("/{slug:key}/press/held/{int:number}", response=Done)
def take_back(request: HttpRequest, key: str, number: int) -> Done:
    """Take a message back before it is sent. Nobody learns of it."""
    user = person(request, "press")
    holding.take_back(row_of(look(key, user)), number, user)
    return Done()


@router.put("/{slug:key}/press/strikes", response=Done)
def strike(request: HttpRequest, key: str, given: StrikeIn) -> Done:
    """Strike out a player's message as the Gamesmaster, or restore it. You still see its text; nobody else does."""
    user = person(request, "press")
    view = look(key, user)
    number = threads.key_of_number(view, given.number)
    holding.strike(row_of(view), number, user, struck=given.struck)
    return Done()


@router.post("/{slug:key}/press/read", response=Done)
def mark_read(request: HttpRequest, key: str, given: ReadIn) -> Done:
    """Mark a thread as read, up to a message."""
    threads.read_upto(look(key, person(request, "press")), given.thread, given.number)
    return Done()


@router.put("/{slug:key}/press/mutes", response=Done)
def mute(request: HttpRequest, key: str, given: MuteIn) -> Done:
    """Mute a power, or unmute it."""
    user = person(request, "press")
    correspondence.mute(row_of(look(key, user)), user, given.power, muted=given.muted)
    return Done()
