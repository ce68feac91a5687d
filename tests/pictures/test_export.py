"""Pictures as PNG, PDF and GIF, and the page to look around in one."""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from gamesmaster.errors import GamesmasterError
from gamesmaster.pictures.export import (
    LARGEST,
    LONGEST_SIDE,
    picture_size,
    picture_title,
    to_html,
    to_pdf,
    to_png,
)

MAKERS: dict[str, Callable[[str], bytes]] = {
    "PNG": lambda svg: to_png(svg, 200),
    "PDF": lambda svg: to_pdf([svg]),
}


def drawing(fill: str = "#2060c0", title: str = "Spring 1901", box: str = "0 0 400 300") -> str:
    """A square of one colour on a white sheet, with a name beside it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><title>{title}</title>'
        f'<rect width="400" height="300" fill="#fff"/><path d="M0 0H200V200H0z" fill="{fill}"/>'
        '<text x="20" y="280" font-family="Roboto, Arial" font-size="40">Burgundy</text></svg>'
    )


def pixels(data: bytes) -> Any:
    """The picture that these bytes are."""
    return Image.open(BytesIO(data))


# -- PNG -------------------------------------------------------------------------------------------------------------


def test_a_png_has_the_width_asked_for() -> None:
    """A PNG is as wide as asked, as high as the picture's shape wants, and has the picture's colours and text."""
    picture = pixels(to_png(drawing(), 800)).convert("RGB")
    assert picture.size == (800, 600)
    assert picture.getpixel((200, 200)) == (0x20, 0x60, 0xC0)
    assert picture.getpixel((700, 100)) == (255, 255, 255)
    assert min(picture.crop((0, 480, 400, 600)).convert("L").tobytes()) < 64  # something dark is written there


def test_the_same_picture_gives_the_same_bytes() -> None:
    """PNG and PDF made twice are the same to the byte: no clock is in them."""
    for make in MAKERS.values():
        assert make(drawing()) == make(drawing())


@pytest.mark.parametrize(("box", "width"), [("0 0 400 300", 8_001), ("0 0 40 400", 801), ("0 0 1 9000", 2)])
def test_pictures_of_too_many_pixels_are_refused(box: str, width: int) -> None:
    """A side of more than 8,000 pixels is refused before anything is drawn, and the limit is told."""
    told = f"too large .at most {LONGEST_SIDE:,} a side"
    with pytest.raises(GamesmasterError, match=told):
        to_png(drawing(box=box), width)


@pytest.mark.parametrize("width", [0, -1])
def test_pictures_of_no_pixels_are_refused(width: int) -> None:
    """A picture without width is refused."""
    with pytest.raises(GamesmasterError, match="pixels wide"):
        to_png(drawing(), width)


# -- what may be drawn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    "svg",
    [
        "",
        "no picture at all",
        "<svg></svg>",
        '<svg viewBox="0 0 0 10"></svg>',
        '<svg viewBox="0 0 10 -10"></svg>',
        '<svg viewBox="nan nan nan nan"></svg>',
        drawing().replace("</svg>", ""),
        drawing().replace("<rect", '<image href="/etc/hostname"/><rect'),
        drawing().replace("<rect", '<svg:image href="https://example.org/x.png"/><rect'),
        drawing().replace("<rect", "<script>alert(1)</script><rect"),
        drawing().replace("<rect", "<foreignObject/><rect"),
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + drawing(),
        drawing(title="x" * LARGEST),
    ],
    ids=range(13),
)
def test_only_pictures_are_drawn(make: Callable[[str], bytes], svg: str) -> None:
    """What is no SVG, or holds what no map of ours does (images, scripts, entities), is refused with the reason."""
    with pytest.raises(GamesmasterError, match="SVG"):
        make(svg)


def test_a_picture_says_its_size_and_title() -> None:
    """Size and title are read from the SVG; a title's marks are those that a reader would see."""
    assert picture_size(drawing(box="-5 0 40.5 30")) == (40.5, 30)
    assert picture_title(drawing(title="A &lt;b&gt;\n &amp; c")) == "A <b> & c"
    assert picture_title("<svg/>") == ""


@pytest.mark.parametrize(
    ("kind", "library"),
    [("PNG", "resvg_py"), ("PNG", "font_roboto"), ("PDF", "typst"), ("PDF", "font_roboto")],
)
def test_a_missing_library_is_told(kind: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of the libraries the error says what to install."""
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(GamesmasterError, match=rf"{kind} needs .*-m pip install --editable '\.\[pictures\]'"):
        MAKERS[kind](drawing())


# -- PDF -------------------------------------------------------------------------------------------------------------


def boxes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in points."""
    found = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    return [(float(w), float(h)) for w, h in found]


@pytest.mark.parametrize(
    ("paper", "box", "wanted"),
    [
        ("A4", "0 0 400 300", (841.89, 595.28)),
        ("A4", "0 0 300 400", (595.28, 841.89)),
        ("A3", "0 0 400 300", (1190.55, 841.89)),
        ("fit", "0 0 400 300", (1190.55, 892.91)),
        ("fit", "0 0 300 400", (892.91, 1190.55)),
    ],
)
def test_a_page_lies_as_the_picture_does(paper: str, box: str, wanted: tuple[float, float]) -> None:
    """A page is A4 or A3, lying or standing as the picture does, or has the picture's own shape."""
    (page,) = boxes(to_pdf([drawing(box=box)], paper=paper))  # type: ignore[arg-type]
    assert page == pytest.approx(wanted, abs=0.1)


def test_a_pdf_has_a_page_for_each_picture() -> None:
    """Each picture has its page and its bookmark; the document's title is the one given, or the first picture's."""
    pdf = to_pdf([drawing(title=f"Phase {n}") for n in (1, 2, 3)])
    assert len(boxes(pdf)) == 3
    assert b"<dc:title>" in pdf
    assert b"Phase 1" in pdf[pdf.index(b"<dc:title>") :][:200]
    assert b"The game" in to_pdf([drawing()], title="The game")
    assert re.search(rb"/Outlines\b", pdf)


def test_a_pdf_keeps_lines_and_letters() -> None:
    """Nothing in a PDF is turned into pixels: it embeds the font and holds no image."""
    pdf = to_pdf([drawing()])
    assert b"Roboto" in pdf
    assert not re.search(rb"/Subtype\s*/Image", pdf)


def test_hostile_titles_stay_text() -> None:
    """A title that looks like code of the typesetter is only a title."""
    hostile = '"]) #panic("x") $ \\ // &lt;script&gt;'
    pdf = to_pdf([drawing(title=hostile)], title=hostile)
    assert len(boxes(pdf)) == 1


def test_no_pictures_make_no_file() -> None:
    """No pictures at all are refused."""
    with pytest.raises(GamesmasterError, match="at least one"):
        to_pdf([])


# -- the page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page, and its texts by element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element."""
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note the text."""
        tag = self.found[-1][0] if self.found else ""
        self.texts[tag] = self.texts.get(tag, "") + data


def test_a_page_needs_nothing_from_outside() -> None:
    """The page refers to nothing outside itself: no links, sources or imports, and its policy allows none."""
    page = to_html(drawing(), "Spring 1901", text="France: A Par")
    for tag, attributes in Page(page).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "href", "action", "srcset"} & set(attributes)
        assert not [name for name in attributes if name.startswith("on")]
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    policy = next(a["content"] for t, a in Page(page).found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")


def test_only_the_page_s_own_script_may_run() -> None:
    """The policy names the SHA-256 of the page's script, and so no other is run."""
    page = to_html(drawing(), "x")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "unsafe-inline" not in page.split("script-src")[1].split('"')[0]


def test_names_on_a_page_are_harmless() -> None:
    """Titles and texts of strangers appear as they are written, and make no elements."""
    nasty = "</title></pre><script>alert('{{script}}')</script>&amp;\\1"
    parsed = Page(to_html(drawing(), nasty, text=nasty))
    assert [tag for tag, _ in parsed.found].count("script") == 1
    assert parsed.texts["title"].startswith(nasty)
    assert parsed.texts["pre"].startswith(nasty)


def test_a_page_is_for_phones_and_keyboards_too() -> None:
    """It asks for the device's width, its map can be focused and its buttons have names."""
    parsed = Page(to_html(drawing(), "Spring 1901"))
    assert ("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}) in parsed.found
    (area,) = (a for t, a in parsed.found if t == "section")
    assert (area["tabindex"], area["aria-label"]) == ("0", "Spring 1901")
    buttons = [a for t, a in parsed.found if t == "button"]
    assert [b.get("aria-label") for b in buttons] == ["Zoom in", "Zoom out", None]
    assert "Whole map" in to_html(drawing(), "x")


def test_the_text_board_stands_below_when_there_is_one() -> None:
    """The text is in a part that opens; without a text there is none."""
    assert "<details>" not in to_html(drawing(), "x")
    page = to_html(drawing(), "x", text="France\n  A Par")
    assert "<details>" in page
    assert Page(page).texts["pre"].startswith("France\n  A Par")


def test_a_page_may_hold_a_map_for_phones() -> None:
    """Given a second picture, the page shows one in wide windows and the other in narrow ones; ids may not clash."""
    named = drawing().replace("<path", '<path id="a"')
    page = to_html(named, "x", narrow=named.replace('id="a"', 'id="b"').replace("Burgundy", "Bur"))
    kinds = [a["class"] for t, a in Page(page).found if t == "div" and str(a.get("class")).startswith("sheet")]
    assert kinds == ["sheet wide", "sheet narrow"]
    assert page.count("<svg ") == 2
    with pytest.raises(GamesmasterError, match="the id a"):
        to_html(named, "x", narrow=named)
    with pytest.raises(GamesmasterError, match="not an SVG"):
        to_html("nothing", "x")
