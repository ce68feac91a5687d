"""What a power may see in Fog of War, by words of the tests' own: for games that are played door by door."""

from __future__ import annotations

import re
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.board import Position, unit_name
from gamesmaster.game import Game, Record
from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import Table
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.rules import Result

UNIT = re.compile(r"\b([AF]) ([A-Z][a-z]{2}(?:/[NSE]C)?)\b")
"""A unit as reports, boards and orders name it."""


FRANCE, GERMANY = "France", "Germany"
YEAR: list[tuple[str, dict[str, list[str]]]] = [
    ("S1901M", {GERMANY: ["A Mun - Bur", "A Ber S A War - Pru", "F Kie - Hol"], FRANCE: ["A Par H", "F Bre - Eng"]}),
    ("F1901M", {GERMANY: ["A Bur H", "A Ber - Kie"], FRANCE: ["A Mar - Bur", "A Par S A Mar - Bur"]}),
    ("F1901R", {GERMANY: ["A Bur - Mun"]}),
    ("W1901A", {GERMANY: ["Build F Ber"]}),
    ("S1902M", {GERMANY: ["F Hol H"], FRANCE: ["A Bur H"]}),
]
"""What two people order in a year: an army is beaten in Fall; of the bots, each sees some units."""


def table_of(owner: User, now: datetime | None = None) -> Table:
    """Make a game for people who wish for powers, and bots that order at random; it begins when its owner says so."""
    wanted = {"fill": "random", "starts": "asked", "powers": "preference", "panic": 0}
    return hosting.create(owner, GameChoice("fog", name="Fog"), TableSettings.model_validate(wanted), now=now)


def sees(game: Game, position: Position, power: str) -> set[str]:
    """Return the places of a power's units and centres, and those that border on them (FOG-2.a to FOG-2.c)."""
    board = game.variant.board
    units = [*position.of(power), *(out.unit for out in position.dislodged if out.unit.power == power)]
    own = {unit.at.province for unit in units} | {p for p, owner in position.owners.items() if owner == power}
    return own | {board.provinces[n].id for place in own for n in board.neighbours[board.index[place]]}


def units_in_sight(game: Game, position: Position, power: str) -> set[tuple[str, str]]:
    """Return the units on the board that a power sees, each with its owner: `("Germany", "A Mun")`."""
    seen, board = sees(game, position, power), game.variant.board
    return {(unit.power, unit_name(board, unit)) for unit in position.units if unit.at.province in seen}


def check_board(text: str, game: Game, power: str) -> None:
    """Check that a board in words has the units in sight under their owners, and says how much is out of sight."""
    listed = set()
    for part in re.split(r"\n(?=[A-Z][a-z]+: )", text):
        owner = part.partition(":")[0].strip()
        listed |= {(owner, name) for name in re.findall(r"^(?:Army|Fleet) in .*\(([AF] \S+)\)\.$", part, re.M)}
    assert listed == units_in_sight(game, game.position, power)
    hidden = len(game.variant.board.provinces) - len(sees(game, game.position, power))
    assert f"{hidden} provinces of 75 out of sight" in text


def check_map(svg: str, game: Game, power: str) -> None:
    """Check that a map of the present phase shows the units in sight, dislodged ones too, and fog over the rest."""
    seen, board = sees(game, game.position, power), game.variant.board
    units = [*game.position.units, *(out.unit for out in game.position.dislodged)]
    named = {one.name: one.adjective for one in game.variant.powers}
    there = [
        f"{named[unit.power]} {'fleet' if unit.kind == 'F' else 'army'} in {board.province(unit.at.province).name}"
        for unit in units
        if unit.at.province in seen
    ]
    assert sorted(re.findall(r'data-unit="\d+"[^>]* aria-label="([^",(]*?)(?: \(|,|")', svg)) == sorted(there)
    assert svg.count('href="#s-fog"') == len(board.provinces) - len(seen)


def orders_told(game: Game, record: Record, power: str) -> list[tuple[str, str]]:
    """Return the orders in a report for a power: all of its own, others' where they name no place out of sight."""
    seen, write, found = sees(game, record.position, power), game.rules.notation.write, []
    for ruling in game.adjudication(record).rulings:
        order = ruling.order
        named = {at.province for at in (order.at, order.of, order.to) if at} if order else set()
        others = ruling.given and order and named <= seen and ruling.result is not Result.VOID
        if ruling.power == power or others:
            named_unit = ruling.name(ruling.unit) if ruling.unit else ruling.given
            found.append((ruling.power, write(order) if order else named_unit))
    return sorted(found)


def words_of(texts: list[tuple[str, str]]) -> set[str]:
    """Return the units that these orders name."""
    return {" ".join(found) for _, text in texts for found in UNIT.findall(text)}
