"""Push in a browser: the service worker shows what arrives, and a click on it leads to the game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from gamesmaster.host.models import HookCall
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import session
from tests.host.conftest import power_of
from tests.host.test_push import Receiver
from tests.host.world import World, make_world
from tests.patience import await_that

WITHOUT_DESKTOP = """() => {
  self.shown = [];
  self.opened = [];
  const show = async (title, options) => { self.shown.push({ title, ...options }); };
  ServiceWorkerRegistration.prototype.showNotification = show;
  self.clients.openWindow = async (url) => { self.opened.push(url); return null; };
  WorkerNavigator.prototype.setAppBadge = async (number) => { self.badge = number; };
}"""
"""Chromium's shell has no desktop: what would be shown or opened there is noted instead."""
CLICK = """async () => {
  const done = [], [shown] = self.shown, event = new ExtendableEvent("notificationclick");
  event.notification = { data: shown.data, close() {} };
  event.waitUntil = (what) => done.push(what);
  self.dispatchEvent(event);
  await Promise.all(done);
  return self.opened;
}"""


@pytest.fixture
def world() -> World:
    """A running game."""
    return make_world("moves")


def registration_of(cdp: CDPSession, page: Page) -> str:
    """Register the service worker, and return the name by which the browser knows it."""
    found: list[str] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"] if not one["isDeleted"]),
    )
    cdp.send("ServiceWorker.enable")
    page.evaluate(
        "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 0)"
    )
    await_that(lambda: bool(page.evaluate("0") or found))
    return found[-1]


def test_a_push_is_shown_and_leads_to_its_game(visitors: Visitors, world: World, settings: Any) -> None:
    """What the site sends to a device is shown with the name of the game, and a click opens the page of its press."""
    own, other = world.people["own"], world.people["other"]
    Receiver(own)
    sender = power_of(world.table, other)
    correspondence.send(world.table, sender, Press("A word", [power_of(world.table, own)]), user=other)
    call = HookCall.objects.filter(device__user=own).latest("pk")
    page = visitors()
    session(page, world)
    page.goto("/games?list=mine")
    expect(page.get_by_role("link", name="Inbox")).to_contain_text("unread")
    cdp = page.context.new_cdp_session(page)
    name = registration_of(cdp, page)
    (worker,) = page.context.service_workers
    worker.evaluate(WITHOUT_DESKTOP)
    data = json.dumps({**json.loads(call.body), "calls": 2})
    cdp.send("ServiceWorker.deliverPushMessage", {"origin": visitors.url, "registrationId": name, "data": data})
    await_that(lambda: bool(worker.evaluate("self.shown.length")))
    (shown,) = worker.evaluate("self.shown")
    press = f"/t/{world.table.key}/press/"
    assert (shown["title"], shown["body"], shown["data"]) == (world.table.name, f"press from {sender}", {"url": press})
    assert worker.evaluate("self.badge") == 2
    assert worker.evaluate(CLICK) == [visitors.url + press]
    page.goto(press)
    expect(page.locator("main")).to_contain_text(sender)
