"""One honest desk: what it says is stored is stored, and nothing that was drawn or typed is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from time import monotonic

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import APIResponse, Page, Route, expect

from gamesmaster.host.games import deadlines, hosting
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from tests.host.browser.walking import choose, drawn, faults, intercept, next_phase, session, units
from tests.host.conftest import holding, power_of
from tests.host.world import World, make_world
from tests.lengths import mark_long
from tests.patience import PATIENCE, await_that

STANDING, UNSAVED = "#standing", "#unsaved"


def at_the_desk(page: Page, phase: str = "moves") -> World:
    """A player at his desk, with nothing stored yet."""
    world = make_world(phase)
    Sheet.objects.all().delete()
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    return world


def sheet_of(world: World) -> Sheet | None:
    """What is stored for the player."""
    return Sheet.objects.filter(table=world.table, ordinal=0, power=power_of(world.table, world.people["own"])).first()


def lines(page: Page) -> list[str]:
    """The orders that stand at the desk."""
    return [line.strip() for line in page.locator("#text").input_value().splitlines() if line.strip()]


def hold_all(page: Page) -> None:
    """Let every unit hold, by clicks."""
    for name in [unit.inner_text() for unit in units(page).locator(".name").all()]:
        choose(page, name, "Hold")


def sign_in(page: Page, world: World) -> None:
    """Sign the player in again, as in another window: the page stays what it is."""
    cookie = world.client("own").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": page.url}])


def write(page: Page, *texts: str) -> None:
    """Type orders."""
    if page.locator("#typing").get_attribute("open") is None:
        page.locator("#typing summary").click()
    page.locator("#text").fill("\n".join(texts))


def test_ready_sends_what_is_drawn(page: Page) -> None:
    """Orders drawn and called ready at once are the orders that are ready; a change takes that back and says so."""
    world = at_the_desk(page)
    expect(page.locator(STANDING)).to_contain_text("Nothing is saved yet")
    many = units(page).count()
    expect(page.locator(STANDING)).to_contain_text(f"{many} units have no order")
    choose(page, units(page).first.locator(".name").inner_text(), "Hold")
    expect(page.locator(STANDING)).to_contain_text(f"{many - 1} unit")
    expect(page.locator(".asked")).to_be_hidden()  # one line says it
    hold_all(page)
    expect(page.locator(f"{STANDING}.good")).not_to_contain_text("no order")
    page.locator("#ready").click()
    expect(page.locator(STANDING)).to_contain_text("You are ready")
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.confirmed
    assert sheet.lines == lines(page)
    assert len(sheet.lines) == units(page).count()
    expect(page.locator(f"{STANDING}.good")).to_be_visible()
    page.locator("#receipt summary").click()
    told = page.locator("#receipt code").inner_text()
    assert receipts.check(told).current
    with page.expect_download() as loaded:
        page.locator("#receipt").get_by_role("link", name="Download").click()
    assert loaded.value.path().read_text().strip() == told
    page.locator("#guide [data-clear]").first.click()
    expect(page.locator(STANDING)).to_contain_text("no longer ready")
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("has no order and will hold")
    sheet = sheet_of(world)
    assert sheet is not None
    assert not sheet.confirmed
    assert sheet.lines == lines(page)
    page.reload()
    expect(page.locator("#receipt summary")).to_contain_text(f"Receipt for set {sheet.version}")


def test_what_is_told_late_is_asked_again(page: Page) -> None:
    """Saved orders stay on the desk when the site tells late what was saved before them."""
    intercept(page)
    world = at_the_desk(page)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/desk?*", lambda route: late.append((route, route.fetch())), times=1)
    page.evaluate("document.dispatchEvent(new CustomEvent('table-changed'))")
    await_that(lambda: page.evaluate("1") and late)
    choose(page, units(page).first.locator(".name").inner_text(), "Hold")
    await_that(lambda: sheet_of(world))
    expect(page.locator(UNSAVED)).to_be_hidden()
    drawn_then = lines(page)
    [(route, answer)] = late
    with page.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    page.evaluate("fetch(location.href).then((answer) => answer.text())")  # so the page has read what came before
    assert lines(page) == drawn_then


def test_nothing_is_green_that_lacks_something(page: Page) -> None:
    """A line that cannot be read and units without orders are told before anything is green, and asked about once."""
    world = at_the_desk(page)
    write(page, "vote draw")
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("line 1, “vote draw”, cannot be read")
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("units have no order and will hold")
    page.locator("#ready").click()
    expect(page.locator("#sure")).to_contain_text("You are not ready yet")
    expect(page.locator(STANDING)).not_to_contain_text("Please check")  # said once
    sheet = sheet_of(world)
    assert sheet is not None
    assert (sheet.lines, sheet.confirmed) == (["vote draw"], False)
    page.locator("#all-the-same").click()
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("You are ready")
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.confirmed
    page.locator("#ready").click()
    expect(page.locator(STANDING)).not_to_contain_text("You are ready")
    page.locator("#hold").click()
    expect(page.locator(STANDING)).to_contain_text("You asked to wait for the deadline")
    sheet = sheet_of(world)
    assert sheet is not None
    assert (sheet.confirmed, sheet.hold) == (False, True)


def test_what_cannot_be_stored_is_red_and_comes_back(page: Page) -> None:
    """While an answer lacks, the page says so and nothing is green; a slow save is seen; all is stored in the end."""
    intercept(page)
    world = at_the_desk(page)
    hold_all(page)
    expect(page.locator(f"{STANDING}.good")).to_be_visible()
    slow: list[Route] = []
    page.route("**/orders", lambda route: slow.append(route))
    units(page).first.focus()
    page.keyboard.press("Delete")
    expect(page.locator(UNSAVED)).to_have_text("Saving…")
    while not slow:  # the page speaks a little before its request is on the way
        page.wait_for_timeout(20)
    slow.pop().fulfill(status=503, body="busy")
    expect(page.locator(UNSAVED)).to_contain_text("Not saved: something is wrong with the site at the moment")
    expect(page.locator(STANDING)).to_be_hidden()
    page.unroute("**/orders")
    expect(page.locator(f"{STANDING}.warn")).to_be_visible()
    page.context.set_offline(True)
    hold_all(page)
    expect(page.locator(UNSAVED)).to_contain_text("Not saved: you are offline")
    expect(page.locator(STANDING)).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator(f"{STANDING}.good")).to_be_visible()
    page.context.clear_cookies(name="csrftoken")
    page.locator("#guide [data-clear]").first.click()
    expect(page.locator(f"{STANDING}.warn")).to_be_visible()
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.lines == lines(page)


def break_off(page: Page, how: str) -> None:
    """Interrupt what the page and the site say to each other."""
    if how == "signed out":
        Session.objects.all().delete()
    elif how == "stopped":
        page.route("**/t/**", lambda route: route.abort())
    else:
        page.context.set_offline(True)


def go_on(page: Page, world: World, how: str) -> None:
    """End an interruption."""
    if how == "signed out":
        sign_in(page, world)
    elif how == "stopped":
        page.unroute("**/t/**")
    else:
        page.context.set_offline(False)


@pytest.mark.parametrize("how", mark_long(["offline", "signed out", "stopped"], but=("stopped",)))
def test_the_map_shows_what_is_saved(page: Page, how: str) -> None:
    """Orders that were given while the site did not answer are drawn as soon as they are saved."""
    intercept(page)
    world = at_the_desk(page)
    on_map, name = page.locator("#layer #orders title"), units(page).first.locator(".name").inner_text()
    choose(page, name, "Hold")
    expect(on_map.filter(has_text=f"{name} H")).to_be_attached()
    expect(page.locator(STANDING)).to_contain_text("(set 1)")
    break_off(page, how)
    choose(page, name, "Move")
    page.locator("#guide .options button").first.click()
    expect(page.locator(UNSAVED)).to_contain_text("Not saved")
    go_on(page, world, how)
    expect(page.locator(STANDING)).to_contain_text("(set 2)")
    (order,) = lines(page)
    assert order != f"{name} H"
    expect(on_map.filter(has_text=order)).to_be_attached()


@pytest.mark.long  # the map after an interruption is looked at above
def test_the_map_shows_what_is_saved_though_it_was_never_changed(page: Page) -> None:
    """An order that was drawn, not saved and taken back while the site did not answer is gone from the map as well."""
    intercept(page)
    at_the_desk(page)
    on_map, name = page.locator("#layer #orders title"), units(page).first.locator(".name").inner_text()
    choose(page, name, "Hold")
    expect(page.locator(STANDING)).to_contain_text("(set 1)")
    page.route("**/orders", lambda route: route.abort())
    choose(page, name, "Move")
    page.locator("#guide .options button").first.click()
    expect(page.locator(UNSAVED)).to_contain_text("Not saved")
    expect(on_map.filter(has_text=lines(page)[0])).to_be_attached()
    break_off(page, "stopped")
    page.locator("#undo").click()
    expect(page.locator(STANDING)).to_be_visible()
    expect(on_map.filter(has_text=f"{name} H")).to_have_count(0)
    page.unroute_all()
    expect(on_map.filter(has_text=f"{name} H")).to_be_attached()


@pytest.mark.parametrize("lost", ["choices.json", "layer.svg", "light-"], ids=["choices", "orders", "map"])
def test_what_a_page_could_not_get_comes_later(page: Page, lost: str) -> None:
    """A page that came while the site was in trouble has its map, the saved orders and the choices all the same."""
    world = make_world("moves")
    Sheet.objects.all().delete()
    own = world.people["own"]
    order = holding(world.table, own)
    submission.submit(world.table, power_of(world.table, own), order, Submission(0), user=own)
    session(page, world)
    Sheet.objects.update(text=order)
    page.route(f"**/*{lost}*", lambda route: route.fulfill(status=503, body="busy"), times=1)
    with page.expect_response(lambda answer: lost in answer.url and answer.status == 503):
        drawn(page, f"/t/{world.table.key}/")
    expect(page.locator("#layer #orders title").filter(has_text=order)).to_be_attached()
    expect(page.locator("#typed")).to_be_visible()


def test_a_site_that_hangs(page: Page) -> None:
    """A page whose map and choices never come says so after ten seconds, and asks again when somebody presses."""
    table, hanging = hosting.sandbox("standard"), ["**/choices.json*", "**/maps/*/light-*"]
    held: list[Route] = []
    page.clock.install()
    for address in hanging:
        page.route(address, lambda route: held.append(route) if hanging else route.continue_())
    page.goto(f"/t/{table.key}/?power=Austria", wait_until="commit")
    await_that(lambda: page.evaluate("1") and len(held) == 2)
    page.clock.fast_forward(11_000)
    expect(page.locator(".lack", has_text="The map could not be loaded")).to_be_visible()
    expect(page.locator(".lack", has_text="type orders as text")).to_be_visible()
    assert faults(page) == []
    hanging.clear()
    page.get_by_role("button", name="Try again now").evaluate_all("all => all.forEach(button => button.click())")
    expect(page.locator("#sheet svg #layer")).to_be_attached()
    expect(units(page).first).to_be_visible()
    expect(page.locator(".lack")).to_have_count(0)


def test_signed_out_while_ordering(page: Page) -> None:
    """Without a session the desk stays, says so, and leads to the way back, where the unsaved orders wait."""
    world = at_the_desk(page)
    Session.objects.all().delete()
    hold_all(page)
    expect(page.locator(UNSAVED)).to_contain_text("you are signed out")
    expect(page.locator("#warnings")).to_be_empty()  # and not that one does not order for this power
    mine = lines(page)
    assert len(mine) == units(page).count()
    assert sheet_of(world) is None
    back = page.locator(UNSAVED).get_by_role("link", name="Sign in again")
    assert f"next=/t/{world.table.key}/" in (back.get_attribute("href") or "").replace("%2F", "/")
    back.click()
    page.wait_for_url("**/accounts/login/**")
    session(page, world)
    page.goto(f"/t/{world.table.key}/")
    expect(page.locator(f"{STANDING}.good")).to_be_visible()
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.lines == mine == lines(page)


def test_signed_in_again_elsewhere(page: Page) -> None:
    """The page notices by itself, though orders were written and left meanwhile and nobody comes back to it."""
    world = at_the_desk(page)
    Session.objects.all().delete()
    hold_all(page)
    expect(page.locator(UNSAVED)).to_contain_text("you are signed out")
    write(page, "A Mos H", "F Sev H")
    page.locator("#text").blur()
    expect(page.locator(UNSAVED)).to_contain_text("you are signed out")
    sign_in(page, world)
    expect(page.locator(STANDING)).to_be_visible()
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.lines == lines(page) == ["A Mos H", "F Sev H"]


@pytest.mark.long  # test_signed_in_again_elsewhere has two windows, too
def test_two_windows(page: Page) -> None:
    """A second window shows what the first stores; one that has other orders itself overwrites nothing unasked."""
    world = at_the_desk(page)
    other = page.context.new_page()
    intercept(other)
    drawn(other, f"/t/{world.table.key}/")
    choose(page, units(page).first.locator(".name").inner_text(), "Hold")
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("Saved")
    expect(other.locator("#text")).to_have_value(page.locator("#text").input_value())
    other.route("**/desk?*", lambda route: route.abort())  # it hears of nothing
    write(page, "one thing")
    expect(page.locator(STANDING)).to_contain_text("(set 2)")
    write(other, "another thing")
    expect(other.locator("#newer")).to_contain_text("one thing")
    expect(other.locator(UNSAVED)).to_contain_text("Not saved")
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.lines == ["one thing"]
    assert lines(other) == ["another thing"]
    other.unroute("**/desk?*")
    other.get_by_role("button", name="Keep mine").click()
    expect(other.locator("#newer")).to_be_hidden()
    expect(page.locator("#text")).to_have_value("another thing")
    sheet = sheet_of(world)
    assert sheet is not None
    assert sheet.lines == ["another thing"]


def test_the_phase_ends_meanwhile(page: Page) -> None:
    """Who writes on after the end is told what counted, and that this does not; it is still there to be read."""
    world = at_the_desk(page)
    hold_all(page)
    expect(page.locator(f"{STANDING}.good")).to_be_visible()
    counted = lines(page)
    next_phase(world.table)
    write(page, "A late word")
    expect(page.locator(UNSAVED)).to_contain_text("What stands here was not saved")
    expect(page.locator("#over")).to_contain_text("Spring 1901 Movement is over")
    expect(page.locator("#over pre")).to_have_text("\n".join(counted))
    assert lines(page) == ["A late word"]
    assert not Sheet.objects.filter(table=world.table, ordinal=1).exists()
    page.locator("#over").get_by_role("link", name="Go to").click()
    expect(page.locator("#notice")).to_contain_text("A late word")
    expect(page.locator("#text")).to_have_value("")
    page.get_by_role("button", name="Delete them").click()
    page.reload()
    expect(units(page).first).to_be_visible()
    expect(page.locator("#notice")).to_be_empty()


def test_what_cannot_be_ordered_is_said_by_the_map(page: Page) -> None:
    """A click that orders nothing is answered where it is seen; a removal that is owed is told with no line written."""
    table = hosting.sandbox("standard")
    drawn(page, f"/t/{table.key}/?power=Austria")
    page.locator('#sheet [data-province="UKR"]').first.dispatch_event("click")
    expect(page.locator("#board-said")).to_have_text("None of your units is there.")
    expect(page.locator("#board-said")).to_be_in_viewport()
    game = store.load(table)
    owners = {p: o for p, o in game.position.owners.items() if p != "BRE"}
    winter = replace(game, phase=game.variant.calendar.read("W1901A"), position=replace(game.position, owners=owners))
    with store.lock(table) as row:
        deadlines.begin_phase(row, winter, clock.now())
    drawn(page, f"/t/{table.key}/?power=France")
    expect(page.locator(f"{STANDING}.warn")).to_contain_text("will be removed")
    expect(page.locator("#warnings")).to_be_empty()  # said once


def winter(table: Table, lost: Sequence[str]) -> None:
    """Let a sandbox of the usual game be in its first Winter, without these centres and two units of Austria."""
    game = store.load(table)
    owners = {p: o for p, o in game.position.owners.items() if p not in lost}
    away = tuple(unit for unit in game.position.units if unit.at.province not in ("VIE", "BUD"))
    position = replace(game.position, owners=owners, units=away)
    with store.lock(table) as row:
        deadlines.begin_phase(
            row, replace(game, phase=game.variant.calendar.read("W1901A"), position=position), clock.now()
        )


def test_places_to_build_are_marked(page: Page) -> None:
    """Home centres that may build are marked until as much is ordered as is due; one more replaces the earliest."""
    table = hosting.sandbox("standard")
    winter(table, ["BRE", "TRI"])
    drawn(page, f"/t/{table.key}/?power=Austria")
    can = page.locator("#marks .can")
    expect(can).to_have_count(2)
    build = [("A Vie", "VIE"), ("A Bud", "BUD")]
    for order, at in build:
        page.evaluate("at => document.getElementById('board').desk.fromMap({ unit: 0, province: at })", at)
        expect(page.locator("#text")).to_have_value(f"Build {order}")  # one is due: the second replaces the first
        expect(can).to_have_count(0)
    drawn(page, f"/t/{table.key}/?power=France")
    expect(can).to_have_count(3)  # any unit may be removed
    for at, kind in (("PAR", "A"), ("MAR", "A"), ("BRE", "F")):
        page.evaluate("at => document.getElementById('board').desk.fromMap({ unit: 0, province: at })", at)
        expect(page.locator("#text")).to_have_value(f"Remove {kind} {at.capitalize()}")
    expect(page.locator("#guide")).not_to_contain_text("cannot be read")
    page.get_by_role("button", name="Take back Remove F Bre").click()
    expect(page.locator("#said")).to_have_text("Remove F Bre is taken back.")


def test_places_to_build_are_marked_on_a_late_map(page: Page) -> None:
    """A map that comes after the answer about the orders shows the marks, too."""
    table = hosting.sandbox("standard")
    winter(table, ["BRE", "TRI"])
    late: list[Route] = []
    page.route("**/maps/standard@*/*.svg", lambda route: late.append(route))
    with page.expect_response("**/preview"):
        page.goto(f"/t/{table.key}/?power=Austria", wait_until="commit")
    expect(page.get_by_role("button", name="Build, Leave a build unused")).to_be_visible()
    for route in late:
        route.continue_()
    expect(page.locator("#marks .can")).to_have_count(2)


def test_what_was_said_ends_with_the_draft(page: Page) -> None:
    """What was said of an order that was typed is gone when another is drawn, and what is left is counted then."""
    table = hosting.sandbox("standard")
    drawn(page, f"/t/{table.key}/?power=Austria")
    page.locator("#order-typed").fill("army vienna to galicia")
    page.locator("#order-typed").press("Enter")
    expect(page.locator("#order-told")).to_contain_text("2 units without an order")
    choose(page, "A Bud", "Hold")
    expect(page.locator("#order-told")).to_be_empty()
    expect(page.locator("#said")).to_have_text("A Bud H. 1 unit without an order.")


def test_one_question_for_each_draft(page: Page) -> None:
    """A page asks once how its draft is read, though the map comes at another time than the orders."""
    table, asked = hosting.sandbox("scottomacy"), []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/preview") else None)
    drawn(page, f"/t/{table.key}/")
    expect(page.locator("#sheet[data-draft]")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1


def test_no_answer_takes_press_or_focus(page: Page) -> None:
    """What the site answers while the mouse is down or a button has the focus leaves both where they are."""
    intercept(page)
    at_the_desk(page)
    held: list[Route] = []
    first, second, third = [unit.inner_text() for unit in units(page).locator(".name").all()[:3]]

    def asked(path: str, work: Callable[[], object]) -> Callable[[], None]:
        """Let something be asked whose answer waits, and return what lets it come."""
        page.route(path, lambda route: held.append(route), times=1)
        with page.expect_request(path):
            work()

        def answer() -> None:
            with page.expect_response(path):
                held.pop().continue_()
            page.wait_for_timeout(100)  # the page reads it

        return answer

    answer = asked("**/preview", lambda: choose(page, first, "Hold"))
    choose(page, second)
    box = page.locator("#guide .option", has_text=re.compile("^Hold$")).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    answer()
    page.mouse.up()
    expect(page.locator("#text")).to_have_value(re.compile(f"^{first} H\n{second} H$"))
    answer = asked("**/preview", lambda: page.keyboard.press("Control+z"))
    choose(page, third)
    page.locator("#guide .back").focus()
    answer()
    expect(page.locator("#guide .back")).to_be_focused()
    answer = asked("**/orders", lambda: choose(page, third, "Hold"))
    page.locator("#powers a").first.focus()
    answer()
    expect(page.locator(STANDING)).to_contain_text("Saved")
    expect(page.locator("#powers a").first).to_be_focused()


@pytest.mark.long  # test_ready_sends_what_is_drawn is the same in a game
def test_a_sandbox_waits_for_what_is_drawn(page: Page) -> None:
    """A phase processed, or another power looked at, in the moment after a click: the order counts all the same."""
    table = hosting.sandbox("standard")
    drawn(page, f"/t/{table.key}/?power=Austria")
    choose(page, "A Vie", "Move", "Galicia")
    page.locator("nav.seats").get_by_role("link", name="France").click()
    expect(page.locator("#desk-title")).to_contain_text("France")
    expect(units(page).first).to_be_visible()
    assert Sheet.objects.get(table=table, power="Austria").lines == ["A Vie - Gal"]
    choose(page, "A Par", "Move", "Burgundy")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("^Process")).click()
    table.refresh_from_db()
    assert table.ordinal == 1
    (record,) = store.load(table).records
    assert dict(record.orders) == {"Austria": ("A Vie - Gal",), "France": ("A Par - Bur",)}


# -- every order of events -------------------------------------------------------------------------------------------

EVENTS = ("draw", "save", "ready", "away", "reload", "other", "session", "connection")


def rounds(parts: int) -> list[list[str]]:
    """A walk in which every event follows every other once, in so many parts."""
    ways = {event: [other for other in EVENTS if other != event] for event in EVENTS}
    trail, walk = [EVENTS[0]], list[str]()
    while trail:
        if ways[trail[-1]]:
            trail.append(ways[trail[-1]].pop())
        else:
            walk.append(trail.pop())
    size = -(-len(walk) // parts)
    return [walk[n : n + size + 1] for n in range(0, len(walk), size)]


class Walk:
    """Two windows of one player, and what happens to them."""

    def __init__(self, page: Page) -> None:
        self.page, self.world = page, at_the_desk(page)
        self.other = page.context.new_page()
        drawn(self.other, f"/t/{self.world.table.key}/")
        self.online = self.signed_in = True
        self.count, self.numbers = 0, count(1)
        self.mine = list[str]()  # what was written last in the first window, or is shown there by the player's choice

    def fresh(self) -> list[str]:
        """Orders that were not given before."""
        return [f"A Mos H {'x' * next(self.numbers)}", "F Sev H"]

    def do(self, event: str) -> None:
        """Let something happen, where it can."""
        if self.page.locator("#text").count() or event in ("reload", "session", "connection"):
            getattr(self, f"_on_{event}")()

    def _on_draw(self) -> None:
        """By a click and by typing, in turn."""
        self.count += 1
        if self.count % 2:
            choose(self.page, units(self.page).first.locator(".name").inner_text(), "Hold")
            self.mine = lines(self.page)
        else:
            self.mine = self.fresh()
            write(self.page, *self.mine)

    def _on_save(self) -> None:
        self.page.locator("#save").click()

    def _on_ready(self) -> None:
        self.page.locator("#ready").click()

    def _on_away(self) -> None:
        self.page.evaluate("window.dispatchEvent(new Event('focus')); document.querySelector('#text').blur()")

    def _on_reload(self) -> None:
        if self.online:
            self.page.goto(f"/t/{self.world.table.key}/")

    def _on_other(self) -> None:
        if self.signed_in and self.online:
            write(self.other, *self.fresh())

    def _on_session(self) -> None:
        if self.signed_in:
            Session.objects.all().delete()
        else:
            sign_in(self.page, self.world)
        self.signed_in = not self.signed_in
        if self.signed_in and self.online:
            for page in (self.page, self.other):
                page.evaluate("window.dispatchEvent(new Event('focus'))")
            if not self.page.locator("#text").count():
                self._on_reload()

    def _on_connection(self) -> None:
        self.online = not self.online
        self.page.context.set_offline(not self.online)

    def choose(self) -> None:
        """Where two sets differ, the player keeps what stands in the window, in the first and the second in turn."""
        for page in (self.page, self.other):
            take = page.locator("#newer [data-take=mine]")
            if self.online and self.signed_in:  # it may go by itself at any moment, so nothing waits for it
                take.evaluate_all("(buttons) => buttons.forEach((button) => button.click())")

    def wrong(self) -> str:
        """What a page says that is not so, and orders that were lost; empty while all is well."""
        sheet = sheet_of(self.world)
        stored = (sheet.lines, sheet.confirmed) if sheet else ([], False)
        for name, page in (("first", self.page), ("other", self.other)):
            if not page.locator("#text").count():
                continue
            unsaved, standing = page.locator(UNSAVED).is_visible(), page.locator(STANDING).is_visible()
            if unsaved == standing or (unsaved and not page.locator(UNSAVED).inner_text()):
                return f"{name} does not tell how things stand"
            if unsaved:
                continue
            ready = page.locator(STANDING).get_attribute("data-ready") == "yes"
            if (lines(page), ready) != stored:
                return f"{name} says {(lines(page), ready)}, stored is {stored}"
        if not self.page.locator("#text").count():
            return ""
        if lines(self.page) not in (self.mine, stored[0]):
            return f"{self.mine} is lost: {lines(self.page)}"
        return ""


def agreed(walk: Walk) -> str:
    """Wait until pages and store agree; what still is wrong when the patience is at its end."""
    until = monotonic() + PATIENCE
    while (found := walk.wrong()) and monotonic() < until:
        walk.page.wait_for_timeout(100)
    return found


PARTS = rounds(6)


@pytest.mark.parametrize("events", mark_long(PARTS, but=PARTS[:1]), ids=lambda events: "-".join(events[:3]))
def test_in_every_order_of_events(page: Page, events: list[str]) -> None:
    """Whatever follows whatever, no page says that is stored which is not, and no order is lost."""
    walk = Walk(page)
    for number, event in enumerate(events):
        walk.do(event)
        walk.page.wait_for_timeout(50)
        assert not agreed(walk), (events[: number + 1], agreed(walk))
        walk.choose()
    if not walk.online:
        walk.do("connection")
    if not walk.signed_in:
        walk.do("session")
    until = monotonic() + PATIENCE
    while (not page.locator(STANDING).is_visible() or walk.wrong()) and monotonic() < until:
        walk.choose()
        page.wait_for_timeout(100)
    expect(page.locator(STANDING)).to_be_visible()
    sheet = sheet_of(walk.world)
    assert sheet is not None
    assert sheet.lines == lines(page)
