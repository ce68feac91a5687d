"""What is typed is completed to orders that may be given, in whatever dialect it is typed."""

from __future__ import annotations

import pytest

from gamesmaster.host.orders.completion import MOST_WAYS, Completer
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import PhaseKind
from gamesmaster.orders.dialect import HOUSE, written_dialects
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

VARIANT = find_variant("standard")
RULES = Rules.of(VARIANT)


@pytest.fixture(scope="module")
def germany() -> Completer:
    """Completes what Germany may order in Spring 1901."""
    orders = LegalOrders(RULES, VARIANT.start).of_power(PhaseKind.MOVEMENT, "Germany")
    return Completer(RULES.notation, orders, "Germany")


@pytest.mark.parametrize(
    ("text", "dialect", "first"),
    [
        ("a mun - t", "house", "A Mun - Tyr"),
        ("mun bur", "house", "A Mun - Bur"),
        ("A Munich - Bur", "house", "A Munich - Burgundy"),
        ("Armee", "german", "Armee Berlin hält"),
        ("Armé", "french", "Armée Berlin tient"),
        ("Mün", "german", "Armee München hält"),
        ("München B", "german", "Armee München geht nach Berlin"),
        ("(GER AMY MUN) MTO T", "daide", "(GER AMY MUN) MTO TYR"),
        ("The army at Mun", "webdiplomacy", "The army at Munich hold."),
    ],
)
def test_the_dialect_is_that_of_what_is_typed(germany: Completer, text: str, dialect: str, first: str) -> None:
    """By its first words, its names, its accents; words may be left out."""
    found = germany.complete(text)
    assert (found.dialect, found.ways[0].text) == (dialect, first)


@pytest.mark.parametrize("dialect", [HOUSE, *(dialect.id for dialect in written_dialects())])
def test_every_order_can_be_reached(germany: Completer, dialect: str) -> None:
    """From nothing, by taking one of the ways again and again, one comes to each order that may be given."""
    reached, todo, seen = set[str](), [""], set[str]()
    while todo:
        found = germany.complete(todo.pop(), dialect)
        assert 0 < len(found.ways) <= MOST_WAYS
        reached |= {way.order for way in found.ways if way.order}
        new = [way.text for way in found.ways if not way.order and way.text not in seen]
        seen.update(new)
        todo += new
    lossless = {germany.notation.write(order) for order in germany.orders} if dialect in (HOUSE, "german") else reached
    assert reached == lossless
    assert len(reached) > 30


@pytest.mark.parametrize("text", ["xyz", "A Mun - Mos", "F Lon", "A Ankara", "A Mun - Bur" * 60])
def test_what_nobody_may_order_is_not_completed(germany: Completer, text: str) -> None:
    """Other powers' units, places out of reach, nonsense and what is too long for an order."""
    assert not germany.complete(text).ways
