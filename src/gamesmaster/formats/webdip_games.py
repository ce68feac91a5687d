"""Games of webDiplomacy in JSON, as its API gives them to everybody: units, orders and centres of every phase.

Places and powers are numbers.  Those of Classic are known here; those of another variant are in its facts
(`webdip-facts`), which are looked for in the folders of boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from gamesmaster.board import LARGEST_BOARD
from gamesmaster.errors import BadFile, GamesmasterError, with_line
from gamesmaster.formats.draft import MOVEMENT, DatedPhase, plain_run
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.saved_games import MOST_PHASES, OF_THEIR_TIME
from gamesmaster.formats.settle import placing
from gamesmaster.formats.states import order_text, phase_text
from gamesmaster.formats.webdip_facts import draft_and_places
from gamesmaster.game.state_models import MOST
from gamesmaster.schemas import Facts, validate
from gamesmaster.strictjson import read_bytes

_PLACES = """
- CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK ARM SYR SEV UKR WAR
LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO
IRI ENG MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC
"""
_BOARDS = {1: "standard", 3: "fleetrome", 5: "standard"}
"""The variants on the board of Classic by their numbers."""
_ANYWHERE = 5
_POWERS = ("England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia")
_KINDS = {"Army": "A", "Fleet": "F"}
_PHASES = {"Diplomacy": "Movement", "Retreats": "Retreat", "Builds": "Adjustment"}


def _plain(value: object) -> object:
    """Return a number that is written as text, 0 for an empty one."""
    return int(value or 0) if isinstance(value, str) and f"0{value}".isdecimal() and len(value) < 7 else value


_Place = Annotated[int, BeforeValidator(_plain), Field(ge=0, le=MOST)]


class _Unit(Facts):
    kind: Literal["Army", "Fleet"] = Field(alias="unitType")
    at: _Place = Field(alias="terrID")
    country: _Place = Field(alias="countryID")
    retreating: str = Field("No", max_length=10)


class _Centre(Facts):
    at: _Place = Field(alias="terrID")
    country: _Place = Field(alias="countryID")


class _Order(Facts):
    country: _Place = Field(alias="countryID")
    type: str = Field(max_length=40)
    at: _Place | None = Field(None, alias="terrID")
    to: _Place | None = Field(None, alias="toTerrID")
    of: _Place | None = Field(None, alias="fromTerrID")
    via: Literal["Yes", "No", ""] | bool | None = Field(None, alias="viaConvoy")


class _Phase(Facts):
    turn: _Place
    phase: str = Field(max_length=40)
    units: list[_Unit] = Field([], max_length=MOST)
    orders: list[_Order] = Field([], max_length=MOST)
    centres: list[_Centre] = Field([], alias="centers", max_length=MOST)
    messages: list[Any] | None = Field(None, max_length=100_000)


class _Status(Facts):
    game: Annotated[int, BeforeValidator(_plain)] = Field(alias="gameID")
    variant: Annotated[int, BeforeValidator(_plain)] = Field(1, alias="variantID")
    over: str = Field("No", alias="gameOver", max_length=20)
    phases: list[_Phase] = Field(max_length=MOST_PHASES)


@dataclass(frozen=True, slots=True)
class _Key:
    """What the numbers of a variant mean: the board, its places, the powers, and the phases of a turn."""

    board: str
    places: Mapping[int, str]
    powers: Sequence[str]
    run: Sequence[DatedPhase]

    def power(self, number: int) -> str:
        return self.powers[number - 1] if 0 < number <= len(self.powers) else "Neutral"

    def place(self, number: int) -> str:
        if number not in self.places:
            raise BadFile(f"no territory of this variant has the number {number}")
        return self.places[number]

    def phase(self, phase: _Phase) -> str:
        """Return the name of a phase: builds have the season of the turn before them."""
        moves = [one for one in self.run[:-1] if one.kind is MOVEMENT]
        first = moves[phase.turn % len(moves)]
        year = first.year + phase.turn // len(moves) * (self.run[-1].year - self.run[0].year)
        return phase_text(first.season, f"{-year} BC" if year < 0 else year, _PHASES[phase.phase])

    def order(self, order: _Order) -> str:
        at, to, of = (self.place(number) if number else "" for number in (order.at, order.to, order.of))
        return order_text(order.type, at, to, of, via=order.via in ("Yes", True))


def _key(number: int, source: Source) -> _Key:
    """Return the meaning of the numbers of a variant; raises `BadFile` if nothing tells it."""
    if number in _BOARDS:
        run = plain_run([("Spring", 0), ("Fall", 0)], DatedPhase("Spring", MOVEMENT, 1901))
        return _Key(_BOARDS[number], dict(enumerate(_PLACES.split())), _POWERS, run)
    for path in (path for folder in source.folders for path in sorted(folder.glob("*.json"))):
        facts = Source(read_bytes(path, limit=LARGEST_BOARD), str(path))
        try:
            if not facts.has("territories", "countries") or facts.value.get("id") != number:
                continue
        except GamesmasterError:
            continue
        draft, places = draft_and_places(facts.value, facts.where)
        place = placing(draft)
        names = {key: str(place(at)) for key, at in places.items() if place(at)}
        powers = [country.replace("_", " ") for country in facts.value["countries"]]
        return _Key(path.name.partition(".")[0], names, powers, draft.run)
    what = f"the variant with the number {number} of webDiplomacy is not known"
    hint = "1, Classic, is; the facts of others (webdip-facts) go beside the game or behind --boards"
    raise BadFile(what, where=f"{source.where}, $.variantID", hint=hint)


def _games(source: Source) -> Iterator[RecordedGame]:
    file = validate(_Status, _status(source.value), BadFile, source.where)
    key = _key(file.variant, source)
    played = ((number, phase) for number, phase in enumerate(file.phases) if phase.phase in _PHASES)
    lines = [_line(phase, key, f"{source.where}, $.phases[{number}]") for number, phase in played]
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else {"phase": OVER}
        line["next"] = {name: after[name] for name in ("phase", "units", "centers", "dislodged") if name in after}
    messages = sum(len(phase.messages or ()) for phase in file.phases)
    under_way = lines.pop() if lines and file.over == "No" else None
    if under_way:
        del under_way["next"]
    yield RecordedGame(
        str(file.game), (key.board,), lines, OF_THEIR_TIME, file.variant == _ANYWHERE, messages, last=under_way
    )


def _status(value: Any) -> Any:
    """Return the game in a reply of the API, which may be wrapped as `data`."""
    inner = value.get("data") if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) and "phases" in inner else value


def _line(phase: _Phase, key: _Key, where: str) -> PhaseData:
    """Return the data of a phase; raises `BadFile` with the place of a fault."""
    data: PhaseData = {"phase": key.phase(phase), "units": {}, "centers": {}, "dislodged": {}, "orders": {}}
    place = where
    try:
        for unit in phase.units:
            piece, power = f"{_KINDS[unit.kind]} {key.place(unit.at)}", key.power(unit.country)
            if unit.retreating == "Yes":
                data["dislodged"].setdefault(power, []).append({"unit": piece})
            else:
                data["units"].setdefault(power, []).append(piece)
        for centre in phase.centres:
            data["centers"].setdefault(key.power(centre.country), []).append(key.place(centre.at))
        for number, order in enumerate(phase.orders):
            place = f"{where}.orders[{number}]"
            data["orders"].setdefault(key.power(order.country), []).append(key.order(order))
    except BadFile as fault:
        raise with_line(fault, place) from None
    if not data["units"]:  # at the end, which names the dislodged alone
        del data["units"]
    return data


FORM = Form(
    id="webdip-game",
    name="games of webDiplomacy as its API gives them",
    files="JSON",
    carried="positions, orders, phases of Classic, and of every variant whose facts (`webdip-facts`) are beside the "
    "game or in the folder of boards",
    derived="retreats, every result",
    lost="messages, votes",
    fits=lambda source: isinstance(status := _status(source.value), dict) and status.keys() >= {"phases", "gameID"},
    games=_games,
)
