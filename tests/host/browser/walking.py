"""What visitors do on the site, for tests in a browser."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as StillBusy

from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock

PHONE = {"width": 390, "height": 844}
TRANSPARENT_MAP = """const clear = new CSSStyleSheet();
clear.replaceSync("#sheet { opacity: 0 }");
document.adoptedStyleSheets = [clear];"""
"""Makes maps transparent: all works but their painting, which was two thirds of the browser's work."""


def faults(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it stands, its map painted."""
    page.evaluate("document.adoptedStyleSheets = []")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]} ({len(one['nodes'])})" for one in found]


def intercept(page: Page) -> None:
    """Let every later route of `page` catch all requests: call it first, since a page's first route may miss some."""
    page.route(re.compile("^$"), lambda route: route.abort())  # no address is like that


def fits(page: Page) -> bool:
    """Return whether the page fits its window from side to side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def sign_up(page: Page, name: str = "newcomer") -> None:
    """Make an account as anybody does."""
    page.goto("/accounts/signup/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label(re.compile("^e-?mail", re.I)).first.fill(f"{name}@example.org")
    page.locator("input[type=password]").nth(0).fill("a long and winding road")
    page.locator("input[type=password]").nth(1).fill("a long and winding road")
    page.locator("main form button").first.click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def table_of(page: Page) -> Table:
    """The table whose page is shown."""
    found = re.search("/t/([a-z]{10})/", page.url)
    assert found, page.url
    return Table.objects.get(key=found[1])


def choose(page: Page, unit: str, *words: str) -> None:
    """Order a unit by the buttons of the guide: the unit, then each step."""
    name = page.locator(".name", has_text=re.compile(rf"^{re.escape(unit)}$"))
    page.locator("#guide button.unit").filter(has=name).first.click()
    for word in words:
        options = page.locator("#guide .options")
        options.get_by_role("button", name=word, exact=True).first.click()


def units(page: Page) -> Locator:
    """The units in the guide."""
    return page.locator("#guide button.unit")


def next_phase(table: Table) -> Table:
    """Let the worker's time come."""
    table.refresh_from_db()
    due = table.ready_at is not None  # else nobody waits for a clock, and the player has not spoken
    at = (table.ready_at or table.phase_began or clock.now()) + timedelta(minutes=1)
    done = processing.process(table, table.ordinal, "due" if due else "asked", now=at)
    assert done is processing.Done.PROCESSED
    table.refresh_from_db()
    return table


def session(page: Page, world: Any, role: str = "own") -> None:
    """Sign in without the form, as a player without planted words in the way."""
    Sheet.objects.filter(table=world.table).update(text="")
    _enter(page, world.client(role))


def enter(page: Page, user: User) -> None:
    """Sign in without the form."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    _enter(page, client)


def _enter(page: Page, client: Client) -> None:
    page.goto("/healthz")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": page.url}])


def drawn(page: Page, address: str) -> None:
    """Go to a table, and wait until the map and the choices are there."""
    page.goto(address)
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    expect(units(page).first).to_be_visible()
    expect(page.locator("#unsaved")).to_be_hidden()
    let_rest(page)


def let_rest(page: Page) -> None:
    """Wait until nothing more is fetched, or for as long as that could take: what a page hears of may never end."""
    with suppress(StillBusy):
        page.wait_for_load_state("networkidle", timeout=15_000)


def sandbox(page: Page, variant: str) -> Table:
    """A board of one's own, without an account."""
    page.goto("/sandbox/new")
    page.locator(f"form:has(input[value={variant}]) button").click()
    page.wait_for_url("**/t/*/")
    expect(units(page).first).to_be_visible()
    return table_of(page)
