"""Dialects: their tables, what is written in them, and that it is read back."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Position, Unit
from gamesmaster.errors import NotFound
from gamesmaster.judge import LegalOrders
from gamesmaster.judge.legal import add_dislodged, given_options
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import HOUSE, dialects, find_dialect, written_dialects
from gamesmaster.reading import Situation, read
from gamesmaster.reading.situation import Effort
from gamesmaster.reading.sketch import MOST_STEPS
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant
from tests.lengths import mark_long
from tests.orders.conftest import EVERY_VERB

STANDARD = find_variant("standard")
RULES = Rules.of(STANDARD)
WRITTEN = [HOUSE, *(dialect.id for dialect in written_dialects())]
MIDGAME = [
    ("England", "F", "NTH"), ("England", "A", "NWY"), ("England", "F", "ENG"), ("England", "A", "YOR"),
    ("France", "A", "BUR"), ("France", "F", "MAO"), ("France", "A", "PIC"), ("France", "F", "SPA/SC"),
    ("Germany", "A", "MUN"), ("Germany", "F", "DEN"), ("Germany", "A", "HOL"), ("Germany", "F", "BAL"),
    ("Italy", "F", "TYS"), ("Italy", "A", "APU"), ("Italy", "F", "ION"), ("Italy", "A", "VEN"),
    ("Russia", "F", "STP/SC"), ("Russia", "A", "LVN"), ("Russia", "F", "BLA"), ("Russia", "A", "UKR"),
    ("Turkey", "A", "BUL"), ("Turkey", "F", "AEG"), ("Turkey", "A", "SMY"), ("Austria", "A", "TYR"),
]  # fmt: skip


def units() -> tuple[Unit, ...]:
    """A position in which there is something of everything."""
    board = RULES.board
    return tuple(Unit(n, kind, power, board.locations_by_id[at]) for n, (power, kind, at) in enumerate(MIDGAME, 1))


@cache
def scene(phase: PhaseKind, power: str) -> tuple[Situation, list[Order]]:
    """A situation, and all that a power may order in it."""
    position = Position(units())
    if phase is PhaseKind.RETREATS:
        beaten = tuple(unit for unit in units() if unit.power == power)
        position = add_dislodged(RULES, Position(tuple(u for u in units() if u.power != power)), beaten)
    if phase is PhaseKind.ADJUSTMENTS:
        return Situation(RULES, phase, position), list(given_options(RULES, phase, position, power))
    return Situation(RULES, phase, position), LegalOrders(RULES, position).of_power(phase, power)


@pytest.mark.bulk
@pytest.mark.parametrize("dialect", WRITTEN)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_back(dialect: str, data: st.DataObject) -> None:
    """Whatever may be ordered is the same order again when it is written in a dialect and read."""
    phase = data.draw(st.sampled_from(list(PhaseKind)))
    power = data.draw(st.sampled_from(RULES.powers))
    situation, listed = scene(phase, power)
    if not listed:
        return
    order = data.draw(st.sampled_from(listed))
    text = RULES.notation.write(replace(order, power=power if dialect == "daide" else ""), dialect=dialect)
    found = read(situation, power, text)
    assert not found.refused, (text, found.refused)
    (one,) = found.orders
    assert same(one, order), (text, RULES.notation.write(one), RULES.notation.write(order))


@pytest.mark.bulk
def test_a_power_and_a_place_of_one_name() -> None:
    """Supports and convoys about the Channel are read back in the dialect in which "eng" could be England as well."""
    for power in RULES.powers:
        situation, listed = scene(PhaseKind.MOVEMENT, power)
        helping = [
            order for order in listed if order.of and "ENG" in (order.of.province, order.to and order.to.province)
        ]
        for order in helping:
            (one,) = read(situation, power, RULES.notation.write(order, dialect="diplicity")).orders
            assert same(one, order), RULES.notation.write(order)


def same(found: Order, meant: Order) -> bool:
    """Are these one order: a letter, a nationality, or that the only way is by sea, may be left out?"""
    if (found.verb, found.at, found.of, found.to) != (meant.verb, meant.at, meant.of, meant.to):
        return False
    return found.verb is not Verb.BUILD or found.kind in ("", meant.kind)


@pytest.mark.parametrize("dialect", dialects().values(), ids=dialects())
def test_a_table_names_what_there_is(dialect: object) -> None:
    """Every province, power and coast that a table has words for is one of the boards'."""
    from gamesmaster.orders.dialect import Dialect

    assert isinstance(dialect, Dialect)
    boards = [find_variant(name).board for name in ("standard", "cline9", "conquest2")]
    names = {province.name for board in boards for province in board.provinces}
    assert set(dialect.names) <= names
    assert set(dialect.powers) <= set(RULES.powers)
    assert set(dialect.coasts) <= {"NC", "SC", "EC", "WC"}
    assert dialect.title
    assert dialect.about
    for forms in dialect.forms.values():
        assert set(forms) <= {*Verb, *EVERY_VERB}


@pytest.mark.bulk
@pytest.mark.parametrize(
    "text",
    mark_long(
        ["a " * 60, "f bal s a " * 12, "gulf north sea " * 13, "a b c d, " * 20], but=("a " * 60, "f bal s a " * 12)
    ),
)
def test_a_hostile_sheet_takes_little_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a long sheet is made, only so much of it is looked into, and what is not an order is named."""
    effort = Effort()
    monkeypatch.setattr("gamesmaster.reading.lines.Effort", lambda: effort)
    situation, _ = scene(PhaseKind.MOVEMENT, "Germany")
    found = read(situation, "Germany", "\n".join([text] * 300))
    assert not found.orders
    assert len(found.refused) + len(found.passed_over) == 300
    assert effort.steps <= Effort.MOST_STEPS + MOST_STEPS


@pytest.mark.parametrize("name", ["cline9", "indianomacy2", "scottomacy", "conquest2", "1000ad"])
def test_what_the_program_prints_is_read_with_the_position(name: str) -> None:
    """In each game, what may be ordered at its start is the same order when the reader has its printed words."""
    variant = find_variant(name)
    rules = Rules.of(variant)
    for power in rules.powers[:3]:
        situation = Situation(rules, PhaseKind.MOVEMENT, variant.start)
        orders = list(dict.fromkeys(given_options(rules, PhaseKind.MOVEMENT, variant.start, power)))[::7]
        assert list(read(situation, power, "\n".join(map(rules.notation.write, orders))).orders) == orders


def test_a_stroke_begins_no_name() -> None:
    """The Channel's code is not England's name with a unit behind the dash."""
    situation, _ = scene(PhaseKind.MOVEMENT, "Germany")
    (one,) = read(situation, "Germany", "F DEN S F ENG - NTH").orders
    assert RULES.notation.write(one) == "F Den S F Eng - Nth"


def test_a_code_is_no_power_cut_short() -> None:
    """Greece's code is not read as "Great Britain", and nobody writes "Roma", with which "Romania" begins."""
    situation, _ = scene(PhaseKind.MOVEMENT, "Turkey")
    for text, plain in (
        ("bul Support apu gre", "A Bul S A Apu - Gre"),
        (RULES.notation.write(RULES.notation.read("A Bul - Rom VIA"), dialect="spanish"), "A Bul - Rom VIA"),
    ):
        assert [RULES.notation.write(one) for one in read(situation, "Turkey", text).orders] == [plain]


@pytest.mark.parametrize(
    ("variant", "text", "dialect", "written"),
    [
        ("standard", "A Hol - Nwy via Nth", "backstabbr", "A Hol - Nwy via Nth"),
        ("standard", "A Hol - Nwy via Nth", "daide", "(AMY HOL) CTO NWY VIA (NTH)"),
        ("standard", "A Bel S A Hol - Nwy via Nth", "daide", "A Bel S A Hol - Nwy via Nth"),
        ("standard", "Waive", "daide", "WVE"),
        ("indianomacy", "W 14 - 13 with CF", "webdiplomacy", "W 14 - 13 with CF"),
        ("conquest2", "A VIR boards VIS", "german", "A VIR boards VIS"),
    ],
)
def test_what_a_dialect_cannot_say_is_written_in_the_house_style(
    variant: str, text: str, dialect: str, written: str
) -> None:
    """A way by sea, a boat, a special order: where a table has no pattern, nothing of the order is lost."""
    notation = Rules.of(find_variant(variant)).notation
    assert notation.write(notation.read(text), dialect=dialect) == written


def test_a_dialect_that_nobody_knows_is_named() -> None:
    """A dialect goes by its id or its title; another name is refused, with the nearest one."""
    assert find_dialect("DAIDE") is find_dialect("daide")
    with pytest.raises(NotFound, match="no dialect 'daid'") as refused:
        find_dialect("daid")
    assert "daide" in refused.value.hint
