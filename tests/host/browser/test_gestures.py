"""Orders by gesture: clicks, drags, double clicks and codes, in every game with orders of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.board import Location, Unit
from gamesmaster.host.models import Sheet
from gamesmaster.host.service import clock, rows, store, turns
from tests.host.browser.pointing import answer, numbers, point
from tests.host.browser.walking import drawn, session
from tests.host.conftest import power_of
from tests.host.world import World, make_world

LARGE = {"width": 1440, "height": 1500}
TURN = ["A War - Gal", "A Mos - Lvn", "F Sev - Bla", "F Stp/SC - Bot", "A Ukr S A War - Gal"]


@pytest.fixture
def east(page: Page) -> World:
    """A player with five units in the east, at the desk, with nothing stored yet."""
    world = make_world("moves")
    Sheet.objects.all().delete()
    power, game = power_of(world.table, world.people["own"]), store.load(world.table)
    others = [unit for unit in game.position.units if unit.power not in ("Russia", power)]
    places = [("A", "WAR"), ("A", "MOS"), ("F", "SEV"), ("F", "STP/SC"), ("A", "UKR")]
    mine = [Unit(power=power, kind=kind, at=Location.of(at), number=90 + n) for n, (kind, at) in enumerate(places)]
    with rows.locked(world.table) as row:
        turns.begin(row, replace(game, position=replace(game.position, units=(*others, *mine))), clock.now())
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    return world


def saved_and_ready(page: Page, world: World) -> None:
    """What is stored is the whole turn, and final."""
    expect(page.locator("#standing")).to_contain_text("You are ready")
    sheet = Sheet.objects.get(table=world.table, power=power_of(world.table, world.people["own"]))
    assert sorted(sheet.lines) == sorted(TURN)
    assert sheet.confirmed


def test_a_turn_in_twelve_actions(page: Page, east: World) -> None:
    """Four moves, a support of one of them, and ready: twelve clicks, or six drags and clicks and an answer."""
    units = numbers(page)
    for unit, goal in (("A War", "GAL"), ("A Mos", "LVN"), ("F Sev", "BLA"), ("F Stp/SC", "BOT")):
        point(page, units[unit])
        point(page, goal)
    point(page, units["A Ukr"])
    point(page, units["A War"])
    answer(page, "Support A War to Galicia")
    page.locator("#ready").click()  # the twelfth
    saved_and_ready(page, east)
