"""House rules as a value: how a game treats late, missing and doubtful orders, votes and press.

The rules of play are the variant's and its rulebook's; these are a game's own.  The program carries out some settings
itself; the others, marked `host`, are for the person who sets the dates and publishes the press. `docs/house-rules.md`
has them all; `house_rules.toml` has their words, and is read when they are first needed.

>>> HouseRules.of("postal-1972").late_orders
'until_adjudicated'
>>> print(HouseRules.of({"preset": "postal-1972", "deadline_days": 14}))
postal-1972, deadline_days = 14
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from gamesmaster.errors import BadRulebook, nearest
from gamesmaster.rules import Rulebook
from gamesmaster.variant.model import LastYear, Variant


@dataclass(frozen=True, slots=True)
class HouseRuleSetting:
    """The description of a setting.

    `clause` is its source, `question` the question that it answers, `answers` a sentence for each answer.  A setting
    that is a number from `least` to `most` has the sentences `0` and `n`, in which `{n}` stands for it; a number below
    0 is a year BC.  `host`: the program only keeps and shows it.
    """

    clause: str
    question: str
    answers: Mapping[str, str]
    most: int = 0
    least: int = 0
    host: bool = False

    def sentence(self, answer: str | int, translate: Callable[[str], str] = str) -> str:
        """Return the answer as a sentence; `translate` returns its parts in another language."""
        if isinstance(answer, str):
            return translate(self.answers[answer])
        number = answer if answer >= 0 else translate("{n} BC").format(n=-answer)
        return translate(self.answers["n" if answer else "0"]).format(n=number)


@dataclass(frozen=True)
class HouseRules:
    """Every setting; the defaults are what this program does where nothing is agreed.

    `house_rule_settings` has the question and the possible answers of each.
    """

    # what the program carries out
    late_orders: str = "until_adjudicated"
    missing_moves: str = "hold"
    missed_before_standby: int = 0
    ambiguous_orders: str = "by_rulebook"
    double_orders: str = "by_rulebook"
    conditional_orders: str = "none"
    draw_shares: str = "all_survivors"
    concession: str = "all_others"
    votes: str = "secret"
    last_year: int = 0
    last_year_ends: str = "most_centres"
    scoring: str = "none"
    # what the host does
    season_grouping: str = "five_phases"
    deadline_days: int = 0
    first_deadline_days: int = 0
    retreat_days: int = 0
    winter_days: int = 0
    late_players: str = "with_results"
    standby_players: str = "whoever_comes"
    corrections: str = "any_time"
    press: str = "signed"
    letters: str = "free"
    seats: str = "as_agreed"
    rule_answers: str = "to_asker"
    gamesmaster_plays: str = "no"

    def __post_init__(self) -> None:
        for name, setting in house_rule_settings().items():
            object.__setattr__(self, name, _answer(name, setting, getattr(self, name)))
        if self.season_grouping == "conditional" and self.conditional_orders == "none":
            raise BadRulebook("season_grouping = conditional needs orders that may depend on results",
                              hint="conditional_orders = winter_and_retreats")  # fmt: skip
        if self.standby_players == "asked_beforehand" and self.missed_before_standby < 2:
            raise BadRulebook("standby_players = asked_beforehand needs a miss that does not lose the power",
                              hint="missed_before_standby = 2, or more")  # fmt: skip

    def __str__(self) -> str:
        """Return the nearest preset and the differences from it: `postal-1972, deadline_days = 14`."""
        changes = {name: self._beside(HouseRules(**chosen)) for name, chosen in HOUSE_RULE_PRESETS.items()}
        name = min(changes, key=lambda name: len(changes[name]))
        return ", ".join([name, *(f"{key} = {answer}" for key, answer in changes[name].items())])

    @classmethod
    def of(cls, value: HouseRules | str | Mapping[str, object] | None, base: HouseRules | None = None) -> HouseRules:
        """Read a preset's name, or settings (`{"preset": "postal-1972", "late_orders": "strict"}`).

        Settings without a preset change those of `base`, `standard` by default, which also stands for no value at all.
        Raises `BadRulebook`, naming the nearest preset, setting or answer.
        """
        if value is None:
            return base or cls()
        if isinstance(value, HouseRules):
            return value
        if isinstance(value, str):
            return cls(**_preset(value))
        if not isinstance(value, Mapping):
            raise BadRulebook("house rules are a preset's name or an object of settings")
        rest: dict[str, Any] = {str(key): answer for key, answer in value.items()}
        start = cls(**_preset(rest.pop("preset"))) if "preset" in rest else base or cls()
        for name in rest:
            if name not in house_rule_settings():
                raise BadRulebook(f"no house rule {name[:60]!r}", hint=nearest(name, house_rule_settings()))
        return replace(start, **rest)

    def choices(self) -> dict[str, str | int]:
        """Return the settings that differ from the default."""
        return self._beside(HouseRules())

    def sentence(self, name: str) -> str:
        """Return the sentence for the present answer of a setting, by its name."""
        return house_rule_settings()[name].sentence(getattr(self, name))

    def over(self, rulebook: Rulebook) -> Rulebook:
        """Return the rulebook of a game under these house rules: they decide some of its choices themselves."""
        doubtful, double = self.ambiguous_orders, self.double_orders
        return replace(
            rulebook,
            doubtful_name=_DOUBTFUL.get(doubtful, rulebook.doubtful_name),
            double_orders=rulebook.double_orders if double == "by_rulebook" else double,
        )

    def over_victory(self, variant: Variant) -> Variant:
        """Return the variant of a game under these house rules: with the table's last year, if it has one (STD-2.h).

        Raises `BadRulebook` for a year before the first.
        """
        ends = self.last_year, _THEN[self.last_year_ends]
        told = not self.last_year or (variant.victory.last_year, variant.victory.then) == ends
        return variant if told else _ending(variant, *ends)

    def _beside(self, other: HouseRules) -> dict[str, str | int]:
        return {
            name: getattr(self, name) for name in house_rule_settings() if getattr(self, name) != getattr(other, name)
        }


_THEN: dict[str, LastYear] = {"most_centres": "most centres", "survivors_share": "survivors share"}


@lru_cache(maxsize=64)
def _ending(variant: Variant, year: int, then: LastYear) -> Variant:
    """Return a variant that ends in another year; one value for all games, since its tables take time to make."""
    first = variant.calendar.date(variant.calendar.first)
    if year < first:
        raise BadRulebook(f"last_year cannot be {year}: the game begins in {first}", hint=f"last_year = {first + 9}")
    return replace(variant, victory=replace(variant.victory, last_year=year, then=then))


_DOUBTFUL = {"settled_by_unit": "settled_by_unit", "void": "never"}
"""The rulebook's answer that goes with an answer of the house rules, where they decide."""


@cache
def house_rule_settings() -> dict[str, HouseRuleSetting]:
    """Return the description of each setting by its name; those that the program carries out come first."""
    import tomllib

    told = tomllib.loads(Path(__file__).with_name("house_rules.toml").read_text(encoding="utf-8"))
    return {name: HouseRuleSetting(**setting) for name, setting in told.items()}


HOUSE_RULE_PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "postal-1972": {
        "missed_before_standby": 2,
        "ambiguous_orders": "settled_by_unit",
        "double_orders": "cancel",
        "draw_shares": "any_group",
        "concession": "all_survivors",
        "season_grouping": "retreats_apart",
        "deadline_days": 21,
        "first_deadline_days": 28,
        "standby_players": "asked_beforehand",
        "conditional_orders": "winter_and_retreats",
        "corrections": "until_next_deadline",
        "press": "grey",
        "seats": "lot",
        "rule_answers": "to_all",
    },
}
"""Sets of house rules by name: what this program does if nothing is said, and a postal Gamesmaster of 1972 (CLN-6)."""


def _preset(name: object) -> dict[str, Any]:
    if not isinstance(name, str) or name.casefold() not in HOUSE_RULE_PRESETS:
        raise BadRulebook(
            f"no house rules {str(name)[:60]!r}", hint=nearest(str(name), [*HOUSE_RULE_PRESETS, *house_rule_settings()])
        )
    return HOUSE_RULE_PRESETS[name.casefold()]


def _answer(name: str, setting: HouseRuleSetting, given: object) -> str | int:
    """Return an answer, or a number that may be given as digits; true and false mean yes and no."""
    if setting.most:
        if isinstance(given, str) and given.removeprefix("-").isdecimal() and len(given) < 6:
            given = int(given)
        if isinstance(given, int) and not isinstance(given, bool) and setting.least <= given <= setting.most:
            return given
        hint = f"a number from {setting.least} to {setting.most}"
        raise BadRulebook(f"{name} cannot be {str(given)[:60]!r}", hint=hint)
    word = ("yes" if given else "no") if isinstance(given, bool) else given
    if isinstance(word, str) and word in setting.answers:
        return word
    hint = nearest(str(given), setting.answers) or "one of " + ", ".join(setting.answers)
    raise BadRulebook(f"{name} cannot be {str(given)[:60]!r}", hint=hint)
