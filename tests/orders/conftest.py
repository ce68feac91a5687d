"""Boards and notations that the tests of orders share."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.board import Board, Province, Terrain, read_board
from gamesmaster.mechanics.army_fleet.values import PairVerb
from gamesmaster.mechanics.boats.values import BoatVerb
from gamesmaster.mechanics.homes import HomeVerb
from gamesmaster.mechanics.reinforcements import ReinforcementVerb
from gamesmaster.orders import Notation

POWERS = {
    "Austria": ["Austrian"],
    "England": ["English"],
    "France": ["French"],
    "Germany": ["German"],
    "Italy": ["Italian"],
    "Russia": ["Russian"],
    "Turkey": ["Turkish"],
}

OF_POWERS = (*HomeVerb, *ReinforcementVerb)
EVERY_VERB = (*PairVerb, *BoatVerb, *OF_POWERS)
ODD_KINDS = {"A": ["army"], "F": ["fleet"], "A/F": [], "W": ["war party"], "W/CF": ["war party in canoes"]}
ODD_BOATS = ("CF", "canoe-fleet", "canoe")
ODD_POWERS = {
    "A": [],
    "S": ["Southern"],
    "E": [],
    "With": [],
    "Takes": [],
    "macleod": [],
    "Barbary States": ["Barbary"],
}


@pytest.fixture(scope="session")
def standard_board() -> Board:
    """The regular board."""
    return read_board(files("gamesmaster.variants").joinpath("standard", "board.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def standard(standard_board: Board) -> Notation:
    """The notation of the regular game."""
    return Notation(standard_board, POWERS, verbs=OF_POWERS)


@pytest.fixture(scope="session")
def odd_board() -> Board:
    """A board whose provinces are called like units, verbs and numbers, or have troublesome names."""

    def land(id_: str, name: str, *aliases: str, coasts: tuple[str, ...] = (), abbr: str = "") -> Province:
        return Province(id_, name, abbr or id_, Terrain.COAST, coasts=coasts, aliases=aliases)

    def water(id_: str, name: str, abbr: str = "") -> Province:
        return Province(id_, name, abbr or id_, Terrain.SEA, convoy=True)

    return Board(
        "odd",
        (
            water("a", "Solway Firth"),
            water("f", "Firth of Clyde"),
            water("h", "Wemyss Bay"),
            water("s", "Inner Sound"),
            water("c", "Luce Bay"),
            water("ff", "Lower North Sea"),
            water("e", "South Channel"),
            water("d", "Galloway Strait"),
            land("cf", "Cape Fear"),
            land("12", "Onondaga", abbr="Ono"),
            land("13", "Cayuga"),
            land("44", "Aros Castle", coasts=("N", "W")),
            land("58", "Dunolly Castle", coasts=("EC", "SC")),
            land("COR", "A Coruña"),
            land("SAU", "Sauk and Fox", "Foxes", abbr="Saf"),
            land("CAE", "Caribou-Eaters"),
            land("BUR", "Burgund"),
            land("BRG", "Burgunt"),
            land("HAG", "The Hague", abbr="The H."),
            land("NCO", "North Coast", coasts=("NC", "SC")),
            land("SAC", "S. Africa"),
            land("MAC", "Macleod Castle"),
            land("NPE", "Nez Perce", abbr="Nez"),
            land("NEZ", "Nezahual"),
            Province("xEgypt", "Egypt and Barca (out of play)", "", Terrain.IMPASSABLE),
        ),
        (),
    )


@pytest.fixture(scope="session")
def odd(odd_board: Board) -> Notation:
    """The notation of the odd board, with more kinds of unit, and with boats."""
    return Notation(odd_board, ODD_POWERS, ODD_KINDS, ODD_BOATS, verbs=EVERY_VERB)


TEXTS = Path(__file__).parents[1] / "data" / "orders"
GAMES = ["1000ad", "1000ad-army-fleets", "conquest2", "indianomacy", "scottomacy"]


def game_data(game: str) -> Any:
    """The powers, kinds of unit and boats of a game, its board, and the texts of its orders by kind of phase."""
    return json.loads((TEXTS / f"{game}.json").read_text(encoding="utf-8"))


def game_notation(game: str) -> Notation:
    """The notation of a game on its packaged board."""
    data = game_data(game)
    board = files("gamesmaster.variants").joinpath(data["board"], "board.json").read_text(encoding="utf-8")
    powers = dict.fromkeys(data["powers"], ())
    verbs = [*OF_POWERS, *(PairVerb if "A/F" in data["kinds"] else ()), *(BoatVerb if data["boats"] else ())]
    return Notation(
        replace(read_board(board), thing="boat"), powers, data["kinds"], data["boats"], data.get("nobodies", ()), verbs
    )


@pytest.fixture(scope="session")
def games() -> dict[str, Notation]:
    """The notation of every game whose texts are kept."""
    return {game: game_notation(game) for game in GAMES}
