"""A page to look around in a map: one file, nothing fetched from anywhere.

The map fills the window; wheel, pinch, drag, keys and buttons zoom and move it; below it the same is said in words.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files

from gamesmaster.errors import GamesmasterError

_ID = re.compile(r'\bid="([^"]+)"')


def to_html(svg: str, title: str, *, text: str = "", narrow: str = "") -> str:
    """A page showing a picture, complete in itself.

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
    return _filled(
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


def _filled(template: str, **parts: str) -> str:
    """The template with its `{{parts}}`; what is filled in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


@cache
def _part(ending: str) -> str:
    return (files(__package__) / f"page.{ending}").read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """The SHA-256 of the script as a page's policy names it."""
    import hashlib

    return b64encode(hashlib.sha256(script.encode()).digest()).decode()
