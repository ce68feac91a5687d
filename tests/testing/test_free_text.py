"""No text stops a game, whatever it is; and the search for one that does can find it."""

from __future__ import annotations

import random

import pytest

from gamesmaster.orders.sentence import Sentence
from gamesmaster.variant import find_variant, full_name, variant_names
from tests.free_text import check_texts
from tests.lengths import short_and_long


@pytest.mark.parametrize("name", variant_names())
@short_and_long("texts", 60, 10_000)
def test_no_text_stops_a_game(name: str, texts: int) -> None:
    """Three times so many texts, under options drawn by lot, are read, judged and reported without a fault."""
    chance = random.Random(name)
    for seed in range(3):
        options = {
            o.name: chance.choice(o.choices) for o in find_variant(name).options if seed and chance.random() < 0.5
        }
        assert check_texts(find_variant(full_name(name, options)), texts=texts, seed=seed * 1_000) == []


def test_a_text_that_stops_a_game_is_found(falling_judge: None) -> None:
    """A judge that falls over builds without a letter is caught, with the text that did it."""
    problems = check_texts(find_variant("standard"), texts=1_000, seed=400)
    assert any("KeyError: 'A'" in problem and "falling" in problem for problem in problems)


def test_a_text_that_cannot_be_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that falls over a text is caught though nothing stops: what it logs is a problem, with its text."""

    def falling(self: Sentence) -> str:
        raise KeyError(self.key)

    monkeypatch.setattr(Sentence, "stranger", falling)
    problems = check_texts(find_variant("conquest2"), texts=100)
    assert any("KeyError" in problem and "falling" in problem for problem in problems)
