"""A member's variant in a real browser: from a zip to a started game with a friend and a bot."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.host.models import OwnVariant, Table
from gamesmaster.host.variants import checking
from gamesmaster.unpacking import pack
from tests.host.uploading import check_all, checked, pack_files, text, zipped

from .conftest import Visitors
from .walking import sign_up, table_of


def upload(page: Page, file: Path) -> None:
    """Upload a file by the form of the page, and let the worker check it."""
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("status")).to_contain_text("is being checked")
    check_all()


def create_game(page: Page) -> Table:
    """Create a game for invited players on the variant whose page is open."""
    page.get_by_role("link", name="Begin a game").click()
    expect(page.locator("input[name=variant]:checked")).to_have_value(OwnVariant.objects.get().name)
    page.locator("input[name=join][value=invited]").check(force=True)
    page.get_by_role("button", name="Create the game").click()
    page.wait_for_url("**/lobby/")
    return table_of(page)


def test_from_a_zip_to_a_game_with_a_friend_and_a_bot(
    visitors: Visitors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault is shown where it is; the mended zip is a variant; a friend joins by a link and a bot plays, too."""
    monkeypatch.setattr(checking, "ask", checked)
    broken, mended = tmp_path / "broken.zip", tmp_path / "stormy.zip"
    broken.write_bytes(zipped(toml=text("variant.toml").replace("slow-crossing", "slow-crosing")))
    mended.write_bytes(zipped())
    owner, friend = visitors(), visitors()
    sign_up(owner, "hanna")
    sign_up(friend, "ruben")
    owner.goto("/variants/")
    owner.get_by_role("link", name="Upload a variant of your own").click()
    upload(owner, broken)
    expect(owner.get_by_role("cell", name="variant.toml, mechanics slow-crosing")).to_be_visible()
    upload(owner, mended)
    expect(owner.get_by_role("status")).to_contain_text("has passed the check")
    assert friend.goto(f"/variants/{OwnVariant.objects.get().name}/").status == 404  # type: ignore[union-attr]
    table = create_game(owner)
    owner.get_by_role("button", name="Make a link").click()
    friend.goto(urlsplit(owner.locator(".invitation code").inner_text()).path)
    expect(friend.locator("aside img").first).to_have_js_property("complete", True)
    assert friend.locator("aside img").first.evaluate("image => image.naturalWidth") > 0
    friend.get_by_role("button", name="Join").click()
    owner.reload()
    owner.get_by_role("button", name="Give the free seat to this bot").click()
    table.refresh_from_db()
    if table.state == "forming":
        owner.get_by_role("button", name="Begin", exact=True).click()
    for page in (owner, friend):
        page.goto(f"/t/{table.key}/")
        expect(page.locator("main svg").first).to_be_visible()
        expect(page.locator("main")).to_contain_text("Spring")
    assert {seat.user.username if seat.user else seat.bot for seat in table.seats.all()} == {
        "hanna",
        "ruben",
        "heuristic",
    }
    friend.goto(f"/variants/{table.variant}/")  # players of its games can see it
    expect(friend.get_by_role("heading", name="Stormy Isle")).to_be_visible()


def test_variants_of_a_pack_are_chosen(visitors: Visitors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the width of a phone: the page shows what is in the pack, and what is chosen can be played."""
    monkeypatch.setattr(checking, "ask", checked)
    file = tmp_path / "three.zip"
    file.write_bytes(pack(pack_files()))
    page = visitors(viewport={"width": 375, "height": 800})
    sign_up(page, "hanna")
    page.goto("/my-variants/")
    upload(page, file)
    expect(page.get_by_role("group", name="Choose the variants to be played")).to_contain_text("Reds, Blues")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    expect(page.get_by_label("Void")).to_be_disabled()
    page.get_by_label("Narrows").check()
    page.get_by_role("button", name="Check these").click()
    expect(page.get_by_role("link", name="three.zip")).to_have_count(2)
    check_all()
    page.reload()
    page.get_by_role("link", name="Narrows").click()
    expect(page.get_by_role("status")).to_contain_text("has passed the check")
    expect(page.get_by_role("link", name="Begin a game")).to_be_visible()
