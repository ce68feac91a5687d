"""A board as tables for the heuristic player, and the columns that it works in: lists at the table, arrays in batches.

A *stance* is a kind of unit at a location: kind * locations + location.  Powers go by number from 1; 0 is nobody, and
the last number stands for units of no power.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from gamesmaster.board import Board
from gamesmaster.engine.groups import end_to_end
from gamesmaster.engine.heuristic.chart import graphs_of, state_graph, targets
from gamesmaster.engine.heuristic.menu import (
    MOST_MOVES,
    TALLIES,
    Backers,
    Menu,
    MenuUnits,
    MenuWays,
    Needs,
    Options,
)
from gamesmaster.engine.heuristic.outlook import Chances, Column, Fixed, Outlook, Rings
from gamesmaster.engine.heuristic.plan import Arrivals, Odds, Plan, Trial
from gamesmaster.orders import BUILDS


class Tastes(NamedTuple):
    """A player's values of provinces, of which only the ratios matter.

    The rings of a place begin with its own province.
    """

    free: float = 1.0  # a supply centre without an owner
    taking: float = 1.1  # another power's centre
    leader: float = 0.4  # the addition for the centres of the largest power
    peace: float = 0.0  # how far, as a part of it, the value of its centres falls for a power that never attacked
    patience: float = 1.0  # what is left of the gain of a move for each time in a row that it has just failed
    keeping: float = 1.6  # an own centre that is attacked by two; half of it if by one
    daring: float = 0.0  # how much less a power guards its own, times its lead: by what part it is above the mean size
    envy: float = 0.0  # how much more the centres of other powers are worth, times their lead
    now: Fixed = (2.0, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04, 0.02)  # weights of rings in the last movement before a count
    later: Fixed = (0.8, 0.5, 0.3, 0.18, 0.1, 0.06, 0.04, 0.02)  # weights of rings in other movements
    helping: float = 0.0  # how likely a unit without a task supports another power's unit against a third power
    tiring: int = 0  # movements without growth of the largest power after which it votes for a draw; 0 for never
    whim: float = 0.2  # how far, as a part of itself, a value is bent by chance; a player without any is foreseen
    surely: float = 1.0  # what is left of the whim in the last movement before a count
    dumb: float = 0.0  # 1 for DumbBot's values and orders (`dumbbot`), for which only the weights of rings count


class Nodes(NamedTuple):
    """The stances that anything leads from (`chart.Chart`), for one power."""

    stance: Fixed
    owns: Fixed  # 1 where the place itself counts
    rings: Rings


class ProvinceFacts(NamedTuple):
    """Provinces."""

    box: Fixed  # 1 where units do not block each other
    centre: Fixed  # 1 for a supply centre
    bare: Fixed  # its location without a coast
    link: Fixed  # [place * provinces + water]: 1 where a convoy in a water touches a place


class StanceFacts(NamedTuple):
    """Stances."""

    place: Fixed  # its province
    sort: Fixed  # its kind
    state: Fixed  # the same place for the basic kind
    lies: Fixed  # 1 if a unit of the kind may stand there


class KindFacts(NamedTuple):
    """Kinds of units."""

    cargo: Fixed  # the kind that it carries, -1 for none
    afloat: Fixed  # its form in a vessel, or itself
    laden: Fixed  # the kind that carries it, or itself


class Targets(NamedTuple):
    """What the unit in each stance could attack."""

    state_at: Fixed
    state: Fixed  # the states
    place_at: Fixed
    place: Fixed  # their provinces, each once


class CarrierReach(NamedTuple):
    """The provinces in reach of the loaded carrier in each stance; none in reach of other units."""

    sail_at: Fixed
    sails: Fixed  # those that it can go to
    aid_at: Fixed
    aids: Fixed  # those that it can support into


class BoardTables(NamedTuple):
    """A board as the heuristic player sees it.  Row n of a list `x` is `x[x_at[n] : x_at[n + 1]]`."""

    locations: int  # how many there are
    powers: int  # one more than the highest number of a power
    charts: tuple[Nodes, ...]
    chart: Fixed  # by power: which of `charts` is its own; number 0 is DumbBot's
    provinces: ProvinceFacts
    stances: StanceFacts
    kinds: KindFacts
    targets: Targets
    carriers: CarrierReach
    chances: Chances


@lru_cache(maxsize=16)
def board_tables(board: Board, powers: tuple[str, ...]) -> BoardTables:
    """Return the tables of a board as lists; `chances` are left open."""
    locations, kinds, index = len(board.locations), list(board.ways), board.location_index
    stances = [(kind, at) for kind in kinds for at in board.locations]
    base = [kinds.index(board.base(kind)) * locations for kind in kinds]
    states = [[base[kinds.index(kind)] + end for end in targets(board, kind, index[at])] for kind, at in stances]
    places = [sorted({board.place[end % locations] for end in ends}) for ends in states]
    forms = [(board.forms.get(kind), kind, index[at]) for kind, at in stances]
    sails = [list(board.reach(kind, at)) if form and form.cargo else [] for form, kind, at in forms]
    aids = [list(board.steps_by(form.helps, at)) if form and form.cargo else [] for form, _, at in forms]
    charts, size = graphs_of(board, powers), len(board.provinces)
    return BoardTables(
        locations=locations,
        powers=len(powers) + 2,
        charts=tuple(Nodes(chart.used, [float(owns) for owns in chart.owning], chart.columns) for chart in charts),
        chart=[len(charts) - 1, *(charts.index(state_graph(board, power)) for power in powers)],
        provinces=ProvinceFacts(
            box=[int(place in board.boxes) for place in range(size)],
            centre=[int(province.centre) for province in board.provinces],
            bare=[board.locations_of(place)[0] for place in range(size)],
            link=board.link,
        ),
        stances=StanceFacts(
            place=[*board.place] * len(kinds),
            sort=[number for number in range(len(kinds)) for _ in range(locations)],
            state=[base[kinds.index(kind)] + index[at] for kind, at in stances],
            lies=[int(board.can_stand(kind, at)) for kind, at in stances],
        ),
        kinds=KindFacts(
            cargo=[kinds.index(cargo) if (cargo := board.cargo(kind)) else -1 for kind in kinds],
            afloat=[kinds.index(_form(board, kind, board.base, loaded=False)) for kind in kinds],
            laden=[kinds.index(_form(board, kind, board.cargo, loaded=True)) for kind in kinds],
        ),
        targets=Targets(*end_to_end(states), *end_to_end(places)),
        carriers=CarrierReach(*end_to_end(sails), *end_to_end(aids)),
        chances=Chances([], 0, []),
    )


def _form(board: Board, kind: str, made_of: Callable[[str], str], *, loaded: bool) -> str:
    """Return the form, loaded or not, that is `made_of` units of this kind, by default the kind itself."""
    forms = (form for form, how in board.forms.items() if bool(how.cargo) == loaded)
    return next((form for form in forms if made_of(form) == kind), kind)


# -- columns to work in ------------------------------------------------------------------------------------------------


class Survey(NamedTuple):
    """A position as all powers see it alike: the units, and where they could go.  All begin as zeros."""

    standing: Column  # by province: the power of the unit there, 0 for none
    leader: Column  # by province: the power that could bring most units there
    most: Column  # by province: how many these are
    second: Column  # by province: how many the next power could bring
    strength: Column  # [province * powers + power]: how many units of a power could attack
    owners: Column  # by row: the power of a unit, 0 if it never moves by itself
    states: Column  # by row: its state
    begins: Column  # by row: where its targets begin in `Targets.state`
    ends: Column  # by row: where they end


class Assessment(NamedTuple):
    """What places are worth to a power, and what it expects of others."""

    worth: Column  # by province: by itself
    strongest: Column  # by province: the most units that one other power could bring
    calm: Column  # by province: the probability that nobody comes there on its own; begins with ones
    calm_at: Column  # the provinces that others may go to
    came: Column  # by province, scratch: begins with zeros
    guesses: Column  # random numbers from 0 to 1: by node, and for `calm_at`
    ring: Column  # by node: scratch of `sum_rings`
    share: Column  # by node: scratch of `sum_rings`
    numbers: Column  # scratch of `sum_rings`
    total: Column  # by node: the value before chance bends it
    value: Column  # by stance: the value; zeros but for the nodes


class ChainSearch(NamedTuple):
    """Scratch of the search for a chain of fleets (`menu.find_chain`)."""

    waters: Column  # the waters whose fleets may carry a voyage
    ferry: Column  # by province: the fleet there that carries others, 0 for none
    came: Column
    chain: Column


class AidOrders(NamedTuple):
    """By unit: its likeliest order to support a unit of another power."""

    worth: Column  # how likely it gives that order
    order: Column  # the number by which the caller knows it
    to: Column  # the stance into which it supports the other, -1 where it stands
    into: Column  # the province of that


class Listing(NamedTuple):
    """The options of a power's units while they are listed; units go by their numbers in the plan, from 1."""

    value: Fixed  # by stance: what it is worth
    stance: Column  # by unit
    carrier: Column  # by unit: the unit that carries it, 0 for none
    vain: Column  # by unit: one more than the province that it failed to move to last time, 0 for none
    weary: Column  # by unit: what is left of the gain of that move
    sorts: Column  # by unit and sort: where its options begin, and where they end (`options.first_of`)
    order: Column  # by option: the number by which the caller knows its order, 0 for none
    where: Column  # by option: the province of the other unit that its order names, -1 for none
    tried: Column  # scratch: the options that a unit is tried with
    picked: Column  # scratch: the best moves of a sort
    voyage: ChainSearch
    aid: AidOrders


SORTS = BUILDS + 1
"""How many sorts of a unit's options there are: supports, 0, and what orders of mechanics may be taken for."""

MOST_TRIED = 64
"""Options that a unit has room for on the average, beside one on each shore; and as many again for fleets' convoys.

No board of ours comes near; what finds no room is not considered.
"""
FEWEST = 8
"""A power with fewer units has room for the options of this many."""

REALS = frozenset((
    "worth", "calm", "guesses", "ring", "share", "numbers", "total", "value", "weary",
    "otherwise", "expected", "stays", "entering", "keeping",
))  # fmt: skip
"""The columns of real numbers; others are whole numbers."""

Make = Callable[[int, bool], Any]
"""A function that makes a column of zeros of a length, of real numbers or of whole ones."""

Columns = TypeVar(
    "Columns", Survey, Assessment, ChainSearch, AidOrders, Listing, MenuUnits, Options, Needs, Trial, Plan
)  # fmt: skip


def _columns(kind: type[Columns], make: Make, sizes: dict[str, int], **known: Any) -> Columns:
    """Return columns of these lengths by name, beside those `known`; `""` is the length of all others."""
    new = {name: make(sizes.get(name, sizes[""]), name in REALS) for name in kind._fields if name not in known}
    return kind(**new, **known)


def new_survey(b: BoardTables, units: int, make: Make) -> Survey:
    """Return the columns of a position with up to this number of units."""
    size = len(b.provinces.box)
    places = dict.fromkeys(("standing", "leader", "most", "second"), size)
    return _columns(Survey, make, {**places, "strength": size * b.powers, "": units + 1})


def new_assessment(b: BoardTables, nodes: int, make: Make) -> Assessment:
    """Return the columns of what a power makes of a position, on a chart with this number of nodes."""
    size = len(b.provinces.box)
    by_node = dict.fromkeys(("ring", "share", "total"), nodes)
    numbers = max(len(c.stance) * (1 + len(c.rings.faint)) + len(c.rings.split_at) for c in b.charts)
    sizes = {"guesses": max(nodes, size), "numbers": numbers, "came": size + 1, "value": len(b.stances.place), "": size}
    return _columns(Assessment, make, {**by_node, **sizes})


def new_listing(b: BoardTables, units: int, value: Fixed, make: Make) -> Listing:
    """Return the columns for the options of up to this number of units."""
    sizes = {
        **dict.fromkeys(("order", "where"), _most_options(b, units)),
        "sorts": 2 * SORTS * (units + 1),
        "tried": MOST_TRIED * max(units + 1, FEWEST) + len(b.stances.place),
        "picked": MOST_MOVES,
        "": units + 1,
    }
    voyage = _columns(ChainSearch, make, {"": len(b.provinces.box) + 1})
    return _columns(Listing, make, sizes, value=value, voyage=voyage, aid=_columns(AidOrders, make, {"": units + 1}))


def new_plan(b: BoardTables, units: int, look: Outlook, make: Make) -> Plan:
    """Return an empty plan for up to this number of units."""
    aims, rows, places, options = b.locations + 2, units + 1, len(b.provinces.box) + 1, _most_options(b, units)
    most = max(units, FEWEST)
    ways = most * (2 * MOST_MOVES * most + MOST_TRIED)
    menu = Menu(
        aims,
        own=make(places, False),
        units=_columns(MenuUnits, make, {"": rows}),
        ways=MenuWays(make(ways, False), make(ways, False)),
        options=_columns(Options, make, {"": options}),
        needs=_columns(Needs, make, {"listed": MOST_TRIED * most, "": options}),
        backers=Backers(make(aims * rows, False), make(options, False)),
    )
    return _columns(
        Plan,
        make,
        {"tally": TALLIES, "helped": aims * rows, "": rows},
        menu=menu,
        look=look,
        arrivals=Arrivals(make(places, False), make(rows, False)),
        odds=Odds(rows + 1, make(places * (rows + 1), True), make(rows * (rows + 1), True)),
        trial=_columns(Trial, make, {**dict.fromkeys(("options", "before"), rows + 1), "": rows}),
    )


def _most_options(b: BoardTables, units: int) -> int:
    return max(units, FEWEST) * (2 * MOST_TRIED + len(b.provinces.box))
