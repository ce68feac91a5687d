"""Players by name: those that come along, and classes of one's own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from gamesmaster.errors import BadFile, GamesmasterError, NotFound, nearest
from gamesmaster.players.dumbbot import DumbBot
from gamesmaster.players.heuristic import Heuristic
from gamesmaster.players.player import Player
from gamesmaster.players.search import Searcher
from gamesmaster.players.simple import Holder, Random
from gamesmaster.variant import Variant

_SHIPPED: dict[str, type[DumbBot] | type[Heuristic] | type[Holder] | type[Random] | type[Searcher]] = {
    player.name: player for player in (DumbBot, Heuristic, Holder, Random, Searcher)
}
METHODS = ("orders", "vote", "told", "over")


def player_names() -> tuple[str, ...]:
    """The names of the players that come along."""
    return tuple(_SHIPPED)


def find_player(name: str) -> Player:
    """A new player of this name, or of a class in a file of Python, `bots/mine.py:Mine`, which is run.

    Raises `NotFound` with the nearest name, `BadFile` for a file that cannot be run or a class that is no player.
    """
    path, colon, thing = name.rpartition(":")
    if colon:
        return _from_file(Path(path), thing)
    if name.casefold() not in _SHIPPED:
        hint = nearest(name, _SHIPPED) or f"players are {', '.join(_SHIPPED)}, or FILE.py:CLASS"
        raise NotFound(f"no player {name[:80]!r}", hint=hint)
    return _SHIPPED[name.casefold()]()


def read_seats(variant: Variant, text: str) -> tuple[dict[str, str], list[str]]:
    """Who plays what, from names joined by commas: by power (`france=heuristic`), and a name for each of the rest.

    The last plain name is for all the seats that are left; without a plain one there is nobody for the rest.  Raises
    `NotFound` for an unknown power or player, `GamesmasterError` for nobody at all or too many.
    """
    fixed, names = {}, []
    for part in filter(None, (part.strip() for part in text.split(","))):
        power, sign, name = part.partition("=")
        if sign:
            fixed[variant.power(power.strip()).name] = name.strip()
        else:
            names.append(part)
    left = len(variant.powers) - len(fixed)
    if not names and not fixed:
        raise GamesmasterError("nobody is named")
    if len(names) > left:
        raise GamesmasterError(f"{len(names)} players for {left} power{'' if left == 1 else 's'}")
    for name in {*fixed.values(), *names}:
        find_player(name)  # before anything is played
    return fixed, names + names[-1:] * (left - len(names))


def _from_file(path: Path, thing: str) -> Player:
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise BadFile("no file of Python", where=str(path), hint="its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        player = getattr(module, thing)()
    except Exception as error:  # whatever somebody else's file does wrong
        raise BadFile(f"{thing} cannot be made: {type(error).__name__}: {error}", where=str(path)) from error
    missing = [m for m in ("name", *METHODS) if not hasattr(player, m)]
    if missing:
        raise BadFile(f"{thing} is not a player: it has no {missing[0]}", where=str(path), hint="derive it from Bot")
    return player  # type: ignore[no-any-return]  # as far as can be seen
