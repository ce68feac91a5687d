"""What must hold of a phase, whatever the rules: nothing comes from nowhere, and nothing goes without a word."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gamesmaster.board import Board, Position, Terrain, Unit
from gamesmaster.game import EventKind, Game, dumps, loads
from gamesmaster.game.state_file import read_state, state_data
from gamesmaster.judge import Adjudication, Cause, Result, Rules, Ruling, adjudicate, balance
from gamesmaster.orders import Order, PhaseKind, Verb

_COUNTED = frozenset({EventKind.TAKES, EventKind.TIED, EventKind.ELIMINATED})
"""Events that tell of centres and of the end: they take no unit off the board."""


def check_phase(game: Game, orders: Mapping[str, Sequence[Order]]) -> Iterator[str]:
    """What is wrong with the adjudication of these lawful orders in the phase being played."""
    rules, notation, kind = game.rules, game.rules.notation, game.phase.kind
    for order in (order for given in orders.values() for order in given):
        text = notation.write(order)
        if notation.read(text, kind) != order:
            yield f"{text} does not read back as it was written"
    before = shown(game.position)
    done = adjudicate(rules, kind, game.position, orders)
    if shown(game.position) != before:
        yield "adjudicating changed the position it was given"
    yield from done.position.problems(game.variant.board)
    yield from _check_units(rules.board, kind, game.position, done)
    yield from _check_boats(game.position, done)
    if kind is PhaseKind.ADJUSTMENTS:
        yield from _check_winter(rules, game.position, done.position)
    backwards = {power: orders[power] for power in reversed(list(orders))}
    if shown(adjudicate(rules, kind, game.position, backwards).position) != shown(done.position):
        yield "the result depends on the order in which the powers' orders came"
    if kind is not PhaseKind.ADJUSTMENTS:
        wrong = (r for r in done.rulings if r.given and not r.possible and not _overtaken(r))
        yield from (f"{r.given} is legal, but {r.text}" for r in wrong)


def check_step(game: Game, after: Game) -> Iterator[str]:
    """What is wrong with the way from a phase to the next that is played: units and boats come and go by events."""
    judged = after.adjudication(after.records[-1])
    told = {event.power for event in after.records[-1].events if event.kind not in _COUNTED}
    between, later = _units(judged.position), _units(after.position)
    for what, numbers in (("was lost", between.keys() - later.keys()), ("came", later.keys() - between.keys())):
        for unit in ({**between, **later}[number] for number in sorted(numbers)):
            if unit.power not in told:
                yield f"{unit} ({unit.power}) {what} after the phase, and no event says so"
    change = _boats(after.position).total() - _boats(judged.position).total()
    if change and not told:
        yield "boats came or went after the phase, and no event says so"
    yield from after.position.problems(after.variant.board)
    written = dumps(after)
    if dumps(loads(written, find=lambda name: after.variant, verify=False)) != written:
        yield "saved after the phase and read back, it is another game"
    yield from _check_state(game, after)


def _check_state(game: Game, after: Game) -> Iterator[str]:
    """What is wrong with the state documents of a phase and of the next: read back, do they lead to the same?"""
    read = partial(read_state, find=lambda name: game.variant)
    document = json.dumps(state_data(game.state))
    turn = read(json.loads(document)).adjudicate(after.records[-1].orders)
    if turn.next != after.state or turn.record != after.records[-1]:
        yield "from its state document the phase leads elsewhere"
    if read(json.loads(json.dumps(state_data(after.state)))) != after.state:
        yield "the state after the phase is another when it is written and read back"


def shown(position: Position) -> str:
    """A position as a text: the same for the same position."""
    units = sorted(f"{u.power} {u}" for u in position.units)
    beaten = sorted(f"{d.unit.power} {d.unit}>{','.join(sorted(map(str, d.retreats)))}" for d in position.dislodged)
    return f"{units} {beaten} {sorted(position.owners.items())}"


def _overtaken(ruling: Ruling) -> bool:
    """Has somebody retreated to where a unit was to arrive?"""
    return ruling.order is not None and ruling.order.verb is Verb.ARRIVE and ruling.cause is Cause.OCCUPIED


def _units(position: Position) -> dict[int, Unit]:
    """All units by number, dislodged ones too."""
    return {u.number: u for u in (*position.units, *(d.unit for d in position.dislodged))}


def _check_units(board: Board, kind: PhaseKind, before: Position, done: Adjudication) -> Iterator[str]:
    """No unit comes from nowhere or goes for good except by the rules of its phase, and none changes its nature."""
    earlier, later = _units(before), _units(done.position)
    told = {happening.power for happening in done.happened}
    told |= {
        r.power
        for r in done.rulings
        if r.order is not None and r.order.verb is Verb.ARRIVE and r.result is Result.SUCCEEDS
    }
    new, gone = later.keys() - earlier.keys(), earlier.keys() - later.keys()
    if kind is not PhaseKind.ADJUSTMENTS and any(later[n].power not in told for n in new):
        yield "a unit came from nowhere"
    if kind is PhaseKind.MOVEMENT and any(earlier[n].power not in told for n in gone):
        yield "a unit was lost in a movement phase"
    beaten = {d.unit.number for d in before.dislodged}
    if kind is PhaseKind.RETREATS and any(n not in beaten and earlier[n].power not in told for n in gone):
        yield "a unit was lost in a phase of retreats that had not been dislodged"
    for old, now in ((earlier[n], later[n]) for n in earlier.keys() & later.keys()):
        if (board.base(old.kind), old.power) != (board.base(now.kind), now.power):
            yield f"{old} ({old.power}) has become {now} ({now.power})"
    full = {u.at.province for u in done.position.units if board.province(u.at.province).terrain is not Terrain.BOX}
    if any(location.province in full for d in done.position.dislodged for location in d.retreats):
        yield "a unit may retreat to a place that is not empty"
    stopped = {r.unit.number for r in done.rulings if r.unit and r.result is Result.BOUNCES and not r.unit.aboard}
    stopped -= {n for n in later if later[n].aboard}  # refused ashore by a ferry of its own, it is aboard (AFM-2.e)
    if kind is PhaseKind.MOVEMENT and any(n in later and earlier[n].at != later[n].at for n in stopped):
        yield "a unit that was stopped has moved"


def _check_winter(rules: Rules, before: Position, after: Position) -> Iterator[str]:
    """Nobody builds more than is due or keeps more than can be fed."""
    due = balance(rules, before)
    left = balance(rules, replace(after, state=before.state))  # by the supply of this Winter, not of the next
    for power in rules.powers:
        if left[power] < 0:
            yield f"{power} has {-left[power]} more than it can feed when the adjustments are over"
        if left[power] > max(due[power], 0) and due[power] >= 0:
            yield f"{power} can feed more after its builds than before"


def _boats(position: Position) -> Counter[str]:
    """All boats by their builders; what a mechanic keeps under `boats` tells of them."""
    state = position.state.get("boats")
    if not isinstance(state, Mapping):
        return Counter()
    lying = (builder for pile in state.get("lie", {}).values() for builder in pile)
    return Counter([*lying, *state.get("raw", {}).values()])


def _check_boats(before: Position, done: Adjudication) -> Iterator[str]:
    """Boats are made, destroyed and lost, those of a unit afloat with it; nothing else changes their number."""
    count = Counter(r.order.verb for r in done.rulings if r.order and r.result is Result.SUCCEEDS)
    change = _boats(done.position).total() - _boats(before).total()
    lost = count[Verb.MAKE] - count[Verb.DESTROY] - change
    if lost < 0:
        yield f"{-lost} more boats than were built"
    elif lost and not done.happened and not _units(before).keys() - _units(done.position).keys():
        yield f"{lost} boats are gone, and nothing that befell says so"
