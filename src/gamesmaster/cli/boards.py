"""Commands about variants and boards: list, lint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import AsJson, say_findings, say_json, table

if TYPE_CHECKING:
    from gamesmaster.board import Finding


def variants(as_json: AsJson = False) -> None:
    """List the variants that can be played.

    For example:

      gamesmaster variants
    """
    from gamesmaster.variant import find_variant, variant_names

    found = [find_variant(name) for name in variant_names()]
    if as_json:
        say_json([{"id": v.id, "name": v.name, "powers": [p.name for p in v.powers]} for v in found])
        return
    rows = [(v.id, v.name, len(v.powers), v.victory.centres, v.calendar.name(v.calendar.first)) for v in found]
    table(("id", "name", "powers", "centres to win", "begins"), rows)


def lint(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A variant's or a board's folder, a board.json, or the name of a variant or board.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Look for what is probably wrong with a board or a variant: one-way edges, lost coasts, clashing names.

    A folder with a board.toml is built first. Shapes are compared with the edges: provinces that touch on the map
    without a border, and the reverse. The exit code is 1 if there is an error; a warning may be intended.

    For example:

      gamesmaster board lint my_variant/
      gamesmaster board lint my_variant/board.json
      gamesmaster board lint my_island
    """
    say_findings(_findings(path), as_json=as_json)


def _findings(text: str) -> list[Finding]:
    """All that is found in a folder to build from, a variant or a board, errors first."""
    from gamesmaster.board import lint as lint_board
    from gamesmaster.cli.board_build import built
    from gamesmaster.cli.board_source import SOURCE, VARIANT, BoardSource, board_source
    from gamesmaster.pictures import lint_shapes
    from gamesmaster.variant import lint_variant

    folder = Path(text)
    made = None
    if (folder / SOURCE).exists() and not (folder / VARIANT).exists():
        made = built(folder)
        source = BoardSource(folder.name, made.board)
    else:
        source = board_source(text)
    found = lint_variant(source.variant) if source.variant else lint_board(source.board)
    if made or source.has_shapes:
        found = [*found, *lint_shapes(source.board, made.shapes if made else source.shapes())]
    return sorted(found, key=lambda finding: finding.level)
