"""Pictures for everybody: SVG made into PNG, PDF, GIF, a page to look around in, and a whole game as a flip-book.

The libraries that do it are an extra, `pictures`; drawing SVG needs none of them.  All use the font files that come
with the extra and none of the system's, so that a picture is the same on every machine.

A page is one file, and nothing is fetched from anywhere: the map fills the window; wheel, pinch, drag, keys and buttons
zoom and move it; below it the same is said in words.  Of a flip-book the board is drawn once; each page is a layer over
it, shown in turn by the style sheet.  Nothing but a browser is needed.  It stands still on its last page where people,
or programs, do not want motion, and pauses under the pointer.
"""

from __future__ import annotations

import itertools
import operator
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape, unescape
from importlib import import_module
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError, install
from gamesmaster.game import Game, Ledger, ledger_of
from gamesmaster.pictures.orders.model import Drawable, Planned
from gamesmaster.pictures.picture import Picture
from gamesmaster.pictures.signs import Sign, looks_of, marks_of
from gamesmaster.rules import Ruling
from gamesmaster.variant import Phase

if TYPE_CHECKING:
    from PIL.Image import Image


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
    """Return a page showing a picture, complete in itself.

    `text` is the text board, shown below the map when asked for; `narrow` the same map for narrow windows such as a
    phone's, shown there in place of `svg`, its ids others than those of `svg`.  No other script than the page's own is
    run, whatever the pictures hold.  Raises `GamesmasterError` if an id is in both pictures.
    """
    both = set(_ID.findall(svg)) & set(_ID.findall(narrow))
    if both:
        raise GamesmasterError(f"both pictures have an element with the id {min(both)}", hint="give one a prefix")
    sheets = [_sheet(svg, "wide" if narrow else "")]
    if narrow:
        sheets.append(_sheet(narrow, "narrow"))
    board = f"<details><summary>In words</summary>\n<pre>{escape(text)}</pre></details>" if text else ""
    style, script = _part("css"), _part("js")
    return _fill(
        _part("html"),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'",
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
    """Return the template with its `{{parts}}`; what is filled in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


@cache
def _part(ending: str) -> str:
    return (files(__package__) / f"page.{ending}").read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """Return the SHA-256 of the script as a page's policy names it."""
    import hashlib

    return b64encode(hashlib.sha256(script.encode()).digest()).decode()


MOST_PAGES = 400
SHORTEST, LONGEST = 0.2, 60.0
"""Seconds that a page may be shown."""

_IDS = re.compile(r' id="[^"]*"')


class Leaf(NamedTuple):
    """A phase of a flip-book: the position it began with and what became of its orders, and what they are called.

    `marks`, `looks` and `ledger` are those of `Picture.layer`.
    """

    caption: str
    position: Position
    rulings: Sequence[Drawable] = ()
    marks: Mapping[str, Sequence[Sign]] | None = None
    looks: Mapping[int, Sign] | None = None
    ledger: Ledger | None = None


Leaves = Iterable[Leaf | tuple[str, Position, Sequence[Drawable]]]


def leaves_of(game: Game) -> Iterator[Leaf]:
    """Yield the phases of a game that are over, and at the end its present position; secrets are left out."""
    calendar = game.variant.calendar
    for record in game.records:
        rulings = game.adjudication(record).rulings
        yield Leaf(
            calendar.name(record.phase), record.position, rulings, *_scenery(game, record.phase, record.position)
        )
    last = game.outcome.text if game.outcome else calendar.name(game.phase)
    yield Leaf(last, game.position, (), *_scenery(game, game.phase, game.position))


def _scenery(
    game: Game, phase: Phase, position: Position
) -> tuple[Mapping[str, Sequence[Sign]] | None, Mapping[int, Sign] | None, Ledger]:
    """Return the marks, looks and ledger of a position."""
    ledger = ledger_of(game.variant, game.rules, phase, position)
    return marks_of(game.rules, position) or None, looks_of(game.rules, position) or None, ledger


def pages(leaves: Leaves) -> Iterator[Leaf]:
    """Yield each phase as the pages that it is shown on: first the orders, then what became of them.

    Raises `GamesmasterError` after `MOST_PAGES`.
    """
    all_pages = (page for leaf in leaves for page in _split_leaf(Leaf(*leaf)))
    for number, page in enumerate(all_pages, 1):
        if number > MOST_PAGES:
            raise GamesmasterError(f"a flip-book of more than {MOST_PAGES} pages", hint="make one of a part of it")
        yield page


def _split_leaf(leaf: Leaf) -> Iterator[Leaf]:
    orders = [Planned(r.power, r.unit, r.order) for r in leaf.rulings if isinstance(r, Ruling) and r.given and r.order]
    if orders:
        yield leaf._replace(caption=f"{leaf.caption}: orders", rulings=orders)
        yield leaf._replace(caption=f"{leaf.caption}: results")
    else:
        yield leaf


def frames(picture: Picture, leaves: Leaves, *, title: str = "") -> Iterator[str]:
    """Yield every page as a whole SVG document, all of one size; made one at a time.  Raises what `pages` does."""
    for page in pages(leaves):
        named = ": ".join(filter(None, (title or picture.board.name, page.caption)))
        yield picture.document(_layer(picture, page, title), title=named, orders=True)


def flip_book(picture: Picture, leaves: Leaves, *, seconds: float = 2.0, title: str = "") -> str:
    """Return a game as one SVG document that turns its own pages every `seconds` seconds, over and over.

    Raises `GamesmasterError` without any page, or more than `MOST_PAGES`, or for pages shown too briefly or too long.
    """
    if not SHORTEST <= seconds <= LONGEST:
        raise GamesmasterError(f"a page is shown for {SHORTEST:g} to {LONGEST:g} seconds, not {seconds:g}")
    drawn = [(page.caption, _bare(_layer(picture, page, title))) for page in pages(leaves)]
    if not drawn:
        raise GamesmasterError("a flip-book without pages")
    whole = seconds * len(drawn)
    body = "".join(
        # A page's time begins before the picture is opened, so that none but the first is seen at once.
        f'<g class="{picture.prefix}leaf" role="group" aria-label="{escape(caption)}"'
        f' style="animation-delay:{seconds * number - whole:g}s">{layer}</g>'
        for number, (caption, layer) in enumerate(drawn)
    )
    book = f'<style>{_motion(picture.prefix, whole, len(drawn))}</style><g class="{picture.prefix}book">{body}</g>'
    return picture.document(book, title=title, orders=True)


def _layer(picture: Picture, page: Leaf, title: str) -> str:
    return picture.layer(
        page.position,
        title=title,
        subtitle=page.caption,
        rulings=page.rulings,
        marks=page.marks,
        looks=page.looks,
        ledger=page.ledger,
    )


def _bare(layer: str) -> str:
    """Return a layer without ids, which may not come twice in a document."""
    return _IDS.sub("", layer)


def _motion(prefix: str, whole: float, number: int) -> str:
    """Return the style sheet that shows one page after the other; what does not know motion shows the last."""
    leaf, share = f".{prefix}leaf", 100 / number
    return (
        f"{leaf}{{visibility:hidden;animation:{prefix}turn {whole:g}s step-end infinite}}"
        f"{leaf}:last-child{{visibility:visible}}"
        f".{prefix}book:hover {leaf}{{animation-play-state:paused}}"
        f"@keyframes {prefix}turn{{0%{{visibility:visible}}{share:.6g}%{{visibility:hidden}}100%{{visibility:hidden}}}}"
        f"@media (prefers-reduced-motion:reduce){{{leaf}{{animation:none}}}}"
    )


MOST_PIXELS = 400_000_000  # of all pictures of a GIF together: a byte each while it is made
PALETTE_SAMPLES = 12  # pictures of a GIF from which its colours are chosen
FLAT, SAME, MOST_COMPARED = 128, 10, 4_000  # colours kept as they are; nearer ones are one; how many are looked at

Colour = tuple[int, int, int]


def to_gif(
    svgs: Sequence[str],
    width: int,
    seconds: float,
    *,
    ground: str = "",
    progress: Callable[[int], None] = lambda done: None,
) -> bytes:
    """Return pictures of one size as an animated GIF that repeats, each shown for `seconds` seconds.

    `ground` is a picture that is drawn once and lies beneath all the others, which may then be transparent. `progress`
    is called with the number of finished pictures.  Raises `GamesmasterError` as `to_png` does, and if all the pictures
    together would have more than `MOST_PIXELS`.
    """
    if not svgs:
        raise GamesmasterError("a GIF needs at least one picture")
    if not 0.05 <= seconds <= 60:
        raise GamesmasterError(f"a picture can be shown for 0.05 to 60 seconds, not for {seconds:g}")
    sizes = {pixels(svg, width) for svg in (*svgs, *filter(None, [ground]))}
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
    flat = library("PIL.Image", "GIF").Dither.NONE
    drawn = (samples.pop(n) if n in samples else draw(n) for n in range(len(svgs)))
    frames = [image.quantize(palette=palette, dither=flat) for image in drawn]
    stream = BytesIO()
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:], duration=round(seconds * 100) * 10, loop=0)
    return stream.getvalue()


def _image(svg: str, width: int, beneath: Image | None = None) -> Image:
    """Return a picture, laid over another one."""
    opened: Image = library("PIL.Image", "GIF").open(BytesIO(to_png(svg, width)))
    if beneath is None:
        return opened.convert("RGB")
    whole = beneath.copy()
    whole.paste(opened, mask=opened.convert("RGBA").getchannel("A"))
    return whole


def _spread(length: int) -> list[int]:
    """Return evenly spread indices into `length` pictures, the first and the last among them."""
    most = min(PALETTE_SAMPLES, length)
    return [round(n * (length - 1) / max(1, most - 1)) for n in range(most)]


def _palette(samples: Sequence[Image]) -> Image:
    """One palette for all frames, so that no colour flickers: chosen from samples laid side by side.

    Half of it are the commonest colours as they are, so that even a small sign keeps its own; the rest is shared out
    among all that is left, which is mostly the soft edges between them.
    """
    pillow = library("PIL.Image", "GIF")
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
    """Return the commonest colours of a picture, the commonest first, no two of them all but the same."""
    counted: Any = sheet.getcolors(sheet.width * sheet.height)
    chosen: list[Colour] = []
    for _, colour in sorted(counted, reverse=True)[:MOST_COMPARED]:
        if all(max(map(abs, map(operator.sub, colour, other))) > SAME for other in chosen):
            chosen.append(colour)
        if len(chosen) == FLAT:
            break
    return chosen
