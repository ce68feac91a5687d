"""Meaning: which order of one power in one position words mean, where only one fits.

What words say exactly is read as it is written, whether it is legal or not.  What they say in part is the one order
that fits; where several do, it is doubtful, and all are listed.  Nothing is taken that the words do not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from gamesmaster.board import Location, Position, Unit
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.reading.sketch import Named, Place, Sketch
from gamesmaster.reading.spelling import EXACT, SLIP, VAGUE, Spot
from gamesmaster.rules import Rules

_PAIR = 2
_STRANGE = 2  # the cost of another kind's letter: such a unit fits less than one of its kind (DATC 4.C.2)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What words mean: the order or, if it is doubtful, every one they could mean; `at` is the doubtful word.

    `group` is `all` or `rest` where the order is for many units, `cost` how far the words are from a plain order.
    """

    order: Order | None = None
    doubtful: tuple[Order, ...] = ()
    at: int = 0
    group: str = ""
    cost: int = 0


class Scene:
    """A position as the writer of orders sees it: the own units, those of others, and what may be ordered."""

    def __init__(self, rules: Rules, kind: PhaseKind, position: Position, power: str, listed: Sequence[Order]) -> None:
        self.rules, self.kind, self.position, self.power, self.listed = rules, kind, position, power, listed
        beaten = tuple(d.unit for d in position.dislodged)
        self.ordered: tuple[Unit, ...] = beaten if kind is PhaseKind.RETREATS else position.units
        self.own = tuple(unit for unit in self.ordered if unit.power == power)

    @cached_property
    def by_verb(self) -> dict[AnyVerb, list[Order]]:
        """What may be ordered, by what it tells a unit to do."""
        orders: dict[AnyVerb, list[Order]] = {}
        for order in self.listed:
            orders.setdefault(_heard(order.verb), []).append(order)
        for order in self.listed:
            if _goes(order.verb):
                orders.setdefault(Verb.MOVE, []).append(order)
        return orders

    def unit_at(self, province: str, *, own: bool) -> Unit | None:
        """Return the unit in a province, the writer's own or anybody's."""
        units = self.own if own else self.position.units
        return next((unit for unit in units if unit.at.province == province), None)

    def meaning(self, sketches: Iterable[Sketch]) -> Meaning:
        """Return the order that one of these sketches of the same words means, nothing if none fits."""
        own = sorted((s for s in sketches if s.power in ("", self.power)), key=lambda sketch: sketch.cost)
        for cost, level in groupby(own, key=lambda sketch: sketch.cost):
            alike = list(level)
            grouped = next((sketch for sketch in alike if sketch.group), None)
            if grouped and grouped.group == "both" and len(self.own) != _PAIR:
                return Meaning()
            if grouped:
                return Meaning(Order(grouped.verb), group=grouped.group)
            best = replace(self._best(alike), cost=cost)
            if best.order or best.doubtful or (cost == EXACT and any(map(self._plain, alike))):
                return best
        return Meaning()

    def as_written(self, sketches: Iterable[Sketch], most: int = EXACT) -> Order | None:
        """Return the order that words say, legal or not; None without exactly one.

        `most` is the greatest distance of the names from the words; by default they must be exact.
        """
        own = [s for s in sketches if s.cost <= most and not s.group and s.power in ("", self.power)]
        least = min((sketch.cost for sketch in own), default=0)
        orders = dict.fromkeys(self._verbatim(sketch) for sketch in own if sketch.cost == least)
        return next(iter(orders)) if len(orders) == 1 else None

    def doubtful_place(self, sketches: Iterable[Sketch]) -> Place | None:
        """Return the first place of the nearest sketches that could as well be several provinces."""
        own = [s for s in sketches if not s.group and s.power in ("", self.power)]
        least = min((sketch.cost for sketch in own), default=0)
        places = (place for sketch in own if sketch.cost == least for place in sketch.places)
        return next((place for place in places if len(place.spot.nearest) > 1), None)

    def is_own(self, order: Order) -> bool:
        """Return whether an order is for a unit that the writer has, or builds."""
        if order.at is None or self.kind is PhaseKind.ADJUSTMENTS:
            return True
        return self.unit_at(order.at.province, own=True) is not None

    def slips(self, sketches: Iterable[Sketch]) -> tuple[Order, ...]:
        """Return the legal orders that exact words would say with one misspelt name."""
        slipped = (one for one in sketches if one.cost == EXACT and any(place.spot.near for place in one.places))
        return tuple(dict.fromkeys(option for one in slipped for _, option in self._fits(_widen(one))))

    def _plain(self, sketch: Sketch) -> bool:
        """Return whether the words are so plain that no other meaning is looked for.

        They are not if words for a power or a place have no unit after them.
        """
        of = sketch.of
        if of is not None and of.twofold:
            return any(self.unit_at(province, own=False) for province in of.place.spot.exact)
        return sketch.unit is not None

    def _best(self, sketches: list[Sketch]) -> Meaning:
        costs: dict[Order, tuple[int, Sketch, Order]] = {}
        for sketch in sketches:
            for cost, option in self._fits(sketch):
                order = self._build(sketch, option)
                if order not in costs or cost < costs[order][0]:
                    costs[order] = cost, sketch, option
        if not costs:
            return Meaning()
        least = min(cost for cost, _, _ in costs.values())
        nearest = {order: (sketch, option) for order, (cost, sketch, option) in costs.items() if cost == least}
        best = {core(order): (order, *meant) for order, meant in nearest.items()}
        if len(best) > 1:
            listed = [order for order, _, _ in best.values()]
            return Meaning(doubtful=tuple(listed), at=_differing(listed, [s for _, s, _ in best.values()]))
        ((order, sketch, option),) = best.values()
        if others := self._namesakes(sketch, option):
            return Meaning(doubtful=(order, *others), at=sketch.unit.place.at if sketch.unit else 0)
        doubt = self._overrides(sketch, option)
        if doubt is not None:
            return Meaning(doubtful=(order,), at=doubt)
        return Meaning(order)

    def _fits(self, sketch: Sketch) -> Iterator[tuple[int, Order]]:
        """Yield the legal orders that a sketch can mean, with the distance of its names from theirs."""
        for option in self.by_verb.get(_heard(sketch.verb), ()):
            cost = self._fit(sketch, option)
            if cost is not None and cost < VAGUE:
                yield cost, option

    def _fit(self, sketch: Sketch, option: Order) -> int | None:
        if sketch.unit is None or option.at is None:
            return 0 if sketch.unit is None and option.at is None else None
        if bool(sketch.carried) != bool(option.carried) and option.verb is Verb.MOVE:
            return None
        if sketch.route and option.verb is Verb.MOVE and not option.via:
            return None
        of = sketch.of
        goal = sketch.goal
        if sketch.verb is Verb.SUPPORT and of and goal and option.of and option.to is None:
            if option.of.province not in goal.spot.meanings or set(of.place.spot.exact) != set(goal.spot.exact):
                return None
            goal = None  # "A BUR SA MAR-MAR"
        total = int(_heard(option.verb) is not _heard(sketch.verb))  # a move of its own kind
        for place, where in ((sketch.unit.place, option.at), (of.place if of else None, option.of), (goal, option.to)):
            if (place is None) != (where is None):
                return None
            if place is not None and where is not None:
                if where.province not in place.spot.meanings:
                    return None
                total += _distance(place.spot, where.province)
        if sketch.unit.power not in ("", self.power):
            return None
        total += self._strange(sketch.unit, option.kind)
        if of and option.of:
            total += self._strange(of, option.of_kind)
            helped = self.unit_at(option.of.province, own=False)
            if of.power and helped and helped.power != of.power:
                total += _STRANGE
        if sketch.verb is not Verb.BUILD:
            return total
        return total + (not sketch.unit.kind) if _builds(sketch.unit, option) else None

    def _strange(self, named: Named, kind: str) -> int:
        board = self.rules.board
        if not named.kind or named.kind == kind or not kind:
            return 0
        alike = named.kind in board.ways and kind in board.ways and board.base(named.kind) == board.base(kind)
        return 0 if alike else _STRANGE

    def _namesakes(self, sketch: Sketch, option: Order) -> list[Order]:
        """Return holds of other own units that the words for the ordered unit could mean equally well."""
        if sketch.unit is None or option.at is None or sketch.verb is Verb.BUILD:
            return []
        spot, kind = sketch.unit.place.spot, sketch.unit.kind
        here = _distance(spot, option.at.province)
        if here == EXACT:
            return []
        others = [u for u in self.own if u.at.province in spot.meanings and u.at.province != option.at.province]
        alike = (u for u in others if kind in ("", u.kind) and _distance(spot, u.at.province) == here)
        return [Order(Verb.HOLD, unit.kind, unit.at) for unit in alike]

    def _overrides(self, sketch: Sketch, option: Order) -> int | None:
        """Return the word that is another place's own code, and could have meant that; None without such a doubt.

        It could not if the writer has no unit there, or if no unit of this kind can ever be there.
        """
        kind = option.kind
        for part, where in (("unit", option.at), ("of", option.of), ("goal", option.to)):
            named = getattr(sketch, part)
            place: Place | None = named.place if isinstance(named, Named) else named
            if place is None or where is None or not place.spot.exact or where.province in place.spot.exact:
                continue
            if part == "goal":
                going = option.of_kind if option.of else kind
                possible = any(self.rules.board.may_be(going, province) for province in place.spot.exact)
            else:
                possible = any(self.unit_at(province, own=part == "unit") for province in place.spot.exact)
            if possible:
                return place.at
        return None

    def _build(self, sketch: Sketch, option: Order) -> Order:
        """Return the order of a sketch that means `option`, with the parts that the sketch itself names as written."""
        unit, of = sketch.unit, sketch.of
        if option.at is None or unit is None:
            return replace(option, power="")
        route = tuple(self._only(place) for place in sketch.route)
        kind = option.kind if _goes(option.verb) else unit.kind or option.kind
        kind = "" if option.verb.phrase.place else kind
        at = self._location(option.at, unit.place, "" if option.verb is Verb.BUILD else option.at.coast)
        to = option.to and self._location(option.to, sketch.goal)
        helped = option.of and self._location(option.of, of.place if of else None, option.of.coast)
        of_kind, of_power = (of and of.kind) or option.of_kind, (of and of.power) or option.of_power
        via = (sketch.via or bool(route)) and option.verb is not Verb.CONVOY
        order = replace(option, kind=kind, at=at, to=to, of=helped, of_kind=of_kind, of_power=of_power)
        return replace(order, via=via, route=route)

    def _verbatim(self, sketch: Sketch) -> Order | None:
        """Return the order that a sketch says; None if one of its names could be several places."""
        unit = sketch.unit
        if any(len(place.spot.nearest) != 1 for place in (*sketch.places, *sketch.route)):
            return None
        if unit is None or unit.power not in ("", self.power):
            return None
        named = (unit.place, sketch.of and sketch.of.place, sketch.goal)
        at, of, to = (self._only(place) if place else "" for place in named)
        standing, helped = self.unit_at(at, own=True), self.unit_at(of, own=False)
        option = Order(sketch.verb, unit.kind or (standing.kind if standing else ""), Location(at))
        goal, other = Location(to) if to not in ("", of) else None, Location(of) if of else None
        option = replace(option, to=goal, of=other, of_kind=helped.kind if helped else "", carried=sketch.carried)
        order = self._build(sketch, option)
        return order if order.complete else None

    def _only(self, place: Place) -> str:
        return next(iter(place.spot.nearest))

    def _location(self, at: Location, named: Place | None, coast: str = "") -> Location:
        """Return a place with the coast that is written, or else this one."""
        written = named.coast if named else ""
        return self.rules.notation.lexicon.at(at.province, written) if written else Location(at.province, coast)


def nearest_meaning(meanings: Sequence[Meaning]) -> Meaning | None:
    """Return the nearest of the meanings in several languages, doubtful if another is as near."""
    if not meanings:
        return None
    everything = {core(order) for meaning in meanings for order in (meaning.order, *meaning.doubtful) if order}
    if len(everything) == 1:
        return next((meaning for meaning in meanings if meaning.order), meanings[0])
    least = min(meaning.cost for meaning in meanings)
    near = [meaning for meaning in meanings if meaning.cost == least]
    orders = [order for meaning in near for order in (meaning.order, *meaning.doubtful) if order]
    if len({core(order) for order in orders}) > 1:
        return replace(near[0], order=None, doubtful=tuple(dict.fromkeys(orders)))
    return near[0]


def _heard(verb: AnyVerb) -> AnyVerb:
    """Return the verb as which a verb is understood: mechanics' supports count as regular ones."""
    return verb.like if verb.helps else verb


def _goes(verb: AnyVerb) -> bool:
    """Return whether this is a mechanic's verb for moving, which may be written as a move."""
    return verb.like is Verb.MOVE and verb is not Verb.MOVE


def _builds(named: Named, option: Order) -> bool:
    """Return whether the unit to build has the kind and the coast that were named."""
    assert option.at is not None
    coast, there = named.place.coast[:1], option.at.coast[:1]
    return named.kind in ("", option.kind) and (not coast or not there or coast == there)


def _widen(sketch: Sketch) -> Sketch:
    """Return a sketch whose names may each be misspelt."""

    def loose(place: Place) -> Place:
        meanings = {**dict.fromkeys(place.spot.near, SLIP), **place.spot.meanings}
        return replace(place, spot=replace(place.spot, meanings=meanings))

    unit, of = (named and replace(named, place=loose(named.place)) for named in (sketch.unit, sketch.of))
    return replace(sketch, unit=unit, of=of, goal=sketch.goal and loose(sketch.goal))


def _distance(spot: Spot, province: str) -> int:
    """Return the distance of a province from the words.

    If they are an exact name of another place, but not its own code or name, the province counts as exact, too.
    """
    if province in spot.exact:
        return EXACT
    return EXACT if spot.exact and not spot.own else spot.meanings[province]


def core(order: Order) -> tuple[object, ...]:
    """Return the parts of an order in which two readings must differ to be two orders."""
    spots = (order.at.province if order.at else "", order.of.province if order.of else "")
    kind = order.kind if order.verb is Verb.BUILD else ""
    goal = order.to.province if order.to else ""
    return (_heard(order.verb), kind, *spots, goal, order.route, order.carried)


def _differing(orders: list[Order], sketches: list[Sketch]) -> int:
    """Return the number of the word that decides between orders that words may mean."""
    sketch = sketches[0]
    if len({order.at for order in orders}) > 1 and sketch.unit:
        return sketch.unit.place.at
    if len({order.of for order in orders}) > 1 and sketch.of:
        return sketch.of.place.at
    return sketch.goal.at if sketch.goal else 0
