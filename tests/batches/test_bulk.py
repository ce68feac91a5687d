"""Phases adjudicated in bulk come to what the single door comes to, whatever texts are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from gamesmaster.batches import Adjudications, Batch, adjudicate_many, bulk
from gamesmaster.batches.binding import DISLODGED, GONE, MOVED, STAYED
from gamesmaster.batches.mechanics import rules_in_batch
from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.errors import BadPosition, GamesmasterError, NotFound
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.reading import Sent, adjudicate
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant
from tests.batches.test_phases import CASES, variant_under
from tests.lengths import mark_long, short_and_long
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

STANDARD = find_variant("standard")
SHORT = [
    *((name, "its own") for name in open_variants()),
    *(("standard", book) for book in ("1971", "2023", "every route, own swaps")),
]
BAD = ("A Par - Bugundy", "", "hold everything", "F Bre - Mars", "Armee Wien - Bud", "A par h", "waive", "build A Par")


def changed(order: Order, variant: Variant, chance: Random) -> Order:
    """An order with a word or two replaced: many of these are impossible, or for other units."""
    at = chance.choice(variant.board.locations)
    changes: dict[str, Any] = chance.choice(
        [
            {"to": at},
            {"to": order.to and Location(order.to.province)},
            {"at": at},
            {"of": order.of and at},
            {"kind": chance.choice(variant.board.kinds)},
            {"of_kind": order.of and chance.choice(variant.board.kinds)},
            {"via": bool(order.to) and not order.of},
        ]
    )
    new = replace(order, **{name: value or getattr(order, name) for name, value in changes.items()})
    return new if new.complete else order


def orders_sent(drawn: Mapping[str, list[Order]], variant: Variant, rules: Rules, chance: Random) -> dict[str, Sent]:
    """Orders drawn, as texts: some changed, left out, given twice or by another power; here and there a bad one."""
    sent: dict[str, list[str]] = {power: [] for power in drawn}
    wild = chance.random() < 0.8
    for power, orders in drawn.items():
        for order in orders:
            given = changed(order, variant, chance) if wild and chance.random() < 0.25 else order
            whose = chance.choice(rules.powers) if wild and chance.random() < 0.02 else power
            sent[whose] += [rules.notation.write(given)] * (chance.random() < 0.97)
            if chance.random() < 0.01:
                sent[power] += [chance.choice(BAD) if chance.random() < 0.1 else rules.notation.write(order)]
    return {power: "\n".join(texts) if chance.random() < 0.1 else texts for power, texts in sent.items()}


def phases(variant: Variant, count: int) -> tuple[list[Position], list[dict[str, Sent]], list[PhaseKind]]:
    """Positions of random games, with what players might send."""
    rules, chance, seed = Rules.of(variant), Random(count), 0
    positions: list[Position] = []
    sent: list[dict[str, Sent]] = []
    kinds: list[PhaseKind] = []
    while len(positions) < count:
        batch, seed = Batch(variant, 4, seed=seed), seed + 1
        while len(positions) < count and variant.calendar.turn(batch.phase) < 8:
            batch.draw()
            for i in range(len(batch)):
                positions.append(batch.position(i))
                sent.append(orders_sent(batch.orders(i), variant, rules, chance))
                kinds.append(batch.phase.kind)
            batch.carry_out()
    return positions, sent, kinds


def check(done: Adjudications, i: int, rules: Rules) -> None:
    """A phase of many came to what it comes to alone: position, orders refused, places and fates of units."""
    alone = adjudicate(rules, done.kind, done.positions[i], done.orders[i])
    assert done.position(i) == alone.position
    assert i % 8 or done[i] == alone
    refused = [n for n, ruling in enumerate(alone.rulings) if ruling.given and not ruling.possible]
    assert done.refused[done.refused[:, 0] == i, 1].tolist() == refused
    before = done.positions[i]
    units, after = [*before.units, *(out.unit for out in before.dislodged)], alone.position
    now = {unit.number: unit.at for unit in after.units}
    beaten = {out.unit.number for out in after.dislodged}
    places = [rules.board.location_index[now[u.number]] if u.number in now else -1 for u in units]
    fates = [
        (STAYED if now[u.number] == u.at else MOVED) if u.number in now else DISLODGED if u.number in beaten else GONE
        for u in units
    ]
    assert done.at[i, : len(units)].tolist() == places
    assert done.fate[i, : len(units)].tolist() == fates
    assert set(done.at[i, len(units) :]) | set(done.fate[i, len(units) :]) <= {-1}


@pytest.mark.parametrize(("name", "book"), mark_long(CASES, but=SHORT))
@short_and_long("count", 36, 4000)
def test_many_phases_come_to_what_each_comes_to_alone(name: str, book: str, count: int) -> None:
    """All kinds of phases of all games, with orders of which many are impossible, and some are no orders."""
    variant = variant_under(name, book)
    rules = Rules.of(variant)
    positions, sent, kinds = phases(variant, count)
    for kind in PhaseKind:
        chosen = [i for i, one in enumerate(kinds) if one is kind]
        done = adjudicate_many(variant, [positions[i] for i in chosen], [sent[i] for i in chosen], kind=kind)
        assert len(done) == len(chosen)
        for i in range(len(done)):
            check(done, i, rules)
        if kind is PhaseKind.MOVEMENT and not (rules.mechanics or rules.board.shared):
            assert len(done.alone) < len(done)


def test_texts_are_refused_one_by_one() -> None:
    """Each order that cannot be carried out is named; the reasons are those of the single door."""
    good = {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Germany": "A Mun - Bur\nA Ber - Par"}
    bad = {"French": ["A Par - Bugundy", "F Bre - Mars"], "France": ["A Mar H", "A Mar - Spa"]}
    done = adjudicate_many(STANDARD, [STANDARD.start] * 3, [good, bad, {}])
    assert done.alone == [1]
    assert done.refused.tolist() == [[0, 3], [1, 1], [1, 3]]
    alone = adjudicate(Rules.of(STANDARD), PhaseKind.MOVEMENT, STANDARD.start, bad)
    assert [ruling.text for ruling in done[1].rulings] == [ruling.text for ruling in alone.rulings]
    assert [ruling.result for ruling in done[-1].rulings] == ["holds"] * 22
    assert [len(one.rulings) for one in done] == [24 - 2, 22 + 2, 22]
    with pytest.raises(IndexError):
        done.position(3)


def test_what_columns_cannot_hold_is_left_to_the_single_door() -> None:
    """Units to retreat, spellings of people, orders as values and powers by other names: all as for one position."""
    units = units_from({"France": ["A PAR", "F BRE"], "Nobody": ["A MUN"]})
    beaten = Position(units, {}, (Dislodged(replace(units[0], number=9, at=Location("RUH"))),))
    spelt = Position((replace(units[0], at=Location("Paris")), *units[1:]))
    orders: list[dict[str, Sent]] = [
        {"france": ["A Par - Bur", Order(Verb.MOVE, "F", Location("BRE"), Location("ENG"))]},
        {"France": ["A Par - Pic"]},
        {"France": ["A Par - Gas"]},
    ]
    done = adjudicate_many(STANDARD, [Position(units), beaten, spelt], orders)
    assert done.alone == [1, 2]
    for i in range(3):
        check(done, i, Rules.of(STANDARD)) if i < 2 else None
    assert str(done.position(2).units[0]) == "A GAS"
    assert done.position(0).of("Nobody") == units[2:]


@pytest.mark.parametrize(
    ("position", "orders", "error"),
    [
        (STANDARD.start, {"Frnce": ["A Par H"]}, NotFound),
        (STANDARD.start, {"France": 7}, TypeError),
        (STANDARD.start, {"France": [None]}, TypeError),
        (Position(units_from({"France": ["A PAR", "A PAR"]})), {}, BadPosition),
        (Position(units_from({"France": ["A XYZ"]})), {}, BadPosition),
    ],
)
def test_errors_name_the_position(position: Position, orders: dict[str, Sent], error: type[Exception]) -> None:
    """What the single door does not take is an error, which says of which position."""
    with pytest.raises(error) as raised:
        adjudicate_many(STANDARD, [STANDARD.start, position], [{}, orders])
    assert raised.value.__notes__ == ["in position 1 of those given, counted from 0"]


def test_what_does_not_fit_together() -> None:
    """As many orders as positions are needed, and a kind of phase that there is; of nothing comes nothing."""
    with pytest.raises(GamesmasterError, match="2 positions, and orders for 1"):
        adjudicate_many(STANDARD, [STANDARD.start] * 2, [{}])
    with pytest.raises(NotFound):
        adjudicate_many(STANDARD, [], [], kind="movment")
    assert adjudicate_many(STANDARD, [], []).at.shape == (0, 0)


def test_texts_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that meets ever new texts does not grow."""
    monkeypatch.setattr(bulk, "MOST_TEXTS", 30)
    variant = replace(STANDARD)
    rules = rules_in_batch(variant)
    for goal in ("Bur", "Pic", "Gas", "Bre", "Bur"):
        texts = [f"A Par - {goal}", *(f"A {goal} - {province.abbr}" for province in variant.board.provinces[:20])]
        done = adjudicate_many(variant, [variant.start], [{"France": texts}])
        came = str(done.position(0).of("France")[2].at)
        assert came == ("PAR" if goal == "Bre" else goal.upper())
    assert len(rules.derive(bulk.texts_met)[0]) < 60
