"""What a mail may ask: how things stand, what happened, the map, the board in words, the tables that are open."""

from __future__ import annotations

from gamesmaster.errors import nearest
from gamesmaster.host.errors import Refused
from gamesmaster.host.mail.commands import Command
from gamesmaster.host.mail.desk import Desk, listed
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import people, rows, viewing
from gamesmaster.host.service.viewing import BallotView, TableView

LONGEST_ANSWER = 200_000  # characters of a history
MOST_TABLES = 50


def status(desk: Desk, command: Command) -> None:
    """Who plays, what is asked of whom, until when; what is known of votes."""
    if desk.table is None:
        _own_tables(desk)
        return
    view = desk.view
    desk.say(f"{view.name} ({view.key}): {view.variant_name}, {view.phase_name or 'not begun'}, {view.state}")
    if view.deadline:
        desk.say(f"Orders are due by {view.deadline_wall} ({people.own_time(desk.user, view.deadline)}).")
    if view.outcome:
        desk.say(view.outcome.text)
    for seat in view.seats:
        told = [seat.player or "nobody", f"{seat.centres} centres", f"{seat.units} units", seat.asked]
        told += ["orders are in"] if seat.sent else ["no orders yet"] if seat.sent is False and seat.asked else []
        told += ["ready"] if seat.ready else []
        told += [seat.state] if seat.state != "sitting" else []
        desk.say(f"  {seat.power or 'a seat'}: {listed(t for t in told if t)}{' (you)' if seat.own else ''}")
    for ballot in view.ballots:
        desk.say(f"  Proposed: {_proposal(ballot)}")


def _proposal(ballot: BallotView) -> str:
    """What is proposed, how many agree, who, and whether the reader does."""
    told = [f"{ballot.count} agree"] if ballot.count is not None else []
    told += [f"{ballot.needed} must agree"] if ballot.needed is not None else []
    told += [listed(ballot.powers)] if ballot.powers else []
    return ballot.title + (f" ({'; '.join(told)})" if told else "") + (", you agree" if ballot.own else "")


def report(desk: Desk, command: Command) -> None:
    """The results of a phase that is over, of the last if none is named."""
    view = desk.view
    desk.say(view.report(_ordinal(view, command.words[0])))


def history(desk: Desk, command: Command) -> None:
    """The results of all phases."""
    text = desk.view.history()
    desk.say(text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]}\n(The rest is on the site.)")


def map_(desk: Desk, command: Command) -> None:
    """The map of a phase, beside the answer."""
    before, code, after = command.words
    view = desk.view
    number = _ordinal(view, code) if code and code.upper() != view.phase_code else None
    kind = before or after or "png"
    desk.attach = f"{kind} {view.ordinal if number is None else number}"
    desk.say(f"The map is attached, as {kind.upper()}.")


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
    desk.say("Games with a free seat:")
    found = Table.objects.filter(state=TableState.FORMING, sandbox=False).order_by("created")[:MOST_TABLES]
    for table in found:
        if rows.settings_of(table).join == "open":
            view = viewing.look(table.key, desk.user)
            desk.say(
                f"  {view.key}: {view.name} ({view.variant_name}), {len(view.seats)} of {_places(view)} seats taken"
            )


def _places(view: TableView) -> int:
    return len(view.variant.powers)


def _own_tables(desk: Desk) -> None:
    desk.say("Your games:")
    seats = desk.user.seats.exclude(state="left").select_related("table").order_by("-pk")[:MOST_TABLES]
    for seat in seats:
        table = seat.table
        due = f", orders due by {people.own_time(desk.user, table.deadline)}" if table.deadline else ""
        desk.say(f"  {table.key}: {table.name}, {seat.power or 'no power yet'}, {table.phase_code or table.state}{due}")


def _ordinal(view: TableView, code: str) -> int | None:
    """The number of a phase that is over; raises `Refused` if there is none of this code."""
    if not code:
        return None
    codes = [record.phase.code for record in view.records]
    if code.upper() not in codes:
        raise Refused("no-phase", f"There are no results for a phase {code.upper()[:24]}.", nearest(code, codes))
    return codes.index(code.upper())
