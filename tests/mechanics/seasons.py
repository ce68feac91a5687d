"""Small games on the boards of Indianomacy and Scottomacy, for what the seasons bring, and cases on them as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.game import Game
from gamesmaster.game.progress import Step, advance, begin
from gamesmaster.judge import Adjudication, adjudicate
from gamesmaster.pictures.shapes.files import board_folder
from gamesmaster.variant import Phase, Variant, read_variant

CALENDAR = """
phases = [
  { season = "Spring", kind = "movement" },
  { season = "Summer", kind = "retreats", letter = "S" },
  { season = "Fall", kind = "movement" },
  { season = "Autumn", kind = "retreats", letter = "F", count = true },
  { season = "Winter", kind = "adjustments" },
]
"""

CANOES = """
format = 1
id = "canoes"
name = "Canoes"
[victory]
centres = 24
units = 23
count = "either"
when = "winter"
[units]
W = { name = "war party", way = "army" }
[calendar]
first_year = 1601
PHASES
[[powers]]
name = "Blackfeet"
[[powers]]
name = "Dakota"
[[powers]]
name = "Illinois"
[[powers]]
name = "Iroquois"
units = ["W 10", "W 11", "W 12", "W 14"]
[[powers]]
name = "Muskhogeans"
[[mechanics]]
name = "boats"
kind = "W"
form = "W/CF"
words = ["CF"]
[[mechanics]]
name = "slow-crossing"
waters = ["b"]
sojourn = 2
storms = ["Summer", "Winter"]
only = ["W"]
[[mechanics]]
name = "taboo"
provinces = ["120"]
"""

CLANS = """
format = 1
id = "clans"
name = "Clans"
[rulebook]
preset = "datc"
double_orders = "cancel"
[victory]
centres = 36
units = 35
count = "either"
when = "winter"
[calendar]
first_year = 1491
PHASES
[[powers]]
name = "England"
units = ["A 89", "A 90", "A/F e", "A/F gg"]
[[powers]]
name = "Campbell"
[[powers]]
name = "Graham"
[[powers]]
name = "Stewart"
[[mechanics]]
name = "army-fleet"
[[mechanics]]
name = "reinforcements"
scheduled = [
  { power = "England", unit = "A/F", at = "e", season = "Summer", year = 1491 },
  { power = "England", unit = "A/F", at = "gg", season = "Summer", turn = 0 },
]
[[mechanics]]
name = "downfall"
power = "England"
seats = ["89", "90"]
"""

BOARDS = {"canoes": "indianomacy", "clans": "scottomacy"}
TEXTS = {"canoes": CANOES, "clans": CLANS}


@cache
def small_game(name: str) -> Variant:
    """One of the two variants, read from a folder."""
    with TemporaryDirectory() as folder:
        board = (board_folder(BOARDS[name]) / "board.json").read_bytes()
        (Path(folder) / "board.json").write_bytes(board)
        (Path(folder) / "variant.toml").write_text(TEXTS[name].replace("PHASES", CALENDAR))
        return read_variant(Path(folder))


@dataclass(frozen=True)
class Case:
    """A phase and what comes of it: units by power, results by order, the states of mechanics, the words of events."""

    id: str
    game: str
    phase: str
    units: Mapping[str, Sequence[str]]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dice: Sequence[int] = ()
    owners: Mapping[str, str] = field(default_factory=dict)
    dislodged: Mapping[str, Sequence[str]] = field(default_factory=dict)
    state: Mapping[str, object] = field(default_factory=dict)
    left: Mapping[str, object] = field(default_factory=dict)
    events: Sequence[str] = ()
    winner: str = ""

    def __str__(self) -> str:
        return self.id

    @property
    def variant(self) -> Variant:
        """Its game."""
        return small_game(self.game)

    def position(self) -> Position:
        """The position with which the phase begins; a dislodged unit is told by `W 67 from 68: 120 66`."""
        forms = self.variant.board.forms
        units = units_from(self.units, forms=forms)
        beaten: list[Dislodged] = []
        for power, texts in self.dislodged.items():
            for number, text in enumerate(texts, 1 + len(units) + len(beaten)):
                unit, _, rest = text.partition(" from ")
                by, _, places = rest.partition(": ")
                (made,) = units_from({power: [unit]}, number)
                beaten.append(Dislodged(made, by, tuple(map(Location.of, places.split()))))
        owners = {place: power for power, places in self.owners.items() for place in places.split()}
        return Position(units, owners, tuple(beaten), self.state)


def shown(position: Position) -> dict[str, list[str]]:
    """The units by power, those aboard left out, sorted."""
    powers = sorted({unit.power for unit in position.units})
    return {p: sorted(str(u) for u in position.of(p) if not u.aboard) for p in powers}


@dataclass(frozen=True)
class Played:
    """What came of a case."""

    judged: Adjudication
    events: list[str]
    thrown: int
    step: Step
    phase: Phase


def play(case: Case) -> Played:
    """Begin the phase with the dice of the case, adjudicate it, and go on."""
    variant = case.variant
    game = Game.start(variant, seed=bytes(32))
    phase, dice = variant.calendar.read(case.phase), list(case.dice)
    begun, first = begin(variant, game.rules, phase, case.position(), lambda sides, clause, subject: dice.pop(0))
    judged = adjudicate(game.rules, phase.kind, begun, case.orders)
    step = advance(variant, game.rules, phase, begun, judged)
    events = [event.kind.value for event in (*first, *step.events)]
    return Played(judged, events, len(case.dice) - len(dice), step, phase)
