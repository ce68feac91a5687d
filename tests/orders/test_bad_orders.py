"""Texts that are no orders: what is said about them, and where."""

from __future__ import annotations

import pytest

from gamesmaster.board import Board, Province, Terrain
from gamesmaster.errors import Ambiguous, Unreadable
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.orders import Notation
from gamesmaster.orders.sentence import Sentence
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant


@pytest.mark.parametrize(
    ("text", "column", "what", "hint"),
    [
        ("", 1, "there is no order here", ""),
        ("   \u200b ", 1, "there is no order here", ""),
        ("A", 1, "no province 'A'", ""),
        ("A Par", 6, "expected what the unit does, but the order ends here", ""),
        ("A Par -", 8, "expected a province, but the order ends here", ""),
        ("A Par Bur", 7, "expected what the unit does, not 'Bur'", ""),
        ("  A Bugandy H", 5, "no province 'Bugandy'", ""),
        ("A Par - Bur!", 12, "the order should end before '!'", ""),
        ("A Par - Bur A Mar H", 13, "the order should end before 'A'", ""),
        ("A Par - Bur - Mun", 9, "no convoy passes through Burgundy", ""),
        ("A Lon - Bel via Wales", 17, "no convoy passes through Wales", ""),
        ("A Lon - Bel by", 15, "expected the word convoy, but the order ends here", ""),
        ("A Lon - Bel (via Nth", 21, "expected a closing bracket, but the order ends here", ""),
        ("F Nth C A Lon", 14, "expected where the unit goes, but the order ends here", ""),
        ("A Mun S A Par B", 15, "expected where the unit goes, not 'B'", ""),
        ("F Mao - Spa/QQ", 13, "expected a coast, not 'QQ'", ""),
        ("F Mao - Spa (quux)", 14, "expected a coast, not 'quux'", ""),
        ("F Mao - Spa (nc", 16, "expected a closing bracket, but the order ends here", ""),
        ("A War - Russia", 9, "Russia is a power, not a province", ""),
        ("A Mun S Germny A Par", 9, "no province 'Germny'", ""),
        ("F Eastern Meditteranean H", 3, "no province 'Eastern Meditteranean'", ""),
        ("F Portug H", 3, "no province 'Portug'", ""),  # names are read exactly
        ("F Black Sea Fleet H", 13, "expected what the unit does, not 'Fleet'", ""),
        ("A Pаr H", 3, "no province 'Pаr'", "'а' is the letter CYRILLIC SMALL LETTER A"),
        ("A Par Ѕ A Mar", 7, "expected what the unit does, not 'Ѕ'", "'Ѕ' is the letter CYRILLIC CAPITAL LETTER DZE"),
        ("A Par \x00 H", 7, "the character U+0000 has no place in an order", ""),
        ("A P\ud800ar H", 4, "the character U+D800 has no place in an order", ""),
        ("A " + "q" * 90, 3, f"no province '{'q' * 40}…'", ""),
    ],
)
def test_complaints(standard: Notation, text: str, column: int, what: str, hint: str) -> None:
    """A text that is not an order is refused with the column of the fault, what it is and which letter is foreign."""
    with pytest.raises(Unreadable) as caught:
        standard.read(text)
    error = caught.value
    assert (error.line, error.column, error.what, error.hint) == (1, column, what, hint)
    assert error.text == text


@pytest.mark.parametrize("code", ["SIC", "SWI", "IRE", "Sic", "ice", "COR"])
def test_short_codes_of_nowhere_are_never_guessed(standard: Notation, code: str) -> None:
    """Sicily, Switzerland, Ireland and the like are no provinces, and no near one is put in their place (STD-5.i)."""
    with pytest.raises(Unreadable, match="no province"):
        standard.read(f"A Mun - {code}")


def test_impassable_provinces_cannot_be_named(odd: Notation) -> None:
    """A move to nowhere is not an order: what no unit can enter is said to be so (STD-4.d)."""
    for name in ("xEgypt", "Egypt and Barca (out of play)"):
        with pytest.raises(Unreadable, match="no unit can enter Egypt and Barca"):
            odd.read(f"A 12 - {name}")


def test_a_name_of_two_provinces_asks_back() -> None:
    """A name that two provinces have means nothing; the complaint lists what it could mean (STD-4.f)."""
    board = Board(
        "two", tuple(Province(f"P{i}", f"Place {i}", f"P{i}", Terrain.COAST, aliases=("Bay",)) for i in "12"), ()
    )
    notation = Notation(board)
    with pytest.raises(Ambiguous, match=r"'Bay' could be Place 1 \(P1\) or Place 2 \(P2\)") as caught:
        notation.read("F Bay - P2")
    assert (caught.value.options, caught.value.column) == (("Place 1 (P1)", "Place 2 (P2)"), 3)
    assert notation.meanings("F Bay - P2") == (notation.read("F P1 - P2"), notation.read("F P2 - P2"))
    assert notation.meanings("F Bay") == notation.meanings("nonsense") == ()


def test_a_name_of_two_powers_asks_back(odd_board: Board) -> None:
    """Where only a power can stand, a word for two of them means none."""
    powers = {"Macleod": ["Clan"], "Macdonald": ["Clan"]}
    notation = Notation(odd_board, powers, {"W": []}, ["CF"], verbs=BoatVerb)
    with pytest.raises(Ambiguous, match="'Clan' could be Macleod or Macdonald"):
        notation.read("W 12 destroys CF of Clan")


def test_long_texts_are_refused_at_once(standard: Notation) -> None:
    """An order of more than 400 characters is refused, whatever it says."""
    order = "A Par - Bur"
    assert standard.read(order.ljust(400)) == standard.read(order)
    for length in (401, 1_000_000):
        with pytest.raises(Unreadable, match=f"an order of {length} characters; the most is 400"):
            standard.read(order.ljust(length))


def test_many_meanings_make_a_short_complaint() -> None:
    """A name of hundreds of provinces is answered with a few of them and the number of the rest; they are too many."""
    names = [f"P{i}" for i in range(500)]
    board = Board("big", tuple(Province(name, name, name, Terrain.COAST, aliases=("Bay",)) for name in names), ())
    with pytest.raises(Ambiguous, match=r"or 492 more$") as caught:
        Notation(board).read("A Bay H")
    assert len(caught.value.options) == 500
    assert Notation(board).meanings("A Bay H") == ()


def test_the_program_may_be_at_fault(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """An order that the program falls over is unreadable, and noted in the log."""
    notation = Rules.of(find_variant("standard")).notation

    def falling(self: Sentence) -> str:
        raise KeyError(self.key)

    monkeypatch.setattr(Sentence, "stranger", falling)
    with pytest.raises(Unreadable, match="by a fault of its own"):
        notation.read("A Xyzzy H")
    assert [record.getMessage() for record in caplog.records] == ["an order could not be read"]
