"""What the linter sees in a variant's rules: the rulebook, the mechanics, what powers can build and come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields

from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.board.position import Position
from gamesmaster.errors import BadRulebook
from gamesmaster.game.variant import Variant
from gamesmaster.game.variant_lint_reach import lint_reach
from gamesmaster.judge import BoardMechanic, ReportMechanic, WinterMechanic, build_sites
from gamesmaster.judge.rules import Rulebook, Rules


def lint_rulebook(variant: Variant) -> Iterator[Finding]:
    """A rulebook that nobody knows, that says two things about one question, or asks for what there is not."""
    try:
        book = Rulebook.of(variant.rulebook)
    except BadRulebook as found:
        yield error("bad-rulebook", "rulebook", found.what, found.hint)
        return
    told = {} if isinstance(variant.rulebook, str) else variant.rulebook
    for name, issue in ((field.name, field.metadata["issue"]) for field in fields(Rulebook)):
        if name in told and issue in told:
            one, other = (Rulebook.of({key: told[key]}) for key in (name, issue))
            if one != other:
                yield error("rule-twice", "rulebook", f"{name} and {issue} are one question, with two answers here")
    if book.convoy_path == "required" and book.adjacent_convoy == "when_swapping":
        text = "an army must name its convoy (4.A.6), but goes by sea only where it is not asked (4.A.3)"
        yield warning("rules-at-odds", "rulebook", text)
    told_apart = bool(Rules.of(variant, book).asked(WinterMechanic.removal_order))
    if book.default_removal.startswith("nearest_home") and not told_apart:
        for power in variant.powers:
            if not power.homes and not power.provinces:
                text = f"removals go by the distance from home (4.D.8), and {power.name} has none"
                yield warning("no-home-to-measure", "rulebook", text)


def lint_played(variant: Variant, rules: Rules) -> Iterator[Finding]:
    """What only rules and mechanics together can tell, of a variant that differs sound."""
    seasons = [name for slot in variant.calendar.slots for name in (slot.season, *slot.also)]
    for name, number in Counter(mechanic.id for mechanic in variant.mechanics).items():
        if number > 1 and not next(m for m in variant.mechanics if m.id == name).several:
            yield error("mechanic-twice", f"mechanics {name}", "it is there twice, and can only be once")
    for lint in rules.asked(BoardMechanic.lint):
        yield from lint(rules, seasons)
    standing = {number for signs in rules.asked(ReportMechanic.unit_signs) for number in signs(rules, variant.start)}
    for unit in variant.start.units:
        if unit.power not in rules.numbers and unit.number not in standing:
            yield warning("neutral-unit", "start", f"{unit} belongs to {unit.power or 'nobody'}, no power of the game")
    for power in variant.powers:
        rich = Position(owners=dict.fromkeys(variant.board.centres, power.name), state=variant.start.state)
        if not build_sites(rules, rich, power.name):
            yield warning("homeless", power.name, "it can never build: no home centre, and nowhere else that it may")
    yield from lint_reach(variant, rules)
