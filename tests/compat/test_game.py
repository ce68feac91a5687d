"""Games of the drop-in: what programs set, read and play."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gamesmaster.compat.diplomacy import Game, GamePhaseData, Map, Message
from gamesmaster.compat.diplomacy.utils.order_results import BOUNCE, CUT, DISBAND, DISLODGED, NO_CONVOY, VOID
from gamesmaster.errors import BadFile, NotFound

DATA = Path(__file__).parents[1] / "data"


def board(*, phase: str = "S1901M", rules: tuple[str, ...] = (), **units: list[str]) -> Game:
    """A game on the standard map with these units only."""
    game = Game(rules=rules)
    game.clear_units()
    game.set_current_phase(phase)
    for power, some in units.items():
        game.set_units(power, some)
    return game


def recorded() -> Iterator[dict[str, Any]]:
    """Phases of games that people played elsewhere."""
    with gzip.open(DATA / "recorded_games.jsonl.gz", "rt", encoding="utf-8") as lines:
        phases = (json.loads(line) for line in lines if '"map":"standard"' in line)
        yield from (phase for phase in phases if phase["next"] and not phase.get("flag"))


def in_capitals(by_power: dict[str, Any]) -> dict[str, Any]:
    """What powers have, sorted, by their names in capitals; those that have nothing are left out."""
    return {power.upper(): sorted(some) for power, some in by_power.items() if some}


def test_recorded_phases_come_out_as_recorded() -> None:
    """Three hundred phases of recorded games, set as states, lead to the units and centres of the record."""
    game, kinds = Game(), set()
    for phase in islice(recorded(), 0, 3000, 10):
        units = {power.upper(): list(some) for power, some in phase["units"].items()}
        retreats: dict[str, dict[str, list[str]]] = {}
        for power, beaten in phase["dislodged"].items():
            retreats[power.upper()] = {out["unit"]: out["retreats"] for out in beaten if out["retreats"]}
            units[power.upper()] = units.get(power.upper(), []) + [f"*{unit}" for unit in retreats[power.upper()]]
        game.set_state({
            "name": phase["phase"],
            "units": {name: units.get(name, []) for name in game.powers},
            "retreats": retreats,
            "centers": {power.upper(): some for power, some in phase["centers"].items()},
        })  # fmt: skip
        for power, orders in phase["orders"].items():
            game.set_orders(power, orders)
        game.process()
        want, standing = phase["next"], {power: list(p.units) for power, p in game.powers.items()}
        assert in_capitals(standing) == in_capitals(want["units"]), phase
        if game.get_current_phase() == want["phase"]:  # phases with nothing to do are skipped
            assert in_capitals(game.get_centers()) == in_capitals(want["centers"]), phase
        kinds.add(phase["phase"][-1])
    assert kinds == {"M", "R", "A"}


def test_random_play_orders_only_what_is_possible() -> None:
    """Every possible order is taken as it is listed, and a game of them goes on to its last year."""
    chance, game = Random(5), Game()
    while not game.is_game_done and game.get_current_phase()[1:5] < "1904":
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            chosen = [chance.choice(possible[place]) for place in places if possible[place]]
            game.set_orders(power, chosen)
            kept = [order for order in dict.fromkeys(chosen) if order != "WAIVE"]
            assert sorted(game.get_orders(power)) == sorted(kept)
        assert not game.error
        data = game.process()
        assert data.name == list(game.state_history)[-1]
        assert set(data.results) >= {
            unit for units in data.state["units"].values() for unit in units if "M" in data.name
        }


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("LON H", "F LON H"),
        ("fleet london - north sea", "F LON - NTH"),
        ("F LON S LVP - WAL", "F LON S A LVP - WAL"),
        ("A LVP - YOR", "A LVP - YOR"),
        ("F BOT - STP", ""),
        ("A LON H", ""),
        ("nonsense", ""),
        ("A PAR - BUR", ""),
    ],
)
def test_orders_are_kept_as_the_package_writes_them(text: str, kept: str) -> None:
    """Loose spellings are put right, impossible orders and those for others' units are named as errors."""
    game = Game()
    game.set_orders("ENGLAND", text)
    assert game.get_orders("ENGLAND") == ([kept] if kept else [])
    assert bool(game.error) != bool(kept)


def test_a_fleet_that_reaches_one_coast_goes_there() -> None:
    """The coast is filled in where only one can be reached."""
    game = board(RUSSIA=["F BOT"], FRANCE=["F MAO"])
    game.set_orders("RUSSIA", "F BOT - STP")
    game.set_orders("FRANCE", "F MAO - SPA")
    assert game.get_orders("RUSSIA") == ["F BOT - STP/SC"]
    assert game.get_orders("FRANCE") == []


def test_later_orders_take_the_place_of_earlier_ones_unless_told() -> None:
    """`replace` decides which of two orders for a unit counts."""
    game = Game()
    game.set_orders("FRANCE", ["A PAR H", "A MAR H"])
    game.set_orders("FRANCE", "A PAR - BUR")
    game.set_orders("FRANCE", "A MAR - SPA", replace=False)
    assert sorted(game.get_orders("FRANCE")) == ["A MAR H", "A PAR - BUR"]


def test_results_have_the_words_of_the_package() -> None:
    """A bounce, a cut support, a dislodged unit, a convoy that failed and a support for nothing."""
    game = board(
        FRANCE=["A PAR", "A MAR", "F ENG", "A BRE"], GERMANY=["A MUN", "A RUH", "A BUR"], ENGLAND=["F NTH", "F IRI"]
    )
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F ENG C A BRE - LON", "A BRE - LON VIA"])
    game.set_orders("GERMANY", ["A BUR S A RUH", "A MUN - BUR", "A RUH S A MUN - KIE"])
    game.set_orders("ENGLAND", ["F NTH - ENG", "F IRI S F NTH - ENG"])
    game.process()
    assert game.get_order_status("FRANCE")["F ENG"] == [NO_CONVOY, DISLODGED]
    assert game.get_order_status(unit="A BRE") == [NO_CONVOY]
    assert game.get_order_status(loc="BUR") == ("A BUR", [CUT, DISLODGED])
    assert game.get_order_status(unit="A RUH") == [VOID]
    assert game.get_order_status(unit="A MUN") == [BOUNCE]
    assert game.dislodged == {"F ENG": "NTH", "A BUR": "PAR"}
    assert game.get_current_phase() == "S1901R"
    game.set_orders("GERMANY", "A BUR R BEL")
    game.process()
    assert "A BEL" in game.get_units("GERMANY")
    assert game.popped == ["F ENG"]
    assert game.result_history.last_value()["F ENG"] == [DISBAND]


def test_an_army_ordered_by_sea_walks_if_nobody_carries_it() -> None:
    """As in the package (DATC 4.A.3); a convoy that is broken leaves it where it is."""
    game = board(ENGLAND=["A LVP", "F IRI"])
    game.set_orders("ENGLAND", ["A LVP - WAL VIA", "F IRI H"])
    game.process()
    assert game.get_units("ENGLAND") == ["A WAL", "F IRI"]


def test_an_army_ordered_by_sea_walks_if_its_fleets_make_no_chain() -> None:
    """A fleet that would need another beside it carries nobody, and neither do those of other powers."""
    game = board(ITALY=["A APU", "F ION", "F TYS"], FRANCE=["A MAR", "F LYO"])
    game.set_orders("ITALY", ["A APU - ROM VIA", "F ION C A APU - ROM", "F TYS C A MAR - ROM"])
    game.set_orders("FRANCE", ["A MAR - PIE VIA", "F LYO C A APU - ROM"])
    game.process()
    assert game.get_units() | {"ITALY": ["A ROM", "F ION", "F TYS"], "FRANCE": ["A PIE", "F LYO"]} == game.get_units()


def test_supports_and_retreats_are_the_same_whether_an_army_comes_by_land_or_by_convoy() -> None:
    """No support dislodges a unit of its own power (DATC 6.D.12), and only vacant places are open to one dislodged."""
    for helper, retreats in (("FRANCE", {}), ("ENGLAND", {"A SPA": ["GAS"]})):
        game = board(ITALY=["A NAF", "F WES"], FRANCE=["A SPA", "A MAR"])
        game.set_units(helper, "F POR")
        game.set_orders("ITALY", ["A NAF - SPA VIA", "F WES C A NAF - SPA"])
        game.set_orders(helper, "F POR S A NAF - SPA")
        game.process()
        assert game.powers["FRANCE"].retreats == retreats


def test_impossible_orders_are_void_without_checks() -> None:
    """Under `NO_CHECK` orders are kept as they were sent, and their results say that they were void."""
    game = board(ENGLAND=["F NTH"], rules=("NO_CHECK",))
    game.set_orders("ENGLAND", ["F NTH - PAR"])
    assert game.get_orders("ENGLAND") == ["F NTH - PAR"]
    game.process()
    assert game.get_order_status(unit="F NTH") == [VOID]


def test_winters_build_waive_and_remove() -> None:
    """Builds beat waives, a second build in a place is void, and what nobody removes is removed."""
    game = board(phase="W1901A", FRANCE=["A PAR"], TURKEY=["A ANK", "A CON", "A SMY", "A BUL"])
    assert game.get_orderable_locations("FRANCE") == ["BRE", "MAR"]
    assert "WAIVE" in game.get_all_possible_orders()["BRE"]
    game.set_orders("FRANCE", ["WAIVE", "F BRE B", "A BRE B", "A MAR B", "A MOS B"])
    assert game.get_orders("FRANCE") == ["F BRE B", "A MAR B"]
    assert game.get_state()["builds"]["FRANCE"] == {"count": 2, "homes": ["BRE", "MAR"]}
    game.process()
    assert sorted(game.get_units("FRANCE")) == ["A MAR", "A PAR", "F BRE"]
    assert len(game.get_units("TURKEY")) == 3
    assert VOID in game.result_history.last_value()["A BRE"]


def test_a_game_ends_by_victory_draw_or_after_a_hundred_years() -> None:
    """Eighteen centres win, `draw` shares the game, and the last year shares it among all."""
    game = board(FRANCE=["A PAR"])
    game.set_centers("FRANCE", game.map.scs[:18])
    game.set_current_phase("F1901M")
    game.process()
    assert game.outcome == ["W1901A", "FRANCE"]
    assert (game.is_game_done, game.status, game.get_all_possible_orders()["PAR"]) == (True, "completed", [])
    assert game.process().name == "COMPLETED"

    game = Game()
    last, over = game.draw(["FRANCE", "ITALY"])
    assert (last.name, over.name, game.outcome) == ("S1901M", "COMPLETED", ["S1901M", "FRANCE", "ITALY"])

    game = Game()
    game.set_current_phase("F2000M")
    game.process()
    assert game.outcome == ["W2000A", *game.map.powers]


def test_powers_may_be_changed_directly() -> None:
    """A program that takes a unit from a list finds its orders, its builds and the number of the position changed."""
    game = Game()
    before, power = game.get_hash(), game.powers["FRANCE"]
    power.units.remove("A PAR")
    assert game.get_hash() != before
    assert not game.get_all_possible_orders()["PAR"]
    game.set_current_phase("W1901A")
    assert "A PAR B" in game.get_all_possible_orders()["PAR"]
    power.units.append("A PAR")
    assert game.rebuild_hash() == before
    power.units.append("nowhere")
    with pytest.raises(NotFound, match="'nowhere' of FRANCE"):
        game.process()


def test_a_game_travels_to_another_process_without_its_board() -> None:
    """A pickled game keeps what its units did, and its map is found again by name."""
    game = Game()
    game.set_orders("FRANCE", "A PAR - BUR")
    game.process()
    packed = pickle.dumps(game)
    unpacked = pickle.loads(packed)
    assert len(packed) < 20_000
    assert unpacked.command["A PAR"] == "- BUR"
    assert (unpacked.map, unpacked.get_hash()) == (game.map, game.get_hash())


def test_copies_go_their_own_ways() -> None:
    """A copied game has the same position, and neither changes the other."""
    game = Game()
    copy = deepcopy(game)
    copy.set_orders("FRANCE", "A PAR - BUR")
    copy.process()
    assert (game.get_current_phase(), copy.get_current_phase()) == ("S1901M", "F1901M")
    assert copy.powers["FRANCE"].game is copy
    assert game.map is copy.map


def test_states_lead_back_to_the_same_game() -> None:
    """A state, set in a fresh game, has the same possible orders and the same number."""
    game = board(phase="F1903R", GERMANY=["*A BUR", "A MUN"], FRANCE=["A PAR"])
    fresh = Game()
    fresh.set_state(json.loads(json.dumps(game.get_state())))
    assert fresh.get_hash() == game.get_hash()
    assert fresh.get_all_possible_orders() == game.get_all_possible_orders()
    assert game.get_all_possible_orders()["BUR"][0].startswith("A BUR R ")
    with pytest.raises(BadFile, match="a state of the map 'pure'"):
        fresh.set_state({"map": "pure"})


def test_messages_are_read_by_those_they_are_for() -> None:
    """Times rise, powers read their own, and a phase takes its messages into the history."""
    game = Game()
    for recipient in ("GERMANY", "GLOBAL", "OBSERVER"):
        game.add_message(Message(sender="FRANCE", recipient=recipient, message="Peace?", phase="S1901M"))
    game.add_message(Message(sender="ITALY", recipient="FRANCE", message="First", phase="S1901M", time_sent=1))
    seen = {role: len(game.filter_messages(game.messages, role)) for role in ("GERMANY", "TURKEY", "observer_type")}
    assert seen == {"GERMANY": 2, "TURKEY": 1, "observer_type": 2}
    assert len(game.filter_messages(game.messages, "omniscient_type", timestamp_from=2)) == 3
    assert [*game.messages] == sorted(game.messages)
    assert game.messages.first_value().message == "First"
    game.process()
    assert not game.messages
    assert len(game.get_phase_from_history("S1901M", "TURKEY").messages) == 1
    player = Game(role="FRANCE")
    assert player.is_player_game()
    assert player.new_power_message("ITALY", "Hello").sender == "FRANCE"
    assert player.new_global_message("Hello").is_global()
    assert game.new_system_message("OBSERVER", "Hello").for_observer()


def test_histories_can_be_cut() -> None:
    """Phases are found by name or index, both ends included."""
    game = Game()
    for _ in range(4):
        game.process()
    assert [phase.name for phase in game.get_phase_history("F1901M", 2)] == ["F1901M", "S1902M"]
    assert len(game.get_phase_history()) == 4
    other = Game()
    other.set_phase_data([*game.get_phase_history(), game.get_phase_data()])
    assert [*other.state_history] == [*game.state_history]
    assert other.get_current_phase() == "S1903M"
    other.set_phase_data(GamePhaseData.from_dict(game.get_phase_history()[0].to_dict()))
    assert (other.get_current_phase(), len(other.state_history)) == ("S1901M", 0)


def test_unknown_powers_and_maps_are_refused_with_the_nearest() -> None:
    """A slip in a name is an error that says what was meant."""
    with pytest.raises(NotFound, match="did you mean FRANCE"):
        Game().set_orders("FRANZE", [])
    with pytest.raises(NotFound):
        Map("standart")
    for other in ("scottomacy", "1000ad"):
        with pytest.raises(BadFile, match="could not name"):
            Map(other)


def test_the_map_is_drawn() -> None:
    """`render` gives a picture of the position with the orders given so far; other maps have none."""
    game = Game()
    game.set_orders("FRANCE", "A PAR - BUR")
    drawn = game.render()
    assert drawn.startswith("<svg")
    assert len(drawn) > len(game.render(incl_orders=False))
    with pytest.raises(NotFound, match="no picture"):
        game.render(output_format="png")


def test_flags_of_games_and_powers() -> None:
    """Rules, controllers and waiting are kept for programs to read."""
    game = Game()
    assert (game.no_press, game.solitaire, game.public_press, game.is_game_active) == (True, True, False, True)
    game.remove_rule("NO_PRESS")
    assert not game.no_press
    game.set_controlled("FRANCE", "somebody")
    power = game.get_power("FRANCE")
    assert power is not None
    assert (power.is_controlled(), power.get_controller(), game.get_power("PRUSSIA")) == (True, "somebody", None)
    assert not game.does_not_wait()
    for name in game.powers:
        game.set_orders(name, [])
        game.set_wait(name, False)
    assert game.does_not_wait()
    with game.current_state() as same:
        assert same is game
    assert "PHASE SPRING 1901 MOVEMENT" in str(game)
    assert "OWNS" in str(power)
