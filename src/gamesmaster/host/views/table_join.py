"""The ways to a seat, as every page of a table shows them: sitting down, taking a power over, coming back, leaving."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import TableState
from gamesmaster.host.service import ratings
from gamesmaster.host.service.rows import WANTED
from gamesmaster.host.service.viewing import TableView

WISHES = 3


@dataclass(frozen=True, slots=True)
class WayIn:
    """How a reader comes to a seat: `sit` down, `take` over one of these powers, or come `back` to the own one.

    `lost`: its power is in civil disorder, so that nothing can be sent for it before.  `why_not` says in its place why
    there is no way in for this reader.
    """

    how: str
    powers: tuple[str, ...] = ()
    wishes: range = range(0)
    lost: bool = False
    why_not: str = ""


def way_in(view: TableView, invitation: str = "") -> WayIn | None:
    """The way to a seat for who reads a page of a table, and came with this invitation; None if there is none."""
    viewer, forming = view.viewer, view.state == TableState.FORMING
    if view.sandbox or viewer.gm or view.state not in (TableState.FORMING, TableState.RUNNING, TableState.PAUSED):
        return None
    wanted = tuple(seat.power for seat in view.seats if seat.state in WANTED) if not forming else ()
    if viewer.seat is not None:
        own = next((seat for seat in view.seats if seat.own and seat.power in wanted), None)
        return WayIn("back", (own.power,), lost=own.state == "disorder") if own else None
    free = len(view.variant.powers) - len(view.seats) if forming else len(wanted)
    if not free:
        return WayIn("", why_not=_("All seats are taken.")) if invitation else None
    by_wish = range(1, WISHES + 1) if forming and view.settings.powers == "preference" else range(0)
    return WayIn("sit" if forming else "take", wanted, by_wish, why_not=_why_not(view, invitation))


def _why_not(view: TableView, invitation: str) -> str:
    """Why this reader cannot join; empty if nothing is in the way."""
    if view.viewer.owner:
        return ""
    if view.settings.join != "open" and not view.viewer.invitation:
        if invitation:
            return _("This invitation has been used up or withdrawn. Ask the person who sent it for a new link.")
        return _("You need an invitation to join this game: a link from the person who created it.")
    try:
        if view.viewer.user is not None:
            ratings.check_reliable(view.viewer.user, view.settings.min_reliability)
    except Refused as refused:
        return str(refused)
    return ""


def seating(view: TableView, invitation: str = "") -> dict[str, object]:
    """What every page that shows the way to a seat is told; a guest's invitation goes along from page to page."""
    kept = invitation or view.viewer.invitation
    free = len(view.variant.powers) - len(view.seats) if view.state == TableState.FORMING else 0
    return {"view": view, "way": way_in(view, kept), "invitation": kept, "empty": range(free)}


def price_of_leaving(view: TableView) -> int:
    """How many missed seasons leaving counts as: none where no other person plays."""
    people = [seat for seat in view.seats if not seat.bot and not seat.own and seat.player]
    return ratings.PRICE_OF_LEAVING if people else 0


def to_lobby(request: HttpRequest, key: str) -> str:
    """The address of the lobby, of the same invitation."""
    invitation = request.POST.get("invitation", "")
    if invitation.isalnum():
        return reverse("invited", kwargs={"key": key, "invitation": invitation})
    return reverse("lobby", kwargs={"key": key})
