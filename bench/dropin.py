"""`python -m bench.dropin`: the drop-in for PyPI `diplomacy` beside that package, in speed and in verdicts.

Both play the same loop: possible orders, set orders, process, state.  For verdicts both are given the same positions
and orders, phase by phase, on the package's maps; what differs is printed and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any

import diplomacy
import typer
from diplomacy import Game as Package

from bench.timing import Spread, cores, on_cores, seconds
from gamesmaster.compat.diplomacy import Game as DropIn

PAGE = Path(__file__).parents[1] / "docs/bench.md"
BEGIN, END = "<!-- drop-in -->\n", "<!-- end of drop-in -->\n"
FASTER = 4.0
"""How many times as fast the drop-in must be."""
WARM = 50
"""Games before the first round, in which the drop-in meets the texts of orders that the package makes beforehand."""
LAST = 1908
MAPS = sorted(path.stem for path in (Path(diplomacy.__file__).parent / "maps").glob("*.map"))
NAMES = {"NEUTRALSTATE": "NEUTRAL"}
"""Powers that the drop-in has by another name."""
LONGEST = 40
"""Phases of a game whose verdicts are compared."""


def play(kind: type[Any], seeds: Sequence[int]) -> None:
    """Play random games, as programs do, with either class."""
    for seed in seeds:
        chance, game = Random(seed), kind()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST:
            draw_orders(game, chance)
            game.process()
            game.get_state()


def draw_orders(game: Any, chance: Random) -> None:
    """Give each place of each power one of its possible orders."""
    possible = game.get_all_possible_orders()
    for power, places in game.get_orderable_locations().items():
        game.set_orders(power, [chance.choice(possible[place]) for place in places if possible[place]])


def race(rounds: int) -> Spread:
    """Return how many times as fast the drop-in plays the same number of games, over the rounds."""
    play(Package, [-1])
    play(DropIn, range(-WARM, 0))
    ratios = []
    for number in range(rounds):
        games = range(2 * number, 2 * number + 2)
        ratios.append(seconds(partial(play, Package, games)) / seconds(partial(play, DropIn, games)))
    return Spread.of(ratios)


@dataclass(frozen=True)
class Difference:
    """A phase that the two do not play alike: the map, the phase, and what each makes of it."""

    map_name: str
    phase: str
    what: str
    theirs: object
    ours: object
    orders: dict[str, list[str]]


def compare(map_name: str, seed: int) -> Iterator[list[Difference]]:
    """Play a random game of the package, and yield for each phase what the drop-in makes differently of it."""
    chance, theirs, ours = Random(seed), Package(map_name=map_name), DropIn(map_name=map_name)
    for _ in range(LONGEST):
        if theirs.is_game_done:
            return
        state = theirs.get_state()
        ours.set_state(_renamed(state))
        possible = theirs.get_all_possible_orders()
        for power, places in sorted(theirs.get_orderable_locations().items()):
            texts = [chance.choice(sorted(possible[place])) for place in sorted(places) if possible[place]]
            theirs.set_orders(power, texts)
            ours.set_orders(NAMES.get(power, power), texts)
        given = _renamed(theirs.get_orders())
        mine = {power: list(map(_without_coast, texts)) for power, texts in ours.get_orders().items()}
        found = list(_unlike("orders", mine, {p: list(map(_without_coast, some)) for p, some in given.items()}))
        theirs.process()
        ours.process()
        found += _unlike("phase", ours.get_current_phase(), theirs.get_current_phase())
        found += _unlike("units", ours.get_units(), _renamed(theirs.get_units()))
        found += _unlike("centers", ours.get_centers(), _renamed(theirs.get_centers()))
        own, his = ({p.name: p.retreats for p in g.powers.values() if p.retreats} for g in (ours, theirs))
        found += _unlike("retreats", own, _renamed(his))
        yield [Difference(map_name, state["name"], what, his, own, given) for what, own, his in found]


def _renamed(value: Any) -> Any:
    """Return what the package says with the names that the drop-in has for powers."""
    if not isinstance(value, dict):
        return value
    return {NAMES.get(key, key): _renamed(inner) for key, inner in value.items()}


def _without_coast(text: str) -> str:
    """Return a support without the coast of the move, which the package takes out (DATC 4.B.4)."""
    return text.rpartition("/")[0] if " S F " in text and " - " in text and text[-3] == "/" else text


def _unlike(what: str, ours: Any, theirs: Any) -> Iterator[tuple[str, object, object]]:
    """Yield what differs, with our and their value, whatever the order of lists."""
    if not isinstance(ours, dict):
        if ours != theirs:
            yield what, ours, theirs
        return
    for name in {**ours, **theirs}:
        own, his = (_sorted(some.get(name, [])) for some in (ours, theirs))
        if own != his:
            yield f"{what} of {name}", own, his


def _sorted(some: Any) -> Any:
    return {unit: sorted(places) for unit, places in some.items()} if isinstance(some, dict) else sorted(some)


def compare_many(count: int, maps: Sequence[str], seed: int) -> tuple[Counter[str], list[Difference]]:
    """Return how many phases of each map were compared, and all differences."""
    played: Counter[str] = Counter()
    found: list[Difference] = []
    for number, name in enumerate(maps):
        game = 0
        while played[name] < count // len(maps):
            for differences in compare(name, seed + 1000 * number + game):
                played[name] += 1
                found += differences
            game += 1
        print(f"{name}: {played[name]} phases, {len(found)} differences so far", flush=True)
    return played, found


def main(
    rounds: Annotated[int, typer.Option(help="Rounds of two games each.", min=1)] = 7,
    problems: Annotated[int, typer.Option(help="Phases whose verdicts are compared.")] = 20_000,
    maps: Annotated[str, typer.Option(help="Maps of the package, with commas.")] = ",".join(MAPS),
    seed: Annotated[int, typer.Option(help="The same seed draws the same phases.")] = 1,
    keep: Annotated[bool, typer.Option(help="Write docs/bench.md.")] = True,
) -> None:
    """Measure, compare, print, and fail if the bound is broken."""
    with on_cores(cores()[:1]):
        faster = race(rounds)
        played, found = compare_many(problems, maps.split(","), seed) if problems else (Counter[str](), [])
    print(*found, sep="\n")
    kinds = Counter(difference.what.partition(" ")[0] for difference in found)
    text = "\n".join([
        f"* The drop-in plays the loop {faster.median:.3g} times as fast as the package "
        f"({faster.least:.3g} to {faster.most:.3g}), bound {FASTER:.0f}.",
        f"* Phases compared: {played.total():,}, on {len(played)} maps; "
        f"in {len({(d.map_name, d.phase, str(d.orders)) for d in found})} something differs: {dict(kinds)}.",
    ])  # fmt: skip
    print(text)
    if keep:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    if faster.median < FASTER:
        raise SystemExit("the bound is broken")


if __name__ == "__main__":
    typer.run(main)
