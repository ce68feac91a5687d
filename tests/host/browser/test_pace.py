"""Alone against bots in a browser: one click begins, and each phase comes by itself."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from gamesmaster.host.operations.serving import Worker
from gamesmaster.host.tables import store
from tests.host.browser.walking import sign_up, table_of, units


def test_a_turn_against_bots(page: Page) -> None:
    """From the front page into a game at one click; who is ready sees the next phase without touching the page."""
    sign_up(page)
    page.goto("/")
    page.get_by_role("button", name=re.compile("against bots")).first.click()
    page.wait_for_url("**/t/*/**")
    table = table_of(page)
    expect(page.locator("#due")).to_contain_text("the phase ends when everybody is ready")
    expect(units(page).first).to_be_visible()
    worker, worked = Worker(), 0.0
    for phase in ("Fall 1901 Movement", None):
        page.locator("#ready").click()
        page.locator("#all-the-same").click()
        expect(page.locator("#due")).to_contain_text("being adjudicated")
        before = time.process_time()
        worker.tick()
        worked += time.process_time() - before
        table.refresh_from_db()
        game = store.load(table)
        name = phase or game.variant.calendar.name(game.phase)
        expect(page.locator(".headline .under strong")).to_have_text(name)
        expect(page.locator(".toast")).to_be_hidden()
    assert worked < 10


@pytest.mark.long  # test_a_turn_against_bots is shorter
def test_news_before_anybody_listens(page: Page) -> None:
    """A phase that ends while the page is on its way is seen, and so is one whose page cannot be had at first."""
    sign_up(page)
    page.goto("/")
    page.get_by_role("button", name=re.compile("against bots")).first.click()
    page.wait_for_url("**/t/*/**")
    table = table_of(page)
    page.locator("#ready").click()
    page.locator("#all-the-same").click()
    expect(page.locator("#due")).to_contain_text("being adjudicated")
    late: list[Route] = []
    hears = re.compile(r"/live(\.json)?$")
    page.route(hears, lambda route: late.append(route))
    page.reload()
    expect(page.locator("#due")).to_contain_text("being adjudicated")
    Worker().tick()
    lost = iter([503, 503])
    page.route(
        f"**/t/{table.key}/",
        lambda route: route.fulfill(status=status) if (status := next(lost, None)) else route.continue_(),
    )
    page.unroute(hears)
    for route in late:
        route.continue_()
    expect(page.locator(".headline .under strong")).to_have_text("Fall 1901 Movement")
    assert next(lost, None) is None
