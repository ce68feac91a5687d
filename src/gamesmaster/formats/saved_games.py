"""Saved games of the PyPI package `diplomacy`: one JSON object a game, with every phase's board and orders.

    {"id": "...", "map": "standard", "rules": [...], "phases": [
        {"name": "S1901M", "state": {"units": {...}, "centers": {...}, "retreats": {...}}, "orders": {...}}, ...]}

Each phase is turned into the data of a phase line, with the state of the phase after it to compare with.  A dislodged
unit stands among the others with a star (`*A VEN`), and under `retreats` with the places open to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from gamesmaster.board.file_faults import checked
from gamesmaster.errors import BadFile
from gamesmaster.formats.phase_data import Entry
from gamesmaster.game.state_models import MOST, Short, Text

MOST_PHASES = 5_000
BUILD_ANYWHERE = "BUILD_ANY"
"""The package's rule that lets a power build in any centre it owns."""

FORMING = "FORMING"
"""What the package calls the time before the first phase."""

_Listed = dict[Short, Annotated[list[Short], Field(max_length=MOST)]]


class _State(Entry):
    units: _Listed
    centers: _Listed
    retreats: dict[Short, _Listed] = Field({})


class _Phase(Entry):
    name: Short
    state: _State
    orders: dict[Short, Annotated[list[Text], Field(max_length=MOST)] | None] = Field({})


class SavedGame(Entry):
    """A saved game, read."""

    id: Short = ""
    map: Short = "standard"
    rules: list[Short] = Field([], max_length=100)
    phases: list[_Phase] = Field(max_length=MOST_PHASES)

    @property
    def builds_anywhere(self) -> bool:
        """Was it played with builds in any owned centre?"""
        return BUILD_ANYWHERE in self.rules

    def lines(self) -> Iterator[dict[str, object]]:
        """The data of a phase line for each phase that another follows."""
        played = [phase for phase in self.phases if phase.name != FORMING]
        for phase, following in pairwise(played):
            yield {
                "game": self.id,
                "map": self.map,
                "phase": phase.name,
                **_board(phase.state),
                "orders": {power: texts or [] for power, texts in phase.orders.items()},
                "next": {"phase": following.name, **_board(following.state)},
            }


def is_saved_game(data: object) -> bool:
    """Does this JSON data look like a saved game?"""
    return isinstance(data, Mapping) and "phases" in data and "map" in data


def read_saved_game(data: object, where: str = "") -> SavedGame:
    """The saved game in JSON data; raises `BadFile` with the path of the first thing wrong."""
    return checked(SavedGame, data, BadFile, where)


def _board(state: _State) -> dict[str, object]:
    standing = {power: [u for u in units if not u.startswith("*")] for power, units in state.units.items()}
    beaten = {
        power: [{"unit": unit, "retreats": places} for unit, places in units.items()]
        for power, units in state.retreats.items()
    }
    return {"units": standing, "centers": state.centers, "dislodged": beaten}
