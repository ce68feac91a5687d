"""Dice are draws, not a stream: every throw hangs on what it is thrown for."""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.game.dice import SEED_BYTES, Dice, new_seed

DICE = Dice(b"any bytes will do for a seed here")
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="|"), max_size=8)


def test_a_draw_is_the_published_formula() -> None:
    """A player can work out a draw with the standard tools: HMAC-SHA256 of the seed and phase|clause|subject."""
    assert DICE.draw("S1901M", "CNQ-8.b", "Bay of Biscay").hex() == (
        hmac.new(DICE.seed, b"S1901M|CNQ-8.b|Bay of Biscay", hashlib.sha256).hexdigest()
    )


@given(st.tuples(WORDS, WORDS, WORDS), st.tuples(WORDS, WORDS, WORDS))
def test_draws_differ_with_what_they_are_for(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    """Two draws are the same only if phase, clause and subject are."""
    assert (DICE.draw(*one) == DICE.draw(*other)) == (one == other)


def test_a_bar_in_a_code_is_refused() -> None:
    """A bar in a clause could make two different throws one."""
    with pytest.raises(ValueError, match="bar"):
        DICE.draw("S1901M", "a|b", "c")


def test_throws_are_fair() -> None:
    """Over many subjects every face of a die comes up about equally often."""
    counts = Counter(1 + DICE.below(6, "S1901M", "X-1", str(i)) for i in range(6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert all(900 < n < 1100 for n in counts.values())


def test_an_incomplete_round_is_drawn_again() -> None:
    """With a die of two thirds of the span a third of the draws is thrown away, and none falls outside."""
    sides = (1 << 256) // 3 * 2
    fell = [DICE.below(sides, "S1901M", "X-1", str(i)) for i in range(60)]
    first = [int.from_bytes(DICE.draw("S1901M", "X-1", str(i)), "big") for i in range(60)]
    assert max(fell) < sides
    assert 5 < sum(a != b for a, b in zip(fell, first, strict=True)) < 40


@pytest.mark.parametrize("sides", [0, -1, (1 << 256) + 1])
def test_impossible_dice(sides: int) -> None:
    """A die has at least one side, and no more than a draw can tell apart."""
    with pytest.raises(ValueError, match="sides"):
        DICE.below(sides, "S1901M", "X-1", "a")


def test_choice_and_shuffle() -> None:
    """A choice is one of the options; a shuffle holds every name once, in the same order however they are given."""
    names = ["Ann", "Bob", "Cyd", "Dan", "Eve"]
    assert DICE.choice(names, "start", "X-1", "who") in names
    assert len({DICE.choice(names, "start", "X-1", str(i)) for i in range(60)}) == 5
    mixed = DICE.shuffle(names, "start", "X-1")
    assert sorted(mixed) == names
    assert mixed == DICE.shuffle(reversed(names), "start", "X-1")
    assert len({DICE.shuffle(names, "start", f"X-{i}") for i in range(40)}) > 30


def test_one_more_name_does_not_shift_the_others() -> None:
    """A name added to a shuffle leaves the others in their order."""
    names = ["Ann", "Bob", "Cyd", "Dan", "Eve"]
    more = DICE.shuffle([*names, "Fay"], "start", "X-1")
    assert tuple(n for n in more if n != "Fay") == DICE.shuffle(names, "start", "X-1")


def test_verify_finds_a_false_throw_and_a_false_seed() -> None:
    """The published seed proves every throw and its own commitment; anything altered is named."""
    throws = [DICE.throw(6, "F1902M", "X-1", subject) for subject in ("a", "b")]
    assert DICE.verify(DICE.commitment, throws) == []
    forged = replace(throws[1], fell=(throws[1].fell + 1) % 6)
    assert DICE.verify(DICE.commitment, [throws[0], forged]) == [
        f"F1902M, X-1, b: recorded {forged.fell}, the seed gives {throws[1].fell}"
    ]
    assert "the seed is not the one committed to" in Dice(b"another").verify(DICE.commitment, [])


def test_seeds_are_long_and_new() -> None:
    """A new seed has enough bytes that its commitment gives nothing away, and no two are alike."""
    assert len(new_seed()) == SEED_BYTES
    assert new_seed() != new_seed()
