"""What batches draw from: exactly the lawful orders, each as likely as the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gamesmaster.batches import orders
from gamesmaster.batches.batch import Batch
from gamesmaster.batches.chance import below, philox
from gamesmaster.batches.state import COUNT
from gamesmaster.formats import read_foreign
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant, variant_names
from tests.batches.test_mechanics import CLOSED, PASSES, with_mechanics
from tests.lengths import mark_long

pytestmark = pytest.mark.together

BOARDS = Path(__file__).parents[1] / "data/boards"


def variant_of(name: str) -> Variant:
    """A variant of the package, or of another program's files."""
    return find_variant(name) if name in variant_names() else read_foreign(BOARDS / f"{name}.json")


@pytest.mark.parametrize(
    ("low", "high", "key", "words"),
    [
        (0, 0, 0, (0xFF1DAE59, 0x6CD10DF2)),
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, (0xDD7CE038, 0xF62A4C12)),
    ],
)
def test_the_generator_gives_the_answers_known_of_it(low: int, high: int, key: int, words: tuple[int, int]) -> None:
    """Philox-2x32-10 maps the counters and keys that its authors publish to the words that they publish."""
    assert philox(low, high, key) == words


def test_draws_are_even() -> None:
    """A draw below a number gives each smaller one about as often, and nothing else."""
    counts = np.bincount([below(7, 5, number, 3) for number in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert ((counts - 2000) ** 2 / 2000).sum() < 30  # chi-square with 6 degrees: once in forty thousand


def variant_with_closed_ways() -> Variant:
    """The regular game with borders and places that are closed to some."""
    variant = with_mechanics(PASSES)
    return replace(variant, board=replace(variant.board, closures=CLOSED))


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("standard", 4),
        ("indianomacy", 1),
        ("closed ways", 4),
        *mark_long(
            [
                ("standard", 14),
                ("cline9", 5),
                ("westernworld901", 3),
                ("hundred", 4),
                ("indianomacy", 2),
                ("closed ways", 8),
            ]
        ),
    ],
)
def test_what_can_be_drawn_is_what_is_lawful(name: str, games: int) -> None:
    """Of every unit in the movement phases of random games, the orders on offer are the judge's list, none twice."""
    variant = variant_with_closed_ways() if name == "closed ways" else variant_of(name)
    batch, rules, seen = Batch(variant, games, seed=9), Rules.of(variant), 0
    while batch.phase.year < variant.calendar.first_year + 6 * variant.calendar.years_per_turn:
        if batch.phase.kind is PhaseKind.MOVEMENT:
            for i in range(games):
                assert all(offered == lawful for offered, lawful in _sets(batch, rules, i))
                seen += 1
        batch.draw()
        batch.carry_out()
    assert seen >= 12 * games / 2


def _sets(batch: Batch, rules: Rules, i: int) -> list[tuple[list[str], list[str]]]:
    """For each unit of a power, the orders that could be drawn for it, and those that are lawful."""
    game, scratch, tables = batch.game(i), batch.scratch, batch.tables
    batch.survey()
    orders.survey(tables, game, scratch)
    position = batch.position(i)
    legal, write = LegalOrders(rules, position), rules.notation.write
    found = []
    for r in range(1, game.tally[COUNT] + 1):
        if game.units.owner[r]:
            offers = [orders.offer(tables, game, scratch, r, n) for n in range(orders.offers(tables, game, scratch, r))]
            drawn: list[Order] = []
            for _, game.orders.verb[r], game.orders.to[r], game.orders.about[r] in (
                offer for offer in offers if offer[0]
            ):
                batch.name_own_orders()
                drawn += batch.transcript.orders_of_row(i, r, batch.phase.kind)[1]
                game.orders.rider[r] = 0
            lawful = legal.of_unit(position.units[r - 1])
            found.append((sorted(map(write, drawn)), sorted(map(write, lawful))))
    return found


def test_each_lawful_order_is_as_likely_as_the_others() -> None:
    """Over twelve thousand games, no unit's first orders stray from equal shares more than chance does."""
    standard = find_variant("standard")
    batch, games = Batch(standard, 12_000, seed=1), 12_000
    batch.draw()
    legal = LegalOrders(Rules.of(standard), standard.start)
    for r, unit in enumerate(standard.start.units, 1):
        choices = len(legal.of_unit(unit))
        drawn = np.stack([batch.games.orders.verb[:, r], batch.games.orders.to[:, r], batch.games.orders.about[:, r]])
        counts = np.unique(drawn, axis=1, return_counts=True)[1]
        strayed = ((counts - games / choices) ** 2 / (games / choices)).sum()
        assert len(counts) == choices
        assert strayed < choices + 4.5 * (2 * choices) ** 0.5
