"""The Winters told in the documents of four games: what may be built, what must go, what is carried over."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.judge import accounts, adjudicate, count_owners
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Cause, Result

from .winters import MECHANICS, place, rules, rules_with, shown

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "winters.json").read_text("utf-8"))


def _state(case: dict[str, Any]) -> dict[str, object]:
    state: dict[str, object] = {}
    if case["game"] == "conquest2":
        state["off-board-supply"] = {"winters": case["winter"], "deferred": case.get("deferred", {})}
        state["designated-homes"] = {"winters": case["winter"], "homes": case.get("homes", {})}
    if case.get("boats"):
        state["boats"] = {"lie": case["boats"]}
    return state


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_winter(case: dict[str, Any]) -> None:
    """Every order comes to its result, and the units, deferrals, homes and boats afterwards are those told."""
    game = rules(case["game"])
    if case.get("af"):
        game = rules_with(case["game"], [ArmyFleet(**case["af"]), *MECHANICS[case["game"]][1:]])
    before = place(game, case["units"], case["owners"], _state(case))
    if case.get("counted") is False:
        before = count_owners(game, before)
    supply = {power: account.supply for power, account in accounts(game, before).items()}
    assert {power: supply[power] for power in case.get("supply", {})} == case.get("supply", {})
    done = adjudicate(game, PhaseKind.ADJUSTMENTS, before, case["orders"])
    results = defaultdict(list)
    for ruling in done.rulings:
        assert ruling.cause is not Cause.UNREADABLE or case["id"] == "SCO-S101"
        if ruling.given:
            results[ruling.given].append("succeeds" if ruling.result is Result.SUCCEEDS else str(ruling.result))
    assert results == case["results"]
    assert shown(done.position) == {power: sorted(units) for power, units in case["after"].items()}
    assert done.position.problems(game.board) == []
    told: Any = done.position.state
    if "deferred_after" in case:
        deferred = told["off-board-supply"]["deferred"]
        assert {power: n for power, n in deferred.items() if power in case["units"]} == case["deferred_after"]
    if "homes_after" in case:
        assert told["designated-homes"] == {"winters": case["winter"] + 1, "homes": case["homes_after"]}
    if "boats_after" in case:
        assert told.get("boats", {}).get("lie", {}) == case["boats_after"]
