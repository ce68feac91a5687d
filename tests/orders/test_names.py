"""What the words of a text may mean."""

from __future__ import annotations

from gamesmaster.orders.words import Names


def names(*layers: dict[str, str]) -> Names:
    """Names with these layers of words and meanings."""
    shown = {meaning: meaning for layer in layers for meaning in layer.values()}
    return Names(shown, [layer.items() for layer in layers])


def test_earlier_layers_win() -> None:
    """An id wins over another province's alias, and never becomes ambiguous by it."""
    assert names({"nor": "Norway"}, {"nor": "Norwegian Sea"}).exact["nor"] == ("Norway",)


def test_two_of_one_layer_stay_two() -> None:
    """A word that one layer gives to two provinces keeps both meanings, in the order of the board."""
    both = Names({}, [[("Tyr", "Tyrolia"), ("Tyr", "Tyrrhenian Sea")]])
    assert both.exact["tyr"] == ("Tyrolia", "Tyrrhenian Sea")


def test_hyphens_and_spaces_may_be_left_out() -> None:
    """A name with a hyphen is known with it, with a space, or with neither."""
    atlantic = names({"Mid-Atlantic Ocean": "MAO"})
    for spelling in ("mid - atlantic ocean", "mid atlantic ocean", "midatlantic ocean", "midatlanticocean"):
        assert atlantic.exact[spelling] == ("MAO",)


def test_the_longest_name_is_taken() -> None:
    """Of the names that begin a text the longest counts, in words."""
    assert names({"Nez": "A", "Nez Perce": "B"}).longest_name(["nez", "perce", "h"]) == (("B",), 2)
