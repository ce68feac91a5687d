"""Looking ahead: the phases in which something ends or comes."""

from __future__ import annotations

from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Ahead, Season, Term, phase_code, phase_name

SPRING = Term("S1", "Spring 1", Season("Spring", 1, 0, PhaseKind.MOVEMENT))
WINTER = Term("W1", "Winter 1", Season("Winter", 1, 0, PhaseKind.ADJUSTMENTS))


def test_looking_ahead_ends() -> None:
    """Phases ahead are worked out once, and what never comes is None."""
    ahead = Ahead(iter((SPRING, WINTER, SPRING)))
    assert (ahead.now, ahead.winter(), ahead.winter(1)) == (SPRING, WINTER, None)
    assert ahead.of_kind(PhaseKind.MOVEMENT, 1) == SPRING
    assert ahead.of_kind(PhaseKind.MOVEMENT, 2) is None


def test_what_nobody_lives_to_see() -> None:
    """A phase that never comes has no code, and words in the place of its name."""
    assert (phase_name(WINTER), phase_code(WINTER)) == ("Winter 1", "W1")
    assert (phase_name(None), phase_code(None)) == ("a year far off", "")
