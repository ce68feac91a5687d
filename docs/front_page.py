"""Draw `maps/first.svg`, the picture of the front page, by the example of the front page.

`python docs/front_page.py` writes the file.
"""

from __future__ import annotations

import doctest
from pathlib import Path

DOCS = Path(__file__).resolve().parent


def drawing() -> str:
    """Run the Python example of `index.md` and return the drawing that it makes; raise if it prints something else."""
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(page[page.index("```python") :], {}, "index.md", None, 0)
    doctest.DebugRunner(verbose=False).run(example, clear_globs=False)
    drawn: str = example.globs["drawing"]
    return drawn


if __name__ == "__main__":
    (DOCS / "maps" / "first.svg").write_text(drawing(), encoding="utf-8")
