"""`python -m bench.maps`: how long maps take to draw, shapes to read and boards to make, into docs/bench.md."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated

import typer
from diplomacy import Game as Yardstick

from bench.timing import Spread, cores, on_cores, seconds
from gamesmaster.atlas import build, read_folder
from gamesmaster.board import Board, Location, Position, Terrain, Unit, read_board
from gamesmaster.judge import adjudicate, legal_orders
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import Picture, Snapshot, read_shapes
from gamesmaster.pictures.shapes.files import board_folder, board_names, home_powers
from gamesmaster.rules import Rules, Ruling

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/bench.md"
BEGIN, END = "<!-- maps -->\n", "<!-- end of maps -->\n"
NOBODY = ("One", "Two", "Three", "Four", "Five")
DRAWN, BUILT = 0.030, 60.0  # bounds: seconds to draw a position, and to make the largest board


@dataclass(frozen=True)
class Sheet:
    """One board with a full position: a unit for every centre, and an order for every unit."""

    name: str
    picture: Picture
    position: Position
    rulings: tuple[Ruling, ...]

    @cached_property
    def drawing(self) -> Spread:
        """How long the position takes to draw."""
        self.picture.svg(Snapshot(self.position))
        return Spread.of([seconds(lambda: self.picture.svg(Snapshot(self.position))) for _ in range(15)])

    @property
    def row(self) -> str:
        """Its row of the table: times in milliseconds, bytes in thousands."""
        bare = self.drawing
        told = Spread.of([seconds(self._with_orders) for _ in range(15)])
        shapes = board_folder(self.name) / "shapes.json"
        read = Spread.of([seconds(lambda: read_shapes(shapes)) for _ in range(5)])
        whole = len(self._with_orders().encode()) / 1000
        layer = len(self.picture.layer(Snapshot(self.position, rulings=self.rulings)).encode()) / 1000
        return (
            f"| {self.name} | {len(self.position.units)} | {1000 * bare.median:.1f} | {1000 * told.median:.1f} "
            f"| {1000 * read.median:.0f} | {whole:.0f} | {layer:.0f} |"
        )

    def _with_orders(self) -> str:
        return self.picture.svg(Snapshot(self.position, rulings=self.rulings))


def sheet(name: str, seed: int = 1) -> Sheet:
    """A board with units and legal orders drawn at random."""
    folder, chance = board_folder(name), random.Random(seed)
    board, shapes = read_board(folder / "board.json"), read_shapes(folder / "shapes.json")
    powers = home_powers(board) or NOBODY
    position = Position(tuple(_units(board, powers, chance)), dict(zip(board.centres, powers * 99, strict=False)))
    rules = Rules(board, powers)
    orders: dict[str, list[str]] = {}
    for unit in position.units:
        text = rules.notation.write(chance.choice(legal_orders(rules, position, unit)))
        orders.setdefault(unit.power, []).append(text)
    rulings = adjudicate(rules, PhaseKind.MOVEMENT, position, orders).rulings
    return Sheet(name, Picture(board, shapes, powers), position, rulings)


def _units(board: Board, powers: tuple[str, ...], chance: random.Random) -> Iterator[Unit]:
    open_to_units = [p for p in board.provinces if p.terrain not in (Terrain.IMPASSABLE, Terrain.BOX)]
    for number, province in enumerate(chance.sample(open_to_units, len(board.centres)), 1):
        places = [Location(province.id, coast) for coast in ("", *province.coasts)]
        kind, at = next((k, at) for k in board.ways for at in places if board.can_stand(k, at))
        yield Unit(number, kind, powers[number % len(powers)], at)


def rival(standard: Sheet, rounds: int) -> Spread:
    """How many times as long the yardstick takes to draw the standard board with orders, round by round."""
    game = Yardstick()
    for power in game.powers:
        texts = [orders[0] for place in game.get_orderable_locations(power) if (orders := _possible(game, place))]
        game.set_orders(power, texts)
    game.render(incl_orders=True)
    ratios = []
    for _ in range(rounds):
        theirs = seconds(partial(game.render, incl_orders=True))
        ratios.append(theirs / seconds(standard._with_orders))
    return Spread.of(ratios)


def _possible(game: Yardstick, place: str) -> list[str]:
    orders: list[str] = game.get_all_possible_orders()[place]
    return orders


def main(rounds: Annotated[int, typer.Option(help="Rounds against the yardstick.", min=1)] = 7) -> None:
    """Measure, print, put the table into the page, and fail if a bound is broken."""
    with on_cores(cores()[:1]):
        sheets = [sheet(name) for name in board_names()]
        rows = ["| board | units | position, ms | with orders, ms | shapes read, ms | SVG, kB | layer, kB |"]
        rows += ["|---|---:|---:|---:|---:|---:|---:|", *(one.row for one in sheets)]
        slowest = max(one.drawing.median for one in sheets)
        faster = rival(next(one for one in sheets if one.name == "standard"), rounds)
        made = {path.parent.name: seconds(partial(_make, path.parent)) for path in _folders()}
    longest = max(made, key=made.__getitem__)
    text = "\n".join([
        *rows,
        "",
        f"* The yardstick takes {faster.median:.3g} times as long for the standard board with orders "
        f"({faster.least:.3g} to {faster.most:.3g}).",
        f"* Drawing the slowest position: {1000 * slowest:.1f} ms, bound {1000 * DRAWN:.0f} ms.",
        f"* Making the board that takes longest, {longest}: {made[longest]:.0f} s, bound {BUILT:.0f} s.",
    ])  # fmt: skip
    print(text)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    if slowest > DRAWN or made[longest] > BUILT:
        raise SystemExit("a bound is broken")


def _make(folder: Path) -> None:
    build(read_folder(folder))


def _folders() -> Iterator[Path]:
    yield from sorted((ROOT / "boards").glob("*/board.toml"))


if __name__ == "__main__":
    typer.run(main)
