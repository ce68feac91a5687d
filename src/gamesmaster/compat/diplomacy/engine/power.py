"""Powers, as programs read and change them."""

from __future__ import annotations

from typing import Protocol

from gamesmaster.compat.diplomacy.engine.map import Map

ORDER_NOT_SET, ORDER_SET_EMPTY, ORDER_SET = range(3)


class HasMap(Protocol):
    """What a power needs of its game."""

    map: Map
    phase_type: str


class Power:
    """A power of a game: plain lists of texts, which a program may change.

    `units` are those on the board (`A PAR`), `retreats` the dislodged ones with the places open to them; `centers`,
    `homes` and `influence` are provinces, the last those that it was the last to visit.  `orders` are the moves by unit
    (`{"A PAR": "- BUR"}`; raw texts by number under `NO_CHECK`), `adjust` the orders of retreats and adjustments.
    """

    def __init__(self, game: HasMap, name: str, role: str = "server_type") -> None:
        self.game, self.name, self.role = game, name, role
        self.abbrev = name[0]
        self.homes = list(game.map.homes.get(name, ()))
        self.centers = list(game.map.centers.get(name, ()))
        self.units = list(game.map.units.get(name, ()))
        self.influence = [unit[2:5] for unit in self.units]
        self.retreats: dict[str, list[str]] = {}
        self.orders: dict[str, str] = {}
        self.adjust: list[str] = []
        self.civil_disorder = 0
        self.controller = "dummy"
        self.vote = "neutral"
        self.wait = True
        self.order_is_set = ORDER_NOT_SET

    def __str__(self) -> str:
        lines = [f"{self.name} ({self.role})", f"PLAYER {self.controller}", f"OWNS {' '.join(self.centers)}"]
        lines += [f"{unit} --> {' '.join(places)}" for unit, places in self.retreats.items()]
        lines += self.units + self.adjust + [f"{unit} {order}" for unit, order in self.orders.items()]
        return "\n".join(lines)

    def is_eliminated(self) -> bool:
        """Return whether it has neither units nor centres left."""
        return not (self.units or self.centers or self.retreats)

    def is_dummy(self) -> bool:
        """Return whether nobody has been set to control it."""
        return self.controller == "dummy"

    def is_controlled(self) -> bool:
        """Return whether somebody has been set to control it."""
        return not self.is_dummy()

    def get_controller(self) -> str:
        """Return the name of its controller, `dummy` for nobody."""
        return self.controller

    def set_controlled(self, username: str | None) -> None:
        """Set its controller, None for nobody."""
        self.controller = username or "dummy"

    def does_not_wait(self) -> bool:
        """Return whether its orders are set, and its phase may be processed."""
        return bool(self.order_is_set) and not self.wait

    def moves_submitted(self) -> bool:
        """Return whether it has sent its moves, or has none to send."""
        return self.game.phase_type != "M" or bool(self.orders) or not self.units

    def clear_units(self) -> None:
        """Take all its units from the board."""
        self.units, self.retreats, self.influence = [], {}, []

    def clear_centers(self) -> None:
        """Take all its centres away."""
        self.centers = []

    def clear_orders(self) -> None:
        """Forget its orders."""
        self.orders, self.adjust, self.civil_disorder = {}, [], 0
        self.order_is_set = ORDER_SET_EMPTY if self.is_eliminated() else ORDER_NOT_SET
        self.wait = not self.is_eliminated()
