"""What a game has been: states, histories of phases, and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData, Messages
from gamesmaster.compat.diplomacy.engine.message import GLOBAL, SYSTEM, Message
from gamesmaster.compat.diplomacy.engine.order_results import OrderResult
from gamesmaster.compat.diplomacy.engine.power import Power
from gamesmaster.compat.diplomacy.engine.sorted_dict import SortedDict
from gamesmaster.compat.diplomacy.engine.table import PowerTable, now
from gamesmaster.errors import BadFile

Role: TypeAlias = str | Sequence[str]
"""A power, several powers, `observer_type` or `omniscient_type`."""


class PhaseHistory(PowerTable):
    """A table with its histories, by the short name of the phase: states, orders, messages and results."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.note, self.deadline = "", 0
        self.messages: Messages = SortedDict()
        self.message_history: SortedDict[str, Messages] = SortedDict()
        self.state_history: SortedDict[str, dict[str, Any]] = SortedDict()
        self.order_history: SortedDict[str, dict[str, list[str] | None]] = SortedDict()
        self.result_history: SortedDict[str, dict[str, list[OrderResult]]] = SortedDict()

    # -- states and histories ----------------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return the position and all that belongs to it, as JSON values."""
        each = self.powers.items()
        return {
            "timestamp": now(),
            "zobrist_hash": self.get_hash(),
            "note": self.note,
            "name": self.current_short_phase,
            "units": self.get_units(),
            "retreats": {name: {unit: list(to) for unit, to in power.retreats.items()} for name, power in each},
            "centers": self.get_centers(),
            "homes": {name: list(power.homes) for name, power in each},
            "influence": {name: list(power.influence) for name, power in each},
            "civil_disorder": {name: power.civil_disorder for name, power in each},
            "builds": {name: self._builds(power) for name, power in each},
        }

    def _builds(self, power: Power) -> dict[str, Any]:
        count = len(power.centers) - len(power.units) if self.phase_type == "A" else 0
        sites = self._build_sites(power) if count else []
        return {"count": min(count, len(sites)) if count > 0 else count, "homes": sites}

    def set_state(self, state: Mapping[str, Any], clear_history: bool = True) -> None:
        """Set what a state says; raises `BadFile` if it is one of another map."""
        if state.get("map", self.map_name) != self.map_name:
            raise BadFile(f"a state of the map {state['map']!r}, in a game on {self.map_name!r}")
        if clear_history:
            self._clear_history()
        self.rules = list(state.get("rules", self.rules))
        self.note = state.get("note", self.note)
        if state.get("name"):
            self.set_current_phase(state["name"])
        for name, units in state.get("units", {}).items():
            self.set_units(name, units, reset=True)
        for name, centers in state.get("centers", {}).items():
            self.set_centers(name, centers, reset=True)
        for name, power in self.powers.items():
            beaten = state.get("retreats", {}).get(name, {})
            power.retreats |= {unit: list(to) for unit, to in beaten.items() if unit in power.retreats}
            power.homes = list(state.get("homes", self.map.homes)[name])
            power.influence = list(state.get("influence", {}).get(name, power.influence))
            power.civil_disorder = state.get("civil_disorder", {}).get(name, 0)

    def get_phase_data(self) -> GamePhaseData:
        """Return the phase that is being played; a power without a set of orders has None."""
        orders = {name: self.get_orders(name) if power.order_is_set else None for name, power in self.powers.items()}
        return GamePhaseData(self.current_short_phase, self.get_state(), orders, {}, self.messages.copy())

    def extend_phase_history(self, game_phase_data: GamePhaseData) -> None:
        """Add a phase to the history."""
        data = game_phase_data
        self.state_history[data.name], self.message_history[data.name] = data.state, data.messages
        self.order_history[data.name], self.result_history[data.name] = data.orders, data.results

    def _clear_history(self) -> None:
        for kept in (self.state_history, self.message_history, self.order_history, self.result_history):
            kept.clear()
        self.clear_orders()

    def get_phase_history(
        self, from_phase: str | int | None = None, to_phase: str | int | None = None, game_role: Role | None = None
    ) -> list[GamePhaseData]:
        """Return the phases that are over, between two if given, both included, by short name or index.

        With a role, messages are those that it may read.
        """
        names = list(self.state_history)
        first, last = (names[at] if isinstance(at, int) else at for at in (from_phase, to_phase))
        before = self.map.compare_phases
        chosen = (n for n in names if not (first and before(n, first) < 0) and not (last and before(n, last) > 0))
        return [self._past(name, game_role) for name in chosen]

    def _past(self, name: str, role: Role | None) -> GamePhaseData:
        messages = self.message_history[name]
        shown = SortedDict(self.filter_messages(messages, role)) if role else messages
        return GamePhaseData(name, self.state_history[name], self.order_history[name], self.result_history[name], shown)

    def get_phase_from_history(self, short_phase_name: str, game_role: Role | None = None) -> GamePhaseData:
        """Return a phase that is over; raises `KeyError` for any other."""
        return self._past(short_phase_name, game_role)

    def _archive(self, orders: Mapping[str, list[str]]) -> GamePhaseData:
        """Return the phase as data, and keep it in the histories, but for its results."""
        data = GamePhaseData(self.current_short_phase, self.get_state(), dict(orders), {}, self.messages)
        self.state_history[data.name], self.message_history[data.name] = data.state, data.messages
        self.order_history[data.name], self.messages = data.orders, SortedDict()
        return data

    # -- messages ----------------------------------------------------------------------------------------------------

    def add_message(self, message: Message) -> int:
        """Add a message, with the time if it has none, later than all others; return its time in microseconds."""
        if message.time_sent is None:
            message.time_sent = max(now(), self.messages.last_key() + 1 if self.messages else 0)
        self.messages.put(message.time_sent, message)
        return message.time_sent

    def new_power_message(self, recipient: str, body: str) -> Message:
        """Return a message of the power whose game this is to another; raises `NotFound` for an unknown power."""
        return Message(
            phase=self.current_short_phase, sender=self.role, recipient=self._power(recipient).name, message=body
        )

    def new_global_message(self, body: str) -> Message:
        """Return a message of the power whose game this is to all."""
        return Message(phase=self.current_short_phase, sender=self.role, recipient=GLOBAL, message=body)

    def new_system_message(self, recipient: str, body: str) -> Message:
        """Add a message of the system, and return it."""
        message = Message(phase=self.current_short_phase, sender=SYSTEM, recipient=recipient, message=body)
        self.add_message(message)
        return message

    @staticmethod
    def filter_messages(
        messages: Mapping[int, Message],
        game_role: Role,
        timestamp_from: int | None = None,
        timestamp_to: int | None = None,
    ) -> dict[int, Message]:
        """Return the messages that a role may read: powers those from and to them, observers what is for them."""
        roles = [game_role] if isinstance(game_role, str) else game_role
        everything, observes = "omniscient_type" in roles, "observer_type" in roles

        def reads(message: Message) -> bool:
            own = message.sender in roles or message.recipient in roles
            return everything or message.is_global() or (observes and message.for_observer()) or own

        return {
            when: message
            for when, message in messages.items()
            if (timestamp_from or 0) <= when and (timestamp_to is None or when <= timestamp_to) and reads(message)
        }
