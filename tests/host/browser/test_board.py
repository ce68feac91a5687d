"""The board in a real browser: a newcomer's game, special games, keyboard, phone, weight, accessibility."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.games import hosting
from gamesmaster.host.maps.pictures import key
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import store
from gamesmaster.players import seed_of
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import (
    PHONE,
    choose,
    drawn,
    enter,
    faults,
    fits,
    let_rest,
    next_phase,
    sandbox,
    session,
    sign_up,
    table_of,
    units,
)
from tests.host.conftest import people
from tests.host.test_endgame import played
from tests.host.world import make_world
from tests.lengths import mark_long

DATA = Path(__file__).parents[2] / "data"
FIRST_VISIT, NEXT_VISIT = 500_000, 60_000  # bytes


def test_a_newcomer_plays_cline_nine_man(page: Page) -> None:
    """Signs up, makes a game that eight bots fill, orders by clicking, and reads why an order failed."""
    sign_up(page)
    page.goto("/games/new?preset=bots&variant=cline9")
    expect(page.locator("input[name=variant][value=cline9]")).to_be_checked()
    page.get_by_role("button", name="Create the game").click()
    page.wait_for_url("**/t/*/**")
    table = table_of(page)
    assert table.seats.exclude(bot="").count() == 8
    page.goto(f"/t/{table.key}/")
    power = table.seats.get(bot="").power
    expect(page.locator("#desk-title")).to_contain_text(str(power))
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    by_the_map(page)
    fail_one(page, table)
    page.locator("#ready").click()
    page.locator("#all-the-same").click()  # not every unit has an order
    expect(page.locator("#standing")).to_contain_text("You are ready")
    expect(page.locator("#receipt code")).to_contain_text("GM1|")
    sheet = Sheet.objects.get(table=table, power=str(power))
    table.refresh_from_db()
    assert sheet.confirmed
    assert table.ready_at is not None
    assert sheet.lines
    next_phase(table)
    page.reload()
    page.get_by_role("link", name="Last phase, with the orders").click()
    failed = page.locator(".results li.bad").first
    failed.get_by_role("link", name="Why").click()
    expect(failed.locator(".because")).to_contain_text(re.compile(r"[A-Z]{3}-\w"))
    assert failed.locator(".because").inner_text().strip()
    next_phase(table)
    page.goto(f"/t/{table.key}/p/1/")
    first = page.locator("h1").inner_text()
    page.get_by_role("link", name="Before").click()
    page.wait_for_url("**/p/0/")
    expect(page.locator("h1")).not_to_have_text(first)


def by_the_map(page: Page) -> None:
    """Order a unit with two clicks on the map: the unit, and where it goes."""
    expect(units(page).first).to_be_visible()
    number = page.evaluate(
        """async () => { const desk = document.querySelector('#desk .desk');
        const found = await (await fetch(desk.dataset.choices)).json();
        const unit = found.units.find((u) => Object.keys(u.tree.move ?? {}).length);
        return [unit.n, found.keys[Object.keys(unit.tree.move)[0]][0]]; }"""
    )
    unit, goal = number
    page.locator(f'#sheet [data-unit="{unit}"]').first.dispatch_event("click")
    expect(page.locator("#guide .choices")).to_be_visible()
    expect(page.locator("#sheet #marks .can").first).to_be_attached()
    page.locator(f'#sheet [data-province="{goal}"]').first.dispatch_event("click")
    for _ in range(3):  # a coast, or another way there, may still be asked for
        if page.locator("#guide .choices").count():
            page.locator("#guide .options .option").first.click()
    expect(page.locator("#guide .line:not(.none)").first).to_be_visible()
    expect(page.locator("#sheet #orders").first).to_be_attached()


def fail_one(page: Page, table: Table) -> None:
    """Two units to one place: neither gets there.  If no two can, a support of a move that nobody makes fails."""
    pair = page.evaluate(
        """async () => { const desk = document.querySelector('#desk .desk');
        const found = await (await fetch(desk.dataset.choices)).json(), seen = {};
        for (const u of found.units) for (const key of Object.keys(u.tree.move ?? {})) {
          if (typeof u.tree.move[key] !== 'string') continue;
          const at = found.keys[key][0];
          if (seen[at] && seen[at].n !== u.n) return [seen[at], {n: u.n, line: u.tree.move[key]}];
          seen[at] ??= {n: u.n, line: u.tree.move[key]}; }
        const u = found.units[0], own = found.units.map((x) => x.at);
        return [{n: u.n, line: Object.values(u.tree.move)[0]}]; }"""
    )
    page.locator("#typing summary").click()
    page.locator("#text").fill("\n".join(one["line"] for one in pair))
    expect(page.locator("#guide .line:not(.none)")).to_have_count(len(pair))
    assert table.ordinal == 0


def entries(name: str, number: int) -> list[dict[str, Any]]:
    """The first phases of a kept game."""
    with gzip.open(DATA / f"playthrough_{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        seed, *rest = map(json.loads, lines)
    return [seed, *rest[:number]]


def play(page: Page, table: Table, entry: dict[str, Any], power: str, clicked: dict[str, tuple[str, ...]]) -> None:
    """A phase at a sandbox: one power's orders typed or clicked, all others' as in the kept game."""
    table.refresh_from_db()
    assert table.phase_code == entry["phase"]
    for other, texts in entry["orders"].items():
        if other != power:
            submission.submit(table, other, texts, Submission(table.ordinal), user=None)
    if power in entry["orders"]:
        page.goto(f"/t/{table.key}/?power={power}")
        expect(page.locator("#guide, #typing[open]").first).to_be_visible()
        typed = [line for line in entry["orders"][power] if line not in clicked]
        if not page.locator("#typing").get_attribute("open"):
            page.locator("#typing summary").click()
        page.locator("#text").fill("\n".join(typed))
        if typed:
            expect(page.locator("#guide .line:not(.none), #warnings li").first).to_be_visible()
        for line, (unit, *steps) in clicked.items():
            choose(page, unit, *steps)
            expect(page.locator("#text")).to_have_value(re.compile(re.escape(line), re.I))
        page.locator("#save").click()
        expect(page.locator("#standing")).to_contain_text("Saved")
        expect(page.locator("#receipt summary")).to_contain_text("Receipt for set")
        assert Sheet.objects.get(table=table, ordinal=table.ordinal, power=power).lines
    page.goto(f"/t/{table.key}/")
    with page.expect_navigation():  # the phase is over when the page has come anew
        page.get_by_role("button", name=re.compile("process|happens|adjudicate", re.I)).first.click()
    table.refresh_from_db()


@pytest.mark.long
def test_a_year_of_scottomacy(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox from spring to winter: boats are built and sail, English fleets arrive, land, and are built."""
    seed, *year = entries("scottomacy", 5)
    monkeypatch.setattr(hosting, "new_seed", lambda: seed_of(seed["seed"]))
    table = sandbox(page, "scottomacy")
    turns = ["MacDonald", "England", "England", "Campbell", "England"]
    for entry, power in zip(year, turns, strict=True):
        play(page, table, entry, power, {})
    assert table.ordinal == 5
    page.goto(f"/t/{table.key}/p/2/")
    expect(page.locator("main")).to_contain_text("with BB")
    expect(page.locator("main")).to_contain_text("lands")
    game = store.load(table)
    assert any(unit.kind == "A/BB" for unit in game.records[3].position.units)


@pytest.mark.long
def test_a_landing_in_conquest(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fleet with its army aboard lands it, chosen step by step from what is lawful."""
    seed, first, second = entries("conquest2", 2)
    monkeypatch.setattr(hosting, "new_seed", lambda: seed_of(seed["seed"]))
    table = sandbox(page, "conquest2")
    play(page, table, first, "England", {})
    play(page, table, second, "France", {})
    page.goto(f"/t/{table.key}/p/1/")
    landing = page.locator(".results li", has_text=re.compile("lands? ANT", re.I)).first
    expect(landing).to_be_visible()
    landing.get_by_role("link", name="Why").click()
    expect(landing.locator(".because")).not_to_be_empty()


def test_keyboard_only(page: Page) -> None:
    """With the keyboard alone: past the navigation, to a unit, through its orders, and stored."""
    world = make_world("moves")
    session(page, world)
    page.goto(f"/t/{world.table.key}/")
    expect(units(page).first).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('#guide button.unit')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#guide button.unit')")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#guide .choices")).to_be_visible()
    for _ in range(4):
        if not page.locator("#guide .choices").count():
            break
        page.keyboard.press("Enter")
    before = Sheet.objects.get(table=world.table, by=world.people["own"]).version
    for _ in range(40):
        if page.evaluate("document.activeElement.id") == "save":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#standing")).to_contain_text(f"(set {before + 1})")
    expect(page.locator("#receipt summary")).to_be_visible()
    sheet = Sheet.objects.get(table=world.table, by=world.people["own"])
    assert sheet.version == before + 1
    assert sheet.lines == page.locator("#text").input_value().splitlines()


MAIN_PAGES = ("/", "/games", "/games/new", "/variants/", "/variants/standard/", "/sandbox/new", "/me", "/ratings",
              "/accounts/login/", "/t/KEY/", "/t/KEY/p/0/", "/t/KEY/lobby/", "/t/KEY/press/")  # fmt: skip
STILL = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifted += one.value; })
  .observe({ type: "layout-shift", buffered: true });
"""
"""Adds up how far things on a page have jumped, as browsers count it; clicks do not excuse it here."""


@pytest.mark.looks
def test_a_board_is_light_and_stands_still(visitors: Visitors) -> None:
    """A first visit sends less than 500 kB, the next less than 60; nothing on the page jumps, drawn orders included."""
    page = visitors(painted=True)
    world = make_world("later")
    session(page, world)
    sent: list[float] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda told: sent.append(told["encodedDataLength"]))
    page.add_init_script(STILL)
    for most in (FIRST_VISIT, NEXT_VISIT):
        sent.clear()
        drawn(page, f"/t/{world.table.key}/")
        assert 5_000 < sum(sent) < most
    assert page.evaluate("window.shifted") < 0.01
    units(page).first.click()
    page.locator("#guide .options").get_by_role("button", name="Hold", exact=True).click()
    expect(page.locator("#sheet #orders")).to_be_attached()
    let_rest(page)
    assert page.evaluate("window.shifted") < 0.05


@pytest.mark.long  # news come before anybody listens in test_pace.py
def test_news_come_while_one_writes(page: Page) -> None:
    """A letter shows as a badge, a new phase is offered; what stands in the field of orders stays."""
    world = make_world("moves")
    session(page, world)
    page.clock.install()
    drawn(page, f"/t/{world.table.key}/")
    badge = page.locator("#table-tabs a", has_text="Press").locator(".tag")
    before = int(badge.inner_text().split()[0]) if badge.count() else 0
    page.locator("#typing summary").click()
    page.locator("#text").fill("A draft of mine")
    correspondence.send(world.table, "", Press("News for all.", [correspondence.ALL]), user=world.people["gm"])
    page.clock.fast_forward(20_000)
    expect(badge).to_have_text(f"{before + 1} new")
    expect(page.locator(".toast")).to_be_hidden()
    next_phase(world.table)
    page.clock.fast_forward(20_000)
    expect(page.locator(".toast")).to_contain_text("is being played")
    expect(page.locator("#text")).to_have_value("A draft of mine")


def test_looking_ahead(page: Page) -> None:
    """The Gamesmaster sees on a map what would become of the orders; axe finds no fault, and the desk fits a phone."""
    world = make_world("moves")
    session(page, world, "gm")
    page.goto(f"/t/{world.table.key}/gm/")
    page.get_by_role("button", name="Preview the results").click()
    expect(page.locator("#ahead #sheet #orders > *").first).to_be_attached()
    expect(page.locator("#ahead tbody tr").first).to_be_visible()
    assert not faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    world.table.refresh_from_db()
    assert world.table.ordinal == 0


@pytest.mark.looks
def test_the_key_to_orders_on_a_phone(page: Page) -> None:
    """The fold below the desk shows every sign of board and orders with its meaning, also at 390 pixels."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    sandbox(page, "standard")
    page.get_by_text("What lines and signs mean").click()
    signs = page.locator(".order-signs img")
    told = key("standard", "light")
    assert signs.count() == len(told.board) + len(told.orders) > 18
    for sign in signs.all():
        sign.scroll_into_view_if_needed()
        expect(sign).to_have_js_property("complete", True)
        assert sign.evaluate("(image) => image.naturalWidth") > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.looks
def test_on_a_phone_nothing_is_cut_off(visitors: Visitors) -> None:
    """At 390 pixels no main page is wider than the phone, long names or not, and the orders can be reached."""
    page = visitors(viewport=PHONE, locale="de-DE")
    world = make_world("later", name="Bartholomew" * 7)
    users = people(7)
    scored = played(users, house_rules={"scoring": "sum-of-squares"}, seasons=1)
    enter(page, users[0])
    page.goto(f"/t/{scored.key}/")
    wide = [] if fits(page) else ["the final table"]
    session(page, world)
    for path in MAIN_PAGES:
        page.goto(path.replace("KEY", world.table.key))
        if not fits(page):
            wide.append(path)
    assert not wide
    page.goto(f"/t/{world.table.key}/")
    units(page).first.click()
    expect(page.locator("#guide .choices")).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize(
    ("scheme", "paths"),
    [
        ("light", MAIN_PAGES[::2]),
        ("dark", MAIN_PAGES[1::2]),
        *mark_long([("light", MAIN_PAGES), ("dark", MAIN_PAGES)]),
    ],
)
def test_accessible(page: Page, scheme: Any, paths: Sequence[str]) -> None:
    """The checks of axe-core find nothing on the main pages, by day and by night."""
    world = make_world("later")
    session(page, world)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = []
    for path in paths:
        page.goto(path.replace("KEY", world.table.key))
        let_rest(page)
        found += [f"{path}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)
