"""The pages of the variants are what the variants say of themselves."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from gamesmaster.variant import variant_names

DOCS = Path(__file__).parents[2] / "docs"
PAGES: dict[str, str] = runpy.run_path(str(DOCS / "variant_pages.py"))["pages"]()


@pytest.mark.parametrize("path", PAGES)
def test_the_page_is_up_to_date(path: str) -> None:
    """Each page is what docs/variant_pages.py makes; `python docs/variant_pages.py` writes them anew."""
    assert (DOCS / path).read_text(encoding="utf-8") == PAGES[path]


def test_every_variant_has_its_page() -> None:
    """One page a variant, no others, each in the site's table of contents."""
    assert set(PAGES) == {"variants.md", *(f"variants/{name}.md" for name in variant_names())}
    assert {"variants.md", *(f"variants/{file.name}" for file in (DOCS / "variants").iterdir())} == set(PAGES)
    assert all("\n## An example: " in text for path, text in PAGES.items() if path != "variants.md")
    contents = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f": {path}\n" in contents for path in PAGES)


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_somewhere(path: str) -> None:
    """Every link and every map of a page is there."""
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", PAGES[path])
    assert links
    assert [link for link in links if not ((DOCS / path).parent / link).exists()] == []
