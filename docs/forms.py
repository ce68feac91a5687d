"""Write the table of forms in `formats.md` anew: `python docs/forms.py`."""

from __future__ import annotations

import re
from pathlib import Path

from gamesmaster.formats import FORMS

PAGE = Path(__file__).with_name("formats.md")
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
"""The table: the first of the page."""


def table() -> str:
    """Return the table: a row for each form of the package."""
    rows = [("form", "", "carried over", "derived", "lost"), ("---",) * 5]
    rows += [
        (f"`{form.id}`: {form.name} ({form.files})", form.words["use"], form.carried, form.derived, form.lost)
        for form in FORMS
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page(text: str) -> str:
    """Return the text of the page with the table as it is now."""
    return TABLE.sub(lambda _: table(), text, count=1)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
