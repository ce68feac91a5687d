"""Mechanics in batches: what they make of games is what they make of them at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from gamesmaster.game import EventKind, Game
from gamesmaster.judge import BoardMechanic, Mechanic, Rules
from gamesmaster.lab.batches.batch import Batch
from gamesmaster.lab.batches.state import PHASES
from gamesmaster.lab.batches.tables import supports
from gamesmaster.mechanics.build_sites import BuildKinds, FreePlacement, SpecialSites
from gamesmaster.mechanics.elimination import Anarchy, Downfall, Extinction
from gamesmaster.variant import Variant, find_variant
from tests.lab.test_batch_games import shown, submitted

STANDARD = find_variant("standard")
HOMES = {power.name: tuple(power.homes) for power in STANDARD.powers}


def with_mechanics(mechanics: Sequence[Mechanic], *, centres: int = 18, last: int = 0) -> Variant:
    """The regular game with these mechanics, won with so many centres, or when so few powers are left."""
    victory = replace(STANDARD.victory, centres=centres, last=last)
    made = replace(STANDARD, mechanics=tuple(mechanics), victory=victory)
    rules, start = Rules.of(made), made.start
    for mechanic_start in rules.hooks(BoardMechanic.start):
        start = mechanic_start(rules, start)
    return replace(made, start=start)


def played(variant: Variant, *, games: int, years: int) -> set[str]:
    """Play games in a batch and at the table beside it: all is equal.  What happened at all, by word."""
    batch = Batch(variant, games, seed=years)
    table = [Game.start(variant, seed=bytes(32)) for _ in range(games)]
    while batch.phase.year < variant.calendar.first.year + years:
        batch.draw()
        for i, game in enumerate(table):
            if game.phase == batch.phase and not game.outcome:
                assert shown(batch.position(i)) == shown(game.position), f"game {i}, {game.phase.code}"
                table[i] = submitted(game, batch, i).process()
        batch.carry_out()
    for i, game in enumerate(table):
        assert batch.winners(i) == (game.outcome.winners if game.outcome else ())
        assert batch.games.tally[i, PHASES] == len(game.records)
        fallen = {power.name: int(n) for power, n in zip(variant.powers, batch.games.fallen[i, 1:], strict=True) if n}
        gone = {
            event.power: 1 + variant.calendar.turn(record.phase)
            for record in game.records
            for event in record.events
            if event.kind is EventKind.ELIMINATED
        }
        assert fallen == gone
    ended = {"shared" if len(game.outcome.winners) > 1 else "won" for game in table if game.outcome}
    return ended | {event.kind.value for game in table for record in game.records for event in record.events}


def test_powers_fall_as_at_the_table() -> None:
    """Powers go extinct, have grace, fall into anarchy and lose their seats; somebody wins all the same."""
    seats = [Downfall(power, HOMES[power][:1]) for power in ("France", "Turkey")]
    happened = played(with_mechanics([Anarchy(), Extinction(), *seats], centres=11), games=40, years=20)
    assert happened >= {"swept", "grace", "anarchy", "restored", "fallen", "eliminated", "won"}


def test_those_who_are_left_win() -> None:
    """When few powers still take part, those with most centres have won, one or several."""
    assert played(with_mechanics([Anarchy(0)], centres=30, last=5), games=60, years=20) >= {"anarchy", "won", "shared"}


@pytest.mark.parametrize("grace", [0, 2])
def test_anarchy_waits_as_long_as_it_should(grace: int) -> None:
    """Without grace, or with two counts of it, powers without homes fall silent when they do at the table."""
    assert played(with_mechanics([Anarchy(grace)]), games=30, years=16) >= {"anarchy"}


def test_powers_build_where_and_what_they_may() -> None:
    """Special sites, kinds that a power does not build, and a first Winter in which all homes are open."""
    mechanics = [
        FreePlacement(),
        SpecialSites("France", {"BUR": ("A",), "ENG": (), "PAR": ("A",)}),
        SpecialSites("Austria", {"ADR": ("F",)}),
        BuildKinds({"England": ("F",), "France": ("A",), "Italy": ()}),
        SpecialSites("Italy", {"ION": ()}),
    ]
    variant = with_mechanics(mechanics)
    poor = replace(variant, start=replace(variant.start, units=variant.start.units[::2]))
    played(poor, games=25, years=8)


@dataclass(frozen=True)
class Milder(Extinction):
    """What says of itself nothing in columns, and changes what does."""


def test_it_is_said_what_of_a_mechanic_is_missing() -> None:
    """A mechanic that is not told in columns is refused with the reason, and so is one made of another."""
    taboo, milder = find_variant("indianomacy").mechanics[3], Milder()
    assert supports(with_mechanics([milder, taboo])).why_not == (
        "the mechanic Milder (it says nothing of itself in columns)",
        f"the mechanic Taboo ({taboo.not_in_columns})",
    )
