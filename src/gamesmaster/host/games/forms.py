"""Forms for new games and sandboxes, and for the lengths of phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from gamesmaster.host.games import seats
from gamesmaster.host.games.hosting import LEFT_TO_THE_TABLE
from gamesmaster.host.games.words import ENDING, read_length, usual_waits
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.tables.settings import FIELDS, PACES, Deadlines, Field, Pace, TableSettings, WallClock
from gamesmaster.rules import PRESETS as RULEBOOKS
from gamesmaster.variant import HOUSE_RULE_PRESETS, HouseRuleSetting, Option, Variant, full_name, house_rule_settings

KINDS = ("movement", "retreats", "adjustments")
TITLE = 32  # characters of the longest title of an option


def option_fields(variant: Variant) -> dict[str, forms.Field]:
    """Return a field for each option of a variant. Empty means the variant's default."""
    return {
        f"option-{variant.family}-{option.name}": forms.ChoiceField(
            choices=[(c, c) for c in option.choices],
            initial=option.default,
            required=False,
            label=_option_title(option),
            help_text=option.says,
        )
        for option in variant.options
    }


def offered_rules() -> dict[str, HouseRuleSetting]:
    """Return the house rules that the form offers: not those on deadlines and press, which have fields of their own."""
    decided = {*LEFT_TO_THE_TABLE, "letters"}
    return {
        name: one for name, one in house_rule_settings().items() if not ((one.most and one.host) or name in decided)
    }


def _option_title(option: Option) -> str:
    """Return what the option's description begins with, before a colon, if that is a title; else its name."""
    title, colon, _rest = option.says.partition(":")
    name = title.removeprefix("the ") if colon and len(title) <= TITLE else option.name.replace("_", " ")
    return name[:1].upper() + name[1:]


def name_with_options(family: str, answers: Mapping[str, Any]) -> str:
    """Return a variant's name with those options that differ from its defaults."""
    chosen = {}
    for option in editions.find_variant(family).options:
        answer = answers.get(f"option-{family}-{option.name}") or option.default
        if answer != option.default:
            chosen[option.name] = answer
    return full_name(family, chosen)


class SandboxOptions(forms.Form):
    """The options of one variant, for a sandbox."""

    def __init__(self, variant: Variant, answers: Mapping[str, Any] | None = None) -> None:
        super().__init__(answers, auto_id="sandbox-%s")
        self.family = variant.family
        self.fields |= option_fields(variant)

    def variant_name(self) -> str:
        """Return the variant's name with the options that differ from its defaults."""
        return name_with_options(self.family, self.cleaned_data)


class NewGame(forms.Form):
    """The form for a new game. `settings`, `variant_name` and `chosen_house_rules` return the answers."""

    days_off = forms.MultipleChoiceField(
        choices=WEEKDAYS_ABBR.items(), required=False, label=gettext_lazy("Days without a deadline"),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip

    def __init__(self, *args: Any, variants: Sequence[str] = (), **named: Any) -> None:
        super().__init__(*args, **named)
        self.variants = [editions.find_variant(name) for name in variants or shelf.names()]
        self.fields |= {name: _field(one) for name, one in FIELDS.items() if one.kind != "rule"}
        self._choose("variant", [(variant.family, variant.name) for variant in self.variants])
        self._choose("house_rules", [("", _("The variant's own")), *((name, name) for name in HOUSE_RULE_PRESETS)])
        self._choose("rulebook", [("", _("The variant's own")), *((name, name) for name in RULEBOOKS)])
        bots = [(one.name, f"{one.title}: {one.says}") for one in seats.BOTS.values()]
        self._choose("fill", [("", _("None")), *bots])
        for name, usual in usual_waits(str(self["pace"].value() or "relaxed")).items():
            self.fields[name].widget.attrs["placeholder"] = usual
        for variant in self.variants:
            self.fields |= option_fields(variant)
        self.fields |= {f"rule-{rule}": _rule_field(setting) for rule, setting in offered_rules().items()}

    def _choose(self, field: str, choices: list[tuple[str, str]]) -> None:
        choice = self.fields[field]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = choices

    def option_groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Return id, name and fields of each variant that has options."""
        groups = []
        for variant in self.variants:
            fields = [self[key] for key in self.fields if key.startswith(f"option-{variant.family}-")]
            if fields:
                groups.append((variant.family, variant.name, fields))
        return groups

    def rule_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the house rules in two groups: carried out by the program, and by the Gamesmaster."""
        rules = [(setting.host, self[f"rule-{n}"]) for n, setting in offered_rules().items() if n not in ENDING]
        titles = {False: _("Carried out by the program"), True: _("Carried out by the Gamesmaster")}
        return [(title, [field for host, field in rules if host is kind]) for kind, title in titles.items()]

    def ending(self) -> list[forms.BoundField]:
        """Return the fields for house rules about the end of the game, which the form shows in a section apart."""
        return [self[f"rule-{rule}"] for rule in ENDING]

    def chosen_house_rules(self) -> str | dict[str, object] | None:
        """Return the preset with the rules that differ from it; None if all is left to the variant."""
        preset: str = self.cleaned_data["house_rules"]
        chosen = {n: self.cleaned_data.get(f"rule-{n}") for n in offered_rules()}
        answers: dict[str, object] = {n: answer for n, answer in chosen.items() if answer not in ("", None)}
        return ({"preset": preset} if preset else {}) | answers if answers else preset or None

    def clean(self) -> dict[str, Any]:
        """Build the settings from the answers. Errors appear at their field or above the form."""
        answers = super().clean() or {}
        if self.errors:
            return answers
        try:
            answers["settings"] = self._settings(answers)
        except ValidationError as error:
            raise forms.ValidationError([_describe(one) for one in error.errors()[:5]]) from None
        return answers

    @property
    def settings(self) -> TableSettings:
        """Return the settings of the table, once the form is valid."""
        value = self.cleaned_data["settings"]
        assert isinstance(value, TableSettings)
        return value

    def variant_name(self) -> str:
        """Return the variant's name with the options that differ from its defaults."""
        return name_with_options(self.cleaned_data["variant"], self.cleaned_data)

    # -- from answers to settings -------------------------------------------------------------------------------------

    def _settings(self, answers: dict[str, Any]) -> TableSettings:
        absent = {
            **self._lengths("absent_", "notice", "grace", "standby"),
            "misses": answers["absent_misses"],
            "most_away": answers["absent_most_away"],
            "beforehand": {"yes": True, "no": False}.get(answers["absent_beforehand"]),
        }
        plain = TableSettings.model_fields.keys() & FIELDS.keys() - {"panic", "extension", "longest"}
        values = {name: answers[name] for name in plain} | self._lengths("", "panic", "extension", "longest")
        values["bots_agree"] = answers["bots_agree"] or "with_all"
        values["observers"] = answers["observers"] and answers["join"] != "invited"
        return TableSettings.model_validate({**values, "deadlines": self._deadlines(answers), "absent": absent})

    def _deadlines(self, answers: dict[str, Any]) -> Deadlines:
        base = PACES[answers["pace"]]
        zone = answers["zone"].strip() or "UTC"
        paces: dict[str, Pace | None] = {kind: getattr(base, kind) for kind in (*KINDS, "first")}
        for kind in (*KINDS, "first"):
            length = self._length(f"length_{kind}", None)
            if length:
                paces[kind] = Pace(minutes=length)
        times = tuple(t.strip() for t in answers["wall"].replace(";", ",").split(",") if t.strip())
        if times:
            for kind in KINDS:
                if not self.cleaned_data.get(f"length_{kind}"):
                    usual: Pace = getattr(base, kind)
                    least = max((usual.minutes or 120) // 2, 1)
                    paces[kind] = Pace(wall=WallClock(zone=zone, times=times, least=least))
        return Deadlines.model_validate(
            {
                **{kind: pace.model_dump() if pace else None for kind, pace in paces.items()},
                "days_off": [int(day) for day in answers["days_off"]],
                "dates_off": self._dates(answers["dates_off"]),
                "zone": zone,
            }
        )

    def _lengths(self, before: str, *names: str) -> dict[str, int]:
        """Return the waits given in the form, in minutes. Empty ones depend on the length of moves (`Waits`)."""
        lengths = {name: self._length(before + name, None) for name in names}
        return {name: length for name, length in lengths.items() if length is not None}

    def _length(self, field: str, usual: int | None) -> int | None:
        try:
            minutes = read_length(self.cleaned_data.get(field) or "")
        except ValueError as error:
            self.add_error(field, str(error))
            return usual
        return usual if minutes is None else minutes

    def _dates(self, text: str) -> list[date]:
        try:
            return [date.fromisoformat(word) for word in text.replace(",", " ").split()]
        except ValueError:
            self.add_error("dates_off", _("Write dates like 2027-12-24."))
            return []


def _field(one: Field) -> forms.Field:
    """Return the form's field for a field of the agreement."""
    if one.kind == "choice":
        choices = [(choice.name, choice.title) for choice in one.choices]
        return forms.ChoiceField(choices=choices, required=not one.optional, label=one.label)
    if one.kind == "number":
        return forms.IntegerField(min_value=0, max_value=one.most, label=one.label)
    if one.kind == "yes":
        return forms.BooleanField(required=False, label=one.label)
    return forms.CharField(required=False, label=one.label, max_length=one.most)


def _rule_field(setting: HouseRuleSetting) -> forms.Field:
    """Return a field for a house rule. Empty means the preset's answer."""
    if setting.most:
        return forms.IntegerField(
            min_value=setting.least,
            max_value=setting.most,
            required=False,
            label=_(setting.question),
            help_text=f"0: {setting.sentence(0, _)}",
        )
    answers = [(answer, setting.sentence(answer, _)) for answer in setting.answers]
    return forms.ChoiceField(choices=[("", _("As chosen above")), *answers], required=False, label=_(setting.question))


def _describe(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {str(error['msg']).removeprefix('Value error, ')}"
