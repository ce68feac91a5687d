"""The phases of a `.map` file: `FLOW` and `BEGIN`, followed from the first phase until it comes again."""

from __future__ import annotations

import re
from math import lcm

from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import KINDS, MOVEMENT, DatedPhase, Draft
from gamesmaster.orders import PhaseKind

_USUAL = ("SPRING:MOVEMENT,RETREATS", "FALL:MOVEMENT,RETREATS", "WINTER:ADJUSTMENTS")
_MOST_WORDS = 60
_LONGEST_CYCLE = 2_000
_NEW_YEAR, _IF = "NEWYEAR", "IFYEARDIV"
_Op = tuple[str, PhaseKind | None, int, int]
"""A phase (season and kind), a new year (by how many years), or a condition (year, divided by, rest)."""


class Flow:
    """Collects the words of these lines, and follows them."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.words, self.begin = draft, list[str](), list[str]()
        self.fresh = True

    def new_file(self) -> None:
        """Begin another file: its first `FLOW` takes the place of earlier ones."""
        self.fresh = True

    def add(self, words: list[str]) -> None:
        """Add a line's words."""
        self.words = words if self.fresh else [*self.words, *words]
        self.fresh = False
        if len(self.words) > _MOST_WORDS:
            raise BadFile(f"more than {_MOST_WORDS} words of FLOW", where=self.draft.where)

    def run(self) -> tuple[DatedPhase, ...]:
        """Return the phases from the first on until it comes again; raises `BadFile` if it never does."""
        ops = self.ops()
        phases = [n for n, op in enumerate(ops) if op[1]]
        if not phases:
            raise BadFile("no phases in FLOW", where=self.draft.where)
        season, kind, year = self.first()
        at = next((n for n in phases if ops[n][:2] == (season, kind)), None)
        at = next((n for n in phases if ops[n][1] is kind), phases[0]) if at is None else at
        modulus = lcm(1, *(op[2] for op in ops if op[0] == _IF))
        found = [DatedPhase(ops[at][0], ops[at][1] or MOVEMENT, year)]
        first = (at, year % modulus)
        for _ in range(_LONGEST_CYCLE):
            at, year = _after(ops, at, year)
            if at < 0:
                break
            if ops[at][1]:
                found.append(DatedPhase(ops[at][0], ops[at][1] or MOVEMENT, year))
                if (at, year % modulus) == first:
                    return tuple(found)
        raise BadFile("the phases of FLOW do not come again", where=self.draft.where)

    def ops(self) -> list[_Op]:
        """Return the words of FLOW as operations, with a new year among them."""
        found: list[_Op] = []
        for word in map(str.upper, self.words or _USUAL):
            name, _, value = word.partition(":")
            if name == _NEW_YEAR:
                step = abs(int(value)) if re.fullmatch(r"-?\d{1,3}", value) else 1
                found.append((_NEW_YEAR, None, max(step, 1), 0))
            elif name == _IF:
                number, _, rest = value.partition("=")
                good = re.fullmatch(r"[1-9]\d{0,2}", number)
                found.append(
                    (_IF, None, int(number) if good else 1, int(rest) if rest.isdecimal() and len(rest) < 4 else 0)
                )
            else:
                for part in value.split(","):
                    if part.casefold() in KINDS:
                        found.append((name, KINDS[part.casefold()], 0, 0))
                    else:
                        self.draft.note("not carried over: kinds of phase", part)
        return found if any(op[0] == _NEW_YEAR for op in found) else [(_NEW_YEAR, None, 1, 0), *found]

    def first(self) -> tuple[str, PhaseKind, int]:
        """Return season, kind and year of `BEGIN`; years before Christ are negative."""
        words = [word.upper() for word in self.begin] or ["SPRING", "1901", "MOVEMENT"]
        years = [int(word) for word in words if re.fullmatch(r"\d{1,5}", word)]
        kinds = [KINDS[word.casefold()] for word in words if word.casefold() in KINDS]
        season = " ".join(w for w in words if not w.isdecimal() and w.casefold() not in KINDS)
        if not years:
            raise BadFile(f"no year in BEGIN {' '.join(self.begin)[:60]}", where=self.draft.where)
        before = season.replace(".", "") == "BC" or any(
            word.upper().startswith(f"{_NEW_YEAR}:-") for word in self.words
        )
        return season, kinds[0] if kinds else MOVEMENT, -years[0] if before else years[0]


def _after(ops: list[_Op], at: int, year: int) -> tuple[int, int]:
    """Return the number of what follows, and its year; -1 if a condition can never be met."""
    for _ in range(len(ops) + 1):
        at = (at + 1) % len(ops)
        name, kind, number, rest = ops[at]
        if kind:
            return at, year
        if name == _NEW_YEAR:
            return at, year + number
        if abs(year) % number != rest:
            years = [n for n, op in enumerate(ops) if op[0] == _NEW_YEAR]
            at = next((n for n in years if n > at), years[0]) - 1
    return -1, year
