"""Orders sent ahead on the command line: said when they come, counted, and saved when their phase comes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamesmaster.game import load
from tests.cli.conftest import SEED, Run

SHEET = "A Mos - Ukr\nRetreats:\nA War - Gal\nA War - Lvn\nWinter: Build A Mos\n"


@pytest.fixture
def cline(run: Run) -> str:
    """A game of Cline's in which the Russian army in Warsaw is about to be dislodged."""
    run("new", "cline.json", "--variant", "cline9", "--seed", SEED)
    run("order", "cline.json", "austria", "A Vie - Gal")
    run("order", "cline.json", "germany", "A Ber - Pru")
    run("process", "cline.json")
    run("order", "cline.json", "austria", "A Gal S A Pru - War")
    run("order", "cline.json", "germany", "A Pru - War")
    return "cline.json"


def test_what_is_kept_is_said(run: Run, cline: str) -> None:
    """The answer lists what is kept below the orders, in full words; `--json` has it by kind."""
    told = run("order", cline, "russia", "-", input=SHEET)
    assert told.exit_code == 0
    assert (
        "1 order.\n  A Moscow - Ukraine\nKept for retreats:\n  A Warsaw - Galicia\n  A Warsaw - Livonia\n"
        in told.output
    )
    assert "Kept for adjustments:\n  Build A Moscow\n" in told.output
    data = json.loads(run("order", cline, "russia", "Retreats: A War - Lvn", "--json").output)
    assert [one["text"] for one in data["orders"]] == ["A Mos - Ukr"]
    assert data["ahead"]["retreats"] == [{"text": "A War - Lvn", "order": "A Warsaw - Livonia"}]
    assert data["not_kept"] == []
    assert "1 order, 2 sent ahead" in run("status", cline).output
    row = next(p for p in json.loads(run("status", cline, "--json").output)["powers"] if p["power"] == "Russia")
    assert (row["orders"], row["ahead"]) == (1, 2)


def test_the_phase_comes(run: Run, cline: str) -> None:
    """`process` says beside the report whose orders sent ahead are saved, and which units still lack one."""
    run("order", cline, "russia", "-", input=SHEET)
    told = run("process", cline)
    assert "Russia: 1 order sent ahead saved for F1901R [CLN-H.h]" in told.output
    assert "A War - Lvn" not in told.output
    assert load(cline).orders == {"Russia": ("A War - Lvn",)}
    run("rollback", cline, "F1901M")
    run("order", cline, "russia", "Retreats: A War - Gal")
    told = run("process", cline)
    assert "Russia: 0 orders sent ahead saved for F1901R" in told.output
    assert "Russia, with the orders sent ahead: A War has no order and will disband [STD-9.e]" in told.output


def test_what_is_not_kept_is_said(run: Run, game: Path) -> None:
    """A game without the house rule passes them over; with nothing else in the sheet nothing is saved."""
    told = run("order", game, "russia", "A Mos - Ukr", "Retreats: A War - Gal")
    assert told.exit_code == 0
    assert "warning: this game does not keep these orders sent ahead: A War - Gal" in told.output
    assert not load(game).ahead
    told = run("order", game, "russia", "Retreats: A War - Gal")
    assert told.exit_code == 1
    assert load(game).orders["Russia"] == ("A Mos - Ukr",)
    assert json.loads(run("order", game, "russia", "Retreats: A War - Gal", "--json").output)["not_kept"]
