"""The ledger as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gamesmaster.game import Ledger


def ledger_data(ledger: Ledger) -> dict[str, Any]:
    """What is published of a position beside the map: what each power has, and every line with its parts.

    A `strength` of null is that of the centres, or cannot be told yet.
    """
    return {
        "phase": ledger.phase,
        "powers": [
            {"power": h.power, "centers": h.centres, "units": h.units, "strength": h.strength} for h in ledger.holdings
        ],
        "entries": [asdict(entry) for entry in ledger.entries],
    }
