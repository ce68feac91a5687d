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

OVERHEAD = 64
"""What a line held costs beside its bytes."""

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
            return strictjson.loads(self.text.rstrip(), limit=limit, depth=DEEPEST)
        except BadFile as error:
            within = re.match(r"line (\d+), (.*)", error.where)
            start = self._replace(line=self.line + int(within[1]) - 1) if within else self
            place = [start.place(file), within[2] if within else error.where]
            raise BadFile(error.what, where=", ".join(filter(None, place)), hint=error.hint) from None


def read_documents(stream: BinaryIO, limit: int) -> Iterator[Document]:
    """Every line of a stream as a document; blank ones too, so that answers can keep their line.

    If the first text breaks off where more could follow, and no other line is an object by itself, all that follows is
    taken for one document.  A document longer than `limit` bytes is passed over, never held.
    """
    lines = _numbered(stream, limit)
    for document in lines:
        if not document.blank:
            yield from _opened(document, lines, limit)
        else:
            yield document


def _opened(first: Document, lines: Iterator[Document], limit: int) -> Iterator[Document]:
    """The documents from the first that is not blank on: one over all the lines, or a line each."""
    held = [first]
    if _breaks_off(first.text):
        size = 0
        for document in lines:
            held.append(document)
            size += limit if document.text is None else len(document.text) + OVERHEAD
            if size > limit:
                break
        else:
            whole = b"".join(document.text or b"" for document in held)
            if _fault(whole) is None or not any(map(_is_object, held)):
                held = [first._replace(text=whole)]
    yield from held
    yield from lines


def _breaks_off(text: bytes | None) -> bool:
    """Is this the beginning of some JSON, and not all of it?"""
    if text is None:
        return False
    fault = _fault(text)
    return isinstance(fault, json.JSONDecodeError) and fault.pos >= len(fault.doc.rstrip())


def _is_object(document: Document) -> bool:
    text = document.text or b""
    return text.lstrip().startswith(b"{") and _fault(text) is None


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
