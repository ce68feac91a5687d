"""What the documentation says is true: its examples run, and nothing public is missing from it."""

from __future__ import annotations

import doctest
import re
import runpy
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

import gamesmaster
from gamesmaster.judge import PRESETS, Rulebook
from gamesmaster.variant import house_rules

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


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


@pytest.mark.skipif(not shutil.which("make"), reason="asks make")
def test_what_is_made_can_be_made() -> None:
    """Every `make` command of a page has its recipe; that of the site installs what it needs, and serves the demo."""
    told = {
        target for page in PAGES for target in re.findall(r"(?:^\$ |`)make ([a-z]+)", page.read_text("utf-8"), re.M)
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
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


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
    for name, setting in house_rules.settings().items():
        page = host if setting.host else program
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.startswith(f"| `{name}` | {setting.clause} | {setting.question} |")
        for answer, sentence in setting.answers.items():
            assert sentence.format(n="*n*") in row
            assert setting.most or f"`{answer}`" in row
    for preset, chosen in house_rules.PRESETS.items():
        assert f"| `{preset}` |" in text
        assert all(f"| `{name}` | `{value}` |" in text for name, value in chosen.items())


def test_every_public_name_is_on_the_page() -> None:
    """docs/library.md is what docs/library.py makes of the rooms as they stand."""
    made = runpy.run_path(str(ROOT / "docs" / "library.py"))["page"]()
    assert made == (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def test_every_dialect_is_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/dialects.md is what docs/dialects.py makes of the tables as they stand."""
    runpy.run_path(str(ROOT / "docs" / "dialects.py"), run_name="__main__")
    assert capsys.readouterr().out == (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
