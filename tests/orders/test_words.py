"""Folding a text into words, each of which knows where it stood."""

from __future__ import annotations

import sys
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.orders import Verb
from gamesmaster.orders.words import key, split

DASHES = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Pd"]


def test_every_dash_and_arrow_is_one_dash() -> None:
    """Every dash of Unicode, the minus signs and the arrows to the right read as a dash."""
    assert len(DASHES) > 20
    for sign in [*DASHES, "−", "⁃", "⁻", "->", "-->", "=>", "→", "⇒", "➔", "⟶", "➡️"]:
        assert key(f"Lon{sign}Bel") == "lon - bel", sign


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ａ　Ｐａｒ", "a par"),
        ("São Vicente", "sao vicente"),
        ("Sa\u0303o", "sao"),
        ("ST. PETERSBURG", "st petersburg"),
        ("Straße", "strasse"),
        ("ﬁnland", "finland"),
        ("P\u200ba\u202er\u2069", "par"),
        ("O’Higgins", "o higgins"),
        ("A\tPar\u2028H", "a par h"),
        ("Spa.sc", "spa sc"),
        ("STP/NC(x)", "stp / nc ( x )"),
        ("Й", "и"),
        ("", ""),
    ],
)
def test_one_spelling(text: str, folded: str) -> None:
    """Full-width letters, ligatures, accents, capitals and invisible marks make no difference."""
    assert key(text) == folded


def test_words_know_where_they_stood() -> None:
    """A word's start and end point into the original text, whatever folding did to its length."""
    text = "A\u200b Ｐａｒ → ﬁnland."
    assert [text[word.start : word.end] for word in split(text)] == ["A", "Ｐａｒ", "→", "ﬁnland"]


@given(st.text(alphabet=st.characters(), max_size=60))
def test_words_lie_in_order_in_the_text(text: str) -> None:
    """Any text at all splits into words that lie one after the other inside it."""
    words = split(text)
    assert all(word.key and 0 <= word.start < word.end <= len(text) for word in words)
    assert all(one.start < other.end and one.end <= other.end for one, other in pairwise(words))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    """A folded text is its own folding."""
    assert key(key(text)) == key(text)


def test_what_an_order_must_say_follows_from_what_stands_behind_its_verb() -> None:
    """A verb without a title is called by its word in files."""
    assert [verb.needs for verb in (Verb.HOLD, Verb.MOVE, Verb.SUPPORT, Verb.CONVOY)] == [
        (), ("to",), ("of",), ("of", "to"),
    ]  # fmt: skip
    assert (PairVerb.BOARD.needs, BoatVerb.DESTROY.needs) == (("to",), ("carried",))
    assert (Verb.MOVE.label, Verb.WAIVE.label) == ("Move", "Leave a build unused")
