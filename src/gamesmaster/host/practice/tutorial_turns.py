"""The tutorial as data: five turns of a game of Diplomacy, for a newcomer who plays France.

The turns are in `tutorial_turns.toml`. A scene is one phase: the position, the player's task, the other powers' orders,
and comments on the results. Results are compared as lines such as `A Pic - Bel: bounces`: the order as the report has
it, and its result. In patterns, `*` matches anything, and three question marks match any province. The texts are
translated when they are shown.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, TypeAdapter

VARIANT = "standard"
TURNS = 5


def _places(listed: str) -> Mapping[str, list[str]]:
    """Return places, units or orders by power: `England F Nth H, A Yor - Nwy; Germany A Kie - Den`."""
    powers = (text.split(" ", 1) for text in listed.split("; "))
    return {power: texts.split(", ") for power, texts in powers}


Places = Annotated[Mapping[str, tuple[str, ...]], BeforeValidator(_places)]


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for a player one of whose results matches `result`."""

    result: str
    says: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase of the tutorial."""

    turn: int  # turn that the scene belongs to, from 1
    title: str
    task: tuple[str, ...]  # paragraphs
    look: tuple[str, ...]  # provinces to highlight
    goal: tuple[str, ...]  # patterns, each of which one of the player's results must match
    well: str  # comment if the goal is reached
    hint: str  # comment if not, and no hint matches
    model: tuple[str, ...]  # orders that reach the goal
    hints: tuple[Hint, ...] = ()  # the first that matches is shown
    phase: str = ""  # "": goes on where the scene before it ended
    units: Places | None = None  # by power; None: as at the start of the game
    centres: Places | None = None
    others: Places = field(default_factory=dict)  # the other powers' orders


SCENES = TypeAdapter(tuple[Scene, ...]).validate_python(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["scene"]
)
"""The phases of the tutorial, in order."""
