"""The conformance suite: passed by the standard game, and able to fail."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.board import Position
from gamesmaster.game import Game
from gamesmaster.judge import Adjudication, Decided, LegalOrders, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import with_state
from gamesmaster.testing import conformance
from gamesmaster.testing.conformance import check_variant, play, position_text
from gamesmaster.variant import find_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf
from tests.lengths import short_and_long


@pytest.mark.parametrize("name", variant_names())
@short_and_long("phases", 25, 1000)
def test_variants_conform(name: str, phases: int) -> None:
    """Random phases of every variant break no promise, and their record reads back true."""
    assert check_variant(find_variant(name), phases=phases, seed=1) == []


@pytest.mark.parametrize("name", variant_names())
def test_census(name: str) -> None:
    """The number of lawful orders and the hash of what they come to are those written down."""
    path = file_of(shelf() / name, "counts.json")
    written = json.loads(path.read_text(encoding="utf-8"))
    digest, number = hashlib.sha256(), 0
    for game, orders in play(find_variant(name), written["phases"], written["seed"]):
        legal = LegalOrders(game.rules, game.position)
        number += sum(len(legal.of_power(game.phase.kind, power, game.season)) for power in game.survivors)
        done = adjudicate(game.rules, game.phase.kind, game.position, orders)
        digest.update(f"{game.phase.code} {position_text(done.position)}\n".encode())
    assert (number, digest.hexdigest()) == (written["orders"], written["digest"])


def test_a_judge_that_loses_units_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite notices a unit that vanishes, one that doubles, and a result that depends on who wrote first."""
    true = adjudicate

    def losing(*args: Any, **named: Any) -> Decided:
        done = true(*args, **named)
        return Decided(Position(done.position.units[1:], done.position.owners), done.rulings)

    def doubling(*args: Any, **named: Any) -> Decided:
        done = true(*args, **named)
        first = done.position.units[0]
        twin = replace(first, number=999)
        return Decided(Position((*done.position.units, twin), done.position.owners), done.rulings)

    variant = find_variant("standard")
    monkeypatch.setattr(conformance, "adjudicate", losing)
    assert any("lost in a movement phase" in problem for problem in check_variant(variant, phases=2))
    monkeypatch.setattr(conformance, "adjudicate", doubling)
    problems = check_variant(variant, phases=2)
    assert any("came from nowhere" in problem for problem in problems)
    assert any("is in the same province" in problem for problem in problems)


Spoil = Callable[[Position], Position]


def spoilt(monkeypatch: pytest.MonkeyPatch, variant: str, spoil: Spoil, kind: PhaseKind = PhaseKind.MOVEMENT) -> str:
    """What the suite says of a variant whose judge spoils the positions of one kind of phase."""
    true = adjudicate

    def spoiling(rules: Any, phase: PhaseKind, *args: Any, **named: Any) -> Adjudication:
        done = true(rules, phase, *args, **named)
        return Decided(spoil(done.position), done.rulings, done.happened) if phase is kind else done

    monkeypatch.setattr(conformance, "adjudicate", spoiling)
    return "\n".join(check_variant(find_variant(variant), phases=12, seed=3))


def _renamed(position: Position) -> Position:
    first, *rest = position.units
    return replace(position, units=(replace(first, kind={"A": "F", "F": "A"}[first.kind]), *rest))


def _boats(*builders: str) -> Spoil:
    return lambda position: with_state(position, "boats", {"lie": {"12": list(builders)}} if builders else None)


@pytest.mark.parametrize(
    ("variant", "spoil", "kind", "text"),
    [
        ("standard", _renamed, PhaseKind.MOVEMENT, ") has become "),
        ("indianomacy", _boats(*[""] * 50), PhaseKind.MOVEMENT, "more boats than were built"),
        ("indianomacy", _boats(), PhaseKind.MOVEMENT, "boats are gone, and nothing that happened says so"),
        ("standard", lambda p: replace(p, owners={}), PhaseKind.ADJUSTMENTS, "more than it can feed"),
    ],
)
def test_what_is_spoilt_is_seen(
    monkeypatch: pytest.MonkeyPatch, variant: str, spoil: Spoil, kind: PhaseKind, text: str
) -> None:
    """A unit that changes its kind, boats from nowhere or gone without a word, and too many units are seen."""
    assert text in spoilt(monkeypatch, variant, spoil, kind)


def test_a_unit_lost_between_phases_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that is gone when the next phase begins must have an event that says so."""
    true = Game.process

    def losing(game: Game, **named: Any) -> Game:
        after = true(game, **named)
        return replace(after, position=replace(after.position, units=after.position.units[1:]))

    monkeypatch.setattr(Game, "process", losing)
    found = check_variant(find_variant("standard"), phases=1)
    assert "was lost after the phase, and no event says so" in found[0]


def test_a_judge_that_breaks_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception is a problem with the function in which it was raised, and the suite goes on with another game."""

    def broken(*args: Any, **named: Any) -> Adjudication:
        raise KeyError("Bugandy")

    monkeypatch.setattr(conformance, "adjudicate", broken)
    found = check_variant(find_variant("standard"), phases=2, name="mine")
    assert len(found) == 2
    assert found[0].startswith("S1901M: KeyError: 'Bugandy' (in broken, test_conformance.py, line ")
    assert found[1].endswith("gamesmaster variant check mine --seed 1 --phases 1")


def test_a_record_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that comes back from its file as another one, or plays on otherwise after a rollback, is seen."""
    dumped = iter(range(1_000_000))
    monkeypatch.setattr(conformance, "check_step", lambda game, after: iter(()))  # which saves each phase as well
    monkeypatch.setattr(conformance, "dumps", lambda game: f"{next(dumped)}")
    monkeypatch.setattr(
        conformance, "loads", lambda text, **named: Game.start(find_variant("standard"), seed=bytes(32))
    )
    found = check_variant(find_variant("standard"), phases=1)
    assert "saved and read back, it is another game" in found[0]
    assert "taken back to S1901M and played again, it is another game" in found[1]


def test_not_too_many_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    """When enough is wrong no more games are played."""
    monkeypatch.setattr(conformance, "check_step", lambda game, after: ["broken"])
    assert len(check_variant(find_variant("standard"), phases=1_000)) == conformance.MOST_PROBLEMS
