"""Check the built documentation: every public name is described, every file is there, and `llms.txt` has every page.

`python docs/check_site.py SITE` prints what is missing, and fails if anything is.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOMS = sorted(page.stem for page in (Path(__file__).parent / "reference").glob("*.md"))


def faults(site: Path) -> list[str]:
    """Return what the documentation built in `site` lacks, one line each."""
    return [*_undescribed(site), *_missing_files(site), *_missing_markdown(site)]


def _undescribed(site: Path) -> Iterator[str]:
    inventory = (site / "objects.inv").read_bytes()  # four lines of text, and the names compressed
    described = {line.split(" ")[0] for line in zlib.decompress(inventory.split(b"\n", 4)[4]).decode().splitlines()}
    for room in ROOMS:
        for name in getattr(import_module(f"gamesmaster.{room}"), "__all__", ()):
            if not {f"gamesmaster.{room}.{name}", f"gamesmaster.{room}.{name}.{name}"} & described:
                yield f"gamesmaster.{room}.{name} is not in the reference"


def _missing_files(site: Path) -> Iterator[str]:
    for page in sorted(site.rglob("*.html")):
        links = _Links()
        links.feed(page.read_text(encoding="utf-8"))
        for link in sorted(links.found):
            where = urlsplit(link)
            if where.path and not where.scheme and not where.netloc:
                start = site if where.path.startswith("/") else page.parent
                if not (start / unquote(where.path).lstrip("/")).exists():
                    yield f"{page.relative_to(site)}: there is no {link}"


def _missing_markdown(site: Path) -> Iterator[str]:
    index = (site / "llms.txt").read_text(encoding="utf-8")
    for page in sorted(site.rglob("index.html")):
        markdown = page.with_suffix(".md").relative_to(site).as_posix()
        if not (site / markdown).exists() or f"/{markdown}>" not in index:
            yield f"{page.relative_to(site)}: the page is not in the sections of llmstxt in mkdocs.yml"


class _Links(HTMLParser):
    """The addresses of links, pictures, scripts and style sheets of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of one element."""
        self.found |= {value for name, value in attrs if name in ("href", "src") and value}


if __name__ == "__main__":
    sys.exit("\n".join(faults(Path(sys.argv[1]))) or None)
