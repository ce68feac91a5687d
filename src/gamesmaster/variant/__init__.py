"""Variants: what a game is before it is played, and how that is read, checked and put into words.

A `Variant` is a value: a board, powers and their start, a calendar, an end, and mechanics with their parameters.
"""

from gamesmaster.variant.calendar import Calendar, Era, Phase, Slot
from gamesmaster.variant.editions import edition_of, find_edition
from gamesmaster.variant.house_rules import HOUSE_RULE_PRESETS, HouseRules, HouseRuleSetting, house_rule_settings
from gamesmaster.variant.lint import lint_folder, lint_variant
from gamesmaster.variant.model import (
    BOARD,
    FOREIGN,
    LARGEST_EDITION,
    MOST_POWERS,
    SHAPES,
    VARIANT,
    Edition,
    Option,
    Power,
    Variant,
    Victory,
)
from gamesmaster.variant.reading import digest, find_variant, read_edition, read_variant
from gamesmaster.variant.sources import file_of, folder_of, full_name, is_packaged, shelf, split_name, variant_names
from gamesmaster.variant.texts import (
    Brief,
    Clause,
    RulesText,
    Section,
    clause_words,
    find_brief,
    find_rules_text,
    mechanic_rows,
    read_brief,
    read_rules_text,
    rules_text_names,
    rules_text_of,
    start_rows,
    variant_facts,
)

__all__ = [
    "BOARD",
    "FOREIGN",
    "HOUSE_RULE_PRESETS",
    "LARGEST_EDITION",
    "MOST_POWERS",
    "SHAPES",
    "VARIANT",
    "Brief",
    "Calendar",
    "Clause",
    "Edition",
    "Era",
    "HouseRuleSetting",
    "HouseRules",
    "Option",
    "Phase",
    "Power",
    "RulesText",
    "Section",
    "Slot",
    "Variant",
    "Victory",
    "clause_words",
    "digest",
    "edition_of",
    "file_of",
    "find_brief",
    "find_edition",
    "find_rules_text",
    "find_variant",
    "folder_of",
    "full_name",
    "house_rule_settings",
    "is_packaged",
    "lint_folder",
    "lint_variant",
    "mechanic_rows",
    "read_brief",
    "read_edition",
    "read_rules_text",
    "read_variant",
    "rules_text_names",
    "rules_text_of",
    "shelf",
    "split_name",
    "start_rows",
    "variant_facts",
    "variant_names",
]
