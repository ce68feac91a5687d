"""Names above everything: in the phases of whole games on every board, no order crosses a name or a code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from gamesmaster.game import Variant, find_variant, variant_names
from gamesmaster.pictures import STYLES, Picture
from gamesmaster.pictures.find import shapes_of
from gamesmaster.pictures.flipbook import Leaf, leaves_of
from tests.game.conftest import replayed
from tests.game.test_playthrough import played
from tests.pictures.crossings import Painted, painted

CASES = [(name, layout) for name in variant_names() for layout in ("wide", "narrow")]
PHASES = 20


@cache
def phases(name: str) -> Sequence[Leaf]:
    """Twenty phases with orders, from the first to the last, of the game of a variant that is kept."""
    game = replayed() if name == "standard" else played(name)
    told = [leaf for leaf in leaves_of(game) if len(leaf.rulings) > 5]
    return [told[len(told) * n // PHASES] for n in range(PHASES)]


def drawn(variant: Variant, leaf: Leaf, layout: str, style: str) -> Painted:
    """A phase as it is painted."""
    picture = Picture(variant.board, shapes_of(variant), variant.powers, style=style, layout=layout)
    return painted(picture.svg(leaf.position, rulings=leaf.rulings, marks=leaf.marks, looks=leaf.looks))


@pytest.mark.parametrize(("name", "layout"), CASES)
def test_no_order_crosses_a_name(name: str, layout: str) -> None:
    """No stroke of an order is painted through the middle of a name or a code, and all names have a strong halo."""
    variant, leaves = find_variant(name), phases(name)
    for number, leaf in enumerate(leaves):
        found = drawn(variant, leaf, layout, STYLES[number % len(STYLES)])
        assert list(found.over()) == []
        assert min(found.halos) >= 0.85
    orders = drawn(variant, leaves[PHASES // 2], layout, "light").strokes
    assert len(orders) > 20
    assert all(drawn(variant, leaves[PHASES // 2], layout, style).strokes == orders for style in STYLES)
