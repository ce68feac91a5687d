"""Which rulebooks batches carry out: every choice is named, and what is not named is refused."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from gamesmaster.batches.rulebook import KNOWN, unknown
from gamesmaster.batches.tables import supports, tables_of
from gamesmaster.errors import GamesmasterError
from gamesmaster.judge import Rulebook
from gamesmaster.judge.rules import PRESETS, choice
from gamesmaster.variant import find_variant

REFUSED = {
    "convoy_strikes_from": ["fleet"],
    "convoy_path": ["required"],
    "support_coast": ["ignored"],
    "nation_omitted": ["void"],
    "coastal_crawl": ["allowed"],
}
"""All that a rulebook can say and batches do not carry out."""


def test_every_choice_and_every_answer_is_accounted_for() -> None:
    """A choice, or an answer, that is new in `Rulebook` makes this fail until somebody has said what batches do."""
    answers = {field.name: set(field.metadata["answers"]) for field in fields(Rulebook)}
    assert {name: set(known.split()) | set(REFUSED.get(name, ())) for name, known in KNOWN.items()} == answers
    assert not any(set(KNOWN[name].split()) & set(refused) for name, refused in REFUSED.items())


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name, told in REFUSED.items() for answer in told])
def test_a_refusal_names_the_choice(name: str, answer: str) -> None:
    """A variant under a rule that batches do not carry out is refused by the name of the rule."""
    variant = replace(find_variant("standard"), rulebook={name: answer})
    assert supports(variant).why_not == (f"the rulebook's {name} = {answer}",)
    with pytest.raises(GamesmasterError, match=f"cannot be played in batches.*{name} = {answer}"):
        tables_of(variant)


def test_a_choice_never_heard_of_is_refused() -> None:
    """Whatever a later rulebook may ask, batches do not take it as carried out."""

    @dataclass(frozen=True)
    class Later(Rulebook):
        novelty: str = choice("STD-99", "Is there something new?", no="a", yes="b")

    assert list(unknown(Later())) == ["novelty = no"]
    assert list(unknown(Rulebook())) == []


def test_the_books_by_date_are_played_but_one() -> None:
    """Batches play by every preset but the DPTG's, where a convoy strikes from the fleet."""
    refused = {name: list(unknown(Rulebook.of(name))) for name in PRESETS}
    assert {name for name, why in refused.items() if why} == {"dptg"}
