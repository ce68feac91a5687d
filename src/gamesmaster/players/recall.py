"""What the heuristic player remembers at the table: the movements in a game's records, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from gamesmaster.board import Board, Unit
from gamesmaster.engine.heuristic.memory import Memory, Moves, new_memory, note
from gamesmaster.game import Record
from gamesmaster.judge import adjudicate
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Rules


def new_list(length: int, real: bool) -> list[Any]:
    """Return a column of zeros."""
    return [0.0] * length if real else [0] * length


def memory_of(rules: Rules, history: Sequence[Record]) -> Memory:
    """Return what is remembered of all movements in these records."""
    board, powers = rules.board, len(rules.numbers) + 1
    memory = new_memory(len(board.provinces), powers, new_list)
    centre = [int(province.centre) for province in board.provinces]
    for record in history:
        if record.phase.kind is PhaseKind.MOVEMENT:
            note(memory, moves_of(rules, record), len(record.position.units), centre, powers)
    return memory


@lru_cache(maxsize=256)
def moves_of(rules: Rules, record: Record) -> Moves:
    """Return the movement of a record as columns, in the order of its units."""
    board, numbers, position = rules.board, rules.numbers, record.position
    rulings = adjudicate(rules, PhaseKind.MOVEMENT, position, record.orders).rulings
    moves = ((r.unit, r.order) for r in rulings if r.unit and r.order and _is_plain(r.order, r.unit, board))
    goals = {unit.number: board.index[order.to.province] for unit, order in moves if order.to}
    holder = [0] * len(board.provinces)
    for province, power in position.owners.items():
        holder[board.index[province]] = numbers.get(power, 0)
    return Moves(
        number=[0, *(unit.number for unit in position.units)],
        owner=[0, *(numbers.get(unit.power, 0) for unit in position.units)],
        at=[-1, *(-1 if unit.aboard else board.index[unit.at.province] for unit in position.units)],
        goal=[-1, *(goals.get(unit.number, -1) for unit in position.units)],
        holder=holder,
    )


def _is_plain(order: Order, unit: Unit, board: Board) -> bool:
    """Return whether an order is a move of the regular rules: one that travels in what it carries attacks nobody."""
    form = board.forms.get(unit.kind)
    return order.verb is Verb.MOVE and not (order.carried or order.builders) and (form is None or bool(form.cargo))
