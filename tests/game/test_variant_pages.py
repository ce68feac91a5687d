"""The pages of the variants are what the variants say of themselves."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from gamesmaster.variant import variant_names

pytestmark = pytest.mark.together
DOCS = Path(__file__).parents[2] / "docs"
PATHS = ["variants.md", *(f"variants/{name}.md" for name in variant_names())]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The pages as docs/variant_pages.py makes them, by their paths."""
    made: dict[str, str] = runpy.run_path(str(DOCS / "variant_pages.py"))["pages"]()
    return made


@pytest.mark.parametrize("path", PATHS)
def test_the_page_is_up_to_date(pages: dict[str, str], path: str) -> None:
    """Each page is what docs/variant_pages.py makes; `python docs/variant_pages.py` writes them anew."""
    assert (DOCS / path).read_text(encoding="utf-8") == pages[path]


def test_every_variant_has_its_page(pages: dict[str, str]) -> None:
    """One page a variant, no others, each in the site's table of contents."""
    assert pages.keys() == {*PATHS}
    assert {"variants.md", *(f"variants/{file.name}" for file in (DOCS / "variants").iterdir())} == {*PATHS}
    assert all("\n## An example: " in text for path, text in pages.items() if path != "variants.md")
    contents = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f": {path}\n" in contents for path in PATHS)


@pytest.mark.parametrize("path", PATHS)
def test_links_lead_somewhere(pages: dict[str, str], path: str) -> None:
    """Every link and every map of a page is there."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", pages[path])
    assert links
    assert [link for link in links if not ((DOCS / path).parent / link).exists()] == []
