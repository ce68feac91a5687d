"""JSON in, JSON out, for programs in any language: `adjudicate` takes phases, `read` the texts that players write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from gamesmaster.cli.arguments import Boards, RulebookText, find_variant_or_folder, finder, rulebook_of
from gamesmaster.cli.console import ExitCode, say_json
from gamesmaster.errors import BadFile, BadPosition, GamesmasterError, NotFound, with_line
from gamesmaster.files import decode

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from gamesmaster.board import Position, Unit
    from gamesmaster.formats import Document
    from gamesmaster.orders import Notation, PhaseKind
    from gamesmaster.reading import OrderSheet, SheetLine
    from gamesmaster.rules import Rulebook, Rules
    from gamesmaster.variant import Variant

LONGEST_LINE = 256 * 1024  # bytes
MOST_UNITS = 400
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
    from gamesmaster.formats import LARGEST_DOCUMENT, read_documents, request_schema

    if schema:
        say_json(request_schema())
        return
    find, book, refused = lru_cache(MOST_VARIANTS)(finder(boards)), rulebook_of(rulebook), False
    with ExitStack() as opened:
        for document in read_documents(_stream(file, opened), LARGEST_DOCUMENT):
            if document.blank:
                typer.echo()
                continue
            answer = _answer_document(document, find, book)
            refused = refused or "error" in answer
            say_json(answer, indent=None)
    if refused:
        raise typer.Exit(ExitCode.FAILED)


def _stream(file: str, opened: ExitStack) -> BinaryIO:
    if file == "-":
        return typer.get_binary_stream("stdin")
    try:
        return opened.enter_context(Path(file).open("rb"))
    except FileNotFoundError:
        raise NotFound(f"no file {file}") from None
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", where=file) from None


def _answer_document(document: Document, find: Callable[[str], Variant], book: Rulebook | None) -> dict[str, object]:
    from gamesmaster.formats import LARGEST_DOCUMENT, Query

    try:
        data = document.data(LARGEST_DOCUMENT)
    except GamesmasterError as error:
        return {"error": str(error)}
    try:
        return Query(data, find, rulebook=book).answer()
    except GamesmasterError as error:
        return {"error": str(with_line(error, document.place()))}


# -- `read` ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A line of what is asked; other fields are left alone."""

    power: str | None
    text: str
    variant: str = "standard"
    phase: str = "movement"
    units: dict[str, list[str]] = field(default_factory=dict)
    dislodged: dict[str, list[str]] | None = None
    centers: dict[str, list[str]] | None = None


def read(
    file: Annotated[
        typer.FileBinaryRead,
        typer.Argument(metavar="[FILE]", help="Lines of JSON; by default, or with -, standard input."),
    ] = "-",  # type: ignore[assignment]
    dialect: Annotated[str, typer.Option(metavar="NAME", help="Write the orders in this dialect.")] = "",
) -> None:
    """Read what players write: texts in any dialect of the hobby.

    Each line of the input is an object with the fields variant, phase (movement, retreats or adjustments), units,
    dislodged and centers (lists by power), power (null for a sheet of all powers), and text. The same line of the
    output has the orders that were read (by_power for a sheet of all powers), what was refused, with line, column,
    reason and the nearest legal order, and how anything unusual was read; later has what was sent ahead for retreats
    and adjustments, doubtful what may be an order, and passed_over everything else, with the reason.

    For example:

      gamesmaster read letters.jsonl --dialect daide
    """
    from gamesmaster.orders.dialect import find_dialect

    style = find_dialect(dialect).id if dialect else ""
    for line in _lines(file):
        say_json(_answer_line(line, style), indent=None)


def _lines(file: Any) -> Iterator[bytes]:
    """Yield the lines, each cut to one byte more than the limit, so that a line that is too long is recognised."""
    while line := file.readline(LONGEST_LINE + 1):
        end = line
        while len(end) > LONGEST_LINE and not end.endswith(b"\n"):
            end = file.readline(LONGEST_LINE + 1)
            if not end:
                break
        yield line


def _answer_line(line: bytes, dialect: str) -> dict[str, Any]:
    """Return the answer to a line with any content."""
    from pydantic import ValidationError  # only now: pydantic takes its time

    try:
        if len(line) > LONGEST_LINE:
            return _refusal("the line is too long", f"the most is {LONGEST_LINE:,} bytes")
        return _read(_adapter().validate_json(decode(line), strict=True), dialect)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        what = f"this line is not a request: {where or 'JSON'}: {first['msg']}"
        return _refusal(what, "write an object with the fields of docs/orders.md")
    except GamesmasterError as error:
        return _refusal(error.what, error.hint)


@cache
def _adapter() -> TypeAdapter[_Asked]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Asked)


def _refusal(what: str, hint: str) -> dict[str, Any]:
    return {"orders": [], "refused": [{"text": "", "line": 1, "column": 1, "what": what, "hint": hint}], "read_as": []}


def _read(asked: _Asked, dialect: str) -> dict[str, Any]:
    from gamesmaster.orders import PhaseKind
    from gamesmaster.reading import Situation, read

    rules = _rules(asked.variant)
    kinds = {kind.value: kind for kind in PhaseKind}
    if asked.phase not in kinds:
        raise NotFound(f"no phase {asked.phase[:60]!r}", hint=f"phases are {', '.join(kinds)}")
    kind = kinds[asked.phase]
    sheet = read(Situation(rules, kind, _position(rules, kind, asked)), asked.power or "", asked.text)
    return _sheet_data(rules.notation, sheet, dialect)


def _sheet_data(notation: Notation, sheet: OrderSheet, dialect: str) -> dict[str, Any]:
    """Return a sheet as programs are given it."""

    def written(power: str, lines: Iterable[SheetLine]) -> list[str]:
        orders = [line.order for line in lines if line.order]
        return [notation.write(replace(o, power=power) if dialect else o, dialect=dialect) for o in orders]

    data: dict[str, Any] = {
        "orders": written(sheet.power, sheet.lines()) if sheet.power else [],
        "refused": [line.data for line in sheet.refused],
        "read_as": sheet.read_as,
        "later": [
            {"phase": section.purpose.value, "orders": orders} | ({} if sheet.power else {"power": section.power})
            for section in sheet.later
            if (orders := written(section.power, section.lines))
        ],
        "doubtful": [line.text for line in sheet.doubtful],
        "passed_over": [{"text": line.text, "line": line.line, "reason": line.what} for line in sheet.passed_over],
    }
    if not sheet.power:
        data["by_power"] = {power: written(power, sheet.lines(power)) for power in sheet.powers}
    return data


@cache
def _rules(name: str) -> Rules:
    from gamesmaster.rules import Rules

    return Rules.of(find_variant_or_folder(name))


def _position(rules: Rules, kind: PhaseKind, asked: _Asked) -> Position:
    """Return the position that a request describes; dislodged units may retreat to every empty place beside them."""
    from gamesmaster.board import Position
    from gamesmaster.judge import add_dislodged, read_place
    from gamesmaster.orders import PhaseKind

    names = {name.casefold(): name for name in rules.powers}
    owners = {
        read_place(text, rules).province: names.get(power.casefold(), power)
        for power, centres in (asked.centers or {}).items() for text in centres
    }  # fmt: skip
    beaten = (asked.dislodged or {}) if kind is PhaseKind.RETREATS else {}
    if sum(map(len, (*asked.units.values(), *beaten.values()))) > MOST_UNITS:
        raise BadPosition(f"more than {MOST_UNITS} units")
    standing = _read_units(rules, asked.units)
    position = Position(standing, owners)
    return add_dislodged(rules, position, _read_units(rules, beaten, len(standing) + 1)) if beaten else position


def _read_units(rules: Rules, texts: Mapping[str, Sequence[str]], first: int = 1) -> tuple[Unit, ...]:
    from gamesmaster.board import units_from
    from gamesmaster.judge import read_unit

    plain: dict[str, list[str]] = {}
    for power, units in texts.items():
        read: Iterable[Unit] = (read_unit(text, power, 1, rules) for text in units)
        plain.setdefault(rules.notation.power(power) or power, []).extend(f"{unit.kind} {unit.at}" for unit in read)
    return units_from(plain, first, rules.board.forms)
