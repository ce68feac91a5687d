"""The board and the choices of some rules as numbers, for the engine.

`rules.derive` makes each table once: `rules.derive(seas)`.
"""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.engine.choices import (
    ALWAYS_BY_SEA,
    BY_INTENT,
    EXPLICIT,
    IN_KERNEL,
    INTENT_OR_LAND,
    INTENT_OR_SWAP,
    OF_1971,
    OF_1982,
    OF_2000,
    WHEN_SWAPPING,
)
from gamesmaster.engine.convoys import Seas
from gamesmaster.engine.groups import end_to_end
from gamesmaster.engine.rows import ALL_HOLD, ALWAYS, NEVER, SZYKMAN, UNLESS_HEAD_ON
from gamesmaster.engine.winter import BoardGraph
from gamesmaster.rules.rules import Rules

CONTESTS = {"never_in_head_to_head": UNLESS_HEAD_ON, "never": NEVER, "always": ALWAYS}
ADJACENTS = {
    "by_intent": BY_INTENT,
    "by_intent_or_land": INTENT_OR_LAND,
    "by_intent_or_own_swap": INTENT_OR_SWAP,
    "when_swapping": WHEN_SWAPPING,
    "explicit_via": EXPLICIT,
    "always_by_convoy": ALWAYS_BY_SEA,
}
PARADOXES = {"szykman": IN_KERNEL, "all_hold": IN_KERNEL, "1971": OF_1971, "1982": OF_1982, "2000": OF_2000}


def choices(rules: Rules) -> list[int]:
    """Return the choices of these rules, by `CONTEST` to `ORIGIN_BARRED`; `rules.derive(choices)` remembers them."""
    book = rules.rulebook
    return [
        CONTESTS[book.dislodged_still_contests],
        ALL_HOLD if book.convoy_paradox == "all_hold" else SZYKMAN,
        ADJACENTS[book.adjacent_convoy],
        PARADOXES[book.convoy_paradox],
        int(book.multi_route_convoy == "every_route_must_survive"),
        int(book.retreat_to_convoy_origin == "forbidden"),
    ]


def sorts_of(rules: Rules) -> dict[str, int]:
    """Return the kinds of unit by number; `rules.derive(sorts_of)` remembers them."""
    return {kind: number for number, kind in enumerate(rules.board.ways)}


def goal_of(rules: Rules, kind: str, at: Location) -> int:
    """Return a kind of unit at a location, as a number."""
    return rules.derive(sorts_of)[kind] * len(rules.board.locations) + rules.board.location_index[at]


def board_graph(rules: Rules) -> BoardGraph:
    """Return the board of these rules; `rules.derive(ground)` remembers it."""
    centre = [int(province.centre) for province in rules.board.provinces]
    return BoardGraph(centre, *end_to_end(list(map(sorted, rules.board.neighbours))))


def seas(rules: Rules) -> Seas:
    """Return the convoying waters of a board; `rules.derive(seas)` remembers them."""
    board = rules.board
    near, shores = [sorted(waters) for waters in board.waters], [sorted(shores) for shores in board.shores]
    return Seas(*end_to_end(near), board.link, *end_to_end(shores))
