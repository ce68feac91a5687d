"""Parameters of mechanics that name powers, provinces, kinds of unit and seasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pytest

from gamesmaster.errors import BadFile
from gamesmaster.mechanics import MECHANICS
from gamesmaster.rules import Mechanic
from gamesmaster.variant.reading import check_names, names_in

KNOWN = {"power": ["Ash", "Birch"], "province": ["AYR", "DAL"], "kind": ["A", "F"], "season": ["Fall", "Fall retreats"]}


@dataclass(frozen=True)
class Part:
    """A table within a parameter."""

    power: str
    at: str


@dataclass(frozen=True)
class Trial(Mechanic):
    """Parameters of every sort."""

    power: str = ""
    edges: tuple[tuple[str, str], ...] = ()
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    storms: tuple[str, ...] = ()
    clause: str = "XXX-1"

    names = MappingProxyType(
        {"power": "power", "edges": "province", "places": "province", "at": "province", "storms": "season"}
    )


def test_names_are_found_however_deep() -> None:
    """Texts, pairs, keys of mappings and fields of inner tables are names; an empty text and others are none."""
    trial = Trial("", (("AYR", "DAL"),), {"AYR": ("F",)}, (Part("Ash", "DAL"),), ("Fall",))
    assert list(names_in(trial, trial.names)) == [
        ("edges", "AYR", "province"),
        ("edges", "DAL", "province"),
        ("places", "AYR", "province"),
        ("parts", "Ash", "power"),
        ("parts", "DAL", "province"),
        ("storms", "Fall", "season"),
    ]
    check_names(trial, KNOWN, "here")


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"power": "Bitch"}, "here.power: no power 'Bitch' (did you mean Birch?)"),
        ({"edges": (("AYR", "DALE"),)}, "here.edges: no province 'DALE' (did you mean DAL?)"),
        ({"places": {"XXX": ()}}, "here.places: no province 'XXX' (known: AYR, DAL)"),
        ({"parts": (Part("Ash", "AYRE"),)}, "here.parts: no province 'AYRE' (did you mean AYR?)"),
        ({"storms": ("Autumn",)}, "here.storms: no season 'Autumn' (known: Fall, Fall retreats)"),
    ],
)
def test_what_is_not_there_is_refused(changed: dict[str, Any], text: str) -> None:
    """Each is told with the parameter and the nearest that there is."""
    with pytest.raises(BadFile) as caught:
        check_names(Trial(**changed), KNOWN, "here")
    assert str(caught.value) == text


def test_seasons_in_any_case() -> None:
    """Seasons are named in any case of letters."""
    check_names(Trial(storms=("fall Retreats",)), KNOWN, "here")


@pytest.mark.parametrize("name", MECHANICS)
def test_only_parameters_name_something(name: str) -> None:
    """What a mechanic says of its parameters is about parameters that it has."""
    kind = MECHANICS[name]
    fields = {*kind.__dataclass_fields__} if hasattr(kind, "__dataclass_fields__") else set()
    if name not in ("reinforcements", "seasonal-borders"):  # their names stand in inner tables
        assert set(kind.names) <= fields
