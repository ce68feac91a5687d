"""docs/cli.md: nothing is missing from it, and its examples are true."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from gamesmaster.cli.app import app

from .conftest import Run

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def _commands(command: Any, path: str = "gamesmaster") -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name, sub in inner.items():
        yield from _commands(sub, f"{path} {name}")


PROGRAM = typer.main.get_command(app)
COMMANDS = dict(_commands(PROGRAM))


def test_there_are_commands() -> None:
    """The commands that the page is compared with are all there."""
    assert {"gamesmaster new", "gamesmaster board lint", "gamesmaster dice verify"} < set(COMMANDS)
    assert len(COMMANDS) == 47


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_on_the_page(path: str) -> None:
    """Each command has a section, which names every option that it has."""
    section = re.search(rf"^### {path}\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"no section {path!r}"
    for parameter in COMMANDS[path].params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            assert not option.startswith("-") or option in ("--help", "-h") or f"`{option}" in section[1], option


def test_every_section_is_a_command() -> None:
    """No section is about a command that is not there."""
    assert set(re.findall(r"^### (.*)$", PAGE, re.MULTILINE)) == set(COMMANDS)


def test_every_option_of_the_program_is_on_the_page() -> None:
    """The options of the program itself are told."""
    for parameter in PROGRAM.params:
        for option in parameter.opts:
            assert f"`{option}`" in PAGE


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_teaches_by_example(path: str, run: Run) -> None:
    """`--help` of each command tells what it is for, and shows an example of it."""
    result = run(*path.split()[1:], "--help")
    assert result.exit_code == 0
    assert "For example:" in result.output
    assert f"{path} " in result.output or path in ("gamesmaster variants", "gamesmaster rulebook")


def _examples(page: str) -> Iterator[tuple[str, str]]:
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = example.partition("\n")
            yield command, output


def test_examples_are_true(run: Run) -> None:
    """Every example of the page, run one after the other, prints what the page says."""
    checker, count = doctest.OutputChecker(), 0
    for command, wanted in _examples(PAGE):
        words, given = command, None
        if command.startswith("echo "):
            said, _, words = command.partition(" | ")
            given = shlex.split(said)[1] + "\n"
        program, *args = shlex.split(words)
        assert program == "gamesmaster"
        got = run(*args, input=given).output
        assert checker.check_output(wanted, got, doctest.ELLIPSIS), f"$ {command}\n{got}"
        count += 1
    assert count > 15


def test_the_readme_s_examples_work(run: Run) -> None:
    """The commands that README.md begins with do what they should."""
    commands = [shlex.split(command)[1:] for command, _ in _examples(README) if command.startswith("gamesmaster ")]
    assert len(commands) > 5
    for args in commands:
        assert run(*args).exit_code == 0, args
