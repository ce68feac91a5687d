"""Letters: the mails and pasted texts that a Gamesmaster receives, from files.

A folder of mails (`.eml`) and texts (`.txt`), a mailbox in the mbox format, one mail, or one plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

from gamesmaster.errors import BadFile
from gamesmaster.files import decode
from gamesmaster.strictjson import read_bytes

LARGEST_LETTER = 256 * 1024
"""The largest letter that is read, in bytes."""
MOST_LETTERS = 1_000
"""The most letters that are read from one folder or mailbox."""
LARGEST_HEAD, LONGEST_HEADER = 32 * 1024, 1_000
"""The most bytes of all headers of a mail, and the most characters of a header that are read."""
MOST_PARTS = 40
"""The most parts of a mail."""
MOST_BOUNDARIES = 5 * MOST_LETTERS
"""The most lines that may part a mail, in all mails of a file."""
_ENDINGS = (".eml", ".txt", ".msg", "")
_HEADER = re.compile(rb"(?:From|Date|Subject|Message-ID|Return-Path|Received|Delivered-To|MIME-Version): ", re.I)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter: its text, who sent it with which subject, when, and in which file it was found."""

    text: str
    sender: str = ""
    subject: str = ""
    sent: datetime | None = None
    where: str = ""


def read_letters(path: Path) -> tuple[Letter, ...]:
    """Return the letters of a folder, a mailbox or a file, the oldest first; those without a date keep their place.

    Raises `NotFound` for a missing file, `BadFile` for more letters or larger ones than are read.
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.is_file() and file.suffix.casefold() in _ENDINGS)
        letters = [letter for file in files for letter in letters_of(_bytes(file), str(file))]
    else:
        letters = list(letters_of(_bytes(path, MOST_LETTERS * LARGEST_LETTER), str(path)))
    if len(letters) > MOST_LETTERS:
        raise BadFile(f"more than {MOST_LETTERS} letters", where=str(path))
    return in_order(letters)


def in_order(letters: list[Letter]) -> tuple[Letter, ...]:
    """Return the letters by date; a letter without a date stays behind the one before it."""
    dated: list[tuple[datetime, int, Letter]] = []
    last = datetime.min.replace(tzinfo=UTC)
    for number, letter in enumerate(letters):
        last = letter.sent or last
        dated.append((last, number, letter))
    return tuple(letter for _, _, letter in sorted(dated, key=lambda one: one[:2]))


def letters_of(data: bytes, where: str = "") -> Iterator[Letter]:
    """Yield the letters in these bytes: of a mailbox, a mail, or a plain text.

    Raises `BadFile` for one that is too large, and for too many mails or parts of mails.
    """
    if b"boundary" in data and data.count(b"\n--") > MOST_BOUNDARIES:
        raise BadFile(f"mails with more than {MOST_BOUNDARIES:,} parts", where=where)
    if data.startswith(b"From ") and b"\n" in data:
        parts = data.removeprefix(b"From ").split(b"\nFrom ", MOST_LETTERS)
        if len(parts) > MOST_LETTERS:
            raise BadFile(f"more than {MOST_LETTERS} letters", where=where)
        for number, part in enumerate(parts, 1):
            mail = part.partition(b"\n")[2]
            yield _mail(mail, f"{where}, mail {number}" if where else f"mail {number}")
    elif _HEADER.match(data.lstrip()):
        yield _mail(data.lstrip(), where)
    else:
        if len(data) > LARGEST_LETTER:
            raise BadFile(f"a letter of more than {LARGEST_LETTER // 1024} KiB", where=where)
        yield Letter(decode(data), where=where)


def _bytes(path: Path, limit: int = LARGEST_LETTER) -> bytes:
    data = read_bytes(path, limit=limit)
    if len(data) > limit:
        raise BadFile(f"more than {limit // 1024} KiB", where=str(path))
    return data


def _mail(data: bytes, where: str) -> Letter:
    if len(data) > LARGEST_LETTER:
        raise BadFile(f"a mail of more than {LARGEST_LETTER // 1024} KiB", where=where)
    head = min((at for mark in (b"\r\n\r\n", b"\n\n") if (at := data.find(mark)) >= 0), default=len(data))
    if head > LARGEST_HEAD or data.count(b"boundary") > MOST_PARTS:
        raise BadFile(f"headers of more than {LARGEST_HEAD // 1024} KiB, or more than {MOST_PARTS} parts", where=where)
    try:
        mail = message_from_bytes(data, policy=default)
        sender, subject = (" ".join(_header(mail, name).split())[:200] for name in ("From", "Subject"))
        # some charsets spell halves of surrogate pairs, which nobody can write
        text, sender, subject = (part.encode(errors="replace").decode() for part in (_text(mail), sender, subject))
        sent = _date(mail)
    except (MessageError, ValueError, LookupError, RecursionError, TypeError, AttributeError, IndexError):
        return Letter(decode(data), where=where)  # a broken mail is read as the text that it is
    return Letter(text, sender, subject, sent, where)


def _header(mail: Message, name: str) -> str:
    raw = next((str(value) for known, value in mail.raw_items() if known.casefold() == name.casefold()), "")
    return str(default.header_fetch_parse(name, raw[:LONGEST_HEADER]))


def _text(mail: Message) -> str:
    body = mail.get_body(("plain", "html")) if isinstance(mail, EmailMessage) else None
    if body is not None:
        return str(body.get_content())
    payload = mail.get_payload()
    return payload if isinstance(payload, str) else ""


def _date(mail: Message) -> datetime | None:
    try:
        at = parsedate_to_datetime(_header(mail, "Date"))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
