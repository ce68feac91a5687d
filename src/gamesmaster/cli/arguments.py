"""The arguments of the command line: options that commands share, and games, variants and provinces by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from gamesmaster.cli.console import complain, many
from gamesmaster.errors import BadOrder, NotFound, nearest

if TYPE_CHECKING:
    from gamesmaster.game import Difference, Game
    from gamesmaster.rules import Rulebook
    from gamesmaster.variant import Edition, Variant

GameFile = Annotated[Path, typer.Argument(metavar="FILE", help="The game's file.")]
Boards = Annotated[
    Path | None, typer.Option("--boards", metavar="DIR", help="A folder of boards and variants from elsewhere.")
]
RulebookText = Annotated[
    str | None,
    typer.Option(
        "--rulebook", metavar="CHOICES", help='A preset ("1971"), choices ("4.A.2=d"), or both ("1971,4.D.8=c").'
    ),
]
LastYear = Annotated[int | None, typer.Option(metavar="YEAR", help="The last year to play; 50 turns by default.")]
HouseRulesText = Annotated[
    str | None,
    typer.Option(
        "--house-rules", metavar="CHOICES", help='A preset ("postal-1972"), settings ("late_orders=strict"), or both.'
    ),
]

_PLAIN_NAME = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def complete_variant(incomplete: str) -> list[str]:
    """Return completions for the name of a variant: ids, and paths of folders and files."""
    from gamesmaster.variant import variant_names

    folder, stroke, begun = incomplete.rpartition("/")
    try:
        found = sorted(path.name for path in Path(folder or stroke or ".").iterdir())
    except OSError:  # no such folder, or a closed one
        found = []
    paths = [f"{folder}{stroke}{name}" for name in found if name.startswith(begun) and not name.startswith(".")]
    return [*(name for name in variant_names() if name.startswith(incomplete)), *paths]


VariantName = Annotated[
    str,
    typer.Argument(metavar="VARIANT", help="A variant's name, or the path of one.", autocompletion=complete_variant),
]


def finder(folder: Path | None) -> Callable[[str], Variant]:
    """Return a function that finds variants by name: in the package, then in a folder (`NAME/`, `NAME.json`)."""
    from gamesmaster.variant import find_edition, is_packaged, split_name, variant_names

    def find(name: str) -> Variant:
        plain, chosen = split_name(name)
        if not is_packaged(name) and folder and set(plain) <= _PLAIN_NAME:
            for path in (folder / plain, folder / f"{plain}.json"):
                if path.exists():
                    return variant_at(path, chosen)
        try:
            return find_edition(name)
        except NotFound as error:
            known = [*variant_names(), *(path.stem for path in sorted(folder.glob("*.json")))] if folder else []
            raise NotFound(error.what, hint=nearest(name, known) or error.hint) from None

    return find


def edition_reader(found: Edition, options: Mapping[str, str]) -> Variant:
    """Return the variant of the edition in a record: one of ours, or a board of another program."""
    from gamesmaster.formats import read_any_edition

    return read_any_edition(found, options)


def variant_at(path: Path, options: Mapping[str, str] | None = None) -> Variant:
    """Return the variant in a folder, with these choices of its options, or in a board file of another program."""
    if path.is_dir():
        from gamesmaster.variant import read_variant

        return read_variant(path, options)
    from gamesmaster.formats import read_foreign

    return read_foreign(path)


def find_variant_or_folder(text: str) -> Variant:
    """Return the variant that a user means: a name of the package's, or else a path; options follow in brackets."""
    from gamesmaster.variant import find_edition, is_packaged, split_name

    if is_packaged(text.partition("@")[0]):
        return find_edition(text)
    path = Path(text)
    plain, chosen = (text, {}) if path.exists() else split_name(text)
    path = Path(plain)
    if path.suffix == ".json" or path.is_dir():
        return variant_at(path, chosen)
    if path.is_file():
        raise unreadable_file(plain)
    return finder(None)(text)


def unreadable_file(name: str) -> NotFound:
    """Return the error for a file that exists, but has no form that is read here."""
    kinds = "expected a folder with a variant.toml or a board.json, or a board in JSON"
    return NotFound(f"{name[:200]!r} is there, but no board that is read here", hint=kinds)


def variant_beside(file: Path, text: str) -> Variant:
    """Return the variant for a game in a file: by its name, or from the folder in which the game will look for it.

    A board file of another program may lie anywhere: the record keeps its text.
    """
    folder = find_folder(text)
    if folder is None and Path(text).is_file():
        return find_variant_or_folder(text)
    if folder is None:
        return finder(file.parent)(text)
    found = find_variant_or_folder(text)
    wanted = file.parent / found.family
    if folder.resolve() != wanted.resolve():
        raise NotFound(f"{found.name} must lie beside the game's file: there is no {wanted}", hint=f"it is in {folder}")
    return found


def find_folder(text: str) -> Path | None:
    """Return the folder of a variant that is named by it; None for one of the package's."""
    from gamesmaster.variant import is_packaged, split_name

    if is_packaged(text):
        return None
    path = Path(text)
    path = path if path.exists() else Path(split_name(text)[0])
    return path if path.is_dir() else None


def open_game(file: Path) -> Game:
    """Return the game in a file after checking its record. Custom variants are beside the file, or in the record.

    If another program adjudicated and this one would rule differently, the published results stand, with a warning.
    """
    from gamesmaster.game import load

    return load(file, find=finder(file.parent), read=edition_reader, otherwise=lambda found: _warn(file, found))


def _warn(file: Path, found: Sequence[Difference]) -> None:
    phases = list(dict.fromkeys(one.phase for one in found))
    more = f" and {many(len(phases) - 1, 'other phase')}" if len(phases) > 1 else ""
    complain(
        "warning",
        f"{file}: this program judges {phases[0]}{more} differently now; the posted results stay "
        "valid "
        f"(gamesmaster upgrade --check {file} tells more; gamesmaster rollback {file} {phases[0]} judges it anew)",
    )


def change_game(file: Path, change: Callable[[Game], Game]) -> Game:
    """Change the game in a file, and return it changed."""
    from gamesmaster.game import update

    return update(file, change, find=finder(file.parent), read=edition_reader)


def rulebook_of(text: str | None) -> Rulebook | None:
    """Return the rulebook in an option: a preset, `field=answer` or `4.A.2=d`, joined by commas.

    Raises `BadRulebook` with the nearest valid text.
    """
    from gamesmaster.rules import Rulebook

    choices = read_choices(text)
    return None if choices is None else Rulebook.of(choices)


def read_choices(text: str | None) -> dict[str, object] | None:
    """Return a preset and choices, joined by commas: `1971,4.A.2=d`.  `Rulebook.of` and `HouseRules.of` read them."""
    if text is None:
        return None
    choices: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, answer = part.partition("=")
        choices[name.strip() if sign else "preset"] = answer.strip() if sign else name
    return choices


def find_power(game: Game, text: str) -> str:
    """Return the power of this name, in any case of letters; "" for an unknown one."""
    try:
        return game.variant.power(text.strip()).name
    except NotFound:
        return ""


def find_province(game: Game, text: str) -> str:
    """Return the id of the province of a unit, or of an order's unit; raise `NotFound` with the nearest match.

    `A Par - Bur`, `A Par`, `Par` and `Paris` all mean Paris.
    """
    notation, kind = game.rules.notation, game.phase.kind
    for words in (text, f"{text} H"):
        try:
            order = notation.read(words, kind)
        except BadOrder as error:
            problem = error
        else:
            if order.at:
                return order.at.province
    near = nearest(text, (p.name for p in game.variant.powers)) or notation.lexicon.places.hint(text)
    raise NotFound(f"no order, unit or power {text[:60]!r}: {problem.what}", hint=near or problem.hint)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the fields of its dataclass parameters as single options."""
    shape = signature(command, eval_str=True)
    groups: dict[str, Any] = {p.name: p.annotation for p in shape.parameters.values() if is_dataclass(p.annotation)}

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    plain: list[Parameter] = []
    for parameter in shape.parameters.values():
        own = [parameter.replace(kind=Parameter.KEYWORD_ONLY)]
        plain += _parameters(parameter.annotation) if parameter.name in groups else own
    run.__signature__ = shape.replace(parameters=plain)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in plain}
    return run


def _parameters(kind: Any) -> list[Parameter]:
    """Return a parameter for each field of an options class."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])
        for field in fields(kind)
    ]


def _default(field: Field[Any]) -> Any:
    return Parameter.empty if field.default is MISSING else field.default
