"""The course of a game: calendar and phases, variants, dice, the game, its record and its reports."""

from gamesmaster.game.calendar import Calendar, Era, Phase, Slot
from gamesmaster.game.course import Game
from gamesmaster.game.defects import corroborate_all
from gamesmaster.game.dice import Dice, Throw, new_seed
from gamesmaster.game.edition import Edition
from gamesmaster.game.editions import edition_of, find_edition
from gamesmaster.game.house_rules import HouseRules
from gamesmaster.game.ledger import Holding, Ledger, ledger_of
from gamesmaster.game.record import Outcome, Record, Termination
from gamesmaster.game.record_check import Difference, Untrue, verify
from gamesmaster.game.record_file import dumps, load, loads, save, update
from gamesmaster.game.report_text import history, report
from gamesmaster.game.rules_text import Clause, RulesText, Section
from gamesmaster.game.rules_text_file import find_rules_text, read_rules_text, rules_text_names, rules_text_of
from gamesmaster.game.state import State, Turn
from gamesmaster.game.state_file import read_state, state_data
from gamesmaster.game.status import Status
from gamesmaster.game.variant import Option, Power, Variant, Victory
from gamesmaster.game.variant_file import find_variant, is_packaged, read_edition, read_variant, variant_names
from gamesmaster.game.variant_lint import lint_variant
from gamesmaster.game.variant_lint_file import lint_folder
from gamesmaster.game.variant_options import full_name, split_name
from gamesmaster.judge import Event, EventKind

__all__ = [
    "Calendar",
    "Clause",
    "Dice",
    "Difference",
    "Edition",
    "Era",
    "Event",
    "EventKind",
    "Game",
    "Holding",
    "HouseRules",
    "Ledger",
    "Option",
    "Outcome",
    "Phase",
    "Power",
    "Record",
    "RulesText",
    "Section",
    "Slot",
    "State",
    "Status",
    "Termination",
    "Throw",
    "Turn",
    "Untrue",
    "Variant",
    "Victory",
    "corroborate_all",
    "dumps",
    "edition_of",
    "find_edition",
    "find_rules_text",
    "find_variant",
    "full_name",
    "history",
    "is_packaged",
    "ledger_of",
    "lint_folder",
    "lint_variant",
    "load",
    "loads",
    "new_seed",
    "read_edition",
    "read_rules_text",
    "read_state",
    "read_variant",
    "report",
    "rules_text_names",
    "rules_text_of",
    "save",
    "split_name",
    "state_data",
    "update",
    "variant_names",
    "verify",
]
