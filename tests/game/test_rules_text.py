"""Rulebooks for players: every clause is there, once and with words, and is found by its id, section or title."""

import json
import re
from pathlib import Path

import pytest

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.variant import find_rules_text, find_variant, read_rules_text, rules_text_names, variant_names
from gamesmaster.variant.texts import LARGEST

PAGE = """# The Strait

Two powers and a strait.
They cannot agree.

Beside this page: nothing.

## At a glance

| power | units |
| --- | --- |
| France | A Par |

## 6. Boats

What floats.

- **STR-6.a** A boat is
  no unit. Option `carry_limit`, 2.
- **STR-6.b** All this in one table:

  | at | the boat |
  | --- | --- |
  | sea | floats |

  And this.
- **STR-6.c1** Boats do **not** fight:

| not | its |
| --- | --- |
| a | table |

## 8. Storms

- **STR-8** A storm sinks boats.

## 8A. Calm

- **STR-8A.a** It does not.
- **AFM-6.a** Fleets carry armies.
"""

CLAUSES: dict[str, list[str]] = json.loads((Path(__file__).parent / "clause_ids.json").read_text(encoding="utf-8"))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A small rulebook in a folder."""
    (tmp_path / "RULES.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


# -- those of the package --------------------------------------------------------------------------------------------


def test_every_variant_has_a_rulebook() -> None:
    """Each variant that can be played has a page of rules, and each page has its list of clauses here."""
    assert set(variant_names()) <= set(rules_text_names())
    assert set(rules_text_names()) == set(CLAUSES)


@pytest.mark.parametrize("variant", CLAUSES)
def test_every_clause_is_there(variant: str) -> None:
    """A rulebook has exactly the clauses of its list, each once, in sections, and none is without words."""
    book = find_rules_text(variant)
    assert sorted(clause.id for clause in book.clauses) == sorted(CLAUSES[variant])
    source = "\n".join(section.text for section in book.sections)
    assert [c.id for c in book.clauses if source.count(f"**{c.id}**") != 1] == []
    assert [c.id for c in book.clauses if len(c.words.split()) < 3] == []


@pytest.mark.parametrize("variant", CLAUSES)
def test_rulebooks_tell_the_game(variant: str) -> None:
    """A rulebook says what the game is, who plays it and what is open, and every clause it cites can be read."""
    book = find_rules_text(variant)
    assert len(book.brief.split()) > 20
    assert book.section("Open to question")
    if variant != "standard":
        assert all(book.section(title) for title in ("At a glance", "Calendar", "Orders", "Options"))
    known = {clause.id for name in CLAUSES for clause in find_rules_text(name).clauses}
    text = "\n".join([book.intro, *(section.text for section in book.sections)])
    cited = set(re.findall(rf"\b(?:{'|'.join(sorted({i.partition('-')[0] for i in known}))})-\w+(?:\.\w+)*", text))
    assert sorted(cited - known) == []


@pytest.mark.parametrize("name", variant_names())
def test_options_are_in_the_rulebook(name: str) -> None:
    """Every option of a variant, its own choice and all others stand in the rulebook's table, by the names to type."""
    section = find_rules_text(name).section("Options")
    rows = section.text.splitlines() if section else []
    for option in find_variant(name).options:
        (number,) = (n for n, row in enumerate(rows) if row.startswith(f"| `{option.name}` | `{option.default}` |"))
        more = (row for row in rows[number + 1 :] if not row.startswith("| |"))
        told = "\n".join(rows[number : rows.index(next(more, rows[-1]))])
        assert [choice for choice in option.choices if f"`{choice}`" not in told] == []


def test_readings_and_options_are_told() -> None:
    """A decision of ours is marked as a reading, an option with its default."""
    said = find_rules_text("scottomacy").pick("SCO-10.i")[0].text
    assert "Reading:" in said
    assert "`carry_limit`, 2" in said
    assert find_rules_text("indianomacy2").title == "Indianomacy II"


def test_rulebooks_are_found_by_name() -> None:
    """Names are taken in any case of letters, a rulebook is read once, and a wrong name gets the nearest."""
    assert find_rules_text("Cline9") is find_rules_text("cline9")
    with pytest.raises(NotFound, match="did you mean scottomacy"):
        find_rules_text("scotomacy")
    with pytest.raises(NotFound, match="known: 1000ad"):
        find_rules_text("nonsense")


# -- reading ---------------------------------------------------------------------------------------------------------


def test_a_page_is_read(page: Path) -> None:
    """Title, introduction, sections with their numbers, and clauses with what is indented below them."""
    book = read_rules_text(page)
    assert book == read_rules_text(page / "RULES.md")
    assert (book.title, book.brief) == ("The Strait", "Two powers and a strait.\nThey cannot agree.")
    assert [section.heading for section in book.sections] == ["At a glance", "6. Boats", "8. Storms", "8A. Calm"]
    assert [section.number for section in book.sections] == ["", "6", "8", "8A"]
    assert [clause.id for clause in book.clauses] == ["STR-6.a", "STR-6.b", "STR-6.c1", "STR-8", "STR-8A.a", "AFM-6.a"]
    plain, tabled, bold = book.sections[1].clauses
    assert plain.text == "A boat is no unit. Option `carry_limit`, 2."
    assert plain.words == "A boat is no unit. Option carry_limit, 2."
    table = "| at | the boat |\n| --- | --- |\n| sea | floats |"
    assert tabled.text == f"All this in one table:\n\n{table}\n\nAnd this."
    assert tabled.words == "All this in one table:"
    assert bold.text == "Boats do **not** fight:"
    assert "| a | table |" in book.sections[1].text


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("STR-6.a", "STR-6.a"),
        ("str-6.A", "STR-6.a"),
        ("6.a", "STR-6.a"),
        ("STR-6", "STR-6.a STR-6.b STR-6.c1"),
        ("STR-6.c", "STR-6.c1"),
        ("STR-8", "STR-8"),
        ("8a", "STR-8A.a"),
        ("AFM", "AFM-6.a"),
        ("afm-6", "AFM-6.a"),
        (" 8A. Calm ", "STR-8A.a AFM-6.a"),
        ("calm", "STR-8A.a AFM-6.a"),
        ("at a glance", ""),
    ],
)
def test_names_of_clauses(page: Path, name: str, found: str) -> None:
    """A clause is named by its id, with or without its family; a beginning or a section means several."""
    assert [clause.id for clause in read_rules_text(page).pick(name)] == found.split()


@pytest.mark.parametrize(
    ("name", "told"),
    [("STR-6.d", "did you mean STR-6.[abc]"), ("Boat", "did you mean Boats"), ("STR-66", "clause"), ("", "clause")],
)
def test_unknown_clauses(page: Path, name: str, told: str) -> None:
    """A clause that is not there is told, with the nearest one."""
    with pytest.raises(NotFound, match=told):
        read_rules_text(page).pick(name)


def test_clauses_are_searched(page: Path) -> None:
    """A clause has a text if all its words stand in it, wherever, in any case of letters."""
    (clause,) = read_rules_text(page).pick("STR-6.a")
    assert clause.has("UNIT boat")
    assert clause.has("str-6")
    assert not clause.has("boat storm")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("# The Strait\n", "", "does not begin with its title"),
        ("STR-6.b", "str-6.A", "clause"),
        ("**STR-6.b**", "**STR-6.a**", "line 20: STR-6.a occurs twice"),
        ("**STR-8** A storm sinks boats.", "**STR-8**", "line 35: STR-8 has no words"),
        ("Two powers", "- **STR-0** Two powers", "before the first section"),
    ],
)
def test_bad_pages(page: Path, old: str, new: str, told: str) -> None:
    """A page that is no rulebook is refused, with the line; what does not look like a clause is none."""
    assert old in PAGE
    (page / "RULES.md").write_text(PAGE.replace(old, new, 1), encoding="utf-8")
    if told == "clause":
        assert len(read_rules_text(page).clauses) == 5
        return
    with pytest.raises(BadFile, match=told):
        read_rules_text(page)


def test_pages_are_bounded(page: Path) -> None:
    """Empty, huge and binary pages are refused, and so is a folder that has none."""
    for content, told in ((b"", "title"), (b"# A\n" * LARGEST, "larger than"), (b"# \xff\xfe\n", "UTF-8")):
        (page / "RULES.md").write_bytes(content)
        with pytest.raises(BadFile, match=told):
            read_rules_text(page)
    with pytest.raises(NotFound, match="no file"):
        read_rules_text(page / "RULES.txt")


def test_the_page_s_example(page: Path) -> None:
    """The rulebook that docs/board-files.md shows is read as the page says."""
    docs = (Path(__file__).parents[2] / "docs/board-files.md").read_text(encoding="utf-8")
    (page / "RULES.md").write_text(docs.split("```markdown\n")[1].split("```")[0], encoding="utf-8")
    book = read_rules_text(page)
    assert [clause.id for clause in book.pick("STR-6")] == ["STR-6.a", "STR-6.b"]
    assert "| anybody | turns back |" in book.pick("STR-6.b")[0].text
    assert f"{LARGEST // 1024} KiB" in docs
