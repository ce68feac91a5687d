"""Layout: what a letter has around its orders, taken away so that every letter left stands where it stood.

First a text is unwrapped: of HTML, Markdown and JSON only the words are left, with the number of the line that they
come from; nothing is fetched.  Then bullets and numbers before an order, quotation marks, what is struck out or quoted,
signatures, and marks of a forum or a mail program become spaces.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from html.parser import HTMLParser
from itertools import groupby
from typing import Any

_STRUCK = re.compile(
    r"\[s\].*?\[/s\]|\[strike\].*?\[/strike\]|<s>.*?</s>|<del>.*?</del>|~~.*?~~|(?<!\S)~[^~\n]+~(?!\S)", re.IGNORECASE
)
_MARKUP = re.compile(
    r"\[/?(?:b|i|u|code|quote|color|size|list|center|spoiler|url)(?:=[^\]\n]{0,40})?\]|\[\*\]"
    r"|</?(?:[biuq]|em|li|ul|ol|tt|ins|sup|sub|[a-z][a-z_]{3,20})(?: [^>\n]{0,80})?>"
    r"|(?<!\S)(?::\w{3,20}:|[:;=]'?-?[()DPp|])(?!\S)|\d\ufe0f?\u20e3|^\s*\||\|\s*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\s*(?:(?:GM)?>(?!=)|\|{1,2}(?=\s[^|]*$))")
_SPEAKER = re.compile(r"\s*[A-Z]\w{0,9}(?=> )")
"""Who wrote a quoted line, in front of its mark: "GM> Still waiting"."""
_STAMP = re.compile(
    r"\s*[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +)?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])]?(?: ?-)? +"
    r"(?:<(?P<name>\w+)>)?",
    re.IGNORECASE,
)
"""When a line of a chat was written, and by whom: "[21:04] Bob: ...", "21:04 <bob> ..."."""
_LABEL = re.compile(r"\s*\[(?P<name>[^\W\d_]{3,20})\](?=\s+\w)")
"""A title in square brackets before its text: "[retreats] A 88 - 89"."""
_ATTRIBUTION = re.compile(
    r".{0,200}(wrote|writes|schrieb|écrit|escribió|scritto|scrisse|message)\b[^,]{0,60}:\s*", re.IGNORECASE
)
_SIGNATURE = re.compile(r"--\s?")
_POSTSCRIPT = re.compile(r"\s*(?:p\.? ?)+[sd]\b", re.IGNORECASE)
_FORWARDED = re.compile(
    r"[-_\s]*(?:begin |anfang der |début du |inicio del |inizio del )?(?:(?:original|forwarded|weitergeleiteten?"
    r"|ursprüngliche)[ -]?(?:message|nachricht)|(?:message|mensaje|messaggio) (?:d'origine|originale?|transféré"
    r"|reenviado|inoltrato)):?[-_\s]*",
    re.IGNORECASE,
)
_ABOVE_ONLY = re.compile(
    r"\s*[#>=_*~-]{2,}.*\b(?:reply|replies|write|type|antwort\w*|répon\w*|respon\w*|rispon\w*|respuesta)\b.{0,40}"
    r"\b(?:above|oberhalb|über|(?:au-)?dessus|encima|arriba|sopra)\b.*",
    re.IGNORECASE,
)
"""What a help desk writes above its own mail: "##- Please type your reply above this line -##"."""
_ENDED = re.compile(
    r"[-_\s]*(?:end|ende|fin|fine)\b.{0,20}(?:message|nachricht|mensaje|messaggio|quot|zitat|cita).{0,20}",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\s*\*?(from|sent|date|to|subject|von|gesendet|de|envoyé|enviado|da|inviato)\s*:", re.IGNORECASE)
_ADDRESS = re.compile(r"<?(?:\bmailto:)?(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+\.\w+>?|\bhttps?://\S+")
_NUMBERED = re.compile(
    r"\s*(?:\(?\d{1,2}\)|\d{1,2}\.(?=\s)|\d{1,2}:(?=\s)|[a-z]\)|#\d{1,2}[.:)]?)\s*"
    r"|\s*(?:\d{1,2}\s?[-\u2013]|[ivx]{1,4}[.)])\s+(?=(?:[AF]|army|fleet|build|remove|disband)\s)",
    re.IGNORECASE,
)
_PARTED = re.compile(
    r"(?<=\s)\|{1,2}(?=\s)|(?<=\s)(?<!\bA\s)(?<!\barmy\s)/{1,2}(?=\s+(?:[AFW]\s|army\b|fleet\b|build|remove|disband))",
    re.IGNORECASE,
)
"""What stands between two orders in the place of a semicolon; "Army / Fleet" is one unit."""
_THOUGHT = re.compile(r"\s*<(/?)(?:think|thinking|reasoning|scratchpad|analysis|reflection|thoughts?)>\s*")
"""Where the thoughts of a language model begin and end."""
_ARROW = re.compile(r"(?<=\S)(\s*)<[-=]+(?=\s)(.*)")
"""A remark behind an arrow that points at the order before it: "A Par - Bur  <-- the plan"."""
_BARS = re.compile(r"\S \| \S")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*\w*\s*")
_RULE = re.compile(r"\s*([-=_*])\1{2,}\s*")
_FRAMED = re.compile(r"\s*([-=*~_]{2,})\s*(?=\w)(.*\w\W*?)\s*\1\s*")
"""A line between dashes or the like, as headings stand: "--- RESULTS ---"."""
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_MARKDOWN = re.compile(r"^ {0,3}(?:#{1,6} |\|.*\|\s*$)|\*\*\S|~~\S|`\S", re.MULTILINE)
_JSON = re.compile(r"\{\s*[\"{}]|\[\s*[\"{\[]|[{\[]\s*$")
MOST_JSON = 20  # places of a text where it is looked for
_QUIET = set('!*`"“”„‘«»†‡¶~^¿¡@') | {"\u2026"}
_SPOKEN_STOP = re.compile(r"(?<=\w )(?:full stop|stop|period|punkt|punto|point)(?= [^\W\d]|\s*$)", re.IGNORECASE)
"""A full stop as it is dictated, or stands in a telegram: "LON TO NTH STOP LVP TO YOR STOP"."""
_REMARKS = re.compile(r"(?:#|//).*")
_DIRECTIVE = re.compile(r"^\s*#(?=(?:if|else|elif|endif|case|default)\b)", re.IGNORECASE)
"""What makes no remark of a condition: "#if A Mun - Bur"."""


QUOTED = "a quotation"  # why nothing is read of a line that quotes another
LEAST_ROWS = 2
LEAST_STOPS = 2
MOST_COLUMNS = 8
_SHEET = {sign: re.compile(rf"[\w/]+(?:{sign}(?:[\w/]+(?: \w+)?)?){{2,}}") for sign in ";,"}
"""A row of a spreadsheet, without dashes: "Par;A;move;Bur"."""
_PART = re.compile(r"\S+(?: \S+)*")
_TAB = 8


@dataclass(frozen=True, slots=True)
class Layout:
    """A line of a sheet: its number (from 1), what is read of it, the whole line, and why nothing is, if so.

    An empty line has no text.  `cells` are those of a row of a table, `headed` tells that it is marked as a heading.
    """

    number: int
    text: str
    written: str
    skipped: str = ""
    cells: tuple[str, ...] = ()
    headed: bool = False


def lay_out(text: str) -> list[Layout]:
    """Return the lines of a text, without the parts that are not the orders."""
    lines = list(_unwrap(text))
    if sum(len(_SPOKEN_STOP.findall(line.text)) for line in lines) >= LEAST_STOPS:
        dotted = [(line, _SPOKEN_STOP.sub(lambda found: "." + " " * (len(found[0]) - 1), line.text)) for line in lines]
        lines = [replace(line, text=text, written=text) if text != line.text else line for line, text in dotted]
    for mark in (_SPEAKER, _STAMP, _LABEL):
        lines = _labelled(lines, mark)
    written = (line.text for line in lines if line.text.strip() and not _QUOTED.match(line.text))
    quotes_count = all(map(_ATTRIBUTION.fullmatch, written))  # the writer wrote nothing else
    mailed = signed = ended = begun = thinks = quotes = attributed = False
    found: list[Layout] = []
    texts = [line.text for line in lines]
    columns = _columns_of(texts)
    for at, line in enumerate(lines):
        forwarded, indented = begun and forwards(texts, at), _is_indented(line.text)
        quoting = _attributes(texts, at) or (indented and begun and _HEADER.match(line.text) is not None)
        attributed = quoting or (attributed and (not line.text.strip() or indented))
        if thought := _THOUGHT.match(line.text):
            thinks = not thought[1] and not line.text.rstrip().endswith(f"</{thought[0].strip()[1:]}")
        mailed = mailed or (forwarded and not indented) or (begun and _ABOVE_ONLY.fullmatch(line.text) is not None)
        signed = signed or mailed or (at > 0 and bool(_SIGNATURE.fullmatch(line.text)))
        signed = ended = signed and (mailed or not _POSTSCRIPT.match(line.text))
        if _ENDED.fullmatch(line.text):
            signed = mailed = False
        begun = begun or bool(line.text.strip() and not _HEADER.match(line.text))
        if _RULE.fullmatch(line.text) and found and found[-1].text:
            found[-1] = replace(found[-1], headed=True)
        elif not any(char.isalnum() or char == "+" for char in line.text):
            found.append(replace(line, text=""))
        elif _HEADER.match(line.text) and _ADDRESS.search(line.text):
            found.append(replace(line, text="", skipped="the head of a mail"))
        elif (quotes := _quotes_on(line.text, before=quotes)) or "[/quote]" in line.text.casefold():
            found.append(replace(line, text="", skipped=QUOTED))
        elif thinks or thought:
            found.append(replace(line, text="", skipped="thoughts, no orders"))
        elif signed or ended or (_QUOTED.match(line.text) and not quotes_count) or attributed:
            why = "below a signature, or another mail" if signed or ended else QUOTED
            found.append(replace(line, text="", skipped=why))
        else:
            framed = _FRAMED.fullmatch(line.text)
            text = framed[2].rjust(framed.end(2)) if framed else line.text
            read = bare(text, quoted=bool(_QUOTED.match(line.text)))
            found.append(replace(line, text=read, headed=line.headed or framed is not None))
        if at in columns and found and found[-1].text and not found[-1].cells:
            found[-1] = replace(found[-1], cells=columns[at])
        elif _BARS.search(line.text) and any(
            _BARS.search(near.text) for near in (*lines[at - 1 : at], *lines[at + 1 : at + 2])
        ):
            found[-1] = replace(found[-1], cells=tuple(line.text.strip(" |").split(" | ")))
    return found


def _labelled(lines: list[Layout], mark: re.Pattern[str]) -> list[Layout]:
    """Return the lines without these marks, if several lines begin with one; the name in a mark gets a colon."""
    marks = [mark.match(line.text) for line in lines]
    if sum(found is not None for found in marks) < LEAST_ROWS:
        return lines
    labels = [f"{name}:" if found and (name := found.groupdict().get("name")) else "" for found in marks]
    return [
        replace(line, text=label.rjust(found.end()) + line.text[found.end() :]) if found else line
        for line, found, label in zip(lines, marks, labels, strict=True)
    ]


def _quotes_on(text: str, *, before: bool) -> bool:
    """Return whether a forum's quotation is open after a line; `before` says whether one was open before it."""
    opened, closed = (text.casefold().rfind(mark) for mark in ("[quote", "[/quote]"))
    return opened > closed or (before and closed < 0)


def forwards(lines: Sequence[str], at: int) -> bool:
    """Return whether a forwarded mail begins at this line: with two header lines, or the words that introduce it."""
    here, below = (*lines[at : at + 2], "")[:2]
    return bool(_FORWARDED.fullmatch(here[:400])) or bool(_HEADER.match(here[:400]) and _HEADER.match(below[:400]))


def _attributes(lines: Sequence[str], at: int) -> bool:
    """Return whether this line names the author of the quotation below it."""
    below = next(filter(str.strip, lines[at + 1 : at + 4]), "")
    return bool(_QUOTED.match(below) or _is_indented(below)) and bool(_ATTRIBUTION.fullmatch(lines[at]))


def _is_indented(text: str) -> bool:
    """Return whether a line is indented as far as quotations are."""
    return text.startswith(("  ", "\t"))


def bare(line: str, *, quoted: bool = False) -> str:
    """Return a line without marks and bullets, with every letter in its place."""
    for pattern in (_STRUCK, _MARKUP, _ADDRESS):
        line = pattern.sub(_blank, line)
    line = _ARROW.sub(lambda found: f"{'('.rjust(found.start(2) - found.start())}{found[2]})", line)
    line = "".join(" " if _silent(char) else char for char in line)
    if quoted:
        line = re.sub(r"^[\s>|]+", _blank, line)
    cut = _NUMBERED.match(line)
    if cut and any(char.isalpha() for char in line[cut.end() :]):
        line = " " * cut.end() + line[cut.end() :]
    line = _DIRECTIVE.sub(_blank, _PARTED.sub(lambda found: ";" * len(found[0]), line))
    return _REMARKS.sub(_blank, line) if not re.match(r"\s*[#/]", line) else " " * len(line)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _silent(char: str) -> bool:
    """Return whether a sign says nothing: a mark for emphasis, a picture, a flag, a bullet."""
    if char.isascii():
        return char in _QUIET
    if char in _QUIET and char != "\u2026":
        return True
    name = unicodedata.name(char, "")
    if "ARROW" in name or name in ("HEAVY PLUS SIGN", "HEAVY MINUS SIGN"):
        return False
    return unicodedata.category(char) in ("So", "Sk") or "BULLET" in name or char in "·‣◦"


def _columns_of(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """Return the cells of each row of a table, whose columns are aligned, by line number.

    Every row has the same columns; an empty cell has no text.
    """
    found: dict[int, tuple[str, ...]] = {}
    for filled, numbered in groupby(enumerate(lines), key=lambda line: bool(line[1].strip())):
        if filled:
            found |= dict(_rows(list(numbered)))
    return found


def _rows(block: list[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the rows of a table made of all lines of a block, except undivided lines above it."""
    parts = _tabbed(block)
    parts = parts or {at: [(m.start(), m[0]) for m in _PART.finditer(line.expandtabs(_TAB))] for at, line in block}
    while block and len(parts[block[0][0]]) == 1:
        block = block[1:]
    starts = max(([start for start, _ in parts[at]] for at, _ in block), key=len, default=[])
    if len(block) < LEAST_ROWS or not 1 < len(starts) <= MOST_COLUMNS:
        return
    placed = {at: _placed(parts[at], starts) for at, _ in block}
    if all(placed.values()):
        for at, cells in placed.items():
            yield at, tuple(cells)


def _tabbed(block: list[tuple[int, str]]) -> dict[int, list[tuple[int, str]]]:
    """Return the parts between the tabs of lines with equally many, or those of a spreadsheet, by their columns."""
    signs = ("\t", *(sign for sign in ";," if all(_SHEET[sign].fullmatch(line) for _, line in block)))
    sign = next((sign for sign in signs if len({line.count(sign) for _, line in block} - {0}) == 1), "")
    if not sign:
        return {}
    rows = {at: enumerate(line.split(sign)) for at, line in block}
    return {at: [(_TAB * number, cell.strip()) for number, cell in row if cell.strip()] for at, row in rows.items()}


def _placed(parts: list[tuple[int, str]], starts: list[int]) -> list[str]:
    """Return the parts of a line in their columns; none if one begins elsewhere, or nothing is beside another."""
    cells = [""] * len(starts)
    for start, text in parts:
        column = next((number for number, known in enumerate(starts) if abs(known - start) <= 1), None)
        if column is None:
            return []
        cells[column] = text
    return cells if len(parts) > 1 else []


def _unwrap(text: str) -> Iterator[Layout]:
    """Yield the lines of a text that may be HTML or Markdown, or contain JSON."""
    if is_html(text) or _TAGS.search(text):
        yield from _html_lines(text)
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept: list[Layout] = []
    at = tries = 0
    while at < len(lines):
        line, number = lines[at], at + 1
        begun = _JSON.search(line) if tries < MOST_JSON else None
        if begun and (taken := _json_lines("\n".join([line[begun.start() :], *lines[at + 1 :]]), number)):
            kept.append(Layout(number, line[: begun.start()], line[: begun.start()]))
            kept += taken[0]
            at = taken[1]
        else:
            tries += begun is not None
            line = "" if _FENCE.fullmatch(line) else unescape(line) if _ENTITY.search(line) else line
            kept.append(Layout(number, line, line))
            at += 1
    yield from _markdown_lines(kept) if any(map(_MARKDOWN.search, lines)) else kept


def _json_lines(text: str, number: int) -> tuple[list[Layout], int] | None:
    """Return the lines of the JSON with which a text begins, and the number of its last line; None without JSON."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    found, place = [], 0
    for cells in _flatten(value, 0):
        place = max(place, text.find(cells[-1][:40], place, end))
        line = " ".join(cells)
        found.append(Layout(number + text.count("\n", 0, place), line, line, cells=cells if len(cells) > 1 else ()))
    return found, number + text.count("\n", 0, end)


def _flatten(value: object, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a JSON value, each with its cells; a named value is below its name as a heading."""
    if depth > DEEPEST_JSON:
        return
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, dict | list):
                yield (f"{name}:",)
                yield from _flatten(part, depth + 1)
            else:
                yield from ((f"{name}: {line}",) for line in str(part).split("\n"))
            yield ("",)
    elif isinstance(value, list) and all(isinstance(part, str) and " " not in part for part in value):
        yield (" ".join(value),)  # one order: ["vie", "Support", "gal", "bud"]
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, dict) and not any(isinstance(one, dict | list) for one in part.values()):
                yield tuple(str(one) for one in part.values() if one not in (None, "")) or ("",)
            else:
                yield from _flatten(part, depth + 1)
    elif isinstance(value, str):
        yield from ((line,) for line in value.split("\n"))


def _markdown_lines(lines: list[Layout]) -> Iterator[Layout]:
    """Yield the lines of a Markdown text, with headings marked, tables divided, and signs left out."""
    from markdown_it import MarkdownIt  # only now: few texts need it

    rules = ["table", "heading", "lheading", "list", "blockquote", "strikethrough", "emphasis", "backticks", "newline"]
    tokens = MarkdownIt("zero").enable(rules).parse("\n".join(line.text for line in lines))
    found = dict(enumerate(lines))
    opened: list[str] = []
    for token in tokens:
        if token.nesting > 0:
            opened.append(token.type + token.markup)
        elif token.nesting:
            opened.pop()
        if token.type == "tr_open" and token.map:
            found[token.map[0]] = replace(found[token.map[0]], text="", written="")
        if token.type != "inline" or not token.map:
            continue
        bullet = "+ " * ("list_item_open+" in opened)
        for at, text in enumerate(_spoken(token.children or []), token.map[0]):
            line = found.get(at, lines[-1])
            text = "> " * bool(_QUOTED.match(line.text)) + bullet + text
            if "tr_open" in opened:
                cells = (*line.cells, text)
                found[at] = replace(line, text=" ".join(cells), written=" ".join(cells), cells=cells)
            else:
                headed = any(one.startswith("heading_open") for one in opened)
                found[at] = replace(line, text=text, written=text, headed=headed)
    yield from found.values()


def _spoken(tokens: Iterable[Any]) -> list[str]:
    """Return the words of a Markdown passage, line by line, without struck words."""
    lines, struck, closed, said = [""], 0, False, ""
    for token in tokens:
        struck += token.nesting if token.type.startswith("s_") else 0
        if token.type in ("softbreak", "hardbreak"):
            lines.append("")
        elif not struck:
            aside = _ASIDE.match(token.content) if closed else None  # "**A Par - Bur** - the main blow"
            told = aside and ("-" in said or "–" in said or aside[1][0].islower())
            lines[-1] += f" ({aside[1]})" if aside and told else token.content
        closed = token.type in ("strong_close", "em_close", "code_inline")
        said = token.content or said
    return lines


_ASIDE = re.compile(r"\s+[-\u2013\u2014]+\s+([^()\[\]]+)$")
"""A remark behind what is written bold, and a dash."""

_DROPPED = frozenset({
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe",
    "s", "del", "strike",
})  # fmt: skip
"""Elements whose words are not read: what nobody sees, and what is struck out."""
_QUOTING = frozenset({"blockquote"})
_QUOTED_BY = ("gmail_quote", "moz-cite-prefix", "yahoo_quoted", "divRplyFwdMsg")  # what mail programs call it
_LINES = frozenset({"div", "li", "tr", "pre", "hr"})
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "ul", "ol", "table"})
_CELLS = frozenset({"td", "th"})
_EMPTY = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "area", "col", "embed", "source"})
DEEPEST, DEEPEST_JSON = 200, 20
QUOTATION = "> (a quotation)"  # what stands in the text where the mail quoted another


class _Reader(HTMLParser):
    """Makes lines of HTML, each with the number of the line it begins on; a `fragment` has lines of its own, too."""

    def __init__(self, *, fragment: bool = False) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str]] = [(1, "")]
        self.inside: list[str] = []  # dropped and quoted elements that are open
        self.fragment = fragment

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line where the mail shows one; note parts that are not to be read."""
        if not self.inside:
            self._break(tag)
        if tag in _EMPTY or len(self.inside) >= DEEPEST:
            return
        names = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
        if tag in _QUOTING or any(name in names for name in _QUOTED_BY):
            if not self.inside:
                self._break("p")
                self._say(QUOTATION)
                self._break("p")
            self.inside.append(tag)
        elif tag in _DROPPED or (self.inside and tag == self.inside[-1]):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Continue after a part that is left out."""
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()
        elif not self.inside and tag != "br" and tag not in _CELLS:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        """Take words, their white space as one space each."""
        for number, part in enumerate(data.split("\n") if self.fragment else [data]):
            if number and not self.inside and not (number == 1 and not self.lines[-1][1]):
                self.lines.append((self.getpos()[0] + number, ""))
            if not self.inside and part.strip():
                self._say(part)

    def _say(self, words: str) -> None:
        number, said = self.lines[-1]
        words = " ".join(f".{words}.".split())[1:-1]  # a space at either end stays one
        self.lines[-1] = (number if said else self.getpos()[0], said + words)

    def _break(self, tag: str) -> None:
        """Begin a line, after an empty one for a new paragraph; separate the cells of a table by bars."""
        if tag in _CELLS and self.lines[-1][1].strip():
            self._say(" | ")
        if tag == "br" or (tag in _LINES | _PARAGRAPHS and self.lines[-1][1].strip()):
            self.lines.append((self.getpos()[0], ""))
        if tag in _PARAGRAPHS and len(self.lines) > 1 and self.lines[-2][1].strip():
            self.lines.append((self.getpos()[0], ""))


_HTML = re.compile(r"\s*(<!doctype html|<(html|body|p|div|br|ul|ol|table|span|font|h[1-6])[ />])", re.IGNORECASE)
_TAGS = re.compile(r"<(?:br ?/?|/p|/div|/li|/td|/tr)>", re.IGNORECASE)


def is_html(text: str) -> bool:
    """Return whether a text begins as HTML does."""
    return bool(_HTML.match(text))


def _html_lines(html: str) -> Iterator[Layout]:
    reader = _Reader(fragment=not is_html(html))
    reader.feed(html)
    reader.close()
    for number, line in reader.lines:
        text = " ".join(line.split())
        yield Layout(number, text, text)


def text_of(html: str) -> str:
    """Return the words of an HTML text, a line for each block; `QUOTATION` stands for quoted parts."""
    return "\n".join(line.text for line in _html_lines(html)).strip("\n")
