"""The verbs of boats: to build one, and to destroy one beside another order."""

from __future__ import annotations

from gamesmaster.orders import BREAKS_UP, BUILDS, AnyVerb, Phrase


class BoatVerb(AnyVerb):
    """The verbs for what units do with boats."""

    MAKE = (  # of a unit on land: build a boat
        "make",
        Phrase(
            "make makes build builds",
            ahead="b",
            short="builds",
            rest="things",
            drawn="work",
            thought=BUILDS,
            key=("builds a boat", "builds no boat"),
            title="Build",
            says="Build {thing}",
        ),
    )
    DESTROY = (  # of a unit, beside its other order: destroy a boat
        "destroy",
        Phrase(
            "destroy destroys",
            short="destroys",
            rest="builders",
            rider=True,
            drawn="blow",
            thought=BREAKS_UP,
            key=("destroys a boat",),
            says="Destroy {thing}",
        ),
    )
