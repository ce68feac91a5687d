"""What was posted stands: a record is told by itself where this program judges otherwise, or cannot judge at all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.game import Game, Untrue, dumps, history, loads, report, verify
from gamesmaster.game.judging import Posted
from gamesmaster.game.record import in_brief
from gamesmaster.pictures import Picture, Snapshot
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.pictures.text_board import text_board
from gamesmaster.rules import Cause, Result
from gamesmaster.variant import find_variant
from tests.lengths import mark_long

FOLDER = Path(__file__).parents[1] / "data" / "records"
OVER = sorted(FOLDER.glob("*_finished.json.gz"))
ANOTHER = "0.0.9+0123456789ab"


@pytest.fixture
def game() -> Game:
    """A game two phases old: a bounce, a cut support, an order of nobody's, units without orders."""
    sheets = {"France": "A Par - Bur; A Mar S A Par - Bur; F Bre - Mao", "Germany": "A Mun - Bur; A Ber - Xyz"}
    begun = Game.start(find_variant("standard"), seed=bytes(32))
    for power, sheet in sheets.items():
        begun = begun.submit(power, sheet)
    return begun.process().process()


def changed(game: Game, change: Callable[[Any], object]) -> Game:
    """The game as another program would have posted it."""
    data = json.loads(dumps(game))
    data["judge"] = ANOTHER
    change(data["phases"][0])
    return loads(json.dumps(data))


def test_a_result_that_is_another_now(game: Game) -> None:
    """An order that came to something else is told as it was posted; of the others nothing is lost."""
    found = changed(game, lambda phase: phase["rulings"].__setitem__(0, "bounces: stood off"))
    judged = found.adjudication(found.records[0])
    assert isinstance(judged, Posted)
    assert (judged.rulings[0].result, judged.rulings[0].cause) == (Result.BOUNCES, Cause.STOOD_OFF)
    assert judged.rulings[0].text == "is stood off by another unit: as posted"
    assert judged.rulings[1:] == game.adjudication(game.records[0]).rulings[1:]
    assert in_brief(judged.rulings) == found.records[0].rulings
    assert judged.position == found.records[1].position
    assert "The posted results stand" in report(found, "S1901M")
    assert "The posted results stand" not in report(found, "F1901M")
    assert [(one.phase, one.otherwise) for one in verify(found)] == [("S1901M", True)]


def test_words_that_nobody_knows_any_more(game: Game) -> None:
    """Results and causes that have other names by now are told as well as can be."""
    found = changed(game, lambda phase: phase["rulings"].__setitem__(0, "cut: by a word of old"))
    ruling = found.adjudication(found.records[0]).rulings[0]
    assert (ruling.result, ruling.detail) == (Result.CUT, "as posted")
    found = changed(game, lambda phase: phase["rulings"].__setitem__(0, "vanishes: into the air"))
    ruling = found.adjudication(found.records[0]).rulings[0]
    assert (ruling.result, ruling.detail) == (Result.SUCCEEDS, "as posted")
    assert "The posted results stand" in history(found)


def test_other_units_without_orders(game: Game) -> None:
    """Where another number of units had no order, those that are left are named, and none twice."""
    found = changed(game, lambda phase: phase["rulings"].pop())
    judged = found.adjudication(found.records[0])
    silent = [ruling.unit for ruling in judged.rulings if not ruling.given]
    assert len(judged.rulings) == len(found.records[0].rulings)
    assert len({unit.number for unit in silent if unit}) == len(silent)
    assert all(unit and unit.power for unit in silent)


def test_a_program_knows_its_own_lies(game: Game) -> None:
    """What this very program is said to have judged, and judges otherwise, is false, and refused."""
    data = json.loads(dumps(game))
    data["phases"][0]["rulings"][0] = "bounces: stood off"
    with pytest.raises(Untrue, match="does not follow from the orders"):
        loads(json.dumps(data))
    data["phases"][0]["judge"] = ANOTHER
    assert loads(json.dumps(data)).records[0].judge == ANOTHER
    data["seed"], data["throws"] = "00" * 32, [["S1901M", "X-1", "a lie", 6, 5]]
    with pytest.raises(Untrue, match="throw"):
        loads(json.dumps(data))


def test_who_judged_is_kept(game: Game) -> None:
    """Each phase keeps who judged it, through saving, going on and going back."""
    found = changed(game, lambda phase: None)
    assert [record.judge for record in found.records] == [ANOTHER, ANOTHER]
    on = loads(dumps(found.process()))
    assert [record.judge for record in on.records] == [ANOTHER, ANOTHER, game.records[0].judge]
    assert [record.judge for record in on.rollback("F1901M").process().records] == [ANOTHER, game.records[0].judge]
    assert replace(found.records[0], judge="") == found.records[0]


@pytest.mark.parametrize("path", mark_long(OVER, but=OVER[::4]), ids=lambda path: path.name.split(".")[0])
def test_a_game_that_is_over_needs_no_judge(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a judge that fails at everything, finished games are opened, told and drawn from their records alone."""

    def fail(*_: object, **__: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("gamesmaster.game.state.adjudicate_all", fail)
    game = loads(gzip.decompress(path.read_bytes()))
    assert all(one.otherwise for one in verify(game))
    assert game.outcome
    assert game.outcome.text in " ".join(history(game).split())
    picture = Picture(game.variant.board, shapes_of(game.variant), game.variant.powers)
    for record in game.records:
        judged = game.adjudication(record)
        orders = sum(map(len, record.orders.values()))
        assert [ruling.given for ruling in judged.rulings[:orders]] == [
            t for texts in record.orders.values() for t in texts
        ]
        assert in_brief(judged.rulings[:orders]) == record.rulings[:orders]
        assert all(ruling.text for ruling in judged.rulings)
        assert text_board(
            game.variant.board, Snapshot(record.position, rulings=judged.rulings), [p.name for p in game.variant.powers]
        )
    assert picture.svg(
        Snapshot(game.records[0].position, rulings=game.adjudication(game.records[0]).rulings)
    ).startswith("<svg")
