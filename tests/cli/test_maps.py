"""Maps from the command line: every format, every subject, and what beginners get wrong."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from typer.testing import CliRunner

from gamesmaster.cli.app import app
from gamesmaster.cli.variants.maps import LAYOUTS, PAPERS
from gamesmaster.game import load
from gamesmaster.pictures import STYLES, snapshots_of
from tests.pictures.small import small_board_data, small_data

from .conftest import SEED, Run
from .test_program import on_a_terminal

pytestmark = pytest.mark.together

VARIANT = """
format = 1
id = "small"
name = "Small"
victory = { centres = 4 }

[calendar]
first_year = 1901
phases = [
  { season = "Spring", kind = "movement" },
  { season = "Spring", kind = "retreats" },
  { season = "Fall", kind = "movement" },
  { season = "Fall", kind = "retreats", count = true },
  { season = "Winter", kind = "adjustments" },
]

[[powers]]
name = "Red"
units = ["A ALB", "F INS/NC"]

[[powers]]
name = "Blue"
units = ["F BOR", "A COR"]
"""


def small_variant(folder: Path) -> Path:
    """The folder of a small variant, with shapes, made in this one."""
    small = folder / "small"
    small.mkdir()
    (small / "variant.toml").write_text(VARIANT, encoding="utf-8")
    (small / "board.json").write_text(json.dumps(small_board_data()), encoding="utf-8")
    (small / "shapes.json").write_text(json.dumps(small_data()), encoding="utf-8")
    return small


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Path:
    """The folder of a small variant, with shapes."""
    return small_variant(tmp_path)


@pytest.fixture(scope="module")
def second_phase(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a game of it in its second movement phase, for which both powers have sent orders."""
    folder = tmp_path_factory.mktemp("played")
    small_variant(folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        for args in (
            ["new", "game.json", "--variant", "small", "--seed", SEED],
            ["order", "game.json", "red", "A Alb - Cor", "F Ins/NC - Wes"],
            ["order", "game.json", "blue", "A Cor - Alb", "F Bor - Sou"],
            ["process", "game.json"],
            ["order", "game.json", "red", "F Wes - Oce"],
            ["order", "game.json", "blue", "F Sou - Ske"],
        ):
            assert CliRunner().invoke(app, args).exit_code == 0
    return (folder / "game.json").read_bytes()


@pytest.fixture
def played(second_phase: bytes, small: Path, tmp_path: Path) -> Path:
    """That game, in the folder of a test."""
    (tmp_path / "game.json").write_bytes(second_phase)
    return tmp_path / "game.json"


def drawn(run: Run, *args: object) -> str:
    """The SVG that `map` prints, well-formed."""
    result = run("map", *args, "-o", "-")
    assert result.exit_code == 0, result.stderr
    ElementTree.fromstring(result.stdout)
    return result.stdout


def view_box(svg: str) -> list[float]:
    """x, y, width and height of the outermost element."""
    return [float(number) for number in ElementTree.fromstring(svg).attrib["viewBox"].split()]


def opened(file: str) -> Any:
    """The picture in a file."""
    return Image.open(BytesIO(Path(file).read_bytes()))


# -- formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "begins", "holds"),
    [
        ("a.svg", b"<svg ", b"Spring 1901 Movement"),
        ("a.SVG", b"<svg ", b"Spring 1901 Movement"),
        ("a.png", b"\x89PNG", b"IEND"),
        ("a.pdf", b"%PDF-", b"Small: Spring 1901 Movement"),
        ("a.html", b"<!DOCTYPE html>", b"Army in Albany"),
    ],
)
def test_the_suffix_says_the_format(run: Run, small: Path, file: str, begins: bytes, holds: bytes) -> None:
    """A map is written in the format that the file's name asks for, and one line says so."""
    result = run("map", small, "-o", file)
    assert (result.exit_code, result.stdout) == (0, f"{file}: Small, Spring 1901 Movement.\n")
    data = Path(file).read_bytes()
    assert data.startswith(begins)
    assert holds in data


def test_without_a_file_the_map_names_its_own(run: Run, played: Path) -> None:
    """Without -o an SVG is written, named after the variant or the record, and the phase."""
    assert run("map", "small").stdout == "small-S1901M.svg: Small, Spring 1901 Movement.\n"
    assert run("map", played).stdout == "game-S1901M.svg: Small, Spring 1901 Movement.\n"
    assert run("map", played, "--no-orders").stdout == "game-F1901M.svg: Small, Fall 1901 Movement.\n"
    assert Path("small-S1901M.svg").exists()
    assert Path("game-F1901M.svg").exists()


def test_the_output_takes_an_svg(run: Run, small: Path) -> None:
    """`-o -` prints the SVG and nothing else."""
    assert drawn(run, small).endswith("</svg>\n")


@pytest.mark.parametrize(("options", "width"), [((), 1600), (("--layout", "narrow"), 800), (("--width", 333), 333)])
def test_pixels(run: Run, small: Path, options: tuple[object, ...], width: int) -> None:
    """A PNG is 1,600 pixels wide, 800 in the narrow layout, or as wide as asked."""
    assert run("map", small, "-o", "a.png", *options).exit_code == 0
    assert opened("a.png").width == width


def test_styles_and_layouts(run: Run, small: Path) -> None:
    """Each style and each layout makes another picture; print has no colour."""
    made = {(s, y): drawn(run, small, "--style", s, "--layout", y) for s in STYLES for y in LAYOUTS}
    assert len(set(made.values())) == len(made)
    colours = set(re.findall(r"#[0-9a-f]{6}", made["print", "wide"]))
    assert colours <= {"#000000", "#ffffff"}


def test_a_page_has_both_layouts(run: Run, small: Path) -> None:
    """A page holds a map for windows and one for phones, unless a layout is asked for."""
    run("map", small, "-o", "a.html")
    run("map", small, "-o", "b.html", "--layout", "narrow")
    both, one = (Path(name).read_text(encoding="utf-8") for name in ("a.html", "b.html"))
    assert (both.count("<svg "), one.count("<svg ")) == (2, 1)
    ids = re.findall(r'\bid="([^"]+)"', both)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("paper", PAPERS)
def test_papers(run: Run, small: Path, paper: str) -> None:
    """A PDF is made for each paper."""
    assert run("map", small, "-o", "a.pdf", "--paper", paper).exit_code == 0
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+)", Path("a.pdf").read_bytes())
    assert box
    assert float(box[1]) == pytest.approx({"A4": 841.9, "A3": 1190.6, "fit": 1190.6}[paper], abs=0.1)


def test_a_compact_map_ends_at_its_frame(run: Run, small: Path) -> None:
    """--compact leaves title and legend out: the picture ends a margin below the frame."""
    whole, compact = drawn(run, small), drawn(run, small, "--compact")
    x, y, width, height = view_box(compact)
    assert [x, y, width] == view_box(whole)[:3]
    assert height == 3000 - 2 * y < view_box(whole)[3]
    run("map", small, "--compact", "-o", "a.png", "--width", 400)
    assert opened("a.png").size == (400, round(400 * height / width))


# -- what is drawn ---------------------------------------------------------------------------------------------------


def test_a_variant_is_drawn_as_it_starts(run: Run, small: Path) -> None:
    """Of a variant all units of the start are drawn, and no orders."""
    svg = drawn(run, small)
    assert len(re.findall(r'data-unit="\d+"', svg)) == 4
    assert 'id="orders"' not in svg
    assert drawn(run, small, "--phase", "S1901M") == svg


def test_powers_have_the_letters_of_their_variant(run: Run, tmp_path: Path) -> None:
    """The powers of a variant are drawn as its file wishes: here with the codes of their centres."""
    file = tmp_path / "chaos.svg"
    run("map", "chaos", "-o", file)
    assert file.read_text(encoding="utf-8").count(">Smy</text>") > 1


def test_a_game_is_drawn_with_the_last_results(run: Run, played: Path) -> None:
    """Of a game the last phase that is over is drawn, its orders with their results."""
    svg = drawn(run, played)
    assert "Spring 1901 Movement" in svg
    assert 'id="orders"' in svg
    assert "bounces" in svg
    assert svg == drawn(run, played, "--phase", "Spring 1901")
    bare = drawn(run, played, "--phase", "s1901m", "--no-orders")
    assert 'id="orders"' not in bare
    assert "Spring 1901 Movement" in bare


def test_the_phase_being_played_has_no_orders_on_it(run: Run, played: Path) -> None:
    """No map and no text tells orders of the phase being played; with them and without them it is the same."""
    secret = r"Wes - Oce|Sou - Ske|West Sea - Great Ocean|South Sea - Skerries"
    views = [(), ("--phase", "F1901M"), ("--no-orders",)]
    told = [drawn(run, played, *view) for view in views] + [run("map", played, *v, "--text").stdout for v in views]
    told += [text for shown in snapshots_of(load(played)) for text in (repr(shown.rulings), shown.subtitle)]
    run("map", played, "-o", "a.html")
    told.append(Path("a.html").read_text(encoding="utf-8"))
    run("rollback", played, "F1901M")
    assert all(told)
    assert not [text for text in told if re.search(secret, text)]
    assert run("process", played).exit_code == 0
    assert re.search(secret, run("map", played, "--text").stdout)


def test_plans_are_drawn_for_one_power(run: Run, played: Path) -> None:
    """--plans draws the orders that one power has sent for the phase being played, and nobody else's."""
    svg = drawn(run, played, "--plans", "red")
    assert "Fall 1901 Movement, as planned by Red" in svg
    assert 'id="orders"' in svg
    assert "F Wes - Oce" in svg
    assert "Sou - Ske" not in svg
    assert drawn(run, played, "--plans", "Red", "--phase", "F1901M") == svg


def test_a_power_gets_the_map_that_it_sees(run: Run, tmp_path: Path) -> None:
    """--power leaves out what the power does not see."""
    file = tmp_path / "fog.json"
    run("new", file, "--variant", "fog")
    run("process", file)
    whole, own = (run("map", file, "--text", *words).stdout for words in ((), ("--power", "france")))
    assert "Army in Moscow" in whole
    assert "Army in Moscow" not in own
    assert "Army in Paris" in own
    assert "no power 'Gaul'" in run("map", file, "--power", "Gaul").stderr


def test_a_text_board(run: Run, played: Path) -> None:
    """--text prints what the map shows, in words."""
    words = run("map", played, "--text").stdout
    assert words.startswith("Small, Spring 1901 Movement\n")
    assert "Army in Albany" in words
    assert "Bounces: " in words
    assert "\x1b" not in words


def test_a_board_without_a_variant(run: Run, small: Path) -> None:
    """A board by itself is drawn without pieces, its home centres in the hands of those at home there."""
    (small / "variant.toml").unlink()
    svg = drawn(run, small)
    assert not re.findall(r'data-unit="\d+"', svg)
    assert "Blue" in svg
    assert "owned by Red" in svg
    assert run("map", "small").stdout == "small-map.svg: Small, the board.\n"
    assert drawn(run, small / "board.json") == svg


# -- whole games -----------------------------------------------------------------------------------------------------


def test_a_whole_game_as_pdf(run: Run, played: Path) -> None:
    """--book makes a PDF with a page for each phase, named after the game if no file is."""
    assert run("map", played, "--book").stdout == "game-book.pdf: Small, the whole game.\n"
    assert len(re.findall(rb"/MediaBox", Path("game-book.pdf").read_bytes())) == 2


def test_long_work_shows_a_bar_on_a_terminal(run: Run, played: Path, tmp_path: Path) -> None:
    """On a terminal a whole game shows how far it is; elsewhere nothing but the result is printed."""
    assert "drawing" in on_a_terminal("map", played, "--book", "-o", tmp_path / "a.pdf")
    assert run("map", played, "--book", "-o", "b.pdf").stderr == ""


# -- what beginners get wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("game.json", "-o", "a.jpg"), 3, "no pictures in the format .jpg (did you mean .png?)"),
        (("game.json", "-o", "a.docx"), 3, "formats are .svg, .png"),
        (("game.json", "-o", "a"), 3, "a has no suffix"),
        (("game.json", "-o", "nowhere/a.svg"), 3, "no folder nowhere"),
        (("game.json", "-o", "taken.svg"), 3, "taken.svg: Is a directory"),
        (("game.json", "-o", "a.gif"), 3, "no pictures in the format .gif"),
        (("game.json", "-o", "a.png", "--book"), 2, "a whole game is a PDF"),
        (("small", "--book"), 2, "only a game can be drawn so"),
        (("small", "--plans", "red"), 2, "only a game can be drawn so"),
        (("small", "--power", "red"), 2, "only a game can be drawn so"),
        (("game.json", "--width", "300"), 2, "pixels are for PNG"),
        (("game.json", "--width", "3", "-o", "a.png"), 2, "16"),
        (("game.json", "--width", "9000", "-o", "a.png"), 3, "at most 8,000 a side"),
        (("game.json", "--style", "lite"), 3, "no style 'lite' (did you mean light?)"),
        (("game.json", "--layout", "narow"), 3, "did you mean narrow?"),
        (("game.json", "--layout", "phone"), 3, "there are wide, narrow"),
        (("game.json", "--paper", "A5", "-o", "a.pdf"), 3, "no paper 'A5' (there are A4, A3, fit)"),
        (("game.json", "--text", "-o", "a.svg"), 2, "redirect them"),
        (("game.json", "--phase", "S1902M"), 3, "S1902M was not played (did you mean S1901M?)"),
        (("game.json", "--phase", "sprung 1901"), 3, "did you mean Spring?"),
        (("small", "--phase", "F1901M"), 3, "only its start (that is S1901M)"),
        (("game.json", "--plans", "reed"), 3, "did you mean Red?"),
        (("game.json", "--plans", "red", "--phase", "S1901M"), 3, "it is F1901M"),
        (("game.json", "--plans", "red", "--no-orders"), 2, "plans are orders"),
        (("gmae.json",), 3, "no file gmae.json (did you mean game.json?)"),
        (("smal",), 3, "did you mean small?"),
        (("standrd",), 3, "did you mean standard?"),
        (("other.json",), 3, "neither the record of a game nor a board"),
        (("empty",), 3, "in empty"),
        ((), 2, "Missing argument"),
    ],
)
def test_mistakes_are_told(run: Run, played: Path, args: tuple[str, ...], code: int, told: str) -> None:
    """A mistake is one complaint with the nearest right thing, and nothing is written."""
    Path("taken.svg").mkdir()
    Path("empty").mkdir()
    Path("other.json").write_text('{"some": "thing"}', encoding="utf-8")
    before = set(Path().iterdir())
    result = run("map", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in " ".join(result.stderr.replace("│", " ").split())
    assert set(Path().iterdir()) == before


def test_plans_of_who_sent_none(run: Run, played: Path) -> None:
    """A power that has sent no orders has no plans to draw."""
    run("process", played)
    result = run("map", played, "--plans", "red")
    assert result.exit_code == 3
    assert "Red has sent no orders" in result.stderr


def test_boards_that_cannot_be_drawn(run: Run, small: Path) -> None:
    """A board without shapes, with another's, or not yet built: the complaint says how to mend it."""
    shapes = small / "shapes.json"
    data = small_data()
    del data["provinces"]["ALB"]
    shapes.write_text(json.dumps(data), encoding="utf-8")
    assert "ALB" in run("map", small).stderr
    data = small_data()
    del data["layouts"]["narrow"]["ALB"]
    shapes.write_text(json.dumps(data), encoding="utf-8")
    assert "ALB has no place in the layout narrow" in run("map", small).stderr
    shapes.unlink()
    result = run("map", small)
    assert result.exit_code == 3
    assert "no shapes.json" in result.stderr
    assert "gamesmaster board draw" in result.stderr
    (small / "variant.toml").unlink()
    assert "no shapes.json" in run("map", small).stderr
    (small / "board.json").unlink()
    (small / "board.toml").write_text("", encoding="utf-8")
    assert "gamesmaster board build" in run("map", small).stderr


def test_a_game_that_was_won(run: Run, played: Path) -> None:
    """When all have agreed on an end, the map of how things stand says how the game ended."""
    assert run("draw", played, "red", "blue").exit_code == 0
    assert "Red and Blue share a draw." in drawn(run, played, "--no-orders")


def test_pictures_of_strangers_are_harmless(run: Run, small: Path) -> None:
    """Names that hold marks of SVG and HTML appear as text, in the drawing and on the page."""
    nasty = '<script>alert("1")</script>'
    data = small_board_data()
    data["provinces"][0]["name"] = nasty
    (small / "board.json").write_text(json.dumps(data), encoding="utf-8")
    text = VARIANT.replace('name = "Small"', f"name = '{nasty}'")
    (small / "variant.toml").write_text(text, encoding="utf-8")
    assert "<script" not in drawn(run, small)
    run("map", small, "-o", "a.html")
    assert Path("a.html").read_text(encoding="utf-8").count("<script") == 1
    run("map", small, "-o", "a.png")
    assert opened("a.png").format == "PNG"
