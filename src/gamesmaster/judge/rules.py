"""The rules in force: all that the judge must know of a variant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from gamesmaster.board import Board
from gamesmaster.board.value import Value
from gamesmaster.judge.rulebook import Rulebook
from gamesmaster.judge.ruling import USUAL, Clauses
from gamesmaster.orders import STANDARD_KINDS, Notation

if TYPE_CHECKING:
    from gamesmaster.judge.clerk import Clerk
    from gamesmaster.judge.mechanic import Mechanic
    from gamesmaster.judge.states import StateCheck


class BuildSites(StrEnum):
    """Where a power may build."""

    OWN_HOMES = "own home centers"
    ANY_HOME = "any owned home center of any power"
    ANY_OWNED = "any owned supply center"


class PowerLike(Protocol):
    """What the rules want to know of a power."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def adjective(self) -> str:
        """As in `a French army`."""
        ...

    @property
    def also(self) -> Sequence[str]:
        """Other names for it."""
        ...

    @property
    def homes(self) -> Sequence[str]:
        """Its home centres."""
        ...

    @property
    def provinces(self) -> Sequence[str]:
        """Its home provinces."""
        ...


class VariantLike(Protocol):
    """What the rules want to know of a variant."""

    @property
    def board(self) -> Board:
        """Its board."""
        ...

    @property
    def powers(self) -> Sequence[PowerLike]:
        """Its powers."""
        ...

    @property
    def build_sites(self) -> BuildSites:
        """Where its powers build."""
        ...

    @property
    def rulebook(self) -> str | Mapping[str, object]:
        """Its rulebook, by name or by choices."""
        ...

    @property
    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Words for its kinds of unit, by letter."""
        ...

    @property
    def mechanics(self) -> Sequence[Mechanic]:
        """What it changes in the regular rules."""
        ...

    @property
    def clauses(self) -> Clauses:
        """What is cited from its own rulebook."""
        ...


@dataclass(frozen=True, eq=False)
class Rules(Value):
    """A board, its powers, where they build, and the rulebook.

    `homes` are a power's home centres, `home_provinces` all its home provinces (4.D.8 b asks for them).  Make one for
    a variant and share it: it remembers the texts it has read.  `mechanics` are asked in their order.  `kinds` are
    words for the kinds of unit, by letter.  `clauses` are how the variant's own rulebook has reasons told.
    """

    board: Board
    powers: tuple[str, ...]
    homes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    home_provinces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    build_sites: BuildSites = BuildSites.OWN_HOMES
    rulebook: Rulebook = field(default_factory=Rulebook)
    adjectives: Mapping[str, Iterable[str]] = field(default_factory=dict)
    mechanics: tuple[Mechanic, ...] = ()
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: STANDARD_KINDS)
    clauses: Clauses = USUAL

    def __hash__(self) -> int:
        return hash((self.board, self.powers, self.build_sites, self.rulebook))

    @classmethod
    def of(cls, variant: VariantLike, rulebook: Rulebook | str | Mapping[str, object] | None = None) -> Rules:
        """The rules of a variant, under its own rulebook or another; raises `TypeError` for what is no variant."""
        if isinstance(variant, str):
            raise TypeError(f"wanted is a Variant, as find_variant finds it, not {variant[:40]!r}")
        return cls(
            board=variant.board,
            powers=tuple(p.name for p in variant.powers),
            homes={p.name: tuple(p.homes) for p in variant.powers},
            home_provinces={p.name: tuple(p.provinces) for p in variant.powers},
            build_sites=variant.build_sites,
            rulebook=Rulebook.of(variant.rulebook if rulebook is None else rulebook),
            adjectives={p.name: (p.adjective, *p.also) for p in variant.powers},
            mechanics=tuple(variant.mechanics),
            kinds=variant.kinds,
            clauses=variant.clauses,
        )

    @cached_property
    def notation(self) -> Notation:
        """The reader and printer of orders on this board."""
        words = {power: tuple(self.adjectives.get(power, ())) for power in self.powers}
        return Notation(self.board, words, self.kinds, self.boats, self.nobodies)

    @cached_property
    def told(self) -> Clauses:
        """How reasons are told: as the variant has it, else as its mechanics have, else as usual."""
        known = self.clauses
        for mechanic in self.mechanics:
            known = known.over(mechanic.sayings())
        return known.over(USUAL)

    @cached_property
    def nobodies(self) -> tuple[str, ...]:
        """Names by which orders speak of units that no power has."""
        return tuple(dict.fromkeys(name for mechanic in self.mechanics for name in mechanic.nobodies()))

    @cached_property
    def boats(self) -> tuple[str, ...]:
        """Words for the boats that units build and carry, none if there are none."""
        return tuple(word for mechanic in self.mechanics for word in mechanic.boats())

    def asked(self, hook: str) -> tuple[Mechanic, ...]:
        """The mechanics that have something to say at this point (the name of a method of `Mechanic`)."""
        return self._asked[hook]

    @cached_property
    def _asked(self) -> Mapping[str, tuple[Mechanic, ...]]:
        from gamesmaster.judge.mechanic import Mechanic

        hooks = [name for name, value in vars(Mechanic).items() if callable(value) and not name.startswith("_")]
        return {
            hook: tuple(m for m in self.mechanics if getattr(type(m), hook) is not getattr(Mechanic, hook))
            for hook in hooks
        }

    @cached_property
    def clerk(self) -> Clerk:
        """Who reads the texts, and remembers them."""
        from gamesmaster.judge.clerk import Clerk

        return Clerk(self)

    @cached_property
    def states(self) -> StateCheck:
        """Who checks what mechanics have kept."""
        from gamesmaster.judge.states import StateCheck

        return StateCheck(self)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Power to its number, from 1."""
        return {power: i for i, power in enumerate(self.powers, 1)}
