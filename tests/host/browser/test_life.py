"""The life of a table in a real browser: civil disorder and the way back, a game taken back, invitations, joining."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import Seat, SeatState, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.phases.processing import Done
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.browser.conftest import Visitors
from tests.host.browser.walking import PHONE, drawn, enter, faults
from tests.host.conftest import holding, people, power_of

STRICT = TableSettings(fill="holder", absent=Absent(grace=0, notice=0, misses=1, standby=600))


def begun(*players: User, gm: User | None = None) -> Table:
    """A game of these players and bots that has begun just now."""
    table = hosting.create(gm or players[0], GameChoice("standard", name="Seven at a table"), STRICT, gm=gm)
    for user in players:
        seats.join(table, user)
    hosting.start(table, gm or players[0])
    table.refresh_from_db()
    return table


def pass_deadline(table: Table, *senders: User) -> Table:
    """These players send an order, the deadline passes, and the phase is processed."""
    table.refresh_from_db()
    for user in senders:
        power = power_of(table, user)
        submission.submit(table, power, [holding(table, user)], Submission(table.ordinal), user=user)
    Table.objects.filter(pk=table.pk).update(deadline=clock.now() - timedelta(minutes=1))
    assert processing.process(table, table.ordinal) is Done.PROCESSED
    table.refresh_from_db()
    return table


def sound(page: Page) -> None:
    """The page is accessible, and fits a phone."""
    assert not faults(page)
    before = page.viewport_size
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(before)  # type: ignore[arg-type]


@pytest.mark.long  # test_joining_from_the_board takes a seat, too
def test_out_of_civil_disorder(page: Page) -> None:
    """A player who was missing reads on the board what has become of the power, comes back there, and orders again."""
    ann, ben = people(2)
    table = begun(ann, ben)
    power = power_of(table, ann)
    for _ in range(2):
        table = pass_deadline(table, ben)
    enter(page, ann)
    page.goto(f"/t/{table.key}/")
    expect(page.get_by_role("heading", name=f"{power} is in civil disorder")).to_be_visible()
    expect(page.locator("#save")).to_have_count(0)
    sound(page)
    page.get_by_role("button", name="Come back").click()
    page.wait_for_load_state()
    drawn(page, f"/t/{table.key}/")
    expect(page.locator("#join")).to_have_count(0)
    page.locator("#guide button.unit").first.click()
    page.locator("#guide .options").get_by_role("button", name="Hold", exact=True).first.click()
    page.locator("#save").click()
    expect(page.locator("#receipt")).to_contain_text("GM1|")
    pass_deadline(table, ben)
    seat = Seat.objects.get(table=table, user=ann)
    assert (seat.state, seat.misses, seat.sent) == (SeatState.SITTING, 0, 1)


def test_taken_back_without_a_miss(page: Page) -> None:
    """The Gamesmaster processes before the deadline, and takes back what was missed: nobody has missed anything."""
    ann, ben, gm = people(3)
    table = begun(ann, ben, gm=gm)
    enter(page, gm)
    page.goto(f"/t/{table.key}/gm/")
    page.get_by_label("I am sure, though no orders have come from").check()
    page.get_by_role("button", name="Process S1901M now").click()
    expect(page.get_by_role("heading", name="Fall 1901 Movement")).to_be_visible()
    assert {(seat.state, seat.misses) for seat in Seat.objects.filter(table=table)} == {(SeatState.SITTING, 0)}
    pass_deadline(table, ben)
    assert table.seats.get(user=ann).state == SeatState.STANDBY_WANTED
    page.reload()
    page.get_by_label("Play again from").select_option(label="S1901M")
    page.get_by_role("button", name="Take the game back").click()
    expect(page.get_by_role("heading", name="Spring 1901 Movement")).to_be_visible()
    seats = Seat.objects.filter(table=table, user__isnull=False)
    assert {(seat.state, seat.misses, seat.asked, seat.sent) for seat in seats} == {(SeatState.SITTING, 0, 0, 0)}


def test_an_invitation_from_making_to_using_up(visitors: Visitors) -> None:
    """A link is shown where it is made; a guest signs in with it and joins; the next one reads that it is used up."""
    ann, ben, carl = people(3)
    table = hosting.create(ann, GameChoice("standard", name="Our secret"), TableSettings(join="invited"))
    host, guest, late = visitors(), visitors(), visitors()
    enter(host, ann)
    host.goto(f"/t/{table.key}/lobby/")
    host.get_by_role("button", name="Make a link").click()
    expect(host.locator(".invitation code")).to_have_count(1)
    sound(host)
    path = "/join/" + host.locator(".invitation code").inner_text().split("/join/")[1]
    guest.goto(path)
    expect(guest.get_by_role("link", name="Sign in to join")).to_have_attribute("href", f"/accounts/login/?next={path}")
    enter(guest, ben)
    guest.goto(path)
    guest.get_by_role("link", name="Board").click()  # the invitation goes along
    guest.get_by_role("button", name="Join", exact=True).click()
    expect(guest.get_by_text("You have a seat.")).to_be_visible()
    enter(late, carl)
    late.goto(path)
    expect(late.get_by_role("heading", name="This link no longer works")).to_be_visible()
    expect(late.get_by_text("Our secret")).to_have_count(0)
    sound(late)


def test_joining_from_the_board(visitors: Visitors) -> None:
    """The board of a game that forms shows who sits and a way to join; that of a running one, lost powers to take."""
    ann, ben, carl = people(3)
    table = hosting.create(ann, GameChoice("standard", name="Forming"), TableSettings(fill="holder", starts="asked"))
    seats.join(table, ann)
    page = visitors(viewport=PHONE)
    enter(page, ben)
    page.goto(f"/t/{table.key}/")
    expect(page.get_by_text("1 of 7 seats is taken.")).to_be_visible()
    expect(page.locator(".seats").get_by_text("player1")).to_be_visible()
    sound(page)
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_text("You have a seat.")).to_be_visible()
    hosting.start(table, ann)
    power = power_of(table, ben)
    seats.leave(table, ben)
    enter(page, carl)
    page.goto(f"/t/{table.key}/")
    page.get_by_role("button", name="Take it over").click()
    expect(page.get_by_text(f"You play {power}.")).to_be_visible()
    assert power_of(table, carl) == power
