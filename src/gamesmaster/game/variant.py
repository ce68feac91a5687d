"""Variants: a board, the powers and their start, a calendar, an end; all of it data.

`find_variant` has those of the package, `read_variant` reads the folder of any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from gamesmaster.board.model import Board
from gamesmaster.board.position import Position
from gamesmaster.board.value import Value
from gamesmaster.errors import NotFound, nearest
from gamesmaster.game.calendar import Calendar
from gamesmaster.game.edition import Edition
from gamesmaster.judge import Mechanic
from gamesmaster.judge.rules import BuildSites
from gamesmaster.judge.values import USUAL, Clauses
from gamesmaster.orders.notation import STANDARD_KINDS

MOST_POWERS = 100
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


@dataclass(frozen=True, slots=True)
class Victory:
    """A power wins with this many centres, or units, or either of them, when a year is complete (STD-2.a).

    `of` gives single powers another number (TAD-9.b), `units` is the number of units that wins, 0 if it is that of the
    centres.  `when` says when: units after a Winter, and centres at the year's `count`, or, like units, when the
    `winter` is complete (IND-10.b).  When no more than `last` powers remain at a count, the game ends and those with
    most centres have won (TAD-9.d); 0 leaves that out.
    """

    centres: int
    count: Literal["centres", "units", "either"] = "centres"
    of: Mapping[str, int] = field(default_factory=dict)
    last: int = 0
    when: Literal["count", "winter"] = "count"
    units: int = 0

    def needed(self, power: str) -> int:
        """How many centres this power must have to win."""
        return self.of.get(power, self.centres)

    def needed_units(self, power: str) -> int:
        """How many units this power must have to win."""
        return self.units or self.needed(power)


@dataclass(frozen=True, slots=True)
class Option:
    """Something the Gamesmaster may choose before the first move: its `choices`, and the one that holds otherwise."""

    name: str
    says: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True, eq=False)
class Variant(Value):
    """A game that can be played.

    `rulebook` is what the judge's `Rulebook.of` reads: a preset's name, or choices.  `digest` is the SHA-256 of what
    the rules depend on, in hexadecimal: two variants with the same digest play alike.  `id` names the choices that are
    not the variant's own, `cline9[turkey=fleet-smyrna]`; `options` are all there are.  `mechanics` are what it
    changes in the regular rules, `kinds` the words for its kinds of unit, by letter.  `board_of` names the variant
    beside it whose board and shapes it shares, empty for its own.  `clauses` are those of its own rulebook that rulings
    and events cite.  `house_rules` are those of a game of it if nobody says otherwise, as `HouseRules.of` reads them.
    """

    id: str
    name: str
    board: Board
    powers: tuple[Power, ...]
    start: Position
    calendar: Calendar
    victory: Victory
    build_sites: BuildSites = BuildSites.OWN_HOMES
    rulebook: str | Mapping[str, object] = "datc"
    options: tuple[Option, ...] = ()
    mechanics: tuple[Mechanic, ...] = ()
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: STANDARD_KINDS)
    digest: str = ""
    board_of: str = ""
    clauses: Clauses = USUAL
    house_rules: str | Mapping[str, object] = "standard"
    edition: Edition | None = field(default=None, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash((self.id, self.digest))

    @property
    def family(self) -> str:
        """The variant's id without its options."""
        return self.id.partition("[")[0]

    @property
    def address(self) -> str:
        """The id with the beginning of the digest: it names this edition for ever (`find_edition` reads it)."""
        return f"{self.id}@{self.digest[:ADDRESS_LETTERS]}"

    def power(self, name: str) -> Power:
        """The power of this name, in any case of letters; raises `NotFound` with the nearest.

        Its adjective and other names mean it too, where no power is called so.
        """
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
