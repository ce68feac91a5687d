"""Messages between powers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

SYSTEM = "SYSTEM"
GLOBAL = "GLOBAL"
OBSERVER = "OBSERVER"
OMNISCIENT = "OMNISCIENT"


@dataclass(slots=True, kw_only=True)
class Message:
    """A message: `sender` is a power or `SYSTEM`, `recipient` a power, `GLOBAL`, `OBSERVER` or `OMNISCIENT`.

    `time_sent` is in microseconds; `Game.add_message` sets it where it is None.
    """

    sender: str
    recipient: str
    phase: str
    message: str
    time_sent: int | None = None

    def __str__(self) -> str:
        return f"[{self.time_sent or 0}/{self.phase}/{self.sender}->{self.recipient}]({self.message})"

    def is_global(self) -> bool:
        """Return whether all powers receive it."""
        return self.recipient == GLOBAL

    def for_observer(self) -> bool:
        """Return whether it is for observers."""
        return self.recipient == OBSERVER

    def to_dict(self) -> dict[str, Any]:
        """Return the message as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Message:
        """Return the message in JSON values."""
        fields: dict[str, Any] = {name: data.get(name) for name in cls.__slots__}
        return cls(**fields)
