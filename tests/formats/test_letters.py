"""Letters from files: mails, mailboxes, folders and plain texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.formats import letters
from gamesmaster.formats.letters import letters_of, read_letters

MAIL = """\
From: Ann <ann@example.org>
Subject: Spring orders
Date: Fri, 27 Nov 2026 {hour:02}:00:00 +0000
{more}
{text}
"""


def mail(hour: int, text: str, more: str = "") -> str:
    """A mail sent at an hour of one day."""
    return MAIL.format(hour=hour, text=text, more=more)


def test_a_mailbox_is_read_by_date() -> None:
    """The mails of a mailbox come with sender, subject and text; the oldest is first in a folder."""
    box = "".join(f"From ann@example.org Fri Nov 27 10:00:00 2026\n{mail(h, t)}\n" for h, t in ((9, "a"), (8, "b")))
    found = list(letters_of(box.encode(), "box"))
    assert [letter.text.strip() for letter in found] == ["a", "b"]
    assert [letter.where for letter in found] == ["box, mail 1", "box, mail 2"]
    assert {(letter.sender, letter.subject) for letter in found} == {("Ann <ann@example.org>", "Spring orders")}
    assert [letter.text.strip() for letter in letters.in_order(found)] == ["b", "a"]


def test_a_folder_holds_mails_and_texts(tmp_path: Path) -> None:
    """Mails (`.eml`) and texts (`.txt`) of a folder are read; a text without a date stays behind what it followed."""
    (tmp_path / "b.eml").write_text(mail(9, "late"), encoding="utf-8")
    (tmp_path / "a.eml").write_text(mail(10, "later"), encoding="utf-8")
    (tmp_path / "c.txt").write_bytes(b"A M\xfcn - Ruh")
    (tmp_path / "map.png").write_bytes(b"\x89PNG")
    assert [letter.text.strip() for letter in read_letters(tmp_path)] == ["late", "A Mün - Ruh", "later"]


@pytest.mark.parametrize(
    ("more", "text", "read"),
    [
        ("Content-Type: text/html; charset=utf-8\n", "<p>A Par - Bur<br>A Mar H</p>", "<p>A Par - Bur<br>A Mar H</p>"),
        ("Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n", "M=FCn", "Mün"),
        ("Content-Type: text/plain; charset=nonsense\n", "A Par H", "A Par H"),
        ("Content-Type: multipart/mixed; boundary=\n", "A Par H", "A Par H"),
        ("Content-Type: text/plain; charset=utf-7\n", "A Par H +2AA-", "A Par H ?"),
    ],
    ids=["html", "latin", "unknown charset", "broken", "half a surrogate pair"],
)
def test_mails_in_any_form_are_read(more: str, text: str, read: str) -> None:
    """HTML, other character sets and broken mails give a letter all the same, which can be written; nothing raises."""
    (letter,) = letters_of(mail(9, text, more).encode())
    assert read in letter.text
    assert letter.text.encode()


def test_what_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter, a file or a number of letters beyond the bounds is refused with its place; so is a missing file."""
    with pytest.raises(BadFile, match="256 KiB"):
        list(letters_of(b"x" * (letters.LARGEST_LETTER + 1)))
    with pytest.raises(NotFound, match="no file"):
        read_letters(tmp_path / "none")
    monkeypatch.setattr(letters, "MOST_LETTERS", 1)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("A Par H", encoding="utf-8")
    with pytest.raises(BadFile, match="more than 1 letters"):
        read_letters(tmp_path)


def test_a_mailbox_of_many_mails_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mailbox with too many lines that begin a mail is refused before any mail is read."""
    monkeypatch.setattr(letters, "_mail", lambda data, where: pytest.fail("a mail was read"))
    with pytest.raises(BadFile, match="box: more than 1000 letters"):
        next(letters_of(b"From a\n" * 100_000, "box"))
