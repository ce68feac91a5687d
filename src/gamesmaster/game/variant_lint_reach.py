"""Can the powers of a variant come to enough centres to win, whatever happens?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamesmaster.board.lint_finding import Finding, error
from gamesmaster.board.model import Board
from gamesmaster.board.position import Position
from gamesmaster.game.variant import Variant
from gamesmaster.judge import build_sites
from gamesmaster.judge.rules import Rules


def lint_reach(variant: Variant, rules: Rules) -> Iterator[Finding]:
    """A power that can never own the centres it needs, going from its units, its homes and what it may win there."""
    total = len(variant.board.centres)
    for power in variant.powers:
        needed = variant.victory.needed(power.name)
        if variant.victory.count != "centres" or needed > total:
            continue  # more than there are is told of all
        can = reachable(variant, rules, power.name)
        owned = {*can, *variant.start.centres(power.name)} & set(variant.board.centres)
        if owned and len(owned) < needed:
            text = f"{needed} centres win, and it can never come to more than {len(owned)}"
            missing = [key for key in variant.board.centres if key not in owned]
            yield error("beyond-reach", power.name, text, f"out of its reach: {', '.join(missing[:8])}")


def reachable(variant: Variant, rules: Rules, power: str) -> set[str]:
    """Provinces that a power's units could come to if nobody hindered them, those it may yet build included."""
    board, start = variant.board, variant.start
    standing = {(unit.kind, board.location_index[unit.at]) for unit in start.of(power)}
    seen: set[tuple[str, int]] = set()
    while True:
        seen |= _walked(board, power, standing)
        mine = {board.provinces[board.place[location]].id for _, location in seen}
        owned = {key: power for key in {*mine, *start.centres(power)} if board.province(key).centre}
        more = set(_built(rules, power, Position(owners=owned, state=start.state))) - seen
        if not more:
            return mine
        standing = more


def _built(rules: Rules, power: str, position: Position) -> Iterator[tuple[str, int]]:
    """What the power could build if it owned all this, each kind wherever it can stand."""
    board = rules.board
    for province, kinds in build_sites(rules, position, power).items():
        for location in board.locations_of(board.index[province]):
            for kind in kinds.intersection(board.kinds):
                if board.can_stand(kind, board.locations[location]):
                    yield kind, location


def _walked(board: Board, power: str, begun: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
    """Kinds of unit and locations that can be come to from these, by steps and by convoys of whoever may help."""
    seen, ring = set(begun), list(begun)
    while ring:
        kind, here = ring.pop()
        ahead = [to for locations in board.reach(kind, here).values() for to in locations]
        ahead = [to for to in ahead if not (board.restricted and board.barred(power, kind, here, to))]
        if board.ways[kind] == "army":
            ahead += [board.locations_of(p)[0] for p in _across(board, board.place[here])]
        found = {(kind, to) for to in ahead} | {(other, here) for other in _forms(board, kind, here)}
        ring += found - seen
        seen |= found
    return seen


def _forms(board: Board, kind: str, here: int) -> Iterator[str]:
    """What a unit may become where it is: with a boat a party afloat, and ashore a party again."""
    if kind in board.forms and board.can_stand(board.base(kind), board.locations[here]):
        yield board.base(kind)
    yield from (form for form, told in board.forms.items() if told.base == kind and board.reach(form, here))


def _across(board: Board, shore: int) -> set[int]:
    """Shores that a chain of fleets could carry an army to."""
    waters, ring = set(board.waters[shore]), list(board.waters[shore])
    touched: set[int] = set()
    while ring:
        for place in board.shores[ring.pop()]:
            if board.carries[place] and place not in waters:
                waters.add(place)
                ring.append(place)
            if board.provinces[place].land:
                touched.add(place)
    return touched
