"""Thousands of positions adjudicated from texts of orders: for servers of bots and for archives (extra `fast`).

>>> from gamesmaster.variant import find_variant
>>> standard = find_variant("standard")
>>> orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur", "F Bre - Lon"], "Germany": ["A Mun - Bur"]}
>>> done = adjudicate_many(standard, [standard.start] * 1000, [orders] * 1000)
>>> str(done.position(999).of("France")[2].at), done.refused[0].tolist()
('BUR', [0, 2])
>>> done[0].rulings[2].text
'leads to a place the unit cannot reach'
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any

from gamesmaster.batches.binding import DISLODGED, GONE, MOVED, NEVER, STAYED, Meanings, OrderTexts, bind_all, tell_all
from gamesmaster.batches.mechanics import rules_in_batch
from gamesmaster.batches.room import room_for
from gamesmaster.batches.state import BEATEN, COUNT, MOVES, VIA, End, Game
from gamesmaster.batches.support import supports
from gamesmaster.batches.tables import tables_of
from gamesmaster.batches.transcript import Transcript
from gamesmaster.board import Location, Position
from gamesmaster.engine import MOVE, SUPPORT
from gamesmaster.engine.problem import fast
from gamesmaster.errors import GamesmasterError
from gamesmaster.judge import Adjudication, OrderReader, ParsedOrder, ResolvedOrder, by_line, known_powers, phase_kind
from gamesmaster.orders import GivenOrder, PhaseKind
from gamesmaster.reading import Sent, adjudicate
from gamesmaster.rules import Rules
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

BLOCK = 2000
"""The most positions whose columns are filled at a time."""

MOST_TEXTS = 50_000
"""Texts that are remembered, before all are forgotten."""

PLAIN_END = End(MOVES, 1, False, False, False, 0, 0)
"""The end of a movement phase after which nothing is counted."""


def is_plain(rules: Rules) -> bool:
    """Return whether movement under these rules can be adjudicated in columns, if orders may also be impossible."""
    plain = not (rules.mechanics or rules.board.restricted or rules.board.shared)
    return plain and rules.rulebook.implicit_orders == "forbidden"


class Texts(dict[GivenOrder, int]):
    """The number of each text of a movement phase; 0 for one that only the single door understands.

    Numbers are given when texts are first looked up, and never change; threads may share this.  `where` has the stances
    in which units can be, by kind and location, `owner` the numbers of powers.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules, self._reader, self._lock = rules, rules.derive(OrderReader), Lock()
        board, first = (
            rules.board,
            range(0, len(rules.board.ways) * len(rules.board.locations), len(rules.board.locations)),
        )
        self.owner, self._first = Counter(rules.numbers), dict(zip(board.ways, first, strict=True))  # nobody is 0
        self._placements = [
            [
                self._reader.placements[kind][board.locations[at]]
                for kind in board.ways
                for at in board.locations_of(place)
            ]
            for place in range(len(board.provinces))
        ]
        self.where: dict[str, dict[Location, int]] = {kind: {} for kind in board.ways}
        slots = dict[int, int]()
        for slot, placement in chain.from_iterable(map(enumerate, self._placements)):
            stance = self._first[placement.kind] + placement.location
            slots[stance] = slot
            if board.can_stand(placement.kind, placement.at):
                self.where[placement.kind][placement.at] = stance
        self._columns = {name: array("i") for name in Meanings._fields}
        self._columns["slot"].extend(slots[stance] for stance in range(len(slots)))
        self._append(-1, [(NEVER,) * 8])

    def __missing__(self, given: GivenOrder) -> int:
        parsed = self._reader.parsed_orders[PhaseKind.MOVEMENT][given]
        rows = self._rows(parsed)
        with self._lock:
            if given not in self:
                self[given] = 0 if rows is None else self._append(parsed.place, rows)
        return self[given]

    def _append(self, place: int, rows: Sequence[tuple[int, ...]]) -> int:
        """Append a text with its meanings, and return its number."""
        columns = self._columns
        columns["place"].append(place)
        columns["first"].append(len(columns["verb"]))
        for name, values in zip(Meanings._fields[3:], zip(*rows, strict=True)):  # noqa: B905 (there may be no rows)
            columns[name].extend(values)
        return len(columns["place"]) - 1

    def columns(self) -> Meanings:
        """Return the meanings of all texts met so far."""
        numpy = fast("numpy")
        with self._lock:
            return Meanings(*(numpy.array(column, numpy.int32) for column in self._columns.values()))

    def _rows(self, parsed: ParsedOrder) -> list[tuple[int, ...]] | None:
        """Return what an order means for each unit that can be in its place; None if only the judge knows."""
        order = parsed.order
        if order is None or not parsed.plain or order.route or order.doing or order.carried:
            return None
        there = self._placements[parsed.place] if parsed.place >= 0 else ()
        resolved = [self._reader.resolve(parsed, placement) for placement in there]
        if any(one.code >= SUPPORT and self._reader.asks_whose(one) for one in resolved):
            return None
        return list(map(self._row, resolved))

    def _row(self, resolved: ResolvedOrder) -> tuple[int, ...]:
        """Return the columns of `Meanings` from `verb` on."""
        counts = int(resolved.code == MOVE and self._rules.rulebook.impossible_order != "holds_supportable")
        if resolved.fault is not None:
            return NEVER, counts, 0, -1, -1, -1, -1, 0
        verb = VIA if resolved.code == MOVE and resolved.via and resolved.sea else resolved.code
        goal = self._first[resolved.placement.kind] + resolved.goal if resolved.goal >= 0 else -1
        helped = self._placements[resolved.of] if resolved.of >= 0 else ()
        suits = sum(1 << n for n, p in enumerate(helped) if not self._reader.misfit(resolved, p, "", foreign=False))
        return verb, counts, int(resolved.land), resolved.to, goal, resolved.coast, resolved.of, suits


def texts_met(rules: Rules) -> list[Texts]:
    """Return a list with the texts met so far, to be derived from the rules."""
    return [Texts(rules)]


class Desk:
    """Enters positions and their orders, one after the other, as numbers for columns.

    By position: `units` is how many there are, `begin` where its orders begin, `doubtful` whether only the single door
    understands it.  `whose` and `orders` are a power's number and how many orders it gives.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant, self.rules, self.most = variant, rules_in_batch(variant), len(variant.board.provinces)
        met = self.rules.derive(texts_met)
        if len(met[0]) > MOST_TEXTS:
            met[0] = Texts(self.rules)
        self.texts = met[0]
        self.stance, self.owner, self.units = list[int](), list[int](), list[int]()
        self.text, self.whose, self.orders = list[int](), list[int](), list[int]()
        self.begin, self.doubtful = [0], list[bool]()

    def enter(self, position: Position, orders: Mapping[str, Sent]) -> None:
        """Enter a position and the orders for it."""
        columns = self.stance, self.owner, self.text, self.whose, self.orders
        ends = tuple(map(len, columns))
        try:
            plain = self._enter(position, orders)
        except (AttributeError, KeyError, TypeError, GamesmasterError):  # the single door says what is wrong
            plain = False
        if not plain:
            for column, end in zip(columns, ends, strict=True):
                del column[end:]
        self.doubtful.append(not plain)
        self.units.append(len(self.stance) - ends[0])
        self.begin.append(len(self.text))

    def _enter(self, position: Position, orders: Mapping[str, Sent]) -> bool:
        """Enter a position; return whether it is one that columns can hold."""
        where, owner, units = self.texts.where, self.texts.owner, position.units
        self.stance += [where[unit.kind][unit.at] for unit in units]
        self.owner += [owner[unit.power] for unit in units]
        given = known_powers(self.rules, by_line(orders))  # type: ignore[arg-type]
        self.text += map(self.texts.__getitem__, chain.from_iterable(given.values()))
        self.whose += map(owner.__getitem__, given)
        self.orders += map(len, given.values())
        return len(units) <= self.most and not (position.dislodged or any(map(_ABOARD, units)))

    def adjudicate(self, at: Array, fate: Array) -> tuple[Game, OrderTexts]:
        """Return the columns after the phases, whose units are numbered by their places, and the orders.

        Also write what `tell_all` tells; of phases in doubt nothing is known then.
        """
        numpy, code, loop = fast("numpy"), fast("gamesmaster.batches.code"), fast("gamesmaster.batches.choices").loop
        tables, number, most = tables_of(self.variant), len(self.units), max(*self.units, len(self.variant.start.units))
        games, scratch = room_for(self.variant, tables, number, most + 1)
        games.units.number[:], games.tally[:, COUNT] = numpy.arange(most + 1), self.units
        filled = (games.units.number > 0) & (games.units.number <= games.tally[:, [COUNT]])
        games.units.stance[filled], games.units.owner[filled] = self.stance, self.owner
        columns = (numpy.array(column, numpy.int32) for column in (self.begin, self.text, self.whose, self.orders))
        begin, text, whose, orders = columns
        flags = numpy.ones(len(text), numpy.uint8), numpy.array(self.doubtful, numpy.uint8)
        given = OrderTexts(begin, text, numpy.repeat(whose, orders), *flags)
        laid = code.lay_down(given, self.texts.columns(), tables, games, scratch)
        code.run(loop(bind_all), number, *laid)
        code.run(code.machine_code().carry_out, 0, number, True, True, PLAIN_END, *laid[2:])
        code.run(loop(tell_all), number, numpy.array(self.units), at, fate, *laid[2:])
        return games, given


_ABOARD = attrgetter("aboard")


class Adjudications:
    """The decisions on many phases of one variant, by the places of their positions.

    The units of a position are counted as they stand in it, those in `dislodged` behind the others.

    * `at`, shape (positions, most units): the number of the location (in `variant.board.locations`) where each unit is
      after the phase, -1 for those that are not on the board.
    * `fate`, the same shape: `STAYED`, `MOVED`, `DISLODGED` or `GONE`; -1 behind the last unit.
    * `refused`, shape (orders, 2): each order that could not be carried out, whatever others do: the place of its
      position, and its number among the orders for it, from 0.  `self[i].rulings[number]` says why.
    * `alone`, a list: the places of those that the single door had to decide, each about ten times as slow.

    `self[i]` is the whole decision on a phase, with all rulings, as the single `adjudicate` makes it when it is asked
    for; `position(i)` is the next position alone, which is much faster.
    """

    def __init__(
        self, variant: Variant, kind: PhaseKind, positions: Sequence[Position], orders: Sequence[Mapping[str, Sent]]
    ) -> None:
        self.variant, self.kind, self.positions, self.orders = variant, kind, positions, orders
        self._rules, self._judged, self._blocks = (
            rules_in_batch(variant),
            dict[int, Adjudication](),
            list[tuple[Game, OrderTexts]](),
        )
        numpy = fast("numpy")
        most = max((len(p.units) + len(p.dislodged) for p in positions), default=0)
        self.at: Array = numpy.full((len(positions), most), -1, numpy.int16)
        self.fate: Array = numpy.full((len(positions), most), -1, numpy.int8)
        refused, self.alone = [numpy.zeros((0, 2), numpy.int64)], list(range(len(positions)))
        if kind is PhaseKind.MOVEMENT and self._rules.derive(is_plain) and supports(variant):
            refused += [self._adjudicate(first) for first in range(0, len(positions), BLOCK)]
            doubtful = [flag for _, given in self._blocks for flag in given.doubtful]
            self.alone = numpy.flatnonzero(doubtful).tolist()
        refused += [self._judge(i) for i in self.alone]
        found = numpy.concatenate(refused)
        self.refused: Array = found[numpy.lexsort(found.T[::-1])]

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, i: int) -> Adjudication:
        i = range(len(self))[i]
        return self._judged[i] if i in self._judged else self._decide(i)

    def __iter__(self) -> Iterator[Adjudication]:
        return (self[i] for i in range(len(self)))

    def position(self, i: int) -> Position:
        """Return the position after the phase at place i."""
        i = range(len(self))[i]
        if i in self._judged:
            return self._judged[i].position
        before, (games, _), row = self.positions[i], self._blocks[i // BLOCK], i % BLOCK
        locations, count = self.variant.board.locations, int(games.tally[row, COUNT]) + 1
        places = [locations[stance % len(locations)] for stance in games.units.stance[row, 1:count].tolist()]
        stood = [before.units[number - 1] for number in games.units.number[row, 1:count].tolist()]
        units = [unit if unit.at == at else replace(unit, at=at) for unit, at in zip(stood, places, strict=True)]
        beaten = range(1, int(games.tally[row, BEATEN]) + 1)
        script = Transcript(self.variant, self._rules, (), tables_of(self.variant), games)
        outs = [script.dislodged(row, r, before.units[int(games.beaten.number[row, r]) - 1]) for r in beaten]
        return Position(tuple(units), before.owners, tuple(outs), before.state)

    def _adjudicate(self, first: int) -> Array:
        """Adjudicate a block of phases in columns, and return the orders refused."""
        numpy, desk, block = fast("numpy"), Desk(self.variant), slice(first, first + BLOCK)
        for position, orders in zip(self.positions[block], self.orders[block], strict=True):
            desk.enter(position, orders)
        games, given = desk.adjudicate(self.at[block], self.fate[block])
        self._blocks.append((games, given))
        owner = numpy.repeat(numpy.arange(len(desk.units)), numpy.diff(given.begin))
        which = numpy.flatnonzero(given.refused & (given.doubtful[owner] == 0))
        found: Array = numpy.stack([first + owner[which], which - given.begin[owner[which]]], axis=1)
        return found

    def _judge(self, i: int) -> Array:
        """Let the single door decide a phase, and return the orders refused."""
        numpy, index = fast("numpy"), self.variant.board.location_index
        self._judged[i] = done = self._decide(i)
        before, beaten = self.positions[i], {out.unit.number for out in done.position.dislodged}
        after = {unit.number: unit for unit in done.position.units}
        for k, unit in enumerate(before.everybody):
            now = after.get(unit.number)
            self.at[i, k] = index[now.at] if now else -1
            stays = STAYED if now and now.at == unit.at else MOVED
            self.fate[i, k] = stays if now else DISLODGED if unit.number in beaten else GONE
        numbers = [n for n, ruling in enumerate(done.rulings) if ruling.given and not ruling.possible]
        refused: Array = numpy.array([(i, n) for n in numbers], numpy.int64).reshape(-1, 2)
        return refused

    def _decide(self, i: int) -> Adjudication:
        """Return the decision of the single door on a phase; errors say which position they are about."""
        try:
            return adjudicate(self._rules, self.kind, self.positions[i], self.orders[i])
        except (GamesmasterError, TypeError) as error:
            error.add_note(f"in position {i} of those given, counted from 0")
            raise


def adjudicate_many(
    variant: Variant,
    positions: Sequence[Position],
    orders: Sequence[Mapping[str, Sent]],
    *,
    kind: PhaseKind | str = PhaseKind.MOVEMENT,
) -> Adjudications:
    """Adjudicate many phases of one kind, each by its position and the orders for it, by power.

    Orders are as the single `adjudicate` takes them, and the decisions are the same.  Movement without mechanics is
    adjudicated in columns, if all texts of a phase are written as the notation prints them; all else by the single
    door, one phase after the other.

    Raises `GamesmasterError` if there are more or fewer orders than positions, or if Numba or NumPy is not installed,
    `NotFound` for an unknown kind of phase, and what the single `adjudicate` raises, with the place of the position in
    a note.
    """
    if len(positions) != len(orders):
        raise GamesmasterError(f"{len(positions)} positions, and orders for {len(orders)}")
    return Adjudications(variant, phase_kind(kind), positions, orders)
