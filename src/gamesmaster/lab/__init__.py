"""Many games at once: experiments with players, their games kept in a folder, and what the games say of a variant.

Names are loaded when they are first used: what reckons and draws needs the extra `lab`,
batches of random games the extra `fast`, the environment the extra `zoo`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance, balance_of, read_balance
    from gamesmaster.lab.batches.batch import Batch
    from gamesmaster.lab.batches.games import Ending, Games, game_of, orders_of, play_batch, play_plainly
    from gamesmaster.lab.batches.tables import Support, supports
    from gamesmaster.lab.comparison import Comparison, compare, read_comparison
    from gamesmaster.lab.environment.games import GamesEnv, parallel_env
    from gamesmaster.lab.experiment import Experiment
    from gamesmaster.lab.outcome import GameSummary, summary_of
    from gamesmaster.lab.report import write_comparison, write_report
    from gamesmaster.lab.run import Failure, Run, selfplay
    from gamesmaster.lab.statistics import Estimate
    from gamesmaster.lab.store import read_games

_HOMES = {
    "balance": ("Balance", "balance_of", "read_balance"),
    "batches.batch": ("Batch",),
    "batches.games": ("Ending", "Games", "game_of", "orders_of", "play_batch", "play_plainly"),
    "batches.tables": ("Support", "supports"),
    "comparison": ("Comparison", "compare", "read_comparison"),
    "environment.games": ("GamesEnv", "parallel_env"),
    "experiment": ("Experiment",),
    "outcome": ("GameSummary", "summary_of"),
    "report": ("write_comparison", "write_report"),
    "run": ("Failure", "Run", "selfplay"),
    "statistics": ("Estimate",),
    "store": ("read_games",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Balance",
    "Batch",
    "Comparison",
    "Ending",
    "Estimate",
    "Experiment",
    "Failure",
    "GameSummary",
    "Games",
    "GamesEnv",
    "Run",
    "Support",
    "balance_of",
    "compare",
    "game_of",
    "orders_of",
    "parallel_env",
    "play_batch",
    "play_plainly",
    "read_balance",
    "read_comparison",
    "read_games",
    "selfplay",
    "summary_of",
    "supports",
    "write_comparison",
    "write_report",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'gamesmaster.lab' has no attribute {name!r}")
    return getattr(import_module(f"gamesmaster.lab.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
