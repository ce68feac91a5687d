"""The data of phase lines as other programs record them, and rulings as JSON."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from gamesmaster.board import Position
from gamesmaster.game.state_models import MOST, BoardEntry, ByPower, DislodgedEntry, Short, Text
from gamesmaster.judge import Ruling


class Entry(BaseModel):
    """Keys that we have no use for are passed over: other programs say more than we read."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class RecordedDislodged(DislodgedEntry, Entry):
    """A unit that must retreat; `retreats_computed` stands beside a list that is known to be wrong."""

    retreats_computed: list[Short] | None = Field(None, max_length=MOST)

    @property
    def open_to(self) -> list[str]:
        """The places that are open to it."""
        return self.retreats if self.retreats_computed is None else self.retreats_computed


class RecordedBoard(BoardEntry, Entry):
    """A position."""

    dislodged: ByPower[RecordedDislodged] = {}  # type: ignore[assignment]


class NextEntry(RecordedBoard):
    """The position of the next phase."""

    phase: Short


class LineEntry(RecordedBoard):
    """A phase."""

    variant: Short | None = None
    map: Short | None = None
    phase: Short | None = None
    orders: ByPower[Text] = {}
    rulebook: str | dict[str, Any] | None = None
    game: Short = ""
    flag: Text | None = None
    next: NextEntry | None = None


def ruling_data(ruling: Ruling) -> dict[str, object]:
    """A ruling as JSON: whose order, what became of it, why (the cause's name, and a sentence), and by which clause."""
    return {
        "power": ruling.power,
        "order": ruling.given,
        "result": str(ruling.result),
        "cause": ruling.cause.name.lower(),
        "text": ruling.text,
        "clause": ruling.clause,
        "dislodged": ruling.dislodged,
    }


def facts(position: Position) -> tuple[set[str], set[str], set[str]]:
    """What can be compared of two positions: units, owners of centres, and units that may retreat, with where to."""
    return (
        {f"{u.power} {u}" for u in position.units},
        {f"{power} {centre}" for centre, power in position.owners.items()},
        {
            f"{d.unit.power} {d.unit} to {' '.join(sorted(map(str, d.retreats)))}"
            for d in position.dislodged
            if d.retreats
        },
    )
