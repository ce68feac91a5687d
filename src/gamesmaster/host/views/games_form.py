"""The form of a new game: three questions, and what is folded away below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from pydantic import ValidationError

from gamesmaster.game import find_variant, full_name, variant_names
from gamesmaster.game.house_rules import PRESETS as HOUSE_RULES
from gamesmaster.host.table_settings import PACES, Absent, Deadlines, Pace, TableSettings, WallClock
from gamesmaster.host.views.durations import minutes, told
from gamesmaster.judge.rulebook import PRESETS as RULEBOOKS
from gamesmaster.players import player_names

KINDS = ("movement", "retreats", "adjustments")
DAYS = [(str(n), day) for n, day in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
JOIN = [
    ("open", "Anybody", "The game stands in the list until it is full."),
    ("link", "Whoever has the link", "People may watch, but only your guests may sit down."),
    ("invited", "My guests only", "Nobody else knows of the game."),
]
PACE_SAYS = {
    "live": ("In one evening", "15 minutes a move"),
    "daily": ("A move a day", "12 hours for retreats and builds"),
    "relaxed": ("Two days a move", "a day for retreats and builds"),
    "weekly": ("A move a week", "2 days for retreats, 3 for builds"),
    "postal": ("As by post", "3 weeks a move, 4 for the first"),
    "by hand": ("No clock", "a phase ends when all are ready"),
}
PRESS = [
    ("groups", "To anybody and any group"),
    ("private", "To one power, or to all"),
    ("public", "To all only"),
    ("broadcast", "Only the Gamesmaster writes"),
    ("none", "Nobody writes (gunboat)"),
]
ANONYMITY = [
    ("none", "Everybody sees who plays what"),
    ("until_end", "Hidden until the game is over"),
    ("always", "Hidden for ever; the game is not rated"),
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of answers by name, to begin the form with."""

    name: str
    title: str
    says: str
    answers: Mapping[str, Any]


PRESETS = (
    Preset("usual", "As usual", "Two days a move, letters to anybody, survivors share a draw.", {}),
    Preset("gunboat", "Gunboat", "Nobody writes, nobody knows who is who until the end.",
           {"press": "none", "anonymity": "until_end", "pace": "daily"}),
    Preset("postal", "Postal 1972", "Three weeks a move, signed or grey press, house rules of a postal judge.",
           {"pace": "postal", "grey": True, "house_rules": "postal-1972", "draws": "subset", "early": False}),
    Preset("club", "Club night", "15 minutes a move; whoever is late holds.",
           {"pace": "live", "absent_grace": "0 minutes", "absent_notice": "0 minutes", "panic": 0}),
    Preset("bots", "Alone against bots", "Begins at once, and goes on when you are ready.",
           {"pace": "by hand", "join": "invited", "begin": True, "fill": "heuristic", "panic": 0}),
)  # fmt: skip
"""Beginnings for the form."""


def _choices(pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(pairs)


class NewGame(forms.Form):
    """What is asked of whoever makes a game; `settings()` and `variant_name()` are the answers."""

    variant = forms.ChoiceField(choices=[])
    pace = forms.ChoiceField(choices=[(name, words[0]) for name, words in PACE_SAYS.items()])
    join = forms.ChoiceField(choices=[(name, title) for name, title, _ in JOIN])
    name = forms.CharField(max_length=80, required=False, label="Name of the game")
    part = forms.ChoiceField(
        label="Your part", choices=[("player", "I play"), ("gm", "I am the Gamesmaster, and do not play"),
                                    ("none", "Neither: I set it up for others")])  # fmt: skip
    press = forms.ChoiceField(choices=PRESS, label="Who may write to whom")
    grey = forms.BooleanField(required=False, label="Press need not be signed (grey)")
    anonymity = forms.ChoiceField(choices=ANONYMITY, label="Who plays which power")
    length_first = forms.CharField(required=False, label="The first phase", max_length=40)
    length_movement = forms.CharField(required=False, label="Moves", max_length=40)
    length_retreats = forms.CharField(required=False, label="Retreats", max_length=40)
    length_adjustments = forms.CharField(required=False, label="Builds and removals", max_length=40)
    wall = forms.CharField(required=False, label="At these times", max_length=80)
    zone = forms.CharField(required=False, label="Time zone", max_length=64)
    days_off = forms.MultipleChoiceField(
        choices=DAYS, required=False, label="Days off", widget=forms.CheckboxSelectMultiple
    )  # fmt: skip
    dates_off = forms.CharField(required=False, label="Dates off", max_length=1200)
    early = forms.BooleanField(required=False, label="Go on as soon as all are ready")
    panic = forms.IntegerField(min_value=0, max_value=1440, label="Minutes to think better of it")
    ready_shown = forms.BooleanField(required=False, label="Everybody sees whose orders are in")
    absent_notice = forms.CharField(required=False, label="Reminder before the deadline", max_length=40)
    absent_grace = forms.CharField(required=False, label="Grace after it", max_length=40)
    absent_misses = forms.IntegerField(min_value=0, max_value=20, label="Misses in a row that lose a seat")
    absent_standby = forms.CharField(required=False, label="Time to find a standby", max_length=40)
    absent_most_away = forms.IntegerField(min_value=0, max_value=60, label="Days waited for who is away by calendar")
    draws = forms.ChoiceField(
        choices=[("survivors", "All survivors share it"), ("subset", "Those who agree on it may share it")],
        label="A draw",
    )  # fmt: skip
    ballots = forms.ChoiceField(
        choices=[("secret", "Secret"), ("counted", "Counted, without names"), ("open", "Open")], label="Votes"
    )
    house_rules = forms.ChoiceField(choices=[], required=False, label="House rules")
    rulebook = forms.ChoiceField(choices=[], required=False, label="Rulebook")
    powers = forms.ChoiceField(
        choices=[("lot", "By lot"), ("preference", "By wishes, and lots between equals")], label="Powers are drawn"
    )
    starts = forms.ChoiceField(
        choices=[("full", "When the last seat is taken"), ("asked", "When I say so")], label="The game begins"
    )
    fill = forms.ChoiceField(choices=[], required=False, label="Bots in seats that stay empty")
    begin = forms.BooleanField(required=False, label="Begin at once; bots take the other seats")
    min_reliability = forms.IntegerField(min_value=0, max_value=100, label="Least reliability, per cent")
    observers = forms.BooleanField(required=False, label="Others may watch")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._choose("variant", [(name, find_variant(name).name) for name in variant_names()])
        self._choose("house_rules", [("", "The variant's own"), *((name, name) for name in HOUSE_RULES)])
        self._choose("rulebook", [("", "The variant's own"), *((name, name) for name in RULEBOOKS)])
        self._choose("fill", [("", "None"), *((name, name) for name in player_names())])
        for variant in map(find_variant, variant_names()):
            for option in variant.options:
                self.fields[f"option-{variant.id}-{option.name}"] = forms.ChoiceField(
                    choices=[(c, c) for c in option.choices], initial=option.default, required=False,
                    label=option.name.replace("_", " ").capitalize(), help_text=option.says,
                )  # fmt: skip

    def _choose(self, field: str, choices: list[tuple[str, str]]) -> None:
        found = self.fields[field]
        assert isinstance(found, forms.ChoiceField)
        found.choices = choices

    def option_groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The options of each variant that has any: id, name, fields."""
        groups = []
        for name in variant_names():
            fields = [self[key] for key in self.fields if key.startswith(f"option-{name}-")]
            if fields:
                groups.append((name, find_variant(name).name, fields))
        return groups

    def clean(self) -> dict[str, Any]:
        """Put the answers together; what does not go together is said at the field or above the form."""
        told = super().clean() or {}
        if self.errors:
            return told
        try:
            told["settings"] = self._settings(told)
        except ValidationError as error:
            raise forms.ValidationError([_said(one) for one in error.errors()[:5]]) from None
        return told

    @property
    def settings(self) -> TableSettings:
        """The settings of the table, once the form is valid."""
        found = self.cleaned_data["settings"]
        assert isinstance(found, TableSettings)
        return found

    def variant_name(self) -> str:
        """The variant with the options that differ from its own."""
        family = self.cleaned_data["variant"]
        chosen = {}
        for option in find_variant(family).options:
            answer = self.cleaned_data.get(f"option-{family}-{option.name}") or option.default
            if answer != option.default:
                chosen[option.name] = answer
        return full_name(family, chosen)

    # -- putting together --------------------------------------------------------------------------------------------

    def _settings(self, told: dict[str, Any]) -> TableSettings:
        plain = ("press", "grey", "anonymity", "join", "powers", "starts", "fill", "draws", "ballots", "early", "panic",
                 "ready_shown", "pace", "min_reliability", "observers")  # fmt: skip
        usual = Absent()
        absent = {
            "notice": self._length("absent_notice", usual.notice),
            "grace": self._length("absent_grace", usual.grace),
            "standby": self._length("absent_standby", usual.standby),
            "misses": told["absent_misses"],
            "most_away": told["absent_most_away"],
        }
        values = {name: told[name] for name in plain}
        values["observers"] = told["observers"] and told["join"] != "invited"
        return TableSettings.model_validate({**values, "deadlines": self._deadlines(told), "absent": absent})

    def _deadlines(self, told: dict[str, Any]) -> Deadlines:
        base = PACES[told["pace"]]
        zone = told["zone"].strip() or "UTC"
        paces: dict[str, Pace | None] = {kind: getattr(base, kind) for kind in (*KINDS, "first")}
        for kind in (*KINDS, "first"):
            length = self._length(f"length_{kind}", None)
            if length:
                paces[kind] = Pace(minutes=length)
        times = tuple(t.strip() for t in told["wall"].replace(";", ",").split(",") if t.strip())
        if times:
            for kind in KINDS:
                if not self.cleaned_data.get(f"length_{kind}"):
                    paces[kind] = Pace(wall=WallClock(zone=zone, times=times, least=_least(base, kind)))
        return Deadlines.model_validate(
            {
                **{kind: pace.model_dump() if pace else None for kind, pace in paces.items()},
                "days_off": [int(day) for day in told["days_off"]],
                "dates_off": self._dates(told["dates_off"]),
                "zone": zone,
            }
        )

    def _length(self, field: str, usual: int | None) -> int | None:
        try:
            found = minutes(self.cleaned_data.get(field) or "")
        except ValueError as error:
            self.add_error(field, str(error))
            return usual
        return usual if found is None else found

    def _dates(self, text: str) -> list[date]:
        try:
            return [date.fromisoformat(word) for word in text.replace(",", " ").split()]
        except ValueError:
            self.add_error("dates_off", "Write dates as 2027-12-24.")
            return []


def _least(base: Deadlines, kind: str) -> int:
    """With deadlines by the clock a phase lasts at least half as long as its pace has it."""
    pace: Pace = getattr(base, kind)
    return max((pace.minutes or 120) // 2, 1)


def _said(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {str(error['msg']).removeprefix('Value error, ')}"


def beginning(preset: str, variant: str, zone: str) -> dict[str, Any]:
    """What stands in the form before anything is written."""
    usual, absent = TableSettings(), Absent()
    answers: dict[str, Any] = {
        "variant": variant if variant in variant_names() else "standard", "pace": "relaxed", "join": "open",
        "part": "player", "zone": zone or "UTC", "observers": True,
        "press": usual.press, "anonymity": usual.anonymity, "early": usual.early, "panic": usual.panic,
        "draws": usual.draws, "ballots": usual.ballots, "powers": usual.powers, "starts": usual.starts,
        "min_reliability": usual.min_reliability, "ready_shown": usual.ready_shown,
        "absent_notice": told(absent.notice), "absent_grace": told(absent.grace),
        "absent_standby": told(absent.standby), "absent_misses": absent.misses, "absent_most_away": absent.most_away,
    }  # fmt: skip
    for one in PRESETS:
        if one.name == preset:
            answers |= one.answers
    return answers
