"""Preparing: bound orders become the columns of a Problem, and those that match nothing are noted (STD-4.e).

What the rulebook's choices of DATC 4.A mean is said here in rows and flags; the kernel knows nothing of rulebooks.
"""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.judge.engine.binding import NOBODY, BindingMechanic, Bound, Silent
from gamesmaster.judge.engine.choices import CONTEST, IN_KERNEL, KNOT, PARADOX, choices
from gamesmaster.judge.engine.convoys import seas, send_by_sea, spare_supports
from gamesmaster.judge.engine.indexed import IndexedPosition
from gamesmaster.judge.engine.kernel import (
    CONVOY,
    HOLD,
    MOVE,
    NOWAY,
    PASS,
    SUPPORT,
    Rows,
)
from gamesmaster.judge.engine.problem import Problem
from gamesmaster.judge.engine.resolution import VACANT, WEIGHT, ResolvedOrder
from gamesmaster.judge.values import AnyCause, Cause

Journeys = dict[tuple[int, int], list[int]]
"""Convoy orders by the journey they are for: the rows of the fleets, by where from and where to."""


class Prepared(NamedTuple):
    """The Problem, and why some orders are void by what the others are, by row."""

    problem: Problem
    unmatched: dict[int, AnyCause]


def prepare(field: IndexedPosition, bound: Bound, silent: Silent = NOBODY) -> Prepared:
    """Make the Problem of a movement phase."""
    at, chosen, rules = field.at, bound.chosen, field.rules
    n = len(at)
    kind, to = [resolved.code for resolved in chosen], [resolved.into for resolved in chosen]
    force, flags = [resolved.force for resolved in chosen], [resolved.flags for resolved in chosen]
    rows = Rows(kind, at, to, at, [0] * n, field.owner, force, [WEIGHT] * n, flags)
    unmatched: dict[int, AnyCause] = {}
    for r, resolved in bound.noway.items():
        if chosen[r].placement is VACANT:
            kind[r], to[r], flags[r] = MOVE, resolved.to, NOWAY
    armies, convoys = _match(field, bound, rows, unmatched, silent)
    for r in armies:
        journey = at[r], to[r]
        if chosen[r].via or journey in convoys or not field.walks(r, chosen[r]):
            rows = _by_sea(field, rows, r, chosen[r], convoys.get(journey, []), unmatched)
    for (a, b), fleets in convoys.items():
        army = chosen[field.tenant[a]]
        if army.code != MOVE or army.to != b:
            unmatched.update(dict.fromkeys(fleets, Cause.UNMATCHED))
    if field.carrier:  # those aboard may set out from elsewhere than where they lie
        rows = rows._replace(at=list(rows.at), whence=list(rows.whence))
    for adjust_problem in rules.asked(BindingMechanic.adjust_problem):
        adjust_problem(field, bound, rows)
    if rules.rulebook.coastal_crawl == "allowed":
        _crawl(field, bound, rows)
    answers = rules.derived(choices)
    if convoys and answers[PARADOX] != IN_KERNEL:
        afloat = [
            placement.kind != "" and rules.board.ways[placement.kind] == "fleet" for placement in field.placements
        ]
        spare_supports(n - 1, rows, field.tenant, afloat, rules.derived(seas), answers, field.search)
    size, link = len(field.board.provinces), field.board.link
    return Prepared(Problem(rows, size, link, answers[CONTEST], answers[KNOT]), unmatched)


def _match(
    field: IndexedPosition, bound: Bound, rows: Rows, unmatched: dict[int, AnyCause], silent: Silent
) -> tuple[list[int], Journeys]:
    """Keep the supports of what units were indeed ordered to do (STD-7.b, STD-5.g, 4.B.4).

    The rest hold, and so do the convoys until an army sails by them.  Returns the rows of the armies that could go by
    sea, and the convoy orders by journey.
    """
    kind, to, about, tenant, several = rows.kind, rows.to, rows.about, field.tenant, field.crowded or field.cargo
    numbers, answer = field.rules.numbers, field.rules.rulebook.disorder_support
    refused = {number for power, number in numbers.items() if power in silent} if answer == "refused" else ()
    armies: list[int] = []
    convoys: Journeys = {}
    for r, resolved in enumerate(bound.chosen):
        if resolved.code == SUPPORT:
            about[r] = helped = _helped(field, bound, r, resolved) if several else tenant[resolved.of]
            if resolved.to < 0:
                if kind[helped] == MOVE:
                    unmatched[r] = Cause.MOVES_AWAY
                elif field.owner[helped] in refused:
                    unmatched[r] = Cause.IN_DISORDER
            elif kind[helped] != MOVE or to[helped] != resolved.to:
                unmatched[r] = Cause.UNMATCHED
            elif (alone := bound.chosen[helped].alone) is not None:
                unmatched[r] = alone
            elif resolved.split and not _same_coast(field, bound, helped, resolved):
                unmatched[r] = Cause.OTHER_COAST
        elif resolved.code == CONVOY:
            kind[r] = HOLD
            convoys.setdefault((resolved.of, resolved.to), []).append(r)
        elif resolved.sea:
            armies.append(r)
    for r in unmatched:
        kind[r], about[r] = HOLD, 0
    return armies, convoys


def _helped(field: IndexedPosition, bound: Bound, r: int, resolved: ResolvedOrder) -> int:
    """The row that a support is for where several might be: the first, as written, that was ordered so."""
    if resolved.seaward and field.from_sea(resolved):
        rows = [row for row in field.landers(resolved) if bound.chosen[row].placement.place == resolved.of]
    elif resolved.of in field.crowded:
        rows = field.meant(resolved.of, field.power_meant(r, resolved), resolved.order.of_kind)
        rows = [row for row in bound.rows if row in rows] or rows
    else:
        return field.tenant[resolved.of]
    told = (row for row in rows if bound.chosen[row].code == MOVE and bound.chosen[row].to == resolved.to)
    return next(told, rows[0] if rows else 0)


def _same_coast(field: IndexedPosition, bound: Bound, helped: int, resolved: ResolvedOrder) -> bool:
    """Does the coast a support names, if any, fit the move (4.B.4)?"""
    move = bound.chosen[helped]
    answer = field.rules.rulebook.support_coast
    assert resolved.order.to is not None
    if move.goal < 0 or answer == "ignored":
        return True
    goal = field.board.locations[move.goal]
    named = resolved.order.to.coast
    coasts = field.board.provinces[resolved.to].coasts
    if not goal.coast or (named and named not in coasts):
        return True
    if not named and answer == "default":
        named = coasts[-1]
    return not named or named == goal.coast


# -- convoys ---------------------------------------------------------------------------------------------------------


def _by_sea(
    field: IndexedPosition,
    rows: Rows,
    r: int,
    resolved: ResolvedOrder,
    fleets: list[int],
    unmatched: dict[int, AnyCause],
) -> Rows:
    """Send an army by sea, if it goes by sea (4.A.1, 4.A.3, 4.A.4, 4.A.6); `rows`, or a copy with other `whence`."""
    book, rules = field.rules.rulebook, field.rules
    fleets = _named_path(field, resolved, fleets)
    flags = send_by_sea(
        r, rows, field.tenant, fleets, len(fleets), resolved.via, field.walks(r, resolved),
        rules.derived(seas), rules.derived(choices), field.search,
    )  # fmt: skip
    if flags == NOWAY:
        nameless = book.convoy_path == "required" and not resolved.order.route
        unmatched[r] = Cause.NO_PATH if nameless else Cause.NO_CHAIN
    elif flags and book.convoy_strikes_from == "fleet":
        rows.flags[r] &= ~PASS
        if rows.whence is rows.at:
            rows = rows._replace(whence=list(rows.at))
        rows.whence[r] = _last_water(field, {rows.at[f] for f in fleets}, rows.at[r], rows.to[r])
    return rows


def _named_path(field: IndexedPosition, resolved: ResolvedOrder, fleets: list[int]) -> list[int]:
    """Only the fleets on the path the order names, where naming it counts (4.A.6)."""
    answer = field.rules.rulebook.convoy_path
    if answer == "ignored" or (answer == "allowed" and not resolved.order.route):
        return fleets
    named = {field.board.index.get(water, -1) for water in resolved.order.route}
    return [f for f in fleets if field.at[f] in named]


def _last_water(field: IndexedPosition, waters: set[int], a: int, b: int) -> int:
    """The water from which a shortest convoy lands (Brannan's rule, 4.A.4)."""
    shores = field.board.shores
    ring = {water for water in waters if a in shores[water]}
    while not (landing := [water for water in ring if b in shores[water]]):
        waters = waters - ring
        ring = {ahead for water in ring for ahead in shores[water] & waters}
    return min(landing)


def _crawl(field: IndexedPosition, bound: Bound, rows: Rows) -> None:
    """Let fleets pass each other along different coasts of a province (STD-5.h's option)."""
    board = field.board
    for r in range(1, len(rows.kind)):
        s = field.tenant[rows.to[r]] if rows.kind[r] == MOVE and not rows.flags[r] else 0
        if rows.kind[s] != MOVE or rows.to[s] != rows.at[r] or rows.flags[s] & ~PASS:
            continue
        leaves, enters = board.locations[field.location[r]], board.locations[bound.chosen[s].goal]
        if leaves.coast != enters.coast and leaves.coast and enters.coast:
            rows.flags[r] |= PASS
            rows.flags[s] |= PASS
