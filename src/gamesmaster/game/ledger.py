"""The ledger of a position, as a postal Gamesmaster published it with each report (CNW-N3).

Strength, centres and units of every power, and what mechanics keep: one function, which every door shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from gamesmaster.board import Position
from gamesmaster.english import many
from gamesmaster.game.progress import centre_counts, season_of, unit_counts
from gamesmaster.judge import Ahead, Entry, ReportMechanic, Rules, Term, WinterMechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import Calendar, Phase, Variant

FARTHEST = 400  # phases that are looked ahead; what comes later is far off


@dataclass(frozen=True, slots=True)
class Holding:
    """What a power has: its supply centres on the board, its units, and its strength.

    The strength is how many units it can feed, as reckoned in the Winter that is being played, or in the one just over;
    None where it is not more to be known than the centres, or cannot be said yet.
    """

    power: str
    centres: int
    units: int
    strength: int | None

    @property
    def text(self) -> str:
        """`2 centres, 3 units, strength 5`."""
        strength = "" if self.strength is None else f", strength {self.strength}"
        return f"{many(self.centres, 'centre')}, {many(self.units, 'unit')}{strength}"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything published of a position beside the map: what each power has, and the lines of its mechanics.

    `phase` is the code of the phase that begins with the position, `name` what that is called without its kind.
    """

    phase: str
    name: str
    holdings: tuple[Holding, ...]
    entries: tuple[Entry, ...]

    @property
    def sections(self) -> dict[str, tuple[str, ...]]:
        """The lines as they are printed, under their headings; powers of which the same is said share one."""
        found: dict[str, dict[str, list[str]]] = {}
        for entry in self.entries:
            found.setdefault(entry.heading, {}).setdefault(entry.text, []).extend([entry.power] if entry.power else [])
        return {
            heading: tuple(f"{', '.join(powers)}: {text}" if powers else text for text, powers in lines.items())
            for heading, lines in found.items()
        }

    @property
    def summary(self) -> dict[str, tuple[str, ...]]:
        """The sections with the strengths before them, for whoever is shown nothing else of the powers."""
        strengths = tuple(f"{power}: {strength}" for power, strength in self.strengths.items())
        return ({f"Strength in {self.name}": strengths} if strengths else {}) | self.sections

    @property
    def strengths(self) -> dict[str, int]:
        """The strengths that there are to be told, by power."""
        return {h.power: h.strength for h in self.holdings if h.strength is not None}


def ledger_of(variant: Variant, rules: Rules, phase: Phase, position: Position) -> Ledger:
    """The ledger of the position with which a phase begins."""
    calendar = variant.calendar
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    winter = phase.kind is PhaseKind.ADJUSTMENTS
    holdings = tuple(
        Holding(power, centres[power], units[power], _strength(rules, position, power, centres[power], winter=winter))
        for power in centres
    )
    ahead = Ahead(islice(_phases(calendar, phase), FARTHEST))
    entries = tuple(
        entry for lines in rules.hooks(ReportMechanic.report_lines) for entry in lines(rules, position, ahead)
    )
    return Ledger(phase.code, _name(calendar, phase), holdings, entries)


def _strength(rules: Rules, position: Position, power: str, centres: int, *, winter: bool) -> int | None:
    """How many units a power can feed, where that hangs on more than centres."""
    fed: int | None = centres
    mechanics = [
        m for m in rules.mechanics if isinstance(m, WinterMechanic) and type(m).supply is not WinterMechanic.supply
    ]
    for mechanic in mechanics:
        if winter and fed is not None:
            fed = mechanic.supply(rules, position, power, fed)
        else:
            fed = mechanic.strength(rules, position, power, fed)
    return fed if mechanics else None


def _phases(calendar: Calendar, phase: Phase) -> Iterator[Term]:
    """A phase and those after it."""
    while True:
        yield Term(phase.code, _name(calendar, phase), season_of(calendar, phase), calendar.counts(phase))
        phase = calendar.next(phase)


def _name(calendar: Calendar, phase: Phase) -> str:
    return f"{phase.season} {calendar.year(phase)}"
