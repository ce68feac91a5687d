"""Write the pictures of the site's pages to docs/pages/, from a small world of its own in a real browser.

    python docs/screenshots.py [NAME ...]
    python docs/screenshots.py --review FOLDER [NAME ...]

The second writes PNGs to look through, which are not kept: the main pages at three sizes, light, dark and in German.
Needs the extras `host` and `pictures`, Playwright, and Chromium; `make screenshots` has all but the last.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

if TYPE_CHECKING:
    from screenshots_world import World

PAGES = Path(__file__).resolve().parent / "pages"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "google-chrome"))), "chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
HEAVIEST = 140_000  # bytes
PORT = 8765


def _nothing(_: Page) -> None:
    pass


@dataclass(frozen=True)
class Shot:
    """A picture: its name, the page (`{nine}` stands for a table's key), who looks, how large, what is done first."""

    name: str
    path: str
    who: str = ""
    size: tuple[int, int] = (1280, 860)
    scheme: Literal["light", "dark"] = "light"
    first: Callable[[Page], None] = _nothing
    language: str = "en-GB"
    whole: bool = False  # with what is below the window


def _choosing(page: Page) -> None:
    """Begin the order of a unit that has several ways to go."""
    page.locator("#guide button.unit").nth(1).click()
    page.locator("#guide .choices").wait_for()
    page.locator("#guide").scroll_into_view_if_needed()


def _why(page: Page) -> None:
    """Ask why an order failed."""
    row = page.locator(".results li.bad").first
    row.get_by_role("link", name="Why").click()
    row.locator(".because p").first.wait_for()
    page.mouse.move(640, 20)
    page.evaluate("scrollTo(0, 0)")


def _thread(page: Page) -> None:
    """Open a thread of two."""
    page.locator("#threads a", has_text="Persia").first.click()
    page.locator(".letter.own").first.wait_for()
    page.evaluate("scrollTo(0, 0)")


def _ahead(page: Page) -> None:
    page.get_by_role("button", name="Preview the results").click()
    page.locator("#ahead").wait_for()


def _correction(page: Page) -> None:
    """Move an army, and preview it."""
    field = page.get_by_label("Units, one per line").first
    field.fill(field.input_value().replace("A VIE", "A BOH"))
    page.get_by_label("Reason").fill("A Vie - Boh was read as A Vie holds")
    page.get_by_role("button", name="Preview").last.click()
    page.locator("#trial").wait_for()


def _first_turn(page: Page) -> None:
    """Begin the second turn of the tutorial, and order its attack."""
    page.get_by_role("button", name="Play turn 2").click()
    page.wait_for_url("**/t/*/")
    settled(page)
    page.locator("#typing summary").click()
    page.locator("#text").fill("A Pic - Bel\nF Eng S A Pic - Bel\nA Mar - Spa")
    page.locator("#text").blur()
    page.locator("#standing.good").wait_for()
    page.locator("#typing summary").click()
    page.locator("figure#board #orders > *").first.wait_for(state="attached")
    page.evaluate("scrollTo(0, 0); document.querySelector('.desk-side').scrollTop = 0")


def _wrong_try(page: Page) -> None:
    """Order the same attack without its support."""
    page.get_by_role("button", name="Play turn 2").click()
    page.wait_for_url("**/t/*/")
    settled(page)
    page.locator("#typing summary").click()
    page.locator("#text").fill("A Pic - Bel\nA Mar - Spa")
    page.get_by_role("button", name="See what happens").click()
    page.locator(".verdict").wait_for()


def _messages(page: Page) -> None:
    """Open a thread beside the board."""
    page.get_by_role("tab", name="Messages").click()
    page.locator("#side-press .threads a", has_text="Persia").first.click()
    page.locator("#side-press .letter.own").first.wait_for()


PHONE = (390, 844)
SHOTS = (
    Shot("front", "/", size=(1280, 900)),
    Shot("tutorial", "/tutorial/", size=(1280, 720), first=_first_turn),
    Shot("tutorial-phone", "/tutorial/", size=PHONE, first=_wrong_try),
    Shot("games", "/games?list=mine", "Anna", (1280, 620)),
    Shot("new-game", "/games/new", "Anna", (1280, 1000)),
    Shot("lobby", "/t/{lobby}/lobby/", "Bartholomew_van_der_Meulen"),
    Shot("table", "/t/{nine}/", "Anna", (1280, 1000)),
    Shot("table-phone", "/t/{nine}/", "Anna", PHONE),
    Shot("orders-phone", "/t/{nine}/", "Anna", PHONE, first=_choosing),
    Shot("past", "/t/{nine}/p/5/", "Anna", (1280, 1000), first=_why),
    Shot("press", "/t/{nine}/press/", "Anna", first=_thread),
    Shot("messages", "/t/{nine}/", "Anna", (1280, 860), first=_messages),
    Shot("desk", "/t/{nine}/gm/", "Marion", (1280, 900)),
    Shot("ahead", "/t/{nine}/gm/", "Marion", (1280, 1000), first=_ahead),
    Shot("correction", "/t/{nine}/gm/board", "Marion", (1280, 1000), first=_correction),
    Shot("boats", "/t/{boats}/", "Anna", (1280, 1000), scheme="dark"),
    Shot("variant", "/variants/scottomacy/", size=(1280, 1000)),
    Shot("players", "/ratings", size=(1280, 640)),
    Shot("me", "/me", "Anna"),
    Shot("moderation", "/moderation/", "Odile", (1280, 700)),
)


WIDE, TABLET = (1440, 900), (820, 1180)
MAIN = {
    "front": ("/", ""), "games": ("/games?list=mine", "Anna"), "new-game": ("/games/new", "Anna"),
    "lobby": ("/t/{lobby}/lobby/", "Anna"), "table": ("/t/{nine}/", "Anna"), "past": ("/t/{nine}/p/5/", "Anna"),
    "press": ("/t/{nine}/press/", "Anna"), "inbox": ("/inbox", "Anna"), "desk": ("/t/{nine}/gm/", "Marion"),
    "board": ("/t/{nine}/gm/board", "Marion"), "find": ("/games/find", "Anna"), "uploads": ("/my-variants/", "Anna"),
    "me": ("/me", "Anna"), "club": ("/moderation/club", "Odile"), "moderation": ("/moderation/", "Odile"),
}  # fmt: skip
"""The pages to look through: path, and who looks."""
REVIEWED: tuple[tuple[tuple[int, int], Literal["light", "dark"], str], ...] = (
    (WIDE, "light", "en-GB"), (WIDE, "dark", "en-GB"), (TABLET, "light", "en-GB"), (TABLET, "dark", "de-DE"),
    (PHONE, "light", "de-DE"), (PHONE, "dark", "en-GB"), (WIDE, "light", "de-DE"),
)  # fmt: skip
"""Size, theme and language of each picture of a page."""


@contextmanager
def site() -> Iterator[World]:
    """The site, in a folder of its own that is gone afterwards, with its world in it."""
    with tempfile.TemporaryDirectory(prefix="gamesmaster-pages-") as folder:
        os.environ.update(GAMESMASTER_DATA=folder, GAMESMASTER_DATABASE_URL="", DJANGO_ALLOW_ASYNC_UNSAFE="1")
        os.environ |= {"GAMESMASTER_BASE_URL": f"http://127.0.0.1:{PORT}", "GAMESMASTER_PRESS_HOLD": "0"}
        from gamesmaster.host.apps import boot
        from gamesmaster.host.site.places import make_data_folder

        make_data_folder()
        boot()
        import uvicorn

        from gamesmaster.host.operations.serving import migrate

        migrate()
        from screenshots_world import make_world

        world = make_world()
        config = uvicorn.Config(
            "gamesmaster.host.asgi:application", port=PORT, log_config=None, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, daemon=True)
        thread.start()
        yield world
        server.should_exit = True
        thread.join(10)


def take(browser: Browser, world: World, shot: Shot) -> bytes:
    """Take one picture, as PNG."""
    from screenshots_world import NOW

    width, height = shot.size
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{PORT}", viewport={"width": width, "height": height}, color_scheme=shot.scheme,
        reduced_motion="reduce", locale=shot.language, timezone_id="Europe/Paris",
        device_scale_factor=1.5 if width < 400 else 1,
    )  # fmt: skip
    context.add_cookies(_signed_in(world, shot.who))
    context.set_default_timeout(240_000)  # milliseconds; the machine may be busy
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    page.goto(shot.path.format(**world.tables))
    settled(page)
    shot.first(page)
    settled(page)
    png = page.screenshot(full_page=shot.whole)
    context.close()
    return png


def settled(page: Page) -> None:
    """Wait until the map is drawn and the fonts are there."""
    page.wait_for_load_state("load")
    if page.locator("#sheet").count():
        page.locator("#sheet svg #layer").wait_for(state="attached")
    if page.locator("#guide").count():
        page.locator(".desk.guided, #typing[open]").first.wait_for(state="attached")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(400)


def packed(png: bytes) -> bytes:
    """As WebP, as well as it can be within the limit."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    for quality in (86, 78, 70, 60, 50):
        out = BytesIO()
        picture.save(out, "WEBP", quality=quality, method=6)
        if out.tell() <= HEAVIEST:
            break
    return out.getvalue()


def _signed_in(world: World, who: str) -> list[Any]:
    """The cookie of somebody who has signed in."""
    if not who:
        return []
    from django.test import Client

    client = Client()
    client.force_login(world.people[who], backend="django.contrib.auth.backends.ModelBackend")
    return [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": f"http://127.0.0.1:{PORT}"}]


def review() -> Iterator[Shot]:
    """Yield the pictures to look through."""
    for name, (path, who) in MAIN.items():
        for size, scheme, language in REVIEWED:
            title = f"{name}-{size[0]}-{scheme}-{language[:2]}"
            yield Shot(title, path, who, size, scheme, language=language, whole=True)


def main(wanted: list[str]) -> None:
    """Write the pictures that are wanted, or all."""
    folder, shots = PAGES, list(SHOTS)
    if wanted[:1] == ["--review"]:
        folder, shots, wanted = Path(wanted[1]), list(review()), wanted[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with site() as world, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for shot in shots:
            if wanted and shot.name not in wanted and shot.name.split("-")[0] not in wanted:
                continue
            png = take(browser, world, shot)
            if folder == PAGES:
                (folder / f"{shot.name}.webp").write_bytes(packed(png))
            else:
                (folder / f"{shot.name}.png").write_bytes(png)
            print(shot.name, flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
