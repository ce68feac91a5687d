"""Games of webDiplomacy in JSON, as its API gives them to everybody: units, orders and centres of every phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from gamesmaster.errors import BadFile
from gamesmaster.formats.form import Form, PhaseData, RecordedGame, Source
from gamesmaster.formats.phases import OVER
from gamesmaster.formats.saved_games import MOST_PHASES, OF_THEIR_TIME
from gamesmaster.game.state_models import MOST
from gamesmaster.schemas import Facts, validate

_PLACES = """
- CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK ARM SYR SEV UKR WAR
LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO
IRI ENG MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC
"""
_CLASSIC = _PLACES.split()
"""The places of Classic by their numbers."""
_POWERS = ("Neutral", "England", "France", "Italy", "Germany", "Austria", "Turkey", "Russia")
_KINDS = {"Army": "A", "Fleet": "F"}
_PHASES = {"Diplomacy": "Movement", "Retreats": "Retreats", "Builds": "Adjustments"}
_Place = Annotated[int, Field(ge=0, lt=len(_CLASSIC))]
_Country = Annotated[int, Field(ge=0, lt=len(_POWERS))]


class _Unit(Facts):
    kind: Literal["Army", "Fleet"] = Field(alias="unitType")
    at: _Place = Field(alias="terrID")
    country: _Country = Field(alias="countryID")
    retreating: str = Field("No", max_length=10)


class _Centre(Facts):
    at: _Place = Field(alias="terrID")
    country: _Country = Field(alias="countryID")


class _Order(Facts):
    country: _Country = Field(alias="countryID")
    type: str = Field(max_length=40)
    at: _Place | None = Field(None, alias="terrID")
    to: _Place | None = Field(None, alias="toTerrID")
    of: _Place | None = Field(None, alias="fromTerrID")
    via: str | None = Field(None, alias="viaConvoy", max_length=10)


class _Phase(Facts):
    turn: int = Field(ge=0, le=10_000)
    phase: str = Field(max_length=40)
    units: list[_Unit] = Field([], max_length=MOST)
    orders: list[_Order] = Field([], max_length=MOST)
    centres: list[_Centre] = Field([], alias="centers", max_length=MOST)
    messages: list[Any] = Field([], max_length=100_000)


class _Status(Facts):
    game: int = Field(alias="gameID")
    variant: int = Field(alias="variantID")
    over: str = Field("No", alias="gameOver", max_length=20)
    phases: list[_Phase] = Field(max_length=MOST_PHASES)


def _games(source: Source) -> Iterator[RecordedGame]:
    if source.value.get("variantID") != 1:
        what = f"the variant with the number {source.value.get('variantID')!r} of webDiplomacy is not known"
        raise BadFile(what[:200], where=f"{source.where}, $.variantID", hint="1, Classic, is")
    file = validate(_Status, source.value, BadFile, source.where)
    phases = [phase for phase in file.phases if phase.phase in _PHASES]
    lines = [_line(phase) for phase in phases]
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else {"phase": OVER}
        line["next"] = {key: after[key] for key in ("phase", "units", "centers", "dislodged") if key in after}
    messages = sum(len(phase.messages) for phase in file.phases)
    under_way = lines.pop() if lines and file.over == "No" else None
    if under_way:
        del under_way["next"]
    yield RecordedGame(str(file.game), ("standard",), lines, OF_THEIR_TIME, messages=messages, last=under_way)


def _line(phase: _Phase) -> PhaseData:
    season = "Winter" if phase.phase == "Builds" else ("Spring", "Fall")[phase.turn % 2]
    data: PhaseData = {
        "phase": f"{season} {1901 + phase.turn // 2} {_PHASES[phase.phase]}",
        "units": {}, "centers": {}, "dislodged": {}, "orders": {},
    }  # fmt: skip
    for unit in phase.units:
        piece, power = f"{_KINDS[unit.kind]} {_CLASSIC[unit.at]}", _POWERS[unit.country]
        if unit.retreating == "Yes":
            data["dislodged"].setdefault(power, []).append({"unit": piece})
        else:
            data["units"].setdefault(power, []).append(piece)
    if not data["units"]:  # at the end, which names the dislodged alone
        del data["units"]
    for centre in phase.centres:
        data["centers"].setdefault(_POWERS[centre.country], []).append(_CLASSIC[centre.at])
    for order in phase.orders:
        data["orders"].setdefault(_POWERS[order.country], []).append(_worded(order))
    return data


def _worded(order: _Order) -> str:
    """Return an order in words."""
    at, to, of = (_CLASSIC[number or 0] for number in (order.at, order.to, order.of))
    place = at if order.at else to
    match order.type:
        case "Hold":
            return f"{at} H"
        case "Move":
            return f"{at} - {to}{' VIA' if order.via == 'Yes' else ''}"
        case "Support hold":
            return f"{at} S {to}"
        case "Support move":
            return f"{at} S {of} - {to}"
        case "Convoy":
            return f"{at} C {of} - {to}"
        case "Retreat":
            return f"{at} R {to}"
        case "Disband":
            return f"{at} D"
        case "Build Army" | "Build Fleet":
            return f"Build {order.type[6]} {place}"
        case "Destroy":
            return f"Remove {place}"
        case _:
            return "Waive"


FORM = Form(
    id="webdip-game",
    name="games of webDiplomacy as its API gives them",
    files="JSON",
    carried="positions, orders, phases of Classic",
    derived="retreats, every result",
    lost="messages, votes, the other variants",
    fits=lambda source: source.has("phases", "gameID"),
    games=_games,
)
