"""Choices of DATC chapter 4 that no case of chapter 6 shows, each with one position that tells them apart."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.orders import PhaseKind

from .conftest import Judge, results, standing

BELGIUM = {"England": ["A LON", "F NTH", "F ENG"]}
SUPPORT = {"France": ["A PAR"], "Germany": ["A MUN"], "Italy": ["A MAR"]}

MOVEMENTS: list[tuple[str, dict[str, str], dict[str, list[str]], dict[str, list[str]], dict[str, str]]] = [
    (
        "4.A.6 a: a path is ignored, any fleet will do",
        {"4.A.6": "a"},
        BELGIUM,
        {"England": ["A LON - BEL via ENG", "F NTH C A LON - BEL", "F ENG H"]},
        {"A LON - BEL via ENG": "succeeds: came_by_sea"},
    ),
    (
        "4.A.6 b: a path that is named binds",
        {"4.A.6": "b"},
        BELGIUM,
        {"England": ["A LON - BEL via ENG", "F NTH C A LON - BEL", "F ENG H"]},
        {"A LON - BEL via ENG": "void: no_chain"},
    ),
    (
        "4.A.6 b: a fleet on the named path carries",
        {"4.A.6": "b"},
        BELGIUM,
        {"England": ["A LON - BEL via ENG", "F NTH C A LON - BEL", "F ENG C A LON - BEL"]},
        {"A LON - BEL via ENG": "succeeds: came_by_sea"},
    ),
    (
        "4.A.6 b: a path need not be named",
        {"4.A.6": "b"},
        BELGIUM,
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"]},
        {"A LON - BEL": "succeeds: came_by_sea"},
    ),
    (
        "4.A.6 c: a path must be named",
        {"4.A.6": "c"},
        BELGIUM,
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"]},
        {"A LON - BEL": "void: no_path"},
    ),
    (
        "4.A.3 b: a swap of one's own armies shows the intent",
        {"4.A.3": "b"},
        {"England": ["A NWY", "A SWE"], "Germany": ["F SKA"]},
        {"England": ["A NWY - SWE", "A SWE - NWY"], "Germany": ["F SKA C A NWY - SWE"]},
        {"A NWY - SWE": "succeeds: came_by_sea", "A SWE - NWY": "succeeds: came"},
    ),
    (
        "4.A.3 d: a swap of one's own armies does not",
        {"4.A.3": "d"},
        {"England": ["A NWY", "A SWE"], "Germany": ["F SKA"]},
        {"England": ["A NWY - SWE", "A SWE - NWY"], "Germany": ["F SKA C A NWY - SWE"]},
        {"A NWY - SWE": "bounces: own_unit", "A SWE - NWY": "bounces: own_unit"},
    ),
    (
        "4.B.2 b@2.5: the default coast is taken even where only the other can be reached",
        {"4.B.2": "b@2.5"},
        {"France": ["F GAS"]},
        {"France": ["F GAS - SPA"]},
        {"F GAS - SPA": "void: wrong_coast"},
    ),
    (
        "4.B.6 a: an unknown coast spoils the order",
        {"4.B.6": "a"},
        {"France": ["F GAS"]},
        {"France": ["F GAS - SPA/WC"]},
        {"F GAS - SPA/WC": "void: wrong_coast"},
    ),
    (
        "4.B.6 a: so does a coast for where an army stands",
        {"4.B.6": "a"},
        {"France": ["A SPA"]},
        {"France": ["A SPA/NC - GAS"]},
        {"A SPA/NC - GAS": "void: wrong_coast"},
    ),
    (
        "4.C.1 a: the letter must be there",
        {"4.C.1": "a"},
        {"France": ["A PAR"]},
        {"France": ["PAR - BUR"]},
        {"PAR - BUR": "void: wrong_kind"},
    ),
    (
        "4.C.1 a: also the letter of the unit supported",
        {"4.C.1": "a"},
        {"France": ["A PAR", "A MAR"]},
        {"France": ["A PAR - BUR", "A MAR S PAR - BUR"]},
        {"A MAR S PAR - BUR": "void: wrong_kind"},
    ),
    (
        "4.C.2 a: the letter must be right",
        {"4.C.2": "a"},
        {"France": ["A PAR"]},
        {"France": ["F PAR - BUR"]},
        {"F PAR - BUR": "void: wrong_kind"},
    ),
    (
        "4.C.2 a: also that of an army convoyed",
        {"4.C.2": "a"},
        BELGIUM,
        {"England": ["A LON - BEL", "F NTH C F LON - BEL"]},
        {"F NTH C F LON - BEL": "void: wrong_kind", "A LON - BEL": "void: no_chain"},
    ),
    (
        "4.C.5 a: the nationality of a foreign unit must be there",
        {"4.C.5": "a"},
        SUPPORT,
        {"France": ["A PAR - BUR"], "Germany": ["A MUN S A PAR - BUR"], "Italy": ["A MAR S French A PAR - BUR"]},
        {"A MUN S A PAR - BUR": "void: wrong_nation", "A MAR S French A PAR - BUR": "succeeds: given"},
    ),
    (
        "4.C.5 a: that of an own unit need not",
        {"4.C.5": "a"},
        {"France": ["A PAR", "A MAR"]},
        {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
        {"A MAR S A PAR - BUR": "succeeds: given"},
    ),
    (
        "4.C.6 a: the nationality must be right",
        {"4.C.6": "a"},
        SUPPORT,
        {"France": ["A PAR - BUR"], "Germany": ["A MUN S Italian A PAR - BUR"]},
        {"A MUN S Italian A PAR - BUR": "void: wrong_nation"},
    ),
    (
        "4.C.6 b: a wrong nationality is ignored",
        {"4.C.6": "b"},
        SUPPORT,
        {"France": ["A PAR - BUR"], "Germany": ["A MUN S Italian A PAR - BUR"]},
        {"A MUN S Italian A PAR - BUR": "succeeds: given"},
    ),
    (
        "4.D.3 a: the first of two orders counts",
        {"4.D.3": "a"},
        {"France": ["A PAR"]},
        {"France": ["A PAR - BUR", "A PAR - PIC"]},
        {"A PAR - BUR": "succeeds: came", "A PAR - PIC": "void: second"},
    ),
    (
        "4.D.3 b: the last of two orders counts",
        {"4.D.3": "b"},
        {"France": ["A PAR"]},
        {"France": ["A PAR - BUR", "A PAR - PIC"]},
        {"A PAR - BUR": "void: second", "A PAR - PIC": "succeeds: came"},
    ),
    (
        "4.D.3 c: two different orders cancel each other",
        {"4.D.3": "c"},
        {"France": ["A PAR"]},
        {"France": ["A PAR - BUR", "A PAR - PIC"]},
        {"A PAR - BUR": "void: contradicted", "A PAR - PIC": "void: contradicted"},
    ),
    (
        "4.D.3 c: the same order in other words does not contradict",
        {"4.D.3": "c"},
        {"France": ["A PAR"]},
        {"France": ["A PAR - BUR", "a paris -> burgundy"]},
        {"A PAR - BUR": "succeeds: came", "a paris -> burgundy": "void: second"},
    ),
    (
        "4.E.3 a: a support implies the move it supports, an impossible one implies nothing",
        {"4.E.3": "a"},
        {"Turkey": ["A BUL", "F BLA", "A CON", "F AEG", "A SMY"]},
        {"Turkey": ["F BLA S A BUL - RUM", "F AEG S F CON - GRE", "A SMY S A CON"]},
        {"F BLA S A BUL - RUM": "succeeds: given", "F AEG S F CON - GRE": "void: needed"},
    ),
    (
        "4.E.3 b: orders are not deduced",
        {"4.E.3": "b"},
        {"Turkey": ["A BUL", "F BLA"]},
        {"Turkey": ["F BLA S A BUL - RUM"]},
        {"F BLA S A BUL - RUM": "void: unmatched"},
    ),
    (
        "4.A.2 c: the rule of 2000 spares only supports against a fleet the convoy cannot do without",
        {"4.A.2": "c"},
        {"England": ["A LON", "F ENG", "F NTH"], "France": ["F BEL", "F PIC"]},
        {
            "England": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"],
            "France": ["F BEL S F PIC - ENG", "F PIC - ENG"],
        },
        {"F BEL S F PIC - ENG": "cut: cut_by_attack"},
    ),
    (
        "4.A.2 a: a support in place is never spared by the rule of 1971",
        {"4.A.2": "a"},
        {"England": ["A LON", "F NTH"], "France": ["F BEL", "F HOL"]},
        {"England": ["A LON - BEL", "F NTH C A LON - BEL"], "France": ["F BEL S F HOL", "F HOL H"]},
        {"F BEL S F HOL": "cut: cut_by_attack"},
    ),
    (
        "4.A.2 a: a support is spared only by the army that the fleet it helps to attack convoys",
        {"4.A.2": "a"},
        {"England": ["A LON", "F NTH", "A SPA", "F MAO"], "France": ["F BRE", "F ENG"]},
        {
            "England": ["A LON - YOR", "F NTH C A LON - YOR", "A SPA - BRE", "F MAO C A SPA - BRE"],
            "France": ["F BRE S F ENG - MAO", "F ENG - MAO"],
        },
        {"F BRE S F ENG - MAO": "succeeds: given", "A SPA - BRE": "no convoy: convoy_broken"},
    ),
    (
        "4.A.1 a: a fleet on no chain may be lost, though it was ordered to convoy",
        {"4.A.1": "a"},
        {"England": ["A LON", "F NTH", "F NWG", "F NAO", "F IRI", "F ENG"], "Russia": ["F BAR", "F NWY"]},
        {
            "England": ["A LON - BEL", "F NTH C A LON - BEL", "F NWG C A LON - BEL"],
            "Russia": ["F BAR - NWG", "F NWY S F BAR - NWG"],
        },
        {"A LON - BEL": "succeeds: came_by_sea", "F NWG C A LON - BEL": "disrupted: carrier_lost"},
    ),
    (
        "4.A.4 fleet: a convoyed army strikes from the last water of its way",
        {"4.A.4": "fleet"},
        {"England": ["A LON", "F ENG", "F MAO"], "France": ["F GAS", "F POR"]},
        {
            "England": ["A LON - GAS", "F ENG C A LON - GAS", "F MAO C A LON - GAS"],
            "France": ["F GAS S F POR - MAO", "F POR - MAO"],
        },
        {"F GAS S F POR - MAO": "succeeds: given", "A LON - GAS": "no convoy: convoy_broken"},
    ),
]


@pytest.mark.parametrize(
    ("choices", "units", "orders", "expected"), [row[1:] for row in MOVEMENTS], ids=[row[0] for row in MOVEMENTS]
)
def test_choice(judge: Judge, choices: Any, units: Any, orders: Any, expected: dict[str, str]) -> None:
    """The choice makes of the orders what its sentence says."""
    got = results(judge(units, orders, choices))
    assert {order: got[order] for order in expected} == expected


def test_support_in_disorder(judge: Judge) -> None:
    """4.D.9: units in civil disorder may be supported in place, unless the rulebook refuses it."""
    units = {"Italy": ["A VEN"], "France": ["A PIE"]}
    orders = {"France": ["A PIE S A VEN"], "Italy": ["A VEN - ROM"]}
    allowed, refused = (results(judge(units, orders, {"4.D.9": c}, disorder=["Italy"])) for c in "ba")
    assert allowed == {"A PIE S A VEN": "succeeds: given", "A VEN - ROM": "void: disorder"}
    assert refused["A PIE S A VEN"] == "void: in_disorder"


CENTRES = {"Russia": ["MOS", "SEV", "STP", "WAR"], "Germany": ["BER", "KIE", "MUN"]}

WINTERS: list[tuple[str, dict[str, object], dict[str, list[str]], dict[str, list[str]], dict[str, str], set[str]]] = [
    (
        "4.B.7 b: a fleet without its coast is built on the default one",
        {"4.B.7": "b"},
        {"Russia": ["A UKR", "A RUM", "A FIN"]},
        {"Russia": ["Build F STP"]},
        {"Build F STP": "succeeds: built"},
        {"A UKR", "A RUM", "A FIN", "F STP/SC"},
    ),
    (
        "4.C.3 c: a coast says that a fleet is meant",
        {"4.C.3": "c"},
        {"Russia": ["A UKR", "A RUM"]},
        {"Russia": ["Build STP/NC", "Build SEV"]},
        {"Build STP/NC": "succeeds: built", "Build SEV": "void: wrong_kind"},
        {"A UKR", "A RUM", "F STP/NC"},
    ),
    (
        "4.C.3 a: the letter must be there",
        {"4.C.3": "a"},
        {"Russia": ["A UKR", "A RUM"]},
        {"Russia": ["Build WAR"]},
        {"Build WAR": "void: wrong_kind"},
        {"A UKR", "A RUM"},
    ),
    (
        "4.D.4 a: too many builds, none is made",
        {"4.D.4": "a"},
        {"Russia": ["A UKR", "A RUM", "A FIN"]},
        {"Russia": ["Build A WAR", "Build A MOS"]},
        {"Build A WAR": "void: no_builds", "Build A MOS": "void: no_builds"},
        {"A UKR", "A RUM", "A FIN"},
    ),
    (
        "4.D.4 c: too many builds, the last count",
        {"4.D.4": "c"},
        {"Russia": ["A UKR", "A RUM", "A FIN"]},
        {"Russia": ["Build A WAR", "Build A MOS"]},
        {"Build A WAR": "void: no_builds", "Build A MOS": "succeeds: built"},
        {"A UKR", "A RUM", "A FIN", "A MOS"},
    ),
    (
        "4.D.5 a: two builds in one place, none is made",
        {"4.D.5": "a"},
        {"Russia": ["A UKR"]},
        {"Russia": ["Build A SEV", "Build F SEV"]},
        {"Build A SEV": "void: taken", "Build F SEV": "void: taken"},
        {"A UKR"},
    ),
    (
        "4.D.5 c: two builds in one place, the last counts",
        {"4.D.5": "c"},
        {"Russia": ["A UKR"]},
        {"Russia": ["Build A SEV", "Build F SEV"]},
        {"Build A SEV": "void: taken", "Build F SEV": "succeeds: built"},
        {"A UKR", "F SEV"},
    ),
    (
        "4.D.7 b: builds may not be waived",
        {"4.D.7": "b"},
        {"Russia": ["A UKR"]},
        {"Russia": ["Waive"]},
        {"Waive": "void: no_waiving"},
        {"A UKR"},
    ),
    (
        "4.D.6 b: of too many removals the first count, and orders of another kind do nothing",
        {},
        {"Germany": ["A BER", "A RUH", "A BUR", "F BAL"]},
        {"Germany": ["Build A KIE", "A BER H", "Waive", "Remove A RUH", "Remove A BUR"]},
        {
            "Build A KIE": "void: no_builds",
            "A BER H": "void: other_phase",
            "Waive": "void: no_builds",
            "Remove A RUH": "succeeds: removed",
            "Remove A BUR": "void: no_removals",
        },
        {"A BER", "A BUR", "F BAL"},
    ),
    (
        "4.D.8 b: by distance from home provinces",
        {"4.D.8": "b"},
        {"Germany": ["A RUH", "A PRU", "A SIL", "A HOL"]},
        {},
        {},
        {"A RUH", "A PRU", "A SIL"},
    ),
    (
        "4.D.8 a: a fleet that can sail home from nowhere is farthest",
        {"4.D.8": "a"},
        {"Germany": ["A RUH", "F BLA", "F BUL/EC", "A PRU"]},
        {},
        {},
        {"A RUH", "A PRU", "F BUL/EC"},
    ),
]


@pytest.mark.parametrize(
    ("choices", "units", "orders", "expected", "after"), [row[1:] for row in WINTERS], ids=[row[0] for row in WINTERS]
)
def test_winter_choice(
    judge: Judge, choices: Any, units: Any, orders: Any, expected: dict[str, str], after: set[str]
) -> None:
    """The choice makes of the builds and removals what its sentence says."""
    done = judge(units, orders, choices, kind=PhaseKind.ADJUSTMENTS, centres=CENTRES)
    assert results(done) == expected
    assert standing(done) == after


@pytest.mark.parametrize(
    ("letter", "first", "second", "after"),
    [
        ("a", "succeeds: retreated", "void: second", {"A MUN"}),
        ("b", "void: second", "succeeds: retreated", {"A KIE"}),
        ("c", "void: contradicted", "void: contradicted", set()),
    ],
)
def test_double_retreats(judge: Judge, letter: str, first: str, second: str, after: set[str]) -> None:
    """4.D.3 holds for retreats as well; where they cancel, the unit disbands (STD-9.e)."""
    done = judge(
        {},
        {"Germany": ["A RUH - MUN", "A RUH - KIE"]},
        {"4.D.3": letter},
        kind=PhaseKind.RETREATS,
        dislodged={"Germany": {"A RUH": ["MUN", "KIE"]}},
    )
    assert results(done) == {"A RUH - MUN": first, "A RUH - KIE": second}
    assert standing(done) == after
