"""Rulebooks on disk: a variant's `RULES.md`, read into sections and clauses.

A section begins with a heading (`## 6. Canoe-fleets`), a clause is a paragraph of its own that begins with its id
(`- **IND-6.c** ...`).  Indented below it, more paragraphs and tables may belong to a clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.game.edition import RULES
from gamesmaster.game.rules_text import Clause, RulesText, Section
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_file import find_variant
from gamesmaster.judge import Rulebook

PAGE = RULES
REGULAR = "standard"
"""The variant whose rules hold in every other that does not change them."""
LARGEST = 256 * 1024  # bytes

_HEADING = re.compile(r"(#{1,6}) +(.+)")
_NUMBERED = re.compile(r"(\w{1,8})\. +(.+)")
_CLAUSE = re.compile(r"- \*\*([A-Z]\w{0,15}-[\w.]{1,15})\*\*(.*)")


@cache
def rules_text_names() -> tuple[str, ...]:
    """Ids of the variants in the package that have a rulebook, sorted; some cannot be played yet."""
    return tuple(sorted(file.parent.name for file in _shelf().glob(f"*/{PAGE}")))


def find_rules_text(name: str) -> RulesText:
    """The rulebook of a variant of the package, by its id in any case of letters; read once in a process.

    Raises `NotFound` with the nearest id.
    """
    known = rules_text_names()
    if name.casefold() not in known:
        raise NotFound(f"no variant {name[:80]!r}", hint=nearest(name, known) or f"known: {', '.join(known)}")
    return _packaged(name.casefold())


def read_rules_text(path: Path) -> RulesText:
    """The rulebook in a file, or in the folder of a variant.

    Raises `NotFound` if there is none, `BadFile` with the line if it has no title, or a clause twice or without words.
    """
    page = path / PAGE if path.is_dir() else path
    return _told(strictjson.read_bytes(page, limit=LARGEST), str(page))


@lru_cache(maxsize=32)
def rules_text_of(variant: Variant) -> RulesText:
    """The rulebook of a variant, of its own edition; raises what `read_rules_text` raises."""
    if variant.edition is not None and variant.edition.text(RULES):
        return _told(variant.edition.text(RULES).encode(), variant.edition.place(RULES))
    return find_rules_text(variant.family)


def _told(data: bytes, where: str) -> RulesText:
    if len(data) > LARGEST:
        raise BadFile(f"larger than {LARGEST:,} bytes", where=where)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadFile("not UTF-8", where=where) from None
    return _Reader(lines, where).rules()


@cache
def _packaged(name: str) -> RulesText:
    return read_rules_text(_shelf() / name)


def _shelf() -> Path:
    return Path(str(files("gamesmaster.variants")))


def clause_words(variant: Variant, rulebook: Rulebook, clause: str) -> str:
    """A clause in its own words: from the variant's or the regular rules, or the DATC's question as answered here.

    Empty if there are none.
    """
    if clause.startswith("DATC "):
        issue = clause.removeprefix("DATC ")
        for field in fields(Rulebook):
            if field.metadata["issue"] == issue:
                answer = getattr(rulebook, field.name).replace("_", " ")
                return f"{field.metadata['question']} Here: {answer}."
    return _clauses(variant).get(clause) or _clauses(find_variant(REGULAR)).get(clause, "")


@lru_cache(maxsize=8)
def _clauses(variant: Variant) -> dict[str, str]:
    """Clause id to its words, from the variant's rulebook."""
    try:
        return {clause.id: clause.words for clause in rules_text_of(variant).clauses}
    except NotFound:
        return {}


# -- reading -----------------------------------------------------------------------------------------------------------


class _Reader:
    """Takes the lines of one page apart."""

    def __init__(self, lines: list[str], where: str) -> None:
        self.lines, self.where = lines, where
        self.seen: set[str] = set()

    def rules(self) -> RulesText:
        parts = list(self.parts())
        if not parts or parts[0][1] != "#":
            raise BadFile("does not begin with its title", where=self.where, hint="# The name of the game")
        start, _, title, intro = parts[0]
        sections = tuple(self.section(*part) for part in parts[1:])
        if self.clauses(intro, start):
            raise BadFile("clauses stand before the first section", where=self.where)
        return RulesText(title, "\n".join(intro).strip(), sections)

    def parts(self) -> Iterator[tuple[int, str, str, list[str]]]:
        """For each heading the number of its line, its signs, its words, and the lines up to the next one."""
        heads = [(n, found) for n, line in enumerate(self.lines) if (found := _HEADING.fullmatch(line.rstrip()))]
        ends = [*(n for n, _ in heads[1:]), len(self.lines)]
        for (here, found), end in zip(heads, ends, strict=False):  # without any heading there is one end too many
            yield here + 1, found[1], found[2].strip(), self.lines[here + 1 : end]

    def section(self, start: int, _: str, heading: str, lines: list[str]) -> Section:
        numbered = _NUMBERED.fullmatch(heading)
        number, title = (numbered[1], numbered[2]) if numbered else ("", heading)
        return Section(number, title, "\n".join(lines).strip(), tuple(self.clauses(lines, start)))

    def clauses(self, lines: list[str], start: int) -> list[Clause]:
        found = []
        for number, line in enumerate(lines):
            if begun := _CLAUSE.match(line):
                body = _unwrapped([begun[2], *_indented(lines, number + 1)])
                found.append(self.clause(begun[1], body, start + number + 1))
        return found

    def clause(self, name: str, text: str, line: int) -> Clause:
        where = f"{self.where}, line {line}"
        if name.casefold() in self.seen:
            raise BadFile(f"{name} occurs twice", where=where)
        if not text:
            raise BadFile(f"{name} has no words", where=where)
        self.seen.add(name.casefold())
        return Clause(name, text)


def _indented(lines: list[str], start: int) -> Iterator[str]:
    """The indented lines from `start` on, and the empty ones between them."""
    for number in range(start, len(lines)):
        line = lines[number]
        if line.strip() and not line.startswith("  "):
            return
        yield line


def _unwrapped(lines: Iterable[str]) -> str:
    """Paragraphs in a line each, tables and lists line by line, with single empty lines between them."""
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, lines):
        if not line:
            blocks.append([])
        elif blocks[-1] and not line.startswith(("|", "- ")) and not blocks[-1][-1].startswith("|"):
            blocks[-1][-1] += f" {line}"
        else:
            blocks[-1].append(line)
    return "\n\n".join("\n".join(block) for block in blocks if block)
