"""The record as JSON data: it comes back as it was, takes about a millisecond, and nothing false slips in."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.errors import BadFile
from gamesmaster.game import Game, dumps, loads
from gamesmaster.testing.conformance import play
from gamesmaster.variant import Variant, find_variant, variant_names
from tests.lengths import short_and_long

from .conftest import Builder


def standard(name: str) -> Variant:
    """The variant, without asking for its name."""
    return find_variant("standard")


def read(data: object) -> Game:
    """The game of this data, its truth not asked for."""
    return loads(json.dumps(data), verify=False)


@pytest.fixture(scope="module")
def data(england: Game) -> Any:
    """The recorded game, rolled back to a phase with retreats, as JSON data."""
    return json.loads(dumps(england.rollback("F1902R")))


class TestRoundTrip:
    """What is written is read."""

    def test_recorded_game(self, england: Game) -> None:
        """A whole game comes back equal, and is written again to the same bytes."""
        text = dumps(england)
        assert loads(text, verify=False) == england
        assert dumps(loads(text, verify=False)) == text

    def test_everything_at_once(self, game: Game) -> None:
        """Players, lots, votes, disorder, orders in any script, rulebook and agreed end all come back."""
        names = ["Ann", "Bob", "Cyd", "Dan", "Eve", "Faÿ", '"\\\U0001f3b2']
        game = Game.start(game.variant, seed=bytes(range(40)), rulebook="1971", players=names)
        game = (
            game.set_disorder("Turkey").submit("France", "Ä Πar\t→ Бur; A Mar H").submit("Italy", "").vote_draw("Italy")
        )
        game = game.process().concede("France", "Italy")
        for state in (game, game.rollback("S1901M"), replace(game, votes={}).process()):
            assert loads(dumps(state)) == state
        for power in ("Austria", "England", "Germany", "Russia"):
            game = game.concede(power, "Italy")
        assert loads(dumps(game)) == game
        assert game.outcome

    def test_cargo_and_coasts(self, standing: Builder) -> None:
        """Units aboard others, split coasts and retreats come back."""
        game = standing("F1902R", {}, {"Russia": "STP"})
        fleet, army = Unit(7, "F", "Russia", Location("STP", "NC")), Unit(12, "A", "Turkey", Location("STP"), 7)
        out = Dislodged(Unit(3, "F", "Russia", Location("SPA", "SC")), "MAR", (Location("LYO"), Location("POR")))
        game = replace(game, position=Position((fleet, army), {"STP": "Russia"}, (out,)))
        assert read(json.loads(dumps(game))).position == game.position

    @pytest.mark.parametrize("name", [*variant_names(), "1000ad[af_module=yes]"])
    @short_and_long("phases", 12, 40)
    def test_states(self, name: str, phases: int) -> None:
        """What the mechanics of a variant keep comes back."""
        kept = set[str]()
        for game, _ in play(find_variant(name), phases, 5):
            kept |= game.position.state.keys()
            assert read(json.loads(dumps(game))).position == game.position
        assert kept <= {m.id for m in find_variant(name).mechanics if type(m).kept is not None}

    def test_owners_are_shared(self, england: Game) -> None:
        """Phases between which nothing changes hands share their owners, in the file and in memory."""
        text = dumps(england)
        game = loads(text, verify=False)
        positions = [game.position, *(record.position for record in game.records)]
        assert text.count('"owners"') == len({id(position.owners) for position in positions}) == 11

    def test_one_line_a_phase(self, england: Game) -> None:
        """The file has a line for each phase, so that a comparison of two records shows what differs."""
        lines = [line for line in dumps(england).splitlines() if line.startswith('{"phase":')]
        assert len(lines) == len(england.records)


def altered(data: Any, path: str, value: object) -> Any:
    """A copy of the data with one thing in it changed, or deleted if the value is `...`."""
    found = data = copy.deepcopy(data)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in way:
        found = found[part]
    if value is ...:
        del found[last]
    else:
        found[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("format", 4, r"\$\.format: this is not a record of format 3, nor of an earlier one"),
        ("format", 1, r"\$\.house_rules: a record has house rules from format 2 on"),
        ("house_rules", ..., r"\$\.house_rules: a record has house rules from format 2 on"),
        ("house_rules", [], r"\$\.house_rules: expected an object of texts and numbers"),
        ("house_rules.late_orders", True, r"\$\.house_rules: expected an object of texts and numbers"),
        ("house_rules.late_orders", "strickt", r"\$\.house_rules: .*did you mean strict\?"),
        ("house_rules.deadline_days", 1000, r"\$\.house_rules: .*a number from 0 to 366"),
        ("format", True, r"\$\.format: "),
        ("seed", ..., r"\$: 'seed' is missing"),
        ("sede", 1, r"\$: unknown key 'sede' \(did you mean seed\?\)"),
        ("seed", "zz", r"\$\.seed: expected hexadecimal"),
        ("seed", "00", r"\$\.seed: a seed has at least 32 bytes"),
        ("seed", "00" * 1000, r"\$\.seed: "),
        ("commitment", "00" * 32, r"\$\.commitment: this is not the SHA-256 of the seed"),
        ("variant.id", "standart", r"\$\.variant\.id: no variant 'standart' \(did you mean standard\?\)"),
        ("variant.id", 5, r"\$\.variant\.id: expected a text"),
        ("variant.digest", "00", r"\$\.variant\.digest: .*another edition of standard"),
        ("rulebook", [], r"\$\.rulebook: expected an object of texts"),
        ("rulebook.convoy_paradox", 5, r"\$\.rulebook: expected an object of texts"),
        ("rulebook.convoy_paradox", "szykmann", r"\$\.rulebook: .*did you mean szykman\?"),
        ("players", {"Frence": "Ann"}, r"\$\.players: no power 'Frence' \(did you mean France\?\)"),
        ("players", {"France": 1}, r"\$\.players\.France: expected a text"),
        ("players", [], r"\$\.players: expected an object"),
        ("throws", [["start", "X", "y", 0, 0]], r"\$\.throws\[0\]: a throw is"),
        ("throws", [["start", "X", "y", 6, 6]], r"\$\.throws\[0\]: a throw is"),
        ("throws", [["start", "X", "y", 6, True]], r"\$\.throws\[0\]: a throw is"),
        ("phases", {}, r"\$\.phases: expected a list"),
        ("phases.3", [], r"\$\.phases\[3\]: expected an object"),
        ("phases.3.orders", ..., r"\$\.phases\[3\]: 'orders' is missing"),
        ("phases.3.phase", "S1901", r"\$\.phases\[3\]\.phase: expected a phase's code \(written S1901M\)"),
        ("phases.3.phase", "X1M", r"\$\.phases\[3\]\.phase: no phase 'X1M'"),
        ("phases.3.units.2", "3 A PAR", r"\$\.phases\[3\]\.units\[2\]: '3 A PAR' is not a unit"),
        ("phases.3.units.2", "3 A PAR Frence", r"units\[2\]: '3 A PAR Frence' is not a unit"),
        ("phases.3.units.2", "0 A PAR France", r"units\[2\]: "),
        ("phases.3.units.2", "3 Q PAR France", r"units\[2\]: "),
        ("phases.3.units.2", "3 A XXX France", r"units\[2\]: "),
        ("phases.3.units.2", "12345678 A PAR France", r"units\[2\]: "),
        ("phases.3.units.2", "٣ A PAR France", r"units\[2\]: "),
        ("phases.3.units.2", ["3"], r"\$\.phases\[3\]\.units\[2\]: expected a text"),
        ("phases.3.units.2", 3, r"\$\.phases\[3\]\.units\[2\]: expected a text"),
        ("phases.3.units", "A PAR", r"\$\.phases\[3\]\.units: expected a list"),
        ("phases.0.owners.PAR", "Frence", r"\$\.phases\[0\]\.owners\.PAR: expected a power \(did you mean France\?\)"),
        ("phases.0.owners.PRA", "France", r"\$\.phases\[0\]\.owners: no province 'PRA'"),
        ("phases.0.owners.PAR", None, r"\$\.phases\[0\]\.owners\.PAR: expected a power"),
        ("phases.3.orders.France", "A Par H", r"\$\.phases\[3\]\.orders\.France: expected a list"),
        ("phases.3.orders.France", [1], r"\$\.phases\[3\]\.orders\.France\[0\]: expected a text"),
        ("phases.3.orders.France", ["A Par H\n\nGermany"], r"\$\.phases\[3\]\.orders\.France: an order is a line"),
        ("phases.3.orders.France", [""], r"\$\.phases\[3\]\.orders\.France: an order is a line"),
        ("phases.3.rulings", {}, r"\$\.phases\[3\]\.rulings: expected a list"),
        ("phases.3.events", [["takes", "France", "PAR"]], r"\$\.phases\[3\]\.events\[0\]: an event is"),
        ("phases.3.events", [["eats", "France", "PAR", ""]], r"\$\.phases\[3\]\.events\[0\]: an event is"),
        ("phases.3.disorder", ["Frence"], r"\$\.phases\[3\]\.disorder\[0\]: expected a power"),
        ("now.dislodged.0.unit", "x", r"\$\.now\.dislodged\[0\]\.unit: 'x' is not a unit"),
        ("now.dislodged.0.by", "XXX", r"\$\.now\.dislodged\[0\]\.by: expected a province"),
        ("now.dislodged.0.by", [], r"\$\.now\.dislodged\[0\]\.by: expected a province"),
        ("now.dislodged.0.retreats", ["SPA/WC"], r"\$\.now\.dislodged\[0\]\.retreats\[0\]: no place 'SPA/WC'"),
        ("now.state", [], r"\$\.now\.state: expected an object"),
        ("now.votes", {"France": ["Frence"]}, r"\$\.now\.votes\.France\[0\]: expected a power"),
        ("outcome", {}, r"\$\.outcome: 'phase' is missing"),
        (
            "outcome",
            {"termination": "x", "winners": [], "phase": "S1901M"},
            r"\$\.outcome\.termination: expected one of victory",
        ),
        ("outcome", {"termination": "draw", "winners": [], "phase": "S1901M"}, r"\$\.outcome\.winners: somebody"),
    ],
)
def test_faults_are_named(data: Any, path: str, value: object, complaint: str) -> None:
    """Whatever is missing, unknown, or not what it should be is refused with its path."""
    with pytest.raises(BadFile, match=complaint):
        read(altered(data, path, value))


@pytest.mark.parametrize("data", [None, 1, [], "x", {}])
def test_other_documents(data: object) -> None:
    """A document that is no record at all is refused."""
    with pytest.raises(BadFile):
        read(data)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ('{"format": 1, "format": 1}', "given twice"),
        ('{"format": NaN}', "NaN"),
        ('{"format": ' + "[" * 50 + "]" * 50 + "}", "nested deeper"),
        ('{"format": 1e999}', "too large"),
        ('{"format": ' + "9" * 5000 + "}", "too long"),
    ],
)
def test_hostile_json(text: str, complaint: str) -> None:
    """What the strict reader refuses is refused here too, with the name of the source."""
    with pytest.raises(BadFile, match=complaint) as caught:
        loads(text, where="game.json")
    assert caught.value.where.startswith("game.json")


def test_another_variant_may_be_given(data: Any) -> None:
    """`find` decides where variants come from."""
    assert loads(json.dumps(altered(data, "variant.id", "mine")), find=standard, verify=False).phase.code == "F1902R"
    assert isinstance(read(data).records[0].position.owners, MappingProxyType)
