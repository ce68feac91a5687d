"""Layout: what a sheet of orders has around its orders, taken away so that every letter left stands where it stood.

Bullets and numbers before an order, quotation marks, what is struck out or quoted, signatures, and marks of a forum or
a mail program become spaces.  Of an HTML text, such as a mail, only the words are left: no markup, no style, no
quotation; nothing is fetched.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from gamesmaster.orders.words import Word, split

_STRUCK = re.compile(r"\[s\].*?\[/s\]|\[strike\].*?\[/strike\]|<s>.*?</s>|<del>.*?</del>|~~.*?~~", re.IGNORECASE)
_MARKUP = re.compile(
    r"\[/?(?:b|i|u|code|quote|color|size|list|center|spoiler|url)(?:=[^\]\n]{0,40})?\]|\[\*\]"
    r"|</?(?:b|i|u|em|strong|code|pre|span|li|ul|ol|font)(?: [^>\n]{0,80})?>|\d\ufe0f?\u20e3|^\s*\||\|\s*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\s*>(?!=)")
_ATTRIBUTION = re.compile(
    r".{0,200}(wrote|writes|schrieb|écrit|escribió|ha scritto|message)\b.{0,60}:\s*", re.IGNORECASE
)
_SIGNATURE = re.compile(r"--\s?")
_FORWARDED = re.compile(r"[-\s]*(?:begin forwarded|(?:original|forwarded)) message:?[-\s]*", re.IGNORECASE)
_HEADER = re.compile(r"\s*\*?(from|sent|date|to|subject|von|gesendet|de|envoyé|enviado|da|inviato)\s*:", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\s*(?:\(?\d{1,2}\)|\d{1,2}\.(?=\s)|\d{1,2}:(?=\s)|[a-z]\)|#\d{1,2}[.:)]?)\s*"
    r"|\s*(?:\d{1,2}\s?[-\u2013]|[ivx]{1,4}[.)])\s+(?=(?:[AF]|army|fleet|build|remove|disband)\s)",
    re.IGNORECASE,
)
_PARTED = re.compile(
    r"(?<=\s)\|(?=\s)|(?<=\s)(?<!\bA\s)(?<!\barmy\s)/(?=\s+(?:[AFW]\s|army\b|fleet\b|build|remove|disband))",
    re.IGNORECASE,
)
"""What stands between two orders in the place of a semicolon; "Army / Fleet" is one unit."""
_OPENING, _CLOSING = "([{", ")]}"
_QUIET = set('!*`"“”„‘«»†‡¶~^') | {"\u2026"}
_REMARKS = re.compile(r"(?:#|//).*")


@dataclass(frozen=True, slots=True)
class Layout:
    """A line of a sheet: its number (from 1), what is read of it, the whole line, and why nothing is, if so."""

    number: int
    text: str
    written: str
    skipped: str = ""


def lay_out(text: str) -> Iterator[Layout]:
    """The lines of a text that have words, without all that is around the orders."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    quotes_count = not any(_own(line) for line in lines)
    signed = begun = False
    for number, line in enumerate(lines, 1):
        signed = signed or (number > 1 and bool(_SIGNATURE.fullmatch(line))) or (begun and forwards(lines, number - 1))
        begun = begun or bool(line.strip() and not _HEADER.match(line))
        if not any(char.isalnum() or char in "+?" for char in line):
            continue
        quoted = bool(_QUOTED.match(line))
        if signed or (quoted and not quotes_count) or _ATTRIBUTION.fullmatch(line):
            yield Layout(number, "", line, "below a signature" if signed else "a quotation")
            continue
        yield Layout(number, bare(line, quoted=quoted), line)


def forwards(lines: list[str], at: int) -> bool:
    """Does another mail begin at this line of one: with two lines of its header, or the words before it?"""
    here, below = lines[at][:400], lines[at + 1][:400] if at + 1 < len(lines) else ""
    return bool(_FORWARDED.fullmatch(here)) or bool(_HEADER.match(here) and _HEADER.match(below))


def _own(line: str) -> bool:
    """Has the writer written this line: is it not empty, quoted, nor said of a quotation?"""
    return bool(line.strip()) and not _QUOTED.match(line) and not _ATTRIBUTION.fullmatch(line)


def bare(line: str, *, quoted: bool = False) -> str:
    """A line without marks and bullets, every letter at its place."""
    for pattern in (_STRUCK, _MARKUP):
        line = pattern.sub(_blank, line)
    line = "".join(" " if _silent(char) else char for char in line)
    if quoted:
        line = re.sub(r"^[\s>]+", _blank, line)
    cut = _NUMBERED.match(line)
    if cut and any(char.isalpha() for char in line[cut.end() :]):
        line = " " * cut.end() + line[cut.end() :]
    line = _PARTED.sub(";", line)
    return _REMARKS.sub(_blank, line) if not re.match(r"\s*[#/]", line) else " " * len(line)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _silent(char: str) -> bool:
    """Is it a sign that says nothing: a mark for emphasis, a picture, a flag, a bullet?"""
    if char.isascii():
        return char in _QUIET
    if char in _QUIET and char != "\u2026":
        return True
    name = unicodedata.name(char, "")
    if "ARROW" in name or name in ("HEAVY PLUS SIGN", "HEAVY MINUS SIGN"):
        return False
    return unicodedata.category(char) in ("So", "Sk") or "BULLET" in name or char in "·‣◦"


@dataclass(slots=True)
class Passage:
    """Some words of a line: `keys` are what is read, `marked` tells where a stroke or bracket stands before one.

    `breaks` are the words before which a comma stands, `stops` those before which a full stop does, `inside` those that
    are in brackets.
    """

    line: Layout
    words: list[Word]
    keys: list[str]
    marked: list[bool]
    breaks: frozenset[int]
    inside: list[bool]
    stops: frozenset[int] = frozenset()

    def part(self, start: int, end: int) -> Passage:
        """The words from one to before another."""
        cut = slice(start, end)
        breaks, stops = (frozenset(at - start for at in ends if start < at < end) for ends in (self.breaks, self.stops))
        return Passage(self.line, self.words[cut], self.keys[cut], self.marked[cut], breaks, self.inside[cut], stops)

    def without(self, *signs: str) -> Passage:
        """The words without these signs."""
        return self._keep([at for at, word in enumerate(self.keys) if word not in signs])

    def remarks(self) -> list[range]:
        """Where the words of each bracket are."""
        ranges: list[range] = []
        for at, within in enumerate(self.inside):
            if within and ranges and ranges[-1].stop == at and not self.marked[at]:
                ranges[-1] = range(ranges[-1].start, at + 1)
            elif within:
                ranges.append(range(at, at + 1))
        return ranges

    def outside(self, remarks: Iterable[range]) -> Passage:
        """The words outside these brackets."""
        left_out = {at for remark in remarks for at in remark}
        return self._keep([at for at in range(len(self.keys)) if at not in left_out])

    def _keep(self, kept: list[int]) -> Passage:
        places = {at: number for number, at in enumerate(kept)}
        return Passage(
            self.line,
            [self.words[at] for at in kept], [self.keys[at] for at in kept], [self.marked[at] for at in kept],
            frozenset(places[at] for at in self.breaks if at in places), [self.inside[at] for at in kept],
            frozenset(places[at] for at in self.stops if at in places),
        )  # fmt: skip

    @property
    def text(self) -> str:
        """The words as they were written."""
        text, start, end = self.line.text, self.words[0].start, self.words[-1].end
        while text[end : end + 1] and text[end] in _CLOSING and _is_open(text[start:end], text[end]):
            end += 1
        return text[start:end]

    def column(self, at: int) -> int:
        """Where a word begins, from 1."""
        return self.words[at].start + 1


def _is_open(text: str, closing: str) -> bool:
    """Is a bracket opened that this one closes?"""
    return text.count(closing) < text.count(_OPENING[_CLOSING.index(closing)])


def _apostrophes(text: str) -> Iterator[Word]:
    """The words of a text, what an apostrophe cuts short as one: "M'seilles", and not "Austria's" or "d'Helgoland"."""
    held: Word | None = None
    for word in split(text):
        if held and text[held.end : word.start] in ("'", "’") and len(word.key) > 1 and held.key not in ("l", "d"):
            held = Word(held.key + word.key, held.start, word.end)
            continue
        if held:
            yield held
        held = word
    if held:
        yield held


def passages(line: Layout) -> Iterator[Passage]:
    """The words of a line between its semicolons, brackets and full stops noted and left out."""
    passage = Passage(line, [], [], [], frozenset(), [])
    breaks, stops = set[int](), set[int]()
    depth, mark, last = 0, False, 0
    for word in _apostrophes(line.text):
        if word.key == ";":
            if passage.words:
                passage.breaks, passage.stops = frozenset(breaks), frozenset(stops)
                yield passage
            passage, depth, mark = Passage(line, [], [], [], frozenset(), []), 0, False
            breaks, stops = set(), set()
        elif word.key in _OPENING:
            depth, mark = depth + 1, True
        elif word.key in _CLOSING:
            depth = max(depth - 1, 0)
        else:
            between = line.text[last : word.start]
            if passage.words and "," in between and not depth:
                breaks.add(len(passage.words))
            elif passage.words and re.search(r"[.!]\s", between):
                stops.add(len(passage.words))
            passage.words.append(word)
            passage.keys.append(word.key)
            passage.marked.append(mark or (len(passage.keys) > 1 and passage.keys[-2] == "/"))
            passage.inside.append(depth > 0)
            mark = False
        last = word.end
    if passage.words:
        passage.breaks, passage.stops = frozenset(breaks), frozenset(stops)
        yield passage


# -- the words of an HTML text -----------------------------------------------------------------------------------------

_DROPPED = frozenset({
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe",
    "s", "del", "strike",
})  # fmt: skip
"""Elements whose words are not read: what nobody sees, and what is struck out."""
_QUOTING = frozenset({"blockquote"})
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
        if tag in _QUOTING or _quotes(attrs):
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
    names = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
    return any(word in names for word in ("gmail_quote", "moz-cite-prefix", "yahoo_quoted", "divRplyFwdMsg"))


_HTML = re.compile(r"\s*(<!doctype html|<(html|body|p|div|br|ul|ol|table|span|font|h[1-6])[ />])", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Does a text begin as HTML does?"""
    return bool(_HTML.match(text))


def text_of(html: str) -> str:
    """The words of an HTML text, a line for each block; `QUOTATION` stands for what it quotes."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
    return "\n".join(line for line in lines if line)
