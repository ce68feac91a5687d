"""The heuristic player's games, move by move: making it faster must change no order."""

from __future__ import annotations

import hashlib

import pytest

from gamesmaster.players import Heuristic, play
from gamesmaster.variant import find_variant

GAMES = {
    ("standard", 1, 1906): "5d5109413c121786",
    ("standard", 2, 1904): "b9e9c0235df51958",
    ("cline9", 1, 1903): "924f4c3888bf2267",
    ("scottomacy", 1, 1493): "2ca7d7ea45842bc7",
    ("conquest2", 1, 1640): "a700ea0b314773d9",
    ("conquest2[indians=sixth]", 2, 1630): "cdd77c2a4e3fc66a",
    ("indianomacy", 1, 1603): "25c2f90c12817411",
    ("indianomacy2", 1, 1603): "25c2f90c12817411",
    ("1000ad[af_module=yes]", 1, 1001): "fa5fe2314f98cbfa",
}
"""Digests of games from a seed to the end of a year."""


@pytest.mark.parametrize(("variant", "seed", "until"), GAMES, ids=lambda part: str(part))
def test_games_are_as_ever(variant: str, seed: int, until: int) -> None:
    """From the same seed the same orders are given in every phase, in the same order, to the last position."""
    played = find_variant(variant)
    match = play(played, [Heuristic()] * len(played.powers), seed=seed, until=until)
    assert match.lapses == ()
    told = hashlib.sha256()
    for record in match.game.records:
        told.update(repr((record.phase.code, sorted(record.orders.items()))).encode())
    told.update(repr(match.game.position).encode())
    assert told.hexdigest()[:16] == GAMES[variant, seed, until]
