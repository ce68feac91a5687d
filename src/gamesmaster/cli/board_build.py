"""`board build`: from a designer's folder to `board.json` and `shapes.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.board_source import BOARD
from gamesmaster.cli.console import ExitCode, complain, many, progress_bar, say

if TYPE_CHECKING:
    from gamesmaster.atlas import Built
    from gamesmaster.board import Board

SHAPES = "shapes.json"
MOST_CHANGES = 40  # lines about borders that came or went


def build(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="The board's folder, as `board new` starts one.", show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT", help="Where to write; FOLDER by default.", show_default=False),
    ] = None,
    preview: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the empty board too.", show_default=False)
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing, and fail if the files differ from what the folder makes.")
    ] = False,
) -> None:
    """Make a board: cut the coast into provinces, read off who borders whom, place units and names.

    It writes board.json, for the rules, and shapes.json, for pictures; the same folder makes the same files, byte by
    byte, on every machine. Borders that have appeared or disappeared since the last build are reported.

    For example:

      gamesmaster board build my_island
      gamesmaster board build my_island --preview my_island.svg
      gamesmaster board build my_island --check
    """
    from gamesmaster.files import write_folder, write_whole

    if preview and preview.suffix.casefold() != ".svg":
        raise typer.BadParameter("a preview is an SVG: FILE.svg", param_hint="--preview")
    made, target = built(folder), out or folder
    for remark in made.remarks:
        complain("note", remark)
    texts = _texts(made)
    changes = _changes(target / BOARD, made.board)
    if check:
        stale = [name for name, text in texts.items() if _bytes(target / name) != text.encode()]
        _say_changes(changes)
        for name in stale:
            complain("error", f"{target / name} is not what {folder} makes")
        if stale:
            raise typer.Exit(ExitCode.FAILED)
    else:
        write_folder(target, {name: text.encode() for name, text in texts.items()})
        _say_changes(changes)
    say(f"{target}: {_summary(made.board)}{', as written' if check else ''}")
    if preview:
        write_whole(preview, _drawn(made).encode())
        say(f"{preview}: the empty board")


def built(folder: Path) -> Built:
    """The board that a folder makes, with a bar meanwhile; raises what `gamesmaster.atlas.build` raises."""
    from gamesmaster.errors import GamesmasterError, install

    try:
        from gamesmaster.atlas import build as make
        from gamesmaster.atlas import read_folder
    except ImportError as missing:
        if (missing.name or "").partition(".")[0] == "gamesmaster":
            raise
        hint = install("atlas")
        raise GamesmasterError("making boards needs libraries that are not installed", hint=hint) from None
    source = read_folder(folder)
    with progress_bar() as tell:
        return make(source, progress=tell)


def _texts(made: Built) -> dict[str, str]:
    from gamesmaster.cli.board_text import board_text
    from gamesmaster.pictures import shapes_text

    return {BOARD: board_text(made.board), SHAPES: shapes_text(made.shapes)}


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _summary(board: Board) -> str:
    borders = len({frozenset((e.a.province, e.b.province)) for e in board.edges})
    return f"{many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}, {many(borders, 'border')}"


def _drawn(made: Built) -> str:
    from gamesmaster.cli.map_subject import empty_map

    return empty_map(made.board, made.shapes)


# -- what changed ----------------------------------------------------------------------------------------------------


def _changes(old: Path, board: Board) -> list[str]:
    """What came and went since a board file was written; nothing if there is none, or none that can be read."""
    from gamesmaster.board import read_board
    from gamesmaster.errors import GamesmasterError

    if not old.is_file():
        return []
    try:
        before = read_board(old)
    except GamesmasterError as fault:
        return [f"the old file could not be read: {fault}"]
    return [*_provinces(before, board), *_borders(before, board)]


def _provinces(before: Board, after: Board) -> Iterator[str]:
    old, new = ({p.id: p for p in board.provinces} for board in (before, after))
    yield from (f"+ province {new[key].name} ({key})" for key in new if key not in old)
    yield from (f"- province {old[key].name} ({key})" for key in old if key not in new)
    yield from (f"* province {new[key].name} ({key})" for key in new if key in old and new[key] != old[key])


def _borders(before: Board, after: Board) -> Iterator[str]:
    old, new = _edges(before), _edges(after)
    yield from (f"+ {way} {a} - {b}" for way, a, b in sorted(new.keys() - old.keys()) if _once(new, way, a, b))
    yield from (f"- {way} {a} - {b}" for way, a, b in sorted(old.keys() - new.keys()) if _once(old, way, a, b))
    changed = {key for key in new.keys() & old.keys() if new[key] != old[key]}
    yield from (f"* {way} {a} - {b}" for way, a, b in sorted(changed) if _once(new, way, a, b))


def _edges(board: Board) -> dict[tuple[str, str, str], Any]:
    return {(e.way, str(e.a), str(e.b)): (e.convoy, e.only, e.reason) for e in board.edges}


def _once(edges: dict[tuple[str, str, str], Any], way: str, a: str, b: str) -> bool:
    """Is this the step of a pair to tell of: the first by the alphabet, or the only one?"""
    return a < b or (way, b, a) not in edges


def _say_changes(changes: list[str]) -> None:
    for line in changes[:MOST_CHANGES]:
        say(line)
    if len(changes) > MOST_CHANGES:
        say(f"... and {many(len(changes) - MOST_CHANGES, 'change')} more")
