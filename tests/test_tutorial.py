"""docs/tutorial-board.md: whoever does what it says, sees what it says."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gamesmaster.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial-board.md").read_text(encoding="utf-8")

_BLOCK = re.compile(r"(?:<!-- ([^>]*) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)


def steps() -> Iterator[tuple[str, str, str]]:
    """What the page asks for, in its order: what to do with a file, and what to type with what then comes."""
    for task, kind, block in _BLOCK.findall(PAGE):
        if task:
            yield "file", task, block
        elif kind == "console":
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield "command", command, output


def change(task: str, text: str) -> None:
    """Do to a file what a reader would: save it, add a line, or replace the line that begins alike."""
    found = re.fullmatch(r"(save as|add to|replace in) (\S+?)(?:: (\S+))?", task)
    assert found, task
    what, path, beginning = found[1], Path(found[2]), found[3]
    if what == "save as":
        path.write_text(text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if what == "replace in":
        beginning = beginning or text.split(",")[0]
        (number,) = (n for n, line in enumerate(lines) if line.startswith(f"{beginning},"))
        lines[number] = text
    else:
        lines.append(text)
    path.write_text("".join(lines), encoding="utf-8")


def test_the_tutorial_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the tutorial, run in its order with the changes it asks for, prints what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    runner, checker, done = CliRunner(), doctest.OutputChecker(), 0
    for kind, task, text in steps():
        if kind == "file":
            change(task, text)
            continue
        program, *args = shlex.split(task)
        assert program == "gamesmaster"
        result = runner.invoke(app, args, prog_name="gamesmaster")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert checker.check_output(text, result.output, doctest.ELLIPSIS), f"$ {task}\n{result.output}"
        done += 1
    assert done > 15
    for made in ("my_island.svg", "my_island.png", "my_island.pdf", "my_island.html", "first.png"):
        assert (tmp_path / made).stat().st_size > 10_000


def test_quoted_lines_are_those_of_the_template() -> None:
    """The line of the Neck that the tutorial quotes is in the template."""
    quoted = re.search(r"^NEC,.*$", PAGE, re.MULTILINE)
    template = files("gamesmaster.cli") / "board_templates" / "island" / "provinces.csv"
    assert quoted
    assert quoted[0] in template.read_text(encoding="utf-8").splitlines()
