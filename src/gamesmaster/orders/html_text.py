"""The words of an HTML text, such as a mail: no markup, no style, no quotation; nothing is fetched."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_DROPPED = frozenset({
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe",
    "s", "del", "strike",
})  # fmt: skip
"""Elements whose words are not read: what nobody sees, and what is struck out."""
_QUOTED = frozenset({"blockquote"})
_LINES = frozenset({"p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "pre", "hr"})
_EMPTY = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "area", "col", "embed", "source"})
DEEPEST = 200
QUOTATION = "> (a quotation)"
"""What stands in the text where the mail quoted another."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.inside: list[str] = []  # dropped and quoted elements that are open
        self.plain = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line where the mail shows one; note what is not to be read."""
        if tag in _LINES and not self.inside:
            self.parts.append("\n")
        if tag in _EMPTY or len(self.inside) >= DEEPEST:
            return
        if tag in _QUOTED or _quotes(attrs):
            if not self.inside:
                self.parts.append(f"\n{QUOTATION}\n")
            self.inside.append(tag)
        elif tag in _DROPPED or (self.inside and tag == self.inside[-1]):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Read on where what was dropped ends."""
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()
        elif tag in _LINES and not self.inside:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take words, their white space as one space each."""
        if not self.inside:
            words = " ".join(data.split())
            self.parts.append(f" {words} " if words else " ")


def _quotes(attrs: list[tuple[str, str | None]]) -> bool:
    """Is this where mail programs put what they quote?"""
    told = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
    return any(word in told for word in ("gmail_quote", "moz-cite-prefix", "yahoo_quoted", "divRplyFwdMsg"))


_MARKUP = re.compile(r"\s*(<!doctype html|<(html|body|p|div|br|ul|ol|table|span|font|h[1-6])[ />])", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Does a text begin as HTML does?"""
    return bool(_MARKUP.match(text))


def text_of(html: str) -> str:
    """The words of an HTML text, a line for each block; `QUOTATION` stands for what it quotes."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)
