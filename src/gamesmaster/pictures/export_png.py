"""Pictures as PNG, and what every export must know of them: their size, their title, the fonts, the libraries."""

from __future__ import annotations

import re
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import Any

from gamesmaster.errors import GamesmasterError, install

LONGEST_SIDE = 8_000  # pixels
LARGEST = 8 * 1024 * 1024  # characters of one SVG

_ROOT = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r"""\bviewBox=["']\s*([-\d.]+)[\s,]+([-\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_TITLE = re.compile(r"<title[^>]*>([^<]*)</title>")
_FOREIGN = re.compile(r"<!DOCTYPE|<!ENTITY|<\s*(?:\w+:)?(image|script|foreignObject|feImage|iframe)\b", re.IGNORECASE)


def to_png(svg: str, width: int) -> bytes:
    """A picture as PNG, `width` pixels wide.

    Raises `GamesmasterError` if a side would be longer than `LONGEST_SIDE`, if `svg` is no picture of ours, or if the
    library is missing.
    """
    pixels(svg, width)
    resvg, fonts = library("resvg_py", "PNG"), font_files("PNG")
    try:
        drawn = resvg.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts)
    except ValueError as fault:
        raise GamesmasterError(f"this SVG cannot be drawn: {fault}") from None
    return bytes(drawn)


def picture_size(svg: str) -> tuple[float, float]:
    """Width and height of a picture in its own units.

    Raises `GamesmasterError` if the text is no SVG with a viewBox, is larger than `LARGEST`, or holds what no picture
    of ours does: images, scripts, foreign objects, a document type.
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
    """The title of a picture, as it says itself; "" if it does not."""
    found = _TITLE.search(svg[:100_000])
    return " ".join(unescape(found[1]).split()) if found else ""


def pixels(svg: str, width: int) -> tuple[int, int]:
    """Width and height in pixels of a picture so wide; raises `GamesmasterError` as `to_png` does."""
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
    """The paths of the font's files: upright and italic, regular and bold."""
    folder = Path(str(library("font_roboto", kind).__file__)).parent / "files"
    return [str(folder / f"Roboto-{cut}.ttf") for cut in ("Regular", "Bold", "Italic", "BoldItalic")]


def library(name: str, kind: str) -> Any:
    """A library of the extra, to make a picture of this `kind`; the error says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        hint = install("pictures")
        raise GamesmasterError(f"{kind} needs libraries that are not installed", hint=hint) from None
