"""What the documentation says is true: its examples run, and nothing public is missing from it."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import runpy
import shutil
import subprocess
import zlib
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

import gamesmaster
from gamesmaster.rules import PRESETS, Rulebook
from gamesmaster.variant import house_rules

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
ROOMS = (
    "board", "orders", "engine", "rules", "judge", "reading", "mechanics", "variant", "game", "players", "pictures",
    "atlas", "formats", "compat", "batches", "environments", "lab", "testing", "errors",
)  # fmt: skip
FAULTS = runpy.run_path(str(ROOT / "docs" / "check_site.py"))["faults"]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    """Every Python example of a page prints what the page says."""
    text = page.read_text(encoding="utf-8")
    examples = "\n\n".join(re.findall(r"```(?:python|pycon)\n(>>>.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project leads to one."""
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_every_page_is_in_the_contents() -> None:
    """Each page of docs stands once in the navigation, and the front page leads to each in docs itself."""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    docs = ROOT / "docs"
    assert sorted(re.findall(r": ([\w/-]+\.md)$", contents, re.M)) == sorted(
        page.relative_to(docs).as_posix() for page in docs.rglob("*.md")
    )
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", (docs / "index.md").read_text(encoding="utf-8")))
    assert linked == {page.name for page in docs.glob("*.md")} - {"index.md"}


def test_the_front_page_shows_the_map_that_its_code_draws() -> None:
    """docs/maps/first.svg is what docs/front_page.py draws by the example of docs/index.md."""
    drawn = runpy.run_path(str(ROOT / "docs" / "front_page.py"))["drawing"]()
    assert drawn == (ROOT / "docs" / "maps" / "first.svg").read_text(encoding="utf-8")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built documentation in which nothing is missing: two pages, and an inventory of all public names."""
    rooms = {f"gamesmaster.{room}": getattr(import_module(f"gamesmaster.{room}"), "__all__", ()) for room in ROOMS}
    names = [f"{room}.{name}" for room, all_names in rooms.items() for name in all_names]
    lines = "".join(f"{name} py:class 1 reference/#$ -\n" for name in names)
    (tmp_path / "objects.inv").write_bytes(b"#\n#\n#\n#\n" + zlib.compress(lines.encode()))
    (tmp_path / "llms.txt").write_text("[Home](<http://a/index.md>) [Orders](<http://a/orders/index.md>)", "utf-8")
    (tmp_path / "map 1.svg").touch()
    for page in (tmp_path / "index", tmp_path / "orders" / "index"):
        page.parent.mkdir(exist_ok=True)
        page.with_suffix(".md").touch()
        page.with_suffix(".html").write_text("<a href='https://a/b'>a</a><a href='#top'>b</a>", encoding="utf-8")
    return tmp_path


def test_the_reference_describes_fields_by_their_comments() -> None:
    """A comment behind a field is its description; a field without one is described by its class."""
    griffe = pytest.importorskip("griffe")
    extensions = griffe.load_extensions(ROOT / "docs" / "reference.py")
    module = griffe.load("gamesmaster.engine.winter", search_paths=[ROOT / "src"], extensions=extensions)
    rows = griffe.load("gamesmaster.engine.rows", search_paths=[ROOT / "src"], extensions=extensions)
    assert rows["Rows.about"].docstring.value == "the row supported or convoyed; for a landing, its carrier"
    assert module["BoardGraph.near"].docstring is None


def test_a_whole_site_has_no_faults(built: Path) -> None:
    """Links to files, folders, the root and other sites pass, and so does a name that is a module, too."""
    page = built / "orders" / "index.html"
    page.write_text('<a href="..">a</a><img src="../map%201.svg?x#y"><a href="/orders/">b</a>', encoding="utf-8")
    assert FAULTS(built) == []


def test_faults_of_a_built_site_are_listed(built: Path) -> None:
    """A name without a description, a picture that is missing, and a page without Markdown end the build."""
    inventory = built / "objects.inv"
    inventory.write_bytes(inventory.read_bytes()[:8] + zlib.compress(b"gamesmaster.board.Board py:class 1 x -\n"))
    (built / "index.html").write_text('<p><img src="maps/none.svg"></p>', encoding="utf-8")
    (built / "orders" / "index.md").unlink()
    *undescribed, picture, page = FAULTS(built)
    assert "gamesmaster.board.Unit is not in the reference" in undescribed
    assert "gamesmaster.board.Board is not in the reference" not in undescribed
    assert picture == "index.html: there is no maps/none.svg"
    assert page == "orders/index.html: the page is not in the sections of llmstxt in mkdocs.yml"


@pytest.mark.skipif(not shutil.which("make"), reason="asks make")
def test_what_is_made_can_be_made() -> None:
    """Every `make` command of a page has its recipe; that of the site installs what it needs, and serves the demo."""
    told = {
        target
        for page in PAGES
        if page.stem != "dialects"  # "make for" is a word for a move there
        for target in re.findall(r"(?:^\$ |`)make ([a-z]+)", page.read_text("utf-8"), re.M)
    }
    assert {"demo", "site", "test"} <= told
    steps = {target: _steps(target) for target in told}
    assert all(steps.values())
    installs, *_, serves = [line for line in steps["site"] if "touch" not in line][-2:]
    assert installs.endswith("--editable '.[host,pictures]'")
    assert serves.endswith("bin/gamesmaster serve --demo --port 8000")


def _steps(target: str) -> list[str]:
    """What `make` would do for a target in a fresh clone."""
    asked = ["make", "--no-print-directory", "-n", target, "VENV=nowhere/.venv"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(asked, cwd=ROOT, env=alone, capture_output=True, text=True, check=True).stdout.splitlines()


def test_package_examples() -> None:
    """The examples in the package's own description run."""
    assert doctest.testmod(gamesmaster).failed == 0


def test_every_choice_is_on_the_page() -> None:
    """docs/rulebooks.md names every choice, every answer and every preset."""
    page = (ROOT / "docs" / "rulebooks.md").read_text(encoding="utf-8")
    for f in fields(Rulebook):
        row = next(line for line in page.splitlines() if f"| `{f.name}` |" in line)
        assert row.startswith(f"| {f.metadata['issue']} |")
        assert all(f"`{answer}`" in row for answer in f.metadata["answers"])
    assert all(f"| `{name}` |" in page for name in PRESETS)


def test_every_house_rule_is_on_the_page() -> None:
    """docs/house-rules.md names every setting with its clause and answers, the host's apart, and every preset."""
    text = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
    program, _, host = text.partition("## What the host does")
    for name, setting in house_rules.house_rule_settings().items():
        page = host if setting.host else program
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.startswith(f"| `{name}` | {setting.clause} | {setting.question} |")
        for answer, sentence in setting.answers.items():
            assert sentence.format(n="*n*") in row
            assert setting.most or f"`{answer}`" in row
    for preset, chosen in house_rules.HOUSE_RULE_PRESETS.items():
        assert f"| `{preset}` |" in text
        assert all(f"| `{name}` | `{value}` |" in text for name, value in chosen.items())


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_in_the_reference(room: str) -> None:
    """A room's page takes in the whole room, each of its names is described, and so is what a module hides."""
    module = import_module(f"gamesmaster.{room}")
    page = (REFERENCE / f"{room}.md").read_text(encoding="utf-8").splitlines()
    assert f"::: gamesmaster.{room}" in page
    constants = _described_constants(Path(module.__file__ or "").parent)
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        described = thing.__doc__ if inspect.isclass(thing) or inspect.isroutine(thing) else name in constants
        assert described or name in constants, name
        inside = f"gamesmaster.{room}.{name}"
        assert not find_spec(inside) or f"::: {inside}.{name}" in page, f"{name}: the module has the same name"


def _described_constants(folder: Path) -> set[str]:
    """The names in a room's modules below which a description stands."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        for one, below in pairwise(ast.parse(file.read_text(encoding="utf-8")).body):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", one)]
                each = (name for target in targets for name in getattr(target, "elts", [target]))
                found |= {target.id for target in each if isinstance(target, ast.Name)}
    return found


def test_every_room_is_in_the_library() -> None:
    """docs/library.md and the documentation's contents lead to each room; named is what the package has of it."""
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert sorted(file.stem for file in REFERENCE.glob("*.md")) == sorted(ROOMS)
    named: set[str] = set()
    for room in ROOMS:
        title = (inspect.getdoc(import_module(f"gamesmaster.{room}")) or "").split("\n\n")[0].replace("\n", " ")
        row = f"| [`gamesmaster.{room}`](reference/{room}.md) | {title} | "
        (rest,) = [line.removeprefix(row) for line in page.splitlines() if line.startswith(row)]
        names = re.findall(r"`(\w+)`", rest)
        assert all(getattr(gamesmaster, name) is getattr(import_module(f"gamesmaster.{room}"), name) for name in names)
        named |= set(names)
        assert f"reference/{room}.md" in contents
    assert named | {"__version__"} == set(gamesmaster.__all__)


def test_the_table_of_forms_is_current() -> None:
    """docs/formats.md has the table that docs/forms.py makes of the forms as they stand."""
    made = runpy.run_path(str(ROOT / "docs" / "forms.py"))
    text = made["PAGE"].read_text(encoding="utf-8")
    assert made["page"](text) == text
    assert made["table"]() in text


@pytest.mark.parametrize("page", ["dialects", "notices"])
def test_pages_made_from_tables_are_current(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """docs/dialects.md and docs/notices.md are what their scripts make of the tables as they stand."""
    runpy.run_path(str(ROOT / "docs" / f"{page}.py"), run_name="__main__")
    assert capsys.readouterr().out == (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
