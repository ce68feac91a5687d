"""The conformance suite: what must hold of every variant, whatever its rules.

Games are played with random legal orders, and after each phase it is seen whether nothing comes from nowhere and
nothing goes without a word (`check_phase`); then the game is saved and read back, taken back to an earlier phase and
played again.
"""

from __future__ import annotations

import hashlib
import json
import random
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gamesmaster.board import Board, Position, Terrain, Unit
from gamesmaster.game import EventKind, Game, dumps, loads, read_state, state_data, verify
from gamesmaster.judge import Adjudication, LegalOrders, accounts, adjudicate, balance, most_removals
from gamesmaster.mechanics import PairVerb, ReinforcementVerb
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import partners
from gamesmaster.rules import Cause, Event, ProofMechanic, Result, Rules, Ruling
from gamesmaster.variant import Variant, lint_variant

SEED = bytes(32)
"""The seed of the census's games: no secret is kept here."""

LENGTHS = (6, 25, 100)
"""The possible numbers of phases of a game of the suite, drawn at random: first years are tested often, later ones
rarely.
"""

WHOLE = 40
"""Phases of a game that is played to its end; one that nobody has won by then ends in a draw."""

MOST_PROBLEMS = 20
"""The number of problems after which no more games are played."""

Tell = Callable[[str, int], None]
"""Told which phase is being played, and how many are done."""
_COUNTED = frozenset(EventKind) - {EventKind.DESTROYED}
"""Events about centres and the end: they take no unit off the board."""


def check_variant(
    variant: Variant, *, phases: int = 200, seed: int = 0, tell: Tell | None = None, name: str = ""
) -> list[str]:
    """Return the problems found in a variant: by the linter, and in `phases` random phases of play.

    The first game has the seed `seed`, the next one the next; a game with a problem ends with it. Each text says what
    is wrong, in which phase, after which orders, and which command shows it again (`name` is the variant's name on the
    command line, its id by default).
    """
    lines = [f"lint: {finding}" for finding in lint_variant(variant) if finding.level == "error"]
    most, done = len(lines) + MOST_PROBLEMS, 0
    while done < phases and len(lines) < most:
        problems, played = check_game(variant, seed, phases - done, tell, done)
        again = f"  to see it again: gamesmaster variant check {name or variant.id} --seed {seed} --phases {played}"
        lines += [f"{problem}\n{again}" for problem in problems]
        done, seed = done + played, seed + 1
    return lines


def check_games(
    variant: Variant, *, games: int = 200, seed: int = 0, tell: Tell | None = None, name: str = ""
) -> list[str]:
    """Return the problems found in `games` games of random orders, each played to its end, as `check_variant` does."""
    lines: list[str] = []
    for number in range(seed, seed + games):
        problems, _ = check_game(variant, number, WHOLE, tell, number - seed, whole=True)
        again = f"  to see it again: gamesmaster variant check {name or variant.id} --seed {number} --games 1"
        lines += [f"{problem}\n{again}" for problem in problems]
        if len(lines) >= MOST_PROBLEMS:
            break
    return lines


def check_game(
    variant: Variant, seed: int, most: int, tell: Tell | None = None, before: int = 0, *, whole: bool = False
) -> tuple[list[str], int]:
    """Play one game of at most `most` phases until a problem occurs; return the problems and the number of phases.

    `before` is the number of phases in earlier games. A `whole` game goes on to its end: if nobody has won by then, all
    survivors agree to a draw.
    """
    chance, number = random.Random(seed), 0
    length = most if whole else min(chance.choice(LENGTHS), most)
    game = Game.start(variant, seed=hashlib.sha256(str(seed).encode()).digest())
    while number < length and not game.outcome and (game.survivors or not number):
        if tell:
            tell(game.phase.code, before + (0 if whole else number))
        number += 1
        orders: Mapping[str, Sequence[Order]] = {}
        try:
            drawn = {p: _some(given, chance) for p, given in random_orders(game, chance).items()}
            orders = {p: _together(game, p, given, chance) for p, given in drawn.items()}
            after = _play_phase(game, orders)
            problems = [*check_phase(game, orders), *check_step(game, after)]
        except Exception as fault:  # any error is what this suite looks for
            problems = [_describe_fault(fault)]
        if problems:
            return [_describe(game, problem, orders) for problem in problems], number
        game = after
    try:
        problems = list(_check_record(game, chance))
        if whole and not game.outcome and not all_agree(game).outcome:
            problems.append("all who are left agree to a draw, and the game goes on")
    except Exception as fault:
        problems = [_describe_fault(fault)]
    return [f"{game.phase.code}, the record: {problem}" for problem in problems], number


def play(variant: Variant, phases: int, seed: int) -> Iterator[tuple[Game, dict[str, list[Order]]]]:
    """Play `phases` phases with random legal orders, game after game; yield each game and the orders then given."""
    chance = random.Random(seed)
    game = Game.start(variant, seed=SEED)
    for _ in range(phases):
        if game.outcome or len(game.survivors) < min(2, len(variant.powers)):  # one alone goes nowhere
            game = Game.start(variant, seed=SEED)
        orders = random_orders(game, chance)
        yield game, orders
        game = _play_phase(game, orders)


_TOGETHER = (PairVerb.BOARD, PairVerb.TAKE)
"""Verbs of orders that come to nothing without another unit's."""


def random_orders(game: Game, chance: random.Random) -> dict[str, list[Order]]:
    """Return a random legal order for every unit, or random legal builds and removals, by power."""
    legal = LegalOrders(game.rules, game.position)
    orders: dict[str, list[Order]] = {}
    for power in game.survivors:
        everything = sorted(legal.of_power(game.phase.kind, power, game.season), key=game.rules.notation.write)
        if game.phase.kind is PhaseKind.ADJUSTMENTS:
            orders[power] = chance.sample(everything, k=min(len(everything), 3))
            continue
        by_unit: dict[object, list[Order]] = {}
        for order in everything:
            by_unit.setdefault((order.kind, order.at, order.verb.rider), []).append(order)
        orders[power] = [chance.choice(choices) for choices in by_unit.values()]
    return {power: given for power, given in orders.items() if given}


# -- one game --------------------------------------------------------------------------------------------------------


def _some(orders: Sequence[Order], chance: random.Random) -> list[Order]:
    """Return most of these orders, so that units without an order, or without a second one, are tested, too."""
    return [order for order in orders if chance.random() < (0.3 if order.verb.rider else 0.95)]


def _together(game: Game, power: str, orders: Sequence[Order], chance: random.Random) -> list[Order]:
    """Return the orders, with half of those that involve two units matched by the other's order.

    Without this no unit would ever embark.
    """
    together = [*orders]
    if not any(order.verb in _TOGETHER for order in orders):
        return together
    legal = LegalOrders(game.rules, game.position)
    choices = {unit: legal.of_unit(unit) for unit in game.position.of(power)}
    for order in (order for order in orders if order.verb in _TOGETHER):
        unit = next(unit for unit, offered in choices.items() if order in offered)
        for other, fitting in partners(game.rules.board, choices, unit, order)[:1]:
            alone = any(o and o.verb in _TOGETHER for o in fitting)  # legal without the other, too
            if fitting and (not alone or chance.random() < 0.5):
                together = [o for o in together if (o.kind, o.at) != (other.kind, other.at)]
                together += [o for o in (chance.choice(fitting),) if o]
    return together


def all_agree(game: Game) -> Game:
    """Return the game after all survivors have voted for a draw; without survivors it is unchanged."""
    for power in game.survivors:
        game = game if game.outcome else game.vote_draw(power)
    return game


def _play_phase(game: Game, orders: Mapping[str, Sequence[Order]]) -> Game:
    """Return the game after this phase."""
    for power, given in orders.items():
        game = game.submit(power, [game.rules.notation.write(order) for order in given], amend=False)
    return game.process()


def _check_record(game: Game, chance: random.Random) -> Iterator[str]:
    """Check that a game is the same after saving, and after taking it back to any phase and replaying it."""
    written = dumps(game)
    read = loads(written, find=lambda name: game.variant, verify=False)
    if dumps(read) != written:
        yield "saved and read back, it is another game"
    yield from map(str, verify(read))
    number = chance.randrange(len(game.records))
    again = game.rollback(game.records[number].phase.code)
    for record in game.records[number:]:
        for power, given in record.orders.items():
            again = again.submit(power, given, amend=False)
        again = again.process()
    if dumps(again) != written:
        yield f"taken back to {game.records[number].phase.code} and played again, it is another game"


def _describe(game: Game, problem: str, orders: Mapping[str, Sequence[Order]]) -> str:
    write = game.rules.notation.write
    given = "; ".join(f"{power}: {', '.join(map(write, sheet))}" for power, sheet in orders.items() if sheet)
    return f"{game.phase.code}: {problem}\n  orders: {given or 'none'}"


def _describe_fault(fault: Exception) -> str:
    """Return a fault of the program itself as text, with the function in which it occurred."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__}: {fault} (in {last.name}, {Path(last.filename).name}, line {last.lineno})"


def check_phase(game: Game, orders: Mapping[str, Sequence[Order]]) -> Iterator[str]:
    """Yield the problems of the adjudication of these legal orders in the phase being played."""
    rules, notation, kind = game.rules, game.rules.notation, game.phase.kind
    for order in (order for given in orders.values() for order in given):
        text = notation.write(order)
        if notation.read(text, kind) != order:
            yield f"{text} does not read back as it was written"
    before = position_text(game.position)
    done = adjudicate(rules, kind, game.position, orders)
    if position_text(game.position) != before:
        yield "adjudicating changed the position it was given"
    yield from done.position.problems(game.variant.board)
    yield from _check_units(rules.board, kind, game.position, done)
    yield from _check_states(rules, game.position, done.position, done.rulings, done.happened)
    if kind is PhaseKind.ADJUSTMENTS:
        yield from _check_winter(rules, game.position, done.position)
    backwards = {power: orders[power] for power in reversed(list(orders))}
    if position_text(adjudicate(rules, kind, game.position, backwards).position) != position_text(done.position):
        yield "the result depends on the order in which the powers' orders came"
    if kind is not PhaseKind.ADJUSTMENTS:
        wrong = (r for r in done.rulings if r.given and not r.possible and not _overtaken(r))
        yield from (f"{r.given} is legal, but {r.text}" for r in wrong)


def check_step(game: Game, after: Game) -> Iterator[str]:
    """Yield the problems of the step to the next phase: units and states must come and go by events."""
    judged = after.adjudication(after.records[-1])
    events = [event for event in after.records[-1].events if event.kind not in _COUNTED]
    powers = {event.power for event in events}
    between, later = _units(judged.position), _units(after.position)
    for what, numbers in (("was lost", between.keys() - later.keys()), ("came", later.keys() - between.keys())):
        for unit in ({**between, **later}[number] for number in sorted(numbers)):
            if unit.power not in powers:
                yield f"{unit} ({unit.power}) {what} after the phase, and no event says so"
    yield from _check_states(after.rules, judged.position, after.position, (), events)
    yield from after.position.problems(after.variant.board)
    written = dumps(after)
    if dumps(loads(written, find=lambda name: after.variant, verify=False)) != written:
        yield "saved after the phase and read back, it is another game"
    yield from _check_state(game, after)


def _check_state(game: Game, after: Game) -> Iterator[str]:
    """Yield the problems of the state documents of a phase and of the next: read back, they must agree."""
    read = partial(read_state, find=lambda name: game.variant)
    document = json.dumps(state_data(game.state))
    turn = read(json.loads(document)).adjudicate(after.records[-1].orders)
    if turn.next != after.state or turn.record != after.records[-1]:
        yield "from its state document the phase leads elsewhere"
    if read(json.loads(json.dumps(state_data(after.state)))) != after.state:
        yield "the state after the phase is another when it is written and read back"


def position_text(position: Position) -> str:
    """Return a position as a text; equal positions have equal texts."""
    units = sorted(f"{u.power} {u}" for u in position.units)
    beaten = sorted(f"{d.unit.power} {d.unit}>{','.join(sorted(map(str, d.retreats)))}" for d in position.dislodged)
    return f"{units} {beaten} {sorted(position.owners.items())}"


def _overtaken(ruling: Ruling) -> bool:
    """Return whether a unit retreated to the place where a reinforcement was to arrive."""
    return ruling.order is not None and ruling.order.verb is ReinforcementVerb.ARRIVE and ruling.cause is Cause.OCCUPIED


def _units(position: Position) -> dict[int, Unit]:
    """Return all units by number, dislodged ones too."""
    return {u.number: u for u in position.everybody}


def _check_units(board: Board, kind: PhaseKind, before: Position, done: Adjudication) -> Iterator[str]:
    """Check that units appear, disappear and change only by the rules of their phase."""
    earlier, later = _units(before), _units(done.position)
    powers = {happening.power for happening in done.happened}
    powers |= {
        r.power
        for r in done.rulings
        if r.order is not None and r.order.verb is ReinforcementVerb.ARRIVE and r.result is Result.SUCCEEDS
    }
    new, gone = later.keys() - earlier.keys(), earlier.keys() - later.keys()
    if kind is not PhaseKind.ADJUSTMENTS and any(later[n].power not in powers for n in new):
        yield "a unit came from nowhere"
    if kind is PhaseKind.MOVEMENT and any(earlier[n].power not in powers for n in gone):
        yield "a unit was lost in a movement phase"
    beaten = {d.unit.number for d in before.dislodged}
    if kind is PhaseKind.RETREATS and any(n not in beaten and earlier[n].power not in powers for n in gone):
        yield "a unit was lost in a phase of retreats that had not been dislodged"
    for old, now in ((earlier[n], later[n]) for n in earlier.keys() & later.keys()):
        kinds = (board.base(old.kind), board.turns.get(old.kind))
        if board.base(now.kind) not in kinds or old.power != now.power:
            yield f"{old} ({old.power}) has become {now} ({now.power})"
    full = {u.at.province for u in done.position.units if board.province(u.at.province).terrain is not Terrain.BOX}
    if any(location.province in full for d in done.position.dislodged for location in d.retreats):
        yield "a unit may retreat to a place that is not empty"
    stopped = {r.unit.number for r in done.rulings if r.unit and r.result is Result.BOUNCES and not r.unit.aboard}
    stopped -= {n for n in later if later[n].aboard}  # refused ashore by a ferry of its own, it is aboard (AFM-2.e)
    if kind is PhaseKind.MOVEMENT and any(n in later and earlier[n].at != later[n].at for n in stopped):
        yield "a unit that was stopped has moved"


def _check_winter(rules: Rules, before: Position, after: Position) -> Iterator[str]:
    """Check that no power builds more than is due or keeps more than it can feed."""
    due, found = balance(rules, before), accounts(rules, before)
    left = balance(rules, replace(after, state=before.state))  # by the supply of this Winter, not of the next
    for power in rules.powers:
        if left[power] < 0:
            yield f"{power} has {-left[power]} more than it can feed when the adjustments are over"
        if due[power] >= 0 and left[power] > due[power] + most_removals(found[power]):
            yield f"{power} can feed more after its builds than before"


def _check_states(
    rules: Rules, before: Position, after: Position, rulings: Sequence[Ruling], happened: Collection[Event]
) -> Iterator[str]:
    """Check that the state of mechanics changes only for a reported reason."""
    for mechanic in rules.mechanics:
        if isinstance(mechanic, ProofMechanic):
            yield from mechanic.phase_faults(before, after, rulings, happened)
