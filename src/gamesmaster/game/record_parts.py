"""The plain parts of a record: objects, lists and texts, refused with their path where something else stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any, NoReturn

from gamesmaster.errors import BadFile, nearest
from gamesmaster.strictjson import path_text

Path = tuple[str | int, ...]
MOST = 100_000


def bad(what: str, path: Path, *, hint: str = "") -> NoReturn:
    """Refuse what stands at this path."""
    raise BadFile(what, where=path_text(path), hint=hint)


def fields(value: object, path: Path, required: str, optional: str = "") -> dict[str, Any]:
    """An object with all of the required keys and no others but the optional ones; both are given as words."""
    if not isinstance(value, dict):
        bad("expected an object", path)
    needed, allowed = _keys(required, optional)
    if not needed <= value.keys():
        bad(f"{min(needed - value.keys())!r} is missing", path)
    if not value.keys() <= allowed:
        extra = min(value.keys() - allowed)
        bad(f"unknown key {extra[:40]!r}", path, hint=nearest(extra, allowed))
    return value


@cache
def _keys(required: str, optional: str) -> tuple[frozenset[str], frozenset[str]]:
    needed = frozenset(required.split())
    return needed, needed.union(optional.split())


def listed(value: object, path: Path, most: int = MOST) -> list[Any]:
    """A list of bounded length."""
    if not isinstance(value, list):
        bad("expected a list", path)
    if len(value) > most:
        bad(f"more than {most} entries", path)
    return value


def text(value: object, path: Path) -> str:
    """A text."""
    if not isinstance(value, str):
        bad("expected a text", path)
    return value


def texts(value: object, path: Path) -> tuple[str, ...]:
    """A list of texts."""
    if isinstance(value, list) and set(map(type, value)) <= {str}:
        return tuple(value)
    return tuple(map(text, listed(value, path), paths(*path)))


def orders(value: object, path: Path) -> tuple[str, ...]:
    """A list of orders: texts of one line each."""
    found = texts(value, path)
    if "" in found or "\n" in "".join(found):
        bad("an order is a line of text", path)
    return found


def paths(*path: str | int) -> Iterator[Path]:
    """The paths of a list's entries."""
    return ((*path, number) for number in count())
