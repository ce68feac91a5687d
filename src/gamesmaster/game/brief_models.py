"""The shape of `brief.toml`.  Imported only when one is read."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from gamesmaster.board.file_models import Entry

Sentence = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Words = Annotated[str, StringConstraints(pattern=r"^[\w./-]+( [\w./-]+)*$", max_length=200)]


class SpecialEntry(Entry):
    """A row of the table of special rules."""

    says: Sentence
    clauses: Words = Field(description="ids, separated by blanks")
    by: Words = Field(description="mechanics and parts of the data, separated by blanks")


class ExampleEntry(Entry):
    """A scenario of the variant, and what to look at."""

    scenario: Words
    lead: Sentence


class BriefFile(Entry):
    """A variant in brief."""

    special: list[SpecialEntry] = Field([], max_length=60)
    example: ExampleEntry | None = None
