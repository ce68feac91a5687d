"""Other programs' files: `import` reads their maps, `formats` lists the forms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json
from gamesmaster.errors import GamesmasterError, OutOfTurn

if TYPE_CHECKING:
    from gamesmaster.formats import Imported


def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Maps of other programs.", show_default=False)],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write them.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Import maps of other programs as variants that can be linted, played and changed at once.

    The form of a file is recognised by its content; gamesmaster formats lists the forms that are known. Remarks say
    what was not carried over, what was left out, and what was derived; they also stand at the top of variant.toml.
    Nothing is dropped without one.

    A single variant becomes FOLDER itself. Several variants, or a FOLDER that holds something already or whose name
    cannot be the id of a variant, get folders of their own in FOLDER. A file that cannot be imported is named with its
    fault, the others are imported, and the exit code is 1.

    For example:

      gamesmaster import ancmed.map -o ancmed
      gamesmaster import maps/*.map pack/variants.xml -o imported
      gamesmaster variant lint ancmed
      gamesmaster new game.json --variant ancmed
    """
    from gamesmaster.formats import import_variants

    made: list[Imported] = []
    failed = False
    for file in files:
        try:
            made += import_variants(file)
        except GamesmasterError as fault:
            complain("error", str(fault))
            failed = True
    written = _places(made, folder)
    for _, path in written:
        if path.exists() and any(path.iterdir()):
            raise OutOfTurn(f"{path} exists already", hint="choose another folder, or empty it first")
    for one, path in written:
        one.write(path)
    if as_json:
        say_json([
            {"file": one.source, "form": one.form, "id": path.name, "folder": str(path), "remarks": list(one.remarks)}
            for one, path in written
        ])  # fmt: skip
    else:
        for one, path in written:
            _say(one, path)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _places(made: list[Imported], folder: Path) -> list[tuple[Imported, Path]]:
    """Return the folder of each variant: `folder` itself for a single one, else one in it by its id."""
    from gamesmaster.formats import is_id

    free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if len(made) == 1 and free and is_id(folder.resolve().name):
        return [(made[0], folder)]
    placed: dict[Path, Imported] = {}
    for one in made:
        name, number = one.variant.id, 2
        while (path := folder / name) in placed:
            name, number = f"{one.variant.id[:28]}_{number}", number + 1
        placed[path] = one
    return [(one, path) for path, one in placed.items()]


def _say(one: Imported, path: Path) -> None:
    variant = one.variant
    facts = [many(len(variant.powers), "power"), many(len(variant.board.provinces), "province")]
    say(f"{path}: {variant.name} from {one.source} ({one.form}), {', '.join(facts)}.")
    for remark in one.remarks:
        say(f"  {remark}")


def formats(as_json: AsJson = False) -> None:
    """List the forms of other programs' maps that gamesmaster import reads, and what becomes of their contents.

    For each form: what such files are called, what is carried over, what is derived because the file does not say it,
    and what is lost. gamesmaster replay reads saved games of PyPI diplomacy.

    For example:

      gamesmaster formats
    """
    from dataclasses import asdict

    from gamesmaster.formats import FORMS

    if as_json:
        say_json([asdict(form) for form in FORMS])
        return
    for form in FORMS:
        say(f"{form.id}: {form.name} ({form.files})")
        for word, text in (("carried over", form.carried), ("derived", form.derived), ("lost", form.lost)):
            say(f"  {word}: {text}")
