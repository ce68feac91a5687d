"""The conformance suite: what must hold of every variant, whatever its rules.

Games are played with random legal orders, and after each phase it is seen whether the board makes sense, whether every
legal order was taken for possible, whether the same orders give the same result again, and whether the record tells the
same story when it is read back.  `census` counts lawful orders and hashes what they come to: a change of either is a
change of the rules.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gamesmaster.board import Position, Unit
from gamesmaster.game import Game, Variant, dumps, lint_variant, loads, verify
from gamesmaster.judge import Adjudication, Result, adjudicate
from gamesmaster.judge.legal import LegalOrders
from gamesmaster.orders import Order, PhaseKind

SEED = bytes(32)
"""The seed of the games played: no secret is kept here."""


@dataclass(frozen=True, slots=True)
class Census:
    """Over a number of random phases: how many orders were lawful, and a SHA-256 of the positions they led to."""

    phases: int
    orders: int
    digest: str


def check_variant(variant: Variant, *, phases: int = 200, seed: int = 0) -> list[str]:
    """Everything found wrong with a variant: by the linter, in so many random phases of play, and in their record."""
    found = [f"lint: {finding}" for finding in lint_variant(variant) if finding.level == "error"]
    last = None
    for game, orders in play(variant, phases, seed):
        found += [f"{game.phase.code}: {problem}" for problem in _check_phase(game, orders)]
        last = game
    if last is not None:
        found += [f"record: {difference}" for difference in verify(loads(dumps(last)))]
    return found


def census(variant: Variant, *, phases: int = 1_000, seed: int = 0) -> Census:
    """Count the lawful orders of so many random phases, and hash where they led."""
    digest, number = hashlib.sha256(), 0
    for game, orders in play(variant, phases, seed):
        legal = LegalOrders(game.rules, game.position)
        number += sum(len(legal.of_power(game.phase.kind, power)) for power in game.survivors)
        done = adjudicate(game.rules, game.phase.kind, game.position, orders)
        digest.update(f"{game.phase.code} {_shown(done.position)}\n".encode())
    return Census(phases, number, digest.hexdigest())


def play(variant: Variant, phases: int, seed: int) -> Iterator[tuple[Game, dict[str, list[Order]]]]:
    """Play so many phases with random legal orders, game after game: each as it stands, and the orders then given."""
    chance = random.Random(seed)
    game = Game.start(variant, seed=SEED)
    for _ in range(phases):
        if game.outcome or not game.position.units:
            game = Game.start(variant, seed=SEED)
        orders = random_orders(game, chance)
        yield game, orders
        for power, given in orders.items():
            game = game.submit(power, [game.rules.notation.write(order) for order in given])
        game = game.process()


def random_orders(game: Game, chance: random.Random) -> dict[str, list[Order]]:
    """A random legal order for every unit, or random lawful builds and removals, by power."""
    legal = LegalOrders(game.rules, game.position)
    orders: dict[str, list[Order]] = {}
    for power in game.survivors:
        everything = sorted(legal.of_power(game.phase.kind, power), key=game.rules.notation.write)
        if game.phase.kind is PhaseKind.ADJUSTMENTS:
            orders[power] = chance.sample(everything, k=min(len(everything), 3))
            continue
        by_unit: dict[object, list[Order]] = {}
        for order in everything:
            by_unit.setdefault(order.at, []).append(order)
        orders[power] = [chance.choice(choices) for choices in by_unit.values()]
    return {power: given for power, given in orders.items() if given}


# -- what must hold --------------------------------------------------------------------------------------------------


def _check_phase(game: Game, orders: Mapping[str, Sequence[Order]]) -> Iterator[str]:
    rules, notation = game.rules, game.rules.notation
    for order in (order for given in orders.values() for order in given):
        text = notation.write(order)
        if notation.read(text, game.phase.kind) != order:
            yield f"{text} does not read back as it was written"
    before = _shown(game.position)
    done = adjudicate(rules, game.phase.kind, game.position, orders)
    if _shown(game.position) != before:
        yield "adjudicating changed the position it was given"
    yield from done.position.problems(game.variant.board)
    yield from _check_units(game.phase.kind, game.position, done)
    backwards = {power: orders[power] for power in reversed(list(orders))}
    if _shown(adjudicate(rules, game.phase.kind, game.position, backwards).position) != _shown(done.position):
        yield "the result depends on the order in which the powers' orders came"
    if game.phase.kind is not PhaseKind.ADJUSTMENTS:
        yield from (f"{r.given} is legal, but {r.text}" for r in done.rulings if r.given and not r.possible)


def _check_units(kind: PhaseKind, before: Position, done: Adjudication) -> Iterator[str]:
    """No unit comes from nowhere or goes for good except by the rules of its phase."""
    earlier = {u.number: u for u in (*before.units, *(d.unit for d in before.dislodged))}
    later = {u.number: u for u in (*done.position.units, *(d.unit for d in done.position.dislodged))}
    if kind is not PhaseKind.ADJUSTMENTS and later.keys() - earlier.keys():
        yield "a unit came from nowhere"
    if kind is PhaseKind.MOVEMENT and earlier.keys() - later.keys():
        yield "a unit was lost in a movement phase"
    if any(_nature(earlier[n]) != _nature(later[n]) for n in earlier.keys() & later.keys()):
        yield "a unit changed its kind or its power"
    full = {u.at.province for u in done.position.units}
    if any(location.province in full for d in done.position.dislodged for location in d.retreats):
        yield "a unit may retreat to a place that is not empty"
    moved = {r.unit.number for r in done.rulings if r.unit and r.result is Result.BOUNCES}
    if kind is PhaseKind.MOVEMENT and any(n in later and earlier[n].at != later[n].at for n in moved):
        yield "a unit that was stopped has moved"


def _nature(unit: Unit) -> tuple[str, str]:
    return unit.kind, unit.power


def _shown(position: Position) -> str:
    units = sorted(f"{u.power} {u}" for u in position.units)
    beaten = sorted(f"{d.unit.power} {d.unit}>{','.join(sorted(map(str, d.retreats)))}" for d in position.dislodged)
    return f"{units} {beaten} {sorted(position.owners.items())}"
