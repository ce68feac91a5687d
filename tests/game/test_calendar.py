"""The calendar: order of the phases, their names and codes, and how names are read."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.errors import BadFile, NotFound
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import Calendar, Era, Phase, Slot, find_variant

M, R, A = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
YEAR = (
    Slot("Spring", M, "S"),
    Slot("Spring", R, "S", also=("Summer",)),
    Slot("Fall", M, "F"),
    Slot("Fall", R, "F", also=("Autumn",), count=True),
    Slot("Winter", A, "W"),
)
FIVE_SEASONS = (
    Slot("Spring", M, "S"),
    Slot("Summer", R, "S"),
    Slot("Fall", M, "F"),
    Slot("Autumn", R, "F", count=True),
    Slot("Winter", A, "W"),
)
HUNDRED = (
    Slot("Year", M, "Y"),
    Slot("Year", R, "Y"),
    Slot("Year", M, "Y", years=5),
    Slot("Year", R, "Y", years=5, count=True),
    Slot("Year", A, "Y", years=5),
)
STANDARD = find_variant("standard").calendar


def phases(calendar: Calendar) -> Iterator[Phase]:
    """The phases of a calendar from the first on."""
    phase = calendar.first
    while True:
        yield phase
        phase = calendar.next(phase)


def codes(calendar: Calendar, count: int) -> str:
    """The first codes, in a row."""
    return " ".join(calendar.code(phase) for phase in islice(phases(calendar), count))


def test_the_regular_year() -> None:
    """Spring movement and retreats, Fall movement and retreats, Winter adjustments, from Spring 1901 (STD-3.a)."""
    assert codes(STANDARD, 7) == "S1901M S1901R F1901M F1901R W1901A S1902M S1902R"
    first = STANDARD.first
    assert first == Phase("Spring", 1901, M, "S1901M")
    assert (str(first), STANDARD.name(first)) == ("S1901M", "Spring 1901 Movement")


def test_owners_are_settled_once_a_year() -> None:
    """The count follows the Fall retreats (STD-10.a)."""
    counted = [phase.code for phase in islice(phases(STANDARD), 10) if STANDARD.counts(phase)]
    assert counted == ["F1901R", "F1902R"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("S1901M", "S1901M"),
        ("s1901m", "S1901M"),
        (" F1902R ", "F1902R"),
        ("W1910", "W1910A"),
        ("S1903", "S1903M"),
        ("Spring 1901 Movement", "S1901M"),
        ("SPRING 1901 MOVEMENT", "S1901M"),
        ("Spring, 1901 (moves)", "S1901M"),
        ("Spring 1902 Retreats", "S1902R"),
        ("Retreat Spring 1902", "S1902R"),
        ("Winter 1902 Adjustments", "W1902A"),
        ("Winter 1902 builds", "W1902A"),
        ("Spring 1902", "S1902M"),
        ("Summer 1902", "S1902R"),
        ("Autumn 1902 retreats", "F1902R"),
        ("Autumn 1902 movement", "F1902M"),
        ("A1902M", "F1902M"),
        ("a1902r", "F1902R"),
        ("1904 Fall", "F1904M"),
        ("Fall 123456789", "F123456789M"),
    ],
)
def test_names_and_codes_are_read(text: str, code: str) -> None:
    """Codes and full names in any case, other names of a season, kinds before or behind, or none."""
    assert STANDARD.read(text).code == code


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "written like Spring 1901 Movement or S1901M"),
        ("Spring", "written like Spring 1901 Movement or S1901M"),
        ("Spring 1901 1902", "written like"),
        ("Spring 1234567890", "written like"),
        ("Sprng 1901", "did you mean Spring?"),
        ("1901", "seasons are Spring, Summer, Fall, Autumn, Winter"),
        ("Monsoon 1901 Movement", "seasons are"),
        ("Spring 1901 Adjustments", "phases are S1901M, S1901R, F1901M, F1901R, W1901A"),
        ("X1901M", "phases are"),
        ("W1901R", "phases are"),
        ("S1900M", "the game begins with Spring 1901 Movement"),
        ("Spring 1901 BC", "the game begins with"),
        ("S" * 10_000_000, "written like"),
        ("Spr\ud800ing 1901", "did you mean Spring?"),
    ],
)
def test_what_is_no_phase_is_refused(text: str, hint: str) -> None:
    """A name that means no phase of this game is not found, and the answer says what would be."""
    with pytest.raises(NotFound) as caught:
        STANDARD.read(text)
    assert hint in caught.value.hint
    assert len(str(caught.value)) < 400


def test_every_sub_season_may_have_a_name_of_its_own() -> None:
    """Five seasons a year, the retreats in Summer and Autumn (IND-0.c)."""
    calendar = Calendar(FIVE_SEASONS, 1601)
    assert codes(calendar, 6) == "S1601M S1601R F1601M F1601R W1601A S1602M"
    assert calendar.name(calendar.read("Summer 1602")) == "Summer 1602 Retreats"
    assert calendar.read("S1602R") == calendar.read("summer 1602 retreats")


def test_a_game_may_go_by_decades() -> None:
    """After 1590 comes 1600; 1595 is no year of the game (CNW-2.b)."""
    calendar = Calendar(FIVE_SEASONS, 1590, years_per_turn=10)
    assert codes(calendar, 6) == "S1590M S1590R F1590M F1590R W1590A S1600M"
    with pytest.raises(NotFound, match="S1590M, S1590R"):
        calendar.read("Spring 1595")


def test_phases_may_be_dated_later_than_they_are_named() -> None:
    """The Fall of the game-year 1590 is the year 1594, its Winter 1598 (CNW-N1)."""
    slots = tuple(replace(slot, dated=2 * number) for number, slot in enumerate(FIVE_SEASONS))
    calendar = Calendar(slots, 1590, years_per_turn=10)
    assert [calendar.date(calendar.read(text)) for text in ("S1590M", "F1590M", "W1590A", "S1600M")] == [
        1590,
        1594,
        1598,
        1600,
    ]
    fall = calendar.read("Fall 1590")
    assert calendar.name(fall) == "Fall 1590 Movement (1594)"
    assert calendar.name(calendar.first) == "Spring 1590 Movement"
    assert {calendar.read(text) for text in (calendar.name(fall), "F1590M (1594)", "fall 1590 (1594)")} == {fall}
    with pytest.raises(NotFound, match=r"that is Fall 1590 Movement \(1594\)"):
        calendar.read("Fall 1590 (1595)")


def test_phases_of_one_name_are_told_apart_by_their_years() -> None:
    """Two movements a decade, both called Year."""
    calendar = Calendar(HUNDRED, 1425, years_per_turn=10)
    assert codes(calendar, 7) == "Y1425M Y1425R Y1430M Y1430R Y1430A Y1435M Y1435R"
    assert calendar.next(calendar.read("Year 1430 Retreats")).code == "Y1430A"
    assert calendar.counts(calendar.read("Y1430R"))
    assert not calendar.counts(calendar.read("Y1435R"))


def test_a_game_may_begin_within_a_turn() -> None:
    """The first phase is Winter 999 AD, then come whole years; years are written with AD (TAD-0.d)."""
    calendar = Calendar(YEAR, 999, era=Era.AD, start=4)
    assert codes(calendar, 3) == "W999A S1000M S1000R"
    assert calendar.name(calendar.first) == "Winter 999 AD Adjustments"
    assert calendar.read("Spring 1000 AD").code == calendar.read("S1000").code == "S1000M"
    with pytest.raises(NotFound, match="begins with Winter 999 AD Adjustments"):
        calendar.read("Spring 999")


def test_years_before_christ_count_down() -> None:
    """501 BC is followed by 500 BC; a bare year is meant before Christ."""
    calendar = Calendar(YEAR, -501, era=Era.BC)
    assert codes(calendar, 6) == "S501BCM S501BCR F501BCM F501BCR W501BCA S500BCM"
    assert calendar.name(calendar.first) == "Spring 501 BC Movement"
    for text in ("Spring 500 BC", "Spring 500", "S500M", "s500bcm"):
        assert calendar.read(text) == Phase("Spring", -500, M, "S500BCM")


@pytest.mark.parametrize(("years", "after"), [(1, "S1BCM S1ADM S2ADM"), (5, "S1BCM S5ADM S10ADM")])
def test_there_is_no_year_nought(years: int, after: str) -> None:
    """1 AD follows 1 BC, and turns of several years step over it."""
    calendar = Calendar(YEAR[:1], -1, years_per_turn=years, era=Era.BC)
    assert codes(calendar, 3) == after
    assert [calendar.read(code).code for code in after.split()] == after.split()
    with pytest.raises(NotFound):
        calendar.read("Spring 0")


def test_a_calendar_may_begin_with_the_year_nought() -> None:
    """Where years are bare, 0 is a year like others."""
    assert codes(Calendar(YEAR[:1], 0), 2) == "S0M S1M"


FAULTS: dict[str, tuple[tuple[Slot, ...], dict[str, Any], str]] = {
    "no phases": ((), {}, "1 to 60 phases"),
    "too many phases": (tuple(Slot(f"S{n}", M, f"S{n}") for n in range(61)), {}, "1 to 60 phases"),
    "no way forward": (YEAR, {"years_per_turn": 0}, "lasts 1 to 1000 years"),
    "backwards": (YEAR, {"years_per_turn": -1}, "lasts 1 to 1000 years"),
    "leaps": (YEAR, {"years_per_turn": 1001}, "lasts 1 to 1000 years"),
    "first phase": (YEAR, {"start": 5}, "the first phase is not among"),
    "negative year": (YEAR, {"first_year": -1}, "a year that does not exist"),
    "no such year": (YEAR, {"first_year": 10**9}, "a year that does not exist"),
    "year nought": (YEAR, {"first_year": 0, "era": Era.BC}, "no year 0"),
    "years fall": (HUNDRED[::-1], {"years_per_turn": 10}, "must rise from 0"),
    "years leave the turn": (HUNDRED, {"years_per_turn": 5}, "must rise from 0"),
    "dated too late": (tuple(replace(slot, dated=10) for slot in YEAR), {"years_per_turn": 10}, "dated after its turn"),
    "same code": ((*YEAR, Slot("Summer", R, "S")), {}, "the same name"),
    "same name": ((*YEAR, Slot("Spring", M, "X")), {}, "the same name"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_calendar_is_refused(name: str) -> None:
    """A calendar without phases, without a way forward or with two phases of one name cannot be made."""
    slots, changed, words = FAULTS[name]
    with pytest.raises(BadFile, match=words):
        Calendar(slots, **{"first_year": 1901, **changed})


def test_a_phase_of_another_calendar_is_refused() -> None:
    """Nothing follows a phase that is not of this calendar."""
    with pytest.raises(NotFound, match="not a phase of this calendar"):
        STANDARD.next(Phase("Monsoon", 1901, M, "M1901M"))


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    """Any calendar: of one or many phases, by years or by decades, before Christ or after."""
    slot = st.builds(
        Slot, st.sampled_from(["Dry", "Wet"]), st.sampled_from([M, R, A]), st.just("X"), years=st.integers(0, 9)
    )
    slots = draw(st.lists(slot, min_size=1, max_size=6, unique_by=lambda slot: (slot.kind, slot.years)))
    slots.sort(key=lambda slot: slot.years)
    era = draw(st.sampled_from(Era))
    year = draw(st.integers(-30, -1) if era is Era.BC else st.integers(0, 30))
    turn = slots[-1].years + draw(st.integers(1, 5))
    return Calendar(tuple(slots), year, turn, era, start=draw(st.integers(0, len(slots) - 1)))


@given(calendars())
def test_no_calendar_loops(calendar: Calendar) -> None:
    """Every phase has a code of its own, years never fall, and each name and code reads back as its phase."""
    played = list(islice(phases(calendar), 60))
    assert len({phase.code for phase in played}) == 60
    assert [phase.year for phase in played] == sorted(phase.year for phase in played)
    for phase in played:
        assert calendar.read(phase.code) == calendar.read(calendar.name(phase)) == phase
