"""Checking from the command line: replay and dice."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from .conftest import SEED, Run

DATA = Path(__file__).parents[1] / "data"
SAVED = DATA / "saved_game.json"


@pytest.fixture
def phases(run: Run) -> Path:
    """The first game of the recorded ones, a phase a line."""
    with gzip.open(DATA / "recorded_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line, _ in zip(lines, range(40), strict=False)]
    path = Path("games.jsonl")
    path.write_text("".join(json.dumps(d) + "\n" for d in read if d["game"] == read[0]["game"]), encoding="utf-8")
    return path


# -- replay ----------------------------------------------------------------------------------------------------------


def test_replaying_closes_with_the_counts(run: Run, phases: Path) -> None:
    """`replay` counts phases passed, failed and skipped, by kind and in all, over all files."""
    result = run("replay", phases, SAVED)
    assert result.exit_code == 0
    *table, total = result.stdout.splitlines()
    count = len(phases.read_text(encoding="utf-8").splitlines()) + 11
    assert total == f"{count} passed, 0 failed, 0 skipped"
    assert [line.split()[0] for line in table] == ["phases", "movement", "retreats", "adjustments"]
    assert result.stderr == ""


def test_differences_are_printed(run: Run, phases: Path) -> None:
    """A phase that came out otherwise is printed with file, line, game and what differs; the exit code is 1."""
    first, *rest = phases.read_text(encoding="utf-8").splitlines()
    data = json.loads(first)
    data["next"]["units"]["France"][0] = "A GAS"
    phases.write_text("\n".join([json.dumps(data), *rest, "oops"]), encoding="utf-8")
    result = run("replay", phases)
    assert result.exit_code == 1
    assert f"games.jsonl, line 1 ({data['game']} S1901M)" in result.stdout
    assert "recorded France A GAS" in result.stdout
    assert f"games.jsonl, line {len(rest) + 2}, column 1: not JSON" in result.stdout
    assert result.stdout.splitlines()[-1] == f"{len(rest):,} passed, 2 failed, 0 skipped"
    assert "recorded France" not in run("replay", phases, "--first", "0").stdout
    told = json.loads(run("replay", phases, "--json").stdout)
    assert (told["failed"], told["kinds"]["movement"]["failed"], told["kinds"]["unreadable"]["failed"]) == (2, 1, 1)
    assert told["differences"][0]["phase"] == "S1901M"


def test_the_rulebook_can_be_chosen(run: Run, phases: Path) -> None:
    """`--rulebook` is put in place of the one that is usual for other programs' games."""
    line = {"phase": "W1901A", "units": {"France": ["A PAR", "A RUH"]}, "centers": {"France": ["KIE"]}, "orders": {},
            "next": {"phase": "S1902M", "units": {"France": ["A PAR"]}, "centers": {"France": ["KIE"]}}}  # fmt: skip
    phases.write_text(json.dumps(line), encoding="utf-8")
    assert run("replay", phases).exit_code == 0
    assert run("replay", phases, "--rulebook", "datc").exit_code == 1
    assert run("replay", phases, "--rulebook", "datc,4.D.8=a").exit_code == 0


def test_games_on_other_boards(run: Run) -> None:
    """`--boards` tells where the boards lie that the phases name."""
    path = Path("pure.jsonl")
    with gzip.open(DATA / "recorded_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        path.write_text("".join(line for line in lines if '"map":"pure"' in line), encoding="utf-8")
    assert run("replay", path, "--boards", DATA / "boards").stdout.endswith("9 passed, 0 failed, 0 skipped\n")
    alone = run("replay", path)
    assert alone.exit_code == 1
    assert "no variant 'pure'" in alone.stdout


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((), 2, "Missing argument"),
        (("nothing.jsonl",), 3, "no file nothing.jsonl"),
        ((SAVED, "--rulebook", "dact"), 3, "did you mean datc"),
        ((SAVED, "--first", "-1"), 2, "--first"),
        ((SAVED, "--board", "x"), 2, "--boards"),
    ],
)
def test_bad_replays(run: Run, args: tuple[str, ...], code: int, told: str) -> None:
    """What cannot be replayed at all is an error, and no count is printed."""
    result = run("replay", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize("text", ["{}\n", "", '{"phase": "S1901M"}\n'])
def test_a_replay_that_compares_nothing_is_no_success(run: Run, text: str) -> None:
    """Where no phase comes with its next one nothing was checked, and the exit code says so; a new game is one, too."""
    Path("empty.jsonl").write_text(text, encoding="utf-8")
    run("new", "game.json")
    for file in ("empty.jsonl", "game.json"):
        result = run("replay", file)
        assert result.exit_code == 1
        assert "0 passed, 0 failed" in result.stdout
        assert "nothing was compared" in result.stderr


# -- dice ------------------------------------------------------------------------------------------------------------


def test_dice_are_verified(run: Run) -> None:
    """The throws of a game are checked against its seed; a false one is told, and the exit code is 1."""
    run("new", "dealt.json", *"ABCDEFG", "--seed", SEED)
    result = run("dice", "verify", "dealt.json")
    assert result.exit_code == 0
    assert "7 throws, 0 wrong" in result.stdout
    data = json.loads(Path("dealt.json").read_text(encoding="utf-8"))
    data["throws"][0][4] = 1 - min(1, data["throws"][0][4])
    Path("dealt.json").write_text(json.dumps(data), encoding="utf-8")
    result = run("dice", "verify", "dealt.json")
    assert result.exit_code == 1
    assert "7 throws, 1 wrong" in result.stdout
    assert "STD-1.a, Austria: recorded" in result.stderr
    assert len(json.loads(run("dice", "verify", "dealt.json", "--json").stdout)["wrong"]) == 1


def test_a_false_seed_is_told(run: Run) -> None:
    """A seed that is not the one committed to is refused."""
    run("new", "dealt.json", "--seed", SEED)
    text = Path("dealt.json").read_text(encoding="utf-8").replace(SEED, "11" * 32)
    Path("dealt.json").write_text(text, encoding="utf-8")
    result = run("dice", "verify", "dealt.json")
    assert result.exit_code == 3
    assert "commitment" in result.stderr
    assert run("dice", "verify", "none.json").exit_code == 3
