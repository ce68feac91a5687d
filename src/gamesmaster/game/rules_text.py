"""Rulebooks for players: sections and clauses, and what a reader means by the name of one."""

from __future__ import annotations

from dataclasses import dataclass, field

from gamesmaster.errors import NotFound, nearest


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule: its id (`IND-6.c`), and its text in Markdown, paragraphs unwrapped and parted by empty lines."""

    id: str
    text: str

    @property
    def words(self) -> str:
        """Its first paragraph, without signs of Markdown: what is quoted when a ruling cites the clause."""
        return self.text.split("\n\n", 1)[0].replace("`", "").replace("**", "")

    def has(self, text: str) -> bool:
        """Does every word of the text stand in it, in any case of letters and also as a part of longer words?"""
        told = f"{self.id} {self.text}".casefold()
        return all(word in told for word in text.casefold().split())


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a rulebook: its number, if it has one (`6`), its title, its whole text in Markdown, its clauses."""

    number: str
    title: str
    text: str
    clauses: tuple[Clause, ...]

    @property
    def heading(self) -> str:
        """Number and title: `6. Canoe-fleets`."""
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
        """What the game is, in one paragraph: the first of the introduction."""
        return self.intro.split("\n\n", 1)[0]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses in their order."""
        return tuple(self._by_id.values())

    def pick(self, name: str) -> tuple[Clause, ...]:
        """The clauses that a name means, in any case of letters.

        That is one clause (`IND-6.c`), those that begin so (`IND-6`, `CNW-6.a`), or those of a section by its number or
        title; the family before the hyphen may be left out (`6.c`).  A section without clauses gives none.  Raises
        `NotFound` with the nearest.
        """
        name = name.strip()
        section = self.section(name)
        for wanted in (name, *(f"{family}-{name}" for family in self.families)):
            if found := self._beginning(wanted.casefold()):
                return found
        if section is None:
            known = [*(c.id for c in self.clauses), *(s.title for s in self.sections)]
            raise NotFound(
                f"no clause or section {name[:60]!r} in the rules of {self.title}", hint=nearest(name, known)
            )
        return section.clauses

    def section(self, name: str) -> Section | None:
        """The section with this number, title or heading, in any case of letters."""
        plain = name.strip().casefold()
        for section in self.sections:
            if plain in (section.number.casefold(), section.title.casefold(), section.heading.casefold()) and plain:
                return section
        return None

    @property
    def families(self) -> tuple[str, ...]:
        """What stands before the hyphen in ids (`IND`), in the order in which they first appear."""
        return tuple(dict.fromkeys(clause.id.partition("-")[0] for clause in self.clauses))

    def _beginning(self, wanted: str) -> tuple[Clause, ...]:
        if wanted in self._by_id:
            return (self._by_id[wanted],)
        return tuple(clause for key, clause in self._by_id.items() if _goes_on(wanted, key))


def _goes_on(wanted: str, key: str) -> bool:
    """Is `key` an id within `wanted`?  `ind-6.c` is in `ind-6`, `cnw-6.a1` in `cnw-6.a`, `ind-10.a` not in `ind-1`."""
    if not wanted or not key.startswith(wanted) or key == wanted:
        return False
    after = key[len(wanted)]
    return after in ".-" or (after.isdigit() and wanted[-1].isalpha() and "." in wanted)
