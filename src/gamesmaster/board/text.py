"""The text of `board.json`: a province per line, and a line for the edges from one place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from gamesmaster.board.file import board_data
from gamesmaster.board.model import Board


def board_text(board: Board) -> str:
    """Return the text of `board.json`, a province per line, and a line for the edges from one place."""
    data = board_data(board)
    parts = {key: _compact(value) for key, value in data.items() if key in ("format", "name", "ways")}
    parts["provinces"] = _lines(map(_compact, data["provinces"]), "  ")
    ways = ",\n".join(f'    "{way}": {_lines(_by_start(pairs), "    ")}' for way, pairs in data["edges"].items())
    parts["edges"] = f"{{\n{ways}\n  }}" if ways else "{}"
    parts |= {key: _lines(map(_compact, data[key]), "  ") for key in ("exceptions", "closures") if key in data}
    return "{\n" + ",\n".join(f'  "{key}": {text}' for key, text in parts.items()) + "\n}\n"


def _by_start(pairs: Iterable[list[str]]) -> Iterable[str]:
    """Yield lines, each with the pairs that begin at the same place."""
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        yield ", ".join(map(_compact, group))


def _lines(entries: Iterable[str], indent: str) -> str:
    inside = ",\n".join(f"{indent}  {entry}" for entry in entries)
    return f"[\n{inside}\n{indent}]" if inside else "[]"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
