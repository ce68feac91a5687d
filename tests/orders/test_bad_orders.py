"""Texts that are no orders: what is said about them, and where."""

from __future__ import annotations

import pytest

from gamesmaster.board import Board, Province, Terrain
from gamesmaster.errors import Ambiguous, BadOrder, Unreadable
from gamesmaster.judge import Rules
from gamesmaster.orders import Notation
from gamesmaster.orders.words import Names
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
        ("  A Bugandy H", 5, "no province 'Bugandy'", "did you mean Burgundy (Bur)?"),
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
        ("A Mun S Germny A Par", 9, "no province 'Germny'", "did you mean Germany?"),
        (
            "F Eastern Meditteranean H",
            3,
            "no province 'Eastern Meditteranean'",
            "did you mean Eastern Mediterranean (Eas)?",
        ),
        ("F Black Sea Fleet H", 13, "expected what the unit does, not 'Fleet'", ""),
        ("A Pаr H", 3, "no province 'Pаr'", "'а' is the letter CYRILLIC SMALL LETTER A"),
        ("A Par Ѕ A Mar", 7, "expected what the unit does, not 'Ѕ'", "'Ѕ' is the letter CYRILLIC CAPITAL LETTER DZE"),
        ("A Par \x00 H", 7, "the character U+0000 has no place in an order", ""),
        ("A P\ud800ar H", 4, "the character U+D800 has no place in an order", ""),
        ("A " + "q" * 90, 3, f"no province '{'q' * 40}…'", ""),
    ],
)
def test_complaints(standard: Notation, text: str, column: int, what: str, hint: str) -> None:
    """A text that is not an order is refused with the column of the fault, what it is and the nearest right thing."""
    with pytest.raises(Unreadable) as caught:
        standard.read(text)
    error = caught.value
    assert (error.line, error.column, error.what, error.hint) == (1, column, what, hint)
    assert error.text == text
    with pytest.raises(Unreadable) as hintless:
        standard.read(text, hints=False)
    assert (hintless.value.what, "did you mean" in hintless.value.hint) == (what, False)


@pytest.mark.parametrize("code", ["SIC", "SWI", "IRE", "Sic", "ice", "COR"])
def test_short_codes_of_nowhere_are_never_guessed(standard: Notation, code: str) -> None:
    """Sicily, Switzerland, Ireland and the like are no provinces, and no near one is put in their place (STD-5.i)."""
    with pytest.raises(Unreadable, match="no province"):
        standard.read(f"A Mun - {code}")


def test_impassable_provinces_cannot_be_named(odd: Notation) -> None:
    """A move to nowhere is not an order: what no unit can enter is said to be so, cut short or not (STD-4.d)."""
    for name in ("xEgypt", "Egypt and Barca (out of play)", "Egypt"):
        with pytest.raises(Unreadable, match="no unit can enter Egypt and Barca"):
            odd.read(f"A 12 - {name}")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("F Gulf - Spa", ("Gulf of Bothnia (Bot)", "Gulf of Lyon (Lyo)")),
        ("F North S A Lon - Bel", ("North Africa (Naf)", "North Atlantic Ocean (Nao)", "North Sea (Nth)")),
    ],
)
def test_two_meanings_ask_back(standard: Notation, text: str, options: tuple[str, ...]) -> None:
    """What could mean two things means nothing; the complaint lists what it could mean (STD-4.f)."""
    with pytest.raises(Ambiguous) as caught:
        standard.read(text)
    assert caught.value.options == options
    assert caught.value.column == 3
    assert f"{options[-2]} or {options[-1]}" in str(caught.value)


def test_a_slip_near_two_names_asks_back(odd: Notation) -> None:
    """A misspelling with two near names is not guessed; each of the names itself is read."""
    with pytest.raises(Ambiguous, match=r"'Burgunk' could be Burgund \(BUR\) or Burgunt \(BRG\)"):
        odd.read("A Burgunk H")
    assert odd.write(odd.read("A Burgunt - Burgund")) == "A BRG - BUR"


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Tyr", "Tyr"), ("Nor", "Nwy"), ("Norw", None), ("Liv", None), ("Mos", "Mos"), ("Mid", "Mao"), ("Bal", "Bal")],
)
def test_exact_names_win_over_beginnings(standard: Notation, name: str, printed: str | None) -> None:
    """An abbreviation or alias means its province though other names begin so; a shared beginning asks back."""
    if printed:
        assert standard.write(standard.read(f"F {name} H")) == f"F {printed} H"
    else:
        with pytest.raises(Ambiguous):
            standard.read(f"F {name} H")


def test_long_texts_are_refused_at_once(standard: Notation) -> None:
    """An order of more than 400 characters is refused, whatever it says."""
    order = "A Par - Bur"
    assert standard.read(order.ljust(400)) == standard.read(order)
    for length in (401, 1_000_000):
        with pytest.raises(Unreadable, match=f"an order of {length} characters; the most is 400"):
            standard.read(order.ljust(length))


def test_many_meanings_make_a_short_complaint() -> None:
    """A beginning of hundreds of names is answered with a few of them and the number of the rest."""
    board = Board("big", tuple(Province(f"P{i}", f"Province {i}", f"P{i}", Terrain.COAST) for i in range(500)), ())
    with pytest.raises(Ambiguous, match=r"or 492 more$") as caught:
        Notation(board).read("A Province H")
    assert len(caught.value.options) == 500


def test_the_program_may_be_at_fault(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """An order that the program falls over is unreadable, and noted in the log."""
    notation = Rules.of(find_variant("standard")).notation

    def falling(self: Names, word: str) -> str:
        raise KeyError(word)

    monkeypatch.setattr(Names, "hint", falling)
    with pytest.raises(Unreadable, match="by a fault of its own"):
        notation.read("A Xyzzy H")
    assert [record.getMessage() for record in caplog.records] == ["an order could not be read"]


def test_those_whom_nobody_plays_are_named_in_hints() -> None:
    """A slip in the name of those whose units no power has is told like any other."""
    with pytest.raises(BadOrder, match=r"did you mean Neutral\?"):
        Rules.of(find_variant("conquest2")).notation.read("A ATL S Nuetrl A MEX")
