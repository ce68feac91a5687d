"""The desk: where orders are written, looked at, stored, called ready and taken back.

Forms do without scripts: they lead back to the page.  A script asks for JSON (`Accept: application/json`) and gets what
is stored now, with the words for it; or what hinders, with a code.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from gamesmaster.board import unit_code
from gamesmaster.host.orders import drafts, receipts
from gamesmaster.host.orders.choices import ordered_units
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.view import SheetView, TableView
from gamesmaster.orders import PhaseKind

PLAYED = ("running", "paused")


@dataclass(frozen=True, slots=True)
class Desk:
    """What is on a power's desk: what is asked, what is stored, what that lacks, and what hindered the last deed.

    `text` is what stands in the field, `stored` what is kept.  `sure`: the player wished to be ready with a set that
    lacks something, and is asked once more; `unready`: new orders have taken readiness back.
    """

    power: str
    powers: tuple[str, ...]
    asked: str
    sheet: SheetView | None
    text: str
    units: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    receipt: str = ""
    sure: bool = False
    unready: bool = False
    refused: Refused | None = None

    @property
    def stored(self) -> str:
        """The orders that are stored, a line each."""
        return "\n".join(self.sheet.lines) if self.sheet else ""

    @property
    def tone(self) -> str:
        """Green only for a stored set that is whole; nothing where nothing is asked."""
        if self.asked == "nothing" and not self.sheet:
            return ""
        return "good" if self.sheet and not self.lacks else "warn"


def desk(
    view: TableView,
    wanted: str = "",
    *,
    text: str | None = None,
    refused: Refused | None = None,
    sure: bool = False,
    unready: bool = False,
) -> Desk | None:
    """The desk of a power that the viewer orders for, the first with something to do if none is named; None if none.

    A power in civil disorder has none: its player comes back first.
    """
    lost = {seat.power for seat in view.seats if seat.own and seat.state == "disorder"}
    mine = tuple(power for power in view.viewer.powers if power not in lost)
    if not mine or not view.begun or view.state not in PLAYED:
        return None
    asked = {seat.power: seat.asked for seat in view.seats if seat.own}
    if view.sandbox:
        asked = {status.power: status.text for status in view.bare_game.status}
    busy = [p for p in mine if asked.get(p, "nothing") != "nothing"]
    power = wanted if wanted in mine else (busy or mine)[0]
    sheet = next((s for s in view.sheets if s.power == power), None)
    lines = sheet.lines if sheet else ()
    return Desk(
        power=power,
        powers=tuple(busy) if view.sandbox else mine,
        asked=asked.get(power, "nothing"),
        sheet=sheet,
        text=text if text is not None else "\n".join(lines),
        units=_units(view, power),
        lacks=tuple(_lacks(view, power, lines)),
        receipt=receipts.shown(view, power),
        sure=sure,
        unready=unready,
        refused=refused,
    )


def _lacks(view: TableView, power: str, lines: tuple[str, ...]) -> list[str]:
    try:
        return drafts.told(drafts.draft_preview(view, power, lines).lacks)
    except Refused:  # out of the game, or in civil disorder
        return []


def _units(view: TableView, power: str) -> tuple[str, ...]:
    """The units that may be ordered, by name: what the guide shows in its place until it is at work."""
    if view.bare_game.phase.kind is PhaseKind.ADJUSTMENTS:
        return (_("Builds or removals"),)
    return tuple(unit_code(view.variant.board, unit) for unit in ordered_units(view, power))
