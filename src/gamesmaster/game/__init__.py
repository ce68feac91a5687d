"""The course of a game: calendar and phases, variants, dice, the game and its record."""

from gamesmaster.game.calendar import Calendar, Era, Phase, Slot
from gamesmaster.game.variant import Power, Variant, Victory
from gamesmaster.game.variant_file import find_variant, read_variant, variant_names
from gamesmaster.game.variant_lint import lint_variant

__all__ = [
    "Calendar",
    "Era",
    "Phase",
    "Power",
    "Slot",
    "Variant",
    "Victory",
    "find_variant",
    "lint_variant",
    "read_variant",
    "variant_names",
]
