"""Logs as JSON lines: what happened at which table, never an order, a vote or press."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

FACTS = ("event", "table", "ordinal", "phase", "worker", "seconds", "state", "attempts", "route", "status", "why")
"""What may be told beside a line: nothing that a player wrote."""


class JsonLines(logging.Formatter):
    """A line of JSON for each line of the log; of an error only its class and where it was raised.

    The text of an error may quote an order, and a traceback its values: neither is written.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        line["text"] = record.getMessage()
        line |= {fact: getattr(record, fact) for fact in FACTS if hasattr(record, fact)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["raised"] = _place(record.exc_info[2])
        return json.dumps(line, ensure_ascii=True, default=str)


def _place(traceback: object) -> str:
    """Where an error was raised: `course.py:83`."""
    place = ""
    while traceback is not None:
        frame = traceback.tb_frame  # type: ignore[attr-defined]
        place = f"{frame.f_code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno}"  # type: ignore[attr-defined]
        traceback = traceback.tb_next  # type: ignore[attr-defined]
    return place
