"""Names of places and powers in letters: legality chooses among what a name may mean, and never makes it unknown."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reading.corpus import read, rules_of

CLAN = {"Campbell": ["A 56", "A 36", "A 72", "A 73", "A 60", "A 18"], "Keith": ["A 27"]}
AUSTRIA = {"Austria": ["A Vie", "A Bud", "F Tri"], "Russia": ["A War"]}
PERSIA = {"Persia": ["A Syr", "F Iran/NC"]}


def entry(variant: str, units: dict[str, list[str]], text: str, **other: Any) -> dict[str, Any]:
    """A text of the first of these powers, in a movement phase if nothing else is said."""
    told = {"variant": variant, "phase": "movement", "units": units, "power": next(iter(units)), "text": text}
    return {**told, **other}


def orders(told: dict[str, Any]) -> list[str]:
    """The orders read, as the notation prints them."""
    return [rules_of(told["variant"]).notation.write(order) for order in read(told).orders]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Bothwell - 57", "A 56 - 57"),
        ("Bothwell - Edinburgh", "A 56 - 68"),  # out of reach
        ("Doune - Brechin", "A 36 - 39"),
        ("Hailes supports Dunbar to Northumberland", "A 72 S A 73 - 90"),
        ("Tarbert - Jura", "A 60 - j"),
        ("Spynie S Ness", "A 18 S A 27"),
    ],
)
def test_what_many_names_have_may_be_left_out(text: str, order: str) -> None:
    """Bothwell is Bothwell Castle, and Jura the Sound of Jura, whether the order can be carried out or not."""
    assert orders(entry("scottomacy", CLAN, text)) == [order]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Vienn - Rome", "Vienna (Vie) does not touch Rome (Rom)"),
        ("A Vie - Petersb", "Vienna (Vie) does not touch St. Petersburg (Stp)"),
        ("A Bud - Parsi", "Budapest (Bud) does not touch Paris (Par)"),
        ("A Vie S A Petersb", "A Vie S A Stp supports into a place the unit itself could not enter"),
        ("Fleet Trieste to Viena", "F Tri - Vie leads to a place the unit cannot reach"),
    ],
)
def test_the_reason_is_what_the_judge_would_say(text: str, what: str) -> None:
    """A name cut short or misspelt that no legal order has is known all the same: the likeliest reading is judged."""
    told = entry("standard", AUSTRIA, text)
    (line,) = read(told).refused
    assert (orders(told), line.what) == ([], what)


def test_what_may_be_several_places_is_listed() -> None:
    """Where nothing decides, the places are named."""
    (line,) = read(entry("standard", AUSTRIA, "A Vie - North")).refused
    assert line.what == "'North' could be North Africa (Naf), North Atlantic Ocean (Nao) or North Sea (Nth)"


@pytest.mark.parametrize("text", ["A Vie - m", "AVie - m", "A-Vie - m", "A/Vie - m", "A Vie-m"])
def test_the_name_in_doubt_is_quoted(text: str) -> None:
    """It is the word as it was written, though words before it are run together."""
    (line,) = read(entry("standard", AUSTRIA, text)).refused
    assert line.what.startswith("'m' could be Mid-Atlantic Ocean (Mao), Marseilles (Mar)")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("A War - Russia", "Russia is a power, not a province"),  # and not Prussia with a slip
        ("A War - Blu", "no province 'Blu'"),  # whose letters are in Black Sea
        ("A War to the moon", "no province 'moon'"),
    ],
)
def test_other_words_are_no_names(text: str, what: str) -> None:
    """A power's name never means a misspelt place, nor a word a place that merely has all of its letters."""
    (line,) = read(entry("standard", {"Russia": ["A War", "A Sil"]}, text)).refused
    assert line.what == what


@pytest.mark.parametrize(("text", "order"), [("A Vie - Trst", "A Vie - Tri"), ("A Bud - R'mania", "A Bud - Rum")])
def test_letters_in_the_middle_may_be_left_out(text: str, order: str) -> None:
    """A name that keeps its first letter and half of all is read."""
    assert orders(entry("standard", AUSTRIA, text)) == [order]


@pytest.mark.parametrize(
    ("phase", "text", "order"),
    [
        ("movement", "A Syr - Iran", "A Syr - Iran"),
        ("movement", "A Syria - Iraq", "A Syr - Iraq"),
        ("adjustments", "Build F Iran N.C.", "Build F Iran/NC"),  # which is occupied
    ],
)
def test_an_exact_name_beats_one_that_is_a_letter_away(phase: str, text: str, order: str) -> None:
    """Iran is Iran, and not Iraq with a slip, even where only Iraq is legal."""
    assert orders(entry("cline9", PERSIA, text, phase=phase)) == [order]


@pytest.mark.parametrize(
    ("variant", "units", "text", "order"),
    [
        ("standard", ["A MOS", "A WAR"], "A/Mos S A/War", "A Mos S A War"),
        ("standard", ["A MOS", "A WAR"], "A-MOS SUPPORTS A-WAR", "A Mos S A War"),
        ("standard", ["A MOS"], "A-Mos to Ukr", "A Mos - Ukr"),
        ("indianomacy", ["W 14"], "W-14 TO 13", "W 14 - 13"),
        ("indianomacy", ["W 14"], "W 14 - g by canoe", "W 14 - g with CF"),
        ("indianomacy", ["W 14"], "W 14 + CF - g", "W 14 - g with CF"),
        ("indianomacy", ["W 14"], "W 14 moves with CF to g", "W 14 - g with CF"),
        ("conquest2", ["A/F VIS"], "AF VIS - BAH", "A/F VIS - BAH"),
    ],
)
def test_units_and_boats_as_zines_write_them(variant: str, units: list[str], text: str, order: str) -> None:
    """A unit's letter may be joined to its place, and what a unit carries may stand before or behind the goal."""
    power = rules_of(variant).powers[0]
    assert orders(entry(variant, {power: units}, text)) == [order]


@pytest.mark.parametrize(
    ("variant", "units", "text", "printed"),
    [
        ("standard", ["F Nth"], "nth nwg", "F Nth - Nwg"),  # Norway to Germans
        ("scottomacy", ["F 1"], "1 t", "F 1 - t"),
        ("scottomacy", ["F t", "F 7"], "t 7", "F t - 7"),
        ("scottomacy", ["F 86"], "86 d", "F 86 - d"),
        ("scottomacy", ["F a"], "A D", "F a - d"),
        ("scottomacy", ["A/F e"], "e d", "A/F e - d"),
        ("scottomacy", ["F h"], "h 62", "F h - 62"),
        ("scottomacy", ["F 62"], "62 h", "F 62 H"),
        ("scottomacy", ["A/BB 62"], "62 h", ""),
        ("indianomacy", ["W/CF 12"], "12 h", ""),
        ("indianomacy", ["W 12"], "12 h", "W 12 H"),
        ("scottomacy", ["F 60"], "60 M", "F 60 - m"),
    ],
)
def test_two_codes_are_a_move(variant: str, units: list[str], text: str, printed: str) -> None:
    """Whatever else the words say in some language; but whether `h` is a sea or says to hold is asked."""
    power = rules_of(variant).powers[0]
    told = entry(variant, {power: units}, text)
    assert orders(told) == ([printed] if printed else [])
    assert [line.hint for line in read(told).refused] == (
        [] if printed else [f"write one of these: {units[0]} H or {units[0]} - h"]
    )


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Tyr", ["F Tys H"]), ("Mid", ["F Mao H"]), ("Bal", ["F Bal H"]), ("Nor", []), ("Norw", []), ("Liv", [])],
)
def test_exact_names_win_over_beginnings(name: str, printed: list[str]) -> None:
    """A code or short name means its province though other names begin so; a shared beginning asks back."""
    told = entry("standard", {"France": ["F Nwy", "F Nwg", "F Lvp", "F Lvn", "F Mao", "F Bal", "F Tys"]}, f"F {name} H")
    assert orders(told) == printed
    assert [line.hint.startswith("write one of these") for line in read(told).refused] == [True] * (not printed)


@pytest.mark.parametrize(("text", "printed"), [("A Burgunk H", "A Bur H"), ("A Rumelia H", None)])
def test_a_slip_is_read_where_one_unit_fits(text: str, printed: str | None) -> None:
    """A misspelt name is read if it is like one place where the power has a unit; another is refused."""
    told = entry("standard", {"France": ["A Bur", "A Gas"]}, text)
    assert orders(told) == ([printed] if printed else [])
