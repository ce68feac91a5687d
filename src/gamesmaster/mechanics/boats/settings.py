"""What a variant says of its boats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class BoatSettings:
    """Units of one `kind` build and use boats; afloat they are of the kind `form`.

    `words` are the words for a boat, the first as orders are printed; `called` are words for the unit afloat.
    `build_at` says where they may be built: provinces that touch water, or all land.  `builders` are the powers that
    build them, empty for all.  A unit takes up to `carry` with it.  `named` boats keep the name of the power that built
    them, and of those there are at most `limit` at a time for each power (0 for any number).  `into_occupied` says
    whether a boat may be sent to a place where somebody is when the season begins.  `sign` is the unit afloat on maps.
    """

    kind: str
    form: str
    words: tuple[str, ...]
    called: tuple[str, ...] = ()
    build_at: Literal["coast", "land"] = "coast"
    builders: tuple[str, ...] = ()
    carry: int = 1
    named: bool = False
    limit: int = 0
    into_occupied: bool = True
    sign: Literal["army-afloat", "party-afloat"] = "army-afloat"

    def __post_init__(self) -> None:
        if not self.words:
            raise ValueError("at least one word for a boat is needed")
        if self.form == self.kind:
            raise ValueError("a unit afloat needs a kind of its own")
        if not 1 <= self.carry <= 20:
            raise ValueError("a unit carries 1 to 20 boats")
        if not 0 <= self.limit <= 100:
            raise ValueError("the limit is 0 to 100 boats")
        if self.limit and not self.named:
            raise ValueError("a limit for each builder needs boats that are named")
