"""Searches for convoys: what they find is what listing every chain finds."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import accumulate
from random import Random

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.engine import MOVE, NOWAY, Rows
from gamesmaster.engine.choices import BY_INTENT, EXPLICIT, INTENT_OR_SWAP
from gamesmaster.engine.convoys import BUDGET, Seas, find_minimal, find_simple, joined, scratch, send_by_sea
from gamesmaster.judge import IndexedPosition
from gamesmaster.rules import Rules, seas
from gamesmaster.rules.tables import ADJACENTS
from gamesmaster.variant import find_variant

A, B = 0, 1
"""The shores."""

Near = list[set[int]]
"""The waters next to each province."""


def columns(near: Near) -> Seas:
    """The same as columns."""
    size = len(near)
    link = [int(water in near[place]) for place in range(size) for water in range(size)]
    waters = [0, *accumulate(map(len, near))], [water for row in near for water in sorted(row)]
    touched = [[place for place in range(size) if water in near[place]] for water in range(size)]
    shores = [0, *accumulate(map(len, touched))], [place for row in touched for place in row]
    return Seas(*waters, link, *shores)


def chains(near: Near, group: Set[int]) -> Iterator[tuple[int, ...]]:
    """Every chain of waters from one shore to the other that repeats none."""
    paths: list[tuple[int, ...]] = [(water,) for water in sorted(near[A] & group)]
    while paths:
        path = paths.pop()
        if path[-1] in near[B]:
            yield path
        paths += [(*path, water) for water in sorted((near[path[-1]] & group) - set(path))]


def needs_all(near: Near, chain: tuple[int, ...]) -> bool:
    """Would this chain break without any one of its waters?"""
    return not any(next(chains(near, set(chain) - {water}), None) for water in chain)


def random_waters(chance: Random) -> tuple[Near, set[int]]:
    """Two shores, and up to eight waters some of which touch them and each other."""
    size, thick = chance.randrange(3, 11), chance.choice((0.25, 0.4, 0.6))
    near: Near = [set() for _ in range(size)]
    for one in range(size):
        for water in range(max(2, one + 1), size):
            if chance.random() < thick:
                near[one].add(water)
                if one > B:
                    near[water].add(one)
    return near, {water for water in range(2, size) if chance.random() < 0.8}


def component(near: Near, group: Set[int], water: int) -> set[int]:
    """The waters of the group that are joined to this one."""
    found, ring = {water}, [water]
    while ring:
        ahead = (near[ring.pop()] & group) - found
        found |= ahead
        ring += ahead
    return found


@pytest.mark.bulk
@pytest.mark.parametrize("seed", range(400))
def test_searches_find_what_listing_finds(seed: int) -> None:
    """Whether fleets join two shores, without one of them too, and which of them are on some chain."""
    near, group = random_waters(Random(seed))
    waters, fleet, search = columns(near), sorted(group), scratch(len(near))
    n = len(fleet)
    assert joined(waters, fleet, n, A, B, -1, search) == any(chains(near, group))
    for water in fleet:
        assert joined(waters, fleet, n, A, B, water, search) == any(chains(near, group - {water}))
    find_simple(waters, fleet, n, A, B, search)
    assert {water for water in fleet if search.found[water]} == {w for chain in chains(near, group) for w in chain}
    assert not any(search.mark)


@pytest.mark.bulk
@pytest.mark.parametrize("seed", range(400))
def test_chains_without_short_cuts_are_those_that_need_all_they_have(seed: int) -> None:
    """A fleet is found if some chain would break without it; asked for one, the search finds that one."""
    near, waters = random_waters(Random(seed))
    group = component(near, waters, min(waters)) if waters else set()
    columned, fleet, n = columns(near), sorted(group), len(group)
    useful = {water for chain in chains(near, group) if needs_all(near, chain) for water in chain}
    if useful:  # the shores are joined by waters that are joined
        for wanted in (-1, *fleet):
            search = scratch(len(near))
            find_minimal(columned, fleet, n, A, B, wanted, search)
            found = {water for water in fleet if search.found[water]}
            assert found == useful if wanted < 0 else (wanted in found) == (wanted in useful)
            assert found <= useful
            assert not any(search.mark)


def test_past_its_budget_the_search_leaves_out_no_fleet() -> None:
    """In a web with more chains than the search follows every fleet counts, also one that no chain needs."""
    wide = 2 * BUDGET
    near: Near = [set(range(2, wide)), {wide}, *[{wide} for _ in range(2, wide)], set(range(2, wide + 2)), {wide}]
    search, fleet = scratch(len(near)), list(range(2, wide + 2))
    find_minimal(columns(near), fleet, len(fleet), A, B, -1, search)
    assert all(search.found[water] for water in fleet)
    small = [2, 3, wide, wide + 1]
    search = scratch(len(near))
    find_minimal(columns(near), small, len(small), A, B, -1, search)
    assert [search.found[water] for water in small] == [1, 1, 1, 0]


def test_the_waters_of_a_board_are_those_of_its_links() -> None:
    """The lists of waters next to each province, and of what convoys touch, say what the kernel's table says."""
    rules = Rules.of(find_variant("standard"))
    first, waters, link, shore_first, shores = rules.derive(seas)
    size = len(rules.board.provinces)
    linked = {divmod(cell, size) for cell in range(size * size) if link[cell]}
    assert {(place, water) for place in range(size) for water in waters[first[place] : first[place + 1]]} == linked
    touched = ((water, shores[shore_first[water] : shore_first[water + 1]]) for water in range(size))
    assert {(place, water) for water, places in touched for place in places} == linked


@pytest.mark.parametrize("seed", range(30))
def test_the_waters_from_a_shore_are_those_joined_to_what_touches_it(seed: int) -> None:
    """From each shore an army can use the fleets that touch it, and all that are joined to them by fleets."""
    variant, chance = find_variant("standard"), Random(seed)
    rules, board = Rules.of(variant), variant.board
    first, waters, *_ = rules.derive(seas)
    near = [set(waters[first[place] : first[place + 1]]) for place in range(len(board.provinces))]
    names = [board.provinces[water].id for water in sorted(set().union(*near))]
    lying = chance.sample(names, chance.randrange(1, 9))
    field = IndexedPosition(rules, Position(units=units_from({"France": [f"F {name}" for name in lying]})))
    fleets = {board.index[name] for name in lying}
    for shore in range(len(near)):
        joined_to = [component(near, fleets, water) for water in near[shore] & fleets]
        if shore not in fleets:
            assert field.waters_from(shore) == frozenset().union(*joined_to)


@pytest.mark.parametrize("answer", ADJACENTS.values(), ids=ADJACENTS)
def test_without_a_convoy_nobody_goes_by_sea(answer: int) -> None:
    """An army that could walk does, whatever is answered to 4.A.3, unless its order says by convoy: that has no way."""
    rows = Rows([0, MOVE], [-1, A], [0, B], [-1, A], [0, 0], [0, 1], [0, 2], [0, 2], [0, 0])
    waters, book = columns([{2}, {2}, set()]), [0, 0, answer, 0, 0, 0]
    sent = [send_by_sea(1, rows, [0, 1], [], 0, via, True, waters, book, scratch(3)) for via in (False, True)]
    assert sent == [0, NOWAY if answer in (BY_INTENT, INTENT_OR_SWAP, EXPLICIT) else 0]
