"""The strengths and causes that rulings print, and what mechanics are shown of a movement phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.engine import HOLD, MOVE
from gamesmaster.judge import Movement, MovementMechanic, adjudicate_movement
from gamesmaster.rules import MechanicResult, Rulebook, Rules, Standing
from gamesmaster.variant import find_variant

RULES = Rules.of(find_variant("standard"))
Orders = Mapping[str, Sequence[str]]


def moved(orders: Orders, rules: Rules = RULES) -> Movement:
    """A movement phase on the standard board, with just the units that are ordered."""
    units = {
        power: [text.split(" ")[0] + " " + text.split(" ")[1] for text in texts] for power, texts in orders.items()
    }
    return adjudicate_movement(rules, Position(units_from(units)), orders)


@pytest.mark.parametrize(
    ("orders", "strengths"),
    [
        pytest.param(
            {
                "France": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR"],
                "Germany": ["A BUR H", "A MUN S A BUR"],
            },
            (3, 2),
            id="a holder with support",
        ),
        pytest.param(
            {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A BUR H", "A MUN S A PAR - BUR"]},
            (2, 1),
            id="help of the holder's own power does not count",
        ),
        pytest.param(
            {
                "France": ["A PAR - BUR", "A MAR S A PAR - BUR"],
                "Germany": ["A BUR - BEL", "A RUH S A BUR - BEL"],
                "England": ["F BEL H", "F NTH S F BEL"],
            },
            (2, 1),
            id="a mover that stays has only its own strength",
        ),
        pytest.param(
            {
                "France": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR"],
                "Germany": ["A BUR - PAR", "A PIC S A BUR - PAR"],
            },
            (3, 2),
            id="a mover beaten head on has the strength of its attack",
        ),
    ],
)
def test_what_dislodged_and_what_held(orders: Orders, strengths: tuple[float, float]) -> None:
    """Reports print the strength of the attack and the strength that it beat (STD-6.b)."""
    done = moved(orders)
    (beaten,) = done.position.dislodged
    assert str(beaten.unit) == "A BUR"
    assert done.dislodgements == {beaten.unit.number: strengths}


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        pytest.param(
            {
                "France": ["A PAR - BUR", "A MAR S A PAR - BUR"],
                "Germany": ["A MUN S A PAR - BUR", "A BUR - BEL"],
                "Italy": ["A RUH - BUR", "A GAS S A RUH - BUR", "A PIC S A RUH - BUR"],
            },
            "is stood off by A Ruh (Italy) (3 against 3)",
            id="all help counts where the holder leaves",
        ),
        pytest.param(
            {
                "France": ["A PAR - BUR", "A MAR S A PAR - BUR"],
                "Germany": ["A MUN S A PAR - BUR", "A BUR H"],
                "Italy": ["A RUH - BUR", "A GAS S A RUH - BUR"],
            },
            "is stood off by A Ruh (Italy) (2 against 2)",
            id="where the holder stays the help of its power does not count, against a rival either",
        ),
        pytest.param(
            {"France": ["A PAR - BUR"], "Germany": ["A MUN S A PAR - BUR", "A BUR H"]},
            "may not be helped by its own power to dislodge A Bur (Germany) (1 against 1)",
            id="nor against the holder",
        ),
        pytest.param(
            {"France": ["A PAR - BUR"], "Germany": ["A MUN S A PAR - BUR", "A BUR - PAR", "A PIC S A BUR - PAR"]},
            "is stopped head on by A Bur (Germany) (1 against 2)",
            id="nor head on",
        ),
        pytest.param(
            {
                "France": ["A PAR - BUR"],
                "Germany": ["A BUR - BEL", "A RUH S A BUR - BEL"],
                "England": ["F BEL H", "F NTH S F BEL"],
            },
            "is not strong enough to dislodge A Bur (Germany) (1 against 1)",
            id="a mover that stays has only its own strength",
        ),
    ],
)
def test_what_stopped_a_move(orders: Orders, text: str) -> None:
    """A ruling prints the strengths that were compared (STD-6.a, STD-6.c, DATC 6.E.7)."""
    assert next(r.text for r in moved(orders).rulings if r.given == "A PAR - BUR") == text


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        pytest.param(
            {"Germany": ["A RUH S A MUN - BUR", "A MUN - BUR"], "France": ["A BUR - RUH", "A BEL S A BUR - RUH"]},
            "is cut because the supporting unit is dislodged by A Bur (France); dislodged by A Bur (France)",
            id="from where it supports into",
        ),
        pytest.param(
            {"Germany": ["A RUH S A MUN - BUR", "A MUN - BUR"], "France": ["A BEL - RUH", "A HOL S A BEL - RUH"]},
            "is cut by the attack of A Bel (France); dislodged by A Bel (France)",
            id="from elsewhere",
        ),
        pytest.param(
            {
                "Germany": ["A RUH S A MUN - BUR", "A MUN - BUR"],
                "France": ["A BUR - RUH", "A BEL S A BUR - RUH", "A HOL - RUH"],
            },
            "is cut by the attack of A Hol (France); dislodged by A Bur (France)",
            id="by another than dislodges it",
        ),
    ],
)
def test_what_cut_a_support(orders: Orders, text: str) -> None:
    """Only the unit supported against must dislodge to cut; any other cuts by its attack (STD-7.c, STD-7.d)."""
    assert next(r.text for r in moved(orders).rulings if r.given == "A RUH S A MUN - BUR") == text


# -- what mechanics are shown ----------------------------------------------------------------------------------------


class Ghosts(MovementMechanic):
    """Takes away the units in Silesia after the moves."""

    id = "ghosts"

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Take the units away."""
        return MechanicResult(replace(position, units=tuple(u for u in position.units if u.at.province != "SIL")))


class Onlooker(MovementMechanic):
    """Keeps the columns that it is shown after the moves."""

    id = "onlooker"

    def __init__(self) -> None:
        self.seen: list[Standing] = []

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Look, and change nothing."""
        self.seen.append(movement.standing(position, []))
        return MechanicResult(position)


def shown(orders: Orders, book: Rulebook | None = None) -> tuple[dict[str, int], Standing]:
    """The rows of the units by where they stood, and the columns that a mechanic is shown after `Ghosts`."""
    onlooker = Onlooker()
    done = moved(orders, replace(RULES, mechanics=(Ghosts(), onlooker), rulebook=book or Rulebook()))
    before, _ = done.field.position, done.position
    return {unit.at.province: row for row, unit in enumerate(before.units, 1)}, onlooker.seen[0]


def test_mechanics_are_shown_who_was_dislodged_and_who_is_gone() -> None:
    """A unit that another mechanic took away is gone; one that was dislodged is not, and its attacker is named."""
    rows, now = shown({"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A BUR H", "A SIL H"]})
    assert {place for place, row in rows.items() if now.units.gone[row]} == {"SIL"}
    assert {place: now.moves.victor[row] for place, row in rows.items() if now.moves.victor[row]} == {
        "BUR": rows["PAR"]
    }
    assert {place for place, row in rows.items() if now.moves.came[row]} == {"PAR"}


def test_mechanics_are_shown_what_cannot_be_done_as_a_hold() -> None:
    """A unit ordered where nobody can go does not try to leave, though it refuses support (DATC 4.E.1 a).

    An army whose convoy nobody ordered does try.
    """
    orders = {
        "France": ["A PAR - MOS", "A MAR - GAS"],
        "Germany": ["A MUN S A BER"],
        "England": ["A LON - BEL", "F NTH H"],
    }
    rows, now = shown(orders, Rulebook(impossible_order="refuses_support"))
    assert {place: now.moves.act[row] for place, row in rows.items()} == {
        "PAR": HOLD, "MAR": MOVE, "MUN": HOLD, "LON": MOVE, "NTH": HOLD
    }  # fmt: skip
