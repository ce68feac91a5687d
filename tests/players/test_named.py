"""Players by name, and from files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gamesmaster.players as room
from gamesmaster.errors import BadFile, NotFound
from gamesmaster.players import Heuristic, find_player, player_names

MINE = """
from gamesmaster.players import Bot

class Mine(Bot):
    name = "mine"

    def orders(self, view):
        return ""

class Half:
    name = "half"

    def orders(self, view):
        return ""

class Broken(Bot):
    pass
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with a player, and classes that are none."""
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_players_by_name() -> None:
    """Each name gives a new player of that name, in any case of letters."""
    assert player_names() == ("dumbbot", "heuristic", "holder", "peaceful", "people", "random", "searcher")
    assert [find_player(name).name for name in player_names()] == list(player_names())
    assert isinstance(find_player("HEURISTIC"), Heuristic)
    assert find_player("random") is not find_player("random")


def test_unknown_names() -> None:
    """A name that nobody has is refused with the nearest, or with all there are."""
    with pytest.raises(NotFound, match="did you mean heuristic"):
        find_player("heurstic")
    with pytest.raises(
        NotFound, match="players are dumbbot, heuristic, holder, peaceful, people, random, searcher, or FILE"
    ):
        find_player("zzz")


def test_players_from_files(mine: Path) -> None:
    """A class in a file of Python is made into a player."""
    assert find_player(f"{mine}:Mine").name == "mine"


@pytest.mark.parametrize(
    ("thing", "why"), [("Half", "it has no vote"), ("Broken", "TypeError"), ("Absent", "AttributeError")]
)
def test_classes_that_are_no_players(mine: Path, thing: str, why: str) -> None:
    """A class that lacks a method, cannot be made or is not there is refused, saying so."""
    with pytest.raises(BadFile, match=why):
        find_player(f"{mine}:{thing}")


def test_files_that_hold_no_players(tmp_path: Path) -> None:
    """A file that is not there, is no Python, or cannot be run, is refused."""
    with pytest.raises(NotFound, match="no file"):
        find_player(f"{tmp_path}/none.py:Mine")
    for name, text, why in (("mine.txt", MINE, "not a Python file"), ("bad.py", "1 +", "SyntaxError")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(BadFile, match=why):
            find_player(f"{tmp_path / name}:Mine")


def test_the_room_names_what_it_has() -> None:
    """`__all__` is sorted, complete, and what `dir` shows; another name is refused."""
    assert room.__all__ == sorted(room.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert all(getattr(room, name) is not None for name in room.__all__)
    assert dir(room) == sorted(room.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = room.nonsense


def test_importing_stays_light() -> None:
    """Importing the room loads none of its players, and nothing heavy."""
    code = "import sys, gamesmaster.players; print([m for m in sys.modules if m.startswith('gamesmaster.players.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
