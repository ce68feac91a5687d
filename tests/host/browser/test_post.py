"""A season's letters in a browser: from a mailbox of nine players to a phase that is processed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.models import Message, OutMail, Sheet
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, enter, faults
from tests.host.conftest import HOUR, NOW, people, power_of
from tests.host.test_cline_house import again, holds, table_of


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)


def mail(sender: str, minute: int, body: str, kind: str = "plain") -> str:
    """A mail in a mailbox."""
    return (
        f"From {sender}@example.org Mon Jan  4 12:{minute:02}:00 2027\nFrom: {sender} <{sender}@example.org>\n"
        f"Date: Mon, 04 Jan 2027 12:{minute:02}:00 +0000\nSubject: Spring\n"
        f"Content-Type: text/{kind}; charset=utf-8\n\n{body}\n\n"
    )


def read(page: Page, file: Path) -> None:
    """Upload a mailbox and read it."""
    page.set_input_files("#files", file)
    page.locator("#new").get_by_role("button", name="Read").click()


def test_a_season_of_letters(visitors: Visitors, tmp_path: Path) -> None:
    """Without a script: nine players' mails are read, corrected, accepted with receipts, and the phase is processed."""
    *players, gm = people(10)
    table = table_of(players, gm)
    powers = [power_of(table, user) for user in players]
    orders = {power: holds(table, power) for power in powers}
    box = []
    for minute, (user, power) in enumerate(zip(players, powers, strict=True)):
        lines = "\n".join(orders[power])
        if minute == 0:  # a first letter that a later one replaces
            box.append(mail(user.username, 0, orders[power][0]))
        if minute == 1:
            lines = lines.replace(" H", " - Nowhere", 1)
        if minute == 2:
            lines = "\n".join(orders[power][1:])
        kind = "html" if minute == 3 else "plain"
        text = f"Dear Gamesmaster,\n\nhere they are:\n{lines}\n\nBest wishes\n{user.username}"
        box.append(mail(user.username, minute + 1, text.replace("\n", "<br>") if kind == "html" else text, kind))
    file = tmp_path / "season.mbox"
    file.write_text("".join(box), encoding="utf-8")

    page = visitors(java_script_enabled=False)
    enter(page, gm)
    page.goto(f"/t/{table.key}/gm/")
    page.get_by_role("link", name="Read letters").click()
    read(page, file)
    expect(page.get_by_role("button", name="Accept for")).to_have_count(9)
    doubtful, short = powers[1], powers[2]
    expect(page.locator("h2").first).to_have_text(doubtful)
    assert not Sheet.objects.filter(table=table, power__in=powers).exists()

    page.get_by_role("button", name=f"Ask {doubtful}").click()
    expect(page.get_by_label(f"Your message to {doubtful}")).to_have_value(re.compile("- Nowhere"))
    page.get_by_role("button", name=f"Send to {doubtful}").click()
    expect(page.locator(".notes")).to_have_text(f"Your message to {doubtful} has been sent.")
    assert Message.objects.filter(table=table, to=[doubtful], sender="").count() == 1
    assert OutMail.objects.filter(user=players[1], body__contains="- Nowhere").exists()

    page.get_by_role("button", name=f"Accept for {doubtful}").click()
    expect(page.get_by_role("alert")).to_contain_text("some lines are not clear")
    page.locator(".as-read .bad input").fill(orders[doubtful][0])
    page.get_by_role("button", name=f"Accept for {doubtful}").click()
    expect(page.locator("#accepted li")).to_have_count(1)
    page.get_by_role("button", name=f"Accept for {short}").click()
    expect(page.get_by_role("alert")).to_contain_text("has no order and will hold")
    page.get_by_role("button", name="Accept it anyway").click()
    for number, power in enumerate([powers[0], *powers[3:]], 3):
        page.get_by_role("button", name=f"Accept for {power}").click()
        expect(page.locator("#accepted li")).to_have_count(number)
    expect(page.get_by_role("button", name="Accept for")).to_have_count(0)
    kept = {sheet.power: sheet.lines for sheet in Sheet.objects.filter(table=table, channel="gm")}
    assert kept == {**orders, short: orders[short][1:]}

    page.get_by_role("link", name="Desk").click()
    page.get_by_role("button", name="Process").click()
    expect(page.locator(".notes")).to_have_text("S1901M: processed.")
    game = store.load(again(table))
    assert game.phase.code == "F1901M"
    assert {power: list(game.records[0].orders[power]) for power in powers} == kept


def test_the_page_is_accessible(visitors: Visitors, tmp_path: Path) -> None:
    """Axe finds nothing on it, on a phone and by dark; nothing is wider than the window; Enter reads a correction."""
    user, gm = people(2)
    table = table_of([user], gm)
    power = power_of(table, user)
    unit = holds(table, power)[0]
    file = tmp_path / "note.txt"
    file.write_text(
        f"{power}:\n{unit.replace(' H', ' - Nowhere')}\n> {unit}\nA long line: {'x' * 300}\n", encoding="utf-8"
    )
    for scheme in ("light", "dark"):
        page = visitors(viewport=PHONE, color_scheme=scheme)
        enter(page, gm)
        page.goto(f"/t/{table.key}/gm/letters")
        assert not faults(page)
        read(page, file)
        page.locator(".as-read input").first.press("Enter")
        page.get_by_role("button", name=f"Accept for {power}").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_role("button", name=f"Ask {power}").click()
        expect(page.get_by_label(f"Your message to {power}")).to_be_visible()
        assert not faults(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".as-read input").first.fill(unit)
    page.locator(".as-read input").first.press("Enter")
    expect(page.locator(".tag.good")).to_have_text("every line is clear")
