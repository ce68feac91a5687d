"""What the other powers may do: their orders, drawn again and again as the heuristic player would give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gamesmaster.orders import PhaseKind
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.view import View

Sheets = Mapping[str, Sequence[str]]
"""The texts of orders, by power."""


class Foresight:
    """Guesses at the orders of all powers but one in a phase.

    Of the others nothing is known that everybody does not know, and their chance is that of the one who guesses.
    """

    def __init__(self, view: View, guess: Heuristic) -> None:
        self.view = view
        playing = [power for power in view.rules.powers if power != view.power and power not in view.disorder]
        others = [replace(view, power=power, status=None) for power in playing]
        self._minds = {other.power: guess.mind(other) for other in others if _matters(other)}

    def sheets(self, number: int) -> Sheets:
        """One guess; the same number gives the same again."""
        write = self.view.rules.notation.write
        drawn = {p: mind.orders(self.view.chance(f"{p} {number}")) for p, mind in self._minds.items()}
        return {power: tuple(map(write, orders)) for power, orders in drawn.items()}


def _matters(view: View) -> bool:
    """Could the power do anything that is felt in this phase?"""
    if view.phase.kind is PhaseKind.ADJUSTMENTS:
        return bool(view.account.balance or view.extras)
    return bool(view.units or view.extras)
