"""Games that were really played, replayed phase by phase."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from gamesmaster.formats.foreign import read_foreign
from gamesmaster.formats.phases import Bench, phase_of
from gamesmaster.variant import Variant, find_variant

DATA = Path(__file__).parents[1] / "data"

OF_THEIR_TIME = {"preset": "datc", "4.D.8": "a"}
"""Servers and judges before 2023 removed units by their distance from home centres."""


OURS = {"standard": "standard", "youngstownredux": "eurasia1901"}
"""Boards that are those of variants of the package."""


def _find(name: str) -> Variant:
    return find_variant(OURS[name]) if name in OURS else read_foreign(DATA / "boards" / f"{name}.json")


def test_eurasia_1901_is_the_game_that_was_played() -> None:
    """Provinces, borders, coasts, homes, units, owners and the end are those of the board that the games name."""
    played, ours = read_foreign(DATA / "boards/youngstownredux.json"), find_variant("eurasia1901")
    assert set(ours.board.edges) == set(played.board.edges)
    assert _provinces(ours) == _provinces(played)
    assert {(u.power, str(u)) for u in ours.start.units} == {(u.power, str(u)) for u in played.start.units}
    assert ours.start.owners == played.start.owners
    assert {p.name: p.homes for p in ours.powers} == {p.name: p.homes for p in played.powers}
    assert (ours.victory.centres, ours.build_sites) == (played.victory.centres, played.build_sites)


def _provinces(variant: Variant) -> set[tuple[object, ...]]:
    return {(p.id, p.terrain, p.centre, frozenset(p.coasts), p.convoy) for p in variant.board.provinces}


@pytest.mark.bulk
def test_recorded_games_replay_without_a_difference() -> None:
    """Every unflagged phase of 150 games on ten boards comes out as recorded; land routes under 4.A.3 c."""
    bench, seen, differing = Bench(_find), Counter[str](), []
    with gzip.open(DATA / "recorded_games.jsonl.gz") as lines:
        for number, line in enumerate(lines, 1):
            data = json.loads(line)
            phase = phase_of(data, bench, rulebook=OF_THEIR_TIME, where=f"line {number}")
            if phase.flag == "land-route fallback":
                phase = phase_of(data, bench, rulebook=OF_THEIR_TIME | {"4.A.3": "c"})
            elif phase.flag is not None:
                continue
            seen[phase.flag or "plain"] += 1
            if differences := phase.differences():
                differing.append((number, phase.game, phase.phase.code, differences))
    assert differing == []
    assert seen == {"plain": 5321, "land-route fallback": 20}
