"""Whatever a ruling or an event cites can be read: in the variant's own rulebook, or in that of the regular game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gamesmaster.game.reasons import event_reason
from gamesmaster.judge import adjudicate
from gamesmaster.variant import find_rules_text, find_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf
from tests.lengths import short_and_long
from tests.open_variants import plain_variants
from tests.scenarios.marks import Seen
from tests.scenarios.setup import orders, position, scene
from tests.scenarios.words import Stage, host_reason, in_our_words


def _cited(scenario: dict[str, Any], stage: Stage) -> Iterator[str]:
    """The clauses of all rulings and events of a scenario's phase."""
    told = in_our_words(scenario, stage)
    ready = scene(told, stage)
    phase = ready.variant.calendar.read(told["phase"])
    before = position(told, phase, ready)
    given, disorder = orders(told, ready, phase, before), ready.other.get("civil_disorder", ())
    done = adjudicate(ready.rules, phase.kind, before, given, disorder=disorder)
    yield from (ruling.clause for ruling in done.rulings)
    events = Seen(ready, told, phase, before, before, done).step.events
    yield from (event_reason(ready.variant, phase, event).clause for event in events)


BASED_ON_STANDARD = {"1900", "asia1870", "blind", "fog", "welfare", *plain_variants()}
"""Variants that change little of the regular game, whose scenarios show the rest."""


@pytest.mark.parametrize("name", variant_names())
@short_and_long("step", 5, 1)
def test_what_is_cited_can_be_read(name: str, step: int) -> None:
    """In the scenarios of a variant each ruling and each event cites a clause of its rulebook, STD or the DATC."""
    stage = Stage(find_variant(name))
    known = {clause.id for book in (name, "standard") for clause in find_rules_text(book).clauses}
    scenarios = json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8"))
    played = [s for s in scenarios if s["phase"] != "Setup" and not host_reason(s) and "dice" not in s["other"]]
    assert len(played) > (0 if name in BASED_ON_STANDARD else 50)
    cited = {clause for scenario in played[::step] for clause in _cited(scenario, stage)}
    assert {clause for clause in cited - known if not clause.startswith("DATC ")} == set()
    own = {clause for clause in cited if not clause.startswith(("STD-", "DATC "))}
    least = 0 if name in {"standard", *plain_variants()} else 1 if name in BASED_ON_STANDARD else 2
    assert len(own) >= least or step > 1
