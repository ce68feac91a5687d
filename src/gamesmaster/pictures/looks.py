"""The signs that a variant's mechanics give: to kinds of unit, to single units, and to what lies beside them."""

from __future__ import annotations

from gamesmaster.board import Position
from gamesmaster.judge import ReportMechanic, Rules
from gamesmaster.pictures.symbols import Sign


def looks_of(rules: Rules, position: Position) -> dict[int, Sign]:
    """Number of a unit to its sign, for units that do not look like others of their kind.

    What the mechanics say later goes over what they said before.
    """
    words: dict[int, str] = {}
    for unit_signs in rules.asked(ReportMechanic.unit_signs):
        words |= unit_signs(rules, position)
    return {number: Sign(word) for number, word in words.items()}


def signs_of(rules: Rules) -> dict[str, Sign]:
    """Kind of unit to its sign, for the kinds that mechanics add."""
    words: dict[str, str] = {}
    for kind_signs in rules.asked(ReportMechanic.kind_signs):
        words |= kind_signs()
    return {kind: Sign(word) for kind, word in words.items()}


def marks_of(rules: Rules, position: Position) -> dict[str, tuple[Sign, ...]]:
    """Province to the signs of what lies there beside units, boats ashore for one."""
    found: dict[str, tuple[Sign, ...]] = {}
    for place_signs in rules.asked(ReportMechanic.place_signs):
        for province, words in place_signs(rules, position).items():
            found[province] = (*found.get(province, ()), *map(Sign, words))
    return found
