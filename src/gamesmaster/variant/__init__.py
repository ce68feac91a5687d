"""Variants: what a game is before it is played, and how that is read, checked and put into words.

A `Variant` is a value: a board, powers and their start, a calendar, an end, and mechanics with their parameters.
"""

from gamesmaster import lazy
from gamesmaster.variant.calendar import Calendar as Calendar
from gamesmaster.variant.calendar import Era as Era
from gamesmaster.variant.calendar import Phase as Phase
from gamesmaster.variant.calendar import Slot as Slot
from gamesmaster.variant.editions import edition_of as edition_of
from gamesmaster.variant.editions import find_edition as find_edition
from gamesmaster.variant.house_rules import HOUSE_RULE_PRESETS as HOUSE_RULE_PRESETS
from gamesmaster.variant.house_rules import HouseRules as HouseRules
from gamesmaster.variant.house_rules import HouseRuleSetting as HouseRuleSetting
from gamesmaster.variant.house_rules import house_rule_settings as house_rule_settings
from gamesmaster.variant.lint import lint_folder as lint_folder
from gamesmaster.variant.lint import lint_variant as lint_variant
from gamesmaster.variant.model import BOARD as BOARD
from gamesmaster.variant.model import FOREIGN as FOREIGN
from gamesmaster.variant.model import LARGEST_EDITION as LARGEST_EDITION
from gamesmaster.variant.model import MOST_POWERS as MOST_POWERS
from gamesmaster.variant.model import RULES as RULES
from gamesmaster.variant.model import SHAPES as SHAPES
from gamesmaster.variant.model import VARIANT as VARIANT
from gamesmaster.variant.model import Edition as Edition
from gamesmaster.variant.model import Lead as Lead
from gamesmaster.variant.model import Option as Option
from gamesmaster.variant.model import Power as Power
from gamesmaster.variant.model import Variant as Variant
from gamesmaster.variant.model import Victory as Victory
from gamesmaster.variant.reading import digest as digest
from gamesmaster.variant.reading import find_variant as find_variant
from gamesmaster.variant.reading import read_edition as read_edition
from gamesmaster.variant.reading import read_variant as read_variant
from gamesmaster.variant.sources import file_of as file_of
from gamesmaster.variant.sources import folder_of as folder_of
from gamesmaster.variant.sources import full_name as full_name
from gamesmaster.variant.sources import is_packaged as is_packaged
from gamesmaster.variant.sources import read_toml as read_toml
from gamesmaster.variant.sources import shelf as shelf
from gamesmaster.variant.sources import split_name as split_name
from gamesmaster.variant.sources import variant_names as variant_names
from gamesmaster.variant.texts import Brief as Brief
from gamesmaster.variant.texts import Clause as Clause
from gamesmaster.variant.texts import RulesText as RulesText
from gamesmaster.variant.texts import Section as Section
from gamesmaster.variant.texts import clause_words as clause_words
from gamesmaster.variant.texts import find_brief as find_brief
from gamesmaster.variant.texts import find_rules_text as find_rules_text
from gamesmaster.variant.texts import last_year_text as last_year_text
from gamesmaster.variant.texts import mechanic_rows as mechanic_rows
from gamesmaster.variant.texts import read_brief as read_brief
from gamesmaster.variant.texts import read_rules_text as read_rules_text
from gamesmaster.variant.texts import rules_text_names as rules_text_names
from gamesmaster.variant.texts import rules_text_of as rules_text_of
from gamesmaster.variant.texts import start_rows as start_rows
from gamesmaster.variant.texts import variant_facts as variant_facts

__all__ = lazy.exported(globals())
