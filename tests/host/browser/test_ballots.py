"""Votes and the end of a game in a real browser, with several people."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import Table
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, enter, faults, fits, sign_up, table_of
from tests.host.conftest import people, power_of


def propose(page: Page, key: str) -> None:
    """Go to a table, and open what may be proposed."""
    page.goto(f"/t/{key}/")
    page.locator("#propose summary").click()


def test_from_an_invitation_to_a_draw(visitors: Visitors) -> None:
    """Two people and five bots: invited by link, they agree on a draw on the page, and each says a word in the end."""
    one, two = visitors(), visitors(viewport=PHONE)
    sign_up(one, "ann")
    one.goto("/games/new")
    one.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    one.locator("[name=join][value=invited]").check()
    for field, answer in {"fill": "holder", "starts": "asked", "rule-votes": "counted"}.items():
        one.locator(f"select[name='{field}']").select_option(answer)
    one.get_by_role("button", name="Create the game").click()
    one.wait_for_url("**/t/*/**")
    table = table_of(one)
    one.goto(f"/t/{table.key}/lobby/")
    if not table.seats.exists():
        one.locator("#join button").click()
        one.goto(f"/t/{table.key}/lobby/")
    one.get_by_role("button", name="Make a link").click()
    link = one.locator("code.link").first.inner_text()
    sign_up(two, "bob")
    two.goto(urlsplit(link).path)
    two.locator("#join button").click()
    expect(two.get_by_role("link", name="ann").first).to_be_visible()
    one.goto(f"/t/{table.key}/lobby/")
    one.get_by_role("button", name="Begin").click()
    one.wait_for_url(f"**/t/{table.key}/")
    propose(one, table.key)
    form = one.locator("#propose form", has=one.locator("#winners"))
    form.get_by_role("checkbox").check()
    form.get_by_role("button", name="Vote for this end").click()
    expect(one.locator("#votes")).to_contain_text("1 of 2 agree. You agree")
    two.goto(f"/t/{table.key}/")
    expect(two.locator("#votes")).to_contain_text("A draw shared by all survivors. 1 of 2 agree.")
    assert fits(two)
    two.locator("#votes").get_by_role("checkbox").check()
    two.locator("#votes").get_by_role("button", name="Agree").click()
    expect(two.locator("#final")).to_contain_text("bots agreed")
    expect(two.locator("#final tbody tr")).to_have_count(7)
    two.locator("#statement").fill("Quickly done.")
    two.locator("#statements").get_by_role("button", name="Save").click()
    expect(two.locator(".statement")).to_contain_text("Quickly done.")
    assert fits(two)
    one.goto(f"/t/{table.key}/")
    expect(one.locator(".statement")).to_contain_text("Quickly done.")
    assert not faults(one)
    table.refresh_from_db()
    assert table.state == "finished"


@pytest.mark.long  # a draw is agreed upon above
def test_a_pause_and_a_concession(visitors: Visitors) -> None:
    """Three people pause the game by vote, and go on by vote; a vote is taken back; then two concede to the third."""
    users = people(3)
    settings = TableSettings(fill="holder", starts="asked")
    table = hosting.create(users[0], GameChoice("standard", house_rules={"votes": "open"}), settings)
    for user in users:
        seats.join(table, user)
    hosting.start(table, users[0])
    key = Table.objects.get(pk=table.pk).key
    one, two = visitors(), visitors(viewport=PHONE)
    enter(one, users[0])
    enter(two, users[1])
    propose(one, key)
    one.get_by_role("button", name="Propose a pause").click()
    votes = one.locator("#votes")
    expect(votes).to_contain_text("A pause. 1 of 2 agree. You agree")
    votes.get_by_role("button", name="Withdraw my vote").click()
    expect(one.locator("#votes li")).to_have_count(0)
    propose(one, key)
    one.get_by_role("button", name="Propose a pause").click()
    propose(two, key)
    assert fits(two)
    assert not faults(two)
    expect(two.locator("#votes")).to_contain_text(power_of(table, users[0]))
    two.locator("#votes").get_by_role("button", name="Agree").click()
    expect(two.locator(".headline")).to_contain_text("paused")
    propose(two, key)
    two.get_by_role("button", name="Propose an end of the pause").click()
    one.goto(f"/t/{key}/")
    one.locator("#votes").get_by_role("button", name="Agree").click()
    expect(one.locator(".due").first).to_contain_text("due")
    winner = power_of(table, users[2])
    propose(one, key)
    one.locator("#winners").select_option(winner)
    form = one.locator("#propose form", has=one.locator("#winners"))
    form.get_by_role("checkbox").check()
    form.get_by_role("button", name="Vote for this end").click()
    two.goto(f"/t/{key}/")
    expect(two.locator("#votes")).to_contain_text(f"A win for {winner}. 1 of 2 agree.")
    two.locator("#votes").get_by_role("checkbox").check()
    two.locator("#votes").get_by_role("button", name="Agree").click()
    expect(two.locator("#final tbody tr").first).to_contain_text(winner)
    outcome = store.load(Table.objects.get(pk=table.pk)).outcome
    assert outcome is not None
    assert outcome.text == f"{winner} won by concession."
