"""`desk`: a Gamesmaster reads a season's letters, accepts, corrects or asks back, and only then stores orders."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import GameFile, change_game, grouped, open_game
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, on_terminal, say, say_json, table
from gamesmaster.errors import GamesmasterError

if TYPE_CHECKING:
    from gamesmaster.formats import Letter
    from gamesmaster.game import Game
    from gamesmaster.game.desk import DeskLine, DeskSet, Receipt

_CHOICE = re.compile(r"\s*(\d+)\s*[:=]?\s*(.*)")
_HELP = "a: accept   NUMBER ORDER: correct a line   NUMBER: leave it out   q: draft a query   s: skip   x: stop"


@dataclass(frozen=True, slots=True)
class HandlingOptions:
    """What is done with the sets of orders that were read."""

    accept_clear: Annotated[bool, typer.Option("--accept", help="Accept every set that has no doubtful line.")] = False
    ask: Annotated[
        bool | None,
        typer.Option("--ask/--no-ask", help="Go through the sets one by one.", show_default="on a terminal"),
    ] = None
    queries: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a drafted query for each doubtful set.")
    ] = None


@grouped
def desk(
    file: GameFile,
    source: Annotated[
        str,
        typer.Argument(
            metavar="[LETTERS]",
            help="A sheet, a mail, a folder of mails (.eml, .txt) or an mbox; - reads a text from standard input.",
            show_default=False,
        ),
    ] = "-",
    power: Annotated[str, typer.Option(metavar="POWER", help="Whose letters they are that name no power.")] = "",
    handling: HandlingOptions = HandlingOptions(),
    as_json: AsJson = False,
) -> None:
    """Read the letters of a season, and store the orders that you accept.

    Each line stands beside its reading, doubtful lines first. Nothing is stored until you accept it: one set after the
    other at the prompt, or with --accept all sets without a doubtful line. Each accepted set has a receipt. Of several
    letters for one power the latest counts.

    For example:

      gamesmaster desk winter.json orders.txt
      gamesmaster desk winter.json season.mbox --accept --queries questions
      gamesmaster desk winter.json mails/ --json
    """
    from gamesmaster.game.desk import lay_out

    game = open_game(file)
    accept_clear, ask, queries = handling.accept_clear, handling.ask, handling.queries
    letters = _letters(source)
    found = lay_out(game, letters, power=game.variant.power(power).name if power else "")
    waiting = [one for one in found.sets if not one.replaced]
    asking = (on_terminal() and source != "-" and not as_json and not accept_clear) if ask is None else ask
    clear = [one for one in waiting if accept_clear and one.is_clear]
    receipts = [_store(file, one) for one in clear]
    rest = [one for one in waiting if one not in clear]
    if queries is not None:
        _write_queries(game, rest, queries)
    if as_json:
        say_json(_data(game, found.sets, found.unread, receipts))
    else:
        for one in found.sets:
            if not asking or one.replaced:
                _show(one)
        for letter, why in found.unread:
            complain("warning", f"{letter.where or 'the text'}: {why}")
    if asking:
        receipts += _go_through(file, game, rest, queries)
    if not as_json:
        for receipt in receipts:
            say(str(receipt))
        say(f"{many(len(receipts), 'set')} accepted; {many(len(waiting) - len(receipts), 'set')} left.")
    if len(receipts) < len(waiting) or found.unread:
        raise typer.Exit(ExitCode.FAILED)


def _letters(source: str) -> tuple[Letter, ...]:
    from gamesmaster.formats import LARGEST_LETTER, letters_of, read_letters

    if source != "-":
        return read_letters(Path(source))
    return tuple(letters_of(typer.get_binary_stream("stdin").read(LARGEST_LETTER + 1)))


def _show(one: DeskSet) -> None:
    """Print a set: each line of the letter next to its reading."""
    origin = " from " + (one.letter.sender or one.letter.where) if one.letter.sender or one.letter.where else ""
    say(f"{one.power}{origin}{' (a later letter replaces it)' if one.replaced else ''}")
    table(("", "line", "read as", ""), [_row(number, line) for number, line in enumerate(one.doubtful_first, 1)])
    say()


def _row(number: int, line: DeskLine) -> tuple[str, str, str, str]:
    sign = "?" if line.asks else "-" if not line.line.order else " "
    later = "" if line.purpose.value == "now" or not line.line.order else f"[{line.purpose.value}] "
    return f"{number}{sign}", line.line.text.strip()[:60], f"{later}{line.reading}", line.why


def _go_through(file: Path, game: Game, sets: list[DeskSet], queries: Path | None) -> list[Receipt]:
    """Ask about each set in turn; returns the receipts of those that were accepted."""
    receipts = []
    for one in sets:
        answer, receipt = _ask(file, game, one, queries)
        if receipt:
            receipts.append(receipt)
        if answer == "x":
            break
    return receipts


def _ask(file: Path, game: Game, one: DeskSet, queries: Path | None) -> tuple[str, Receipt | None]:
    from gamesmaster.game.desk import correct, query

    while True:
        _show(one)
        answer = typer.prompt(_HELP, default="s" if any(line.asks for line in one.lines) else "a").strip()
        if answer in ("s", "x"):
            return answer, None
        if answer == "a":
            return answer, _store(file, one)
        if answer == "q":
            say(query(game, one) or "Every line of this set is clear.")
            _write_queries(game, [one], queries)
            continue
        try:
            chosen = _CHOICE.fullmatch(answer)
            number = int(chosen[1]) if chosen else 0
            if not chosen or not 1 <= number <= len(one.lines):
                complain("error", f"there is no line {answer[:40]!r}")
                continue
            one = correct(game, one, one.doubtful_first[number - 1].line, chosen[2])
        except GamesmasterError as error:
            complain("error", f"{error.what}{f' ({error.hint})' if error.hint else ''}")


def _store(file: Path, one: DeskSet) -> Receipt:
    from gamesmaster.game.desk import accept, receipt_for

    changed = change_game(file, lambda now: accept(now, one)[0])
    return receipt_for(changed, one.power)


def _write_queries(game: Game, sets: list[DeskSet], folder: Path | None) -> None:
    from gamesmaster.files import write_whole
    from gamesmaster.game.desk import query

    for one in sets if folder is not None else []:
        if folder is not None and (text := query(game, one)):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / f"{game.phase.code}-{one.power.replace(' ', '-')}.txt", text.encode())


def _data(game: Game, sets: tuple[DeskSet, ...], unread: Any, receipts: list[Receipt]) -> dict[str, Any]:
    """Return the desk for programs."""
    from gamesmaster.game.desk import query

    return {
        "phase": game.phase.code,
        "sets": [
            {
                "power": one.power,
                "from": one.letter.sender,
                "where": one.letter.where,
                "replaced": one.replaced,
                "clear": one.is_clear,
                "lines": [
                    {
                        "line": line.line.line,
                        "text": line.line.text,
                        "for": line.purpose.value,
                        "order": line.line.stored if line.line.order else "",
                        "why": line.why,
                        "asks": line.asks,
                    }
                    for line in one.doubtful_first
                ],
                "query": query(game, one),
            }
            for one in sets
        ],
        "unread": [{"where": letter.where, "from": letter.sender, "why": why} for letter, why in unread],
        "receipts": list(map(asdict, receipts)),
    }
