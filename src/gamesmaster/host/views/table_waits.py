"""What a table waits for now, and until when: the headline of its page, in the words of its viewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from gamesmaster.host.service import clock
from gamesmaster.host.service.viewing import TableView
from gamesmaster.host.wording import listed


@dataclass(frozen=True, slots=True)
class Waits:
    """What is waited for, in a sentence (`says`) with its end (`{at}`), and what the viewer waits for besides.

    `late`: `at` is the end of the grace for the deadline that was missed (`{late}`).  `settled`: nothing is asked
    of the viewer, or he or she is ready, so that the page may go on to the next phase by itself.  `soon`: the phase is
    due now.
    """

    says: str
    at: datetime | None = None
    more: str = ""
    late: datetime | None = None
    settled: bool = False
    soon: bool = False


def waits(view: TableView) -> Waits | None:
    """What the table waits for; None where no phase is being played, or nobody waits for anybody."""
    if view.state != "running" or view.sandbox or not view.begun:
        return None
    own = [seat for seat in view.seats if seat.own and seat.asked not in ("", "nothing")]
    settled = bool(view.viewer.powers) and all(seat.ready for seat in own)
    now = clock.now()
    if (view.ready_at and view.ready_at <= now) or (view.deadline and view.deadline < now):
        return Waits(_("The phase is over and is being adjudicated…"), settled=settled, soon=True)
    if view.ready_at:
        return Waits(_early(view), view.ready_at, settled=settled)
    if view.late_since and view.deadline:
        says = _("The deadline passed at {late}. The game waits until {at} for late orders.")
        return Waits(says, view.deadline, late=view.late_since, settled=settled)
    ready = bool(own) and settled
    if view.deadline is None:
        more = _("You are ready; the phase ends when the others are, too.") if ready else ""
        return Waits(_("No deadline: the phase ends when everybody is ready."), more=more, settled=settled)
    wanted = [seat.power for seat in view.seats if seat.state == "standby-wanted"]
    more = ""
    if ready and view.settings.early:
        more = _("You are ready; the phase ends when the others are, too, at the deadline at the latest.")
    if wanted:
        more = _("Until then anybody may take over {powers}.").format(powers=listed(wanted))
    return Waits(_("Orders are due {at}"), view.deadline, more=more, settled=settled)


def _early(view: TableView) -> str:
    """Why the phase ends before its deadline."""
    if all(seat.bot or seat.state == "disorder" or not (seat.units or seat.centres) for seat in view.seats):
        return _("No player is left in the game, so the bots play on, one phase per minute. This phase ends at {at}.")
    return _("Everybody is ready: the phase ends at {at}.")
