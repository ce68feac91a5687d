"""A variant as tables of small integers, for games played by machine code.

A *stance* is a kind of unit at a location: kind * locations + location.  Powers are numbered from 1, as the judge has
them; 0 is nobody.  Which variants can be told so, `support` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.batches.mechanics import parts_of, rules_in_batch
from gamesmaster.batches.state import Lent
from gamesmaster.batches.support import supports
from gamesmaster.board import LANDING, Board, Position, Unit
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.engine.convoys import Seas
from gamesmaster.engine.problem import WEIGHT
from gamesmaster.engine.winter import BoardGraph
from gamesmaster.errors import GamesmasterError
from gamesmaster.judge import (
    Account,
    OrderReader,
    Placement,
    SiteRow,
    open_ends,
    removal_sequence,
    site_rows,
    supportable,
)
from gamesmaster.rules import VERBS, ColumnMechanic, OwnVerb, Rules, WinterMechanic, board_graph, choices, seas
from gamesmaster.variant import Variant

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int32]
    Table = NDArray[np.int32]
    Flags = NDArray[np.uint8]


TOLD = 4
"""The condition of a site, beyond those that the judge's engine knows, that a mechanic opens it."""


class Tables(NamedTuple):
    """A board and its rules.  Lists of varying length lie end to end: row i is `x[x_at[i] : x_at[i + 1]]`.

    By stance: `place` its province, `sort` its kind, `army`, `fleet` and `carries` flags.  By the `steps_of` a power's
    units in a stance, since some may be closed to it: `reach` the stances one step away, `flees` the stances that it
    can retreat to, `ashore` those where one that is carried there can go ashore; `helps[steps]` are the provinces that
    it can support into, and behind them, as often as there is room, the number of no province: loops that always are of
    the same length are faster.  `near[steps, province]` says whether a step leads there.  `weak[stance, province]` is
    how often a move there is halved, and, as many rows below, a support into there.
    By power: `steps` where its own begin, and last where those do that nobody is kept from.  By kind: `base` the kind
    that it is at bottom, `empty` that of a carrier when it carries nobody, and else the kind itself.  By province:
    `port` whether armies can be convoyed from it, `bare` its location without a coast, `centre`, `border` the places
    next to it by any way, `shared` whether any number of units lie there.
    `link[province * provinces + water]` is 1 where a convoy in that water touches, as the kernel wants it, `shores` and
    `waters` list the same.
    By power: `site` the provinces where it may ever build; by the site's number, `asks` what for (`engine.winter`) and
    `build` the stances that can be built in it.  `needed[power]` centres win, or `needed_units[power]` units, if
    `both[0]` the more centres before the more units; `rank[power, stance]` says
    who goes first of units to be removed if nobody says, the lowest rank, those farthest from own centres before if
    `measured[0]`, or as `Game.far` has it.
    `book` are the choices of the rulebook (`engine.choices`).  By verb: `act`, `force` and `flags` are those of
    the kernel's rows.  By kind: `empty`, the kind of a carrier that carries nobody, the kind itself of other units, and
    `cargo`, the kind that a carrier carries, -1 for other units; `might` and `aid`, the weights of attack and of help,
    no numbers if all are `WEIGHT`; `takes`, whether it takes centres, no numbers if all do.
    """

    place: Numbers
    sort: Numbers
    base: Numbers
    empty: Numbers
    cargo: Numbers
    army: Flags
    fleet: Flags
    carries: Flags
    steps: Numbers
    reach_at: Numbers
    reach: Numbers
    helps: Table
    flees_at: Numbers
    flees: Numbers
    ashore_at: Numbers
    ashore: Numbers
    near: Flags
    weak: Flags
    might: Numbers
    aid: Numbers
    takes: Flags
    port: Flags
    shared: Lent
    bare: Numbers
    centre: Lent
    border_at: Lent
    border: Lent
    link: Lent
    waters_at: Lent
    waters: Lent
    shores_at: Lent
    shores: Lent
    site_at: Numbers
    site: Numbers
    asks: Numbers
    build_at: Numbers
    build: Numbers
    needed: Numbers
    needed_units: Numbers
    both: Flags
    rank: Numbers
    measured: Flags
    book: Lent
    act: Numbers
    force: Numbers
    flags: Numbers


def steps_of(t: Tables, power: int, stance: int) -> int:
    """Return the row of a power's units in a stance in the tables of steps."""
    return int(t.steps[power] + stance)


def seas_of(t: Tables) -> Seas:
    """Return the convoying waters, as the judge's engine wants them."""
    return Seas(t.waters_at, t.waters, t.link, t.shores_at, t.shores)


def ground_of(t: Tables) -> BoardGraph:
    """Return the board as Winters see it."""
    return BoardGraph(t.centre, t.border_at, t.border)


@lru_cache(maxsize=16)
def tables_of(variant: Variant) -> Tables:
    """Return the tables of a variant, made once; raises `GamesmasterError` if it is not one that `supports` allows."""
    if against := supports(variant).why_not:
        raise GamesmasterError(
            f"{variant.name} cannot be played in batches", hint="it has " + ", ".join(against), where=variant.id
        )
    rules, board = rules_in_batch(variant), variant.board
    reader = rules.derive(OrderReader)
    stances = [(kind, at) for kind in board.ways for at in range(len(board.locations))]
    placements = [reader.placements[kind][board.locations[at]] for kind, at in stances]
    return Tables(
        **_by_stance(rules, stances, placements),
        **_by_kind(board),
        **_weights(rules),
        **_by_step(variant, rules, placements),
        **_by_province(rules, reader),
        **_by_water(rules),
        **sites_of(rules, variant.start.state),
        **_by_power(variant, rules, stances),
        **_by_verb(rules),
    )


def _by_stance(rules: Rules, stances: Sequence[tuple[str, int]], placements: Sequence[Placement]) -> dict[str, Any]:
    import numpy as np

    board = rules.board
    return {
        "place": np.array([board.place[at] for _, at in stances], np.int32),
        "sort": np.repeat(np.arange(len(board.ways), dtype=np.int32), len(board.locations)),
        "army": np.array([not p.afloat for p in placements], np.uint8),
        "fleet": np.array([p.kind in board.fleets for p in placements], np.uint8),
        "carries": np.array([p.carries for p in placements], np.uint8),
        "weak": _weaknesses(rules, stances),
    }


def _by_kind(board: Board) -> dict[str, Any]:
    import numpy as np

    kinds = list(board.ways)
    cargo = (board.cargo(kind) for kind in kinds)
    return {
        "base": np.array([kinds.index(board.base(kind)) for kind in kinds], np.int32),
        "empty": np.array([kinds.index(board.unladen(kind)) for kind in kinds], np.int32),
        "cargo": np.array([kinds.index(kind) if kind else -1 for kind in cargo], np.int32),
        "takes": np.array([kind not in board.bystanders for kind in kinds] if board.bystanders else [], np.uint8),
    }


def _by_step(variant: Variant, rules: Rules, placements: Sequence[Placement]) -> dict[str, Any]:
    """Return the tables of steps. Powers to which the same steps are open share their rows."""
    import numpy as np

    nobody = next(iter({unit.power for unit in variant.start.units} - {power.name for power in variant.powers}), "")
    ways = [tuple(_ways(rules, p, power) for p in placements) for power in (nobody, *rules.powers, None)]
    known_ways = list(dict.fromkeys(ways))
    steps = [way for known in known_ways for way in known]
    size = len(rules.board.provinces)
    near = np.zeros((len(steps), size), np.uint8)
    for row, way in enumerate(steps):
        near[row, list(way.near)] = 1
    return {
        "steps": np.array([known_ways.index(own) * len(placements) for own in ways], np.int32),
        "reach_at": _starts([way.reach for way in steps]),
        "reach": _joined(way.reach for way in steps),
        "helps": _padded([way.helps for way in steps], size),
        "flees_at": _starts([way.flees for way in steps]),
        "flees": _joined(way.flees for way in steps),
        "ashore_at": _starts([way.ashore for way in steps]),
        "ashore": _joined(way.ashore for way in steps),
        "near": near,
    }


def _by_province(rules: Rules, reader: OrderReader) -> dict[str, Any]:
    import numpy as np

    board, land = rules.board, rules.derive(board_graph)
    places = range(len(board.provinces))
    return {
        "port": np.array([place in reader.ports for place in places], np.uint8),
        "shared": np.array([place in board.shared for place in places], np.uint8),
        "bare": np.array([board.locations_of(place)[0] for place in places], np.int32),
        "centre": np.array(land.centre, np.uint8),
        "border_at": np.array(land.near_at, np.int32),
        "border": np.array(land.near, np.int32),
    }


def _by_water(rules: Rules) -> dict[str, Any]:
    import numpy as np

    waters_at, waters, _, shores_at, shores = seas(rules)
    return {
        "link": np.frombuffer(rules.board.link, np.uint8).copy(),
        "waters_at": np.array(waters_at, np.int32),
        "waters": np.array(waters, np.int32),
        "shores_at": np.array(shores_at, np.int32),
        "shores": np.array(shores, np.int32),
    }


def _by_power(variant: Variant, rules: Rules, stances: Sequence[tuple[str, int]]) -> dict[str, Any]:
    import numpy as np

    victory, powers = variant.victory, [power.name for power in variant.powers]
    ranks = [_ranks(rules, power, stances) for power in rules.powers]
    return {
        "needed": np.array([0, *map(victory.target, powers)], np.int32),
        "needed_units": np.array([0, *map(victory.unit_target, powers)], np.int32),
        "both": np.array([victory.both], np.uint8),
        "rank": np.array([[0] * len(stances), *ranks], np.int32),
        "measured": np.array([_measures(rules)], np.uint8),
        "book": np.array(choices(rules), np.int32),
    }


def _by_verb(rules: Rules) -> dict[str, Any]:
    import numpy as np

    verbs = verbs_of(rules)
    return {
        "act": np.array([verb.kind for verb in verbs], np.int32),
        "force": np.array([verb.force for verb in verbs], np.int32),
        "flags": np.array([verb.flags for verb in verbs], np.int32),
    }


def verbs_of(rules: Rules) -> list[OwnVerb]:
    """Return the kernel's view of orders by the number of their verb: the regular verbs', then those of mechanics."""
    verbs = [OwnVerb(HOLD)] * VERBS
    for number, kind in enumerate((HOLD, MOVE, SUPPORT, CONVOY, MOVE)):
        verbs[number] = OwnVerb(kind)
    for columns in (part.columns for part in parts_of(rules)):
        verbs[columns.first_verb : columns.first_verb + len(columns.verbs)] = columns.verbs
    return verbs


def _weaknesses(rules: Rules, stances: Sequence[tuple[str, int]]) -> Flags:
    """Return how often orders from a stance to a province are halved: moves, then supports; no rows if none is."""
    import numpy as np

    board = rules.board
    halved = [part.columns.weak for part in parts_of(rules) if part.columns.weak]
    found = np.zeros((2 * len(stances) if halved else 0, len(board.provinces)), np.uint8)
    for row, (act, (kind, at)) in enumerate(product((MOVE, SUPPORT), stances) if halved else ()):
        here = board.place[at]
        for there in board.neighbours[here]:
            found[row, there] = sum(is_halved(kind, act, here, there) for is_halved in halved)
    return found


def _weights(rules: Rules) -> dict[str, Any]:
    """Return the weights of kinds of unit, on their own and as help; no numbers if all have the usual one."""
    import numpy as np

    own = {kind: weights for part in parts_of(rules) for kind, weights in part.columns.weights.items()}
    weights = [own.get(kind, (WEIGHT, WEIGHT)) for kind in rules.board.ways] if own else []
    return {"might": np.array([w for w, _ in weights], np.int32), "aid": np.array([w for _, w in weights], np.int32)}


class _Ways(NamedTuple):
    """The places to which one power's units can move from a stance, support into and retreat; `near` are the provinces.

    `ashore` are the places where a unit that is carried there can land.
    """

    reach: tuple[int, ...]
    helps: tuple[int, ...]
    flees: tuple[int, ...]
    near: tuple[int, ...]
    ashore: tuple[int, ...]


def _ways(rules: Rules, here: Placement, power: str | None) -> _Ways:
    """Return the places open to a power's units from a placement; None means those open to all powers."""
    board, arrive = rules.board, partial(_arrive, rules, here.kind)
    open_ = partial(open_ends, board, power, here.kind, here.location)
    landings = board.steps_by(LANDING, here.location).values()
    return _Ways(
        tuple(arrive(to) for ends in here.reach.values() for to in open_(ends)),
        tuple(supportable(board, here, power)),
        tuple(arrive(to) for ends in here.flees.values() for to in open_(ends)),
        tuple(place for place, ends in here.reach.items() if open_(ends)),
        tuple(arrive(to) for ends in landings for to in open_(ends)),
    )


def _arrive(rules: Rules, kind: str, location: int) -> int:
    """Return the stance of a unit of this kind at a location, in the form that mechanics give it there."""
    kinds, at = list(rules.board.ways), rules.board.locations[location]
    for mechanic in rules.mechanics:
        if isinstance(mechanic, ColumnMechanic):
            kind = mechanic.form_at(rules, kind, at)
    return kinds.index(kind) * len(rules.board.locations) + location


def sites_of(rules: Rules, state: Mapping[str, object]) -> dict[str, Any]:
    """Return the tables of sites and builds for this state of the mechanics."""
    import numpy as np

    board = rules.board
    first = {kind: number * len(board.locations) for number, kind in enumerate(board.ways)}
    sites = [[], *(_sites(rules, power, state) for power in rules.powers)]
    build = [
        [
            first[kind] + at
            for at in board.locations_of(board.index[site.province])
            for kind in sorted(site.kinds)
            if board.can_stand(kind, board.locations[at])
        ]
        for own in sites
        for site in own
    ]
    return {
        "site_at": _starts(sites),
        "site": np.array([board.index[site.province] for own in sites for site in own], np.int32),
        "asks": np.array([site.asks for own in sites for site in own], np.int32),
        "build_at": _starts(build),
        "build": _joined(build),
    }


def _sites(rules: Rules, power: str, state: Mapping[str, object]) -> list[SiteRow]:
    """Return the sites where a power may build in this state, or may when a mechanic opens the place."""
    sites = site_rows(rules, power, state)
    opened = {p.mechanic.id: p.columns.opens(power) for p in parts_of(rules) if p.columns.opens}
    if not opened:
        return sites
    known = {site.province for site in sites}
    more = (site for site in site_rows(rules, power, {**state, **opened}) if site.province not in known)
    return [*sites, *(site._replace(asks=site.asks | TOLD) for site in more)]


def _starts(rows: Iterable[Sequence[object]]) -> Numbers:
    import numpy as np

    return np.cumsum([0, *map(len, rows)], dtype=np.int32)


def _joined(rows: Iterable[Sequence[int]]) -> Numbers:
    import numpy as np

    return np.array([number for row in rows for number in row], np.int32)


def _padded(rows: Sequence[Sequence[int]], nothing: int) -> Table:
    """Return these rows, padded to the length of the longest."""
    import numpy as np

    found = np.full((len(rows), max(map(len, rows))), nothing, np.int32)
    for row, numbers in zip(found, rows, strict=True):
        row[: len(numbers)] = numbers
    return found


def _measures(rules: Rules) -> bool:
    """Return whether units farthest from the centres that their power owns are removed first by default."""
    ordered = rules.hooks(WinterMechanic.removal_order)
    return rules.rulebook.default_removal == "nearest_owned_centre" and not ordered


def _ranks(rules: Rules, power: str, stances: Sequence[tuple[str, int]]) -> list[int]:
    """Return, by stance, the rank of a unit of this power in automatic removals, from 0, if it owns no centre.

    Ranks come from the removals of a power with a unit in every stance.
    """
    board = rules.board
    known = [
        Unit(stance, kind, power, board.locations[at])
        for stance, (kind, at) in enumerate(stances)
        if board.can_stand(kind, board.locations[at])
    ]
    loads = [
        Unit(len(stances) + unit.number, board.cargo(unit.kind), power, unit.at, unit.number)
        for unit in known
        if board.cargo(unit.kind)
    ]
    units = [*known, *loads]
    ties = next((part.columns.ties for part in parts_of(rules) if part.columns.ties), None)
    order = ties(units) if ties else removal_sequence(Account(rules, Position(tuple(units), {}), power, units, 0))
    places = {unit.number: place for place, unit in enumerate(order)}
    return [places.get(stance, len(stances)) for stance in range(len(stances))]
