"""What is written when something happens to a game: one small function an event.

A letter is made for everybody whom it concerns, and read by each as his or her own: `you play France`, the deadline in
the reader's zone of time.  What befalls a seat is in `seat_letters`.  No letter holds an order not yet published, but
for the reader's own that were sent ahead.
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
    """Who reads a letter: which power he or she plays (empty: none), and in which zone of time."""

    power: str = ""
    zone: str = ""


Said: TypeAlias = str | Promise
"""A sentence, or one that is put into words, in the language of the site, when a letter is written."""
Line: TypeAlias = Said | Callable[[Reader], str]
"""A paragraph of a letter, or its subject: the same for all, or as it is for its reader (empty: left out)."""
GAMESMASTER = "Gamesmaster"
"""The writer or reader of press who plays no power."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: about which `event`, and what stands in it.

    `notice` is what everybody reads of it on the page of press (empty: nothing).  `key` says which happening it is:
    nobody is told the same one twice, and no two happenings share a key.
    """

    event: str
    subject: Line
    body: Line
    notice: str = ""
    key: str = field(default_factory=lambda: uuid4().hex)


def as_read(line: Line, reader: Reader) -> str:
    """A subject or a text as this reader gets it."""
    return line(reader) if callable(line) else str(line)


def table_letter(table: Table, event: str, what: Line, *lines: Line, notice: str = "", key: str = "") -> Letter:
    """A letter about a table: its name stands in the subject, its address below the paragraphs."""

    def subject(reader: Reader) -> str:
        return " ".join(f"[{table.name}] {as_read(what, reader)}".split())[:200]

    def body(reader: Reader) -> str:
        paragraphs = [text for text in (as_read(line, reader) for line in lines) if text]
        return "\n\n".join([*paragraphs, f"{_('The game:')} {_address(table)}\n"])

    return Letter(event, subject, body, notice, **({"key": key} if key else {}))


def _address(table: Table) -> str:
    return f"{settings.BASE_URL}/t/{table.key}/"


def once(table: Table, what: str) -> str:
    """The key of what happens once in a phase; a phase that is played again after a rollback is another."""
    began = table.phase_began.timestamp() if table.phase_began else 0
    return f"{what}.{table.ordinal}.{began:.3f}"


def doer(table: Table, user: User | None) -> Promise:
    """Who does something at a table, as the beginning of a sentence, without a name; in the reader's language."""
    if store.is_gm(table, user):
        return gettext_lazy("The Gamesmaster")
    owns = user is not None and table.owner_id == user.pk
    return gettext_lazy("The owner of the game") if owns else gettext_lazy("An admin of the site")


def due(table: Table, *, moved: bool = False) -> Line:
    """Until when orders for the phase being played are due, and if the deadline was `moved` that it was.

    The deadline stands there as it was promised and, where the reader's zone is another, as it is there.
    """
    code, by = table.phase_code, deadline(table)

    def tell(reader: Reader) -> str:
        if not by(reader):
            return _("There is no deadline.")
        says = _("Orders for {phase} are now due by {time}.") if moved else _("Orders for {phase} are due by {time}.")
        return says.format(phase=code, time=by(reader))

    return tell


def deadline(table: Table, *, brief: bool = False) -> Callable[[Reader], str]:
    """The deadline as promised, and as it is in the reader's zone (`brief`: only that); empty if there is none."""
    at, wall = table.deadline, table.deadline_wall

    def tell(reader: Reader) -> str:
        if at is None or not reader.zone or wall.endswith(f" {reader.zone}"):
            return wall
        there = clock.on_the_wall(at, reader.zone)
        return there if brief else _("{promised} ({there} for you)").format(promised=wall, there=there)

    return tell


def duty(table: Table, game: Game) -> Line:
    """What the reader owes in the phase being played, and until when."""
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
    """Is one thing due, not several?"""
    return one.text.startswith("a ") and "," not in one.text


# -- the course of a game --------------------------------------------------------------------------------------------


@in_site_language
def beginning(table: Table, game: Game, seats: Collection[Seat]) -> Letter:
    """The game begins: which power is the reader's, what is due first, and who plays what, if that may be told."""
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
    """A line for each power, and for those of no power, with the units and where they stand."""
    return [f"  {power}: {', '.join(units)}" for power, units in unit_lists(game.variant, game.position).items()]


def names_public(table: Table, *, over: bool = False) -> bool:
    """May everybody know who plays what?"""
    anonymity = store.settings_of(table).anonymity
    return anonymity == "none" or (over and anonymity == "until_end")


def report_of(game: Game) -> str:
    """The report of the last phase; one that cannot be made holds up no phase."""
    try:
        return report(game)
    except GamesmasterError as error:
        return str(error)


@in_site_language
def phase_over(table: Table, game: Game, report: str, sent: Collection[DueOrders] = ()) -> Letter:
    """A phase is over: what the reader owes next, what became of orders `sent` ahead, and its report as it was made."""
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
    """What became of the orders that the reader sent ahead for the phase that begins."""
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
    """The game is over: who has won, how everybody stands at the end, and the seed of the dice.

    `unrated` is a sentence that says why no rating comes of it, if there is something to say.
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
    """Every power with its centres and units at the end, the greatest first."""
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
    """The deadline is near, and orders are missing: all of them, or those that a set which is stored `lacks`."""
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
    """The deadline has passed, and the table waits; `losing` are the powers whose players lose them by this miss."""
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
    """The deadline has been moved; `why` says by whom, as a sentence."""
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
    """The players have voted for more time."""
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
    """Why there is another deadline, and which."""
    says = _("{why} Orders for {phase} are now due by {time}.")
    return says.format(why=why, phase=table.phase_code, time=table.deadline_wall)


@in_site_language
def pause(table: Table, why: Said) -> Letter:
    """The clock stands still; `why` says by whom, as a sentence."""
    rest = _("No deadline is running. What you have sent is kept, and you can still change it.")
    return table_letter(
        table, "table", _("the game is paused"), why, rest, notice=_("{why} No deadline is running.").format(why=why)
    )


@in_site_language
def resumption(table: Table, why: Said) -> Letter:
    """The clock runs again; `why` says by whom, as a sentence."""
    notice = str(why)
    if table.deadline:
        says = _("{why} Orders for {phase} are due by {time}.")
        notice = says.format(why=why, phase=table.phase_code, time=table.deadline_wall)
    return table_letter(table, "table", _("the game goes on"), why, due(table), notice=notice)


@in_site_language
def rollback(table: Table, game: Game, by: User | None) -> Letter:
    """Somebody has taken the game back to the phase that is now being played."""
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
    """The table was given up; `by` is a sentence that says who wanted it, if not whoever runs it."""
    if not by:
        by = _("This game has been cancelled.") if table.started else _("This game was cancelled before it began.")
    why = _("{why} It will not be continued.").format(why=by) if table.started else str(by)
    return table_letter(table, "table", _("the game is cancelled"), why, notice=why)


@in_site_language
def word(table: Table, text: str) -> Letter:
    """The Gamesmaster writes to everybody."""
    head = _("The Gamesmaster writes to all players:")
    return table_letter(table, "table", _("a message from the Gamesmaster to all"), head, text, notice=text)


@in_site_language
def question(table: Table, text: str) -> Letter:
    """The Gamesmaster asks the players how the game is to play."""
    how = _('Answer under "Remarks" on the game\'s page. You do not have to, and it has no effect on the game.')
    return table_letter(table, "table", _("a question from the Gamesmaster"), _("The Gamesmaster asks:"), text, how)


@in_site_language
def press(table: Table, message: Message) -> Letter:
    """Press has come; the subject does not tell what it says."""
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
    """To the players of a table whose phase cannot be adjudicated."""
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
    """An order was void because the program fell over it; the phase is over all the same."""
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
    """A phase cannot be adjudicated; `error` is the name of an error, never its text, which may quote an order."""
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
