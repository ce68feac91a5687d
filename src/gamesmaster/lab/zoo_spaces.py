"""The spaces of the environment, and what goes in and out of them: observations for agents, answers from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces

from gamesmaster.errors import GamesmasterError
from gamesmaster.judge import Rules
from gamesmaster.lab.zoo_actions import Bounds, Menu
from gamesmaster.lab.zoo_codes import COLUMNS, REMEMBERED, Codes
from gamesmaster.lab.zoo_planes import Array, Planes
from gamesmaster.orders import Order
from gamesmaster.variant import Variant

Observation = dict[str, Any]


class Spaces:
    """The spaces of a variant, one of each kind for every power, so that each may be seeded by itself."""

    def __init__(self, variant: Variant, rules: Rules, until: int, bounds: Bounds) -> None:
        self.powers = tuple(power.name for power in variant.powers)
        self.codes, self.bounds = Codes(variant), bounds
        self.planes = Planes(variant, self.codes, until)
        self.observed = {power: self._observed() for power in self.powers}
        self.answered = {power: spaces.MultiDiscrete([bounds.choices] * bounds.slots) for power in self.powers}
        self.state = spaces.Box(-np.inf, np.inf, (self.planes.size,), np.float32)
        self._text = lru_cache(REMEMBERED)(rules.notation.write)

    def _observed(self) -> spaces.Dict:
        slots, choices = self.bounds
        most = np.broadcast_to(np.array(self.codes.most, np.int16), (slots, choices, len(COLUMNS)))
        own: dict[str, spaces.Space[Any]] = {
            "me": spaces.Box(0, 1, (len(self.powers),), np.uint8),
            "orders": spaces.Box(np.zeros_like(most), most, dtype=np.int16),
            "action_mask": spaces.Tuple([spaces.MultiBinary(choices)] * slots),
        }
        return spaces.Dict(self.planes.spaces | own)

    def observation(self, public: Mapping[str, Array], power: str, asked: Menu) -> Observation:
        """What a power sees: what all may know (`Planes.public`), and what it is asked itself."""
        slots, choices = self.bounds
        me = np.array([name == power for name in self.powers], np.uint8)
        orders = np.zeros((slots, choices, len(COLUMNS)), np.int16)
        mask = np.zeros((slots, choices), np.int8)
        mask[:, 0] = 1
        for slot, listed in enumerate(asked.slots):
            orders[slot, : len(listed)] = [self.codes.row(order) for order in listed]
            mask[slot, : len(listed)] = 1
        shared = {name: plane.copy() for name, plane in public.items()}
        return {**shared, "me": me, "orders": orders, "action_mask": tuple(mask)}

    def answers(self, power: str, action: object) -> Sequence[int]:
        """An action as numbers, one for each slot, all 0 for none.

        Raises `GamesmasterError` for what is not whole numbers, one for each slot.
        """
        if action is None:
            return [0] * self.bounds.slots
        answers = np.asarray(action)
        if answers.shape != (self.bounds.slots,) or not np.issubdtype(answers.dtype, np.integer):
            raise GamesmasterError(f"an action is {self.bounds.slots} whole numbers, one for each slot", where=power)
        return [int(answer) for answer in answers]

    def written(self, orders: Iterable[Order]) -> tuple[str, ...]:
        """Orders as they are written."""
        return tuple(map(self._text, orders))

    def texts(self, asked: Menu) -> tuple[tuple[str, ...], ...]:
        """The orders of a menu as they are written, slot by slot; "" for none."""
        return tuple(tuple(self._text(order) if order else "" for order in listed) for listed in asked.slots)
