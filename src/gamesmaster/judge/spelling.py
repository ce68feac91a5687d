"""Units and places in the spellings of people and programs: `A PAR`, `Army Paris`, `a par`, `*F STP/SC`.

The notation of orders reads them, so that a position may be written as its orders are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gamesmaster.board import Board, Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile, BadOrder, BadPosition, UnknownPlace, Unreadable
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Rules

DISLODGED = "*"
"""The mark that other programs write before a unit that must retreat."""

_COAST_BEHIND_DASH = re.compile(r"\s*-\s*([A-Za-z]{1,3})$")
_BRACKETED = re.compile(r"\((.*)\)$")


def read_unit(text: str, power: str, number: int, rules: Rules, aboard: int = 0) -> Unit:
    """Read a unit, such as `F STP/NC`, `Fleet St Petersburg (north coast)` or `*f stp-nc`.

    Raises `BadFile`, with the nearest right thing.
    """
    plain = text.strip().removeprefix(DISLODGED).strip()
    kind, _, where = plain.partition(" ")
    kind, at = kind.upper(), _by_id(rules.board, where)
    if at is None or kind not in rules.board.ways:
        order = _hold(plain, rules)
        if order.power not in ("", power):
            raise BadFile(f"{text!r} is a unit of {order.power}, not of {power}")
        kind, at = order.kind, _place(order, text, rules)
        if not kind:
            raise BadFile(f"{text!r} does not say what kind of unit it is", hint=_kinds_there(rules.board, at))
    return Unit(number, kind, power, at, aboard)


def read_place(text: str, rules: Rules, kind: str = "") -> Location:
    """Read a place by its id, its name, or any other word for it; raises `BadFile`, with the nearest right thing."""
    location = _by_id(rules.board, text.strip())
    if location is not None:
        return location
    try:
        order = _read_hold(f"{kind or rules.board.kinds[0]} {text}", rules)
    except BadOrder as error:
        raise BadFile(f"{text!r}: {error.what}", hint=error.hint or rules.notation.lexicon.places.hint(text)) from None
    return _place(order, text, rules)


def _by_id(board: Board, text: str) -> Location | None:
    """Return the location with this id, in the case of the board or in capitals."""
    return board.locations_by_id.get(text) or board.locations_by_id.get(text.upper())


def respell(rules: Rules, position: Position) -> Position:
    """Return a position with its units and owned provinces named as the board names them.

    Raises `BadPosition`, with the nearest right thing, for one that cannot be read.
    """

    def province(text: str) -> str:
        return read_place(text, rules).province if text else ""

    def unit(one: Unit) -> Unit:
        return read_unit(f"{one.kind} {one.at}", one.power, one.number, rules, one.aboard)

    def beaten(out: Dislodged) -> Dislodged:
        retreats = tuple(read_place(str(at), rules) for at in out.retreats)
        return Dislodged(unit(out.unit), province(out.by), retreats)

    try:
        return replace(
            position,
            units=tuple(map(unit, position.units)),
            owners={province(place): power for place, power in position.owners.items()},
            dislodged=tuple(map(beaten, position.dislodged)),
        )
    except BadFile as error:
        raise BadPosition(error.what, where=rules.board.name, hint=error.hint) from None


def check_position(rules: Rules, position: Position, where: str = "") -> None:
    """Raise `BadPosition` if units cannot be where they are, with the units that could be there."""
    board = rules.board
    for problem in position.problems(board)[:1]:
        known = (unit for unit in position.units if unit.at in board.location_index and unit.kind in board.ways)
        misplaced = (unit for unit in known if not unit.aboard and not board.can_stand(unit.kind, unit.at))
        hints = (_kinds_there(board, unit.at) for unit in misplaced if problem.startswith(f"{unit}: "))
        raise BadPosition(problem, where=where, hint=next(hints, ""))


def is_spelt(board: Board, position: Position) -> bool:
    """Return whether all units and owned provinces are named as the board names them."""
    places, kinds = board.location_index, board.ways
    units = position.everybody
    known = all(unit.at in places and unit.kind in kinds for unit in units)
    return known and position.owners.keys() <= board.index.keys()


def _hold(text: str, rules: Rules) -> Order:
    """Read a unit as the order to hold; raises `BadFile`."""
    try:
        return _read_hold(text, rules)
    except UnknownPlace as error:
        fault = error
    except BadOrder:
        raise BadFile(f"{text!r} is not a unit", hint="write its kind and its place, as in an order") from None
    kind, _, where = text.partition(" ")
    if kind.upper() in rules.board.ways and not where:
        raise BadFile(f"{text!r} is not a unit", hint="write its place behind its kind")
    try:
        at = read_place(where, rules)
    except BadFile as error:
        raise BadFile(f"{text!r}: {fault.what}", hint=error.hint) from None
    raise BadFile(f"{text!r}: no kind of unit {kind!r}", hint=_kinds_there(rules.board, at))


def _read_hold(unit: str, rules: Rules) -> Order:
    """Read a unit as the order to hold, in the first spelling that is one; raises `BadOrder`."""
    faults: list[BadOrder] = []
    for spelling in dict.fromkeys(_spellings(unit)):
        try:
            order = rules.notation.read(f"{spelling} H", PhaseKind.MOVEMENT)
        except BadOrder as error:
            faults.append(error)
        else:
            if order.verb is Verb.HOLD:
                return order
    raise faults[0] if faults else Unreadable("an order, not a unit")


def _spellings(unit: str) -> Iterator[str]:
    """Yield the text of a unit as written, then with a slash before its coast, and then without its brackets."""
    yield unit
    yield _COAST_BEHIND_DASH.sub(r"/\1", unit)
    if bracketed := _BRACKETED.match(unit):
        yield bracketed[1]


def _place(order: Order, text: str, rules: Rules) -> Location:
    assert order.at is not None
    if order.at not in rules.board.location_index:
        coasts = (f"{order.at.province}/{coast}" for coast in rules.board.province(order.at.province).coasts)
        raise BadFile(f"{text!r} has no such coast", hint=" or ".join(coasts))
    return order.at


def _kinds_there(board: Board, at: Location) -> str:
    """Return a hint that names the kinds of unit that can be in a province."""
    places = [board.locations[number] for number in board.locations_of(board.index[at.province])]
    units = [f"{kind} {place}" for kind in board.kinds for place in places if board.can_stand(kind, place)]
    return f"did you mean {' or '.join(units)}?" if units else ""
