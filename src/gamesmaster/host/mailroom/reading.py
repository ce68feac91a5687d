"""Parsing mail: sender and own text, without quotations, signatures and markup; and the commands in it.

A command fills a whole line; all other lines are the sheet of orders. Commands of other judges are understood where
they mean the same. Nothing is guessed: a line that only begins like a command is not one.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from gamesmaster.host.site.refusals import Refused
from gamesmaster.reading.layout import forwards, text_of

LARGEST = 256 * 1024  # bytes of a mail
LARGEST_HEAD = 32 * 1024  # bytes of its headers
MOST_PARTS = 40
LONGEST_TEXT = 64 * 1024  # characters
MOST_HOPS = 40
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_CODES = re.compile(
    r"(ascii|utf|iso8859|iso2022|cp\d|windows|koi8|gb|big5|euc|shift_jis|mac|hz|johab|tis|ptcp|kz).*", re.ASCII
)
_STATUS = re.compile(rb"^Status:[ \t]*([245]\.\d{1,3}\.\d{1,3})", re.IGNORECASE | re.MULTILINE)
_ACTION = re.compile(rb"^Action:[ \t]*([a-z]{1,12})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A parsed mail."""

    message_id: str  # "" if it has none that can be quoted
    sent: datetime | None
    sender: str
    text: str  # own text, without quotations
    automatic: str = ""  # the header that reveals a program as the writer; "" for a person
    unread: tuple[str, ...] = ()  # notes on what was not read


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery report."""

    failed: bool  # delivery failed permanently
    status: str  # enhanced status code, such as 5.1.1


def parse(data: bytes) -> Message:
    """Parse a mail; raise `Refused` if it is too large or has too many parts."""
    head = min((at for mark in (b"\r\n\r\n", b"\n\n") if (at := data.find(mark)) >= 0), default=len(data))
    if len(data) > LARGEST or head > LARGEST_HEAD:
        raise Refused("too-large", f"The mail is too large; the most is {LARGEST // 1024} KiB.")
    if data.count(b"boundary") > MOST_PARTS:
        raise Refused("too-tangled", "The mail has too many parts.", "send plain text")
    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except (ValueError, LookupError, RecursionError, TypeError, AttributeError, IndexError) as error:
        raise Refused("unreadable", "The mail cannot be read.", "send plain text") from error


def read(mail: Message, envelope_sender: str | None, domain: str) -> Incoming:
    """Return the content of a mail. `domain` is the site's own, by which returning mails are recognized."""
    text, unread = _text(mail)
    own = own_text(text)
    if own.unread:
        unread = (*unread, f"{own.unread} lines below a quotation were not read; write above it.")
    return Incoming(
        _message_id(mail), _date(mail), parseaddr(_header(mail, "From"))[1], own.text,
        _automatic(mail, envelope_sender, domain), unread,
    )  # fmt: skip


def bounce_of(mail: Message, envelope_sender: str | None) -> Bounce | None:
    """Return the content of a delivery report; None if the mail is not one."""
    if not _is_null(envelope_sender) or mail.get_content_type() != "multipart/report":
        return None
    for part in _parts(mail):
        if part.get_content_type() == "message/delivery-status":
            report = part.as_bytes()[:20_000]
            action, status = _ACTION.search(report), _STATUS.search(report)
            code = status[1].decode() if status else ""
            return Bounce(action is not None and action[1].lower() == b"failed", code)
    return None


def _header(mail: Message, name: str) -> str:
    """Return a header as text on one line, at most 1,000 characters."""
    try:
        return " ".join(str(mail.get(name) or "")[:1000].split())
    except (ValueError, LookupError, TypeError):
        return ""


def _message_id(mail: Message) -> str:
    match = _ID.fullmatch(_header(mail, "Message-ID"))
    return match[0] if match else ""


def _date(mail: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(_header(mail, "Date"))
        return (at.replace(tzinfo=UTC) if at.tzinfo is None else at).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _is_null(envelope_sender: str | None) -> bool:
    """Return whether this is the null sender, with which programs write; aiosmtpd hands it on as `<>`."""
    return envelope_sender in (None, "", "<>")


def _automatic(mail: Message, envelope_sender: str | None, domain: str) -> str:
    """Return the header by which a mail is recognized as written by a program (RFC 3834); "" for a person's."""
    if _is_null(envelope_sender):
        return "null sender"
    submitted = _header(mail, "Auto-Submitted").casefold().split(";")[0].strip()
    if submitted not in ("", "no"):
        return "Auto-Submitted"
    if _header(mail, "Precedence").casefold() in ("bulk", "list", "junk", "auto_reply"):
        return "Precedence"
    for name in ("List-Id", "List-Post", "X-Autoreply", "X-Autorespond", "X-Loop", "X-Gamesmaster"):
        if name in mail:
            return name
    if mail.get_content_type() == "multipart/report":
        return "report"
    if parseaddr(_header(mail, "From"))[1].casefold().partition("@")[0] in ("mailer-daemon", "postmaster"):
        return "From"
    if _message_id(mail).casefold().endswith(f"@{domain.casefold()}>"):
        return "Message-ID"  # our own mail has returned
    return "Received" if len(mail.get_all("Received") or ()) > MOST_HOPS else ""


def _parts(mail: Message) -> Iterator[Message]:
    """Yield all parts however nested, except those of attached mails."""
    yield mail
    if mail.get_content_maintype() == "multipart" and mail.is_multipart():
        for part in mail.get_payload():
            if isinstance(part, Message):
                yield from _parts(part)


def _text(mail: Message) -> tuple[str, tuple[str, ...]]:
    """Return the text of the plain parts, else of the HTML parts, and notes on what was not read."""
    plain, html, unread = list[str](), list[str](), 0
    for part in _parts(mail):
        kind = part.get_content_type()
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            continue
        if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
            unread += 1
        elif kind == "text/plain":
            plain.append(_decode(part))
        else:
            html.append(_decode(part))
    text = "\n".join(plain) if any(p.strip() for p in plain) else "\n".join(map(text_of, html))
    if len(text) > LONGEST_TEXT:
        raise Refused("too-large", f"The mail's text is too long; the most is {LONGEST_TEXT:,} characters.")
    notes = (f"{unread} attachments were not read." if unread > 1 else "An attachment was not read.",) if unread else ()
    return _clean(text), notes


def _decode(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text = _by_charset(data, str(part.get_content_charset() or "utf-8"))
    if part.get_param("format") == "flowed":
        text = _join_flowed_lines(text, close=part.get_param("delsp") == "yes")
    return text[: LONGEST_TEXT + 1] if part.get_content_type() == "text/plain" else text


def _by_charset(data: bytes, charset: str) -> str:
    """Decode by the stated charset, else UTF-8, else Windows-1252."""
    for name in (charset, "utf-8"):
        try:
            if _CODES.fullmatch(codecs.lookup(name).name.replace("-", "")):
                return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", errors="replace")


def _join_flowed_lines(text: str, *, close: bool) -> str:
    """Join lines that a mail program wrapped (format=flowed, RFC 3676)."""
    lines: list[str] = []
    open_ = False
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.removeprefix(" ")
        if open_ and not bare.startswith(">"):
            lines[-1] = (lines[-1].removesuffix(" ") if close else lines[-1]) + bare
        else:
            lines.append(bare)
        open_ = bare.endswith(" ") and bare != "-- " and not bare.startswith(">")
    return "\n".join(lines)


def _clean(text: str) -> str:
    """Normalize line ends, and replace control characters and surrogates by spaces."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in text)


MARK = "##- Please write above this line -##"
"""First line of the site's mails: text below it in a reply is not read."""

_SIGNATURE = re.compile(r"--\s?")
_RULES = re.compile(r"\s*(-{3,}.{1,60}-{3,}|_{10,})\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's own text, and the number of lines below a quotation that were not read."""

    text: str
    unread: int = 0


def own_text(text: str) -> Written:
    """Return the text above the first quotation or signature.

    The line that introduces the quotation is removed in any language: it ends with a colon and contains a date or an
    address.
    """
    lines = text.split("\n")
    end = next((at for at in range(len(lines)) if _cuts(lines, at)), len(lines))
    below = lines[end:]
    signed = bool(below) and bool(_SIGNATURE.fullmatch(below[0]))
    unread = 0 if signed else sum(1 for line in below[1:] if line.strip() and not line.lstrip().startswith((">", "|")))
    if not signed and end < len(lines):
        end = _without_attribution(lines, end)
    marked = any(MARK in line for line in below)
    return Written("\n".join(lines[:end]).rstrip(), 0 if marked else unread)


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
    ("stop", r"(?:stop|unsubscribe)(?: (phase|deadline|press|table|all))?"),
    ("start", r"(?:start|subscribe)(?: (phase|deadline|press|table|all))?"),
    ("process", r"process"),
    ("preview", r"preview"),
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
