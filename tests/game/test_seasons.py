"""Phases that begin with more than orders: dice, events, choices, skipped phases, the record, the report, rollback."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Literal

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.game import Event, Game, dumps, history, loads, report
from gamesmaster.game.progress import leaders, survivors
from gamesmaster.game.record_check import verify
from gamesmaster.judge import LegalOrders
from gamesmaster.mechanics import Reinforcement, Reinforcements, SlowCrossing
from gamesmaster.mechanics.reinforcements import ReinforcementEvent
from gamesmaster.mechanics.slow_crossing import CrossingEvent
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Mechanic, Rules, Season, WinterMechanic
from gamesmaster.variant import Variant, Victory, find_variant
from tests.mechanics.seasons import small_game

STANDARD = find_variant("standard")
STORMS = SlowCrossing(("NTH", "ENG"), storms=("Summer", "Winter"), sides=2, sinks_on=(1,))


def standard(*mechanics: Mechanic) -> Variant:
    """The regular game with these mechanics."""
    return replace(STANDARD, mechanics=mechanics)


def game_of(variant: Variant, seed: int = 0) -> Game:
    """A new game."""
    return Game.start(variant, seed=bytes([seed]) * 32)


def stormy(seed: int = 0) -> Game:
    """English and French fleets have put out onto stormy seas, and the Summer storm is over."""
    game = game_of(standard(STORMS), seed)
    return game.submit("England", ["F Lon - Nth"]).submit("France", ["F Bre - Eng"]).process()


def again(game: Game) -> Game:
    """The game saved and loaded, and every phase judged anew."""
    return loads(dumps(game), find=lambda _: game.variant)


def test_a_storm_is_thrown_for_though_nobody_has_orders() -> None:
    """The Summer storm falls in a skipped phase: its dice, its losses and its events stand in the record of Spring."""
    game = stormy()
    assert game.phase.code == "F1901M"
    assert [(t.phase, t.clause, t.subject, t.sides) for t in game.throws] == [
        ("S1901R", "IND-9.c", "England F NTH", 2),
        ("S1901R", "IND-9.c", "France F ENG", 2),
    ]
    sunk = {throw.subject[-3:] for throw in game.throws if throw.fell == 0}
    told = {event.province: event.kind for event in game.records[0].events}
    assert told == {place: CrossingEvent.SUNK if place in sunk else CrossingEvent.WEATHERED for place in ("NTH", "ENG")}
    afloat = {unit.at.province for unit in game.position.units} & {"NTH", "ENG"}
    assert afloat == {"NTH", "ENG"} - sunk
    assert again(game).throws == game.throws


def test_the_seed_decides_and_nothing_else() -> None:
    """Two games with one seed throw alike; over many seeds both sides of the die come up."""
    assert stormy(3).throws == stormy(3).throws
    assert {throw.fell for seed in range(12) for throw in stormy(seed).throws} == {0, 1}


def test_rollback_takes_throws_back_and_replay_throws_them_again() -> None:
    """Throws of phases taken back are gone, those before stay; played again, the game is the same."""
    seed = next(seed for seed in range(50) if not any(t.fell == 0 for t in stormy(seed).throws))
    first = stormy(seed)
    later = first.process()
    assert [throw.phase for throw in later.throws] == ["S1901R"] * 2 + ["W1901A"] * 2
    back = later.rollback("F1901M")
    assert back.throws == first.throws
    assert back.process().throws == later.throws
    start = later.rollback("S1901M")
    assert start.throws == ()
    assert start.process().process() == replace(later, players={})


def test_a_record_whose_dice_are_not_those_due_is_told() -> None:
    """A throw left out, made up, or with another result than the seed's: each is told, and the file refused."""
    game = stormy()
    assert verify(game) == []
    left_out = verify(replace(game, throws=game.throws[1:]))
    assert [(d.phase, d.what) for d in left_out] == [("S1901R", "throw")]
    assert "England F NTH" in left_out[0].found
    extra = game.dice.throw(6, "F1901M", "X-1", "nothing")
    assert "X-1" in verify(replace(game, throws=(*game.throws, extra)))[0].recorded
    false = replace(game.throws[0], fell=1 - game.throws[0].fell)
    assert [d.what for d in verify(replace(game, throws=(false, *game.throws[1:])))] == [
        "throw for IND-9.c, England F NTH"
    ]
    data = json.loads(dumps(game))
    del data["throws"][0]
    with pytest.raises(BadFile, match="does not follow from the orders"):
        loads(json.dumps(data), find=lambda _: game.variant)


def test_reports_show_dice_and_what_they_brought() -> None:
    """The report of the phase before the storm, and the history, tell every die and every loss with its clause."""
    game = stormy()
    for text in (report(game), history(game)):
        for throw in game.throws:
            assert f"A die for {throw.subject} in S1901R: {throw.fell + 1} of 2 [IND-9.c]" in text
        assert "storm. [IND-9.c]" in text


def test_a_game_that_nobody_is_left_in_is_over() -> None:
    """When the last powers starve together there is no winner, and the record of it is read back (CNW-8.b2)."""
    new_world = find_variant("conquest2")
    fleets = units_from({"England": ["F SAR"], "Spain": ["F BAH"]})
    starving = {**new_world.start.state, "off-board-supply": {"winters": 2, "deferred": {}}}
    stands = replace(new_world.start, units=fleets, state=starving)
    game = replace(game_of(new_world), position=stands, phase=new_world.calendar.read("Winter 1610"))
    over = game.process()
    assert over.outcome is not None
    assert over.outcome.winners == ()
    assert over.outcome.text == "Nobody is left to win."
    assert {event.power for event in over.records[-1].events} == {"England", "Spain"}


# -- orders of a mechanic's own --------------------------------------------------------------------------------------


def test_a_phase_is_played_for_those_who_are_asked() -> None:
    """In the Summer of the arrivals England alone is asked, for two choices, among the legal orders."""
    sails = ["A/F e - d", "A/F gg - ff"]
    game = game_of(small_game("clans")).submit("England", sails).process()
    assert game.phase.code == "S1491R"
    waiting = {status.power: status.text for status in game.status if status.waiting}
    assert waiting == {"England": "2 reinforcements to accept or decline"}
    assert "England: 2 reinforcements to accept or decline" in report(game)
    legal = LegalOrders(game.rules, game.position).of_power(game.phase.kind, "England", game.season)
    texts = [game.rules.notation.write(order) for order in legal]
    assert texts == ["Arrive A/F e", "Decline A/F e", "Arrive A/F gg", "Decline A/F gg"]
    asked = game.submit("England", ["Decline A/F e", "Arrive A/F gg"])
    assert not any(status.waiting for status in asked.status)
    assert again(asked).orders == asked.orders
    done = asked.process()
    assert again(done).position == done.position
    assert "reinforcements" not in done.position.state
    told = report(done, "S1491R")
    assert "Decline A/F e" in told
    assert "Arrive A/F gg" in told
    assert done.phase.code == "F1491M"


def test_silence_lets_them_come_and_rollback_asks_again() -> None:
    """Without an order both come, told by events; taken back, the choice is open again."""
    moved = game_of(small_game("clans")).submit("England", ["A/F e - d", "A/F gg - ff"]).process()
    done = moved.process()
    assert [(e.kind, e.province) for e in done.records[-1].events] == [
        (ReinforcementEvent.ARRIVED, "e"),
        (ReinforcementEvent.ARRIVED, "gg"),
    ]
    pairs = sorted(str(u) for u in done.position.of("England") if u.kind == "A/F")
    assert pairs == ["A/F d", "A/F e", "A/F ff", "A/F gg"]
    assert done.position.problems(done.variant.board) == []
    back = done.rollback("S1491R")
    assert back.position == moved.position
    declined = back.submit("England", ["Decline A/F e", "Decline A/F gg"]).process()
    assert len(declined.position.of("England")) == len(moved.position.of("England"))


def test_orders_out_of_their_time_are_void() -> None:
    """An arrival in another phase, or in a game that knows none, is void with a reason, and harms nothing."""
    clans = game_of(small_game("clans"))
    early = clans.submit("England", ["Arrive A/F gg"]).what_if()
    assert [r.result.value for r in early.rulings if r.given] == ["void"]
    beaten = replace(game_of(STANDARD), phase=STANDARD.calendar.read("S1901R"))
    plain = beaten.submit("England", ["Arrive F Lon"]).what_if()
    assert [r.result.value for r in plain.rulings if r.given] == ["void"]


def test_a_movement_phase_begins_with_those_due_in_it() -> None:
    """Nobody is asked where nobody could answer: they are there, or barred, when the phase begins."""
    coming = (
        Reinforcement("England", "F", "NTH", "Spring", year=1902),
        Reinforcement("France", "A", "PAR", "Spring movement", turn=1),
        Reinforcement("Turkey", "A", "CON", "Winter", turn=0),
    )
    game = game_of(standard(Reinforcements(coming))).process().process()
    assert game.phase.code == "W1901A"
    assert {s.power: s.text for s in game.status if s.waiting} == {"Turkey": "a reinforcement to accept or decline"}
    game = game.process()
    assert game.phase.code == "S1902M"
    told = [
        e
        for record in game.records
        for e in record.events
        if e.kind in (ReinforcementEvent.ARRIVED, ReinforcementEvent.BARRED)
    ]
    assert told == [
        Event(ReinforcementEvent.BARRED, "Turkey", "CON"),
        Event(ReinforcementEvent.ARRIVED, "England", "NTH"),
        Event(ReinforcementEvent.BARRED, "France", "PAR"),
    ]
    assert game.position.at("NTH")
    assert again(game).position == game.position


# -- who is in, and who has won --------------------------------------------------------------------------------------


class Homeland(WinterMechanic):
    """England is fed two units from elsewhere."""

    def supply(self, rules: Rules, position: Position, power: str, regular: int) -> int:
        """Two more for England."""
        return regular + (2 if power == "England" else 0)


def test_a_power_that_is_still_supplied_is_not_out() -> None:
    """Without centre and unit it plays on as long as a mechanic feeds it (CNW-8.b2)."""
    position = Position(units_from({"France": ["A PAR"]}), {"PAR": "France"})
    assert survivors(STANDARD, Rules.of(STANDARD), position) == ("France",)
    fed = standard(Homeland())
    assert survivors(fed, Rules.of(fed), position) == ("England", "France")


@pytest.mark.parametrize(
    ("centres", "units", "ahead"),
    [
        ({"England": 27, "Campbell": 20}, {"England": 35, "Campbell": 20}, ("England",)),  # SCO-S109
        ({"England": 28, "Campbell": 36}, {"England": 36, "Campbell": 34}, ("Campbell",)),  # SCO-S114
        ({"England": 30, "Campbell": 30}, {"England": 36, "Campbell": 35}, ("England",)),
        ({"England": 30, "Campbell": 30}, {"England": 35, "Campbell": 35}, ("England", "Campbell")),
        ({"England": 35, "Campbell": 20}, {"England": 34, "Campbell": 20}, ()),
    ],
)
def test_the_winter_weighs_centres_before_units(
    centres: dict[str, int], units: dict[str, int], ahead: tuple[str, ...]
) -> None:
    """Of those that have enough of either, more centres win, then more units; equals are tied (SCO-15.c)."""
    victory = Victory(36, "either", when="winter", units=35)
    assert leaders(victory, centres, units) == ahead


@pytest.mark.parametrize(("when", "over"), [("count", "F1901M"), ("winter", "W1901A")])
def test_centres_may_wait_for_the_winter(when: Literal["count", "winter"], over: str) -> None:
    """Counted in Fall, five centres end the game there; when the Winter is complete, one phase later (IND-10.b)."""
    variant = replace(STANDARD, victory=Victory(5, when=when))
    game = replace(game_of(variant), phase=variant.calendar.read("F1901M"))
    units = tuple(unit for unit in game.position.units if unit.at.province != "WAR")  # so that the Winter is played
    owners = {**game.position.owners, "BEL": "Russia"}
    game = replace(game, position=replace(game.position, units=units, owners=owners)).process()
    if game.outcome is None:
        game = game.submit("Russia", ["Build A War"]).process()
    assert game.outcome
    assert (game.outcome.winners, game.outcome.phase) == (("Russia",), over)


def test_a_season_is_known_by_all_its_names() -> None:
    """By the calendar's name, by others, and with the kind of phase; the turn counts from 0."""
    phase = STANDARD.calendar.read("S1903R")
    season = STANDARD.calendar.season(phase)
    assert season == Season("Spring", 1903, 2, PhaseKind.RETREATS, ("Summer",))
    assert all(season.goes_by([name]) for name in ("Spring", "summer", "Spring retreats", "Summer Retreats"))
    assert not any(season.goes_by([name]) for name in ("Fall", "Spring movement", ""))
