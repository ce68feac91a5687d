"""Records that earlier commits of this project have written open for ever.

Each file in `tests/data/records` was written by the program of the commit it is named by, and is never written anew;
new ones are added whenever the format, or a variant, changes.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gamesmaster.game import Difference, Game, dumps, history, loads, report, verify
from gamesmaster.game.judging import Posted
from gamesmaster.game.record import in_brief
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import Picture, Snapshot, looks_of, marks_of, signs_of
from gamesmaster.pictures.shapes.files import shapes_of
from gamesmaster.rules import Rules

FOLDER = Path(__file__).parents[1] / "data" / "records"
FILES = sorted(FOLDER.glob("*.json.gz"))
AT_LEAST = 39
"""How many there are: the number only grows."""


def opened(path: Path) -> tuple[Game, list[Difference]]:
    """The game, and in what it would be judged otherwise today; a false record would be refused."""
    found: list[Difference] = []
    return loads(gzip.decompress(path.read_bytes()), where=path.name, otherwise=found.extend), found


def test_none_is_lost() -> None:
    """All records are there: of every variant, of both old formats, of games running and over."""
    assert len(FILES) >= AT_LEAST
    told = [json.loads(gzip.decompress(path.read_bytes())) for path in FILES]
    assert {data["format"] for data in told} >= {1, 2}
    assert len({data["variant"]["id"].partition("[")[0] for data in told}) >= 7
    assert len({data["variant"]["digest"] for data in told}) >= 27
    assert {"outcome" in data for data in told} == {True, False}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
class TestOldRecords:
    """Everything that can be done with a game can be done with one of old."""

    def test_it_opens_as_it_was(self, path: Path) -> None:
        """Orders, results, owners and dice are those that stand in the file."""
        data = json.loads(gzip.decompress(path.read_bytes()))
        game, _ = opened(path)
        assert game.variant.digest == data["variant"]["digest"]
        assert [record.phase.code for record in game.records] == [entry["phase"] for entry in data["phases"]]
        assert [list(record.rulings) for record in game.records] == [entry["rulings"] for entry in data["phases"]]
        assert json.loads(dumps(game))["phases"] == data["phases"]
        assert (game.outcome is not None) == ("outcome" in data)

    def test_it_is_told_as_posted(self, path: Path) -> None:
        """Status, reports and reasons are there, and every order's result is the one that was posted."""
        game, found = opened(path)
        assert game.outcome or [status.power for status in game.status] == list(game.survivors)
        assert report(game) in history(game) or not game.records
        for record in game.records:
            judged = game.adjudication(record)
            assert in_brief(judged.rulings) == record.rulings or isinstance(judged, Posted)
            assert (
                in_brief(judged.rulings)[: sum(map(len, record.orders.values()))]
                == record.rulings[: sum(map(len, record.orders.values()))]
            )
            assert all(ruling.text for ruling in judged.rulings)
            if isinstance(judged, Posted):
                assert any(one.phase == record.phase.code for one in found)
                assert "The posted results stand" in report(game, record.phase.code)

    def test_it_is_drawn_on_its_own_board(self, path: Path) -> None:
        """The map of its last phase is drawn with the shapes of its edition."""
        game, _ = opened(path)
        variant, rules = game.variant, Rules.of(game.variant)
        picture = Picture(variant.board, shapes_of(variant), variant.powers, signs=signs_of(rules))
        record = game.records[-1]
        drawn = picture.svg(
            Snapshot(
                record.position,
                title=variant.name,
                rulings=game.adjudication(record).rulings,
                marks=marks_of(rules, record.position),
                looks=looks_of(rules, record.position),
            )
        )
        assert drawn.startswith("<svg")

    def test_it_goes_on(self, path: Path) -> None:
        """It is saved in the format of today and read again, rolled back, and played for three more phases."""
        game, found = opened(path)
        again = loads(dumps(game), otherwise=len)
        assert again == game
        assert verify(again) == found
        for _ in range(3):
            if again.outcome is None:
                again = again.process()
        assert not [one for one in verify(again) if not one.otherwise]
        back = game.rollback(game.records[-1].phase.code)
        assert back.process().records[-1].phase == game.records[-1].phase

    def test_it_says_what_is_judged_otherwise(self, path: Path) -> None:
        """Nothing in it is held to be false; each difference names a phase that was played."""
        game, found = opened(path)
        assert all(one.otherwise for one in found)
        assert {one.phase for one in found} <= {r.phase.code for r in game.records} | {game.phase.code}
        assert any(record.phase.kind is PhaseKind.MOVEMENT for record in game.records)
