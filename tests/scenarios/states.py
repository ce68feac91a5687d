"""The checks of a scenario beside the orders: the winner, removals, builds due, and so on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import factorial, prod, sqrt

from gamesmaster.board import Position, Terrain, Unit
from gamesmaster.errors import BadFile
from gamesmaster.game import (
    Game,
    agreed_scores,
    centre_counts,
    dumps,
    history,
    leaders,
    loads,
    remaining,
    report,
    survivors,
)
from gamesmaster.game.progress import table
from gamesmaster.judge import adjudicate, balance, count_owners
from gamesmaster.mechanics import Anarchy
from gamesmaster.orders import PhaseKind
from gamesmaster.players import seed_of
from gamesmaster.rules import Cause, Rules, YearMechanic, silent_powers
from gamesmaster.variant import full_name, split_name
from gamesmaster.variant.house_rules import house_rule_settings
from tests.scenarios.marks import MARKS, Seen, short
from tests.scenarios.setup import Scene, later_changes

DEALS = 999
"""The number of deals of powers that test whether a wish is heeded."""


# -- units and centres -----------------------------------------------------------------------------------------------


def _removed_units(seen: Seen) -> list[str]:
    left = {u.number for u in seen.done.position.units}
    return [str(u) for u in seen.before.units if u.number not in left]


def _removals_today(seen: Seen) -> list[str]:
    rules = Rules.of(seen.scene.variant, "today")
    left = {u.number for u in adjudicate(rules, PhaseKind.ADJUSTMENTS, seen.before, {}).position.units}
    return [str(u) for u in seen.before.units if u.number not in left]


def _disbanded_units(seen: Seen) -> list[str]:
    left = {u.number for u in seen.done.position.units}
    return [str(d.unit) for d in seen.before.dislodged if d.unit.number not in left]


def _builds(seen: Seen) -> dict[str, int]:
    return {power: n for power, n in balance(seen.scene.rules, seen.before).items() if n > 0}


def _unused_builds(seen: Seen) -> dict[str, int]:
    built = [r.power for r in seen.done.rulings if r.cause is Cause.BUILT]
    return {power: n - built.count(power) for power, n in _builds(seen).items() if n > built.count(power)}


def _centres(seen: Seen) -> dict[str, list[str]]:
    """Return the owners of centres: in a Winter at its beginning, else after the count that follows."""
    winter = seen.phase.kind is PhaseKind.ADJUSTMENTS
    position = seen.before if winter else seen.step.position
    owned = {power: list(position.centres(power)) for power in seen.scene.rules.powers}
    return {power: centres for power, centres in owned.items() if centres or power in seen.expectation("centres")}


# -- the end ---------------------------------------------------------------------------------------------------------


def _winner(seen: Seen) -> str | list[str] | None:
    if isinstance(seen.scene.expect["state"]["winner"], list):  # of all that the count brings
        outcome = seen.step.outcome
        return list(outcome.winners) if outcome else []
    if "draw_votes" in seen.scene.other:
        winners = _draw(seen)
        return winners[0] if len(winners) == 1 else None
    other, variant, victory = seen.scene.other, seen.scene.variant, seen.scene.victory
    if "centre_count" in other:
        ahead = leaders(victory, *_counts(seen))
    elif seen.phase.kind is PhaseKind.ADJUSTMENTS and victory.when == "count":  # the verdict with which Winter opens
        ahead = leaders(victory, centre_counts(variant, seen.before), dict.fromkeys(seen.scene.rules.powers, 0))
    else:
        ahead = seen.step.outcome.winners if seen.step.outcome else ()
    return ahead[0] if len(ahead) == 1 else None


def _counts(seen: Seen) -> tuple[dict[str, int], dict[str, int]]:
    """Return the numbers of centres and units of each power, after the mechanics that count first."""
    other, variant, rules = seen.scene.other, seen.scene.variant, seen.scene.rules
    counts = variant.calendar.counts(seen.phase)
    position = count_owners(rules, seen.done.position) if counts else seen.done.position
    numbers = other.get("unit_count_after_builds", {})
    position, fallen = _represent(rules, position, numbers), set[str]()
    for mechanic in (m for m in rules.mechanics if isinstance(m, YearMechanic) and m.counts_first):
        position, happened = mechanic.after_count(rules, position)
        fallen |= {one.power for one in happened}
    units = dict.fromkeys(rules.powers, 0) | dict(numbers)
    return centre_counts(variant, position), {power: 0 if power in fallen else units[power] for power in units}


def _represent(rules: Rules, position: Position, numbers: Mapping[str, int]) -> Position:
    """Return the position with a unit for each power of which only the number of units is given.

    Mechanics check whether it has any.
    """
    absent = [power for power, number in numbers.items() if number and not position.of(power)]
    full, kind = {unit.at.province for unit in position.units}, rules.board.kinds[0]
    free = (at for at in rules.board.locations if at.province not in full and rules.board.can_stand(kind, at))
    number = max((unit.number for unit in position.units), default=0)
    added = (Unit(number + n, kind, power, next(free)) for n, power in enumerate(absent, 1))
    return replace(position, units=(*position.units, *added))


def _draw(seen: Seen) -> list[str]:
    game = _vote(seen)
    return list(game.outcome.winners) if game.outcome else []


def _homeless(seen: Seen, fallen: bool) -> list[str]:
    """Return the powers in their grace, or those in anarchy, after the count."""
    silent = silent_powers(seen.scene.rules, seen.step.position)
    known = seen.step.position.state.get(Anarchy.id, {})
    return [p for p in known if (p in silent) is fallen] if isinstance(known, Mapping) else []


def _eliminated_powers(seen: Seen) -> list[str]:
    """Return the powers that are out, among those that the scenario speaks of."""
    left = survivors(seen.scene.variant, seen.scene.rules, seen.step.position)
    units, orders = seen.scenario["units"], seen.scenario["orders"]
    named = {*units, *orders, *seen.expectation("eliminated"), *seen.before.owners.values()}
    return [power for power in seen.scene.rules.powers if power in named and power not in left]


def _table(seen: Seen) -> list[list[object]]:
    winners = tuple(seen.scene.other.get("winner", ()))
    return [[power, place] for power, place in table(seen.scene.variant, seen.before, winners)]


def _publishes_count(seen: Seen) -> bool:
    """Return whether the report of a game changes with the votes."""
    voted = _vote(seen)
    return history(voted) != history(replace(voted, votes={}, outcome=None))


def _vote(seen: Seen) -> Game:
    """Return the game after the votes: on the power that is proposed, or else on a draw among all that are left."""
    votes, proposal = _ballots(seen)
    homes = {power.name: power.homes for power in seen.scene.variant.powers}
    owners = seen.before.owners if seen.before.units else {homes[power][0]: power for power in votes}
    game = seen.scene.game(seen.phase, replace(seen.before, owners=seen.before.owners or owners))
    for power in seen.scene.other.get("civil_disorder", ()):
        game = game.set_disorder(power)
    if set(game.survivors) != set(votes):
        raise BadFile(f"votes of {', '.join(votes)}, but {', '.join(game.survivors)} are left")
    winners = tuple(p for p in game.survivors if p in proposal or not proposal)
    for power, yes in votes.items():
        if game.outcome is None and yes is not None and power in game.voters(winners):
            if len(proposal) == 1:
                game = game.concede(power, proposal[0], yes=yes)
            else:
                game = game.vote_draw(power, yes=yes, among=proposal)
    return game


def _ballots(seen: Seen) -> tuple[dict[str, bool | None], tuple[str, ...]]:
    """Return each survivor's vote (None: silence), and who is proposed to win, if not all.

    Votes may be told by number only: then those proposed vote first, and after them any others.
    """
    entries = seen.scene.other["draw_votes"]
    if isinstance(entries, list):  # those who say yes; all others are silent
        left = remaining(seen.scene.variant, seen.scene.rules, seen.before)
        return {power: True if power in entries else None for power in left}, ()
    votes = dict(entries)
    proposal = tuple(seen.scene.other.get("proposal", ()))
    if not votes.keys() <= {"yes", "no", "silent"}:
        silent: dict[str, bool | None] = dict.fromkeys((u.power for u in seen.before.units), None)
        return silent | votes, proposal
    cast = [True] * votes["yes"] + [False] * votes["no"] + [None] * votes["silent"]
    others = (power.name for power in seen.scene.variant.powers if power.name not in proposal)
    return dict(zip((*proposal, *others), cast, strict=False)), proposal


# -- before the first phase ------------------------------------------------------------------------------------------


def _is_refused(seen: Seen) -> bool:
    """Return whether the record of a game that has begun is refused if it names other options."""
    game, changed = seen.scene.game(), later_changes(seen.scene)
    family, made = split_name(game.variant.id)
    other = full_name(family, {**made, **changed})
    if game.variant.digest == seen.scene.stage.choosing(changed).digest:
        raise BadFile(f"{other} is what is played already")
    record = json.loads(dumps(game))
    record["variant"]["id"] = other
    try:
        loads(json.dumps(record), find=lambda _: seen.scene.stage.choosing(changed))
    except BadFile:
        return True
    return False


def _first_phase(scene: Scene) -> str:
    first = scene.variant.calendar.first
    wanted: str = scene.expect["state"]["first_phase"]
    return short(first) if wanted == short(first) else scene.variant.calendar.name(first)


def _powers(scene: Scene) -> dict[str, list[str]]:
    """Return the powers by the number of players."""
    counts: Mapping[str, object] = scene.expect["state"]["powers"]
    return {count: [p.name for p in scene.stage.choosing({"players": count}).powers] for count in counts}


def _supply(scene: Scene) -> dict[str, int]:
    """Return the supply of the powers at the start: centres at home feed just the units that they have (CNW-1.b)."""
    wanted: Mapping[str, object] = scene.expect["state"]["supply"]
    return {power: len(scene.variant.start.of(power)) for power in wanted}


def _neutral(scene: Scene) -> list[str]:
    return [centre for centre in scene.variant.board.centres if centre not in scene.variant.start.owners]


def _start_centres(scene: Scene) -> dict[str, list[str]]:
    """Return the centres of the powers that the scenario names."""
    named: Mapping[str, object] = scene.expect["state"]["centres"]
    return {power: list(scene.variant.start.centres(power)) for power in named}


def _phases(scene: Scene) -> list[str]:
    """Return the phases of the first turn, from the one with which the game begins."""
    calendar, phase = scene.variant.calendar, scene.variant.calendar.first
    codes: list[str] = []
    for _ in calendar.slots:
        codes.append(calendar.name(phase))
        phase = calendar.next(phase)
    return codes


def _lying(scene: Scene, *terrains: Terrain) -> list[str]:
    return [province.id for province in scene.variant.board.provinces if province.terrain in terrains]


def _dealt(scene: Scene, seed: int) -> Game:
    names = [f"p{number}" for number in range(1, scene.other["players"] + 1)]
    return Game.start(scene.variant, seed=seed_of(seed), players=names)


def _assignment(scene: Scene) -> str:
    """Return which deals of the powers are possible.

    They are equally likely if the dice's sides multiply to their number.
    """
    throws, powers = _dealt(scene, 0).throws, len(scene.variant.powers)
    fair = prod(throw.sides for throw in throws) == factorial(powers)
    return f"{'uniform' if fair else 'not uniform'} over {powers}! orders"


def _uses_preferences(scene: Scene) -> bool:
    """Return whether wishes come true more often than at random (five standard deviations)."""
    wishes, powers = scene.other["preferences"], len(scene.variant.powers)
    deals = [_dealt(scene, seed).players for seed in range(DEALS)]
    for player, power in wishes.items():
        met, chance = sum(deal[power] == player for deal in deals), 1 / powers
        if abs(met - DEALS * chance) > 5 * sqrt(DEALS * chance * (1 - chance)):
            return True
    return False


def _house_rules_visible(scene: Scene) -> bool:
    """Return whether the beginning of a game's report states all its house rules that differ from the default."""
    house, text = scene.house_rules, " ".join(report(scene.game()).split())
    sentences = (f"{house_rule_settings()[name].question} {house.sentence(name)}" for name in house.choices())
    return f"House rules: {house}" in text and all(sentence in text for sentence in sentences)


def _scores(seen: Seen) -> dict[str, float]:
    """Return the points of powers that have any, by the system of the house rules."""
    game = replace(seen.scene.game(seen.phase, seen.step.position), outcome=seen.step.outcome)
    return {power: float(points) for power, points in agreed_scores(game).items() if points}


STATES: dict[str, Callable[[Seen], object]] = {
    "kept": lambda seen: dict(seen.step.position.state),
    "scores": _scores,
    "removed": _removed_units,
    "removed_today": _removals_today,
    "disbanded": _disbanded_units,
    "builds": _builds,
    "unused_builds": _unused_builds,
    "centres": _centres,
    "winner": _winner,
    "draw": _draw,
    "count_published": _publishes_count,
    "refused": _is_refused,
    "grace": lambda seen: _homeless(seen, fallen=False),
    "anarchy": lambda seen: _homeless(seen, fallen=True),
    "eliminated": _eliminated_powers,
    "table": _table,
    **MARKS,
}
"""The checks available after a phase."""

SETUP: dict[str, Callable[[Scene], object]] = {
    "first_phase": _first_phase,
    "powers": _powers,
    "supply": _supply,
    "victory": lambda scene: scene.victory.centres,
    "centres_total": lambda scene: len(scene.variant.board.centres),
    "neutral_centres": _neutral,
    "centres": _start_centres,
    "kinds": lambda scene: list(scene.variant.board.kinds),
    "phases": _phases,
    "lands": lambda scene: _lying(scene, Terrain.INLAND, Terrain.COAST, Terrain.ISLANDS),
    "waters": lambda scene: _lying(scene, Terrain.SEA),
    "assignment": _assignment,
    "preferences_used": _uses_preferences,
    "house_rules_visible": _house_rules_visible,
    "judge_plays": lambda scene: scene.house_rules.gamesmaster_plays == "yes",
}
"""The checks available before the first phase."""
