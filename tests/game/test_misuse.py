"""Values of another kind than a function takes: a sentence says what is wanted, for people who learn the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gamesmaster as gm
from gamesmaster.game import history

VARIANT = gm.find_variant("standard")
GAME: Any = gm.Game.start(VARIANT, seed=bytes(32))
STATE: Any = GAME.state
FIVE: Any = 5
NAME: Any = "standard"


def _judged(**changes: Any) -> object:
    """The first phase adjudicated with something of another kind."""
    given: dict[str, Any] = {"rules": GAME.rules, "position": GAME.position, "orders": {}, "disorder": (), **changes}
    rules, position, orders = given["rules"], given["position"], given["orders"]
    return gm.adjudicate(rules, "movement", position, orders, disorder=given["disorder"])


@pytest.mark.parametrize(
    ("misused", "wanted"),
    [
        (lambda: gm.state_data(GAME), "a State, as a game has it in `game.state`, not a Game"),
        (lambda: gm.state_data(FIVE), "a State, as a game has it in `game.state`, not 5"),
        (
            lambda: gm.read_state({}, NAME),
            "a function such as find_variant, not 'standard'",
        ),
        (lambda: gm.report(STATE), "a Game, not a State"),
        (lambda: gm.report(GAME, FIVE), "the name of a phase, not 5"),
        (lambda: history(STATE), "a Game, not a State"),
        (lambda: gm.save(STATE, "game.json"), "a Game, not a State"),
        (lambda: gm.find_variant(FIVE), "the name of a variant, not 5"),
        (lambda: gm.read_board(FIVE), "a Path, a JSON text or an object, not 5"),
        (lambda: gm.Rules.of(FIVE), "a Variant, as find_variant finds it, not 5"),
        (lambda: gm.State.start(NAME), "a Variant, as find_variant finds it, not 'standard'"),
        (lambda: GAME.submit(FIVE, "A Par H"), "the name of a power, not 5"),
        (lambda: GAME.vote_draw(FIVE), "the name of a power, not 5"),
        (lambda: GAME.rollback(FIVE), "the name of a phase, not 5"),
        (
            lambda: GAME.submit("France", FIVE),
            "a text, a list with a text or an Order for each order, or an OrderSheet, not 5",
        ),
        (lambda: GAME.submit("France", [FIVE]), "a text or an Order for France, not 5"),
        (lambda: GAME.restore_orders("France", FIVE), "a text or a list of texts for France, not 5"),
        (lambda: GAME.restore_orders("France", [None]), "a text or an Order for France, not None"),
        (lambda: GAME.what_if(FIVE), 'a mapping such as {"France": ["A Par - Bur"]}, not 5'),
        (lambda: GAME.what_if({"France": [FIVE]}), "a text or an Order for France, not 5"),
        (lambda: STATE.adjudicate(FIVE), 'a mapping such as {"France": ["A Par - Bur"]}, not 5'),
        (lambda: STATE.adjudicate(["A Par H"]), 'a mapping such as {"France": ["A Par - Bur"]}, not a list'),
        (lambda: STATE.adjudicate({"France": FIVE}), "a text or a list of texts for France, not 5"),
        (lambda: STATE.adjudicate({"France": [FIVE]}), "a text or an Order for France, not 5"),
        (lambda: STATE.adjudicate({FIVE: ["A Par H"]}), "the name of a power, not 5"),
        (lambda: _judged(rules=FIVE), "Rules.of(variant), not 5"),
        (lambda: _judged(position=FIVE), "a Position, such as variant.start, not 5"),
        (lambda: _judged(orders=FIVE), 'a mapping such as {"France": ["A Par - Bur"]}, not 5'),
        (lambda: _judged(orders={"France": FIVE}), "a text or a list of texts for France, not 5"),
        (lambda: _judged(orders={"France": [FIVE]}), "a text or an Order for France, not 5"),
        (lambda: _judged(orders={FIVE: "A Par H"}), "the name of a power, not 5"),
        (lambda: _judged(disorder=FIVE), "the names of the powers in civil disorder, not 5"),
        (lambda: gm.read(FIVE, "France", "A Par H"), "a Game, a State or a Situation, not 5"),
        (lambda: gm.read(GAME, FIVE, "A Par H"), "the name of a power, not 5"),
        (lambda: gm.read(GAME, "France", FIVE), "a text or a list of texts for France, not 5"),
        (lambda: gm.read(GAME, "France", [FIVE]), "a text or an Order for France, not 5"),
        (lambda: gm.read(GAME, "", [FIVE]), "a text or an Order for a sheet of all powers, not 5"),
        (lambda: gm.units_from({FIVE: ["A PAR"]}), "the name of a power, not 5"),
        (lambda: gm.units_from(FIVE), "the units of each power: a mapping of lists, not 5"),
        (lambda: gm.units_from({"France": "A PAR"}), "a list of texts for the units of France, not 'A PAR'"),
        (lambda: gm.units_from({"France": FIVE}), "a list of texts for the units of France, not 5"),
        (lambda: gm.units_from({"France": [FIVE]}), "a list of texts for the units of France, not 5"),
    ],
)
def test_what_is_of_another_kind(misused: Callable[[], object], wanted: str, tmp_path: Any, monkeypatch: Any) -> None:
    """No function of the front page answers in words about its own insides."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError) as caught:
        misused()
    assert str(caught.value) == f"expected {wanted}"
