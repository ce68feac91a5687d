"""`adjudicate` and `read`: JSON in, JSON out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

BOARDS = Path(__file__).parents[1] / "data" / "boards"
LINE = {"orders": {"France": ["A Par - Bur"], "Germany": ["A Mun - Bur"]}}
WHOLE = ["draws", "events", "next", "orders", "winner"]
PROGRAM = (sys.executable, "-m", "gamesmaster")
UNITS = {"Germany": ["A Mun", "F Kie", "A Ber"], "France": ["A Par", "A Mar", "F Bre"]}
LETTER = {"variant": "standard", "phase": "movement", "units": UNITS, "power": "Germany", "text": ""}


def answers(output: str) -> list[Any]:
    """The answers, None for a blank line."""
    return [json.loads(line) if line else None for line in output.splitlines()]


def test_one_object(run: Run) -> None:
    """An object is answered by a ruling for each order, and the next position."""
    result = run("adjudicate", input=json.dumps(LINE))
    assert result.exit_code == 0
    (answer,) = answers(result.stdout)
    assert answer["orders"][0] == {
        "power": "France",
        "order": "A Par - Bur",
        "result": "bounces",
        "cause": "stood_off",
        "text": "is stood off by A Mun (Germany) (1 against 1)",
        "clause": "STD-6.a",
        "dislodged": False,
    }
    assert set(answer["next"]) >= {"format", "variant", "phase", "units", "numbers", "centers", "due"}
    assert answer["next"]["phase"] == "F1901M"


def test_one_object_over_many_lines(run: Run) -> None:
    """An object printed over several lines is answered by one line."""
    result = run("adjudicate", "-", input=json.dumps(LINE, indent=2))
    assert result.exit_code == 0
    assert len(answers(result.stdout)) == 1


def test_lines_are_answered_in_place(run: Run) -> None:
    """Each line is answered on the line of the same number: blank by blank, bad by an error; the others go on."""
    lines = [json.dumps(LINE), "", "{oops", '{"phase": "S1901X"}', "[]", json.dumps(LINE)]
    result = run("adjudicate", input="\n".join(lines) + "\n")
    assert result.exit_code == 1
    found = answers(result.stdout)
    assert [a if a is None else sorted(a) for a in found] == [
        WHOLE,
        None,
        ["error"],
        ["error"],
        ["error"],
        WHOLE,
    ]
    assert found[0] == found[5]
    assert found[2]["error"].startswith("line 3, column 2: not JSON")
    assert found[3]["error"].startswith("line 4: no phase 'S1901X'")
    assert found[4]["error"].startswith("line 5")


def test_a_bad_first_line(run: Run) -> None:
    """A first line that is no JSON does not spoil those after it."""
    result = run("adjudicate", input="oops\n" + json.dumps(LINE) + "\n")
    assert [sorted(a) for a in answers(result.stdout)] == [["error"], WHOLE]


def test_files_are_read(run: Run) -> None:
    """A file is read like the input."""
    Path("phases.jsonl").write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    assert run("adjudicate", "phases.jsonl").stdout == run("adjudicate", input=json.dumps(LINE)).stdout


def test_rulebooks_and_boards(run: Run) -> None:
    """`--rulebook` holds for objects that name none, `--boards` tells where other boards lie."""
    line = {"units": {"France": ["F MAO"]}, "orders": {"France": ["F Mao - Spa"]}}
    named = json.dumps({**line, "rulebook": "datc"})
    result = run("adjudicate", "--rulebook", "coast_omitted=default", input=f"{json.dumps(line)}\n{named}\n")
    assert [a["orders"][0]["result"] for a in answers(result.stdout)] == ["succeeds", "void"]
    on_pure = json.dumps({"map": "pure"})
    assert run("adjudicate", "--boards", BOARDS, input=on_pure).exit_code == 0
    assert run("adjudicate", input=on_pure).exit_code == 1
    misspelt = run("adjudicate", "--boards", BOARDS, input=json.dumps({"map": "coldwra"}))
    assert "did you mean coldwar?" in answers(misspelt.stdout)[0]["error"]
    escaping = run("adjudicate", "--boards", BOARDS, input=json.dumps({"map": "../boards/pure"}))
    assert "no variant" in answers(escaping.stdout)[0]["error"]


def test_the_exit_code_of_nothing(run: Run) -> None:
    """Nothing to adjudicate is answered by nothing."""
    result = run("adjudicate", input="")
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("nothing.json",), 3, "no file nothing.json"),
        ((".",), 3, "cannot be read"),
        (("--rulebook", "dact"), 3, "did you mean datc"),
        (("--boards",), 2, "--boards"),
    ],
)
def test_bad_commands(run: Run, args: tuple[str, ...], code: int, told: str) -> None:
    """A missing file or an unknown rulebook stops the command, before it has answered anything."""
    result = run("adjudicate", *args, input="{}")
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in " ".join(result.stderr.split())


def test_hostile_lines_are_answered(run: Run) -> None:
    """Deep nesting, huge numbers, doubled keys, half characters, long lines: each is answered by an error."""
    lines = [
        b'{"orders": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"phase": ' + b"9" * 5_000 + b"}",
        b'{"orders": {}, "orders": {}}',
        b'{"orders": {"France": ["\\ud800"]}}',
        b'{"x": NaN}',
        b'{"game": "' + b"x" * 2_000_000 + b'"}',
        b"\xff\xfe",
        b'{"units": {"France": ["' + b"A" * 100 + b'"]}}',
        b'{"rulebook": {"4.A.2": []}}',
        b'{"rulebook": 7}',
        b'{"variant": "../../etc"}',
        b'{"map": "\\u0000"}',
        b'{"orders": {"": []}}',
        b'{"units": {"": ["A PAR"]}}',
        b'{"phase": "' + b"S" * 70 + b'"}',
    ]
    result = run("adjudicate", input=b"\n".join(lines) + b"\n")
    assert result.exit_code == 1
    assert [sorted(a) for a in answers(result.stdout)] == [["error"]] * len(lines)


def test_answers_come_at_once() -> None:
    """A program that holds the line gets each answer before it sends the next line, blank and bad ones too."""
    with subprocess.Popen(
        [*PROGRAM, "adjudicate"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, expected in (("oops", "error"), (json.dumps(LINE), "next"), ("{}", "next")):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert expected in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait() == 1


def test_the_schema(run: Run) -> None:
    """`--schema` prints the JSON Schema of a request."""
    schema = json.loads(run("adjudicate", "--schema").stdout)
    assert {"orders", "ask", "state", "numbers"} <= schema["properties"].keys()


def test_damage_is_told_by_its_path(run: Run) -> None:
    """What a mechanic cannot have kept is an answer with the line and the path, never a fault of the program."""
    damaged = {"variant": "conquest2", "state": {"off-board-supply": {"winters": -(10**9), "deferred": {}}}}
    result = run("adjudicate", input=json.dumps(damaged))
    assert result.exit_code == 1
    assert answers(result.stdout)[0]["error"].startswith('line 1, $.state["off-board-supply"].winters')


# -- `read` ----------------------------------------------------------------------------------------------------------


def replies(run: Run, tmp_path: Path, lines: list[object], *options: str) -> list[dict[str, list[object]]]:
    """What is answered to some lines."""
    file = tmp_path / "letters.jsonl"
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("\n".join(written) + "\n", encoding="utf-8")
    result = run("read", str(file), *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_each_line_is_answered_on_the_same_line(run: Run, tmp_path: Path) -> None:
    """Orders, refusals and ways of reading stand on the line of the question, and a bad line stops nothing."""
    sheet = "Hi Bob,\nMünchen nach Burgund\nF Kie - Hlo\nA Ber - Kie if you like\n"
    found = replies(
        run,
        tmp_path,
        [
            {**LETTER, "text": sheet},
            "no JSON",
            {**LETTER, "power": "Germny"},
            {**LETTER, "phase": "lunch"},
            {**LETTER, "units": {"Germany": ["A Nowhere"]}},
            {**LETTER, "variant": "no such game"},
            {**LETTER, "text": 5},
            "[]",
            {**LETTER, "text": "<p>Hello</p><ul><li>A Mun H</li><li>F Kie - Den</li></ul>"},
            {**LETTER, "phase": "retreats", "dislodged": {"Germany": ["A Ruh"]}, "text": "A Ruh retreats to Bel"},
        ],
    )
    assert len(found) == 10
    assert found[0]["orders"] == ["A Mun - Bur"]
    assert found[0]["read_as"] == ["line 2: 'München nach Burgund' is read as A Mun - Bur"]
    assert [(no["line"], bool(no["hint"]), no["column"] >= 1) for no in found[0]["refused"]] == [  # type: ignore[index]
        (3, True, True),
        (4, True, True),
    ]
    for answer in found[1:8]:
        assert answer["orders"] == []
        assert len(answer["refused"]) == 1
    assert found[8]["orders"] == ["A Mun H", "F Kie - Den"]
    assert found[9]["orders"] == ["A Ruh - Bel"]


def test_letters_saved_by_old_programs(run: Run) -> None:
    """A line in the letters of Western Windows is read as it was meant, beside those in UTF-8."""
    line = json.dumps({**LETTER, "text": "München nach Burgund"}, ensure_ascii=False)
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        found = json.loads(run("read", "-", input=line.encode(encoding)).output)
        assert (found["orders"], found["refused"]) == (["A Mun - Bur"], [])
    documents = json.dumps({"orders": {"Germany": ["A München H"]}}, ensure_ascii=False)
    assert "(save it as UTF-8)" in answers(run("adjudicate", input=documents.encode("cp1252")).stdout)[0]["error"]


def test_orders_are_written_in_another_dialect(run: Run, tmp_path: Path) -> None:
    """`--dialect` writes what was read as people and programs of that habit do."""
    text = {**LETTER, "text": "A Mun S A Ber - Kie"}
    assert replies(run, tmp_path, [text], "--dialect", "daide")[0]["orders"] == ["(GER AMY MUN) SUP (AMY BER) MTO KIE"]
    german = replies(run, tmp_path, [text], "--dialect", "german")[0]["orders"]
    assert german == ["Armee München unterstützt Armee Berlin nach Kiel"]
    assert run("read", "--dialect", "klingon", "-").exit_code == 3
