"""A phase as a line of JSON: read, adjudicated, answered, compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, BadRulebook, GamesmasterError, NotFound
from gamesmaster.formats.foreign import read_foreign
from gamesmaster.formats.phases import MOST_RULES, Bench, PhaseLine, read_phase
from gamesmaster.game import Variant, find_variant

BOARDS = Path(__file__).parents[1] / "data" / "boards"


def find(name: str) -> Variant:
    """The standard game, or one of the foreign boards."""
    path = BOARDS / f"{name}.json"
    return read_foreign(path) if path.exists() else find_variant(name)


def phase(data: object, **options: Any) -> PhaseLine:
    """Read a line made of this data."""
    return read_phase(json.dumps(data), Bench(find), **options)


def units(answer: dict[str, Any]) -> dict[str, list[str]]:
    """The units of the next position."""
    found: dict[str, list[str]] = answer["next"]["units"]
    return found


# -- reading and answering -------------------------------------------------------------------------------------------


def test_what_is_left_out_is_as_at_the_start() -> None:
    """An empty object is the first phase of the standard game, in which everybody holds."""
    answer = phase({}).answer()
    assert answer["orders"] == []
    assert answer["next"]["phase"] == "F1901M"  # type: ignore[index]
    assert units(answer)["France"] == ["A MAR", "A PAR", "F BRE"]


def test_every_order_is_answered_with_its_ruling() -> None:
    """The answer has a ruling for each order, in the order given: result, cause, sentence, clause."""
    orders = {"france": ["A Par - Bur", "A Mar blesses A Par"], "Germany": ["A Mun - Bur"]}
    answer = phase({"orders": orders}).answer()
    rulings: Any = answer["orders"]
    assert [(r["power"], r["order"], r["result"], r["cause"]) for r in rulings] == [
        ("France", "A Par - Bur", "bounces", "stood_off"),
        ("France", "A Mar blesses A Par", "void", "unreadable"),
        ("Germany", "A Mun - Bur", "bounces", "stood_off"),
    ]
    assert rulings[0]["text"] == "is stood off by A Mun (Germany) (1 against 1)"
    assert rulings[0]["clause"] == "STD-6.a"
    assert rulings[0]["dislodged"] is False


def test_dislodged_units_and_their_retreats_are_answered() -> None:
    """A dislodged unit is told with the place its attacker came from and the places open to it (STD-9)."""
    line = {
        "phase": "F1901M",
        "units": {"Austria": ["A TRI"], "Italy": ["A VEN", "A TYR"]},
        "orders": {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]},
    }
    answer: Any = phase(line).answer()
    assert answer["next"]["phase"] == "F1901R"
    assert answer["next"]["dislodged"] == {
        "Austria": [{"unit": "A TRI", "from": "VEN", "retreats": ["ALB", "BUD", "SER", "VIE"]}]
    }


def test_answers_can_be_played_on() -> None:
    """The next phase of an answer, given back with orders, is a line again: here a retreat, and then the count."""
    line = {
        "phase": "F1901M",
        "units": {"Austria": ["A TRI"], "Italy": ["A VEN", "A TYR"]},
        "centers": {"Austria": ["TRI"]},
        "orders": {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]},
    }
    following: Any = phase(line).answer()["next"]
    answer: Any = phase({**following, "orders": {"Austria": ["A Tri - Bud"]}}).answer()
    assert answer["next"]["phase"] == "W1901A"
    assert answer["next"]["units"] == {"Austria": ["A BUD"], "Italy": ["A TRI", "A TYR"]}
    assert answer["next"]["centers"] == {"Austria": ["BUD"], "Italy": ["TRI"]}  # owned where units stand (STD-10.a)


def test_phases_with_nothing_to_do_are_skipped() -> None:
    """After a Fall in which nobody is beaten and nothing is to be built, Spring comes next (STD-3.a)."""
    line = {"phase": "F1901M", "units": {"France": ["A PAR"]}, "centers": {"France": ["PAR"]}}
    assert phase(line).answer()["next"]["phase"] == "S1902M"  # type: ignore[index]


def test_units_without_a_retreat_are_gone() -> None:
    """A beaten unit with nowhere to go is gone by the next movement phase (STD-9.e)."""
    attackers = {"Italy": ["A VEN", "A TYR", "A ALB", "A BUD", "A SER", "A VIE"]}
    orders = {"Italy": ["A Ven - Tri", "A Tyr S A Ven - Tri"]}
    answer: Any = phase({"units": {"Austria": ["A TRI"], **attackers}, "orders": orders}).answer()
    assert answer["next"]["phase"] == "F1901M"
    assert answer["next"]["dislodged"] == {}
    assert "Austria" not in answer["next"]["units"]


def test_rulebooks_of_a_line_and_of_the_caller() -> None:
    """A line's own rulebook is in force, or else the caller's; presets, fields and DATC numbers are understood."""
    line = {
        "units": {"France": ["F MAO"]},
        "orders": {"France": ["F Mao - Spa"]},
    }
    assert units(phase(line).answer()) == {"France": ["F MAO"]}
    assert units(phase(line, rulebook={"4.B.1": "b"}).answer()) == {"France": ["F SPA/SC"]}
    assert units(phase({**line, "rulebook": "datc"}, rulebook={"4.B.1": "b"}).answer()) == {"France": ["F MAO"]}
    assert units(phase({**line, "rulebook": {"coast_omitted": "default"}}).answer()) == {"France": ["F SPA/SC"]}


def test_other_boards_are_found_by_map_or_variant() -> None:
    """`map`, as recorded games say, and `variant` both name the board."""
    for key in ("map", "variant"):
        found = phase({key: "pure"})
        assert found.variant.name == find("pure").name
        assert found.answer()["next"]


# -- comparing -------------------------------------------------------------------------------------------------------

AFTER = {"phase": "F1901M", "units": {"France": ["A BUR"]}, "centers": {"France": ["PAR"]}}
BEFORE = {"units": {"France": ["A PAR"]}, "centers": {"France": ["PAR"]}, "orders": {"France": ["A Par - Bur"]}}


def test_a_phase_as_recorded_shows_no_difference() -> None:
    """A line whose `next` is what was adjudicated has no difference."""
    assert phase({**BEFORE, "next": AFTER}).differences() == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"units": {"France": ["A PIC"]}}, "units: recorded France A PIC, adjudicated France A BUR"),
        ({"centers": {}}, "centers: recorded none, adjudicated France PAR"),
        ({"phase": "S1902M"}, "next phase: recorded S1902M, adjudicated F1901M"),
        (
            {"phase": "S1901R", "dislodged": {"Italy": [{"unit": "A ROM", "retreats": ["APU"]}]}},
            "dislodged: recorded Italy A ROM to APU, adjudicated none",
        ),
    ],
)
def test_differences_are_told(changed: dict[str, object], told: str) -> None:
    """Whatever came out otherwise is told: units, centres, retreats, the next phase."""
    assert phase({**BEFORE, "next": {**AFTER, **changed}}).differences() == [told]


def test_both_ways_of_recording_empty_phases_pass() -> None:
    """A record may skip a phase in which nobody has anything to do, or have it (STD-3.a)."""
    fall = {**BEFORE, "phase": "F1901M"}
    skipped = {**AFTER, "phase": "S1902M"}
    kept = {**AFTER, "phase": "F1901R"}
    assert phase({**fall, "next": skipped}).differences() == []
    assert phase({**fall, "next": kept}).differences() == []


def test_a_game_that_ends_after_fall_is_compared_with_its_owners_counted() -> None:
    """Where a record says COMPLETED instead of a phase, the year's owners are settled (STD-10.a)."""
    line = {**BEFORE, "phase": "F1901M", "orders": {"France": ["A Par - Bre"]}}
    ended = {"phase": "COMPLETED", "units": {"France": ["A BRE"]}, "centers": {"France": ["PAR", "BRE"]}}
    assert phase({**line, "next": ended}).differences() == []
    assert phase({**line, "next": {**ended, "centers": {"France": ["PAR"]}}}).differences()


# -- bad lines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "object"),
        ({"variant": "standrd"}, "did you mean standard"),
        ({"phase": "S1901X"}, "S1901X"),
        ({"phase": 1901}, r"\$\.phase"),
        ({"orders": {"Frence": []}}, "did you mean France"),
        ({"orders": {"France": "A Par H"}}, r"\$\.orders\.France"),
        ({"units": {"France": ["A LON", "F LON"]}}, "same province"),
        ({"units": {"France": ["F PAR"]}}, "cannot lie there"),
        ({"units": {"France": ["F STP"]}}, "cannot lie there"),
        ({"units": {"France": ["X PAR"]}}, "X PAR"),
        ({"units": {"France": ["A Bugandy"]}}, "did you mean Burgundy"),
        ({"units": {"France": ["A"]}}, "no unit"),
        ({"units": {"France": ["F SPA/WC"]}}, "no such coast"),
        ({"units": {"France": ["A PAR" * 30]}}, r"\$\.units\.France\[0\]"),
        ({"centers": {"Frence": ["PAR"]}}, "did you mean France"),
        ({"centers": {"France": ["Atlantis"]}}, "Atlantis"),
        ({"dislodged": {"France": [{"retreats": []}]}}, r"\$\.dislodged\.France\[0\]\.unit"),
        ({"dislodged": {"France": [{"unit": "A PAR", "from": "Xyz"}]}}, "Xyz"),
        ({"rulebook": "1066"}, "1066"),
        ({"rulebook": {"4.A.2": "z"}}, "convoy_paradox"),
        ({"rulebook": {"4.Z.9": "a"}}, "4.Z.9"),
        ({"orders": {"France": ["x" * 2_000]}}, r"\$\.orders\.France\[0\]"),
        ({"orders": {"France": ["A Par H"] * 2_001}}, r"\$\.orders\.France"),
    ],
)
def test_bad_lines_are_refused_with_their_place(data: object, told: str) -> None:
    """A line that makes no phase raises an error that says what is wrong, and in which line."""
    with pytest.raises(GamesmasterError, match=told) as caught:
        phase(data, where="games.jsonl, line 7")
    assert str(caught.value).startswith("games.jsonl, line 7")


@pytest.mark.parametrize("text", [b"", b"{", b"nonsense", b"\xff", b'{"a":1,"a":2}', b"[" * 500, b'{"year": 1e999}'])
def test_text_that_is_no_json_is_refused(text: bytes) -> None:
    """A line that is no JSON, or JSON that means two things, raises `BadFile`."""
    with pytest.raises(BadFile, match=r"^line 7"):
        read_phase(text, Bench(find), where="line 7")


def test_large_lines_are_refused() -> None:
    """A line of more than a mebibyte is refused unread."""
    with pytest.raises(BadFile, match="larger than"):
        read_phase(b" " * (2**20 + 1), Bench(find))


def test_bad_next_positions_are_refused_when_compared() -> None:
    """A recorded `next` that makes no position, or no phase, is an error and no difference."""
    for wrong in ({"phase": "S1901X"}, {"units": {"France": ["A Nowhere"]}}, {"centers": {"Nobody": ["PAR"]}}):
        with pytest.raises((NotFound, BadFile)):
            phase({**BEFORE, "next": {**AFTER, **wrong}}).differences()


# -- memory ----------------------------------------------------------------------------------------------------------


def test_rules_are_loaded_once() -> None:
    """Lines of the same variant and rulebook share their rules."""
    bench = Bench(find)
    assert bench.rules("standard") is bench.rules("standard")
    assert bench.rules("standard", "1971") is bench.rules("standard", {"preset": "1971"})
    assert bench.rules("standard", "1971") is not bench.rules("standard")


def test_rules_are_forgotten() -> None:
    """Of many rulebooks only those used last are kept, so that no file fills the memory."""
    bench, loaded = Bench(find), []
    names = ["4.A.1", "4.A.5", "4.C.1", "4.B.3", "4.B.5", "4.B.6"]
    for number in range(2 ** len(names)):
        book = {name: "a" for bit, name in enumerate(names) if number >> bit & 1}
        loaded.append(bench.rules("standard", book))
    assert bench.rules("standard", {}) is not loaded[0]
    assert bench.rules("standard", dict.fromkeys(names, "a")) is loaded[-1]
    assert len(loaded) > MOST_RULES


def test_unknown_rulebooks_are_refused() -> None:
    """A rulebook that nobody knows is named, with the nearest."""
    with pytest.raises(BadRulebook, match="did you mean datc"):
        Bench(find).rules("standard", "dact")
