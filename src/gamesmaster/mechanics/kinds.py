"""Kinds of unit: where they go and how far, how strong they are, and what they may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from gamesmaster.board import FLEET_WAY, Board, Edge, Location, Position, Traits, Unit
from gamesmaster.engine import CONVOY, MOVE, SUPPORT, Rows, scaled
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.errors import BadFile
from gamesmaster.judge import Bound, IndexedPosition, MovementMechanic, OrderReader, ResolvedOrder, balance
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    LedgerEntry,
    ParameterNames,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Sites,
    WinterMechanic,
)

TOO_MANY = 10_000
"""The cost of a unit beyond the limit of its kind: more than any power can feed."""

_TERRAIN: Mapping[str, Literal["land", "water", "all"]] = {"army": "land", FLEET_WAY: "water"}

_Sign: TypeAlias = Literal["", "army", "fleet", "galleon", "standing-army", "war-party", "wing"]
Ends = dict[Location, dict[Location, frozenset[str]]]
"""The places that one step leads to, by the place where it begins, each with the powers that may go, none for all."""


class KindCause(AnyCause):
    """Why a kind of unit cannot do something."""

    NEVER_MOVES = "is for a kind of unit that never moves", "STD-12.b"
    NO_SUPPORT = "is for a kind of unit that gives no support", "STD-12.d"
    NO_CONVOY = "is for a kind of unit that does not convoy", "STD-12.d"


@mechanic("unit-kind")
@dataclass(frozen=True)
class UnitKind(BoardMechanic, MovementMechanic, WinterMechanic, ReportMechanic, ColumnMechanic):
    """A kind of unit, new if it has `words`, that `goes` over the borders of armies, of fleets, or of both.

    It goes up to `reach` steps in one move, 0 for never.  It attacks and defends with `force`, and helps with
    `support`, 0 for never.  By default it convoys and is convoyed as armies and fleets are.  A kind that does not
    `capture` takes no centres.  It can be built unless `built` is false, and at most `limit` of a power are on the
    board at once, 0 for any number.
    """

    kind: str
    words: tuple[str, ...] = ()
    goes: tuple[Literal["army", "fleet"], ...] = ()
    reach: int = 1
    force: float = 1
    support: float = 1
    convoys: bool | None = None
    convoyed: bool | None = None
    captures: bool = True
    built: bool = True
    limit: int = 0
    sign: _Sign = ""

    several: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (*KindCause,)
    names: ClassVar[ParameterNames] = MappingProxyType({"kind": "kind"})

    def __post_init__(self) -> None:
        if self.words and not self.goes:
            raise ValueError("say what a new kind of unit goes by: goes = ['army'], ['fleet'] or both")
        if not (0 <= self.reach <= 3 and 0 <= self.limit <= 1_000):
            raise ValueError("reach is 0 to 3 steps, limit 0 to 1000 units")
        for name, number, least in (("force", self.force, 0.5), ("support", self.support, 0)):
            if not least <= number <= 8 or number * WEIGHT % 1:
                raise ValueError(f"{name} is {least:g} to 8, in quarters of a unit")

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return its words if it is new."""
        return {self.kind: self.words} if self.words else {}

    # -- the board ---------------------------------------------------------------------------------------------------

    def extend_board(self, board: Board) -> Board:
        """Return the board with the steps of this kind, and what it may do; raise `BadFile` if it goes nowhere."""
        if self.kind in board.traits or (self.words and self.kind in board.ways):
            raise BadFile(f"{self.kind[:20]!r} is a kind of unit already", where=self.id, hint="words are for new ones")
        goes = self.goes or (board.ways[self.kind],)
        if unknown := [way for way in goes if way not in _TERRAIN or not any(edge.way == way for edge in board.edges)]:
            drawn = ", ".join(sorted({edge.way for edge in board.edges} & _TERRAIN.keys()))
            raise BadFile(f"no border of this board is for {unknown[0][:20]!r}", where=self.id, hint=f"known: {drawn}")
        way = goes[0] if len(goes) == self.reach == 1 else self.kind
        one = _steps(board, goes)
        helps = way if self.reach else f"{self.kind} near"
        edges = [*board.edges]
        if way == self.kind:
            edges += _edges(way, _far(one, self.reach))
        if helps != way:
            edges += _edges(helps, one)
        terrain = _TERRAIN[goes[0]] if len(goes) == 1 else "all"
        traits = Traits(
            terrain,
            helps if self.support else "",
            way if self.reach else "",
            convoys=terrain == "water" if self.convoys is None else self.convoys,
            convoyed=terrain == "land" if self.convoyed is None else self.convoyed,
            takes=self.captures,
        )
        ways, known = {**board.ways, self.kind: way}, {**board.traits, self.kind: traits}
        return replace(board, edges=tuple(edges), ways=ways, traits=known)

    # -- moves -------------------------------------------------------------------------------------------------------

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Name what this kind never does as the reason of an order that asks for it."""
        if resolved.placement.kind != self.kind or resolved.fault is None:
            return
        traits = reader.board.traits[self.kind]
        if resolved.code == MOVE and not traits.flees:
            resolved.fault = KindCause.NEVER_MOVES
        elif resolved.code == SUPPORT and not traits.helps:
            resolved.fault = KindCause.NO_SUPPORT
        elif resolved.code == CONVOY and not traits.convoys:
            resolved.fault = KindCause.NO_CONVOY

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Give the units of this kind their strength (STD-12.c)."""
        if self._plain:
            return
        own, aid = self._weights
        for row in range(1, len(rows.kind)):
            if field.kind(row) == self.kind:
                rows.force[row] = scaled(rows.force[row], aid if rows.kind[row] == SUPPORT else own)
                rows.stay[row] = scaled(rows.stay[row], own)

    @property
    def _plain(self) -> bool:
        """Return whether units of this kind are as strong as others."""
        return self.force == 1 and self.support in (0, 1)

    @property
    def _weights(self) -> tuple[int, int]:
        """Return the weight of its attack and defence, and that of its support."""
        return int(self.force * WEIGHT), int(self.support * WEIGHT)

    # -- builds ------------------------------------------------------------------------------------------------------

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """Return the sites without this kind, if it is never built."""
        if self.built:
            return regular
        return {province: kinds - {self.kind} for province, kinds in regular.items() if kinds - {self.kind}}

    def upkeep(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], regular: int) -> int:
        """Make units beyond the limit, and beyond those that the power has, too dear to be built (STD-12.f)."""
        if not self.limit or (number := self._count(units)) <= self.limit:
            return regular
        return regular + TOO_MANY if number > self._count(position.of(power)) else regular

    def _count(self, units: Sequence[Unit]) -> int:
        return sum(unit.kind == self.kind for unit in units)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield how many units of a limited kind each power has, and may have."""
        for power in rules.powers if self.limit else ():
            number = self._count(position.of(power))
            if number:
                text = f"{number} of at most {self.limit}"
                word = rules.kinds[self.kind][0]
                yield LedgerEntry(f"Units: {word}", text, power, number=number, clause="STD-12.f")

    def sayings(self) -> Clauses:
        """Return the reason of a build beyond the limit."""
        return Clauses({"kind_limit": ReasonText("STD-12.f", "is for one more unit of its kind than a power may have")})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of a build beyond the limit."""
        ruling = case.ruling
        if not self.limit or ruling.cause is not Cause.NO_BUILDS or not ruling.unit or ruling.unit.kind != self.kind:
            return NO_OVERRIDE
        left = self.limit - self._count(case.position.of(ruling.power))
        fed = balance(case.rules, case.position)[ruling.power] > left
        return ReasonOverride("kind_limit") if fed else NO_OVERRIDE

    # -- elsewhere ---------------------------------------------------------------------------------------------------

    def kind_signs(self) -> Mapping[str, str]:
        """Return its sign on maps."""
        return {self.kind: self.sign} if self.sign else {}

    def columns(self, rules: Rules) -> Columns | str:
        """Return its strength in columns; where it goes and what it takes are in the board."""
        if self.limit:
            return "batches do not count the units of a kind"
        return Columns() if self._plain else Columns(weights={self.kind: self._weights})


def _steps(board: Board, goes: Sequence[str]) -> Ends:
    """Return the steps by these ways of travel; a kind that goes by several has no coasts."""
    bare, found = len(goes) > 1, Ends()
    for edge in board.edges:
        if edge.way in goes:
            a, b = (Location(end.province) if bare else end for end in (edge.a, edge.b))
            known = found.setdefault(a, {}).get(b)
            found[a][b] = edge.only if known is None else known | edge.only if known and edge.only else frozenset()
    return found


def _far(one: Ends, reach: int) -> Ends:
    """Return all that up to `reach` steps lead to, over provinces with or without units, and over no private border."""
    found = {a: dict(ends) for a, ends in one.items()} if reach else {}
    for _ in range(reach - 1):
        for a, ends in found.items():
            for over in [over for over, only in ends.items() if not only]:
                for b, only in one.get(over, {}).items():
                    if b.province != a.province and not only:
                        ends.setdefault(b, frozenset())
    return found


def _edges(way: str, steps: Ends) -> Iterator[Edge]:
    """Yield these steps as edges that no convoy passes over."""
    for a, ends in steps.items():
        for b, only in ends.items():
            yield Edge(way, a, b, convoy=False, only=only, reason="by units of this kind alone")
