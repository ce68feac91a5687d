"""The shapes of `variant.toml` and `brief.toml`.  Imported only when one is read, like the shape of board files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import Entry, Kind, Name, ProvinceId, UnitText, Way
from gamesmaster.variant.calendar import LAST_YEAR, LONGEST_TURN, MOST_SLOTS, Era
from gamesmaster.variant.model import MOST_POWERS, LastYear

VariantId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_]{0,31}$")]
Season = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]+( [A-Za-z]+)*$", max_length=30)]
Letter = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}$")]
LocationText = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,16}(/[A-Z]{1,4})?$")]
Units = Annotated[list[UnitText], Field(max_length=1_000)]
Step = Annotated[list[LocationText], Field(min_length=2, max_length=2)]
OptionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
Provinces = Annotated[list[ProvinceId], Field(max_length=1_000)]
Colour = Literal[
    "", "red", "dark blue", "light blue", "brown", "green", "white", "yellow", "orange", "violet", "lime", "teal",
    "pink",
]  # fmt: skip
ClauseId = Annotated[str, StringConstraints(pattern=r"^[A-Z]\w{0,15}-[\w.]{1,15}$")]


class LeadEntry(Entry):
    """A lead that wins."""

    centres: int = Field(ge=1, le=1_000, description="how many centres more than every other power")
    falls: int = Field(0, ge=0, le=1_000, description="how many fewer in each turn of the calendar; one is the least")


class VictoryEntry(Entry):
    """The conditions of victory."""

    centres: int = Field(ge=1, le=1_000)
    count: Literal["centres", "units", "either"] = "centres"
    of: dict[Name, Annotated[int, Field(ge=1, le=1_000)]] = Field({}, max_length=MOST_POWERS)
    last: int = Field(0, ge=0, le=MOST_POWERS)
    when: Literal["count", "winter"] = "count"
    units: int = Field(0, ge=0, le=1_000, description="how many units win; by default as many as centres")
    lead: LeadEntry | None = Field(None, description="a lead that wins, too; only where centres alone count")
    last_year: int | None = Field(None, ge=-LAST_YEAR, le=LAST_YEAR, description="the year in which the game ends")
    then: LastYear = Field("most centres", description="who wins in the last year")

    @model_validator(mode="after")
    def _a_lead_is_in_centres(self) -> VictoryEntry:
        if self.lead and self.count != "centres":
            raise ValueError(f"a lead counts centres, and count is {self.count!r}")
        return self


class SlotEntry(Entry):
    """One phase of a turn."""

    season: Season
    kind: Annotated[PhaseKind, Field(strict=False)]
    letter: Letter | None = Field(None, description="its season in codes; the season's first letter by default")
    also: list[Season] = Field([], max_length=8)
    years: int = Field(0, ge=0, lt=LONGEST_TURN)
    dated: int = Field(0, ge=0, lt=LONGEST_TURN, description="years after the year it is named by")
    count: bool = False


class CalendarEntry(Entry):
    """The order of the phases."""

    first_year: int = Field(ge=-LAST_YEAR, le=LAST_YEAR)
    years_per_turn: int = Field(1, ge=1, le=LONGEST_TURN)
    era: Annotated[Era, Field(strict=False)] = Era.NONE
    first_phase: Name | None = Field(None, description="where the game begins, if not with the first phase listed")
    phases: list[SlotEntry] = Field(min_length=1, max_length=MOST_SLOTS)


class PowerEntry(Entry):
    """A power and what it starts with."""

    name: Name
    adjective: Name | None = Field(None, description="the name by default")
    plural: bool = Field(False, description="whether the name is a plural: `Moors take`, not `takes`")
    also: list[Name] = Field([], max_length=8, description="other names for it in orders")
    homes: Provinces | None = Field(None, description="home centres; by default those the board marks as its home")
    centres: Provinces | None = Field(None, description="centres owned at the start; its homes by default")
    units: Units = Field([])
    colour: Colour = Field("", description="its colour on maps; by default the usual one of its name, or a free one")
    letter: Annotated[str, StringConstraints(pattern=r"^\S{0,3}$")] = Field(
        "", description="one to three letters on its units; by default the shortest beginning of its name"
    )


class KindEntry(Entry):
    """A kind of unit: what it is called, and how it travels."""

    name: Name
    way: Way = Field(description="the way of travel on the board: army, fleet")
    also: list[Name] = Field([], max_length=16, description="other words for it in orders")


VictoryNumber = Literal["centres", "units", "last", "last_year"]


class ChoiceEntry(Entry):
    """The changes made by one choice of an option; by default it changes nothing.

    `needs` are the choices of other options that it goes with.  `without_powers` takes powers out of the game; `units`
    replaces what powers start with; `centre` and `no_centre` make provinces supply centres or take the centre away;
    `unowned` are centres that nobody owns at the start;
    `without` takes steps off the board, by way of travel; `rulebook` overrides single choices of it, `victory` single
    numbers.  `mechanics` are added, `without_mechanics` (by name) taken away, and `parameters` changed, by the name of
    the mechanic.
    """

    needs: dict[OptionName, Annotated[list[OptionName], Field(min_length=1, max_length=30)]] = Field({}, max_length=30)
    without_powers: list[Name] = Field([], max_length=MOST_POWERS)
    without_mechanics: list[Name] = Field([], max_length=30)
    mechanics: list[dict[Name, Any]] = Field([], max_length=30)
    parameters: dict[Name, dict[Name, Any]] = Field({}, max_length=30)
    victory: dict[VictoryNumber, Annotated[int, Field(ge=0, le=LAST_YEAR)]] = Field({})
    units: dict[Name, Units] = Field({}, max_length=MOST_POWERS)
    centre: Provinces = Field([])
    no_centre: Provinces = Field([])
    unowned: Provinces = Field([])
    without: dict[Name, Annotated[list[Step], Field(max_length=100)]] = Field({}, max_length=10)
    rulebook: dict[Name, Name | bool] = Field({}, max_length=100)


class OptionEntry(Entry):
    """Something the Gamesmaster may choose before the first move."""

    name: OptionName
    says: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    default: Name
    choices: Annotated[dict[OptionName, ChoiceEntry], Field(min_length=2, max_length=30)]

    @model_validator(mode="after")
    def _default_is_a_choice(self) -> OptionEntry:
        if self.default not in self.choices:
            raise ValueError(f"the default {self.default!r} is not one of the choices")
        return self


class SayingEntry(Entry):
    """A reason's wording in this variant: its clause, and its words."""

    clause: ClauseId
    says: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^([^{}]|\{by\})*$")]


class ClausesEntry(Entry):
    """Clauses of the variant's own rulebook that are cited in place of the usual ones, and other words if need be."""

    orders: dict[Name, ClauseId | SayingEntry] = Field(
        {}, max_length=200, description="by cause, as `explain --json` names it, or by what a mechanic knows better"
    )
    events: dict[Name, ClauseId] = Field({}, max_length=100, description="by the word of an event, likewise")


class BaseEntry(Entry):
    """The variant on which a file is based, and the parts of it left out, by name."""

    based_on: VariantId = Field(description="a folder beside this one, or a variant of the package")
    without_powers: list[Name] = Field([], max_length=MOST_POWERS)
    without_mechanics: list[Name] = Field([], max_length=30)
    without_options: list[Name] = Field([], max_length=30)


class VariantFile(Entry):
    """A game: its powers, their start, the calendar, what wins, and the rulebook."""

    format: Literal[1]
    id: VariantId
    name: Name
    board: VariantId | None = Field(None, description="the variant whose board and shapes it shares")
    rulebook: Name | Annotated[dict[Name, Name | bool], Field(max_length=100)] = "datc"
    house_rules: Name | Annotated[dict[Name, Name | bool | int], Field(max_length=100)] = "standard"
    build_sites: Annotated[BuildSites, Field(strict=False)] = BuildSites.OWN_HOMES
    victory: VictoryEntry
    calendar: CalendarEntry
    powers: list[PowerEntry] = Field(max_length=MOST_POWERS)
    units: dict[Kind, KindEntry] = Field({}, max_length=16, description="its kinds of unit, if not armies and fleets")
    options: list[OptionEntry] = Field([], max_length=30)
    mechanics: list[dict[Name, Any]] = Field([], max_length=30)
    clauses: ClausesEntry = Field(default_factory=lambda: ClausesEntry(orders={}, events={}))


Sentence = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Words = Annotated[str, StringConstraints(pattern=r"^[\w./-]+( [\w./-]+)*$", max_length=200)]


class SpecialEntry(Entry):
    """A row of the table of special rules."""

    says: Sentence
    clauses: Words = Field(description="ids, separated by blanks")
    by: Words = Field(description="mechanics and parts of the data, separated by blanks")


class ExampleEntry(Entry):
    """A scenario of the variant, and what to look at."""

    scenario: Words
    lead: Sentence


class BriefFile(Entry):
    """A variant in brief."""

    special: list[SpecialEntry] = Field([], max_length=60)
    example: ExampleEntry | None = None
