"""Custom boards: `board new` starts a folder, `board build` makes its board, `board draw` a diagram, `lint` looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.console import AsJson, ExitCode, complain, many, progress_bar, say, say_findings
from gamesmaster.cli.variants.board import BOARD, SHAPES, SOURCE, VARIANT, BoardSource, board_source
from gamesmaster.errors import GamesmasterError, NotFound, OutOfTurn, install
from gamesmaster.files import write_folder, write_whole

if TYPE_CHECKING:
    from gamesmaster.atlas import Built
    from gamesmaster.board import Board, Finding

LONGEST_NAME = 80
MOST_CHANGES = 40  # lines about borders that came or went


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The board's name; by default that of the folder.")
    ] = None,
) -> None:
    """Start a board of your own: a folder with an example that can be built, drawn and changed at once.

    The example is a small realm of three powers, with a split coast, an isle and a ford.

    For example:

      gamesmaster board new my_island
      gamesmaster board new my_island --name "The Island"
    """
    example = Path(str(files("gamesmaster.cli.variants"))) / "board_templates" / "island"
    source, title = sorted(path for path in example.iterdir() if path.is_file()), title_of(folder, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutOfTurn(f"{folder} exists already", hint="choose another name, or empty it first")
    quoted = json.dumps(title, ensure_ascii=False)

    def fill(path: Path) -> bytes:
        return path.read_text(encoding="utf-8").replace("{{name}}", quoted).replace("{{title}}", title).encode()

    write_folder(folder, {path.name: fill(path) for path in source})
    say(f"{folder}: {title}, a board to begin with.")
    for path in source:
        say(f"  {path.name}")
    say(f"Next: gamesmaster board build {folder}")


def title_of(folder: Path, name: str | None) -> str:
    """Return the given name, or that of the folder written as a title."""
    if name is None:
        words = folder.resolve().name.replace("_", " ").replace("-", " ").strip()
        name = (words[:1].upper() + words[1:])[:LONGEST_NAME].strip() or "Board"
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise typer.BadParameter(f"1 to {LONGEST_NAME} printable characters are allowed", param_hint="--name")
    return name


# -- `board draw` ----------------------------------------------------------------------------------------------------


def draw(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a board or a variant.")],
    force: Annotated[bool, typer.Option("--force", help="Draw it anew, in place of the map that is there.")] = False,
) -> None:
    """Draw a map of a board that has none, from its borders alone: a diagram, not geography.

    It writes shapes.json beside board.json. Two provinces touch exactly where they are neighbours; what no plane can
    hold is drawn as a line. Maps, the site and the linter then use it like any other map.

    For example:

      gamesmaster import ancmed.map -o ancmed
      gamesmaster board draw ancmed
      gamesmaster map ancmed -o ancmed.svg
    """
    from gamesmaster.pictures import lint_shapes, shapes_text

    source = board_source(str(folder))
    if source.folder is None or source.folder.resolve() != folder.resolve():
        raise NotFound(f"no board of its own in {folder}", hint="name the folder that has the board.json")
    if source.has_shapes and not force:
        raise OutOfTurn(f"{folder / SHAPES} exists already", hint="draw another in its place with --force")
    try:
        from gamesmaster.atlas import draw_diagram
    except ImportError as missing:
        raise _without_atlas(missing) from None
    shapes = draw_diagram(source.board)
    write_whole(folder / SHAPES, shapes_text(shapes).encode())
    if crowded := sum(finding.level == "error" for finding in lint_shapes(source.board, shapes)):
        complain("warning", f"{many(crowded, 'sign')} found no room (gamesmaster variant lint {folder} lists them)")
    say(f"{folder / SHAPES}: {_summary(source.board)}")


# -- `board build` ---------------------------------------------------------------------------------------------------


def build(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The board's folder, as `board new` starts one.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Where to write; FOLDER by default.")
    ] = None,
    preview: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the empty board too.")] = None,
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
    from gamesmaster.board import board_text
    from gamesmaster.cli.variants.map_subject import empty_map
    from gamesmaster.pictures import shapes_text

    if preview and preview.suffix.casefold() != ".svg":
        raise typer.BadParameter("a preview is an SVG: FILE.svg", param_hint="--preview")
    made, target = build_folder(folder), out or folder
    for remark in made.remarks:
        complain("note", remark)
    texts = {BOARD: board_text(made.board), SHAPES: shapes_text(made.shapes)}
    changes = _changes(target / BOARD, made.board)
    if check:
        there = {name: target / name for name in texts if (target / name).is_file()}
        stale = [name for name, text in texts.items() if name not in there or there[name].read_bytes() != text.encode()]
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
        write_whole(preview, empty_map(made.board, made.shapes).encode())
        say(f"{preview}: the empty board")


def build_folder(folder: Path) -> Built:
    """Return the board that a folder makes, with a bar meanwhile; raises what `gamesmaster.atlas.build` raises."""
    try:
        from gamesmaster.atlas import build as make
        from gamesmaster.atlas import read_folder
    except ImportError as missing:
        raise _without_atlas(missing) from None
    source = read_folder(folder)
    with progress_bar() as tell:
        return make(source, progress=tell)


def _without_atlas(missing: ImportError) -> Exception:
    """Return the error for a missing library; a missing module of our own is returned unchanged."""
    if (missing.name or "").partition(".")[0] == "gamesmaster":
        return missing
    return GamesmasterError("making boards needs libraries that are not installed", hint=install("atlas"))


def _summary(board: Board) -> str:
    borders = len({frozenset((e.a.province, e.b.province)) for e in board.edges})
    return f"{many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}, {many(borders, 'border')}"


# -- what changed since the last build -------------------------------------------------------------------------------


def _changes(old: Path, board: Board) -> list[str]:
    """Return the differences from an old board file; empty if it is missing."""
    from gamesmaster.board import read_board

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
    """Return whether this step represents a pair: it is the first by the alphabet, or the only one."""
    return a < b or (way, b, a) not in edges


def _say_changes(changes: list[str]) -> None:
    for line in changes[:MOST_CHANGES]:
        say(line)
    if len(changes) > MOST_CHANGES:
        say(f"... and {many(len(changes) - MOST_CHANGES, 'change')} more")


# -- `board lint` ----------------------------------------------------------------------------------------------------


def lint(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A variant's or a board's folder, a board.json, or the name of a variant or board."
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
    """Return all findings on a folder of sources, a variant or a board, errors first."""
    from gamesmaster.board import lint as lint_board
    from gamesmaster.pictures import lint_shapes
    from gamesmaster.variant import lint_variant

    folder = Path(text)
    made = None
    if (folder / SOURCE).exists() and not (folder / VARIANT).exists():
        made = build_folder(folder)
        source = BoardSource(folder.name, made.board)
    else:
        source = board_source(text)
    found = lint_variant(source.variant) if source.variant else lint_board(source.board)
    if made or source.has_shapes:
        found = [*found, *lint_shapes(source.board, made.shapes if made else source.shapes())]
    return sorted(found, key=lambda finding: finding.level)
