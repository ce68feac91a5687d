"""The rules in force: all that the judge must know of a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from gamesmaster.board import Board
from gamesmaster.board.value import Value
from gamesmaster.judge.rulebook import Rulebook
from gamesmaster.judge.values import USUAL, AnyCause, AnyEvent, Clauses, Mechanic, causes_with, events_with
from gamesmaster.orders import STANDARD_KINDS, Notation

P = ParamSpec("P")
R = TypeVar("R")

K = TypeVar("K")
V = TypeVar("V")

MOST_REMEMBERED = 50_000
"""Things kept in memory of one sort; when full, all are forgotten and begun afresh."""


class Made(dict[K, V]):
    """What has been made, by what it was made of; anything else is made when it is looked up."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self.make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[key] = made = self.make(key)
        return made


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
    a variant and share it: what is derived from it is made once.  `mechanics` are asked in their order.  `kinds` are
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
            raise TypeError(f"expected a Variant, as find_variant finds it, not {variant[:40]!r}")
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

    @cached_property
    def causes(self) -> Mapping[str, AnyCause]:
        """Every cause there is under these rules, by its word (`stood_off`)."""
        return causes_with(self.mechanics)

    @cached_property
    def events(self) -> Mapping[str, AnyEvent]:
        """Every kind of event there is under these rules, by its word in files."""
        return events_with(self.mechanics)

    def asked(self, hook: Callable[Concatenate[Any, P], R]) -> tuple[Callable[P, R], ...]:
        """What the mechanics have to say at this point, in their order: those of their methods that override `hook`."""
        return self._hooks[hook]

    @cached_property
    def _hooks(self) -> Made[Callable[..., Any], tuple[Callable[..., Any], ...]]:
        return Made(self._overriding)

    def _overriding(self, hook: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
        name = hook.__name__
        return tuple(getattr(m, name) for m in self.mechanics if getattr(type(m), name, hook) is not hook)

    def derived(self, kind: Callable[[Rules], R]) -> R:
        """What somebody has made of these rules, once, to look things up in: `rules.derived(OrderReader)`.

        It is made when first asked for, and belongs to this object, not to its value.
        """
        made: R = self._derived[kind]
        return made

    @cached_property
    def _derived(self) -> Made[Callable[[Rules], Any], Any]:
        return Made(self._make)

    def _make(self, kind: Callable[[Rules], R]) -> R:
        return kind(self)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Power to its number, from 1."""
        return {power: i for i, power in enumerate(self.powers, 1)}
