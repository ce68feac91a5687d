"""Letters that are not sent yet, in a browser: taken back beside the board and on the page; struck out ones."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from gamesmaster.host.models import HeldLetter, Message
from gamesmaster.host.press import holding
from gamesmaster.host.site import clock
from tests.host.browser.conftest import Visitors
from tests.host.browser.test_press import follower, messages, world
from tests.host.browser.walking import PHONE, drawn, faults, session
from tests.host.world import World
from tests.lengths import mark_long

__all__ = ["world"]


@pytest.mark.parametrize("size", mark_long([{"width": 1280, "height": 720}, PHONE]), ids=["wide", "phone"])
def test_a_letter_is_taken_back(visitors: Visitors, world: World, settings: Any, size: dict[str, int]) -> None:
    """Beside the board a letter stands as not sent; its text comes back; sent again, it goes out by itself, once."""
    settings.PRESS_HOLD = 600
    page = follower(visitors, viewport=size, reduced_motion="reduce")
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    messages(page)
    page.locator("#side-press .threads a", has_text="To all").click()
    text = page.locator("#side-press #letter")
    text.fill("A letter to think about")
    page.locator("#send").click()
    held = page.locator("#side-press .letter.held")
    expect(held).to_contain_text("A letter to think about")
    expect(text).to_have_value("")
    assert faults(page) == []
    held.get_by_role("button", name="Take back").click()
    expect(held).to_have_count(0)
    expect(text).to_have_value("A letter to think about")
    page.locator("#send").click()
    expect(held).to_have_count(1)
    holding.release(HeldLetter.objects.get().pk, clock.now() + timedelta(hours=1))
    sent = page.locator("#side-press .letter[data-number]", has_text="A letter to think about")
    expect(sent).to_have_count(1)
    expect(held).to_have_count(0)


def test_struck_out(visitors: Visitors, world: World) -> None:
    """The Gamesmaster strikes a letter out on the page of press; the others see that it was, and nothing else."""
    page = visitors(viewport=PHONE)
    session(page, world, "gm")
    page.goto(f"/t/{world.table.key}/press/")
    letter = page.locator(".letter:not(.house)[data-number]").first
    words = letter.locator(".text").inner_text()
    letter.get_by_role("button", name="Strike out").click()
    struck = page.locator(".letter[data-struck]")
    expect(struck).to_contain_text("Struck out by the Gamesmaster.")
    struck.locator("summary").click()
    expect(struck.locator(".text")).to_have_text(words)
    assert faults(page) == []
    assert Message.objects.filter(struck__isnull=False).count() == 1
    session(page, world)
    page.goto(f"/t/{world.table.key}/press/")
    expect(page.locator(".letter[data-struck]")).to_contain_text("Struck out by the Gamesmaster.")
    expect(page.locator(".letter[data-struck]")).not_to_contain_text(words)
