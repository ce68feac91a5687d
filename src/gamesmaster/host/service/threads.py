"""Press as it is read: threads by who takes part, what is unread, what is muted, what a search finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gamesmaster.host.models import Mute, ReadMark
from gamesmaster.host.service.press import HOUSE
from gamesmaster.host.service.viewing import MessageView, TableView

PUBLIC = ""
LONGEST_SEARCH = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A message in a thread.  `number` counts, from 1, the messages that this viewer may read, and no others."""

    number: int
    message: MessageView
    unread: bool


@dataclass(frozen=True, slots=True)
class Thread:
    """The messages between the same people; `key` is their names joined by commas, empty for what all may read."""

    key: str
    members: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def unread(self) -> int:
        """How many messages in it are new to the viewer."""
        return sum(line.unread for line in self.lines)

    @property
    def last(self) -> Line | None:
        """The last message."""
        return self.lines[-1] if self.lines else None


def numbered(view: TableView) -> list[tuple[int, MessageView]]:
    """What the viewer may read, oldest first, numbered from 1, without what he or she has muted."""
    deaf = muted(view)
    return [(n, m) for n, m in enumerate(view.messages(), 1) if m.own or m.sender not in deaf]


def threads(view: TableView) -> list[Thread]:
    """The viewer's threads: the public one first, then those with the newest messages."""
    marks = _marks(view)
    found: dict[str, list[Line]] = {PUBLIC: []}
    for number, message in numbered(view):
        key = key_of(message)
        unread = view.viewer.seat is not None and not message.own and message.number > marks.get(key, 0)
        found.setdefault(key, []).append(Line(number, message, unread))
    public, *others = (Thread(key, members_of(key), tuple(lines)) for key, lines in found.items())
    return [public, *sorted(others, key=lambda thread: -thread.lines[-1].number)]


def thread(view: TableView, key: str) -> Thread:
    """One thread; an empty one if nobody has written in it yet."""
    wanted = key_with(members_of(key))
    found = (thread for thread in threads(view) if thread.key == wanted)
    return next(found, Thread(wanted, members_of(wanted), ()))


def search(view: TableView, words: str) -> list[Line]:
    """The messages with all of these words in them, or by a sender of that name, newest first."""
    wanted = words[:LONGEST_SEARCH].casefold().split()
    found = [
        Line(number, message, False)
        for number, message in numbered(view)
        if wanted and all(word in f"{message.sender}\n{message.text}".casefold() for word in wanted)
    ]
    return found[::-1]


def unread(view: TableView) -> int:
    """How many messages are new to the viewer."""
    return sum(thread.unread for thread in threads(view))


def muted(view: TableView) -> frozenset[str]:
    """Whom the viewer has muted."""
    if view.viewer.seat is None:
        return frozenset()
    return frozenset(Mute.objects.filter(seat=view.viewer.seat).values_list("power", flat=True))


def key_of(message: MessageView) -> str:
    """The key of the thread that a message belongs to; public if it is for all."""
    return key_with((message.sender, *message.to)) if message.to else PUBLIC


def key_with(names: Iterable[str]) -> str:
    """The key of the thread between these."""
    return ",".join(sorted({name for name in names if name}, key=lambda name: (name == HOUSE, name)))


def members_of(key: str) -> tuple[str, ...]:
    """Who takes part in the thread with this key."""
    return tuple(part.strip() for part in key[:400].split(",") if part.strip())


def _marks(view: TableView) -> dict[str, int]:
    if view.viewer.seat is None:
        return {}
    return dict(ReadMark.objects.filter(seat=view.viewer.seat).values_list("thread", "message"))
