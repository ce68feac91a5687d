"""Slow crossings, storms, taboo ground, reinforcements, downfall by themselves: parameters, plain units, properties."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.board import Board, Dislodged, Finding, Form, Location, Position, read_board, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import Movement, MovementMechanic, adjudicate, build_sites, legal_orders
from gamesmaster.mechanics import (
    Boats,
    Downfall,
    Extinction,
    Reinforcement,
    Reinforcements,
    SlowCrossing,
    Taboo,
    make_mechanic,
)
from gamesmaster.mechanics.elimination import DownfallEvent
from gamesmaster.mechanics.reinforcements import ReinforcementCause, ReinforcementEvent
from gamesmaster.mechanics.slow_crossing import CrossingCause, CrossingEvent
from gamesmaster.mechanics.taboo import TabooEvent
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.rules import Cause, Event, Mechanic, MechanicResult, Result, Rulebook, Rules, Season
from tests.mechanics.seasons import Case, play, small_game

BOARD = read_board(board_folder("standard") / "board.json")
POWERS = ("England", "France", "Germany", "Russia", "Turkey")
M, R, A = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
SUMMER = Season("Spring", 1901, 0, R, ("Summer",))


def rules(*mechanics: Mechanic, board: Board = BOARD) -> Rules:
    """The regular rules with these mechanics."""
    homes = {power: tuple(p.id for p in board.provinces if p.home == power and p.centre) for power in POWERS}
    return Rules(board, POWERS, homes, mechanics=mechanics)


def never(sides: int, clause: str, subject: str) -> int:
    """Nobody may throw a die here."""
    raise AssertionError(subject)


# -- slow crossings --------------------------------------------------------------------------------------------------


def test_plain_fleets_cross_slowly() -> None:
    """A fleet that has just come may not leave, is offered nothing but what it may do, and may support meanwhile."""
    mechanic = SlowCrossing(("NTH",), sojourn=2)
    game = rules(mechanic)
    start = Position(units_from({"England": ["F LON", "F NWY"]}))
    entered = adjudicate(game, M, start, {"England": ["F LON - NTH"]}).position
    assert entered.state == {"slow-crossing": {"NTH": 0}}
    early = adjudicate(game, M, entered, {"England": ["F NTH - BEL"]})
    assert (early.rulings[0].result, early.rulings[0].cause) == (Result.VOID, CrossingCause.TOO_EARLY)
    assert early.rulings[0].clause == "IND-9.b"
    assert early.position.state == {"slow-crossing": {"NTH": 1}}
    assert {o.verb for o in legal_orders(game, entered, entered.units[0])} == {Verb.HOLD, Verb.SUPPORT}
    out = adjudicate(game, M, early.position, {"England": ["F NTH - BEL"]}).position
    assert out.state == {}
    helped = adjudicate(game, M, entered, {"England": ["F NTH S F NWY - SKA", "F NWY - SKA"]})
    assert [r.result for r in helped.rulings] == [Result.SUCCEEDS, Result.SUCCEEDS]


def test_only_some_kinds_are_held_and_only_storms_keep_no_clock() -> None:
    """With `only`, others come and go and meet no storm; without a sojourn there is no state at all."""
    armies = SlowCrossing(("NTH",), storms=("Summer",), sojourn=3, only=("A",))
    start = Position(units_from({"England": ["F LON"]}))
    entered = adjudicate(rules(armies), M, start, {"England": ["F LON - NTH"]}).position
    assert entered.state == {}
    assert armies.phase_begins(rules(armies), SUMMER, entered, never) == (entered, ())
    storms = SlowCrossing(("NTH",), storms=("Summer",))
    assert adjudicate(rules(storms), M, start, {"England": ["F LON - NTH"]}).position.state == {}
    assert storms.phase_begins(rules(storms), SUMMER._replace(name="Fall", also=()), entered, never) == (entered, ())


def test_an_order_that_cannot_be_carried_out_is_no_attempt_to_leave() -> None:
    """Who had to leave and was sent where nobody can go is lost, also where that keeps him from being supported."""
    for answer in ("holds_supportable", "refuses_support"):
        game = replace(
            rules(SlowCrossing(("NTH",), sojourn=1, must_leave=True)), rulebook=Rulebook(impossible_order=answer)
        )
        start = Position(units_from({"England": ["F NTH", "F NWY"]}))
        lost = adjudicate(game, M, start, {"England": ["F NTH - SPA/SC", "F NWY S F NTH"]})
        assert [str(unit) for unit in lost.position.units] == ["F NWY"]
        assert lost.happened == (Event(CrossingEvent.OVERDUE, "England", "NTH"),)


class Maelstrom(MovementMechanic):
    """Whoever is in the North Sea after the moves is lost."""

    id = "maelstrom"

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Take the units off."""
        return MechanicResult(replace(position, units=tuple(u for u in position.units if u.at.province != "NTH")))


def test_no_clock_runs_for_those_who_are_lost() -> None:
    """Those whom another mechanic takes off after the moves leave no clock behind, and are not lost a second time."""
    game = rules(Maelstrom(), SlowCrossing(("NTH", "SKA"), sojourn=2, must_leave=True))
    start = Position(units_from({"England": ["F EDI", "F NWY"]}))
    done = adjudicate(game, M, start, {"England": ["F EDI - NTH", "F NWY - SKA"]})
    assert [str(unit) for unit in done.position.units] == ["F SKA"]
    assert (done.position.state, done.happened) == ({"slow-crossing": {"SKA": 0}}, ())


def test_a_storm_takes_what_is_carried() -> None:
    """One die for a loaded fleet; with it goes the army aboard, and boats go down with those afloat in them."""
    board = replace(BOARD, ways={**BOARD.ways, "A/F": "fleet"}, forms={"A/F": Form("F", "A")})
    mechanic = SlowCrossing(("NTH", "ENG"), storms=("Spring retreats",), sides=20, sinks_on=(7,))
    game = rules(mechanic, Boats("A", "A/B", ("boat",)), board=board)
    state = {"boats": {"lie": {"NTH": ["England"], "LON": ["England"]}}}
    units = units_from({"England": ["A/F NTH", "A LON"], "France": ["F ENG"]}, forms=board.forms)
    thrown: list[tuple[int, str, str]] = []

    def throw(sides: int, clause: str, subject: str) -> int:
        thrown.append((sides, clause, subject))
        return 7 if "NTH" in subject else 8

    after, happened = mechanic.phase_begins(game, SUMMER, Position(units, state=state), throw)
    assert thrown == [(20, "IND-9.c", "England A/F NTH"), (20, "IND-9.c", "France F ENG")]
    assert [str(u) for u in after.units] == ["A LON", "F ENG"]
    assert after.state == {"boats": {"lie": {"LON": ["England"]}}}
    assert happened == (Event(CrossingEvent.SUNK, "England", "NTH"), Event(CrossingEvent.WEATHERED, "France", "ENG"))


MOVES = ("W/CF b - 3", "W/CF b - 4", "W/CF b - 6", "W/CF b H")
INTO = ("W 6 - b with CF", "W 4 - b with CF", "W 6 H", "W 4 H", "W 6 - 4", "W 4 - 3")


@given(st.integers(0, 4), st.sampled_from(MOVES), st.lists(st.sampled_from(INTO), max_size=4), st.booleans())
def test_the_clock_belongs_to_whoever_is_on_the_bay(since: int, out: str, others: list[str], crossing: bool) -> None:
    """It runs on for one who stays, begins anew for a newcomer, is gone with the Bay empty; nobody leaves too early."""
    units = {"Iroquois": ["W/CF b", "W 6"] if crossing else ["W 6"], "Blackfeet": ["W 4"]}
    lie = {place: [""] for place in ("4", "6", *(["b"] if crossing else []))}
    state: dict[str, object] = {"boats": {"lie": lie}}
    if crossing:
        state["slow-crossing"] = {"b": since}
    orders = {"Iroquois": [out, *(o for o in others if " 6" in o[:4])], "Blackfeet": [o for o in others if "W 4" in o]}
    case = Case("", "canoes", "Spring 1602", units, orders, state=state)
    before, after = case.position(), play(case).step.position
    was, now = before.at("b"), after.at("b")
    clock = after.state.get("slow-crossing")
    if now is None:
        assert clock is None
    elif was and now.number == was.number:
        assert clock == {"b": since + 1}
    else:
        assert clock == {"b": 0}
    if was and since < 1:
        assert now
        assert now.number == was.number


# -- taboo -----------------------------------------------------------------------------------------------------------


def test_the_broken_ground_is_open_to_retreats_of_the_season() -> None:
    """Whoever is beaten beside it may flee there at once; nobody may flee whence the attack came (IND-5.e)."""
    case = Case(
        "", "canoes", "Spring 1602",
        {"Iroquois": ["W 14"], "Illinois": ["W 68", "W 70"], "Muskhogeans": ["W 67"]},
        {"Iroquois": ["W 14 - 120"], "Illinois": ["W 68 - 67", "W 70 S W 68 - 67"]},
        state={"taboo": {"whole": ["120"], "cursed": {}}},
    )  # fmt: skip
    step = play(case).step
    assert step.phase.code == "S1602R"
    (beaten,) = step.position.dislodged
    assert Location("120") in beaten.retreats
    assert Location("68") not in beaten.retreats
    fled = adjudicate(Rules.of(case.variant), R, step.position, {"Muskhogeans": ["W 67 R 120"]})
    assert fled.position.at("120")


def test_a_curse_runs_out_winter_by_winter() -> None:
    """It lasts as many Winters as told, played or skipped; a new deed begins it anew; nobody else is concerned."""
    mechanic = Taboo(("BUR",), winters=3)
    game = rules(mechanic)
    start = mechanic.start(game, Position(units_from({"France": ["A BUR"]}), {"PAR": "France", "LON": "England"}))
    position, happened = mechanic.after_movement(game, start)
    assert (position.units, happened) == ((), (Event(TabooEvent.CURSED, "France", "BUR"),))
    for left in (3, 2, 1):
        assert position.state == {"taboo": {"whole": [], "cursed": {"France": left}}}
        assert build_sites(game, position, "France") == {}
        assert build_sites(game, position, "England")
        position = mechanic.after_winter(game, position, position)
    assert position.state == {}
    assert build_sites(game, position, "France")


def test_the_innocent_and_nobody() -> None:
    """Without a curse to lay only the unit is lost; a unit of nobody is lost too, and nobody is cursed."""
    mechanic = Taboo(("BUR", "PIC"), winters=0)
    start = Position(units_from({"Neutral": ["A BUR"]}), state={"taboo": {"whole": ["BUR", "PIC"], "cursed": {}}})
    after, _ = mechanic.after_movement(rules(mechanic), start)
    assert after.state == {"taboo": {"whole": ["PIC"], "cursed": {}}}
    assert mechanic.after_movement(rules(mechanic), after) == (after, ())


def test_every_trespasser_of_a_phase_is_lost() -> None:
    """Two that enter two taboo grounds at once are both lost, and both powers are cursed (IND-5.b)."""
    mechanic = Taboo(("BUR", "PIC"))
    game = rules(mechanic)
    start = mechanic.start(game, Position(units_from({"France": ["A PAR", "A GAS"], "England": ["F ENG"]})))
    done = adjudicate(game, M, start, {"France": ["A PAR - BUR"], "England": ["F ENG - PIC"]})
    assert [str(unit) for unit in done.position.units] == ["A GAS"]
    assert set(done.happened) == {
        Event(TabooEvent.CURSED, "France", "BUR"),
        Event(TabooEvent.CURSED, "England", "PIC"),
    }
    assert done.position.state == {"taboo": {"whole": [], "cursed": {"England": 2, "France": 2}}}


@pytest.mark.parametrize(
    ("by", "open_to"),
    [("SIL", {"BER", "BOH", "BUR", "KIE", "RUH"}), ("", {"BER", "BOH", "BUR", "KIE", "RUH", "SIL"})],
)
def test_shelter_on_broken_ground_does_not_open_the_way_the_attack_came(by: str, open_to: set[str]) -> None:
    """A unit beaten beside it may go there and wherever it could go before, and still not to its attacker's start.

    If the start of the attack is open because the attack came by sea, it stays open.
    """
    mechanic = Taboo(("BUR",))
    game = rules(mechanic)
    (loser,) = units_from({"Germany": ["A MUN"]}, first=7)
    before = {"BER", "BOH", "KIE", "RUH"} | ({"SIL"} if not by else set())
    beaten = Dislodged(loser, by or "SIL", tuple(map(Location, sorted(before))))
    position = mechanic.start(game, Position(units_from({"France": ["A BUR"]}), {}, (beaten,)))
    after, _ = mechanic.after_movement(game, position)
    assert {at.province for at in after.dislodged[0].retreats} == open_to


def test_cargo_goes_down_with_its_fleet_on_taboo_ground_and_flees_nowhere() -> None:
    """One event for a loaded fleet; an army aboard a dislodged fleet has no retreat, though it could walk there."""
    board = replace(BOARD, ways={**BOARD.ways, "A/F": "fleet"}, forms={"A/F": Form("F", "A", flees="fleet")})
    mechanic = Taboo(("SWE",))
    game = rules(mechanic, board=board)
    loaded = units_from({"England": ["A/F SWE"]}, forms=board.forms)
    fleet, army = units_from({"Germany": ["A/F DEN"]}, first=7, forms=board.forms)
    beaten = Dislodged(fleet, "BAL", (Location("HEL"),)), Dislodged(army, "BAL", ())
    after, happened = mechanic.after_movement(game, mechanic.start(game, Position(loaded, {}, beaten)))
    assert (after.units, happened) == ((), (Event(TabooEvent.CURSED, "England", "SWE"),))
    assert [[at.province for at in one.retreats] for one in after.dislodged] == [["HEL", "SWE"], []]


def test_a_cursed_power_is_told_so_at_every_site() -> None:
    """A build under a curse is void because of the curse, on an occupied centre too (IND-5.f)."""
    mechanic = Taboo(("BUR",))
    game = rules(mechanic)
    owners = dict.fromkeys(("PAR", "BRE", "MAR", "SPA"), "France")
    cursed = {"taboo": {"whole": [], "cursed": {"France": 1}}}
    start = Position(units_from({"France": ["A PAR"]}), owners, state=cursed)
    done = adjudicate(game, A, start, {"France": ["Build A PAR", "Build A BRE"]})
    text = "is by a power under a curse, which builds nothing: the curse ends with this Winter"
    assert [r.text for r in done.rulings] == [text, text]


def test_a_curse_concerns_builds_only() -> None:
    """A reinforcement of a cursed power that finds its place occupied is told that, and nothing of the curse."""
    fleet = Reinforcement("England", "F", "LON", "Summer", year=1901)
    game = rules(Taboo(("BUR",)), Reinforcements((fleet,)))
    state = {
        "taboo": {"whole": [], "cursed": {"England": 1}},
        "reinforcements": {"due": [["England", "F", "LON"]]},
    }
    start = Position(units_from({"England": ["A LON"]}), state=state)
    (ruling,) = adjudicate(game, R, start, {"England": ["Arrive F Lon"]}).rulings
    assert (ruling.cause, ruling.aspect) == (Cause.OCCUPIED, "place_taken")


# -- downfall --------------------------------------------------------------------------------------------------------


def test_a_power_falls_once_and_before_the_others_are_weighed() -> None:
    """With a seat of its own it stands; without one all is lost at once; what has nothing left is not told again."""
    mechanic = Downfall("Russia", ("MOS", "WAR"))
    game = rules(mechanic)
    position = Position(units_from({"Russia": ["A UKR"]}), {"MOS": "Turkey", "WAR": "Russia", "SEV": "Russia"})
    assert mechanic.after_count(game, position) == (position, ())
    lost = replace(position, owners={**position.owners, "WAR": "Germany"})
    fallen, happened = mechanic.after_count(game, lost)
    assert (fallen.units, dict(fallen.owners)) == ((), {"MOS": "Turkey", "WAR": "Germany"})
    assert happened == (Event(DownfallEvent.FALLEN, "Russia"),)
    assert mechanic.after_count(game, fallen) == (fallen, ())
    assert mechanic.counts_first
    assert not Extinction().counts_first


# -- reinforcements --------------------------------------------------------------------------------------------------


def test_every_way_to_order_a_reinforcement_twice() -> None:
    """The rulebook's choice for double orders holds (4.D.3); the same said twice is one order and a spare."""
    mechanic = Reinforcements((Reinforcement("England", "F", "LON", "Summer", year=1901),))
    start = mechanic.phase_begins(rules(mechanic), SUMMER, Position(owners={"EDI": "England"}), never)[0]
    assert start.state == {"reinforcements": {"due": [["England", "F", "LON"]]}}
    orders = {"England": ["Arrive F Lon", "Decline F Lon", "Arrive F Lon"]}
    found = {}
    for choice in ("first", "last", "cancel"):
        game = Rules.of(small_game("clans"))
        game = replace(rules(mechanic), rulebook=replace(game.rulebook, double_orders=choice))
        done = adjudicate(game, R, start, orders)
        found[choice] = [r.cause for r in done.rulings]
        assert [str(u) for u in done.position.units] == ["F LON"]
        assert done.position.state == {}
    assert found == {
        "first": [ReinforcementCause.ARRIVED, Cause.SECOND, Cause.SECOND],
        "last": [Cause.SECOND, Cause.SECOND, ReinforcementCause.ARRIVED],
        "cancel": [Cause.CONTRADICTED] * 3,
    }


def test_a_retreat_may_take_the_place_of_a_reinforcement() -> None:
    """Arrivals come after the retreats, and find their place taken (SCO-4.f)."""
    case = Case(
        "", "clans", "Summer 1491", {"Stewart": ["A 84"], "England": ["A/F ff", "A 89"]},
        {"Stewart": ["A 88 R 90"], "England": ["arrive A/F gg"]},
        dislodged={"Stewart": ["A 88 from 84: 90"]},
    )  # fmt: skip
    done = play(case)
    assert sorted(str(u) for u in done.step.position.units if not u.aboard) == [
        "A 84",
        "A 89",
        "A 90",
        "A/F e",
        "A/F ff",
        "A/F gg",
    ]
    mechanic = Reinforcements((Reinforcement("England", "A", "90", "Summer", turn=0),))
    there = units_from({"Scotland": ["A 90"]})
    game = replace(Rules.of(small_game("clans")), mechanics=(mechanic,))
    after = mechanic.carry_out(
        game, R, Position(there, state={"reinforcements": {"due": [["England", "A", "90"]]}}), {}
    )
    assert after.happened == (Event(ReinforcementEvent.BARRED, "England", "90"),)


def test_a_postponed_reinforcement_waits_for_its_place() -> None:
    """It is asked for again when retreats begin with the place empty, and until then nobody is asked (SCO-4.d)."""
    mechanic = Reinforcements((Reinforcement("England", "F", "NTH", "Summer", year=1901),), occupied="postponed")
    game, autumn = rules(mechanic), SUMMER._replace(name="Fall", also=())
    held = Position(units_from({"England": ["F NTH"]}))
    due = mechanic.phase_begins(game, SUMMER, held, never)[0]
    assert mechanic.orders_due(game, SUMMER, due) == {"England": 1}
    texts = {game.notation.write(order) for order in mechanic.extra_orders(game, SUMMER, due, "England")}
    assert texts == {"Arrive F Nth", "Decline F Nth"}
    told = adjudicate(game, R, due, {"England": ["Arrive F Nth"]})
    assert [(r.result, r.text) for r in told.rulings] == [(Result.FAILS, "finds its place occupied and waits")]
    waits = adjudicate(game, R, due, {})
    assert waits.happened == (Event(ReinforcementEvent.POSTPONED, "England", "NTH"),)
    assert waits.position.state == told.position.state == {"reinforcements": {"waiting": [["England", "F", "NTH"]]}}
    assert mechanic.phase_begins(game, autumn, waits.position, never) == (waits.position, ())
    assert mechanic.orders_due(game, autumn, waits.position) == {}
    left = replace(waits.position, units=units_from({"England": ["F SKA"]}))
    assert mechanic.phase_begins(game, SUMMER._replace(kind=M, year=1902), left, never) == (left, ())
    again = mechanic.phase_begins(game, autumn, left, never)[0]
    assert mechanic.orders_due(game, autumn, again) == {"England": 1}
    came = adjudicate(game, R, again, {}).position
    assert sorted(map(str, came.units)) == ["F NTH", "F SKA"]
    assert came.state == {}
    assert adjudicate(game, R, again, {"England": ["Decline F Nth"]}).position.state == {}
    fallen = replace(left, units=units_from({"France": ["F SKA"]}))
    assert mechanic.phase_begins(game, autumn, fallen, never)[0].state == {}


def test_who_must_leave_and_is_not_ordered_to_is_lost() -> None:
    """With `must_leave` a hold, no order and a void one all cost the unit once its sojourn is over, and no sooner."""
    now = SlowCrossing(("NTH",), sojourn=1, must_leave=True)
    start = Position(units_from({"England": ["F NTH"]}))
    for text, left in (("F NTH - SKA", 1), ("F NTH H", 0), ("F NTH - MOS", 0)):
        done = adjudicate(rules(now), M, start, {"England": [text]})
        assert len(done.position.units) == left
        assert [h.kind for h in done.happened] == ["overdue"] * (1 - left)
    assert adjudicate(rules(now), M, start, {}).position.units == ()
    later = SlowCrossing(("NTH",), sojourn=3, must_leave=True)
    entered = replace(start, state={"slow-crossing": {"NTH": 0}})
    assert len(adjudicate(rules(later), M, entered, {}).position.units) == 1


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"name": "slow-crossing", "waters": []}, "at least one water"),
        ({"name": "slow-crossing", "waters": ["b"], "sojourn": -1}, "0 to 100"),
        ({"name": "slow-crossing", "waters": ["b"], "must_leave": True}, "needs a sojourn"),
        ({"name": "slow-crossing", "waters": ["b"], "sides": 1}, "2 to 1,000"),
        ({"name": "slow-crossing", "waters": ["b"], "sides": 4}, "throws 1 to 4"),
        ({"name": "slow-crossing", "waters": ["b"], "clause": "a|b"}, "without a bar"),
        ({"name": "slow-crossing", "water": ["b"]}, "did you mean waters"),
        ({"name": "taboo", "provinces": []}, "at least one province"),
        ({"name": "taboo", "provinces": ["120"], "winters": 101}, "0 to 100"),
        ({"name": "downfall", "power": "England", "seats": []}, "at least one seat"),
        ({"name": "reinforcements", "scheduled": [{"power": "E", "unit": "A", "at": "b", "season": "S"}]}, "a year or"),
        (
            {"name": "reinforcements", "scheduled": [{"power": "E", "unit": "A", "at": "b", "season": "S", "yer": 1}]},
            "scheduled",
        ),
        (
            {
                "name": "reinforcements",
                "scheduled": [{"power": "E", "unit": "A", "at": "b", "season": "S", "turn": 1}] * 2,
            },
            "at once",
        ),
    ],
)
def test_parameters_that_cannot_be(told: dict[str, object], said: str) -> None:
    """Each is refused with its place and what is wanted."""
    with pytest.raises(BadFile, match=said):
        make_mechanic(told, "here")


def test_reinforcements_need_a_place_for_their_kind() -> None:
    """No such place, or none for such a unit: refused when the game starts, with the nearest."""
    for unit, at in (("F", "LNO"), ("F", "MUN"), ("A", "NTH")):
        mechanic = Reinforcements((Reinforcement("England", unit, at, "Summer", turn=0),))
        with pytest.raises(BadFile, match=f"no {unit} can come to '{at}'"):
            mechanic.start(rules(mechanic), Position())


@pytest.mark.parametrize(
    ("mechanic", "code"),
    [
        (SlowCrossing(("NTH",)), "no-effect"),
        (SlowCrossing(("NTH",), sojourn=3), ""),
        (SlowCrossing(("NTH",), storms=("Summer",), sinks_on=()), "harmless-storm"),
        (SlowCrossing(("NTH",), storms=("Summer",)), ""),
    ],
)
def test_what_is_odd_about_a_crossing(mechanic: SlowCrossing, code: str) -> None:
    """A crossing that neither holds nor storms, and a storm that sinks nobody, are told by the linter."""
    found: list[Finding] = list(mechanic.lint(rules(mechanic), ["Summer"]))
    assert [finding.code for finding in found] == ([code] if code else [])
