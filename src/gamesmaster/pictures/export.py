"""Pictures for everybody: SVG made into PNG, PDF, GIF, and into a page to look around in.

The libraries that do it are an extra, `pictures`; drawing SVG needs none of them.  All use the font files that come
with the extra and none of the system's, so that a picture is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from gamesmaster.errors import GamesmasterError
from gamesmaster.pictures.export_gif import to_gif
from gamesmaster.pictures.export_png import LONGEST_SIDE, font_files, library, picture_size, picture_title, to_png
from gamesmaster.pictures.page import to_html

__all__ = ["LONGEST_SIDE", "Paper", "picture_size", "picture_title", "to_gif", "to_html", "to_pdf", "to_png"]

Paper = Literal["A4", "A3", "fit"]
_PAPERS: dict[Paper, tuple[float, float, float]] = {  # long side, short side, margin, in millimetres
    "A4": (297, 210, 7),
    "A3": (420, 297, 8),
}
_FIT = 420.0  # millimetres: the longer side of a page that has the picture's own shape


def to_pdf(svgs: Sequence[str], *, title: str = "", paper: Paper = "A4") -> bytes:
    """Pictures as PDF: a page each, lines kept as lines and text as text.

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
    told = f"#set document(title: sys.inputs.title, date: none)\n#set text(size: 1pt)\n{pages}"
    try:
        made: bytes = typst.compile(
            told.encode(), format="pdf", sys_inputs=inputs, font_paths=[fonts], ignore_system_fonts=True
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
