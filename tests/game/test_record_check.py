"""A record that does not follow from its orders is found out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.board import Position
from gamesmaster.game import Difference, Game, Untrue, dumps, loads, verify
from gamesmaster.variant import find_variant

from .conftest import Builder


@pytest.fixture(scope="module")
def data(england: Game) -> Any:
    """The recorded game as JSON data."""
    return json.loads(dumps(england))


def found_in(data: Any, change: Callable[[Any], object]) -> set[tuple[str, str]]:
    """Phase and subject of every difference in the data after a change."""
    data = copy.deepcopy(data)
    change(data)
    return {(d.phase, d.what) for d in verify(loads(json.dumps(data), verify=False))}


def test_a_true_record(england: Game) -> None:
    """A game that was played here follows from its orders, in every phase to which it is rolled back."""
    assert verify(england) == []
    assert all(verify(england.rollback(record.phase.code)) == [] for record in england.records[::8])


@pytest.mark.parametrize(
    ("change", "phase", "what"),
    [
        (lambda d: d["phases"][0]["rulings"].__setitem__(0, "bounces: stood off"), "S1901M", "ruling on A BUD - SER"),
        (lambda d: d["phases"][0]["rulings"].append("succeeds: came"), "S1901M", "ruling on a unit without an order"),
        (lambda d: d["phases"][1]["units"].__setitem__(0, "1 A BUD Austria"), "F1901M", "units"),
        (lambda d: d["phases"][1]["units"].reverse(), "F1901M", "units"),
        (lambda d: d["phases"][0]["owners"].__setitem__("BEL", "France"), "S1901M", "owners"),
        (lambda d: d["phases"][2].__setitem__("events", [["eliminated", "Italy", "", ""]]), "W1901A", "events"),
        (lambda d: d["phases"][1].pop("events"), "F1901M", "events"),
        (lambda d: d["phases"].pop(0), "F1901M", "phase"),
        (lambda d: d["phases"].pop(), "W1910A", "phase"),
        (lambda d: d["outcome"].__setitem__("winners", ["France"]), "W1910A", "end of the game"),
        (lambda d: d.pop("outcome"), "W1910A", "end of the game"),
        (lambda d: d["phases"].append({**d["now"], "rulings": []}), "W1910A", "end of the game"),
        (lambda d: d["phases"][0]["orders"].pop("Turkey"), "S1901M", "ruling on F SEV - BLA"),
    ],
)
def test_falsehoods(data: Any, change: Callable[[Any], object], phase: str, what: str) -> None:
    """Whatever is altered in a record is told, with its phase."""
    assert any(p == phase and w.startswith(what) for p, w in found_in(data, change))


def test_false_states() -> None:
    """What a mechanic is said to have kept, and has not, is told."""
    game = Game.start(find_variant("conquest2"), seed=bytes(32)).process().process()
    data = json.loads(dumps(game))

    def change(altered: Any) -> None:
        altered["phases"][1]["state"]["off-board-supply"]["winters"] = 3

    assert (game.records[1].phase.code, "state") in found_in(data, change)


def test_one_falsehood_is_told_once(data: Any) -> None:
    """Each phase is judged from its recorded position: a false ruling does not cast doubt on later phases."""

    def change(altered: Any) -> None:
        altered["phases"][0]["rulings"][0] = "bounces: stood off"

    assert len(found_in(data, change)) == 1


def test_dislodged_units(data: Any) -> None:
    """A retreat that was not open, and a dislodged unit that was not, are told."""
    number = next(n for n, entry in enumerate(data["phases"]) if "dislodged" in entry)

    def change(altered: Any) -> None:
        altered["phases"][number]["dislodged"][0]["retreats"].append("SWE")

    assert (data["phases"][number]["phase"], "dislodged") in found_in(data, change)


def test_impossible_positions(data: Any) -> None:
    """A position that cannot be is told and ends the check: nothing can be judged from it."""

    def change(altered: Any) -> None:
        altered["phases"][5]["units"] = ["1 A BUD Austria", "1 A BUD Austria"]

    assert (data["phases"][5]["phase"], "position") in found_in(data, change)


def test_throws(game: Game) -> None:
    """Throws that the seed does not give are told; who plays a power may have changed since it was dealt."""
    dealt = Game.start(game.variant, seed=bytes(32), players=["a", "b", "c", "d", "e", "f", "g"])
    assert verify(replace(dealt, players={**dealt.players, "France": "somebody else"})) == []
    first, *others = dealt.throws
    forged = (replace(first, fell=(first.fell + 1) % 7), *others)
    assert verify(replace(dealt, throws=forged)) == [
        Difference("start", "throw for STD-1.a, Austria", str(forged[0].fell), str(first.fell))
    ]


def test_agreements(standing: Builder, game: Game) -> None:
    """An agreed end stands if it could have been made in that phase; one that leaves a survivor out does not."""
    for power in game.survivors:
        game = game.vote_draw(power)
    assert game.outcome
    assert verify(game) == []
    false = replace(game, outcome=replace(game.outcome, winners=game.outcome.winners[1:]))
    assert [d.what for d in verify(false)] == ["end of the game"]
    earlier = replace(game, outcome=replace(game.outcome, phase="F1901M"))
    assert [d.what for d in verify(earlier)] == ["end of the game"]


def test_loading_tells(england: Game) -> None:
    """Loading adjudicates again: a false record is refused with all its differences, unless nobody asks."""
    first = england.records[0]
    false = replace(
        england, records=(replace(first, rulings=("void: no unit", *first.rulings[1:])), *england.records[1:])
    )
    with pytest.raises(Untrue, match=r"mine: does not follow from the orders: S1901M, ruling on A BUD - SER") as caught:
        loads(dumps(false), where="mine")
    assert caught.value.differences == (
        Difference("S1901M", "ruling on A BUD - SER (Austria)", "void: no unit", "succeeds: came"),
    )
    assert loads(dumps(false), verify=False) == false


def test_long_differences_are_clipped(game: Game) -> None:
    """A difference is told in few words, however much differs."""
    nothing = replace(game, position=Position())
    assert all(len(str(difference)) < 500 for difference in verify(nothing))
    assert {d.what for d in verify(nothing)} == {"units", "owners"}
