"""`board new`: a folder from which a designer's board is made."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gamesmaster.cli.console import say

LONGEST_NAME = 80


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.", show_default=False)],
    template: Annotated[str, typer.Option(metavar="NAME", help="What to begin with.")] = "island",
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The board's name; by default that of the folder.", show_default=False),
    ] = None,
) -> None:
    """Start a board of your own: a folder with an example that can be built, drawn and changed at once.

    The template `island` is a small realm of three powers, with a split coast, an isle and a ford.

    For example:

      gamesmaster board new my_island
      gamesmaster board new my_island --name "The Island"
    """
    from gamesmaster.errors import OutOfTurn
    from gamesmaster.files import write_folder

    source, title = _template(template), title_of(folder, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutOfTurn(f"{folder} exists already", hint="choose another name, or empty it first")
    quoted = json.dumps(title, ensure_ascii=False)

    def filled(path: Path) -> bytes:
        return path.read_text(encoding="utf-8").replace("{{name}}", quoted).replace("{{title}}", title).encode()

    write_folder(folder, {path.name: filled(path) for path in source})
    say(f"{folder}: {title}, from the template {template}.")
    for path in source:
        say(f"  {path.name}")
    say(f"Next: gamesmaster board build {folder}")


def _template(name: str) -> list[Path]:
    """The files of a template; raises `NotFound` with the nearest."""
    from gamesmaster.errors import NotFound, nearest

    shelf = Path(str(files("gamesmaster.cli"))) / "board_templates"
    known = sorted(path.name for path in shelf.iterdir() if path.is_dir())
    if name not in known:
        hint = nearest(name, known) or f"templates are {', '.join(known)}"
        raise NotFound(f"no template {name[:80]!r}", hint=hint)
    return sorted(path for path in (shelf / name).iterdir() if path.is_file())


def title_of(folder: Path, name: str | None) -> str:
    """The name that a thing is given, or that of its folder written as a title."""
    if name is None:
        words = folder.resolve().name.replace("_", " ").replace("-", " ").strip()
        name = (words[:1].upper() + words[1:])[:LONGEST_NAME].strip() or "Board"
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise typer.BadParameter(f"1 to {LONGEST_NAME} printable characters are allowed", param_hint="--name")
    return name
