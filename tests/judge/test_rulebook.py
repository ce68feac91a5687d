"""The rulebook as a value."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadRulebook
from gamesmaster.judge import adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.reading.wordbook import Wordbooks
from gamesmaster.rules import PRESETS, Rulebook, Rules
from gamesmaster.variant import find_variant


def test_every_issue_of_chapter_4_is_named_once() -> None:
    """All 34 questions of DATC chapter 4 (4.E.2 asks none) are fields, each with the choice preferred by 3.2."""
    issues = [f.metadata["issue"] for f in fields(Rulebook)]
    wanted = [f"4.A.{n}" for n in range(1, 8)] + [f"4.B.{n}" for n in range(1, 8)] + [f"4.C.{n}" for n in range(1, 7)]
    wanted += [f"4.D.{n}" for n in range(1, 10)] + ["4.E.1", "4.E.3", "4.E.4", "4.E.5", "4.E.6"]
    assert sorted(issues) == sorted([*wanted, "STD-4.f", "STD-5.h"])
    assert all(getattr(Rulebook(), f.name) == next(iter(f.metadata["answers"])) for f in fields(Rulebook))


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    """Every preset is a rulebook, found in any case of letters."""
    assert Rulebook.of(name.upper()) == Rulebook.of({"preset": name}) == Rulebook.of(Rulebook(**PRESETS[name]))


def test_choices_by_letter_word_and_truth() -> None:
    """A choice may be given by the DATC's letter, by our word, or, where it is yes or no, by true or false."""
    assert Rulebook.of({"4.A.2": "b"}) == Rulebook.of({"convoy_paradox": "1982"}) == Rulebook(convoy_paradox="1982")
    assert Rulebook.of({"waive_builds": False}).waive_builds == "forbidden"
    assert Rulebook.of({"coastal_crawl": True}).coastal_crawl == "allowed"
    assert Rulebook.of(None) == Rulebook.of("datc") == Rulebook()


def test_choices_that_differ() -> None:
    """What differs from the default can be listed, and makes the same rulebook again."""
    book = Rulebook.of("1971")
    assert Rulebook.of(book.choices()) == book
    assert book.choices()["convoy_paradox"] == "1971"


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("1972", "no rulebook '1972'"),
        ({"preset": "1978"}, "did you mean 19"),
        ({"preset": 3}, "no rulebook 3"),
        ({"convoy_paradoxx": "f"}, "did you mean convoy_paradox?"),
        ({"4.A.2": "z"}, "one of szykman"),
        ({"convoy_paradox": "szykmann"}, "did you mean szykman?"),
        ({"4.A.2": ["f"]}, "cannot be"),
        ({"convoy_paradox": True}, "cannot be"),
        ([], "object of choices"),
    ],
)
def test_bad_rulebooks(value: object, complaint: str) -> None:
    """A preset, a choice or an answer that nobody knows is refused, with the nearest that somebody does."""
    with pytest.raises(BadRulebook, match=complaint):
        Rulebook.of(value)  # type: ignore[arg-type]


def test_a_name_in_doubt() -> None:
    """A name that several places have makes its order void, or means the one in reach (STD-4.f, CLN-H.f)."""
    variant = find_variant("standard")
    provinces = [replace(p, aliases=("Gulf",)) if p.id in ("LYO", "BOT") else p for p in variant.board.provinces]
    variant = replace(variant, board=replace(variant.board, provinces=tuple(provinces)))
    position = Position(units_from({"France": ["F WES"]}))
    for answer, expected in (("void", "F WES"), ("settled_by_unit", "F LYO")):
        rules = Rules.of(variant, {"doubtful_name": answer})
        after = adjudicate(rules, PhaseKind.MOVEMENT, position, {"France": ["F Wes - Gulf"]}).position
        assert [str(unit) for unit in after.units] == [expected]
    inside = Position(units_from({"France": ["F LYO"]}))  # only one of the two gulfs has a unit
    after = adjudicate(rules, PhaseKind.MOVEMENT, inside, {"France": ["F Gulf - Wes"]}).position
    assert [str(unit) for unit in after.units] == ["F WES"]


def test_rules_with_the_same_words_share_their_notation() -> None:
    """A reader of orders is made once for all rulebooks; other words for the powers have one of their own."""
    variant = find_variant("standard")
    rules, strict = Rules.of(variant), Rules.of(variant, "1971")
    assert rules.notation is strict.notation
    assert rules.derive(Wordbooks).first is strict.derive(Wordbooks).first
    renamed = replace(rules, adjectives={"France": ["Gallic"]})
    assert renamed.notation is not rules.notation
    assert renamed.notation.read("A Par S Gallic A Mar").of_power == "France"
