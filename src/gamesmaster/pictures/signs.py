"""The signs of units and marks: a closed list, drawn to be distinct at 12 pixels and without colour.

Each sign is drawn about (0, 0) in a square 100 units wide.  Its plates take the colour of the power (the `fill` of the
element that uses the sign); lines and trimmings are the style's own.  A light casing about everything keeps a sign
clear of the land and the lines beneath it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from gamesmaster.board import Position
from gamesmaster.pictures.style import Style
from gamesmaster.rules import ReportMechanic, Rules, WinterMechanic, YearMechanic, goals_of

BOX = 100  # the side of the square in which a sign is drawn


class Sign(StrEnum):
    """Everything that may stand on a map."""

    ARMY = "army"
    FLEET = "fleet"
    ARMY_FLEET = "army-fleet"
    WAR_PARTY = "war-party"
    PARTY_AFLOAT = "party-afloat"
    ARMY_AFLOAT = "army-afloat"
    BOAT = "boat"
    GALLEON = "galleon"
    LOADED_GALLEON = "loaded-galleon"
    STANDING_ARMY = "standing-army"
    ARMY_IN_ANARCHY = "army-in-anarchy"
    FLEET_IN_ANARCHY = "fleet-in-anarchy"
    CURSE = "curse"
    TABOO = "taboo"
    STORM = "storm"
    BLOCKADE = "blockade"
    FOG = "fog"
    WING = "wing"
    GOAL = "goal"
    CLOSED = "closed"

    @property
    def words(self) -> str:
        """The sign in words: `army in anarchy`; an army-fleet is `army and fleet`."""
        return _WORDS.get(self, self.value.replace("-", " "))

    @property
    def plural(self) -> str:
        """The words for several."""
        return f"{self.words}s"


_WORDS = {
    Sign.ARMY_FLEET: "army and fleet",
    Sign.PARTY_AFLOAT: "war party in a canoe",
    Sign.ARMY_AFLOAT: "army in a boat",
    Sign.GALLEON: "fleet",
    Sign.LOADED_GALLEON: "fleet with an army aboard",
    Sign.TABOO: "taboo ground",
    Sign.FOG: "place out of sight",
    Sign.CLOSED: "closed border",
}
SIGNS: Mapping[str, Sign] = MappingProxyType(
    {"A": Sign.ARMY, "F": Sign.FLEET, "A/F": Sign.ARMY_FLEET, "W": Sign.WAR_PARTY}
)
"""Signs by kind of unit, and by cargo and carrier; a variant gives its own beside them."""


def sign_of(kind: str, *, cargo: str = "", signs: Mapping[str, Sign] = SIGNS) -> Sign:
    """Return the sign of a kind of unit, or of one with another aboard (its kind is the `cargo`).

    Kinds that nobody gave a sign are drawn as armies, what carries an army as army and fleet.
    """
    found = signs.get(f"{cargo}/{kind}") if cargo else signs.get(kind)
    if found is None and not cargo:
        found = SIGNS.get(kind, Sign.ARMY)
    return found or SIGNS.get(f"{cargo}/{kind}", Sign.ARMY_FLEET)


class PowerMark(NamedTuple):
    """A mark of powers in a province: a goal that wins, or a home of one power, which has no sign.

    `power` names it in words, several powers too (`France and Italy`, drawn as nobody's); "" for a goal of all powers.
    """

    power: str
    sign: Sign | None = None

    @property
    def words(self) -> str:
        """The mark in words: `goal of France`, `home centre of nobody`."""
        return f"{self.sign.words if self.sign else 'home centre'}{self._whose}"

    @property
    def plural(self) -> str:
        """The words for several."""
        return f"{self.sign.plural if self.sign else 'home centres'}{self._whose}"

    @property
    def _whose(self) -> str:
        return f" of {self.power}" if self.power else "" if self.sign else " of nobody"


How = Literal["plate", "torn", "pale", "dark", "line"]


@dataclass(frozen=True, slots=True)
class Part:
    """A path of a sign: a plate in the power's colour (`torn`: with a broken edge), pale or dark trimming, or a line.

    `grow` and `move` place a part that was drawn for another sign.
    """

    how: How
    path: str
    grow: float = 1
    move: tuple[int, int] = (0, 0)
    width: float = 5

    @property
    def transform(self) -> str:
        """The SVG attribute that places the part, empty if the part is where it was drawn."""
        if self.grow == 1 and self.move == (0, 0):
            return ""
        return f' transform="translate({self.move[0]} {self.move[1]}) scale({self.grow:g})"'


@dataclass(frozen=True, slots=True)
class Figure:
    """A sign's parts from back to front, and where its power's letter stands: x, y of its middle, size of the font."""

    parts: tuple[Part, ...]
    letter: tuple[int, ...] | None = None


def _figures() -> dict[Sign, Figure]:
    """Return the drawings in `signs.toml`."""
    told = tomllib.loads(Path(__file__).with_name("signs.toml").read_text(encoding="utf-8"))

    def part(how: How, path: str, move: Sequence[int] = (0, 0), **more: float) -> Part:
        return Part(how, told["paths"].get(path, path), move=(move[0], move[1]), **more)

    return {
        Sign(name): Figure(tuple(part(**one) for one in figure["parts"]), tuple(figure.get("letter", ())) or None)
        for name, figure in told["signs"].items()
    }


FIGURES: Mapping[Sign, Figure] = MappingProxyType(_figures())


def sign_id(sign: Sign, prefix: str = "") -> str:
    """Return the id of a sign's drawing in a document."""
    return f"{prefix}s-{sign.value}"


def sign_defs(style: Style, signs: Iterable[Sign] = Sign, prefix: str = "") -> str:
    """Return an SVG group for each sign, for `use` within a group whose `fill` is the power's colour."""
    return "".join(f'<g id="{sign_id(sign, prefix)}">{_figure(FIGURES[sign], style)}</g>' for sign in signs)


def _figure(figure: Figure, style: Style) -> str:
    around = "".join(_stroke(part, 9) for part in figure.parts)
    drawn = "".join(_part(part, style) for part in figure.parts)
    joins = 'stroke-linejoin="round" stroke-linecap="round"'
    return (
        f'<g fill="none" stroke="{style.orders.casing}" {joins}>{around}</g>'
        f'<g stroke="{style.neutral.rim}" {joins}>{drawn}</g>'
    )


def _part(part: Part, style: Style) -> str:
    rim, casing = style.neutral.rim, style.orders.casing
    fill = {"pale": f' fill="{style.page}"', "dark": f' fill="{rim}"', "line": ' fill="none"'}.get(part.how, "")
    # On a black plate a black line says nothing: a pale one sets it off from the parts behind.
    under = _stroke(part, 6, f' fill="none" stroke="{casing}"') if style.plain and part.how in ("plate", "torn") else ""
    gaps = f' fill="none" stroke="{casing}" stroke-linecap="butt" stroke-dasharray="8 14"'
    return under + _stroke(part, 0, fill) + (_stroke(part, 1, gaps) if part.how == "torn" else "")


def _stroke(part: Part, wider: float, attributes: str = "") -> str:
    return f'<path d="{part.path}"{part.transform}{attributes} stroke-width="{part.width + wider:g}"/>'


def looks_of(rules: Rules, position: Position) -> dict[int, Sign]:
    """Map unit numbers to signs, for units that look different from others of their kind.

    If several mechanics name a sign, the last one counts.
    """
    words: dict[int, str] = {}
    for unit_signs in rules.hooks(ReportMechanic.unit_signs):
        words |= unit_signs(rules, position)
    return {number: Sign(word) for number, word in words.items()}


def signs_of(rules: Rules) -> dict[str, Sign]:
    """Map the kinds of unit, and the things in provinces, that mechanics add to their signs."""
    words: dict[str, str] = {"goal": "goal"} if rules.hooks(YearMechanic.goal_provinces) else {}
    for kind_signs in rules.hooks(ReportMechanic.kind_signs):
        words |= kind_signs()
    return {kind: Sign(word) for kind, word in words.items()}


def marks_of(rules: Rules, position: Position) -> dict[str, tuple[Sign | PowerMark, ...]]:
    """Map each province to the signs of the things there that are not units, and to the marks of powers there."""
    found: dict[str, tuple[Sign | PowerMark, ...]] = {}
    for place_signs in rules.hooks(ReportMechanic.place_signs):
        for province, words in place_signs(rules, position).items():
            found[province] = (*found.get(province, ()), *map(Sign, words))
    for province, powers in goals_of(rules).items():
        whose = "" if len(powers) == len(rules.powers) else " and ".join(p for p in rules.powers if p in powers)
        found[province] = (*found.get(province, ()), PowerMark(whose, Sign.GOAL))
    for homes_now in rules.hooks(WinterMechanic.homes_now):
        for province, power in homes_now(rules, position).items():
            if (rules.board.province(province).home or "") != power:
                found[province] = (*found.get(province, ()), PowerMark(power))
    return found
