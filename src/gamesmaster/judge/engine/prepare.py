"""Preparing: bound orders become the columns of a Problem, and those that match nothing are noted (STD-4.e).

What the rulebook's choices of DATC 4.A mean is said here in rows and flags; the kernel knows nothing of rulebooks.
"""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.judge.engine.binding import NOBODY, BindingMechanic, Bound, Silent
from gamesmaster.judge.engine.indexed import IndexedPosition, joined, simple_waters, spread
from gamesmaster.judge.engine.kernel import (
    ABSENT,
    ALL_HOLD,
    ALWAYS,
    BLUNT,
    CARRIED,
    CONVOY,
    EITHER,
    EVERY,
    FREE,
    HOLD,
    MOVE,
    NEVER,
    NOWAY,
    PASS,
    SUPPORT,
    SZYKMAN,
    UNLESS_HEAD_ON,
    Rows,
)
from gamesmaster.judge.engine.problem import Problem
from gamesmaster.judge.engine.resolution import VACANT, WEIGHT, ResolvedOrder
from gamesmaster.judge.values import AnyCause, Cause

CONTEST = {"never_in_head_to_head": UNLESS_HEAD_ON, "never": NEVER, "always": ALWAYS}


Journeys = dict[tuple[int, int], list[int]]
"""Convoy orders by the journey they are for: the rows of the fleets, by where from and where to."""


class Prepared(NamedTuple):
    """The Problem, and why some orders are void by what the others are, by row."""

    problem: Problem
    unmatched: dict[int, AnyCause]


def prepare(field: IndexedPosition, bound: Bound, silent: Silent = NOBODY) -> Prepared:
    """Make the Problem of a movement phase."""
    at, chosen, book = field.at, bound.chosen, field.rules.rulebook
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
    if field.absent:
        rows = _lie_together(field, rows)
    for adjust_problem in field.rules.asked(BindingMechanic.adjust_problem):
        adjust_problem(field, bound, rows)
    if book.coastal_crawl == "allowed":
        _crawl(field, bound, rows)
    if convoys and book.convoy_paradox in ("1971", "1982", "2000"):
        _spare(field, rows, convoys, book.convoy_paradox)
    knot = ALL_HOLD if book.convoy_paradox == "all_hold" else SZYKMAN
    contest = CONTEST[book.dislodged_still_contests]
    return Prepared(Problem(rows, len(field.board.provinces), field.board.link, contest, knot), unmatched)


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
    """The row that a support is for where several might be: the first, as written, that was ordered so (CNW-5.a)."""
    if resolved.seaward and field.from_sea(resolved):
        rows = [row for row in field.landers(resolved) if bound.chosen[row].placement.place == resolved.of]
    elif resolved.of in field.crowded:
        rows = field.meant(resolved.of, field.power_meant(r, resolved), resolved.order.of_kind)
        rows = [row for row in bound.rows if row in rows] or rows
    else:
        return field.tenant[resolved.of]
    told = (row for row in rows if bound.chosen[row].code == MOVE and bound.chosen[row].to == resolved.to)
    return next(told, rows[0] if rows else 0)


def _lie_together(field: IndexedPosition, rows: Rows) -> Rows:
    """Those aboard and those in a box occupy nothing; nobody is opposed who goes into a box (CNW-5.a)."""
    for r in field.absent:
        rows.flags[r] |= ABSENT
    for r in range(1, len(rows.kind)):
        if rows.kind[r] == MOVE and rows.to[r] in field.board.boxes:
            rows.flags[r] |= FREE
    return rows._replace(at=list(rows.at), whence=list(rows.whence)) if field.cargo else rows


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
    book = field.rules.rulebook
    fleets = _named_path(field, resolved, fleets)
    waters = {rows.at[f] for f in fleets}
    chain = joined(field.board.shores, waters, rows.at[r], rows.to[r])
    if field.walks(r, resolved):
        by_sea, either = _goes_by_sea(field, rows, r, resolved, fleets, chain)
        if not by_sea:
            return rows
    else:
        either = False
    if not chain:
        nameless = book.convoy_path == "required" and not resolved.order.route
        unmatched[r] = Cause.NO_PATH if nameless else Cause.NO_CHAIN
        rows.flags[r] = NOWAY
        return rows
    flags = CARRIED | PASS | (EITHER if either else 0)
    if book.multi_route_convoy == "every_route_must_survive":
        flags |= EVERY
        on_route = simple_waters(field.board.shores, waters, rows.at[r], rows.to[r])
        fleets = [f for f in fleets if rows.at[f] in on_route]
    for f in fleets:
        rows.kind[f] = CONVOY
        rows.about[f] = r
    if book.convoy_strikes_from == "fleet":
        flags &= ~PASS
        if rows.whence is rows.at:
            rows = rows._replace(whence=list(rows.at))
        rows.whence[r] = _last_water(field, waters, rows.at[r], rows.to[r])
    rows.flags[r] = flags
    return rows


def _goes_by_sea(
    field: IndexedPosition, rows: Rows, r: int, resolved: ResolvedOrder, fleets: list[int], chain: bool
) -> tuple[bool, bool]:
    """An army that could walk: does it go by sea, and may it walk after all (4.A.3)?"""
    answer = field.rules.rulebook.adjacent_convoy
    facing = field.tenant[rows.to[r]]
    swaps = bool(facing) and rows.kind[facing] == MOVE and rows.to[facing] == rows.at[r]
    if answer == "when_swapping":
        return swaps and chain, True
    if answer == "always_by_convoy":
        return chain, False
    if answer == "explicit_via":
        return resolved.via, False
    own = any(field.owner[f] == field.owner[r] for f in fleets)
    if answer == "by_intent_or_own_swap":
        own = own or (swaps and chain and field.owner[facing] == field.owner[r])
    if answer == "by_intent_or_land":
        return (resolved.via or own) and chain, True
    return resolved.via or own, False


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
    distance = spread(shores, waters, sorted(w for w in waters if a in shores[w]))
    return min((w for w in distance if b in shores[w]), key=lambda w: (distance[w], w))


def _spare(field: IndexedPosition, rows: Rows, convoys: Journeys, book: str) -> None:
    """Blunt the landings that may not cut a support, under the rules of 1971, 1982 and 2000 (4.A.2 a, b, c)."""
    kind, at, to, _, about, _, _, _, flags = rows
    convoyed = {at[f] for fleets in convoys.values() for f in fleets if kind[f] == CONVOY}
    for r in range(1, len(kind)):
        s = field.tenant[to[r]] if flags[r] & CARRIED else 0
        if not s or kind[s] != SUPPORT:
            continue
        target = to[s]
        by_fleet = field.board.ways[field.kind(s)] == "fleet"
        own_fleets = {at[f] for f in range(1, len(kind)) if kind[f] == CONVOY and about[f] == r}
        if book == "1982":
            spared = by_fleet and target in convoyed
        elif kind[about[s]] != MOVE or target not in own_fleets:
            spared = False
        elif book == "1971":
            spared = by_fleet
        else:
            spared = not joined(field.board.shores, own_fleets - {target}, at[r], to[r])
        if spared:
            flags[r] |= BLUNT


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
