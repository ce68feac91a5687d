"""Every kind of order in every game that has it, by gestures from either unit that it concerns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from playwright.sync_api import Page, Route, expect

from gamesmaster.board import Dislodged, Location, Unit
from gamesmaster.game import Game
from gamesmaster.host.games import deadlines, hosting
from gamesmaster.host.models import Table
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import AnyVerb, Verb
from tests.host.browser.pointing import gesture
from tests.host.browser.walking import drawn
from tests.lengths import mark_long

LARGE = {"width": 1440, "height": 1500}
Steps = tuple[int | str, ...]


@dataclass(frozen=True)
class Scene:
    """A position: units by number (`British A Yor`, `> 3` for one aboard of the third), and the gestures in it.

    Each case has the verb that is asked for, the steps of a gesture, and the orders that come of them.
    """

    variant: str
    phase: str
    power: str
    units: tuple[str, ...]
    cases: tuple[tuple[AnyVerb, Steps, tuple[str, ...]], ...]
    owners: dict[str, str] = field(default_factory=dict)
    state: dict[str, object] = field(default_factory=dict)
    retreats: dict[int, tuple[str, ...]] = field(default_factory=dict)


SCENES = {
    "the army/fleet module of 1000 AD": Scene(
        "1000ad[af_module=yes]",
        "Spring 1000",
        "British",
        ("British A Yor", "British F NNS", "British A/F ENC", "British A ENC > 3"),
        (
            (PairVerb.BOARD, (1, 2, "Board the fleet in Northern North Sea"), ("A Yor boards NNS",)),
            (PairVerb.BOARD, (2, 1, "A Yor: Board the fleet in Northern North Sea"), ("A Yor boards NNS",)),
            (
                PairVerb.FERRY,
                (1, 2, "F NNS: Ferry A Yor to …", "@Ber"),
                ("F NNS ferries A Yor - Ber", "A Yor - Ber VIA"),
            ),
            (PairVerb.FERRY, (2, 1, "Ferry A Yor to …", "@Ber"), ("F NNS ferries A Yor - Ber",)),
            (
                PairVerb.LAND,
                (3, "A ENC: goes along", "@Bri", "Land in Brittany"),
                ("A ENC lands Bri",),
            ),
            (
                PairVerb.LAND,
                (3, "A/F ENC: no order yet", "@Bri", "A ENC: Land in Brittany"),
                ("A ENC lands Bri",),
            ),
            (PairVerb.LAND, (3, "A ENC: goes along", "@Bor"), ("A BOB lands Bor", "A/F ENC - BOB")),
            (PairVerb.LAND, (3, "A/F ENC: no order yet", "@Bor"), ("A BOB lands Bor", "A/F ENC - BOB")),
            (Verb.MOVE, (3, "A ENC: goes along", "@BOB"), ("A/F ENC - BOB",)),
            (Verb.SUPPORT, (1, 3, "Support A/F ENC to London"), ("A Yor S A/F ENC lands Lon",)),
            (Verb.HOLD, ("2x1",), ("A Yor H",)),
        ),
    ),
    "Scotland's seas": Scene(
        "scottomacy",
        "Spring 1492",
        "England",
        ("England A 90", "England F ff", "England A/F e", "England A e > 3", "MacDonald A 73"),
        (
            (PairVerb.BOARD, (1, 2, "Board the fleet in ff (Lower North Sea)"), ("A 90 boards ff", "F ff takes A 90")),
            (PairVerb.TAKE, (1, 2, "F ff: Take A 90 (Northumberland) aboard"), ("F ff takes A 90", "A 90 boards ff")),
            (PairVerb.TAKE, (2, 1, "Take A 90 (Northumberland) aboard"), ("F ff takes A 90", "A 90 boards ff")),
            (PairVerb.LAND, (3, "@86"), ("A/F e lands 86",)),
            (Verb.SUPPORT, (1, 2, "Support F ff (Lower North Sea) to 73 (Dunbar Castle)"), ("A 90 S F ff - 73",)),
        ),
    ),
    "boat-bunches": Scene(
        "scottomacy",
        "Spring 1492",
        "MacDonald",
        ("MacDonald A 13", "MacDonald A/BB a"),
        (
            (BoatVerb.MAKE, (1, 1, "Build a boat-bunch"), ("A 13 builds BB",)),
            (BoatVerb.DESTROY, (1, 1, "Destroy a boat-bunch"), ("A 13 destroys BB",)),
            (Verb.MOVE, (1, "@q", "Move to q (Little Minch) with 2 boat-bunches"), ("A 13 - q with 2 BB",)),
            (Verb.MOVE, (1, "@q", "Move to q (Little Minch) with a boat-bunch"), ("A 13 - q with BB",)),
            (Verb.MOVE, (2, "@87"), ("A/BB a - 87",)),
            (BoatVerb.DESTROY, (2, 2, "Destroy a boat-bunch of Keith"), ("A/BB a destroys BB of Keith",)),
        ),
        state={"boats": {"lie": {"13": ["MacDonald", "MacDonald"], "a": ["MacDonald", "Keith"]}, "raw": {}}},
    ),
    "canoe-fleets": Scene(
        "indianomacy",
        "Spring 1602",
        "Iroquois",
        ("Iroquois W 10", "Iroquois W/CF b"),
        (
            (BoatVerb.MAKE, (1, 1, "Build a canoe-fleet"), ("W 10 builds CF",)),
            (BoatVerb.DESTROY, (1, 1, "Destroy a canoe-fleet"), ("W 10 destroys CF",)),
            (Verb.MOVE, (1, "@c"), ("W 10 - c with CF",)),
            (Verb.MOVE, (1, "@8", "Move to 8 (Abnaki) with a canoe-fleet"), ("W 10 - 8 with CF",)),
            (Verb.MOVE, (1, "@8", "Move to 8 (Abnaki)"), ("W 10 - 8",)),
            (Verb.MOVE, (2, "@3"), ("W/CF b - 3",)),
        ),
        state={"boats": {"lie": {"10": [""], "b": [""]}, "raw": {}}},
    ),
    "the Atlantic": Scene(
        "conquest2",
        "Spring 1600",
        "England",
        ("England A ATL", "England F ATL", "England A/F VIS", "England A VIS > 3"),
        (
            (
                Verb.MOVE,
                ("@ATL", "A ATL: no order yet", "@ANT", "F ATL: Move to Antilles, with an army aboard"),
                ("A/F ATL - ANT",),
            ),
            (
                PairVerb.LAND,
                ("@ATL", "A ATL: no order yet", "@ANT", "F ATL: Land in Antilles, with an army aboard"),
                ("A/F ATL lands ANT",),
            ),
            (
                PairVerb.LAND,
                ("@ATL", "F ATL: no order yet", "@ANT", "Land in Antilles, with an army aboard"),
                ("A/F ATL lands ANT",),
            ),
            (PairVerb.LAND, (3, "@BER"), ("A/F VIS lands BER",)),
        ),
    ),
    "homes and builds in Conquest": Scene(
        "conquest2",
        "Winter 1620",
        "England",
        ("England A MAI",),
        (
            (HomeVerb.DESIGNATE, ("@NOV",), ("Designate NOV",)),
            (HomeVerb.DESIGNATE, ("@VIR",), ("Designate VIR",)),
            (
                Verb.BUILD,
                ("@ATL", "Build F ATL, Atlantic Ocean", "@ATL", "Build F ATL, Atlantic Ocean"),
                ("Build F ATL", "Build F ATL"),
            ),
        ),
        owners={"NOV": "England", "VIR": "England", "DEL": "England"},
        state={"designated-homes": {"winters": 3, "homes": {}}, "off-board-supply": {"winters": 0, "deferred": {}}},
    ),
    "a winter of the regular game": Scene(
        "standard",
        "Winter 1901",
        "France",
        ("France A BUR",),
        (
            (Verb.BUILD, ("@PAR",), ("Build A Par",)),
            (Verb.BUILD, ("@MAR", "Build F Mar, Marseilles"), ("Build F Mar",)),
            (Verb.BUILD, ("@MAR", "Build F Mar, Marseilles", "@MAR", "Build A Mar, Marseilles"), ("Build A Mar",)),
        ),
        owners={"PAR": "France", "MAR": "France", "BRE": "France"},
    ),
    "removals": Scene(
        "standard",
        "Winter 1901",
        "France",
        ("France A BUR", "France F NTH", "France A PIC"),
        ((Verb.REMOVE, (2,), ("Remove F Nth",)), (Verb.REMOVE, ("@PIC",), ("Remove A Pic",))),
        owners={"PAR": "France"},
    ),
    "retreats": Scene(
        "standard",
        "Spring 1901 retreats",
        "France",
        ("Germany A BUR", "France A BUR", "France F NTH", "England F NTH"),
        (
            (Verb.RETREAT, (2, "@GAS"), ("A Bur - Gas",)),
            (Verb.RETREAT, (3, "@EDI"), ("F Nth - Edi",)),
            (Verb.DISBAND, ("2x2",), ("A Bur D",)),
        ),
        retreats={2: ("GAS", "PAR"), 3: ("EDI", "BEL")},
    ),
    "a convoy": Scene(
        "standard",
        "Spring 1901",
        "England",
        ("England F NTH", "England A YOR", "England A EDI"),
        (
            (Verb.CONVOY, (1, 2, "Convoy A Yor to …", "@NWY"), ("F Nth C A Yor - Nwy",)),
            (Verb.CONVOY, (2, 1, "F Nth: Convoy A Yor to …", "@NWY"), ("F Nth C A Yor - Nwy", "A Yor - Nwy VIA")),
            (Verb.SUPPORT, (3, 2, "Support A Yor in place"), ("A Edi S A Yor",)),
            (Verb.SUPPORT, (2, 3, "A Edi: Support A Yor in place"), ("A Edi S A Yor",)),
        ),
    ),
    "reinforcements": Scene(
        "scottomacy",
        "Summer 1491",
        "England",
        ("England A 90",),
        (
            (ReinforcementVerb.ARRIVE, ("@e", "Put out A/F e (South Channel)"), ("Arrive A/F e",)),
            (ReinforcementVerb.DECLINE, ("@gg", "Decline A/F gg (Blyth Bay)"), ("Decline A/F gg",)),
        ),
        state={"reinforcements": {"due": [["England", "A/F", "e"], ["England", "A/F", "gg"]]}},
    ),
}  # fmt: skip


def unit(number: int, text: str) -> Unit:
    """`British A Yor > 3`."""
    power, kind, at, *aboard = text.split()
    return Unit(power=power, kind=kind, at=Location.of(at), number=number, aboard=int(aboard[1]) if aboard else 0)


def set_up(game: Game, scene: Scene) -> Game:
    """The game at the position of a scene."""
    units = [unit(number, text) for number, text in enumerate(scene.units, 1)]
    beaten = tuple(
        Dislodged(units[n - 1], retreats=tuple(Location.of(at) for at in to)) for n, to in scene.retreats.items()
    )
    standing = tuple(one for one in units if one.number not in scene.retreats)
    state = {**game.position.state, **scene.state}
    position = replace(game.position, units=standing, dislodged=beaten, owners=scene.owners, state=state)
    return replace(game, phase=game.variant.calendar.read(scene.phase), position=position)


def table_with(scene: Scene) -> Table:
    """A sandbox that stands at a scene."""
    table = hosting.sandbox(scene.variant)
    with store.lock(table) as row:
        deadlines.begin_phase(row, set_up(store.load(table), scene), clock.now())
    table.refresh_from_db()
    return table


OF_EACH_KIND = (
    "Scotland's seas", "canoe-fleets", "retreats", "reinforcements",
)  # fmt: skip


@pytest.mark.parametrize("name", mark_long(SCENES, but=OF_EACH_KIND))
def test_orders_from_either_unit(page: Page, name: str) -> None:
    """What is pointed at, from one unit and from the other, comes to the order that was meant; Undo takes it back."""
    scene = SCENES[name]
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    table = table_with(scene)
    drawn(page, f"/t/{table.key}/?power={scene.power}")
    text = page.locator("#text")
    notation = store.load(table).rules.notation
    for verb, steps, lines in scene.cases:
        gesture(page, *steps)
        expect(text).to_have_value("\n".join(lines))
        assert notation.read(lines[0]).verb is (Verb.MOVE if verb is Verb.RETREAT else verb)
        while text.input_value():
            before = text.input_value()
            page.keyboard.press("Escape")
            page.keyboard.press("Control+z")
            expect(text).not_to_have_value(before)
        page.keyboard.press("Escape")
        expect(page.locator("#guide .choices")).to_have_count(0)


def test_a_question_follows_the_orders(page: Page) -> None:
    """A question asked before the server has read the draft says what holds as soon as it has, and keeps the focus."""
    scene = SCENES["the Atlantic"]
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    late = False
    waiting: list[Route] = []
    # from the beginning, since a new route may miss the first request
    page.route("**/preview", lambda route: waiting.append(route) if late else route.continue_())
    drawn(page, f"/t/{table_with(scene).key}/?power={scene.power}")
    gesture(page, *scene.cases[0][1])
    fleet = page.locator("#guide button.unit", has_text="F ATL")
    expect(fleet).to_contain_text("A/F ATL - ANT")
    expect(page.locator("#guide")).to_contain_text("goes along")  # so the server has read it
    page.keyboard.press("Escape")
    late = True
    page.keyboard.press("Control+z")
    gesture(page, "@ATL")
    option = page.locator("#guide .option", has_text="A ATL:")
    expect(option).to_be_focused()
    expect(option).to_have_text("A ATL: goes along")
    for route in waiting:
        route.continue_()
    expect(option).to_have_text("A ATL: no order yet")
    expect(option).to_be_focused()


def test_codes_that_begin_with_a_key_of_the_map(page: Page) -> None:
    """A letter is part of a code, also `f`, `ff` and `e`; only with Shift it is a key of the map."""
    scene = SCENES["Scotland's seas"]
    page.set_viewport_size(LARGE)  # type: ignore[arg-type]
    drawn(page, f"/t/{table_with(scene).key}/?power={scene.power}")
    page.locator("#pane").focus()
    page.keyboard.type("ff")
    expect(page.locator("#guide .trail")).to_contain_text("Lower North Sea")
    page.keyboard.type("bb")
    expect(page.locator("#text")).to_have_value("F ff - bb")
    expect(page.locator(".top")).to_be_visible()
    page.keyboard.press("Shift+F")
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("#board-typed")).to_have_count(0)


def test_every_verb_is_among_them() -> None:
    """No kind of order is left out but to leave a build unused, which is about no place."""
    every = {*Verb, *PairVerb, *BoatVerb, *HomeVerb, *ReinforcementVerb}
    assert {verb for scene in SCENES.values() for verb, _, _ in scene.cases} == every - {Verb.WAIVE}
