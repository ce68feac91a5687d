"""What is typed is completed to orders that may be given, in whatever dialect it is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gamesmaster.board import Location, Unit
from gamesmaster.host.orders.completion import MOST_WAYS, Completer
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import HOUSE, written_dialects
from gamesmaster.reading import Situation, read
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant, variant_names
from tests.lengths import mark_long

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


def movement(variant: str, units: Sequence[str] = ()) -> tuple[Rules, Situation, dict[str, Completer]]:
    """A movement phase with these units of the first power, or as the game begins, and what each power types."""
    found = find_variant(variant)
    rules = Rules.of(found)
    own = [Unit(n, kind, rules.powers[0], Location.of(at)) for n, (kind, at) in enumerate(map(str.split, units), 1)]
    position = replace(found.start, units=tuple(own)) if own else found.start
    at = Situation(rules, PhaseKind.MOVEMENT, position)
    legal = LegalOrders(rules, position)
    orders = {power: legal.of_power(PhaseKind.MOVEMENT, power) for power in rules.powers}
    return rules, at, {power: Completer(rules.notation, orders[power], power) for power in rules.powers}


@pytest.mark.parametrize(
    "variant", mark_long(variant_names(), but=("standard", "1000ad", "cline9", "conquest2", "scottomacy"))
)
def test_two_codes_come_to_the_move(variant: str) -> None:
    """In each game, for each unit: typed as the map shows them, and taken by Tab or entered as they are."""
    rules, at, completers = movement(variant, ["A Rom", "A Par", "F ADR"] if variant == "1000ad" else [])
    wrong, tried = list[str](), 0
    for power, completer in completers.items():
        for order in completer.orders:
            ends = _ends(order)
            if order.via or ends is None:
                continue
            text = " ".join(ends).lower()
            first = rules.notation.read(completer.complete(text).ways[0].order, PhaseKind.MOVEMENT)
            read_ = read(at, power, text, only_orders=True).orders
            tried += 1
            wrong += [f"{text}: {one}" for one in (first, *read_) if _ends(one) != ends] or ([] if read_ else [text])
    assert wrong == []
    assert tried > 5


def _ends(order: Order) -> tuple[str, str] | None:
    """From where to where an order moves."""
    return (order.at.province, order.to.province) if order.verb is Verb.MOVE and order.at and order.to else None


@pytest.mark.parametrize(
    ("variant", "units", "text", "first"),
    [
        ("scottomacy", ["F r", "F 13"], "r s", "F r - s"),  # and not a support
        ("scottomacy", ["F f", "F 58/E"], "f e", "F f - e"),  # and no coast
        ("scottomacy", ["A/BB 62"], "62 h", "A/BB 62 H"),
        ("indianomacy", ["W/CF 12"], "12 h", "W/CF 12 H"),
        ("indianomacy", ["W 12", "W 1"], "1 ", "W 1 H"),
    ],
)
def test_codes_that_are_also_words_or_begin_others(variant: str, units: list[str], text: str, first: str) -> None:
    """Two codes come before other orders with these words, but `h` holds; a space ends a code."""
    rules, _, completers = movement(variant, units)
    assert completers[rules.powers[0]].complete(text).ways[0].order == first


@pytest.mark.parametrize("text", ["xyz", "A Mun - Mos", "F Lon", "A Ankara", "A Mun - Bur" * 60])
def test_what_nobody_may_order_is_not_completed(germany: Completer, text: str) -> None:
    """Other powers' units, places out of reach, nonsense and what is too long for an order."""
    assert not germany.complete(text).ways
