"""Corrections of the board by a Gamesmaster: read from a document, checked, and put into words (CLN-H.i)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.board import Board, Dislodged, Position, Unit, unit_and_power
from gamesmaster.errors import BadPosition, GamesmasterError, OutOfTurn, nearest
from gamesmaster.game.record import LONGEST_REASON, Correction, Stage
from gamesmaster.game.state import State
from gamesmaster.game.state_file import aboard_by_number, numbers_by_power, position_data, position_of
from gamesmaster.judge import check_position
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import SEEN, StateCheck
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from gamesmaster.game.state_models import BoardEntry

MOST_CORRECTIONS = 20
"""Corrections of a phase before it is played."""
MOST_TURNS = 100
"""Turns of the calendar by which a correction can move the game on."""


def reason(why: str) -> str:
    """Return the reason for a correction as one line; raises `GamesmasterError` if it is empty or too long."""
    line = " ".join(why.split())
    if not 1 <= len(line) <= LONGEST_REASON or not line.isprintable():
        raise GamesmasterError(f"the reason for a correction has 1 to {LONGEST_REASON} printable characters")
    return line


def corrected_position(state: State, entry: BoardEntry) -> Position:
    """Return the board of a state as a document corrects it.

    Powers that `units`, `centers` or `dislodged` do not name keep theirs, except for centres that another power gets.
    What mechanics keep stays unless `state` is given, and units that stay keep their numbers unless `numbers` are.
    Raises `BadFile`, `NotFound` or `BadPosition`.
    """
    from gamesmaster.game.state_models import BoardEntry  # only now: pydantic takes its time

    old, names = state.position, {name.casefold(): name for name in state.rules.powers}
    given = entry.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    whole: dict[str, Any] = {"state": {}, "centers": given.get("centers", {})}
    stands = position_data(old) | ({"numbers": numbers_by_power(old)} if "numbers" in given else {})
    for key in stands.keys() - {"centers"}:
        whole[key] = stands[key] | {names.get(name.casefold(), name): had for name, had in given.get(key, {}).items()}
    if "numbers" in given:
        whole["aboard"] = aboard_by_number(old) | given.get("aboard", {})
    position = position_of(BoardEntry.model_validate(whole), state.variant, state.rules, state.phase)
    if "numbers" not in given:
        position = renumbered(position, old)
    named = {names.get(name.casefold(), name) for name in given.get("centers", {})}
    owners = {province: owner for province, owner in old.owners.items() if owner not in named}
    kept = given.get("state", dict(old.state))
    state.rules.derive(StateCheck).check(kept, (unit.number for unit in position.everybody))
    return replace(position, owners={**owners, **position.owners}, state=kept)


def renumbered(position: Position, known: Position, free: int = 0) -> Position:
    """Return a position whose units have the numbers that they have in `known`.

    Others get those of units of their power and kind that have gone, then new ones: `free` and those behind it, by
    default the first that nobody in `known` has.
    """
    gone = {unit.number: unit for unit in known.everybody}
    free, numbers = free or 1 + max(gone, default=0), dict[int, int]()
    for alike in (_same, _akin):
        for unit in (unit for unit in position.everybody if unit.number not in numbers):
            found = next((number for number, other in gone.items() if alike(unit, other)), 0)
            if found:
                numbers[unit.number] = found
                del gone[found]
    for unit in (unit for unit in position.everybody if unit.number not in numbers):
        numbers[unit.number] = free
        free += 1

    def number(unit: Unit) -> Unit:
        return replace(unit, number=numbers[unit.number], aboard=numbers.get(unit.aboard, 0))

    units = sorted(map(number, position.units), key=lambda unit: unit.number)
    beaten = tuple(Dislodged(number(d.unit), d.by, d.retreats) for d in position.dislodged)
    return replace(position, units=tuple(units), dislodged=beaten)


def _same(unit: Unit, other: Unit) -> bool:
    return _akin(unit, other) and unit.at == other.at


def _akin(unit: Unit, other: Unit) -> bool:
    return (unit.power, unit.kind) == (other.power, other.kind)


def check_correction(state: State, wanted: State, last: Phase | None) -> None:
    """Raise an error unless `wanted` can replace `state`; `last` is the last phase that was played, if there is one.

    Raises `OutOfTurn` and `BadPosition`.
    """
    variant, position, phase = wanted.variant, wanted.position, wanted.phase
    if (position, phase) == (state.position, state.phase):
        raise OutOfTurn("this correction changes nothing")
    calendar = variant.calendar
    first = calendar.next(last) if last else calendar.first
    if calendar.index(phase) < calendar.index(first):
        raise OutOfTurn(f"{phase.code} has been played already", hint=f"{first.code} or later, or take the game back")
    if calendar.turn(phase) > calendar.turn(first) + MOST_TURNS:
        raise OutOfTurn(f"{phase.code} is too far away", hint=f"at most {MOST_TURNS} turns")
    check_position(wanted.rules, position)
    _check_powers(variant, position)
    _check_retreats(variant.board, phase, position)
    if phase.kind is not PhaseKind.MOVEMENT and not any(status.is_due for status in wanted.status()):
        raise OutOfTurn(f"nobody would have anything to do in {phase.code}", hint="choose a later phase")


def _check_powers(variant: Variant, position: Position) -> None:
    names = [power.name for power in variant.powers]
    known = {*names, *(unit.power for unit in variant.start.units), *variant.start.owners.values()}
    for name in (*(unit.power for unit in position.everybody), *position.owners.values()):
        if name not in known:
            raise BadPosition(f"no power {name[:40]!r} in this game", hint=nearest(name, names))


def _check_retreats(board: Board, phase: Phase, position: Position) -> None:
    """Raise `BadPosition` for dislodged units outside a retreat phase, and for retreats to impossible places."""
    if position.dislodged and phase.kind is not PhaseKind.RETREATS:
        raise BadPosition(f"units are dislodged, but {phase.code} is not a phase of retreats")
    for out in position.dislodged:
        for place in out.retreats:
            if not board.can_stand(out.unit.kind, place):
                raise BadPosition(f"{out.unit} cannot retreat to {place}: a unit of this kind cannot lie there")


class ToldCorrection(NamedTuple):
    """A correction in words: the reason, and what it changed, a sentence each."""

    why: str
    changes: list[str]


def told_corrections(variant: Variant, stage: Stage) -> list[ToldCorrection]:
    """Return the corrections of a phase in words, oldest first."""
    stands: list[Stage | Correction] = [*stage.corrections, stage]
    return [
        ToldCorrection(one.why, changes(variant, one, after))
        for one, after in zip(stage.corrections, stands[1:], strict=True)
    ]


def changes(variant: Variant, before: Stage | Correction, after: Stage | Correction) -> list[str]:
    """Return what a correction changes, a sentence each."""
    board, now, then = variant.board, after.position, before.position

    def named(units: tuple[Unit, ...], others: tuple[Unit, ...]) -> list[str]:
        there = {(unit.power, unit.kind, unit.at, unit.aboard > 0) for unit in others}
        left = (unit for unit in units if (unit.power, unit.kind, unit.at, unit.aboard > 0) not in there)
        return [unit_and_power(board, unit) for unit in left]

    found = [f"The phase is {variant.calendar.name(after.phase)}."] if after.phase != before.phase else []
    found += [f"{unit} is taken off the board." for unit in named(then.units, now.units)]
    found += [f"{unit} is put on the board." for unit in named(now.units, then.units)]
    out, was_out = (tuple(one.unit for one in position.dislodged) for position in (now, then))
    found += [f"{unit} must retreat." for unit in named(out, was_out)]
    found += [f"{unit} need not retreat any more." for unit in named(was_out, out)]
    if not found and now.dislodged != then.dislodged:
        found.append("The places of retreat are others.")
    for province in board.provinces:
        owner = now.owners.get(province.id, "")
        if owner != then.owners.get(province.id, ""):
            found.append(f"{province.name} belongs to {owner or 'nobody'}.")
    kept = ({name: value for name, value in one.state.items() if name != SEEN} for one in (now, then))
    if next(kept) != next(kept):
        found.append("What special rules keep beside the board is changed.")
    return found
