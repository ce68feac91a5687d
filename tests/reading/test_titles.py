"""What stands around orders: sentences as headings, the head of a mail, lists, and words that confirm an order."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.orders import PhaseKind
from gamesmaster.reading import OrderSheet, Situation, read
from tests.reading.corpus import position_of, rules_of

UNITS = ["A PAR", "A MAR", "F BRE"]


def sheet(text: str, phase: str = "movement", units: list[str] = UNITS, centers: tuple[str, ...] = ()) -> OrderSheet:
    """What is read of a letter of France; its units are dislodged in a phase of retreats."""
    entry: dict[str, Any] = {"variant": "standard", "phase": phase, "units": {"France": units}}
    entry["centers"] = {"France": list(centers)}
    if phase == "retreats":
        entry |= {"units": {"Germany": ["A BUR"]}, "dislodged": {"France": units}}
    return read(Situation(rules_of("standard"), PhaseKind(phase), position_of(entry)), "France", text)


def printed(found: OrderSheet) -> list[str]:
    """The orders of a sheet as they are printed."""
    return [rules_of("standard").notation.write(order) for order in found.orders]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Draft. A Par - Bur. A Mar - Spa.", []),
        ("Test, test. A Par - Bur.", []),
        ("Entwurf. A Par - Bur.", []),
        ("Moves. A Par H. F Bre - Mao.\nNext season, not yet. A Mar - Spa.", ["A Par H", "F Bre - Mao"]),
        ("Splendid. A Par - Bur.", ["A Par - Bur"]),
        ("Forget that. A Par - Bur.", ["A Par - Bur"]),
    ],
)
def test_a_brief_sentence_says_that_the_rest_of_its_line_does_not_count(text: str, expected: list[str]) -> None:
    """A full stop ends a heading as a colon does, where orders follow."""
    assert printed(sheet(text)) == expected


def test_a_brief_sentence_says_that_the_rest_of_its_line_is_sent_ahead() -> None:
    """Retreats behind it are kept for their phase."""
    found = sheet("1. Moves. A Par H. F Bre - Mao.\n2. Retreats. A Par - Gas.")
    assert printed(found) == ["A Par H", "F Bre - Mao"]
    assert [str(line.order) for section in found.later for line in section.lines] == ["A PAR - GAS"]


ALL = "A Par - Bur\nA Mar - Spa\nF Bre - Mao"


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        ("To: Italy\nCc: Gamesmaster\n", False),
        ("To: Italy (cc: GM)\n", False),
        ("An: Italien\n", False),
        ("Dear Italy,\n", False),
        ("Dear Italy, this is what I play.", False),
        ("To: GM\nCc: Italy\n", True),
        ("To: GM\nRe: Italy\n", True),
        ("To: Italy\n\nMy orders:", True),
        ("Dear GM,\n", True),
    ],
)
def test_a_mail_to_another_power_has_no_orders(head: str, *, counts: bool) -> None:
    """Nothing below such an address is an order, until a heading says so; a copy to others changes nothing."""
    assert printed(sheet(f"{head}\n{ALL}")) == (ALL.split("\n") if counts else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris & Marseilles, both armies.", ["Build A Par", "Build A Mar"]),
        ("Brest and Marseilles, fleet and army respectively", []),
        ("Only one this time. No second build for me; I waive it. Really: waive.", ["Waive"]),
    ],
)
def test_a_kind_is_that_of_all_places_before_it(text: str, expected: list[str]) -> None:
    """If two kinds are named behind several places, nothing is guessed; and no more is waived than is due."""
    owned = ("PAR", "MAR", "BRE") if len(expected) != 1 else ("PAR", "MAR")
    assert printed(sheet(text, "adjustments", ["A BUR"], owned)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Disband F Bre and A Mar.", ["F Bre D", "A Mar D"]),
        ("F Bre and A Mar disband.", ["F Bre D", "A Mar D"]),
        ("Disband both: F Bre and A Mar.", []),
    ],
)
def test_a_removal_is_that_of_each_unit_in_a_list(text: str, expected: list[str]) -> None:
    """The verb may stand before the units or behind them; nothing is kept for the Winter."""
    found = sheet(text, "retreats", ["F BRE", "A MAR"])
    assert printed(found) == expected
    assert not found.later


@pytest.mark.parametrize(
    "words",
    ["remains valid", "still stands", "is correct", "gilt weiterhin", "reste valable", "sigue en pie", "resta valido"],
)
def test_words_that_confirm_an_order_are_a_remark(words: str) -> None:
    """They leave the order as it is; if they are denied, the order does not count."""
    assert printed(sheet(f"A Mar - Spa\nA Par - Bur {words}")) == ["A Mar - Spa", "A Par - Bur"]
    assert printed(sheet("A Mar - Spa\nA Par - Bur is not valid")) == ["A Mar - Spa"]


def test_the_second_of_two_goals_casts_no_doubt_on_the_unit_there() -> None:
    """Only the order that leaves a choice is asked about."""
    found = sheet("A Par - Pic\nF Bre - Mao\nA Mar - Spa or Bre, you choose")
    assert printed(found) == ["A Par - Pic", "F Bre - Mao"]
    assert [line.text for line in found.refused] == ["A Mar - Spa or Bre, you choose"]


@pytest.mark.parametrize(
    ("text", "expected", "later"),
    [
        ("A Par - Pic provided that Germany has ordered a retreat from the border, otherwise A Par - Bur", [], []),
        ("A Par - Pic, if dislodged A Par - Gas", ["A Par - Pic"], ["A PAR - GAS"]),
        ("F Bre - Mao\n\nIf I'm short a centre at year's end, take away F Mao.", ["F Bre - Mao"], ["REMOVE F MAO"]),
        ("F Bre H (I'll put it ashore at Gascony next season, not now)", ["F Bre H"], []),
        ("A Par H\n\nNella prossima stagione penso a\nA Par - Bur", ["A Par H"], []),
    ],
)
def test_what_is_for_later_changes_no_order_of_now(text: str, expected: list[str], later: list[str]) -> None:
    """A retreat of another power is not one of the sender's, and a unit that moves may be removed where it goes."""
    found = sheet(text)
    assert printed(found) == expected
    assert [str(line.order).upper() for section in found.later for line in section.lines] == later


def test_a_preposition_is_no_unit() -> None:
    """The Spanish "con" before a unit does not mean Constantinople."""
    entry = {"variant": "standard", "phase": "movement", "units": {"Turkey": ["F CON", "F ION"]}}
    situation = Situation(rules_of("standard"), PhaseKind.MOVEMENT, position_of(entry))
    found = read(situation, "Turkey", "F Con H\n\nCon F Ion no lo tengo claro. Quizás F Ion - Nap, quizás F Ion - Alb.")
    assert printed(found) == ["F Con H"]


@pytest.mark.parametrize(
    "text",
    [
        "My one build is a fleet in Brest.\n\nSee you in spring, when F Bre goes out to the Mid.",
        "Build A Bre\n\nOops. In Brest I need a fleet, not an army.",
    ],
)
def test_a_build_is_settled_by_the_words_for_it(text: str) -> None:
    """What its unit will do in Spring does not matter; a change of its kind does."""
    assert printed(sheet(text, "adjustments", ["A BUR"], ("PAR", "BRE"))) == ["Build F Bre"]


WINTER = ("STP", "MOS", "WAR", "SEV")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Build A Mos\nBuild A War\n\nChange: cancel Moscow, I'd rather have a fleet in Sevastopol.",
            ["Build A War", "Build F Sev"],
        ),
        (
            "In St Petersburg we launch a fleet on the north coast, and an army in Warsaw.",
            ["Build F Stp/NC", "Build A War"],
        ),
        (
            "In St Petersburg we launch a fleet, on the north coast or the south coast. An army in Warsaw.",
            ["Build A War"],
        ),
    ],
)
def test_builds_are_those_that_were_meant_last_with_their_coasts(text: str, expected: list[str]) -> None:
    """What words take back is not built beside what they choose; a coast may stand at some distance from its place."""
    entry = {"variant": "standard", "phase": "adjustments", "units": {}, "centers": {"Russia": [*WINTER]}}
    found = read(Situation(rules_of("standard"), PhaseKind.ADJUSTMENTS, position_of(entry)), "Russia", text)
    assert printed(found) == expected
