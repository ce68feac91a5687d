"""The colours of powers: the same in every variant, by name, unless a variant has another wish."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import combinations
from math import dist
from pathlib import Path
from typing import get_args

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.pictures import Snapshot
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.powers import Heraldry, neighbours_of, paints_of
from gamesmaster.pictures.shapes.files import board_folder, shapes_of
from gamesmaster.pictures.style import KNOWN, NAMES, style_of
from gamesmaster.variant import find_variant, read_variant, variant_names
from gamesmaster.variant.file_models import Colour
from tests.pictures.test_style import lab

STANDARD = find_variant("standard")
TWELVE = [f"P{n}" for n in range(len(NAMES))]


def colours(*powers: str) -> list[str]:
    """The names of the colours of powers that meet in one game."""
    return [NAMES[paint % len(NAMES)] for paint in paints_of(powers)]


@pytest.mark.parametrize("variant", variant_names())
def test_a_power_has_its_colour_in_every_variant(variant: str) -> None:
    """Each power of each game has its own colour or that of its name, and nobody else of twelve has it."""
    powers = find_variant(variant).powers
    found = [NAMES[paint % len(NAMES)] for paint in paints_of(powers)]
    assert found == [power.colour or KNOWN[power.name] for power in powers]
    assert len(set(found)) == min(len(powers), len(NAMES))


def test_no_colour_is_meant_that_there_is_not() -> None:
    """The table and the files of variants know the colours of the palette."""
    assert set(KNOWN.values()) <= set(NAMES)
    assert get_args(Colour) == ("", *NAMES)


@pytest.mark.parametrize("variant", variant_names())
def test_neighbours_never_share_a_hue(variant: str) -> None:
    """Powers whose homes touch are 20 apart in CIELAB by their plates, and have different patterns."""
    found = find_variant(variant)
    heraldry, neighbours = Heraldry(found.powers, style_of("light")), neighbours_of(found.board)
    assert neighbours or variant in ("1900", "ancmed", "conquest2", "eurasia1901")  # whose homes lie apart
    playing = {power.name for power in found.powers}
    for power in neighbours.keys() & playing:
        for other in neighbours[power] & playing:
            mine, theirs = heraldry[power].paint, heraldry[other].paint
            assert dist(lab(mine.plate), lab(theirs.plate)) >= 20, (power, other)
            assert mine.pattern != theirs.pattern


def test_the_wish_of_a_variant_goes_first() -> None:
    """A power with a colour of its own keeps it; whose colour that usually is, takes a free one."""
    austria, england, *rest = STANDARD.powers
    wished = [replace(austria, colour="dark blue", letter="Hbg"), england, *rest]
    heraldry = Heraldry(wished, style_of("light"))
    assert [NAMES[paint] for paint in paints_of(wished)] == [
        "dark blue", "red", "light blue", "brown", "green", "white", "yellow",
    ]  # fmt: skip
    assert heraldry["Austria"].letters == "Hbg"
    assert heraldry["England"].letters == "E"


def test_unknown_powers_take_what_is_free() -> None:
    """Names that the table does not have leave known ones their colours, and have all different ones up to twelve."""
    assert colours("Atlantis", "Austria", "Mu") == ["dark blue", "red", "light blue"]
    assert colours("Turkey", "Spain") == ["yellow", "red"]
    assert colours(*TWELVE) == list(NAMES)


def test_colours_return_far_from_home() -> None:
    """The thirteenth power has a colour again, in another pattern, but not that of a neighbour."""
    powers = [*TWELVE, "Q", "R"]
    near = {"Q": {"P0", "P1"}, "R": {"P2"}}
    assert paints_of(powers, near)[12:] == [12 + 2, 12 + 0]
    assert paints_of(powers)[12:] == [12 + 0, 12 + 1]
    for style in ("light", "dark", "print"):
        paints = [bearer.paint for bearer in Heraldry(powers, style_of(style)).bearers]
        assert all(one != other for one, other in combinations(paints, 2))


def test_the_file_of_a_variant_says_so(tmp_path: Path) -> None:
    """`colour` and `letter` are read, drawn and checked, and decide nothing: the game is the same."""
    folder = tmp_path / "standard"
    shutil.copytree(board_folder("standard"), folder)
    file = folder / "variant.toml"
    text = file.read_text(encoding="utf-8").replace('"Austria"', '"Austria"\ncolour = "pink"\nletter = "Hb"', 1)
    file.write_text(text, encoding="utf-8")
    variant = read_variant(folder)
    assert variant.digest == STANDARD.digest
    svg = Picture(variant.board, shapes_of(STANDARD), variant.powers).svg(Snapshot(variant.start))
    assert ">Hb</text>" in svg
    assert style_of("light").paints[NAMES.index("pink")].plate in svg
    file.write_text(text.replace("pink", "puce"), encoding="utf-8")
    with pytest.raises(BadFile, match="colour"):
        read_variant(folder)
