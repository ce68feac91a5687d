"""Experiments whose players think by machine code: the same summaries, folders and refusals as at the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamesmaster.batches.games import game_of
from gamesmaster.errors import GamesmasterError, NotFound
from gamesmaster.lab import Experiment, Workers, balance_of, read_games, selfplay
from gamesmaster.rules import Rulebook
from gamesmaster.variant import find_variant

pytestmark = pytest.mark.together

MIXED = Experiment.of("standard", "heuristic,random", seed=3, until=1902, batch=True)


def test_a_game_is_a_whole_one() -> None:
    """It has its records and the experiment's seed, and its players sit where the experiment says."""
    seats = MIXED.seats(2)
    assert seats["Germany"] != seats["France"] == "heuristic"
    game = MIXED.play(2).game
    plain = game_of(find_variant("standard"), 2, seed=3, until=1902, seats=list(seats.values()))
    assert game.records == plain.records
    assert game.seed == MIXED.seed_of(2) != plain.seed
    assert [record.phase.code for record in game.records if record.phase.code.endswith("M")][-1] == "F1902M"
    assert game.records != MIXED.play(9).game.records  # the same seats, another number


def test_a_folder_is_as_from_the_table(tmp_path: Path) -> None:
    """What is kept of a game is complete; a run that goes on writes the bytes of one that was never stopped."""
    assert selfplay(MIXED, tmp_path / "a", 2).played == 2
    assert selfplay(MIXED, tmp_path / "a", 5).played == 3
    assert selfplay(MIXED, tmp_path / "b", 5, records=True).played == 5
    assert (tmp_path / "a" / "games.jsonl").read_bytes() == (tmp_path / "b" / "games.jsonl").read_bytes()
    experiment, games = read_games(tmp_path / "a")
    assert experiment == MIXED
    assert all(len(game.openings) == 7 and game.attacks and list(game.centres) == [1901, 1902] for game in games)
    balance = balance_of(experiment, games)
    assert sum(power.centres.value for power in balance.powers) > 22


def test_the_first_game_tells_of_the_compiler(tmp_path: Path) -> None:
    """Whoever waits for machine code is told so, and it is made before other processes play."""
    told: list[tuple[str, int, int]] = []
    assert selfplay(MIXED, tmp_path, 3, Workers(jobs=2), tell=lambda *now: told.append(now)).played == 3
    assert [done for _, done, _ in told] == [0, 1, 2, 3]
    assert "compiling" in told[0][0]
    assert {name for name, *_ in told[1:]} == {"standard"}
    told.clear()
    assert selfplay(MIXED, tmp_path, 3, tell=lambda *now: told.append(now)).played == 0
    assert told == [("standard", 3, 3)]


def test_it_is_another_experiment() -> None:
    """Its games are others than the table's, so that the two do not share a folder."""
    table = Experiment.of("standard", "heuristic,random", seed=3, until=1902)
    assert table.fingerprint != MIXED.fingerprint
    assert table.play(2).game.records != MIXED.play(2).game.records


@pytest.mark.parametrize(
    ("variant", "players", "more", "kind", "told"),
    [
        ("standard", "searcher", {}, NotFound, "no player 'searcher' in batches"),
        ("standard", "France=heuristic", {}, GamesmasterError, "nobody plays Austria"),
        ("standard", "random", {"seed": -1}, GamesmasterError, "32 bits"),
        ("standard", "random", {"rulebook": Rulebook.of("1971")}, GamesmasterError, "own rulebook"),
    ],
)
def test_what_batches_cannot_play_is_told_at_once(
    variant: str, players: str, more: dict[str, object], kind: type[Exception], told: str
) -> None:
    """Not game by game, and not after an hour."""
    with pytest.raises(kind) as error:
        Experiment.of(variant, players, batch=True, **more)  # type: ignore[arg-type]
    assert told in str(error.value) + str(getattr(error.value, "hint", ""))
