"""The adjudicator test cases of the DATC, every order of every case, under every rulebook they speak of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.variant import find_variant
from tests.scenarios.cases import run_datc

DATA = Path(__file__).parents[1] / "data" / "datc.json"
CASES: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["cases"]

NOT_APPLICABLE: dict[str, str] = {}
"""Cases left out, with the reason: none."""


def test_all_cases_are_there() -> None:
    """All 176 cases of version 3.2 are run, and the two known of 3.3."""
    versions = [case["version"] for case in CASES]
    assert versions.count("3.2") == 176
    assert len(versions) == 178


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    """Every order's tag, every retreat and every unit's place comes out as the DATC says, choice by choice."""
    assert case["id"] not in NOT_APPLICABLE
    for name, _, rows in run_datc(case, find_variant("standard")):
        assert rows, name
        assert [row for row in rows if row[1] != row[2]] == [], name
