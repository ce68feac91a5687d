"""Dialects: the words, names and forms of each way to write orders, as tables in files.

A file in `dialects/` is one dialect: a new one needs no code.  `[words]` are the words for what an order says,
`[kinds]` for units, `[coasts]`, `[powers]` and `[names]` for what they name (provinces and powers by their English
name), `[split]` words that are several run together, `[forms]` what an order is made of, `[write]` how it is written;
`[notes]` are words that tell what a line is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from gamesmaster.errors import NotFound, nearest
from gamesmaster.orders.words import key

HOUSE = "house"
COMMON = "common"

Table = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to write orders, as its file has it.

    `forms` are by kind of phase and verb, `write` is empty where nothing is written so.  Dialects of one `language` are
    read together.
    """

    id: str
    title: str
    language: str
    about: str = ""
    words: Table = field(default_factory=dict)
    kinds: Table = field(default_factory=dict)
    coasts: Table = field(default_factory=dict)
    names: Table = field(default_factory=dict)
    powers: Table = field(default_factory=dict)
    split: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, Table] = field(default_factory=dict)
    notes: Table = field(default_factory=dict)
    write: Mapping[str, Any] = field(default_factory=dict)


def _table(raw: Mapping[str, list[str]]) -> Table:
    return MappingProxyType({name: tuple(words) for name, words in raw.items()})


@cache
def dialects() -> Mapping[str, Dialect]:
    """Every dialect by its id, the house style first; the signs that all share are not among them."""
    tables = sorted(files(__package__).joinpath("dialects").iterdir(), key=lambda file: file.name)
    named = ((file.name.removesuffix(".toml"), file) for file in tables)
    found = {name: _read(name, tomllib.loads(file.read_text(encoding="utf-8"))) for name, file in named}
    rest = {name: dialect for name, dialect in found.items() if name not in (HOUSE, COMMON)}
    return MappingProxyType({HOUSE: found[HOUSE], **rest})


@cache
def common() -> Dialect:
    """The signs, letters and forms that all dialects share."""
    text = files(__package__).joinpath("dialects", f"{COMMON}.toml").read_text(encoding="utf-8")
    return _read(COMMON, tomllib.loads(text))


def dialect_named(name: str) -> Dialect:
    """A dialect by its id or title; raises `NotFound`."""
    known = {spelt: d for d in dialects().values() for spelt in (d.id, d.title.casefold())}
    if name.casefold() not in known:
        raise NotFound(f"no dialect {name[:40]!r}", hint=nearest(name, dialects()))
    return known[name.casefold()]


def written_dialects() -> tuple[Dialect, ...]:
    """The dialects in which orders can be written, besides the house style."""
    return tuple(dialect for dialect in dialects().values() if dialect.write)


@cache
def of_language(language: str) -> tuple[Dialect, ...]:
    """What is read together in a language: the shared signs, then its dialects."""
    return (common(), *(dialect for dialect in dialects().values() if dialect.language == language))


@cache
def noted(table: str) -> frozenset[str]:
    """The words of a table of notes, of all dialects together."""
    listed = (common(), *dialects().values())
    return frozenset(key(word) or word for dialect in listed for word in dialect.notes.get(table, ()))


def languages() -> tuple[str, ...]:
    """Every language that has a dialect, that of the house first."""
    return tuple(dict.fromkeys(dialect.language for dialect in dialects().values()))


def _read(name: str, raw: dict[str, Any]) -> Dialect:
    tables = {part: _table(raw.get(part, {})) for part in ("words", "kinds", "coasts", "names", "powers", "notes")}
    forms = {phase: _table(listed) for phase, listed in raw.get("forms", {}).items()}
    return Dialect(
        name, raw["title"], raw["language"], raw.get("about", ""), **tables,
        split=raw.get("split", {}), forms=forms, write=raw.get("write", {}),
    )  # fmt: skip
