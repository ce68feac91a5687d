"""A variant in words: what it is, in a few words each, and its rulebook for players, by sections and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from gamesmaster import strictjson
from gamesmaster.board import Location, place_code, unit_code
from gamesmaster.english import many
from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.rules import Rulebook, YearMechanic
from gamesmaster.variant.house_rules import HouseRules
from gamesmaster.variant.model import RULES, Variant, Victory
from gamesmaster.variant.reading import find_variant
from gamesmaster.variant.sources import base_of, file_of, join, shelf, toml_data, variant_names


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule: its id (`IND-6.c`), and its text in Markdown, unwrapped, with empty lines between paragraphs."""

    id: str
    text: str

    @property
    def words(self) -> str:
        """Its first paragraph, without signs of Markdown: what is quoted when a ruling cites the clause."""
        return self.text.split("\n\n", 1)[0].replace("`", "").replace("**", "")

    def has(self, text: str) -> bool:
        """Return whether every word of the text occurs in it, in any case and also within longer words."""
        whole = f"{self.id} {self.text}".casefold()
        return all(word in whole for word in text.casefold().split())


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a rulebook: its number, if it has one (`6`), its title, its whole text in Markdown, its clauses."""

    number: str
    title: str
    text: str
    clauses: tuple[Clause, ...]

    @property
    def heading(self) -> str:
        """Number and title: `6. Fleets`."""
        return f"{self.number}. {self.title}" if self.number else self.title


@dataclass(frozen=True, slots=True)
class RulesText:
    """A rulebook for players; its clauses' ids are unique."""

    title: str
    intro: str
    sections: tuple[Section, ...]
    _by_id: dict[str, Clause] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {c.id.casefold(): c for s in self.sections for c in s.clauses})

    @property
    def brief(self) -> str:
        """The game in one paragraph: the first of the introduction."""
        return self.intro.split("\n\n", 1)[0]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses in their order."""
        return tuple(self._by_id.values())

    def pick(self, name: str) -> tuple[Clause, ...]:
        """Return the clauses that a name means, in any case of letters.

        That is one clause (`IND-6.c`), those that begin so (`IND-6`, `CNW-6.a`), or those of a section by its number or
        title; the family before the hyphen may be left out (`6.c`).  A section without clauses gives none.  Raises
        `NotFound` with the nearest.
        """
        name = name.strip()
        section = self.section(name)
        for wanted in (name, *(f"{family}-{name}" for family in self.families)):
            if clauses := self._beginning(wanted.casefold()):
                return clauses
        if section is None:
            known = [*(c.id for c in self.clauses), *(s.title for s in self.sections)]
            raise NotFound(
                f"no clause or section {name[:60]!r} in the rules of {self.title}", hint=nearest(name, known)
            )
        return section.clauses

    def section(self, name: str) -> Section | None:
        """Return the section with this number, title or heading, in any case of letters."""
        plain = name.strip().casefold()
        for section in self.sections:
            if plain in (section.number.casefold(), section.title.casefold(), section.heading.casefold()) and plain:
                return section
        return None

    @property
    def families(self) -> tuple[str, ...]:
        """The prefixes of its ids, before the hyphen (`IND`), in the order in which they first appear."""
        return tuple(dict.fromkeys(clause.id.partition("-")[0] for clause in self.clauses))

    def _beginning(self, wanted: str) -> tuple[Clause, ...]:
        if wanted in self._by_id:
            return (self._by_id[wanted],)
        return tuple(clause for key, clause in self._by_id.items() if _goes_on(wanted, key))


def _goes_on(wanted: str, key: str) -> bool:
    """Return whether `key` is an id within `wanted`.

    `ind-6.c` is in `ind-6`, `cnw-6.a1` in `cnw-6.a`, `ind-10.a` not in `ind-1`.
    """
    if not wanted or not key.startswith(wanted) or key == wanted:
        return False
    after = key[len(wanted)]
    return after in ".-" or (after.isdigit() and wanted[-1].isalpha() and "." in wanted)


PAGE = RULES
REGULAR = "standard"
"""The variant whose rules hold in every other that does not change them."""
LARGEST = 256 * 1024  # bytes

_HEADING = re.compile(r"(#{1,6}) +(.+)")
_NUMBERED = re.compile(r"(\w{1,8})\. +(.+)")
_CLAUSE = re.compile(r"- \*\*([A-Z]\w{0,15}-[\w.]{1,15})\*\*(.*)")


@cache
def rules_text_names() -> tuple[str, ...]:
    """Return the ids of the package's variants that have a rulebook, sorted."""
    return tuple(name for name in variant_names() if file_of(shelf() / name, PAGE).exists())


def find_rules_text(name: str) -> RulesText:
    """Return the rulebook of a variant of the package, by its id in any case of letters; read once in a process.

    Raises `NotFound` with the nearest id.
    """
    known = rules_text_names()
    if name.casefold() not in known:
        raise NotFound(f"no variant {name[:80]!r}", hint=nearest(name, known) or f"known: {', '.join(known)}")
    return _packaged_text(name.casefold())


def read_rules_text(path: Path) -> RulesText:
    """Return the rulebook in a file, or in the folder of a variant.

    Raises `NotFound` for a missing file, `BadFile` with the line if it has no title, or a clause twice or without
    words.
    """
    page = file_of(path, PAGE) if path.is_dir() else path
    return _parse(strictjson.read_bytes(page, limit=LARGEST), str(page))


@lru_cache(maxsize=32)
def rules_text_of(variant: Variant) -> RulesText:
    """Return the rulebook of a variant, of its own edition; raises what `read_rules_text` raises."""
    if variant.edition is not None and variant.edition.text(RULES):
        return _parse(variant.edition.text(RULES).encode(), variant.edition.place(RULES))
    return find_rules_text(variant.family)


def _parse(data: bytes, where: str) -> RulesText:
    if len(data) > LARGEST:
        raise BadFile(f"larger than {LARGEST:,} bytes", where=where)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadFile("not UTF-8", where=where) from None
    return _Reader(lines, where).rules()


@cache
def _packaged_text(name: str) -> RulesText:
    return read_rules_text(shelf() / name)


def clause_words(variant: Variant, rulebook: Rulebook, clause: str) -> str:
    """Return a clause's own words: from the variant's or the regular rules, or the answer here to a DATC question.

    Return an empty text for an unknown clause.
    """
    if clause.startswith("DATC "):
        issue = clause.removeprefix("DATC ")
        for field in fields(Rulebook):
            if field.metadata["issue"] == issue:
                answer = getattr(rulebook, field.name).replace("_", " ")
                return f"{field.metadata['question']} Here: {answer}."
    return _words_by_clause(variant).get(clause) or _words_by_clause(find_variant(REGULAR)).get(clause, "")


@lru_cache(maxsize=8)
def _words_by_clause(variant: Variant) -> dict[str, str]:
    """Map each clause id to its words, from the variant's rulebook."""
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
        """Yield, for each heading, its line number, its signs, its words, and the lines up to the next one."""
        heads = [(n, match) for n, line in enumerate(self.lines) if (match := _HEADING.fullmatch(line.rstrip()))]
        ends = [*(n for n, _ in heads[1:]), len(self.lines)]
        for (here, match), end in zip(heads, ends, strict=False):  # without any heading there is one end too many
            yield here + 1, match[1], match[2].strip(), self.lines[here + 1 : end]

    def section(self, start: int, _: str, heading: str, lines: list[str]) -> Section:
        numbered = _NUMBERED.fullmatch(heading)
        number, title = (numbered[1], numbered[2]) if numbered else ("", heading)
        return Section(number, title, "\n".join(lines).strip(), tuple(self.clauses(lines, start)))

    def clauses(self, lines: list[str], start: int) -> list[Clause]:
        clauses = []
        for number, line in enumerate(lines):
            if begun := _CLAUSE.match(line):
                body = _unwrap([begun[2], *_indented_lines(lines, number + 1)])
                clauses.append(self.clause(begun[1], body, start + number + 1))
        return clauses

    def clause(self, name: str, text: str, line: int) -> Clause:
        where = f"{self.where}, line {line}"
        if name.casefold() in self.seen:
            raise BadFile(f"{name} occurs twice", where=where)
        if not text:
            raise BadFile(f"{name} has no words", where=where)
        self.seen.add(name.casefold())
        return Clause(name, text)


def _indented_lines(lines: list[str], start: int) -> Iterator[str]:
    """Yield the indented lines from `start` on, and the empty ones between them."""
    for number in range(start, len(lines)):
        line = lines[number]
        if line.strip() and not line.startswith("  "):
            return
        yield line


def _unwrap(lines: Iterable[str]) -> str:
    """Return the text with each paragraph in one line, tables and lists line by line, and single empty lines."""
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, lines):
        if not line:
            blocks.append([])
        elif blocks[-1] and not line.startswith(("|", "- ")) and not blocks[-1][-1].startswith("|"):
            blocks[-1][-1] += f" {line}"
        else:
            blocks[-1].append(line)
    return "\n\n".join("\n".join(block) for block in blocks if block)


def variant_facts(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield the main facts about a variant, each as a word and its text: `board`, `75 provinces, 34 centres`."""
    board, calendar = variant.board, variant.calendar
    yield "players", f"{len(variant.powers)} powers"
    yield "board", f"{many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}"
    yield "units", ", ".join(f"{variant.kinds.get(kind, (kind,))[0]} ({kind})" for kind in board.ways)
    yield "begins", calendar.name(calendar.first)
    yield "each turn", turn_text(variant)
    goals = (mechanic.goal for mechanic in variant.mechanics if isinstance(mechanic, YearMechanic))
    yield "victory", "; ".join(filter(None, (victory_text(variant.victory), *goals)))
    yield "builds", variant.build_sites.replace("center", "centre")
    yield "rulebook", rulebook_text(variant)
    if (house := HouseRules.of(variant.house_rules)).choices():
        yield "house rules", str(house)


def victory_text(victory: Victory) -> str:
    """Return the condition of victory: `25 centres; 28 for Moors; or most centres when 3 powers are left`."""
    centres, units = f"{victory.centres} centres", f"{victory.units or victory.centres} units"
    both = f"{centres} or {units}" if victory.units else f"{victory.centres} centres or units"
    words = [{"centres": centres, "units": units, "either": both}[victory.count]]
    numbers = sorted(set(victory.of.values()))
    words += [f"{n} for {', '.join(power for power, own in victory.of.items() if own == n)}" for n in numbers]
    if victory.last:
        words.append(f"or most centres when {victory.last} powers are left")
    if victory.lead:
        falls = f", {victory.lead.falls} fewer each turn" if victory.lead.falls else ""
        words.append(f"or {victory.lead.centres} centres more than every other power{falls}")
    if victory.when == "winter":
        words.append("counted when the Winter is complete")
    if victory.last_year is not None:
        words.append(last_year_text(victory))
    return "; ".join(words)


def last_year_text(victory: Victory) -> str:
    """Return the last year and who wins then, empty without one: `the last year is 1910: then most centres win`."""
    year = victory.last_year
    if year is None:
        return ""
    how = {"most centres": "most centres win", "survivors share": "the survivors share a draw"}[victory.then]
    return f"the last year is {year if year >= 0 else f'{-year} BC'}: then {how}"


def turn_text(variant: Variant) -> str:
    """Return the phases of a turn: `Spring movement, Spring retreats, ...`; of what length it is, if not a year."""
    years = variant.calendar.years_per_turn
    phases = ", ".join(f"{slot.season} {slot.kind.value}" for slot in variant.calendar.slots)
    return phases if years == 1 else f"{phases}; a turn is {years} years"


def rulebook_text(variant: Variant) -> str:
    """Return the preset, and the single choices that differ from it: `datc, double_orders = cancel`."""
    rulebook = variant.rulebook
    if isinstance(rulebook, str):
        return rulebook
    choices = [f"{name} = {value}" for name, value in rulebook.items() if name != "preset"]
    return ", ".join([str(rulebook.get("preset", "datc")), *choices])


def mechanic_rows(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yield each mechanic with the parameters that are not as they would be by default: `taboo`, `provinces = 120`."""
    for mechanic in (m for m in variant.mechanics if not m.implied):
        own: Any = mechanic
        changes = [(f.name, getattr(own, f.name)) for f in fields(own) if getattr(own, f.name) != _usual(f)]
        yield mechanic.id, "; ".join(f"{name} = {_describe(value)}" for name, value in changes) or "as it is"


def _usual(field: Any) -> object:
    """Return the default of a parameter; MISSING if it is required."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _describe(value: Any) -> str:
    """Return a parameter as plain words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_describe(inner)}" for key, inner in value.items())
    if is_dataclass(value):
        return " ".join(_describe(v) for f in fields(value) if (v := getattr(value, f.name)) not in (None, "", -1))
    if isinstance(value, (list, tuple)):
        words = [_describe(inner) for inner in value]
        return (", " if any(" " in word for word in words) else " ").join(words)
    return str(value)


def start_rows(variant: Variant) -> Iterator[tuple[str, str, str]]:
    """Yield each power with its first units and centres; an army aboard is shown with its fleet."""
    for power in variant.powers:
        units = [unit_code(variant.board, unit) for unit in variant.start.of(power.name) if not unit.aboard]
        centres = [place_code(variant.board, Location(p)) for p in variant.start.centres(power.name)]
        yield power.name, ", ".join(units), ", ".join(centres)


BRIEF = "brief.toml"


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """One thing that a variant does otherwise: the rule in a sentence, its clauses, and what carries it out.

    `by` are names of mechanics, or parts of the variant's data: `board`, `start`, `victory`, `calendar`, `rulebook`.
    """

    says: str
    clauses: tuple[str, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """The special rules, and the id of a scenario that shows one of them, with what to look at there."""

    special: tuple[SpecialRule, ...] = ()
    example: str = ""
    lead: str = ""


@cache
def find_brief(name: str) -> Brief:
    """Return the brief of a variant of the package; it is read once per process."""
    return read_brief(shelf() / name)


def read_brief(folder: Path) -> Brief:
    """Return the brief in a variant's folder, with what it takes over from its base; empty if missing.

    Raises `BadFile` with the key that does not fit the format.
    """
    data: Mapping[str, object] = {}
    for home in filter(None, (base_of(folder), folder)):
        path = home / BRIEF
        data = join(data, toml_data(path)) if path.exists() else data
    from gamesmaster.schemas import validate
    from gamesmaster.variant.file_models import BriefFile

    file = validate(BriefFile, data, BadFile, str(folder / BRIEF))
    special = tuple(SpecialRule(e.says, tuple(e.clauses.split()), tuple(e.by.split())) for e in file.special)
    example = file.example
    return Brief(special, example.scenario, example.lead) if example else Brief(special)
