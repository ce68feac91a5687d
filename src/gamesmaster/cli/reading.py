"""`read`: texts of orders, one to a line of JSON, as a careful Gamesmaster reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.console import say_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from gamesmaster.board import Position, Unit
    from gamesmaster.judge import Rules
    from gamesmaster.orders import PhaseKind

LONGEST_LINE = 256 * 1024  # bytes
MOST_UNITS = 400


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A line of what is asked; other fields are left alone."""

    power: str
    text: str
    variant: str = "standard"
    phase: str = "movement"
    units: dict[str, list[str]] = field(default_factory=dict)
    dislodged: dict[str, list[str]] | None = None


def read(
    file: Annotated[
        typer.FileBinaryRead,
        typer.Argument(metavar="[FILE]", help="Lines of JSON; by default, or with -, standard input."),
    ] = "-",  # type: ignore[assignment]
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="Write the orders in this dialect.", show_default=False)
    ] = "",
) -> None:
    """Read what players write: texts in any dialect of the hobby.

    Each line of the input is an object with the fields variant, phase (movement, retreats or adjustments), units and
    dislodged (lists by power), power, and text. The same line of the output has the orders that were read, what was
    refused, with line, column, reason and the nearest legal order, and how anything unusual was read.

    For example:

      gamesmaster read letters.jsonl --dialect daide
    """
    from gamesmaster.orders.dialect import dialect_named

    style = dialect_named(dialect).id if dialect else ""
    for line in _lines(file):
        say_json(_answer(line, style), indent=None)


def _lines(file: Any) -> Iterator[bytes]:
    """The lines, none longer than what is read of one."""
    while line := file.readline(LONGEST_LINE + 1):
        end = line
        while len(end) > LONGEST_LINE and not end.endswith(b"\n"):
            end = file.readline(LONGEST_LINE + 1)
            if not end:
                break
        yield line


def _answer(line: bytes, dialect: str) -> dict[str, Any]:
    """What is said of a line, whatever is in it."""
    from pydantic import ValidationError  # only now: pydantic takes its time

    from gamesmaster.errors import GamesmasterError

    try:
        if len(line) > LONGEST_LINE:
            return _no("the line is too long", f"the most is {LONGEST_LINE:,} bytes")
        return _read(_adapter().validate_json(line, strict=True), dialect)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        what = f"this line is not a request: {where or 'JSON'}: {first['msg']}"
        return _no(what, "write an object with the fields of docs/orders.md")
    except GamesmasterError as error:
        return _no(error.what, error.hint)


@cache
def _adapter() -> TypeAdapter[_Asked]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Asked)


def _no(what: str, hint: str) -> dict[str, Any]:
    return {"orders": [], "refused": [{"text": "", "line": 1, "column": 1, "what": what, "hint": hint}], "read_as": []}


def _read(asked: _Asked, dialect: str) -> dict[str, Any]:
    from gamesmaster.errors import NotFound, nearest
    from gamesmaster.judge.reader import Reader
    from gamesmaster.orders import PhaseKind
    from gamesmaster.orders.html_text import is_html, text_of

    rules = _rules(asked.variant)
    power = {name.casefold(): name for name in rules.powers}.get(asked.power.casefold())
    if power is None:
        raise NotFound(f"no power {asked.power[:60]!r}", hint=nearest(asked.power[:60], rules.powers))
    kinds = {kind.value: kind for kind in PhaseKind}
    if asked.phase not in kinds:
        raise NotFound(f"no phase {asked.phase[:60]!r}", hint=f"phases are {', '.join(kinds)}")
    kind = kinds[asked.phase]
    reader = Reader(rules, kind, _position(rules, kind, asked), power)
    found = reader.sheet(text_of(asked.text) if is_html(asked.text) else asked.text)
    write = rules.notation.write
    orders = [replace(one.order, power=power) if dialect else one.order for one in found.orders]
    return {
        "orders": [write(order, dialect=dialect) for order in orders],
        "refused": [no.told for no in found.refused],
        "read_as": found.read_as,
    }


@cache
def _rules(name: str) -> Rules:
    from gamesmaster.cli.arguments import variant_named
    from gamesmaster.judge import Rules

    return Rules.of(variant_named(name))


def _position(rules: Rules, kind: PhaseKind, asked: _Asked) -> Position:
    """The units told of; every place beside a dislodged one that nobody holds is open to it."""
    from gamesmaster.board import Position
    from gamesmaster.errors import BadPosition
    from gamesmaster.judge.legal import dislodged
    from gamesmaster.orders import PhaseKind

    beaten = (asked.dislodged or {}) if kind is PhaseKind.RETREATS else {}
    if sum(map(len, (*asked.units.values(), *beaten.values()))) > MOST_UNITS:
        raise BadPosition(f"more than {MOST_UNITS} units")
    standing = _mustered(rules, asked.units)
    position = Position(standing)
    return dislodged(rules, position, _mustered(rules, beaten, len(standing) + 1)) if beaten else position


def _mustered(rules: Rules, told: Mapping[str, Sequence[str]], first: int = 1) -> tuple[Unit, ...]:
    from gamesmaster.board import units_from
    from gamesmaster.game.state_file import read_unit

    names = {name.casefold(): name for name in rules.powers}
    plain: dict[str, list[str]] = {}
    for power, units in told.items():
        read: Iterable[Unit] = (read_unit(text, power, 1, rules) for text in units)
        plain.setdefault(names.get(power.casefold(), power), []).extend(f"{unit.kind} {unit.at}" for unit in read)
    return units_from(plain, first, rules.board.forms)
