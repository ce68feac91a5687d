"""Orders typed by keyboard alone, completed in the player's own dialect."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.accounts import people
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import Table
from gamesmaster.host.tables import store
from tests.host.browser.walking import PHONE, drawn, enter, faults
from tests.host.conftest import NOW, person

FIELD = "#order-typed"
OPTION = "#order-ways [role=option]"


def at_a_sandbox(page: Page, power: str = "Germany") -> Table:
    """The desk of a power of a sandbox, with the field for an order in focus."""
    with store.lock(hosting.create(None, "standard", sandbox=True, now=NOW)) as table:
        seats.begin(table, seats.new_game(table), NOW)
    drawn(page, f"/t/{table.key}/?power={power}")
    expect(page.locator("#typed")).to_be_visible()
    page.locator("#desk-title").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "order-typed":
            return table
    raise AssertionError("the field is not reached by Tab")


def typed(page: Page, text: str, *, ways: str) -> None:
    """Type, and wait until there is this way to go on."""
    page.keyboard.type(text)
    expect(page.locator(OPTION).filter(has_text=ways).first).to_be_visible()


def lines(page: Page) -> list[str]:
    """The orders of the desk."""
    return page.locator("#text").input_value().splitlines()


def test_in_the_house_style(page: Page) -> None:
    """What is typed is narrowed to orders that may be given; arrows mark one, Enter and Tab take it."""
    table = at_a_sandbox(page)
    typed(page, "a mu", ways="A Mun H")
    expect(page.locator(FIELD)).to_have_attribute("aria-expanded", "true")
    page.keyboard.type("n - b")
    expect(page.locator(OPTION)).to_have_text(["A Mun - Ber", "A Mun - Boh", "A Mun - Bur"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    marked = page.locator(f"{OPTION}[aria-selected=true]")
    expect(marked).to_have_text("A Mun - Bur")
    expect(page.locator(FIELD)).to_have_attribute("aria-activedescendant", marked.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(page.locator(FIELD)).to_have_value("")
    expect(page.locator(FIELD)).to_be_focused()
    assert lines(page) == ["A Mun - Bur"]
    typed(page, "f kie ", ways="F Kie - ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator(FIELD)).to_have_attribute("aria-expanded", "false")
    page.keyboard.type("- den")
    expect(page.locator(OPTION)).to_have_text(["F Kie - Den"])
    page.keyboard.press("Tab")
    expect(page.locator("#order-told")).to_contain_text("1 unit without an order")
    page.keyboard.type("Mun hold")  # the rest of what is typed is as good as what is taken
    page.keyboard.press("Enter")
    expect(page.locator("#order-told")).to_contain_text("1 unit without an order")
    expect(page.locator("#unsaved")).to_be_hidden()
    assert lines(page) == ["F Kie - Den", "A Mun H"]
    assert [sheet.lines for sheet in table.sheets.all()] == [lines(page)]
    typed(page, "a ber", ways="A Ber H")
    assert not faults(page)


def test_in_german(page: Page) -> None:
    """Words of another dialect are completed in it, and the order is kept in the house style, which is said."""
    at_a_sandbox(page)
    typed(page, "Armee Mün", ways="Armee München geht nach")
    page.keyboard.type("chen geht nach B")
    expect(page.locator(OPTION).first).to_have_text("Armee München geht nach BerlinA Mun - Ber")
    page.keyboard.type("urg")
    expect(page.locator(OPTION)).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator("#order-told")).to_contain_text("A Mun - Bur. 2 units")
    page.keyboard.type("Flotte Kiel geht nach Dänemark")
    page.keyboard.press("Enter")
    expect(page.locator(".read-as")).to_have_text("'Flotte Kiel geht nach Dänemark' is read as F Kie - Den")
    expect(page.locator("#unsaved")).to_be_hidden()
    expect(page.locator(".read-as")).to_be_visible()  # though its line is in plain words now
    assert lines(page) == ["A Mun - Bur", "F Kie - Den"]


@pytest.mark.parametrize(
    ("dialect", "text", "whole"),
    [
        ("webdiplomacy", "mun bur", "The army at Munich move to Burgundy."),
        ("daide", "mun mto bur", "(GER AMY MUN) MTO BUR"),
    ],
)
def test_in_the_dialect_of_the_account(page: Page, dialect: str, text: str, whole: str) -> None:
    """Who has chosen a dialect gets it, from the first word on."""
    user = person("own")
    people.choose(user, {"dialect": dialect})
    enter(page, user)
    at_a_sandbox(page)
    typed(page, text, ways=whole)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#order-told")).to_contain_text("2 units without an order")
    assert lines(page) == ["A Mun - Bur"]


def test_what_is_no_order_stays_in_the_field(page: Page) -> None:
    """With the place of the fault, and the nearest order that may be given."""
    at_a_sandbox(page)
    page.keyboard.type("F Kie - Hlo")
    page.keyboard.press("Enter")
    expect(page.locator("#order-told")).to_have_text("line 1, column 9: no province 'Hlo' (did you mean F Kie - Hol?)")
    expect(page.locator(FIELD)).to_have_value("F Kie - Hlo")
    assert lines(page) == []


def test_the_list_is_in_sight_on_a_phone(page: Page) -> None:
    """Where the ways to go on would be below the window, the field moves up."""
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    at_a_sandbox(page)
    typed(page, "a ", ways="A Mun")
    last = page.locator(OPTION).first.bounding_box()
    assert last
    assert last["y"] + last["height"] < PHONE["height"]
