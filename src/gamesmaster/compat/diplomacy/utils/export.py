"""Saved games: JSON, one game a line."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from gamesmaster import strictjson
from gamesmaster.compat.diplomacy.engine.game import Game
from gamesmaster.compat.diplomacy.engine.game_phase_data import GamePhaseData
from gamesmaster.errors import BadFile, GamesmasterError

LARGEST = 16 * 2**20
"""Bytes of a saved game; a larger one is refused."""
DEEPEST = 16
"""Levels of nesting of a saved game."""
UNSAVED = ("SOLITAIRE", "NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT", "IGNORE_ERRORS")
"""Rules that are not saved."""
_LOG = logging.getLogger(__name__)


def to_saved_game_format(
    game: Game, output_path: str | Path | None = None, output_mode: Literal["a", "w"] = "a"
) -> dict[str, Any]:
    """Return a game as JSON values, with its history and the phase that is being played.

    With a path, write it there as a line, behind what the file has or (`w`) in its place.
    """
    rules = [rule for rule in game.rules if rule not in UNSAVED]
    phases = [phase.to_dict() for phase in (*game.get_phase_history(), game.get_phase_data())]
    for phase in phases:
        phase["state"] = {**phase["state"], "game_id": game.game_id, "map": game.map_name, "rules": rules}
    saved = {"id": game.game_id, "map": game.map_name, "rules": rules, "phases": phases}
    if output_path:
        with Path(output_path).open(output_mode, encoding="utf-8") as file:
            file.write(json.dumps(saved) + "\n")
    return saved


def from_saved_game_format(saved_game: Mapping[str, Any]) -> Game:
    """Return the game in JSON values, with its history; raises `BadFile` if they are not those of a saved game."""
    try:
        map_name, rules = saved_game.get("map", "standard"), saved_game.get("rules", [])
        game = Game(saved_game.get("id"), map_name=map_name, rules=rules)
        game.set_phase_data([GamePhaseData.from_dict(phase) for phase in saved_game.get("phases", ())])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"this is not a saved game: {type(error).__name__} {error}") from None
    return game


def load_saved_games_from_disk(
    input_path: str | Path, on_error: Literal["raise", "warn", "ignore"] = "raise"
) -> list[Game]:
    """Return the games in a file with one game on each line. A missing file has none.

    A bad line raises `BadFile` with its number, or is passed over, with a warning in the log if asked for.
    """
    path, games = Path(input_path), []
    if not path.exists():
        _LOG.warning("no file %s", path)
        return []
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LARGEST + 1), b""), 1):
            try:
                data = strictjson.loads(line, limit=LARGEST, depth=DEEPEST, where=f"{path}, line {number}")
                if not isinstance(data, dict):
                    raise BadFile("this is not a saved game", where=f"{path}, line {number}")
                games.append(from_saved_game_format(data))
            except GamesmasterError as error:
                if on_error == "raise":
                    raise
                if on_error == "warn":
                    _LOG.warning("%s", error)
    return games


def is_valid_saved_game(saved_game: Mapping[str, Any]) -> bool:
    """Return whether each phase of a saved game leads to the next, as our judge plays it, with possible orders."""
    phases = saved_game.get("phases", ())
    if not all(saved_game.get(key) for key in ("id", "map", "phases")) or "rules" not in saved_game:
        return False
    for now, following in pairwise(phases):
        game = from_saved_game_format({**saved_game, "phases": [now]})
        kept = {name: orders for name, orders in game.get_orders().items() if orders}
        if {name: sorted(o) for name, o in kept.items()} != {name: sorted(o) for name, o in now["orders"].items() if o}:
            return False
        game.process()
        after = following["state"]
        if game.get_current_phase() != following["name"]:
            return False
        for have, want in ((game.get_units(), after["units"]), (game.get_centers(), after["centers"])):
            if {name: sorted(some) for name, some in have.items()} != {name: sorted(want[name]) for name in have}:
                return False
    return True
