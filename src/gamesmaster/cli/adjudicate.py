"""`adjudicate`: JSON in, JSON out, for programs in any language."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from gamesmaster.cli.console import Boards, ExitCode, RulebookText, finder, rulebook_of, say_json

if TYPE_CHECKING:
    from gamesmaster.formats.documents import Document
    from gamesmaster.formats.phases import Bench
    from gamesmaster.judge import Rulebook


def adjudicate(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Phases as JSON; - for the input.", show_default=False)
    ] = "-",
    rulebook: RulebookText = None,
    boards: Boards = None,
) -> None:
    """Adjudicate phases given as JSON: one object, or JSON lines; each is answered by a line of JSON.

    What an object leaves out is as at the variant's start. The answer holds a ruling for every order, and the position
    of the next phase. A line that cannot be read is answered by an error; the others go on, and the exit code is 1.

    For example:

      echo '{"orders": {"France": ["A Par - Bur"], "Germany": ["A Mun - Bur"]}}' | gamesmaster adjudicate
    """
    from gamesmaster.formats.documents import documents
    from gamesmaster.formats.phases import LARGEST, Bench

    bench, book, refused = Bench(finder(boards)), rulebook_of(rulebook), False
    with ExitStack() as opened:
        for document in documents(_stream(file, opened), LARGEST):
            if document.blank:
                typer.echo()
                continue
            answer = _answer(document, bench, book)
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


def _answer(document: Document, bench: Bench, book: Rulebook | None) -> dict[str, object]:
    from gamesmaster.errors import GamesmasterError
    from gamesmaster.formats.phases import LARGEST, phase_of

    try:
        data = document.data(LARGEST)
        return phase_of(data, bench, rulebook=book, where=document.place()).answer()
    except GamesmasterError as error:
        return {"error": str(error)}
