"""Many games at once: experiments with players, their games kept in a folder, and what the games say of a variant.

Names are loaded when they are first used: what reckons and draws needs the extra `lab`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamesmaster.lazy import loaders

if TYPE_CHECKING:
    from gamesmaster.lab.balance import Balance as Balance
    from gamesmaster.lab.balance import balance_data as balance_data
    from gamesmaster.lab.balance import balance_of as balance_of
    from gamesmaster.lab.balance import read_balance as read_balance
    from gamesmaster.lab.comparison import Comparison as Comparison
    from gamesmaster.lab.comparison import compare as compare
    from gamesmaster.lab.comparison import comparison_data as comparison_data
    from gamesmaster.lab.comparison import read_comparison as read_comparison
    from gamesmaster.lab.experiment import Experiment as Experiment
    from gamesmaster.lab.experiment import Turns as Turns
    from gamesmaster.lab.experiment import read_experiment as read_experiment
    from gamesmaster.lab.figures import evidence as evidence
    from gamesmaster.lab.league import League as League
    from gamesmaster.lab.league import Meeting as Meeting
    from gamesmaster.lab.league import Strength as Strength
    from gamesmaster.lab.league import league_data as league_data
    from gamesmaster.lab.league import league_of as league_of
    from gamesmaster.lab.league import read_league as read_league
    from gamesmaster.lab.league import write_league as write_league
    from gamesmaster.lab.outcome import GameSummary as GameSummary
    from gamesmaster.lab.outcome import Missing as Missing
    from gamesmaster.lab.outcome import read_recorded as read_recorded
    from gamesmaster.lab.outcome import summary_of as summary_of
    from gamesmaster.lab.population import Conclusion as Conclusion
    from gamesmaster.lab.population import conclusions as conclusions
    from gamesmaster.lab.population import shared_differences as shared_differences
    from gamesmaster.lab.report import write_comparison as write_comparison
    from gamesmaster.lab.report import write_report as write_report
    from gamesmaster.lab.run import Failure as Failure
    from gamesmaster.lab.run import Run as Run
    from gamesmaster.lab.run import Workers as Workers
    from gamesmaster.lab.run import selfplay as selfplay
    from gamesmaster.lab.statistics import LEAST_GAMES as LEAST_GAMES
    from gamesmaster.lab.statistics import Estimate as Estimate
    from gamesmaster.lab.store import EXPERIMENT as EXPERIMENT
    from gamesmaster.lab.store import games_asked as games_asked
    from gamesmaster.lab.store import is_experiment as is_experiment
    from gamesmaster.lab.store import read_games as read_games

__getattr__, __dir__, __all__ = loaders(__name__, __file__)
