"""The program as a whole: help, errors, terminals, and true processes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from gamesmaster import __version__
from tests.lengths import mark_long

from .conftest import SEED, Run

PROGRAM = [sys.executable, "-m", "gamesmaster"]
COMMANDS = (
    "new order status process rollback draw concede absent report map explain legal "
    "adjudicate replay dice variants show rulebook house-rules board"
)
HEAVY = ("pydantic", "numba", "numpy", "hypothesis", "rich", "gamesmaster.judge", "gamesmaster.rules")


def start(*args: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [*PROGRAM, *map(str, args)], capture_output=True, text=True, check=False, **options
    )


def test_help_names_every_command(run: Run) -> None:
    """`--help` lists the commands in groups, shows examples and tells the exit codes."""
    for option in ("--help", "-h"):
        output = run(option).output
        assert all(f" {command} " in output for command in COMMANDS.split())
        assert all(
            group in output for group in ("Play a game", "Understand", "Check and measure", "Variants and rules")
        )
        assert "gamesmaster new winter.json" in output
        assert "Exit codes" in output


def test_no_command_is_a_question_for_help(run: Run) -> None:
    """Without a command the help is shown."""
    assert "Play a game" in run().output
    assert "lint" in run("board").output
    assert "verify" in run("dice").output


def test_version(run: Run) -> None:
    """`--version` prints the version."""
    assert run("--version").output == f"gamesmaster {__version__}\n"


@pytest.mark.parametrize(("typed", "meant"), [("ordr", "order"), ("porcess", "process"), ("reprot", "report")])
def test_misspelt_commands(run: Run, typed: str, meant: str) -> None:
    """A command that is not there is answered with the nearest."""
    result = run(typed)
    assert result.exit_code == 2
    assert f"'{meant}'" in result.stderr


def test_no_tracebacks(run: Run, game: Path) -> None:
    """An error that the user can mend is one line on the error stream, and nothing on the output."""
    result = run("report", game, "--phase", "S1905M")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")


def test_faults_of_the_system_are_told(run: Run, tmp_path: Path) -> None:
    """A fault of the system, such as a folder where a file should be written, is a line with its name."""
    (tmp_path / "game.json.new").mkdir()
    result = run("new", "game.json")
    assert result.exit_code == 3
    assert "game.json.new" in result.stderr


# -- processes -------------------------------------------------------------------------------------------------------


def test_a_game_is_played(tmp_path: Path) -> None:
    """The program, started anew for each command, plays a phase."""
    assert start("new", "winter.json", "--seed", SEED, cwd=tmp_path).returncode == 0
    assert start("order", "winter.json", "france", "-", cwd=tmp_path, input="A Par - Bur\n").returncode == 0
    done = start("process", "winter.json", cwd=tmp_path)
    assert (done.returncode, "A Par - Bur  succeeds" in done.stdout) == (0, True)
    wrong = start("order", "winter.json", "frence", "A Par H", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (3, "")
    assert wrong.stderr == "error: no power 'frence' in Diplomacy (did you mean France?)\n"


def test_odd_encodings_do_no_harm(tmp_path: Path) -> None:
    """Names that the terminal cannot write are written as well as it can."""
    start("new", "w.json", "France=Žofie", cwd=tmp_path)
    done = start("status", "w.json", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0
    assert "?ofie" in done.stdout


def test_help_comes_at_once() -> None:
    """The help is there before anybody would wonder, for heavy libraries are loaded by the commands that need them."""
    code = f"import sys, gamesmaster.cli.app; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_readers_that_leave_early(tmp_path: Path) -> None:
    """A reader that has seen enough (`| head -1`) brings no traceback."""
    start("new", "w.json", cwd=tmp_path)
    with subprocess.Popen(
        [*PROGRAM, "legal", "w.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as p:
        assert p.stdout is not None
        assert p.stderr is not None
        p.stdout.close()
        assert b"Traceback" not in p.stderr.read()


# -- terminals -------------------------------------------------------------------------------------------------------


def on_a_terminal(*args: object, **env: str) -> str:
    """What the program writes to a terminal."""
    ours, theirs = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [*PROGRAM, *map(str, args)], stdout=theirs, stderr=theirs, stdin=theirs, env={**known, "TERM": "xterm", **env}
    ):
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            written += part
    os.close(ours)
    return written.decode()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("new game.json --variant s", ["scottomacy", "standard"]),
        ("show mine/st", ["mine/stars"]),
        *mark_long(
            [
                ("new game.json --variant ind", ["indianomacy", "indianomacy2"]),
                ("play con", ["conquest2"]),
                ("show cl", ["cline9"]),
                ("map st", ["standard"]),
                ("rules 10", ["1000ad"]),
                ("selfplay st", ["standard"]),
                ("show nowhere/st", []),
            ]
        ),
    ],
)
def test_a_shell_completes_variants(tmp_path: Path, words: str, found: list[str]) -> None:
    """Wherever a variant is named, its name is completed, and so are folders for variants of one's own."""
    (tmp_path / "mine" / "stars").mkdir(parents=True)
    surroundings = {
        "_GAMESMASTER_COMPLETE": "complete_bash",
        "COMP_WORDS": f"gamesmaster {words}",
        "COMP_CWORD": str(len(words.split())),
    }
    done = subprocess.run(
        PROGRAM, env={**os.environ, **surroundings}, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == found


def test_colours_are_for_terminals() -> None:
    """Errors and help are coloured on a terminal, plain elsewhere, and plain where NO_COLOR is set."""
    assert "\x1b[31m" in on_a_terminal("show", "standrd")
    assert "\x1b[" not in start("show", "standrd").stderr
    assert "\x1b[3" not in on_a_terminal("show", "standrd", NO_COLOR="1")
    assert "\x1b[3" not in on_a_terminal("--help", NO_COLOR="1")


def test_progress_is_for_terminals() -> None:
    """A long replay shows a bar on a terminal, and nothing of it elsewhere."""
    saved = Path(__file__).parents[1] / "data" / "saved_game.json"
    assert "saved_game.json" in on_a_terminal("replay", saved)
    assert start("replay", saved).stderr == ""
