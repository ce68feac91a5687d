"""Bids for homes by clicks: several for one centre, no more than there are, and what comes of them on the map."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from gamesmaster.host.games import hosting
from gamesmaster.host.tables import store
from tests.host.browser.pointing import gesture
from tests.host.browser.walking import drawn
from tests.host.test_operator_variants import forget

BIDDERS = """format = 1
id = "bidders"
name = "Bidders"
based_on = "standard"

[calendar]
first_year = 1900
first_phase = "Winter 1900"

[[mechanics]]
name = "won-homes"
winter = 0
bids = 3
units = { SPA = "F SPA/SC" }
"""


def test_bids_by_clicks(page: Page, tmp_path: Path, settings: Any) -> None:
    """A click on a free centre is a bid, another one a second bid; the fourth takes the place of the first."""
    (tmp_path / "bidders").mkdir()
    (tmp_path / "bidders" / "variant.toml").write_text(BIDDERS, encoding="utf-8")
    settings.VARIANTS = str(tmp_path)
    forget()
    page.set_viewport_size({"width": 1440, "height": 1500})
    table = hosting.sandbox("bidders")
    drawn(page, f"/t/{table.key}/?power=France")
    text, marked = page.locator("#text"), page.locator("#marks .can")
    expect(marked).to_have_count(12)
    gesture(page, "@BEL", "@BEL")
    expect(text).to_have_value("Designate Bel\nDesignate Bel")
    gesture(page, "@SPA")
    expect(text).to_have_value("Designate Bel\nDesignate Bel\nDesignate Spa")
    expect(marked).to_have_count(0)
    gesture(page, "@POR")
    expect(text).to_have_value("Designate Bel\nDesignate Spa\nDesignate Por")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("Designate Bel\nDesignate Bel\nDesignate Spa")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Process")).click()
    table.refresh_from_db()
    game = store.load(table)
    assert list(game.records[-1].orders["France"]) == ["Designate Bel", "Designate Bel", "Designate Spa"]
    assert {str(unit) for unit in game.position.of("France")} >= {"A BEL", "F SPA/SC"}
    drawn(page, f"/t/{table.key}/?power=France")
    expect(page.locator("#sheet #homes circle + text", has_text=re.compile("^Fr$"))).to_have_count(2)
    forget()
