"""The signs that a variant's mechanics give to single units."""

from __future__ import annotations

from gamesmaster.board import Position
from gamesmaster.judge import Rules
from gamesmaster.pictures.symbols import Sign


def looks_of(rules: Rules, position: Position) -> dict[int, Sign]:
    """Number of a unit to its sign, for units that do not look like others of their kind.

    What the mechanics say later goes over what they said before.
    """
    words: dict[int, str] = {}
    for mechanic in rules.mechanics:
        words |= mechanic.looks(rules, position)
    return {number: Sign(word) for number, word in words.items()}
