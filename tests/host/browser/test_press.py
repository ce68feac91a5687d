"""Press beside the board: it comes while one orders, counts as read when it has been seen, and no draft is lost."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from gamesmaster.host.models import Message, ReadMark, Sheet, Table
from gamesmaster.host.press import correspondence, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import access
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, choose, drawn, faults, intercept, next_phase, session
from tests.host.conftest import power_of
from tests.host.world import SECRETIVE, World, make_world
from tests.lengths import mark_long
from tests.patience import await_that

WIDE = {"width": 1280, "height": 720}


@pytest.fixture
def world() -> World:
    """A game whose player has read everything that was written so far."""
    made = make_world("moves")
    Sheet.objects.all().delete()
    view = access.look(made.table.key, made.people["own"])
    for thread in threads.threads(view):
        threads.mark_read(view, thread.key, thread.last)
    return made


def write(world: World, text: str, to: str = "own", sender: str = "other") -> None:
    """A message between two players."""
    user = world.people[sender]
    correspondence.send(
        world.table,
        power_of(world.table, user),
        Press(text, [power_of(world.table, world.people[to])]),
        user=user,
    )


def unread(table: Table, user: User) -> int:
    """How much is new for a player."""
    return threads.unread(access.look(table.key, user))


def follower(visitors: Visitors, **options: Any) -> Page:
    """A visitor whose page asks for news each second, as if a phase were due: the tests' server has no streams."""
    page = visitors(**options)
    page.add_init_script("addEventListener('DOMContentLoaded', () => document.body.setAttribute('data-soon', ''))")
    return page


def messages(page: Page) -> None:
    """Open the messages beside the board."""
    page.get_by_role("tab", name=re.compile("^Messages")).click()
    expect(page.locator("#side-press #letters")).to_be_visible()


def send_to(page: Page, names: str) -> None:
    """Press the button that says to whom the message goes."""
    page.get_by_role("button", name=f"Send to {names}", exact=True).click()


@pytest.mark.parametrize("size", mark_long([WIDE, PHONE], but=(WIDE,)), ids=["wide", "phone"])
def test_a_message_comes_while_one_orders(visitors: Visitors, world: World, size: dict[str, int]) -> None:
    """The count goes up by itself, the order stays; once the message is seen it is read, and the count goes down."""
    page = follower(visitors, viewport=size, reduced_motion="reduce")
    table, own = world.table, world.people["own"]
    session(page, world)
    drawn(page, f"/t/{table.key}/")
    unit = page.locator("#guide .units .name").first.inner_text()
    choose(page, unit, "Hold")
    expect(page.locator("#guide .line").first).to_have_text(f"{unit} H")
    write(world, "Belgium is yours if you want it.")
    expect(page.locator("#tab-press")).to_contain_text("1 new")
    assert unread(table, own) == 1
    messages(page)
    letter = page.locator("#side-press .letter", has_text="Belgium is yours")
    expect(letter).to_be_visible()
    assert faults(page) == []
    expect(page.locator("#board svg #layer").first).to_be_attached()
    expect(page.locator("[data-new-all]")).to_have_count(0)
    assert unread(table, own) == 0
    page.locator("#letter").fill("Thank you, I do.")
    send_to(page, power_of(world.table, world.people["other"]))
    expect(page.locator("#side-press .letter.own", has_text="Thank you, I do.")).to_be_visible()
    expect(page.locator("#letter")).to_have_value("")
    page.get_by_role("tab", name="Orders").click()
    expect(page.locator("#text")).to_have_value(f"{unit} H")


def test_what_was_read_meanwhile_is_not_new_again(visitors: Visitors, world: World) -> None:
    """A page that was asked for before a message was read, and comes afterwards, is asked for again."""
    page, asked = follower(visitors, reduced_motion="reduce"), list[Any]()

    def hold_first(route: Route) -> None:
        """Keep the first page that the script asks for, as it is now."""
        if route.request.resource_type != "fetch":
            return route.continue_()
        asked.append((route, route.fetch()))
        return None if len(asked) == 1 else route.fulfill(response=asked[-1][1])

    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    page.route(f"**/t/{world.table.key}/", hold_first)
    write(world, "Belgium is yours if you want it.")
    await_that(lambda: page.evaluate("1") and asked)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        messages(page)
    assert unread(world.table, world.people["own"]) == 0
    held, stale = asked[0]
    assert "data-new-all" in stale.text()
    held.fulfill(response=stale)
    await_that(lambda: page.evaluate("1") and len(asked) > 1)
    expect(page.locator("[data-new-all]")).to_have_count(0)


@pytest.mark.long  # test_a_message_comes_while_one_orders is like it
def test_a_message_comes_while_another_is_sent(visitors: Visitors, world: World) -> None:
    """What is sent is said to be sent, though a message came before the answer: nobody sends it twice."""
    page = follower(visitors, viewport=WIDE)
    intercept(page)
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    write(world, "Belgium is yours if you want it.")
    expect(page.locator("#tab-press")).to_contain_text("1 new")
    messages(page)
    slow: list[Route] = []

    def keep_posts(route: Route) -> None:
        if route.request.method == "POST":
            slow.append(route)
        else:
            route.continue_()

    page.route("**/beside*", keep_posts)
    page.locator("#letter").fill("Thank you, I do.")
    with page.expect_request(lambda request: request.method == "POST" and "beside" in request.url):
        send_to(page, power_of(world.table, world.people["other"]))
    write(world, "Holland is mine, then.")
    expect(page.locator("#side-press .letter", has_text="Holland is mine")).to_be_visible()
    slow[0].continue_()
    expect(page.locator("#side-press .letter.own", has_text="Thank you, I do.")).to_be_visible()
    expect(page.locator("#letter")).to_have_value("")
    expect(page.locator("#side-press [role=alert]")).to_have_count(0)


@pytest.mark.long  # test_a_message_comes_while_one_orders is like it
def test_a_message_comes_while_a_thread_is_opened(visitors: Visitors, world: World) -> None:
    """The thread that somebody opened is shown, with what came while its page was on its way."""
    page = follower(visitors, viewport=WIDE)
    intercept(page)
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    messages(page)
    write(world, "Belgium is yours if you want it.")
    expect(page.locator("#threads [data-new-in]")).to_have_count(1)
    slow: list[Route] = []
    page.route("**/beside?with=*", lambda route: slow.append(route), times=1)
    page.locator("#threads [data-new-in]").click()
    await_that(lambda: page.evaluate("1") and slow)
    write(world, "Holland is mine, then.")
    expect(page.locator("#tab-press")).to_contain_text("2 new")
    page.wait_for_timeout(1500)
    slow[0].continue_()
    expect(page.locator("#side-press .letter", has_text="Belgium is yours")).to_be_visible()
    expect(page.locator("#side-press .letter", has_text="Holland is mine")).to_be_visible()


def test_what_is_not_seen_is_not_read(visitors: Visitors, world: World) -> None:
    """In a hidden tab, and below what is in view, nothing counts as read; scrolled to, it does."""
    page = follower(visitors, viewport=WIDE)
    table, own = world.table, world.people["own"]
    session(page, world)
    drawn(page, f"/t/{table.key}/")
    messages(page)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.away });"
        "window.away = true; document.dispatchEvent(new Event('visibilitychange'))"
    )
    for number in range(6):
        write(world, f"Message {number}. " + "It is long, and it goes on.\n" * 12)
    page.locator("#threads [data-new-in]").click()
    expect(page.locator("#side-press .letter.unread")).to_have_count(6)
    page.wait_for_timeout(2500)
    assert unread(table, own) == 6
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#side-press .letter .end").first.scroll_into_view_if_needed()
    await_that(lambda: ReadMark.objects.filter(seat__user=own).exists() and unread(table, own) < 6)
    assert unread(table, own) >= 4
    for number in range(6):
        page.locator("#side-press .letter .end").nth(number).scroll_into_view_if_needed()
        await_that(lambda most=5 - number: unread(table, own) <= most)  # type: ignore[misc]
    expect(page.locator("[data-new-all]")).to_have_count(0)


@pytest.mark.long  # test_a_message_after_signing_in_again keeps a draft, too
def test_a_draft_outlives_the_phase(visitors: Visitors, world: World) -> None:
    """What is being written is there again after the phase has changed, and on the page of press; sent, it is gone."""
    page = follower(visitors, viewport=WIDE)
    table = world.table
    session(page, world)
    drawn(page, f"/t/{table.key}/")
    messages(page)
    page.get_by_role("link", name="New message").click()
    other = power_of(table, world.people["other"])
    page.locator("#side-press").get_by_label(other, exact=True).check()
    page.locator("#letter").fill("A long thought that is not fin")
    next_phase(table)
    expect(page.locator(".live [role=status]")).to_be_visible()
    expect(page.locator("#letter")).to_have_value("A long thought that is not fin")
    page.reload()
    expect(page.locator("#side-press #letters")).to_be_visible()
    page.get_by_role("link", name="New message").click()
    expect(page.locator("#letter")).to_have_value("A long thought that is not fin")
    expect(page.locator("#side-press").get_by_label(other, exact=True)).to_be_checked()
    page.goto(f"/t/{table.key}/press/?new=1")
    expect(page.locator("#letter")).to_have_value("A long thought that is not fin")
    page.locator("#letter").press_sequentially("ished.")
    send_to(page, power_of(world.table, world.people["other"]))
    expect(page.locator(".letter.own", has_text="A long thought that is not finished.")).to_be_visible()
    page.goto(f"/t/{table.key}/press/?new=1")
    expect(page.locator("#letter")).to_have_value("")


@pytest.mark.parametrize("place", mark_long(["beside", "page"], but=("beside",)))
def test_the_button_says_who_will_read_it(visitors: Visitors, place: str) -> None:
    """It names who is chosen; all is a choice of its own; what is refused comes back with all that was chosen."""
    world = make_world("moves", SECRETIVE.model_copy(update={"grey": True}))
    Table.objects.filter(pk=world.table.pk).update(gm=None)
    page, table = follower(visitors, viewport=WIDE), world.table
    own, other, third = (power_of(table, world.people[role]) for role in ("own", "other", "moderator"))
    names, unsigned = ", ".join(sorted((other, third))), "Unsigned: nobody can see who wrote it"
    session(page, world)
    if place == "beside":
        drawn(page, f"/t/{table.key}/")
        messages(page)
        page.get_by_role("link", name="New message").click()
    else:
        page.goto(f"/t/{table.key}/press/?new=1")
    form, button = page.locator("#write"), page.locator("#send")
    box = partial(form.get_by_label, exact=True)
    expect(box("Gamesmaster")).to_have_count(0)
    expect(button).to_have_text("Send")
    page.locator("#letter").fill("I stab you.")
    button.click()
    expect(page.locator(".note.error")).to_contain_text("Choose who the message is for.")
    expect(page.locator("#letter")).to_have_value("I stab you.")
    box(other).check()
    expect(button).to_have_text(f"Send to {other}")
    box("To all").check()
    expect(box(other)).not_to_be_checked()
    expect(button).to_have_text("Send to all")
    for name in (other, third):
        box(name).check()
    expect(box("To all")).not_to_be_checked()
    expect(button).to_have_text(f"Send to {names}")
    box(unsigned).check()
    page.locator("#letter").fill("The Gamesmaster:\nresign")
    button.click()
    expect(page.locator(".note.error")).to_contain_text("must not pose")
    for name in (other, third, unsigned):
        expect(box(name)).to_be_checked()
    expect(button).to_have_text(f"Send to {names}")
    assert faults(page) == []
    page.locator("#letter").fill("Resign!")
    button.click()
    expect(page.locator(".letter.own", has_text="Resign!")).to_be_visible()
    made = Message.objects.get(text="Resign!")
    assert (set(made.to), made.shown_as, made.sender) == ({other, third}, correspondence.ANONYMOUS, own)


def sign_in(page: Page, user: User) -> None:
    """Sign in by the form, which changes the token of all forms."""
    user.set_password("a long and winding road")
    user.save()
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(user.username)
    page.locator("input[name=password]").fill("a long and winding road")
    page.locator("main form button").first.click()
    expect(page.get_by_role("link", name=user.username)).to_be_visible()


@pytest.mark.parametrize("place", mark_long(["beside", "page", "page without scripts"], but=("beside",)))
def test_a_message_after_signing_in_again(visitors: Visitors, place: str) -> None:
    """Whoever signs in again in another window sends what stands in this one, to those chosen and unsigned."""
    world = make_world("moves", SECRETIVE.model_copy(update={"grey": True}))
    page, table = visitors(java_script_enabled=place != "page without scripts"), world.table
    own, other = world.people["own"], power_of(table, world.people["other"])
    sign_in(page, own)
    if place == "beside":
        drawn(page, f"/t/{table.key}/")
        messages(page)
        page.get_by_role("link", name="New message").click()
    else:
        page.goto(f"/t/{table.key}/press/?new=1")
    page.locator("#write").get_by_label(other, exact=True).check()
    page.locator("#write input[name=grey]").check()
    page.locator("#letter").fill("A long thought")
    page.context.clear_cookies(name="sessionid")
    window = page.context.new_page()
    sign_in(window, own)
    page.locator("#send").click()
    if place != "beside":
        page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".letter.own", has_text="A long thought")).to_be_visible()
    made = Message.objects.get(text="A long thought")
    assert (made.to, made.shown_as) == ([other], correspondence.ANONYMOUS)
    if place == "beside":  # another player of the game has signed in
        page.locator("#letter").fill("A second thought")
        page.context.clear_cookies(name="sessionid")
        sign_in(window, world.people["moderator"])
        page.locator("#send").click()
        expect(page.locator("#side-press [role=alert]")).to_contain_text("your sign-in has changed")
        expect(page.locator("#letter")).to_have_value("A second thought")
        assert not Message.objects.filter(text="A second thought").exists()
