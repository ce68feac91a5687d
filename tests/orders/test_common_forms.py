"""The commonest forms are looked up, and are the orders that the grammar reads."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from gamesmaster.errors import BadOrder
from gamesmaster.orders import Notation, Order, PhaseKind
from gamesmaster.orders.sentence import CommonForms, Sentence
from gamesmaster.orders.words import Lexicon

from .conftest import GAMES

PHASES = (None, *PhaseKind)
FORMS = (
    "{k} {p} - {p}", "{k} {p} h", "{k} {p} s {k} {p}", "{k} {p} s {k} {p} - {p}", "{k} {p} c {k} {p} - {p}",
    "{k} {p} - {p} via convoy", "{k} {p} - {p} via", "{k} {p} c {k} {p}", "{k} {p} h {p}", "{k} {p} s {k}",
    "{k} {p} s {k} {p} {v}", "{k} {p} s {k} {p} - {p} {p}", "{k} {p} {v} {p} {v} {p} {v} {p}", "{p} - {p}", "{k} {p} -",
)  # fmt: skip


def by_grammar(lexicon: Lexicon, text: str, phase: PhaseKind | None) -> Order | None:
    """The order that the grammar reads; None where it complains."""
    try:
        return Sentence(lexicon, text).read(phase)
    except BadOrder:
        return None


def texts(lexicon: Lexicon, rng: Random, number: int) -> Iterator[str]:
    """Texts of the common forms, and others nearly like them, of all words that a game has."""
    kinds = sorted(lexicon.kinds)
    verbs = sorted({*lexicon.verbs, *lexicon.stops, "via", "by", "(", ")", "/", *lexicon.coasts, *lexicon.powers.exact})
    places = sorted(lexicon.places.exact)
    coasts = sorted(lexicon.coasts)
    for _ in range(number):
        form = rng.choice(FORMS)
        while "{" in form:
            place = rng.choice(places) + (f"/{rng.choice(coasts)}" if rng.random() < 0.2 else "")
            word = {"k": rng.choice(kinds), "p": place, "v": rng.choice(verbs)}[form[form.index("{") + 1]]
            at = form.index("{")
            form = form[:at] + word + form[at + 3 :]
        yield rng.choice([form, form.upper(), form.replace(" - ", "-"), form.title()])


@pytest.mark.bulk
@pytest.mark.parametrize("game", ["standard", "odd", *GAMES])
def test_what_is_looked_up_the_grammar_reads_alike(request: pytest.FixtureRequest, game: str) -> None:
    """On every board, whatever its places are called, and in phases of every kind."""
    games: dict[str, Notation] = request.getfixturevalue("games")
    notation = games[game] if game in games else request.getfixturevalue(game)
    lexicon, rng, looked_up = notation.lexicon, Random(f"common {game}"), 0
    forms = CommonForms(lexicon)
    for text in texts(lexicon, rng, 3_000):
        phase = rng.choice(PHASES)
        if (order := forms.read(text, phase)) is not None:
            looked_up += 1
            assert (text, phase, order) == (text, phase, by_grammar(lexicon, text, phase))
    assert looked_up > 200 or game != "standard"


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur", "F STP/SC S F BOT - LVN", "a nwy h", "A Lon-Bel via convoy", "F Nth C A Lon - Hol",
        "A Paris S A Burgundy", "F Spa/nc - MAO",
    ],
)  # fmt: skip
def test_what_is_written_most_is_looked_up(standard: Notation, text: str) -> None:
    """In codes and names of one word, small letters or capitals."""
    assert CommonForms(standard.lexicon).read(text, PhaseKind.MOVEMENT) == standard.read(text, PhaseKind.MOVEMENT)
    assert CommonForms(standard.lexicon).read(text, PhaseKind.MOVEMENT)


@pytest.mark.parametrize("text", ["A Pär - Bur", "A Par", "Par - Bur", "A Par - Bur - Mun", "A Mid-Atlantic - Bre"])
def test_the_rest_is_for_the_grammar(standard: Notation, text: str) -> None:
    """What has other letters, lacks one, or has names of several words."""
    assert CommonForms(standard.lexicon).read(text, PhaseKind.MOVEMENT) is None
