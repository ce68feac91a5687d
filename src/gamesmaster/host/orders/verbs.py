"""What the desk is told of each verb: how it is said, and what kind of order it makes.

The page decides nothing by the words of an order; it goes by this and by the verbs of rows and choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from gamesmaster.orders import Verb

RIDERS = frozenset({Verb.DESTROY})
"""Verbs of orders that a unit has beside another one."""
HELPING = frozenset({Verb.SUPPORT, Verb.CONVOY, Verb.FERRY, Verb.TAKE})
"""Verbs of orders by which one unit does something for another, which is named next."""
STAYING = frozenset({Verb.HOLD, Verb.DISBAND})
"""Verbs of orders by which a unit goes nowhere."""


class _Words(NamedTuple):
    """A verb as a list has it, and as a button says the order: with `{unit}`, `{goal}` or `{boat}` filled in."""

    title: Promise
    says: Promise


_WORDS: Mapping[Verb, _Words] = MappingProxyType(
    {
        Verb.HOLD: _Words(gettext_lazy("Hold"), gettext_lazy("Hold")),
        Verb.MOVE: _Words(gettext_lazy("Move"), gettext_lazy("Move to {goal}")),
        Verb.SUPPORT: _Words(gettext_lazy("Support"), gettext_lazy("Support {unit} {goal}")),
        Verb.CONVOY: _Words(gettext_lazy("Convoy"), gettext_lazy("Convoy {unit} {goal}")),
        Verb.RETREAT: _Words(gettext_lazy("Retreat"), gettext_lazy("Retreat to {goal}")),
        Verb.DISBAND: _Words(gettext_lazy("Disband"), gettext_lazy("Disband")),
        Verb.BUILD: _Words(gettext_lazy("Build"), gettext_lazy("Build {unit}")),
        Verb.REMOVE: _Words(gettext_lazy("Remove"), gettext_lazy("Remove {unit}")),
        Verb.WAIVE: _Words(gettext_lazy("Leave a build unused"), gettext_lazy("Leave a build unused")),
        Verb.BOARD: _Words(gettext_lazy("Board a fleet"), gettext_lazy("Board the fleet in {goal}")),
        Verb.TAKE: _Words(gettext_lazy("Take aboard"), gettext_lazy("Take {unit} aboard")),
        Verb.LAND: _Words(gettext_lazy("Land"), gettext_lazy("Land in {goal}")),
        Verb.FERRY: _Words(gettext_lazy("Ferry"), gettext_lazy("Ferry {unit} {goal}")),
        Verb.MAKE: _Words(gettext_lazy("Build"), gettext_lazy("Build {boat}")),
        Verb.DESTROY: _Words(gettext_lazy("Destroy"), gettext_lazy("Destroy {boat}")),
        Verb.DESIGNATE: _Words(gettext_lazy("Name a home centre"), gettext_lazy("Name {goal} a home centre")),
        Verb.ARRIVE: _Words(gettext_lazy("Put out"), gettext_lazy("Put out {unit}")),
        Verb.DECLINE: _Words(gettext_lazy("Decline"), gettext_lazy("Decline {unit}")),
    }
)


def verbs_data(keys: Iterable[str]) -> dict[str, dict[str, object]]:
    """What there is to know of the verbs among these keys of choices, for the page; what does not hold is left out."""
    return {verb.value: verb_data(verb) for verb in Verb if verb.value in keys}


def verb_data(verb: Verb) -> dict[str, object]:
    """How a verb is said, and whether its order is a rider, helps another unit, or leaves its unit where it is."""
    told: dict[str, object] = {"title": str(_WORDS[verb].title), "says": str(_WORDS[verb].says)}
    kinds = {"rider": verb in RIDERS, "helps": verb in HELPING, "stays": verb in STAYING}
    return told | {name: True for name, holds in kinds.items() if holds}
