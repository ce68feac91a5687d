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
from gamesmaster.board import LANDING, Position, Unit
from gamesmaster.engine import CONVOY, HOLD, MOVE, SUPPORT
from gamesmaster.engine.convoys import Seas
from gamesmaster.engine.groups import end_to_end
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


class StanceTables(NamedTuple):
    """Stances."""

    place: Numbers  # its province
    sort: Numbers  # its kind
    army: Flags  # 1 for those of armies
    fleet: Flags  # 1 for those of fleets
    carries: Flags  # 1 for those of units that carry another one


class KindTables(NamedTuple):
    """Kinds of units."""

    base: Numbers  # the kind that it basically is
    empty: Numbers  # the kind of a carrier that carries nobody; of others, the kind itself
    cargo: Numbers  # the kind that a carrier carries, -1 for others
    might: Numbers  # the weight of its attack; no numbers if all are `WEIGHT`
    aid: Numbers  # the weight of its help, likewise
    takes: Flags  # whether it takes centres; no numbers if all do


class StepTables(NamedTuple):
    """Where units can go from a stance; some ways are closed to some powers, so rows are found by `steps_of`."""

    first: Numbers  # by power: its first row, and last that of the ways from which nobody is kept
    reach_at: Numbers
    reach: Numbers  # the stances one step away
    helps: Table  # the provinces that can be supported; padded with the number of no province: equal loops are fast
    flees_at: Numbers
    flees: Numbers  # the stances that can be retreated to
    ashore_at: Numbers
    ashore: Numbers  # the stances where one that is carried there can go ashore
    near: Flags  # [row, province]: whether a step leads there
    weak: Flags  # [stance, province]: how often a move is halved; as many rows below, a support


class LandTables(NamedTuple):
    """Provinces."""

    port: Flags  # whether armies can be convoyed from it
    shared: Lent  # whether any number of units may be there
    bare: Numbers  # its location without a coast


class SiteTables(NamedTuple):
    """Where powers may ever build."""

    at: Numbers  # by power: where its sites begin
    place: Numbers  # by site: the province
    asks: Numbers  # by site: the conditions (`engine.winter`)
    build_at: Numbers  # by site: where its builds begin
    build: Numbers  # the stances that can be built there


class VictoryTables(NamedTuple):
    """What wins."""

    centres: Numbers  # by power: so many centres,
    units: Numbers  # or so many units
    both: Flags  # one flag: of several with enough centres, the one with most units wins


class RemovalTables(NamedTuple):
    """Who is removed first if nobody says."""

    rank: Numbers  # [power, stance]: the lowest first
    measured: Flags  # one flag: before, those farthest from centres of their own, or as `Units.far` has it


class VerbTables(NamedTuple):
    """The kernel's rows of orders, by the number of their verb."""

    act: Numbers
    force: Numbers
    flags: Numbers


class Tables(NamedTuple):
    """A board and its rules.  Rows of varying length lie end to end: row i of `x` is `x[x_at[i] : x_at[i + 1]]`."""

    stances: StanceTables
    kinds: KindTables
    steps: StepTables
    lands: LandTables
    ground: BoardGraph  # the board as Winters see it
    seas: Seas  # the convoying waters
    sites: SiteTables
    victory: VictoryTables
    removals: RemovalTables
    verbs: VerbTables
    book: Lent  # the choices of the rulebook (`engine.choices`)


def steps_of(t: Tables, power: int, stance: int) -> int:
    """Return the row of a power's units in a stance in the tables of steps."""
    return int(t.steps.first[power] + stance)


@lru_cache(maxsize=16)
def tables_of(variant: Variant) -> Tables:
    """Return the tables of a variant, made once; raises `GamesmasterError` if it is not one that `supports` allows."""
    if against := supports(variant).why_not:
        raise GamesmasterError(
            f"{variant.name} cannot be played in batches", hint="it has " + ", ".join(against), where=variant.id
        )
    rules, board = rules_in_batch(variant), variant.board
    reader, land = rules.derive(OrderReader), rules.derive(board_graph)
    stances = [(kind, at) for kind in board.ways for at in range(len(board.locations))]
    placements = [reader.placements[kind][board.locations[at]] for kind, at in stances]
    verbs = verbs_of(rules)
    return Tables(
        stances=StanceTables(
            place=_numbers(board.place[at] for _, at in stances),
            sort=_numbers(sort for sort in range(len(board.ways)) for _ in board.locations),
            army=_flags(not p.afloat for p in placements),
            fleet=_flags(p.kind in board.fleets for p in placements),
            carries=_flags(p.carries for p in placements),
        ),
        kinds=_kinds(rules),
        steps=_steps(variant, rules, stances, placements),
        lands=LandTables(
            port=_flags(place in reader.ports for place in range(len(board.provinces))),
            shared=_flags(place in board.shared for place in range(len(board.provinces))),
            bare=_numbers(board.locations_of(place)[0] for place in range(len(board.provinces))),
        ),
        ground=BoardGraph(_flags(land.centre), _numbers(land.near_at), _numbers(land.near)),
        seas=_seas(rules),
        sites=sites_of(rules, variant.start.state),
        victory=_victory(variant),
        removals=_removals(rules, stances),
        verbs=VerbTables(
            act=_numbers(verb.kind for verb in verbs),
            force=_numbers(verb.force for verb in verbs),
            flags=_numbers(verb.flags for verb in verbs),
        ),
        book=_numbers(choices(rules)),
    )


def _numbers(values: Iterable[int]) -> Any:
    import numpy as np

    return np.array(list(values), np.int32)


def _flags(values: Iterable[int]) -> Any:
    import numpy as np

    return np.array(list(values), np.uint8)


def _kinds(rules: Rules) -> KindTables:
    board, kinds = rules.board, list(rules.board.ways)
    cargo = (board.cargo(kind) for kind in kinds)
    own = {kind: weights for part in parts_of(rules) for kind, weights in part.columns.weights.items()}
    weights = [own.get(kind, (WEIGHT, WEIGHT)) for kind in kinds] if own else []
    return KindTables(
        base=_numbers(kinds.index(board.base(kind)) for kind in kinds),
        empty=_numbers(kinds.index(board.unladen(kind)) for kind in kinds),
        cargo=_numbers(kinds.index(kind) if kind else -1 for kind in cargo),
        might=_numbers(might for might, _ in weights),
        aid=_numbers(aid for _, aid in weights),
        takes=_flags(kind not in board.bystanders for kind in kinds if board.bystanders),
    )


def _steps(
    variant: Variant, rules: Rules, stances: Sequence[tuple[str, int]], placements: Sequence[Placement]
) -> StepTables:
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
    reach_at, reach = map(_numbers, end_to_end([way.reach for way in steps]))
    flees_at, flees = map(_numbers, end_to_end([way.flees for way in steps]))
    ashore_at, ashore = map(_numbers, end_to_end([way.ashore for way in steps]))
    return StepTables(
        first=_numbers(known_ways.index(own) * len(placements) for own in ways),
        reach_at=reach_at,
        reach=reach,
        helps=_padded([way.helps for way in steps], size),
        flees_at=flees_at,
        flees=flees,
        ashore_at=ashore_at,
        ashore=ashore,
        near=near,
        weak=_weaknesses(rules, stances),
    )


def _seas(rules: Rules) -> Seas:
    import numpy as np

    of = rules.derive(seas)
    link: Any = np.frombuffer(rules.board.link, np.uint8).copy()
    return Seas(_numbers(of.first), _numbers(of.waters), link, _numbers(of.shore_first), _numbers(of.shores))


def _victory(variant: Variant) -> VictoryTables:
    victory, powers = variant.victory, [power.name for power in variant.powers]
    return VictoryTables(
        centres=_numbers([0, *map(victory.target, powers)]),
        units=_numbers([0, *map(victory.unit_target, powers)]),
        both=_flags([victory.both]),
    )


def _removals(rules: Rules, stances: Sequence[tuple[str, int]]) -> RemovalTables:
    import numpy as np

    ranks = [_ranks(rules, power, stances) for power in rules.powers]
    return RemovalTables(np.array([[0] * len(stances), *ranks], np.int32), _flags([_measures(rules)]))


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


def sites_of(rules: Rules, state: Mapping[str, object]) -> SiteTables:
    """Return the tables of sites and builds for this state of the mechanics."""
    board = rules.board
    first = {kind: number * len(board.locations) for number, kind in enumerate(board.ways)}
    site_at, every_site = end_to_end([[], *(_sites(rules, power, state) for power in rules.powers)])
    build = [
        [
            first[kind] + at
            for at in board.locations_of(board.index[site.province])
            for kind in sorted(site.kinds)
            if board.can_stand(kind, board.locations[at])
        ]
        for site in every_site
    ]
    return SiteTables(
        _numbers(site_at),
        _numbers(board.index[site.province] for site in every_site),
        _numbers(site.asks for site in every_site),
        *map(_numbers, end_to_end(build)),
    )


def _sites(rules: Rules, power: str, state: Mapping[str, object]) -> list[SiteRow]:
    """Return the sites where a power may build in this state, or may when a mechanic opens the place."""
    sites = site_rows(rules, power, state)
    opened = {p.mechanic.id: p.columns.opens(power) for p in parts_of(rules) if p.columns.opens}
    if not opened:
        return sites
    known = {site.province for site in sites}
    more = (site for site in site_rows(rules, power, {**state, **opened}) if site.province not in known)
    return [*sites, *(site._replace(asks=site.asks | TOLD) for site in more)]


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
