"""Variants as values: a board, the powers and their start, a calendar, an end; and the edition they are read from.

`find_variant` has the variants of the package, `read_variant` reads the folder of any other.  An edition is all that a
variant is at one time, as the texts of its files, in one small archive: a game is played and shown for ever by the one
with which it was begun.  The archive is JSON (`{"format": 1, "files": {"variant.toml": ...}}`), compressed with gzip,
and the same for the same files.  It may come from a stranger: how large it is, and becomes, is bounded, only files of
known names may be in it, and nothing of it is ever written to a disk or run.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from gamesmaster import strictjson
from gamesmaster.board import Board, Position, Value
from gamesmaster.errors import BadFile, NotFound, must_be, nearest
from gamesmaster.orders import STANDARD_KINDS
from gamesmaster.rules import USUAL, BuildSites, Clauses, Mechanic
from gamesmaster.strictjson import fields, text
from gamesmaster.variant.calendar import Calendar

VARIANT = "variant.toml"
"""The file of a variant's folder that describes the variant."""
BOARD = "board.json"
"""The file of its board."""
SHAPES = "shapes.json"
"""The file of the drawing of its board."""
RULES = "RULES.md"
"""The file of its rules in words."""
BASE = "base.toml"
"""The `variant.toml` of the variant that this one is based on."""
FILES = (VARIANT, BOARD, SHAPES, RULES, BASE)
"""The files of an edition; the first two are required."""
FOREIGN = "foreign.json"
"""The only file in the edition of a board that another program has exported; `gamesmaster.formats` reads it."""
FORMAT = 1
LARGEST_EDITION = 2 * 1024 * 1024
"""Bytes of an edition, compressed; a larger one is refused."""
LARGEST_WHOLE = 8 * 1024 * 1024  # bytes, unpacked
_DEEPEST = 3
_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Edition:
    """The texts of a variant's files, by their names; `where` says where they come from, for complaints.

    One that is `shipped` lies in the package, and every installation of this or a later release has it.
    """

    files: tuple[tuple[str, str], ...]
    where: str = field(default="", compare=False)
    shipped: bool = field(default=False, compare=False)

    @classmethod
    def unpack(cls, data: bytes, where: str = "", *, shipped: bool = False) -> Edition:
        """Return the edition in an archive; raises `BadFile` for any other data, or an archive that is too large."""
        if len(data) > LARGEST_EDITION:
            raise BadFile(f"larger than {LARGEST_EDITION:,} bytes", where=where)
        opened = zlib.decompressobj(_GZIP)
        try:
            whole = opened.decompress(data, LARGEST_WHOLE + 1)
        except zlib.error as error:
            raise BadFile(f"not an edition of a variant: {error}", where=where) from None
        if not opened.eof or opened.unused_data:
            what = (
                f"more than {LARGEST_WHOLE:,} bytes unpacked" if len(whole) > LARGEST_WHOLE else "cut off or added to"
            )
            raise BadFile(f"not an edition of a variant: {what}", where=where)
        try:
            return cls(_files(strictjson.loads(whole, limit=LARGEST_WHOLE, depth=_DEEPEST)), where, shipped)
        except BadFile as fault:
            raise BadFile(fault.what, where=", ".join(filter(None, (where, fault.where))), hint=fault.hint) from None

    def pack(self) -> bytes:
        """Return the archive; raises `BadFile` if it would be too large."""
        document = json.dumps({"format": FORMAT, "files": dict(self.files)}, ensure_ascii=False, separators=(",", ":"))
        whole = document.encode()
        data = gzip.compress(whole, 9, mtime=0)
        if len(whole) > LARGEST_WHOLE or len(data) > LARGEST_EDITION:
            raise BadFile(
                f"an edition of more than {LARGEST_EDITION:,} bytes, and could not be read again", where=self.where
            )
        return data

    def text(self, name: str) -> str:
        """Return the text of one of the files, empty if it is not in the edition."""
        return dict(self.files).get(name, "")

    def place(self, name: str) -> str:
        """Return the path of that file, for complaints."""
        return str(Path(self.where) / name)


def _files(data: object) -> tuple[tuple[str, str], ...]:
    """Return the files in the JSON of an archive."""
    top = fields(data, (), "format files")
    if top["format"] != FORMAT:
        raise BadFile(f"this is not an edition of format {FORMAT}", where="$.format")
    own = not (isinstance(top["files"], dict) and FOREIGN in top["files"])
    contents = fields(top["files"], ("files",), *((" ".join(FILES[:2]), " ".join(FILES[2:])) if own else (FOREIGN, "")))
    return tuple(sorted((name, text(content, ("files", name))) for name, content in contents.items()))


MOST_POWERS = 100
"""Powers of a variant."""
ADDRESS_LETTERS = 16  # of a digest, in the address of an edition


@dataclass(frozen=True, slots=True)
class Power:
    """A power: `homes` are its home centres, `provinces` its home provinces, `units` what it starts with (`A BUD`).

    `plural` says whether its name is a plural, as that of the Moors is; `also` are other names for it.  `colour` and
    `letter` are what maps show it by, "" for the usual.
    """

    name: str
    adjective: str
    homes: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    plural: bool = False
    also: tuple[str, ...] = ()
    colour: str = ""
    letter: str = ""


LastYear: TypeAlias = Literal["most centres", "survivors share"]
"""Who wins at the end of the last year: those with most centres, or the survivors share a draw."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead that wins: this many `centres` more than every other power, in each turn `falls` fewer, at least 1."""

    centres: int
    falls: int = 0

    def needed(self, turn: int) -> int:
        """Return the lead that wins in a turn of the calendar, the first being 0."""
        return max(1, self.centres - self.falls * turn)


@dataclass(frozen=True, slots=True)
class Victory:
    """A power wins with this many centres, or units, or either of them, when a year is complete (STD-2.a).

    `of` gives single powers another number (TAD-9.b), `units` is the number of units that wins, 0 if it is that of the
    centres.  `when` says when: units after a Winter, and centres at the year's `count`, or, like units, when the
    `winter` is complete (IND-10.b).  When no more than `last` powers remain at a count, the game ends and those with
    most centres have won (TAD-9.d); 0 leaves that out.  A `lead` in centres wins, too (STD-2.d).  The first count in or
    after the `last_year` ends the game, and `then` says how (STD-2.e).
    """

    centres: int
    count: Literal["centres", "units", "either"] = "centres"
    of: Mapping[str, int] = field(default_factory=dict)
    last: int = 0
    when: Literal["count", "winter"] = "count"
    units: int = 0
    lead: Lead | None = None
    last_year: int | None = None
    then: LastYear = "most centres"

    def target(self, power: str) -> int:
        """Return how many centres this power needs to win."""
        return self.of.get(power, self.centres)

    def unit_target(self, power: str) -> int:
        """Return how many units this power needs to win."""
        return self.units or self.target(power)

    @property
    def both(self) -> bool:
        """True if centres and units count for victory at the same time.

        More centres then go before more units (SCO-15.c).
        """
        return self.count == "either" and self.when == "winter"


@dataclass(frozen=True, slots=True)
class Option:
    """Something the Gamesmaster may choose before the first move: its `choices`, and the one that holds otherwise.

    A game with a choice is named `cline9[turkey=fleet-smyrna]`.
    """

    name: str
    says: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True, eq=False)
class Variant(Value):
    """A game that can be played."""

    id: str  # with the choices that are not the variant's own: `cline9[turkey=fleet-smyrna]`
    name: str
    board: Board
    powers: tuple[Power, ...]
    start: Position
    calendar: Calendar
    victory: Victory
    build_sites: BuildSites = BuildSites.OWN_HOMES
    rulebook: str | Mapping[str, object] = "datc"  # a preset's name, or choices, as `Rulebook.of` reads them
    options: tuple[Option, ...] = ()  # all that there are
    mechanics: tuple[Mechanic, ...] = ()  # what it changes in the regular rules
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: STANDARD_KINDS)
    digest: str = ""  # the SHA-256 of what the rules depend on: variants with the same digest play alike
    board_of: str = ""  # the variant beside it whose board and shapes it shares
    clauses: Clauses = USUAL  # those of its own rulebook that rulings and events cite
    house_rules: str | Mapping[str, object] = "standard"  # a game's defaults, as `HouseRules.of` reads them
    edition: Edition | None = field(default=None, repr=False, compare=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Return a hash.

        A variant that is changed in a program keeps its digest, so the digest is not all that counts.
        """
        return hash((self.id, self.digest, *(mechanic.id for mechanic in self.mechanics)))

    @property
    def family(self) -> str:
        """The variant's id without its options."""
        return self.id.partition("[")[0]

    @property
    def address(self) -> str:
        """The id with the beginning of the digest: it names this edition for ever (`find_edition` reads it)."""
        return f"{self.id}@{self.digest[:ADDRESS_LETTERS]}"

    def power(self, name: str) -> Power:
        """Return the power of this name, in any case of letters; raises `NotFound` with the nearest.

        Its adjective and other names mean it too, where no power is called so.
        """
        must_be(str, name, "the name of a power")
        words = ((word, power) for power in self.powers for word in (power.adjective, *power.also))
        known = {word.casefold(): power for word, power in words}
        known |= {power.name.casefold(): power for power in self.powers}
        if name.casefold() not in known:
            raise NotFound(f"no power {name[:80]!r} in {self.name}", hint=nearest(name, (p.name for p in self.powers)))
        return known[name.casefold()]

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """Power to the ids of its home centres."""
        return MappingProxyType({power.name: power.homes for power in self.powers})
