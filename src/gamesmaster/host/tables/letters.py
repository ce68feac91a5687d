"""Letters: e-mails and public notices about events of a game, with one small function per event.

A letter is made once and rendered for each reader: `you play France`, the deadline in the reader's time zone. Letters
about changes of seats are in `seat_letters`. No letter contains unpublished orders, except the reader's own that were
sent ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import DueOrders, Game, Status, centre_counts, report, unit_counts, unit_lists
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.models import Message, Seat, Table
from gamesmaster.host.tables.view import in_site_language


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a letter."""

    power: str = ""  # the power that the reader plays; "" for none
    zone: str = ""  # the reader's time zone


Said: TypeAlias = str | Promise
"""A sentence, or a lazy translation that is rendered when a letter is written."""
Line: TypeAlias = Said | Callable[[Reader], str]
"""A paragraph or subject: the same for all, or a function of the reader; "" is left out."""
GAMESMASTER = "Gamesmaster"
"""Writer or reader of press without a power."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter about an event. `dedupe` of `OutMail` uses `key` to send it to each person once."""

    event: str  # kind of event, for readers' choices of mail
    subject: Line
    body: Line
    notice: str = ""  # public notice for the page of press; "" for none
    key: str = field(default_factory=lambda: uuid4().hex)  # identifies the happening


def as_read(line: Line, reader: Reader) -> str:
    """Return a subject or paragraph as this reader gets it."""
    return line(reader) if callable(line) else str(line)


def table_letter(table: Table, event: str, what: Line, *lines: Line, notice: str = "", key: str = "") -> Letter:
    """Return a letter about a table, with its name in the subject and its URL at the end."""

    def subject(reader: Reader) -> str:
        return " ".join(f"[{table.name}] {as_read(what, reader)}".split())[:200]

    def body(reader: Reader) -> str:
        paragraphs = [text for text in (as_read(line, reader) for line in lines) if text]
        return "\n\n".join([*paragraphs, f"{_('The game:')} {_address(table)}\n"])

    return Letter(event, subject, body, notice, **({"key": key} if key else {}))


def _address(table: Table) -> str:
    return f"{settings.BASE_URL}/t/{table.key}/"


def once(table: Table, what: str) -> str:
    """Return the key of an event that happens once per phase. A phase played again after a rollback has a new key."""
    began = table.phase_began.timestamp() if table.phase_began else 0
    return f"{what}.{table.ordinal}.{began:.3f}"


def doer(table: Table, user: User | None) -> Promise:
    """Return who acts at a table, without a name, as the lazy beginning of a sentence."""
    if store.is_gm(table, user):
        return gettext_lazy("The Gamesmaster")
    owns = user is not None and table.owner_id == user.pk
    return gettext_lazy("The owner of the game") if owns else gettext_lazy("An admin of the site")


def due(table: Table, *, moved: bool = False) -> Line:
    """Return the line on when orders are due; with `moved` it says that the deadline was moved.

    It shows the promised deadline, and the reader's local time if that is different.
    """
    code, by = table.phase_code, deadline(table)

    def tell(reader: Reader) -> str:
        if not by(reader):
            return _("There is no deadline.")
        says = _("Orders for {phase} are now due by {time}.") if moved else _("Orders for {phase} are due by {time}.")
        return says.format(phase=code, time=by(reader))

    return tell


def deadline(table: Table, *, brief: bool = False) -> Callable[[Reader], str]:
    """Return a function of the reader: the deadline as promised and in the reader's zone.

    With `brief` it returns the latter only; without a deadline, "".
    """
    at, wall = table.deadline, table.deadline_wall

    def tell(reader: Reader) -> str:
        if at is None or not reader.zone or wall.endswith(f" {reader.zone}"):
            return wall
        there = clock.on_the_wall(at, reader.zone)
        return there if brief else _("{promised} ({there} for you)").format(promised=wall, there=there)

    return tell


def duty(table: Table, game: Game) -> Line:
    """Return the line on the orders that are due from the reader, and when."""
    status = {one.power: one for one in game.status}
    name, general, by = game.variant.calendar.name(game.phase), due(table), deadline(table)

    def tell(reader: Reader) -> str:
        one, until = status.get(reader.power), by(reader)
        if one is None:
            return as_read(general, reader)
        if one.disorder:
            says = _("{phase}: {power} is in civil disorder, so no orders are expected.")
        elif not one.is_due:
            says = (
                _("{phase}: you have nothing to send. The phase ends by {until}.")
                if until
                else _("{phase}: you have nothing to send.")
            )
        elif _single(one):
            says = (
                _("{phase}: {what} is due by {until}.") if until else _("{phase}: {what} is due; there is no deadline.")
            )
        else:
            says = (
                _("{phase}: {what} are due by {until}.")
                if until
                else _("{phase}: {what} are due; there is no deadline.")
            )
        what = f"{one.text[:1].upper()}{one.text[1:]}"
        return says.format(phase=name, power=one.power, what=what, until=until)

    return tell


def _single(one: Status) -> bool:
    """Return whether the text names a single thing, for the verb's number."""
    return one.text.startswith("a ") and "," not in one.text


# -- the course of a game --------------------------------------------------------------------------------------------


@in_site_language
def beginning(table: Table, game: Game, seats: Collection[Seat]) -> Letter:
    """Return the letter that the game begins: the reader's power, orders due, and the players if they are public."""
    if names_public(table):
        head = _("The players:")
        players = [f"  {s.power}: {s.user.username if s.user else _('a bot')}" for s in seats]
    else:
        head, players = _("The powers (players stay anonymous):"), [f"  {s.power}" for s in seats]
    order = [power.name for power in game.variant.powers]
    players.sort(key=lambda line: order.index(line.strip().partition(":")[0]))
    return table_letter(
        table,
        "started",
        lambda reader: (
            _("the game begins: you play {power}").format(power=reader.power) if reader.power else _("the game begins")
        ),
        lambda reader: (
            _("The game begins. You play {power}.").format(power=reader.power)
            if reader.power
            else _("The game begins.")
        ),
        duty(table, game),
        "\n".join([head, *players]),
        "\n".join([_("The units:"), *_positions(game)]),
        *(
            "\n".join([f"{heading}:", *(f"  {line}" for line in lines)])
            for heading, lines in game.ledger.sections.items()
        ),
        _("The map: {url} (reply MAP on a line by itself to get it by mail)").format(
            url=f"{settings.BASE_URL}/t/{table.key}/map.svg"
        ),
        _(
            "The dice are fixed from the start: SHA-256 of their seed is {commitment}. You get "
            "the seed when the game is over, so that you can check it."
        ).format(commitment=game.dice.commitment),
        notice=_("The game begins. SHA-256 of the seed: {commitment}").format(commitment=game.dice.commitment),
    )


def _positions(game: Game) -> list[str]:
    """Return a line for each power, and for neutral units, with units and places."""
    return [f"  {power}: {', '.join(units)}" for power, units in unit_lists(game.variant, game.position).items()]


def names_public(table: Table, *, over: bool = False) -> bool:
    """Return whether everybody may know who plays which power."""
    anonymity = store.settings_of(table).anonymity
    return anonymity == "none" or (over and anonymity == "until_end")


def report_of(game: Game) -> str:
    """Return the report of the last phase. An error becomes its text, so that it does not delay the phase."""
    try:
        return report(game)
    except GamesmasterError as error:
        return str(error)


@in_site_language
def phase_over(table: Table, game: Game, report: str, sent: Collection[DueOrders] = ()) -> Letter:
    """Return the letter with the results of a phase: orders due next, orders `sent` ahead, and the report."""
    ahead = {due.power: due for due in sent}
    code = game.records[-1].phase.code
    following = "" if game.outcome else duty(table, game)
    return table_letter(
        table,
        "phase",
        _("results of {code}").format(code=code),
        following,
        lambda reader: due_words(ahead[reader.power]) if reader.power in ahead else "",
        report.strip("\n"),
        key=once(table, "phase"),
    )


@in_site_language
def due_words(due: DueOrders) -> str:
    """Return what happened to the orders that a reader sent ahead for the phase that begins."""
    said = []
    if due.orders:
        head = _("These orders that you sent ahead are saved now; you can still change them:")
        said += [head, *(f"  {text}" for text in due.orders)]
    if due.missing:
        said += [_("None of the orders that you sent ahead is possible here:"), *(f"  {lack}" for lack in due.missing)]
        said += [f"  {no.given}: {no.text} ({no.clause})" for no in due.rejected]
    return "\n".join(said)


@in_site_language
def ending(table: Table, game: Game, seats: Collection[Seat], unrated: str = "") -> Letter:
    """Return the letter that the game is over: the result, the final table, and the seed of the dice.

    `unrated` is a sentence on why the game is not rated, if worth mentioning.
    """
    outcome = game.outcome.text if game.outcome else _("The Gamesmaster has ended the game.")
    outcome = f"{outcome} {unrated}".rstrip()
    names = (
        {s.power or "": s.user.username if s.user else _("a bot") for s in seats}
        if names_public(table, over=True)
        else {}
    )
    stands = [f"  {line}" for line in _standings(game, names)]
    return table_letter(
        table,
        "finished",
        _("the game is over"),
        outcome,
        "\n".join([_("The final table:"), *stands]),
        _("The seed of the dice was {hex}. Its SHA-256 is {commitment}, as you were told when the game began.").format(
            hex=game.seed.hex(), commitment=game.dice.commitment
        ),
        notice=outcome,
    )


def _standings(game: Game, names: dict[str, str]) -> list[str]:
    """Return a line for each power with its centres and units at the end, most centres first."""
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    powers = sorted((p.name for p in game.variant.powers), key=lambda power: -centres.get(power, 0))
    return [
        f"{power}{f' ({names[power]})' if power in names else ''}: "
        f"{_centres(centres.get(power, 0))}, {_units(units.get(power, 0))}"
        for power in powers
    ]


def _centres(number: int) -> str:
    if not number:
        return _("no centres")
    return ngettext("{number} centre", "{number} centres", number).format(number=number)


def _units(number: int) -> str:
    if not number:
        return _("no units")
    return ngettext("{number} unit", "{number} units", number).format(number=number)


def reminder(table: Table, game: Game, lacks: Collection[str] = ()) -> Letter:
    """Return a reminder that the deadline is near: orders are missing, or the saved set lacks `lacks`."""
    by = deadline(table, brief=True)
    if lacks:
        says = _("{phase}: your orders are not complete, and are due by {time}")
        why = _("Your orders are saved, but {lacks}.").format(lacks="; ".join(lacks))
    else:
        says = _("{phase}: your orders are due by {time}")
        why = _("You have not sent any orders for this phase yet.")
    return table_letter(
        table,
        "deadline",
        lambda reader: says.format(phase=table.phase_code, time=by(reader)),
        why,
        duty(table, game),
        key=once(table, "notice"),
    )


@in_site_language
def late(table: Table, losing: Collection[str]) -> Letter:
    """Return the letter that the deadline has passed and the table waits.

    `losing` are the powers that this miss, if final, takes from their players.
    """
    by, brief = deadline(table), deadline(table, brief=True)
    return table_letter(
        table,
        "deadline",
        lambda reader: _("{phase}: your orders are late; you have until {brief}").format(
            phase=table.phase_code, brief=brief(reader)
        ),
        lambda reader: _(
            "The deadline has passed, and your orders have not come. The game waits for you "
            "until {by}; then it goes on without them."
        ).format(by=by(reader)),
        lambda reader: (
            _("If they are missing then, {power} can go to another player.").format(power=reader.power)
            if reader.power in losing
            else ""
        ),
        key=once(table, "late"),
    )


@in_site_language
def new_deadline(table: Table, why: Said) -> Letter:
    """Return the letter that the deadline was moved; `why` is a sentence that says by whom."""
    return table_letter(
        table,
        "table",
        _("new deadline for {phase}").format(phase=table.phase_code),
        why,
        due(table, moved=True),
        notice=_deadline_notice(table, why),
    )


@in_site_language
def new_deadlines(tables: Collection[Table], why: Said) -> Letter:
    """Return the letter that deadlines of several tables have been moved; `why` is a sentence."""

    def line(table: Table) -> Line:
        until = due(table, moved=True)
        return lambda reader: f"[{table.name}] {as_read(until, reader)}\n{_address(table)}"

    lines = [line(table) for table in tables]
    subject = ngettext("new deadline in {number} game", "new deadlines in {number} games", len(lines))
    return Letter(
        "table",
        subject.format(number=len(lines)),
        lambda reader: "\n\n".join([str(why), *(as_read(line, reader) for line in lines)]),
    )


@in_site_language
def extension(table: Table) -> Letter:
    """Return the letter that the players have voted for more time."""
    why = _("The players have voted for more time.")
    return table_letter(
        table,
        "table",
        _("more time for {phase}, by vote").format(phase=table.phase_code),
        why,
        due(table, moved=True),
        notice=_deadline_notice(table, why),
    )


def _deadline_notice(table: Table, why: object) -> str:
    """Return the public notice of a new deadline, with its reason."""
    says = _("{why} Orders for {phase} are now due by {time}.")
    return says.format(why=why, phase=table.phase_code, time=table.deadline_wall)


@in_site_language
def pause(table: Table, why: Said) -> Letter:
    """Return the letter that the game is paused; `why` is a sentence that says by whom."""
    rest = _("No deadline is running. What you have sent is kept, and you can still change it.")
    return table_letter(
        table, "table", _("the game is paused"), why, rest, notice=_("{why} No deadline is running.").format(why=why)
    )


@in_site_language
def resumption(table: Table, why: Said) -> Letter:
    """Return the letter that the game goes on; `why` is a sentence that says by whom."""
    notice = str(why)
    if table.deadline:
        says = _("{why} Orders for {phase} are due by {time}.")
        notice = says.format(why=why, phase=table.phase_code, time=table.deadline_wall)
    return table_letter(table, "table", _("the game goes on"), why, due(table), notice=notice)


@in_site_language
def rollback(table: Table, game: Game, by: User | None) -> Letter:
    """Return the letter that the game was taken back to the current phase."""
    code, name = game.phase.code, game.variant.calendar.name(game.phase)
    why = _("{doer} has taken the game back to {name}. What came after is undone, and its receipts are void.").format(
        doer=doer(table, by), name=name
    )
    notice = why
    if table.deadline:
        notice = _("{why} Orders are due by {time}.").format(why=why, time=table.deadline_wall)
    kept = _("If you had sent orders for this phase, they are back: change them, or say that you are ready.")
    return table_letter(
        table,
        "table",
        _("the game is taken back to {code}").format(code=code),
        why,
        kept,
        duty(table, game),
        notice=notice,
    )


@in_site_language
def cancellation(table: Table, by: Said = "") -> Letter:
    """Return the letter that the game is cancelled; `by` is a sentence on who cancelled it, if not its owner."""
    if not by:
        by = _("This game has been cancelled.") if table.started else _("This game was cancelled before it began.")
    why = _("{why} It will not be continued.").format(why=by) if table.started else str(by)
    return table_letter(table, "table", _("the game is cancelled"), why, notice=why)


@in_site_language
def word(table: Table, text: str) -> Letter:
    """Return a message of the Gamesmaster to all players."""
    head = _("The Gamesmaster writes to all players:")
    return table_letter(table, "table", _("a message from the Gamesmaster to all"), head, text, notice=text)


@in_site_language
def question(table: Table, text: str) -> Letter:
    """Return a question of the Gamesmaster to the players about playability."""
    how = _('Answer under "Remarks" on the game\'s page. You do not have to, and it has no effect on the game.')
    return table_letter(table, "table", _("a question from the Gamesmaster"), _("The Gamesmaster asks:"), text, how)


@in_site_language
def press(table: Table, message: Message) -> Letter:
    """Return the letter with a message of press; its subject does not reveal the text."""
    unsigned, house = message.shown_as == "anonymous", _("the Gamesmaster")
    who = house if message.shown_as == GAMESMASTER else message.shown_as
    sender = _("unsigned press") if unsigned else _("press from {who}").format(who=who)

    def head(reader: Reader) -> str:
        own = reader.power or GAMESMASTER
        others = [house if name == GAMESMASTER else name for name in message.to if name != own]
        readers = ", ".join([_("you"), *others] if own in message.to else others) or _("everybody")
        writer = _("Somebody (unsigned)") if unsigned else who[0].upper() + who[1:]
        return _("{writer} writes to {readers}:").format(writer=writer, readers=readers)

    return table_letter(table, "press", sender, head, message.text, key=f"press.{message.pk}")


@in_site_language
def stuck(table: Table) -> Letter:
    """Return the letter to players that their phase cannot be adjudicated."""
    return table_letter(
        table,
        "table",
        _("the game is on hold"),
        _(
            "{phase} cannot be adjudicated because of a fault in this program. No order is lost, "
            "and no deadline runs. The people who run the site have been told; we will write to "
            "you when the game goes on."
        ).format(phase=table.phase_code),
    )


@in_site_language
def defective(table: Table, code: str) -> Letter:
    """Return the letter that an order was void because of a fault in the program."""
    why = _("In {code} an order could not be judged because of a fault in this program, so it counted as void.").format(
        code=code
    )
    mend = _(
        "The report names the order. Please tell the people who run this site; the Gamesmaster may take the phase back."
    )
    return table_letter(
        table, "quarantine", _("a fault in the program: {code}").format(code=code), why, mend, notice=f"{why} {mend}"
    )


@in_site_language
def quarantine(table: Table, error: str) -> Letter:
    """Return the letter to staff that a phase cannot be adjudicated; `error` is a type: texts may quote orders."""
    return table_letter(
        table,
        "quarantine",
        _("{phase} cannot be adjudicated").format(phase=table.phase_code),
        _("{attempts} attempts failed ({error}). The game is stopped: no order is lost, and no deadline runs.").format(
            attempts=table.attempts, error=error
        ),
        notice=_(
            "{phase} cannot be adjudicated. No order is lost, and no deadline runs; the people "
            "who run the game have been told."
        ).format(phase=table.phase_code),
    )
