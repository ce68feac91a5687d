"""What was and what might be, in a real browser: the film of a game, every order explained, plans."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from tests.host.browser.walking import drawn, enter, units
from tests.host.conftest import people, power_of, running


def played(number: int) -> Table:
    """A sandbox in which so many phases are over; in the first, France and Germany stand each other off."""
    table = hosting.sandbox("standard")
    submission.submit(table, "France", "A Par - Bur", Submission(0), user=None)
    submission.submit(table, "Germany", "A Mun - Bur", Submission(0), user=None)
    for ordinal in range(number):
        assert processing.ask(table, ordinal, None) is processing.Done.PROCESSED
    table.refresh_from_db()
    return table


def test_the_film_of_a_game(page: Page) -> None:
    """It plays by itself at the speed that is chosen, stops at the end, and is played by keys and by the slider."""
    table = played(4)
    page.goto(f"/t/{table.key}/")
    page.get_by_role("link", name="Film of the game").click()
    play = page.locator("#play")
    expect(play).to_have_text("Pause")
    shown(page, 0)
    first = page.locator("#sheet svg").first.element_handle()
    page.get_by_label("Speed").select_option("very fast")
    expect(page).to_have_url(re.compile("/p/3/$"))
    shown(page, 3)
    expect(play).to_have_text("Play")
    assert first.evaluate("svg => svg.isConnected"), "the board is drawn once"
    page.locator("h1").focus()
    page.keyboard.press("ArrowLeft")
    shown(page, 2)
    page.keyboard.press("ArrowRight")
    shown(page, 3)
    page.locator("#reel").focus()
    page.keyboard.press("Home")
    shown(page, 0)
    expect(page).to_have_url(re.compile("/p/0/$"))
    expect(page.locator("#arrived")).to_have_text("Spring 1901 Movement")
    expect(page.locator("#reel")).to_be_focused()


def test_a_bounce_shows_both_arrows(page: Page) -> None:
    """The order whose reason is asked stands out on the map together with the one that stopped it."""
    table = played(1)
    page.goto(f"/t/{table.key}/p/0/")
    shown(page, 0)
    row = page.locator(".results li.bad", has_text="A Par - Bur")
    row.get_by_role("link", name="Why").click()
    expect(row.locator(".because p").first).to_be_visible()
    lit = page.locator("#orders .lit title")
    expect(lit).to_have_count(2)
    expect(lit.filter(has_text="A Mun - Bur")).to_have_count(1)


@pytest.mark.long  # test_what_if and test_the_film_of_a_game look at pages of the past
def test_a_page_is_printed_light_and_without_buttons(page: Page) -> None:
    """On paper are a light map and the orders, from a dark screen too, without what only a screen can use."""
    table = played(1)
    page.emulate_media(color_scheme="dark")
    for address in (f"/t/{table.key}/p/0/", f"/t/{table.key}/"):
        page.emulate_media(media="screen")
        page.goto(address)
        expect(page.locator("#sheet svg #layer")).to_be_attached()
        page.emulate_media(media="print")
        printed = page.locator("img.printed")
        expect(printed).to_be_visible()
        expect(page.locator("img.printed")).to_have_js_property("complete", value=True)
        assert printed.evaluate("map => map.decode().then(() => map.naturalWidth)") > 0
        assert "style=light" in (printed.get_attribute("src") or "")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 251, 245)"
        left = page.locator("main :is(button, .button, .why, input, select, textarea, .files a)").all()
        assert not [one.inner_text() for one in left if one.is_visible()]
    assert page.locator(".printed").count() == 1


def test_every_order_explained(page: Page) -> None:
    """One click explains the whole phase, and the next one too when one goes on; another hides it all."""
    table = played(2)
    page.goto(f"/t/{table.key}/p/0/")
    shown(page, 0)
    page.get_by_role("link", name="Explain every order").click()
    expect(page.locator(".because p")).to_have_count(22)
    expect(page.get_by_role("link", name="Hide the explanations")).to_be_focused()
    page.get_by_role("link", name="STD-6.a").first.click()
    expect(page.locator(":target")).to_contain_text("STD-6.a")
    page.locator("#later").click()
    shown(page, 1)
    expect(page.locator(".because p")).to_have_count(22)
    page.get_by_role("link", name="Hide the explanations").click()
    expect(page.locator(".because p")).to_have_count(0)
    expect(page.locator("#sheet svg #layer")).to_be_attached()


@pytest.mark.long  # test_the_film_of_a_game is shorter
def test_the_film_keeps_time(page: Page) -> None:
    """A phase is shown for as long as the speed says, counted from when its map is there; a pause has no end."""
    table = played(3)
    page.add_init_script("localStorage.setItem('film-speed', '2')")
    page.clock.install()
    page.goto(f"/t/{table.key}/p/0/")
    shown(page, 0)
    expect(page.get_by_label("Speed")).to_have_value("2")
    page.clock.pause_at(page.evaluate("Date.now() + 100"))
    page.locator("h1").focus()
    page.keyboard.press(" ")
    arrived(page, 1)
    page.clock.run_for(1400)
    shown(page, 1)
    page.clock.run_for(200)
    arrived(page, 2)
    page.locator("#play").click()  # at the end, so from the start
    arrived(page, 0)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    page.clock.run_for(60_000)
    shown(page, 0)


def arrived(page: Page, ordinal: int) -> None:
    """Wait for a phase while the clock stands: htmx takes a moment by it to settle what it has put in."""
    expect(page.locator(f'#film[data-at="{ordinal}"]')).to_be_attached()
    page.clock.run_for(30)
    shown(page, ordinal)


def shown(page: Page, ordinal: int) -> None:
    """Wait until the page and the map show this phase."""
    expect(page.locator(f'#film[data-at="{ordinal}"][data-shown="{ordinal}"]')).to_be_attached()


def test_what_if(page: Page) -> None:
    """A player begins a plan, lets a bot guess, looks at what would happen, and takes the orders into the game."""
    user = people(1)[0]
    table = running([user])
    power = power_of(table, user)
    enter(page, user)
    drawn(page, f"/t/{table.key}/")
    page.get_by_label("Name of the plan").fill("Bold")
    page.get_by_role("button", name="Plan from here").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bold")
    expect(page.locator("#desk-title")).to_contain_text(power)
    page.get_by_role("button", name="Guess").click()
    expect(page.locator(".note.success")).to_contain_text("Club player has guessed")
    unit = units(page).first.inner_text().split("\n")[0]
    page.locator("#typing summary").click()
    page.locator("#text").fill(f"{unit} H")
    expect(page.locator("#standing")).to_contain_text("Saved")
    page.get_by_role("button", name="Process").click()
    page.wait_for_url("**/p/0/")
    page.locator("#later").click()
    page.get_by_role("button", name="Use these orders in the game").click()
    page.wait_for_url(f"**/t/{table.key}/?power={power}")
    expect(page.locator("#text")).to_have_value(re.compile(f"{re.escape(unit)} H"))
    assert Sheet.objects.get(table=table, power=power).lines == [f"{unit} H"]
    expect(page.get_by_role("link", name="Bold")).to_be_visible()
