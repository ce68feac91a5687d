"""A whole recorded game as text, checked in: a difference shows what a change has altered.

To accept a change: `python -m tests.game.test_playthrough`, and explain the difference in the commit.
"""

from __future__ import annotations

from pathlib import Path

from gamesmaster.game import Game, history

from .conftest import replayed

PLAYTHROUGH = Path(__file__).parents[1] / "data" / "playthrough_standard.txt"


def test_playthrough(england: Game) -> None:
    """The recorded game is told word for word as it is kept."""
    assert history(england) == PLAYTHROUGH.read_text(encoding="utf-8")


if __name__ == "__main__":
    PLAYTHROUGH.write_text(history(replayed()), encoding="utf-8")
