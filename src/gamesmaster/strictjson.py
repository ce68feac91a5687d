"""JSON read strictly and within bounds, for every file that may come from a stranger.

The standard library's reader is fast but lenient: it takes `NaN`, lets the second of two equal keys win, reads numbers
of any length and nests until the stack is full.  Here each of these is refused, with its place.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

from gamesmaster.errors import BadFile, NotFound, must_be, nearest

LONGEST_INTEGER = 18  # characters: whatever fits a signed 64-bit number
FEWEST_BYTES = 16  # of text for each list and object beyond `ALWAYS_READ`: in memory each takes far more
ALWAYS_READ = 10_000  # lists and objects that any text may have

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ONE_BRACKET = bytes.maketrans(b"{}", b"[]")
_ONE_DIGIT = bytes.maketrans(b"123456789", b"000000000")
_LONG = b"0" * LONGEST_INTEGER
_MINUS_ZERO = re.compile(rb"-0(?![\d.eE])")
_NO_MARKS = bytes(set(range(256)) - set(b'{}[]"'))


class _Fault:
    """Stands in the tree where something is wrong, so that a walk finds its path."""

    def __init__(self, what: str) -> None:
        self.what = what


def loads(data: str | bytes, *, limit: int, depth: int, where: str = "", sparse: bool = False) -> object:
    """Return the value of `data`, a JSON text: dicts, lists, strings, integers, floats, booleans, None.

    `limit` bounds the size in bytes of UTF-8, `depth` how deep lists and objects may nest (1: a flat one).  `where`
    names the source in complaints.  Raises `BadFile` with line and column where the text is not JSON, and with the path
    (`$.phases[3].orders`) of a key given twice, a number that is infinite, not a number, -0 or longer
    than `LONGEST_INTEGER` characters, or half a surrogate pair.  A `sparse` text must not be `crowded`.
    """
    raw = _utf8(data, limit, where)
    if sparse and crowded(raw):
        if _deeper(raw, depth):
            _too_deep(where, depth)
        raise BadFile(f"more than one list or object for every {FEWEST_BYTES} bytes", where=where)
    faults: list[_Fault] = []

    def fault(what: str) -> _Fault:
        faults.append(_Fault(what))
        return faults[-1]

    def an_object(pairs: list[tuple[str, object]]) -> object:
        found = dict(pairs)
        return found if len(found) == len(pairs) else fault(f"the key {_clip(_duplicate_key(pairs))} is given twice")

    def an_integer(text: str) -> object:
        if text == "-0":
            return fault("-0 is not a number here: write 0")
        return int(text) if len(text) <= LONGEST_INTEGER else fault("this number is too long")

    def a_float(text: str) -> object:
        value = float(text)
        return value if math.isfinite(value) else fault("this number is too large")

    # a call for each integer would take most of the time
    odd = _MINUS_ZERO.search(raw) or _LONG in raw.translate(_ONE_DIGIT)
    try:
        value: object = json.loads(
            raw.decode(),
            object_pairs_hook=an_object,
            parse_int=an_integer if odd else int,
            parse_float=a_float,
            parse_constant=lambda text: fault(f"{text} is not a number in JSON"),
        )
    except json.JSONDecodeError as error:
        raise BadFile(
            f"not JSON: {error.msg}", where=_place(where, f"line {error.lineno}, column {error.colno}")
        ) from None
    except RecursionError:
        _too_deep(where, depth)
    if _deeper(raw, depth):
        _too_deep(where, depth)
    if faults or b"\\u" in raw:
        for path, what in _faults(value, []):
            raise BadFile(what, where=_place(where, path))
    return value


def read(path: Path | str, *, limit: int, depth: int) -> object:
    """Return the value in a JSON file, as `loads` reads it.  Raises what `read_bytes` and `loads` raise."""
    return loads(read_bytes(path, limit=limit), limit=limit, depth=depth, where=str(path))


def from_any(
    source: Path | str | Mapping[str, object], error: type[BadFile], *, limit: int, depth: int, where: str = ""
) -> tuple[object, str]:
    """Return the value in a file (a `Path`), a JSON text (a `str`) or a mapping, and its name in complaints.

    Raises `NotFound` for a missing file, and faults of the text as `error`.
    """
    must_be((Path, str, Mapping), source, "a Path, a JSON text or an object")
    try:
        if isinstance(source, Path):
            return read(source, limit=limit, depth=depth), where or str(source)
        if isinstance(source, str):
            return loads(source, limit=limit, depth=depth, where=where), where
        return dict(source), where
    except BadFile as fault:
        hint = "a file is read from a Path" if isinstance(source, str) and "{" not in source else fault.hint
        raise error(fault.what, where=fault.where, hint=hint) from None


def read_bytes(path: Path | str, *, limit: int) -> bytes:
    """Return the bytes of a file, at most `limit` and one more: enough to see that it is too large.

    Raises `NotFound` for a missing file and `BadFile` for one that cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(limit + 1)
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadFile(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=str(path)) from None


def path_text(parts: Sequence[str | int]) -> str:
    """Return the place of a value in a document, outermost key first.

    >>> path_text(["phases", 3, "orders", "Great Britain"])
    '$.phases[3].orders["Great Britain"]'
    """
    text = "$"
    for part in parts:
        text += f".{part}" if isinstance(part, str) and _PLAIN_KEY.match(part) else f"[{_clip(part)}]"
    return text


def _utf8(data: str | bytes, limit: int, where: str) -> bytes:
    try:
        raw = data if isinstance(data, bytes) else data[: limit + 1].encode()
        if len(raw) > limit:
            raise BadFile(f"larger than {limit:,} bytes", where=where)
        raw.decode()
    except UnicodeError as error:
        raise BadFile(f"not UTF-8 text: {error}", where=where, hint="save it as UTF-8") from None
    return raw


def crowded(raw: bytes) -> bool:
    """Return whether a text has too many lists and objects for its length."""
    return raw.count(b"[") + raw.count(b"{") > ALWAYS_READ + len(raw) // FEWEST_BYTES


def _deeper(raw: bytes, depth: int) -> bool:
    """Return whether this well-formed JSON nests deeper than `depth`.

    Everything but brackets is dropped and the innermost pairs are struck out, once for each level allowed: a handful of
    byte-wise operations, far quicker than a walk over the tree.
    """
    if b"\\" in raw:
        raw = raw.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = raw.translate(_ONE_BRACKET, _NO_MARKS).replace(b'""', b"")  # quotes with no bracket between
    brackets = b"".join(marks.split(b'"')[::2])  # every second piece lies inside a string
    for _ in range(depth):
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def _faults(value: object, path: list[str | int]) -> Iterator[tuple[str, str]]:
    if isinstance(value, _Fault):
        yield path_text(path), value.what
    elif isinstance(value, str):
        if _SURROGATE.search(value):
            yield path_text(path), "this text holds half a surrogate pair"
    elif isinstance(value, dict):
        for key, inner in value.items():
            if _SURROGATE.search(key):
                yield path_text(path), "a key holds half a surrogate pair"
            yield from _faults(inner, [*path, key])
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _faults(inner, [*path, number])


def _duplicate_key(pairs: list[tuple[str, object]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _clip(part: str | int) -> str:
    text = json.dumps(part)
    return text if len(text) <= 42 else f'{text[:40]}..."'


def _place(where: str, within: str) -> str:
    return f"{where}, {within}" if where else within


def _too_deep(where: str, depth: int) -> NoReturn:
    raise BadFile(f"nested deeper than {depth} levels", where=where) from None


Keys = tuple[str | int, ...]
MOST_ENTRIES = 100_000


def refuse(what: str, path: Keys, *, hint: str = "") -> NoReturn:
    """Refuse what stands at this path."""
    raise BadFile(what, where=path_text(path), hint=hint)


def fields(value: object, path: Keys, required: str, optional: str = "") -> dict[str, Any]:
    """Return an object with all of the required keys and no others but the optional ones; both are given as words."""
    if not isinstance(value, dict):
        refuse("expected an object", path)
    needed, allowed = _keys(required, optional)
    if not needed <= value.keys():
        refuse(f"{min(needed - value.keys())!r} is missing", path)
    if not value.keys() <= allowed:
        extra = min(value.keys() - allowed)
        refuse(f"unknown key {extra[:40]!r}", path, hint=nearest(extra, allowed))
    return value


@cache
def _keys(required: str, optional: str) -> tuple[frozenset[str], frozenset[str]]:
    needed = frozenset(required.split())
    return needed, needed.union(optional.split())


def entries(value: object, path: Keys, most: int = MOST_ENTRIES) -> list[Any]:
    """Return a list of bounded length."""
    if not isinstance(value, list):
        refuse("expected a list", path)
    if len(value) > most:
        refuse(f"more than {most} entries", path)
    return value


def text(value: object, path: Keys) -> str:
    """Return a text."""
    if not isinstance(value, str):
        refuse("expected a text", path)
    return value


def texts(value: object, path: Keys) -> tuple[str, ...]:
    """Return a list of texts."""
    if isinstance(value, list) and set(map(type, value)) <= {str}:
        return tuple(value)
    return tuple(map(text, entries(value, path), paths(*path)))


def paths(*path: str | int) -> Iterator[Keys]:
    """Return the paths of a list's entries."""
    return ((*path, number) for number in count())
