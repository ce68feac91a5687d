"""The page of corrections in a browser, at full size and on a phone: preview, correction, undoing it, and helpers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.models import Table
from gamesmaster.host.tables import store
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, enter, faults, fits
from tests.host.conftest import people, person, running
from tests.lengths import mark_long

FULL = {"width": 1440, "height": 900}


def preview(page: Page, power: str, label: str, was: str, becomes: str) -> None:
    """Change an entry in a field of a power, and preview it."""
    card = page.get_by_role("group", name=power)
    field = card.get_by_label(label)
    field.fill(field.input_value().replace(was, becomes))
    page.get_by_label("Reason").fill("It was set up wrong")
    page.get_by_role("button", name="Preview").last.click()
    expect(page.locator("#trial")).to_be_visible()


def units_of(table: Table, power: str) -> set[str]:
    """Return the units that a power has now."""
    return {f"{unit.kind} {unit.at}" for unit in store.load(Table.objects.get(pk=table.pk)).position.of(power)}


@pytest.mark.parametrize("size", mark_long([FULL, PHONE], but=[PHONE]), ids=["full", "phone"])
def test_a_board_is_corrected_and_the_correction_undone(visitors: Visitors, size: dict[str, int]) -> None:
    """The preview shows the new board and each change; players read what was corrected and why; it can be undone."""
    users, master = people(2), person("master")
    table = running(users, gm=master)
    page, player = visitors(viewport=size), visitors(viewport=size)
    enter(page, master)
    page.goto(f"/t/{table.key}/gm/")
    page.get_by_role("link", name="Set units, owners or the phase").click()
    assert fits(page)
    assert faults(page) == []
    preview(page, "Austria", "Units, one per line", "A VIE", "A BOH")
    expect(page.locator("#trial li")).to_have_text(
        [
            "A Vie (Austria) is taken off the board.",
            "A Boh (Austria) is put on the board.",
        ]
    )
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    expect(page.locator("#sheet")).to_have_attribute("data-layout", "narrow")  # names would be too small to read
    expect(page.get_by_label("Reason")).to_have_value("It was set up wrong")
    assert fits(page)
    assert faults(page) == []
    assert "A VIE" in units_of(table, "Austria")
    page.get_by_role("button", name="Correct the board").click()
    expect(page.locator(".notes")).to_contain_text("The board is corrected")
    assert "A BOH" in units_of(table, "Austria")
    enter(player, users[0])
    player.goto(f"/t/{table.key}/press/")
    expect(player.locator("main")).to_contain_text("It was set up wrong")
    page.get_by_role("button", name="Undo the last correction").click()
    expect(page.locator(".notes")).to_contain_text("undone")
    assert "A VIE" in units_of(table, "Austria")


def test_a_fault_on_a_phone_is_seen_and_mended(visitors: Visitors) -> None:
    """A place that does not exist is named at the top of the page, and the fields keep what was written."""
    master = person("master")
    table = running(people(2), gm=master)
    page = visitors(viewport=PHONE)
    enter(page, master)
    page.goto(f"/t/{table.key}/gm/board")
    card = page.get_by_role("group", name="Austria")
    card.get_by_label("Units, one per line").fill("A ATLANTIS")
    page.get_by_label("Reason").fill("A slip")
    page.get_by_role("button", name="Preview").last.click()
    expect(page.get_by_role("alert")).to_contain_text("ATLANTIS")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(card.get_by_label("Units, one per line")).to_have_value("A ATLANTIS")
    assert fits(page)


def test_a_helper_is_named_and_steps_down(visitors: Visitors) -> None:
    """On a phone the Gamesmaster names a helper, who finds the same desk, and can step down again."""
    master, helper = person("master"), person("helper")
    table = running(people(2), gm=master)
    one, two = visitors(viewport=PHONE), visitors(viewport=PHONE)
    enter(one, master)
    one.goto(f"/t/{table.key}/gm/")
    one.get_by_label("Name of the person").fill("helper")
    one.get_by_role("button", name="Name a helper").click()
    expect(one.locator("#helpers li")).to_contain_text("helper")
    assert fits(one)
    assert faults(one) == []
    enter(two, helper)
    two.goto(f"/t/{table.key}/gm/")
    expect(two.get_by_label("Name of the person")).to_have_count(0)
    two.get_by_role("button", name="Step down").click()
    two.goto(f"/t/{table.key}/gm/")
    expect(two.locator("#helpers")).to_have_count(0)
