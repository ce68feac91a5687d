"""Orders by mail, and the mail commands of people who run a game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import keeps_ahead, preview_report
from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.mailroom.reading import Command, Wishes
from gamesmaster.host.mailroom.replies import MOST_LISTED, Desk
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.view import TableView
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, SheetLine, read

CLOCKS_DIFFER = timedelta(minutes=15)
"""Tolerated difference between the clock of a player's computer and the site's."""

_UNIT = re.compile(r"\W*[AF] ")


def take(desk: Desk, wishes: Wishes) -> None:
    """Save the orders of a mail and report the lines that are not orders.

    An ambiguous name is kept if the rulebook lets the judge decide it. Raise `Refused` if the mail cannot be read.
    """
    unread, desk.lacks = desk.lacks, _("the orders of this mail were not saved")
    view, ordinal = desk.turn()
    stands_by = view.viewer.standby.power if view.viewer.standby else ""
    sheet = _read(view, wishes.sheet, desk.power or stands_by)
    known = sheet.read_only
    ahead = {section.power for section in known.later} - {stands_by} if keeps_ahead(view.house_rules) else set()
    powers = dict.fromkeys(section.power for section in known.sections if section.power)
    written = [power for power in powers if known.lines(power) or power in ahead]
    if not written:
        desk.head(_("(your orders)"))
        desk.say(_("No line of your mail is an order for this phase; nothing was saved."))
    refused_sets = 0
    for power in written:
        desk.head(_("(orders for {power}, {phase})").format(power=power, phase=view.phase_code))
        own = known.of(power)
        try:
            if power == stands_by:
                _keep(desk, view, ordinal, power, own)
            else:
                _store(desk, ordinal, power, own, amend=wishes.amend)
        except Refused as refused:
            refused_sets += 1
            desk.refuse(refused)
        else:
            _tell_reading(desk, own.read_as)
    desk.say(*filter(None, [drafts.lost_words(view.bare_game, sheet)]))
    for power in dict.fromkeys(line.of for line in sheet.refused if line.of):
        desk.head(_("(orders for {power}, {phase})").format(power=power, phase=view.phase_code))
        desk.refuse(Refused("no-seat", _("You do not give orders for {power}."), power=power))
    own_faults = [line for line in sheet.refused if not line.of]
    if sheet.refused:
        desk.lacks = _("some lines of this mail were not understood")
    elif not refused_sets:
        desk.lacks = unread
    _tell_refusals(desk, own_faults, wishes.sheet)


def has_orders(desk: Desk, wishes: Wishes) -> bool:
    """Return whether a mail has a command, an order, or a line that begins like one (`A Par`)."""
    if wishes.commands or wishes.table or wishes.phase:
        return True
    try:
        sheet = _read(desk.view, wishes.sheet, desk.power)
    except GamesmasterError:
        return False
    lines = (line for section in sheet.sections for line in section.lines)
    return any(line.order or (line.what and _UNIT.match(line.text)) for line in lines)


def clear(desk: Desk) -> None:
    """Withdraw all orders for the phase, and those sent ahead."""
    view, ordinal = desk.turn()
    receipt = submission.submit(
        _table(desk), own_power(desk, view), "", ordinal=ordinal, user=desk.user, channel="mail", amend=False,
        drop=tuple(drafts.KEPT), now=desk.now,
    )  # fmt: skip
    desk.say(
        _("No orders are saved for {power}, {phase}.").format(power=receipt.power, phase=receipt.phase),
        receipts.text_of(receipt),
    )


def show(desk: Desk) -> None:
    """List the writer's saved orders."""
    view = desk.view
    sheets = view.sheets if view.sandbox or not desk.power else [s for s in view.sheets if s.power == desk.power]
    for sheet in sheets:
        ready = "ready" if sheet.confirmed else _("waiting for the deadline") if sheet.hold else _("not ready yet")
        desk.say(
            _("{power}, {phase}, set {version} ({ready}):"),
            power=sheet.power,
            phase=view.phase_code,
            version=sheet.version,
            ready=ready,
        )
        _tell_set(desk, view, sheet.power, sheet.lines)
    if not sheets:
        desk.say(_("You have no saved orders for {phase}."), phase=view.phase_code)
    for power in view.ahead if view.sandbox or not desk.power else [desk.power]:
        _tell_kept(desk, view, power)


def own_power(desk: Desk, view: TableView) -> str:
    """Return the power that the writer speaks for; raise `Refused` if the writer has none or several."""
    if desk.power:
        return desk.power
    if len(view.viewer.powers) != 1:
        raise Refused("no-seat", _("You do not play in this game."))
    return view.viewer.powers[0]


def _table(desk: Desk) -> int:
    assert desk.table is not None
    return desk.table.pk


def _read(view: TableView, text: str, author: str) -> OrderSheet:
    """Return the orders of a mail, read; those above any heading belong to `author`."""
    game = view.bare_game
    every = view.viewer.gm or view.sandbox
    own = {author, *(game.rules.powers if every else view.viewer.powers)} - {""}
    try:
        return read(game, author, text, powers=own)
    except GamesmasterError as error:
        raise Refused("bad-orders", str(error)) from error


def _store(desk: Desk, ordinal: int, power: str, sheet: OrderSheet, *, amend: bool | None) -> None:
    _check_newer(desk, power)
    receipt = submission.submit(
        _table(desk), power, sheet, ordinal=ordinal, user=desk.user, channel="mail", amend=amend, now=desk.now
    )
    view = desk.view
    stored = next((sheet for sheet in view.sheets if sheet.power == power), None)
    desk.say(
        _("Saved for {power}, {phase} (set {version}). Your orders are now:"),
        power=power,
        phase=receipt.phase,
        version=receipt.version,
    )
    _tell_set(desk, view, power, stored.lines if stored else ())
    _tell_kept(desk, view, power)
    desk.say("Receipt:", receipts.text_of(receipt))


def _keep(desk: Desk, view: TableView, ordinal: int, power: str, sheet: OrderSheet) -> None:
    """Save a standby's orders, apart from the player's."""
    made = standbys.send(_table(desk), desk.user, sheet, ordinal=ordinal, now=desk.now)
    desk.say(
        _("Saved for {power}, {phase}, in case its player's orders are missing. Your orders are now:"),
        power=power,
        phase=view.phase_code,
    )
    desk.say(*(f"  {text}" for text in made.lines))
    if sheet.later:
        desk.say(_("Orders that a standby sends ahead are not kept."))


def _check_newer(desk: Desk, power: str) -> None:
    """Raise `Refused` for a mail older than the saved orders: it was delayed, or sent again by somebody else."""
    stored = next((sheet for sheet in desk.view.sheets if sheet.power == power), None)
    if stored is not None and desk.written is not None and desk.written < stored.sent_at - CLOCKS_DIFFER:
        older = _("Your mail is older than the orders that are saved for {power}.")
        raise Refused("older", older, _("if you want it to count, write a new mail"), power=power)


def _tell_set(desk: Desk, view: TableView, power: str, lines: tuple[str, ...]) -> None:
    """List orders as the site understands them, with possible slips."""
    _tell_orders(desk, view, lines, view.bare_game.phase.kind)
    if not lines:
        desk.say("  (none)")
    try:
        warnings = drafts.draft_preview(view, power, lines).warnings
    except Refused:
        return
    for warning in warnings[:MOST_LISTED]:
        desk.say(_("  Please check: {warning}."), warning=warning)


def _tell_kept(desk: Desk, view: TableView, power: str) -> None:
    """List the orders kept for later phases."""
    for kept in drafts.kept_orders(view, power):
        desk.say(f"{kept.title}:")
        _tell_orders(desk, view, kept.lines, PhaseKind(kept.kind))


def _tell_orders(desk: Desk, view: TableView, lines: Sequence[str], kind: PhaseKind) -> None:
    """List orders of this kind as the site understands them."""
    notation = view.bare_game.rules.notation
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


def _tell_reading(desk: Desk, read_as: list[str]) -> None:
    """Report how orders in free wording were read."""
    if read_as:
        desk.say(_("How your words were read (lines count from the top of your mail):"))
        desk.say(*(f"  {how}" for how in read_as[:MOST_LISTED]))


def _tell_refusals(desk: Desk, refused: Sequence[SheetLine], text: str) -> None:
    """List the lines that were not understood, with reasons and suggestions."""
    if not refused:
        return
    lines = text.split("\n")
    desk.say("", _("Not understood, and not saved (line numbers count from the top of your mail):"))
    for no in refused[:MOST_LISTED]:
        written = lines[no.line - 1].strip()[:100] if no.line <= len(lines) else ""
        desk.say(f"  {written}", f"    {no}")
    if len(refused) > MOST_LISTED:
        desk.say(_("  ... and {many} more lines."), many=len(refused) - MOST_LISTED)


def process(desk: Desk, command: Command) -> None:
    """Process the phase now."""
    if desk.lacks or desk.refusals:
        why = desk.lacks or _("something above in this mail was not done")
        raise Refused("lacking", _("The phase is not processed: {why}."), _("send that again first"), why=why)
    ordinal = desk.turn()[1]
    access.must_run(Table.objects.get(pk=desk.number), desk.user)
    desk.say(_("The phase: {answer}."), answer=processing.ask(desk.number, ordinal, desk.user, now=desk.now))


def preview(desk: Desk, command: Command) -> None:
    """Preview the results; the log records it."""
    judged = processing.preview(Table.objects.get(pk=desk.number), desk.user, now=desk.now)
    desk.say(preview_report(desk.view.bare_game, judged))


def pause(desk: Desk, command: Command) -> None:
    """Pause or resume the game."""
    desk.view  # noqa: B018  a table that is hidden is none
    (deadlines.pause if command.name == "pause" else deadlines.resume)(desk.number, desk.user, now=desk.now)
    desk.say(_("The game is paused.") if command.name == "pause" else _("The game goes on."))


def extend(desk: Desk, command: Command) -> None:
    """Move the deadline to a time in the table's zone."""
    view = desk.view
    try:
        until = datetime.fromisoformat(f"{command.words[0]} {command.words[1]}")
    except ValueError as error:
        raise Refused("bad-time", _("That is not a time of day.")) from error
    zone = ZoneInfo(view.settings.deadlines.zone)
    deadlines.extend(desk.number, desk.user, until.replace(tzinfo=zone), now=desk.now)
    desk.say(_("The deadline is {time}."), time=desk.view.deadline_wall)
