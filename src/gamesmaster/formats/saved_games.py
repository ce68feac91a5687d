"""Saved games of the PyPI package `diplomacy`, one JSON object per game, with every phase's board and orders.

    {"id": "...", "map": "standard", "rules": [...], "phases": [
        {"name": "S1901M", "state": {"units": {...}, "centers": {...}, "retreats": {...}}, "orders": {...}}, ...]}

A dislodged unit is among the others with a star (`*A VEN`), and under `retreats` with the places open to it.  Games of
DipNet and dipcc have the same form, a game on each line or in a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field

from gamesmaster.errors import BadFile
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.saving import json_lines, saved_game
from gamesmaster.formats.states import BUILD_ANYWHERE, FORMING, PackageState
from gamesmaster.game.state_models import MOST, Short, Text
from gamesmaster.schemas import Facts, validate

MOST_PHASES = 1_000
MOST_ORDERS = 50_000
"""Units and orders of a game, of all phases together."""

OF_THEIR_TIME = {"preset": "datc", "4.D.8": "a"}
"""The rulebook of games recorded by others: until 2023, units were removed by their distance from home centres."""

OF_THE_PACKAGE = {**OF_THEIR_TIME, "4.A.3": "c"}
"""The rulebook of PyPI's `diplomacy`: there an army ordered by sea to the next province walks if it has no convoy."""


class _Phase(Facts):
    name: Short
    state: PackageState
    orders: dict[Short, Annotated[list[Text], Field(max_length=MOST)] | None] = Field({})
    messages: list[Any] | dict[str, Any] | None = None


class SavedGame(Facts):
    """A saved game, read."""

    id: Short = ""
    map: Short = "standard"
    rules: list[Short] | None = Field(None, max_length=100)
    phases: list[_Phase] = Field(max_length=MOST_PHASES)

    @property
    def messages(self) -> int:
        """The number of messages of players in it."""
        return sum(len(phase.messages or ()) for phase in self.phases)

    def lines(self) -> Iterator[PhaseData]:
        """Yield the data of a phase line for each phase that another follows."""
        for phase, following in pairwise(self._played):
            yield self._line(phase) | {"next": {"phase": following.name, **following.state.board()}}

    @property
    def under_way(self) -> PhaseData | None:
        """The data of the last phase, None if the game was over by then."""
        last = self._played[-1:]
        return self._line(last[0]) if last and last[0].name.upper() != OVER else None

    @property
    def _played(self) -> list[_Phase]:
        return [phase for phase in self.phases if phase.name != FORMING]

    def _line(self, phase: _Phase) -> PhaseData:
        orders = {power: texts or [] for power, texts in phase.orders.items()}
        return {"game": self.id, "map": self.map, "phase": phase.name, **phase.state.board(), "orders": orders}


def _games(source: Source) -> Iterator[RecordedGame]:
    game = validate(SavedGame, source.value, BadFile, source.where)
    rules = [rule for rule in game.rules or () if rule not in (BUILD_ANYWHERE, "NO_PRESS", "POWER_CHOICE")]
    yield RecordedGame(
        name=game.id,
        boards=(game.map,),
        phases=game.lines(),
        rulebook=OF_THE_PACKAGE,
        anywhere=BUILD_ANYWHERE in (game.rules or ()),
        messages=game.messages,
        last=game.under_way,
        lost=(f"not carried over: rules: {', '.join(rules)}",) if rules else (),
    )


FORM = Form(
    id="saved-game",
    name="saved games of PyPI `diplomacy`, DipNet and dipcc",
    files="JSON, or JSON Lines with a game on each line",
    carried="positions, orders, powers, the rule `BUILD_ANY`, on any map that is found",
    derived="every result, by a new adjudication: each difference is named, and the recorded position stands",
    lost="messages, other rules, notes, times, logs",
    fits=lambda source: source.has("phases", "map") or source.has("phases", "id"),
    games=_games,
    write_game=saved_game,
)

LINES_FORM = Form(
    id="json-lines",
    name="saved games of PyPI `diplomacy` as JSON Lines",
    files="`.jsonl`, a game on each line",
    carried="as `saved-game`, by which each line is read",
    derived="as `saved-game`",
    lost="as `saved-game`",
    fits=lambda source: False,
    write_game=json_lines,
)
