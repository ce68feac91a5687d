"""Forms of files: how each is recognised, what it holds, and the functions that read and write it.

Other packages bring forms as entry points; each is loaded when a file is looked at or the forms are listed:

    [project.entry-points."gamesmaster.formats"]
    ruritanian = "my_package:FORM"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from gamesmaster import strictjson
from gamesmaster.errors import BadFile
from gamesmaster.files import decode
from gamesmaster.plugins import brought, load

if TYPE_CHECKING:
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from gamesmaster.formats.draft import Draft
    from gamesmaster.formats.written import Exported
    from gamesmaster.game import Game
    from gamesmaster.variant import Variant

LARGEST = 16 * 2**20
"""Bytes of one document; longer ones are refused."""
DEEPEST = 32
"""Levels of nesting of a document in JSON."""
MOST_TAGS = 250_000
"""Tags of a document in XML: twice those of a saved game of jDip with 120 phases."""
MOST_DEFAULTS = 8 * 2**20
"""Bytes that the defaults of a document type in XML may add, if each tag has them all."""
Beside = Callable[[str], bytes]
"""Reads another file of the same folder by its name."""
PhaseData = dict[str, Any]
"""The data of a phase line (`gamesmaster.formats.phases`)."""


def _nothing_beside(name: str) -> bytes:
    raise BadFile(f"no other file is read here, such as {name[:80]!r}")


@dataclass
class Source:
    """A document of another program: its bytes, where it was found, and how to read other files of its folder.

    `load`, if given, reads it as JSON.  `folders` are where the boards of games are looked for.
    """

    data: bytes
    where: str = ""
    beside: Beside = _nothing_beside
    load: Callable[[], Any] | None = None
    folders: tuple[Path, ...] = ()

    @cached_property
    def text(self) -> str:
        """The document as text."""
        return decode(self.data)

    @cached_property
    def mark(self) -> bytes:
        """The first byte that is neither white space nor a byte order mark."""
        return self.data.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")[:1]

    @cached_property
    def value(self) -> Any:
        """The value of a document in JSON, None for other documents; raises `BadFile` with the place of a fault."""
        if self.load:
            return self.load()
        if self.mark not in (b"{", b"["):
            return None
        return strictjson.loads(self.data, limit=LARGEST, depth=DEEPEST, where=self.where, sparse=True)

    @cached_property
    def root(self) -> Element | None:
        """The root of a document in XML, None for other documents; raises `BadFile`."""
        return parse(self.data, self.where) if self.mark == b"<" else None

    @property
    def tag(self) -> str:
        """The name of the root of a document in XML, without a namespace."""
        return "" if self.root is None else self.root.tag.rpartition("}")[2]

    def has(self, *keys: str) -> bool:
        """Return whether this is a JSON object with all of these keys."""
        return isinstance(self.value, dict) and self.value.keys() >= {*keys}


def parse(text: bytes, where: str) -> Element:
    """Return the root of an XML text: a document type may give defaults; entities and other files are refused.

    The parser that refuses them is too slow to build a tree: it looks at the text first, and the standard one builds.
    """
    tags, added = text.count(b"<"), 0
    if tags > MOST_TAGS:
        raise BadFile(f"more than {MOST_TAGS:,} tags", where=where)
    from xml.etree.ElementTree import ParseError, fromstring

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import XMLParser

    guard = XMLParser(target=object(), forbid_dtd=False, forbid_entities=True, forbid_external=True)
    guard.parser.DefaultHandlerExpand = None

    def declared(_element: str, name: str, _type: str, default: str | None, _required: int) -> None:
        nonlocal added
        added += len(name) + len(default) if default is not None else 0
        if added * tags > MOST_DEFAULTS:
            raise BadFile("its document type has too many defaults for so many tags", where=where)

    guard.parser.AttlistDeclHandler = declared
    try:
        guard.feed(text)
        guard.close()
        return fromstring(text)  # the guard has refused what could harm
    except DefusedXmlException as fault:
        raise BadFile(f"entities and files from elsewhere are not read: {fault}"[:200], where=where) from None
    except (ParseError, ValueError, LookupError) as fault:
        raise BadFile(f"not XML: {fault}"[:200], where=where) from None


@dataclass(slots=True)
class RecordedGame:
    """A game as another program recorded it.

    Dislodged units without `retreats` may retreat where the phase before let them.
    """

    name: str
    boards: tuple[str, ...]  # its variant's possible names: the first counts that is known and fits
    phases: Iterable[PhaseData]  # each with the next phase to compare with, where that is known
    rulebook: Mapping[str, object] = field(default_factory=dict)  # the choices by which the program adjudicated
    anywhere: bool = False  # powers could build in any centre they owned
    messages: int = 0
    lost: tuple[str, ...] = ()  # what is not carried over
    last: PhaseData | None = None  # the phase under way


@dataclass(frozen=True, slots=True)
class Form:
    """A form of file."""

    id: str
    name: str
    files: str  # what such files are called
    carried: str  # what becomes of their contents: carried over,
    derived: str  # worked out,
    lost: str  # or lost
    fits: Callable[[Source], object]  # recognises a document by its content
    drafts: Callable[[Source], Iterable[Draft | Variant]] | None = None  # yields its variants
    games: Callable[[Source], Iterable[RecordedGame]] | None = None  # yields its recorded games
    joined: bool = False  # several files make one game
    write_game: Callable[[Game, str, str], Exported] | None = None  # writes a named game as a viewer may see it
    write_variant: Callable[[Variant], Exported] | None = None  # writes a variant

    @property
    def words(self) -> dict[str, str]:
        """The words about the form, by field, and whether it is read, written, or both."""
        words = {key: getattr(self, key) for key in ("id", "name", "files", "carried", "derived", "lost")}
        read, written = bool(self.drafts or self.games), bool(self.write_game or self.write_variant)
        return words | {"use": " and ".join(["read"] * read + ["written"] * written)}


@cache
def brought_forms() -> tuple[Form, ...]:
    """Return the forms of other packages; raises `GamesmasterError` for one that cannot be loaded."""
    return tuple(load(entry, "form", Form) for entry in brought("formats").values())
