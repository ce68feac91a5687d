"""What a new game may begin with: choices in words, sets of answers by name, what stands in the form at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from gamesmaster.game import variant_names
from gamesmaster.host.table_settings import PACES, Absent, TableSettings, Waits
from gamesmaster.host.views.durations import told

JOIN = [
    ("open", _("Anybody"), _("The game is listed until it is full.")),
    ("link", _("Anyone with the link"), _("Anyone may watch, but only your guests can join.")),
    ("invited", _("My guests only"), _("Nobody else can see the game.")),
]
PACE_SAYS = {
    "live": (_("In one evening"), _("15 minutes a move")),
    "daily": (_("A move a day"), _("12 hours for retreats and builds")),
    "relaxed": (_("Two days a move"), _("a day for retreats and builds")),
    "weekly": (_("A move a week"), _("2 days for retreats, 3 for builds")),
    "postal": (_("As if by post"), _("3 weeks a move, 4 for the first")),
    "by hand": (_("No clock"), _("a phase ends when all are ready")),
}
PRESS = [
    ("groups", _("To anybody and any group")),
    ("private", _("To one power, or to all")),
    ("public", _("To all only")),
    ("broadcast", _("Only the Gamesmaster writes")),
    ("rulebook", _("To anybody, but only while moves are due")),
    ("none", _("Nobody writes (gunboat)")),
]
ANONYMITY = [
    ("none", _("Everybody sees who plays what")),
    ("until_end", _("Hidden until the game is over")),
    ("always", _("Hidden for good; the game is not rated")),
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of answers by name, to begin the form with."""

    name: str
    title: str | Promise
    says: str | Promise
    answers: Mapping[str, Any]


PRESETS = (
    Preset("usual", _("As usual"), _("Two days a move, press to anybody, and a draw is shared by all survivors."), {}),
    Preset(
        "gunboat",
        _("Gunboat"),
        _("No press, and players stay anonymous until the game is over."),
        {"press": "none", "anonymity": "until_end", "pace": "daily"},
    ),
    Preset(
        "postal",
        _("Postal 1972"),
        _("Three weeks a move, signed or unsigned press, house rules of a postal judge."),
        {"pace": "postal", "grey": True, "house_rules": "postal-1972", "draws": "subset", "early": False},
    ),
    Preset(
        "club",
        _("Club night"),
        _("15 minutes a move; if orders are late, the units hold."),
        {"pace": "live", "absent_grace": "0 minutes", "absent_notice": "0 minutes", "panic": "0 minutes"},
    ),
    Preset(
        "bots",
        _("Alone against bots"),
        _("Begins at once, and goes on when you are ready."),
        {"pace": "by hand", "join": "invited", "begin": True, "fill": "heuristic"},
    ),
)
"""Beginnings for the form."""


def beginning(preset: str, variant: str, zone: str) -> dict[str, Any]:
    """What stands in the form before anything is written."""
    usual, absent = TableSettings(), Absent()
    answers: dict[str, Any] = {
        "variant": variant if variant in variant_names() else "standard",
        "pace": "relaxed",
        "join": "open",
        "part": "player",
        "zone": zone or "UTC",
        "observers": True,
        "press": usual.press,
        "anonymity": usual.anonymity,
        "early": usual.early,
        "draws": usual.draws,
        "ballots": usual.ballots,
        "bots_agree": usual.bots_agree,
        "powers": usual.powers,
        "starts": usual.starts,
        "min_reliability": usual.min_reliability,
        "ready_shown": usual.ready_shown,
        "absent_misses": absent.misses,
        "absent_most_away": absent.most_away,
    }
    for one in PRESETS:
        if one.name == preset:
            answers |= one.answers
    return answers


def usual_waits(pace: str) -> dict[str, str]:
    """What the waits are that the form leaves empty, in words by the fields' names."""
    waits = Waits.of(PACES[pace if pace in PACES else "relaxed"].move)
    return {
        "absent_notice": told(waits.notice),
        "absent_grace": told(waits.grace),
        "absent_standby": told(waits.standby),
        "panic": told(waits.panic),
        "extension": told(waits.extension),
    }
