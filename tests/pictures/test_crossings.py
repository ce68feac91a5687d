"""Names above everything: in the phases of whole games on every board, no order crosses a name or a code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from gamesmaster.pictures import STYLES, Look, Picture
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.pictures.snapshot import Snapshot, snapshots_of
from gamesmaster.variant import find_variant
from tests.game.conftest import replayed
from tests.game.test_playthrough import played
from tests.lengths import mark_long
from tests.open_variants import ruled_variants
from tests.pictures.crossings import Painted, painted

PHASES = 20
GAMES = [name for name in ruled_variants() if name not in ("blind", "fog")]
"""Variants, without those on the board of another whose games have few supports."""
Arrow = tuple[int, str]
"""A phase by its number, and the id of an order."""


@cache
def phases(name: str) -> Sequence[Snapshot]:
    """Twenty phases with orders, from the first to the last, of the game of a variant that is kept."""
    game = replayed() if name == "standard" else played(name)
    told = [shown for shown in snapshots_of(game) if len(shown.rulings) > 5]
    return [told[len(told) * n // PHASES] for n in range(PHASES)]


@cache
def picture(name: str, layout: str, style: str) -> Picture:
    """The map of a variant: its base is drawn once for all phases."""
    variant = find_variant(name)
    return Picture(variant.board, shapes_of(variant), variant.powers, Look(style=style, layout=layout))


def drawn(name: str, leaf: Snapshot, layout: str, style: str) -> Painted:
    """A phase as it is painted."""
    svg = picture(name, layout, style).svg(
        Snapshot(leaf.position, rulings=leaf.rulings, marks=leaf.marks, looks=leaf.looks)
    )
    return painted(svg)


@dataclass(frozen=True)
class Tally:
    """Of the arrows of a game: how many there are, how many run beneath a name, how many end beneath letters.

    Of its supports: how many there are, and how many run beneath a name, with their rings.
    """

    arrows: int
    under: int
    ends: int
    supports: int
    hidden: int


def tally(name: str, layout: str) -> Tally:
    """The arrows of a game in one width; no order crosses a name, and all names have a strong halo."""
    arrows, under, ends = set[Arrow](), set[Arrow](), set[Arrow]()
    supports, hidden = set[Arrow](), set[Arrow]()
    for number, leaf in enumerate(phases(name)):
        found = drawn(name, leaf, layout, STYLES[number % len(STYLES)])
        assert list(found.over()) == []
        assert min(found.halos) >= 0.85
        arrows |= {(number, stroke.order) for stroke in found.strokes if stroke.kind in ("M", "R")}
        under |= {(number, order) for _, order in found.beneath("MRF")}
        ends |= {(number, order) for _, order in found.beneath("FB")}
        supports |= {(number, stroke.order) for stroke in found.strokes if stroke.verb == "support"}
        hidden |= {(number, order) for _, order in found.beneath("SCOFV")}
    return Tally(len(arrows), len(arrows & under), len(arrows & ends), len(supports), len(supports & hidden))


@pytest.mark.parametrize("layout", mark_long(["wide", "narrow"], but=("wide",)))
def test_names_are_above_everything(layout: str) -> None:
    """No stroke of an order is painted through the middle of a name or a code, and all names have a strong halo.

    Nor do arrows and supports run beneath the middle of a name: of a hundred at most two, and on no board more than
    four, where there is no way round.  Arrows do not end beneath letters: of a hundred heads and bars not two.
    """
    tallies = {name: tally(name, layout) for name in GAMES}
    for name, found in tallies.items():
        assert found.arrows > 100
        assert (name, found.under) <= (name, 0.04 * found.arrows)
        assert found.supports > 80
        assert (name, found.hidden) <= (name, 0.04 * found.supports)
        assert (name, found.ends) < (name, 0.02 * found.arrows)
    assert sum(found.under for found in tallies.values()) <= 0.02 * sum(found.arrows for found in tallies.values())
    assert sum(found.hidden for found in tallies.values()) <= 0.02 * sum(found.supports for found in tallies.values())


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_in_every_style_alike(layout: str) -> None:
    """The lines of orders are the same in all styles, so that what holds of one holds of them all."""
    leaf = phases("standard")[PHASES // 2]
    orders = drawn("standard", leaf, layout, "light").strokes
    assert len(orders) > 20
    assert all(drawn("standard", leaf, layout, style).strokes == orders for style in STYLES)
