"""Public notices of the house; what players write is for the press room."""

from __future__ import annotations

from datetime import datetime

from gamesmaster.host.models import Message, Table

HOUSE = "Gamesmaster"


def announce(table: Table, text: str, now: datetime) -> None:
    """Post a notice that everybody sees."""
    Message.objects.create(table=table, ordinal=table.ordinal, sender="", shown_as=HOUSE, to=[], text=text, sent_at=now)
