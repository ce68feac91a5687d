"""Pages that lead a reader through commands and changes of files, read and followed step by step."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from typer.testing import CliRunner

from gamesmaster.cli.app import app

_BLOCK = re.compile(r"(?:<!-- ([^>]*) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    """What a page asks for, in its order: what to do with a file, and what to type with what then comes."""
    for task, kind, block in _BLOCK.findall(page):
        if task:
            yield "file", task, block
        elif kind == "console":
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                yield "command", command, output


def change(task: str, text: str) -> None:
    """Do to a file what a reader would: save it, add to it, or replace the line that begins alike."""
    found = re.fullmatch(r"(save as|add to|replace in) (\S+?)(?:: (.+))?", task)
    assert found, task
    what, path, beginning = found[1], Path(found[2]), found[3]
    if what == "save as":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if what == "replace in":
        beginning = beginning or text.split(",")[0]
        (number,) = (n for n, line in enumerate(lines) if re.match(rf"{re.escape(beginning)}(,| =|$)", line))
        lines[number] = text
    else:
        lines.append(text)
    path.write_text("".join(lines), encoding="utf-8")


def follow(page: str) -> int:
    """Follow a page in the present folder, and return how many commands it had; each must print what the page says."""
    runner, checker, done = CliRunner(), doctest.OutputChecker(), 0
    for kind, task, text in steps(page):
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
    return done
