"""`desk`: a Gamesmaster reads letters, and stores what is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamesmaster.game import load
from tests.cli.conftest import Run

BOX = """\
From anna@example.org Fri Nov 27 10:00:00 2026
From: Anna <anna@example.org>
Date: Fri, 27 Nov 2026 10:00:00 +0000
Subject: orders

A Par - Bur
A Mar S A Par - Bur; F Bre - nowhere

From ben@example.org Fri Nov 27 09:00:00 2026
From: Ben <ben@example.org>
Date: Fri, 27 Nov 2026 09:00:00 +0000
Subject: orders

A Mun - Tyr

From ben@example.org Fri Nov 27 11:00:00 2026
From: Ben <ben@example.org>
Date: Fri, 27 Nov 2026 11:00:00 +0000
Subject: orders

A Mun - Ruh
F Kie - Den

"""


@pytest.fixture
def game(run: Run) -> Path:
    """A game with two players known by name, and a season's mailbox beside it."""
    Path("season.mbox").write_text(BOX, encoding="utf-8")
    run("new", "winter.json", "France=Anna", "Germany=Ben")
    return Path("winter.json")


def stored(file: Path) -> dict[str, tuple[str, ...]]:
    """The orders that a game has."""
    return dict(load(file).orders)


def test_nothing_is_stored_before_it_is_accepted(run: Run, game: Path) -> None:
    """Each line stands beside its reading, doubtful sets and lines first; the game is as before."""
    before = game.read_bytes()
    result = run("desk", game, "season.mbox")
    assert result.exit_code == 1
    assert game.read_bytes() == before
    lines = result.stdout.splitlines()
    assert lines[0] == "France from Anna <anna@example.org>"
    assert lines[2].split()[:5] == ["1?", "F", "Bre", "-", "nowhere"]
    assert any("A Paris - Burgundy" in line for line in lines)
    assert "Germany from Ben <ben@example.org> (a later letter replaces it)" in lines
    assert lines[-1] == "0 sets accepted; 2 sets left."


def test_clear_sets_are_accepted_with_a_receipt(run: Run, game: Path) -> None:
    """`--accept` stores the latest set of each power that has no doubtful line; the others become drafted queries."""
    result = run("desk", game, "season.mbox", "--accept", "--queries", "questions")
    assert stored(game) == {"Germany": ("A Mun - Ruh", "F Kie - Den")}
    (receipt,) = [line for line in result.stdout.splitlines() if "receipt" in line]
    assert receipt.startswith("Germany, S1901M: 2 orders accepted, receipt ")
    again = run("desk", game, "season.mbox", "--accept")
    assert receipt in again.stdout, "the same orders have the same receipt"
    text = Path("questions/S1901M-France.txt").read_text(encoding="utf-8")
    assert "F Bre - nowhere" in text
    assert "A Paris - Burgundy" in text


def test_lines_are_corrected_and_left_out_at_the_prompt(run: Run, game: Path) -> None:
    """A line is corrected by its number, left out by its number alone; a correction that is none changes nothing."""
    answers = "9 A Par H\n1 nonsense\nq\n1 F Bre - Mao\n1\na\nx\n"
    result = run("desk", game, "season.mbox", "--ask", input=answers.encode())
    assert "there is no line '9 A Par H'" in result.stderr
    assert "These lines are not clear to me" in result.stdout
    assert stored(game) == {"France": ("A Mar S A Par - Bur", "F Bre - Mao")}


def test_a_sheet_of_all_powers_from_standard_input(run: Run, game: Path) -> None:
    """A pasted sheet of all powers needs no senders; programs get the desk as JSON."""
    text = "England:\nF Lon - Nth\nItaly: A Ven H\n"
    result = run("desk", game, "-", "--accept", "--json", input=text.encode())
    data = json.loads(result.stdout)
    assert [one["power"] for one in data["sets"]] == ["England", "Italy"]
    assert {receipt["power"]: receipt["orders"] for receipt in data["receipts"]} == {
        "England": ["F Lon - Nth"],
        "Italy": ["A Ven H"],
    }
    assert stored(game) == {"England": ("F Lon - Nth",), "Italy": ("A Ven H",)}


def test_a_letter_of_nobody_is_said_so(run: Run, game: Path) -> None:
    """A letter whose power is not known, or without an order, is named; `--power` says whose such letters are."""
    Path("note.txt").write_text("A Lon - Yor\nF Lon - Nth\n", encoding="utf-8")
    result = run("desk", game, "note.txt")
    assert "note.txt" in result.stderr
    assert result.exit_code == 1
    run("desk", game, "note.txt", "--power", "England", "--ask", input=b"1\na\n")
    assert stored(game) == {"England": ("F Lon - Nth",)}
