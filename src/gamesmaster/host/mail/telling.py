"""What a mail may ask: how things stand, what happened, the map, the board in words, the tables that are open."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gamesmaster.errors import nearest
from gamesmaster.host.errors import Refused
from gamesmaster.host.mail.commands import Command
from gamesmaster.host.mail.desk import Desk, listed
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import people, rows, viewing
from gamesmaster.host.service.viewing import BallotView, TableView
from gamesmaster.host.wording import SEAT_STATES, state_words

LONGEST_ANSWER = 200_000  # characters of a history
MOST_TABLES = 50


def status(desk: Desk, command: Command) -> None:
    """Who plays, what is asked of whom, until when; what is known of votes."""
    if desk.table is None:
        _own_tables(desk)
        return
    view = desk.view
    phase, state = view.phase_name or _("not begun"), state_words(view.state)
    desk.say(f"{view.name} ({view.key}): {view.variant_name}, {phase}, {state}")
    if view.deadline:
        desk.say(
            _("Orders are due by {time} ({own_time}).").format(
                time=view.deadline_wall, own_time=people.own_time(desk.user, view.deadline)
            )
        )
    if view.outcome:
        desk.say(view.outcome.text)
    for seat in view.seats:
        told = [
            seat.player or _("nobody"),
            ngettext("{number} centre", "{number} centres", seat.centres).format(number=seat.centres),
            ngettext("{number} unit", "{number} units", seat.units).format(number=seat.units),
            seat.asked,
        ]
        told += [_("orders are in")] if seat.sent else [_("no orders yet")] if seat.sent is False and seat.asked else []
        told += [_("ready")] if seat.ready else []
        told += [str(SEAT_STATES[seat.state])] if seat.state in SEAT_STATES else []
        own = f" {_('(you)')}" if seat.own else ""
        desk.say(f"  {seat.power or _('a seat')}: {listed(t for t in told if t)}{own}")
    for ballot in view.ballots:
        desk.say(f"  {_('Proposed:')} {_proposal(ballot)}")


def _proposal(ballot: BallotView) -> str:
    """What is proposed, how many agree, who, and whether the reader does."""
    told = [_("{count} agree").format(count=ballot.count)] if ballot.count is not None else []
    told += [_("{needed} must agree").format(needed=ballot.needed)] if ballot.needed is not None else []
    told += [listed(ballot.powers)] if ballot.powers else []
    told += [_("you agree")] if ballot.own else []
    return ballot.title + (f" ({'; '.join(told)})" if told else "")


def report(desk: Desk, command: Command) -> None:
    """The results of a phase that is over, of the last if none is named."""
    view = desk.view
    desk.say(view.report(_ordinal(view, command.words[0])))


def history(desk: Desk, command: Command) -> None:
    """The results of all phases."""
    text = desk.view.history()
    desk.say(text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n{_('(The rest is on the site.)')}")


def map_(desk: Desk, command: Command) -> None:
    """The map of a phase, beside the answer."""
    before, code, after = command.words
    view = desk.view
    number = _ordinal(view, code) if code and code.upper() != view.phase_code else None
    kind = before or after or "png"
    desk.attach = f"{kind} {view.ordinal if number is None else number}"
    desk.say(_("The map is attached, as {kind}.").format(kind=kind.upper()))


def board(desk: Desk, command: Command) -> None:
    """The board in words."""
    from gamesmaster.pictures import board_in_words, text_board

    view = desk.view
    if not view.begun:
        desk.say(text_board(view.variant.board, view.position, powers=view.variant.powers, title=view.variant_name))
        return
    game = view.bare_game
    desk.say(board_in_words(game.variant, game.rules, game.phase, game.position))


def open_tables(desk: Desk, command: Command) -> None:
    """The tables that one may sit down at, and one's own."""
    _own_tables(desk)
    desk.say(_("Games with a free seat:"))
    found = Table.objects.filter(state=TableState.FORMING, sandbox=False).order_by("created")[:MOST_TABLES]
    for table in found:
        if rows.settings_of(table).join == "open":
            view = viewing.look(table.key, desk.user)
            places = len(view.variant.powers)
            desk.say(
                f"  {view.key}: {view.name} ({view.variant_name}), "
                + ngettext("{taken} of {seats} seat taken", "{taken} of {seats} seats taken", places).format(
                    taken=len(view.seats), seats=places
                )
            )


def _own_tables(desk: Desk) -> None:
    desk.say(_("Your games:"))
    seats = desk.user.seats.exclude(state="left").select_related("table").order_by("-pk")[:MOST_TABLES]
    for seat in seats:
        table = seat.table
        due = (
            _(", orders due by {own_time}").format(own_time=people.own_time(desk.user, table.deadline))
            if table.deadline
            else ""
        )
        phase = table.phase_code or state_words(table.state)
        desk.say(f"  {table.key}: {table.name}, {seat.power or _('no power yet')}, {phase}{due}")


def _ordinal(view: TableView, code: str) -> int | None:
    """The number of a phase that is over; raises `Refused` if there is none of this code."""
    if not code:
        return None
    codes = [record.phase.code for record in view.records]
    if code.upper() not in codes:
        raise Refused(
            "no-phase",
            _("There are no results for a phase {code}.").format(code=code.upper()[:24]),
            nearest(code, codes),
        )
    return codes.index(code.upper())
