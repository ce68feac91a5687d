"""Pictures for everybody: SVG made into PNG, PDF, GIF, and into a page to look around in.

The libraries that do it are an extra, `pip install 'gamesmaster[pictures]'`; drawing SVG needs none of them.  All use
the font files that come with the extra and none of the system's, so that a picture is the same on every machine.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Sequence
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gamesmaster.errors import GamesmasterError
from gamesmaster.pictures.page import to_html

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["LONGEST_SIDE", "Paper", "picture_size", "picture_title", "to_gif", "to_html", "to_pdf", "to_png"]

LONGEST_SIDE = 8_000  # pixels
MOST_PIXELS = 400_000_000  # of all pictures of a GIF together: a byte each while it is made
LARGEST = 8 * 1024 * 1024  # characters of one SVG
PALETTE_SAMPLES = 12  # pictures of a GIF from which its colours are chosen
FLAT, SAME, MOST_COMPARED = 128, 10, 4_000  # colours kept as they are; nearer ones are one; how many are looked at

Colour = tuple[int, int, int]
Paper = Literal["A4", "A3", "fit"]
_PAPERS: dict[Paper, tuple[float, float, float]] = {  # long side, short side, margin, in millimetres
    "A4": (297, 210, 7),
    "A3": (420, 297, 8),
}
_FIT = 420.0  # millimetres: the longer side of a page that has the picture's own shape

_ROOT = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r"""\bviewBox=["']\s*([-\d.]+)[\s,]+([-\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)\s*["']""")
_TITLE = re.compile(r"<title[^>]*>([^<]*)</title>")
_FOREIGN = re.compile(r"<!DOCTYPE|<!ENTITY|<\s*(?:\w+:)?(image|script|foreignObject|feImage|iframe)\b", re.IGNORECASE)


def to_png(svg: str, width: int) -> bytes:
    """A picture as PNG, `width` pixels wide.

    Raises `GamesmasterError` if a side would be longer than `LONGEST_SIDE`, if `svg` is no picture of ours, or if the
    library is missing.
    """
    _pixels(svg, width)
    resvg, fonts = _library("resvg_py", "PNG"), _font_files("PNG")
    try:
        drawn = resvg.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts)
    except ValueError as fault:
        raise GamesmasterError(f"this SVG cannot be drawn: {fault}") from None
    return bytes(drawn)


def to_pdf(svgs: Sequence[str], *, title: str = "", paper: Paper = "A4") -> bytes:
    """Pictures as PDF: a page each, lines kept as lines and text as text.

    On A4 and A3 the page lies as the picture does, which fills it but for a margin; `fit` gives each page its picture's
    own shape, as long as A3.  `title` is the document's, the first picture's if left out; every page has a bookmark.
    Raises `GamesmasterError` as `to_png` does.
    """
    if not svgs:
        raise GamesmasterError("a PDF needs at least one picture")
    typst, fonts = _library("typst", "PDF"), str(Path(_font_files("PDF")[0]).parent)
    inputs = {"title": title or picture_title(svgs[0])}
    for number, svg in enumerate(svgs):
        inputs |= {f"svg{number}": svg, f"title{number}": picture_title(svg)}
    pages = "#pagebreak()\n".join(_page(number, picture_size(svg), paper) for number, svg in enumerate(svgs))
    told = f"#set document(title: sys.inputs.title, date: none)\n#set text(size: 1pt)\n{pages}"
    try:
        made: bytes = typst.compile(
            told.encode(), format="pdf", sys_inputs=inputs, font_paths=[fonts], ignore_system_fonts=True
        )
    except typst.TypstError as fault:
        raise GamesmasterError(f"this SVG cannot be drawn: {fault.message}") from None
    return made


def to_gif(
    svgs: Sequence[str],
    width: int,
    seconds: float,
    *,
    ground: str = "",
    progress: Callable[[int], None] = lambda done: None,
) -> bytes:
    """Pictures of one size as an animated GIF that goes round and round, each shown for so many seconds.

    `ground` is a picture that is drawn once and lies beneath all the others, which may then be transparent.
    `progress` is told how many pictures are done.  Raises `GamesmasterError` as `to_png` does, and if all the pictures
    together would have more than `MOST_PIXELS`.
    """
    if not svgs:
        raise GamesmasterError("a GIF needs at least one picture")
    if not 0.05 <= seconds <= 60:
        raise GamesmasterError(f"a picture can be shown for 0.05 to 60 seconds, not for {seconds:g}")
    sizes = {_pixels(svg, width) for svg in (*svgs, *filter(None, [ground]))}
    if len(sizes) > 1:
        raise GamesmasterError("the pictures of a GIF must have one size")
    if sum(w * h for w, h in sizes) * len(svgs) > MOST_PIXELS:
        raise GamesmasterError(
            f"{len(svgs):,} pictures of {width:,} pixels are too many for one GIF", hint="make it narrower"
        )
    beneath = _image(ground, width) if ground else None
    done = itertools.count(1)

    def draw(number: int) -> Image:
        image = _image(svgs[number], width, beneath)
        progress(next(done))
        return image

    samples = {number: draw(number) for number in _spread(len(svgs))}
    palette = _palette(list(samples.values()))
    flat = _library("PIL.Image", "GIF").Dither.NONE
    drawn = (samples.pop(number, None) or draw(number) for number in range(len(svgs)))
    frames = [image.quantize(palette=palette, dither=flat) for image in drawn]
    stream = BytesIO()
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:], duration=round(seconds * 100) * 10, loop=0)
    return stream.getvalue()


# -- what an SVG says of itself --------------------------------------------------------------------------------------


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
        raise GamesmasterError("this is no SVG with a viewBox")
    return width, height


def picture_title(svg: str) -> str:
    """The title of a picture, as it says itself; "" if it does not."""
    found = _TITLE.search(svg[:100_000])
    return " ".join(unescape(found[1]).split()) if found else ""


def _pixels(svg: str, width: int) -> tuple[int, int]:
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


# -- inside ----------------------------------------------------------------------------------------------------------


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


def _image(svg: str, width: int, beneath: Image | None = None) -> Image:
    """A picture, laid over another one."""
    opened: Image = _library("PIL.Image", "GIF").open(BytesIO(to_png(svg, width)))
    if beneath is None:
        return opened.convert("RGB")
    whole = beneath.copy()
    whole.paste(opened, mask=opened.convert("RGBA").getchannel("A"))
    return whole


def _spread(length: int) -> list[int]:
    """Numbers of some of so many pictures, evenly spread, the first and the last among them."""
    most = min(PALETTE_SAMPLES, length)
    return [round(n * (length - 1) / max(1, most - 1)) for n in range(most)]


def _palette(samples: Sequence[Image]) -> Image:
    """One palette for all frames, so that no colour flickers: chosen from samples laid side by side.

    Half of it are the commonest colours as they are, so that even a small sign keeps its own; the rest is shared out
    among all that is left, which is mostly the soft edges between them.
    """
    pillow = _library("PIL.Image", "GIF")
    width, height = (min(side, 800) for side in samples[0].size)
    sheet: Image = pillow.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample.resize((width, height), pillow.Resampling.NEAREST), (0, number * height))
    flat = _flat_colours(sheet)
    rest = (
        sheet.quantize(256 - len(flat), method=pillow.Quantize.MEDIANCUT, dither=pillow.Dither.NONE).getpalette() or []
    )
    palette: Image = pillow.new("P", (1, 1))
    palette.putpalette([*itertools.chain(*flat), *rest][: 3 * 256])
    return palette


def _flat_colours(sheet: Image) -> list[Colour]:
    """The commonest colours of a picture, the commonest first, no two of them all but the same."""
    counted: Any = sheet.getcolors(sheet.width * sheet.height)
    chosen: list[Colour] = []
    for _, colour in sorted(counted, reverse=True)[:MOST_COMPARED]:
        if all(max(map(abs, map(operator.sub, colour, other))) > SAME for other in chosen):
            chosen.append(colour)
        if len(chosen) == FLAT:
            break
    return chosen


def _font_files(kind: str) -> list[str]:
    folder = Path(str(_library("font_roboto", kind).__file__)).parent / "files"
    return [str(folder / f"Roboto-{cut}.ttf") for cut in ("Regular", "Bold", "Italic", "BoldItalic")]


def _library(name: str, kind: str) -> Any:
    """A library of the extra; the error says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        hint = "pip install 'gamesmaster[pictures]'"
        raise GamesmasterError(f"{kind} needs libraries that are not installed", hint=hint) from None
