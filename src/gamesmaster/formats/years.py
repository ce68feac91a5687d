"""The calendar of another program's variant: one turn of its phases, as slots of ours."""

from __future__ import annotations

import re

from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ADJUSTMENTS, AUTUMN, MOVEMENT, RETREATS, DatedPhase, Draft
from gamesmaster.formats.naming import letters_of
from gamesmaster.variant import Calendar, Era, Slot

LONGEST_TURN, MOST_PHASES = 1_000, 60  # years; phases
_NO_SEASON = ("", "Ad", "Bc", "A D", "B C")


def calendar_of(draft: Draft, *, builds_first: bool) -> Calendar:
    """Return the calendar of a draft, the first phase as the file has it.

    With `builds_first` the game begins with the adjustments before that phase.  Raises `BadFile` for a run of phases
    that makes no calendar.
    """
    *turn, again = _with_retreats(draft)
    length = again.year - turn[0].year
    if not 1 <= length <= LONGEST_TURN or not 1 <= len(turn) <= MOST_PHASES:
        what = f"a turn of {len(turn)} phases and {length} years"
        raise BadFile(f"these phases do not make a calendar: {what}", where=draft.where)
    begin, years = _rotation(turn, length, draft)
    phases = [*turn[begin:], *turn[:begin]]
    start, year = (len(turn) - begin) % len(turn), turn[begin].year - (length if begin else 0)
    if builds_first and phases[start].kind is not ADJUSTMENTS:
        builds = [n for n, phase in enumerate(phases) if phase.kind is ADJUSTMENTS]
        if not builds:
            raise BadFile("no units at the start, and no phase in which any are built", where=draft.where)
        before = [n for n in builds if n < start]
        start, year = (before or builds)[-1], year if before else year - length
        draft.note("the game begins with builds, since the file has no units at the start")
    bc = draft.run[0].year < 0
    if year < 0 and not bc:
        draft.note(f"years are {-year} later, since they would begin before the year 0")
        year = 0
    slots = _slots(phases, years)
    return Calendar(slots, year, length, Era.BC if bc else Era.NONE, start)


def _with_retreats(draft: Draft) -> list[DatedPhase]:
    """Return the run of a draft with retreats after every movement."""
    *turn, again = draft.run
    found = []
    for phase, after in zip(turn, [*turn[1:], again], strict=True):
        found.append(phase)
        if phase.kind is MOVEMENT and after.kind is not RETREATS:
            found.append(phase._replace(kind=RETREATS))
            draft.note("retreats follow each movement", phase.season)
    return [*found, again]


def _rotation(turn: list[DatedPhase], length: int, draft: Draft) -> tuple[int, list[int]]:
    """Return with which phase the turn begins, and how many years after it each phase is."""
    for begin in range(len(turn)):
        later = [phase.year + length for phase in turn[:begin]]
        years = [year - turn[begin].year for year in (*(phase.year for phase in turn[begin:]), *later)]
        if years == sorted(years) and years[-1] < length:
            return begin, years
    raise BadFile("the years of these phases do not rise", where=draft.where)


def _slots(phases: list[DatedPhase], years: list[int]) -> tuple[Slot, ...]:
    names = [_season(phase.season) for phase in phases]
    winter = "Winter" not in names
    also = [
        (name,) if winter and p.kind is ADJUSTMENTS and name.casefold() in AUTUMN else ()
        for name, p in zip(names, phases, strict=True)
    ]
    names = ["Winter" if other else name for name, other in zip(names, also, strict=True)]
    letters = _letters(names)
    counts = _counts(phases)
    return tuple(
        Slot(name, phase.kind, letters[name], also=other, years=year, count=number in counts)
        for number, (name, phase, other, year) in enumerate(zip(names, phases, also, years, strict=True))
    )


def _counts(phases: list[DatedPhase]) -> set[int]:
    """Return the numbers of the phases that settle owners: those before adjustments, or else the last retreats."""
    found = {(n - 1) % len(phases) for n, phase in enumerate(phases) if phase.kind is ADJUSTMENTS}
    retreats = [n for n, phase in enumerate(phases) if phase.kind is RETREATS]
    return found or set(retreats[-1:]) or {len(phases) - 1}


def _season(text: str) -> str:
    """Return the name of a season in plain letters: `Year` where the file writes A.D. or B.C."""
    words = [letters_of(word).capitalize() for word in re.split(r"[^\w]+", re.sub(r"\d", "", text))]
    name = " ".join(word for word in words if word.isalpha())[:30].strip()
    return "Year" if name in _NO_SEASON else name


def _letters(names: list[str]) -> dict[str, str]:
    """Return up to three letters for each season, different for each."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        whole = name.replace(" ", "").upper()
        tries = [whole[:1], whole[:2], whole[:3], *(whole[0] + letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")]
        found[name] = next((own for own in tries if own not in found.values()), "XXX")
    return found
