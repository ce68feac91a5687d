"""A short way to put a position, orders and choices before the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

Units = Mapping[str, Sequence[str]]
Judge = Callable[..., Adjudication]


@pytest.fixture
def judge() -> Judge:
    """`judge(units, orders, choices, ...)` adjudicates a phase on the standard board."""

    def run(
        units: Units,
        orders: Units,
        choices: Mapping[str, object] | str | None = None,
        *,
        kind: PhaseKind = PhaseKind.MOVEMENT,
        centres: Units | None = None,
        dislodged: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        disorder: Sequence[str] = (),
    ) -> Adjudication:
        rules = Rules.of(find_variant("standard"), choices)
        standing = units_from(units)
        pairs = [(p, text, to) for p, entries in (dislodged or {}).items() for text, to in entries.items()]
        beaten = [
            Dislodged(units_from({power: [text]}, first=number)[0], "", tuple(map(Location.of, open_to)))
            for number, (power, text, open_to) in enumerate(pairs, 100)
        ]
        owners = {centre: power for power, owned in (centres or {}).items() for centre in owned}
        return adjudicate(rules, kind, Position(standing, owners, tuple(beaten)), orders, disorder=disorder)

    return run


def results(done: Adjudication) -> dict[str, str]:
    """Each order given, with its result and cause."""
    return {r.given: f"{r.result}: {r.cause.name.lower()}" for r in done.rulings if r.given}


def standing(done: Adjudication) -> set[str]:
    """The units after the phase."""
    return {str(unit) for unit in done.position.units}
