"""Widths of texts: the table against the font it came from."""

import doctest
from pathlib import Path

import pytest

from gamesmaster.pictures import svg
from gamesmaster.pictures.svg import text_width


def test_the_examples_run() -> None:
    """What the description says is so."""
    assert doctest.testmod(svg).failed == 0


@pytest.mark.parametrize(("face", "bold"), [("Regular", False), ("Bold", True)])
def test_every_letter_is_as_wide_as_in_the_font(face: str, bold: bool) -> None:
    """Basic Latin, Latin-1 and Latin Extended-A, quotes and dashes have the font's own advance widths."""
    font_roboto = pytest.importorskip("font_roboto")
    from fontTools.ttLib import TTFont

    with TTFont(Path(font_roboto.__file__).parent / "files" / f"Roboto-{face}.ttf") as font:
        letters, advances, em = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
        known = [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "‘’“”–—…ȘșȚț")]
        assert len(known) == 330
        for letter in known:
            width = 1000 * advances[letters[letter]][0] / em
            assert text_width(chr(letter), 1000, bold=bold) == pytest.approx(width, abs=0.5), chr(letter)


def test_widths_add_up() -> None:
    """A text is as wide as its letters, in proportion to the size; bold is another table."""
    letters = sum(text_width(letter, 10) for letter in "Côte d’Azur")
    assert text_width("Côte d’Azur", 20) == pytest.approx(2 * letters)
    assert text_width("STP", 100, bold=True) != text_width("STP", 100)
    assert text_width("", 100) == 0


def test_letters_beyond_the_table_take_room() -> None:
    """Marks over a letter take none, composed or not; Greek takes about a capital, Chinese a full square."""
    assert text_width("e\u0301", 100) == text_width("\u00e9", 100)
    assert text_width("q\u0323", 100) == text_width("q", 100)  # no single letter is composed of these
    assert 50 <= text_width("Ω", 100) <= text_width("Ω", 100, bold=True) <= 70
    assert text_width("外交", 100) == 200
