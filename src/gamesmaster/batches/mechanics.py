"""Mechanics in batches: which can be carried out in columns, and what they keep of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gamesmaster.board import Position
from gamesmaster.engine.groups import map_columns
from gamesmaster.engine.problem import fast
from gamesmaster.game import rules_of
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BoardMechanic, ColumnMechanic, Columns, Mechanic, Rulebook, Rules
from gamesmaster.variant import Variant


class Part(NamedTuple):
    """A mechanic's part in a batch."""

    mechanic: Mechanic
    columns: Columns
    first: int  # where the numbers that it sees begin in `Game.kept`
    last: int  # where they end
    table: Any = ()  # its rules' parameters as machine code takes them (`with_arrays`)


def rules_in_batch(variant: Variant) -> Rules:
    """Return the rules of a variant under its own rulebook, which all its batches share with their tables."""
    return rules_of(variant, Rulebook.of(variant.rulebook))


def columns_of(mechanic: Mechanic, rules: Rules) -> Columns | str:
    """Return the columns of a mechanic, or the reason why it has none.

    A class that inherits columns without overriding `columns` is rejected, since they may not fit it.
    """
    if not isinstance(mechanic, ColumnMechanic):
        return mechanic.not_in_columns
    return mechanic.columns(rules) if "columns" in vars(type(mechanic)) else "it says nothing of itself in columns"


def all_columns(rules: Rules) -> tuple[tuple[Mechanic, Columns | str], ...]:
    """Return each mechanic with its columns, or the reason why it has none.

    Call it by `rules.derive(all_columns)`, which remembers them: making them can take a quarter of a second, if
    distances between all provinces are needed.
    """
    return tuple((mechanic, columns_of(mechanic, rules)) for mechanic in rules.mechanics)


def mechanics_without_columns(rules: Rules) -> Iterator[str]:
    """Yield the mechanics of a variant that cannot be carried out in columns, each with the reason."""
    for mechanic, columns in rules.derive(all_columns):
        if isinstance(columns, str) and not mechanic.implied:
            yield f"the mechanic {type(mechanic).__name__} ({columns})"


def parts_of(rules: Rules) -> tuple[Part, ...]:
    """Return the parts of all mechanics, which can be carried out in columns."""
    parts, first = [], 0
    for mechanic, columns in rules.derive(all_columns):
        assert isinstance(columns, Columns)
        parts.append(Part(mechanic, columns, first, first + columns.width))
        first += columns.width
    where = {part.mechanic.id: part for part in parts}
    read = [where.get(part.columns.reads, part) for part in parts]
    return tuple(part._replace(first=other.first, last=other.last) for part, other in zip(parts, read, strict=True))


def asking_parts(parts: Sequence[Part], kind: PhaseKind) -> list[Part]:
    """Return the mechanics that powers give orders of their own in phases of this kind."""
    return [part for part in parts if kind in part.columns.asked]


def newcomers(rules: Rules) -> set[str]:
    """Return the names that units go by which mechanics bring onto the board, and nobody plays."""
    return {name for part in parts_of(rules) if part.columns.more for name in part.mechanic.nobodies()}


def state_of(
    rules: Rules, parts: Sequence[Part], winters: int, kept: Any, spans: Mapping[int, int]
) -> Mapping[str, object]:
    """Return the state of mechanics in the form of a `Position`, from its numbers and spans after some Winters."""
    state: dict[str, object] = dict(dated_state(rules, winters))
    for part in parts:
        if part.columns.state and (value := part.columns.state(kept[part.first : part.last])) is not None:
            state[part.mechanic.id] = value
        if part.columns.spans and spans:
            state[part.mechanic.id] = part.columns.spans(spans)
    return state


def state_at_start(rules: Rules) -> Mapping[str, object]:
    """Return the state of mechanics at the start of a game."""
    parts = parts_of(rules)
    return state_of(rules, parts, 0, [0] * sum(part.columns.width for part in parts), {})


def dated_state(rules: Rules, winters: int) -> Mapping[str, object]:
    """Return the state that is the same in all games this number of Winters after the start."""
    position = Position()
    for mechanic, columns in rules.derive(all_columns):
        if isinstance(mechanic, BoardMechanic) and isinstance(columns, Columns) and columns.dated:
            position = mechanic.resume(rules, winters, position)
    return position.state


def with_arrays(part: Part, table: tuple[Any, ...]) -> Part:
    """Return a mechanic's part whose rules have these parameters, as arrays: machine code takes no lists."""
    import numpy as np

    arrays = map_columns(lambda column: np.array(column, np.int32), table)
    laid = fast("gamesmaster.batches.code").laid(arrays)
    return part._replace(columns=replace(part.columns, table=arrays), table=laid)
