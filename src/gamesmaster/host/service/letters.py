"""What is written when something happens to a game: one small function an event.

A letter is made for everybody whom it concerns, and read by each as his or her own: `you play France`, the deadline in
the reader's zone of time.  What befalls a seat is in `seat_letters`.  No letter holds an order not yet published.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, Status, report
from gamesmaster.game.progress import centre_counts, unit_counts
from gamesmaster.host.models import Message, Seat, Table
from gamesmaster.host.service import clock, rows


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter: which power he or she plays (empty: none), and in which zone of time."""

    power: str = ""
    zone: str = ""


Line: TypeAlias = str | Callable[[Reader], str]
"""A paragraph of a letter, or its subject: the same for all, or as it is for its reader (empty: left out)."""


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
    return line if isinstance(line, str) else line(reader)


def written(table: Table, event: str, what: Line, *lines: Line, notice: str = "", key: str = "") -> Letter:
    """A letter about a table: its name stands in the subject, its address below the paragraphs."""

    def subject(reader: Reader) -> str:
        return " ".join(f"[{table.name}] {as_read(what, reader)}".split())[:200]

    def body(reader: Reader) -> str:
        paragraphs = [told for told in (as_read(line, reader) for line in lines) if told]
        return "\n\n".join([*paragraphs, f"The game: {settings.BASE_URL}/t/{table.key}/\n"])

    return Letter(event, subject, body, notice, **({"key": key} if key else {}))


def noted(table: Table, what: str, *lines: Line) -> Letter:
    """Something happened at the table: `what` is the subject, the lines tell it in full."""
    return written(table, "table", what, *lines, notice=" ".join(line for line in lines if isinstance(line, str)))


def once(table: Table, what: str) -> str:
    """The key of what happens once in a phase; a phase that is played again after a rollback is another."""
    began = table.phase_began.timestamp() if table.phase_began else 0
    return f"{what}.{table.ordinal}.{began:.3f}"


def doer(table: Table, user: User | None) -> str:
    """Who does something at a table, as the beginning of a sentence, without a name."""
    if rows.is_gm(table, user):
        return "The Gamesmaster"
    return "The owner of the game" if user is not None and table.owner_id == user.pk else "An admin of the site"


def due(table: Table, now: str = "") -> Line:
    """Until when orders for the phase being played are due; `now` is a word before `due`, `now ` for a deadline moved.

    The deadline stands there as it was promised and, where the reader's zone is another, as it is there.
    """
    code, by = table.phase_code, deadline(table)
    return lambda reader: f"Orders for {code} are {now}due by {by(reader)}." if by(reader) else "There is no deadline."


def deadline(table: Table, *, brief: bool = False) -> Callable[[Reader], str]:
    """The deadline as promised, and as it is in the reader's zone (`brief`: only that); empty if there is none."""
    at, wall = table.deadline, table.deadline_wall

    def told(reader: Reader) -> str:
        if at is None or not reader.zone or wall.endswith(f" {reader.zone}"):
            return wall
        there = clock.on_the_wall(at, reader.zone)
        return there if brief else f"{wall} ({there} for you)"

    return told


def owed(table: Table, game: Game) -> Line:
    """What the reader owes in the phase being played, and until when."""
    found = {one.power: one for one in game.status}
    name, general, by = game.variant.calendar.name(game.phase), due(table), deadline(table)

    def told(reader: Reader) -> str:
        one, until = found.get(reader.power), by(reader)
        if one is None:
            return as_read(general, reader)
        if one.disorder:
            return f"{name}: {one.power} is in civil disorder, so no orders are expected."
        if not one.asked:
            return f"{name}: you have nothing to send." + (f" The phase ends by {until}." if until else "")
        return f"{name}: {_asked(one)} {f'due by {until}' if until else 'due; there is no deadline'}."

    return told


def _asked(one: Status) -> str:
    single = one.text.startswith("a ") and "," not in one.text
    return f"{one.text[0].upper()}{one.text[1:]} {'is' if single else 'are'}"


# -- the course of a game --------------------------------------------------------------------------------------------


def started(table: Table, game: Game, seats: Collection[Seat]) -> Letter:
    """The game begins: which power is the reader's, what is due first, and who plays what, if that may be told."""
    if named(table):
        head, players = "The players:", [f"  {s.power}: {s.user.username if s.user else 'a bot'}" for s in seats]
    else:
        head, players = "The powers (players stay anonymous):", [f"  {s.power}" for s in seats]
    order = [power.name for power in game.variant.powers]
    players.sort(key=lambda line: order.index(line.strip().partition(":")[0]))
    return written(
        table, "started",
        lambda reader: f"the game begins{f': you play {reader.power}' if reader.power else ''}",
        lambda reader: f"The game begins. You play {reader.power}." if reader.power else "The game begins.",
        owed(table, game), "\n".join([head, *players]),
        f"The dice are fixed from the start: SHA-256 of their seed is {game.dice.commitment}. You get the seed when the"
        " game is over, so that you can check it.",
        notice=f"The game begins. SHA-256 of the seed: {game.dice.commitment}",
    )  # fmt: skip


def named(table: Table, *, over: bool = False) -> bool:
    """May everybody know who plays what?"""
    anonymity = rows.settings_of(table).anonymity
    return anonymity == "none" or (over and anonymity == "until_end")


def report_of(game: Game) -> str:
    """The report of the last phase; one that cannot be made holds up no phase."""
    try:
        return report(game)
    except GamesmasterError as error:
        return str(error)


def phase_over(table: Table, game: Game, told: str) -> Letter:
    """A phase is over: what the reader owes next, and its report as it was made."""
    code = game.records[-1].phase.code
    following = "" if game.outcome else owed(table, game)
    return written(table, "phase", f"results of {code}", following, told.strip("\n"), key=once(table, "phase"))


def finished(table: Table, game: Game, seats: Collection[Seat], unrated: str = "") -> Letter:
    """The game is over: who has won, how everybody stands at the end, and the seed of the dice.

    `unrated` is a sentence that says why no rating comes of it, if there is something to say.
    """
    outcome = game.outcome.text if game.outcome else "The Gamesmaster has ended the game."
    outcome = f"{outcome} {unrated}".rstrip()
    names = {s.power or "": s.user.username if s.user else "a bot" for s in seats} if named(table, over=True) else {}
    stands = [f"  {line}" for line in _standings(game, names)]
    return written(
        table, "finished", "the game is over", outcome, "\n".join(["The final table:", *stands]),
        f"The seed of the dice was {game.seed.hex()}. Its SHA-256 is {game.dice.commitment}, as you were told when the"
        " game began.",
        notice=outcome,
    )  # fmt: skip


def _standings(game: Game, names: dict[str, str]) -> list[str]:
    """Every power with its centres and units at the end, the greatest first."""
    centres, units = centre_counts(game.variant, game.position), unit_counts(game.variant, game.position)
    powers = sorted((p.name for p in game.variant.powers), key=lambda power: -centres.get(power, 0))
    return [
        f"{power}{f' ({names[power]})' if power in names else ''}: "
        f"{_number(centres.get(power, 0), 'centre')}, {_number(units.get(power, 0), 'unit')}"
        for power in powers
    ]


def _number(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"


def reminder(table: Table, game: Game, lacks: Collection[str] = ()) -> Letter:
    """The deadline is near, and orders are missing: all of them, or those that a set which is stored `lacks`."""
    by = deadline(table, brief=True)
    what = "are not complete, and are" if lacks else "are"
    why = (
        f"Your orders are saved, but {'; '.join(lacks)}."
        if lacks
        else "You have not sent any orders for this phase yet."
    )
    return written(
        table, "deadline", lambda reader: f"{table.phase_code}: your orders {what} due by {by(reader)}",
        why, owed(table, game), key=once(table, "notice"),
    )  # fmt: skip


def late(table: Table, losing: Collection[str]) -> Letter:
    """The deadline has passed, and the table waits; `losing` are the powers whose players lose them by this miss."""
    by, brief = deadline(table), deadline(table, brief=True)
    return written(
        table, "deadline", lambda reader: f"{table.phase_code}: your orders are late; you have until {brief(reader)}",
        lambda reader: f"The deadline has passed, and your orders have not come. The game waits for you until"
        f" {by(reader)}; then it goes on without them.",
        lambda reader: f"If they are missing then, {reader.power} can go to another player."
        if reader.power in losing else "",
        key=once(table, "late"),
    )  # fmt: skip


def moved(table: Table, why: str) -> Letter:
    """The deadline has been moved; `why` says by whom, as a sentence."""
    notice = f"{why} Orders for {table.phase_code} are now due by {table.deadline_wall}."
    return written(table, "table", f"new deadline for {table.phase_code}", why, due(table, "now "), notice=notice)


def extended(table: Table) -> Letter:
    """The players have voted for more time."""
    why = "The players have voted for more time."
    notice = f"{why} Orders for {table.phase_code} are now due by {table.deadline_wall}."
    return written(table, "table", f"more time for {table.phase_code}, by vote", why, due(table, "now "), notice=notice)


def paused(table: Table, why: str) -> Letter:
    """The clock stands still; `why` says by whom, as a sentence."""
    rest = "No deadline is running. What you have sent is kept, and you can still change it."
    return written(table, "table", "the game is paused", why, rest, notice=f"{why} No deadline is running.")


def resumed(table: Table, why: str) -> Letter:
    """The clock runs again; `why` says by whom, as a sentence."""
    until = f" Orders for {table.phase_code} are due by {table.deadline_wall}." if table.deadline else ""
    return written(table, "table", "the game goes on", why, due(table), notice=f"{why}{until}")


def taken_back(table: Table, game: Game, by: User | None) -> Letter:
    """Somebody has taken the game back to the phase that is now being played."""
    code, name = game.phase.code, game.variant.calendar.name(game.phase)
    why = f"{doer(table, by)} has taken the game back to {name}. What came after is undone, and its receipts are void."
    until = f" Orders are due by {table.deadline_wall}." if table.deadline else ""
    kept = "If you had sent orders for this phase, they are back: change them, or say that you are ready."
    return written(
        table, "table", f"the game is taken back to {code}", why, kept, owed(table, game), notice=f"{why}{until}"
    )


def cancelled(table: Table, by: str = "") -> Letter:
    """The table was given up; `by` is a sentence that says who wanted it, if not whoever runs it."""
    if not by:
        by = "This game has been cancelled." if table.started else "This game was cancelled before it began."
    why = f"{by} It will not be played on." if table.started else by
    return written(table, "table", "the game is cancelled", why, notice=why)


def word(table: Table, text: str) -> Letter:
    """The Gamesmaster writes to everybody."""
    head = "The Gamesmaster writes to all players:"
    return written(table, "table", "a message from the Gamesmaster to all", head, text, notice=text)


def question(table: Table, text: str) -> Letter:
    """The Gamesmaster asks the players how the game is to play."""
    how = 'Answer under "Remarks" on the game\'s page. You do not have to, and it has no effect on the game.'
    return written(table, "table", "a question from the Gamesmaster", "The Gamesmaster asks:", text, how)


def pressed(table: Table, message: Message) -> Letter:
    """Press has come; the subject does not tell what it says."""
    unsigned, house = message.shown_as == "anonymous", "the Gamesmaster"
    who = house if message.shown_as == "Gamesmaster" else message.shown_as
    sender = "unsigned press" if unsigned else f"press from {who}"

    def head(reader: Reader) -> str:
        own = reader.power or "Gamesmaster"
        others = [house if name == "Gamesmaster" else name for name in message.to if name != own]
        told = ", ".join(["you", *others] if own in message.to else others) or "everybody"
        return f"{'Somebody (unsigned)' if unsigned else who[0].upper() + who[1:]} writes to {told}:"

    return written(table, "press", sender, head, message.text, key=f"press.{message.pk}")


def stuck(table: Table) -> Letter:
    """To the players of a table whose phase cannot be adjudicated."""
    return written(
        table, "table", "the game is on hold",
        f"{table.phase_code} cannot be adjudicated because of a fault in this program. No order is lost, and no"
        " deadline runs. The people who run the site have been told; we will write to you when the game goes on.",
    )  # fmt: skip


def defective(table: Table, code: str) -> Letter:
    """An order was void because the program fell over it; the phase is over all the same."""
    why = f"In {code} an order could not be judged because of a fault in this program, so it counted as void."
    mend = (
        "The report names the order. Please tell the people who run this site; the Gamesmaster may take the phase back."
    )
    return written(table, "quarantine", f"a fault in the program: {code}", why, mend, notice=f"{why} {mend}")


def quarantined(table: Table, error: str) -> Letter:
    """A phase cannot be adjudicated; `error` is the name of an error, never its text, which may quote an order."""
    return written(
        table, "quarantine", f"{table.phase_code} cannot be adjudicated",
        f"{table.attempts} attempts failed ({error}). The game is stopped: no order is lost, and no deadline runs.",
        notice=f"{table.phase_code} cannot be adjudicated. No order is lost, and no deadline runs; the people who"
        " run the game have been told.",
    )  # fmt: skip
