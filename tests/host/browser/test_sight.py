"""A year of Fog of War in a browser, with two people and bots: each page shows what its reader may see, and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from gamesmaster.game import Game
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import Table
from gamesmaster.host.phases import votes
from gamesmaster.host.tables import store
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import enter, next_phase, units
from tests.host.conftest import people, power_of
from tests.host.sighted import FRANCE, GERMANY, YEAR, check_board, check_map, orders_told, table_of, units_in_sight
from tests.lengths import short_and_long


def look(page: Page, table: Table, game: Game, power: str) -> None:
    """Check the page of the present phase: map, text board, and the numbers of all powers."""
    page.goto(f"/t/{table.key}/")
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    check_map(page.locator("#sheet").inner_html(), game, power)
    check_board(str(page.locator("#words pre").text_content()), game, power)
    shown = units_in_sight(game, game.position, power)
    beaten = {out.unit.power for out in game.position.dislodged}
    for row in page.locator("#powers tbody tr").all():
        name = str(row.locator(".power > span").first.text_content()).split()[0]
        if name not in beaten:  # a dislodged unit counts among a power's
            assert row.locator("td.num").nth(1).inner_text() == str(sum(owner == name for owner, _ in shown))


def order(page: Page, game: Game, power: str, lines: Sequence[str]) -> None:
    """Type orders and be ready; what names a place out of sight is said to do so."""
    if game.phase.code.endswith("M"):
        assert set(units(page).locator(".name").all_inner_texts()) == {str(unit) for unit in own_units(game, power)}
    if not page.locator("#typing").get_attribute("open"):
        page.locator("#typing summary").click()
    page.locator("#text").fill("\n".join(lines))
    if any("A War" in line for line in lines):
        expect(page.locator("#warnings")).to_contain_text("names a place out of sight")
    page.locator("#ready").click()
    expect(page.locator("#all-the-same, #standing").filter(visible=True).first).to_be_visible()
    if page.locator("#all-the-same").is_visible():
        page.locator("#all-the-same").click()
    expect(page.locator("#standing")).to_contain_text("You are ready")


def own_units(game: Game, power: str) -> list[str]:
    """Return the units of a power as the guide names them."""
    return [f"{unit.kind} {unit.at.province.title()}" for unit in game.position.of(power)]


def look_back(page: Page, table: Table, game: Game, power: str) -> None:
    """Check the page of the phase that is over: the orders told, and why each came to what it did."""
    page.goto(f"/t/{table.key}/p/{len(game.records) - 1}/?why=all")
    rows = [
        (str(part.get_attribute("aria-label")), text)
        for part in page.locator("section.results:has(h2 .power-sign), section.results:has(li[data-key])").all()
        for text in part.locator("li .order").all_inner_texts()
    ]
    assert sorted(rows) == orders_told(game, game.records[-1], power)
    assert not re.search(r"\d against \d|with a strength", page.locator("main").inner_text())


@short_and_long("phases", 1, len(YEAR))
def test_a_year_of_fog(visitors: Visitors, monkeypatch: pytest.MonkeyPatch, phases: int) -> None:
    """Map, text board, lists, warnings, results and reasons have what is in sight; at the end all is open."""
    monkeypatch.setattr(hosting, "new_seed", lambda: bytes(32))
    users = people(2)
    table = table_of(users[0])
    for user, power in zip(users, (FRANCE, GERMANY), strict=True):
        seats.join(table, user, preferences=[power])
    hosting.start(table, users[0])
    pages: list[tuple[User, Page]] = [(user, visitors()) for user in users]
    for user, page in pages:
        enter(page, user)
    for phase, orders in YEAR[:phases]:
        table.refresh_from_db()
        assert table.phase_code == phase
        game = store.load(table)
        for user, page in pages:
            power = power_of(table, user)
            look(page, table, game, power)
            if power in orders:
                order(page, game, power, orders[power])
            page.goto("about:blank")  # or the page would go on by itself while the test goes to another
        next_phase(table)
        for user, page in pages:
            look_back(page, table, store.load(table), power_of(table, user))
    if phases == len(YEAR):
        for user in users:
            power, ordinal = power_of(table, user), len(store.load(table).records)
            votes.cast(table, power, [*store.load(table).survivors], ordinal=ordinal, user=user)
        table.refresh_from_db()
        assert table.state == "finished"
        pages[0][1].goto(f"/t/{table.key}/p/0/")
        expect(pages[0][1].locator("li[data-key]")).to_have_count(22)
        expect(pages[0][1].locator("main")).not_to_contain_text("out of sight")
