"""The calendar: which phase follows which, what each is called, and how such a name is read.

A turn of the calendar is a list of `Slot`s (Spring movement, Spring retreats, ...) played over and over; each round
adds `years_per_turn` to the year.  A calendar goes only forward, one slot at a time, so it cannot loop.  Skipping the
phases in which nobody has anything to do is for the course of the game (STD-3.a).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from gamesmaster.errors import BadFile, NotFound, must_be, nearest
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Season

MOST_SLOTS = 60
LONGEST_TURN = 1_000  # years
LAST_YEAR = 100_000  # a calendar begins no later, before or after Christ
LONGEST_NAME = 80  # characters of a phase's name

_CODE = re.compile(r"([a-z]{1,3})(\d{1,9})(bc|ad|)([mra]?)")
_DATED = re.compile(r"(.*[^\s)]) ?\((\d{1,9})\)")
_WORD = re.compile(r"[^\W\d_]+|\d{1,9}")
_KIND_OF = {
    word: kind
    for kind, words in {
        PhaseKind.MOVEMENT: ("movement", "movements", "moves", "move", "m"),
        PhaseKind.RETREATS: ("retreats", "retreat", "r"),
        PhaseKind.ADJUSTMENTS: ("adjustments", "adjustment", "builds", "a"),
    }.items()
    for word in words
}


class Era(StrEnum):
    """The spelling of a year: bare (`1901`), as `1000 AD`, or as `500 BC`, counting down."""

    NONE = ""
    AD = "AD"
    BC = "BC"


@dataclass(frozen=True, slots=True)
class Slot:
    """One phase of a turn.

    `season` names it, `letter` stands for the season in codes, `also` are other names of it (Summer for the Spring
    retreats, STD-3.a).  `years` is how long after the turn's beginning it falls; `count` says that the owners of the
    centres are settled when it is over, played or skipped (STD-10.a).  `dated` is how long after the year that names it
    the phase is dated, in a game whose turns are long: Fall 1590 is the year 1594 (CNW-N1).
    """

    season: str
    kind: PhaseKind
    letter: str
    also: tuple[str, ...] = ()
    years: int = 0
    count: bool = False
    dated: int = 0


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a game: Spring, 1901, movement, `S1901M`.  A year before Christ is negative: -500 is 500 BC."""

    season: str
    year: int
    kind: PhaseKind
    code: str

    def __str__(self) -> str:
        return self.code


MOST_REMEMBERED = 2_000  # texts of phases; when there are more, all are forgotten


@dataclass(frozen=True)
class Calendar:
    """The phases of a game, from the first on without end.

    `first_year` is the year in which the first turn begins (negative for BC), `start` the number of the slot in it that
    is played first.  Raises `BadFile` if the slots make no calendar.
    """

    slots: tuple[Slot, ...]
    first_year: int
    years_per_turn: int = 1
    era: Era = Era.NONE
    start: int = 0

    def __post_init__(self) -> None:
        years = [slot.years for slot in self.slots]
        lowest = -LAST_YEAR if self.era is Era.BC else 0
        faults = {
            f"a turn has 1 to {MOST_SLOTS} phases": not 1 <= len(years) <= MOST_SLOTS,
            f"a turn lasts 1 to {LONGEST_TURN} years": not 1 <= self.years_per_turn <= LONGEST_TURN,
            "the first phase is not among its phases": not 0 <= self.start < len(years),
            "it begins in a year that does not exist": not lowest <= self.first_year <= LAST_YEAR,
            "there is no year 0 in BC": self.era is Era.BC and self.first_year == 0,
            "the years of its phases must rise from 0 and end within the turn": years != sorted(years)
            or not all(0 <= year < self.years_per_turn for year in years),
            "a phase is dated after its turn": not all(0 <= s.dated < self.years_per_turn for s in self.slots),
            "two of its phases have the same name": len({(s.season, s.kind, s.years) for s in self.slots}) < len(years)
            or len({(s.letter, s.kind, s.years) for s in self.slots}) < len(years),
        }
        for what in (what for what, wrong in faults.items() if wrong):
            raise BadFile(f"this calendar is impossible: {what}")

    @property
    def first(self) -> Phase:
        """The phase with which a game begins."""
        return self._phase(0, self.start)

    def next(self, phase: Phase) -> Phase:
        """Return the phase after this one; raises `NotFound` if `phase` is not of this calendar."""
        turn, number = self._place(phase)
        return self._phase(turn, number + 1) if number + 1 < len(self.slots) else self._phase(turn + 1, 0)

    def counts(self, phase: Phase) -> bool:
        """Return whether the owners of the centres are settled after this phase (STD-10.a)."""
        return self.slots[self._place(phase)[1]].count

    def date(self, phase: Phase) -> int:
        """Return the year in which a phase falls, which need not be the one that names it (CNW-N1)."""
        return phase.year + self.slots[self._place(phase)[1]].dated

    def turn(self, phase: Phase) -> int:
        """Return the turn in which a phase falls, from 0."""
        return self._place(phase)[0]

    def index(self, phase: Phase) -> int:
        """Return how many phases the calendar has before this one, counted from the first of the game."""
        turn, number = self._place(phase)
        return turn * len(self.slots) + number - self.start

    def over(self, phase: Phase, kind: PhaseKind) -> int:
        """Return how many phases of a kind come before this one, counted from the first of the game."""
        turn, number = self._place(phase)
        own = [slot.kind is kind for slot in self.slots]
        return turn * sum(own) + sum(own[:number]) - sum(own[: self.start])

    def last_year(self, turns: int) -> int:
        """Return the year in which this number of turns is complete; year 0 does not exist."""
        last = self.first_year + turns * self.years_per_turn - 1
        return last + 1 if self.first_year < 0 <= last else last

    def also(self, phase: Phase) -> tuple[str, ...]:
        """Return the other names of a phase's season."""
        return self.slots[self._place(phase)[1]].also

    def season(self, phase: Phase) -> Season:
        """Return a phase as mechanics know it."""
        return Season(phase.season, phase.year, self.turn(phase), phase.kind, self.also(phase))

    def code(self, phase: Phase) -> str:
        """Return the short name: `S1901M`, and with years before Christ `S500BCM`."""
        return phase.code

    def name(self, phase: Phase) -> str:
        """Return the full name: `Spring 1901 Movement`, `Spring 500 BC Movement`, `Fall 1590 Movement (1594)`."""
        date = self.date(phase)
        dated = f" ({date})" if date != phase.year else ""
        return f"{phase.season} {self.year(phase)} {phase.kind.value.capitalize()}{dated}"

    def year(self, phase: Phase) -> str:
        """Return the year as this calendar writes it: `1901`, `1000 AD`, `500 BC`."""
        era = "BC" if phase.year < 0 else "AD"
        return f"{abs(phase.year)} {era}" if self.era else str(phase.year)

    def read(self, text: str) -> Phase:
        """Return the phase that a text names: `S1901M`, `f2r`, `Spring 1901 Movement`, `Fall 1590 (1594)`.

        A name without a kind means the first phase of that season.  Raises `NotFound` with the nearest right thing.
        """
        phase = self._remembered.get(text)
        if phase is None:
            phase = self._read(text)
            if len(self._remembered) >= MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = phase
        return phase

    @cached_property
    def _remembered(self) -> dict[str, Phase]:
        """Texts read before: records and lines of phases name the same ones over and over."""
        return {}

    def _read(self, text: str) -> Phase:
        must_be(str, text, "the name of a phase")
        shown = f"no phase {text[:LONGEST_NAME]!r}"
        folded = text.casefold().strip() if len(text) <= LONGEST_NAME else ""
        if dated := _DATED.fullmatch(folded):
            phase = self._read(dated[1])
            if self.date(phase) != int(dated[2]):
                raise NotFound(shown, hint=f"that is {self.name(phase)}")
            return phase
        short = _CODE.fullmatch(folded)
        if short:
            letter, number, era, initial = short.groups()
            if letter == "a" and not any(slot.letter.casefold() == letter for slot in self.slots):
                return self._read_name(shown, f"autumn {number} {era} {initial}")
            return self._find(shown, lambda s: s.letter.casefold() == letter, self._year(number, era), initial)
        return self._read_name(shown, folded)

    def _read_name(self, shown: str, folded: str) -> Phase:
        """Return the phase that words name, in any order.

        A movement in Autumn is one in Fall, where Autumn has none.
        """
        tokens = _WORD.findall(folded)
        numbers = [word for word in tokens if word.isdecimal()]
        if len(numbers) != 1:
            raise NotFound(shown, hint=f"written like {self.name(self.first)} or {self.first.code}")
        kinds = [word for word in tokens if word in _KIND_OF]
        eras = [word for word in tokens if word in ("bc", "ad")]
        season = " ".join(word for word in tokens if word not in (*numbers, *kinds[:1], *eras[:1]))
        names = {_plain(name): name for slot in self.slots for name in (slot.season, *slot.also)}
        if season not in names:
            raise NotFound(shown, hint=nearest(season, names.values()) or f"seasons are {', '.join(names.values())}")
        kind = "".join(kinds[:1])
        if season == "autumn" and kind and not any(s.kind is _KIND_OF[kind] for s in self._called(season)):
            season = "fall"
        called = self._called(season)
        return self._find(shown, called.__contains__, self._year(numbers[0], "".join(eras[:1])), kind)

    def _called(self, season: str) -> list[Slot]:
        """Return the slots of a season, by any of its names."""
        return [slot for slot in self.slots if season in map(_plain, (slot.season, *slot.also))]

    def _find(self, shown: str, fits: Callable[[Slot], bool], year: int, kind: str) -> Phase:
        turn, years = divmod(self._since(year), self.years_per_turn)
        for number, slot in enumerate(self.slots):
            if fits(slot) and slot.years == years and (not kind or slot.kind is _KIND_OF[kind]):
                phase = self._phase(turn, number)
                if (turn, number) < (0, self.start) or phase.year != year:  # year 0 between BC and AD does not exist
                    raise NotFound(shown, hint=f"the game begins with {self.name(self.first)}")
                return phase
        raise NotFound(shown, hint=f"phases are {', '.join(self._phase(0, n).code for n in range(len(self.slots)))}")

    def _place(self, phase: Phase) -> tuple[int, int]:
        turn, years = divmod(self._since(phase.year), self.years_per_turn)
        for number, slot in enumerate(self.slots):
            if (slot.season, slot.kind, slot.years) == (phase.season, phase.kind, years):
                return turn, number
        raise NotFound(f"{phase.code} is not a phase of this calendar")

    def _phase(self, turn: int, number: int) -> Phase:
        slot = self.slots[number]
        year = self.first_year + turn * self.years_per_turn + slot.years
        if self.first_year < 0 <= year:
            year += 1  # 1 AD follows 1 BC
        era = "" if self.era is not Era.BC else "BC" if year < 0 else "AD"
        return Phase(slot.season, year, slot.kind, f"{slot.letter}{abs(year)}{era}{slot.kind.value[0].upper()}")

    def _since(self, year: int) -> int:
        """Return the years since the beginning of the first turn."""
        return year - self.first_year - (self.first_year < 0 < year)

    def _year(self, digits: str, era: str) -> int:
        """Return the year that is meant: in a calendar that counts down, one before Christ if nothing is said."""
        before = era == "bc" or (not era and self.era is Era.BC)
        return -int(digits) if before else int(digits)


def _plain(name: str) -> str:
    return " ".join(_WORD.findall(name.casefold()))
