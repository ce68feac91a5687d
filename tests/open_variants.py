"""The variants of the package by what sets them apart: sight, and rules of their own."""

from __future__ import annotations

from functools import cache

from gamesmaster.rules import Rules, limits_sight
from gamesmaster.variant import find_variant, variant_names

AT_THE_TABLE = frozenset({"1900", "asia1870", "welfare"})
"""Variants with mechanics that batches and environments refuse, with the reason."""


def open_variants() -> tuple[str, ...]:
    """Return the names of the variants that programs without views of their own can play: batches, environments."""
    names = (name for name in variant_names() if name not in AT_THE_TABLE)
    return tuple(name for name in names if not limits_sight(Rules.of(find_variant(name))))


@cache
def plain_variants() -> frozenset[str]:
    """Return the names of the variants that play by the regular rules on a board or with powers of their own."""
    regular = find_variant("standard").rulebook
    alike = (v.id for v in map(find_variant, variant_names()) if not v.mechanics and v.rulebook == regular)
    return frozenset(alike) - {"standard"}


def ruled_variants() -> tuple[str, ...]:
    """Return the names of the regular game and of all variants with rules of their own."""
    return tuple(name for name in variant_names() if name not in plain_variants())
