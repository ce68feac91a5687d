"""Transformation: units become units of another kind, in place of an order for the season or in Winter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Board, Location, Position, Unit
from gamesmaster.engine import FAINT, HOLD, MOVE, NOWAY
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import IndexedPosition, Movement, MovementMechanic, OrderReader, ResolvedOrder
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.orders import BUILDS, AnyVerb, Order, PhaseKind, Phrase
from gamesmaster.rules import (
    AnyCause,
    BoardMechanic,
    Cause,
    MechanicResult,
    ParameterNames,
    Result,
    Rules,
    Season,
    Verdict,
    YearMechanic,
)


class TransformCause(AnyCause):
    """Why a unit has become one of another kind, or has not."""

    TRANSFORMED = "becomes a unit of another kind", "STD-13.a"
    STAYS_SO = "is for a kind of unit that becomes no other", "STD-13.a"
    NO_GROUND = "is for a place where the other kind cannot be", "STD-13.b"
    NOT_HERE = "is for a place where this power may not transform units", "STD-13.c"
    SPOILT = "is spoilt by the attack of {by}", "STD-13.d"
    NOT_NOW = "is for a phase in which no units are transformed", "STD-13.e"


class TransformVerb(AnyVerb):
    """The verbs with which units are transformed: their order for the season, and their power's in Winter."""

    TRANSFORM = (
        "transform",
        Phrase(
            "transform transforms",
            short="transforms",
            rest="form",
            bare=True,
            drawn="work",
            thought=BUILDS,
            key=("is transformed", "is not transformed"),
            title="Transform",
            says="Transform",
        ),
    )
    CONVERT = (  # the unit that it names is the one that there will be: `Convert F Stp/NC`
        "convert",
        Phrase(
            before="convert converts transform transforms",
            led=True,
            title="Transform a unit",
            says="Transform into {unit}",
        ),
    )


@mechanic("transformation")
@dataclass(frozen=True)
class Transformation(BoardMechanic, MovementMechanic, YearMechanic):
    """Units of each of the `kinds` become units of the kind beside it, in the phases `when`, for all or some `powers`.

    They must be in one of the `places`: `own-centres` that the power owns, its `homes` while it owns them, any
    `centres`, or `anywhere`, and the other kind must be able to be there.  In a movement phase it is the unit's order;
    an attack of another power spoils it unless `attacked` is `succeeds`, and so does being dislodged.
    """

    into: Mapping[str, str] = field(default_factory=lambda: {"A": "F", "F": "A"})
    when: tuple[Literal["movement", "adjustments"], ...] = ("movement",)
    places: Literal["own-centres", "homes", "centres", "anywhere"] = "own-centres"
    attacked: Literal["fails", "succeeds"] = "fails"
    powers: tuple[str, ...] = ()

    asks: ClassVar[tuple[str, str]] = ("a unit that it may transform", "units that it may transform")
    causes: ClassVar[tuple[AnyCause, ...]] = (*TransformCause,)
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*TransformVerb,)
    names: ClassVar[ParameterNames] = MappingProxyType({"into": "kind", "powers": "power"})
    not_in_columns: ClassVar[str] = "batches transform no units"

    def __post_init__(self) -> None:
        if not self.into or not self.when:
            raise ValueError("say which kinds become which, and when")
        if same := [kind for kind, other in self.into.items() if kind == other]:
            raise ValueError(f"{same[0]} cannot become {same[0]}")

    def extend_board(self, board: Board) -> Board:
        """Return the board with the kinds that units may turn into; raise `BadFile` for an unknown one."""
        for kind in self.into.values():
            if kind not in board.kinds:
                known = nearest(kind, board.kinds) or f"known: {', '.join(board.kinds)}"
                raise BadFile(f"no kind of unit {kind[:20]!r}", where=self.id, hint=known)
        return replace(board, turns=dict(self.into))

    # -- where, and into what ----------------------------------------------------------------------------------------

    def _fault(self, rules: Rules, position: Position, power: str, province: str) -> AnyCause | None:
        """Return why a power may not transform a unit in a province; None if it may."""
        own = position.owners.get(province) == power
        allowed = {
            "own-centres": own and rules.board.province(province).centre,
            "homes": own and province in rules.homes.get(power, ()),
            "centres": rules.board.province(province).centre,
            "anywhere": True,
        }
        may = allowed[self.places] and (not self.powers or power in self.powers)
        return None if may else TransformCause.NOT_HERE

    def _turned(self, rules: Rules, position: Position, units: Sequence[Unit]) -> Iterator[Unit]:
        """Yield what these units could become, once for each coast."""
        for unit in units:
            kind = self.into.get(unit.kind, "")
            if kind and not unit.aboard and not self._fault(rules, position, unit.power, unit.at.province):
                yield from (replace(unit, kind=kind, at=at) for at in _stands(rules.board, kind, unit.at.province))

    # -- in movement phases ------------------------------------------------------------------------------------------

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """Resolve an order to transform as a hold; its goal is where the new unit will be."""
        order, placement = resolved.order, resolved.placement
        if order.verb is not TransformVerb.TRANSFORM:
            return
        resolved.code, kind = HOLD, self.into.get(placement.kind, "")
        province = placement.at.province
        stands = _stands(reader.board, kind, province) if kind else []
        named = order.to or Location(province)
        if "movement" not in self.when:
            resolved.fault = TransformCause.NOT_NOW
        elif not kind:
            resolved.fault = TransformCause.STAYS_SO
        elif not stands or named.province != province:
            resolved.fault = TransformCause.NO_GROUND
        elif len(stands) > 1 and named not in stands:
            resolved.fault = Cause.WRONG_COAST if named.coast else Cause.WHICH_COAST
        else:
            at = named if named in stands else stands[0]
            resolved.goal = reader.board.location_index[at]
            resolved.fault = reader.name_fault(order, placement.kind, placement.at)

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return why the unit may not be transformed where it is; None if it may."""
        unit = field.units[row]
        if resolved.order.verb is not TransformVerb.TRANSFORM or unit is None:
            return None
        return self._fault(field.rules, field.position, unit.power, unit.at.province)

    def unit_orders(self, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
        """Yield the order to transform a unit, one for each coast where there are several."""
        turned = [*self._turned(field.rules, field.position, [unit])] if "movement" in self.when else []
        for new in turned:
            to = new.at if len(turned) > 1 else None
            yield Order(TransformVerb.TRANSFORM, unit.kind, unit.at, to)

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Transform the units that nobody has attacked or dislodged (STD-13.d)."""
        bound, board, new = movement.bound, movement.field.board, dict[int, Unit]()
        verdicts: dict[tuple[str, int], Verdict] = {}
        for key, row, number in zip(bound.keys(), bound.rows, range(len(bound.rows)), strict=True):
            resolved, unit = bound.chosen[row], movement.field.units[row]
            ordered = resolved.order.verb is TransformVerb.TRANSFORM and number not in bound.faults
            if not ordered or unit is None or number in bound.secondary or number in bound.decided:
                continue
            foes = self._disturbers(movement, row)
            if foes:
                verdicts[key] = Verdict(Result.FAILS, TransformCause.SPOILT, foes)
            else:
                at = board.locations[resolved.goal]
                new[unit.number] = replace(unit, kind=self.into[unit.kind], at=at)
                verdicts[key] = Verdict(Result.SUCCEEDS, TransformCause.TRANSFORMED)
        units = tuple(new.get(unit.number, unit) for unit in position.units)
        return MechanicResult(replace(position, units=units) if new else position, verdicts)

    def _disturbers(self, movement: Movement, row: int) -> tuple[Unit, ...]:
        """Return the units whose attacks spoil a transformation: of other powers, or that which dislodges the unit."""
        rows, units = movement.rows, movement.field.units
        if self.attacked == "succeeds":
            foes = [movement.beaten[row]] if row in movement.beaten else []
        else:
            foes = [
                foe
                for foe in range(1, len(rows.kind))
                if rows.kind[foe] == MOVE and rows.to[foe] == rows.at[row] and rows.owner[foe] != rows.owner[row]
                if not rows.flags[foe] & (FAINT | NOWAY)
            ]
        return tuple(unit for unit in (units[foe] for foe in foes) if unit)

    # -- in Winter ---------------------------------------------------------------------------------------------------

    def orders_due(self, rules: Rules, season: Season, position: Position) -> Mapping[str, int]:
        """Return 1 for each power that may transform a unit in this Winter."""
        if season.kind is not PhaseKind.ADJUSTMENTS or "adjustments" not in self.when:
            return {}
        turned = {unit.power for unit in self._turned(rules, position, position.units)}
        return {power: 1 for power in rules.powers if power in turned}

    def extra_orders(self, rules: Rules, season: Season, position: Position, power: str) -> Iterator[Order]:
        """Yield the orders to transform units of a power in Winter."""
        if season.kind is PhaseKind.ADJUSTMENTS and "adjustments" in self.when:
            for new in self._turned(rules, position, position.of(power)):
                yield Order(TransformVerb.CONVERT, new.kind, new.at)

    def carry_out(
        self, rules: Rules, kind: PhaseKind, position: Position, orders: Mapping[str, Sequence[Order | None]]
    ) -> MechanicResult:
        """Transform units as their powers say, before anything is built or removed (STD-13.e)."""
        verdicts: dict[tuple[str, int], Verdict] = {}
        for power, given in orders.items():
            for number, order in ((n, order) for n, order in enumerate(given) if order):
                found = self._found(rules, kind, position, power, order)
                if isinstance(found, Unit):
                    units = tuple(found if unit.number == found.number else unit for unit in position.units)
                    position = replace(position, units=units)
                    verdicts[power, number] = Verdict(Result.SUCCEEDS, TransformCause.TRANSFORMED, unit=found)
                else:
                    verdicts[power, number] = Verdict(Result.VOID, found)
        return MechanicResult(position, verdicts)

    def _found(self, rules: Rules, kind: PhaseKind, position: Position, power: str, order: Order) -> Unit | AnyCause:
        """Return what a unit becomes by an order given in Winter, or why it does not."""
        if kind is not PhaseKind.ADJUSTMENTS or "adjustments" not in self.when or order.at is None:
            return TransformCause.NOT_NOW
        here = [unit for unit in position.units if unit.at.province == order.at.province and not unit.aboard]
        mine = [unit for unit in here if unit.power == power]
        if not mine:
            return Cause.FOREIGN if here else Cause.NO_UNIT
        if fault := self._fault(rules, position, power, order.at.province):
            return fault
        turned = [unit for unit in self._turned(rules, position, mine) if order.kind in ("", unit.kind)]
        exact = [unit for unit in turned if unit.at == order.at] or (turned if len(turned) == 1 else [])
        if exact:
            return exact[0]
        return Cause.WHICH_COAST if turned else TransformCause.NO_GROUND


def _stands(board: Board, kind: str, province: str) -> list[Location]:
    """Return the locations in a province where a unit of this kind can be."""
    places = (board.locations[number] for number in board.locations_of(board.index[province]))
    return [at for at in places if board.can_stand(kind, at)]
