"""Pictures as an animated GIF."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from gamesmaster.errors import GamesmasterError
from gamesmaster.pictures.export_png import library, pixels, to_png

if TYPE_CHECKING:
    from PIL.Image import Image

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
    """Pictures of one size as an animated GIF that goes round and round, each shown for so many seconds.

    `ground` is a picture that is drawn once and lies beneath all the others, which may then be transparent.
    `progress` is told how many pictures are done.  Raises `GamesmasterError` as `to_png` does, and if all the pictures
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
    """A picture, laid over another one."""
    opened: Image = library("PIL.Image", "GIF").open(BytesIO(to_png(svg, width)))
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
    """The commonest colours of a picture, the commonest first, no two of them all but the same."""
    counted: Any = sheet.getcolors(sheet.width * sheet.height)
    chosen: list[Colour] = []
    for _, colour in sorted(counted, reverse=True)[:MOST_COMPARED]:
        if all(max(map(abs, map(operator.sub, colour, other))) > SAME for other in chosen):
            chosen.append(colour)
        if len(chosen) == FLAT:
            break
    return chosen
