"""The digest of a position: the same in every process and every version, and another for every other position."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.game import position_data
from gamesmaster.variant import find_variant, variant_names

EMPTY = "Position()"
PLAIN = 'Position(units_from({"France": ["A PAR", "F STP/SC"], "Italy": ["A ROM"]}), {"PAR": "France"})'
BEATEN = 'Position((), {}, (Dislodged(Unit(1, "A", "Turkey", Location("GRE")), "ION", (Location("SER"),)),))'
LADEN = 'Position((Unit(1, "A/F", "Français", Location("VIS")), Unit(2, "A", "Français", Location("VIS"), 1)))'
KEPT = 'Position(units_from({"Iroquois": ["W 14"]}, 7), state={"taboo": {"whole": ["120"], "cursed": {}}})'
GOLDEN = {
    EMPTY: "12195d03c3acc46d554dd18548c5fdb202378096c0928897c71fd976eeed2406",
    PLAIN: "bfa27468cb7d7231ecefde08511094cdc4fc689bd2f6fb9608d2b6b1ca51b95c",
    BEATEN: "950c08f806232dfa1c350558cb66844bf1114b64371e84e6542ee22279b189c4",
    LADEN: "2a604d5062af1bbc53ee5c9c9104e8bb7d973abd81127ee1ae2981190563f0d2",
    KEPT: "fd3ae163aeda87eb9e8b4eb948930673d15fb89dae89472fa9dc9d5f8acafdbd",
}
IMPORTS = "from gamesmaster.board import Dislodged, Location, Position, Unit, units_from"


@pytest.mark.parametrize("made", GOLDEN)
def test_golden_digests(made: str) -> None:
    """A digest that was written down once is that of the same position for ever."""
    assert eval(made).digest == GOLDEN[made]  # a text above


def test_every_process_has_the_same() -> None:
    """In processes whose hashes of texts differ the digests do not."""
    program = f"{IMPORTS}\nfor made in {list(GOLDEN)!r}: print(eval(made).digest)"
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        printed = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
        assert printed.split() == list(GOLDEN.values())


@pytest.mark.parametrize("variant", variant_names())
def test_as_the_documentation_has_it(variant: str) -> None:
    """Whoever follows docs/state.md comes to the same digest, in any language."""
    start = find_variant(variant).start
    document = position_data(start)
    aboard: dict[str, list[str]] = {}
    for unit in sorted(map(str, (unit for unit in start if unit.aboard))):
        aboard.setdefault(next(u.power for u in start if u.aboard and str(u) == unit), []).append(unit)
    parts = {
        "units": document["units"],
        "centers": document["centers"],
        "dislodged": {},
        "aboard": aboard,
        "state": dict(start.state),
    }
    if start.state:
        parts["numbers"] = sorted([unit.number, unit.power, str(unit), unit.aboard] for unit in start)
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == start.digest


def test_what_makes_no_difference() -> None:
    """The order of units, centres and retreats, and numbers that nothing refers to."""
    one = Position(units_from({"France": ["A PAR", "A MAR"], "Italy": ["A ROM"]}), {"PAR": "France", "ROM": "Italy"})
    units = units_from({"Italy": ["A ROM"], "France": ["A MAR", "A PAR"]}, 5)
    assert one.digest == Position(units, {"ROM": "Italy", "PAR": "France"}).digest
    bulgaria, serbia = Location("BUL"), Location("SER")
    beaten = Dislodged(Unit(1, "A", "Turkey", Location("GRE")), "ION", (bulgaria, serbia))
    same = Dislodged(Unit(2, "A", "Turkey", Location("GRE")), "ION", (serbia, bulgaria))
    assert Position(dislodged=(beaten,)).digest == Position(dislodged=(same,)).digest


def test_what_makes_a_difference() -> None:
    """Every part of a position does."""
    army = Unit(1, "A", "France", Location("PAR"))
    beaten = Dislodged(army, "BUR", (Location("GAS"),))
    fleet = Unit(2, "A/F", "France", Location("ATL"))
    kept = {"army-fleet": {"1": 2}}
    positions = [
        Position(),
        Position((army,)),
        Position((replace(army, kind="F"),)),
        Position((replace(army, power="Italy"),)),
        Position((replace(army, at=Location("STP", "NC")),)),
        Position((army,), {"PAR": "France"}),
        Position((army,), {"PAR": "Italy"}),
        Position((), {}, (beaten,)),
        Position((), {}, (replace(beaten, by=""),)),
        Position((), {}, (replace(beaten, retreats=()),)),
        Position((fleet, replace(army, at=Location("ATL")))),
        Position((fleet, replace(army, at=Location("ATL"), aboard=2))),
        Position((army,), state=kept),
        Position((replace(army, number=3),), state=kept),
    ]
    assert len({position.digest for position in positions}) == len(positions)
