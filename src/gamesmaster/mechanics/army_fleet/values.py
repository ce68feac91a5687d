"""The settings of armies aboard fleets (AFM-9.a), and why orders about them came to what they did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gamesmaster.board import ARMY, FLEET, Board, Terrain
from gamesmaster.orders import GOES_ABOARD, GOES_ASHORE, TAKES_IN, AnyVerb, Phrase, Verb
from gamesmaster.rules import AnyCause, AnyEvent

PAIR = f"{ARMY}/{FLEET}"
"""The kind of a fleet with an army aboard."""

STATE = "army-fleet"
"""The name of the mechanic in files, and the key of its state."""


@dataclass(frozen=True)
class ArmyFleetSettings:
    """The settings of AFM-9.a, with the values of Davis's module unless said otherwise.

    `powers` are those that may have loaded fleets, empty for all.  `form_where`: the terrain in which an army goes
    aboard, from the shore beside it, or in a box from where it lies with the fleet.  `board_order`: whose order it
    takes: the army's; both units'; the fleet's, if the army is ordered only to hold or to board; or only one for the
    pair where a free army and a free fleet are (`implied`). `board_timing`: before anything moves, or as the whole
    order of both units for the season.  `loaded_enters` are the terrains open to a loaded fleet.  `land_where`: the
    shores its army may land on.  `max_seasons_aboard`: at the end of this many movement seasons it must be ashore (0:
    no limit).  `plain_convoy`: how armies cross that are not aboard a fleet.
    """

    powers: tuple[str, ...] = ()
    form_where: Literal["sea", "box", "none"] = "sea"
    board_order: Literal["army", "both", "fleet", "implied"] = "army"
    board_timing: Literal["before_movement", "whole_season"] = "before_movement"
    land_same_season_as_boarding_without_sailing: bool = False
    loaded_enters: tuple[Terrain, ...] = (Terrain.SEA,)
    loaded_supports_onto_land: bool = True
    max_seasons_aboard: int = 4
    landing_order: Literal["own", "pair"] = "own"
    land_where: tuple[Literal["coastal", "islands"], ...] = ("coastal",)
    land_same_season_as_sailing: bool = True
    landing_independent_of_fleet: bool = True
    landing_cuts_support_into_own_sea: Literal["if_dislodges", "never"] = "if_dislodges"
    plain_convoy: Literal["one_sea_ferry", "regular", "none"] = "one_sea_ferry"
    failed_plain_convoy: Literal["aboard_if_own", "home"] = "aboard_if_own"
    retreat_to_coast: Literal["army_lost", "never"] = "army_lost"
    remove_fleet_alone: Literal["never", "box"] = "never"
    remove_whole_needs: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.max_seasons_aboard <= 100:
            raise ValueError("max_seasons_aboard is 0 to 100 seasons")
        if not 1 <= self.remove_whole_needs <= 2:
            raise ValueError("remove_whole_needs is 1 or 2")
        strange = set(self.loaded_enters) - {Terrain.SEA, Terrain.ISLANDS, Terrain.BOX}
        if strange or not self.loaded_enters:
            raise ValueError("loaded_enters lists sea, islands or box")

    def allows(self, power: str) -> bool:
        """Return whether this power may have loaded fleets."""
        return not self.powers or power in self.powers

    def may_stay(self, board: Board, province: str) -> bool:
        """Return whether an army may stay in this province when its fleet is removed (CNW-6.a4)."""
        return self.remove_fleet_alone == "box" and board.index[province] in board.boxes


class PairCause(AnyCause):
    """Why an army went aboard, or did not."""

    BOARDED = "goes aboard", "AFM-3.a"
    TAKES = "takes it aboard", "SCO-8.a"
    LANDED = "goes ashore", "AFM-6.c"
    NOT_TRIED = "does not go ashore: its fleet is not where it must be", "AFM-6.b"
    NO_LANDER = "is for an army that is not aboard a fleet there", "AFM-6.k", True
    ABOARD = "is for an army aboard, which can only go ashore", "AFM-1.e"
    FULL = "is for a fleet that is full", "AFM-1.d"
    NO_SHIP = "is for a fleet that cannot take it aboard", "AFM-3.a"
    UNTAKEN = "is not matched by an order of the fleet to take it aboard", "SCO-8.b", True
    TWO_BOARD = "is one of several armies for the same fleet", "AFM-3.e", True
    NOT_CARRIED_SO = "is not a way in which armies are carried here", "AFM-2.b"
    JUST_BOARDED = "is for an army that went aboard in that water this season", "AFM-3.g", True
    LOADED = "is more than its fleet can do with an army aboard", "AFM-3.f", True
    WENT_ABOARD = "is for a unit that has gone aboard", "AFM-3.c", True
    BUSY = "is for an army whose fleet is ordered to do something else", "AFM-6.e", True
    LADEN = "is for a unit that may not go from under the one aboard", "AFM-8.a"


class PairEvent(AnyEvent):
    """Events of armies aboard."""

    LOST = "lost", "CNW-6.e", "{power} lose{s} the unit that was carried in {place}."
    STARVED = "starved", "AFM-4.b", "{power} lose{s} the army aboard in {place}, which has been too long at sea."


class PairVerb(AnyVerb):
    """The verbs of armies and of the fleets that carry them."""

    BOARD = (  # of an army: go aboard a fleet
        "board",
        Phrase(
            "e embark embarks board boards",
            short="boards",
            rest="vessel",
            bare=True,
            drawn=Verb.MOVE,
            thought=GOES_ABOARD,
            title="Board a fleet",
            says="Board the fleet in {goal}",
        ),
    )
    TAKE = (  # of a fleet: take an army aboard
        "take",
        Phrase(
            "t take takes pick picks",
            short="takes",
            rest="up of",
            drawn=Verb.CONVOY,
            thought=TAKES_IN,
            title="Take aboard",
            says="Take {unit} aboard",
        ),
    )
    LAND = (  # of an army aboard: go ashore
        "land",
        Phrase(
            "land lands disembark disembarks disgorge disgorges",
            ahead="d",
            short="lands",
            rest="shore",
            bare=True,
            helped=True,
            like=Verb.MOVE,
            thought=GOES_ASHORE,
            says="Land in {goal}",
        ),
    )
    FERRY = (  # of a fleet: carry an army over one sea
        "ferry",
        Phrase(
            "ff ferry ferries",
            short="ferries",
            rest="of dash shore",
            like=Verb.CONVOY,
            says="Ferry {unit} {goal}",
        ),
    )
