"""Has anything changed at a table that this viewer may see?  One word that changes with it, and with nothing else."""

from __future__ import annotations

import hashlib

from gamesmaster.host.service import threads
from gamesmaster.host.service.viewing import TableView


def stamp(view: TableView) -> str:
    """A word for all that the viewer sees of a table now; made of nothing that he or she does not see."""
    last = threads.numbered(view)[-1:]
    facts = (
        view.name, view.state, view.ordinal, view.phase_code, view.deadline, view.ready_at, view.seats, view.sheets,
        view.ballots, view.viewer.role, view.viewer.powers, view.viewer.standby,
        [(n, m.sender, m.sent_at) for n, m in last],
    )  # fmt: skip
    return hashlib.sha256(f"{view.key}|{facts!r}".encode()).hexdigest()[:16]
