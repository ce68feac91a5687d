"""Maps of the drop-in: places, borders, units and phases as programs read them."""

from __future__ import annotations

import pickle
from copy import deepcopy
from pathlib import Path

import pytest

from gamesmaster.compat.diplomacy import Game, Map

STRAIT = str(Path(__file__).parents[1] / "data" / "imports" / "strait.map")


@pytest.fixture(name="standard")
def _standard() -> Map:
    return Map()


def test_maps_are_shared_and_copies_are_not(standard: Map) -> None:
    """A name gives one object; a copy, or one without the cache, can be changed alone; one that travels is found."""
    assert Map("standard") is standard
    assert Map("standard", use_cache=False) is not standard
    copy = deepcopy(standard)
    copy.locs.clear()
    assert standard.locs
    assert pickle.loads(pickle.dumps(standard)) is standard
    assert str(copy) == "standard"


def test_places_have_the_names_of_the_package(standard: Map) -> None:
    """82 places, coasts before the province that armies use, and the province without fleets in small letters."""
    assert len(standard.locs) == 82
    assert standard.locs[15:18] == ["BUL/EC", "BUL/SC", "bul"]
    assert standard.find_coasts("spa") == ["SPA/NC", "SPA/SC", "SPA"]
    assert standard.loc_name["BULGARIA (EAST COAST)"] == "BUL/EC"
    assert [standard.area_type(place) for place in ("ADR", "bul", "BUL/EC", "BUR", "SWI", "XXX")] == [
        "WATER", "COAST", "COAST", "LAND", "SHUT", None,
    ]  # fmt: skip
    assert standard.scs[:3] == ["BUD", "TRI", "VIE"]
    assert len(standard.scs) == 34


def test_borders_say_who_may_pass(standard: Map) -> None:
    """Small letters are for armies alone, and 'S' reaches a province by any of its coasts."""
    assert standard.abut_list("LVP") == ["CLY", "edi", "IRI", "NAO", "WAL", "yor"]
    assert standard.loc_abut["BUL/EC"] == ["BLA", "CON", "RUM"]
    assert "SWI" in standard.abut_list("MUN")
    assert "BUL" in standard.abut_list("AEG", incl_no_coast=True)
    asked = [
        ("F", "GRE", "-", "BUL"), ("F", "GRE", "-", "BUL/SC"), ("F", "GRE", "S", "BUL/EC"), ("A", "SER", "-", "BUL"),
        ("A", "POR", "C", "MAO"), ("?", "YOR", "S", "LVP"), ("F", "YOR", "S", "LVP"), ("A", "MUN", "S", "SWI"),
    ]  # fmt: skip
    assert [standard.abuts(*one) for one in asked] == [0, 1, 1, 1, 1, 1, 0, 0]
    assert standard.dest_with_coasts["BUL/EC"] == ["BLA", "CON", "RUM"]


def test_units_are_valid_where_they_may_stand(standard: Map) -> None:
    """Fleets need a coast where there are several, and nobody stands where the map is shut."""
    assert [standard.is_valid_unit(unit) for unit in ("F BUL", "F BUL/EC", "A BUL/EC", "? BUR", "A SWI", "A XXX")] == [
        0, 1, 0, 1, 0, 0,
    ]  # fmt: skip
    assert standard.is_valid_unit("F BUL", no_coast_ok=1)
    assert standard.is_valid_unit("A SWI", shut_ok=1)
    assert standard.default_coast(["F", "GRE", "-", "BUL"])[3] == "BUL/SC"
    assert standard.default_coast(["F", "MAO", "-", "SPA"])[3] == "SPA"


def test_phases_are_named_compared_and_counted(standard: Map) -> None:
    """Long and short names, the next and the previous of a type, and which comes first."""
    assert standard.phase_long("w1901a") == "WINTER 1901 ADJUSTMENTS"
    assert (standard.phase_long("bad"), standard.phase_abbr("Bad", "none")) == ("?????", "none")
    assert standard.find_next_phase("WINTER 1901 ADJUSTMENTS") == "SPRING 1902 MOVEMENT"
    assert standard.find_next_phase("SPRING 1902 RETREATS", "M", skip=1) == "SPRING 1903 MOVEMENT"
    assert standard.find_previous_phase("SPRING 1902 MOVEMENT", "R") == "FALL 1901 RETREATS"
    assert standard.find_next_phase("COMPLETED") == "COMPLETED"
    assert standard.compare_phases("FORMING", "S1901M") == -1
    assert standard.compare_phases("COMPLETED", "S1901M") == 1
    assert standard.compare_phases("S1901?", "S1901R") == 0


def test_a_map_of_a_file_is_played() -> None:
    """The path of a map file is the name of its map; a game on it is played and told of by that name."""
    game = Game(map_name=STRAIT)
    assert game.map_name == STRAIT
    assert game.map.powers == sorted(name.upper() for name in game.map.powers)
    start = game.get_current_phase()
    orders = [texts[0] for texts in game.get_all_possible_orders().values() if texts]
    for power in game.powers:
        game.set_orders(power, orders)
    game.process()
    assert game.map.compare_phases(start, game.get_current_phase()) == -1
