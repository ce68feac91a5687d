"""What it is worth to a unit to be somewhere, its cargo counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamesmaster.board import Board, Location
from gamesmaster.orders import Order

Values = Mapping[str, Sequence[float]]
"""For each kind of unit, what each location (by number) is worth to it."""


class Worth:
    """The values of all kinds, asked by unit and order.

    A fleet with an army aboard is worth both; where it could not lie laden, only itself.
    """

    def __init__(self, board: Board, values: Values) -> None:
        self.board, self.values = board, values
        afloat = ((form.base, kind) for kind, form in board.forms.items() if not form.cargo)
        self._afloat = dict(afloat)

    def of(self, kind: str, at: Location) -> float:
        """Of a unit of a kind that is there."""
        place, form = self.board.location_index[at], self.board.forms.get(kind)
        if form is None or not form.cargo:
            return self.values[kind][place]
        cargo = self.values[kind][place] if self.board.can_stand(kind, at) else 0.0
        return self.values[form.base][place] + cargo

    def aboard(self, kind: str, at: Location) -> float:
        """Of the one aboard of a unit of this kind."""
        return self.values[kind][self.board.location_index[at]]

    def boated(self, kind: str) -> str:
        """The form in which a unit of this kind is that has a boat."""
        return self._afloat.get(kind, kind)

    def after(self, order: Order, kind: str) -> float:
        """Of a unit of a kind when it has come where a move takes it, with the boats it takes along."""
        assert order.to is not None
        return self.of(self.boated(kind) if order.boats else kind, order.to)
