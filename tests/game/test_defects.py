"""A fault of the program while one order is judged voids that order, and no other; the phase goes on."""

from __future__ import annotations

import pytest

from gamesmaster.game import Game, corroborate_all, dumps, loads, report
from gamesmaster.judge import Movement
from gamesmaster.rules import Cause, Result, Ruling
from gamesmaster.variant import find_variant

CURSED = "A Mun - Bur"


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that falls over one order as soon as somebody asks what became of it."""
    sound = Movement._rule_orders

    def rule_orders(self: Movement) -> list[Ruling]:
        if any(CURSED in orders for orders in self.bound.given.values()):
            raise KeyError("A")
        return sound(self)

    monkeypatch.setattr(Movement, "_rule_orders", rule_orders)


def game() -> Game:
    """A first Spring in which one order is cursed, among others that are not."""
    made = Game.start(find_variant("standard"), seed=bytes(32))
    made = made.submit("Germany", ["A Ber - Kie", CURSED, "F Kie - Den"])
    return made.submit("France", ["A Par - Bur", "A Mar S A Par - Bur"])


def test_the_phase_goes_on(faulty: None, caplog: pytest.LogCaptureFixture) -> None:
    """The cursed order is void with a cause of its own, its unit holds, all else is as if it had not been written."""
    done = game().process()
    assert done.phase.code == "F1901M"
    rulings = {r.given: r for r in done.adjudication(done.records[0]).rulings if r.given}
    assert (rulings[CURSED].result, rulings[CURSED].cause) == (Result.VOID, Cause.DEFECT)
    assert list(rulings) == ["A Par - Bur", "A Mar S A Par - Bur", "A Ber - Kie", CURSED, "F Kie - Den"]
    assert {given for given, ruling in rulings.items() if ruling.result is Result.SUCCEEDS} == {*rulings} - {CURSED}
    without = Game.start(find_variant("standard"), seed=bytes(32)).submit("Germany", ["A Ber - Kie", "F Kie - Den"])
    assert done.position == without.submit("France", ["A Par - Bur", "A Mar S A Par - Bur"]).process().position
    assert "fault in this program" in report(done)
    assert any(line.exc_info for line in caplog.records)


def test_warnings_are_of_the_others(faulty: None) -> None:
    """Who has the cursed order among his is warned of the rest all the same."""
    now = game()
    given = {"Germany": ["A Ber - Kie", CURSED]}
    warned = corroborate_all(now.rules, now.phase.kind, now.position, given)
    assert [warning.subject for warning in warned] == ["A Ber - Kie", "F Kie", "A Mun"]


def test_the_record_is_good(faulty: None) -> None:
    """What was posted is kept in the record, and comes out the same when it is read again."""
    done = game().process()
    assert loads(dumps(done)).records == done.records


def test_a_fault_without_orders_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be judged, orders or none, the fault is not hidden."""

    def nothing(*_: object) -> Movement:
        raise KeyError("A")

    monkeypatch.setattr("gamesmaster.judge.judging.adjudicate_movement", nothing)
    with pytest.raises(KeyError):
        game().process()
