"""The linter: what is probably wrong with a board that can be read.

Most slips in a new map are in its borders and its names: an edge that leads one way only, a coast on the wrong sea, two
provinces that answer to one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gamesmaster.board.lint_edges import lint_edges
from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.board.lint_names import lint_names
from gamesmaster.board.model import Board, Terrain


def lint(board: Board, powers: Mapping[str, Iterable[str]] | None = None, victory: int | None = None) -> list[Finding]:
    """Everything suspicious about a board, errors first.

    `powers` are the names of the powers, each with other words for it, and `victory` the number of centres that wins;
    what is not given is not checked.
    """
    found = [*_centres(board, victory), *lint_edges(board), *lint_names(board, powers or {})]
    return sorted(found, key=lambda finding: finding.level)


def _centres(board: Board, victory: int | None) -> Iterator[Finding]:
    total = len(board.centres)
    if not total:
        yield error("no-centres", "", "the board has no supply centre")
    for key in board.centres:
        if board.province(key).terrain in (Terrain.SEA, Terrain.BOX):
            yield warning("centre-at-sea", key, "a supply centre that no army can take")
    if victory is not None and victory > total:
        yield error("victory-out-of-reach", "", f"{victory} centres win, but there are only {total}")
    elif victory is not None and 2 * victory <= total:
        yield warning("shared-victory", "", f"{victory} of {total} centres win: two powers can get there at once")
