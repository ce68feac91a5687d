"""Scores of finished games, by the systems of tournaments; `docs/scoring.md` has each formula and its source.

Scores are exact fractions.  A game that one power has won is a solo; any other one is scored as a draw of those that
share it.

>>> sorted(SCORING_SYSTEMS)
['c-diplo', 'carnage', 'centre-count', 'draw-size', 'points', 'sum-of-squares', 'tribute']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from gamesmaster.errors import GamesmasterError, NotFound, nearest
from gamesmaster.game.course import Game
from gamesmaster.game.progress import centre_counts
from gamesmaster.rules import EventKind, YearMechanic


@dataclass(frozen=True)
class FinalCount:
    """What scores depend on.

    `centres` has the supply centres of every power in the variant's order, `board` their number on the board.
    `sharers` share the game, one of them alone if it is a solo.  `out` has the turn in which a power was eliminated.
    `points` are those that mechanics have counted.
    """

    centres: Mapping[str, int]
    board: int
    sharers: tuple[str, ...]
    out: Mapping[str, int]
    points: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game) -> FinalCount:
        """Return the final count of a game; raises `GamesmasterError` if it is not over."""
        if game.outcome is None:
            raise GamesmasterError("only a finished game has scores", hint=f"{game.phase.code} is being played")
        turn = game.variant.calendar.turn
        out = {e.power: turn(r.phase) for r in game.records for e in r.events if e.kind is EventKind.ELIMINATED}
        centres = centre_counts(game.variant, game.position)
        points = Counter[str]()
        for counted in game.rules.hooks(YearMechanic.points):
            points.update(counted(game.rules, game.position))
        return cls(centres, len(game.variant.board.centres), game.outcome.winners, out, points)

    @property
    def solo(self) -> str:
        """The power that has won alone, empty without one."""
        return self.sharers[0] if len(self.sharers) == 1 else ""

    @property
    def owned(self) -> int:
        """The number of centres that powers own."""
        return sum(self.centres.values())


Scores = dict[str, Fraction]
"""Points by power, in the variant's order."""


@dataclass(frozen=True)
class ScoringSystem:
    """A system: its points for a draw, and the number of points that a game is worth.

    `total` is the sum of the points of a draw, too, where all centres of the board are owned.  A solo takes all of it,
    unless it is scored `alike`: as a draw.
    """

    name: str
    draw: Callable[[FinalCount], Scores]
    total: Callable[[FinalCount], int]
    alike: bool = False

    def scores(self, final: FinalCount) -> Scores:
        """Return the points of each power, all 0 if nobody has won or shares the game."""
        if final.solo and not self.alike:
            return {power: Fraction(self.total(final) * (power == final.solo)) for power in final.centres}
        return self.draw(final) if final.sharers else dict.fromkeys(final.centres, Fraction(0))


def scores(game: Game, system: str) -> Scores:
    """Return the points of each power in a finished game by a system of `SCORING_SYSTEMS`.

    Raises `NotFound` for an unknown system, `GamesmasterError` if the game is not over.
    """
    return scoring_system(system).scores(FinalCount.of(game))


def scoring_system(name: str) -> ScoringSystem:
    """Return the system of a name; raises `NotFound` with the nearest."""
    if name not in SCORING_SYSTEMS:
        hint = nearest(name, SCORING_SYSTEMS) or f"known: {', '.join(SCORING_SYSTEMS)}"
        raise NotFound(f"no scoring system {name[:40]!r}", hint=hint)
    return SCORING_SYSTEMS[name]


def agreed_scores(game: Game) -> Scores:
    """Return the points of each power by the system that the house rules name (STD-2.i).

    The result is empty for a game that is not scored, or not over.
    """
    system = game.house_rules.scoring
    return scores(game, system) if system != "none" and game.outcome else {}


def points_text(points: Fraction) -> str:
    """Return points with at most two digits behind the point: `7,012.5`."""
    return f"{float(points):,.2f}".rstrip("0").rstrip(".")


def ending_text(game: Game) -> str:
    """Return the end of a game as sentences, with the points of each power if the game is scored; empty before."""
    found = sorted(agreed_scores(game).items(), key=lambda one: -one[1])
    told = ", ".join(f"{power} {points_text(points)}" for power, points in found)
    end = game.outcome.text if game.outcome else ""
    return f"{end} Points ({game.house_rules.scoring}): {told}." if told else end


def _by_rank(final: FinalCount, points: Sequence[int], key: Callable[[str], object]) -> Scores:
    """Return points by rank, greatest key first; equals share the points of their ranks, and ranks beyond have none."""
    keys = {power: key(power) for power in final.centres}
    order = sorted(keys, key=lambda power: keys[power], reverse=True)  # type: ignore[arg-type,return-value]
    by_rank = [*points, *[0] * len(order)][: len(order)]
    ranks = {power: [n for n, other in enumerate(order) if keys[other] == keys[power]] for power in keys}
    return {power: Fraction(sum(by_rank[n] for n in own), len(own)) for power, own in ranks.items()}


def _add(one: Mapping[str, Fraction], other: Mapping[str, int | Fraction]) -> Scores:
    return {power: points + other[power] for power, points in one.items()}


def _shares(final: FinalCount, points: int) -> Scores:
    """Return equal points for the powers that share the game."""
    each = Fraction(points, len(final.sharers))
    return {power: each if power in final.sharers else Fraction(0) for power in final.centres}


def _squares(final: FinalCount) -> Scores:
    whole = sum(number**2 for number in final.centres.values())
    return {power: Fraction(100 * number**2, whole or 1) for power, number in final.centres.items()}


def _carnage_ranks(final: FinalCount) -> list[int]:
    """Return the points of the ranks: 7,000 to 1,000 with seven powers."""
    return [1_000 * n for n in range(len(final.centres), 0, -1)]


def _carnage(final: FinalCount) -> Scores:
    """Rank survivors by centres, and eliminated powers by the time of their elimination; add a point per centre."""

    def place(power: str) -> tuple[bool, int]:
        return (False, final.out[power]) if power in final.out else (True, final.centres[power])

    return _add(_by_rank(final, _carnage_ranks(final), place), final.centres)


SURVIVAL = 66
"""Points that those who share a game by Tribute have together before tribute is paid."""
UNTAXED = 6
"""Centres of the leader for which no tribute is due."""


def _tribute(final: FinalCount) -> Scores:
    """Share out the survival points and a point for each centre; then the others pay tribute to the leaders."""
    most, bonus = max(final.centres.values()), _shares(final, SURVIVAL)
    leaders = [power for power, number in final.centres.items() if number == most]
    due = max(0, most - UNTAXED)
    paid = {p: Fraction(0) if p in leaders else min(bonus[p], Fraction(due)) for p in final.centres}
    each = sum(paid.values(), Fraction(0)) / len(leaders)
    change = {power: each if power in leaders else -paid[power] for power in final.centres}
    return _add(_add(bonus, final.centres), change)


C_DIPLO = 38, 14, 7
"""Points of the first three ranks by C-Diplo."""


def _c_diplo(final: FinalCount) -> Scores:
    ranks = _by_rank(final, C_DIPLO, final.centres.__getitem__)
    return {power: 1 + points + final.centres[power] for power, points in ranks.items()}


SCORING_SYSTEMS: Mapping[str, ScoringSystem] = {
    system.name: system
    for system in (
        ScoringSystem("draw-size", lambda final: _shares(final, 100), lambda final: 100),
        ScoringSystem("sum-of-squares", _squares, lambda final: 100),
        ScoringSystem(
            "centre-count", lambda final: {p: Fraction(n) for p, n in final.centres.items()}, lambda final: final.board
        ),
        ScoringSystem("carnage", _carnage, lambda final: sum(_carnage_ranks(final)) + final.board),
        ScoringSystem("tribute", _tribute, lambda final: SURVIVAL + final.board),
        ScoringSystem(
            "points",
            lambda final: {power: Fraction(final.points.get(power, 0)) for power in final.centres},
            lambda final: sum(final.points.values()),
            alike=True,
        ),
        ScoringSystem("c-diplo", _c_diplo, lambda final: len(final.centres) + sum(C_DIPLO) + final.board),
    )
}
"""The systems by name."""
