"""Adjudication: orders bound to units, the phases, and a ruling for every order.

`adjudicate` takes a position and the orders and gives an `Adjudication`: the next position, and for every order a
`Ruling` with its result, its cause, and the clause that decided.  Nothing is changed in place.
"""

from gamesmaster import lazy
from gamesmaster.judge.adjudication import Adjudication as Adjudication
from gamesmaster.judge.adjudication import Decided as Decided
from gamesmaster.judge.binding import BindingMechanic as BindingMechanic
from gamesmaster.judge.binding import Bound as Bound
from gamesmaster.judge.binding import by_line as by_line
from gamesmaster.judge.binding import choose as choose
from gamesmaster.judge.binding import free_of as free_of
from gamesmaster.judge.binding import known_powers as known_powers
from gamesmaster.judge.indexed import IndexedPosition as IndexedPosition
from gamesmaster.judge.indexed import intended_standing as intended_standing
from gamesmaster.judge.judging import OrderWarning as OrderWarning
from gamesmaster.judge.judging import adjudicate as adjudicate
from gamesmaster.judge.judging import check_set as check_set
from gamesmaster.judge.judging import corroborate as corroborate
from gamesmaster.judge.judging import idle as idle
from gamesmaster.judge.judging import phase_kind as phase_kind
from gamesmaster.judge.legal import LegalOrders as LegalOrders
from gamesmaster.judge.legal import Tree as Tree
from gamesmaster.judge.legal import add_dislodged as add_dislodged
from gamesmaster.judge.legal import ashore_verb as ashore_verb
from gamesmaster.judge.legal import convoy_verb as convoy_verb
from gamesmaster.judge.legal import given_options as given_options
from gamesmaster.judge.legal import legal_orders as legal_orders
from gamesmaster.judge.legal import order_tree as order_tree
from gamesmaster.judge.movement import Flight as Flight
from gamesmaster.judge.movement import Movement as Movement
from gamesmaster.judge.movement import MovementMechanic as MovementMechanic
from gamesmaster.judge.movement import adjudicate_movement as adjudicate_movement
from gamesmaster.judge.removals import farthest_first as farthest_first
from gamesmaster.judge.removals import most_removals as most_removals
from gamesmaster.judge.removals import removal_orders as removal_orders
from gamesmaster.judge.removals import removal_sequence as removal_sequence
from gamesmaster.judge.removals import sailing as sailing
from gamesmaster.judge.removals import voyages as voyages
from gamesmaster.judge.resolution import CONFLICTING as CONFLICTING
from gamesmaster.judge.resolution import OrderReader as OrderReader
from gamesmaster.judge.resolution import ParsedOrder as ParsedOrder
from gamesmaster.judge.resolution import Placement as Placement
from gamesmaster.judge.resolution import ResolvedOrder as ResolvedOrder
from gamesmaster.judge.resolution import open_ends as open_ends
from gamesmaster.judge.resolution import supportable as supportable
from gamesmaster.judge.retreats import find_refuges as find_refuges
from gamesmaster.judge.spelling import DISLODGED as DISLODGED
from gamesmaster.judge.spelling import check_position as check_position
from gamesmaster.judge.spelling import read_place as read_place
from gamesmaster.judge.spelling import read_unit as read_unit
from gamesmaster.judge.spelling import respell as respell
from gamesmaster.judge.supply import Account as Account
from gamesmaster.judge.supply import SiteRow as SiteRow
from gamesmaster.judge.supply import accounts as accounts
from gamesmaster.judge.supply import balance as balance
from gamesmaster.judge.supply import build_sites as build_sites
from gamesmaster.judge.supply import cargo_of as cargo_of
from gamesmaster.judge.supply import carrier_of as carrier_of
from gamesmaster.judge.supply import due as due
from gamesmaster.judge.supply import occupied as occupied
from gamesmaster.judge.supply import site_rows as site_rows
from gamesmaster.judge.supply import sites as sites
from gamesmaster.judge.supply import without_units as without_units
from gamesmaster.judge.winter import count_owners as count_owners

__all__ = lazy.exported(globals())
