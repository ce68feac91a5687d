"""Parsing mail: sender and own text, without quotations, signatures and markup; and the commands in it.

A command fills a whole line; all other lines are the sheet of orders. Commands of other judges are understood where
they mean the same. Nothing is guessed: a line that only begins like a command is not one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.utils import parseaddr
from pathlib import Path

from gamesmaster.host.mailroom import mime
from gamesmaster.host.mailroom.automatic import is_away, program_of
from gamesmaster.host.tables.notifications import CHOSEN
from gamesmaster.reading import forwards


@dataclass(frozen=True, slots=True)
class Incoming:
    """A parsed mail."""

    message_id: str  # "" if it has none that can be quoted
    sent: datetime | None
    sender: str
    text: str  # own text, without quotations
    automatic: str = ""  # the header that reveals a program as the writer; "" for a person
    away: bool = False  # perhaps a note of absence: not answered, unless it holds orders or commands
    attached: int = 0  # number of parts that were not read
    may_hold_orders: bool = False  # one of these parts may hold orders
    below: str = ""  # lines below a quotation, which do not count
    below_ours: bool = False  # that quotation is one of the site's own mails


def read(mail: Message, envelope_sender: str | None, domain: str) -> Incoming:
    """Return the content of a mail. `domain` is the site's own, by which returning mails are recognized."""
    text, others = mime.text(mail)
    own, below, ours = own_text(text)
    return Incoming(
        mime.message_id(mail), mime.date(mail), parseaddr(mime.header(mail, "From"))[1], own,
        program_of(mail, envelope_sender, domain), is_away(mail), len(others), any(map(_may_hold_orders, others)),
        below, ours,
    )  # fmt: skip


def _may_hold_orders(part: Message) -> bool:
    """Return whether a part that is not read may hold orders, unlike a logo in the text, a signature or a card."""
    kind, inline = part.get_content_type(), part.get_content_disposition() != "attachment"
    return not ((kind.startswith("image/") and inline) or re.search(r"signature|pgp|vcard|calendar", kind))


MARK = "##- Please write above this line -##"
"""First line of the site's mails: text below it in a reply is not read."""

_SIGNATURE = re.compile(r"--\s?")
_RULES = re.compile(r"\s*(-{3,}.{1,60}-{3,}|_{10,})\s*")


def own_text(text: str) -> tuple[str, str, bool]:
    """Return the text above the first quotation or signature, the writer's lines below it, and whether it quotes us.

    The line that introduces the quotation is removed in any language: it ends with a colon and contains a date or an
    address. Below one of our own mails, only a quotation with marks (`>`) can be told from the writer's lines.
    """
    lines = text.split("\n")
    end = next((at for at in range(len(lines)) if _cuts(lines, at)), len(lines))
    below = lines[end:]
    signed = bool(below) and bool(_SIGNATURE.fullmatch(below[0]))
    if not signed and end < len(lines):
        end = _without_attribution(lines, end)
    ours = [line for line in below if MARK in line]
    if signed or not all(map(_is_quoted, ours)):
        below = []
    signature = next((at for at, line in enumerate(below) if _SIGNATURE.fullmatch(line)), len(below))
    unread = [line for line in below[1:signature] if line.strip() and not _is_quoted(line)]
    return "\n".join(lines[:end]).rstrip(), "\n".join(unread), bool(ours)


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith((">", "|"))


def _cuts(lines: list[str], at: int) -> bool:
    line = lines[at][:400]
    if MARK in line or line.lstrip().startswith(">") or _SIGNATURE.fullmatch(line):
        return True
    return bool(_RULES.fullmatch(line)) or forwards(lines, at)


def _without_attribution(lines: list[str], end: int) -> int:
    at = end
    while at > 0 and not lines[at - 1].strip():
        at -= 1
    if at == 0 or not lines[at - 1].rstrip().endswith(":"):
        return end
    begin = at - 1
    line = lines[begin]
    if not _who(line) and begin > 0 and lines[begin - 1].strip():  # the introduction may be wrapped
        begin, line = begin - 1, f"{lines[begin - 1]} {line}"
    return begin if _who(line) else end


def _who(line: str) -> bool:
    """Return whether this line introduces a quotation: it contains a date or an address, unlike a heading `France:`."""
    return "@" in line or any(letter.isdigit() for letter in line)


HELP = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
"""The commands, as mails list them."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a mail."""

    name: str
    words: tuple[str, ...] = ()  # arguments
    text: str = ""  # the text that follows, as with press
    line: int = 0  # line number from 1
    quote: str = ""  # the line as written


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a mail asks for."""

    commands: tuple[Command, ...]  # in their order
    sheet: str = ""  # the lines that are not commands; numbers of lines are kept
    amend: bool | None = None  # add to the saved orders (True) or replace them (False), if stated
    phase: str = ""  # phase of the orders, if stated
    table: str = ""  # key of the table, if stated


_FORMS: tuple[tuple[str, str], ...] = (
    ("help", r"help|\?"),
    ("status", r"status|whoami|get status"),
    ("orders", r"(?:show |get |my |list )?orders"),
    ("clear", r"clear(?: orders)?|no orders"),
    ("confirm", r"confirm|ready"),
    ("unconfirm", r"unconfirm|not ready|unready"),
    ("wait", r"(?:set )?wait|hold"),
    ("nowait", r"(?:set )?nowait|no wait|unhold|no hold"),
    ("history", r"(?:get )?history(?: all)?"),
    ("report", r"(?:report|results?|history)(?: ([a-z]{0,6}\d{1,5}[a-z]{0,3}))?"),
    ("map", r"(?:get )?map(?: (svg|png))?(?: ([a-z]{0,6}\d{1,5}[a-z]{0,3}))?(?: (svg|png))?"),
    ("board", r"(?:text )?board"),
    ("list", r"list|games|tables"),
    ("join", r"join ([a-z]{1,16})(?: as (.{1,60}?))?(?: prefer (.{1,400}?))?(?: with ([a-z]{1,16}))?"),
    ("back", r"come ?back|i(?: am|'m) back"),
    ("leave", r"leave ([a-z]{1,16})"),
    ("standby", r"(no ?)?standby ([a-z]{1,16})(?: as (.{1,60}?))?(?: with ([a-z]{1,16}))?"),
    ("draw", r"(?:vote )?draw(?: (?:among|for|of) (.{1,400}))?"),
    ("concede", r"(?:vote for|concede to|vote concede to) (.{1,60})"),
    ("unvote", r"(?:withdraw|vote no|unvote|no) (?:vote )?(draw|end|extend|pause|resume|cancel)"),
    ("unvote", r"vote (?:nothing|none|no)|withdraw(?: votes?| all)?"),
    ("wish", r"vote (extend|pause|resume|cancel)"),
    ("away", r"(?:away|absent) (\d{4}-\d\d-\d\d)(?: ?(?:to|-|until) ?(\d{4}-\d\d-\d\d))?"),
    ("stop", rf"(?:stop|unsubscribe)(?: ({'|'.join(CHOSEN)}|all))?"),
    ("start", rf"(?:start|subscribe)(?: ({'|'.join(CHOSEN)}|all))?"),
    ("process", r"process"),
    ("preview", r"preview"),
    ("helper", r"(no )?helper (.{1,150})"),
    ("uncorrect", r"undo(?: the)?(?: last)? correction"),
    ("pause", r"pause"),
    ("resume", r"resume"),
    ("extend", r"(?:extend (?:to|until)|deadline) (\d{4}-\d\d-\d\d) (\d\d:\d\d)"),
)
_KNOWN = tuple((name, re.compile(pattern)) for name, pattern in _FORMS)
_PRESS = re.compile(r"(?:(grey|gray|anonymous) )?(press|broadcast)(?: (grey|gray|anonymous))?(?: to (.{1,400}))?:?")
_END_PRESS = re.compile(r"end ?(?:press|broadcast)")
_REPORT = re.compile(r"(?:report|complain)(?: about)? (conduct|cheating|absence|fault|other):?")
_STATEMENT = re.compile(r"statement:?")
_END_STATEMENT = re.compile(r"end ?statement")
_CORRECT = re.compile(r"correct(?: the)? board(?: (sure))?:?")
_END_CORRECT = re.compile(r"end ?(?:correct|correction|board)")
_END_REPORT = re.compile(r"end ?(?:report|complaint)")
_END = re.compile(r"end|quit|sign ?off|stop here")
_TABLE = re.compile(r"table ([a-z]{1,16})")
_PHASE = re.compile(r"(?:phase|(?:orders )?for(?: phase)?) ([a-z]{0,6}\d{1,5}[a-z]{0,3}):?")
LONGEST_LINE = 500


def wishes(text: str) -> Wishes:
    """Parse the text of a mail into commands and orders."""
    lines = text.split("\n")
    rest = list(lines)  # the lines for the sheet
    commands: list[Command] = []
    amend, phase, table, at = None, "", "", 0
    while at < len(lines):
        plain = _plain(lines[at])
        number, begin, at = at + 1, at, at + 1
        if (press := _PRESS.fullmatch(plain)) is not None:
            at, body = _until_end(lines, at, _END_PRESS)
            words = ("grey" if press[1] or press[3] else "", press[4] or ("all" if press[2] == "broadcast" else ""))
            commands.append(Command("press", words, body, number, lines[begin].strip()))
        elif (about := _REPORT.fullmatch(plain)) is not None:
            at, body = _until_end(lines, at, _END_REPORT)
            commands.append(Command("complain", (about[1],), body, number, lines[begin].strip()))
        elif _STATEMENT.fullmatch(plain):
            at, body = _until_end(lines, at, _END_STATEMENT)
            commands.append(Command("statement", (), body, number, lines[begin].strip()))
        elif (correct := _CORRECT.fullmatch(plain)) is not None:
            at, body = _until_end(lines, at, _END_CORRECT)
            commands.append(Command("correct", (correct[1] or "",), body, number, lines[begin].strip()))
        elif plain in ("amend", "replace"):
            amend = plain == "amend"
        elif (named := _PHASE.fullmatch(plain)) is not None:
            phase = named[1].upper()
        elif (named := _TABLE.fullmatch(plain)) is not None:
            table = named[1]
        elif _END.fullmatch(plain):
            rest[begin:] = [""] * (len(lines) - begin)
            break
        elif (command := _command(plain, number, lines[begin])) is not None:
            commands.append(command)
        else:
            continue
        rest[begin:at] = [""] * (at - begin)
    return Wishes(tuple(commands), "\n".join(rest).rstrip(), amend, phase, table)


def _plain(line: str) -> str:
    """Return a line in the form in which commands are compared: lower case, single spaces, no full stop."""
    return " ".join(unicodedata.normalize("NFKC", line[:LONGEST_LINE]).casefold().split()).rstrip(" .!")


def _command(plain: str, number: int, line: str) -> Command | None:
    for name, pattern in _KNOWN:
        match = pattern.fullmatch(plain)
        if match is not None:
            words = tuple(word or "" for word in match.groups())
            return Command(name, words, "", number, line.strip())
    return None


def _until_end(lines: list[str], at: int, last: re.Pattern[str]) -> tuple[int, str]:
    """Return the line after the end mark, and the text before it; all text if the mark is missing."""
    for end in range(at, len(lines)):
        if last.fullmatch(_plain(lines[end])):
            return end + 1, "\n".join(lines[at:end]).strip()
    return len(lines), "\n".join(lines[at:]).strip()
