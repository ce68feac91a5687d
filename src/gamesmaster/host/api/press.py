"""Press: reading, writing, marking as read, muting."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Status

from gamesmaster.host.api.callers import caller, person
from gamesmaster.host.api.seeing import look, message_out, own_power
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.press import MessageIn, MessageOut, MuteIn, ReadIn
from gamesmaster.host.service import press, threads
from gamesmaster.host.service.threads import Line
from gamesmaster.host.service.viewing import row_of

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
        found = threads.search(view, words)[::-1]
    elif thread is not None:
        found = list(threads.thread(view, thread).lines)
    else:
        found = [Line(number, message, False) for number, message in threads.numbered(view)]
    return [message_out(line) for line in found if line.number > after][:MOST]


@router.post("/{slug:key}/press", response={201: MessageOut})
def write(request: HttpRequest, key: str, given: MessageIn) -> Status[MessageOut]:
    """Write a message."""
    user = person(request, "press")
    view = look(key, user)
    as_gm = view.viewer.gm and not given.power and not view.viewer.powers
    power = "" if as_gm else own_power(view, given.power)
    made = press.send(row_of(view), power, given.text, to=given.to, grey=given.grey, user=user)
    mine = (Line(n, m, False) for n, m in threads.numbered(look(key, user)) if m.number == made.pk)
    return Status(201, message_out(next(mine)))


@router.post("/{slug:key}/press/read", response=Done)
def mark_read(request: HttpRequest, key: str, given: ReadIn) -> Done:
    """Mark a thread as read, up to a message."""
    view = look(key, person(request, "press"))
    thread = threads.thread(view, given.thread)
    upto = [line.message.number for line in thread.lines if line.number <= given.number]
    if upto:
        press.mark_read(view, thread.key, upto[-1])
    return Done()


@router.put("/{slug:key}/press/mutes", response=Done)
def mute(request: HttpRequest, key: str, given: MuteIn) -> Done:
    """Mute a power, or unmute it."""
    user = person(request, "press")
    press.mute(row_of(look(key, user)), user, given.power, given.muted)
    return Done()
