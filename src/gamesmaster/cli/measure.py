"""`bench`: how fast this machine adjudicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import AsJson, say, say_json

if TYPE_CHECKING:
    from gamesmaster.board import Position
    from gamesmaster.judge import Rules

Problem = tuple["Position", dict[str, list[str]]]
PROBLEMS = 60
SEED = 1901


def bench(
    seconds: Annotated[float, typer.Option(metavar="S", help="How long to measure.", min=0.01, max=60)] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure how many movement phases this machine adjudicates in a second.

    A quick look at the machine, with random legal orders on the standard board: no comparison with other programs.

    For example:

      gamesmaster bench
    """
    from gamesmaster.judge import Rules
    from gamesmaster.variant import find_variant

    rules = Rules.of(find_variant("standard"))
    problems = _problems(rules)
    units = sum(len(position.units) for position, _ in problems) / len(problems)
    decided = _rate(rules, problems, seconds / 2, explained=False)
    explained = _rate(rules, problems, seconds / 2, explained=True)
    if as_json:
        say_json(
            {"units": round(units, 1), "decided_per_second": round(decided), "explained_per_second": round(explained)}
        )
        return
    say(f"In one second of this machine, of movement phases with {units:.0f} units on average, from texts:")
    say(f"  {decided:,.0f} decided: who moves, who is dislodged and may retreat where")
    say(f"  {explained:,.0f} with the next position and a ruling for every order made too")


def _problems(rules: Rules) -> list[Problem]:
    """Movement phases of games played with random legal orders: the same ones always."""
    from random import Random

    from gamesmaster.judge import LegalOrders, adjudicate, count_owners
    from gamesmaster.orders import PhaseKind
    from gamesmaster.variant import find_variant

    rng, position = Random(SEED), find_variant("standard").start
    found: list[Problem] = []
    while len(found) < PROBLEMS:
        legal, orders = LegalOrders(rules, position), dict[str, list[str]]()
        for unit in position:
            chosen = rules.notation.write(rng.choice(legal.of_unit(unit)))
            orders.setdefault(unit.power, []).append(chosen)
        found.append((position, orders))
        for kind in PhaseKind:
            legal = LegalOrders(rules, position)
            given = orders if kind is PhaseKind.MOVEMENT else {p: legal.of_power(kind, p) for p in rules.powers}
            position = count_owners(rules, adjudicate(rules, kind, position, given).position)
    return found


def _rate(rules: Rules, problems: list[Problem], seconds: float, *, explained: bool) -> float:
    """Adjudications in a second, measured for so many seconds."""
    from itertools import cycle
    from time import perf_counter

    from gamesmaster.judge import adjudicate
    from gamesmaster.orders import PhaseKind

    done, begun = 0, perf_counter()
    for position, orders in cycle(problems):
        judged = adjudicate(rules, PhaseKind.MOVEMENT, position, orders)
        if explained:
            _ = judged.position, judged.rulings
        done += 1
        if perf_counter() - begun > seconds:
            break
    return done / (perf_counter() - begun)
