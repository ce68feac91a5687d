"""Printing an order and reading it back gives it again."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesmaster.board import Board, Location, Terrain
from gamesmaster.errors import BadOrder
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import AnyVerb, Notation, Order, PhaseKind, Verb

PHASES: dict[AnyVerb, PhaseKind] = {
    Verb.RETREAT: PhaseKind.RETREATS,
    Verb.DISBAND: PhaseKind.RETREATS,
    Verb.BUILD: PhaseKind.ADJUSTMENTS,
    Verb.REMOVE: PhaseKind.ADJUSTMENTS,
    Verb.WAIVE: PhaseKind.ADJUSTMENTS,
}
STRANGE_COASTS = ("NC", "SC", "EC", "WC")
HELPING = (Verb.SUPPORT, Verb.CONVOY, PairVerb.TAKE, PairVerb.FERRY)
GOING = (Verb.MOVE, Verb.RETREAT, Verb.CONVOY, PairVerb.BOARD, PairVerb.LAND, PairVerb.FERRY)
BY_SEA = (Verb.MOVE, Verb.RETREAT, Verb.CONVOY)
OF_UNITS = (*PairVerb, *BoatVerb)
OF_POWERS = (*HomeVerb, *ReinforcementVerb)
ODD_POWERS = ["A", "S", "E", "With", "Takes", "macleod", "Barbary States"]
ODD_KINDS = ["A", "F", "A/F", "W", "W/CF"]


@st.composite
def orders(draw: st.DrawFn, board: Board, powers: list[str], kinds: list[str], *, mechanics: bool = False) -> Order:
    """Any order that can be written on a board: every place, strange coasts, letters and powers there or not.

    Those of mechanics are among them only where they are known.
    """
    enterable = [p for p in board.provinces if p.terrain is not Terrain.IMPASSABLE]
    listed = [Location(p.id, coast) for p in enterable for coast in ("", *p.coasts)]
    strange = [Location(p.id, coast) for p in enterable if not p.coasts for coast in STRANGE_COASTS]
    places = st.sampled_from(listed) | st.sampled_from(strange)
    power, kind = st.sampled_from(["", *powers]), st.sampled_from(["", *kinds])
    verb = draw(st.sampled_from([*Verb, *OF_POWERS, *(OF_UNITS if mechanics else ())]))
    if verb is Verb.WAIVE:
        return Order(verb, power=draw(power))
    if verb is HomeVerb.DESIGNATE:
        return Order(verb, at=draw(places), power=draw(power))
    if mechanics and verb in (Verb.REMOVE, Verb.DISBAND) and draw(st.booleans()):
        half = draw(st.sampled_from(["A", "F"]))
        return Order(verb, half, draw(places), of_kind="A/F", power=draw(power))
    helped = verb in HELPING
    landing = mechanics and verb is Verb.SUPPORT and draw(st.booleans())
    moves = landing or verb in GOING or (verb is Verb.SUPPORT and draw(st.booleans()))
    by_sea = moves and not landing and (verb in BY_SEA or verb is Verb.SUPPORT)
    waters = st.lists(st.sampled_from([p.id for p in enterable if p.convoy]), max_size=3)
    route = tuple(draw(waters)) if by_sea else ()
    order = Order(
        verb,
        draw(kind),
        draw(places),
        to=draw(places) if moves else None,
        of=draw(places) if helped else None,
        of_kind=draw(kind) if helped else "",
        of_power=draw(power) if helped or verb is PairVerb.BOARD else "",
        via=bool(route) or (by_sea and draw(st.booleans())),
        route=route,
        power=draw(power),
        doing=PairVerb.LAND if landing else None,
    )
    return draw(with_boats(order, powers)) if mechanics else order


@st.composite
def with_boats(draw: st.DrawFn, order: Order, powers: list[str]) -> Order:
    """The order with the boats that it may or must name."""
    if order.verb is BoatVerb.MAKE:
        return replace(order, carried=draw(st.integers(1, 99)))
    along = order.verb in (Verb.MOVE, Verb.RETREAT) and draw(st.booleans())
    if not along and order.verb is not BoatVerb.DESTROY:
        return order
    builders = draw(st.lists(st.sampled_from(powers), max_size=3))
    return replace(order, carried=draw(st.integers(1, 99)), builders=tuple(builders))


def check(notation: Notation, order: Order) -> None:
    """An order, printed short, in full, and as reports print it, reads back as itself in its own phase."""
    for text in {notation.write(order), notation.write(order, full=True), notation.tell(order)}:
        assert notation.read(text, PHASES.get(order.verb, PhaseKind.MOVEMENT)) == order, text


def check_every_place(notation: Notation, board: Board, powers: list[str], kinds: list[str]) -> None:
    """So does an order that names a place in every role, for every place, kind and power, short and in full."""
    for province in board.provinces:
        for coast in ("", *(province.coasts or STRANGE_COASTS)) if province.terrain is not Terrain.IMPASSABLE else ():
            at = Location(province.id, coast)
            for kind, power in product(["", *kinds], ["", *powers]):
                check(notation, Order(Verb.HOLD, kind, at, power=power))
                check(notation, Order(Verb.BUILD, kind, at, power=power))
                order = Order(Verb.SUPPORT, kind, at, to=at, of=at, of_kind=kind, of_power=power, power=power)
                check(notation, order)
                check(notation, replace(order, to=None))
                check(notation, Order(ReinforcementVerb.DECLINE, kind, at, power=power))


@pytest.mark.bulk
def test_every_place_of_the_regular_board(standard: Notation, standard_board: Board) -> None:
    """Every place of the regular board survives printing and reading in every role."""
    check_every_place(standard, standard_board, ["England"], ["A", "F"])


@pytest.mark.bulk
def test_every_place_of_an_odd_board(odd: Notation, odd_board: Board) -> None:
    """So does every place of a board whose provinces, powers and units are called like one another and like verbs."""
    check_every_place(odd, odd_board, ODD_POWERS, ODD_KINDS)


@settings(deadline=None)
@given(st.data())
def test_round_trip_on_the_regular_board(standard: Notation, standard_board: Board, data: st.DataObject) -> None:
    """Every order on the regular board, printed short or in full, reads back as itself in its own phase."""
    check(standard, data.draw(orders(standard_board, ["England", "France", "Turkey"], ["A", "F"])))


@settings(deadline=None)
@given(st.data())
def test_round_trip_on_an_odd_board(odd: Notation, odd_board: Board, data: st.DataObject) -> None:
    """So does every order on the odd board."""
    check(odd, data.draw(orders(odd_board, ODD_POWERS, ODD_KINDS, mechanics=True)))


WORDS = (
    *("A", "F", "Par", "Bur", "Nth", "North", "Spain", "nc", "/NC", "(", ")", ":", ",", "?", "12"),
    *("-", "->", "to", "S", "C", "H", "D", "R", "B", "via", "convoy", "by", "Build", "Waive", "France"),
)
ODD_WORDS = (
    *("A", "F", "A/F", "W", "W/CF", "12", "13", "a", "f", "e", "d", "ff", "cf", "44/N", "(", ")", ":"),
    *("-", "S", "H", "D", "E", "T", "FF", "B", "lands", "takes", "boards", "builds", "destroys", "with", "CF", "2"),
    *("of", "macleod", "and", "in", "from", "Remove", "Disband", "Designate", "Arrive", "Decline", "a", "build"),
)


def check_text(notation: Notation, text: str, phase: PhaseKind | None) -> None:
    """A text either reads, and then its print reads the same, or is refused at a place in it."""
    fault = None
    try:
        order = notation.read(text, phase)
        check(notation, order)
    except BadOrder as error:
        fault = error
    assert fault is None or (fault.line == 1 and 1 <= fault.column <= len(text) + 1)


def texts(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    """A few of these words, or anything."""
    return st.lists(st.sampled_from(words), max_size=9).map(" ".join) | st.text(max_size=40)


@settings(deadline=None)
@given(texts(WORDS), st.sampled_from([None, *PhaseKind]))
def test_any_text_is_an_order_or_a_complaint(standard: Notation, text: str, phase: PhaseKind | None) -> None:
    """Whatever is written either reads, and then its print reads the same, or is refused at a place in the text."""
    check_text(standard, text, phase)


@settings(deadline=None)
@given(texts(ODD_WORDS), st.sampled_from([None, *PhaseKind]))
def test_any_text_on_an_odd_board(odd: Notation, text: str, phase: PhaseKind | None) -> None:
    """So it is where the words of every mechanic are known and provinces and powers are called like them."""
    check_text(odd, text, phase)
