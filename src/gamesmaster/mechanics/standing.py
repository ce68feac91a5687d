"""Standing neutral armies: units of nobody that hold their places until they are beaten, and are then gone.

They fight as any unit that holds: they may be supported in place by anybody, they cut nothing and move nowhere, and
their centre cannot be taken before they are dislodged (CNW-10, IND-4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from gamesmaster.board import Board, Finding, Location, Position, Unit
from gamesmaster.engine import SUPPORT, Rows
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import Bound, IndexedPosition, MovementMechanic
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.mechanics.reinforcements import ReinforcementEvent
from gamesmaster.rules import (
    NO_OVERRIDE,
    AnyEvent,
    BoardMechanic,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Event,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Standing,
    YearMechanic,
    goal_of,
    join,
    standing,
    with_newcomers,
)


class StandingEvent(AnyEvent):
    """Events of standing armies."""

    DISPERSED = "dispersed", "CNW-10.b", "The standing army in {place} is beaten and gone."


@mechanic("standing-armies")
@dataclass(frozen=True)
class StandingArmies(BoardMechanic, MovementMechanic, YearMechanic, ReportMechanic, ColumnMechanic):
    """Units of `power`, which nobody plays, stand at the start; a dislodged one is removed.

    `units` are never rebuilt.  With `neutral_centres` there is one in each empty centre that nobody owns, and at every
    count a new one where that is so again: a neutral centre defends itself until it is taken.  A unit in a key of
    `support` supports one of them that stands in the province named there.
    """

    units: tuple[str, ...] = ()
    power: str = "Neutral"
    neutral_centres: bool = False
    support: Mapping[str, str] = field(default_factory=dict)

    events: ClassVar[tuple[AnyEvent, ...]] = (*StandingEvent, ReinforcementEvent.ARRIVED)
    several: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.units and not self.neutral_centres:
            raise ValueError("nothing stands here: give units, or neutral_centres = true")

    def start(self, rules: Rules, position: Position) -> Position:
        """Add the units, numbered after those of the powers."""
        number = position.last_number
        added = [self._unit(rules, number + n, text) for n, text in enumerate(self.units, 1)]
        stands = replace(position, units=(*position.units, *added))
        return self._man_centres(rules, stands) if self.neutral_centres else stands

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each support between provinces that are not neighbours."""
        near, index = rules.board.neighbours, rules.board.index
        for here, there in self.support.items():
            if here not in index or there not in index or index[there] not in near[index[here]]:
                what = f"a standing army in {here} cannot support one in {there}: they are not neighbours"
                yield Finding.error("no-border", f"mechanics {self.id}", what)

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Let standing armies support each other (CNW-10.a)."""
        for here, there in self.support.items():
            one, other = (field.tenant[field.board.index[place]] for place in (here, there))
            if all(self._stands(field, row) for row in (one, other)):
                rows.kind[one], rows.about[one], rows.to[one] = SUPPORT, other, field.at[other]

    def _stands(self, field: IndexedPosition, row: int) -> bool:
        """Return whether there is a standing army in this row."""
        unit = field.units[row]
        return unit is not None and unit.power == self.power

    def nobodies(self) -> tuple[str, ...]:
        """Return their name."""
        return (self.power,)

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Man the neutral centres anew."""
        if not self.neutral_centres:
            return position, ()
        manned = self._man_centres(rules, position)
        new = manned.units[len(position.units) :]
        return manned, tuple(Event(ReinforcementEvent.ARRIVED, self.power, unit.at.province) for unit in new)

    def _man_centres(self, rules: Rules, position: Position) -> Position:
        """Return the position with a unit in each empty centre that nobody owns."""
        now = standing(rules, position)
        man(self._garrisons(rules), now)
        return with_newcomers(rules, position, now, self.power)

    def _unit(self, rules: Rules, number: int, text: str) -> Unit:
        kind, _, where = text.partition(" ")
        at = Location.of(where)
        if kind not in rules.board.ways or at not in rules.board.location_index:
            places = [f"{known} {place}" for known in rules.board.ways for place in rules.board.locations]
            raise BadFile(f"no unit can stand as {text[:40]!r}", where=self.id, hint=nearest(text, places))
        return Unit(number, kind, self.power, at)

    def sayings(self) -> Clauses:
        """Return the reasons of standing armies: nobody orders them."""
        return Clauses({
            "standing": ReasonText("CNW-10.a", "stands where it is, as it always does"),
            "standing_together": ReasonText("STD-15.b", "stands and supports its neighbour, as it always does"),
        })  # fmt: skip

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Return the aspect for a standing army, which never has an order."""
        unit = case.ruling.unit
        if unit is None or unit.power != self.power or case.ruling.cause is not Cause.UNORDERED:
            return NO_OVERRIDE
        return ReasonOverride("standing_together" if unit.at.province in self.support else "standing")

    def unit_signs(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Return the sign of each standing army."""
        return {unit.number: "standing-army" for unit in position.units if unit.power == self.power}

    def after_movement(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Remove standing armies that were beaten (CNW-10.b)."""
        if not any(d.unit.power == self.power for d in position.dislodged):
            return position, ()
        now = standing(rules, position)
        disperse(None, now)
        gone = [d for row, d in enumerate(position.dislodged, 1) if now.beaten.gone[row] and d.unit.power == self.power]
        left = tuple(d for d in position.dislodged if d not in gone)
        happened = tuple(Event(StandingEvent.DISPERSED, self.power, d.unit.at.province) for d in gone)
        return replace(position, dislodged=left), happened

    def columns(self, rules: Rules) -> Columns | str:
        """Return its rules; each neutral centre that is empty gets a standing army again."""
        if self.support:
            return "in batches standing armies support nobody"
        if not self.neutral_centres:
            return Columns(after_movement=disperse)
        garrisons = self._garrisons(rules)
        return Columns(after_movement=disperse, after_count=man, more=len(garrisons.place), table=garrisons)

    def _garrisons(self, rules: Rules) -> Garrisons:
        board = rules.board
        garrisons = {board.index[centre]: _garrison(board, centre) for centre in board.centres}
        stands = {place: goal_of(rules, *unit) for place, unit in garrisons.items() if unit}
        return Garrisons(list(stands), list(stands.values()))


class Garrisons(NamedTuple):
    """The centres, and the goals (kind and location) of the units that man them."""

    place: Sequence[int]
    goal: Sequence[int]


def disperse(_: object, now: Standing) -> None:
    """Remove dislodged units that belong to no power."""
    for r in range(1, now.beaten.n + 1):
        if not now.beaten.owner[r]:
            now.beaten.gone[r] = 1


def man(t: Garrisons, now: Standing) -> None:
    """Man the empty centres that nobody owns."""
    for n in range(len(t.place)):
        if not now.lands.holder[t.place[n]] and not is_full(now, t.place[n]):
            join(now, t.goal[n], 0)


def is_full(now: Standing, place: int) -> bool:
    """Return whether a province has a unit in it, dislodged or not."""
    units = 0
    for r in range(1, now.n + 1):
        units += now.units.at[r] == place and not now.units.gone[r]
    for r in range(1, now.beaten.n + 1):
        units += now.beaten.at[r] == place and not now.beaten.gone[r]
    return units > 0


def _garrison(board: Board, province: str) -> tuple[str, Location] | None:
    """Return the first kind of unit that can be in a province, and its location: on land before at sea."""
    kinds = sorted(board.kinds, key=board.sails)
    places = [board.locations[number] for number in board.locations_of(board.index[province])]
    return next(((kind, at) for kind in kinds for at in places if board.can_stand(kind, at)), None)
