"""What games of several players, each among its equals, say together of a variant: for how many a conclusion holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab.balance import Balance
from gamesmaster.lab.comparison import Comparison
from gamesmaster.lab.statistics import Estimate

FAIR_PARTS = ("victory", "leads", "owned")
"""The numbers of a power (`PowerBalance`) that would be equal for all powers if a variant were fair."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What players say of one number of a power, of which each power should have the part `fair`.

    Of a difference between two variants `what` names the measure, `power` is empty and `fair` is 0.

    `by_player` has what each says, `mean` the mean over players, whose interval includes the spread between them.
    `holds` is for how many players the whole interval lies on the side of `fair` on which the mean is.
    """

    power: str
    what: str
    fair: float
    by_player: dict[str, Estimate]
    mean: Estimate
    holds: int


def conclusions(balances: Mapping[str, Balance]) -> list[Conclusion]:
    """Return what these balances, by player, say of each power: its parts of victories, of leads and of centres.

    Raises `GamesmasterError` for fewer than two, or balances of different variants.
    """
    _check_number(balances)
    if len({balance.experiment.digest for balance in balances.values()}) > 1:
        raise GamesmasterError("these are balances of different variants")
    rows = {player: {power.power: power for power in balance.powers} for player, balance in balances.items()}
    powers = [power.power for power in next(iter(balances.values())).powers]
    return [
        _conclusion(power, what, 1 / len(powers), {player: getattr(of[power], what) for player, of in rows.items()})
        for power in powers
        for what in FAIR_PARTS
    ]


def shared_differences(comparisons: Mapping[str, Comparison]) -> list[Conclusion]:
    """Return what these comparisons, by player, of the same two variants say of each measure that all of them have.

    Raises `GamesmasterError` for fewer than two.
    """
    _check_number(comparisons)
    rows = {player: {d.what: d.difference for d in found.differences} for player, found in comparisons.items()}
    first, *others = rows.values()
    return [
        _conclusion("", what, 0, {player: of[what] for player, of in rows.items()})
        for what in first
        if all(what in of for of in others)
    ]


def _check_number(players: Mapping[str, object]) -> None:
    """Raise `GamesmasterError` for fewer than two players."""
    if len(players) < 2:
        raise GamesmasterError("one player alone has no spread", hint="ask at least two")


def _conclusion(power: str, what: str, fair: float, found: dict[str, Estimate]) -> Conclusion:
    """Return what players say of one number; parts lie between 0 and 1, differences anywhere."""
    mean = mean_over_players(list(found.values()), *((0.0, 1.0) if power else (-np.inf, np.inf)))
    above = mean.value > fair
    holds = sum(_is_sure(one, fair, above=above) for one in found.values())
    return Conclusion(power, what, fair, found, mean, holds)


def _is_sure(one: Estimate, fair: float, *, above: bool) -> bool:
    """Return whether an interval lies on one side of a value."""
    if one.low is None or one.high is None:
        return False
    return one.low > fair if above else one.high < fair


def mean_over_players(found: list[Estimate], low: float = 0.0, high: float = 1.0) -> Estimate:
    """Return the mean of what players say, with an interval for players like these (Student's) from `low` to `high`.

    Each counts the same. The differences between their numbers contain the chance of the games already.
    """
    from scipy.stats import t

    values = np.array([one.value for one in found])
    reach = t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    least = max(((one.high or 0) - (one.low or 0)) / 2 for one in found) / np.sqrt(len(values))
    reach, mean = max(float(reach), float(least)), float(values.mean())
    return Estimate(mean, max(low, mean - reach), min(high, mean + reach))
