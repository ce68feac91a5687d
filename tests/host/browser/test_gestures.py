"""Orders by gesture: clicks, drags, double clicks and codes, in every game with orders of its own."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gamesmaster.board import Location, Unit
from gamesmaster.host.games import deadlines, hosting
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.players import seed_of
from tests.host.browser.pointing import answer, at_unit, drag, gesture, numbers, point
from tests.host.browser.walking import drawn, session
from tests.host.conftest import power_of
from tests.host.world import World, make_world
from tests.lengths import mark_long
from tests.patience import await_that

FOREIGN = 99  # the number of a unit of another power, in Silesia
LARGE = {"width": 1440, "height": 1500}
DATA = Path(__file__).parents[2] / "data"
FIRST = [("F", "Yor", "York"), ("F", "Lon", "London"), ("A", "WWa", "West Wales"), ("F", "Abe", "Aberdeen")]
TURN = ["A War - Gal", "A Mos - Lvn", "F Sev - Bla", "F Stp/SC - Bot", "A Ukr S A War - Gal"]


HIDDEN = """(panel) => { const { left, top, right, bottom } = panel.getBoundingClientRect();
return [...document.querySelectorAll("#marks .can")].filter((goal) => {
  const box = goal.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  return x > left && x < right && y > top && y < bottom; }).length; }"""


@pytest.fixture
def east(page: Page) -> World:
    """A player with five units in the east, at the desk, with nothing stored yet."""
    world = make_world("moves")
    Sheet.objects.all().delete()
    power, game = power_of(world.table, world.people["own"]), store.load(world.table)
    others = [unit for unit in game.position.units if unit.power not in ("Russia", power)]
    places = [("A", "WAR"), ("A", "MOS"), ("F", "SEV"), ("F", "STP/SC"), ("A", "UKR")]
    mine = [Unit(power=power, kind=kind, at=Location.of(at), number=90 + n) for n, (kind, at) in enumerate(places)]
    others.append(
        Unit(power="Italy" if power == "Germany" else "Germany", kind="A", at=Location.of("SIL"), number=FOREIGN)
    )
    with store.lock(world.table) as row:
        deadlines.begin_phase(row, replace(game, position=replace(game.position, units=(*others, *mine))), clock.now())
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    session(page, world)
    drawn(page, f"/t/{world.table.key}/")
    return world


def saved_and_ready(page: Page, world: World) -> None:
    """What is stored is the whole turn, and final."""
    expect(page.locator("#standing")).to_contain_text("You are ready")
    sheet = Sheet.objects.get(table=world.table, power=power_of(world.table, world.people["own"]))
    assert sorted(sheet.lines) == sorted(TURN)
    assert sheet.confirmed


def test_a_turn_in_twelve_actions(page: Page, east: World) -> None:
    """Four moves, a support of one of them, and ready: twelve clicks, or six drags and clicks and an answer."""
    units = numbers(page)
    for unit, goal in (("A War", "GAL"), ("A Mos", "LVN"), ("F Sev", "BLA"), ("F Stp/SC", "BOT")):
        point(page, units[unit])
        point(page, goal)
    point(page, units["A Ukr"])
    point(page, units["A War"])
    answer(page, "Support A War to Galicia")
    page.locator("#ready").click()  # the twelfth
    saved_and_ready(page, east)


def test_drags_codes_and_undo(page: Page, east: World) -> None:
    """The same turn by drags and by codes; a double click holds; a step is taken back by keys and by the button."""
    units, text = numbers(page), page.locator("#text")
    drag(page, units["A War"], "GAL")
    expect(text).to_have_value("A War - Gal")
    drag(page, units["F Sev"], "WAR")  # too far
    expect(page.locator("#board-said")).to_contain_text("cannot be ordered there")
    page.keyboard.press("Escape")
    middle = at_unit(page, units["A Mos"])
    page.mouse.dblclick(*middle)
    expect(text).to_have_value("A War - Gal\nA Mos H")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("A War - Gal")
    page.locator("#undo").click()
    expect(text).to_have_value("")
    page.locator("body").press("Escape")
    for codes in ("wargal", "moslvn", "sevbla", "stpbot"):
        page.keyboard.type(codes)
    page.keyboard.type("ukrwar")
    expect(page.locator("#guide .choices")).to_be_visible()
    answer(page, "Support A War to Galicia")
    expect(text).to_have_value("\n".join(TURN))
    page.keyboard.type("ukrgalx")
    expect(text).to_have_value(re.compile("A Ukr - Gal"))
    page.keyboard.press("Control+z")
    page.locator("#ready").click()
    saved_and_ready(page, east)


@pytest.mark.parametrize("end", mark_long([" ", "\n"], but=(" ",)), ids=["space", "enter"])
def test_a_space_or_enter_ends_a_code(page: Page, east: World, end: str) -> None:
    """Codes written apart order what they order together; the key between them presses no button that has the focus."""
    text, choices = page.locator("#text"), page.locator("#guide .choices")
    for codes in ("war gal", "mos lvn", "sev bla", "stp bot"):
        page.keyboard.type(codes.replace(" ", end) + end)
    expect(text).to_have_value("\n".join(TURN[:4]))
    page.keyboard.type(f"ukr{end}zzz{end}")  # no code: the unit stays chosen, and nothing is ordered
    expect(choices).to_be_visible()
    page.keyboard.type(f"war{end}")
    answer(page, "Support A War to Galicia")
    expect(text).to_have_value("\n".join(TURN))
    page.keyboard.type("mos")
    for _ in range(3):  # held down
        page.keyboard.down(end if end == " " else "Enter")
    page.keyboard.up(end if end == " " else "Enter")
    expect(text).to_have_value("\n".join(TURN))
    expect(page.locator("#guide [data-option]").first).to_be_focused()
    page.keyboard.type(end)  # the code has ended: this is the button's
    expect(text).to_have_value(re.compile("A Mos H"))
    page.keyboard.type("war")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.type(end)
    expect(text).to_have_value(re.compile("A War H"))


def test_help_for_another_powers_unit(page: Page, east: World) -> None:
    """One's own unit, and then another power's; or that one first, and then the one that helps it."""
    units, text, choices = numbers(page), page.locator("#text"), page.locator("#guide .choices")
    point(page, units["A Ukr"])
    point(page, FOREIGN)
    point(page, "GAL")
    expect(text).to_have_value("A Ukr S A Sil - Gal")
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    point(page, FOREIGN)
    expect(choices.locator(".trail")).to_contain_text("Which of your units helps A Sil")
    hidden = choices.evaluate(HIDDEN)
    assert not hidden, "the question covers what may be clicked next"
    helpers = [option.partition(":")[0] for option in choices.locator(".option").all_inner_texts()]
    assert set(helpers) == {"A Mos", "A War", "A Ukr"}  # into Galicia, or Warsaw
    point(page, units["A War"])
    answer(page, "A War: Support A Sil in place")
    expect(text).to_have_value("A War S A Sil")
    page.keyboard.type("sil")
    point(page, units["A Ukr"])
    point(page, "GAL")
    expect(text).to_have_value("A War S A Sil\nA Ukr S A Sil - Gal")


def test_a_hand_that_trembles(page: Page, east: World) -> None:
    """A press that strays by a few pixels is a click; one that leaves the map is none, and moves nothing after it."""
    number = numbers(page)["A War"]
    x, y = at_unit(page, number)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y + 3)
    page.mouse.up()
    expect(page.locator("#guide .trail")).to_contain_text("Warsaw")
    expect(page.locator("#dragged")).to_have_count(0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*at_desk(page), steps=3)
    page.mouse.up()
    page.mouse.move(x, y, steps=3)
    assert at_unit(page, number) == pytest.approx((x, y), abs=1)
    expect(page.locator("#text")).to_have_value("")


def at_desk(page: Page) -> tuple[float, float]:
    """The middle of the desk's heading."""
    box = page.locator("#desk-title").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_click_while_the_map_is_drawn_anew(page: Page, east: World) -> None:
    """A sign that is exchanged between a press and its release is clicked all the same, and only once."""
    unit = next(iter(numbers(page).values()))
    exchange = "() => { const old = document.querySelector('#layer'); old.replaceWith(old.cloneNode(true)); }"
    page.mouse.move(*at_unit(page, unit))
    page.mouse.down()
    page.evaluate(exchange)
    page.mouse.up()
    expect(page.locator("#guide .choices")).to_be_visible()
    point(page, unit)
    expect(page.locator("#guide .choices")).to_have_count(0)


@pytest.mark.long  # test_drags_codes_and_undo does it for one power
def test_all_powers_of_a_sandbox(page: Page) -> None:
    """A click on another power's unit brings its desk with that unit chosen; what was drawn stays."""
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    table = hosting.sandbox("standard")
    drawn(page, f"/t/{table.key}/?power=Austria")
    page.evaluate("window.same = true")
    units = {(u.power, u.at.province): u.number for u in store.load(table).position.units}
    point(page, units["Austria", "VIE"])
    point(page, "GAL")
    point(page, units["England", "LON"])
    expect(page.locator("#desk-title")).to_contain_text("England")
    expect(page.locator("#guide .trail")).to_contain_text("London")
    point(page, "NTH")
    point(page, units["France", "MAR"])
    expect(page.locator("#guide .trail")).to_contain_text("Marseilles")
    point(page, units["France", "PAR"])
    answer(page, "A Par: Support A Mar to …")
    point(page, "BUR")
    expect(page.locator("#text")).to_have_value("A Par S A Mar - Bur")
    point(page, units["Italy", "VEN"])
    point(page, "TYR")  # at once, while that desk is on its way
    expect(page.locator("#text")).to_have_value("A Ven - Tyr")
    point(page, units["Austria", "VIE"])
    expect(page.locator("#guide .trail")).to_contain_text("Vienna")
    point(page, units["Italy", "VEN"])
    answer(page, "Support A Ven to Tyrolia")  # along with its order, or anywhere else that both reach
    expect(page.locator("#text")).to_have_value("A Vie S A Ven - Tyr")
    assert page.evaluate("window.same")
    drawn_orders = {
        "Austria": ["A Vie S A Ven - Tyr"],
        "England": ["F Lon - Nth"],
        "France": ["A Par S A Mar - Bur"],
        "Italy": ["A Ven - Tyr"],
    }
    await_that(lambda: {s.power: s.lines for s in Sheet.objects.filter(table=table)} == drawn_orders)


def test_a_sign_is_the_unit_that_is_meant(page: Page) -> None:
    """Where several units share a place, a click on a sign chooses its unit, and one beside the signs asks which."""
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    table = hosting.sandbox("conquest2")
    drawn(page, f"/t/{table.key}/?power=England")
    for number in [unit.number for unit in store.load(table).position.of("England") if not unit.aboard][:2]:
        point(page, number)
        expect(page.locator(f'#guide [data-unit="{number}"]')).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
    point(page, "ATL")
    expect(page.locator("#guide .trail")).to_have_text("Which unit?")


def test_a_convoy_from_either_side(page: Page) -> None:
    """Led to the army, a fleet convoys it; led to the fleet, an army is convoyed and goes along."""
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    table = hosting.sandbox("standard")
    game, text = store.load(table), page.locator("#text")
    to = {"LON": "NTH", "LVP": "YOR"}
    moved = tuple(replace(u, at=Location.of(to.get(u.at.province, str(u.at)))) for u in game.position.units)
    with store.lock(table) as row:
        deadlines.begin_phase(row, replace(game, position=replace(game.position, units=moved)), clock.now())
    drawn(page, f"/t/{table.key}/?power=England")
    units = numbers(page)
    point(page, units["F Nth"])
    point(page, units["A Yor"])
    answer(page, "Convoy A Yor to …")
    point(page, "NWY")
    expect(text).to_have_value("F Nth C A Yor - Nwy")
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    point(page, units["A Yor"])
    point(page, units["F Nth"])
    answer(page, "F Nth: Convoy A Yor to …")
    point(page, "NWY")
    expect(text).to_have_value(re.compile("^F Nth C A Yor - Nwy\nA Yor - Nwy"))


# -- years by gestures only ------------------------------------------------------------------------------------------


class Year:
    """A kept game, gone on with at a sandbox: some powers ordered by gestures, the others as they were."""

    def __init__(self, page: Page, variant: str, patch: pytest.MonkeyPatch) -> None:
        with gzip.open(DATA / f"playthrough_{variant}.jsonl.gz", "rt", encoding="utf-8") as lines:
            seed, *self.entries = (json.loads(next(lines)) for _ in range(7))
        patch.setattr(hosting, "new_seed", lambda: seed_of(seed["seed"]))
        self.page = page
        page.set_viewport_size(LARGE)  # type: ignore[arg-type]
        self.table: Table = hosting.sandbox(variant)

    def order_others(self, power: str = "") -> None:
        """Store what the other powers ordered in the kept game."""
        entry = self.entries[self.table.ordinal]
        assert self.table.phase_code == entry["phase"]
        for other, texts in entry["orders"].items():
            if other != power:
                submission.submit(self.table, other, texts, Submission(self.table.ordinal), user=None)

    def play_on(self) -> None:
        """A phase as it was."""
        self.order_others()
        processing.ask(self.table, self.table.ordinal, None)
        self.table.refresh_from_db()

    def play(self, power: str, gestures: list[list[int | str]], *lines: str) -> None:
        """A phase, each order by the steps of a gesture."""
        page = self.page
        self.order_others(power)
        drawn(page, f"/t/{self.table.key}/?power={power}")
        for steps in gestures:
            gesture(page, *steps)
        expect(page.locator("#text")).to_have_value("\n".join(lines))
        with page.expect_navigation():
            page.get_by_role("button", name=re.compile("^Process")).click()
        self.table.refresh_from_db()
        record = store.load(self.table).records[-1]
        assert list(record.orders[power]) == list(lines)


@pytest.mark.long  # a newcomer plays Cline's game in test_board.py
def test_a_year_of_conquest(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The box opens into its units; fleets sail with an army aboard, found from either; one lands; one is removed."""
    year = Year(page, "conquest2", monkeypatch)
    year.play(
        "England",
        [
            ["@ATL", "F ATL (1): no order yet", "@VIS", "Move to Virginia Sea, with an army aboard"],
            ["@ATL", "A ATL (2): no order yet", "@BAH"],
        ],
        "A/F ATL - VIS",
        "A/F ATL - BAH",
    )
    year.play(
        "England",
        [
            ["@ATL", "A/F ATL (1): no order yet", "@VIS"],
            ["@ATL", "A/F ATL (2): no order yet", "@ANT", "Land in Antilles"],
        ],
        "A/F ATL - VIS",
        "A/F ATL lands ANT",
    )
    year.play("England", [["@ATL", "Remove A from A/F ATL, Atlantic Ocean"]], "Remove A from A/F ATL")


@pytest.mark.long
def test_a_year_of_1000_ad(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """First units are placed by clicks on the land, and move; the year ends with builds, inland and on coasts."""
    year = Year(page, "1000ad", monkeypatch)
    year.play(
        "British",
        [[f"@{at}", f"Build {kind} {at}, {name}"] for kind, at, name in FIRST],
        "Build F Yor", "Build F Lon", "Build A WWa", "Build F Abe",
    )  # fmt: skip
    year.play("British", [[1, "@NNS"], [3, "@Mal"]], "F Yor - NNS", "A WWa - Mal")
    year.play("Moors", [[11, "@Arg"]], "A Val - Arg")
    year.play(
        "Francs",
        [["@Par"], ["@Bor", "Build F Bor, Bordeaux"], ["@Rou", "Build F Rou, Rouen"]],
        "Build A Par", "Build F Bor", "Build F Rou",
    )  # fmt: skip


@pytest.mark.long
def test_a_year_of_scottomacy(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boats are built and carried; fleets arrive, an army lands, and winter builds."""
    year = Year(page, "scottomacy", monkeypatch)
    year.play("MacDonald", [[33, 33, "Build a boat-bunch"]], "A 13 builds BB")
    year.play(
        "England",
        [["@e", "Put out A/F e (South Channel)"], ["@gg", "Put out A/F gg (Blyth Bay)"]],
        "Arrive A/F e",
        "Arrive A/F gg",
    )
    year.play(
        "England",
        [
            [5, "@73"],
            [2, 5, "Support A/F ff (Lower North Sea) to 73 (Dunbar Castle)"],
            [3, "@j"],
            [53, 3, "Move to i (North Channel)"],
        ],
        "A/F ff lands 73",
        "A 90 S A/F ff lands 73",
        "A/F i - j",
        "A/F e - i",
    )
    year.play_on()
    year.play("England", [["@e"]], "Build F e")
