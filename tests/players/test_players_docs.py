"""docs/players.md: its own player does what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.players import Bot, Holder, Player, Random, play, player_names
from gamesmaster.players.match import METHODS
from gamesmaster.variant import find_variant

PAGE = (Path(__file__).parents[2] / "docs/players.md").read_text(encoding="utf-8")
CODE = re.search(r"```python\n(from .*?)```", PAGE, re.DOTALL)


@pytest.fixture
def grabber() -> Player:
    """The page's player."""
    assert CODE is not None
    names: dict[str, Any] = {}
    exec(CODE[1], names)
    made = names["Grabber"]()
    assert isinstance(made, Bot)
    return made


def test_the_page_s_player_plays(grabber: Player) -> None:
    """It gives lawful orders in all kinds of phases, and ends with more centres than players who do anything."""
    standard = find_variant("standard")
    others: dict[str, Player] = {power.name: Random() for power in standard.powers}
    match = play(standard, {**others, "France": grabber}, seed=3, until=1906)
    assert match.lapses == ()
    assert match.centres["France"] == max(match.centres.values())
    rulings = [ruling for record in match.game.records for ruling in match.game.adjudication(record).rulings]
    assert all(ruling.possible for ruling in rulings if ruling.power == "France" and ruling.given)


def test_the_page_s_player_is_short() -> None:
    """It has no more than forty lines."""
    assert CODE is not None
    assert len(CODE[1].splitlines()) <= 40


def test_the_page_names_everything() -> None:
    """Every method of the protocol and every player that comes along is on the page."""
    assert all(f"`{method}(view)`" in PAGE for method in METHODS)
    assert all(f"**{name}**" in PAGE for name in player_names())
    assert all(hasattr(Holder(), method) for method in METHODS)
