"""The map in its window: wholly visible beside the desk, zoomed and moved, and in sight while one orders on a phone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Table
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, drawn, next_phase, session, units
from tests.host.world import make_world
from tests.lengths import short_and_long
from tests.patience import await_that

VARIANTS = ("standard", "cline9", "1000ad", "conquest2", "indianomacy", "indianomacy2", "scottomacy")
SIZES = ((1280, 720), (1440, 900), (1920, 1080))
MAP = """() => { const svg = document.querySelector('#sheet svg'), at = svg.getScreenCTM();
const { x, y, width, height } = svg.viewBox.baseVal;
return { x: at.a * x + at.e, y: at.d * y + at.f, width: at.a * width, height: at.d * height }; }"""
LEGIBLE = """() => { const sheet = document.querySelector("#sheet"), svg = sheet.querySelector("svg");
const size = (text) => Number(text.getAttribute("font-size"));
const pixels = (one) => { const at = one.getScreenCTM(); return Math.hypot(at.b, at.d); };
const shown = [...svg.querySelectorAll("#names text")].filter((text) => getComputedStyle(text).display !== "none");
const signs = [...svg.querySelectorAll("[data-unit]")], letter = (sign) => {
  const drawn = sign.matches("use") ? svg.querySelector(sign.getAttribute("href")) : sign;
  const text = drawn.querySelector("text");
  return (text ? size(text) : 100) * pixels(sign); };
return { texts: Math.min(...shown.map((text) => size(text) * pixels(text))), letters: Math.min(...signs.map(letter)),
  signs: Math.min(...signs.map((sign) => 100 * pixels(sign))), shown: shown.length,
  page: location.pathname, window: [innerWidth, innerHeight], ...sheet.dataset }; }"""
TEXT, SIGN = 8, 20  # pixels
TAPPED = 44  # pixels that a finger wants
VIENNA, BUDAPEST = "VIE", "BUD"


def box(one: Locator) -> FloatRect:
    """Where something is in the window, once it is there: signs are exchanged when the map is drawn anew."""
    found = await_that(one.bounding_box)
    assert found is not None
    return found


def above(one: Locator, other: Locator) -> bool:
    """Whether it ends above something else, but for a pixel."""
    found = box(one)
    return found["y"] + found["height"] <= box(other)["y"] + 1


def inside(part: FloatRect, whole: FloatRect) -> bool:
    """Whether it is all within, but for a pixel."""
    return all(
        part[at] >= whole[at] - 1 and part[at] + part[long] <= whole[at] + whole[long] + 1  # type: ignore[literal-required]
        for at, long in (("x", "width"), ("y", "height"))
    )


def window(page: Page) -> FloatRect:
    """The window, as it shows the page."""
    size = page.viewport_size
    assert size is not None
    return {"x": 0, "y": 0, "width": size["width"], "height": size["height"]}


def fitted(page: Page) -> None:
    """The whole map is in the window, in a pane that it fills one way at least, with the desk beside it."""
    seen, pane, desk = page.evaluate(MAP), box(page.locator("#pane")), box(page.locator(".desk-side"))
    assert inside(seen, pane)
    assert inside(pane, window(page))
    assert seen["width"] > pane["width"] - 2 or seen["height"] > pane["height"] - 2
    assert seen["height"] > 0.75 * window(page)["height"] or seen["width"] > 0.6 * window(page)["width"]
    assert pane["x"] + pane["width"] <= desk["x"]
    assert inside(desk, window(page))
    below = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert below <= box(page.locator(".bottom"))["height"] + 1
    leafing = page.locator(".leafing:has(*), .film")
    assert not leafing.count() or inside(box(leafing), window(page))


def legible(page: Page) -> bool:
    """Whether many names are shown on the map, no text smaller than 8 pixels, and no unit than 20."""
    found = page.evaluate(LEGIBLE)
    texts = min(found["texts"], found["letters"]) > TEXT - 0.1
    return bool(found["shown"] > 20 and texts and found["signs"] > SIGN - 0.1)


def await_legible(page: Page) -> None:
    """Wait until the map can be read."""
    await_that(partial(legible, page), seen=partial(page.evaluate, LEGIBLE))


def place(page: Page, province: str) -> tuple[float, float]:
    """Where the middle of a province's label or unit is, in the window."""
    found = page.evaluate(
        """(at) => { const box = document.querySelector(`#sheet [data-province="${at}"]`).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }""",
        province,
    )
    return found[0], found[1]


def scale(page: Page) -> float:
    """How much larger the map is than when it is whole."""
    return float(page.locator("#sheet").evaluate("(sheet) => new DOMMatrix(getComputedStyle(sheet).transform).a"))


@short_and_long("variants", VARIANTS[::2], VARIANTS)
def test_the_board_fits_the_window(page: Page, variants: Sequence[str]) -> None:
    """At three usual sizes every map is wholly visible beside the desk, of the phase being played and of one past.

    Its texts and units are large enough to be read there, and on a phone.
    """
    boards = {variant: hosting.sandbox(variant) for variant in variants}
    next_phase(boards["standard"])
    world = make_world("later")
    session(page, world)
    played = [*boards.values(), world.table]
    pages = [f"/t/{table.key}/" for table in played] + [f"/t/{boards['standard'].key}/p/0/"]
    for address in pages:
        page.goto(address)
        expect(page.locator("#sheet svg #layer")).to_be_attached()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            fitted(page)
            await_legible(page)
        page.set_viewport_size({"width": 390, "height": 844})
        await_legible(page)


def opened(panel: Locator, *, by: Locator) -> bool:
    """Click a button, and tell whether its panel is there; a click is lost where the page moves beneath the mouse."""
    by.click()
    return panel.is_visible()


def test_what_saves_is_in_sight(page: Page) -> None:
    """At three usual sizes orders are chosen and saved, and a sandbox goes on, without scrolling the desk by hand."""
    table = hosting.sandbox("conquest2")
    page.goto(f"/t/{table.key}/?power=England")
    expect(page.locator("#guide .units")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Save", f"Process {table.phase_code}"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        expect(page.locator("#standing")).to_be_in_viewport(ratio=1)
        choices = page.locator("#guide .choices")
        await_that(partial(opened, choices, by=page.locator("#guide .units .unit").last))
        expect(choices).to_be_in_viewport(ratio=1)
        await_that(partial(above, choices, page.locator(".desk .foot")))
        page.get_by_role("button", name="Back").last.click()


@pytest.fixture
def board(page: Page) -> Table:
    """The standard game's second phase at a board of one's own, as a visitor sees it who wants nothing to glide."""
    page.emulate_media(reduced_motion="reduce")
    table = next_phase(hosting.sandbox("standard"))
    drawn(page, f"/t/{table.key}/")
    return table


def test_a_size_for_a_moment(page: Page, board: Table) -> None:
    """A map can be read that was drawn while its pane had another size, gone before anything was shown."""
    page.set_viewport_size({"width": 390, "height": 844})
    await_legible(page)
    page.evaluate("""() => { const pane = document.getElementById("pane");
    pane.style.width = "600px";
    document.getElementById("board").dispatchEvent(new Event("board:sized"));
    pane.style.width = ""; }""")
    await_legible(page)


def test_legible_before_it_is_drawn_anew(page: Page, board: Table) -> None:
    """A map with all its names can be read when it is made smaller, though the one with codes is still on its way."""
    sheet = page.locator("#sheet")
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    page.route("**/layer.svg?*layout=narrow", lambda route: None)
    page.reload()
    expect(sheet).to_have_attribute("data-drawn", re.compile("light-wide"))
    page.get_by_role("button", name="Show the whole map").click()
    await_legible(page)
    expect(sheet).to_have_attribute("data-drawn", re.compile("light-wide"))


def test_zoom_and_pan(page: Page, board: Table) -> None:
    """Wheel and double click zoom where they are, a drag pans and chooses nothing; all of it stays over phases."""
    x, y = place(page, BUDAPEST)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -500)
    expect(page.locator("#pane")).to_have_class("pane zoomed")
    assert place(page, BUDAPEST) == pytest.approx((x, y), abs=2)
    before = scale(page)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    assert place(page, BUDAPEST) == pytest.approx((x + 60, y + 40), abs=2)
    expect(page.locator("#guide .choices")).to_have_count(0)
    place_kept = place(page, BUDAPEST)
    page.reload()
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    assert place(page, BUDAPEST) == pytest.approx(place_kept, abs=2)
    page.get_by_role("link", name="Last phase, with the orders").click()
    expect(page.locator("#phase #sheet svg #layer")).to_be_attached()
    assert scale(page) == pytest.approx(before)
    sea = page.locator("#pane").bounding_box()
    assert sea is not None
    page.mouse.dblclick(sea["x"] + 20, sea["y"] + 20)
    assert scale(page) == pytest.approx(2 * before)
    page.mouse.wheel(0, 9000)
    assert scale(page) == 1


def test_what_the_desk_takes_is_not_panned(page: Page, board: Table) -> None:
    """A drag or a double click that somebody on the board has taken neither pans nor zooms."""
    page.get_by_role("button", name="Zoom in").click()
    page.evaluate("""for (const name of ["pointerdown", "dblclick"])
        document.getElementById("board").addEventListener(name, (event) => event.preventDefault())""")
    x, y = place(page, VIENNA)
    page.mouse.dblclick(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    assert place(page, VIENNA) == pytest.approx((x, y), abs=1)


@pytest.mark.long  # test_zoom_and_pan does it with the mouse
def test_keys_and_buttons(page: Page, board: Table) -> None:
    """Keys and buttons do the same; at the edge the map goes no further; full screen leaves map and desk alone."""
    pane = page.locator("#pane")
    pane.focus()
    for key, times in (("+", 1), ("=", 2), ("-", 1), ("0", 0)):
        page.keyboard.press(key)
        assert scale(page) == pytest.approx(1.5**times)
    page.get_by_role("button", name="Zoom in").click()
    assert scale(page) == pytest.approx(1.5)
    pane.focus()
    x, y = place(page, VIENNA)
    page.keyboard.press("ArrowDown")
    assert place(page, VIENNA) == pytest.approx((x, y - 80), abs=1)
    for _ in range(12):
        page.keyboard.press("ArrowUp")
    assert page.evaluate(MAP)["y"] == pytest.approx(box(pane)["y"], abs=1)
    page.get_by_role("button", name="Show the whole map").click()
    assert scale(page) == 1
    pane.focus()
    high = box(pane)["height"]
    page.keyboard.press("Shift+F")
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("#desk")).to_be_visible()
    assert box(pane)["height"] > high
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator(".top")).to_be_visible()


def test_a_small_map_has_large_signs(page: Page, board: Table) -> None:
    """A map has names only where all can be read, and codes elsewhere; it is drawn anew with its orders and all."""
    sheet, name = page.locator("#sheet"), page.locator("#sheet #names")
    units(page).first.click()
    page.locator("#guide .options").get_by_role("button", name="Hold", exact=True).click()
    expect(sheet.locator("#orders > *").first).to_be_attached()
    expect(sheet).to_have_attribute("data-drawn", re.compile("light-narrow"))
    expect(name).not_to_contain_text("Budapest")
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    expect(sheet).to_have_attribute("data-drawn", re.compile("light-wide"))
    expect(name).to_contain_text("Budapest")
    expect(sheet.locator("#orders > *").first).to_be_attached()
    page.get_by_role("button", name="Zoom out").click()
    expect(sheet).to_have_attribute("data-drawn", re.compile("light-narrow"))


@pytest.fixture
def phone(visitors: Visitors) -> Page:
    """The page of a visitor with a phone."""
    return visitors(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2, reduced_motion="reduce")


def test_ordering_on_a_phone(phone: Page) -> None:
    """The map stays in sight, nearer, while one chooses at the bottom of the window; nothing wants scrolling."""
    drawn(phone, f"/t/{hosting.sandbox('standard').key}/")
    own = units(phone).first.get_attribute("data-unit")
    phone.locator(f'#sheet [data-unit="{own}"]').first.tap()
    for step in ("Support", "", ""):
        choices, pane = phone.locator("#guide .choices"), box(phone.locator("#pane"))
        expect(choices).to_be_visible()
        assert scale(phone) > 1.3
        assert inside(pane, window(phone))
        assert inside(box(choices), window(phone))
        assert pane["y"] + pane["height"] <= box(choices)["y"] + 1
        for button in choices.locator("button").all():
            found = box(button)
            assert min(found["width"], found["height"]) >= TAPPED
        for goal in phone.locator("#marks .can").all():
            assert inside_any(box(goal), pane)
        option = choices.locator(".option", has_text=step).first
        option.tap()
    expect(phone.locator("#guide .choices")).to_have_count(0)
    expect(phone.locator("#guide .line:not(.none)")).to_have_count(1)
    assert scale(phone) == 1
    drawn(phone, f"/t/{hosting.sandbox('conquest2').key}/")  # all stand in one place, larger than the rest of the board
    units(phone).first.tap()
    expect(phone.locator("#pane")).to_have_class("pane zoomed")
    assert inside(box(phone.locator("#pane")), window(phone))
    own = units(phone).first.get_attribute("data-unit")
    assert inside(box(phone.locator(f'#sheet [data-unit="{own}"]').first), box(phone.locator("#pane")))


def inside_any(part: FloatRect, whole: FloatRect) -> bool:
    """Whether some of it is within."""
    return all(
        part[at] < whole[at] + whole[long] and part[at] + part[long] > whole[at]  # type: ignore[literal-required]
        for at, long in (("x", "width"), ("y", "height"))
    )


@pytest.mark.long  # test_ordering_on_a_phone uses one finger
def test_two_fingers(phone: Page) -> None:
    """Two fingers zoom; then one finger pans; on the whole map one scrolls the page, or draws an order from a unit."""
    drawn(phone, f"/t/{hosting.sandbox('standard').key}/")
    expect(phone.locator("#pane")).to_have_css("touch-action", "pan-y")
    pane = box(phone.locator("#pane"))
    x, y = pane["x"] + pane["width"] / 2, pane["y"] + pane["height"] / 2
    fingers = phone.context.new_cdp_session(phone)

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        points: list[dict[str, Any]] = [{"x": px, "y": py, "id": n} for n, (px, py) in enumerate(spots)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x - 40, y), (x + 40, y))
    for far in (60, 80, 100, 120):
        touch("touchMove", (x - far, y), (x + far, y))
    touch("touchEnd")
    assert scale(phone) == pytest.approx(3, rel=0.1)
    expect(phone.locator("#pane")).to_have_css("touch-action", "none")
    before = place(phone, VIENNA)
    touch("touchStart", (x, y))
    for far in (10, 30, 50):
        touch("touchMove", (x - far, y))
    touch("touchEnd")
    assert place(phone, VIENNA)[0] == pytest.approx(before[0] - 50, abs=12)
    expect(phone.locator("#guide .choices")).to_have_count(0)
    phone.get_by_role("button", name="Show the whole map").tap()
    await_that(lambda: scale(phone) == 1)
    expect(phone.locator("#sheet")).to_have_attribute("data-drawn", re.compile("narrow"))  # drawn anew, in large signs
    unit = box(phone.locator(f'#sheet [data-unit="{units(phone).first.get_attribute("data-unit")}"]').first)
    x, y = unit["x"] + unit["width"] / 2, unit["y"] + unit["height"] / 2
    touch("touchStart", (x, y))
    for far in (10, 20):
        touch("touchMove", (x - far, y))
    expect(phone.locator("#dragged")).to_be_attached()
    assert scale(phone) == 1  # the map stays while something is dragged over it
    touch("touchStart", (x - 20, y), (x + 40, y))  # until a second finger comes
    expect(phone.locator("#dragged")).to_have_count(0)
    expect(phone.locator("#marks .chosen")).to_have_count(0)  # or the map would turn to that unit when it is drawn anew
    for far in (60, 80, 100):
        touch("touchMove", (x - 20, y), (x + far, y))
    touch("touchEnd")
    assert scale(phone) == pytest.approx(2, rel=0.1)
    assert not phone.locator("#guide .line:not(.none)").count()
