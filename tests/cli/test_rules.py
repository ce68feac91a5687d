"""`rules`: a rulebook's contents, clauses, sections, and what is searched in it; `rulebook`: its choices."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamesmaster.cli import console
from gamesmaster.rules import PRESETS
from gamesmaster.variant import find_rules_text, rules_text_names

from .conftest import Run


@pytest.mark.parametrize("variant", rules_text_names())
def test_a_rulebook_is_printed(run: Run, variant: str) -> None:
    """`rules --all` prints every clause of a rulebook in Markdown, those without a game too."""
    output = run("rules", variant, "--all").stdout
    book = find_rules_text(variant)
    assert [clause.id for clause in book.clauses if f"- **{clause.id}** " not in output] == []
    assert output.startswith(f"# {book.title}\n\n{book.intro[:60]}")


def test_the_contents_are_listed(run: Run) -> None:
    """Without a clause the game is told in brief, and each section with its clauses."""
    lines = run("rules", "Indianomacy").stdout.splitlines()
    assert lines[0] == "# Indianomacy"
    assert any(line.split() == ["6", "Canoe-fleets", "IND-6.a", "to", "IND-6.r"] for line in lines)
    assert any(line.split() == ["11", "The", "date", "IND-11.a"] for line in lines)
    assert any(line.split() == ["Orders"] for line in lines)
    assert "gamesmaster rules Indianomacy IND-0.a" in lines[-1]
    assert "**IND-6.c** The work" not in "\n".join(lines)
    data = json.loads(run("rules", "indianomacy", "--json").stdout)
    assert data["title"] == "Indianomacy"
    assert data["brief"] == find_rules_text("indianomacy").brief
    assert data["sections"][9] == {
        "number": "6",
        "title": "Canoe-fleets",
        "clauses": [f"IND-6.{letter}" for letter in "abcdefghijklmnopqr"],
    }


def test_a_clause_is_printed(run: Run) -> None:
    """One clause is printed alone under its heading, a beginning of ids with all that begin so."""
    one = run("rules", "indianomacy", "ind-6.c").stdout
    assert one.startswith("# Indianomacy\n\n## 6. Canoe-fleets\n\n- **IND-6.c** The work is spoilt")
    assert "IND-6.d" not in one
    some = run("rules", "conquest2", "6.a").stdout
    assert all(f"**CNW-6.a{n}** " in some for n in "1234")
    assert "CNW-6.b1" not in some
    told = json.loads(run("rules", "indianomacy", "IND-11.a", "--json").stdout)
    (section,) = told["sections"]
    assert section == {
        "number": "11",
        "title": "The date",
        "clauses": [{"id": "IND-11.a", "text": find_rules_text("indianomacy").pick("IND-11.a")[0].text}],
    }


def test_a_section_is_printed(run: Run) -> None:
    """A section comes whole, with its tables, by its clauses' beginning, its number or its title."""
    by_id = run("rules", "scottomacy", "SCO-11").stdout
    assert by_id == run("rules", "scottomacy", "11").stdout == run("rules", "scottomacy", "boats do not fight").stdout
    assert "| at the carrier's goal | the carrier | the others |\n" in by_id
    orders = run("rules", "1000ad", "orders").stdout
    assert orders.startswith("# 1000 AD\n\n## Orders\n")
    assert "Fast Ferry" in orders
    (section,) = json.loads(run("rules", "scottomacy", "SCO-11", "--json").stdout)["sections"]
    assert len(section["clauses"]) == 10
    assert section["text"] in (Path(console.__file__).parents[1] / "variants/scottomacy/RULES.md").read_text("utf-8")


def test_tables_belong_to_clauses(run: Run) -> None:
    """A table that is indented below a clause is printed with it."""
    output = run("rules", "standard", "STD-1.b").stdout
    assert "  | power | home provinces |" in output
    assert "  | Turkey | Ank* Arm Con* Smy* Syr |" in output
    assert "A STP" not in output


def test_words_are_searched(run: Run) -> None:
    """`--search` prints the clauses in which all words stand, within a section if one is named."""
    output = run("rules", "scottomacy", "--search", "BOAT inland").stdout
    assert {line.split("**")[1] for line in output.splitlines() if line.startswith("- **SCO-")} == {
        clause.id for clause in find_rules_text("scottomacy").clauses if clause.has("boat inland")
    }
    assert "SCO-10.h" in output
    within = run("rules", "scottomacy", "SCO-1", "--search", "inland").stdout
    assert "SCO-1.d" in within
    assert "SCO-10" not in within


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("indianomacy", "IND-6.cc"), "no clause or section 'IND-6.cc' in the rules of Indianomacy (did you mean"),
        (("indianomacy", "Canoe fleets"), "did you mean Canoe-fleets?"),
        (("indianomacy", "std-10.h"), "see gamesmaster rules standard STD-10.h"),
        (("indianomacy", "STD-10.zz"), "no clause"),
        (("cline9", "--search", "volgga"), "has 'volgga' (did you mean Volga?)"),
        (("cline9", "--search", "volga piedmont"), "has 'volga piedmont'"),
        (("scotomacy",), "did you mean scottomacy?"),
        (("nothing.md",), "no file nothing.md"),
        ((".",), "no file RULES.md"),
    ],
)
def test_what_is_not_there(run: Run, args: tuple[str, ...], told: str) -> None:
    """A variant, clause or word that is not there is told, with the nearest, or where else it stands."""
    result = run("rules", *args)
    assert (result.exit_code, result.stdout) == (3, "")
    assert told in result.stderr


def test_rules_of_one_s_own(run: Run) -> None:
    """A folder needs no variant to have a rulebook; signs that steer a terminal do not come through."""
    Path("isle").mkdir()
    page = Path("isle/RULES.md")
    page.write_text("# Isle\n\nSmall.\n\n## 1. All\n\n- **ISL-1** One \x1b[31misle.\n", encoding="utf-8")
    assert run("rules", "isle", "isl-1").stdout == run("rules", page, "1").stdout
    assert run("rules", "isle", "ISL-1").stdout == "# Isle\n\n## 1. All\n\n- **ISL-1** One \ufffd[31misle.\n"
    assert "1  All      ISL-1" in run("rules", "isle").stdout
    page.write_text("# Isle\n", encoding="utf-8")
    assert "gamesmaster rules isle --all" in run("rules", "isle").stdout


def test_terminals_get_a_layout(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal clauses are a list, tables have lines, and nothing is wider than the terminal."""
    monkeypatch.setattr(console, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "72")
    output = run("rules", "indianomacy", "IND-6.r").stdout
    assert "• IND-6.r All this in one table" in output
    assert "─────" in output
    assert max(map(len, output.splitlines())) <= 72


# -- `rulebook` ------------------------------------------------------------------------------------------------------


def test_choices_are_listed(run: Run) -> None:
    """`rulebook` lists every choice with its answers, the one in force in brackets, and the presets."""
    output = run("rulebook").stdout
    assert "[szykman] 1971 1982 2000 all_hold" in output
    assert output.splitlines()[-1] == f"Presets: {', '.join(PRESETS)}"
    assert "szykman [1971]" in run("rulebook", "1971").stdout
    assert "szykman 1971 1982 2000 [all_hold]" in run("rulebook", "1971,4.A.2=d").stdout
    data = json.loads(run("rulebook", "2000", "--json").stdout)
    chosen = {choice["issue"]: choice["chosen"] for choice in data["choices"]}
    assert (chosen["4.A.2"], chosen["4.A.1"]) == ("2000", "any_route_survives")
    assert data["presets"] == list(PRESETS)


@pytest.mark.parametrize(
    ("text", "told"), [("1970", "no rulebook"), ("4.A.2=x", "one of szykman"), ("4.A.22=d", "did you mean 4.A.2")]
)
def test_unknown_choices(run: Run, text: str, told: str) -> None:
    """A preset, choice or answer that nobody knows is told, with the nearest."""
    result = run("rulebook", text)
    assert result.exit_code == 3
    assert told in result.stderr
