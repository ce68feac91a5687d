"""Flip-books: a whole game in one picture that turns its own pages, and the pages one by one."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import Replay, recorded_game
from gamesmaster.game import Game
from gamesmaster.pictures.export import MOST_PAGES, Leaf, flip_book, frames, leaves_of, pages
from gamesmaster.pictures.orders.model import Planned
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.signs import Sign
from gamesmaster.variant import find_variant

from .overlay import STANDARD, standard_grid
from .small import POWERS, small_board, small_position, small_shapes

SVG = "{http://www.w3.org/2000/svg}"
RECORDED = Path(__file__).parents[2] / "examples/recorded_game.jsonl"
SMALL = Picture(small_board(), small_shapes(), POWERS, prefix="m-")
STILL: list[tuple[str, Position, tuple[()]]] = [("one", small_position(), ()), ("<two>", Position(), ())]


@pytest.fixture(scope="module")
def game() -> Game:
    """The recorded game of the examples."""
    return recorded_game(Replay(find_variant).phases(RECORDED))


@pytest.fixture(scope="module")
def picture() -> Picture:
    """A picture of the standard board without its coasts."""
    return Picture(STANDARD.board, standard_grid(), STANDARD.powers)


def shown(svg: str) -> list[ET.Element]:
    """The pages of a flip-book."""
    root = ET.fromstring(svg)
    return [group for group in root.iter(f"{SVG}g") if group.attrib.get("class", "").endswith("leaf")]


def test_a_game_is_told_phase_by_phase(game: Game) -> None:
    """Each phase that is over has its orders and then its results; at the end stands how it is now."""
    turned = list(pages(leaves_of(game)))
    assert [page.caption for page in turned[:3]] == [
        "Spring 1901 Movement: orders",
        "Spring 1901 Movement: results",
        "Fall 1901 Movement: orders",
    ]
    orders, results = turned[:2]
    assert all(isinstance(one, Planned) for one in orders.rulings)
    assert len(orders.rulings) == sum(map(len, game.records[0].orders.values()))
    assert results.rulings == game.adjudication(game.records[0]).rulings
    assert results.position == game.records[0].position
    assert turned[-1] == Leaf(game.outcome.text if game.outcome else "", game.position, ledger=game.ledger)


def test_a_running_game_tells_no_secret() -> None:
    """Of a phase that is not over only the position is shown."""
    game = Game.start(STANDARD, seed=bytes(32)).submit("France", "A Par - Bur")
    (page,) = pages(leaves_of(game))
    assert page == Leaf("Spring 1901 Movement", game.position, ledger=game.ledger)


def test_the_board_is_drawn_once(game: Game, picture: Picture) -> None:
    """All pages lie over one board, each in turn for its share of the time, and no id comes twice."""
    leaves = list(leaves_of(game))
    book = flip_book(picture, leaves, seconds=2, title="A game")
    found = shown(book)
    number = len(list(pages(leaves)))
    assert len(found) == number
    ids = re.findall(r' id="([^"]*)"', book)
    assert len(ids) == len(set(ids))
    assert all(
        f'id="{used}"' in book for used in re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', book) for used in used if used
    )
    assert len(book) < len(picture.base) + 40_000 * number
    delays = [float(re.search(r"-?[\d.]+", group.attrib["style"])[0]) for group in found]  # type: ignore[index]
    assert delays == [2 * page - 2 * number for page in range(number)]
    assert f"turn {2 * number}s step-end infinite" in book
    assert [group.attrib["aria-label"] for group in found] == [page.caption for page in pages(leaves)]
    assert book.count(".bounces") == 1


def test_those_who_want_no_motion() -> None:
    """The last page stands where motion is not wanted or not known, and the others are hidden."""
    book = flip_book(SMALL, STILL)
    sheet = book.split("<style>")[-1].split("</style>")[0]
    assert "@media (prefers-reduced-motion:reduce){.m-leaf{animation:none}}" in sheet
    assert sheet.index(".m-leaf{visibility:hidden") < sheet.index(".m-leaf:last-child{visibility:visible}")
    assert "0%{visibility:visible}50%{visibility:hidden}100%{visibility:hidden}" in sheet
    assert ".m-book:hover .m-leaf{animation-play-state:paused}" in sheet


def test_captions_are_escaped() -> None:
    """Whatever a caption holds is text: on the page, and as its label."""
    found = shown(flip_book(SMALL, STILL, title='"&<'))
    assert [group.attrib["aria-label"] for group in found] == ["one", "<two>"]
    assert any(text.text == "<two>" for text in found[1].iter(f"{SVG}text"))
    assert 'id="' not in flip_book(SMALL, [(' id="x"', Position(), ())]).split("m-leaf")[-1]


def test_marks_and_looks() -> None:
    """What the mechanics add to a phase is drawn on its pages."""
    plain = Leaf("a", small_position())
    marked = plain._replace(marks={"ALB": [Sign.STORM]}, looks={1: Sign.ARMY_IN_ANARCHY})
    book = shown(flip_book(SMALL, [plain, marked]))
    first, second = (ET.tostring(group, "unicode") for group in book)
    assert "m-s-storm" in second
    assert "m-s-army-in-anarchy" in second
    assert "m-s-storm" not in first


def test_frames(game: Game, picture: Picture) -> None:
    """Frames are whole documents of one size, as many as there are pages, with the caption in their titles."""
    leaves = list(leaves_of(game))[:3]
    found = list(frames(picture, leaves, title="A game"))
    roots = [ET.fromstring(frame) for frame in found]
    assert len({root.attrib["viewBox"] for root in roots}) == 1
    assert [root.findtext(f"{SVG}title") for root in roots] == [f"A game: {page.caption}" for page in pages(leaves)]
    assert all(len(re.findall(r' id="', frame)) == len(set(re.findall(r' id="[^"]*"', frame))) for frame in found)


def test_bounds() -> None:
    """A flip-book has pages, not too many, each shown for a time one can follow; frames are made one by one."""
    with pytest.raises(GamesmasterError, match="without pages"):
        flip_book(SMALL, [])
    for seconds in (0.0, 61.0, float("nan")):
        with pytest.raises(GamesmasterError, match="to 60 seconds"):
            flip_book(SMALL, STILL, seconds=seconds)
    endless = (Leaf(str(number), Position()) for number in iter(int, 1))
    with pytest.raises(GamesmasterError, match=f"more than {MOST_PAGES} pages"):
        list(pages(endless))
    assert next(frames(SMALL, (Leaf("again", Position()) for _ in iter(int, 1)))).startswith("<svg")
