"""Mutants are made as told, noticed by tests that fail, and the list of those that cannot be noticed is true."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import typer

from bench.mutants import ROOT, SOURCE, Plan, mutants, mutated, noticed

PLAN = Plan.read()
PROGRAM = '''
def most(numbers: list[int] | None, start: int = 0) -> int:
    """Return the largest number."""
    for number in numbers or ():
        if number > start and not number == 7:
            start = number
    return start
'''


def test_every_change_is_one_change() -> None:
    """Comparisons, conditions, numbers and negations are changed; docstrings and annotations are not."""
    found = [mutant.change for mutant in mutants("most.py", PROGRAM)]
    assert found == [
        "0 -> 1",
        "numbers or () -> numbers and ()",
        "numbers or () -> ()",
        "numbers or () -> numbers",
        "number > start and (not number == 7) -> number > start or not number == 7",
        "number > start and (not number == 7) -> not number == 7",
        "number > start and (not number == 7) -> number > start",
        "number > start -> number >= start",
        "not number == 7 -> number == 7",
        "number == 7 -> number != 7",
        "7 -> 8",
    ]
    sources = {mutated(PROGRAM, number) for number in range(len(found))}
    assert len(sources) == len(found)
    assert ast.unparse(ast.parse(PROGRAM)) not in sources


def test_every_mutant_of_the_program_compiles() -> None:
    """No change makes a module that Python does not read."""
    source = (ROOT / SOURCE / "mechanics/taboo.py").read_text(encoding="utf-8")
    for mutant in mutants("mechanics/taboo.py", source):
        compile(mutated(source, mutant.number), mutant.module, "exec")


@pytest.mark.parametrize("room", PLAN.rooms)
def test_the_plan_names_what_is_there(room: str) -> None:
    """Every group of a room has modules, and its tests are there; a sample is the same with the same seed."""
    modules = PLAN.modules(room, ["*"])
    for group in PLAN.rooms[room]:
        assert {PLAN.tests(room, module) for module in modules} >= {tuple(group["tests"])}
        assert [test for test in group["tests"] if not (ROOT / test.removeprefix("--ignore=")).exists()] == []
    first, again, other = (PLAN.sample(room, modules[-3:], 9, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_the_list_of_equivalent_mutants_is_true() -> None:
    """Each is still a mutant of its module, and has a reason."""
    modules = {module for module, _, _ in PLAN.equivalent}
    made = {
        (m.module, m.function, m.change)
        for module in modules
        for m in mutants(module, (ROOT / SOURCE / module).read_text(encoding="utf-8"))
    }
    assert PLAN.equivalent.keys() - made == set()
    assert all(PLAN.equivalent.values())


def test_tests_notice(tmp_path: Path) -> None:
    """A copy is as noticed as its tests fail or never end; tests that are not there are an error."""
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    assert not noticed(tmp_path, ["test_one.py"], 60)
    (tmp_path / "test_one.py").write_text("def test_one():\n    assert False\n")
    assert noticed(tmp_path, ["test_one.py"], 60)
    (tmp_path / "test_one.py").write_text("def test_one():\n    while True:\n        pass\n")
    assert noticed(tmp_path, ["test_one.py"], 3)
    with pytest.raises(typer.BadParameter, match="no such tests"):
        noticed(tmp_path, ["test_two.py"], 60)
