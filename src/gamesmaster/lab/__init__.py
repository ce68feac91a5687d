"""Many games at once: experiments with players, their games kept in a folder, and what the games say of a variant.

Names are loaded when they are first used: what reckons and draws needs the extra `lab`,
batches of random games the extra `fast`, the environment the extra `zoo`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance, balance_of
    from gamesmaster.lab.batch import Batch
    from gamesmaster.lab.comparison import Comparison, compare
    from gamesmaster.lab.experiment import Experiment
    from gamesmaster.lab.games import Games, game_of, orders_of, play_batch
    from gamesmaster.lab.intervals import Estimate
    from gamesmaster.lab.outcome import GameSummary, summary_of
    from gamesmaster.lab.plain import Ending, play_plainly
    from gamesmaster.lab.report import write_report
    from gamesmaster.lab.report_compared import write_comparison
    from gamesmaster.lab.run import Failure, Run, selfplay
    from gamesmaster.lab.store import read_games
    from gamesmaster.lab.tables import Support, supports
    from gamesmaster.lab.zoo import GamesEnv, parallel_env

_HOMES = {
    "balance": ("Balance", "balance_of"),
    "batch": ("Batch",),
    "comparison": ("Comparison", "compare"),
    "experiment": ("Experiment",),
    "games": ("Games", "game_of", "orders_of", "play_batch"),
    "intervals": ("Estimate",),
    "outcome": ("GameSummary", "summary_of"),
    "plain": ("Ending", "play_plainly"),
    "report": ("write_report",),
    "report_compared": ("write_comparison",),
    "run": ("Failure", "Run", "selfplay"),
    "store": ("read_games",),
    "tables": ("Support", "supports"),
    "zoo": ("GamesEnv", "parallel_env"),
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
