"""Every reason that a variant's rulings and events give: its sentence by cause, and its clause.

Random games are played with legal orders, with orders that units of the board could be thought to have, and with texts
that are not orders; the scenarios of the variant are played too. A person reviews the results once, and checks that
clause and sentence agree with the event.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from gamesmaster.board import Location, Unit
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Event, Game, event_reason, event_saying
from gamesmaster.game.progress import begin
from gamesmaster.judge import LegalOrders, adjudicate
from gamesmaster.mechanics import MECHANICS, PairVerb
from gamesmaster.orders import Order, Verb
from gamesmaster.rules import Cause, Ruling
from gamesmaster.variant import Phase, Variant, find_variant
from tests.free_text import random_texts
from tests.scenarios.marks import Seen
from tests.scenarios.running import Fallen
from tests.scenarios.setup import orders, position, scene
from tests.scenarios.words import Stage, host_reason, in_our_words

LONGEST = 12
"""Phases of a game; then the next begins."""
_WEAKER = (Cause.STOOD_OFF, Cause.RESISTED, Cause.BEATEN_HEAD_ON, Cause.OWN_HELP)


class Reason(NamedTuple):
    """A reason as a variant gives it: the cause with its aspect, or the event; the clause; the sentence's pattern."""

    variant: str
    word: str
    clause: str
    says: str


class Given(NamedTuple):
    """A reason, and an example of it: the sentence, the order, the phase or scenario.

    `contrary`: the numbers say the contrary of the sentence.
    """

    reason: Reason
    text: str
    order: str
    where: str
    contrary: bool = False


def of_ruling(variant: Variant, ruling: Ruling) -> Reason:
    """Return the reason of a ruling."""
    word = ruling.cause.name.lower() + (f".{ruling.aspect}" if ruling.aspect else "")
    return Reason(variant.family, word, ruling.clause, ruling.clauses.words(ruling.cause, ruling.aspect))


def of_event(variant: Variant, phase: Phase, event: Event) -> Reason:
    """Return the reason of an event."""
    saying, _ = event_saying(variant, phase, event)
    return Reason(variant.family, f"event {event.kind.value}", saying.clause, saying.says)


def contradicts(ruling: Ruling) -> bool:
    """Return whether the numbers of a ruling contradict its sentence.

    It says that something stronger was stopped by something weaker.
    """
    return ruling.cause in _WEAKER and ruling.strengths is not None and ruling.strengths[0] > ruling.strengths[1]


# -- scenarios -------------------------------------------------------------------------------------------------------


def in_scenarios(variant: Variant, file: Path, step: int = 1) -> Iterator[Given]:
    """Yield the reasons given in the scenarios of a file, or in every `step`-th of them."""
    stage = Stage(variant)
    for scenario in json.loads(file.read_text(encoding="utf-8"))[::step]:
        if scenario["phase"] == "Setup" or host_reason(scenario):
            continue
        ours = in_our_words(scenario, stage)
        ready = scene(ours, stage)
        phase = ready.variant.calendar.read(ours["phase"])
        opening = position(ours, phase, ready)
        dice = Fallen(list(ready.other.get("dice", ())), ours["id"])
        before, events = begin(ready.variant, ready.rules, phase, opening, dice)
        given = orders(ours, ready, phase, before)
        done = adjudicate(ready.rules, phase.kind, before, given, disorder=ready.other.get("civil_disorder", ()))
        befallen = (*events, *Seen(ready, ours, phase, opening, before, done).step.events)
        yield from _collect(ready.variant, phase, done.rulings, befallen, ours["id"])


# -- games -----------------------------------------------------------------------------------------------------------


def in_games(name: str, games: int) -> Iterator[Given]:
    """Yield the reasons given in `games` random games of a variant."""
    variant = find_variant(name)
    for number in range(games):
        chance = random.Random(number)
        game = Game.start(variant, seed=hashlib.sha256(str(number).encode()).digest())
        for _ in range(chance.randint(2, LONGEST)):
            if game.outcome or not game.survivors:
                break
            phase = game.phase
            for power in game.survivors:
                if chance.random() < 0.95:
                    game = _hand_in(game, power, [*_texts(game, power, chance)])
            game = game.process()
            record = game.records[-1]
            yield from _collect(variant, phase, game.adjudication(record).rulings, record.events, phase.code)


def _collect(
    variant: Variant, phase: Phase, rulings: Sequence[Ruling], events: Iterable[Event], where: str
) -> Iterator[Given]:
    for ruling in rulings:
        order = f"{ruling.power}: {ruling.given}"
        yield Given(of_ruling(variant, ruling), ruling.text, order, where, contradicts(ruling))
    for event in events:
        yield Given(of_event(variant, phase, event), event_reason(variant, phase, event).text, "", where)


def _hand_in(game: Game, power: str, texts: Sequence[str]) -> Game:
    try:
        return game.submit(power, texts, amend=False)
    except GamesmasterError:  # a set that is refused
        return game


def _texts(game: Game, power: str, chance: random.Random) -> Iterator[str]:
    """Yield a power's orders: mostly one legal order per unit, at times any thinkable order, or any text."""
    lawful = LegalOrders(game.rules, game.position).of_power(game.phase.kind, power, game.season)
    if chance.random() < 0.45:
        yield from _wild(game, power, lawful, chance)
        return
    by_unit: dict[object, list[Order]] = {}
    for order in lawful:
        by_unit.setdefault((order.at, order.verb.rider), []).append(order)
    yield from (game.rules.notation.write(chance.choice(some)) for some in by_unit.values())
    if chance.random() < 0.2:
        yield from random_texts(game, power, chance)


def _wild(game: Game, power: str, lawful: Sequence[Order], chance: random.Random) -> Iterator[str]:
    """Orders of every verb for a power's units, with places and units near them, possible or not; and builds."""
    write, board, position = game.rules.notation.write, game.variant.board, game.position
    units = [*position.of(power), *(d.unit for d in position.dislodged if d.unit.power == power)]
    for unit in (one for one in units for _ in range(chance.choice((1, 1, 1, 2)))):
        own = [order for order in lawful if order.at == unit.at]
        order = chance.choice(own) if own and chance.random() < 0.35 else _any_order(game, unit, units, chance)
        if order.complete:
            yield write(order)
    places = [*chance.sample([p.id for p in board.provinces], 2), *game.variant.power(power).homes]
    for place in places:
        yield write(Order(Verb.BUILD, chance.choice([*board.ways]), Location(place)))


VERBS = tuple(dict.fromkeys(verb for name in MECHANICS for verb in MECHANICS[name].verbs))
"""The verbs of all mechanics, in the order of their names."""


def _any_order(game: Game, unit: Unit, own: Sequence[Unit], chance: random.Random) -> Order:
    """Return an order of any verb."""
    board, kinds = game.variant.board, [*game.variant.board.ways]
    verb = chance.choice([verb for verb in (*Verb, *VERBS) if verb is not Verb.WAIVE])
    order = Order(verb, chance.choice(kinds) if chance.random() < 0.15 else unit.kind, unit.at)
    near = _near(game, unit.at)
    if verb in (Verb.MOVE, Verb.RETREAT, PairVerb.LAND, PairVerb.BOARD):
        order = replace(order, to=_place(game, near, chance))
    elif verb in (Verb.SUPPORT, Verb.CONVOY, PairVerb.FERRY):
        helped = chance.choice([u for u in game.position.units if u.at.province in near] or list(own))
        to = None if verb is Verb.SUPPORT and chance.random() < 0.3 else _place(game, near, chance)
        order = replace(order, of=helped.at, of_kind=helped.kind, to=to)
    elif verb is PairVerb.TAKE:
        order = replace(order, of=chance.choice(own).at, of_kind=board.base(kinds[0]))
    if game.rules.carried_words and (verb is Verb.MOVE or "carried" in verb.needs):
        order = replace(
            order, carried=chance.choice((0, 1, 1, 2, 3)) if verb is Verb.MOVE else chance.choice((1, 1, 2))
        )
    return order


def _near(game: Game, at: Location) -> list[str]:
    """Return the provinces beside a place, by any way of travel; all provinces if it has no neighbours."""
    board = game.variant.board
    here = board.location_index[at]
    places = {place for steps in board.steps.values() for place in steps[here]}
    return [board.provinces[place].id for place in sorted(places)] or [p.id for p in board.provinces]


def _place(game: Game, near: Sequence[str], chance: random.Random) -> Location:
    board = game.variant.board
    province = chance.choice(near) if chance.random() < 0.8 else chance.choice(board.provinces).id
    if chance.random() < 0.3 and Location(province) in board.location_index:
        province = chance.choice(_near(game, Location(province)))
    coasts = board.province(province).coasts
    return Location(province, chance.choice(coasts) if coasts and chance.random() < 0.5 else "")
