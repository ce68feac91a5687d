"""What a new game may begin with: choices in words, sets of answers by name, what stands in the form at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gamesmaster.game import variant_names
from gamesmaster.host.table_settings import PACES, Absent, TableSettings, Waits
from gamesmaster.host.views.durations import told

JOIN = [
    ("open", "Anybody", "The game is listed until it is full."),
    ("link", "Anyone with the link", "Anyone may watch, but only your guests can join."),
    ("invited", "My guests only", "Nobody else can see the game."),
]
PACE_SAYS = {
    "live": ("In one evening", "15 minutes a move"),
    "daily": ("A move a day", "12 hours for retreats and builds"),
    "relaxed": ("Two days a move", "a day for retreats and builds"),
    "weekly": ("A move a week", "2 days for retreats, 3 for builds"),
    "postal": ("As if by post", "3 weeks a move, 4 for the first"),
    "by hand": ("No clock", "a phase ends when all are ready"),
}
PRESS = [
    ("groups", "To anybody and any group"),
    ("private", "To one power, or to all"),
    ("public", "To all only"),
    ("broadcast", "Only the Gamesmaster writes"),
    ("rulebook", "To anybody, but only while moves are due"),
    ("none", "Nobody writes (gunboat)"),
]
ANONYMITY = [
    ("none", "Everybody sees who plays what"),
    ("until_end", "Hidden until the game is over"),
    ("always", "Hidden for good; the game is not rated"),
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of answers by name, to begin the form with."""

    name: str
    title: str
    says: str
    answers: Mapping[str, Any]


PRESETS = (
    Preset("usual", "As usual", "Two days a move, press to anybody, and a draw is shared by all survivors.", {}),
    Preset("gunboat", "Gunboat", "No press, and players stay anonymous until the game is over.",
           {"press": "none", "anonymity": "until_end", "pace": "daily"}),
    Preset("postal", "Postal 1972", "Three weeks a move, signed or unsigned press, house rules of a postal judge.",
           {"pace": "postal", "grey": True, "house_rules": "postal-1972", "draws": "subset", "early": False}),
    Preset("club", "Club night", "15 minutes a move; if orders are late, the units hold.",
           {"pace": "live", "absent_grace": "0 minutes", "absent_notice": "0 minutes", "panic": "0 minutes"}),
    Preset("bots", "Alone against bots", "Begins at once, and goes on when you are ready.",
           {"pace": "by hand", "join": "invited", "begin": True, "fill": "heuristic"}),
)  # fmt: skip
"""Beginnings for the form."""


def beginning(preset: str, variant: str, zone: str) -> dict[str, Any]:
    """What stands in the form before anything is written."""
    usual, absent = TableSettings(), Absent()
    answers: dict[str, Any] = {
        "variant": variant if variant in variant_names() else "standard", "pace": "relaxed", "join": "open",
        "part": "player", "zone": zone or "UTC", "observers": True,
        "press": usual.press, "anonymity": usual.anonymity, "early": usual.early,
        "draws": usual.draws, "ballots": usual.ballots, "bots_agree": usual.bots_agree,
        "powers": usual.powers, "starts": usual.starts,
        "min_reliability": usual.min_reliability, "ready_shown": usual.ready_shown,
        "absent_misses": absent.misses, "absent_most_away": absent.most_away,
    }  # fmt: skip
    for one in PRESETS:
        if one.name == preset:
            answers |= one.answers
    return answers


def usual_waits(pace: str) -> dict[str, str]:
    """What the waits are that the form leaves empty, in words by the fields' names."""
    waits = Waits.of(PACES[pace if pace in PACES else "relaxed"].move)
    return {
        "absent_notice": told(waits.notice), "absent_grace": told(waits.grace), "absent_standby": told(waits.standby),
        "panic": told(waits.panic), "extension": told(waits.extension),
    }  # fmt: skip
