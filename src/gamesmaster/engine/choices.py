"""The rulebook's choices that rules over columns ask for, as small integers.

They are what makes a difference to orders that are all legal and written in full; what a text may leave out or get
wrong is settled before there are columns.
"""

from __future__ import annotations

CONTEST, KNOT, ADJACENT, PARADOX, EVERY_ROUTE, ORIGIN_BARRED = range(6)
"""Places in the list that `choices` gives."""


BY_INTENT, INTENT_OR_LAND, INTENT_OR_SWAP, WHEN_SWAPPING, EXPLICIT, ALWAYS_BY_SEA = range(6)

IN_KERNEL, OF_1971, OF_1982, OF_2000 = range(4)
