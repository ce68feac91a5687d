"""The variants that batches can play under all their rules, and the reasons against others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from gamesmaster.batches.mechanics import mechanics_without_columns, newcomers, parts_of, rules_in_batch, state_at_start
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook
from gamesmaster.variant import Variant

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
    # irrelevant if all orders are legal, complete, correctly written, and one for each unit
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
    "doubtful_name": "void settled_by_unit never",
    # irrelevant if orders come once, from players who are all there, and every build is made
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
"""The answers to each choice of a rulebook under which a batch agrees with the judge.

Anything not named here is refused.
"""


@dataclass(frozen=True)
class Support:
    """The support for a variant in batches: true if it can be played by machine code.

    `why_not` are the reasons against it.
    """

    why_not: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.why_not


def supports(variant: Variant) -> Support:
    """Return whether games of this variant can be played in batches, under all its rules."""
    return Support(tuple(_against(variant)))


def _against(variant: Variant) -> Iterator[str]:
    board, rules = variant.board, rules_in_batch(variant)
    refused = list(mechanics_without_columns(rules))
    yield from refused
    if not refused and dict(state_at_start(rules)) != dict(variant.start.state):
        yield "a start at which a mechanic keeps something of its own"
    kinds = [slot.kind for slot in variant.calendar.slots]
    spares = not refused and any(part.columns.spares for part in parts_of(rules))
    if spares and board.shared and any(form.cargo for form in board.forms.values()):
        yield "units that cost nothing, where several that carry others lie"
    nobodies = {unit.power for unit in variant.start.units} - {power.name for power in variant.powers}
    if len(nobodies) > 1 and board.restricted:
        yield "places or borders closed to some, and units of several that nobody plays"
    if not refused and newcomers(rules) and len(nobodies | newcomers(rules)) > 1:
        yield "units of several that nobody plays, which come later"
    pairs = set(zip(kinds, [*kinds[1:], *kinds[:1]], strict=True))
    if (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS) in pairs and (PhaseKind.ADJUSTMENTS, PhaseKind.RETREATS) in pairs:
        yield "a Winter between moves and retreats"
    if variant.start.dislodged:
        yield "a start with units dislodged"
    if variant.victory.last_year is not None and variant.victory.then != "most centres":
        yield "a last year whose survivors share the game"
    yield from (f"the rulebook's {choice}" for choice in unknown(Rulebook.of(variant.rulebook)))


def unknown(book: Rulebook) -> Iterator[str]:
    """Yield the choices of a rulebook that batches do not carry out, each with its answer."""
    for choice in fields(book):
        answer = getattr(book, choice.name)
        if answer not in KNOWN.get(choice.name, "").split():
            yield f"{choice.name} = {answer}"
