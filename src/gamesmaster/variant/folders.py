"""Where the files of a variant lie: in its folder, or in the folder of the variant that it is based on.

Variants are named, never located by a path: a name means a folder beside a variant's own, or one in the package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.variant.based import BASED_ON, completed
from gamesmaster.variant.model import BASE, BOARD, LARGEST_WHOLE, RULES, SHAPES, VARIANT, Edition

LARGEST_TOML = 64 * 1024  # bytes
LONGEST_LINE = 500  # characters; tomllib takes time by the square of the parts of a dotted key

_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,31}")


def shelf() -> Path:
    """The folder of the package's variants."""
    return Path(str(files("gamesmaster.variants")))


@cache
def variant_names() -> tuple[str, ...]:
    """Ids of the variants that come with the package, sorted; looked up once in a process."""
    return tuple(sorted(file.parent.name for file in shelf().glob(f"*/{VARIANT}")))


def is_packaged(name: str) -> bool:
    """Does a name, with options or without, mean a variant of the package?  A folder of that name is `./NAME`."""
    return name.partition("[")[0].casefold() in variant_names()


def folder_of(name: str, folder: Path) -> Path:
    """The folder that a variant in `folder` means by the name of another: one beside it, or else one of the package.

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
    """The folder of the variant that the one in a folder is based on; None if it is not, or its file cannot be read."""
    try:
        name = toml_data(folder / VARIANT).get(BASED_ON)
        return folder_of(name, folder) if isinstance(name, str) else None
    except GamesmasterError:
        return None


def file_of(folder: Path, name: str) -> Path:
    """The file of this name that belongs to the variant in a folder: its own, or else that of its base."""
    own, base = folder / name, base_of(folder)
    return base / name if base and not own.exists() else own


def variant_data(folder: Path) -> Mapping[str, object]:
    """What `variant.toml` in a folder says, with everything that it takes over from its base.

    Raises `NotFound` if there is no such file, `BadFile` naming the key.
    """
    told, where = toml_data(folder / VARIANT), str(folder / VARIANT)
    if BASED_ON in told and "board" not in told and (folder / BOARD).exists():
        hint = f"write board = {told.get('id', '')!r} to play on it, or delete the file"
        raise BadFile(f"{BOARD} is not read: the board is that of {told[BASED_ON]}", where=where, hint=hint)
    return completed(told, lambda name: toml_data(folder_of(name, folder) / VARIANT), where)


def edition_in(folder: Path, board: str = "") -> Edition:
    """The edition in a folder; `board` names the variant with which it shares the board and its shapes.

    Shapes and rules that are missing, or could never be read, are left out: whoever needs them will say so.
    """
    home, base = folder_of(board, folder) if board else folder, base_of(folder)
    paths = {VARIANT: folder / VARIANT, BOARD: home / BOARD, SHAPES: home / SHAPES, RULES: file_of(folder, RULES)}
    if base:
        paths[BASE] = base / VARIANT
    found = ((name, _text_of(path)) for name, path in paths.items())
    return Edition(tuple(sorted((name, told) for name, told in found if told)), str(folder))


def _text_of(path: Path) -> str:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_WHOLE else b""
        return data.decode()
    except (OSError, ValueError):
        return ""


def toml_data(path: Path) -> dict[str, object]:
    """What a TOML file of bounded size holds; raises `NotFound`, or `BadFile` with the line."""
    return toml_told(strictjson.read_bytes(path, limit=LARGEST_TOML), str(path))


def toml_told(data: bytes, where: str) -> dict[str, object]:
    """What TOML of bounded size says; raises `BadFile` with the line."""
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
