"""Logs as JSON lines, without orders, votes or press."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from types import TracebackType

FACTS = (
    "event", "table", "ordinal", "phase", "worker", "seconds", "state", "attempts", "route", "status", "why", "account",
    "network",
)  # fmt: skip
"""Fields that a line may contain; none of them holds text written by a player."""


class JsonLines(logging.Formatter):
    """Formats each record as a line of JSON; of an exception only its type and place.

    The text of an exception may quote an order, and a traceback its values, so neither is written.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        line["text"] = record.getMessage()
        line |= {fact: getattr(record, fact) for fact in FACTS if hasattr(record, fact)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["raised"] = place(record.exc_info[2])
        return json.dumps(line, ensure_ascii=True, default=str)


def place(traceback: TracebackType | None) -> str:
    """Return where an exception was raised: `course.py:83`."""
    found = ""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        found = f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found
