"""What `adjudicate` takes, and what it refuses, when a program hands it something else than it should."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from typing import Any

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.errors import BadPosition, NotFound
from gamesmaster.judge import adjudicate, movement
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites, Rules
from gamesmaster.variant import find_variant, variant_names

RULES = Rules.of(find_variant("standard"))
START = Position(units_from({"France": ["A PAR", "A MAR"], "Germany": ["A MUN"]}))
BOXES = {name: ("ATL",) if name == "conquest2" else () for name in variant_names()}
SHEET = "A Par - Bur\n\nA Mar S A Par - Bur\n"


def test_one_text_for_a_sheet() -> None:
    """A power's orders may be one text, an order a line, as `Game.submit` takes them."""
    lines = {"France": SHEET.split("\n")[:1] + SHEET.split("\n")[2:3]}
    whole = adjudicate(RULES, PhaseKind.MOVEMENT, START, {"France": SHEET})
    assert whole == adjudicate(RULES, PhaseKind.MOVEMENT, START, lines)
    assert [ruling.given for ruling in whole.rulings if ruling.given] == ["A Par - Bur", "A Mar S A Par - Bur"]


def test_the_word_for_a_kind_of_phase() -> None:
    """`"movement"` means the movement; a word that means none is refused with the nearest, not taken for a Winter."""
    assert adjudicate(RULES, "movement", START, {"France": SHEET}).position.at("BUR") is not None
    with pytest.raises(NotFound, match=r"no kind of phase 'moves'.*movement"):
        adjudicate(RULES, "moves", START, {})


@pytest.mark.parametrize("kind", PhaseKind)
@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("A XXX", "no province 'XXX'"),
        ("A Brgdny", r"no province 'Brgdny' \(did you mean Burgundy \(Bur\)\?\)"),
        ("Q PAR", r"no kind of unit 'Q' \(did you mean A PAR\?\)"),
        ("PAR", "'PAR' of France does not say what kind of unit it is"),
    ],
)
def test_units_that_cannot_be(unit: str, told: str, kind: PhaseKind) -> None:
    """A unit on no province of the board, or of no kind, is named in an error for people."""
    with pytest.raises(BadPosition, match=told):
        adjudicate(RULES, kind, Position(units_from({"France": [unit]})), {})


def test_units_in_any_spelling() -> None:
    """A position may name its units and centres as orders do; what comes of it has the board's names."""
    units = units_from({"France": ["A Par", "Army Marseilles", "f st petersburg (south coast)"], "Germany": ["a mun"]})
    position = Position(units, {"Paris": "France"})
    judged = adjudicate(RULES, PhaseKind.MOVEMENT, position, {"France": ["A Par - Bur", "A Mar S A Par - Bur"]})
    assert [str(unit) for unit in judged.position] == ["A BUR", "A MAR", "F STP/SC", "A MUN"]
    assert judged.position.owners == {"PAR": "France"}
    beaten = Dislodged(units_from({"Turkey": ["A Gre"]})[0], "Ion", (Location("Bul"),))
    judged = adjudicate(RULES, PhaseKind.RETREATS, Position(dislodged=(beaten,)), {"Turkey": ["A Gre - Bul"]})
    assert [str(unit) for unit in judged.position] == ["A BUL"]


def test_what_is_of_another_kind() -> None:
    """A name in the place of a variant or a position, and a number in that of orders, are told in a sentence."""
    rules: Any = RULES
    start: Any = START
    three: Any = 3
    for given, told in (
        (("start", "movement", start, {}), "Rules.of(variant), not 'start'"),
        ((rules, "retreats", "start", {}), "a Position, such as variant.start, not 'start'"),
        ((rules, "movement", start, "start"), "a mapping such as"),
        ((rules, "movement", start, {"France": three}), "a text or a list of texts for France, not 3"),
        ((rules, "movement", start, {"France": [three]}), "a text or an Order for France, not 3"),
        ((rules, "movement", start, {"France": [[three]]}), "a text or an Order for France, not a list"),
    ):
        with pytest.raises(TypeError, match=re.escape(f"expected {told}")):
            adjudicate(*given)
    with pytest.raises(TypeError, match="expected a Variant, as find_variant finds it, not 'standard'"):
        Rules.of("standard")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", PhaseKind)
@pytest.mark.parametrize("name", variant_names())
def test_two_units_in_one_place(name: str, kind: PhaseKind) -> None:
    """A second unit where only one may lie is refused with the place; in a box, and aboard, there may be several."""
    variant = find_variant(name)
    rules, start, boxes = Rules.of(variant), variant.start, {variant.board.province(name).id for name in BOXES[name]}
    for unit in start:
        second = replace(unit, number=1_000, aboard=0)
        both = replace(start, units=(*start.units, second))
        if unit.at.province in boxes or unit.aboard or variant.board.forms.get(unit.kind):
            continue
        with pytest.raises(BadPosition, match=rf"{unit.at}: .* is in the same province"):
            adjudicate(rules, kind, both, {})
    assert adjudicate(rules, kind, start, {}).rulings is not None
    for box in boxes:
        fleets = tuple(Unit(900 + n, "F", power, Location(box)) for n, power in enumerate(list(rules.powers)[:2]))
        assert adjudicate(rules, kind, replace(start, units=(*start.units, *fleets)), {}).rulings is not None


def test_a_fault_of_ours_is_not_blamed_on_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every unit is where it can be, what fails is told as it is."""

    def falling(*_: object) -> object:
        raise KeyError("A")

    monkeypatch.setattr(movement, "prepare", falling)
    with pytest.raises(KeyError):
        adjudicate(RULES, PhaseKind.MOVEMENT, START, {"France": ["A Par H", RULES.notation.read("A Mar H")]})


def test_adjudications_are_values() -> None:
    """Two of the same orders are equal, and so is one that comes out of a pickle; other orders make another."""
    one, same, other = (adjudicate(RULES, "movement", START, {"France": sheet}) for sheet in (SHEET, SHEET, "A Par H"))
    assert one == same == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(same)
    assert one != other
    assert one != SHEET
    assert hash(RULES) == hash(pickle.loads(pickle.dumps(RULES)))


def test_how_strong_an_attack_was() -> None:
    """Of a dislodged unit it is known what beat it and what it held with, also where it was itself about to move."""
    position = Position(units_from({"Turkey": ["A BUL", "F BLA"], "Russia": ["A RUM", "A SEV"]}))
    attack = {"Turkey": ["A Bul - Rum", "F Bla S A Bul - Rum"]}
    for russia, held in ((["A Rum H"], 1), (["A Rum - Bul"], 1), (["A Rum - Ser", "A Sev S A Rum - Ser"], None),
                         (["A Rum H", "A Sev S A Rum"], None), (["A Rum - Sev"], 1)):  # fmt: skip
        judged = adjudicate(RULES, "movement", position, attack | {"Russia": russia})
        assert judged.dislodgements == ({3: (2, held)} if held else {})
    assert pickle.loads(pickle.dumps(judged)).dislodgements == {}


@pytest.mark.parametrize(
    ("centres", "told"),
    [
        (["LON", "EDI", "LVP", "NWY"], "it may build in Edi, Lon, Lvp"),
        (["NWY"], "there is no place where it may build now"),
    ],
)
def test_where_one_may_build_instead(centres: list[str], told: str) -> None:
    """Who would build where that is not possible reads where it is."""
    position = Position((), dict.fromkeys(centres, "England"))
    (ruling,) = adjudicate(RULES, "adjustments", position, {"England": "Build F Nwy"}).rulings
    assert sorted(ruling.detail.removeprefix("it may build in ").split(", ")) == sorted(
        told.removeprefix("it may build in ").split(", ")
    )


def test_many_places_are_not_all_named() -> None:
    """Where a power may build in half the world, a dozen places are enough."""
    rules = Rules.of(replace(find_variant("standard"), build_sites=BuildSites.ANY_OWNED))
    position = Position((), dict.fromkeys(rules.board.centres[:20], "England"))
    (ruling,) = adjudicate(rules, "adjustments", position, {"England": "Build A Gas"}).rulings
    assert ruling.text.endswith(" and 8 more")
