"""Partial sight: what a power does not see is at no door of the library."""

from __future__ import annotations

import pickle
from collections import defaultdict
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game, seen_by
from gamesmaster.mechanics.goals import GoalEvent
from gamesmaster.rules import BoardMechanic, Rules
from gamesmaster.variant import Variant, find_variant
from tests.lengths import mark_long
from tests.scenarios.setup import with_ends
from tests.worlds import doors, observation, own_orders, play, worlds


def compare(
    variant: Variant, chance: Random, *, phases: int, rounds: int, number: int, rulebook: str | None = None
) -> tuple[int, int]:
    """Play on from games of random length in many worlds; return how many pairs of worlds and texts were compared."""
    pairs = texts = 0
    for _ in range(rounds):
        game, power = Game.start(variant, seed=bytes(32), rulebook=rulebook), chance.choice(variant.powers).name
        for _ in range(chance.randint(0, 12)):
            game = play(game, power, own_orders(game, power, chance), chance)
        if game.outcome or power not in game.survivors:
            continue
        alike: dict[str, list[Game]] = {"": [*worlds(game, power, chance, number)]}
        for phase in range(phases + 1):
            seed, found = chance.random(), defaultdict[str, list[Game]](list)
            for group in alike.values():
                orders = own_orders(group[0], power, Random(seed)) if phase else []
                for world in group:
                    done = play(world, power, orders, chance, seed) if phase else world
                    if not done.outcome:
                        found[observation(done, power)].append(done)
            alike = {seen: same[:number] for seen, same in found.items() if len(same) > 1}
            for same in alike.values():
                first = doors(same[0], power, drawn=not pairs)
                for other in same[1:4]:
                    pairs += 1
                    told = doors(other, power, drawn="maps" in first)
                    different = {door: (first[door], told[door]) for door in first if first[door] != told[door]}
                    assert not different, (variant.id, power, game.phase.code, different)
                    texts += len(first)
    return pairs, texts


@pytest.mark.parametrize("name", ["fog", "blind"])
def test_two_worlds_that_look_alike_are_told_alike(name: str) -> None:
    """Worlds that differ only out of a power's sight give it the same bytes at every door."""
    pairs, _ = compare(find_variant(name), Random(1), phases=2, rounds=1, number=8)
    assert pairs > 4


@pytest.mark.long
@pytest.mark.parametrize("name", ["fog", "blind"])
def test_two_worlds_in_long(name: str) -> None:
    """The same in more games."""
    for seed in range(2, 8):
        compare(find_variant(name), Random(seed), phases=3, rounds=6, number=24)


EVERYWHERE: dict[str, tuple[dict[str, Any], ...]] = {
    "kinds": (
        {"name": "unit-kind", "kind": "W", "words": ["wing"], "goes": ["army", "fleet"], "reach": 2, "limit": 1},
        {"name": "unit-kind", "kind": "F", "reach": 2, "captures": False},
        {"name": "unit-kind", "kind": "A", "force": 1.5, "support": 0.5},
    ),
    "transformations": (
        {"name": "transformation", "when": ["movement", "adjustments"], "places": "anywhere"},
    ),
    "borders": (
        {"name": "rivers", "edges": [["MUN", "BUR"], ["WAR", "GAL"], ["BUD", "VIE"], ["BEL", "RUH"]]},
        {"name": "weak-borders", "edges": [["PIE", "VEN"], ["TYR", "VEN"], ["SMY", "SYR"]]},
        {"name": "far-borders", "edges": [["NTH", "NWG"], ["MAO", "WES"], ["AEG", "EAS"]]},
        {"name": "private-borders", "edges": [["UKR", "RUM"], ["PAR", "BUR"]], "powers": ["Russia", "France"]},
        {"name": "canal", "edges": [["DEN", "BAL"], ["DEN", "SWE"]], "keeper": "KIE"},
        {"name": "canal", "edges": [["CON", "BLA"], ["CON", "AEG"]], "keeper": "BUL"},
        {"name": "canal", "edges": [["STP", "FIN"]], "keeper": "MOS", "by": "owner"},
    ),
    "neutrals": (
        {"name": "standing-armies", "neutral_centres": True, "support": {"BEL": "HOL", "BUL": "SER"}},
    ),
    "ends": (
        {"name": "teams", "teams": [["France", "Germany"], ["Austria", "Italy"]], "centres": 30},
        {"name": "needed-provinces", "provinces": ["LON", "ROM", "MOS"]},
        {"name": "downfall", "power": "Austria", "seats": ["VIE"]},
        {"name": "extinction"},
    ),
    "builds": (
        {"name": "special-sites", "places": {"GRE": ["F"], "BEL": [], "SER": ["A"]}},
        {"name": "build-kinds", "powers": {"Turkey": ["F"]}},
        {"name": "removal-order", "ties": "kind"},
        {"name": "centre-values", "values": {"BEL": 2, "GRE": 0}},
    ),
}  # fmt: skip
"""Mechanics that may be beside partial sight, by what they are about."""
BOOKS = ("datc", "1971", "1982", "2000", "2023", "dptg")


def beside(sight: str, *topics: str) -> Variant:
    """A variant that hides the board, with these mechanics, in which three centres win: so that some nearly do."""
    mechanics = [mechanic for topic in topics for mechanic in EVERYWHERE[topic]]
    return with_ends(find_variant(sight), victory={"centres": 3} if "ends" in topics else None, mechanics=mechanics)


@pytest.mark.parametrize("topic", mark_long([*EVERYWHERE, "all"], but=("all",)))
@pytest.mark.parametrize("sight", mark_long(["fog", "blind"], but=("fog",)))
def test_two_worlds_with_other_mechanics(sight: str, topic: str) -> None:
    """Kinds, transformations, borders, neutral armies, other ends and other builds tell nothing of what is hidden."""
    chance = Random(topic)
    variant = beside(sight, *(EVERYWHERE if topic == "all" else [topic]))
    assert not [
        finding for m in variant.mechanics if isinstance(m, BoardMechanic) for finding in m.lint(Rules.of(variant), ())
    ]
    pairs, _ = compare(variant, chance, phases=2, rounds=2, number=8, rulebook=chance.choice(BOOKS))
    assert pairs > 4


def stands(name: str, units: dict[str, list[str]], owners: dict[str, str] | None = None) -> Game:
    """A game of a variant in Spring 1901 with these units and owners."""
    game = Game.start(find_variant(name), seed=bytes(32))
    return replace(game, position=Position(units_from(units), owners or {}))


def told(game: Game, power: str, orders: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    """Play a phase, and return what a power is told of orders: text, result and cause."""
    for name, texts in orders.items():
        game = game.submit(name, texts)
    seen = seen_by(game.process(), [power])
    rulings = seen.adjudication(seen.records[0]).rulings
    return [(ruling.given, ruling.result.value, ruling.cause.name) for ruling in rulings]


def test_a_game_without_limits_is_itself() -> None:
    """Where everybody sees the board, a game is returned as it is."""
    game = Game.start(find_variant("standard"), seed=bytes(32))
    assert seen_by(game, ["France"]) is game


def test_a_finished_game_is_open() -> None:
    """When the game is over, everybody sees everything (FOG-2.e)."""
    game = Game.start(find_variant("blind"), seed=bytes(32))
    for power in game.survivors:
        game = game.vote_draw(power)
    assert seen_by(game, ["France"]) is game


def test_nobody_and_several() -> None:
    """Nobody sees nothing; several powers see together what each of them sees (FOG-2.f)."""
    game = Game.start(find_variant("blind"), seed=bytes(32))
    nobody = seen_by(game, [])
    assert (nobody.position.units, [*nobody.position.owners], nobody.status) == ((), [], ())
    assert nobody.survivors == game.survivors
    both = seen_by(game, ["France", "Turkey"])
    assert {unit.power for unit in both.position.units} == {"France", "Turkey"}
    assert seen_by(both, ["France"]) is both
    assert hash(both) != hash(nobody)
    assert both != nobody


def test_only_the_whole_game_is_played() -> None:
    """A game as a power sees it can neither go on nor back."""
    game = Game.start(find_variant("fog"), seed=bytes(32)).process()
    seen = seen_by(game, ["France"])
    with pytest.raises(GamesmasterError, match="cannot be played"):
        seen.process()
    with pytest.raises(GamesmasterError, match="cannot go back"):
        seen.rollback("S1901M")
    assert seen.judge_anew(seen.records[0]).rulings == seen.adjudication(seen.records[0]).rulings


def test_what_is_told_can_be_sent_to_another_process() -> None:
    """A pickle has what is told and no more."""
    seen = seen_by(Game.start(find_variant("fog"), seed=bytes(32)).process(), ["France"])
    judged = seen.adjudication(seen.records[0])
    again = pickle.loads(pickle.dumps(judged))
    assert again == judged
    assert again.partial
    assert [again.tells_of(power) for power in ("France", "Germany")] == [True, False]


@pytest.mark.parametrize("others", [[], ["A BUR"], ["F BEL", "A BUR"], ["A RUH"]])
def test_help_out_of_sight_tells_nothing(others: list[str]) -> None:
    """Whether a support or convoy into the dark was possible, given or cut is not told (FOG-4.c)."""
    game = stands("blind", {"France": ["A PAR", "F ENG"], **({"Germany": others} if others else {})})
    orders = ["A Par S A Bur", "F Eng C A Lon - Bel", "A Mun H", "A Par - Gas"]
    found = told(game, "France", {"France": orders})
    assert found == [
        ("A Par S A Bur", "holds", "UNSEEN"),
        ("F Eng C A Lon - Bel", "holds", "UNSEEN"),
        ("A Mun H", "void", "NOT_OWN"),
        ("A Par - Gas", "void", "LATER"),
    ]


def test_a_failure_has_no_reason() -> None:
    """A bounce, a cut and a convoy that fails are told, without who or what caused them (FOG-4.b)."""
    units = {"France": ["A PAR", "A GAS", "A LON"], "Germany": ["A BUR", "A MUN"], "Italy": ["A MAR"]}
    france = ["A Par - Bur", "A Gas S A Par - Bur", "A Lon - Nwy"]
    orders = {"France": france, "Italy": ["A Mar - Gas"], "Germany": ["A Mun S A Bur"]}
    found = told(stands("fog", units), "France", orders)
    assert found[:3] == [
        ("A Par - Bur", "bounces", "STOPPED"),
        ("A Gas S A Par - Bur", "cut", "STOPPED"),
        ("A Lon - Nwy", "fails", "STOPPED"),
    ]


def test_orders_of_others() -> None:
    """They are told where all that they name is in sight, in Fog of War; never in Blind (FOG-4.d)."""
    units = {"France": ["A PAR"], "Germany": ["A BUR", "A GAS", "A MUN", "A PIC"], "England": ["F ENG", "A LON"]}
    germany = ["A Bur - Mar", "a gas H", "A Mun S A Bur", "A Pic - Bre"]
    orders = {"Germany": germany, "England": ["F Eng C A Lon - Bel", "A Lon - Bel"]}
    assert told(stands("fog", units), "France", orders)[1:] == [
        ("A Gas H", "holds", "HELD"),
        ("A Pic - Bre", "succeeds", "CAME"),
    ]
    assert told(stands("blind", units), "France", orders) == [("", "holds", "UNORDERED")]


def test_who_dislodged_a_unit_is_told() -> None:
    """Kind and power of the victor are told; where it came from only if that is in sight (FOG-4.a)."""
    units = {"France": ["A PAR"], "Germany": ["A BUR", "A GAS"]}
    for name, place, by in (("fog", "BUR", "BUR"), ("blind", "PAR", "")):
        game = stands(name, units).submit("Germany", ["A Bur - Par", "A Gas S A Bur - Par"]).process()
        seen = seen_by(game, ["France"])
        victor = seen.adjudication(seen.records[0]).rulings[0].dislodged_by
        assert victor is not None
        assert (victor.kind, victor.power, victor.at.province) == ("A", "Germany", place)
        assert seen.position.dislodged[0].by == by


def test_retreats_are_told_in_full() -> None:
    """A dislodged unit's power is told every retreat; others are told those in sight (FOG-5.a)."""
    units = {"France": ["A PAR"], "Germany": ["A BUR", "A GAS"], "England": ["F BRE"], "Italy": ["A RUH"]}
    game = stands("blind", units).submit("Germany", ["A Bur - Par", "A Gas S A Bur - Par"]).process()
    own, other = (seen_by(game, [power]).position.dislodged[0] for power in ("France", "Germany"))
    assert [at.province for at in own.retreats] == ["PIC"]
    assert (other.unit.power, other.retreats) == ("France", ())
    assert not seen_by(game, ["England"]).position.dislodged


def test_who_nearly_wins_is_not_told() -> None:
    """That a power has enough to win, and does not win, is told to that power alone: it counts its centres."""
    mechanics = [{"name": "needed-provinces", "provinces": ["BER"]}]
    variant = with_ends(find_variant("fog"), victory={"centres": 3}, mechanics=mechanics)
    game = replace(Game.start(variant, seed=bytes(32)), phase=variant.calendar.read("F1901M")).process()
    assert [event.kind for event in game.records[0].events] == [GoalEvent.LACKING]
    assert [len(seen_by(game, [power]).records[0].events) for power in ("Russia", "France")] == [1, 0]


def test_why_the_army_of_another_power_did_not_land_is_not_told() -> None:
    """It fails, whether its fleet out of sight was lost or it was beaten: its own power is told no more (FOG-4.b)."""
    game = stands(
        "fog", {"Russia": ["A WAL", "A RUH"], "Germany": ["A YOR", "F NTH"], "Italy": ["A BEL", "F NWG", "F EDI"]}
    )
    for attack in ([], ["F Nwg - Nth", "F Edi S F Nwg - Nth"]):
        found = told(game, "Russia", {"Germany": ["A Yor - Bel", "F Nth C A Yor - Bel"], "Italy": attack})
        assert found[-1] == ("A Yor - Bel", "fails", "STOPPED")


def test_events_that_are_told() -> None:
    """Captures are told to those who make them and to those who saw the place when the phase began (FOG-4.e)."""
    units = {"France": ["A PIC"], "Germany": ["A KIE"], "England": ["A LVP"]}
    game = stands("fog", units, {"BEL": "England", "LVP": "England"})
    game = replace(game, phase=game.variant.calendar.read("F1901M"))
    game = game.submit("France", ["A Pic - Bel"]).submit("Germany", ["A Kie - Den"]).process()
    takes = {power: [e.province for e in seen_by(game, [power]).records[0].events] for power in units}
    assert takes == {"France": ["BEL"], "Germany": ["DEN"], "England": ["BEL"]}


def test_what_is_due_from_others_is_not_told() -> None:
    """Who survives and who sent nothing is known; what others have due, voted or sent ahead is not (FOG-2.e)."""
    game = Game.start(find_variant("fog"), seed=bytes(32)).submit("Germany", ["A Mun H"]).vote_draw("Germany").process()
    seen = seen_by(game, ["France"])
    assert [status.power for status in seen.status] == ["France"]
    assert seen.missing(seen.records[0]) == game.missing(game.records[0]) >= {"Austria", "France"}
    assert seen.misses == game.misses
    assert seen.due_orders == ()
