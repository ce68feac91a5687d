"""Which of a rulebook's choices batches carry out: whatever is not named here is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from gamesmaster.judge import Rulebook

KNOWN: Mapping[str, str] = {
    # carried out in columns
    "multi_route_convoy": "any_route_survives every_route_must_survive",
    "convoy_paradox": "szykman 1971 1982 2000 all_hold",
    "adjacent_convoy": (
        "by_intent by_intent_or_land by_intent_or_own_swap when_swapping explicit_via always_by_convoy"
    ),
    "convoy_strikes_from": "start",
    "retreat_to_convoy_origin": "allowed forbidden",
    "dislodged_still_contests": "never_in_head_to_head never always",
    "coastal_crawl": "forbidden",
    # met by every order of a batch: its move, and the support of one, say which coast; no convoy names its path
    "convoy_path": "ignored allowed",
    "support_coast": "either required own_unit_only default always_required",
    # asks for more than the orders of a batch say
    "nation_omitted": "understood",
    # of no account where all orders are legal, complete, correctly written, and one for each unit
    "coast_omitted": "void default",
    "coast_omitted_single": "understood void default",
    "wrong_coast_named": "void ignored",
    "needless_coast": "ignored void",
    "unknown_coast": "ignored void",
    "build_coast_omitted": "void default",
    "kind_omitted": "understood void",
    "kind_mistaken": "ignored void",
    "build_kind_omitted": "army_inland by_coast void",
    "fleet_inland": "void army",
    "nation_mistaken": "ignored void",
    "double_orders": "first last cancel",
    "excess_builds": "first none last",
    "double_builds": "first none last",
    "excess_removals": "first automatic last",
    "impossible_order": "holds_supportable refuses_support refuses_if_ever_possible",
    "implicit_orders": "forbidden allowed",
    "doubtful_name": "void settled_by_unit",
    # of no account where orders come once, from players who are all there, and every build is made
    "later_set": "replaces_unless_amending amends amends_unless_replacing replaces",
    "undated_sets": "combined hold",
    "perpetual_orders": "forbidden allowed",
    "proxy_orders": "forbidden if_announced in_orders",
    "waive_builds": "allowed forbidden",
    "disorder_support": "allowed refused",
    "flying_dutchman": "removed",
    # asked of the judge itself
    "default_removal": "nearest_owned_centre nearest_home_centre nearest_home_province",
}
"""Of each choice the answers under which a batch comes to what the judge comes to."""


def unknown(book: Rulebook) -> Iterator[str]:
    """The choices of a rulebook that batches do not carry out, each with its answer."""
    for choice in fields(book):
        answer = getattr(book, choice.name)
        if answer not in KNOWN.get(choice.name, "").split():
            yield f"{choice.name} = {answer}"
