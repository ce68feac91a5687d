"""Lists of possible orders as texts, put together from texts that are made once for each pair of places."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from gamesmaster.board import Location, Position
from gamesmaster.engine import NOWHERE
from gamesmaster.judge import LegalOrders, OrderReader, Placement
from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.rules import Made, Rules

_ENDS: dict[AnyVerb, str] = {Verb.BUILD: "B", Verb.REMOVE: "D", Verb.DISBAND: "D"}


class Listing:
    """Texts of orders under one set of rules: what the judge's `LegalOrders` lists, as programs expect it.

    `places` and `units` have the texts of locations, and of kinds of unit at locations.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.reader = rules, rules.derive(OrderReader)
        self.places: Made[Location, str] = Made(str)
        self.units: Made[tuple[str, Location], str] = Made(lambda unit: f"{unit[0]} {unit[1]}")
        self._own = Made(self._own_texts)
        self._sails: Made[tuple[Placement, int, bool], str] = Made(lambda key: str(self.reader.moves[key]))
        self._near: Made[Placement, Made[Placement, tuple[str, ...]]]
        self._near = Made(lambda here: Made(partial(self._supports, here)))
        self._helps = Made(self._help_texts)

    def movement(self, position: Position, found: dict[str, list[str]]) -> None:
        """Add the orders of all units in a movement phase to the places where they stand."""
        legal = LegalOrders(self.rules, position)
        plain = not (self.rules.board.restricted or self.rules.board.shared or self.rules.mechanics)
        for row, unit in enumerate(position.units, 1):
            if plain:
                texts = self._plain(legal, row)
            else:
                texts = [text for order in legal.of_unit(unit) for text in spellings(order)]
            found[self.places[unit.at]] += texts
            if unit.at.coast:
                found[unit.at.province] += texts

    def _plain(self, legal: LegalOrders, row: int) -> list[str]:
        """Return the orders of a unit on a board on which all powers may go the same ways."""
        offers, placements, bare = legal.offers, legal.field.placements, self.reader.bare
        here, helps = placements[row], self._helps
        near, texts = self._near[here], list(self._own[here])
        for other in placements[1:]:
            if supports := near[other]:
                texts += supports
        for place in offers.landings[row]:
            texts.append(self._sails[here, bare[place], True])
        for place in offers.landed_on.intersection(here.helps) if offers.landed_on else ():
            for army, goals in enumerate(offers.voyages):
                if place not in goals or army == row:
                    continue
                if not here.carries or offers.may_help(row, place, (army, bare[place])):
                    texts += helps[Verb.SUPPORT, here, placements[army], bare[place]]
        for army, end in self._carried(legal, row) if here.carries else ():
            texts += helps[Verb.CONVOY, here, placements[army], end]
        return texts

    def _carried(self, legal: LegalOrders, row: int) -> Iterable[tuple[int, int]]:
        """Return all that a fleet may carry: a fleet that no other joins, from each of its shores to each other."""
        field, place = legal.field, self.rules.board.place
        group, start = field.crossings.group[field.at[row]], field.crossings.start
        if start[group + 1] - start[group] > 1:
            return legal.offers.carried(row)
        return ((army, end) for army, end in legal.offers.loads(row) if field.at[army] != place[end])

    def _own_texts(self, here: Placement) -> tuple[str, ...]:
        """Return the orders of a unit that need no other: to hold, and to move a step."""
        return (str(self.reader.holds[here]), *(str(order) for _, _, order in self.reader.strides[here]))

    def _supports(self, here: Placement, other: Placement) -> tuple[str, ...]:
        """Return the supports of one unit for another: in place, and for its steps."""
        steps = ((place, end) for place, end, _ in self.reader.strides[other])
        ends = [end for place, end in ((other.place, NOWHERE), *steps) if place in here.helps]
        found = (text for end in ends for text in self._helps[Verb.SUPPORT, here, other, end])
        return tuple(dict.fromkeys(found)) if here is not other else ()

    def _help_texts(self, key: tuple[Verb, Placement, Placement, int]) -> tuple[str, ...]:
        return spellings(self.reader.helps[key])


def spell(order: Order) -> str:
    """Return an order as the package writes it: `A MUN S A PAR - BUR`, `A PAR R MAR`, `A PAR B`, `WAIVE`."""
    if order.verb is Verb.WAIVE:
        return "WAIVE"
    if order.verb is Verb.RETREAT:
        return f"{order.kind} {order.at} R {order.to}"
    return f"{order.kind} {order.at} {_ENDS[order.verb]}" if order.verb in _ENDS else str(order)


def spellings(order: Order) -> tuple[str, ...]:
    """Return an order's text, and for a support into a split coast the one without the coast."""
    text = spell(order)
    loose = order.verb is Verb.SUPPORT and order.to is not None and order.to.coast
    return (text, text.rpartition("/")[0]) if loose else (text,)
