"""`variant lint`: everything that is wrong with a variant, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import AsJson, say_findings

if TYPE_CHECKING:
    from gamesmaster.board import Finding

VARIANT, SHAPES, RULES = "variant.toml", "shapes.json", "RULES.md"


def lint(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A variant's folder, or its name.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Look for everything that is wrong with a variant: files, powers, start, calendar, victory, mechanics, board, map.

    It reports all faults, not only the first, each with its file, its key and a suggestion. The exit code is 1 if
    there is an error; a warning may be intended.

    For example:

      gamesmaster variant lint my_game
      gamesmaster variant lint standard
    """
    from gamesmaster.cli.arguments import variant_named
    from gamesmaster.variant import lint_folder, lint_variant

    folder = Path(variant)
    found = [*lint_folder(folder), *_of_files(folder)] if folder.is_dir() else lint_variant(variant_named(variant))
    say_findings(sorted(found, key=lambda finding: finding.level), as_json=as_json)


def _of_files(folder: Path) -> list[Finding]:
    """What is wrong with the files beside `variant.toml`: the rules for players, and the map."""
    from gamesmaster.board.lint_finding import error, warning
    from gamesmaster.errors import GamesmasterError, NotFound
    from gamesmaster.pictures import lint_shapes
    from gamesmaster.pictures.shapes.places import shapes_of
    from gamesmaster.variant import read_rules_text, read_variant

    found: list[Finding] = []
    try:
        read_rules_text(folder)
    except NotFound:
        found.append(warning("no-rules", folder / RULES, "there are no rules for players to read"))
    except GamesmasterError as fault:
        found.append(error("bad-rules", fault.where, fault.what, fault.hint))
    try:
        played = read_variant(folder)
    except GamesmasterError:
        return found  # told already; the map is looked at when the rest can be read
    try:
        found += lint_shapes(played.board, shapes_of(played, folder))
    except NotFound:
        found.append(warning("no-map", folder / SHAPES, "there is no map", "gamesmaster board build makes one"))
    except GamesmasterError as fault:
        found.append(error("bad-map", fault.where, fault.what, fault.hint))
    return found
