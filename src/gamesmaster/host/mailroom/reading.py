"""Reading a mail: from whom it is and what it says, without quotations, signatures and mark-up."""

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

from gamesmaster.host.site.refusals import Refused
from gamesmaster.orders.layout import forwards, text_of

LARGEST = 256 * 1024  # bytes of a mail
LARGEST_HEAD = 32 * 1024  # bytes of its headers
MOST_PARTS = 40
LONGEST_TEXT = 64 * 1024  # characters read
MOST_HOPS = 40
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_CODES = re.compile(
    r"(ascii|utf|iso8859|iso2022|cp\d|windows|koi8|gb|big5|euc|shift_jis|mac|hz|johab|tis|ptcp|kz).*", re.ASCII
)
_STATUS = re.compile(rb"^Status:[ \t]*([245]\.\d{1,3}\.\d{1,3})", re.IGNORECASE | re.MULTILINE)
_ACTION = re.compile(rb"^Action:[ \t]*([a-z]{1,12})", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A mail as it is read.  `automatic` says by what one sees that a program wrote it, if one does.

    `unread` tells what of it was not read; `message_id` is empty where there is none that can be quoted.
    """

    message_id: str
    sent: datetime | None
    sender: str
    text: str
    automatic: str = ""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a delivery report says: did the delivery fail for good, and its status code."""

    failed: bool
    status: str


def parsed(data: bytes) -> Message:
    """The parts of a mail; raises `Refused` for one that is too large or too tangled."""
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
    """Read a mail that came with this sender on its envelope to a house of this domain."""
    text, unread = _text(mail)
    found = written(text)
    if found.unread:
        unread = (*unread, f"{found.unread} lines below a quotation were not read; write above it.")
    return Incoming(
        _message_id(mail), _sent(mail), parseaddr(_header(mail, "From"))[1], found.text,
        _automatic(mail, envelope_sender, domain), unread,
    )  # fmt: skip


def bounce_of(mail: Message, envelope_sender: str | None) -> Bounce | None:
    """What a mail that came back says, None if it is no delivery report."""
    if envelope_sender or mail.get_content_type() != "multipart/report":
        return None
    for part in _parts(mail):
        if part.get_content_type() == "message/delivery-status":
            told = part.as_bytes()[:20_000]
            action, status = _ACTION.search(told), _STATUS.search(told)
            code = status[1].decode() if status else ""
            return Bounce(action is not None and action[1].lower() == b"failed", code)
    return None


def _header(mail: Message, name: str) -> str:
    """A header as text on one line, at most 1,000 characters of it."""
    try:
        return " ".join(str(mail.get(name) or "")[:1000].split())
    except (ValueError, LookupError, TypeError):
        return ""


def _message_id(mail: Message) -> str:
    found = _ID.fullmatch(_header(mail, "Message-ID"))
    return found[0] if found else ""


def _sent(mail: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(_header(mail, "Date"))
        return (at.replace(tzinfo=UTC) if at.tzinfo is None else at).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _automatic(mail: Message, envelope_sender: str | None, domain: str) -> str:
    """By what one sees that a program wrote it (RFC 3834), empty if by nothing."""
    if not envelope_sender:
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
        return "Message-ID"  # our own has come round
    return "Received" if len(mail.get_all("Received") or ()) > MOST_HOPS else ""


def _parts(mail: Message) -> Iterator[Message]:
    """The parts, whatever is nested in what; the parts of mails within mails are left out."""
    yield mail
    if mail.get_content_maintype() == "multipart" and mail.is_multipart():
        for part in mail.get_payload():
            if isinstance(part, Message):
                yield from _parts(part)


def _text(mail: Message) -> tuple[str, tuple[str, ...]]:
    """The words of a mail, of its plain parts if it has any, and what was not read."""
    plain, html, unread = list[str](), list[str](), 0
    for part in _parts(mail):
        kind = part.get_content_type()
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            continue
        if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
            unread += 1
        elif kind == "text/plain":
            plain.append(_decoded(part))
        else:
            html.append(_decoded(part))
    text = "\n".join(plain) if any(p.strip() for p in plain) else "\n".join(map(text_of, html))
    if len(text) > LONGEST_TEXT:
        raise Refused("too-large", f"The mail's text is too long; the most is {LONGEST_TEXT:,} characters.")
    notes = (f"{unread} attachments were not read." if unread > 1 else "An attachment was not read.",) if unread else ()
    return _clean(text), notes


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text = _by_charset(data, str(part.get_content_charset() or "utf-8"))
    if part.get_param("format") == "flowed":
        text = _unflowed(text, part.get_param("delsp") == "yes")
    return text[: LONGEST_TEXT + 1] if part.get_content_type() == "text/plain" else text


def _by_charset(data: bytes, charset: str) -> str:
    """Text in the charset it says, else in UTF-8, else as Western Windows would have it."""
    for name in (charset, "utf-8"):
        try:
            if _CODES.fullmatch(codecs.lookup(name).name.replace("-", "")):
                return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", errors="replace")


def _unflowed(text: str, close: bool) -> str:
    """Lines that a mail program broke made whole (RFC 3676)."""
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
    """Line ends as one, and neither control characters nor halves of surrogate pairs."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in text)


MARK = "##- Please write above this line -##"
"""Every mail of the house begins with it: whatever quotes the mail, nothing below is read."""

_SIGNATURE = re.compile(r"--\s?")
_RULES = re.compile(r"\s*(-{3,}.{1,60}-{3,}|_{10,})\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """What somebody has written, and how many lines below a quotation were left unread."""

    text: str
    unread: int = 0


def written(text: str) -> Written:
    """The text above the first quotation or signature.

    The line that says who is quoted goes with the quotation, in whatever language: the paragraph before it, if that
    ends with a colon.
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
    told = lines[begin]
    if not _who(told) and begin > 0 and lines[begin - 1].strip():  # it may be wrapped
        begin, told = begin - 1, f"{lines[begin - 1]} {told}"
    return begin if _who(told) else end


def _who(told: str) -> bool:
    """Does this line say who wrote when?  It has a date or an address in it; a heading like `France:` has not."""
    return "@" in told or any(letter.isdigit() for letter in told)
