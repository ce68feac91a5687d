"""What the documents themselves write: landings as moves, supports out of the Atlantic without a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.reading import Situation, read
from gamesmaster.rules import Cause, Rules
from gamesmaster.variant import find_variant

Told = Mapping[str, Sequence[str]]


def played(name: str, units: Told, orders: Told) -> tuple[dict[str, str], list[str]]:
    """What became of the orders, and the units that stand afterwards."""
    rules = Rules.of(find_variant(name))
    before = Position(units_from(units, forms=rules.board.forms))
    done = adjudicate(rules, PhaseKind.MOVEMENT, before, orders)
    results = {one.given: one.result.value for one in done.rulings if one.given}
    return results, sorted(f"{u.power} {u}" for u in done.position.units if not u.aboard)


LANDINGS = [
    ("conquest2", {"England": ["A/F VIS"]}, ["A VIS - VIR"], ["England A VIR", "England F VIS"]),
    ("conquest2", {"England": ["A/F VIS"]}, ["F VIS H", "A VIS - VIR"], ["England A VIR", "England F VIS"]),
    ("conquest2", {"England": ["A/F VIS"]}, ["F VIS C A VIS - VIR", "A VIS - VIR"],
     ["England A VIR", "England F VIS"]),
    ("conquest2", {"England": ["A/F VIS"]}, ["F VIS - SAR", "A VIS - VIR"], ["England A/F VIS"]),
    ("conquest2", {"England": ["A/F VIS"]}, ["A VIS - SAR"], ["England A/F VIS"]),
    ("scottomacy", {"England": ["A/F ff"]}, ["A ff - 73"], ["England A 73", "England F ff"]),
    ("1000ad[af_module=yes]", {"British": ["A/F SNS"]}, ["A SNS - Fla"], ["British A Fla", "British F SNS"]),
    ("1000ad[af_module=yes]", {"British": ["A/F SNS"]}, ["A/F SNS - HGB", "A HGB - Jel"],
     ["British A/F HGB"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "units", "orders", "left"), LANDINGS)
def test_a_landing_may_be_written_as_a_move(name: str, units: Told, orders: Sequence[str], left: list[str]) -> None:
    """The move of an army where only a fleet with one aboard lies is its landing; two orders of a pair undo it."""
    (power,) = units
    assert played(name, units, {power: orders})[1] == left


def test_a_support_out_of_the_atlantic_needs_no_name_where_only_one_can_be_meant() -> None:
    """It is for one's own unit there, else for the only other power that has one, or that ordered the move."""
    order, move = "F HIS S F ATL - BAH", "F ATL - BAH"
    for others, result in (
        ({}, "succeeds"),
        ({"Holland": ["A ATL"]}, "succeeds"),
        ({"Holland": ["F ATL"]}, "succeeds"),
    ):
        units = {"Spain": ["F HIS"], "England": ["F ATL"], "France": ["F BAH"], **others}
        results, left = played("conquest2", units, {"Spain": [order], "England": [move]})
        assert results[order] == result
        assert ("England F BAH" in left) is (result == "succeeds")
    own = {"Spain": ["F HIS", "F ATL"], "England": ["F ATL"], "France": ["F BAH"]}
    assert played("conquest2", own, {"Spain": [order], "England": [move]})[0][order] == "void"
    both = {"Spain": ["F HIS"], "England": ["F ATL"], "Holland": ["F ATL"], "France": ["F BAH"]}
    for moves, cause in (
        ({"England": [move], "Holland": [move]}, Cause.SEVERAL),
        ({"England": [move], "Holland": ["F ATL H"]}, Cause.GIVEN),
        ({"England": ["F ATL - SAR"], "Holland": ["F ATL - SAR"]}, Cause.UNMATCHED),
    ):
        rules = Rules.of(find_variant("conquest2"))
        before = Position(units_from(both, forms=rules.board.forms))
        done = adjudicate(rules, PhaseKind.MOVEMENT, before, {"Spain": [order], **moves})
        assert next(r.cause for r in done.rulings if r.given == order) is cause
    named = "F HIS S Dutch F ATL - BAH"  # the Dutch have no unit there
    assert (
        played(
            "conquest2",
            {"Spain": ["F HIS"], "England": ["F ATL"], "France": ["F BAH"]},
            {"Spain": [named], "England": [move]},
        )[0][named]
        == "void"
    )
    inside = {"Spain": ["F ATL"], "England": ["F ATL"], "France": ["F BAH"]}
    results, _ = played("conquest2", inside, {"Spain": [f"F ATL S {move}"], "England": [move]})
    assert set(results.values()) == {"succeeds"}


@pytest.mark.parametrize(
    ("name", "text", "power"),
    [
        ("1000ad", "Magyars and Polacks", "Magyars"),
        ("1000ad", "byzantium", "Byzantines"),
        ("1000ad", "Polotjans and Dregovites", "Polotjans"),
        ("cline9", "Barbary", "Barbary States"),
        ("conquest2", "Dutch", "Holland"),
    ],
)
def test_powers_answer_to_the_names_of_their_documents(name: str, text: str, power: str) -> None:
    """In headings of sheets, before units, and wherever a power is named."""
    variant = find_variant(name)
    assert variant.power(text).name == power
    place = next(p for p in variant.board.provinces if p.land)
    situation = Situation(Rules.of(variant), PhaseKind.MOVEMENT, variant.start)
    assert read(situation, "", f"{text}:\nA {place.id} H").powers == (power,)


def test_a_neutral_is_supported_by_its_name() -> None:
    """In Indianomacy, whose documents say so (IND-4.d)."""
    units = {"Shoshoni": ["W 84"], "Neutral": ["W 83"]}
    for text in ("W 84 S Neutral W 83", "W 84 S W 83 (neutral)", "W 84 S W 83"):
        assert played("indianomacy", units, {"Shoshoni": [text]})[0][text] == "succeeds"
