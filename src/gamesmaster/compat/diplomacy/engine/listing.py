"""Lists of possible orders as texts, put together from texts that are made once for each pair of places."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial
from itertools import chain

from gamesmaster.board import Location, Position
from gamesmaster.engine import NOWHERE
from gamesmaster.judge import LegalOrders, OrderReader, Placement
from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.rules import Made, Rules

_ENDS: dict[AnyVerb, str] = {Verb.BUILD: "B", Verb.REMOVE: "D", Verb.DISBAND: "D"}


class Listing:
    """Texts of orders under one set of rules: what the judge's `LegalOrders` lists, as programs expect it.

    `places` has a location and its province as texts, `units` the text of a kind of unit at a location.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.reader = rules, rules.derive(OrderReader)
        self.places: Made[Location, Set[str]] = Made(lambda at: {str(at), at.province})
        self.units: Made[tuple[str, Location], str] = Made(lambda unit: f"{unit[0]} {unit[1]}")
        self._is_plain = not (rules.board.restricted or rules.board.shared or rules.mechanics)
        self._own = Made(self._own_texts)
        self._near: Made[Placement, Made[Placement, tuple[str, ...]]]
        self._near = Made(lambda here: Made(partial(self._supports, here)))
        self._helps = Made(self._help_texts)
        self._voyages: Made[tuple[Placement, Placement, Set[int]], tuple[str, ...]] = Made(lambda _: ())

    def movement(self, position: Position, found: dict[str, list[str]]) -> None:
        """Add the orders of all units in a movement phase to the places where they stand."""
        legal = LegalOrders(self.rules, position)
        listed = self._plain(legal) if self._is_plain else self._any(legal)
        for unit, texts in zip(position.units, listed, strict=True):
            for place in self.places[unit.at]:
                found[place] = texts

    @staticmethod
    def _any(legal: LegalOrders) -> Iterator[list[str]]:
        """Yield the orders of each unit, on any board."""
        for unit in legal.position.units:
            yield [text for order in legal.of_unit(unit) for text in spellings(order)]

    def _plain(self, legal: LegalOrders) -> Iterator[list[str]]:
        """Yield the orders of each unit, on a board on which all powers may go the same ways.

        What may be done with an army at sea is remembered: the two units, and the waters with fleets that join its
        shore, are all that matters.
        """
        field, ports, known = legal.field, self.reader.ports, self._voyages
        units = field.placements[1:]
        ashore = [(row, unit) for row, unit in enumerate(units, 1) if unit.place in ports and not unit.afloat]
        armies = [(row, unit, waters) for row, unit in ashore if (waters := field.waters_from(unit.place))]
        for row, here in enumerate(units, 1):
            texts = [*self._own[here], *chain.from_iterable(map(self._near[here].__getitem__, units))]
            for army, unit, waters in armies:
                key = here, unit, waters
                texts += known[key] if key in known else known.keep(key, tuple(self._sea_texts(legal, row, army)))
            yield texts

    def _sea_texts(self, legal: LegalOrders, row: int, army: int) -> Iterator[str]:
        """Yield the supports and convoys of a unit for an army that goes by sea; for itself, the landings."""
        here, other, bare = legal.field.placements[row], legal.field.placements[army], self.reader.bare
        offers = legal.offers
        for place in offers.landings[army]:
            helped = army, bare[place]
            if row == army:
                yield str(self.reader.moves[here, bare[place], True])
                continue
            if place in here.helps and place not in other.reach and offers.may_help(row, place, helped):
                yield from self._helps[Verb.SUPPORT, here, other, bare[place]]
            if here.carries and offers.may_carry(row, helped):
                yield from self._helps[Verb.CONVOY, here, other, bare[place]]

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
