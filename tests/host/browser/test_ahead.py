"""Orders sent ahead at the desk: typed below a heading, kept in a box, taken away by a button."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.models import Sheet, Table
from tests.host.browser.walking import PHONE, choose, drawn, enter, faults, units
from tests.host.conftest import people, power_of, running
from tests.host.test_ahead import KEPT, away

STANDING, BOX = "#standing", ".kept"


def at_the_desk(page: Page) -> tuple[Table, str]:
    """A player at the desk of a game that keeps orders sent ahead, and a retreat for the first unit."""
    user, *_ = people(1)
    table = running([user], house_rules=KEPT)
    enter(page, user)
    drawn(page, f"/t/{table.key}/")
    page.locator("#typing summary").click()
    return table, away(table, power_of(table, user))


def row_of(table: Table) -> Sheet:
    """The set that is stored."""
    return Sheet.objects.get(table=table)


def test_typed_kept_and_taken_away(page: Page) -> None:
    """What is typed below a heading stays as it is being typed, is kept, and does not become an order."""
    table, retreat = at_the_desk(page)
    unit = retreat.partition(" - ")[0]
    text = page.locator("#text")
    text.press_sequentially(f"{unit} H\nRetreats:\n")
    expect(page.locator(STANDING)).to_contain_text("set 1")
    assert text.input_value() == f"{unit} H\nRetreats:\n"
    text.press_sequentially(retreat)
    expect(page.locator(f"{BOX} pre")).to_have_text(retreat)
    assert text.input_value() == f"{unit} H\nRetreats:\n{retreat}"
    assert (row_of(table).lines, row_of(table).ahead) == ([f"{unit} H"], {"retreats": [retreat]})
    page.get_by_role("button", name="Remove (Kept for retreats)").click()
    expect(page.locator(BOX)).to_have_count(0)
    assert text.input_value() == f"{unit} H"
    assert (row_of(table).lines, row_of(table).ahead) == ([f"{unit} H"], {})


def test_drawing_goes_on_beside_it(page: Page) -> None:
    """Orders given by clicks leave what is typed for later as it is, stored or not."""
    table, retreat = at_the_desk(page)
    with page.expect_response("**/preview"):
        page.locator("#text").fill(f"Retreats:\n{retreat}")
    choose(page, units(page).last.locator(".name").inner_text(), "Hold")
    expect(page.locator("#text")).to_have_value(re.compile(rf" H\nretreats:\n{retreat}$", re.IGNORECASE))
    expect(page.locator(BOX)).to_contain_text(retreat)
    expect(page.locator(STANDING)).to_contain_text(re.compile("set [2-9]"))
    assert (len(row_of(table).lines), row_of(table).ahead) == (1, {"retreats": [retreat]})


@pytest.mark.long  # test_typed_kept_and_taken_away is the wide page
def test_the_box_on_a_phone(page: Page) -> None:
    """The box is in nobody's way on a narrow page, and can be reached by everybody."""
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    _, retreat = at_the_desk(page)
    page.locator("#text").fill(f"Retreats:\n{retreat}\nAdjustments:\nWaive")
    expect(page.locator(BOX)).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert not faults(page)
