"""The parts of a state document, as files and programs write them: what keys there are, and what may stand under each.

`docs/state.md` tells what they mean; `state_schema` publishes them as JSON Schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, StringConstraints

from gamesmaster.schemas import Entry

MOST = 2_000
"""Units, orders or centres of one power."""

Text = Annotated[str, StringConstraints(max_length=1_000)]
Short = Annotated[str, StringConstraints(max_length=80)]
Name = Annotated[str, StringConstraints(max_length=400)]
"""A variant's name, with options it may be long."""
Number = Annotated[int, Field(ge=1, le=10_000_000)]

T = TypeVar("T")
ByPower = dict[Short, Annotated[list[T], Field(max_length=MOST)]]
"""Lists by power, none too long."""


class DislodgedEntry(Entry):
    """A unit that must retreat."""

    unit: Short = Field(description="kind and place: A TRI")
    origin: Short = Field("", alias="from", description="the province that its attacker came from")
    retreats: list[Short] = Field([], max_length=MOST, description="the places open to it")

    @property
    def open_to(self) -> list[str]:
        """The places that are open to it."""
        return self.retreats


class BoardEntry(Entry):
    """The units and owners of a position."""

    units: ByPower[Short] | None = Field(None, description="units by power: A PAR, F STP/NC")
    centers: ByPower[Short] | None = Field(None, description="provinces by their owners")
    dislodged: ByPower[DislodgedEntry] = Field({}, description="units that must retreat")
    numbers: ByPower[Number] | None = Field(
        None, description="numbers for life: of the units in their order, then of dislodged ones"
    )
    aboard: dict[Short, Number] = Field({}, description="of units aboard, number to the number of the carrier")
    state: dict[Short, Any] | None = Field(None, description="what mechanics keep, by mechanic")


class DrawEntry(Entry):
    """A die: for what it is thrown, and how it fell."""

    phase: Short
    clause: Short
    subject: Text
    sides: int = Field(ge=2, le=1_000_000)
    fell: int = Field(ge=1, le=1_000_000, description="from 1")


class OutcomeEntry(Entry):
    """The end of a game."""

    termination: Literal["victory", "draw", "concession"]
    winners: list[Short] = Field(max_length=MOST)
    phase: Short


class StateEntry(BoardEntry):
    """A phase to be played; what is left out is as at the variant's start."""

    format: Literal[1] = Field(1, description="the edition of this form")
    variant: Name = Field("standard", description="its name; options may follow in brackets")
    options: dict[Short, Short] = Field({}, description="choices of the variant's options")
    edition: Short | None = Field(None, description="SHA-256 of the variant's rules: the edition it is of")
    rulebook: Text | dict[Short, Short] | None = Field(None, description="a preset, or choices")
    house_rules: Text | dict[Short, Short | int] | None = Field(None, description="a preset, or settings")
    phase: Short | None = Field(None, description="S1901M")
    disorder: list[Short] = Field([], max_length=MOST, description="powers in civil disorder")
    misses: dict[Short, Number] = Field({}, description="seasons of moves that a power has missed in a row")
    due: dict[Short, Any] = Field({}, description="what is due from each power: written, never read")
    seed: Short = Field("", pattern="^([0-9a-fA-F]{2})*$", description="of the dice, in hexadecimal")
    draws: list[DrawEntry] = Field([], max_length=MOST, description="dice thrown elsewhere")
    outcome: OutcomeEntry | None = None


def state_schema(model: type[StateEntry] = StateEntry) -> dict[str, Any]:
    """Return the JSON Schema of a document, with the schema of every mechanic of the package under its name."""
    from gamesmaster.mechanics import MECHANICS
    from gamesmaster.rules import state_schemas

    schema = model.model_json_schema()
    parts = {name: {**part, "title": name} for name, part in state_schemas(MECHANICS.values()).items()}
    schema["properties"]["state"] = {
        "type": "object",
        "description": schema["properties"]["state"]["description"],
        "properties": parts,
        "additionalProperties": False,
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
