"""A form that comes from a package of its own is listed, read and written, without a word in ours."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import form

from ..mechanics.test_own_mechanic import EXAMPLES, run, wheel

USED = """
import sys
from pathlib import Path
import gamesmaster as gm
from gamesmaster.formats import import_games, known_forms

folder = Path(sys.argv[1])
game = gm.Game.start(gm.find_variant("standard"), seed=bytes(32))
game = game.submit("France", ["A Par - Bur", "F Bre - Mao"]).submit("Germany", ["A Mun - Bur"]).process()
game = game.submit("France", ["F Mao - Por"]).process()
gm.export(game, "postcards", name="winter").write(folder)
print((folder / "winter.postcards").read_text())
(made,) = import_games(folder / "winter.postcards")
print(made.form, made.name, made.differences, made.game.phase, made.game.position.owners == game.position.owners)
print([one.id for one in known_forms()][-1])
(folder / "winter.postcards").write_text("POSTCARDS standard\\nS1901M France A Par - Bur\\n")
try:
    list(import_games(folder / "winter.postcards"))
except gm.BadFile as fault:
    print(fault)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example package is installed, without a network."""
    folder = tmp_path_factory.mktemp("site")
    built = wheel(EXAMPLES / "postcards", tmp_path_factory.mktemp("wheel"))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(folder)]
    subprocess.run([*pip, str(built)], check=True, timeout=120)
    return folder


def test_an_installed_form_is_read_and_written(installed: Path, tmp_path: Path) -> None:
    """Its files are recognised, its games adjudicated again, and its refusals name the place."""
    lines = run(installed, "-c", USED, str(tmp_path)).splitlines()
    assert lines[:3] == [
        "POSTCARDS standard",
        "S1901M France: A Par - Bur; F Bre - Mao",
        "S1901M Germany: A Mun - Bur",
    ]
    assert lines[-3:] == [
        "postcards winter {} W1901A True",
        "postcards",
        f"{tmp_path}/winter.postcards, line 2: expected a phase, a power, a colon and orders",
    ]


@pytest.mark.parametrize(("value", "words"), [("nowhere:FORM", "cannot be loaded"), ("json:loads", "is not a Form")])
def test_a_broken_form_is_named(value: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose form cannot be used is named, with the place in it."""
    entry = EntryPoint("broken", value, "gamesmaster.formats")
    monkeypatch.setattr(form, "brought", lambda group: {"broken": entry})
    with pytest.raises(GamesmasterError, match=f"{value}: the form 'broken' {words}"):
        form.brought_forms.__wrapped__()
