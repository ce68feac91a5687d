"""The course of a game: its state, dice, record and reports."""

from gamesmaster.game.ahead import DueOrders, keeps_ahead, not_kept
from gamesmaster.game.course import Game
from gamesmaster.game.dice import Dice, Throw, new_seed
from gamesmaster.game.judging import corroborate_all, defective, judge_id
from gamesmaster.game.progress import (
    Holding,
    Ledger,
    centre_counts,
    leaders,
    ledger_of,
    remaining,
    season_of,
    survivors,
    unit_counts,
)
from gamesmaster.game.reasons import Happening, Reason, attacks, event_reason, event_saying, happenings, idle_builds
from gamesmaster.game.record import Outcome, Record, SentAhead, Termination
from gamesmaster.game.record_check import Difference, Untrue, verify
from gamesmaster.game.record_file import Survey, dumps, is_former, load, loads, save, survey, update
from gamesmaster.game.reports import history, preview_report, report, unit_lists
from gamesmaster.game.state import State, Status, Turn, rules_of, statuses
from gamesmaster.game.state_file import (
    draw_data,
    position_data,
    position_of,
    read_state,
    state_data,
    state_of,
)
from gamesmaster.judge import Event, EventKind

__all__ = [
    "Dice",
    "Difference",
    "DueOrders",
    "Event",
    "EventKind",
    "Game",
    "Happening",
    "Holding",
    "Ledger",
    "Outcome",
    "Reason",
    "Record",
    "SentAhead",
    "State",
    "Status",
    "Survey",
    "Termination",
    "Throw",
    "Turn",
    "Untrue",
    "attacks",
    "centre_counts",
    "corroborate_all",
    "defective",
    "draw_data",
    "dumps",
    "event_reason",
    "event_saying",
    "happenings",
    "history",
    "idle_builds",
    "is_former",
    "judge_id",
    "keeps_ahead",
    "leaders",
    "ledger_of",
    "load",
    "loads",
    "new_seed",
    "not_kept",
    "position_data",
    "position_of",
    "preview_report",
    "read_state",
    "remaining",
    "report",
    "rules_of",
    "save",
    "season_of",
    "state_data",
    "state_of",
    "statuses",
    "survey",
    "survivors",
    "unit_counts",
    "unit_lists",
    "update",
    "verify",
]
