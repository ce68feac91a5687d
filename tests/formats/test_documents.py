"""JSON documents in a stream: one a line, or one over many lines."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import BinaryIO

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.formats.documents import Document, read_documents

LIMIT = 2_000


def read(text: bytes, limit: int = LIMIT) -> list[Document]:
    """The documents of a stream."""
    return list(read_documents(io.BytesIO(text), limit))


def test_every_line_is_a_document() -> None:
    """In JSON lines each line is a document, the blank ones too, with its number."""
    found = read(b'{"a":1}\n\n{"b":2}\r\n{"c":3}')
    assert [(d.line, d.text, d.blank) for d in found] == [
        (1, b'{"a":1}\n', False),
        (2, b"\n", True),
        (3, b'{"b":2}\r\n', False),
        (4, b'{"c":3}', False),
    ]


@pytest.mark.parametrize("indent", [1, 4])
def test_one_object_over_many_lines(indent: int) -> None:
    """An object printed over several lines is one document, blank lines before and after it or not."""
    data = {"orders": {"France": ["A Par - Bur"]}, "list": [{"x": 1}, {"y": 2}]}
    text = json.dumps(data, indent=indent).encode()
    for around in (b"", b"\n\n"):
        (document,) = (d for d in read(around + text + around) if not d.blank)
        assert document.line == 1 + len(around)
        assert document.data(LIMIT) == data


def test_objects_within_one_may_begin_at_the_margin() -> None:
    """An object that holds others, a line each, is one document (our own records are written so)."""
    (document,) = read(b'{\n"phases": [\n{"a":1},\n{"b":2}\n]\n}\n')
    assert document.data(LIMIT) == {"phases": [{"a": 1}, {"b": 2}]}


@pytest.mark.parametrize("first", [b'{"a":', b"{", b"{bad}", b'{"a": tru', b"\xff", b"]"])
def test_a_bad_first_line_spoils_no_other(first: bytes) -> None:
    """JSON lines whose first line is broken are still read line by line."""
    found = read(first + b'\n{"b":2}\n')
    assert [d.line for d in found] == [1, 2]
    assert found[1].data(LIMIT) == {"b": 2}
    with pytest.raises(BadFile, match="line 1"):
        found[0].data(LIMIT)


def test_a_broken_object_over_many_lines_is_told_once() -> None:
    """Where an object over several lines is broken, one complaint names the line and column in the stream."""
    _, document = read(b'\n{\n "a": 1,\n "b" 2\n}\n')
    with pytest.raises(BadFile, match="line 4, column 6: not JSON"):
        document.data(LIMIT)
    with pytest.raises(BadFile, match=r"games\.jsonl, line 4, column 6: not JSON"):
        document.data(LIMIT, "games.jsonl")


def test_places_in_json_lines_count_in_the_file() -> None:
    """A fault of syntax is placed by line of the file and column; one of content by line and path."""
    found = read(b'{"a":1}\n{"a":}\n{"a":1,"a":2}\n')
    with pytest.raises(BadFile, match="line 2, column 6"):
        found[1].data(LIMIT)
    with pytest.raises(BadFile, match=r"line 3, \$: the key"):
        found[2].data(LIMIT)


def test_long_documents_are_passed_over() -> None:
    """A line longer than the limit is named and skipped; the lines after it are read."""
    found = read(b'{"a":1}\n' + b"x" * 5_000 + b'\n{"b":2}\n')
    assert [(d.line, d.text is None) for d in found] == [(1, False), (2, True), (3, False)]
    with pytest.raises(BadFile, match="line 2: longer than 2,000 bytes"):
        found[1].data(LIMIT)
    exact = json.dumps({"a": "x" * 1_990}).encode()
    assert len(exact) == LIMIT - 1
    assert read(exact + b"\r\n")[0].data(LIMIT)


def test_long_first_lines_do_not_hide_the_others() -> None:
    """Neither a first line over the limit nor an open object that never ends hides the lines after it."""
    assert [d.line for d in read(b"x" * 5_000 + b'\n{"b":2}\n')] == [1, 2]
    endless = b"{\n" + b'"key": 1,\n' * 500
    assert len(read(endless)) == 501


def test_a_byte_order_mark_is_no_fault() -> None:
    """A file that begins with a byte order mark, as some editors write it, is read."""
    assert read(b'\xef\xbb\xbf{"a":1}\n')[0].data(LIMIT) == {"a": 1}


def _count(stream: BinaryIO, limit: int) -> tuple[int, int]:
    """Return how many documents a stream holds, and the most bytes of memory that reading them takes."""
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_documents(stream, limit))
        return count, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_blank_lines_are_not_hoarded() -> None:
    """However many blank lines a stream holds, before an object or within one, few are held at a time."""
    for head in (b"", b"{\n"):
        count, peak = _count(io.BytesIO(head + b"\n" * 100_000), 100_000)
        assert count >= 100_000
        assert peak < 1_000_000


def test_nothing_comes_of_nothing() -> None:
    """An empty stream holds no document."""
    assert read(b"") == []


class _Endless(io.RawIOBase):
    """Many lines that nobody holds."""

    def __init__(self, line: bytes, count: int) -> None:
        self.left, self.line = count, line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not self.left:
            return 0
        self.left -= 1
        buffer[: len(self.line)] = self.line
        return len(self.line)


def test_memory_stays_bounded() -> None:
    """Reading many lines takes no more memory than reading one."""
    stream = io.BufferedReader(_Endless(b'{"a": 1}' + b" " * 1_000 + b"\n", 20_000))
    count, peak = _count(stream, LIMIT * 2)
    assert count == 20_000
    assert peak < 500_000
