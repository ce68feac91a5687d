"""`gamesmaster report --scoring`."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run

OTHERS = ("England", "France", "Germany", "Italy", "Russia", "Turkey")


def test_scores_are_printed(run: Run, game: Path) -> None:
    """The scores of a finished game are printed, greatest first; one that goes on has none, nor has a single phase."""
    going_on = run("report", game, "--scoring", "tribute")
    assert (going_on.exit_code, "only a finished game has scores" in going_on.stderr) == (3, True)
    assert run("concede", game, *OTHERS, "--to", "Austria").exit_code == 0
    said = run("report", game, "--scoring", "tribute").stdout.split()
    assert [said[n] for n in (0, 1)] == ["power", "tribute"]
    assert said[said.index("Austria") + 1] == "100.00"
    data = json.loads(run("report", game, "--scoring", "carnage", "--json").stdout)
    assert data == {"system": "carnage", "scores": dict.fromkeys(OTHERS, 0.0) | {"Austria": 28_034.0}}
    assert run("report", game, "--scoring", "tribute", "--all").exit_code == 2
