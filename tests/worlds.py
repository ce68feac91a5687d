"""Two worlds: games that differ only in what a power cannot see.

`worlds` makes such games of one, `observation` says, by words of its own, what a power learns of a game, and `doors`
gives every text that the library makes of a game for a power.  Where two worlds have the same observation, all doors
must have the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from gamesmaster.board import Board, Position, Terrain, Unit
from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import export
from gamesmaster.game import (
    Game,
    further_reasons,
    happenings,
    history,
    ledger_of,
    preview_report,
    report,
    seen_by,
    state_data,
)
from gamesmaster.judge import LegalOrders, corroborate
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.pictures import Picture, board_in_words, shapes_of, snapshots_of
from gamesmaster.players import views
from gamesmaster.reading import read
from gamesmaster.rules import Result, seen_provinces
from gamesmaster.variant import find_variant

NONSENSE = (
    "A Mun S A Bur - Par",
    "A Mun H",
    "Build A War",
    "Remove F Bla",
    "F Nth C A Lon - Nwy",
    "A Ruh -",
    "?? A B C",
    "A Mun transforms",
    "Convert F Lon",
    "W Bur - Bel",
)
"""Orders about places that may be out of sight, for units that may be anybody's."""


def worlds(game: Game, power: str, chance: Random, number: int) -> Iterator[Game]:
    """Yield games in the same phase whose positions differ only out of a power's sight; they have no history."""
    for _ in range(number):
        yield replace(game, records=(), position=_shuffle(game, power, chance))


def _shuffle(game: Game, power: str, chance: Random) -> Position:
    """Return a position with other units, owners and numbers; what the power sees stays."""
    board, whole = game.variant.board, game.position
    seen = seen_provinces(game.rules, whole, [power])
    others = [name for name in game.rules.powers if name != power]
    holders = [*others, *game.rules.nobodies]
    kept = [unit for unit in whole.units if unit.power == power or unit.at.province in seen]
    places = [place for place in board.locations if place.province not in seen]
    hidden: list[Unit] = []
    for place in chance.sample(places, min(len(places), chance.randint(5, 30))):
        taken = {unit.at.province for unit in hidden}
        kinds = [kind for kind in board.ways if board.can_stand(kind, place)]
        if kinds and place.province not in taken:
            hidden.append(Unit(0, chance.choice(kinds), chance.choice(holders), place))
    units = [*kept, *hidden]
    beaten = [out for out in whole.dislodged if out.unit.power == power or out.unit.at.province in seen]
    numbers = chance.sample(range(1, 200), len(units) + len(beaten))
    chance.shuffle(units)
    named = tuple(replace(unit, number=n) for unit, n in zip(units, numbers, strict=False))
    out = tuple(
        replace(one, unit=replace(one.unit, number=n)) for one, n in zip(beaten, numbers[len(units) :], strict=True)
    )
    owners = {p: o for p, o in whole.owners.items() if o == power or p in seen}
    free = [centre for centre in board.centres if centre not in seen]
    owners |= {centre: chance.choice(others) for centre in free if chance.random() < 0.7}
    mixed = [*owners.items()]
    chance.shuffle(mixed)
    return Position(named, dict(mixed), out)


def own_orders(game: Game, power: str, chance: Random) -> list[str]:
    """Return orders of a power, some for two purposes, some about places out of sight; drawn by what it sees alone."""
    view, write = views(game)[power], game.rules.notation.write
    chosen = [write(chance.choice(offers)) for offers in view.choices.values() if offers]
    if view.winter:
        chosen = [write(order) for order in chance.choices(view.winter, k=max(1, abs(view.due)))]
    chosen += [write(order) for order in view.extras if chance.random() < 0.3]
    if view.phase.kind is PhaseKind.MOVEMENT:
        blind = [_blind_order(game.variant.board, unit, chance) for unit in view.units if chance.random() < 0.5]
        chosen = [*blind, *chosen]
    return [*chosen, *chance.sample(NONSENSE, 2)]


def play(game: Game, power: str, orders: list[str], chance: Random, seed: float = 0) -> Game:
    """Play a phase: the power's orders are given, those of all others are drawn in the whole position.

    Most units of others that it sees do the same in all worlds with this `seed`.
    """
    seen = seen_provinces(game.rules, game.position, [power])
    prey = {unit.at.province for unit in game.position.of(power)}
    legal, kind = LegalOrders(game.rules, game.position), game.phase.kind
    due = {one.power: one.due for one in game.status if one.due}
    for name in (name for name in due if name != power):
        beaten = (out.unit for out in game.position.dislodged if out.unit.power == name)
        units = [*beaten] if kind is PhaseKind.RETREATS else [*game.position.of(name)]
        offers = [[*legal.of_unit(unit)] for unit in units] if kind is not PhaseKind.ADJUSTMENTS else []
        given = [
            _one_of(offered, prey, seen, chance, Random(f"{seed} {offered[0].at}")) for offered in offers if offered
        ]
        if kind is PhaseKind.ADJUSTMENTS:
            winter = legal.of_power(kind, name, game.season)
            given = chance.sample(winter, min(len(winter), abs(due[name])))
        game = game.submit(name, given)
    status = {one.power for one in game.status}
    return (game.submit(power, orders) if power in status else game).process()


def _blind_order(board: Board, unit: Unit, chance: Random) -> str:
    """Return an order about places near a unit, whatever stands there."""
    near = [board.provinces[n] for n in board.reach(unit.kind, board.location_index[unit.at])]
    goal = chance.choice(near)
    whence = board.provinces[chance.choice(sorted(board.neighbours[board.index[goal.id]]))]
    coast = chance.choice([place for place in board.provinces if place.terrain is Terrain.COAST])
    kind = chance.choice("AF")
    helps = [f"S {kind} {goal.id}", f"S {kind} {whence.id} - {goal.id}"]
    verb = chance.choice([*helps, *helps, f"C A {whence.id} - {coast.id}", f"- {coast.id}"])
    return f"{unit.kind} {unit.at} {verb}"


def _one_of(offered: list[Order], prey: set[str], seen: frozenset[str], chance: Random, same: Random) -> Order:
    """Return one of a unit's orders: in sight mostly one that is the same in all worlds, else often against `prey`."""
    plain = [one for one in offered if one.at and one.of is None and (one.to is None or one.to.province in seen)]
    if plain and plain[0].at and plain[0].at.province in seen and same.random() < 0.7:
        return same.choice(plain)
    assaults = [one for one in offered if one.to and one.to.province in prey]
    if assaults and chance.random() < 0.7:
        return chance.choice(assaults)
    return chance.choice([offered[0], chance.choice(offered)])


def observation(game: Game, power: str) -> str:
    """Return what a power learns: of the position, and of the phases that are over."""
    told: list[object] = [game.phase.code, game.outcome, game.survivors, _place(game, game.position, power)]
    stood = [*(record.position for record in game.records), game.position]
    for record, following in zip(game.records, stood[1:], strict=True):
        told += [
            record.phase.code,
            game.missing(record),
            [*record.orders],
            record.disorder,
            *_phase(game, record, power),
        ]
        told.append(_place(game, game.adjudication(record).position, power))  # before owners are settled
        told.append(_place(game, following, power))
    return repr(told)


def _place(game: Game, position: Position, power: str) -> object:
    seen = seen_provinces(game.rules, position, [power])
    units = sorted((u.kind, u.power, str(u.at)) for u in position.units if u.at.province in seen)
    owners = sorted((p, o) for p, o in position.owners.items() if p in seen)
    beaten = []
    for out in position.dislodged:
        if out.unit.at.province in seen:
            open_to = [str(at) for at in out.retreats if out.unit.power == power or at.province in seen]
            beaten.append((str(out.unit), out.unit.power, out.by if out.by in seen else "", open_to))
    return sorted(seen), units, owners, sorted(beaten)


def _phase(game: Game, record: object, power: str) -> Iterator[object]:
    judged, seen = game.adjudication(record), seen_provinces(game.rules, record.position, [power])  # type: ignore[attr-defined, arg-type]
    for ruling in judged.rulings:
        order = ruling.order
        named = [at.province for at in (order.at, order.of, order.to) if at] if order else []
        open_to_all = all(place in seen for place in named) and not (order and {*order.route} - seen)
        beaten = _beaten_by(ruling, seen)
        if ruling.power == power:
            about_others = order is not None and order.of is not None and not open_to_all
            moves = order is not None and order.to is not None and order.of is None
            came = ruling.result is Result.SUCCEEDS
            own = ruling.unit is not None and ruling.unit.power == power
            void = ruling.result is Result.VOID and own and not moves and not about_others
            yield (
                ruling.given,
                "" if about_others or not own else came if moves else ruling.result.value,
                void,
                beaten,
            )
        elif order and ruling.given and open_to_all and ruling.result is not Result.VOID and _tells(game):
            fate = ruling.result.value if order.verb.like is not Verb.MOVE else ruling.result is Result.SUCCEEDS
            yield sorted([game.rules.notation.write(order), ruling.power, str(fate), str(beaten)])
    for event in record.events:  # type: ignore[attr-defined]
        if event.power == power or event.province in seen or event.kind == "eliminated":
            yield str(event)


def _tells(game: Game) -> bool:
    return all(getattr(mechanic, "shows_orders", True) for mechanic in game.variant.mechanics)


def _beaten_by(ruling: object, seen: frozenset[str]) -> object:
    victor = ruling.dislodged_by  # type: ignore[attr-defined]
    return victor and (victor.kind, victor.power, victor.at.province if victor.at.province in seen else "")


def doors(game: Game, power: str, *, drawn: bool = False) -> dict[str, str]:
    """Return all that the library tells a power of a game, by the name of the door; maps if they are to be drawn."""
    view, seen = views(game)[power], seen_by(game, [power])
    rules, kind = game.rules, game.phase.kind
    found = {
        "position": repr((seen.position, seen.position.digest)),
        "records": repr(seen.records),
        "rulings": repr([[(*r, r.text, r.clause) for r in seen.adjudication(one).rulings] for one in seen.records]),
        "after": repr([(seen.adjudication(r).position, seen.adjudication(r).happened) for r in seen.records]),
        "reasons": repr([
            further_reasons(rules.board, seen.adjudication(r), one)
            for r in seen.records for one in seen.adjudication(r).rulings
        ]),
        "happenings": repr([[*happenings(game.variant, r, seen.adjudication(r))] for r in seen.records]),
        "report": report(seen),
        "history": history(seen),
        "status": repr((seen.status, seen.survivors, seen.misses, seen.due_orders, seen.votes)),
        "legal": repr((view.choices, view.winter, view.status, view.history == seen.records)),
        "ledger": repr((seen.ledger, [ledger_of(game.variant, rules, r.phase, r.position) for r in seen.records])),
        "board": board_in_words(game.variant, rules, seen.phase, seen.position),
        "state": json.dumps(state_data(seen.state)),
    }  # fmt: skip
    sets = [[str(order) for offers in view.choices.values() for order in offers[:2]], [*NONSENSE]]
    for number, orders in enumerate(sets):
        found[f"preview {number}"] = preview_report(seen, seen.what_if({power: orders} if view.is_due else {}))
        found[f"warnings {number}"] = repr(corroborate(rules, kind, seen.position, {power: orders}))
        found[f"reading {number}"] = repr(read(seen, power, "\n".join(orders)))
        found[f"set {number}"] = _answer(game, power, "\n".join(orders))
    for form in ("phase-lines", "saved-game"):
        found[form] = _exported(game, form, power)
    if drawn:
        picture = Picture(game.variant.board, shapes_of(find_variant(game.variant.id)), game.variant.powers)
        found["maps"] = "".join(picture.svg(shown) for shown in snapshots_of(seen))
    return found


def _answer(game: Game, power: str, text: str) -> str:
    """Return what becomes of a sheet that a power sends, or why it is refused."""
    try:
        return repr(game.submit(power, text).orders.get(power))
    except GamesmasterError as error:
        return str(error)


def _exported(game: Game, form: str, power: str) -> str:
    try:
        return repr(sorted(export(game, form, viewer=power).files.items()))
    except GamesmasterError as error:
        return str(error)
