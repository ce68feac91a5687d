"""Leagues: who sits where, what a lone seat is ahead of, and strengths that are worked out by hand."""

from __future__ import annotations

import json
import runpy
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from gamesmaster.errors import GamesmasterError
from gamesmaster.lab import Experiment, GameSummary, League, league_of, read_league, write_league

from .made import POWERS, made

DOCS = Path(__file__).parents[2] / "docs"
Games = tuple[Experiment, list[GameSummary]]


def met(one: str, others: str, counts: Sequence[int]) -> Games:
    """Games in which the lone seat ends with these centres, and all others with five."""
    experiment = Experiment.of("standard", f"{one},{others}", seed=5)
    games = []
    for number, count in enumerate(counts):
        lone = POWERS.index(experiment.first_seat(number))
        games.append(made(number, {1901: [count if n == lone else 5 for n in range(7)]}, experiment=experiment))
    return experiment, games


def played(better: Sequence[int], worse: Sequence[int]) -> League:
    """A league of two players: the lone seats of the heuristic end so, and those of the random player so."""
    return league_of({
        ("heuristic", "random"): met("heuristic", "random", better),
        ("random", "heuristic"): met("random", "heuristic", worse),
    })  # fmt: skip


def test_what_a_lone_seat_is_ahead_of() -> None:
    """More centres than all others are all of them, equal ones half; a victory is before all centres."""
    found = {m.one: m for m in played([6, 6, 5, 6], [4, 4, 4, 4]).meetings}
    assert (found["heuristic"].ahead.value, found["random"].ahead.value) == (0.875, 0)
    assert found["random"].centres.value == pytest.approx(4 / 34)
    experiment, [game] = met("heuristic", "random", [1])
    won = made(0, game.centres, [experiment.first_seat(0)], experiment=experiment)
    told = league_of(
        {("heuristic", "random"): (experiment, [won]), ("random", "heuristic"): met("random", "heuristic", [4])}
    )
    assert (told.meetings[0].ahead.value, told.meetings[0].victory.value) == (1, 1)


def test_strengths_of_two() -> None:
    """30 of 40 games won, and half a game each way: log odds of 30.5 to 10.5, which are 185 points."""
    found = played([6] * 15 + [4] * 5, [4] * 15 + [6] * 5)
    first, second = found.strengths
    assert (first.player, second.player) == ("heuristic", "random")
    assert first.points.value - second.points.value == pytest.approx(400 * np.log10(30.5 / 10.5), abs=0.5)
    assert first.points.value == pytest.approx(-second.points.value)
    assert first.points.low is not None
    assert first.points.high is not None
    assert 0 < first.points.low < first.points.value < first.points.high < 200


def test_one_who_wins_all_is_not_infinitely_strong() -> None:
    """Strengths stay finite, and equals are equal."""
    found = played([6] * 20, [4] * 20)
    assert found.strengths[0].points.value < 500
    assert played([5] * 7, [5] * 7).strengths[0].points.value == pytest.approx(0)


def test_a_league_is_kept(tmp_path: Path) -> None:
    """What is written is read again."""
    found = played([6, 5], [4, 4])
    assert read_league(write_league(found, tmp_path)) == found


def test_all_must_have_met() -> None:
    """Both ways round, or there is no league."""
    with pytest.raises(GamesmasterError, match="both ways round"):
        league_of({("heuristic", "random"): met("heuristic", "random", [6])})


def test_the_page_says_what_its_figures_say(tmp_path: Path) -> None:
    """The page in the repository and its picture are made of the figures that are kept, without playing."""
    shutil.copytree(DOCS / "league", tmp_path / "league")
    shutil.copy(DOCS / "league.md", tmp_path)
    (tmp_path / "league/points.svg").unlink()
    runpy.run_path(str(DOCS / "league.py"))["main"](docs=tmp_path, pages=True)
    assert (tmp_path / "league.md").read_text(encoding="utf-8") == (DOCS / "league.md").read_text(encoding="utf-8")
    assert ElementTree.parse(tmp_path / "league/points.svg").getroot().tag.endswith("svg")


def test_the_curves_of_the_examples_are_drawn(tmp_path: Path) -> None:
    """The learner ends higher than it begins, and who searches owns more, in the figures that are kept."""
    (tmp_path / "environments").mkdir()
    file = shutil.copy(DOCS / "environments/curves.json", tmp_path / "environments")
    runpy.run_path(str(DOCS / "curves.py"))["main"](docs=tmp_path, pages=True)
    kept = json.loads(Path(file).read_text(encoding="utf-8"))
    assert all(sum(run[-5:]) > 2 * sum(run[:5]) for run in kept["rewards"])
    assert sum(kept["centres"]["True"]) > 1.5 * sum(kept["centres"]["False"])
    assert len(list((tmp_path / "environments").glob("*.svg"))) == 2
