"""The signs of units and marks: a closed list, drawn to be distinct at 12 pixels and without colour.

Each sign is drawn about (0, 0) in a square 100 units wide.  Its plates take the colour of the power (the `fill` of the
element that uses the sign); lines and trimmings are the style's own.  A light casing about everything keeps a sign
clear of the land and the lines beneath it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from gamesmaster.board import Position
from gamesmaster.pictures.style import Style
from gamesmaster.rules import ReportMechanic, Rules

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

    @property
    def words(self) -> str:
        """The sign in words: `army in anarchy`; an army-fleet is `army and fleet`."""
        return _WORDS.get(self, self.value.replace("-", " "))


_WORDS = {
    Sign.ARMY_FLEET: "army and fleet",
    Sign.PARTY_AFLOAT: "war party in a canoe",
    Sign.ARMY_AFLOAT: "army in a boat",
    Sign.GALLEON: "fleet",
    Sign.LOADED_GALLEON: "fleet with an army aboard",
    Sign.TABOO: "taboo ground",
    Sign.FOG: "place out of sight",
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
    letter: tuple[int, int, int] | None = None


_SHIELD = "M-31-36Q0-28 31-36V4C31 25 13 39 0 46C-13 39-31 25-31 4Z"
_SWORDS = "M-36 38L44-42M36 38L-44-42M-44 22L-22 44M44 22L22 44"
_HULL = "M-48 14Q0 26 48 12L38 38Q36 44 30 44H-30Q-36 44-38 38Z"
_SAIL = "M-32-36Q0-44 32-36Q40-12 31 10Q0 2-31 10Q-40-12-32-36Z"
_MAST = "M0-48V16"
_PENNANT = "M0-50L20-45L0-39Z"
_FLINT = "M0-48Q26-22 34 14Q35 24 25 24L15 21L17 45H-17L-15 21L-25 24Q-35 24-34 14Q-26-22 0-48Z"
_FEATHERS = "M-20 38Q-46 8-48-34Q-22-16-14 20ZM20 38Q46 8 48-34Q22-16 14 20Z"
_QUILLS = "M-17 34L-40-18M17 34L40-18"
_CANOE = "M-49 16Q-36 26-22 26H22Q36 26 49 16Q48 46 22 46H-22Q-48 46-49 16Z"
_THWARTS = "M-14 27V45M14 27V45"
_DUGOUT = "M-50-10Q-34 8-16 8H16Q34 8 50-10Q50 40 18 40H-18Q-50 40-50-10Z"
_PADDLE = "M-24 4L22-36M12-34L34-50"
_CARAVEL = "M-49-2H-28V14H18L22 8H50L38 38Q36 44 30 44H-32Q-38 44-40 38Z"
_RIGGING = "M-4-48V14M-36-30V0M32-34V10M34 9L50-10"
_MAIN_SAIL = "M-26-40Q-4-48 20-40Q26-16 20 6Q-4-2-26 6Q-32-16-26-40Z"
_SIDE_SAILS = "M24-30H44Q48-14 44 0H24Q28-14 24-30ZM-46-28H-30Q-28-18-30-8H-46Q-42-18-46-28Z"
_TOWER = "M-36-42H-19V-30H-9V-42H9V-30H19V-42H36V-14L28-4V44H-28V-4L-36-14Z"
_GATE = "M-9 44V32Q-9 22 0 22Q9 22 9 32V44Z"
_CLOUD = "M-30 20Q-48 18-44 0Q-40-14-24-12Q-18-32 4-28Q22-26 24-10Q46-12 46 6Q44 20 30 20Z"
_TORN_FLAG = "M20-50L47-45L40-37L50-30L34-27L38-20L20-24Z"
_STAFF = "M20-52V-10"

_AFLOAT = (Part("pale", _CANOE), Part("line", _THWARTS, width=4))
_MARK = "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z"

FIGURES: Mapping[Sign, Figure] = MappingProxyType(
    {
        Sign.ARMY: Figure((Part("line", _SWORDS, width=7), Part("plate", _SHIELD)), (0, 2, 54)),
        Sign.FLEET: Figure(
            (Part("line", _MAST), Part("dark", _PENNANT), Part("plate", _SAIL), Part("plate", _HULL)), (0, -16, 44)
        ),
        Sign.ARMY_FLEET: Figure(
            (
                Part("line", _SWORDS, 0.78, (0, -14), width=8),
                Part("plate", _HULL),
                Part("plate", _SHIELD, 0.78, (0, -16), width=6),
            ),
            (0, -15, 42),
        ),
        Sign.WAR_PARTY: Figure(
            (Part("pale", _FEATHERS, width=4), Part("line", _QUILLS, width=4), Part("plate", _FLINT)), (0, 3, 42)
        ),
        Sign.PARTY_AFLOAT: Figure(
            (
                Part("pale", _FEATHERS, 0.74, (0, -14), width=5),
                Part("plate", _FLINT, 0.8, (0, -12), width=6),
                *_AFLOAT,
            ),
            (0, -8, 36),
        ),
        Sign.ARMY_AFLOAT: Figure(
            (Part("line", _SWORDS, 0.74, (0, -16), width=8), Part("plate", _SHIELD, 0.8, (0, -14), width=6), *_AFLOAT),
            (0, -14, 42),
        ),
        Sign.BOAT: Figure(
            (
                Part("line", _PADDLE, width=9),
                Part("dark", _DUGOUT, width=6),
            )
        ),
        Sign.GALLEON: Figure(
            (
                Part("line", _RIGGING, width=5),
                Part("pale", _SIDE_SAILS, width=4),
                Part("plate", _CARAVEL),
                Part("plate", _MAIN_SAIL),
            ),
            (-3, -18, 40),
        ),
        Sign.LOADED_GALLEON: Figure(
            (
                Part("line", _RIGGING, width=5),
                Part("pale", _SIDE_SAILS, width=4),
                Part("plate", _CARAVEL),
                Part("plate", _SHIELD, 0.8, (-3, -10), width=6),
            ),
            (-3, -10, 42),
        ),
        Sign.STANDING_ARMY: Figure((Part("plate", _TOWER), Part("dark", _GATE, width=2)), (0, 2, 36)),
        Sign.ARMY_IN_ANARCHY: Figure(
            (
                Part("line", _SWORDS, width=7),
                Part("torn", _SHIELD),
                Part("line", _STAFF, width=4),
                Part("dark", _TORN_FLAG, width=2),
            ),
            (-3, 4, 48),
        ),
        Sign.FLEET_IN_ANARCHY: Figure(
            (
                Part("line", _MAST),
                Part("torn", _SAIL),
                Part("torn", _HULL),
                Part("line", _STAFF, width=4),
                Part("dark", _TORN_FLAG, width=2),
            ),
            (-5, -13, 40),
        ),
        Sign.CURSE: Figure(
            (
                Part("dark", _MARK),
                Part("pale", "M-34 0Q0-38 34 0Q0 38-34 0Z", width=2),
                Part("dark", "M0-13A13 13 0 1 1 0 13A13 13 0 1 1 0-13Z", width=1),
            )
        ),
        Sign.TABOO: Figure(
            (Part("pale", _MARK, width=9), Part("dark", _FLINT, 0.5, width=2), Part("line", "M-31-31L31 31", width=9))
        ),
        Sign.STORM: Figure(
            (
                Part("pale", "M-30 6Q-48 4-44-14Q-40-28-24-26Q-18-46 4-42Q22-40 24-24Q46-26 46-8Q44 6 30 6Z"),
                Part("dark", "M2-6L-14 20H-2L-10 48L18 12H5L14-6Z", width=1),
            )
        ),
        Sign.BLOCKADE: Figure(
            (
                Part("pale", _MARK, width=6),
                Part("line", "M0-22V30M-24 6Q-22 30 0 31Q22 30 24 6M-13-10H13", width=8),
                Part("dark", "M0-34A8 8 0 1 1 0-18A8 8 0 1 1 0-34Z", width=1),
                Part("line", "M-40 0H40", width=9),
            )
        ),
        Sign.FOG: Figure((Part("pale", _CLOUD),)),
    }
)


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
    """Map the kinds of unit that mechanics add to their signs."""
    words: dict[str, str] = {}
    for kind_signs in rules.hooks(ReportMechanic.kind_signs):
        words |= kind_signs()
    return {kind: Sign(word) for kind, word in words.items()}


def marks_of(rules: Rules, position: Position) -> dict[str, tuple[Sign, ...]]:
    """Map each province to the signs of the things there that are not units."""
    found: dict[str, tuple[Sign, ...]] = {}
    for place_signs in rules.hooks(ReportMechanic.place_signs):
        for province, words in place_signs(rules, position).items():
            found[province] = (*found.get(province, ()), *map(Sign, words))
    return found
