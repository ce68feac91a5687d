"""docs/designers.md: whoever does what it says, sees what it says; and no mechanic is missing from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.mechanics import MECHANICS

from .page import follow

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "designers.md").read_text(encoding="utf-8")


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the page, run in its order with the changes it asks for, prints what it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert follow(PAGE) > 15
    assert (tmp_path / "first.png").stat().st_size > 10_000
    for kept in sorted((DOCS.parent / "examples" / "stormy").iterdir()):
        made = tmp_path / "stormy" / kept.name
        assert made.read_bytes() == kept.read_bytes(), f"the example is another game: cp {made} {kept}"
    drawn, shown = tmp_path / "stormy.svg", DOCS / "maps" / "stormy.svg"
    assert drawn.read_bytes() == shown.read_bytes(), f"the map of the page is another one: cp {drawn} {shown}"


@pytest.mark.parametrize("name", MECHANICS)
def test_every_mechanic_is_on_the_page(name: str) -> None:
    """The table of mechanics names each of them."""
    assert f"`{name}`" in PAGE
