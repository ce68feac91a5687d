"""The data that a variant is read from: where its files lie, what it takes over from a base, what options change.

Variants are named, never located by a path: a name means a folder beside a variant's own, or one in the package.
`based_on = "indianomacy"` in `variant.toml` takes over everything but `id` and `name`, and the board with it.  What the
file says itself changes single keys: tables are joined key by key, lists of named tables (powers, mechanics, options)
by name; anything else takes the place of what the base says.  The result is the data of an ordinary file, so that the
variant and its digest are the same as if all of it had been written out.

Options are choices that a Gamesmaster fixes before the first move, each a small change of the data.  A variant with
other choices than its own is named with them in brackets, everywhere a variant is named:
`cline9[turkey=fleet-smyrna]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamesmaster import strictjson
from gamesmaster.board import Board
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.mechanics import MECHANICS
from gamesmaster.rules import Mechanic
from gamesmaster.variant.model import BASE, BOARD, LARGEST_WHOLE, RULES, SHAPES, VARIANT, Edition

if TYPE_CHECKING:
    from gamesmaster.variant.file_models import ChoiceEntry, OptionEntry, VariantFile


BASED_ON = "based_on"
OWN = ("id", "name")
"""The keys that a variant never takes over."""
REMOVALS = {f"without_{key}": key for key in ("powers", "mechanics", "options")}
"""Keys that name what is left out, and of which list of the base."""


def complete(
    data: Mapping[str, object], base: Callable[[str], Mapping[str, object]], where: str
) -> Mapping[str, object]:
    """Return a file's data merged with its base; `base` returns the data of a variant by its name.

    A file without a base is returned as it is.  Raises `BadFile`, also for a base with a base of its own.
    """
    if BASED_ON not in data:
        return data
    from gamesmaster.schemas import place, validate
    from gamesmaster.variant.file_models import BaseEntry

    entry = validate(BaseEntry, {key: data[key] for key in data if key in (BASED_ON, *REMOVALS)}, BadFile, where)
    try:
        below = base(entry.based_on)
    except NotFound as fault:
        raise BadFile(fault.what, where=place(where, (BASED_ON,)), hint=fault.hint) from None
    if BASED_ON in below:
        what = f"{entry.based_on} is itself based on another variant, {str(below[BASED_ON])[:40]}"
        raise BadFile(what, where=place(where, (BASED_ON,)), hint="only a variant that is written out can be a base")
    base_data: dict[str, object] = {"board": entry.based_on} | {key: v for key, v in below.items() if key not in OWN}
    for removal, key in REMOVALS.items():
        base_data |= _remaining_tables(base_data, key, getattr(entry, removal), place(where, (removal,)))
    own = {key: value for key, value in data.items() if key not in (BASED_ON, *REMOVALS)}
    whole: dict[str, object] = join(base_data, own)
    return whole


def _remaining_tables(data: Mapping[str, object], key: str, gone: list[str], where: str) -> dict[str, object]:
    """Return a list of the base without the tables of these names; raises `BadFile` for a name that is not in it."""
    if not gone:
        return {}
    tables = _by_name(data.get(key)) or {}
    for name in gone:
        if name not in tables:
            raise BadFile(f"its base has no {name[:80]!r} among its {key}", where=where, hint=nearest(name, tables))
    return {key: [table for name, table in tables.items() if name not in gone]}


def join(base: Any, own: Any) -> Any:
    """Merge `own` into `base`: values of `own` replace those of `base`, key by key and table by table."""
    if isinstance(base, Mapping) and isinstance(own, Mapping):
        return {**base, **{key: join(base[key], value) if key in base else value for key, value in own.items()}}
    below, above = _by_name(base), _by_name(own)
    if below and above:
        return [*join(below, above).values()]
    return own


def _by_name(value: object) -> dict[str, Mapping[str, object]] | None:
    """Return a list of tables by their names; None for other values, and without unique names."""
    if not isinstance(value, list):
        return None
    tables = [table for table in value if isinstance(table, Mapping) and isinstance(table.get("name"), str)]
    named = {table["name"]: table for table in tables}
    return named if len(named) == len(value) else None


# -- where the files of a variant lie ----------------------------------------------------------------------------------


LARGEST_TOML = 64 * 1024  # bytes
LONGEST_LINE = 500  # characters; tomllib takes time by the square of the parts of a dotted key

_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,31}")


def shelf() -> Path:
    """Return the folder of the package's variants."""
    return Path(str(files("gamesmaster.variants")))


@cache
def variant_names() -> tuple[str, ...]:
    """Return the ids of the package's variants, sorted; they are looked up once per process."""
    return tuple(sorted(file.parent.name for file in shelf().glob(f"*/{VARIANT}")))


def is_packaged(name: str) -> bool:
    """Return whether a name, with or without options, is a variant of the package.

    A folder of that name is `./NAME`.
    """
    return name.partition("[")[0].casefold() in variant_names()


def folder_of(name: str, folder: Path) -> Path:
    """Return the folder of another variant named by one in `folder`: beside it, or one of the package.

    Raises `NotFound` with the nearest name.
    """
    beside = folder.resolve().parent
    if _NAME.fullmatch(name):
        for shared in (beside / name, shelf() / name):
            if shared.is_dir():
                return shared
    known = {*variant_names(), *(file.parent.name for file in beside.glob(f"*/{VARIANT}"))} - {folder.resolve().name}
    raise NotFound(f"no variant {name[:80]!r} beside {folder} or in the package", hint=nearest(name, known))


def base_of(folder: Path) -> Path | None:
    """Return the folder of the base of the variant in a folder; None without a base, or a readable file."""
    try:
        name = toml_data(folder / VARIANT).get(BASED_ON)
        return folder_of(name, folder) if isinstance(name, str) else None
    except GamesmasterError:
        return None


def file_of(folder: Path, name: str) -> Path:
    """Return the file of this name that belongs to the variant in a folder: its own, or else that of its base."""
    own, base = folder / name, base_of(folder)
    return base / name if base and not own.exists() else own


def variant_data(folder: Path) -> Mapping[str, object]:
    """Return the data of `variant.toml` in a folder, with all that it takes over from its base.

    Raises `NotFound` for a missing file, `BadFile` with the key that is wrong.
    """
    data, where = toml_data(folder / VARIANT), str(folder / VARIANT)
    if BASED_ON in data and "board" not in data and (folder / BOARD).exists():
        hint = f"write board = {data.get('id', '')!r} to play on it, or delete the file"
        raise BadFile(f"{BOARD} is not read: the board is that of {data[BASED_ON]}", where=where, hint=hint)
    return complete(data, lambda name: toml_data(folder_of(name, folder) / VARIANT), where)


def edition_in(folder: Path, board: str = "") -> Edition:
    """Return the edition in a folder; `board` names the variant with which it shares the board and its shapes.

    Shapes and rules that are missing or unreadable are left out; code that needs them raises.
    """
    home, base = folder_of(board, folder) if board else folder, base_of(folder)
    paths = {VARIANT: folder / VARIANT, BOARD: home / BOARD, SHAPES: home / SHAPES, RULES: file_of(folder, RULES)}
    if base:
        paths[BASE] = base / VARIANT
    texts = ((name, _text_of(path)) for name, path in paths.items())
    return Edition(tuple(sorted((name, text) for name, text in texts if text)), str(folder))


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_WHOLE else b""
        return data.decode()
    except (OSError, ValueError):
        return ""


def toml_data(path: Path) -> dict[str, object]:
    """Return the data in a TOML file of bounded size; raises `NotFound`, or `BadFile` with the line."""
    return read_toml(strictjson.read_bytes(path, limit=LARGEST_TOML), str(path))


def read_toml(data: bytes, where: str) -> dict[str, object]:
    """Return the data in a TOML text of bounded size; raises `BadFile` with the line."""
    import tomllib

    if len(data) > LARGEST_TOML:
        raise BadFile(f"larger than {LARGEST_TOML:,} bytes", where=where)
    try:
        text = data.decode()
        for number in (n for n, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST_LINE):
            raise BadFile(f"longer than {LONGEST_LINE} characters", where=f"{where}, line {number}")
        return tomllib.loads(text)
    except ValueError as fault:  # tomllib's own, a number of thousands of digits, or no UTF-8
        raise BadFile(f"not TOML: {fault}", where=where) from None
    except RecursionError:
        raise BadFile("nested too deep", where=where) from None


_NAMED = re.compile(r"([^\[\]]*)(?:\[([^\[\]]*)\])?")


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """Return a variant's name without its options, and the options; raises `BadFile` for brackets that cannot be read.

    >>> split_name("cline9[turkey=fleet-smyrna]")
    ('cline9', {'turkey': 'fleet-smyrna'})
    """
    match = _NAMED.fullmatch(name)
    if not match:
        raise BadFile(f"not a variant's name: {name[:80]!r}", hint="options follow in brackets: name[option=choice]")
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (match[2] or "").split(","))):
        key, sign, value = (word.strip() for word in part.partition("="))
        if not (key and sign and value) or key in chosen:
            raise BadFile(f"not an option: {part[:80]!r}", hint="write each option once, as option=choice")
        chosen[key] = value
    return match[1].strip(), chosen


def full_name(name: str, chosen: Mapping[str, str]) -> str:
    """Return the name with its options in brackets, in alphabetical order; the bare name without options."""
    options = ",".join(f"{key}={value}" for key, value in sorted(chosen.items()))
    return f"{name}[{options}]" if options else name


def choose(file: VariantFile, chosen: Mapping[str, str]) -> tuple[dict[str, str], list[ChoiceEntry]]:
    """Return the choices that differ from the variant's own, and what all choices say.

    Raises `NotFound` with the nearest.
    """
    options = {option.name: option for option in file.options}
    for key in chosen:
        if key not in options:
            known = f"options: {', '.join(options)}" if options else f"{file.name} has no options"
            raise NotFound(f"no option {key[:80]!r} in {file.name}", hint=nearest(key, options) or known)
    picked = {name: chosen.get(name, option.default) for name, option in options.items()}
    entries = [_entry(options[name], value) for name, value in picked.items()]
    for (name, value), entry in zip(picked.items(), entries, strict=True):
        _check_needs(f"{name}={value}", entry, picked)
    return {name: value for name, value in picked.items() if value != options[name].default}, entries


def _entry(option: OptionEntry, value: str) -> ChoiceEntry:
    if value not in option.choices:
        hint = nearest(value, option.choices) or f"choices: {', '.join(option.choices)}"
        raise NotFound(f"option {option.name} has no choice {value[:80]!r}", hint=hint)
    return option.choices[value]


def _check_needs(option: str, entry: ChoiceEntry, picked: Mapping[str, str]) -> None:
    for name, values in entry.needs.items():
        if picked.get(name) not in values:
            hint = f"it goes with {' or '.join(f'{name}={value}' for value in values)}"
            raise NotFound(f"the option {option} does not go with {name}={picked.get(name)}", hint=hint)


Table = tuple[tuple[str | int, ...], Mapping[str, object]]
"""A table of the file that asks for a mechanic, and where it stands."""


def absent(file: VariantFile, choices: Sequence[ChoiceEntry], where: str) -> frozenset[str]:
    """Return the powers that the choices take out of the game.  Raises `BadFile` for one that is not there."""
    known = [entry.name for entry in file.powers]
    for name in (gone := [name for choice in choices for name in choice.without_powers]):
        if name not in known:
            raise BadFile(f"an option takes the power {name!r} away", where=where, hint=nearest(name, known))
    return frozenset(gone)


def tables(
    file: VariantFile,
    choices: Sequence[ChoiceEntry],
    parameters: Mapping[str, Mapping[str, object]],
    where: str,
) -> Sequence[Table]:
    """Return the tables of mechanics after the choices; `parameters` change single ones, by the mechanic's name.

    Raises `BadFile` for a mechanic that does not exist.
    """
    known = [_name_of(table) for table in file.mechanics]
    for choice in choices:
        parameters = {**choice.parameters, **parameters}
    gone = [name for choice in choices for name in choice.without_mechanics]
    added = [table for choice in choices for table in choice.mechanics]
    rows: list[Table] = [(("mechanics", n), t) for n, t in enumerate(file.mechanics) if _name_of(t) not in gone]
    rows += [(("options", "mechanics", n), table) for n, table in enumerate(added)]
    left = [_name_of(table) for _, table in rows]
    for what, names, there in (("taken away", gone, known), ("tuned", parameters, left)):
        for name in names:
            if name not in there:
                raise BadFile(f"no mechanic {name[:80]!r} that could be {what}", where=where, hint=nearest(name, there))
    return [(path, {**table, **parameters.get(_name_of(table), {})}) for path, table in rows]


def find_mechanics(file: VariantFile) -> list[type[Mechanic]]:
    """Return the mechanics of a variant, or of an option's choice, by name, without unknown ones."""
    added = (table for option in file.options for choice in option.choices.values() for table in choice.mechanics)
    names = dict.fromkeys(_name_of(table) for table in (*file.mechanics, *added))
    return [MECHANICS[name] for name in names if name in MECHANICS]


def _name_of(table: Mapping[str, object]) -> str:
    return str(table.get("name", ""))


def changed_board(board: Board, choices: Sequence[ChoiceEntry], where: str) -> Board:
    """Return the board after the choices, with other centres and without some steps.

    Raises `BadFile` for a place or step that does not exist.
    """
    centres = dict.fromkeys((key for choice in choices for key in choice.centre), True)
    centres |= dict.fromkeys((key for choice in choices for key in choice.no_centre), False)
    gone = {(way, a, b) for choice in choices for way, pairs in choice.without.items() for a, b in pairs}
    if not centres and not gone:
        return board
    for key in centres:
        if key not in board.index:
            raise BadFile(f"an option names no province: {key!r}", where=where, hint=nearest(key, board.index))
    known = {(e.way, str(e.a), str(e.b)) for e in board.edges}
    for way, a, b in gone:
        if (way, a, b) not in known and (way, b, a) not in known:
            raise BadFile(f"an option removes the {way} edge {a} - {b}, which does not exist", where=where)
    edges = [e for e in board.edges if not {(e.way, str(e.a), str(e.b)), (e.way, str(e.b), str(e.a))} & gone]
    provinces = [replace(p, centre=centres.get(p.id, p.centre)) for p in board.provinces]
    return replace(board, provinces=tuple(provinces), edges=tuple(edges))
