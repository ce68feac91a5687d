"""The orders of the six games as their rulebooks write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gamesmaster.board import Location
from gamesmaster.errors import BadOrder
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import Notation, Order, PhaseKind, Verb
from gamesmaster.reading import Situation, read
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant
from tests.orders.conftest import GAMES, game_data

ZHE = "'Ж' is the letter CYRILLIC CAPITAL LETTER ZHE"


def answer_to(notation: Notation, text: str, phase: PhaseKind) -> Order | str:
    """The order in a text, or the complaint about it."""
    try:
        return notation.read(text, phase)
    except BadOrder as error:
        return str(error)


@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_game(games: dict[str, Notation], game: str) -> None:
    """Each text prints in the one form, or is refused as told, and its prints, short and full, are the same order."""
    notation = games[game]
    for phase, orders in game_data(game)["orders"].items():
        for text, printed in orders.items():
            answer = answer_to(notation, text, PhaseKind(phase))
            if isinstance(answer, str):
                assert answer == printed
                continue
            assert notation.write(answer) == printed, text
            for print_ in (notation.write(answer), notation.write(answer, full=True), notation.tell(answer)):
                assert notation.read(print_, PhaseKind(phase)) == answer, text


def at(text: str) -> Location:
    """A location in its plain form."""
    return Location.of(text)


MEANT = {
    ("scottomacy", "A 44 - o with 2 BB of macdonald macleod"): Order(
        Verb.MOVE, "A", at("44"), to=at("o"), carried=2, builders=("MacDonald", "MacLeod")
    ),
    ("scottomacy", "A 44 destroys BB of macleod"): Order(
        BoatVerb.DESTROY, "A", at("44"), carried=1, builders=("MacLeod",)
    ),
    ("scottomacy", "A bb - ff with BB"): Order(Verb.MOVE, "A", at("bb"), to=at("ff"), carried=1),
    ("scottomacy", "A 90 S A/F ff lands 73"): Order(
        Verb.SUPPORT, "A", at("90"), of=at("ff"), of_kind="A/F", to=at("73"), doing=PairVerb.LAND
    ),
    ("scottomacy", "F gg takes A 90"): Order(PairVerb.TAKE, "F", at("gg"), of=at("90"), of_kind="A"),
    ("scottomacy", "A 90 boards gg"): Order(PairVerb.BOARD, "A", at("90"), to=at("gg")),
    ("scottomacy", "A/F ff lands 73"): Order(PairVerb.LAND, "A/F", at("ff"), to=at("73")),
    ("scottomacy", "arrive A/F gg"): Order(ReinforcementVerb.ARRIVE, "A/F", at("gg")),
    ("scottomacy", "decline A/F e"): Order(ReinforcementVerb.DECLINE, "A/F", at("e")),
    ("scottomacy", "remove A ff"): Order(Verb.REMOVE, "A", at("ff")),
    ("scottomacy", "A/BB z R 3"): Order(Verb.RETREAT, "A/BB", at("z"), to=at("3")),
    ("scottomacy", "F 30/N - o"): Order(Verb.MOVE, "F", at("30/N"), to=at("o")),
    ("conquest2", "Remove A from A/F BRS"): Order(Verb.REMOVE, "A", at("BRS"), of_kind="A/F"),
    ("conquest2", "Remove A/F HIS"): Order(Verb.REMOVE, "A/F", at("HIS")),
    ("conquest2", "Designate NOV"): Order(HomeVerb.DESIGNATE, at=at("NOV")),
    ("conquest2", "A VIR boards F VIS"): Order(PairVerb.BOARD, "A", at("VIR"), to=at("VIS")),
    ("conquest2", "F HIS S England F ATL - BAH"): Order(
        Verb.SUPPORT, "F", at("HIS"), of=at("ATL"), of_kind="F", of_power="England", to=at("BAH")
    ),
    ("indianomacy", "W 12 builds CF"): Order(BoatVerb.MAKE, "W", at("12"), carried=1),
    ("indianomacy", "W/CF h - g"): Order(Verb.MOVE, "W/CF", at("h"), to=at("g")),
    ("indianomacy", "W 12 - h with CF"): Order(Verb.MOVE, "W", at("12"), to=at("h"), carried=1),
    ("1000ad-army-fleets", "A SNS D Fla"): Order(PairVerb.LAND, "A", at("SNS"), to=at("Fla")),
    ("1000ad-army-fleets", "A Lon E F SNS"): Order(PairVerb.BOARD, "A", at("Lon"), to=at("SNS")),
    ("1000ad-army-fleets", "F SNS T A Lon"): Order(PairVerb.TAKE, "F", at("SNS"), of=at("Lon"), of_kind="A"),
    ("1000ad-army-fleets", "F SNS FF A Lon-Fla"): Order(
        PairVerb.FERRY, "F", at("SNS"), of=at("Lon"), of_kind="A", to=at("Fla")
    ),
    ("1000ad-army-fleets", "F KAT S A HGB-Jel"): Order(
        Verb.SUPPORT, "F", at("KAT"), of=at("HGB"), of_kind="A", to=at("Jel")
    ),
}


@pytest.mark.parametrize(("game", "text"), MEANT)
def test_what_the_orders_of_mechanics_mean(games: dict[str, Notation], game: str, text: str) -> None:
    """Every form of an order that only some games know is the order that their rulebooks mean."""
    (phase,) = {phase for phase, orders in game_data(game)["orders"].items() if text in orders}
    assert games[game].read(text, PhaseKind(phase)) == MEANT[game, text]


@pytest.mark.parametrize(
    ("game", "text", "what", "hint"),
    [
        ("indianomacy", "W 12 builds", "expected a boat (CF), but the order ends here", ""),
        ("indianomacy", "W 12 builds W", "expected a boat (CF), not 'W'", ""),
        ("indianomacy", "W 12 - h with canoo", "expected a boat (CF), not 'canoo'", ""),
        ("indianomacy", "W 12 - h with", "expected a boat (CF), but the order ends here", ""),
        ("indianomacy", "W 12 destroys 0 CF", "expected a boat (CF), not '0'", ""),
        ("indianomacy", "W 12 destroys 100 CF", "expected a boat (CF), not '100'", ""),
        ("indianomacy", "W 12 builds Ж", "expected a boat (CF), not 'Ж'", ZHE),
        ("indianomacy", "W 12 lands 13", "expected what the unit does, not 'lands'", ""),
        ("indianomacy", "W 12 S W 11 - 60 with CF", "the order should end before 'with'", ""),
        ("indianomacy", "W 12 builds CF of Dakota", "the order should end before 'of'", ""),
        ("scottomacy", "A 44 destroys BB of", "expected a power, but the order ends here", ""),
        ("scottomacy", "A 44 destroys BB of macloud", "no power 'macloud'", ""),
        ("scottomacy", "A 44 destroys BB of Mac", "no power 'Mac'", ""),
        ("scottomacy", "A/F ff lands", "expected a province, but the order ends here", ""),
        ("scottomacy", "A/F ff D Dumbar Casle", "no province 'Dumbar Casle'", ""),
        ("scottomacy", "F ff ferries A 90 S 73", "expected where the unit goes, not 'S'", ""),
        ("conquest2", "Designate", "expected a province, but the order ends here", ""),
        ("conquest2", "A VIR - MAI with CF", "the order should end before 'with'", ""),
        ("conquest2", "A VIR destroys CF", "expected what the unit does, not 'destroys'", ""),
        ("1000ad", "A Lon E F SNS", "expected what the unit does, not 'E'", ""),
    ],
)  # fmt: skip
def test_complaints(games: dict[str, Notation], game: str, text: str, what: str, hint: str) -> None:
    """What is not an order of a game is refused with what is wrong."""
    with pytest.raises(BadOrder) as caught:
        games[game].read(text)
    assert (caught.value.what, caught.value.hint) == (what, hint)


@pytest.mark.parametrize("line", ["Designate Nowhere", "Decline Nowhere", "Waive nothing"])
def test_an_order_that_its_verb_begins_is_no_heading(games: dict[str, Notation], line: str) -> None:
    """A bad order that its verb begins is a fault of its own and leaves the section as it is."""
    at = Situation(Rules.of(find_variant("conquest2")), PhaseKind.ADJUSTMENTS, find_variant("conquest2").start)
    sheet = read(at, "", f"Spain:\n{line}\nBuild A MEX")
    assert [row.order is not None for row in sheet.lines("Spain")] == [False, True]
    assert "no power" not in sheet.refused[0].what


def test_sections_of_powers_called_like_words_of_orders(odd: Notation) -> None:
    """Powers called E, With or Takes head their sections and stand before their units all the same."""
    texts = {"E": "W 12 E f", "Takes": "Takes F f takes A 12", "With": "With W 12 - 13 with CF"}
    read = {power: odd.read(text) for power, text in texts.items()}
    assert {power: odd.write(replace(order, power="")) for power, order in read.items()} == {
        "E": "W Ono boards f",
        "Takes": "F f takes A Ono",
        "With": "W Ono - 13 with CF",
    }
    assert odd.read("E Designate 13").power == "E"


def test_an_order_without_its_boats_says_too_little() -> None:
    """Boats made or destroyed are counted: without a number the order is not complete."""
    for verb in (BoatVerb.MAKE, BoatVerb.DESTROY):
        assert not Order(verb, "W", at("12")).complete
        assert Order(verb, "W", at("12"), carried=1).complete


def test_boats_without_a_word_of_their_own(standard: Notation) -> None:
    """A notation that has no word for boats, as that of a map, still tells that some go along."""
    assert standard.write(Order(Verb.MOVE, "A", at("PAR"), to=at("BUR"), carried=1)) == "A Par - Bur with thing"
