"""The verbs of armies aboard fleets: to go aboard, to take aboard, to go ashore, to ferry."""

from __future__ import annotations

from gamesmaster.orders import GOES_ABOARD, GOES_ASHORE, TAKES_IN, AnyVerb, Phrase, Verb


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
