"""The variants of the package in which every player sees the whole board."""

from __future__ import annotations

from gamesmaster.rules import Rules, limits_sight
from gamesmaster.variant import find_variant, variant_names


def open_variants() -> tuple[str, ...]:
    """Return the names of the variants that programs without views of their own can play: batches, environments."""
    return tuple(name for name in variant_names() if not limits_sight(Rules.of(find_variant(name))))
