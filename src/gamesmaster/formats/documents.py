"""JSON documents in a stream: one a line (JSON Lines), or a single one over several lines, read in bounded memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from gamesmaster import strictjson
from gamesmaster.errors import BadFile

DEEPEST = 32
"""Levels of nesting."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Document(NamedTuple):
    """The text of a document, or of a blank line, and the number of its first line, from 1.

    `text` is None if it is longer than allowed.
    """

    line: int
    text: bytes | None

    @property
    def blank(self) -> bool:
        """Is there nothing to read?"""
        return self.text is not None and not self.text.strip()

    def place(self, file: str = "") -> str:
        """Where the document begins: `games.jsonl, line 3`."""
        return f"{file}, line {self.line}" if file else f"line {self.line}"

    def data(self, limit: int, file: str = "") -> object:
        """The JSON data it spells; raises `BadFile` with the place in the file."""
        if self.text is None:
            raise BadFile(f"longer than {limit:,} bytes", where=self.place(file))
        try:
            return strictjson.loads(self.text, limit=limit, depth=DEEPEST)
        except BadFile as error:
            within = re.match(r"line (\d+), (.*)", error.where)
            start = self._replace(line=self.line + int(within[1]) - 1) if within else self
            place = [start.place(file), within[2] if within else error.where]
            raise BadFile(error.what, where=", ".join(filter(None, place)), hint=error.hint) from None


def documents(stream: BinaryIO, limit: int) -> Iterator[Document]:
    """Every line of a stream as a document; blank ones too, so that answers can keep their line.

    If the first text is no JSON by itself, and no other object begins at the left margin, the whole stream is taken for
    one document.  A document longer than `limit` bytes is passed over, never held.
    """
    lines = _numbered(stream, limit)
    head = list(_head(lines, limit))
    filled = [document for document in head if not document.blank]
    whole = b"".join(document.text or b"" for document in head)
    if len(filled) > 1 and len(whole) <= limit and (_fault(whole) is None or not any(map(_is_object, filled))):
        yield Document(filled[0].line, whole.lstrip())
    else:
        yield from head
        yield from lines


def _head(lines: Iterator[Document], limit: int) -> Iterator[Document]:
    """The first documents: up to the first that is not blank and, if that breaks off, to the end or the limit."""
    size, begun = 0, False
    for document in lines:
        yield document
        if document.text is None:
            return
        size += len(document.text)
        if size > limit or not (begun or document.blank or _breaks_off(document.text)):
            return
        begun = begun or not document.blank


def _breaks_off(text: bytes) -> bool:
    """Is this the beginning of some JSON, and not all of it?"""
    fault = _fault(text)
    return isinstance(fault, json.JSONDecodeError) and fault.pos >= len(fault.doc.rstrip())


def _is_object(document: Document) -> bool:
    text = document.text
    return text is None or (text.lstrip().startswith(b"{") and _fault(text) is None)


def _fault(text: bytes) -> Exception | None:
    """Why this is no JSON; None if it is."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, or no UTF-8
        return error
    return None


def _numbered(stream: BinaryIO, limit: int) -> Iterator[Document]:
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        long = len(line.rstrip(b"\r\n")) > limit
        while long and not line.endswith(b"\n") and line:
            line = stream.readline(limit)
        yield Document(number, None if long else line)
