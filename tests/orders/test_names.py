"""What the words of a text may mean."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gamesmaster.orders.words import Names, one_slip

LETTERS = st.text(alphabet="abc", max_size=5)


def names(*layers: dict[str, str], beginnings_from: int = 0) -> Names:
    """Names with these layers of words and meanings."""
    shown = {meaning: meaning for layer in layers for meaning in layer.values()}
    return Names(shown, [layer.items() for layer in layers], beginnings_from)


def slips(word: str) -> set[str]:
    """Every word over the letters abc that is one slip from this one, made by making the slips."""
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    made = {a + c + b for a, b in cuts for c in "abc"}
    made |= {a + b[1:] for a, b in cuts if b}
    made |= {a + c + b[1:] for a, b in cuts if b for c in "abc"}
    made |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    return made - {word}


@given(LETTERS, LETTERS)
def test_one_slip_is_one_edit(a: str, b: str) -> None:
    """Two different words are one slip apart exactly if one change, gap, extra letter or swap leads over."""
    if a != b:
        assert one_slip(a, b) == (b in slips(a))


def test_earlier_layers_win() -> None:
    """An id wins over another province's alias, and never becomes ambiguous by it."""
    assert names({"nor": "Norway"}, {"nor": "Norwegian Sea"}).mean("nor") == ("Norway",)


def test_two_of_one_layer_stay_two() -> None:
    """A word that one layer gives to two provinces keeps both meanings, in the order of the board."""
    both = Names({}, [[("Tyr", "Tyrolia"), ("Tyr", "Tyrrhenian Sea")]])
    assert both.mean("tyr") == ("Tyrolia", "Tyrrhenian Sea")


def test_hyphens_and_spaces_may_be_left_out() -> None:
    """A name with a hyphen is known with it, with a space, or with neither."""
    atlantic = names({"Mid-Atlantic Ocean": "MAO"})
    for spelling in ("mid - atlantic ocean", "mid atlantic ocean", "midatlantic ocean", "midatlanticocean"):
        assert atlantic.mean(spelling) == ("MAO",)


def test_the_longest_name_is_taken() -> None:
    """Of the names that begin a text the longest counts, in words."""
    assert names({"Nez": "A", "Nez Perce": "B"}).longest_name(["nez", "perce", "h"]) == (("B",), 2)


def test_beginnings_need_three_letters_and_a_name() -> None:
    """Only full names may be cut short, never ids, and to no fewer than three letters."""
    norway = names({"nwegen": "NWY"}, {"Norway": "NWY"}, beginnings_from=1)
    assert norway.begin("nor") == ("NWY",)
    assert norway.begin("no") == norway.begin("nweg") == ()


def test_short_words_are_never_guessed() -> None:
    """A slip is forgiven in words of five letters or more only, on both sides (STD-4.f)."""
    board = names({"Silesia": "SIL", "Rome": "ROM", "Spain": "SPA"})
    assert board.misspelt("sileisa") == ("SIL",)
    assert board.misspelt("romee") == board.misspelt("spin") == ()


def test_hints_prefer_the_first_letter() -> None:
    """Of the words most like a wrong one, a hint names one with the same first letter if there is one."""
    assert names({"vie": "Vienna", "iri": "Irish Sea"}).hint("IRE") == "did you mean Irish Sea?"
    assert names({"vie": "Vienna"}).hint("IRE") == "did you mean Vienna?"
    assert names({"vie": "Vienna"}).hint("qqq") == names({}).hint("x") == names({"vie": "V"}).hint("...") == ""
