"""Trying orders out: what they come to, judged together with guesses at everybody else's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from gamesmaster.judge import adjudicate
from gamesmaster.orders import Order
from gamesmaster.players.foresight import Sheets
from gamesmaster.players.standing import Standing
from gamesmaster.players.view import View

FEW = 3
"""Guesses that orders are tried against before they are given up for bad."""
BEHIND = 1.0
"""How much worse than the best, by each guess so far, orders must do for that."""


class Trials:
    """The mean worth of a power's orders over guesses at those of the others; every set of orders is tried once."""

    def __init__(self, view: View, guesses: Sequence[Sheets], standing: Standing) -> None:
        self.view, self.guesses, self.standing = view, guesses, standing
        self._texts: dict[Order, str] = {}
        self._known: dict[tuple[str, ...], float] = {}
        self.best = -inf
        self._marks = [-inf] * len(guesses)

    def worth(self, orders: Iterable[Order]) -> float:
        """What orders are worth on the average; minus infinity if they are far from the best so far."""
        texts = tuple(self._text(order) for order in orders)
        if texts not in self._known:
            self._known[texts] = self._tried(texts)
        return self._known[texts]

    def _tried(self, texts: tuple[str, ...]) -> float:
        found: list[float] = []
        total, behind = 0.0, 0.0
        for guess, mark in zip(self.guesses, self._marks, strict=True):
            found.append(self._once(texts, guess))
            total += found[-1]
            behind += mark - found[-1]
            if len(found) >= FEW and behind > BEHIND * len(found):
                return -inf
        mean = total / len(found)
        if mean > self.best:
            self.best, self._marks = mean, found
        return mean

    def _once(self, texts: Sequence[str], guess: Sheets) -> float:
        view = self.view
        sheets = {**guess, view.power: texts}
        judged = adjudicate(view.rules, view.phase.kind, view.position, sheets, disorder=view.disorder)
        return self.standing.of(judged.position)

    def _text(self, order: Order) -> str:
        if order not in self._texts:
            self._texts[order] = self.view.rules.notation.write(order)
        return self._texts[order]
