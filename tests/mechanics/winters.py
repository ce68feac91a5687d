"""The Winters of four games: their boards with the mechanics that matter in Winter, and positions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from gamesmaster.board import Board, Position, read_board, units_from
from gamesmaster.mechanics import (
    Boats,
    BuildKinds,
    DesignatedHomes,
    FreeUnits,
    OffBoardSupply,
    RemovalOrder,
    SpecialSites,
    implied_mechanics,
)
from gamesmaster.mechanics.army_fleet import ArmyFleet
from gamesmaster.orders import STANDARD_KINDS
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.rules import Mechanic, Rulebook, Rules, extend

EUROPEANS = ("England", "Spain", "France", "Portugal", "Holland")
CLANS = ("Campbell", "Fraser", "Gordon", "Graham", "Keith", "MacDonald", "MacLeod", "Stewart")

PAIRS = {
    "England": ("NOV", "VIR"),
    "France": ("QUE", "ANT"),
    "Holland": ("DEL", "ANT"),
    "Portugal": ("BRA", "LAP"),
    "Spain": ("CTG", "CUB"),
}

MECHANICS: dict[str, tuple[Mechanic, ...]] = {
    "conquest2": (
        ArmyFleet(form_where="box", board_order="implied", remove_fleet_alone="box"),
        OffBoardSupply("ATL", EUROPEANS, (3, 2, 1)),
        DesignatedHomes(PAIRS, opens=3, replacing=("Indians",), never=("ANT", "CUB", "JAM", "BER")),
        BuildKinds({"Indians": ("A",)}),
        RemovalOrder("moves", "kind", dict.fromkeys(EUROPEANS, ("ATL",))),
    ),
    "scottomacy": (
        Boats("A", "A/BB", ("BB",), build_at="land", builders=CLANS, carry=2, named=True, limit=3),
        ArmyFleet(("England",), retreat_to_coast="never", plain_convoy="none", remove_whole_needs=1),
        BuildKinds(dict.fromkeys(("England", *CLANS), ("A",))),
        SpecialSites("England", {"e": ("F",), "gg": ("F",)}),
        FreeUnits("England", {"A": 4, "F": 4}),
        RemovalOrder(),
    ),
    "indianomacy": (Boats("W", "W/CF", ("CF",)), RemovalOrder()),
    "1000ad": (ArmyFleet(),),
}
POWERS = {
    "conquest2": (*EUROPEANS, "Indians"),
    "scottomacy": ("England", *CLANS),
    "indianomacy": ("Apache", "Blackfeet", "Caddo", "Dakota", "Illinois", "Iroquois", "Muskhogeans", "Shoshoni"),
    "1000ad": ("British", "Byzantines", "Francs", "Magyars", "Moors", "Polotjans", "Vikings"),
}
WORDS: dict[str, Mapping[str, tuple[str, ...]]] = {"indianomacy": {"W": ("war party",)}}


@cache
def rules(game: str) -> Rules:
    """The rules of a game's Winters."""
    return rules_with(game, MECHANICS[game])


def rules_with(game: str, mechanics: Sequence[Mechanic]) -> Rules:
    """The rules of a game with other mechanics."""
    words = dict(WORDS.get(game, STANDARD_KINDS))
    board = read_board(board_folder(game) / "board.json")
    if game == "indianomacy":
        board = _afoot(board)
    mechanics = (*mechanics, *implied_mechanics(board))
    board = extend(board, mechanics)
    for mechanic in mechanics:
        words |= dict(mechanic.kinds())
    homes = {power: tuple(p.id for p in board.provinces if p.home == power and p.centre) for power in POWERS[game]}
    if game == "conquest2":
        homes["Indians"] = ("MEX", "PER")
    book = Rulebook.of("1971" if game == "conquest2" else None)
    return Rules(board, POWERS[game], homes, rulebook=book, mechanics=mechanics, kinds=words)


def _afoot(board: Board) -> Board:
    return Board(board.name, board.provinces, board.edges, board.closures, {"W": "army"})


def place(
    game: Rules,
    units: Mapping[str, Sequence[str]],
    owners: Mapping[str, Sequence[str]],
    state: Mapping[str, object] | None = None,
) -> Position:
    """A position: units, who owns which centres, and the mechanics' states."""
    owned = {centre: power for power, centres in owners.items() for centre in centres}
    return Position(units_from(units, forms=game.board.forms), owned, (), state or {})


def shown(position: Position) -> dict[str, list[str]]:
    """Power to its units, those aboard left out, in order of their text."""
    found: dict[str, list[str]] = {}
    for unit in position.units:
        if not unit.aboard:
            found.setdefault(unit.power, []).append(str(unit))
    return {power: sorted(units) for power, units in found.items()}
