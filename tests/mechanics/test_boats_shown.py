"""Boats on maps and in words, and a game of them from its start: moves, retreats, the record saved and read again."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from gamesmaster.board import Position
from gamesmaster.game import Game, dumps, loads, report, verify
from gamesmaster.mechanics import Boats
from gamesmaster.pictures import (
    Look,
    Picture,
    Shapes,
    Sign,
    Snapshot,
    draw_orders,
    marks_of,
    order_key,
    read_shapes,
    signs_of,
    snapshots_of,
    text_board,
)
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.rules import Ahead
from gamesmaster.variant import find_variant
from tests.mechanics.boats_help import BUNCHES, CANOES, moved, position, rules


@cache
def shapes(name: str) -> Shapes:
    """The drawing of a board."""
    return read_shapes(board_folder(name) / "shapes.json")


NOW = position({"Iroquois": ["W 12", "W/CF h"]}, "12 *, 13 * *, 14 * * *, 36 *")


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_boats_on_a_map(layout: str) -> None:
    """Each boat ashore has a sign, many in one place one with their number; a unit afloat sits in its boat."""
    game = rules("canoes")
    marks = marks_of(game, NOW)
    assert {place: len(found) for place, found in marks.items()} == {"12": 1, "13": 2, "14": 3, "36": 1}
    signs = signs_of(game)
    assert signs == {"W/CF": Sign.PARTY_AFLOAT, "CF": Sign.BOAT}
    picture = Picture(game.board, shapes("indianomacy"), game.powers, Look(layout=layout), signs=signs)
    svg = picture.svg(Snapshot(NOW, marks=marks))
    assert svg.count('aria-label="boat in Cayuga"') == 2
    assert svg.count('aria-label="boat in ') == 4
    assert 'aria-label="3 boats in Seneca"' in svg
    assert ">3</text>" in svg
    assert 'Iroquois war party in a canoe in Lake Ontario"' in svg
    assert ">boat</text>" in svg  # in the key


def test_boats_in_words() -> None:
    """The text board tells where boats lie, and how many where there are several."""
    game = rules("canoes")
    kinds = {"W": "war party", "W/CF": "war party afloat"}
    text = text_board(game.board, Snapshot(NOW, marks=marks_of(game, NOW)), game.powers[-2:], kinds=kinds)
    assert "Boats: Onondaga (12), Cayuga (13) 2, Seneca (14) 3, Nootka (36).\n" in text
    assert "War party afloat in Lake Ontario (W/CF h)." in text
    alone = text_board(game.board, Snapshot(NOW, marks={"36": (Sign.BOAT,)}), ())
    assert "Boat: Nootka (36).\n" in alone


def test_work_on_boats_is_drawn() -> None:
    """A plus beside who builds, a cross if nothing comes of it, a minus beside who destroys; the key tells them."""
    game = rules("canoes")
    orders = {"Iroquois": ["W 12 builds CF", "W 14 builds CF", "W 12 destroys CF"], "Illinois": ["W 59 - 14"]}
    now = position({"Iroquois": ["W 12", "W 14", "W 13"], "Illinois": ["W 59"]}, "12 *")
    done = moved("canoes", now, **orders)
    drawn = draw_orders(game.board, shapes("indianomacy"), now, done.rulings)
    for words in ("make succeeds boat-made", "make fails disturbed", "destroy succeeds boat-destroyed"):
        (group,) = re.findall(rf'class="{words}"(.*?)</g>', drawn)
        assert group.count("<path") == 2
    labels = {row.label for row in order_key("light", "wide", done.rulings)}
    assert {"builds a boat", "builds no boat", "destroys a boat"} <= labels
    void = moved("canoes", position({"Iroquois": ["W 12", "W 113"]}), Iroquois=["W 12 destroys CF"])
    assert "destroy void" in draw_orders(game.board, shapes("indianomacy"), now, void.rulings)


def test_boats_in_reports() -> None:
    """A report tells how many boats lie where, or whose they are where they bear names, ashore and afloat."""
    put_out = replace(NOW, state={"boats": {"lie": {"h": [""], "12": [""], "14": ["", ""]}}})
    lines = ["12 (Onondaga): 1", "14 (Seneca): 2", "h (Lake Ontario): 1, afloat"]
    assert told(CANOES, "canoes", put_out) == {"Boats": lines}
    clans = position({"Keith": ["A/BB z"]}, "44 MacDonald MacLeod, z Keith", raw="36 Gordon")
    assert told(BUNCHES, "clans", clans) == {
        "Boats": [
            "44 (Aros Castle): MacDonald, MacLeod",
            "z (Upper North Sea): Keith, afloat",
            "36 (Doune Castle): Gordon, built inland",
        ],
        "Boats built": ["Gordon: 1 of 3", "Keith: 1 of 3", "MacDonald: 1 of 3", "MacLeod: 1 of 3"],
    }
    assert told(BUNCHES, "clans", position({})) == {}


def told(boats: Boats, game: str, now: Position) -> dict[str, list[str]]:
    """What the ledger says of boats."""
    found: dict[str, list[str]] = {}
    for entry in boats.report_lines(rules(game), now, Ahead(iter(()))):
        found.setdefault(entry.heading, []).append(f"{entry.power}: {entry.text}" if entry.power else entry.text)
    return found


def test_a_game_with_boats() -> None:
    """A canoe is built, put to water, and lands; the game is saved and read, and its maps show the boats."""
    variant = find_variant("indianomacy")
    game = Game.start(variant, seed=bytes(32))
    for orders in (["W 12 builds CF"], ["W 12 - h with CF"]):
        game = _season(game.submit("Iroquois", orders))
    assert [u.kind for u in game.position.of("Iroquois") if u.at.province == "h"] == ["W/CF"]
    assert "Boats\n  12 (Onondaga): 1\n" in report(game, "S1601M")
    assert "Boats\n  h (Lake Ontario): 1, afloat\n" in report(game, "F1601M")
    shown = list(snapshots_of(game))
    assert not shown[0].marks
    assert any(one.marks == {"12": (Sign.BOAT,)} for one in shown)
    assert loads(dumps(game)).position == game.position
    assert not list(verify(game))


def _season(game: Game) -> Game:
    """The phase played, and what follows it until the next moves."""
    game = game.process()
    while game.phase.kind.value != "movement":
        game = game.process()
    return game
