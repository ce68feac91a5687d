"""Worked cases of a variant are run, and what comes out differently is named."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.testing import SCENARIOS, check_scenarios
from gamesmaster.variant import find_variant, variant_names

CASE = {
    "id": "S1", "title": "A bounce", "phase": "Spring 1901 Movement",
    "units": {"France": ["A PAR"], "Germany": ["A Munich"]},
    "orders": {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]},
    "expect": {
        "orders": {"A PAR - BUR": "bounces", "A MUN - BUR": ["bounces"]},
        "after": {"France": ["A Par"], "Germany": ["A MUN"]}, "dislodged": [],
    },
}  # fmt: skip


def checked(*cases: object) -> tuple[tuple[str, ...], int, int]:
    """The problems of some cases of the standard game, how many were run, and how many were not."""
    found = check_scenarios(find_variant("standard"), json.dumps(cases).encode())
    return found.problems, len(found.run), len(found.not_run)


def expecting(**changes: object) -> dict[str, object]:
    """The case, with something else expected."""
    return {**CASE, "expect": {**CASE["expect"], **changes}}  # type: ignore[dict-item]


NEED_MORE = {"STD-S06", "CLN-S56", "CLN-S77", "SCO-S100", "SCO-S123"}
"""Cases that need more: three are about misspelt orders, two about what a mechanic does when the phase begins."""


def test_cases_of_the_package_pass() -> None:
    """Those that need no more than a position, owners and orders come out as they should."""
    run: set[str] = set()
    for name in variant_names():
        cases = files("gamesmaster.variants") / name / SCENARIOS
        if cases.is_file():
            found = check_scenarios(find_variant(name), cases.read_bytes())
            assert not [text for text in found.problems if text.split()[0] not in NEED_MORE], name
            run |= set(found.run)
    assert len(run - NEED_MORE) > 250


def test_what_comes_out_differently_is_named() -> None:
    """By the id and the title of the case, with what was expected and what was got."""
    assert checked(CASE) == ((), 1, 0)
    wrong = {
        "orders": {"A PAR - BUR": "succeeds", "A PAR H": "holds"},
        "after": {"France": ["A BUR"], "Germany": ["A MUN"]}, "dislodged": ["A MUN"],
    }  # fmt: skip
    assert checked(expecting(**wrong)) == (
        (
            "S1 A bounce: A PAR - BUR: expected succeeds, got bounces",
            "S1 A bounce: A PAR H: expected holds, got no such order",
            "S1 A bounce: after: expected France A BUR, got France A PAR",
            "S1 A bounce: dislodged: expected A MUN, got nothing else",
        ), 1, 0,
    )  # fmt: skip


def test_owners_of_centres_are_given_and_more_is_not_run() -> None:
    """A case of a Winter says who owns what; one that needs other things is counted apart."""
    winter = {
        "id": "S2", "phase": "Winter 1901 Adjustments", "units": {"France": ["A PAR"]},
        "other": {"centres": {"France": ["PAR", "BRE"]}}, "orders": {"France": ["Build F BRE"]},
        "expect": {"orders": {"Build F BRE": "succeeds"}, "after": {"France": ["A PAR", "F BRE"]}},
    }  # fmt: skip
    assert checked(winter, {**CASE, "other": {"dice": [3]}}, expecting(state={"winner": "France"})) == ((), 1, 2)


def test_faults_are_named_with_their_case() -> None:
    """What is no case, or names what the variant does not have, does not stop the others."""
    found, run, _ = checked(7, {**CASE, "units": {"France": ["A PRA"]}}, {**CASE, "phase": "Elevenses"}, CASE)
    assert run == 3
    assert [text.partition(":")[0] for text in found] == ["scenario 1", "scenario 2", "scenario 3"]
    with pytest.raises(BadFile, match="not a list of at most 1,000 scenarios"):
        check_scenarios(find_variant("standard"), b"{}")
