"""Text set as blocks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from gamesmaster.atlas.layout import NARROW, WIDE
from gamesmaster.atlas.layout.grid import CELL
from gamesmaster.atlas.layout.text import block, blocks, line_breaks, name_blocks
from gamesmaster.pictures.lint import label_box
from gamesmaster.pictures.svg import text_width


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Wales", (("Wales",),)),
        ("North Sea", (("North Sea",), ("North", "Sea"))),
        ("Gulf of Saint Lawrence", (("Gulf of Saint Lawrence",), ("Gulf of Saint", "Lawrence"))),
        ("", ()),
    ],
)
def test_names_break_where_they_balance(name: str, lines: tuple[tuple[str, ...], ...]) -> None:
    """For each number of lines, up to three, the longest line is as short as can be."""
    assert line_breaks(name)[: len(lines)] == lines
    assert len(line_breaks(name)) == min(3, len(name.split()))


def test_a_block_has_the_code_on_top_and_lines_that_do_not_touch() -> None:
    """The code stands first and bold above the name; widths are those of the font; lines are centred and apart."""
    made = block([("Nth", "code", 34), ("North", "name", 26), ("Sea", "name", 26)])
    labels = made.labels((500, 400))
    assert [(label.text, label.role) for label in labels] == [("Nth", "code"), ("North", "name"), ("Sea", "name")]
    assert all(label.at[0] == 500 for label in labels)
    assert labels[0].width == pytest.approx(text_width("Nth", 34, bold=True), abs=1)
    for upper, lower in pairwise(labels):
        assert lower.at[1] - upper.at[1] > (upper.height + lower.height) / 2 + 3
    top, bottom = labels[0].at[1] - labels[0].height / 2, labels[-1].at[1] + labels[-1].height / 2
    assert (top + bottom) / 2 == pytest.approx(400, abs=1)


@pytest.mark.parametrize("turn", [0, 15, -35, 60])
def test_the_cells_of_a_block_cover_its_labels(turn: int) -> None:
    """Whatever the turn, the rectangles of cells lie over every line as it will be drawn."""
    made = block([("Nth", "code", 34), ("Norwegian Sea", "name", 30)], turn)
    covered = unary_union([box(*(CELL * side for side in rect)) for rect in made.rects()])
    for label in made.labels((0, 0)):
        assert covered.buffer(0.01).contains(Polygon(label_box(label).corners))


def test_only_the_first_line_has_the_leader() -> None:
    """The line to the province is drawn once."""
    labels = block([("Nth", "code", 34), ("North", "name", 26)]).labels((0, 0), (9, 9))
    assert [label.leader for label in labels] == [(9, 9), None]


def test_settings_run_from_the_largest_to_the_least() -> None:
    """An ample province may have its name larger; every size lies between the bounds; codes alone are always tried."""
    settings = list(blocks("Nth", "North Sea", WIDE, 1.5, (30,)))
    names = {line.size for b in settings for line in b.lines if line.role == "name"}
    assert max(names) == round(1.5 * WIDE.name)
    assert min(names) == WIDE.name_least
    assert {b.turn for b in settings} == {0, 30}
    codes = [b.lines[0].size for b in settings if len(b.lines) == 1]
    assert codes[0] == WIDE.code
    assert codes[-1] == WIDE.code_least
    assert min(settings, key=lambda b: b.cost).lines[1].size == max(names)


def test_a_name_that_is_its_code_is_written_once() -> None:
    """A province called Ute and written Ute has one label."""
    assert all([line.role for line in b.lines] == ["code"] for b in blocks("Ute", "Ute", WIDE, 1.0, ()))


def test_the_narrow_layout_has_codes_only() -> None:
    """No names on phones, and nothing for land out of play."""
    assert all([line.role for line in b.lines] == ["code"] for b in blocks("Nth", "North Sea", NARROW, 1.5, ()))
    assert {line.role for b in name_blocks("Great Desert", WIDE, 1.5, ()) for line in b.lines} == {"name"}
