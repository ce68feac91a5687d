"""Orders by mail: what is read in them, what is stored, and what is said of both."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _

from gamesmaster.errors import Ambiguous, BadOrder, GamesmasterError
from gamesmaster.host.errors import Refused
from gamesmaster.host.mail.commands import Wishes
from gamesmaster.host.mail.desk import MOST_TOLD, Desk
from gamesmaster.host.service import orders, receipts, standbys
from gamesmaster.host.service.drafts import plain
from gamesmaster.host.service.viewing import TableView
from gamesmaster.orders import Line, Sheet

CLOCKS_DIFFER = timedelta(minutes=15)
"""By so much, perhaps, the clock of somebody's computer and ours."""


def take(desk: Desk, wishes: Wishes) -> None:
    """Store the orders of a mail; what is none is told, and not stored.

    A name that could mean several places is kept: for some rulebooks the judge settles it.  Raises `Refused`.
    """
    view, ordinal = desk.turn()
    stands_by = view.viewer.standby.power if view.viewer.standby else ""
    sheet = _read(view, wishes.sheet, desk.power or stands_by or None)
    taken = {power: [line.text for line in lines if _is_order(line)] for power, lines in sheet.orders.items()}
    taken = {power: texts for power, texts in taken.items() if texts}
    if not taken:
        desk.head(_("(your orders)"))
        desk.say(_("No line of your mail is an order; nothing was saved."))
    for power, texts in taken.items():
        desk.head(_("(orders for {power}, {phase})").format(power=power, phase=view.phase_code))
        try:
            if power == stands_by:
                _keep(desk, view, ordinal, power, texts)
            else:
                _store(desk, ordinal, power, texts, wishes.amend)
        except Refused as refused:
            desk.refuse(refused)
    _tell_errors(desk, sheet.errors, wishes.sheet)


def clear(desk: Desk) -> None:
    """Take back all orders sent for the phase."""
    view, ordinal = desk.turn()
    receipt = orders.submit(
        _table(desk), own_power(desk, view), "", ordinal=ordinal, user=desk.user, channel="mail", amend=False,
        now=desk.now,
    )  # fmt: skip
    desk.say(
        _("No orders are saved for {power}, {phase}.").format(power=receipt.power, phase=receipt.phase),
        receipts.text_of(receipt),
    )


def show(desk: Desk) -> None:
    """What is stored of the writer's orders."""
    view = desk.view
    sheets = view.sheets if view.sandbox or not desk.power else [s for s in view.sheets if s.power == desk.power]
    for sheet in sheets:
        ready = "ready" if sheet.confirmed else _("waiting for the deadline") if sheet.hold else _("not ready yet")
        desk.say(
            _("{power}, {phase}, set {version} ({ready}):").format(
                power=sheet.power, phase=view.phase_code, version=sheet.version, ready=ready
            )
        )
        _tell_set(desk, view, sheet.power, sheet.lines)
    if not sheets:
        desk.say(_("You have no saved orders for {phase}.").format(phase=view.phase_code))


def own_power(desk: Desk, view: TableView) -> str:
    """The power that the writer speaks for; raises `Refused` if it is none, or not one alone."""
    if desk.power:
        return desk.power
    if len(view.viewer.powers) != 1:
        raise Refused("no-seat", _("You do not play in this game."))
    return view.viewer.powers[0]


def _table(desk: Desk) -> int:
    assert desk.table is not None
    return desk.table.pk


def _read(view: TableView, text: str, author: str | None) -> Sheet:
    game = view.bare_game
    try:
        said = plain(game, author, text) if author else text
        assert isinstance(said, str)
        return game.rules.notation.sheet(said, game.phase.kind, author)
    except GamesmasterError as error:
        raise Refused("bad-orders", str(error)) from error


def _is_order(line: Line) -> bool:
    return line.order is not None or isinstance(line.error, Ambiguous)


def _store(desk: Desk, ordinal: int, power: str, texts: list[str], amend: bool | None) -> None:
    _check_newer(desk, power)
    receipt = orders.submit(
        _table(desk), power, texts, ordinal=ordinal, user=desk.user, channel="mail", amend=amend, now=desk.now
    )
    view = desk.view
    stored = next((sheet for sheet in view.sheets if sheet.power == power), None)
    desk.say(
        _("Saved for {power}, {phase} (set {version}). Your orders are now:").format(
            power=power, phase=receipt.phase, version=receipt.version
        )
    )
    _tell_set(desk, view, power, stored.lines if stored else ())
    desk.say("Receipt:", receipts.text_of(receipt))


def _keep(desk: Desk, view: TableView, ordinal: int, power: str, texts: list[str]) -> None:
    """Keep a standby's orders, apart from the player's."""
    made = standbys.send(_table(desk), desk.user, texts, ordinal=ordinal, now=desk.now)
    desk.say(
        _("Saved for {power}, {phase}, in case its player's orders are missing. Your orders are now:").format(
            power=power, phase=view.phase_code
        )
    )
    desk.say(*(f"  {text}" for text in made.lines))


def _check_newer(desk: Desk, power: str) -> None:
    """Raise `Refused` for a mail that was long on its way, or is sent again by somebody else: newer orders stand."""
    stored = next((sheet for sheet in desk.view.sheets if sheet.power == power), None)
    if stored is not None and desk.written is not None and desk.written < stored.sent_at - CLOCKS_DIFFER:
        raise Refused(
            "older", _("Your mail is older than the orders that are saved for {power}.").format(power=power),
            _("if you want it to count, write a new mail"),
        )  # fmt: skip


def _tell_set(desk: Desk, view: TableView, power: str, lines: tuple[str, ...]) -> None:
    """The orders, each as it is understood, and what may be slips."""
    notation, kind = view.bare_game.rules.notation, view.bare_game.phase.kind
    for text in lines:
        try:
            desk.say(f"  {notation.write(notation.read(text, kind), full=True)}")
        except GamesmasterError as error:
            desk.say(
                f"  {text[:200]}",
                _("    (unclear: {what}{value})").format(
                    what=error.what, value=f"; {error.hint}" if error.hint else ""
                ),
            )
    if not lines:
        desk.say("  (none)")
    try:
        warnings = orders.draft_preview(view, power, lines).warnings
    except Refused:
        return
    for warning in warnings[:MOST_TOLD]:
        desk.say(_("  Please check: {warning}.").format(warning=warning))


def _tell_errors(desk: Desk, errors: tuple[BadOrder, ...], text: str) -> None:
    """The lines that were not understood, and why."""
    if not errors:
        return
    lines = text.split("\n")
    desk.say("", _("Not understood, and not saved (line numbers count from the top of your mail):"))
    for error in errors[:MOST_TOLD]:
        written = lines[error.line - 1].strip()[:100] if error.line <= len(lines) else ""
        desk.say(f"  {written}", f"    {error}")
    if len(errors) > MOST_TOLD:
        desk.say(_("  ... and {many} lines more.").format(many=len(errors) - MOST_TOLD))
