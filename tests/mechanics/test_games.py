"""Mechanics in the course of a game: asked at their points, told as events, kept in the record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.errors import OutOfTurn
from gamesmaster.game import Game, Termination, dumps, loads
from gamesmaster.game.reasons import event_reason
from gamesmaster.mechanics import StandingArmies
from gamesmaster.mechanics.standing import StandingEvent
from gamesmaster.pictures import Picture, Sign, Snapshot, looks_of, snapshots_of
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant, find_variant

PLAIN = find_variant("1000ad")


def with_standing_armies() -> Variant:
    """1000 AD with an army of nobody's in Bulgaria."""
    armies = StandingArmies(("A Bul",))
    mechanics = (*PLAIN.mechanics, armies)
    made = replace(PLAIN, id="1000ad", mechanics=mechanics)
    return replace(made, start=armies.start(Rules.of(made), made.start))


def winter(variant: Variant) -> Game:
    """The game after its first Winter: two Byzantine armies by Bulgaria, a Magyar one at home."""
    game = Game.start(variant, seed=bytes(32))
    game = game.submit("Byzantines", ["Build A Edi", "Build A Vrr"]).submit("Magyars", ["Build A Vie"])
    return game.process()


def test_a_standing_army_is_beaten_and_told() -> None:
    """It holds through the Winter, is gone when two beat it, and the record that says so reads back true."""
    variant = with_standing_armies()
    game = winter(variant)
    assert {str(u) for u in game.position.of("Neutral")} == {"A Bul"}
    game = game.submit("Byzantines", ["A Edi - Bul", "A Vrr S A Edi - Bul"]).process()
    (event,) = game.records[-1].events
    assert (event.kind, event.province) == (StandingEvent.DISPERSED, "Bul")
    told = event_reason(variant, game.records[-1].phase, event)
    assert (told.text, told.clause) == ("The standing army in Bulgaria is beaten and gone.", "CNW-10.b")
    assert game.phase.code == "F1000M"  # nobody has a retreat to make
    again = loads(dumps(game), find=lambda _: variant)
    assert again.position == game.position


def test_the_freedom_of_placement_ends_with_the_first_winter() -> None:
    """What is placed in Winter 999 stands; the state that allowed it is gone, and is gone from the record too."""
    game = winter(PLAIN)
    assert dict(game.position.state) == {}
    assert dict(game.records[0].position.state) == {"free-placement": True}
    assert loads(dumps(game)).position == game.position


def test_a_power_in_anarchy_has_no_player() -> None:
    """It is not asked for orders, cannot send any, has no vote, and its consent to a draw is not needed."""
    start = winter(PLAIN)
    fallen = replace(start, position=replace(start.position, state={"anarchy": {"Moors": 2}}))
    assert "Moors" not in fallen.survivors
    assert "Moors" not in [status.power for status in fallen.status]
    with pytest.raises(OutOfTurn):
        fallen.submit("Moors", ["A And H"])
    for power in fallen.survivors:
        fallen = fallen.vote_draw(power)
    assert fallen.outcome
    assert fallen.outcome.termination is Termination.DRAW
    assert "Moors" not in fallen.outcome.winners


def test_the_last_three_end_the_game() -> None:
    """When no more than three remain at a count, those with most centres have won, alone or together."""
    game = winter(PLAIN)
    homes = {c: p for c, p in game.position.owners.items() if p in ("Vikings", "Moors", "Francs")}
    few = replace(game.position, owners=homes, units=())
    ended = replace(game, phase=PLAIN.calendar.read("Fall 1000 Movement"), position=few).process()
    assert ended.outcome
    assert set(ended.outcome.winners) == {"Vikings", "Moors"}
    assert "share the victory" in ended.outcome.text


def test_maps_show_what_mechanics_do() -> None:
    """A unit in anarchy and a standing army are drawn with signs of their own, in every map."""
    variant = with_standing_armies()
    game = winter(variant)
    fallen = replace(game, position=replace(game.position, state={"anarchy": {"Magyars": 2}}))
    looks = looks_of(fallen.rules, fallen.position)
    by_unit = {str(u): looks.get(u.number) for u in fallen.position.units}
    assert by_unit == {"A Bul": Sign.STANDING_ARMY, "A Vie": Sign.ARMY_IN_ANARCHY, "A Edi": None, "A Vrr": None}
    svg = Picture(variant.board, shapes_of(PLAIN), variant.powers).svg(Snapshot(fallen.position, looks=looks))
    assert "Magyar army in anarchy in Vienna" in svg
    assert "standing army in Bulgaria" in svg
    assert [one.looks for one in snapshots_of(fallen)][-1] == looks
