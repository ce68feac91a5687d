"""Decoding mail: headers, parts and texts, in the charsets and with the faults that mail programs write."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime

from gamesmaster.host.site.refusals import Refused
from gamesmaster.reading import text_of

LARGEST = 256 * 1024  # bytes of a mail
LARGEST_HEAD = 32 * 1024  # bytes of its headers
MOST_PARTS = 40
LONGEST_TEXT = 64 * 1024  # characters
LONGEST_HEADER = 1000  # characters
_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_CODES = re.compile(
    r"(ascii|utf|iso8859|iso2022|cp\d|windows|koi8|gb|big5|euc|shift_jis|mac|hz|johab|tis|ptcp|kz).*", re.ASCII
)


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


def header(mail: Message, name: str) -> str:
    """Return a header as text on one line, at most 1,000 characters; "" without it. Encoded words stay as they are."""
    raw = next((str(value) for known, value in mail.raw_items() if known.casefold() == name.casefold()), "")
    data = raw[:LONGEST_HEADER].encode("utf-8", "surrogateescape")  # the bytes, which some programs do not encode
    return " ".join(_by_charset(data, "utf-8").split())


def subject(mail: Message) -> str:
    """Return the subject, decoded."""
    written = header(mail, "Subject")
    with suppress(ValueError, LookupError, HeaderParseError):
        return str(make_header(decode_header(written)))
    return written


def message_id(mail: Message) -> str:
    """Return the Message-ID, "" if it has none that can be quoted."""
    match = _ID.fullmatch(header(mail, "Message-ID"))
    return match[0] if match else ""


def date(mail: Message) -> datetime | None:
    """Return the date at which a mail was written, None if it says none."""
    try:
        at = parsedate_to_datetime(header(mail, "Date"))
        return (at.replace(tzinfo=UTC) if at.tzinfo is None else at).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def parts(mail: Message) -> Iterator[Message]:
    """Yield all parts however nested, except those of attached mails."""
    yield mail
    if mail.get_content_maintype() == "multipart" and mail.is_multipart():
        for part in mail.get_payload():
            if isinstance(part, Message):
                yield from parts(part)


def text(mail: Message) -> tuple[str, list[Message]]:
    """Return the text of the plain parts, else of the HTML parts, and the other parts, which are not read."""
    plain, html, others = list[str](), list[str](), list[Message]()
    for part in parts(mail):
        kind = part.get_content_type()
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            continue
        if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
            others.append(part)
        elif kind == "text/plain":
            plain.append(decode(part))
        else:
            html.append(decode(part))
    found = "\n".join(plain) if any(p.strip() for p in plain) else "\n".join(map(text_of, html))
    if len(found) > LONGEST_TEXT:
        raise Refused("too-large", f"The mail's text is too long; the most is {LONGEST_TEXT:,} characters.")
    return _clean(found), others


def decode(part: Message) -> str:
    """Return the text of a part."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    found = _by_charset(data, str(part.get_content_charset() or "utf-8"))
    if part.get_param("format") == "flowed":
        found = _join_flowed_lines(found, close=part.get_param("delsp") == "yes")
    return found[: LONGEST_TEXT + 1] if part.get_content_type() == "text/plain" else found


def _by_charset(data: bytes, charset: str) -> str:
    """Decode by the stated charset, else UTF-8, else Windows-1252."""
    for name in (charset, "utf-8"):
        try:
            if _CODES.fullmatch(codecs.lookup(name).name.replace("-", "")):
                return data.decode(name)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", errors="replace")


def _join_flowed_lines(found: str, *, close: bool) -> str:
    """Join lines that a mail program wrapped (format=flowed, RFC 3676)."""
    lines: list[str] = []
    open_ = False
    for line in found.replace("\r\n", "\n").split("\n"):
        bare = line.removeprefix(" ")
        if open_ and not bare.startswith(">"):
            lines[-1] = (lines[-1].removesuffix(" ") if close else lines[-1]) + bare
        else:
            lines.append(bare)
        open_ = bare.endswith(" ") and bare != "-- " and not bare.startswith(">")
    return "\n".join(lines)


def _clean(found: str) -> str:
    """Normalize line ends, and replace control characters and surrogates by spaces."""
    found = found.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in found)
