"""What other packages bring: an installed example is found by its names, and a broken package is named."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gamesmaster import plugins
from gamesmaster.errors import BadFile, GamesmasterError, NotFound
from gamesmaster.pictures import style_of
from gamesmaster.players import find_player
from gamesmaster.variant import find_variant
from tests.mechanics.test_own_mechanic import EXAMPLES, run, wheel

USED = """
import sys
from pathlib import Path
from gamesmaster.cli.app import app
game, map = Path(sys.argv[1], "game.json"), Path(sys.argv[1], "map.svg")
app(["play", "shortwar", "--players", "mirror,random", "-o", str(game)], standalone_mode=False)
app(["map", str(game), "--style", "sepia", "-o", str(map)], standalone_mode=False)
print("#f4e8d0" in map.read_text())
app(["report", str(game)], standalone_mode=False)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example package is installed, without a network."""
    folder = tmp_path_factory.mktemp("site")
    built = wheel(EXAMPLES / "parlour", tmp_path_factory.mktemp("wheel"))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, str(built)], check=True, timeout=120)
    return folder


def test_an_installed_package_is_used(installed: Path, tmp_path: Path) -> None:
    """Its player plays its variant to the last year, and its style draws the map; the record carries the variant."""
    told = run(installed, "-c", USED, str(tmp_path))
    assert "mirror" in told
    assert "\nTrue\n" in told
    assert "The game is over" in told
    assert "1904" in told


@pytest.mark.parametrize(
    ("group", "find"), [("players", find_player), ("styles", style_of), ("variants", find_variant)]
)
def test_a_broken_package_is_named(group: str, find: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be loaded, or is something else, is named with its place; names that nobody has are still unknown."""
    assert callable(find)
    brought = {
        "broken": EntryPoint("broken", "there.is.none:Such", f"gamesmaster.{group}"),
        "other": EntryPoint("other", "gamesmaster:__version__", f"gamesmaster.{group}"),
    }
    for module in ("players.match", "pictures.style", "variant.reading"):
        monkeypatch.setattr(f"gamesmaster.{module}.brought", lambda group: brought)
    with pytest.raises(GamesmasterError, match=f"the {group[:-1]} 'broken' cannot be loaded: No module named 'there'"):
        find("broken")
    with pytest.raises((GamesmasterError, BadFile), match=r"is not a|cannot be made"):
        find("other")
    with pytest.raises(NotFound, match="did you mean broken"):
        find("brokn")


def test_entry_points_are_read_by_group() -> None:
    """A group that no package has is empty."""
    assert not plugins.brought("nothing of the kind")
