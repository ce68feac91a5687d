"""House rules as a value: how a game treats late, missing and doubtful orders, votes and press.

The rules of play are the variant's and its rulebook's; these are a game's own.  The program carries out some settings
itself; the others, marked `host`, are for the person who sets the dates and publishes the press. `docs/house-rules.md`
has them all; `PRESETS` are sets of them by name.

>>> HouseRules.of("postal-1972").late_orders
'until_adjudicated'
>>> print(HouseRules.of({"preset": "postal-1972", "deadline_days": 14}))
postal-1972, deadline_days = 14
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from gamesmaster.errors import BadRulebook, nearest
from gamesmaster.rules import Rulebook


@dataclass(frozen=True, slots=True)
class HouseRuleSetting:
    """The description of a setting.

    `clause` is its source, `question` the question that it answers, `answers` a sentence for each answer.  A setting
    that is a number from 0 to `most` has the sentences `0` and `n`, in which `{n}` stands for it.  `host`: the program
    only keeps and shows it.
    """

    clause: str
    question: str
    answers: Mapping[str, str]
    most: int = 0
    host: bool = False

    def sentence(self, answer: str | int) -> str:
        """Return the answer as a sentence."""
        if isinstance(answer, str):
            return self.answers[answer]
        return self.answers["n" if answer else "0"].format(n=answer)


def choice(clause: str, question: str, *, host: bool = False, **answers: str) -> Any:
    """Declare a setting with these answers; the first is the default."""
    return field(
        default=next(iter(answers)), metadata={"setting": HouseRuleSetting(clause, question, answers, host=host)}
    )


def number(clause: str, question: str, none: str, some: str, *, most: int, host: bool = False) -> Any:
    """Declare a setting that is a number, by default 0: `none` is its sentence then, `some` any other time."""
    return field(
        default=0, metadata={"setting": HouseRuleSetting(clause, question, {"0": none, "n": some}, most, host)}
    )


@dataclass(frozen=True)
class HouseRules:
    """Every setting; the defaults are what this program does where nothing is agreed."""

    # what the program carries out
    late_orders: str = choice(
        "CLN-H.c", "Orders arrive after the deadline.",
        until_adjudicated="They count if they arrive before the phase is adjudicated.",
        strict="They do not count.",
    )  # fmt: skip
    missing_moves: str = choice(
        "CLN-H.d", "A power sends no orders for its moves.",
        hold="Its units hold, and other units can support them.",
        disorder="For that season it is in civil disorder: its units hold; whether others may support them, the "
        "rulebook says (DATC 4.D.9).",
    )  # fmt: skip
    missed_before_standby: int = number(
        "CLN-H.e", "After how many missed deadlines in a row does a power lose its player?",
        "The Gamesmaster decides.",
        "A player who misses {n} deadlines in a row loses the power; it is in civil disorder until somebody takes it "
        "over. Orders that arrive reset the count.",
        most=20,
    )  # fmt: skip
    ambiguous_orders: str = choice(
        "CLN-H.f", "A name in an order could mean more than one place.",
        by_rulebook="The rulebook says what becomes of the order (`doubtful_name`).",
        settled_by_unit="The order counts if its unit could carry out exactly one of the possible orders.",
        void="The order does not count, and the unit holds.",
    )  # fmt: skip
    double_orders: str = choice(
        "CLN-H.g", "A unit gets two different orders in one set, and both are possible.",
        by_rulebook="The rulebook says which of them counts (DATC 4.D.3).",
        cancel="Neither counts, and the unit holds, whatever the rulebook says.",
    )  # fmt: skip
    conditional_orders: str = choice(
        "CLN-H.h", "May orders depend on results?",
        none="No.",
        winter_and_retreats="Retreats and orders for Winter may depend on results that come with the same report, but "
        "never on orders that others give in the same season. They can be sent ahead, and are kept until their phase.",
    )  # fmt: skip
    draw_shares: str = choice(
        "CLN-H.j", "Who may share a draw?",
        all_survivors="All survivors, and nobody else.",
        any_group="The powers that the proposal names; the survivors left out must agree too.",
    )  # fmt: skip
    concession: str = choice(
        "CLN-H.j", "Who must agree that one power wins?",
        all_others="All the other survivors.",
        all_survivors="All survivors, including the winner.",
    )  # fmt: skip
    votes: str = choice(
        "CLN-H.j", "What does a report say about votes that have not ended the game?",
        secret="Nothing.",
        counted="What is proposed, and how many agree.",
        open="What is proposed, and who agrees.",
    )  # fmt: skip
    # what the host does
    season_grouping: str = choice(
        "CLN-H.b", "Which phases share a deadline?",
        five_phases="None: every phase has its own deadline.",
        retreats_apart="Moves and adjustments each have a deadline; retreats are due at once, and the game waits for "
        "them.",
        conditional="A season's moves, its retreats and the orders for Winter are all due together.",
        host=True,
    )  # fmt: skip
    deadline_days: int = number(
        "CLN-H.a", "How many days are there for a season's orders?",
        "The Gamesmaster sets each date.", "{n} days.", most=366, host=True,
    )  # fmt: skip
    first_deadline_days: int = number(
        "CLN-H.a", "How many days are there for the first season's orders?",
        "As many as for any other season.", "{n} days.", most=366, host=True,
    )  # fmt: skip
    retreat_days: int = number(
        "CLN-H.b", "How many days are there for retreats that have their own deadline?",
        "The Gamesmaster asks for them, and they are due by return.", "{n} days.", most=366, host=True,
    )  # fmt: skip
    winter_days: int = number(
        "CLN-H.a", "How many days are there for adjustments?", "As many as for a season's moves.", "{n} days.",
        most=366, host=True,
    )  # fmt: skip
    late_players: str = choice(
        "CLN-H.c", "When do players learn whose orders are late?",
        with_results="With the results, and not before.", at_deadline="At the deadline.", host=True,
    )  # fmt: skip
    standby_players: str = choice(
        "CLN-H.e", "Who takes a power that has lost its player?",
        whoever_comes="The first person who asks.",
        asked_beforehand="A standby. When one more missed deadline would lose the power, the standby is "
        "asked for orders; they are used only if the player misses again.",
        host=True,
    )  # fmt: skip
    corrections: str = choice(
        "CLN-H.i", "How long can players report an error in the results?",
        any_time="As long as the game goes on.",
        until_next_deadline="Until the next deadline; if the position changes, there is a new deadline. After "
        "the next season has been adjudicated, the position is final.",
        host=True,
    )  # fmt: skip
    press: str = choice(
        "CLN-P.a", "What do players publish with the results?",
        signed="Items of any length, under the name of their power.",
        grey="Items of any length, signed or unsigned, but none in the Gamesmaster's name.",
        any_name="Items of any length, under any name but the Gamesmaster's.",
        none="Nothing.",
        host=True,
    )  # fmt: skip
    letters: str = choice(
        "CLN-H.k", "May players write to each other?",
        free="Yes, anything at any time, true or false.",
        moves_only="Only while moves are due, not during retreats and adjustments.",
        none="No.",
        host=True,
    )  # fmt: skip
    seats: str = choice(
        "CLN-P.b", "Who plays which power?",
        as_agreed="As the players agree, or by lot.",
        lot="By lot: players cannot choose, and cannot exchange powers afterwards.",
        host=True,
    )  # fmt: skip
    rule_answers: str = choice(
        "CLN-P.e", "Who reads the answer to a question about the rules?",
        to_asker="The player who asked.",
        to_all="All players, if it matters to all; nobody learns who asked.", host=True,
    )  # fmt: skip
    gamesmaster_plays: str = choice(
        "CLN-H.l", "Does the Gamesmaster play a power?",
        no="No.", yes="Yes, and may see the others' orders only after sending orders for that power.", host=True,
    )  # fmt: skip

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

    def _beside(self, other: HouseRules) -> dict[str, str | int]:
        return {
            name: getattr(self, name) for name in house_rule_settings() if getattr(self, name) != getattr(other, name)
        }


_DOUBTFUL = {"settled_by_unit": "settled_by_unit", "void": "never"}
"""The rulebook's answer that goes with an answer of the house rules, where they decide."""


def house_rule_settings() -> dict[str, HouseRuleSetting]:
    """Return the description of each setting by its name; those that the program carries out come first."""
    return _SETTINGS


_SETTINGS: dict[str, HouseRuleSetting] = {f.name: f.metadata["setting"] for f in fields(HouseRules)}


def _preset(name: object) -> dict[str, Any]:
    if not isinstance(name, str) or name.casefold() not in HOUSE_RULE_PRESETS:
        raise BadRulebook(
            f"no house rules {str(name)[:60]!r}", hint=nearest(str(name), [*HOUSE_RULE_PRESETS, *house_rule_settings()])
        )
    return HOUSE_RULE_PRESETS[name.casefold()]


def _answer(name: str, setting: HouseRuleSetting, given: object) -> str | int:
    """Return an answer, or a number that may be given as digits; true and false mean yes and no."""
    if setting.most:
        if isinstance(given, str) and given.isdecimal() and len(given) < 5:
            given = int(given)
        if isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= setting.most:
            return given
        raise BadRulebook(f"{name} cannot be {str(given)[:60]!r}", hint=f"a number from 0 to {setting.most}")
    word = ("yes" if given else "no") if isinstance(given, bool) else given
    if isinstance(word, str) and word in setting.answers:
        return word
    hint = nearest(str(given), setting.answers) or "one of " + ", ".join(setting.answers)
    raise BadRulebook(f"{name} cannot be {str(given)[:60]!r}", hint=hint)


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
