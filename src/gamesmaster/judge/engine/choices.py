"""The rulebook's choices that rules over columns ask for, as small integers.

They are what makes a difference to orders that are all legal and written in full; what a text may leave out or get
wrong is settled before there are columns.
"""

from __future__ import annotations

from gamesmaster.judge.engine.kernel import ALL_HOLD, ALWAYS, NEVER, SZYKMAN, UNLESS_HEAD_ON
from gamesmaster.judge.rules import Rules

CONTEST, KNOT, ADJACENT, PARADOX, EVERY_ROUTE, ORIGIN_BARRED = range(6)
"""Places in the list that `choices` gives."""

CONTESTS = {"never_in_head_to_head": UNLESS_HEAD_ON, "never": NEVER, "always": ALWAYS}

BY_INTENT, INTENT_OR_LAND, INTENT_OR_SWAP, WHEN_SWAPPING, EXPLICIT, ALWAYS_BY_SEA = range(6)
ADJACENTS = {
    "by_intent": BY_INTENT,
    "by_intent_or_land": INTENT_OR_LAND,
    "by_intent_or_own_swap": INTENT_OR_SWAP,
    "when_swapping": WHEN_SWAPPING,
    "explicit_via": EXPLICIT,
    "always_by_convoy": ALWAYS_BY_SEA,
}

IN_KERNEL, OF_1971, OF_1982, OF_2000 = range(4)
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
