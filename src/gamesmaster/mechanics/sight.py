"""Partial sight: a power sees its own units and centres, and what lies about them (FOG-2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gamesmaster.board import Finding, Position, Unit
from gamesmaster.english import many
from gamesmaster.judge import Bound, IndexedPosition, MovementMechanic, ParsedOrder, build_sites
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    NO_OVERRIDE,
    SEEN,
    Ahead,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    LedgerEntry,
    MechanicState,
    ProvinceKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Result,
    Rules,
    SightCause,
    SightMechanic,
    seen_provinces,
    unseen,
)

Around = Literal["nothing", "moves", "neighbours"]


@dataclass(frozen=True)
class _Kept(MechanicState):
    seen: list[ProvinceKey]


@mechanic(SEEN)
@dataclass(frozen=True)
class Sight(SightMechanic, BoardMechanic, MovementMechanic, ReportMechanic):
    """A power sees the places of its units and its centres, and around them what `units` and `centres` say.

    `nothing` is the place alone, `neighbours` every bordering province, `moves` those that the unit could move to
    without a convoy.  `orders` says which orders of other powers are shown.
    """

    units: Around = "neighbours"
    centres: Literal["nothing", "neighbours"] = "neighbours"
    orders: Literal["seen", "none"] = "seen"

    kept: ClassVar[Any] = _Kept
    not_in_columns: ClassVar[str] = "batches show every player the whole board"

    @property
    def shows_orders(self) -> bool:
        """True if orders of other powers are shown where all places that they name are seen (FOG-4.d)."""
        return self.orders == "seen"

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Report mechanics that keep a state, which nobody would see, and builds out of sight.

        The number of builds that are due would show whether a unit stands there.
        """
        for other in rules.mechanics:
            if other.kept is not None and not other.kept_openly and other.id != self.id:
                text = f"powers with partial sight are never told what the mechanic {other.id} keeps"
                yield Finding.error("sight-hides-state", self.id, text, f"leave out {other.id} or {self.id}")
        for power, homes in rules.homes.items():
            for owned in (homes, *((home,) for home in homes)):
                position = Position(owners=dict.fromkeys(owned, power))
                hidden = build_sites(rules, position, power).keys() - seen_provinces(rules, position, [power])
                if hidden:
                    text = f"{power} could build in {', '.join(sorted(hidden))} without seeing who stands there"
                    yield Finding.error("hidden-site", self.id, text)
                    break

    # -- what is seen ------------------------------------------------------------------------------------------------

    def sees(self, rules: Rules, position: Position, power: str) -> Collection[str]:
        """Return the places of a power's units and centres, and those around them (FOG-2.a to FOG-2.c)."""
        units = [*position.of(power), *(out.unit for out in position.dislodged if out.unit.power == power)]
        owned = [province for province, owner in position.owners.items() if owner == power]
        found = {unit.at.province for unit in units} | {*owned}
        for unit in units:
            found.update(self._about(rules, unit))
        if self.centres == "neighbours":
            for province in owned:
                found.update(_neighbours(rules, province))
        return found

    def _about(self, rules: Rules, unit: Unit) -> Iterator[str]:
        board = rules.board
        if self.units == "neighbours":
            yield from _neighbours(rules, unit.at.province)
        elif self.units == "moves":
            yield from (board.provinces[n].id for n in board.reach(unit.kind, board.location_index[unit.at]))

    # -- orders ------------------------------------------------------------------------------------------------------

    def bind_order(self, field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int) -> bool:
        """Pass over a second order for a unit (FOG-3.b).

        Whether the first one was possible may depend on what its power does not see.
        """
        row = field.tenant[parsed.place]
        if not row or field.owner[row] != power or row not in bound.rows:
            return False
        bound.faults[len(bound.rows)] = SightCause.LATER
        bound.rows.append(row)
        return True

    # -- maps and reports --------------------------------------------------------------------------------------------

    def place_signs(self, rules: Rules, position: Position) -> Mapping[str, Sequence[str]]:
        """Return a cloud for each province out of sight."""
        hidden = unseen(rules.board, position)
        return {province.id: ("fog",) for province in rules.board.provinces if hidden(province.id)}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield how many provinces are out of sight (FOG-2.d)."""
        hidden = sum(map(unseen(rules.board, position), rules.board.index))
        if hidden:
            text = f"{many(hidden, 'province')} of {len(rules.board.provinces)} out of sight; nothing there is counted"
            yield LedgerEntry("Sight", text, number=hidden, clause="FOG-2.d")

    def sayings(self) -> Clauses:
        """Return the wording of reasons for orders about places out of sight."""
        says = "names a place out of sight, so that nobody can tell whether it is possible"
        return Clauses({"out_of_sight": ReasonText("FOG-3.a", says)})

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect of an order that only seems impossible because the place it names is out of sight."""
        order, hidden = case.ruling.order, unseen(case.rules.board, case.position)
        if case.ruling.result is not Result.VOID or order is None or case.ruling.cause not in _DOUBTFUL:
            return NO_OVERRIDE
        passage = case.ruling.cause is Cause.NO_PASSAGE and any(map(hidden, case.rules.board.index))
        named = [place.province for place in (order.of, order.to) if place]
        return ReasonOverride("out_of_sight", "") if passage or any(map(hidden, named)) else NO_OVERRIDE


_DOUBTFUL = {Cause.NOBODY, Cause.CANNOT, Cause.NO_PASSAGE, Cause.SUPERFLUOUS, Cause.NEEDED}
"""Causes that units out of sight could put right."""


def _neighbours(rules: Rules, province: str) -> Iterator[str]:
    board = rules.board
    return (board.provinces[number].id for number in board.neighbours[board.index[province]])
