"""Armies aboard fleets in batches: under every setting they come to what they come to at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from gamesmaster.batches.batch import Batch
from gamesmaster.batches.support import supports
from gamesmaster.board import Position, Terrain, units_from
from gamesmaster.environments import VectorEnvironment
from gamesmaster.judge import LegalOrders
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.mechanics.boats import Boats
from gamesmaster.mechanics.boxes import implied_mechanics
from gamesmaster.mechanics.elimination import Anarchy
from gamesmaster.mechanics.homes import RemovalOrder
from gamesmaster.mechanics.slow_crossing import SlowCrossing
from gamesmaster.mechanics.supply import FreeUnits
from gamesmaster.mechanics.taboo import Taboo
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import BoardMechanic, Mechanic, Rules, extend
from gamesmaster.variant import Variant, find_variant
from tests.batches.test_mechanics import played
from tests.batches.test_orders import _sets
from tests.environments.test_vector import go_on_as_at_the_table
from tests.lengths import short_and_long

pytestmark = pytest.mark.together

STANDARD = find_variant("standard")
SEA, ISLANDS, BOX = Terrain.SEA, Terrain.ISLANDS, Terrain.BOX

CROWD = {
    "England": ["A MAO", "A MAO", "F MAO", "F MAO", "F MAO", "F LON"],
    "France": ["A MAO", "F MAO", "A MAO", "F MAO", "A/F MAO", "A PAR"],
    "Turkey": ["F BLA", "A BLA", "A BLA", "F BLA", "A CON"],
    "Germany": ["F MAO", "A MAO", "F KIE", "A/F NTH"],
    "Italy": ["A NAP", "F ROM", "A/F WES", "F LYO"],
    "Austria": ["A VIE", "F TRI", "A/F ADR"],
    "Russia": ["F BLA", "A/F BLA", "A BLA", "A SEV"],
}


@dataclass(frozen=True)
class Made:
    """The regular game with armies aboard fleets, under a book, with other terrain, mechanics and units."""

    pairs: dict[str, Any] = field(default_factory=dict)
    book: Mapping[str, str] = field(default_factory=dict)
    terrain: Mapping[str, Terrain] = field(default_factory=dict)
    units: Mapping[str, Sequence[str]] = field(default_factory=dict)
    beside: Sequence[Mechanic] = ()

    @property
    def variant(self) -> Variant:
        """The variant."""
        provinces = (replace(p, terrain=self.terrain.get(p.id, p.terrain)) for p in STANDARD.board.provinces)
        board = replace(STANDARD.board, provinces=tuple(provinces))
        mechanics = (*self.beside, ArmyFleet(**self.pairs), *implied_mechanics(board))
        board = extend(board, mechanics)
        kinds = {**STANDARD.kinds, **{kind: words for one in mechanics for kind, words in one.kinds().items()}}
        start = STANDARD.start
        if self.units:
            start = Position(units_from(self.units, forms=board.forms), start.owners)
        book = {"preset": "datc", **self.book} if self.book else STANDARD.rulebook
        made = replace(STANDARD, board=board, kinds=kinds, mechanics=mechanics, rulebook=book)
        for begin in Rules.of(made).hooks(BoardMechanic.start):
            start = begin(Rules.of(made), start)
        return replace(made, start=start)


DAVIS = Made()
CONQUEST = Made(
    {
        "form_where": "box",
        "board_order": "implied",
        "land_same_season_as_boarding_without_sailing": True,
        "loaded_enters": (SEA, ISLANDS, BOX),
        "max_seasons_aboard": 0,
        "landing_order": "pair",
        "land_where": ("coastal", "islands"),
        "land_same_season_as_sailing": False,
        "landing_independent_of_fleet": False,
        "landing_cuts_support_into_own_sea": "never",
        "plain_convoy": "regular",
        "failed_plain_convoy": "home",
        "remove_fleet_alone": "box",
    },
    terrain={"MAO": BOX, "BLA": BOX, "NAF": ISLANDS, "TUN": ISLANDS},
    units=CROWD,
)
SCOTTISH = Made(
    {
        "powers": ("England", "France", "Turkey", "Italy"),
        "board_order": "both",
        "board_timing": "whole_season",
        "loaded_supports_onto_land": False,
        "max_seasons_aboard": 0,
        "landing_order": "pair",
        "land_same_season_as_sailing": False,
        "landing_independent_of_fleet": False,
        "plain_convoy": "none",
        "failed_plain_convoy": "home",
        "retreat_to_coast": "never",
        "remove_whole_needs": 1,
    },
    {"double_orders": "cancel"},
)
GRATIS = (
    FreeUnits("Austria", {"A": 2}),
    FreeUnits("Italy", {"A": 3, "F": 2}),
    FreeUnits("France", {"F": 2}),
    FreeUnits("England", {"A": 1, "F": 1}),
)
LADEN = {
    "Austria": ["A/F ADR", "A/F ION", "F TRI"],
    "Italy": ["A/F TYS", "A/F WES", "A/F LYO", "A APU"],
    "France": ["A/F MAO", "A/F ENG", "F BRE", "A PAR", "A MAR"],
    "England": ["A/F NTH", "A/F NWG", "A/F IRI", "A LVP", "F LON"],
    "Germany": ["A MUN"],
}
CASES = {
    "of Davis's module": DAVIS,
    "under the rules of 1971": Made(book={"preset": "1971"}),
    "as in Scottomacy": SCOTTISH,
    "by the fleet's order": replace(SCOTTISH, pairs=SCOTTISH.pairs | {"board_order": "fleet"}),
    "by the first order": replace(SCOTTISH, pairs=SCOTTISH.pairs | {"board_order": "fleet"}, book={}),
    "beside boats": replace(SCOTTISH, beside=(Boats("A", "A/BB", ("BB",), carry=2),)),
    "as in Conquest of the New World II": CONQUEST,
    "that land late, some removed only whole": replace(
        CONQUEST,
        pairs=CONQUEST.pairs
        | {
            "powers": ("England", "France", "Russia"),
            "land_same_season_as_boarding_without_sailing": False,
            "remove_fleet_alone": "never",
            "remove_whole_needs": 1,
            "max_seasons_aboard": 3,
        },
        book={"excess_removals": "last"},
    ),
    "that fill the season, the first order counting": Made(
        {
            "board_timing": "whole_season",
            "plain_convoy": "regular",
            "land_same_season_as_boarding_without_sailing": True,
            "failed_plain_convoy": "home",
            "landing_cuts_support_into_own_sea": "never",
        },
        {"double_orders": "first"},
    ),
    "that fill the season, orders cancelling": Made({"board_timing": "whole_season"}, {"double_orders": "cancel"}),
    "by both orders, the last counting": Made(
        {"board_timing": "whole_season", "board_order": "both", "retreat_to_coast": "never", "max_seasons_aboard": 1},
        {"double_orders": "last", "excess_removals": "last"},
    ),
    "on islands": Made(
        {
            "loaded_enters": (SEA, ISLANDS),
            "land_where": ("coastal", "islands"),
            "land_same_season_as_boarding_without_sailing": True,
            "landing_cuts_support_into_own_sea": "never",
        },
        terrain={"NAF": ISLANDS, "TUN": ISLANDS, "DEN": ISLANDS, "SWE": ISLANDS, "GRE": ISLANDS},
    ),
    "by an order for the pair": Made(
        {"landing_order": "pair", "landing_independent_of_fleet": False, "max_seasons_aboard": 2}
    ),
    "that go down with their fleets": Made(
        beside=(
            SlowCrossing(("NTH", "ION", "ENG", "BLA"), storms=("Summer", "Winter"), sojourn=2),
            Taboo(("HOL", "WES", "AEG", "NWY")),
        )
    ),
    "of which some cost nothing": replace(
        SCOTTISH, pairs=SCOTTISH.pairs | {"powers": (), "plain_convoy": "regular"}, beside=GRATIS, units=LADEN
    ),
    "of which some cost nothing, the last order counting": Made(
        {"remove_whole_needs": 2}, {"excess_removals": "last"}, units=LADEN, beside=GRATIS
    ),
    "of those who fall silent, some of which cost nothing": Made(units=LADEN, beside=(*GRATIS, Anarchy(0))),
    "of those who fall silent": replace(
        CONQUEST, beside=(Anarchy(0), RemovalOrder("moves", "kind", {"France": ("MAO",), "Turkey": ("SYR",)}))
    ),
}


@pytest.mark.parametrize("made", CASES.values(), ids=CASES)
@short_and_long("games", 10, 24)
def test_pairs_are_where_they_are_at_the_table(made: Made, games: int) -> None:
    """They are formed, sail, land, starve, flee, sink and are removed, phase by phase as at the table."""
    played(made.variant, games=games, years=5)


@pytest.mark.parametrize("made", [DAVIS, SCOTTISH, CONQUEST], ids=["Davis", "Scottomacy", "Conquest"])
def test_what_can_be_drawn_is_what_is_lawful(made: Made) -> None:
    """Of every unit the orders on offer are the judge's list, those to board, take aboard, land and ferry too."""
    variant = made.variant
    batch, rules, verbs = Batch(variant, 4, seed=3), Rules.of(variant), set()
    while batch.phase.year < 1905:
        if batch.phase.kind is PhaseKind.MOVEMENT:
            for i in range(len(batch)):
                for offered, lawful in _sets(batch, rules, i):
                    assert offered == lawful
                legal = LegalOrders(rules, batch.position(i))
                verbs |= {order.verb for unit in batch.position(i).units for order in legal.of_unit(unit)}
        batch.draw()
        batch.carry_out()
    assert verbs - set(Verb)


def test_answers_of_programs_about_pairs_are_carried_out() -> None:
    """What programs choose is the judge's, too; a fleet goes from under its army only where the army can stay."""
    variant = replace(CONQUEST, pairs=CONQUEST.pairs | {"remove_fleet_alone": "never"}).variant
    env = VectorEnvironment(variant, 6, seed=2, until=1903)
    assert go_on_as_at_the_table(env) > 20


def test_what_cannot_be_told_apart_is_refused() -> None:
    """Whose landing an order is for, where several fleets lie; and loaded fleets on one of several coasts."""
    own = replace(CONQUEST, pairs=CONQUEST.pairs | {"landing_order": "own"})
    assert supports(own.variant).why_not == (
        "the mechanic ArmyFleet (armies land by orders of their own where several fleets lie)",
    )
    split = Made({"loaded_enters": (SEA, ISLANDS)}, terrain={"SPA": ISLANDS, "POR": ISLANDS})
    assert supports(split.variant).why_not == ("the mechanic ArmyFleet (loaded fleets lie on coasts)",)
