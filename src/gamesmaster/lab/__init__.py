"""Many games at once: experiments with players, their games kept in a folder, and what the games say of a variant.

Names are loaded when they are first used: what reckons and draws needs the extra `lab`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance, balance_data, balance_of, read_balance
    from gamesmaster.lab.comparison import Comparison, compare, comparison_data, read_comparison
    from gamesmaster.lab.experiment import Experiment, Turns, read_experiment
    from gamesmaster.lab.figures import evidence
    from gamesmaster.lab.league import League, Meeting, Strength, league_data, league_of, read_league, write_league
    from gamesmaster.lab.outcome import GameSummary, Missing, summary_of
    from gamesmaster.lab.population import Conclusion, conclusions, shared_differences
    from gamesmaster.lab.recorded import read_recorded
    from gamesmaster.lab.report import write_comparison, write_report
    from gamesmaster.lab.run import Failure, Run, Workers, selfplay
    from gamesmaster.lab.statistics import LEAST_GAMES, Estimate
    from gamesmaster.lab.store import EXPERIMENT, games_asked, is_experiment, read_games

__all__ = [
    "EXPERIMENT",
    "LEAST_GAMES",
    "Balance",
    "Comparison",
    "Conclusion",
    "Estimate",
    "Experiment",
    "Failure",
    "GameSummary",
    "League",
    "Meeting",
    "Missing",
    "Run",
    "Strength",
    "Turns",
    "Workers",
    "balance_data",
    "balance_of",
    "compare",
    "comparison_data",
    "conclusions",
    "evidence",
    "games_asked",
    "is_experiment",
    "league_data",
    "league_of",
    "read_balance",
    "read_comparison",
    "read_experiment",
    "read_games",
    "read_league",
    "read_recorded",
    "selfplay",
    "shared_differences",
    "summary_of",
    "write_comparison",
    "write_league",
    "write_report",
]

__getattr__, __dir__ = loaders(__name__, __file__, __all__)
