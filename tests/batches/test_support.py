"""Which variants batches can play: every choice of a rulebook is named, and what batches do not know is refused."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from gamesmaster.batches.batch import Batch
from gamesmaster.batches.support import KNOWN, supports, unknown
from gamesmaster.batches.tables import tables_of
from gamesmaster.errors import GamesmasterError
from gamesmaster.rules import PRESETS, Mechanic, Rulebook
from gamesmaster.rules.rulebook import choice
from gamesmaster.variant import find_variant, variant_names
from tests.open_variants import open_variants

pytestmark = pytest.mark.together

REFUSED = {
    "convoy_strikes_from": ["fleet"],
    "convoy_path": ["required"],
    "support_coast": ["ignored"],
    "nation_omitted": ["void"],
    "coastal_crawl": ["allowed"],
}
"""All that a rulebook can say and batches do not carry out."""


def test_it_is_said_why_a_variant_cannot_be_played_in_batches() -> None:
    """All can be in which everybody sees the board; others, and unknown mechanics, are refused with the reason."""
    assert {name for name in variant_names() if supports(find_variant(name))} == set(open_variants())
    assert supports(find_variant("fog")).why_not == ("the mechanic Sight (batches show every player the whole board)",)
    assert supports(find_variant("1000ad[af_module=yes]"))
    odd = replace(find_variant("scottomacy"), mechanics=(Mechanic(),))
    assert supports(odd).why_not == ("the mechanic Mechanic (it says nothing in columns)",)
    with pytest.raises(GamesmasterError, match=r"cannot be played in batches.*says nothing in columns"):
        Batch(odd, 1, seed=0)


def test_a_winter_between_moves_and_retreats_is_refused() -> None:
    """Builds would stand where units may still retreat to."""
    standard = find_variant("standard")
    kinds = {slot.kind.value: slot for slot in standard.calendar.slots}
    year = tuple(kinds[kind] for kind in ("movement", "adjustments", "retreats"))
    odd = replace(standard, calendar=replace(standard.calendar, slots=year))
    assert supports(odd).why_not == ("a Winter between moves and retreats",)


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
