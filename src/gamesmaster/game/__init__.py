"""The course of a game: its state, dice, record and reports."""

from gamesmaster.game.course import Game
from gamesmaster.game.dice import Dice, Throw, new_seed
from gamesmaster.game.judging import corroborate_all
from gamesmaster.game.ledger import Holding, Ledger, ledger_of
from gamesmaster.game.record import Outcome, Record, Termination
from gamesmaster.game.record_check import Difference, Untrue, verify
from gamesmaster.game.record_file import dumps, load, loads, save, update
from gamesmaster.game.reports import history, report
from gamesmaster.game.state import State, Status, Turn
from gamesmaster.game.state_file import read_state, state_data
from gamesmaster.judge import Event, EventKind

__all__ = [
    "Dice",
    "Difference",
    "Event",
    "EventKind",
    "Game",
    "Holding",
    "Ledger",
    "Outcome",
    "Record",
    "State",
    "Status",
    "Termination",
    "Throw",
    "Turn",
    "Untrue",
    "corroborate_all",
    "dumps",
    "history",
    "ledger_of",
    "load",
    "loads",
    "new_seed",
    "read_state",
    "report",
    "save",
    "state_data",
    "update",
    "verify",
]
