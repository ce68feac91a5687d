"""The linter for variants: powers, start, calendar and end."""

from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.board import Finding, Position, units_from
from gamesmaster.mechanics import (
    Anarchy,
    Reinforcement,
    Reinforcements,
    Sight,
    SpecialSites,
    StandingArmies,
    WeakBorders,
)
from gamesmaster.rules import Rules
from gamesmaster.variant import Calendar, Power, Variant, Victory, find_variant, lint_variant
from tests.effort import calls_of

STANDARD = find_variant("standard")
START = STANDARD.start
AUSTRIA, ENGLAND, *REST = STANDARD.powers
SLOTS = STANDARD.calendar.slots


def variant(**changed: Any) -> Variant:
    """The standard variant, changed."""
    return replace(STANDARD, **changed)


def start(*units: str, power: str = "Austria", owners: dict[str, str] | None = None) -> Position:
    """The standard start with units of a power put in the place of Austria's."""
    others = {p.name: p.units for p in (ENGLAND, *REST)}
    return Position(units_from({power: units, **others}), {**START.owners, **(owners or {})})


def calendar(*numbers: int) -> Calendar:
    """A calendar of some of the standard phases."""
    return Calendar(tuple(SLOTS[number] for number in numbers), 1901)


ISLES = {"CLY", "EDI", "LVP", "LON", "WAL", "YOR"}
CUT_OFF = replace(
    STANDARD.board,
    edges=tuple(
        e._replace(only=frozenset({"France"}), convoy=False, reason="closed")
        if len({e.a.province, e.b.province} & ISLES) == 1
        else e
        for e in STANDARD.board.edges
    ),
)
"""Great Britain, left by nobody but the French."""

HOMELESS = replace(AUSTRIA, homes=(), provinces=())
CROWD = tuple(Power(f"P{n}", f"P{n}", units=("A PAR",)) for n in range(500))

ERRORS: dict[str, tuple[Variant, str]] = {
    "no-powers": (variant(powers=(), start=Position()), ""),
    "too-many-powers": (variant(powers=CROWD), ""),
    "power-clash": (variant(powers=(replace(AUSTRIA, adjective="english"), ENGLAND, *REST)), "England"),
    "unknown-home": (variant(powers=(replace(AUSTRIA, homes=("VIA",)), ENGLAND, *REST)), "Austria"),
    "home-without-centre": (variant(powers=(replace(AUSTRIA, homes=("TYR",)), ENGLAND, *REST)), "Austria"),
    "shared-home": (variant(powers=(replace(AUSTRIA, homes=("VIE", "LON")), ENGLAND, *REST)), "England"),
    "nothing-at-start": (variant(powers=(Power("Spain", "Spanish", ("SPA",)), *STANDARD.powers)), "Spain"),
    "unknown-owner": (variant(start=start(*AUSTRIA.units, owners={"SPA": "Englnd"})), "SPA"),
    "no-movement": (variant(calendar=calendar(1, 3, 4)), "calendar"),
    "no-count": (variant(calendar=calendar(0, 1, 4)), "calendar"),
    "no-retreats": (variant(calendar=calendar(0, 2, 3, 4)), "calendar, Spring movement"),
    "bad-rulebook": (variant(rulebook={"convoy_paradox": "coin"}), "rulebook"),
    "victory-out-of-reach": (variant(victory=Victory(35)), ""),
    "never-counted": (variant(victory=Victory(18, "units"), calendar=calendar(0, 1, 2, 3)), "victory"),
    "rule-twice": (variant(rulebook={"preset": "1971", "4.A.2": "a", "convoy_paradox": "szykman"}), "rulebook"),
    "mechanic-twice": (variant(mechanics=(Anarchy(), Anarchy(0))), "mechanics anarchy"),
    "beyond-reach": (variant(board=CUT_OFF), "England"),
    "no-border": (variant(mechanics=(WeakBorders((("PAR", "MOS"),)),)), "mechanics weak-borders"),
    "wrong-terrain": (variant(mechanics=(SpecialSites("France", {"MUN": ("F",)}),)), "mechanics special-sites"),
    "site-for-all": (variant(mechanics=(SpecialSites(places={"BUR": ()}),)), "mechanics special-sites"),
    "hidden-site": (variant(mechanics=(Sight("nothing", "nothing"), SpecialSites("Turkey", {"BUR": ()}))), "sight"),
    "unknown-kind": (variant(mechanics=(SpecialSites("France", {"MUN": ("W",)}),)), "mechanics special-sites"),
}
WARNINGS: dict[str, tuple[Variant, str]] = {
    "one-power": (variant(powers=(AUSTRIA,)), ""),
    "more-powers-than-centres": (variant(powers=CROWD[:35]), ""),
    "same-colour": (
        variant(powers=(replace(AUSTRIA, colour="pink"), replace(ENGLAND, colour="pink"), *REST)),
        "England",
    ),
    "same-letter": (variant(powers=(replace(AUSTRIA, letter="X"), replace(ENGLAND, letter="X"), *REST)), "England"),
    "homeless": (variant(powers=(replace(AUSTRIA, homes=()), ENGLAND, *REST)), "Austria"),
    "neutral-unit": (variant(start=start("A SER", power="Neutral")), "start"),
    "no-adjustments": (variant(calendar=calendar(0, 1, 2, 3)), "calendar"),
    "shared-victory": (variant(victory=Victory(17)), ""),
    "waits": (variant(start=start()), "Austria"),
    "early-count": (
        variant(calendar=Calendar((replace(SLOTS[0], count=True), *SLOTS[1:3], SLOTS[4]), 1901)),
        "calendar",
    ),
    "rules-at-odds": (variant(rulebook={"4.A.6": "c", "4.A.3": "a"}), "rulebook"),
    "repeated-reinforcement": (
        variant(mechanics=(Reinforcements((Reinforcement("Austria", "A", "BUD", "spring", turn=1),)),)),
        "mechanics reinforcements",
    ),
    "no-home-to-measure": (variant(rulebook="1971", powers=(HOMELESS, ENGLAND, *REST)), "rulebook"),
}


def found(variant: Variant, code: str) -> list[Finding]:
    """The findings with this code."""
    return [finding for finding in lint_variant(variant) if finding.code == code]


@pytest.mark.parametrize("code", ERRORS)
def test_errors_are_found(code: str) -> None:
    """Each slip that makes a variant unplayable is one error with its place."""
    wrong, where = ERRORS[code]
    assert [(f.level, f.where) for f in found(wrong, code)] == [("error", where)]


@pytest.mark.parametrize("code", WARNINGS)
def test_oddities_are_warned_of(code: str) -> None:
    """Each oddity that may be meant is one warning with its place."""
    odd, where = WARNINGS[code]
    assert [(f.level, f.where) for f in found(odd, code)] == [("warning", where)]


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (("A ADR",), "A ADR: a unit of this kind cannot lie there"),
        (("F VIE",), "F VIE: a unit of this kind cannot lie there"),
        (("F BUL",), "F BUL: a unit of this kind cannot lie there"),
        (("A VIA",), "A VIA: no such place"),
        (("W VIE",), "W VIE: no such kind of unit"),
        (("A VIE", "A VIE"), "A VIE: A VIE is in the same province"),
    ],
)
def test_units_stand_where_they_can(units: tuple[str, ...], text: str) -> None:
    """Units on the wrong terrain, on an unnamed coast, nowhere, or two in one province are errors."""
    assert [finding.text for finding in found(variant(start=start(*units)), "bad-start")] == [text]


@pytest.mark.parametrize(
    ("victory", "winners"),
    [
        (Victory(4), {"Russia"}),
        (Victory(3, "units"), {p.name for p in STANDARD.powers}),
        (Victory(4, "either"), {"Russia"}),
        (Victory(5, "either"), set()),
    ],
)
def test_nobody_has_won_before_the_first_move(victory: Victory, winners: set[str]) -> None:
    """A power that starts with what wins is an error, by centres, by units or by either (STD-2.a)."""
    assert {finding.where for finding in found(variant(victory=victory), "won-at-start")} == winners


def test_the_boards_findings_are_among_them() -> None:
    """A power that the board names and the variant does not know is found, once, where it is named first."""
    missing = found(variant(powers=(AUSTRIA, ENGLAND)), "unknown-power")
    assert [(f.where, f.text.split()[2]) for f in missing] == [
        ("ANK", "Turkey"),
        ("APU", "Italy"),
        ("BER", "Germany"),
        ("BRE", "France"),
        ("FIN", "Russia"),
    ]


def test_homes_on_the_board_of_another_variant_count_for_nothing() -> None:
    """A duel on the standard board needs no board of its own: the homes of powers that do not play are only centres."""
    duel = variant(powers=(AUSTRIA, ENGLAND), board_of="standard")
    assert found(duel, "unknown-power") == []


def test_what_a_mechanic_supplies_is_no_oddity() -> None:
    """Standing armies belong to nobody on purpose, and a power with a site of its own is not homeless."""
    standing = StandingArmies(("A SER",))
    site = SpecialSites("Austria", {"SER": ()})
    odd = variant(powers=(HOMELESS, ENGLAND, *REST), mechanics=(standing, site))
    odd = replace(odd, start=standing.start(Rules.of(odd), odd.start))
    assert found(odd, "neutral-unit") == []
    assert found(odd, "homeless") == []


def test_a_choice_told_twice_alike_is_none() -> None:
    """The same answer under a choice's name and its number is no contradiction."""
    book = {"convoy_paradox": "szykman", "4.A.2": "f"}
    assert found(variant(rulebook=book), "rule-twice") == []


def test_what_many_powers_cannot_avoid_is_no_oddity() -> None:
    """A power may be called after its home, and of more than twelve some must share colours."""
    chaos = find_variant("chaos")
    assert len(chaos.powers) > len({power.colour for power in chaos.powers})
    assert lint_variant(chaos) == []


def test_convoys_are_looked_at_once_for_all_powers() -> None:
    """The work for a game of many powers on a board of many waters does not grow with their product."""
    chaos = find_variant("chaos")
    assert calls_of(lambda: lint_variant(chaos)) < 250_000
