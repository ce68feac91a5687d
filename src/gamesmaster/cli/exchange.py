"""Other programs' files: `import` reads maps and games, `export` writes them, `formats` lists the forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import Boards, finder
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json
from gamesmaster.errors import GamesmasterError, OutOfTurn

if TYPE_CHECKING:
    from gamesmaster.formats import Imported, ImportedGame


def import_(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Maps or games of other programs.", show_default=False)
    ],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write them.", show_default=False)
    ],
    boards: Boards = None,
    only: Annotated[str, typer.Option("--only", metavar="NAME", help="Of a pack, this variant alone.")] = "",
    as_json: AsJson = False,
) -> None:
    """Import maps of other programs as variants, and their games as games that can be reported and continued.

    The form of a file is recognised by its content; gamesmaster formats lists the forms that are known. Remarks say
    what was not carried over, what was left out, and what was derived; they also stand at the top of variant.toml.
    Nothing is dropped without one.

    A pack may have several variants, in a file, a zip or a folder of packs; with --only NAME one of them is imported. A
    single variant becomes FOLDER itself. Several variants, or a FOLDER that holds something already or whose name
    cannot be the id of a variant, get folders of their own in FOLDER.

    A game becomes a file in FOLDER. It is adjudicated again: each difference from the record is named with its phase
    and rule, and the recorded positions stand. Its board is one of this program, a map in --boards or beside the game,
    or one of an installed PyPI diplomacy. Result mails of a game, or a folder of them, belong together.

    A file that cannot be imported is named with its fault, the others are imported, and the exit code is 1.

    For example:

      gamesmaster import ancmed.map -o ancmed
      gamesmaster import maps/*.map pack/variants.xml -o imported
      gamesmaster import stdVariants.zip --only "Fleet Rome" -o fleet_rome
      gamesmaster import games.jsonl --boards maps -o games
      gamesmaster variant lint ancmed
      gamesmaster new game.json --variant ancmed
    """
    from gamesmaster.formats import games_in, import_games, import_variants, packs_in

    made: list[Imported] = []
    rows: list[dict[str, object]] = []
    new_file = _new_files(folder)
    failed = False
    kind = cache(games_in)
    mails = [file for file in files if kind(file) == "mails"]
    others = (pack for file in files if file not in mails for pack in ([file] if only else packs_in(file)))
    for group in (*([file] for file in others), *([mails] if mails else [])):
        try:
            if kind(group[0]):
                for game in import_games(*group, find=finder(boards), folders=[boards] if boards else []):
                    rows.append(_keep(game, new_file))
                    _say_game(rows[-1], as_json=as_json)
            else:
                made += import_variants(group[0], only)
        except GamesmasterError as fault:
            complain("error", str(fault))
            failed = True
    _write(made, folder, rows, as_json=as_json)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _write(made: Sequence[Imported], folder: Path, games: Sequence[dict[str, object]], *, as_json: bool) -> None:
    """Write variants to folders and tell about each, as JSON together with the summaries of `games`.

    Raises `OutOfTurn` if there is something in one of the folders, before anything is written.
    """
    written = _places(made, folder)
    for _, path in written:
        if path.exists() and any(path.iterdir()):
            raise OutOfTurn(f"{path} exists already", hint="choose another folder, or empty it first")
    for one, path in written:
        one.write(path)
    if as_json:
        say_json([
            *({"file": one.source, "form": one.form, "id": path.name, "folder": str(path),
               "remarks": list(one.remarks)} for one, path in written),
            *games,
        ])  # fmt: skip
    else:
        for one, path in written:
            variant = one.variant
            facts = f"{many(len(variant.powers), 'power')}, {many(len(variant.board.provinces), 'province')}"
            say(f"{path}: {variant.name} from {one.source} ({one.form}), {facts}.")
            for remark in one.remarks:
                say(f"  {remark}")


def _new_files(folder: Path) -> Callable[[str], Path]:
    """Return a function that returns a new file of a folder for each name, with the next number for one used before."""
    of_name = cache(lambda name: (folder / f"{name}{f'-{number}' if number else ''}.json" for number in count()))

    def new_file(name: str) -> Path:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:60].strip("-") or "game"
        return next(path for path in of_name(plain) if not path.exists())

    return new_file


def _keep(made: ImportedGame, new_file: Callable[[str], Path]) -> dict[str, object]:
    """Write a game to a new file, and return a summary of it."""
    from gamesmaster.files import write_whole
    from gamesmaster.game import dumps

    path = new_file(made.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, dumps(made.game).encode(), private=True)  # as it holds a seed
    return {
        "file": made.source,
        "form": made.form,
        "game": str(path),
        "variant": made.game.variant.id,
        "phases": len(made.game.records),
        "differences": {phase: list(told) for phase, told in made.differences.items()},
        "remarks": list(made.remarks),
    }


def _say_game(row: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        return
    differing = row["differences"]
    told = f"{many(len(differing), 'phase')} adjudicated differently" if differing else "all adjudicated alike"
    say(
        f"{row['game']}: {many(row['phases'], 'phase')} of {row['variant']} from {row['file']} ({row['form']}), {told}."
    )
    for phase, texts in differing.items():
        for text in texts:
            say(f"  {phase}, {text}")
    for remark in row["remarks"]:
        say(f"  {remark}")


def _places(made: Sequence[Imported], folder: Path) -> list[tuple[Imported, Path]]:
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


def export(
    what: Annotated[
        str, typer.Argument(metavar="GAME|VARIANT", help="A game's file, or a variant.", show_default=False)
    ],
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="The id of a form.", show_default=False)],
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write the files.", show_default=False)
    ] = Path(),
    viewer: Annotated[
        str, typer.Option("--power", metavar="POWER", help="Of a game that goes on: the power that sees it.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Write a game or a variant in the form of another program.

    Forms for games are saved-game and json-lines, for variants dotmap, dvar and jdip. What such files do not hold is
    said, and our own form is written beside them, which loses nothing. A game that goes on is written as everybody may
    see it, or as the power of --power may: with its own orders, and nobody else's.

    For example:

      gamesmaster export winter.json --format saved-game -o out
      gamesmaster export cline9 --format dotmap -o maps
    """
    from gamesmaster import formats
    from gamesmaster.cli.arguments import find_variant_or_folder, open_game

    path = Path(what)
    if path.is_file() and b'"commitment"' in path.read_bytes():
        made = formats.export(open_game(path), form, viewer=viewer, name=path.stem)
    else:
        made = formats.export(find_variant_or_folder(what), form)
    made.write(folder)
    if as_json:
        say_json({"form": made.form, "files": [str(folder / name) for name in made.files], "lost": made.lost})
        return
    for name in made.files:
        say(f"{folder / name}")
    for text in made.lost:
        say(f"  {text}")


def formats(as_json: AsJson = False) -> None:
    """List the forms of other programs' files that gamesmaster import reads and gamesmaster export writes.

    For each form: what such files are called, whether it is read or written, and what becomes of the contents: what is
    carried over, what is derived because the file does not say it, and what is lost.

    For example:

      gamesmaster formats
    """
    from gamesmaster.formats import known_forms

    rows = [{key: text.replace("`", "") for key, text in form.words.items()} for form in known_forms()]
    if as_json:
        say_json(rows)
        return
    for row in rows:
        say(f"{row['id']}: {row['name']} ({row['files']}), {row['use']}")
        for word, key in (("carried over", "carried"), ("derived", "derived"), ("lost", "lost")):
            say(f"  {word}: {row[key]}")
