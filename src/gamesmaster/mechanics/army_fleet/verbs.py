"""The verbs of armies aboard fleets: to go aboard, to take aboard, to go ashore, to ferry."""

from __future__ import annotations

from dataclasses import replace

from gamesmaster.orders import (
    GOES_ABOARD,
    GOES_ASHORE,
    TAKES_IN,
    TOWARDS,
    AnyVerb,
    Order,
    Parts,
    Phrase,
    Verb,
    need_move,
    read_helped,
)

_ASHORE = (*TOWARDS, "in", "at", "on")


def _board(parts: Parts, order: Order) -> Order:
    power, _, sea = parts.unit()
    return replace(order, to=sea, of_power=power)


def _take(parts: Parts, order: Order) -> Order:
    parts.skip("up")
    return read_helped(parts, order)


def _land(parts: Parts, order: Order) -> Order:
    """Parse the place where an army lands: `Jel`, `in Jel`, `on Jel`, `A Jel`."""
    parts.skip_kind()
    if parts.key in _ASHORE and not parts.place_at(parts.at):
        parts.at += 1
    return replace(order, to=parts.place())


def _ferry(parts: Parts, order: Order) -> Order:
    order = read_helped(parts, order)
    need_move(parts)
    parts.skip(*TOWARDS)
    return replace(order, to=parts.place())


class PairVerb(AnyVerb):
    """The verbs of armies and of the fleets that carry them."""

    BOARD = (  # of an army: go aboard a fleet
        "board",
        Phrase(
            "e embark embarks board boards",
            short="boards",
            rest=_board,
            needs=("to",),
            bare=True,
            drawn=Verb.MOVE,
            thought=GOES_ABOARD,
            title="Board a fleet",
            says="Board the fleet in {goal}",
        ),
    )
    TAKE = (  # of a fleet: take an army aboard
        "take",
        Phrase(
            "t take takes pick picks",
            short="takes",
            rest=_take,
            needs=("of",),
            drawn=Verb.CONVOY,
            thought=TAKES_IN,
            title="Take aboard",
            says="Take {unit} aboard",
        ),
    )
    LAND = (  # of an army aboard: go ashore
        "land",
        Phrase(
            "land lands disembark disembarks disgorge disgorges",
            ahead="d",
            short="lands",
            rest=_land,
            needs=("to",),
            bare=True,
            helped=True,
            like=Verb.MOVE,
            thought=GOES_ASHORE,
            title="Land",
            says="Land in {goal}",
        ),
    )
    FERRY = (  # of a fleet: carry an army over one sea
        "ferry",
        Phrase(
            "ff ferry ferries",
            short="ferries",
            rest=_ferry,
            needs=("of", "to"),
            like=Verb.CONVOY,
            title="Ferry",
            says="Ferry {unit} {goal}",
        ),
    )
