"""The Gamesmaster's desk in the library: whose a letter is, and corrections."""

from __future__ import annotations

import pytest

from gamesmaster.errors import Unreadable
from gamesmaster.formats.letters import Letter
from gamesmaster.game import Game
from gamesmaster.game.desk import DeskSet, correct, lay_out, sender_of
from gamesmaster.reading import Purpose
from gamesmaster.variant import find_variant

GAME = Game.start(find_variant("standard"), seed=bytes(32), players={"France": "Ann", "Germany": "com"})
LETTER = """\
France:
A Par - Bur
F Bre - Nowhere
Retreats:
A Par - Gas
A Mar - Nowhere

> A Mar H
"""


@pytest.mark.parametrize(
    ("sender", "subject", "power"),
    [
        ("Ann <a@example.org>", "", "France"),
        ("<ann@example.org>", "", "France"),
        ("Joanna <joanna@example.org>", "", ""),
        ("Joanna <joanna@example.com.au>", "", "Germany"),
        ("Joanna <joanna@example.org>", "orders for ITALY", "Italy"),
        ("Vitalys <v@example.org>", "Englander", ""),
    ],
)
def test_a_sender_is_known_by_whole_words(sender: str, subject: str, power: str) -> None:
    """A name counts only where it stands by itself: `Joanna` is not Ann, `Vitaly` not Italy."""
    assert sender_of(GAME, Letter("", sender, subject)) == power


def put(one: DeskSet, **texts: str) -> DeskSet:
    """The set with lines, named by their first unit and their purpose, replaced."""
    for line in one.lines:
        name = f"{line.line.text.split(' - ')[0].strip('> ').replace(' ', '_')}_{line.purpose}"
        if name in texts:
            one = correct(GAME, one, line.line, texts[name])
    return one


def read_as(one: DeskSet, purpose: Purpose) -> list[str]:
    """The orders of a set for a purpose."""
    return [line.reading for line in one.lines if line.line.order and line.purpose is purpose]


def test_a_correction_is_for_the_phase_of_its_line() -> None:
    """A retreat is corrected as a retreat, and left out as one; in place of a quotation comes an order."""
    (one,) = lay_out(GAME, [Letter(LETTER)]).sets
    made = put(one, F_Bre_now="F Bre - Mao", A_Par_retreats="A Par - Pic", A_Mar_retreats="", A_Mar_H_nothing="A Mar H")
    assert sorted(read_as(made, Purpose.NOW)) == [
        "A Marseilles holds",
        "A Paris - Burgundy",
        "F Brest - Mid-Atlantic Ocean",
    ]
    assert read_as(made, Purpose.RETREATS) == ["A Paris - Picardy"]
    assert made.is_clear
    assert not one.is_clear


def test_a_correction_that_makes_no_order_is_refused() -> None:
    """What is not an order for the phase of its line raises, with the reason."""
    (one,) = lay_out(GAME, [Letter(LETTER)]).sets
    for texts in ({"F_Bre_now": "hello"}, {"A_Par_retreats": "A Par - Nowhere"}, {"F_Bre_now": "F Bre - Nowhere"}):
        with pytest.raises(Unreadable):
            put(one, **texts)
