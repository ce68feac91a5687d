"""The catalogue of the rules: each clause has a function that carries it out and a case that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.variant import find_rules_text, rules_text_names
from tests.catalogue import (
    DATA,
    PAGE,
    Carried,
    find_catalogue,
    function,
    lint_catalogue,
    place_of,
    read_catalogue,
)
from tests.open_variants import plain_variants

ROOT = Path(__file__).parents[2]
KEPT = rules_text_names()

RULES = """# The Strait

Two powers and a strait.

## 6. Boats

- **STR-6.a** A boat is no unit.
- **STR-6.b** A boat floats.
- **STR-6.c** A boat sinks.
"""


def _folder(
    folder: Path, catalogue: str, scenarios: str = '[{"id": "STR-S1", "clauses": ["STR-6.a", "STD-1.a"]}]'
) -> Path:
    (folder / "RULES.md").write_text(RULES, encoding="utf-8")
    (folder / "scenarios.json").write_text(scenarios, encoding="utf-8")
    (folder / PAGE).write_text(catalogue, encoding="utf-8")
    return folder


def _codes(catalogue: dict[str, Carried]) -> list[str]:
    return [f"{finding.where} {finding.code}" for finding in lint_catalogue(catalogue, ROOT)]


# -- those of the package --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEPT)
def test_every_clause_is_carried_out_and_shown(name: str) -> None:
    """Each clause has a function that is there and a case that is there, or is the host's, or is told as not built."""
    catalogue = find_catalogue(name)
    assert list(catalogue) == [clause.id for clause in find_rules_text(name).clauses]
    assert [str(finding) for finding in lint_catalogue(catalogue, ROOT)] == []


@pytest.mark.parametrize("name", KEPT)
def test_every_function_has_a_place(name: str) -> None:
    """Where a function of a catalogue stands can be told, and it is a file of the package."""
    parts = {part for carried in find_catalogue(name).values() for part in carried.by if ":" in part}
    assert parts or name in plain_variants()
    for part in parts:
        assert (ROOT / "src" / place_of(part).partition(":")[0]).exists()


# -- reading ---------------------------------------------------------------------------------------------------------


def test_a_catalogue_is_read(tmp_path: Path) -> None:
    """Beginnings mean all clauses that begin so, a longer one counts above a shorter, and groups are unfolded."""
    catalogue = read_catalogue(
        _folder(
            tmp_path,
            """
            groups.floating = ["game.progress:advance", "board"]
            clauses."STR-6" = ["remark"]
            clauses."STR-6.a STR-6.b" = ["engine.battles:sweep", "floating"]
            tests."STR-6.b" = ["tests/game/test_catalogue.py::test_a_catalogue_is_read"]
            host."STR-6.c" = "the host sinks the boats"
            """.replace("            ", ""),
        )
    )
    a, b, c = catalogue.values()
    assert a.by == b.by == ("engine.battles:sweep", "game.progress:advance", "board")
    assert (a.cases, b.cases) == (("STR-S1",), ("tests/game/test_catalogue.py::test_a_catalogue_is_read",))
    assert c == Carried("STR-6.c", ("remark",), (), "the host sinks the boats")
    assert lint_catalogue(catalogue, ROOT) == []


def test_a_catalogue_may_be_like_another(tmp_path: Path) -> None:
    """A variant that shares a rulebook takes functions and cases from the other one."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    _folder(tmp_path / "one", 'clauses."STR-6" = ["board"]')
    two = _folder(tmp_path / "two", 'like = "one"\nclauses."STR-6.b" = ["start"]\nclauses."STR-6.c" = ["remark"]', "[]")
    catalogue = read_catalogue(two)
    assert [carried.by for carried in catalogue.values()] == [("board",), ("start",), ("remark",)]
    assert catalogue["STR-6.a"].cases == ("STR-S1",)
    assert _codes(dict(catalogue)) == ["STR-6.b catalogue-unshown"]  # a remark needs no case


def test_gaps_are_found(tmp_path: Path) -> None:
    """A clause without a function or without a case, and functions and tests that are not there, are errors."""
    told = """
        clauses."STR-6.b" = ["engine.battles:swep", "no.such:thing"]
        tests."STR-6.b" = ["tests/game/test_catalogue.py::test_nothing"]
    """
    catalogue = read_catalogue(_folder(tmp_path, told))
    assert _codes(dict(catalogue)) == [
        "STR-6.a catalogue-nobody",
        "STR-6.b catalogue-function",
        "STR-6.b catalogue-function",
        "STR-6.b catalogue-test",
        "STR-6.c catalogue-nobody",
        "STR-6.c catalogue-unshown",
    ]
    assert lint_catalogue(catalogue)[1].hint == "did you mean sweep?"
    whole = read_catalogue(_folder(tmp_path, 'host."STR-6" = "boats, which the host builds"'))
    assert _codes(dict(whole)) == []


@pytest.mark.parametrize(
    ("told", "complaint"),
    [
        ('clauses."STR-7" = ["board"]', r"\$.clauses: no clause or section 'STR-7'"),
        ('clauses."STR-6" = ["bord"]', "no group or part of the data 'bord' .did you mean board"),
        ('clauses."STR-6" = ["os.path:join()"]', r'\$.clauses\["STR-6"\]\[0\]'),
        ('tests."STR-6" = ["test_it"]', r"\$.tests"),
        ("clauses = 3", r"\$.clauses"),
        ("clauses =", "not TOML"),
        ('like = "../else"', "like"),
    ],
)
def test_bad_catalogues(tmp_path: Path, told: str, complaint: str) -> None:
    """A file that is no catalogue, or speaks of what is not there, is refused with the place."""
    with pytest.raises(BadFile, match=complaint):
        read_catalogue(_folder(tmp_path, told))


def test_no_catalogue(tmp_path: Path) -> None:
    """A variant without a catalogue is told as such."""
    with pytest.raises(NotFound, match="no file"):
        read_catalogue(tmp_path)


def test_the_page_s_example(tmp_path: Path) -> None:
    """The catalogue that docs/board-files.md shows is read as the page says."""
    page = (ROOT / "docs/board-files.md").read_text(encoding="utf-8").partition("## `catalogue.toml`")[2]
    catalogue = read_catalogue(_folder(tmp_path, page.split("```toml\n")[1].split("```")[0]))
    assert catalogue["STR-6.c"].by == ("mechanics.boats.orders:draft_order", "mechanics.boats.season:after_moves")
    assert catalogue["STR-6.b"].by == (*catalogue["STR-6.c"].by, "engine.battles:press")
    assert catalogue["STR-6.a"].host == "boats are drawn by hand"
    assert all(f"`{word}`" in page for word in DATA)


def test_functions_are_within_the_package() -> None:
    """A name means a function, a method or a field of the package; nothing else is looked up."""
    assert function("engine.battles:sweep")
    assert function("rules.rulebook:Rulebook.double_orders")
    assert function("no.such:thing") is None
    assert function("engine.battles:sweep.nothing") is None
    assert place_of("judge.indexed:IndexedPosition.crossings").startswith("gamesmaster/judge/indexed.py:")
    assert place_of("rules.rulebook:Rulebook.double_orders") == "gamesmaster/rules/rulebook.py"
    assert "board" in DATA
