"""`show`: every variant at a glance, with its special rules."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.variant import find_rules_text, find_variant, rules_text_names, variant_names
from gamesmaster.variant.facts import Brief, facts, find_brief, mechanic_rows, read_brief, rulebook_text, victory_text

from .conftest import Run

SHELF = Path(__file__).parents[2] / "src/gamesmaster/variants"
DATA = {"board", "start", "powers", "victory", "calendar", "rulebook", "options"}


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_is_shown(run: Run, name: str) -> None:
    """Powers with what they start with, what wins, the calendar, mechanics, options and special rules; also as JSON."""
    lines = run("show", name).stdout.splitlines()
    variant, brief = find_variant(name), find_brief(name)
    assert lines[0] == f"{variant.name} ({name})"
    assert [f"  {word}: {told}" for word, told in facts(variant)] == lines[1 : 1 + len(list(facts(variant)))]
    assert all(
        any(line.startswith(f"{power.name} ") or line == power.name for line in lines) for power in variant.powers
    )
    assert [f"  mechanic {id_}: {told}" for id_, told in mechanic_rows(variant)] == [
        line for line in lines if line.startswith("  mechanic ")
    ]
    assert all(any(line.startswith(f"  option {option.name}: ") for line in lines) for option in variant.options)
    assert all(any(line.startswith(rule.says) for line in lines) for rule in brief.special)
    data = json.loads(run("show", name, "--json").stdout)
    assert data["special"][0] == {
        "says": brief.special[0].says,
        "clauses": list(brief.special[0].clauses),
        "by": list(brief.special[0].by),
    }


@pytest.mark.parametrize("name", rules_text_names())
def test_special_rules_are_in_the_rulebook(name: str) -> None:
    """Every special rule cites clauses of the variant's rulebook, in a sentence, and each is told once."""
    brief, known = find_brief(name), {clause.id for clause in find_rules_text(name).clauses}
    cases = json.loads((SHELF / name / "scenarios.json").read_text(encoding="utf-8"))
    assert brief.example in {case["id"] for case in cases}
    assert len({rule.says for rule in brief.special}) == len(brief.special) >= 5
    for rule in brief.special:
        assert set(rule.clauses) <= known
        assert rule.says.endswith(".")


@pytest.mark.parametrize("name", variant_names())
def test_every_mechanic_is_among_the_special_rules(name: str) -> None:
    """What a variant has of mechanics has a row in the table of its special rules."""
    told = {by for rule in find_brief(name).special for by in rule.by} - DATA
    assert {mechanic.id for mechanic in find_variant(name).mechanics} <= told


def test_what_wins_is_told() -> None:
    """Numbers for single powers, the last ones left, and when it is counted."""
    told = victory_text(find_variant("1000ad").victory)
    assert (
        told == "25 centres; 28 for Vikings, Moors, Magyars; 31 for Byzantines; or most centres when 3 powers are left"
    )
    winter = "24 centres or 23 units; counted when the Winter is complete"
    assert victory_text(find_variant("indianomacy").victory) == winter
    assert rulebook_text(find_variant("scottomacy")) == "datc, double_orders = cancel"


def test_parameters_are_told() -> None:
    """Of each mechanic the parameters that are not as they would be by themselves, in plain words."""
    told = dict(mechanic_rows(find_variant("scottomacy")))
    assert told["downfall"] == "power = England; seats = 89 90"
    assert told["free-units"] == "power = England; free = A: 4, F: 4"
    assert "England A/F e Summer 1491" in told["reinforcements"]
    assert "named = yes" in told["boats"]
    assert dict(mechanic_rows(find_variant("1000ad")))["extinction"] == "as it is"


def test_the_page_s_example(tmp_path: Path) -> None:
    """The table that docs/board-files.md shows is read as the page says."""
    page = (SHELF.parents[2] / "docs/board-files.md").read_text(encoding="utf-8").partition("## `brief.toml`")[2]
    (tmp_path / "brief.toml").write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    brief = read_brief(tmp_path)
    assert (brief.special[0].clauses, brief.special[0].by) == (("STR-6.a", "STR-6.b"), ("boats",))
    assert brief.example == "STR-S1"


def test_a_folder_beside_does_not_hide_a_variant(run: Run) -> None:
    """A name of the package's means that variant, whatever lies here; a folder of the same name is `./NAME`."""
    Path("scottomacy").mkdir()
    for name in ("scottomacy", "scottomacy[carry_limit=1]"):
        assert run("show", name).exit_code == 0
        assert (
            run("selfplay", name, "--players", "holder", "--turns", "1", "--games", "1", "--jobs", "1").exit_code == 0
        )
    assert run("show", "./scottomacy").exit_code != 0


def test_a_folder_is_shown(run: Run, tmp_path: Path) -> None:
    """A variant of one's own is shown with its own special rules, or with none; a bad file is told."""
    own = tmp_path / "own"
    shutil.copytree(SHELF / "standard", own)
    (own / "brief.toml").write_text('special = [{ says = "Boats float.", clauses = "STD-8.a", by = "boats" }]', "utf-8")
    assert run("show", own).stdout.splitlines()[-1].split() == ["Boats", "float.", "STD-8.a", "boats"]
    assert read_brief(own).example == ""
    (own / "brief.toml").write_text("[example]\nlead = 'Look.'", "utf-8")
    with pytest.raises(BadFile, match=r"\$.example.scenario: this key is missing"):
        read_brief(own)
    (own / "brief.toml").unlink()
    assert read_brief(own) == Brief()
    assert "special rule" not in run("show", own).stdout
