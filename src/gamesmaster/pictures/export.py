"""Pictures for everybody: SVG made into PNG, PDF, and a page to look around in.

The libraries that do it are an extra, `pictures`; drawing SVG needs none of them.  All use the font files that come
with the extra and none of the system's, so that a picture is the same on every machine.

A page is one file, and nothing is fetched from anywhere: the map fills the window; wheel, pinch, drag, keys and buttons
zoom and move it; below it the same is said in words.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape, unescape
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from gamesmaster.errors import GamesmasterError, install

LONGEST_SIDE = 8_000  # pixels
LARGEST = 8 * 1024 * 1024  # characters of one SVG

_ROOT = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r"""\bviewBox=["']\s*([-\d.]+)[\s,]+([-\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_TITLE = re.compile(r"<title[^>]*>([^<]*)</title>")
_FOREIGN = re.compile(r"<!DOCTYPE|<!ENTITY|<\s*(?:\w+:)?(image|script|foreignObject|feImage|iframe)\b", re.IGNORECASE)


def to_png(svg: str, width: int) -> bytes:
    """Return a picture as PNG, `width` pixels wide.

    Raises `GamesmasterError` if a side would be longer than `LONGEST_SIDE`, if `svg` is not one of our pictures, or if
    the library is missing.
    """
    pixels(svg, width)
    resvg, fonts = library("resvg_py", "PNG"), font_files("PNG")
    try:
        drawn = resvg.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts)
    except ValueError as fault:
        raise GamesmasterError(f"this SVG cannot be drawn: {fault}") from None
    return bytes(drawn)


def picture_size(svg: str) -> tuple[float, float]:
    """Return the width and height of a picture in its own units.

    Raises `GamesmasterError` if the text is not an SVG with a viewBox, is larger than `LARGEST`, or holds things that
    our pictures never do: images, scripts, foreign objects, a document type.
    """
    if len(svg) > LARGEST:
        raise GamesmasterError(f"this SVG has more than {LARGEST:,} characters")
    foreign = _FOREIGN.search(svg)
    if foreign:
        raise GamesmasterError(f"this SVG holds {foreign[0]!r}, which no map does")
    root = _ROOT.search(svg)
    box = root and _VIEW_BOX.search(root[0])
    width, height = (float(box[3]), float(box[4])) if box else (0.0, 0.0)
    if not (width > 0 and height > 0):
        raise GamesmasterError("this is not an SVG with a viewBox")
    return width, height


def picture_title(svg: str) -> str:
    """Return the title of a picture, as it says itself; "" if it does not."""
    match = _TITLE.search(svg[:100_000])
    return " ".join(unescape(match[1]).split()) if match else ""


def pixels(svg: str, width: int) -> tuple[int, int]:
    """Return the width and height in pixels of a picture of this width; raise `GamesmasterError` as `to_png` does."""
    across, down = picture_size(svg)
    height = round(width * down / across)
    if width < 1 or height < 1:
        raise GamesmasterError(f"a picture cannot be {width} pixels wide")
    if max(width, height) > LONGEST_SIDE:
        raise GamesmasterError(
            f"a picture of {width:,} by {height:,} pixels is too large",
            hint=f"at most {LONGEST_SIDE:,} a side; a PDF or SVG can be printed at any size",
        )
    return width, height


def font_files(kind: str) -> list[str]:
    """Return the paths of the font's files: upright and italic, regular and bold."""
    folder = Path(str(library("font_roboto", kind).__file__)).parent / "files"
    return [str(folder / f"Roboto-{cut}.ttf") for cut in ("Regular", "Bold", "Italic", "BoldItalic")]


def library(name: str, kind: str) -> Any:
    """Return a library of the extra, to make a picture of this `kind`; the error says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        hint = install("pictures")
        raise GamesmasterError(f"{kind} needs libraries that are not installed", hint=hint) from None


Paper = Literal["A4", "A3", "fit"]
"""The size of a printed page: `fit` is that of the map."""
_PAPERS: dict[Paper, tuple[float, float, float]] = {  # long side, short side, margin, in millimetres
    "A4": (297, 210, 7),
    "A3": (420, 297, 8),
}
_FIT = 420.0  # millimetres: the longer side of a page that has the picture's own shape


def to_pdf(svgs: Sequence[str], *, title: str = "", paper: Paper = "A4") -> bytes:
    """Return pictures as a PDF: a page each, lines kept as lines and text as text.

    On A4 and A3 the page lies as the picture does, which fills it but for a margin; `fit` gives each page its picture's
    own shape, as long as A3.  `title` is the document's, the first picture's by default; every page has a bookmark.
    Raises `GamesmasterError` as `to_png` does.
    """
    if not svgs:
        raise GamesmasterError("a PDF needs at least one picture")
    typst, fonts = library("typst", "PDF"), str(Path(font_files("PDF")[0]).parent)
    inputs = {"title": title or picture_title(svgs[0])}
    for number, svg in enumerate(svgs):
        inputs |= {f"svg{number}": svg, f"title{number}": picture_title(svg)}
    pages = "#pagebreak()\n".join(_page(number, picture_size(svg), paper) for number, svg in enumerate(svgs))
    source = f"#set document(title: sys.inputs.title, date: none)\n#set text(size: 1pt)\n{pages}"
    try:
        made: bytes = typst.compile(
            source.encode(), format="pdf", sys_inputs=inputs, font_paths=[fonts], ignore_system_fonts=True
        )
    except typst.TypstError as fault:
        raise GamesmasterError(f"this SVG cannot be drawn: {fault.message}") from None
    return made


def _page(number: int, size: tuple[float, float], paper: Paper) -> str:
    across, down = size
    margin = 0.0
    if paper == "fit":
        wide, high = _FIT * min(1, across / down), _FIT * min(1, down / across)
    else:
        wide, high, margin = _PAPERS[paper] if across > down else (_PAPERS[paper][1], *_PAPERS[paper][::2])
    return (
        f"#set page(width: {wide:.3f}mm, height: {high:.3f}mm, margin: {margin:g}mm)\n"
        f"#place(hide(heading(sys.inputs.title{number})))\n"
        f'#image(bytes(sys.inputs.svg{number}), format: "svg", width: 100%, height: 100%, '
        f'fit: "contain", alt: sys.inputs.title{number})\n'
    )


_ID = re.compile(r'\bid="([^"]+)"')


def to_html(svg: str, title: str, *, text: str = "", narrow: str = "") -> str:
    """Return a complete page that shows a picture.

    `text` is the text board, which readers can show below the map; `narrow` is the same map for narrow windows such
    as a phone's, shown there instead of `svg`, with different ids.  No other script than the page's own is run,
    whatever the pictures contain.  Raises `GamesmasterError` if an id is in both pictures.
    """
    both = set(_ID.findall(svg)) & set(_ID.findall(narrow))
    if both:
        raise GamesmasterError(f"both pictures have an element with the id {min(both)}", hint="give one a prefix")
    sheets = [_sheet(svg, "wide" if narrow else "")]
    if narrow:
        sheets.append(_sheet(narrow, "narrow"))
    board = f"<details><summary>In words</summary>\n<pre>{escape(text)}</pre></details>" if text else ""
    style, script = _part("css"), _part("js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return _fill(
        _part("html"),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'",
        title=escape(title),
        style=style,
        sheets="\n".join(sheets),
        board=board,
        script=script,
    )


def _sheet(svg: str, kind: str) -> str:
    drawn = svg[svg.index("<svg") :] if "<svg" in svg else ""
    if not drawn:
        raise GamesmasterError("this is not an SVG")
    return f'<div class="sheet {kind}">{drawn}</div>'.replace('sheet "', 'sheet"')


def _fill(template: str, **parts: str) -> str:
    """Return the template with its `{{parts}}` filled in; texts filled in are not filled again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


@cache
def _part(ending: str) -> str:
    return (files(__package__) / f"page.{ending}").read_text(encoding="utf-8")
