"""The desk at which one mail is dealt with: whose it is, at which table, and what is written in answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.host.errors import Refused
from gamesmaster.host.mail.addresses import Box
from gamesmaster.host.models import Table
from gamesmaster.host.service.viewing import TableView, look

MOST_TOLD = 20
"""Lines of a mail that are quoted in the answer as not understood."""


@dataclass
class Desk:
    """What is known while a mail is dealt with.

    `written` is when the mail says that it was written; `lines` is the answer as it grows, `attach` what hangs on it.
    """

    user: User
    box: Box
    now: datetime
    table: Table | None = None
    power: str = ""
    ordinal: int | None = None
    phase: str = ""
    written: datetime | None = None
    lines: list[str] = field(default_factory=list)
    attach: str = ""
    refusals: int = 0

    @classmethod
    def of(cls, box: Box, now: datetime, written: datetime | None = None) -> Desk:
        """The desk for a mail to this address."""
        assert box.user is not None
        ordinal = box.ordinal if box.table else None
        return cls(box.user, box, now, box.table, box.power, ordinal, written=written)

    @property
    def view(self) -> TableView:
        """The table as the writer may see it, as it stands now; raises `Refused` if none is meant."""
        return look(self._meant().key, self.user)

    @property
    def number(self) -> int:
        """The number of the table that is meant; raises `Refused` if none is."""
        return self._meant().pk

    def _meant(self) -> Table:
        if self.table is None:
            raise Refused("no-table", _("Which game do you mean?"), _("a line like: table abcdefghij"))
        return self.table

    def turn_to(self, key: str) -> None:
        """Deal with another table than the address says; which phase is meant then has to be said."""
        if self.table is not None and self.table.key == key:
            return
        view = look(key, self.user)
        self.table = Table.objects.get(key=key)
        self.power = "" if view.sandbox or not view.viewer.powers else view.viewer.powers[0]
        self.ordinal = None

    def turn(self) -> tuple[TableView, int]:
        """The table and the phase that the mail is for; raises `Refused` unless that is the one being played.

        What a mail was written for is never taken for another phase.
        """
        view = self.view
        now = (
            _("orders are now due for {phase}; reply to the mail about that phase").format(phase=view.phase_code)
            if view.phase_code
            else ""
        )
        if self.phase:
            if self.phase != view.phase_code:
                raise Refused(
                    "not-this-phase", _("{phase} is not the phase being played.").format(phase=self.phase[:24]), now
                )
            return view, view.ordinal
        if self.ordinal is None:
            raise Refused(
                "which-phase",
                _("Which phase do you mean?"),
                _("a line like: phase {phase}").format(phase=view.phase_code or "S1901M"),
            )
        if self.ordinal != view.ordinal:
            over = view.records[self.ordinal].phase.code if self.ordinal < len(view.records) else _("another phase")
            raise Refused(
                "not-this-phase",
                _("Your mail is about {over}, which is not the phase being played.").format(over=over),
                now,
            )
        return view, self.ordinal

    def say(self, *lines: str) -> None:
        """Write lines of the answer."""
        self.lines += [line for text in lines for line in text.split("\n")]

    def head(self, told: str) -> None:
        """Begin to answer a line of the mail, which is quoted."""
        self.lines += ([""] if self.lines else []) + [f"> {told[:200]}"]

    def refuse(self, refused: Refused) -> None:
        """Say what was not done."""
        self.refusals += 1
        hint = f" ({refused.hint})" if refused.hint else ""
        self.say(_("Not done: {what}{hint}").format(what=refused.what, hint=hint))


def listed(names: Iterable[str]) -> str:
    """Names, joined by commas."""
    return ", ".join(names)
