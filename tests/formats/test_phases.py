"""A phase as a line of JSON: read, adjudicated, answered, compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import BadFile, BadRulebook, GamesmasterError, NotFound
from gamesmaster.formats import Document
from gamesmaster.formats.foreign import read_foreign
from gamesmaster.formats.phases import MOST_RULES, Bench, PhaseLine, phase_of
from gamesmaster.variant import Variant, find_variant

BOARDS = Path(__file__).parents[1] / "data" / "boards"


def find(name: str) -> Variant:
    """The standard game, or one of the foreign boards."""
    path = BOARDS / f"{name}.json"
    return read_foreign(path) if path.exists() else find_variant(name)


def phase(data: object, **options: Any) -> PhaseLine:
    """Read a line made of this data."""
    return phase_of(json.loads(json.dumps(data)), Bench(find), **options)


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
    assert [one.partition(" (")[0] for one in phase({**BEFORE, "next": {**AFTER, **changed}}).differences()] == [told]


def test_differences_name_the_rule() -> None:
    """A difference names the rulings on the units concerned, each with the clause that decided."""
    (told,) = phase({**BEFORE, "next": {**AFTER, "units": {"France": ["A PIC"]}}}).differences()
    assert told.endswith("adjudicated France A BUR (A Par - Bur succeeds: it moves [STD-5.a])")


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
        ({"units": {"France": ["A"]}}, "is not a unit"),
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
        Document(7, text).data(2**20)


def test_bad_next_positions_are_refused_when_compared() -> None:
    """A recorded `next` that makes no position, or no phase, is an error with the place of its line, no difference."""
    for wrong in ({"phase": "S1901X"}, {"units": {"France": ["A Nowhere"]}}, {"centers": {"Nobody": ["PAR"]}}):
        with pytest.raises((NotFound, BadFile), match=r"^games\.jsonl, line 7"):
            phase({**BEFORE, "next": {**AFTER, **wrong}}, where="games.jsonl, line 7").differences()


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
