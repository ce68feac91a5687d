"""Debian's Chromium, driven by Playwright, against the site and its database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the browser tests want Playwright")
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.chromium import CHROMIUM, FLAGS
from tests.host.browser.walking import TRANSPARENT_MAP
from tests.patience import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)  # milliseconds


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These tests use a real database."""
    for item in items:
        if "tests/host/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="package", autouse=True)
def between_calls() -> Iterator[None]:
    """Playwright runs a loop of events in this thread; the tests use the database between its calls, not in them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, once for all tests here; its loop of events ends with them, for other tests run one of their own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Visitors:
    """Pages of browsers that know nothing of one another; what the policy stops, and scripts that fail, are noted."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def __call__(self, *, painted: bool = False, **options: Any) -> Page:
        """The page of one more visitor, on which maps are `painted` or clear; other options are a context's."""
        chosen: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, **options}
        context = self.browser.new_context(base_url=self.url, **chosen)
        context.set_default_timeout(PATIENCE * 1000)
        if not painted:
            context.add_init_script(TRANSPARENT_MAP)
        self.contexts.append(context)
        page = context.new_page()
        self.watch(page)
        return page

    def watch(self, page: Page) -> None:
        """Note what goes wrong on a page."""
        policy = "Content Security Policy"
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if policy in said.text else None)


@pytest.fixture
def visitors(browser: Browser, live_server: Any) -> Iterator[Visitors]:
    """Makes a page for each visitor of the site; faults of scripts fail the test."""
    made = Visitors(browser, live_server.url)
    yield made
    for context in made.contexts:
        context.close()
    assert not made.wrong, made.wrong


@pytest.fixture
def page(visitors: Visitors) -> Page:
    """The page of one visitor."""
    return visitors()
