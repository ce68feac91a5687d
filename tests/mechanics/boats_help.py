"""Boats alone on the boards of their games: rules, positions in words, and what became of orders in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from gamesmaster.board import Dislodged, Location, Position, Unit, read_board, units_from
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.mechanics import Boats
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.rules import Rulebook, Rules

CLANS = ("Campbell", "Fraser", "Gordon", "Graham", "Keith", "MacDonald", "MacLeod", "Stewart")
CANOES = Boats("W", "W/CF", ("CF", "canoe-fleet", "canoe"), ("war party afloat",), sign="party-afloat")
BUNCHES = Boats(
    "A", "A/BB", ("BB", "boat-bunch"), ("army afloat",), build_at="land", builders=CLANS, carry=2, named=True, limit=3
)


@cache
def rules(game: str) -> Rules:
    """The rules of the canoes (`canoes`) or of the Boat-Bunches (`clans`), and of no other mechanic."""
    if game == "canoes":
        board = replace(read_board(board_folder("indianomacy") / "board.json"), ways={"W": "army"})
        nations = ("Apache", "Blackfeet", "Caddo", "Dakota", "Illinois", "Muskhogeans", "Iroquois", "Shoshoni")
        kinds = {"W": ("war party",), **CANOES.kinds()}
        return Rules(CANOES.extend_board(board), nations, mechanics=(CANOES,), kinds=kinds)
    board = read_board(board_folder("scottomacy") / "board.json")
    kinds = {"A": ("army",), "F": ("fleet",), **BUNCHES.kinds()}
    book = Rulebook.of({"double_orders": "cancel"})
    return Rules(BUNCHES.extend_board(board), ("England", *CLANS), rulebook=book, mechanics=(BUNCHES,), kinds=kinds)


def position(
    units: Mapping[str, Sequence[str]], boats: str = "", *, raw: str = "", beaten: Sequence[Dislodged] = ()
) -> Position:
    """A position; `boats` are in words, `44 MacDonald MacLeod, o Keith`: place and builders, or `12 * *` without names.

    Every unit afloat that is not told of has one boat without a name.
    """
    lie = {words.split()[0]: [w.strip("*") for w in words.split()[1:]] for words in filter(None, boats.split(", "))}
    standing = units_from(units)
    for unit in standing:
        if "/" in unit.kind:
            lie.setdefault(unit.at.province, [""])
    rough = dict(words.split() for words in filter(None, raw.split(", ")))
    state = {key: part for key, part in (("lie", lie), ("raw", rough)) if part}
    return Position(standing, dislodged=tuple(beaten), state={"boats": state} if state else {})


def driven_out(power: str, text: str, by: str, *retreats: str, number: int = 90) -> Dislodged:
    """A unit that must retreat."""
    kind, where = text.split()
    return Dislodged(Unit(number, kind, power, Location.of(where)), by, tuple(map(Location.of, retreats)))


def lying(now: Position) -> str:
    """The boats of a position in the words of `position`, raw ones marked with an exclamation mark."""
    state = now.state.get("boats", {})
    assert isinstance(state, Mapping)
    piles = [f"{place} {' '.join(b or '*' for b in pile)}" for place, pile in state.get("lie", {}).items()]
    return ", ".join(sorted([*piles, *(f"{place} {builder}!" for place, builder in state.get("raw", {}).items())]))


def standing(now: Position) -> str:
    """The units of a position, sorted."""
    return ", ".join(sorted(map(str, now.units)))


def results(done: Adjudication) -> dict[str, str]:
    """Order to result and cause, in words: `A 44 - o with BB` to `succeeds: CAME`."""
    return {r.given: f"{r.result}: {r.cause.name}" for r in done.rulings if r.given}


def moved(game: str, now: Position, **orders: Sequence[str]) -> Adjudication:
    """A season of moves."""
    return adjudicate(rules(game), PhaseKind.MOVEMENT, now, orders)
