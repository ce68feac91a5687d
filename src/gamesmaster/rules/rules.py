"""The rules in force: a board, its powers, a rulebook, and the mechanics of a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from gamesmaster.board import Board, Value
from gamesmaster.errors import NotFound, nearest
from gamesmaster.orders import STANDARD_KINDS, AnyVerb, Notation
from gamesmaster.rules.rulebook import Rulebook
from gamesmaster.rules.values import USUAL, Clauses, Mechanic

P = ParamSpec("P")
R = TypeVar("R")

K = TypeVar("K")
V = TypeVar("V")

MOST_REMEMBERED = 50_000
"""Things kept in memory of one sort; when full, all are forgotten and begun afresh."""
MOST_NOTATIONS = 32
"""Readers of orders that are kept for rules to share, those used last."""


class Made(dict[K, V]):
    """A cache that makes a missing value from its key when it is looked up, and is emptied when it is full."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self.make = make

    def __missing__(self, key: K) -> V:
        return self.keep(key, self.make(key))

    def keep(self, key: K, made: V) -> V:
        """Remember what was made, and return it."""
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[key] = made
        return made


class BuildSites(StrEnum):
    """The rule for where a power may build."""

    OWN_HOMES = "own home centers"
    ANY_HOME = "any owned home center of any power"
    ANY_OWNED = "any owned supply center"


class PowerLike(Protocol):
    """The properties of a power that the rules use."""

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
    """The properties of a variant that the rules use."""

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
        """The rule for where its powers build."""
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
        """Its changes to the regular rules."""
        ...

    @property
    def clauses(self) -> Clauses:
        """The reasons of the variant and its mechanics, with the clauses of its own rulebook."""
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
        """Return the rules of a variant, under its own rulebook or another; raises `TypeError` for any other object."""
        if not hasattr(variant, "board"):
            raise TypeError(f"expected a Variant, as find_variant finds it, not {variant!r:.60}")
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
        """The reader and printer of orders on this board; other rules with the same words share it."""
        words = tuple((power, tuple(self.adjectives.get(power, ()))) for power in self.powers)
        kinds = tuple((kind, tuple(said)) for kind, said in self.kinds.items())
        return _notation(self.board, words, kinds, self.carried_words, self.nobodies, self.verbs)

    @cached_property
    def wording(self) -> Clauses:
        """Return the wording of reasons: the variant's, else its mechanics', else the usual one."""
        known = self.clauses
        for mechanic in self.mechanics:
            known = known.over(mechanic.sayings())
        return known.over(USUAL)

    @cached_property
    def nobodies(self) -> tuple[str, ...]:
        """Names by which orders speak of units that no power has."""
        return tuple(dict.fromkeys(name for mechanic in self.mechanics for name in mechanic.nobodies()))

    @cached_property
    def verbs(self) -> tuple[AnyVerb, ...]:
        """The verbs that mechanics add to the regular ones."""
        return tuple(dict.fromkeys(verb for mechanic in self.mechanics for verb in mechanic.verbs))

    @cached_property
    def carried_words(self) -> tuple[str, ...]:
        """Words for what units make and carry beside themselves, none if they carry nothing."""
        return tuple(word for mechanic in self.mechanics for word in mechanic.carried_words())

    def power(self, name: str) -> str:
        """Return the power that a name means: its own, its adjective or another, in any case and without accents.

        Raises `NotFound` for any other word.
        """
        meant = name if name in self.numbers else self.notation.power(name)
        if meant not in self.numbers:
            raise NotFound(f"no power {name[:60]!r}", hint=nearest(name, self.powers))
        return meant

    def hooks(self, hook: Callable[Concatenate[Any, P], R]) -> tuple[Callable[P, R], ...]:
        """Return the methods of the mechanics that override `hook`, in the order of the mechanics."""
        return self._hooks[hook]

    @cached_property
    def _hooks(self) -> Made[Callable[..., Any], tuple[Callable[..., Any], ...]]:
        return Made(self._overriding)

    def _overriding(self, hook: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
        name = hook.__name__
        return tuple(getattr(m, name) for m in self.mechanics if getattr(type(m), name, hook) is not hook)

    def derive(self, kind: Callable[[Rules], R]) -> R:
        """Return what `kind` makes of these rules, a lookup such as `rules.derive(OrderReader)`.

        It is made at the first call, and belongs to this object, not to its value.
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


_Words = tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=MOST_NOTATIONS)
def _notation(
    board: Board, powers: _Words, kinds: _Words, carried: tuple[str, ...], nobodies: tuple[str, ...],
    verbs: tuple[AnyVerb, ...],
) -> Notation:  # fmt: skip
    return Notation(board, dict(powers), dict(kinds), carried, nobodies, verbs)
