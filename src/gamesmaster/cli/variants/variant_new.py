"""`variant new`: a folder with a game of one's own, played on a board that is there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import many, say
from gamesmaster.cli.variants.board import BOARD, RULES, SHAPES, VARIANT, board_source, board_text
from gamesmaster.cli.variants.board_build import title_of
from gamesmaster.errors import BadBoard, OutOfTurn
from gamesmaster.files import write_folder

if TYPE_CHECKING:
    from gamesmaster.board import Board, Province

LONGEST_ID = 32
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")  # what TOML takes for a key without quotes
Homes = Mapping[str, "Sequence[Province]"]
"""Power to its home centres."""


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.", show_default=False)],
    board: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="A board's folder, a board.json, or the name of a variant or board; FOLDER itself by default.",
            show_default=False,
        ),
    ] = None,
    power: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=HOMES", help="A power and its homes, in place of the board's own.", show_default=False
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The game's name; by default that of the folder or the board.", show_default=False
        ),
    ] = None,
) -> None:
    """Start a variant of your own on a board: a folder that can be linted, played and changed at once.

    Each power that has a home on the board gets a unit in each of its home centres. The comments of variant.toml say
    what may be changed. If the folder contains the board already, only missing files are written.

    For example:

      gamesmaster variant new my_game --board my_island
      gamesmaster variant new my_island
      gamesmaster variant new duel --board standard --power France=PAR,BRE,MAR --power Germany=BER,MUN,KIE
    """
    inside = board is None or Path(board).resolve() == folder.resolve()
    taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if (folder / VARIANT).exists() or (taken and not inside):
        raise OutOfTurn(f"{folder} exists already", hint="choose another name, or empty it first")
    played, texts = _board_files(str(folder) if board is None else board, power or [])
    title, homes = title_of(folder, played.name if inside and name is None else name), homes_of(played)
    texts |= {VARIANT: _variant_text(folder, title, played, homes), RULES: _rules_text(folder, title, played, homes)}
    wanted = {key: text for key, text in texts.items() if not (inside and (folder / key).exists() and not power)}
    write_folder(folder, wanted)
    say(f"{folder}: {title}, {many(len(homes), 'power')}, {many(len(played.centres), 'centre')}.")
    for key in wanted:
        say(f"  {key}")
    say(f"Next: gamesmaster variant lint {folder}")


# -- the board -------------------------------------------------------------------------------------------------------


def _board_files(text: str, powers: Sequence[str]) -> tuple[Board, dict[str, bytes]]:
    """The board that a user means, with other homes if some are named, and what its files hold."""
    from gamesmaster.board import read_board

    source = board_source(text)
    found = {name: source.folder / name for name in (BOARD, SHAPES)} if source.folder else {}
    files_there = {name: path.read_bytes() for name, path in found.items() if path.is_file()}
    board = read_board(found[BOARD]) if BOARD in files_there else source.board
    if powers:
        board = _with_homes(board, powers)
    if powers or BOARD not in files_there:
        files_there = {BOARD: board_text(board).encode(), **{k: v for k, v in files_there.items() if k != BOARD}}
    if not any(province.home and province.centre for province in board.provinces):
        hint = 'name them: --power "Ash=ABC,DEF" --power "Birch=GHI"'
        raise BadBoard(f"the board {board.name} marks no homes, so there are no powers to play", hint=hint)
    return board, files_there


def _with_homes(board: Board, powers: Sequence[str]) -> Board:
    """The board with these homes (`France=PAR,BRE`) and no others; raises `NotFound`, or `BadBoard` for no centre."""
    homes: dict[str, str] = {}
    for text in powers:
        name, sign, places = (part.strip() for part in text.partition("="))
        if not (name and sign and places):
            raise typer.BadParameter(f"{text!r} is not written NAME=HOME,HOME", param_hint="--power")
        for key in map(str.strip, places.split(",")):
            if not board.province(key).centre:
                raise BadBoard(f"{board.province(key).name} cannot be {name}'s home", hint="it is not a supply centre")
            if homes.setdefault(key, name) != name:
                raise BadBoard(f"{board.province(key).name} cannot be home to both {homes[key]} and {name}")
    return _reduced(board, homes)


def _reduced(board: Board, homes: Mapping[str, str]) -> Board:
    """The board with these homes (province to power); what it kept for or from powers that do not play is gone."""
    playing = frozenset(homes.values())
    edges = (e._replace(only=e.only & playing) for e in board.edges if not e.only or e.only & playing)
    closures = (replace(c, powers=c.powers & playing) for c in board.closures if not c.powers or c.powers & playing)
    provinces = (replace(province, home=homes.get(province.id)) for province in board.provinces)
    return replace(board, provinces=tuple(provinces), edges=tuple(edges), closures=tuple(closures))


def homes_of(board: Board) -> dict[str, list[Province]]:
    """Power to its home centres, the powers by the alphabet."""
    found: dict[str, list[Province]] = {}
    for province in board.provinces:
        if province.home and province.centre:
            found.setdefault(province.home, []).append(province)
    return dict(sorted(found.items()))


def opening(board: Board, homes: Sequence[Province]) -> list[str]:
    """A unit for each home centre, in plain form: a fleet in the first that is on a coast, and where armies are stuck.

    A power with a single centre begins with an army, if it can get away.
    """
    units, fleet_due = [], len(homes) > 1
    sailors = [kind for kind in board.kinds if board.sails(kind)]
    walkers = [kind for kind in board.kinds if not board.sails(kind)]
    for province in homes:
        here = f"{province.id}/{province.coasts[0]}" if province.coasts else province.id
        number = board.index[province.id]
        walks = any(board.reach(kind, board.locations_of(number)[0]) for kind in walkers)
        if sailors and board.waters[number] and (fleet_due or not walks):
            units.append(f"{sailors[0]} {here}")
            fleet_due = False
        else:
            units.append(f"{walkers[0] if walkers else sailors[0]} {province.id}")
    return units


# -- the files of the game -------------------------------------------------------------------------------------------


def _variant_text(folder: Path, title: str, board: Board, homes: Homes) -> bytes:
    first = next(iter(homes))
    needed = len(board.centres) // 2 + 1
    border = next((edge for edge in board.edges if edge.way != "fleet"), board.edges[0] if board.edges else None)
    return _filled(
        VARIANT,
        title=title,
        name=_quoted(title),
        folder=str(folder).ljust(12),
        id=_quoted(_id(folder)).ljust(30),
        victory=f"{needed:<4}",
        centres=f"{len(board.centres)}",
        of=f"{first if _BARE_KEY.fullmatch(first) else _quoted(first)} = {needed + 1} }}".ljust(26),
        here=border.a.province if border else "ABC",
        there=border.b.province if border else "DEF",
        powers="".join(_power_text(board, power, centres) for power, centres in homes.items()),
    )


def _power_text(board: Board, power: str, homes: Sequence[Province]) -> str:
    units = ", ".join(map(_quoted, opening(board, homes)))
    return f"\n[[powers]]\nname = {_quoted(power)}\nadjective = {_quoted(power)}\nunits = [{units}]\n"


def _rules_text(folder: Path, title: str, board: Board, homes: Homes) -> bytes:
    return _filled(
        RULES,
        title=title,
        letters=("".join(filter(str.isalpha, _id(folder)))[:3] or "my").upper(),
        count=f"{len(homes)}",
        provinces=f"{len(board.provinces)}",
        centres=f"{len(board.centres)}",
        victory=f"{len(board.centres) // 2 + 1}",
        names=", ".join(homes),
    )


def _filled(template: str, **words: str) -> bytes:
    path = Path(str(files("gamesmaster.cli.variants"))) / "variant_templates" / template
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found[1]], path.read_text(encoding="utf-8")).encode()


def _id(folder: Path) -> str:
    """An id made of the folder's name; the folder's name itself, where that can be an id."""
    return re.sub(r"[^a-z0-9_]+", "_", folder.resolve().name.casefold()).strip("_")[:LONGEST_ID] or "game"


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)
