"""The signs of units and marks."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from gamesmaster.pictures.signs import BOX, FIGURES, SIGNS, Sign, sign_defs, sign_id, sign_of
from gamesmaster.pictures.style import STYLES, style_of

UNITS = [sign for sign in Sign if FIGURES[sign].letter]
MARKS = [sign for sign in Sign if not FIGURES[sign].letter]


def points(sign: Sign) -> list[tuple[float, float]]:
    """Where the pen of a sign sets down or turns, as drawn."""
    found = []
    for part in FIGURES[sign].parts:
        x = y = 0.0
        for command, digits in re.findall(r"([MLHVQTAZ])([^A-Z]*)", part.path):
            numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", digits)]
            if command == "H":
                steps = [(n, y) for n in numbers]
            elif command == "V":
                steps = [(x, n) for n in numbers]
            elif command == "A":
                steps = [(numbers[i + 5], numbers[i + 6]) for i in range(0, len(numbers), 7)]
            else:
                steps = list(zip(numbers[::2], numbers[1::2], strict=True))
            x, y = steps[-1] if steps else (x, y)
            found += [(part.move[0] + part.grow * a, part.move[1] + part.grow * b) for a, b in steps]
    return found


@pytest.mark.parametrize("sign", Sign)
def test_signs_keep_to_their_box(sign: Sign) -> None:
    """Every sign fills most of its square, and does not leave it by more than a line's width."""
    xs, ys = zip(*points(sign), strict=True)
    assert max(map(abs, (*xs, *ys))) <= BOX / 2 + 3
    assert max(max(xs) - min(xs), max(ys) - min(ys)) >= 0.7 * BOX


def test_no_two_signs_are_alike() -> None:
    """Every sign is drawn in its own way, and called by words."""
    assert len({figure.parts for figure in FIGURES.values()}) == len(Sign) == len(FIGURES)
    assert all(sign.words and "-" not in sign.words for sign in Sign)


@pytest.mark.parametrize("sign", UNITS)
def test_letters_stand_on_a_plate(sign: Sign) -> None:
    """The power's letter stands within the sign, large enough to be read, on a plate in the power's colour."""
    x, y, size = FIGURES[sign].letter or (0, 0, 0)
    assert abs(x) + size * 0.4 <= BOX / 2
    assert abs(y) + size * 0.4 <= BOX / 2
    assert size >= 36
    assert any(part.how in ("plate", "torn") for part in FIGURES[sign].parts)


def test_marks_bear_no_colour() -> None:
    """Boats ashore and the mechanics' marks belong to nobody: they have no plate."""
    assert set(MARKS) == {Sign.BOAT, Sign.CURSE, Sign.TABOO, Sign.STORM, Sign.BLOCKADE, Sign.FOG, Sign.CLOSED}
    assert not any(part.how == "plate" for sign in MARKS for part in FIGURES[sign].parts)


@pytest.mark.parametrize("style", STYLES)
def test_definitions(style: str) -> None:
    """Each style defines every sign once; plates leave their colour to whoever uses the sign."""
    root = ET.fromstring(f"<svg>{sign_defs(style_of(style), prefix='x')}</svg>")
    assert [group.get("id") for group in root] == [sign_id(sign, "x") for sign in Sign]
    for sign, group in zip(Sign, root, strict=True):
        drawn = group[1]
        open_fills = [p for p in drawn.iter("path") if p.get("fill") is None]
        assert len(open_fills) == sum(part.how in ("plate", "torn") for part in FIGURES[sign].parts)


def test_anarchy_is_not_order() -> None:
    """A unit in anarchy has a torn edge and a flag that others have not."""
    for plain, torn in ((Sign.ARMY, Sign.ARMY_IN_ANARCHY), (Sign.FLEET, Sign.FLEET_IN_ANARCHY)):
        assert any(part.how == "torn" for part in FIGURES[torn].parts)
        assert not any(part.how == "torn" for part in FIGURES[plain].parts)
        assert len(FIGURES[torn].parts) > len(FIGURES[plain].parts)


def test_signs_by_kind() -> None:
    """Armies and fleets have their signs, alone and together; a variant's own signs come first."""
    assert (sign_of("A"), sign_of("F"), sign_of("W")) == (Sign.ARMY, Sign.FLEET, Sign.WAR_PARTY)
    assert sign_of("F", cargo="A") is Sign.ARMY_FLEET
    own = {"F": Sign.GALLEON, "A/F": Sign.LOADED_GALLEON, "A/BB": Sign.ARMY_AFLOAT}
    assert sign_of("F", signs=own) is Sign.GALLEON
    assert sign_of("F", cargo="A", signs=own) is Sign.LOADED_GALLEON
    assert sign_of("BB", cargo="A", signs=own) is Sign.ARMY_AFLOAT
    assert sign_of("A", signs=own) is Sign.ARMY


def test_signs_of_unknown_kinds() -> None:
    """A kind that nobody gave a sign is an army, and with something aboard army and fleet."""
    assert sign_of("ZZ") is Sign.ARMY
    assert sign_of("ZZ", cargo="Y") is Sign.ARMY_FLEET
    assert set(SIGNS.values()) < set(Sign)
