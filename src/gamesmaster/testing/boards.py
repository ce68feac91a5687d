"""Random boards, positions and orders: small, but with seas, shores, split coasts, and orders good and bad.

A board is a patch of hexagons, each land or water.  So neighbours along a shore share a water, and a land with two
waters apart from each other has two coasts, as on a real map.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamesmaster.board import ARMY, FLEET, Board, Edge, Location, Position, Province, Terrain, Unit
from gamesmaster.orders import Order, Verb

POWERS = ("Red", "Blue", "Green")
"""The powers of the random boards."""
COASTS = ("NC", "EC", "SC")
ROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The neighbours of a hexagon, in axial coordinates, going round."""

Hexagon = tuple[int, int]


def random_board(rng: Random, *, columns: int = 4, rows: int = 3) -> Board:
    """Draw a board of `columns` times `rows` provinces, with at least one of land and one of water."""
    cells = [(q, r) for r in range(rows) for q in range(columns)]
    some_water, _some_land, *rest = rng.sample(cells, len(cells))
    chart = _Chart(cells, {some_water} | {cell for cell in rest if rng.randrange(100) < 40})
    return Board("random", tuple(chart.province(cell, rng) for cell in cells), tuple(chart.edges()))


def random_position(rng: Random, board: Board, *, fill: int = 60) -> Position:
    """Draw a unit for `fill` of a hundred provinces, and owners for some of the centres."""
    units: list[Unit] = []
    for number in range(len(board.provinces)):
        places = [board.locations[at] for at in board.locations_of(number)]
        stands = [(kind, at) for kind in (ARMY, FLEET) for at in places if board.can_stand(kind, at)]
        if rng.randrange(100) < fill:
            kind, at = rng.choice(stands)
            units.append(Unit(len(units) + 1, kind, rng.choice(POWERS), at))
    owners = {centre: rng.choice(POWERS) for centre in board.centres if rng.randrange(100) < 70}
    return Position(tuple(units), owners)


def random_orders(rng: Random, board: Board, position: Position, *, wild: int = 10) -> dict[str, list[Order]]:
    """Draw an order for nearly every unit, by power: most could come true, and of a hundred `wild` make no sense."""
    orders = {unit.number: _move(rng, board, unit) for unit in position if rng.randrange(100) < 55}
    for unit in position:
        if unit.number not in orders and rng.randrange(100) < 90:
            orders[unit.number] = _help(rng, board, position, unit, orders)
    given: dict[str, list[Order]] = {power: [] for power in POWERS}
    for unit in position:
        if rng.randrange(100) < wild:
            given[rng.choice(POWERS)].append(_nonsense(rng, board, unit))
        if unit.number in orders:
            given[unit.power].append(orders[unit.number])
    return given


class _Chart:
    """Hexagons of land and water, and the provinces and borders they make."""

    def __init__(self, cells: list[Hexagon], water: set[Hexagon]) -> None:
        self.cells, self.water = cells, water

    def key(self, cell: Hexagon) -> str:
        number = self.cells.index(cell)
        return f"{'BCDFGKLMNPRT'[number % 12]}{'AEIOU'[number // 12 % 5]}{'LNRST'[number % 5]}"

    def province(self, cell: Hexagon, rng: Random) -> Province:
        key, wet = self.key(cell), cell in self.water
        shores = self.shores(cell)
        terrain = Terrain.SEA if wet else Terrain.COAST if shores else Terrain.INLAND
        return Province(
            id=key,
            name=f"{key.title()} {'Sea' if wet else 'Land'}",
            abbr=key.title(),
            terrain=terrain,
            centre=not wet and (rng.randrange(100) < 50 or self.water.issuperset(self.cells[: self.cells.index(cell)])),
            coasts=COASTS[: len(shores)] if len(shores) > 1 else (),
            convoy=wet,
        )

    def shores(self, cell: Hexagon) -> list[list[Hexagon]]:
        """Return the waters round a land, those in one piece together; none for a water."""
        ring = [(cell[0] + q, cell[1] + r) for q, r in ROUND]
        if cell in self.water or not self.water.intersection(ring):
            return []
        dry = next((i for i, near in enumerate(ring) if near not in self.water), 0)
        shores: list[list[Hexagon]] = [[]]
        for near in ring[dry:] + ring[:dry]:
            if near in self.water:
                shores[-1].append(near)
            elif shores[-1]:
                shores.append([])
        return [shore for shore in shores if shore]

    def location(self, cell: Hexagon, water: Hexagon) -> Location:
        """Return the location of a fleet that came to a province by, or along, this water."""
        shores = self.shores(cell)
        split = len(shores) > 1
        return Location(self.key(cell), COASTS[next(i for i, s in enumerate(shores) if water in s)] if split else "")

    def edges(self) -> Iterator[Edge]:
        pairs = [(a, (a[0] + q, a[1] + r)) for a in self.cells for q, r in ROUND]
        for a, b in [pair for pair in pairs if pair[1] in self.cells]:
            if a not in self.water and b not in self.water:
                yield Edge("army", Location(self.key(a)), Location(self.key(b)))
                for water in self.water:
                    if any(water in s for s in self.shores(a)) and any(water in s for s in self.shores(b)):
                        yield Edge("fleet", self.location(a, water), self.location(b, water))
            else:
                yield Edge("fleet", self.location(a, b), self.location(b, a))


# -- orders ----------------------------------------------------------------------------------------------------------


def _move(rng: Random, board: Board, unit: Unit) -> Order:
    """Return a step, or for an army on a shore perhaps a voyage."""
    start = board.location_index[unit.at]
    goals = [board.locations[at] for found in board.reach(unit.kind, start).values() for at in found]
    if unit.kind == ARMY and board.waters[board.place[start]] and rng.randrange(100) < 60:
        shores = {shore for water in board.waters[board.place[start]] for shore in board.shores[water]}
        shores -= {board.place[start]}
        goals = [Location(p.id) for p in board.provinces if p.terrain is Terrain.COAST and board.index[p.id] in shores]
        via = rng.randrange(100) < 40
    else:
        via = False
    return Order(Verb.MOVE, unit.kind, unit.at, rng.choice(goals), via=via) if goals else Order(Verb.HOLD, at=unit.at)


def _help(rng: Random, board: Board, position: Position, unit: Unit, orders: dict[int, Order]) -> Order:
    """Return a convoy or a support for what another unit was ordered to do, if any is near enough."""
    here = board.location_index[unit.at]
    convoys, supports = [], []
    for other in [o for o in position if o is not unit]:
        order = orders.get(other.number)
        goal = order.to if order is not None and order.verb is Verb.MOVE else None
        if board.index[(goal or other.at).province] in board.reach(unit.kind, here):
            supports.append(Order(Verb.SUPPORT, unit.kind, unit.at, goal, of=other.at, of_kind=other.kind))
        if goal is not None and other.kind == ARMY and unit.kind == FLEET and board.carries[board.place[here]]:
            ends = {board.index[other.at.province], board.index[goal.province]}
            if board.shores[board.place[here]] & ends:
                convoys.append(Order(Verb.CONVOY, unit.kind, unit.at, goal, of=other.at, of_kind=other.kind))
    choices = convoys if convoys and rng.randrange(100) < 70 else supports
    return rng.choice(choices) if choices else Order(Verb.HOLD, unit.kind, unit.at)


def _nonsense(rng: Random, board: Board, unit: Unit) -> Order:
    """Return a well-formed order of any verb, with places from anywhere."""
    verb = rng.choice(list(Verb))
    at, to, of = rng.choice([unit.at, *board.locations]), rng.choice(board.locations), rng.choice(board.locations)
    kind = rng.choice(["", ARMY, FLEET])
    if verb in (Verb.SUPPORT, Verb.CONVOY):
        return Order(verb, kind, at, to, of=of, of_kind=rng.choice(["", ARMY, FLEET]))
    if verb in (Verb.MOVE, Verb.RETREAT):
        return Order(verb, kind, at, to, via=rng.randrange(2) == 0)
    return Order(verb) if verb is Verb.WAIVE else Order(verb, kind, at)
