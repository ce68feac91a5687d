"""Observations of agents: planes of the board, and the spaces of observations and answers.

Observations are arrays: their shapes come from the variant alone, the numbers from the power's `View`.

Nothing else is read, so that no array can tell what others have ordered in the phase being played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gamesmaster.board import Position, Unit
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Record, statuses
from gamesmaster.judge import OrderReader
from gamesmaster.lab.environment.actions import COLUMNS, REMEMBERED, RESULTS, Bounds, Codes, Menu
from gamesmaster.mechanics import ArmyFleet
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import View
from gamesmaster.rules import Result, Rules
from gamesmaster.variant import Variant

Array = NDArray[Any]
BY_UNIT = frozenset({ArmyFleet.id})
"""The mechanics whose state goes by the numbers of units."""
LARGEST = int(np.iinfo(np.int16).max)


class Planes:
    """The arrays of a variant that show what all may know.

    Axes of powers are in the variant's order, with nobody (or a power that nobody plays) last where there is one more;
    axes of places are in the board's order, of provinces or of locations.
    """

    def __init__(self, variant: Variant, codes: Codes, until: int) -> None:
        self.variant, self.codes, self.until = variant, codes, until
        board, powers = variant.board, len(variant.powers)
        self.phases = {p: n for n, p in enumerate(dict.fromkeys((s.season, s.kind) for s in variant.calendar.slots))}
        self.mechanics = tuple(dict.fromkeys(m.id for m in variant.mechanics if not m.implied))
        provinces, places = len(board.provinces), len(board.locations)
        last = np.tile(np.array((*codes.most, len(RESULTS)), np.int16), (places, 1))
        self.spaces: dict[str, spaces.Box] = {
            "units": _box((2, 2, powers + 1, len(codes.kinds), places), np.uint8, 0, 255),
            "owners": _box((powers + 1, provinces), np.uint8, 0, 1),
            "centres": _box((provinces,), np.uint8, 0, 1),
            "phase": _box((len(self.phases),), np.uint8, 0, 1),
            "years": _box((2,), np.int32, -200_000, 200_000),
            "due": _box((powers,), np.int16, -LARGEST, LARGEST),
            "alive": _box((powers,), np.uint8, 0, 1),
            "last": spaces.Box(np.zeros_like(last), last, dtype=np.int16),
        }
        if self.mechanics:
            shape = (len(self.mechanics), powers + 1)
            self.spaces["places"] = _box((*shape, provinces), np.int16, 0, LARGEST)
            self.spaces["counts"] = _box(shape, np.int16, 0, LARGEST)

    @property
    def size(self) -> int:
        """Return how many numbers all the arrays hold."""
        return sum(prod(space.shape) for space in self.spaces.values())

    def public(self, view: View) -> dict[str, Array]:
        """Return the public arrays, the same from any power's view."""
        found: dict[str, Array] = {name: np.zeros_like(space.low) for name, space in self.spaces.items()}
        self._units(found["units"], view.position)
        for province, number in self.codes.board.index.items():
            if owner := view.position.owners.get(province):
                found["owners"][self._power(owner), number] = 1
            found["centres"][number] = self.codes.board.provinces[number].centre
        found["phase"][self.phases[view.phase.season, view.phase.kind]] = 1
        found["years"][:] = view.phase.year - self.variant.calendar.first.year, self.until - view.phase.year
        for status in statuses(view.variant, view.rules, view.season, view.position, {}, view.disorder):
            number = self._power(status.power)
            found["due"][number], found["alive"][number] = 0 if view.outcome else status.due, 1
        self._last(found["last"], view)
        if self.mechanics:
            self._state(found["places"], found["counts"], view.position)
        return found

    def _power(self, name: str) -> int:
        return self.codes.powers.get(name, 0) - 1  # an owner outside the game is the last, -1

    def _units(self, plane: Array, position: Position) -> None:
        beaten = [d.unit for d in position.dislodged]
        for dislodged, units in enumerate((position.units, beaten)):
            for unit in units:
                kind, at = self.codes.kinds[unit.kind] - 1, self.codes.place(unit.at) - 1
                plane[dislodged, int(unit.aboard > 0), self._power(unit.power), kind, at] += 1

    def _last(self, plane: Array, view: View) -> None:
        """The orders of the last movement phase, in the row of the location each names, and what came of them."""
        record = next((r for r in reversed(view.history) if r.phase.kind is PhaseKind.MOVEMENT), None)
        for text, result in _results(record):
            order = view.rules.derive(OrderReader).read(text, PhaseKind.MOVEMENT).order
            if order and order.at:
                plane[self.codes.place(order.at) - 1] = (*self.codes.row(order), RESULTS[result])

    def _state(self, places: Array, counts: Array, position: Position) -> None:
        """Enter the state of mechanics, each in its own layer."""
        everybody = {str(unit.number): unit for unit in (*position.units, *(d.unit for d in position.dislodged))}
        for layer, mechanic in enumerate(self.mechanics):
            units = everybody if mechanic in BY_UNIT else {}  # elsewhere such a key is a province called 12
            for power, province, number in _facts(self.codes, units, position.state.get(mechanic), "", ""):
                plane = places[layer, :, self.codes.board.index[province]] if province else counts[layer]
                plane[self._power(power)] += min(number, LARGEST - int(plane[self._power(power)]))


def _box(shape: tuple[int, ...], dtype: type[np.integer[Any]], low: int, high: int) -> spaces.Box:
    return spaces.Box(low, high, shape, dtype)


def _results(record: Record | None) -> Iterator[tuple[str, Result]]:
    """Yield the orders of a phase that is over, with their results."""
    if record is not None:
        texts = (text for given in record.orders.values() for text in given)
        for text, brief in zip(texts, record.rulings, strict=False):  # units without orders come last
            yield text, Result(brief.partition(":")[0])


Fact = tuple[str, str, int]
"""Something that a mechanic keeps: of which power ("" for none), in which province ("" for none), and a number."""


def _facts(codes: Codes, units: Mapping[str, Unit], value: object, power: str, province: str) -> Iterator[Fact]:
    """Yield the facts in a part of a mechanic's state, given the power and the province that led to it.

    A number n counts n + 1, to differ from a missing one; anything merely named counts 1.
    """
    if isinstance(value, Mapping):
        for key, part in value.items():
            unit = units.get(str(key))
            named = (unit.power, unit.at.province) if unit else _names(codes, (key,))
            yield from _facts(codes, units, part, named[0] or power, named[1] or province)
    elif isinstance(value, (list, tuple)):
        whole = _names(codes, value)
        if all(whole) or not all(isinstance(part, str) for part in value):  # one thing, told by several words
            yield whole[0] or power, whole[1] or province, 1
        else:
            for part in value:
                yield from _facts(codes, units, part, power, province)
    elif isinstance(value, str):
        named = _names(codes, (value,))
        yield named[0] or power, named[1] or province, 1
    elif isinstance(value, int):
        yield power, province, int(value) + 1


def _names(codes: Codes, words: Iterable[object]) -> tuple[str, str]:
    """Return the power and the province among some words, "" for none."""
    power = province = ""
    for word in (word for word in words if isinstance(word, str)):
        power = word if word in codes.powers else power
        place = word.partition("/")[0]
        province = place if place in codes.board.index else province
    return power, province


Observation = dict[str, Any]


class Spaces:
    """The spaces of a variant, one of each kind for every power, so that each may be seeded by itself."""

    def __init__(self, variant: Variant, rules: Rules, until: int, bounds: Bounds) -> None:
        self.powers = tuple(power.name for power in variant.powers)
        self.codes, self.bounds = Codes(variant), bounds
        self.planes = Planes(variant, self.codes, until)
        self.observed = {power: self._observation_space() for power in self.powers}
        self.answered = {power: spaces.MultiDiscrete([bounds.choices] * bounds.slots) for power in self.powers}
        self.state = spaces.Box(-np.inf, np.inf, (self.planes.size,), np.float32)
        self._text = lru_cache(REMEMBERED)(rules.notation.write)

    def _observation_space(self) -> spaces.Dict:
        slots, choices = self.bounds
        most = np.broadcast_to(np.array(self.codes.most, np.int16), (slots, choices, len(COLUMNS)))
        own: dict[str, spaces.Space[Any]] = {
            "me": spaces.Box(0, 1, (len(self.powers),), np.uint8),
            "orders": spaces.Box(np.zeros_like(most), most, dtype=np.int16),
            "action_mask": spaces.Tuple([spaces.MultiBinary(choices)] * slots),
        }
        return spaces.Dict(self.planes.spaces | own)

    def observation(self, public: Mapping[str, Array], power: str, asked: Menu) -> Observation:
        """Return a power's observation: the public arrays (`Planes.public`), and its own questions."""
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
        """Return an action as numbers, one for each slot, all 0 for none.

        Raises `GamesmasterError` for what is not whole numbers, one for each slot.
        """
        if action is None:
            return [0] * self.bounds.slots
        answers = np.asarray(action)
        if answers.shape != (self.bounds.slots,) or not np.issubdtype(answers.dtype, np.integer):
            raise GamesmasterError(f"an action is {self.bounds.slots} whole numbers, one for each slot", where=power)
        return [int(answer) for answer in answers]

    def order_texts(self, orders: Iterable[Order]) -> tuple[str, ...]:
        """Orders as they are written."""
        return tuple(map(self._text, orders))

    def texts(self, asked: Menu) -> tuple[tuple[str, ...], ...]:
        """Return the orders of a menu as they are written, slot by slot; "" for none."""
        return tuple(tuple(self._text(order) if order else "" for order in listed) for listed in asked.slots)
