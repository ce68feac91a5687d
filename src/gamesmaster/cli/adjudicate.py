"""`adjudicate`: JSON in, JSON out, for programs in any language."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from gamesmaster.cli.arguments import Boards, RulebookText, finder, rulebook_of
from gamesmaster.cli.console import ExitCode, say_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from gamesmaster.formats.documents import Document
    from gamesmaster.judge import Rulebook
    from gamesmaster.variant import Variant

MOST_VARIANTS = 64
"""Variants kept at a time."""


def adjudicate(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Phases as JSON; - for standard input.", show_default=False)
    ] = "-",
    rulebook: RulebookText = None,
    boards: Boards = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of an object and exit.")] = False,
) -> None:
    """Adjudicate phases given as JSON: one object, or JSON lines; each is answered by a line of JSON.

    Everything that an object leaves out is as at the variant's start. The answer contains a ruling for every order, the
    events, the dice, the winner, and `next`: the complete state of the next phase. Add orders to it, and it is the next
    object. With "ask" an object can also ask for the legal orders, the reasons, or the report. A line that cannot be
    read gets an error as its answer; then the exit code is 1, but the other lines are answered.

    For example:

      echo '{"orders": {"France": ["A Par - Bur"], "Germany": ["A Mun - Bur"]}}' | gamesmaster adjudicate
      echo '{"variant": "scottomacy", "ask": ["legal"]}' | gamesmaster adjudicate
    """
    from functools import lru_cache

    from gamesmaster.formats.documents import documents
    from gamesmaster.formats.requests import LARGEST, request_schema

    if schema:
        say_json(request_schema())
        return
    find, book, refused = lru_cache(MOST_VARIANTS)(finder(boards)), rulebook_of(rulebook), False
    with ExitStack() as opened:
        for document in documents(_stream(file, opened), LARGEST):
            if document.blank:
                typer.echo()
                continue
            answer = _answer(document, find, book)
            refused = refused or "error" in answer
            say_json(answer, indent=None)
    if refused:
        raise typer.Exit(ExitCode.FAILED)


def _stream(file: str, opened: ExitStack) -> BinaryIO:
    from gamesmaster.errors import BadFile, NotFound

    if file == "-":
        return typer.get_binary_stream("stdin")
    try:
        return opened.enter_context(Path(file).open("rb"))
    except FileNotFoundError:
        raise NotFound(f"no file {file}") from None
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", where=file) from None


def _answer(document: Document, find: Callable[[str], Variant], book: Rulebook | None) -> dict[str, object]:
    from gamesmaster.errors import GamesmasterError, placed
    from gamesmaster.formats.requests import LARGEST, Query

    try:
        data = document.data(LARGEST)
    except GamesmasterError as error:
        return {"error": str(error)}
    try:
        return Query(data, find, rulebook=book).answer()
    except GamesmasterError as error:
        return {"error": str(placed(error, document.place()))}
