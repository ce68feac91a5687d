"""A phase of a game as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gamesmaster.compat.diplomacy.engine.message import Message
from gamesmaster.compat.diplomacy.engine.order_results import OrderResult
from gamesmaster.compat.diplomacy.engine.sorted_dict import SortedDict

Messages = SortedDict[int, Message]
"""Messages by the time at which they were sent, in microseconds."""


@dataclass(slots=True)
class GamePhaseData:
    """A phase: its short name, the state it began with, the orders by power, their results by unit, the messages."""

    name: str
    state: dict[str, Any]
    orders: dict[str, list[str] | None]
    results: dict[str, list[OrderResult]] = field(default_factory=dict)
    messages: Messages = field(default_factory=SortedDict)

    def to_dict(self) -> dict[str, Any]:
        """Return the phase as JSON values."""
        return {
            "name": self.name,
            "state": self.state,
            "orders": self.orders,
            "results": {unit: [result.value for result in results] for unit, results in self.results.items()},
            "messages": [message.to_dict() for message in self.messages.values()],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GamePhaseData:
        """Return the phase in JSON values; results may be words, or have their number before them (`10002:bounce`)."""
        results = data.get("results") or {}
        return cls(
            name=data["name"],
            state=dict(data["state"]),
            orders=dict(data["orders"]),
            results={unit: [OrderResult(word.rpartition(":")[2]) for word in words] for unit, words in results.items()},
            messages=messages_of(map(Message.from_dict, data.get("messages") or ())),
        )


def messages_of(messages: Iterable[Message]) -> Messages:
    """Return messages by the time at which they were sent."""
    found: Messages = SortedDict()
    for message in messages:
        found.put(message.time_sent or 0, message)
    return found
