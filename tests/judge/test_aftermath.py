"""What comes of moves, over columns."""

from __future__ import annotations

from gamesmaster.engine.aftermath import gather


def test_units_that_disband_meet_nobody() -> None:
    """Retreats are counted by province; who retreats nowhere counts for none, as row 0 does, which is nobody."""
    crowd = [0, 0, 0]
    gather(4, [2, 1, -1, 1, 0], crowd)
    assert crowd == [1, 2, 0]
