"""Orders by mail, and the mail commands of people who run a game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import keeps_ahead, preview_report
from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.gm import helpers
from gamesmaster.host.mailroom.reading import Command, Wishes
from gamesmaster.host.mailroom.replies import MOST_LISTED, Answer
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import corrections, processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.view import TableView
from gamesmaster.orders import DASH, PhaseKind
from gamesmaster.orders.words import Lexicon, split
from gamesmaster.reading import OrderSheet, SheetLine, read

CLOCKS_DIFFER = timedelta(minutes=15)
"""Tolerated difference between the clock of a player's computer and the site's."""
SHORTEST = 3
"""Letters from which on a word may be the beginning of a province's name."""


def take(answer: Answer, wishes: Wishes) -> None:
    """Save the orders of a mail and report the lines that are not orders.

    An ambiguous name is kept if the rulebook lets the judge decide it. Raise `Refused` if the mail cannot be read.
    """
    unread, answer.lacks = answer.lacks, _("the orders of this mail were not saved")
    view, ordinal = answer.turn()
    stands_by = view.viewer.standby.power if view.viewer.standby else ""
    sheet = _read(view, wishes.sheet, answer.power or stands_by)
    known = sheet.read_only
    ahead = {section.power for section in known.later} - {stands_by} if keeps_ahead(view.house_rules) else set()
    powers = dict.fromkeys(section.power for section in known.sections if section.power)
    written = [power for power in powers if known.lines(power) or power in ahead]
    if not written:
        answer.head(_("(your orders)"))
        answer.say(_("No line of your mail is an order for this phase; nothing was saved."))
    refused_sets = 0
    for power in written:
        answer.head(_("(orders for {power}, {phase})").format(power=power, phase=view.phase_code))
        own = known.of(power)
        try:
            if power == stands_by:
                _keep(answer, view, ordinal, power, own)
            else:
                _store(answer, ordinal, power, own, amend=wishes.amend)
        except Refused as refused:
            refused_sets += 1
            answer.refuse(refused)
        else:
            _tell_reading(answer, own.read_as)
    answer.say(*filter(None, [drafts.lost_words(view.bare_game, sheet)]))
    for power in dict.fromkeys(line.of for line in sheet.refused if line.of):
        answer.head(_("(orders for {power}, {phase})").format(power=power, phase=view.phase_code))
        answer.refuse(Refused("no-seat", _("You do not give orders for {power}."), power=power))
    own_faults = [line for line in sheet.refused if not line.of]
    if sheet.refused:
        answer.lacks = _("some lines of this mail were not understood")
    elif not refused_sets:
        answer.lacks = unread
    _tell_refusals(answer, own_faults, wishes.sheet)


def has_orders(answer: Answer, wishes: Wishes) -> bool:
    """Return whether a mail has a command, an order, or a line that begins like one (`A Par`, `A Xyz -`)."""
    if wishes.commands or wishes.table or wishes.phase:
        return True
    try:
        view = answer.view
        sheet = _read(view, wishes.sheet, answer.power)
    except GamesmasterError:
        return False
    lexicon = view.bare_game.rules.notation.lexicon
    lines = (line for section in sheet.sections for line in section.lines)
    return any(line.order or (line.what and _names_unit(lexicon, line.text)) for line in lines)


def _names_unit(lexicon: Lexicon, text: str) -> bool:
    """Return whether a text begins with a kind of unit, and a place or a word before a dash: not "A friend wrote"."""
    words = [word.key for word in split(text)]
    at = next((at for at, word in enumerate(words) if word.isalnum()), len(words))
    kind, place, behind = [*words[at : at + 3], "", "", ""][:3]
    if kind not in lexicon.kinds:
        return False
    begins = any(name.startswith(place) for name in lexicon.places.exact) if len(place) >= SHORTEST else False
    return begins or place in lexicon.places.exact or behind == DASH


def clear(answer: Answer, command: Command) -> None:
    """Withdraw all orders for the phase, and those sent ahead."""
    view, ordinal = answer.turn()
    receipt = submission.submit(
        _table(answer),
        own_power(answer, view),
        "",
        Submission(ordinal, channel="mail", amend=False, drop=tuple(drafts.KEPT)),
        user=answer.user,
        now=answer.now,
    )
    answer.say(
        _("No orders are saved for {power}, {phase}.").format(power=receipt.power, phase=receipt.phase),
        receipts.text_of(receipt),
    )


def show(answer: Answer, command: Command) -> None:
    """List the writer's saved orders."""
    view = answer.view
    sheets = view.sheets if view.sandbox or not answer.power else [s for s in view.sheets if s.power == answer.power]
    for sheet in sheets:
        ready = "ready" if sheet.confirmed else _("waiting for the deadline") if sheet.hold else _("not ready yet")
        answer.say(
            _("{power}, {phase}, set {version} ({ready}):"),
            power=sheet.power,
            phase=view.phase_code,
            version=sheet.version,
            ready=ready,
        )
        _tell_set(answer, view, sheet.power, sheet.lines)
    if not sheets:
        answer.say(_("You have no saved orders for {phase}."), phase=view.phase_code)
    for power in view.ahead if view.sandbox or not answer.power else [answer.power]:
        _tell_kept(answer, view, power)


def own_power(answer: Answer, view: TableView) -> str:
    """Return the power that the writer speaks for; raise `Refused` if the writer has none or several."""
    if answer.power:
        return answer.power
    if len(view.viewer.powers) != 1:
        raise Refused("no-seat", _("You do not play in this game."))
    return view.viewer.powers[0]


def _table(answer: Answer) -> int:
    assert answer.table is not None
    return answer.table.pk


def _read(view: TableView, text: str, author: str) -> OrderSheet:
    """Return the orders of a mail, read; those above any heading belong to `author`."""
    game = view.bare_game
    every = view.viewer.gm or view.sandbox
    own = {author, *(game.rules.powers if every else view.viewer.powers)} - {""}
    try:
        return read(game, author, text, powers=own)
    except GamesmasterError as error:
        raise Refused("bad-orders", str(error)) from error


def _store(answer: Answer, ordinal: int, power: str, sheet: OrderSheet, *, amend: bool | None) -> None:
    _check_newer(answer, power)
    receipt = submission.submit(
        _table(answer),
        power,
        sheet,
        Submission(ordinal, channel="mail", amend=amend),
        user=answer.user,
        now=answer.now,
    )
    view = answer.view
    stored = next((sheet for sheet in view.sheets if sheet.power == power), None)
    answer.say(
        _("Saved for {power}, {phase} (set {version}). Your orders are now:"),
        power=power,
        phase=receipt.phase,
        version=receipt.version,
    )
    _tell_set(answer, view, power, stored.lines if stored else ())
    _tell_kept(answer, view, power)
    answer.say("Receipt:", receipts.text_of(receipt))


def _keep(answer: Answer, view: TableView, ordinal: int, power: str, sheet: OrderSheet) -> None:
    """Save a standby's orders, apart from the player's."""
    made = standbys.send(_table(answer), answer.user, sheet, ordinal=ordinal, now=answer.now)
    answer.say(
        _("Saved for {power}, {phase}, in case its player's orders are missing. Your orders are now:"),
        power=power,
        phase=view.phase_code,
    )
    answer.say(*(f"  {text}" for text in made.lines))
    if sheet.later:
        answer.say(_("Orders that a standby sends ahead are not kept."))


def _check_newer(answer: Answer, power: str) -> None:
    """Raise `Refused` for a mail older than the saved orders: it was delayed, or sent again by somebody else."""
    stored = next((sheet for sheet in answer.view.sheets if sheet.power == power), None)
    if stored is not None and answer.written is not None and answer.written < stored.sent_at - CLOCKS_DIFFER:
        older = _("Your mail is older than the orders that are saved for {power}.")
        raise Refused("older", older, _("if you want it to count, write a new mail"), power=power)


def _tell_set(answer: Answer, view: TableView, power: str, lines: tuple[str, ...]) -> None:
    """List orders as the site understands them, with possible slips."""
    _tell_orders(answer, view, lines, view.bare_game.phase.kind)
    if not lines:
        answer.say("  (none)")
    try:
        warnings = drafts.draft_preview(view, power, lines).warnings
    except Refused:
        return
    for warning in warnings[:MOST_LISTED]:
        answer.say(_("  Please check: {warning}."), warning=warning)


def _tell_kept(answer: Answer, view: TableView, power: str) -> None:
    """List the orders kept for later phases."""
    for kept in drafts.kept_orders(view, power):
        answer.say(f"{kept.title}:")
        _tell_orders(answer, view, kept.lines, PhaseKind(kept.kind))


def _tell_orders(answer: Answer, view: TableView, lines: Sequence[str], kind: PhaseKind) -> None:
    """List orders of this kind as the site understands them."""
    notation = view.bare_game.rules.notation
    for text in lines:
        try:
            answer.say(f"  {notation.write(notation.read(text, kind), full=True)}")
        except GamesmasterError as error:
            answer.say(
                f"  {text[:200]}",
                _("    (unclear: {what}{value})").format(
                    what=error.what, value=f"; {error.hint}" if error.hint else ""
                ),
            )


def _tell_reading(answer: Answer, read_as: list[str]) -> None:
    """Report how orders in free wording were read."""
    if read_as:
        answer.say(_("How your words were read (lines count from the top of your mail):"))
        answer.say(*(f"  {how}" for how in read_as[:MOST_LISTED]))


def _tell_refusals(answer: Answer, refused: Sequence[SheetLine], text: str) -> None:
    """List the lines that were not understood, with reasons and suggestions."""
    if not refused:
        return
    lines = text.split("\n")
    answer.say("", _("Not understood, and not saved (line numbers count from the top of your mail):"))
    for no in refused[:MOST_LISTED]:
        written = lines[no.line - 1].strip()[:100] if no.line <= len(lines) else ""
        answer.say(f"  {written}", f"    {no}")
    if len(refused) > MOST_LISTED:
        answer.say(_("  ... and {many} more lines."), many=len(refused) - MOST_LISTED)


def process(answer: Answer, command: Command) -> None:
    """Process the phase now."""
    if answer.lacks or answer.refusals:
        why = answer.lacks or _("something above in this mail was not done")
        raise Refused("lacking", _("The phase is not processed: {why}."), _("send that again first"), why=why)
    ordinal = answer.turn()[1]
    access.must_run(Table.objects.get(pk=answer.number), answer.user)
    answer.say(_("The phase: {answer}."), answer=processing.ask(answer.number, ordinal, answer.user, now=answer.now))


def preview(answer: Answer, command: Command) -> None:
    """Preview the results; the log records it."""
    judged = processing.preview(Table.objects.get(pk=answer.number), answer.user, now=answer.now)
    answer.say(preview_report(answer.view.bare_game, judged))


def correct(answer: Answer, command: Command) -> None:
    """Preview a correction of the board, carry it out if the command says so, or undo the last one."""
    ordinal = answer.turn()[1]
    if command.name == "uncorrect":
        corrections.undo(answer.number, ordinal, answer.user, now=answer.now)
        answer.say(_("The last correction of the board has been undone, and everyone has been told."))
        return
    wanted = corrections.read_text(command.text)
    trial = corrections.preview(Table.objects.get(pk=answer.number), ordinal, wanted, answer.user)
    answer.say(*(f"  {change}" for change in trial.changes))
    if command.words[0]:
        corrections.correct(answer.number, ordinal, wanted, answer.user, seen=trial.mark, now=answer.now)
        answer.say(_("The board is corrected, and everyone has been told."))
    else:
        answer.say(_("Nothing is changed yet. To do it, send the same lines below CORRECT BOARD SURE."))


def helper(answer: Answer, command: Command) -> None:
    """Name a helper, or end somebody's help."""
    answer.view  # noqa: B018  a table that is hidden is none
    no, name = command.words
    found = User.objects.filter(username__iexact=name).first()  # commands are read in lower case
    known = found.username if found else name
    if no:
        helpers.drop(answer.number, known, answer.user, now=answer.now)
        answer.say(_("{name} is no longer a helper, and everyone has been told."), name=known)
    else:
        helpers.name(answer.number, known, answer.user, now=answer.now)
        answer.say(_("{name} is a helper now, and everyone has been told."), name=known)


def pause(answer: Answer, command: Command) -> None:
    """Pause or resume the game."""
    answer.view  # noqa: B018  a table that is hidden is none
    (deadlines.pause if command.name == "pause" else deadlines.resume)(answer.number, answer.user, now=answer.now)
    answer.say(_("The game is paused.") if command.name == "pause" else _("The game goes on."))


def extend(answer: Answer, command: Command) -> None:
    """Move the deadline to a time in the table's zone."""
    view = answer.view
    try:
        until = datetime.fromisoformat(f"{command.words[0]} {command.words[1]}")
    except ValueError as error:
        raise Refused("bad-time", _("That is not a time of day.")) from error
    zone = ZoneInfo(view.settings.deadlines.zone)
    deadlines.extend(answer.number, answer.user, until.replace(tzinfo=zone), now=answer.now)
    answer.say(_("The deadline is {time}."), time=answer.view.deadline_wall)
