"""Weak borders: rivers, straits and passes over which a unit attacks with half its strength.

Half a unit enters an empty place, but is beaten there by any whole one; two halves bounce off each other.  With one
support it is stronger than a unit alone (1.5 against 1).  It cuts support as any attack does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Finding
from gamesmaster.board.lint_finding import error
from gamesmaster.judge import BoardMechanic, MovementMechanic, Rules
from gamesmaster.judge.binding import Bound
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import CARRIED, MOVE, NOWAY, SUPPORT, Rows
from gamesmaster.mechanics.registry import mechanic


@mechanic("weak-borders")
@dataclass(frozen=True)
class WeakBorders(BoardMechanic, MovementMechanic):
    """A move over one of `edges` attacks with half a unit's strength, and `supports` over it count `half` or `full`.

    Edges hold both ways, for units of the kinds in `only`, or of all.  An army that is convoyed crosses no border.
    """

    edges: tuple[tuple[str, str], ...]
    supports: Literal["half", "full"] = "half"
    only: tuple[str, ...] = ()

    several: ClassVar[bool] = True
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"edges": "province", "only": "kind"}
    )

    def lint(self, rules: Rules, seasons: Sequence[str]) -> Iterator[Finding]:
        """Borders that are none."""
        near, index = rules.board.neighbours, rules.board.index
        for a, b in self.edges:
            if index[b] not in near[index[a]]:
                hint = f"neighbours are {', '.join(sorted(rules.board.provinces[n].id for n in near[index[a]])[:12])}"
                yield error("no-border", f"mechanics {self.id}", f"{a} and {b} are not neighbours", hint)

    def adjust_problem(self, field: Field, bound: Bound, rows: Rows) -> None:
        """Halve the weight of these moves and supports."""
        index = field.board.index
        weak = {(index[x], index[y]) for a, b in self.edges for x, y in ((a, b), (b, a))}
        counted = (MOVE, SUPPORT) if self.supports == "half" else (MOVE,)
        for row in range(1, len(rows.kind)):
            if rows.kind[row] not in counted or (rows.at[row], rows.to[row]) not in weak:
                continue
            carried = rows.flags[row] & (CARRIED | NOWAY)
            if not carried and (not self.only or field.board.base(field.kind(row)) in self.only):
                rows.force[row] //= 2
