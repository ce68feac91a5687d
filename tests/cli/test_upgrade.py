"""`upgrade --check`, and games that another program has judged, or that another edition of their variant plays."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.formats import read_any_edition
from gamesmaster.game import load
from gamesmaster.variant.sources import shelf

from .conftest import Run
from .test_program import on_a_terminal

RECORDS = Path(__file__).parents[1] / "data" / "records"


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A game over that commit affedde has played, by an edition of Cline's that is no more today's."""
    file = tmp_path / "former.json"
    file.write_bytes(gzip.decompress((RECORDS / "affedde_cline9_finished.json.gz").read_bytes()))
    return file


@pytest.fixture
def otherwise(game: Path, run: Run) -> Path:
    """A game in which another program has posted something else than this one would."""
    run("order", game, "France", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    run("process", game)
    data = json.loads(game.read_text(encoding="utf-8"))
    data["judge"] = "0.0.9+0123456789ab"
    data["phases"][0]["rulings"][0] = "bounces: stood off"
    game.write_text(json.dumps(data), encoding="utf-8")
    return game


def test_nothing_would_change(run: Run, game: Path, former: Path) -> None:
    """Games of today and of former editions are all there, and all as they were: exit code 0."""
    result = run("upgrade", "--check", game, former)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{former}: goes on by cline9@4a75fcc2b775b72d",
        "2 games: 1 by a former edition, 0 with phases judged differently, 0 unreadable.",
    ]


def test_judged_otherwise(run: Run, otherwise: Path) -> None:
    """A phase that would be judged otherwise is named with both results, and the exit code is 1."""
    result = run("upgrade", "--check", otherwise)
    assert result.exit_code == 1
    assert "S1901M judged differently" in result.stdout
    assert "ruling on A Par - Bur (France): recorded bounces: stood off, found succeeds: came" in result.stdout
    told = json.loads(run("upgrade", "--check", otherwise, "--json").stdout)
    assert (told["games"], told["judged_otherwise"], told["unreadable"]) == (1, 1, 0)
    assert told["told"][0]["differences"][0]["by_another"] is True


def test_unreadable(run: Run, game: Path, tmp_path: Path) -> None:
    """What cannot be read is named with the reason, beside all the others; exit code 1."""
    (broken := tmp_path / "broken.json").write_text('{"format": 3}', encoding="utf-8")
    result = run("upgrade", "--check", broken, game)
    assert result.exit_code == 1
    assert f"{broken}: cannot be read: $: 'commitment' is missing" in result.stdout
    assert "2 games: 0 by a former edition, 0 with phases judged differently, 1 unreadable." in result.stdout


@pytest.mark.parametrize("command", [("report",), ("status",), ("explain",), ("map", "-o", "a.svg")])
def test_what_was_posted_stands(run: Run, otherwise: Path, command: tuple[str, ...]) -> None:
    """Whatever looks at such a game tells what was posted, and warns."""
    result = run(command[0], otherwise, *command[1:])
    assert result.exit_code == 0
    assert "judges S1901M differently now; the posted results stay valid" in result.stderr
    if command == ("report",):
        assert "The posted results stand, although this program would judge the phase differently." in result.stdout
        assert "A Par - Bur  bounces: is stood off by another unit: as posted [STD-6.a]" in result.stdout


def test_it_may_be_judged_anew(run: Run, otherwise: Path) -> None:
    """Who takes the game back and processes it has the phase judged by this program, and no warning any more."""
    assert run("rollback", otherwise, "S1901M").exit_code == 0
    assert run("process", otherwise).exit_code == 0
    assert run("upgrade", "--check", otherwise).exit_code == 0
    assert "warning" not in run("report", otherwise).stderr


def test_a_variant_of_ones_own(run: Run, tmp_path: Path) -> None:
    """A game of one's own variant is read, shown and played on when the variant's folder is gone."""
    shutil.copytree(shelf() / "standard", tmp_path / "mine")
    file = tmp_path / "mine" / "variant.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"standard"', '"mine"', 1), encoding="utf-8")
    assert run("new", "own.json", "--variant", "mine").exit_code == 0
    file.write_text(file.read_text(encoding="utf-8").replace("centres = 18", "centres = 5"), encoding="utf-8")
    assert "own.json: goes on by mine@" in run("upgrade", "--check", "own.json").stdout
    shutil.rmtree(tmp_path / "mine")
    for command in (("status", "own.json"), ("process", "own.json"), ("report", "own.json"), ("map", "own.json")):
        assert run(*command).exit_code == 0, command
    assert run("upgrade", "--check", "own.json").exit_code == 0


def test_a_board_of_another_program(run: Run, tmp_path: Path) -> None:
    """So is a game on a board that another program has exported."""
    board = sorted((RECORDS.parent / "boards").glob("*.json"))[0]
    file = Path(shutil.copy(board, tmp_path / f"{json.loads(board.read_text(encoding='utf-8'))['board']}.json"))
    assert run("new", "own.json", "--variant", file.stem).exit_code == 0
    file.unlink()
    for command in (("status", "own.json"), ("process", "own.json"), ("report", "own.json")):
        assert run(*command).exit_code == 0, command
    assert run("upgrade", "--check", "own.json").exit_code == 0
    with pytest.raises(BadFile, match="a board of another program"):
        load(tmp_path / "own.json")
    assert load(tmp_path / "own.json", read=read_any_edition).records


def test_a_former_edition_by_its_address(run: Run) -> None:
    """An edition of the past is shown, and a game of it begun, by its address."""
    assert json.loads(run("show", "cline9@4a75fcc2b775b72d", "--json").stdout)["digest"].startswith("4a75fcc2")
    assert run("new", "past.json", "--variant", "cline9@4a75fcc2b775b72d").exit_code == 0
    assert "goes on by cline9@4a75fcc2b775b72d" in run("upgrade", "--check", "past.json").stdout
    assert "no edition 0123456789abcdef" in run("show", "cline9@0123456789abcdef").stderr


def test_wrong_uses(run: Run, game: Path, tmp_path: Path) -> None:
    """One site at a time, no files beside it, and files are read as they are."""
    (tmp_path / "a").mkdir()
    assert "give either one site" in run("upgrade", "--check", tmp_path, tmp_path / "a").stderr
    assert "give either one site" in run("upgrade", "--check", tmp_path, game).stderr
    assert "need no upgrade" in run("upgrade", game).stderr


def test_progress_on_a_terminal(game: Path) -> None:
    """On a terminal it is seen how far it is."""
    assert "1 game: 0 by a former edition" in on_a_terminal("upgrade", "--check", game)
