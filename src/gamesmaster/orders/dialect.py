"""Dialects: the words, names and forms of each way to write orders, as tables in files, and orders written by them.

A file in `dialects/` is one dialect: a new one needs no code.  `[words]` are the words for what an order says,
`[kinds]` for units, `[coasts]`, `[powers]` and `[names]` for what they name (provinces and powers by their English
name), `[split]` words that are several run together, `[forms]` what an order is made of, `[write]` how it is written;
`[notes]` are words that tell what a line is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from gamesmaster.board import Location
from gamesmaster.errors import NotFound, nearest
from gamesmaster.orders.model import Order, Verb
from gamesmaster.orders.words import UMLAUTS, Lexicon, key

HOUSE = "house"
COMMON = "common"
GAP = "..."
WIDEST_GAP = 12  # words
LONGEST_LOOK = 4_000  # characters of a letter that tell its language

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
    """Return every dialect by its id, the house style first, without the signs that all share."""
    names = sorted(file.name.removesuffix(".toml") for file in files(__package__).joinpath("dialects").iterdir())
    return MappingProxyType({name: _read(name) for name in (HOUSE, *names) if name != COMMON})


@cache
def common() -> Dialect:
    """Return the signs, letters and forms that all dialects share."""
    return _read(COMMON)


def find_dialect(name: str) -> Dialect:
    """Return a dialect by its id or title; raise `NotFound`."""
    known = {spelt: d for d in dialects().values() for spelt in (d.id, d.title.casefold())}
    if name.casefold() not in known:
        raise NotFound(f"no dialect {name[:40]!r}", hint=nearest(name, dialects()))
    return known[name.casefold()]


def written_dialects() -> tuple[Dialect, ...]:
    """Return the dialects in which orders can be written, besides the house style."""
    return tuple(dialect for dialect in dialects().values() if dialect.write)


@cache
def of_language(language: str) -> tuple[Dialect, ...]:
    """Return the dialects that are read together in a language: the shared signs, then its own."""
    return (common(), *(dialect for dialect in dialects().values() if dialect.language == language))


@cache
def note_words(table: str) -> frozenset[str]:
    """Return the words of a table of notes, of all dialects together."""
    listed = (common(), *dialects().values())
    return frozenset(key(word) or word for dialect in listed for word in dialect.notes.get(table, ()))


def rank(table: str, word: str) -> tuple[int, bool]:
    """Return the place from 1 of a word in an ordered table of notes of a language, and whether it is the last there.

    The place is 0 for other words.
    """
    for listed in (dialect.notes.get(table, ()) for dialect in dialects().values()):
        for at, name in enumerate(listed, 1):
            if word == key(name) or (name.endswith("*") and word.startswith(key(name.rstrip("*")))):
                return at, at == len(listed)
    return 0, False


class Cues:
    """The words that tell what some words of a letter are, in these languages.

    `cues("retreats")` finds those of a table.

    A star behind or before a word of a table stands for any ending or beginning of it, three dots between words for
    what stands between the parts of a verb ("löse ... auf").
    """

    def __init__(self, listed: Iterable[str]) -> None:
        self.languages = (*listed, "")

    def __call__(self, table: str) -> re.Pattern[str]:
        """Return the pattern for the phrases of a table of notes, in words separated by single spaces."""
        return _finder(table, self.languages)

    def has(self, table: str, words: str) -> re.Match[str] | None:
        """Return the first phrase of a table among some words."""
        return self(table).search(words)

    def any(self, tables: Iterable[str], words: str) -> bool:
        """Return whether a phrase of one of these tables is among some words."""
        return any(self(table).search(words) for table in tables)

    def ejected(self, words: str) -> bool:
        """Return whether words name a retreat, or say what happens if a unit is driven out."""
        seasons = self("autumn").sub(lambda found: "" if " " in found[0] else found[0], words)  # "in the fall"
        return self.has("retreats", words) is not None or (
            self.has("leads", words) is not None and self.any(("ejects", "taken"), seasons)
        )

    @classmethod
    def of(cls, text: str) -> Cues:
        """Return the languages that a text may be in: English, and those with about as many words in it."""
        words = key(text[:LONGEST_LOOK])
        found = {name: set(_finder(None, (name,)).findall(words)) for name in languages()}
        counts = {name: sum(len(phrase) for phrase in phrases if len(phrase) > 1) for name, phrases in found.items()}
        first, most = next(iter(counts)), max(counts.values())
        return cls([name for name, count in counts.items() if name == first or count >= max(1, most - most // 6)])


@cache
def _finder(table: str | None, listed: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern for the words of a table, or of all tables, in these languages."""
    notes = [one.notes for one in (common(), *dialects().values()) if one.language in listed]
    phrases = {
        phrase
        for tables in notes
        for name in (tables if table is None else (table,))
        for phrase in tables.get(name, ())
    }
    ends = {key(phrase).split()[-1] for tables in notes for some in tables.values() for phrase in some if GAP in phrase}
    spelt = {_as_pattern(one, ends) for phrase in phrases for one in (phrase, phrase.translate(UMLAUTS))}
    return re.compile(rf"(?<!\S)(?:{'|'.join(sorted(spelt, key=len, reverse=True)) or '(?!)'})(?!\S)")


def _as_pattern(phrase: str, ends: Collection[str]) -> str:
    """Return the pattern of a phrase; its gaps match no word of `ends`."""
    parts = [
        " ".join(
            r"\S*" * word[:-1].startswith("*") + re.escape(key(word.strip("*"))) + r"\S*" * word.endswith("*")
            for word in part.split()
        )
        for part in phrase.split(GAP)
    ]
    return rf" (?:(?!(?:{'|'.join(ends)}) )\S+ ){{1,{WIDEST_GAP}}}?".join(parts)


@cache
def languages() -> tuple[str, ...]:
    """Return every language that has a dialect, English first."""
    return tuple(dict.fromkeys(dialect.language for dialect in dialects().values()))


@cache
def _read(name: str) -> Dialect:
    raw = tomllib.loads(files(__package__).joinpath("dialects", f"{name}.toml").read_text(encoding="utf-8"))
    tables = {part: _table(raw.get(part, {})) for part in ("words", "kinds", "coasts", "names", "powers", "notes")}
    forms = {phase: _table(listed) for phase, listed in raw.get("forms", {}).items()}
    return Dialect(
        name, raw["title"], raw["language"], raw.get("about", ""), **tables,
        split=raw.get("split", {}), forms=forms, write=raw.get("write", {}),
    )  # fmt: skip


_SHORT_POWER = 3


class Dress:
    """Writes orders in a dialect on one board; what the dialect has no pattern for, it leaves to the house style.

    `short` and `full` are the names of provinces by id as the house style prints them.
    """

    def __init__(self, lexicon: Lexicon, dialect: Dialect, short: Mapping[str, str], full: Mapping[str, str]) -> None:
        self.lexicon, self.table = lexicon, dialect.write
        self.names = dict(full if self.table.get("names") == "full" else short)
        if self.table.get("names") == "dialect":
            self.names |= _own_names(lexicon, dialect, {} if self.table.get("case") else full)

    def write(self, order: Order) -> str | None:
        """Return the order as text, or None if this dialect has no words for it."""
        pattern = self.table.get(_pattern(order))
        if pattern is None or order.carried or order.doing or (order.of_kind and not order.of):
            return None
        if order.route and "{route}" not in pattern:
            return None
        if "{power}" not in self.table["unit"]:
            order = replace(order, of_power="")
        parts = {
            "unit": self._unit(order.power, order.kind, order.at),
            "kind": self._kind(order.kind),
            "power": self._power(order.power),
            "of": self._unit(order.of_power, order.of_kind, order.of, pattern="of"),
            "goal": self._place(order.to) if order.to else "",
            "route": self.table.get("between", " ").join(self._place(Location(water)) for water in order.route),
        }
        return " ".join(pattern.format(**parts).split())

    def _unit(self, power: str, kind: str, at: Location | None, pattern: str = "unit") -> str:
        if at is None:
            return ""
        parts = {"power": self._power(power), "kind": self._kind(kind), "place": self._place(at)}
        written = " ".join(self.table.get(pattern, self.table["unit"]).format(**parts).split())
        return written.replace("( ", "(")

    def _kind(self, kind: str) -> str:
        return str(self.table.get("kind", {}).get(kind, kind))

    def _power(self, power: str) -> str:
        return power[:_SHORT_POWER].upper()

    def _place(self, at: Location) -> str:
        name = self._apply_case(self.names[at.province])
        if not at.coast:
            return name
        coast = self.table.get("coasts", {}).get(at.coast, self._apply_case(at.coast))
        return str(self.table["coast"].format(place=name, coast=coast))

    def _apply_case(self, name: str) -> str:
        case = self.table.get("case")
        return name.upper() if case == "upper" else name.lower() if case == "lower" else name


def _own_names(lexicon: Lexicon, dialect: Dialect, full: Mapping[str, str]) -> dict[str, str]:
    """Return the dialect's own names of provinces: the first in its table, else the board's name.

    A name that also begins another place's name is not used: "Roma" might be Romania, cut short.
    """
    ids = {province.name: province.id for province in lexicon.board.provinces}
    known = [(key(name), p.id) for p in lexicon.board.provinces for name in (p.name, *p.aliases)]
    own = {ids[name]: words[0] for name, words in dialect.names.items() if name in ids and words}
    clear = {at: word for at, word in own.items() if not any(n.startswith(key(word)) and i != at for n, i in known)}
    return {**full, **clear}


def _pattern(order: Order) -> str:
    """Return the name of the pattern in the table that an order uses."""
    if order.verb is Verb.MOVE:
        return "route" if order.route else "via" if order.via else "move"
    if order.verb is Verb.SUPPORT and order.to is None:
        return "supporthold"
    return order.verb.value
