"""Numbers of the standard game's orders in other programs: DipNet's vocabulary and DeepMind's actions.

Both are made from the board, in the order of those programs. So policies that were trained with them can be asked for
orders here, and games be used in both directions.

>>> dipnet = DipNetVocabulary()
>>> len(dipnet.texts), dipnet.texts[4000]
(13042, 'F LVP S F NAO - CLY')
>>> len(DeepMindActions().actions)
18584
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from gamesmaster.board import Location, Position, Unit
from gamesmaster.engine.convoys import find_simple, scratch
from gamesmaster.errors import NotFound
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import Rules, seas
from gamesmaster.variant import find_variant

MOST_FLEETS = 4
"""Most fleets of a convoy in DipNet's vocabulary."""

SPECIAL = ("<PAD>", "<GO>", "<EOS>", "<DRAW>")

DEEPMIND_NAMES = {"ENG": "ECH", "BOT": "GOB", "LYO": "GOL"}
"""Names of provinces that are called otherwise here."""

(
    CONVOYED, CONVOYS, HOLDS, MOVES, SUPPORTS_HOLD, SUPPORTS_MOVE, _, DISBANDS, RETREATS, BUILDS_ARMY, BUILDS_FLEET,
    REMOVES, WAIVES,
) = range(1, 14)  # fmt: skip
"""The kinds of DeepMind's actions."""

ALONE: dict[AnyVerb, int] = {Verb.HOLD: HOLDS, Verb.DISBAND: DISBANDS, Verb.REMOVE: REMOVES}
"""Kinds of the actions that name no second place."""

INDEX_BIT = 48
"""The first bit of an action's index."""


class _Geography:
    """The stances of units on the standard board, and the convoys on it.

    A stance is a kind of unit and the number of a location. Ports and waters are numbers of provinces.
    """

    def __init__(self) -> None:
        self.variant = find_variant("standard")
        self.board = board = self.variant.board
        provinces = range(len(board.provinces))
        self.ids = [province.id for province in board.provinces]
        self.names = [str(at) for at in board.locations]
        stances = [(kind, at) for at in range(len(self.names)) for kind in board.kinds]
        self.stances = sorted(
            (stance for stance in stances if board.can_stand(stance[0], board.locations[stance[1]])),
            key=lambda stance: (self.names[stance[1]], stance[0]),
        )
        self.waters = [place for place in provinces if board.carries[place]]
        self.ports = [
            place
            for place in provinces
            if board.waters[place] and not board.carries[place] and board.may_be("A", self.ids[place])
        ]
        self._seas: dict[int, list[frozenset[int]]] = {}

    def destinations(self, stance: tuple[str, int]) -> list[int]:
        """Return the locations that are one step away."""
        return [end for ends in self.board.reach(*stance).values() for end in ends]

    def supported_moves(self, stance: tuple[str, int]) -> Iterator[tuple[tuple[str, int], int]]:
        """Yield the moves without convoy that a unit may support: stances, and the provinces that these move to."""
        own = set(self.board.reach(*stance))
        for other in self.stances:
            if self.board.place[other[1]] != self.board.place[stance[1]]:
                yield from ((other, place) for place in own & set(self.board.reach(*other)))

    def routes(self, a: int, b: int, length: int) -> list[frozenset[int]]:
        """Return the waters of each route of `length` fleets between two ports that has no short cut."""
        waters, found = self.board.waters, []
        paths = [[water] for water in waters[a]]
        while paths:
            path = paths.pop()
            if path[-1] in waters[b]:
                if len(path) == length:
                    found.append(frozenset(path))
            elif len(path) < length:
                ahead = self.near[path[-1]] - waters[a] - set(path)
                paths += [[*path, x] for x in ahead if not any(x in self.near[y] for y in path[:-1])]
        return found

    def crossed(self, a: int, b: int) -> list[int]:
        """Return the waters on some route between two ports that passes no water twice."""
        search = scratch(len(self.ids))
        find_simple(self.rules.derive(seas), self.waters, len(self.waters), a, b, search)
        return [water for water in self.waters if search.found[water]]

    def are_joined(self, a: int, b: int, without: int) -> bool:
        """Return whether fleets can join two ports although none of them lies in the province `without`."""
        if without not in self._seas:
            self._seas[without] = list(self._seas_without(without))
        waters = self.board.waters
        return any(sea & waters[a] and sea & waters[b] for sea in self._seas[without])

    def _seas_without(self, province: int) -> Iterator[frozenset[int]]:
        """Yield the sets of waters that hang together when one is left out."""
        left = set(self.waters) - {province}
        while left:
            sea, ahead = set[int](), {left.pop()}
            while ahead:
                sea |= ahead
                left -= ahead
                ahead = {near for water in ahead for near in self.near[water]} & left
            yield frozenset(sea)

    @cached_property
    def rules(self) -> Rules:
        """The rules of the standard game."""
        return Rules.of(self.variant)

    @cached_property
    def near(self) -> dict[int, frozenset[int]]:
        """The waters next to each water."""
        return {water: self.board.shores[water] & frozenset(self.waters) for water in self.waters}


class DipNetVocabulary:
    """The 13,042 orders of DipNet's vocabulary: `texts`, in the order of their numbers."""

    def __init__(self) -> None:
        self._geography = _Geography()
        self.texts = tuple(self._all())
        self._number = {text: number for number, text in enumerate(self.texts)}

    def number(self, order: Order) -> int:
        """Return the number of an order; raises `NotFound` for one that the vocabulary lacks."""
        text = self.text(order)
        twin = text.removesuffix(" VIA") if order.via else f"{text} VIA"  # where only one of the two is possible
        number = self._number.get(text, self._number.get(twin))
        if number is None:
            hint = "it has legal orders, in full, with the coasts of fleets, and convoys of at most four fleets"
            raise NotFound(f"no order {text!r} in DipNet's vocabulary", hint=hint)
        return number

    def text(self, order: Order) -> str:
        """Return an order as the vocabulary writes it."""
        if order.verb is Verb.WAIVE:
            return "WAIVE"
        unit, goal = f"{order.kind} {order.at}", str(order.to)
        other = f"{order.of_kind} {order.of}"
        if order.verb is Verb.SUPPORT:
            return f"{unit} S {other}" + (f" - {order.to.province}" if order.to else "")
        if order.verb is Verb.CONVOY:
            return f"{unit} C {other} - {goal}"
        if order.verb is Verb.MOVE:
            return f"{unit} - {goal}{' VIA' if order.via else ''}"
        if order.verb is Verb.RETREAT:
            return f"{unit} R {goal}"
        letters: dict[AnyVerb, str] = {Verb.HOLD: "H", Verb.BUILD: "B", Verb.DISBAND: "D", Verb.REMOVE: "D"}
        return f"{unit} {letters.get(order.verb, order.verb)}"

    def order(self, number: int, kind: PhaseKind) -> Order:
        """Return the order of a number in a phase of this kind; raises `NotFound` for a number without an order."""
        words = self.texts[number].split() if 0 <= number < len(self.texts) else []
        if words == ["WAIVE"]:
            return Order(Verb.WAIVE)
        if len(words) < 3:
            raise NotFound(f"no order number {number} in DipNet's vocabulary")
        unit, at, verb, *rest = words
        place = [Location.of(word) for word in rest if len(word) > 1 and word != "VIA"]
        if verb in ("S", "C"):
            doing = Verb.SUPPORT if verb == "S" else Verb.CONVOY
            return Order(doing, unit, Location.of(at), place[1] if place[1:] else None, place[0], rest[0])
        removal = Verb.REMOVE if kind is PhaseKind.ADJUSTMENTS else Verb.DISBAND
        plain = {"H": Verb.HOLD, "B": Verb.BUILD, "-": Verb.MOVE, "R": Verb.RETREAT, "D": removal}[verb]
        return Order(plain, unit, Location.of(at), next(iter(place), None), via=rest[-1:] == ["VIA"])

    def _all(self) -> Iterator[str]:
        """Yield all texts: special ones, then by kind of order, in each by the place and then by the alphabet."""
        geography, board = self._geography, self._geography.board
        names, place = geography.names, board.place
        units = [(f"{kind} {names[at]}", at) for kind, at in geography.stances]
        yield from (*SPECIAL, *(f"<{power.name.upper()}>" for power in geography.variant.powers), "WAIVE")
        yield from (f"{unit} {verb}" for verb in "HD" for unit, _ in units)
        yield from (f"{unit} B" for unit, at in units if board.provinces[place[at]].centre)
        stances = list(zip(units, geography.stances, strict=True))
        for verb in "-R":
            yield from _sorted(
                (names[at], f"{unit} {verb} {names[to]}")
                for (unit, at), stance in stances
                for to in geography.destinations(stance)
            )
        yield from _sorted(
            (names[at], f"{unit} S {other}")
            for (unit, at), stance in stances
            for other, there in units
            if place[there] in board.reach(*stance)
        )
        known = {
            (names[at], f"{unit} S {kind} {names[there]} - {geography.ids[to]}")
            for (unit, at), stance in stances
            for (kind, there), to in geography.supported_moves(stance)
        }
        yield from _sorted(known)
        for length in range(1, MOST_FLEETS + 1):
            for rows in self._convoys(length):
                new = rows - known
                known |= new
                yield from _sorted(new)

    def _convoys(self, length: int) -> tuple[set[tuple[str, str]], ...]:
        """Return the moves by convoys of `length` fleets, the supports of these moves, and the orders of the fleets."""
        geography, board, ids = self._geography, self._geography.board, self._geography.ids
        moves, supports, convoys = set(), set(), set()
        for a, b in product(geography.ports, geography.ports):
            if a == b or not (routes := geography.routes(a, b, length)):
                continue
            army = f"A {ids[a]} - {ids[b]}"
            moves.add((ids[a], f"{army} VIA"))
            convoys |= {(ids[water], f"F {ids[water]} C {army}") for water in frozenset.union(*routes)}
            needed = {a, *frozenset.intersection(*routes)}
            for kind, at in geography.stances:
                if b in board.reach(kind, at) and board.place[at] not in needed:
                    supports.add((geography.names[at], f"{kind} {geography.names[at]} S {army}"))
        return moves, supports, convoys


def _sorted(rows: Iterable[tuple[str, str]]) -> list[str]:
    return [text for _, text in sorted(rows)]


class DeepMindActions:
    """The 18,584 actions of DeepMind's agents: `actions`, of 64 bits, in the order of their indices.

    An action names provinces and no kinds of unit; these follow from the position.
    """

    def __init__(self) -> None:
        self._geography = _Geography()
        board = self._geography.board
        order = sorted(range(len(board.provinces)), key=self._rank)
        self._index = {place: index for index, place in enumerate(order)}
        self._place = order
        low = sorted(set(self._all()))
        self.actions = tuple(index << INDEX_BIT | bits for index, bits in enumerate(low))
        self._number = {bits: index for index, bits in enumerate(low)}

    def action(self, order: Order) -> int:
        """Return the action of an order; raises `NotFound` for one without an action."""
        verb = order.verb
        if verb is Verb.WAIVE:
            return self._known(WAIVES)
        fleet, at = order.kind == "F", self._at(order.at)
        if verb is Verb.BUILD:
            return self._known(self._bits(BUILDS_FLEET if fleet else BUILDS_ARMY, at, coast=fleet))
        if verb in ALONE:
            return self._known(self._bits(ALONE[verb], at))
        if verb is Verb.SUPPORT and order.to is None:
            return self._known(self._bits(SUPPORTS_HOLD, at, self._at(order.of)))
        target = self._at(order.to)
        if verb in (Verb.SUPPORT, Verb.CONVOY):
            kind = CONVOYS if verb is Verb.CONVOY else SUPPORTS_MOVE
            return self._known(self._bits(kind, at, target, self._at(order.of)))
        moves = (CONVOYED, MOVES) if order.via else (MOVES, CONVOYED)  # the second where only that is possible
        kinds: dict[AnyVerb, tuple[int, ...]] = {Verb.MOVE: moves, Verb.RETREAT: (RETREATS,)}
        return self._known(*(self._bits(kind, at, target, to_coast=fleet) for kind in kinds.get(verb, ())))

    def order(self, action: int, position: Position) -> Order:
        """Return the order of an action in a position; raises `NotFound` for an unknown one, or where no unit is."""
        bits = action & (1 << INDEX_BIT) - 1
        if bits not in self._number:
            raise NotFound(f"no action {action} of DeepMind's")
        verb, at, target, third = bits & 255, bits >> 9 & 127, bits >> 17 & 127, bits >> 25 & 127
        if verb == WAIVES:
            return Order(Verb.WAIVE)
        if verb in (BUILDS_ARMY, BUILDS_FLEET):
            kind = "F" if verb == BUILDS_FLEET else "A"
            return Order(Verb.BUILD, kind, self._location(at, bits >> 8 & 1, kind))
        beaten = (dislodged.unit for dislodged in position.dislodged)
        unit = self._unit(beaten if verb in (DISBANDS, RETREATS) else position.units, at)
        if verb in ALONE.values():
            return Order(next(known for known in ALONE if ALONE[known] == verb), unit.kind, unit.at)
        if verb in (CONVOYS, SUPPORTS_MOVE, SUPPORTS_HOLD):
            other = self._unit(position.units, target if verb == SUPPORTS_HOLD else third)
            goal = None if verb == SUPPORTS_HOLD else self._location(target, 0, "A")
            return Order(
                Verb.CONVOY if verb == CONVOYS else Verb.SUPPORT, unit.kind, unit.at, goal, other.at, other.kind
            )
        goal = self._location(target, bits >> 16 & 1, unit.kind)
        return Order(Verb.RETREAT if verb == RETREATS else Verb.MOVE, unit.kind, unit.at, goal, via=verb == CONVOYED)

    def _rank(self, place: int) -> tuple[bool, bool, bool, bool, str]:
        """Return the key that sorts provinces: inland, waters, coasts, those with two coasts; centres after others."""
        board = self._geography.board
        water, split = board.carries[place], len(board.locations_of(place)) > 1
        province, coast = board.provinces[place], not water and bool(board.waters[place])
        return split, coast, water, province.centre, DEEPMIND_NAMES.get(province.id, province.id)

    def _known(self, *candidates: int) -> int:
        """Return the action of the first of some bits that are those of an action."""
        bits = next((bits for bits in candidates if bits in self._number), None)
        if bits is None:
            raise NotFound("no action of DeepMind's for this order")
        return self.actions[self._number[bits]]

    def _at(self, location: Location | None) -> int:
        """Return the number of a location; raises `NotFound` for one that is missing or lies on another board."""
        if location not in self._geography.board.location_index:
            raise NotFound(f"no place {location} on the standard board")
        return self._geography.board.location_index[location]

    def _bits(
        self, verb: int, at: int, target: int | None = None, third: int | None = None, *, coast: bool = False,
        to_coast: bool = False,
    ) -> int:  # fmt: skip
        """Return the bits of an action, given the numbers of locations."""
        place = self._geography.board.place
        found = verb | (coast and self._coast(at)) << 8 | self._index[place[at]] << 9
        if target is not None:
            found |= (to_coast and self._coast(target)) << 16 | self._index[place[target]] << 17
        return found | (self._index[place[third]] << 25 if third is not None else 0)

    def _coast(self, at: int) -> int:
        """Return 1 for the second coast of a province."""
        locations = self._geography.board.locations_of(self._geography.board.place[at])
        return int(at == locations[-1] and len(locations) > 1)

    def _location(self, index: int, coast: int, kind: str) -> Location:
        """Return a place by its index and coast, for a unit of this kind."""
        board = self._geography.board
        locations = board.locations_of(self._place[index])
        coasts = locations[1:] if kind == "F" and len(locations) > 1 else locations
        return board.locations[coasts[coast]]

    def _unit(self, units: Iterable[Unit], index: int) -> Unit:
        """Return the unit in a province, by the province's index."""
        name = self._geography.ids[self._place[index]]
        unit = next((unit for unit in units if unit.at.province == name), None)
        if unit is None:
            raise NotFound(f"no unit in {name}")
        return unit

    def _all(self) -> Iterator[int]:
        """Yield the bits of all actions."""
        geography, board, bits = self._geography, self._geography.board, self._bits
        yield WAIVES
        for home in (board.index[home] for power in geography.variant.powers for home in power.homes):
            for kind, at in geography.stances:
                if board.place[at] == home:
                    yield bits(BUILDS_FLEET if kind == "F" else BUILDS_ARMY, at, coast=kind == "F")
        for kind, at in geography.stances:
            yield from (bits(verb, at) for verb in (HOLDS, DISBANDS, REMOVES))
            for verb, to in product((MOVES, RETREATS), geography.destinations((kind, at))):
                yield bits(verb, at, to, to_coast=kind == "F")
            for _, there in geography.stances:
                if board.place[there] in board.reach(kind, at):
                    yield bits(SUPPORTS_HOLD, at, there)
            for (_, there), place in geography.supported_moves((kind, at)):
                yield bits(SUPPORTS_MOVE, at, board.locations_of(place)[0], there)
        for a, b in product(geography.ports, geography.ports):
            if a != b and (waters := geography.crossed(a, b)):
                yield from self._carried(a, b, waters)

    def _carried(self, a: int, b: int, waters: list[int]) -> Iterator[int]:
        """Yield the bits of all actions about a convoy from one port to another."""
        board = self._geography.board
        here, there = board.locations_of(a)[0], board.locations_of(b)[0]
        yield self._bits(CONVOYED, here, there)
        yield from (self._bits(CONVOYS, board.locations_of(water)[0], there, here) for water in waters)
        for kind, at in self._geography.stances:
            place = board.place[at]
            if b in board.reach(kind, at) and place != a and (kind == "A" or self._geography.are_joined(a, b, place)):
                yield self._bits(SUPPORTS_MOVE, at, there, here)
