"""Help in a real browser: from the keyboard and by click, over the page it is for, and as a page of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.web.home import TOPICS
from tests.host.browser.test_life import sound
from tests.host.browser.walking import PHONE, enter, faults, sandbox, units
from tests.host.conftest import people, running
from tests.lengths import mark_long


def test_help_over_the_board(page: Page) -> None:
    """The key opens the help of the very page over it, Escape closes it, and what was typed is still there."""
    ann, _ben = people(2)
    table = running([ann, _ben])
    enter(page, ann)
    page.goto(f"/t/{table.key}/press/?new=1")
    page.locator("textarea[name=text]").first.fill("Why? ")
    page.locator("textarea[name=text]").first.press("?")
    expect(page.locator("textarea[name=text]").first).to_have_value("Why? ?")
    expect(page.locator("dialog")).to_have_count(0)
    page.locator("h1").first.click()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name=str(TOPICS["press"].title))
    expect(dialog).to_be_visible()
    assert not faults(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("textarea[name=text]").first).to_have_value("Why? ?")


@pytest.mark.long  # test_help_over_the_board opens help, too
def test_help_beside_orders(page: Page) -> None:
    """On a board, where letters are codes of provinces, the key opens the help, too, and the orders drawn stay."""
    sandbox(page, "standard")
    units(page).first.click()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name=str(TOPICS["board"].title))
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#guide .options")).to_be_visible()
    page.get_by_role("link", name="Help").click()
    expect(dialog).to_be_visible()


@pytest.mark.parametrize("name", [None, *mark_long(TOPICS, but=list(TOPICS)[::4])])
def test_help_pages_are_sound(page: Page, name: str | None) -> None:
    """The list of topics and each topic are accessible, and fit a phone; the header does, too."""
    page.goto(TOPICS[name].address if name else "/help/")
    sound(page)


def test_help_without_scripts(visitors: object) -> None:
    """Where no script runs, the link in the header leads to the page of the topic, on a phone as well."""
    page: Page = visitors(java_script_enabled=False, viewport=PHONE)  # type: ignore[operator]
    page.goto("/games")
    page.get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(str(TOPICS["games"].title))
