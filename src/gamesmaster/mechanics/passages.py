"""Passages that are open to some or at times: a railway, canals, and ice (ASI-5, ASI-6, STD-18, STD-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Board, Finding, Location, Position, Traits, place_name
from gamesmaster.engine import CONVOY, MOVE, SUPPORT
from gamesmaster.errors import BadFile
from gamesmaster.judge import Flight, IndexedPosition, MovementMechanic, ResolvedOrder
from gamesmaster.mechanics.borders import no_borders
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    Ahead,
    AnyCause,
    BoardMechanic,
    Count,
    LedgerEntry,
    ParameterNames,
    ReportMechanic,
    Rules,
    Season,
    Term,
    limits_sight,
    with_state,
)


class PassageCause(AnyCause):
    """Why a passage is closed to a unit."""

    LINE_BLOCKED = "is by rail, past or into a place where a unit of another power stands", "ASI-5.b"
    NOT_THE_KEEPER = "leads through a canal whose keeper is another power or nobody", "ASI-6.a"
    NOT_THE_OWNER = "leads through a strait that another power owns, or nobody", "STD-18.a"
    CLOSED_NOW = "leads over a border that is closed in this season", "STD-20.a"
    ONLY_HOLDS = "is for a unit in a province that is closed in this season", "STD-20.b"


@mechanic("railway")
@dataclass(frozen=True)
class Railway(BoardMechanic, MovementMechanic, ReportMechanic):
    """Units of a `kind` go from any province of a `line` to any other in one move: those of `powers`, or all.

    Where a unit of another power stands when the phase begins, they neither pass nor arrive.  Supports and retreats
    lead to neighbours alone, and no convoy goes by rail.
    """

    line: tuple[str, ...]
    powers: tuple[str, ...] = ()
    kind: str = "A"

    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.LINE_BLOCKED,)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"line": "province", "powers": "power", "kind": "kind"}
    )
    not_in_columns: ClassVar[str] = "batches have no railways"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for hidden boards, on which a refused order would show where units stand."""
        if limits_sight(rules):
            yield Finding.error("hidden-railway", f"mechanics {self.id}", "a railway needs a board that everybody sees")

    def extend_board(self, board: Board) -> Board:
        """Return the board with the steps by rail; raise `BadFile` if another mechanic has changed the kind."""
        if self.kind in board.traits:
            raise BadFile(f"{self.kind[:20]!r} has ways of its own already", where=self.id)
        way = board.ways[self.kind]
        known = {(edge.a.province, edge.b.province) for edge in board.edges if edge.way == way}
        edges = [edge._replace(way=self.kind, convoy=False) for edge in board.edges if edge.way == way]
        plain, only = edges[0], frozenset(self.powers)
        for pair in combinations(self.line, 2):
            for a, b in (pair, pair[::-1]):
                if (a, b) not in known:
                    edges.append(plain._replace(a=Location(a), b=Location(b), only=only, reason="by rail"))
        traits = Traits("land", way, way, convoys=False, convoyed=True, takes=True)
        return replace(
            board,
            edges=(*board.edges, *edges),
            ways={**board.ways, self.kind: self.kind},
            traits={**board.traits, self.kind: traits},
        )

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a unit of another power stands on the line (ASI-5.b); else None."""
        placement, board = resolved.placement, field.board
        if resolved.code != MOVE or placement.kind != self.kind or not resolved.land or resolved.to in placement.helps:
            return None
        stations = [board.index[place] for place in self.line]
        start, end = stations.index(placement.place), stations.index(resolved.to)
        ahead = stations[start + 1 : end + 1] if start < end else stations[end:start]
        blocked = any(field.tenant[place] and field.owner[field.tenant[place]] != field.owner[row] for place in ahead)
        return PassageCause.LINE_BLOCKED if blocked else None

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield where units of other powers stand on the line of those that use it."""
        for unit in position.units:
            if self.powers and unit.at.province in self.line and unit.power not in self.powers:
                text = f"closes the line in {place_name(rules.board, unit.at)}"
                yield LedgerEntry("Railway", text, unit.power, unit.at.province, clause="ASI-5.b")


@mechanic("canal")
@dataclass(frozen=True)
class Canal(BoardMechanic, MovementMechanic, ReportMechanic):
    """Only who keeps the province `keeper` moves, supports and retreats over `edges`, either way.

    That is the power with a unit there, or its owner.
    """

    edges: tuple[tuple[str, str], ...]
    keeper: str
    by: Literal["unit", "owner"] = "unit"

    several: ClassVar[bool] = True
    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.NOT_THE_KEEPER, PassageCause.NOT_THE_OWNER)
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"edges": "province", "keeper": "province"}
    )
    not_in_columns: ClassVar[str] = "batches have no canals with keepers"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for borders between provinces that are not neighbours, and for a keeper without an owner."""
        yield from no_borders(rules.board, self.id, self.edges)
        if self.by == "owner" and not rules.board.province(self.keeper).centre:
            yield Finding.error("no-centre", self.keeper, "its owner keeps a canal, but it is not a supply centre")

    def _closed(self, field: IndexedPosition, row: int, there: int) -> bool:
        """Return whether the canal lies between the unit of a row and a province, and its power does not keep it."""
        board = field.board
        ends = {board.provinces[field.at[row]].id, board.provinces[there].id}
        if not any(ends == {*edge} for edge in self.edges):
            return False
        if self.by == "owner":
            return field.rules.numbers.get(field.position.owners.get(self.keeper, ""), 0) != field.owner[row]
        return field.owner[field.tenant[board.index[self.keeper]]] != field.owner[row]

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that a move or support leads through the canal of another keeper (ASI-6.a, STD-18.a); else None."""
        if resolved.code not in (MOVE, SUPPORT) or resolved.into < 0 or not field.units[row]:
            return None
        return self._cause if self._closed(field, row, resolved.into) else None

    @property
    def _cause(self) -> PassageCause:
        return PassageCause.NOT_THE_OWNER if self.by == "owner" else PassageCause.NOT_THE_KEEPER

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places without those beyond the canal, for a power that does not keep it (ASI-6.a, STD-18.a)."""
        return {place: ends for place, ends in regular.items() if not self._closed(field, row, place)}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the keeper of the canal."""
        there = [(unit.power, unit.at) for unit in position.units if unit.at.province == self.keeper]
        if self.by == "owner":
            there = [(position.owners.get(self.keeper, ""), Location(self.keeper))]
        for power, at in ((power, at) for power, at in there if power):
            text = f"keeps the canal from {place_name(rules.board, at)}"
            yield LedgerEntry("Canal", text, power, self.keeper, clause=self._cause.clause)


@dataclass(frozen=True)
class Closure:
    """Borders that are closed: `edges`, and all of `provinces`, in `seasons` (all by default) of certain years.

    A season goes by its name (`Fall`), with the kind of phase if need be.  `since` and `until` are the first and the
    last year.
    """

    edges: tuple[tuple[str, str], ...] = ()
    provinces: tuple[str, ...] = ()
    seasons: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None

    __pydantic_config__ = MappingProxyType({"extra": "forbid"})

    def __post_init__(self) -> None:
        if not (self.edges or self.provinces):
            raise ValueError("name the edges or the provinces that are closed")

    def holds(self, season: Season) -> bool:
        """Return whether the borders are closed in this season."""
        dated = (self.since is None or self.since <= season.year) and (self.until is None or season.year <= self.until)
        return dated and (not self.seasons or season.goes_by(self.seasons))

    def changes(self, term: Term, *, shut: bool) -> bool:
        """Return whether this is a movement phase in which the borders are no longer shut, or not open."""
        return term.season.kind is PhaseKind.MOVEMENT and self.holds(term.season) is not shut

    def shuts(self, here: str, there: str) -> bool:
        """Return whether this closes the way between two provinces."""
        return not {here, there}.isdisjoint(self.provinces) or any({here, there} == {*edge} for edge in self.edges)

    def words(self, board: Board) -> str:
        """Return what is closed: `Arc; Pel - Hwo`."""
        names = [[place_name(board, Location(end)) for end in ends] for ends in (self.provinces, *self.edges) if ends]
        edges = [" - ".join(ends) for ends in (names[1:] if self.provinces else names)]
        return "; ".join([*([", ".join(names[0])] if self.provinces else []), *edges])


@mechanic("seasonal-borders")
@dataclass(frozen=True)
class SeasonalBorders(BoardMechanic, MovementMechanic, ReportMechanic):
    """Nobody moves, supports or retreats over borders that are `closed` in the season; units in closed provinces hold.

    Retreats go by the season of their movement.  An army that is convoyed crosses no edge, but enters and leaves no
    closed province.
    """

    closed: tuple[Closure, ...]

    causes: ClassVar[tuple[AnyCause, ...]] = (PassageCause.CLOSED_NOW, PassageCause.ONLY_HOLDS)
    kept: ClassVar[Any] = list[Count]
    kept_openly: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType(
        {"edges": "province", "provinces": "province", "seasons": "season"}
    )
    not_in_columns: ClassVar[str] = "in batches borders are open all year"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each edge between provinces that are not neighbours."""
        for closure in self.closed:
            yield from no_borders(rules.board, self.id, closure.edges)

    def in_season(self, rules: Rules, season: Season, position: Position) -> Position:
        """Keep the numbers of what is closed in this season."""
        shut = [n for n, closure in enumerate(self.closed) if closure.holds(season)]
        return with_state(position, self.id, shut or None)

    def _now(self, position: Position) -> list[Closure]:
        kept = position.state.get(self.id)
        return [self.closed[n] for n in kept if n < len(self.closed)] if isinstance(kept, list) else []

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return that an order leads over a closed border, or is for a unit that can only hold (STD-20); else None."""
        now = self._now(field.position)
        if not now or resolved.code not in (MOVE, SUPPORT, CONVOY) or not field.units[row]:
            return None
        here = field.board.provinces[field.at[row]].id
        if any(here in closure.provinces for closure in now):
            return PassageCause.ONLY_HOLDS
        ends = [resolved.of, resolved.to] if resolved.code == CONVOY else [resolved.into]
        for there in (field.board.provinces[end].id for end in ends if end >= 0):
            sails = resolved.code == CONVOY or (resolved.code == MOVE and (resolved.via or not resolved.land))
            if any(there in closure.provinces or (not sails and closure.shuts(here, there)) for closure in now):
                return PassageCause.CLOSED_NOW
        return None

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return the places without those beyond a closed border (STD-20.a)."""
        now, ids = self._now(field.position), field.board.provinces
        here = ids[field.at[row]].id
        return {to: at for to, at in regular.items() if not any(one.shuts(here, ids[to].id) for one in now)}

    def kind_signs(self) -> Mapping[str, str]:
        """Return the sign of a closed border, for the key."""
        return {"closed": "closed"}

    def place_signs(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """Return a sign for each closed province, and for both ends of each closed edge."""
        now = self._now(position)
        places = {place for one in now for ends in (one.provinces, *one.edges) for place in ends}
        return dict.fromkeys(sorted(places), ("closed",))

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield until when each closure lasts, or when it begins (STD-20.a)."""
        now = self._now(position)
        for closure in self.closed:
            shut = closure in now
            change = ahead.find(partial(closure.changes, shut=shut))
            if shut or change:
                until = f" until {change.name}" if shut and change else f" from {change.name}" if change else ""
                text = f"{closure.words(rules.board)}: closed{until}"
                yield LedgerEntry("Borders", text, term=change.code if change else "", clause="STD-20.a")
