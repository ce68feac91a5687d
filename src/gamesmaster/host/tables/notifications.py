"""Notifications: all notices that people get, by e-mail, push and inbox. `notifications.toml` is their registry.

A notification is made once and rendered for each reader: `you play France`, the deadline in the reader's time zone. It
contains no unpublished orders, except the reader's own that were sent ahead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import indent
from typing import Literal, TypeAlias
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from pydantic import TypeAdapter

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import (
    DueOrders,
    Game,
    Status,
    agreed_scores,
    centre_counts,
    points_text,
    report,
    seen_by,
    unit_counts,
    unit_lists,
)
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.models import Message, Seat, Table
from gamesmaster.host.tables.view import in_site_language


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a notification."""

    power: str = ""  # the power that the reader plays; "" for none
    zone: str = ""  # the reader's time zone


Said: TypeAlias = str | Promise
"""A sentence, or a lazy translation that is rendered when a notification is written."""
Line: TypeAlias = Said | Callable[[Reader], str]
"""A paragraph or subject: the same for all, or a function of the reader; "" is left out."""
GAMESMASTER = "Gamesmaster"
"""Writer or reader of press without a power."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification about an event. `dedupe` of `OutMail` uses `key` to send it to each person once."""

    event: str  # kind of event, for readers' choices of mail
    subject: Line
    body: Line
    notice: str = ""  # public notice for the page of press; "" for none
    key: str = field(default_factory=lambda: uuid4().hex)  # identifies the happening
    message: int | None = None  # key of the message that a notification of press is about


def as_read(line: Line, reader: Reader) -> str:
    """Return a subject or paragraph as this reader gets it."""
    return line(reader) if callable(line) else str(line)


Channel: TypeAlias = Literal["push", "mail", "daily", "none"]
CHANNELS: dict[Channel, Promise] = {
    "push": gettext_lazy("Push, on your devices"),
    "mail": gettext_lazy("E-mail at once"),
    "daily": gettext_lazy("E-mail once a day"),
    "none": gettext_lazy("Only in the inbox"),
}
"""How a reader can hear of events of a kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of events, as in `notifications.toml`."""

    title: str
    says: str  # in "e-mails about ..."
    usual: Channel
    fixed: bool = False  # readers cannot choose


@dataclass(frozen=True, slots=True)
class Template:
    """The texts of a notification, as in `notifications.toml`."""

    event: str  # one of `KINDS`
    to: str
    subject: str
    body: tuple[str, ...]
    own_subject: str = ""
    own: str = ""
    notice: str | Literal[True] = ""


_FILE = Path(__file__).with_name("notifications.toml")
_read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
KINDS = TypeAdapter(dict[str, Kind]).validate_python(_read.pop("kinds"))
"""The kinds of events by their names."""
CHOSEN = {name: kind for name, kind in KINDS.items() if not kind.fixed}
"""The kinds for which readers choose a channel."""
TEMPLATES = TypeAdapter(dict[str, Template]).validate_python(_read)
"""The texts of the notifications by their names."""


@in_site_language
def write(table: Table, name: str, game: Game | None = None, /, *, key: str = "", **values: Line) -> Notification:
    """Return the notification with this name in `notifications.toml` about a table.

    Its texts can use `values`, and: `phase`, the code of the phase; `by`, the deadline as promised and in the reader's
    zone; `brief`, the latter only; `due` and `moved`, sentences on when orders are due; with `game` also `duty`, the
    orders due from the reader. `power` is by default the reader's. The table's name is in the subject, and its URL at
    the end.
    """
    texts = TEMPLATES[name]
    usual: dict[str, Line] = {
        "power": lambda reader: reader.power, "phase": table.phase_code, "by": deadline(table),
        "brief": deadline(table, brief=True), "due": due(table), "moved": due(table, moved=True),
    }  # fmt: skip
    known = usual | ({} if game is None else {"duty": duty(table, game)}) | values

    def fill(text: str, reader: Reader) -> str:
        return _(text).format_map({name: as_read(value, reader) for name, value in known.items()}).strip()

    def owns(reader: Reader) -> bool:
        return bool(reader.power) and reader.power == as_read(known["power"], reader)

    def subject(reader: Reader) -> str:
        what = texts.own_subject if texts.own_subject and owns(reader) else texts.subject
        return " ".join(f"[{table.name}] {fill(what, reader)}".split())[:200]

    def body(reader: Reader) -> str:
        first = texts.own if texts.own and owns(reader) else texts.body[0]
        paragraphs = [text for one in (first, *texts.body[1:]) if (text := fill(one, reader))]
        return "\n\n".join([*paragraphs, f"{_('The game:')} {_address(table)}\n"])

    notice = texts.body[0] if texts.notice is True else texts.notice
    return Notification(texts.event, subject, body, fill(notice, Reader()) if notice else "", key or uuid4().hex)


def compose(name: str, /, **values: object) -> tuple[str, str]:
    """Return subject and body of a notification that is about no table; paragraphs without text are left out."""
    texts = TEMPLATES[name]
    paragraphs = (_(text).format(**values).strip() for text in texts.body)
    return _(texts.subject).format(**values), "\n\n".join(filter(None, paragraphs))


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
def beginning(table: Table, game: Game, seats: Collection[Seat]) -> Notification:
    """Return the notification that the game begins: the power, the orders due, and the players if they are public."""
    if names_public(table):
        head = _("The players:")
        players = {s.power: f"  {s.power}: {s.user.username if s.user else _('a bot')}" for s in seats}
    else:
        head, players = _("The powers (players stay anonymous):"), {s.power: f"  {s.power}" for s in seats}
    in_order = [players[power.name] for power in game.variant.powers if power.name in players]
    return write(
        table,
        "started",
        game,
        players="\n".join([head, *in_order]),
        units=lambda reader: _units_at_start(seen_by(game, (reader.power,))),
        ledger=lambda reader: _ledger_at_start(seen_by(game, (reader.power,))),
        map=f"{settings.BASE_URL}/t/{table.key}/map.svg",
        commitment=game.dice.commitment,
    )


def _units_at_start(game: Game) -> str:
    return "\n".join(f"  {power}: {', '.join(own)}" for power, own in unit_lists(game.variant, game.position).items())


def _ledger_at_start(game: Game) -> str:
    sections = game.ledger.sections.items()
    return "\n\n".join("\n".join([f"{heading}:", *(f"  {line}" for line in lines)]) for heading, lines in sections)


def names_public(table: Table, *, over: bool = False) -> bool:
    """Return whether everybody may know who plays which power."""
    anonymity = store.settings_of(table).anonymity
    return anonymity == "none" or (over and anonymity == "until_end")


def report_of(game: Game) -> Line:
    """Return the report of the last phase, for each reader as far as he or she sees the board.

    An error becomes its text, so that it does not delay the phase.
    """
    if seen_by(game, ()) is game:
        return _report(game)
    return lambda reader: _report(seen_by(game, (reader.power,)))


def _report(game: Game) -> str:
    try:
        return report(game).strip("\n")
    except GamesmasterError as error:
        return str(error)


def phase_over(table: Table, game: Game, report: Line, sent: Collection[DueOrders] = ()) -> Notification:
    """Return the notification with the results of a phase: orders due next, orders `sent` ahead, and the report."""
    ahead = {due.power: due for due in sent}
    return write(
        table,
        "phase_over",
        key=once(table, "phase"),
        code=game.records[-1].phase.code,
        following="" if game.outcome else duty(table, game),
        ahead=lambda reader: due_words(ahead[reader.power]) if reader.power in ahead else "",
        report=report,
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
def ending(table: Table, game: Game, seats: Collection[Seat], unrated: str = "") -> Notification:
    """Return the notification that the game is over: the result, the final table, and the seed of the dice.

    `unrated` is a sentence on why the game is not rated, if worth mentioning.
    """
    outcome = game.outcome.text if game.outcome else _("The Gamesmaster has ended the game.")
    names = (
        {s.power or "": s.user.username if s.user else _("a bot") for s in seats}
        if names_public(table, over=True)
        else {}
    )
    return write(
        table,
        "ended",
        outcome=f"{outcome} {unrated}".rstrip(),
        standings="\n".join(f"  {line}" for line in _standings(game, names)),
        seed=game.seed.hex(),
        commitment=game.dice.commitment,
    )


def _standings(game: Game, names: dict[str, str]) -> list[str]:
    """Return a line for each power with its centres and units at the end, most centres first."""
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    powers = sorted((p.name for p in game.variant.powers), key=lambda power: -centres.get(power, 0))
    says = _("{points} points")
    scores = {p: f", {says.format(points=points_text(points))}" for p, points in agreed_scores(game).items()}
    return [
        f"{power}{f' ({names[power]})' if power in names else ''}: "
        f"{_centres(centres.get(power, 0))}, {_units(units.get(power, 0))}{scores.get(power, '')}"
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


def reminder(table: Table, game: Game, lacks: Collection[str] = ()) -> Notification:
    """Return a reminder that the deadline is near: orders are missing, or the saved set lacks `lacks`."""
    return write(table, "incomplete" if lacks else "reminder", game, key=once(table, "notice"), lacks="; ".join(lacks))


def late(table: Table, losing: Collection[str]) -> Notification:
    """Return the notification that the deadline has passed and the table waits.

    `losing` are the powers that this miss, if final, takes from their players.
    """

    def threat(reader: Reader) -> str:
        says = _("If they are missing then, {power} can go to another player.") if reader.power in losing else ""
        return says.format(power=reader.power)

    return write(table, "late", key=once(table, "late"), losing=threat)


@in_site_language
def new_deadlines(tables: Collection[Table], why: Said) -> Notification:
    """Return the notification that deadlines of several tables have been moved; `why` is a sentence."""

    def line(table: Table) -> Line:
        until = due(table, moved=True)
        return lambda reader: f"[{table.name}] {as_read(until, reader)}\n{_address(table)}"

    lines, texts = [line(table) for table in tables], TEMPLATES["new_deadlines"]

    def body(reader: Reader) -> str:
        return compose(
            "new_deadlines", number=len(lines), why=why, deadlines="\n\n".join(as_read(one, reader) for one in lines)
        )[1]

    return Notification(texts.event, _(texts.subject).format(number=len(lines)), body)


def rollback(table: Table, game: Game, by: User | None) -> Notification:
    """Return the notification that the game was taken back to the current phase."""
    return write(table, "rolled_back", game, doer=doer(table, by), name=game.variant.calendar.name(game.phase))


def cancellation(table: Table, why: Said = "") -> Notification:
    """Return the notification that the game is cancelled; `why` is a sentence on who cancelled it, if not its owner."""
    why = why or gettext_lazy("This game has been cancelled.")
    return write(table, "cancelled" if table.started else "never_begun", why=why)


@in_site_language
def press(table: Table, message: Message) -> Notification:
    """Return the notification with a message of press; its subject does not reveal the text."""
    unsigned, house = message.shown_as == "anonymous", _("the Gamesmaster")
    who = house if message.shown_as == GAMESMASTER else message.shown_as
    # players' words stand behind a line, so that nothing in them looks like words of the site or the Gamesmaster
    text = message.text if message.shown_as == GAMESMASTER else indent(message.text, "| ", lambda line: True)
    sender = _("unsigned press") if unsigned else _("press from {who}").format(who=who)

    def head(reader: Reader) -> str:
        own = reader.power or GAMESMASTER
        others = [house if name == GAMESMASTER else name for name in message.to if name != own]
        readers = ", ".join([_("you"), *others] if own in message.to else others) or _("everybody")
        writer = _("Somebody (unsigned)") if unsigned else who[0].upper() + who[1:]
        return _("{writer} writes to {readers}:").format(writer=writer, readers=readers)

    written = write(table, "press", key=f"press.{message.pk}", sender=sender, head=head, text=text)
    return replace(written, message=message.pk)


# -- seats -----------------------------------------------------------------------------------------------------------


@in_site_language
def seats_taken(table: Table, name: str, player: str, taken: int, places: int) -> Notification:
    """Return the notification to the host that somebody has `joined` or `got_up` before the game begins.

    If all seats are taken, it is `full` instead.
    """
    stranger = _("A new player") if name == "joined" else _("A player")
    says = ngettext("{taken} of {places} seats is taken", "{taken} of {places} seats are taken", taken)
    return write(
        table,
        "full" if taken == places else name,
        who=player if names_public(table) else stranger,
        seats=says.format(taken=taken, places=places),
    )


@in_site_language
def seat_loss(table: Table, power: str, misses: int) -> tuple[Notification, Notification]:
    """Return two notifications that a power may be taken over after misses: to its player, and to the others."""
    usual = {1: _("this time"), 2: _("twice in a row")}
    often = usual.get(misses) or _("{misses} times in a row").format(misses=misses)
    return (
        write(table, "own_seat_wanted", power=power, often=often),
        write(table, "seat_wanted", power=power, often=often),
    )


def back(table: Table, game: Game, power: str) -> Notification:
    """Return the notification that the player of a power is back."""
    orders = duty(table, game)
    return write(
        table, "back", power=power, own_duty=lambda reader: as_read(orders, reader) if reader.power == power else ""
    )


@in_site_language
def new_player(table: Table, game: Game, power: str, why: Said = "") -> Notification:
    """Return the notification that a power has a new player, with the orders due; `why` is a sentence on how."""
    return write(table, "new_player", game, power=power, why=why or _("{power} has a new player.").format(power=power))
