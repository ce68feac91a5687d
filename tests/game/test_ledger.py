"""The ledger: what a postal Gamesmaster kept and published, told of positions of every game.

Each case is a position of a variant, at a phase, with the lines that it must print.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.formats.phases import ledger_data
from gamesmaster.game import Game, Ledger, ledger_of, report
from gamesmaster.pictures import board_in_words
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

CONQUEST = {"off-board-supply": {"winters": 0, "deferred": {}}, "designated-homes": {"winters": 0, "homes": {}}}


class Case(NamedTuple):
    """A position of a game at a phase, and the lines that the ledger has for it, by heading."""

    variant: str
    phase: str
    units: dict[str, list[str]]
    owned: dict[str, str]
    state: dict[str, object]
    lines: dict[str, list[str]]


def winters(number: int, **deferred: int) -> dict[str, object]:
    """What is kept of supply from over the sea after so many Winters."""
    return {"off-board-supply": {"winters": number, "deferred": deferred}}


def homes(number: int, **named: list[list[object]]) -> dict[str, object]:
    """What is kept of the homes named."""
    return {"designated-homes": {"winters": number, "homes": named}}


CASES = {
    "centres off the board, and builds deferred": Case(
        "conquest2", "S1600M", {}, {"England": "VIR", "Spain": "CUB"}, winters(1, England=2),
        {"Centres off the board": ["England, Spain, France, Portugal, Holland: 2 in Winter 1600"],
         "Builds deferred": ["England: 2"]},
    ),
    "the last centre off the board is for those that own one on it": Case(
        "conquest2", "S1630M", {}, {"England": "VIR"}, winters(4),
        {"Centres off the board":
         ["England: 1 in Winter 1630", "Spain, France, Portugal, Holland: 0 in Winter 1630"]},
    ),
    "homes that may be named, now or once they are owned": Case(
        "conquest2", "W1600A", {}, {"England": "VIR NOV", "Spain": "CUB"}, homes(1),
        {"Homes that may be named":
         ["England: NOV or VIR", "Spain: CUB", "France: QUE or ANT, once it owns it",
          "Portugal: BRA or LAP, once it owns it", "Holland: DEL or ANT, once it owns it"]},
    ),
    "homes named serve from 1620 on, and only while they are owned": Case(
        "conquest2", "W1610A", {}, {"England": "VIR", "France": "QUE"},
        homes(2, England=[["VIR", 1]], Spain=[["CUB", 2]], France=[["QUE", 0]]),
        {"Homes named":
         ["England: VIR, builds there from Winter 1620", "Spain: CUB, builds there from Winter 1620; not its own now",
          "France: QUE, builds there from Winter 1620"]},
    ),
    "a home that serves by now": Case(
        "conquest2", "S1630M", {}, {"England": "VIR"}, homes(4, England=[["VIR", 1]]),
        {"Homes named": ["England: VIR, builds there"]},
    ),
    "an Indian home serves at once, and as many may be named as were lost": Case(
        "conquest2[indians=sixth]", "W1600A", {}, {"England": "MEX", "Indians": "TEX"}, homes(1, Indians=[["TEX", 1]]),
        {"Homes named": ["Indians: TEX, builds there"]},
    ),
    "builds saved are told in the seasons of moves": Case(
        "1000ad", "S1001M", {"Vikings": ["A Ber"]}, {"Vikings": "Ber Osl Jel", "Moors": "And"}, {},
        {"Builds saved": ["Moors: 1", "Vikings: 2"]},
    ),
    "in Winter they are what is to be built": Case(
        "1000ad", "W1001A", {"Vikings": ["A Ber"]}, {"Vikings": "Ber Osl Jel"}, {}, {"Builds saved": []}
    ),
    "nor are there any before the first placements": Case(
        "1000ad", "W999A", {}, {"Vikings": "Ber Osl Jel"}, {"free-placement": True}, {"Builds saved": []}
    ),
    "a year of grace ends at the next count": Case(
        "1000ad", "S1001M", {"Moors": ["A And"]}, {"Moors": "Rom"}, {"anarchy": {"Moors": 1}},
        {"Anarchy": ["Moors: no home centre; falls into anarchy in Fall 1001 AD unless it has won one back"]},
    ),
    "anarchy is for good, and its builds are nothing saved": Case(
        "1000ad", "S1001M", {}, {"Moors": "Rom Cor"}, {"anarchy": {"Moors": 2}},
        {"Anarchy": ["Moors: in anarchy for the rest of the game"], "Builds saved": []},
    ),
    "an army aboard starves at the end of its fourth season": Case(
        "1000ad[af_module=yes]", "F1001M", {"Vikings": ["A/F SNS"]}, {"Vikings": "Ber"}, {"army-fleet": {"2": 2}},
        {"Armies aboard":
         ["Vikings: A in SNS: 2 of 4 seasons aboard; it starves unless it is ashore by the end of Spring 1002 AD"]},
    ),
    "where there is no such limit nothing is counted": Case(
        "conquest2", "S1600M", {"England": ["A/F VIS"]}, {}, {"army-fleet": {"2": 2}}, {"Armies aboard": []}
    ),
    "England's Summer force and its free units": Case(
        "scottomacy", "S1491M", {"England": ["A 89", "A 90", "A/F e"]}, {"England": "89 90"}, {},
        {"Reinforcements":
         ["England: A/F to e (South Channel) in Summer 1491; it is lost unless A/F (England) has left by then",
          "England: A/F to gg (Blyth Bay) in Summer 1491"],
         "Units that need no centre": ["England: army 3 of 4", "England: fleet 1 of 4"]},
    ),
    "the Summer force while it is asked for": Case(
        "scottomacy", "S1491R", {"England": ["A 89"]}, {"England": "89"},
        {"reinforcements": {"due": [["England", "A/F", "e"], ["England", "A/F", "gg"]]}},
        {"Reinforcements":
         ["England: A/F to e (South Channel) in Summer 1491", "England: A/F to gg (Blyth Bay) in Summer 1491"]},
    ),
    "it comes once": Case("scottomacy", "F1491M", {"England": ["A 89"]}, {"England": "89"}, {}, {"Reinforcements": []}),
    "and to nobody who is out": Case(
        "scottomacy", "S1491M", {}, {}, {}, {"Reinforcements": [], "Units that need no centre":
                                             ["England: army 0 of 4", "England: fleet 0 of 4"]},
    ),
    "the mounds, whole": Case(
        "indianomacy", "S1601M", {}, {}, {"taboo": {"whole": ["120"], "cursed": {}}},
        {"Taboo": ["120 (Hopewell Mounds), whole"], "Curses": []},
    ),
    "a curse ends with a Winter": Case(
        "indianomacy", "F1601M", {}, {}, {"taboo": {"whole": [], "cursed": {"Illinois": 2, "Iroquois": 1}}},
        {"Taboo": [],
         "Curses": ["Illinois: builds nothing up to Winter 1602, and again in Winter 1603",
                    "Iroquois: builds nothing up to Winter 1601, and again in Winter 1602"]},
    ),
    "in Winter its own Winter is among them": Case(
        "indianomacy", "W1602A", {}, {}, {"taboo": {"whole": [], "cursed": {"Illinois": 1}}},
        {"Curses": ["Illinois: builds nothing up to Winter 1602, and again in Winter 1603"]},
    ),
    "the Bay holds for a year": Case(
        "indianomacy", "F1601M", {"Iroquois": ["W/CF b"]}, {},
        {"slow-crossing": {"b": 0}, "boats": {"lie": {"b": [""]}}},
        {"Crossings": ["Iroquois: W/CF in b (Hudson Bay) may leave in Spring 1602"],
         "Boats": ["b (Hudson Bay): 1, afloat"]},
    ),
    "and lets go when it is over": Case(
        "indianomacy", "S1602M", {"Iroquois": ["W/CF b"]}, {},
        {"slow-crossing": {"b": 1}, "boats": {"lie": {"b": [""]}}},
        {"Crossings": ["Iroquois: W/CF in b (Hudson Bay) may leave in Spring 1602"]},
    ),
    "boats by who built them, raw ones, and how many of their limit": Case(
        "scottomacy", "S1492M", {"Keith": ["A/BB z"]}, {},
        {"boats": {"lie": {"44": ["MacDonald", "MacLeod"], "z": ["Keith"]}, "raw": {"36": "Gordon"}}},
        {"Boats": ["44 (Aros Castle): MacDonald, MacLeod", "z (Upper North Sea): Keith, afloat",
                   "36 (Doune Castle): Gordon, built inland"],
         "Boats built": ["Gordon, Keith, MacDonald, MacLeod: 1 of 3"]},
    ),
    "the regular game keeps nothing": Case("standard", "S1901M", {"France": ["A PAR"]}, {"France": "PAR"}, {}, {}),
}  # fmt: skip


def looked_at(case: Case) -> Ledger:
    """The ledger of a case."""
    variant = find_variant(case.variant)
    owners = {place: power for power, places in case.owned.items() for place in places.split()}
    position = Position(units_from(case.units, 1, variant.board.forms), owners, (), case.state)
    return ledger_of(variant, Rules.of(variant), variant.calendar.read(case.phase), position)


@pytest.mark.parametrize("name", CASES)
def test_lines(name: str) -> None:
    """Each position has the lines written down for it, and no others under these headings."""
    case = CASES[name]
    sections = looked_at(case).sections
    assert {heading: list(sections.get(heading, ())) for heading in case.lines} == case.lines
    if not case.lines:
        assert sections == {}


def test_strength_is_that_of_the_coming_spring() -> None:
    """England with two captures in 1590 has two builds and in Spring 1600 a strength of 5, not 6 or 4 (CNW-N3)."""
    variant = find_variant("conquest2")
    position = Position(units_from({"England": ["A VIR", "A NOV", "F ATL"]}), {"VIR": "England", "NOV": "England"})

    def strength(phase: str, number: int) -> int | None:
        state = winters(number) | homes(number)
        now = Position(position.units, position.owners, (), state)
        return ledger_of(variant, Rules.of(variant), variant.calendar.read(phase), now).strengths.get("England")

    assert strength("S1590M", 0) is None  # no Winter has been
    assert strength("W1590A", 0) == 5
    assert strength("S1600M", 1) == 5
    assert strength("F1600M", 1) == 5
    assert strength("W1600A", 1) == 4
    assert strength("S1650M", 6) == 3


def test_strength_hangs_on_centres_alone_in_other_games() -> None:
    """Where no mechanic feeds units, a power's centres say it all, and no strength is told."""
    assert not find_game("standard").ledger.strengths
    assert not find_game("1000ad").ledger.strengths


def find_game(name: str) -> Game:
    """A game of a variant at its start."""
    return Game.start(find_variant(name), seed=bytes(32))


def test_every_door_tells_the_same() -> None:
    """Report, board in words and JSON have the same lines, strengths among them."""
    game = find_game("conquest2")
    for _ in range(3):
        game = game.process()
    assert game.phase.code == "S1600M"
    ledger, text = game.ledger, report(game)
    words = board_in_words(game.variant, game.rules, game.phase, game.position)
    assert "Supply centres, and strength in Spring 1600\n  England: 3 units, strength 3, 0 centres\n" in text
    assert "England: 0 centres, 3 units, strength 3.\n" in words
    for heading, lines in ledger.sections.items():
        assert f"\n{heading}\n" in text
        assert f"\n{heading}:\n" in words
        for line in lines:
            assert f"  {line}\n" in text
            assert f"\n{line}.\n" in words
    data = ledger_data(ledger)
    assert data["phase"] == "S1600M"
    assert data["powers"][0] == {"power": "England", "centers": 0, "units": 3, "strength": 3}
    assert data["entries"][0] == {
        "heading": "Centres off the board", "text": "2 in Winter 1600", "power": "England", "province": "ATL",
        "number": 2, "term": "W1600A", "clause": "CNW-8.b1",
    }  # fmt: skip
