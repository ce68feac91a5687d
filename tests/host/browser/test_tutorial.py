"""The tutorial as a stranger plays it: five turns by clicks on the map, on a wide screen and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.practice import tutorial
from gamesmaster.host.practice.tutorial import SCENES
from tests.host.browser.conftest import Visitors
from tests.host.browser.pointing import answer, at_place, at_unit, numbers
from tests.host.browser.walking import PHONE, faults
from tests.lengths import mark_long
from tests.patience import await_that

WIDE = {"width": 1280, "height": 720}
CLICKS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("A Par", "PIC"), ("F Bre", "ENG"), ("A Mar", "!Hold")),
    (("A Pic", "BEL", "!Move to Belgium"), ("F Eng", "A Pic", "!Support A Pic to Belgium"), ("A Mar", "SPA")),
    (("A Bre", "LON"), ("F Eng", "A Bre", "!Convoy A Bre to London"), ("A Spa", "POR")),
    (("A Bel", "!Hold"), ("F Eng", "A Bel", "!Support A Bel in place")),
    (("A Bel", "PIC"),),
    (("BRE", "!Build F Bre, Brest"),),
    (
        ("A Bur", "MUN"),
        ("A Ruh", "A Bur", "!Support A Bur to Munich"),
        ("A Tyr", "A Bur", "!Support A Bur to Munich"),
    ),
)
"""What is clicked for each order of each scene: units, provinces, and (with `!`) answers."""


def ready(page: Page) -> None:
    """Wait until the map and the desk are at work."""
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    expect(page.locator(".desk.guided")).to_be_visible()


def order(page: Page, clicks: tuple[str, ...], touch: bool) -> None:
    """Give one order by clicks, or by taps."""
    for target in clicks:
        if target.startswith("!"):
            answer(page, target[1:])
            continue
        if touch and page.locator(".choices").count() == 0:
            page.locator("figure#board").evaluate(
                "(board) => board.scrollIntoView({ block: 'start', behavior: 'instant' })"
            )
        spot = settled(page, target)
        page.touchscreen.tap(*spot) if touch else page.mouse.click(*spot)
        if target in numbers(page):
            expect(page.locator(".choices")).to_be_visible()


def settled(page: Page, target: str) -> tuple[float, float]:
    """Where a unit or a province is on the screen, once the map has come to rest."""
    found = []
    if target[:2] in ("A ", "F "):  # a unit is found on the map by the list
        expect(page.locator("#guide button.unit .name", has_text=target)).to_be_visible()

    def rests() -> bool:
        units = numbers(page)
        found.append(at_unit(page, units[target]) if target in units else at_place(page, target))
        page.wait_for_timeout(150)
        return found[-1:] == found[-2:-1]

    await_that(rests)
    return found[-1]


@pytest.mark.parametrize("size", mark_long([WIDE, PHONE], but=[WIDE]), ids=["wide", "phone"])
def test_a_stranger_learns_the_game(visitors: Visitors, size: dict[str, int]) -> None:
    """From the front page to the victory without an account, by clicks alone; each turn is said to be well done."""
    touch = size is PHONE
    page = visitors(viewport=size, has_touch=touch, reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("link", name="Learn the game in five turns").first.click()
    page.get_by_role("button", name="Begin with turn 1").click()
    for number, scene in enumerate(SCENES):
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Turn {scene.turn} of 5: {scene.title}")
        ready(page)  # this page, for the one before has a map as well
        for clicks in CLICKS[number]:
            order(page, clicks, touch)
        page.get_by_role("button", name="See what happens").click()
        expect(page.locator(".verdict")).to_contain_text("Well done.")
        expect(page.locator(".results .because").first).to_be_visible()
        if number + 1 < len(SCENES):
            page.locator(".verdict .row").first.locator("a, button").first.click()
    expect(page.locator(".verdict")).to_contain_text("you have won the game")
    page.get_by_role("link", name="Create an account and play").click()
    expect(page).to_have_url(re.compile("/accounts/signup/"))


@pytest.mark.long  # test_a_stranger_learns_the_game is played to its end
def test_a_wrong_try_is_explained_and_tried_again(visitors: Visitors) -> None:
    """An attack without support bounces; the page says why, brings the orders back, and the second try does it."""
    page = visitors(viewport=WIDE)
    table = tutorial.begin(1)
    page.goto(f"/t/{table.key}/")
    ready(page)
    assert page.locator(".aims use").count() == len(SCENES[1].look)
    order(page, CLICKS[1][0], False)
    order(page, CLICKS[1][2], False)
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".verdict")).to_contain_text("1 against 1, so both bounced")
    expect(page.locator(".results li.bad").first).to_contain_text("A Pic - Bel")
    page.get_by_role("button", name="Try this again").click()
    ready(page)
    expect(page.locator("#text")).to_have_value("A Pic - Bel\nA Mar - Spa")
    order(page, CLICKS[1][1], False)
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".verdict")).to_contain_text("2 against 1")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Turn 3 of 5")


@pytest.mark.looks
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_accessible(visitors: Visitors, size: dict[str, int]) -> None:
    """The checks of axe-core find nothing on the pages of the tutorial, and a phone need not scroll sideways."""
    page = visitors(viewport=size, reduced_motion="reduce", color_scheme="dark" if size is PHONE else "light")
    page.goto("/tutorial/")
    assert faults(page) == []
    page.get_by_role("button", name="Begin with turn 1").click()
    ready(page)
    assert faults(page) == []
    page.get_by_role("button", name="See what happens").click()
    expect(page.locator(".verdict")).to_contain_text("Not quite.")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
