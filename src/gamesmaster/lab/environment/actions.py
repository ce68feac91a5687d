"""Orders as numbers, and the choices of an agent: a menu for each of its slots.

Numbers for the things on a board, as the arrays of the environment write powers, places, units, orders and results.

Everything is numbered from 1 in the order of the variant's files, so that 0 is free to mean none.

A power chooses in slots, each with its possible orders.

A slot is a question about a unit, a build or a reinforcement. The number of slots and of orders in each depends on the
variant alone; an answer is an order's place in its list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gamesmaster.board import Board, Location, Position, Terrain, Unit
from gamesmaster.judge import Account, LegalOrders, MovementMechanic, accounts
from gamesmaster.mechanics import VERBS as OWN_VERBS
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.players import View, group_extras, rider_orders
from gamesmaster.rules import Result, Rules
from gamesmaster.variant import Variant

Row: TypeAlias = tuple[int, ...]

VERBS: dict[AnyVerb, int] = {verb: number for number, verb in enumerate((*Verb, *OWN_VERBS), 1)}
RESULTS = {result: number for number, result in enumerate(Result, 1)}
COLUMNS = ("verb", "kind", "at", "to", "of", "of_kind", "of_power", "how", "carried", "builder")
"""The columns of an order: the fields of `Order`; `how` adds 1 for "by convoy" and 2 for help to a landing."""

VIA, HELPED = 1, 2
MOST_CARRIED = 100
REMEMBERED = 100_000  # orders whose numbers are not worked out anew
NO_ORDER: Row = (0,) * len(COLUMNS)


class Codes:
    """The numbers of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.board = variant.board
        self.powers = {power.name: number for number, power in enumerate(variant.powers, 1)}
        self.kinds = {kind: number for number, kind in enumerate(self.board.ways, 1)}
        own = (verb for mechanic in variant.mechanics for verb in mechanic.verbs if verb not in VERBS)
        self.verbs = VERBS | {verb: number for number, verb in enumerate(dict.fromkeys(own), len(VERBS) + 1)}
        self.row = lru_cache(REMEMBERED)(self._row)
        """An order in numbers, all 0 for none; of several builders it names the first."""

    @property
    def most(self) -> Row:
        """The highest number in each column of an order."""
        kinds, places, powers = len(self.kinds), len(self.board.locations), len(self.powers)
        return (len(self.verbs), kinds, places, places, places, kinds, powers, VIA + HELPED, MOST_CARRIED, powers)

    def place(self, location: Location | None) -> int:
        """Return the number of a location, 0 for none."""
        return 0 if location is None else self.board.location_index[location] + 1

    def _row(self, order: Order | None) -> Row:
        if order is None:
            return NO_ORDER
        return (
            self.verbs[order.verb],
            self.kinds.get(order.kind, 0),
            self.place(order.at),
            self.place(order.to),
            self.place(order.of),
            self.kinds.get(order.of_kind, 0),
            self.powers.get(order.of_power, 0),
            VIA * order.via + HELPED * (order.doing is not None),
            min(order.carried, MOST_CARRIED),
            self.powers.get(_first(order.builders), 0),
        )


def _first(names: Iterable[str]) -> str:
    return next(iter(names), "")


Choices = Sequence[Order | None]
"""The answers to a question, in order; the first is what holds if nothing is chosen, None for no order at all."""

NOTHING: Choices = (None,)
_PASSIVE = frozenset({Verb.HOLD, Verb.DISBAND})


class Bounds(NamedTuple):
    """The number of a power's slots, and of answers in each of them."""

    slots: int
    choices: int


@dataclass(frozen=True, slots=True)
class Menu:
    """The questions to a power in one phase; `cut` is the number of legal orders beyond the bounds."""

    slots: tuple[Choices, ...]
    cut: int = 0


def menu(view: View, codes: Codes, bounds: Bounds) -> Menu:
    """Return the questions to a power in the phase being played; none if it takes no part, or the game is over."""
    if view.status is None or view.outcome is not None:
        return Menu(())
    asked = [_sort(choices, codes) for choices in _questions(view)]
    kept = tuple(choices[: bounds.choices] for choices in asked[: bounds.slots])
    return Menu(kept, sum(map(len, asked)) - sum(map(len, kept)))


def _questions(view: View) -> Iterator[list[Order]]:
    """Yield the legal orders for each unit, build or removal; then those beside them; then those of mechanics."""
    if view.phase.kind is PhaseKind.ADJUSTMENTS:
        yield from [[order for order in view.winter if order.verb is not Verb.WAIVE]] * abs(view.due)
    else:
        order_of = view.board.location_index
        units = sorted(view.choices, key=lambda unit: (order_of[unit.at], unit.number))
        beside = {unit: rider_orders(view.choices[unit]) for unit in units} if view.rules.carried_words else {}
        for unit in units:
            yield [order for order in view.choices[unit] if order not in beside.get(unit, ())]
        yield from filter(None, beside.values())
    yield from group_extras(view.extras)


def _sort(orders: Sequence[Order], codes: Codes) -> list[Order | None]:
    """Return a unit's orders: to do nothing first, convoys last, since there may be too many of them."""
    passive = next((order for order in orders if order.verb in _PASSIVE), None)

    def key(order: Order) -> tuple[bool, Row]:
        return order.verb.like is Verb.CONVOY, codes.row(order)

    return [passive, *sorted((order for order in orders if order is not passive), key=key)]


def choose_orders(slots: Sequence[Choices], answers: Sequence[int]) -> tuple[list[Order], int]:
    """The orders that answers make, and how many answers were none: those count as the first choice of their slot.

    There is an answer for each slot and beyond; whatever is answered where nothing is asked must be 0.
    """
    asked = [*slots, *[NOTHING] * (len(answers) - len(slots))]
    good = [0 <= answer < len(choices) for choices, answer in zip(asked, answers, strict=True)]
    picked = (choices[answer if ok else 0] for choices, answer, ok in zip(asked, answers, good, strict=True))
    return [order for order in picked if order], good.count(False)


# -- bounds ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def bounds_of(variant: Variant, rules: Rules) -> Bounds:
    """Return the bounds of a variant, from its data alone.

    There is a slot for each unit that a power can have before it has won, two where units have a rider beside their
    order.  A slot has room for as many orders, convoys left out, as any unit has on a board that is full.
    """
    return Bounds(_most_units(variant, rules) * (2 if rules.carried_words else 1), _most_orders(variant, rules))


def _most_units(variant: Variant, rules: Rules) -> int:
    found = accounts(rules, variant.start)
    return max(max(_needed(variant, power) + _unpaid(found[power]), len(found[power].units)) for power in found)


def _needed(variant: Variant, power: str) -> int:
    """As many centres or units as win; nobody has more of both for long."""
    victory = variant.victory
    return max(victory.target(power), victory.unit_target(power))


def _unpaid(account: Account) -> int:
    """Return how many units a power has at the start, or may have, that no centre feeds."""
    return account.supply - account.centres + len(account.units) - account.cost(account.units)


def _most_orders(variant: Variant, rules: Rules) -> int:
    return max(_longest(rules, _full(variant, by_land=by_land)) for by_land in (True, False))


def _longest(rules: Rules, position: Position) -> int:
    """Return the most orders of any unit of a position, convoys left out: counted, not listed, for those are many."""
    legal = LegalOrders(rules, position)
    offers, most = legal.offers, 0
    for row, unit in enumerate(position.units, 1):
        moves = len(offers.steps[row]) + len(offers.landings[row])
        supports = sum(len(offers.helpable[place]) for place in offers.supportable(row))
        added = sum(1 for more in rules.hooks(MovementMechanic.unit_orders) for _ in more(legal.field, unit))
        most = max(most, 1 + moves + supports + added)
    return most


def _full(variant: Variant, *, by_land: bool) -> Position:
    """Return a board with a unit in every province, `by_land` or else by sea where both can be."""
    board, power = variant.board, variant.powers[0].name
    kinds = sorted(board.kinds, key=lambda kind: board.sails(kind) is by_land)
    placed = filter(None, (_place(board, kinds, p.id) for p in board.provinces if p.terrain is not Terrain.IMPASSABLE))
    units = (Unit(number, kind, power, at) for number, (kind, at) in enumerate(placed, 1))
    return Position(tuple(units), {}, (), variant.start.state)


def _place(board: Board, kinds: Sequence[str], province: str) -> tuple[str, Location] | None:
    places = [board.locations[n] for n in board.locations_of(board.index[province])]
    return next(((kind, at) for kind in kinds for at in places if board.can_stand(kind, at)), None)
