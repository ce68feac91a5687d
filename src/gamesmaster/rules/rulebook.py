"""The rulebook: every choice that the rules leave open.

The DATC's chapter 4 lists the questions on which rulebooks and custom differ.  Each is a field of `Rulebook`, each
answer a word; the DATC's own letters are accepted too.  `PRESETS` are the books by date.

>>> Rulebook.of("1971").convoy_paradox
'1971'
>>> Rulebook.of({"4.A.3": "c"}).adjacent_convoy
'by_intent_or_land'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from gamesmaster.errors import BadRulebook, nearest


def choice(issue: str, question: str, **answers: str) -> Any:
    """Declare a field: the DATC issue it settles, the question, and {answer: DATC letters}; the first is the default.

    Letters of DATC 2.5 that mean something else in 3.2 are marked `@2.5`.  A trailing underscore hides a digit.
    """
    named = {name.lstrip("_"): letters for name, letters in answers.items()}
    return field(default=next(iter(named)), metadata={"issue": issue, "question": question, "answers": named})


@dataclass(frozen=True)
class Rulebook:
    """Every choice of DATC chapter 4, and three of our own; the defaults are the readings preferred by DATC 3.2."""

    # 4.A convoys
    multi_route_convoy: str = choice(
        "4.A.1", "When is a convoy with several routes disrupted?",
        any_route_survives="b", every_route_must_survive="a",
    )  # fmt: skip
    convoy_paradox: str = choice(
        "4.A.2", "What settles a convoy paradox?",
        szykman="f", _1971="a", _1982="b", _2000="c", all_hold="d",
    )  # fmt: skip
    adjacent_convoy: str = choice(
        "4.A.3", "When does an army bound for the next province go by sea?",
        by_intent="d", by_intent_or_land="c", by_intent_or_own_swap="b", when_swapping="a", explicit_via="DPTG",
        always_by_convoy="a@2.5",
    )  # fmt: skip
    convoy_strikes_from: str = choice("4.A.4", "Where does a convoyed attack come from?", start="start", fleet="fleet")
    retreat_to_convoy_origin: str = choice(
        "4.A.5", "May a unit retreat to where its convoyed attacker came from?", allowed="b", forbidden="a"
    )
    convoy_path: str = choice(
        "4.A.6", "May, or must, an order name the path of its convoy?", ignored="a", allowed="b", required="c"
    )
    dislodged_still_contests: str = choice(
        "4.A.7", "Does a unit dislodged by its opponent contest the place that opponent left?",
        never_in_head_to_head="b", never="a", always="always",
    )  # fmt: skip
    # 4.B coasts
    coast_omitted: str = choice("4.B.1", "A move omits the coast where two can be reached.", void="a", default="b")
    coast_omitted_single: str = choice(
        "4.B.2", "A move omits the coast where one can be reached.", understood="a", void="b c@2.5", default="b@2.5"
    )
    wrong_coast_named: str = choice("4.B.3", "A move names the coast that cannot be reached.", void="b", ignored="a")
    support_coast: str = choice(
        "4.B.4", "A support omits or mistakes the coast of the move.",
        either="c d@2.5 c@2.5 match", required="a", own_unit_only="b", default="b@2.5", always_required="a@2.5",
        ignored="e",
    )  # fmt: skip
    needless_coast: str = choice("4.B.5", "A wrong coast is named for a place a unit stands on.", ignored="b", void="a")
    unknown_coast: str = choice("4.B.6", "A coast is named that does not exist, or for an army.", ignored="b", void="a")
    build_coast_omitted: str = choice("4.B.7", "A fleet's build omits the coast.", void="a", default="b")
    # 4.C unit and nationality words
    kind_omitted: str = choice("4.C.1", "An order omits army or fleet.", understood="b", void="a")
    kind_mistaken: str = choice("4.C.2", "An order says army for a fleet, or the reverse.", ignored="b", void="a")
    build_kind_omitted: str = choice(
        "4.C.3", "A build omits army or fleet.", army_inland="rule b", by_coast="c", void="a"
    )
    fleet_inland: str = choice("4.C.4", "A fleet is built inland.", void="a", army="b")
    nation_omitted: str = choice("4.C.5", "A support omits the nationality.", understood="b", void="a")
    nation_mistaken: str = choice("4.C.6", "A support mistakes the nationality.", ignored="b", void="a")
    # 4.D too many and too few orders
    later_set: str = choice(
        "4.D.1", "A later set of orders comes in.",
        replaces_unless_amending="c", amends="a", amends_unless_replacing="b", replaces="d",
    )  # fmt: skip
    undated_sets: str = choice("4.D.2", "Sets come in and nobody knows which is the last.", combined="b", hold="a")
    double_orders: str = choice("4.D.3", "A unit gets two possible orders in one set.", first="a", last="b", cancel="c")
    excess_builds: str = choice("4.D.4", "More builds are ordered than allowed.", first="b", none="a", last="c")
    double_builds: str = choice("4.D.5", "Two builds are ordered in one place.", first="b", none="a", last="c")
    excess_removals: str = choice("4.D.6", "More removals are ordered than needed.", first="b", automatic="a", last="c")
    waive_builds: str = choice("4.D.7", "May a build be declined?", allowed="a", forbidden="b")
    default_removal: str = choice(
        "4.D.8", "What is removed when the owner does not say?",
        nearest_owned_centre="c", nearest_home_centre="a d@2.5", nearest_home_province="b",
    )  # fmt: skip
    disorder_support: str = choice(
        "4.D.9", "May units in civil disorder be supported in place?", allowed="b", refused="a"
    )
    # 4.E illegal and unusual orders
    impossible_order: str = choice(
        "4.E.1", "What does an order do that could not come true?",
        holds_supportable="rule d", refuses_support="a b", refuses_if_ever_possible="c",
    )  # fmt: skip
    implicit_orders: str = choice("4.E.3", "Is a move deduced from its support or convoy?", forbidden="b", allowed="a")
    perpetual_orders: str = choice("4.E.4", "May orders stand for later turns?", forbidden="b", allowed="a")
    proxy_orders: str = choice(
        "4.E.5", "May another player order the unit?", forbidden="c", if_announced="a", in_orders="b"
    )
    flying_dutchman: str = choice("4.E.6", "A unit that should not be there is found.", removed="rule")
    # not in the DATC
    doubtful_name: str = choice(
        "STD-4.f", "A name could mean several places.", void="no", settled_by_unit="yes", never="never, not by a reader"
    )
    coastal_crawl: str = choice(
        "STD-5.h", "May fleets change places along different coasts of a province?", forbidden="no", allowed="yes"
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            object.__setattr__(self, f.name, _answer(f.metadata, f.name, getattr(self, f.name)))

    @classmethod
    def of(cls, value: Rulebook | str | Mapping[str, object] | None) -> Rulebook:
        """Read a preset's name, or choices by field or DATC number (`{"preset": "1971", "4.A.2": "f"}`).

        Raises `BadRulebook`, naming the nearest preset, field or answer.
        """
        if value is None:
            return cls()
        if isinstance(value, Rulebook):
            return value
        if isinstance(value, str):
            if value.casefold() not in PRESETS:
                raise BadRulebook(f"no rulebook {value!r}", hint=nearest(value, PRESETS))
            return cls(**PRESETS[value.casefold()])
        if not isinstance(value, Mapping):
            raise BadRulebook("a rulebook is a preset's name or an object of choices")
        rest = dict(value)
        base = rest.pop("preset", "datc")
        if not isinstance(base, str) or base.casefold() not in PRESETS:
            raise BadRulebook(f"no rulebook {base!r}", hint=nearest(str(base), PRESETS))
        chosen: dict[str, Any] = dict(PRESETS[base.casefold()])
        chosen.update({_field_named(str(key)): answer for key, answer in rest.items()})
        return cls(**chosen)

    def choices(self) -> dict[str, str]:
        """Return the choices that differ from the default, by field."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}


def _field_named(key: str) -> str:
    by_issue = {f.metadata["issue"]: f.name for f in fields(Rulebook)}
    names = {f.name for f in fields(Rulebook)}
    if key in names:
        return key
    if key in by_issue:
        return by_issue[key]
    raise BadRulebook(f"no rule choice {key[:60]!r}", hint=nearest(key, names | set(by_issue)))


def _answer(metadata: Mapping[str, Any], name: str, given: object) -> str:
    answers: dict[str, str] = metadata["answers"]
    word = {True: "allowed", False: "forbidden"}.get(given, given) if isinstance(given, bool) else given
    if isinstance(word, str):
        if word in answers:
            return word
        for answer, letters in answers.items():
            if word in letters.split():
                return answer
    raise BadRulebook(
        f"{name} ({metadata['issue']}) cannot be {str(given)[:60]!r}",
        hint=nearest(str(given), answers) or "one of " + ", ".join(answers),
    )


_OLD = {
    "impossible_order": "refuses_support",
    "default_removal": "nearest_home_centre",
    "retreat_to_convoy_origin": "forbidden",
    "double_orders": "cancel",
}
_1971 = _OLD | {
    "convoy_paradox": "1971",
    "multi_route_convoy": "every_route_must_survive",
    "adjacent_convoy": "when_swapping",
}
PRESETS: dict[str, dict[str, str]] = {
    "datc": {},
    "today": {},
    "1971": _1971,
    "1976": _1971,  # the 1971 text under a new publisher's name (STD-11.a)
    "1982": _OLD | {"convoy_paradox": "1982"},
    "2000": {
        "convoy_paradox": "2000",
        "adjacent_convoy": "by_intent_or_land",
        "default_removal": "nearest_home_province",
        "retreat_to_convoy_origin": "forbidden",
        "double_orders": "cancel",
    },
    "2023": {"convoy_paradox": "2000", "adjacent_convoy": "by_intent_or_land"},
    "dptg": {
        "adjacent_convoy": "explicit_via",
        "convoy_strikes_from": "fleet",
        "support_coast": "ignored",
        "impossible_order": "refuses_support",
    },
}
"""The books by name: DATC 3.2's preferences, the dated presets of STD-11, 2000, 2023, the DPTG's known choices."""
