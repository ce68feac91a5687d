"""Preparing: bound orders become the columns of a Problem, and those that match nothing are noted (STD-4.e).

What the rulebook's choices of DATC 4.A mean is said here in rows and flags; the kernel knows nothing of rulebooks.
"""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.engine import HOLD, MOVE, NOWAY, PASS, SUPPORT, Problem, Rows
from gamesmaster.engine.choices import CONTEST, IN_KERNEL, KNOT, PARADOX
from gamesmaster.engine.company import row_helped
from gamesmaster.engine.convoys import (
    MOVES_AWAY,
    OTHER_COAST,
    OTHERWISE,
    UNHELPED,
    match,
    release,
    send_by_sea,
    set_out,
    spare_supports,
)
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.judge.binding import ALL_GIVE_ORDERS, BindingMechanic, Bound, PowersWithoutOrders
from gamesmaster.judge.indexed import IndexedPosition
from gamesmaster.judge.resolution import VACANT, OrderMechanic, ResolvedOrder
from gamesmaster.rules import AnyCause, Cause, choices, seas

FAULTS: dict[int, AnyCause] = {
    MOVES_AWAY: Cause.MOVES_AWAY,
    OTHERWISE: Cause.UNMATCHED,
    UNHELPED: Cause.CANNOT,
    OTHER_COAST: Cause.OTHER_COAST,
}
"""Why help is void that matches no order."""


class Prepared(NamedTuple):
    """The Problem, and why some orders are void by what the others are, by row."""

    problem: Problem
    unmatched: dict[int, AnyCause]


def prepare(field: IndexedPosition, bound: Bound, silent: PowersWithoutOrders = ALL_GIVE_ORDERS) -> Prepared:
    """Make the Problem of a movement phase."""
    chosen, tenant, rules, n = bound.chosen, field.tenant, field.rules, len(field.at)
    kind, to = [resolved.code for resolved in chosen], [resolved.into for resolved in chosen]
    force, flags = [WEIGHT] * n, [0] * n
    if rules.hooks(OrderMechanic.resolve_order):  # nobody else changes what an order weighs
        force, flags = [resolved.force for resolved in chosen], [resolved.flags for resolved in chosen]
    about = [tenant[resolved.of] for resolved in chosen]
    rows = Rows(kind, field.at, to, field.at, about, field.owner, force, [WEIGHT] * n, flags)
    for r, resolved in bound.noway.items():
        if chosen[r].placement is VACANT:
            kind[r], to[r], flags[r] = MOVE, resolved.to, NOWAY
    fleets, unmatched = _match(field, bound, rows, silent)
    convoyed = {about[f] for f in fleets}
    sailing = [
        r
        for r, resolved in enumerate(chosen)
        if resolved.sea and (resolved.via or r in convoyed or not field.walks(r, resolved))
    ]
    if sailing:
        rows = _by_sea(field, rows, chosen, sailing, fleets, unmatched)
    if fleets:
        release(rows, fleets, len(fleets))
    if field.carrier:  # armies aboard may start from another place than their own
        rows = rows._replace(at=list(rows.at), whence=list(rows.whence))
    for adjust_problem in rules.hooks(BindingMechanic.adjust_problem):
        adjust_problem(field, bound, rows)
    if field.carrier:
        set_out(n - 1, rows)
    if rules.rulebook.coastal_crawl == "allowed":
        _crawl(field, bound, rows)
    answers = rules.derive(choices)
    if fleets and answers[PARADOX] != IN_KERNEL:
        afloat = [placement.kind in rules.board.fleets for placement in field.placements]
        spare_supports(n - 1, rows, field.tenant, afloat, rules.derive(seas), answers, field.search)
    size, link = len(field.board.provinces), field.board.link
    return Prepared(Problem(rows, size, link, answers[CONTEST], answers[KNOT]), unmatched)


def _match(
    field: IndexedPosition, bound: Bound, rows: Rows, silent: PowersWithoutOrders
) -> tuple[list[int], dict[int, AnyCause]]:
    """Keep supports and convoys of what units were indeed ordered to do (STD-7.b, STD-5.g, 4.B.4); the rest hold.

    Return the rows of the fleets that still convoy, and why each other support or convoy is void, by row.
    """
    n, chosen, doubtful = len(rows.kind), bound.chosen, list[int]()
    if field.crowded or field.cargo:
        for r, resolved in enumerate(chosen):
            if resolved.code == SUPPORT:
                rows.about[r] = _helped(field, bound, r, resolved)
                if _is_doubtful(field, bound, r, resolved):
                    rows.kind[r] = HOLD
                    doubtful.append(r)
    fleets, void, faults = [0] * n, [0] * n, [0] * n
    convoys, voids = match(n - 1, rows, [resolved.coast for resolved in chosen], fleets, void, faults)
    unmatched = {r: FAULTS[faults[r]] for r in void[:voids]} | dict.fromkeys(doubtful, Cause.SEVERAL)
    if field.rules.hooks(OrderMechanic.resolve_order):
        for r in unmatched:
            if faults[r] == UNHELPED:
                unmatched[r] = chosen[rows.about[r]].alone or FAULTS[UNHELPED]
    if silent and field.rules.rulebook.disorder_support == "refused":
        idle = {number for power, number in field.rules.numbers.items() if power in silent}
        for r, resolved in enumerate(chosen):
            if rows.kind[r] == SUPPORT and resolved.to < 0 and field.owner[rows.about[r]] in idle:
                rows.kind[r], unmatched[r] = HOLD, Cause.IN_DISORDER
    return fleets[:convoys], unmatched


def _helped(field: IndexedPosition, bound: Bound, r: int, resolved: ResolvedOrder) -> int:
    """Return the row that a support is for; if several could be meant, the first in writing with a matching order."""
    if resolved.seaward and field.from_sea(resolved):
        rows = [row for row in field.landers(resolved) if bound.chosen[row].placement.place == resolved.of]
    elif resolved.of in field.crowded:
        rows = field.candidates(resolved.of, field.helped_power(r, resolved), resolved.order.of_kind)
        rows = rows or field.strangers(resolved)
        rows = [row for row in bound.rows if row in rows] or rows
    else:
        return field.tenant[resolved.of]
    kind, to = [chosen.code for chosen in bound.chosen], [chosen.to for chosen in bound.chosen]
    return row_helped(rows, len(rows), kind, to, resolved.to)


def _is_doubtful(field: IndexedPosition, bound: Bound, r: int, resolved: ResolvedOrder) -> bool:
    """Return whether units of several other powers make the move that a support without a nationality names."""
    if resolved.of not in field.crowded or (resolved.seaward and field.from_sea(resolved)):
        return False
    if field.candidates(resolved.of, field.helped_power(r, resolved), resolved.order.of_kind):
        return False
    fitting = (row for row in field.strangers(resolved) if bound.chosen[row].code == MOVE)
    return len({field.owner[row] for row in fitting if bound.chosen[row].to == resolved.to}) > 1


# -- convoys ---------------------------------------------------------------------------------------------------------


def _by_sea(
    field: IndexedPosition,
    rows: Rows,
    chosen: list[ResolvedOrder],
    armies: list[int],
    fleets: list[int],
    unmatched: dict[int, AnyCause],
) -> Rows:
    """Send armies by sea if they go by sea (4.A.1, 4.A.3, 4.A.4, 4.A.6).

    Return `rows`, or a copy with other `whence`.
    """
    book, waters, answers = field.rules.rulebook, field.rules.derive(seas), field.rules.derive(choices)
    tenant, search, n = field.tenant, field.search, len(fleets)
    for r in armies:
        resolved = chosen[r]
        if book.convoy_path != "ignored":
            _keep_path(field, rows, r, resolved, fleets)
        walks = field.walks(r, resolved)
        flags = send_by_sea(r, rows, tenant, fleets, n, resolved.via, walks, waters, answers, search)
        if flags == NOWAY:
            nameless = book.convoy_path == "required" and not resolved.order.route
            unmatched[r] = Cause.NO_PATH if nameless else Cause.NO_CHAIN
        elif flags and book.convoy_strikes_from == "fleet":
            rows.flags[r] &= ~PASS
            if rows.whence is rows.at:
                rows = rows._replace(whence=list(rows.at))
            own = {rows.at[f] for f in fleets if rows.about[f] == r}
            rows.whence[r] = _last_water(field, own, rows.at[r], rows.to[r])
    return rows


def _keep_path(field: IndexedPosition, rows: Rows, r: int, resolved: ResolvedOrder, fleets: list[int]) -> None:
    """Keep only the fleets on the path that an army's order names, where naming the path counts (4.A.6)."""
    if resolved.order.route or field.rules.rulebook.convoy_path == "required":
        named = {field.board.index.get(water, -1) for water in resolved.order.route}
        for f in fleets:
            if rows.about[f] == r and field.at[f] not in named:
                rows.kind[f] = HOLD


def _last_water(field: IndexedPosition, waters: set[int], a: int, b: int) -> int:
    """Return the water from which a shortest convoy lands (Brannan's rule, 4.A.4)."""
    shores = field.board.shores
    ring = {water for water in waters if a in shores[water]}
    while not (landing := [water for water in ring if b in shores[water]]):
        waters = waters - ring
        ring = {ahead for water in ring for ahead in shores[water] & waters}
    return min(landing)


def _crawl(field: IndexedPosition, bound: Bound, rows: Rows) -> None:
    """Allow fleets to pass each other along different coasts of a province (STD-5.h's option)."""
    board = field.board
    for r in range(1, len(rows.kind)):
        s = field.tenant[rows.to[r]] if rows.kind[r] == MOVE and not rows.flags[r] else 0
        if rows.kind[s] != MOVE or rows.to[s] != rows.at[r] or rows.flags[s] & ~PASS:
            continue
        leaves, enters = board.locations[field.location[r]], board.locations[bound.chosen[s].goal]
        if leaves.coast != enters.coast and leaves.coast and enters.coast:
            rows.flags[r] |= PASS
            rows.flags[s] |= PASS
