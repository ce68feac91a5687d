"""Units that carry another: the pair they are, and what is left when one half goes (AFM-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.board import Board, Location, Position, Unit
from gamesmaster.engine import is_alive
from gamesmaster.engine.company import find_loads, put_ashore
from gamesmaster.engine.winter import EMPTY, OWNED, is_affordable, is_site
from gamesmaster.rules import BuildSites, Rules, Sites, WinterMechanic


def carrier_of(units: Collection[Unit], unit: Unit) -> Unit | None:
    """Return the unit that carries this one, None if it is not aboard another."""
    return next((u for u in units if u.number == unit.aboard), None) if unit.aboard else None


def cargo_of(units: Collection[Unit], unit: Unit) -> Unit | None:
    """Return the unit aboard this one, None if it is empty."""
    return next((u for u in units if u.aboard == unit.number), None)


def without_units(board: Board, units: Sequence[Unit], gone: Collection[int]) -> tuple[Unit, ...]:
    """Return the units without those with these numbers.

    A carrier that has lost its load becomes an ordinary unit (`A/F` to `F`); a unit whose carrier is gone is where it
    was carried (CNW-6.a4).
    """
    if not board.forms or not gone:
        return tuple(u for u in units if u.number not in gone)
    n, number, aboard = len(units), [0, *[u.number for u in units]], [0, *[u.aboard for u in units]]
    off, load = [False, *[u.number in gone for u in units]], [0] * (1 + n)
    put_ashore(n, number, aboard, off)
    find_loads(n, number, aboard, off, load)
    return tuple(_as_left(board, u, aboard[r], laden=load[r] > 0) for r, u in enumerate(units, 1) if not off[r])


def _as_left(board: Board, unit: Unit, aboard: int, *, laden: bool) -> Unit:
    """Return the unit aboard the carrier with this number (0 for none), its kind loaded or not."""
    kind = unit.kind if laden else board.unladen(unit.kind)
    return unit if aboard == unit.aboard and kind == unit.kind else replace(unit, aboard=aboard, kind=kind)


class Account:
    """The supply account of one power in a position.

    `units` are those on the board, `supply` is how many it can feed.
    """

    def __init__(self, rules: Rules, position: Position, power: str, units: Sequence[Unit], centres: int) -> None:
        self.rules, self.position, self.power, self.units = rules, position, power, units
        self.centres = self.supply = centres
        for supply in rules.hooks(WinterMechanic.supply):
            self.supply = supply(rules, position, power, self.supply)

    def after(self, units: Sequence[Unit]) -> Account:
        """Return the account with these units instead; where it may build is as before."""
        return Account(self.rules, self.position, self.power, units, self.centres)

    def cost(self, units: Sequence[Unit]) -> int:
        """Return the supply that these units cost the power."""
        cost = len(units)
        for upkeep in self.rules.hooks(WinterMechanic.upkeep):
            cost = upkeep(self.rules, self.position, self.power, units, cost)
        return cost

    def costly(self, units: Sequence[Unit]) -> list[bool]:
        """Return, for each of these units, whether the others alone cost less."""
        if not self.rules.hooks(WinterMechanic.upkeep):
            return [True] * len(units)
        cost, board = self.cost(units), self.rules.board
        return [self.cost(without_units(board, units, {unit.number})) < cost for unit in units]

    @property
    def balance(self) -> int:
        """Return the supply left after its units' cost; negative if it cannot feed them all."""
        return self.supply - self.cost(self.units)

    # -- where and what it may build ---------------------------------------------------------------------------------

    @cached_property
    def sites(self) -> Sites:
        """Return where the power may build, and what; empty for a power that is eliminated (STD-2.c)."""
        units = self.position.everybody
        if not is_alive(self.centres, sum(unit.power == self.power for unit in units), self.supply):
            return {}
        return build_sites(self.rules, self.position, self.power)

    def room(self, province: str) -> int:
        """Return the number of units that it may build in one of its sites (STD-10.c)."""
        number = 1
        for room in self.rules.hooks(WinterMechanic.room):
            number = room(self.rules, self.position, self.power, province, number)
        return number

    def builds(self, built: Sequence[Unit] = ()) -> Iterator[Unit]:
        """Yield every unit that it could build now, besides those `built` already; each has number 0."""
        board, cost = self.rules.board, self.cost((*self.units, *built))
        used = [unit.at.province for unit in built]
        affordable: dict[str, bool] = {}  # by kind, which is all that the cost of a new unit depends on
        for site, kinds in self.sites.items():
            if used.count(site) >= self.room(site):
                continue
            for at in board.locations_of(board.index[site]):
                for kind in sorted(kinds):
                    if board.can_stand(kind, board.locations[at]):
                        unit = Unit(0, kind, self.power, board.locations[at])
                        if kind not in affordable:
                            more = self.cost((*self.units, *built, unit)) - cost
                            affordable[kind] = is_affordable(more, self.supply - cost)
                        if affordable[kind]:
                            yield unit

    def free(self, built: Sequence[Unit] = ()) -> list[Unit]:
        """Return the units that it could build besides these at no cost."""
        if not self.rules.hooks(WinterMechanic.upkeep):
            return []
        so_far = self.cost((*self.units, *built))
        return [unit for unit in self.builds(built) if self.cost((*self.units, *built, unit)) == so_far]

    @property
    def idle(self) -> bool:
        """Return whether it has nothing to remove and nothing that it could build."""
        spare = self.balance
        if spare > 0:
            return next(self.builds(), None) is None
        return spare == 0 and not self.free()

    def most(self) -> int:
        """Return the number of units it could build, the cheapest first; 0 if it cannot feed the units it has."""
        balance = self.balance
        if balance < 0:
            return 0
        if not self.rules.hooks(WinterMechanic.upkeep):
            return min(balance, sum(map(self.room, self.sites))) if balance else 0
        built: list[Unit] = []
        while choice := list(self.builds(built)):
            built.append(min(choice, key=lambda unit: self.cost((*self.units, *built, unit))))
        return len(built)


def accounts(rules: Rules, position: Position) -> dict[str, Account]:
    """Return every power's account."""
    units: dict[str, list[Unit]] = {power: [] for power in rules.powers}
    for unit in position.units:
        if unit.power in units:
            units[unit.power].append(unit)
    centres = Counter(map(position.owners.get, rules.board.centres))
    return {power: Account(rules, position, power, units[power], centres[power]) for power in rules.powers}


def balance(rules: Rules, position: Position) -> dict[str, int]:
    """Return supply less the cost of units, by power; negative for powers that must remove units (STD-10.b)."""
    return {power: account.balance for power, account in accounts(rules, position).items()}


def due(rules: Rules, position: Position) -> dict[str, int]:
    """Return the number of units each power may build, limited by room; a negative number is removals owed.

    If units of one kind cost less than others, it is the greatest number possible.
    """
    found = accounts(rules, position)
    return {power: account.most() or min(account.balance, 0) for power, account in found.items()}


def occupied(board: Board, position: Position) -> set[str]:
    """Return the provinces with a unit, except shared ones; units aboard take no room."""
    found = {unit.at.province for unit in position.units if not unit.aboard}
    return {p for p in found if board.index[p] not in board.shared} if board.shared else found


def sites(rules: Rules, position: Position, power: str) -> tuple[str, ...]:
    """Return the provinces where a power may build, in the board's order (STD-10.c)."""
    return tuple(build_sites(rules, position, power))


def build_sites(rules: Rules, position: Position, power: str) -> Sites:
    """Return the provinces where a power may build, each with the kinds it may build there (STD-10.c)."""
    full, owners, asks = occupied(rules.board, position), position.owners, OWNED | EMPTY
    permitted = rules.derive(permitted_sites).get(power, ())
    own = (c for c in permitted if is_site(asks, owners.get(c) == power, c in full))
    found: Sites = dict.fromkeys(own, frozenset(rules.board.kinds))
    for more_sites in rules.hooks(WinterMechanic.sites):
        found = more_sites(rules, position, power, found)
    return found


class SiteRow(NamedTuple):
    """A province where a power may build: what it asks for (`engine.winter`), and the kinds of unit."""

    province: str
    asks: int
    kinds: frozenset[str]


def site_rows(rules: Rules, power: str, state: Mapping[str, object] = MappingProxyType({})) -> list[SiteRow]:
    """Return the sites where a power may ever build in this state of the mechanics, with their conditions.

    The answer compares an empty board that it owns, one that nobody owns, and a full one. It is wrong for mechanics
    that depend on anything but the owner of a site and the unit in it.
    """
    board = rules.board
    own = dict.fromkeys(board.centres, power)
    crowd = tuple(Unit(n, board.kinds[0], "", Location(p.id)) for n, p in enumerate(board.provinces, 1))
    open_, nobodys, full = (
        build_sites(rules, Position(units, owners, (), state), power)
        for units, owners in (((), own), ((), {}), (crowd, own))
    )
    return [
        SiteRow(place, OWNED * (place not in nobodys) | EMPTY * (place not in full), kinds)
        for place, kinds in open_.items()
    ]


def permitted_sites(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Map each power to the centres that it may build in once it owns them (STD-10.c).

    Call it by `rules.derive`, which remembers them.
    """
    centres = rules.board.centres
    if rules.build_sites == BuildSites.ANY_OWNED:
        return dict.fromkeys(rules.powers, tuple(centres))
    every = {home for homes in rules.homes.values() for home in homes}
    own = rules.build_sites == BuildSites.OWN_HOMES
    homes = {power: rules.homes.get(power, ()) if own else every for power in rules.powers}
    return {power: tuple(centre for centre in centres if centre in homes[power]) for power in rules.powers}
