"""The table of a game: the powers with their units and centres, and the position that the judge makes of them."""

from __future__ import annotations

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from operator import attrgetter
from os import urandom
from typing import Any, Self

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.compat.diplomacy.engine.listing import spell
from gamesmaster.compat.diplomacy.engine.map import SHORT, Map
from gamesmaster.compat.diplomacy.engine.power import Power
from gamesmaster.errors import NotFound, nearest
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import PhaseKind

RULES = ("SOLITAIRE", "NO_PRESS", "IGNORE_ERRORS", "POWER_CHOICE")
"""The rules of a game if none are given."""
SHARED = ("map", "_found", "_judged")
"""What copies of a game have in common."""
KINDS = {"M": PhaseKind.MOVEMENT, "R": PhaseKind.RETREATS, "A": PhaseKind.ADJUSTMENTS}
"""The letter of a phase to its kind."""
_held = attrgetter("units", "centers", "homes", "retreats")
"""What a power has on the board."""
VOIDED = "VOID "
"""What an impossible order of retreats or adjustments is marked with."""


@dataclass(slots=True)
class Findings:
    """What has been worked out of what the powers have (`seen`), good until they have something else.

    `texts` are the units of the position by their numbers, `legal` the possible orders by place.
    """

    seen: object = None
    position: Position | None = None
    texts: dict[int, str] = field(default_factory=dict)
    legal: dict[str, list[str]] | None = None
    hash: str = ""


class PowerTable:
    """What is on the table: powers, phase, rules, and the orders given so far.  Powers may be changed directly."""

    def __init__(
        self, game_id: str | None = None, map_name: str = "standard", rules: Iterable[str] | None = None, **more: Any
    ) -> None:
        """Begin a game.  Of further arguments, `role`, `status` and `timestamp_created` are kept, others ignored."""
        self.game_id = game_id or urlsafe_b64encode(urandom(12)).decode()
        self.map_name, self.map = map_name, Map(map_name)
        self.role: str = more.get("role") or "server_type"
        self.status: str = more.get("status") or "active"
        self.timestamp_created: int = more.get("timestamp_created") or now()
        self.rules: list[str] = []
        for rule in (*self.map.rules, *(RULES if rules is None else rules)):
            self.add_rule(rule)
        self.phase, self.phase_type = self.map.phase, self.map.phase.split()[2][0]
        self.victory, self.win = self.map.victory, self.map.victory[0]
        self.powers = {name: Power(self, name, self.role) for name in self.map.powers}
        self.dislodged: dict[str, str] = {}
        self.error: list[str] = []
        self._found = Findings()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = object.__new__(type(self))
        memo[id(self)] = made
        made.__dict__.update((k, v if k in SHARED else deepcopy(v, memo)) for k, v in self.__dict__.items())
        return made

    def __str__(self) -> str:
        return f"GAME {self.game_id}\nPHASE {self.phase}\nMAP {self.map_name}\nRULES {' '.join(self.rules)}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def current_state(self) -> Self:
        """Return the game, for `with game.current_state():`."""
        return self

    # -- what the game is --------------------------------------------------------------------------------------------

    @property
    def current_short_phase(self) -> str:
        """The short name of the phase: `S1901M`, `COMPLETED`."""
        return self.map.phase_abbr(self.phase, self.phase)

    def get_current_phase(self) -> str:
        """Return the short name of the phase."""
        return self.current_short_phase

    def set_current_phase(self, new_phase: str) -> None:
        """Go to a phase by its short name; nothing else changes."""
        over = new_phase in ("FORMING", "COMPLETED")
        self.phase = new_phase if over else self.map.phase_long(new_phase)
        self.phase_type = "-" if over else self.phase.split()[2][0]

    @property
    def is_game_done(self) -> bool:
        """True if the game is over."""
        return self.phase == "COMPLETED"

    is_game_forming = property(lambda self: self.status == "forming")
    is_game_active = property(lambda self: self.status == "active")
    is_game_paused = property(lambda self: self.status == "paused")
    is_game_canceled = property(lambda self: self.status == "canceled")
    is_game_completed = property(lambda self: self.status == "completed")
    no_press = property(lambda self: "NO_PRESS" in self.rules)
    public_press = property(lambda self: "PUBLIC_PRESS" in self.rules)
    solitaire = property(lambda self: "SOLITAIRE" in self.rules)

    def set_status(self, status: str) -> None:
        """Set the status: `forming`, `active`, `paused`, `completed` or `canceled`."""
        self.status = status

    def add_rule(self, rule: str) -> None:
        """Add a rule by its name.  `NO_CHECK` keeps impossible orders; others are kept for programs to read."""
        if rule not in self.rules:
            self.rules.append(rule)

    def remove_rule(self, rule: str) -> None:
        """Remove a rule."""
        self.rules = [kept for kept in self.rules if kept != rule]

    def get_power(self, power_name: str) -> Power | None:
        """Return a power, None for an unknown name."""
        return self.powers.get(power_name)

    def has_power(self, power_name: str) -> bool:
        """Return whether there is a power of this name."""
        return power_name in self.powers

    def get_map_power_names(self) -> Iterable[str]:
        """Return the names of the powers."""
        return self.powers.keys()

    def is_player_game(self) -> bool:
        """Return whether the game is that of one power's player."""
        return self.has_power(self.role)

    def set_controlled(self, power_name: str, username: str | None) -> None:
        """Set the controller of a power, None for nobody."""
        self._power(power_name).set_controlled(username)

    def set_wait(self, power_name: str, wait: bool) -> None:
        """Set whether a power asks to wait."""
        self._power(power_name).wait = wait

    def does_not_wait(self) -> bool:
        """Return whether all powers in the game have set orders and do not ask to wait."""
        return all(power.is_eliminated() or power.does_not_wait() for power in self.powers.values())

    def _power(self, name: str) -> Power:
        """Return a power by its name in any case; raises `NotFound`."""
        found = self.powers.get(name) or self.powers.get(name.upper())
        if found is None:
            raise NotFound(f"no power {name[:80]!r} on {self.map_name}", hint=nearest(name.upper(), self.powers))
        return found

    def _each(self, ask: Callable[[Power], object], name: str | None) -> Any:
        return ask(self._power(name)) if name is not None else {key: ask(p) for key, p in self.powers.items()}

    def get_orders(self, power_name: str | None = None) -> Any:
        """Return the orders of a power, or of all by name; void orders and waives are left out."""
        return self._each(self._orders_of, power_name)

    def _orders_of(self, power: Power) -> list[str]:
        if self.phase_type != "M":
            return [text for text in power.adjust if text != "WAIVE" and not text.startswith(VOIDED)]
        if "NO_CHECK" in self.rules:
            return list(power.orders.values())
        return [f"{unit} {tail}" for unit, tail in power.orders.items()]

    # -- units and centres -------------------------------------------------------------------------------------------

    def get_units(self, power_name: str | None = None) -> Any:
        """Return the units of a power, or of all by name; dislodged ones have a star (`*A PAR`)."""
        return self._each(lambda power: [*power.units, *map("*{}".format, power.retreats)], power_name)

    def get_centers(self, power_name: str | None = None) -> Any:
        """Return the centres of a power, or of all by name."""
        return self._each(lambda power: list(power.centers), power_name)

    def set_units(self, power_name: str, units: str | Sequence[str], reset: bool = False) -> None:
        """Put units of a power on the board in place of any there; with `reset` instead of all it has.

        Impossible ones are left out and named in `error`; an unknown power is ignored.
        """
        power = self.powers.get(power_name.upper())
        if power is None:
            return
        if reset:
            power.clear_units()
        for text in [units] if isinstance(units, str) else units:
            unit = text.removeprefix("*").upper()
            if unit.count(" ") != 1 or not self.map.is_valid_unit(unit):
                self.error.append(f"no unit can be as {text!r} says")
                continue
            for other in self.powers.values():
                if text.startswith("*"):
                    other.retreats = {beaten: to for beaten, to in other.retreats.items() if beaten[2:5] != unit[2:5]}
                else:
                    other.units = [standing for standing in other.units if standing[2:5] != unit[2:5]]
                other.influence = [place for place in other.influence if place != unit[2:5]]
            if text.startswith("*"):
                power.retreats[unit] = []
            else:
                power.units.append(unit)
                power.influence.append(unit[2:5])
        self._find_retreats()

    def _find_retreats(self) -> None:
        """Open every vacant place beside them to dislodged units of which no more is known."""
        taken = {unit[2:5] for power in self.powers.values() for unit in power.units}
        for power in self.powers.values():
            for unit in power.retreats if self.phase_type == "R" else ():
                near = (to.upper() for to in self.map.abut_list(unit[2:], incl_no_coast=True))
                power.retreats[unit] = [
                    to for to in near if to[:SHORT] not in taken and self.map.abuts(unit[0], unit[2:], "-", to)
                ]

    def set_centers(self, power_name: str, centers: str | Sequence[str], reset: bool = False) -> None:
        """Give centres to a power; with `reset` instead of all it has.  Other places and powers are ignored."""
        power = self.powers.get(power_name.upper())
        if power is None:
            return
        if reset:
            power.clear_centers()
        for center in [centers] if isinstance(centers, str) else centers:
            for other in self.powers.values():
                other.centers = [kept for kept in other.centers if kept != center]
            power.centers += [center] if center in self.map.scs else []

    def clear_units(self, power_name: str | None = None) -> None:
        """Take all units from the board, or those of one power."""
        for power in self._chosen(power_name):
            power.clear_units()

    def clear_centers(self, power_name: str | None = None) -> None:
        """Take the centres from all powers, or from one."""
        for power in self._chosen(power_name):
            power.clear_centers()

    def clear_orders(self, power_name: str | None = None) -> None:
        """Forget the orders of all powers, or of one."""
        for power in self._chosen(power_name):
            power.clear_orders()

    def _chosen(self, name: str | None) -> Iterable[Power]:
        return self.powers.values() if name is None else [self._power(name)]

    def clear_cache(self) -> None:
        """Forget the legal orders of the position."""
        self._found = Findings()

    build_caches = clear_cache

    def _unit_owner(self, unit: str, coast_required: int = 1) -> Power | None:
        """Return the power whose unit this is, also without its coast if that is not required."""
        for power in self.powers.values():
            if unit in power.units or (not coast_required and any(own.split("/")[0] == unit for own in power.units)):
                return power
        return None

    def _occupant(self, site: str, any_coast: int = 0) -> str | None:
        """Return the unit in a place, or anywhere in its province."""
        site = site[:SHORT] if any_coast else site
        units = (unit for power in self.powers.values() for unit in power.units)
        return next((unit for unit in units if unit[2:].startswith(site)), None)

    def _abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        return self.map.abuts(unit_type, unit_loc, order_type, other_loc)

    def _build_sites(self, power: Power) -> list[str]:
        if len(power.centers) <= len(power.units):
            return []
        taken = {unit[2:5] for other in self.powers.values() for unit in other.units}
        sites = power.centers if "BUILD_ANY" in self.rules else power.homes
        return [site for site in sites if site in power.centers and site not in taken]

    # -- the position, as the judge knows it -------------------------------------------------------------------------

    def _findings(self) -> Findings:
        """Return what is known of the powers' units and centres, nothing if they have changed."""
        now = self.phase, self.rules, list(map(_held, self.powers.values()))
        if self._found.seen != now:
            held = [
                (units.copy(), centers.copy(), homes.copy(), {unit: to.copy() for unit, to in retreats.items()})
                for units, centers, homes, retreats in now[2]
            ]
            self._found = Findings((self.phase, self.rules.copy(), held))
        return self._found

    def _position(self) -> Position:
        """Return the position, with numbered units."""
        found = self._findings()
        if found.position is None:
            found.position, found.texts = self._read_position()
        return found.position

    def _read_position(self) -> tuple[Position, dict[int, str]]:
        """Return the position that the powers describe, and its units as texts, by number.

        Raise `NotFound` for a unit at an unknown place.
        """
        spots, units, owners, beaten, texts = self.map.spots, list[Unit](), {}, list[Dislodged](), {0: ""}
        try:
            for power in self.powers.values():
                name = power.name
                for text in power.units:
                    units.append(Unit(len(texts), text[0], name, spots[text[2:]]))
                    texts[len(texts)] = text
                for text, places in power.retreats.items():
                    unit = Unit(len(texts), text[0], name, spots[text[2:]])
                    beaten.append(Dislodged(unit, self.dislodged.get(text, ""), tuple([spots[to] for to in places])))
                    texts[len(texts)] = text
                for center in power.centers:
                    owners[center] = name
        except (IndexError, KeyError):
            raise NotFound(f"no unit can be as {text!r} of {power.name} says", hint="write A PAR, F STP/NC") from None
        return Position(tuple(units), owners, tuple(beaten)), texts

    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Return the legal orders of the units and builds at every place, in capitals."""
        return {place: orders[:] for place, orders in self._legal().items()}

    def _legal(self) -> dict[str, list[str]]:
        """Return the legal orders by place; they are listed anew when the position has changed."""
        found = self._findings()
        if found.legal is None:
            found.legal = self._list_orders()
        return found.legal

    def _list_orders(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {place: [] for place in self.map.spots}
        kind = KINDS.get(self.phase_type)
        if kind is None:
            return found
        position = self._position()
        if kind is PhaseKind.MOVEMENT:
            self.map.listing.movement(position, found)
            return found
        legal = LegalOrders(self.map.judging, position)
        idle = kind is PhaseKind.ADJUSTMENTS
        for power in self.powers.values():
            if not power.retreats and (not idle or len(power.centers) == len(power.units)):
                continue
            for order in legal.of_power(kind, power.name):
                places = [str(order.at), order.at.province] if order.at else self._build_sites(power)
                coasts = (place for site in places for place in self.map.find_coasts(site))
                for place in dict.fromkeys(coasts if order.at is None else places):
                    found[place].append(spell(order))
        return found

    def get_orderable_locations(self, power_name: str | None = None) -> Any:
        """Return the provinces for which a power has orders to give, sorted, or those of all by name."""
        return self._each(self._orderable, power_name)

    def _orderable(self, power: Power) -> list[str]:
        if self.phase_type == "R":
            return sorted(unit[2:5] for unit in power.retreats)
        builds = len(power.centers) - len(power.units)
        if self.phase_type == "A" and builds >= 0:
            return sorted(self._build_sites(power))
        return sorted(unit[2:5] for unit in power.units)

    def _take_position(self, position: Position) -> None:
        """Write a position into the powers, and keep it until they change."""
        came, before, owners, spelt, texts = [], self._found, position.owners, self.map.listing.units, {0: ""}
        units: dict[str, list[str]] = {name: [] for name in self.powers}
        for unit in position.units:
            texts[unit.number] = text = spelt[unit.kind, unit.at]
            units[unit.power].append(text)
            if text != before.texts.get(unit.number):
                came.append((unit.at.province, unit.power))
        for name, power in self.powers.items():
            power.units, power.retreats = units[name], {}
        fleeing = tuple([d for d in position.dislodged if d.retreats])
        for d in fleeing:
            texts[d.unit.number] = text = str(d.unit)
            self.powers[d.unit.power].retreats[text] = [str(to) for to in d.retreats]
        for place, name in came:
            for power in self.powers.values():
                if place in power.influence:
                    power.influence.remove(place)
            self.powers[name].influence.append(place)
        if before.position is None or owners is not before.position.owners:
            for name, power in self.powers.items():
                kept = [center for center in power.centers if owners.get(center) == name]
                power.centers = kept + [center for center, own in owners.items() if own == name and center not in kept]
        if len(fleeing) < len(position.dislodged):
            position = Position(position.units, owners, fleeing)
        self._findings().position, self._found.texts = position, texts

    def get_hash(self) -> str:
        """Return a number, as text, that equal positions have in every process."""
        known = self._findings()
        if not known.hash:
            held = (" ".join(sorted(some)) for power in self.powers.values() for some in _held(power))
            known.hash = str(int.from_bytes(hashlib.sha256("|".join(held).encode()).digest()[:8]) >> 1)
        return known.hash

    rebuild_hash = get_hash


def now() -> int:
    """Return the time in microseconds."""
    return time.time_ns() // 1000
