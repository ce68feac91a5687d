"""Carries out what a mail asks for, on behalf of the address's owner, by the services that pages use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.accounts import people
from gamesmaster.host.games import seats, standbys
from gamesmaster.host.mailroom import order_mails, replies
from gamesmaster.host.mailroom.reading import HELP, Command, Wishes
from gamesmaster.host.mailroom.replies import MOST_LISTED, Answer
from gamesmaster.host.moderation import oversight
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.phases import endgame, votes
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, ballots, store
from gamesmaster.host.tables.models import Seat, Table
from gamesmaster.host.tables.notifications import CHOSEN
from gamesmaster.host.tables.view import TableView

MOST_COMMANDS = 40
QUESTIONS = frozenset({"help", "history", "report", "board", "list", "map"})
"""Commands that change nothing, and so are answered only once per mail."""


def carry_out(answer: Answer, wishes: Wishes) -> None:
    """Carry out a mail: its orders first, then its commands in order.

    A refused command does not stop the others.
    """
    if wishes.table:
        _attempt(answer, lambda: answer.turn_to(wishes.table))
    answer.phase = wishes.phase
    if wishes.sheet.strip():
        _take_orders(answer, wishes)
    answered = set[tuple[str, tuple[str, ...]]]()
    for command in wishes.commands[:MOST_COMMANDS]:
        if command.name in QUESTIONS and (command.name, command.words) in answered:
            continue  # answered already
        answered.add((command.name, command.words))
        answer.head(command.quote or command.name)
        _attempt(answer, lambda command=command: COMMANDS[command.name](answer, command))  # type: ignore[misc]
    if len(wishes.commands) > MOST_COMMANDS:
        answer.say(
            "",
            _("There are more than {most_commands} commands; the others were not read.").format(
                most_commands=MOST_COMMANDS
            ),
        )
    if not answer.lines:
        answer.say(
            _("There was no order and no command in your mail. Reply HELP on a line by itself to see what is possible.")
        )


def _take_orders(answer: Answer, wishes: Wishes) -> None:
    """Take the lines that are not commands as orders; quote them if none can be taken."""
    before = len(answer.lines)
    try:
        order_mails.take(answer, wishes)
    except Refused as refused:
        if len(answer.lines) == before:
            lines = [line.strip() for line in wishes.sheet.split("\n") if line.strip()]
            answer.head(*lines[:MOST_LISTED])
            if answer.table is None:
                answer.say(_("This is not a command, so it was taken for orders."))
        answer.refuse(refused)


def _attempt(answer: Answer, work: Callable[[], object]) -> None:
    try:
        work()
    except Refused as refused:
        answer.refuse(refused)
    except GamesmasterError as error:
        answer.refuse(Refused("refused", error.what, error.hint))


def _words(text: str) -> list[str]:
    """Split a list at commas, semicolons, `&` and `and`."""
    parts = text.replace("&", ",").replace(";", ",").replace(" and ", ",").split(",")
    return [part.strip() for part in parts if part.strip()]


def _read_powers(view: TableView, text: str) -> list[str]:
    """Return the full names of the powers in a list; raise `NotFound`."""
    return [view.variant.power(word).name for word in _words(text)]


def _readers(view: TableView, text: str) -> list[str]:
    """Return the readers of press: powers by full name, and the Gamesmaster by any of the usual names."""
    house = ("gamesmaster", "gm", "master", "m")
    return [correspondence.HOUSE if word in house else view.variant.power(word).name for word in _words(text)]


# -- orders ----------------------------------------------------------------------------------------------------------


def _confirm(answer: Answer, command: Command) -> None:
    view, ordinal = answer.turn()
    ready = command.name == "confirm"
    if ready and answer.lacks:
        why = _("You are not ready: {why}.").format(why=answer.lacks)
        raise Refused("lacking", why, _("send those orders again, and then say that you are ready"))
    power = order_mails.own_power(answer, view)
    submission.confirm(answer.number, power, ready=ready, ordinal=ordinal, user=answer.user, now=answer.now)
    answer.say(_("You are ready: your orders are final.") if ready else _("You are no longer ready."))
    if ready:
        answer.say(*(_("  Please check: {lack}.").format(lack=lack) for lack in drafts.lacks_of(view, power)))


def _wait(answer: Answer, command: Command) -> None:
    view, ordinal = answer.turn()
    wait = command.name == "wait"
    power = order_mails.own_power(answer, view)
    submission.hold(answer.number, power, wait=wait, ordinal=ordinal, user=answer.user, now=answer.now)
    answer.say(
        _("The phase will not be processed before its deadline.") if wait else _("The phase may be processed early.")
    )


# -- press and votes --------------------------------------------------------------------------------------------------


def _press(answer: Answer, command: Command) -> None:
    view = answer.view
    reader, grey = command.words[1], bool(command.words[0])
    to = [correspondence.ALL] if reader in ("all", "everybody", "everyone") else _readers(view, reader)
    power = "" if view.viewer.gm and not answer.power else order_mails.own_power(answer, view)
    correspondence.send(answer.number, power, Press(command.text, to, grey=grey), user=answer.user, now=answer.now)
    readers = _("everybody") if to == [correspondence.ALL] else ", ".join(to)
    answer.say(_("Sent to {readers}: {number} characters."), readers=readers, number=f"{len(command.text):,}")


def _end(answer: Answer, command: Command) -> None:
    view, ordinal = answer.turn()
    if command.name == "concede":
        winners = _read_powers(view, command.words[0])[:1]
        says = _("You agree that {to} wins.").format(to=", ".join(winners))
    else:
        winners = _read_powers(view, command.words[0]) if command.words[0] else list(view.bare_game.survivors)
        says = _("You agree to a draw of {among}.").format(among=", ".join(winners))
    power = order_mails.own_power(answer, view)
    over = votes.cast(answer.number, power, winners, ordinal=ordinal, user=answer.user, now=answer.now)
    answer.say(says, *([_("Your vote was the last one needed: the game is over.")] if over else []))


def _unvote(answer: Answer, command: Command) -> None:
    view, ordinal = answer.turn()
    power = order_mails.own_power(answer, view)
    kind = command.words[0] if command.words else ""
    if not kind:
        kinds = votes.withdraw(answer.number, power, ordinal=ordinal, user=answer.user, now=answer.now)
        answer.say(
            _("Your votes are withdrawn: {kinds}.").format(kinds=", ".join(kinds))
            if kinds
            else _("You had no vote to withdraw.")
        )
    elif kind in ("draw", "end"):
        votes.cast(answer.number, power, (), ordinal=ordinal, user=answer.user, now=answer.now)
        answer.say(_("You no longer agree to an end of the game."))
    else:
        votes.withdraw(answer.number, power, kind, ordinal=ordinal, user=answer.user, now=answer.now)
        answer.say(_("You no longer agree to {what}."), what=ballots.TITLES[kind])


def _wish(answer: Answer, command: Command) -> None:
    view, ordinal = answer.turn()
    power, kind = order_mails.own_power(answer, view), command.words[0]
    carried = votes.wish(answer.number, power, kind, ordinal=ordinal, user=answer.user, now=answer.now)
    agreed = _("You agree to {what}.").format(what=ballots.TITLES[kind])
    answer.say(agreed, *([_("Your vote was the last one needed.")] if carried else []))


# -- tables and people -----------------------------------------------------------------------------------------------


def _join(answer: Answer, command: Command) -> None:
    key, power, wishes, invitation = command.words
    view = access.look(key, answer.user, invitation=invitation)
    wanted = _read_powers(view, wishes) if wishes else _read_powers(view, power) if power else []
    seat = seats.join(
        Table.objects.get(key=key), answer.user, invitation=invitation, preferences=wanted,
        power=wanted[0] if power else "", now=answer.now,
    )  # fmt: skip
    if view.viewer.seat is not None:
        _say_seat(answer, view, seat)
    elif seat.power:
        answer.say(_("You have joined {game} as {power}."), game=view.name, power=seat.power)
    else:
        answer.say(_("You have joined {game}."), game=view.name)
    if wanted and seat.power not in wanted:
        answer.say(_answer_wish(view, seat, wanted))
    answer.table, answer.power, answer.ordinal = Table.objects.get(key=key), seat.power or "", None


def _answer_wish(view: TableView, seat: Seat, wanted: Sequence[str]) -> str:
    """Return a sentence on why the seat does not have one of the powers wished for."""
    wishes = ", ".join(wanted)
    by_wishes = store.settings_of(seat.table).powers == "preference"
    if seat.power and by_wishes:
        return _("Your wish for {powers} could not be granted: others had the same wish.").format(powers=wishes)
    if seat.power:
        return _("Your wish for {powers} had no effect: powers were drawn by lot.").format(powers=wishes)
    if by_wishes and seat.preferences == [*wanted]:
        return _("Your wish for {powers} is noted: powers are given out by wishes when the game begins.").format(
            powers=wishes
        )
    if by_wishes:
        return _("Your wish for {powers} comes too late: leave the game and join it again to change it.").format(
            powers=wishes
        )
    return _("Your wish for {powers} has no effect: powers are drawn by lot when the game begins.").format(
        powers=wishes
    )


def _back(answer: Answer, command: Command) -> None:
    view = answer.view
    if view.viewer.seat is None:
        raise Refused("no-seat", _("You have no seat in this game to come back to."), f"JOIN {view.key.upper()}")
    _say_seat(answer, view, seats.join(answer.number, answer.user, now=answer.now))


def _say_seat(answer: Answer, view: TableView, seat: Seat) -> None:
    says = _("You play {power} in {name}.") if seat.power else _("You have a seat in {name}.")
    answer.say(says, power=seat.power, name=view.name)


def _leave(answer: Answer, command: Command) -> None:
    view = access.look(command.words[0], answer.user)
    seats.leave(Table.objects.get(key=view.key), answer.user, now=answer.now)
    answer.say(_("You have left {name}."), name=view.name)


def _standby(answer: Answer, command: Command) -> None:
    no, key, power, invitation = command.words
    view = access.look(key, answer.user, invitation=invitation)
    table = Table.objects.get(key=view.key)
    if no:
        standbys.withdraw(table, answer.user, now=answer.now)
        answer.say(_("You are no longer a standby in {name}."), name=view.name)
        return
    wish = view.variant.power(power).name if power else ""
    made = standbys.offer(table, answer.user, wish=wish, invitation=invitation, now=answer.now)
    answer.say(
        _("You are a standby in {game}, for {power}.").format(game=view.name, power=wish)
        if wish
        else _("You are a standby in {game}.").format(game=view.name)
    )
    if made.power:
        answer.say(_("Please send orders for {power} now: an e-mail about it is on its way."), power=made.power)


def _statement(answer: Answer, command: Command) -> None:
    answer.view  # noqa: B018  a table that is hidden is none
    endgame.state(answer.number, answer.user, command.text, now=answer.now)
    answer.say(_("Your statement is on the game's page.") if command.text else _("Your statement has been deleted."))


def _complain(answer: Answer, command: Command) -> None:
    key = answer.table.key if answer.table is not None else ""
    oversight.complain(answer.user, command.words[0], command.text, key=key, now=answer.now)
    answer.say(_("Your report has been sent. The answer will come by mail, and is shown on your account page."))


def _away(answer: Answer, command: Command) -> None:
    try:
        begins = date.fromisoformat(command.words[0])
        ends = date.fromisoformat(command.words[1] or command.words[0])
    except ValueError as error:
        raise Refused("bad-days", _("There is no such date.")) from error
    people.go_away(answer.user, begins, ends, now=answer.now)
    answer.say(_("You are away from {begins} to {ends}."), begins=begins, ends=ends)


def _stop(answer: Answer, command: Command) -> None:
    wanted = command.name == "start"
    kinds = [kind for kind in CHOSEN if command.words[0] in ("", "all", kind)]
    people.choose(answer.user, {"notices": dict.fromkeys(kinds, "mail" if wanted else "none")})
    says = (
        _("You will get e-mails of these kinds: {kinds}.")
        if wanted
        else _("You will no longer get e-mails of these kinds: {kinds}.")
    )
    answer.say(says.format(kinds=", ".join(kinds)))


COMMANDS: dict[str, Callable[[Answer, Command], None]] = {
    "help": lambda answer, command: answer.say(HELP),
    "orders": order_mails.show,
    "clear": order_mails.clear,
    "confirm": _confirm,
    "unconfirm": _confirm,
    "wait": _wait,
    "nowait": _wait,
    "press": _press,
    "draw": _end,
    "concede": _end,
    "unvote": _unvote,
    "wish": _wish,
    "join": _join,
    "back": _back,
    "leave": _leave,
    "standby": _standby,
    "complain": _complain,
    "statement": _statement,
    "away": _away,
    "stop": _stop,
    "start": _stop,
    "process": order_mails.process,
    "preview": order_mails.preview,
    "correct": order_mails.correct,
    "uncorrect": order_mails.correct,
    "helper": order_mails.helper,
    "pause": order_mails.pause,
    "resume": order_mails.pause,
    "extend": order_mails.extend,
    "status": replies.status,
    "report": replies.report,
    "history": replies.history,
    "map": replies.map_,
    "board": replies.board,
    "list": replies.open_tables,
}
"""The function of each command."""
