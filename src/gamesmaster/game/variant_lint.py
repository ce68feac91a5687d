"""The linter for whole variants: the board's findings, and what is odd about powers, start, calendar and end."""

from __future__ import annotations

from collections.abc import Iterator

from gamesmaster.board.lint import lint
from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.errors import BadRulebook, nearest
from gamesmaster.game.variant import MOST_POWERS, Power, Variant
from gamesmaster.judge.rulebook import Rulebook
from gamesmaster.judge.rules import BuildSites
from gamesmaster.orders.model import PhaseKind


def lint_variant(variant: Variant) -> list[Finding]:
    """Everything suspicious about a variant and its board, errors first."""
    powers = {power.name: (power.adjective,) for power in variant.powers}
    found = [
        *_powers(variant),
        *_homes(variant),
        *_start(variant),
        *_victory(variant),
        *_calendar(variant),
        *_rulebook(variant),
        *lint(variant.board, powers, variant.victory.centres),
    ]
    return sorted(found, key=lambda finding: finding.level)


def _powers(variant: Variant) -> Iterator[Finding]:
    count, centres = len(variant.powers), len(variant.board.centres)
    if not count:
        yield error("no-powers", "", "nobody plays")
    elif count == 1:
        yield warning("one-power", "", f"{variant.powers[0].name} plays alone")
    elif count > MOST_POWERS:
        yield error("too-many-powers", "", f"{count} powers; {MOST_POWERS} is the most")
    if count > centres:
        yield warning("more-powers-than-centres", "", f"{count} powers for {centres} centres")
    taken: dict[str, str] = {}
    for power in variant.powers:
        for word in {power.name.casefold(), power.adjective.casefold()}:
            if word in taken:
                yield error("power-clash", power.name, f"{word!r} also means {taken[word]}")
            taken.setdefault(word, power.name)


def _homes(variant: Variant) -> Iterator[Finding]:
    board = variant.board
    holder: dict[str, Power] = {}
    for power in variant.powers:
        for key in power.homes:
            if key not in board.index:
                yield error(
                    "unknown-home", power.name, f"its home {key} is not on the board", nearest(key, board.index)
                )
            elif not board.province(key).centre:
                yield error("home-without-centre", power.name, f"its home {key} is no supply centre")
            if holder.setdefault(key, power) is not power:
                yield error("shared-home", power.name, f"its home {key} is {holder[key].name}'s home as well")
        if not power.homes and variant.build_sites is BuildSites.OWN_HOMES:
            yield warning("homeless", power.name, "no home centre: it can never build")


def _start(variant: Variant) -> Iterator[Finding]:
    names = variant.homes.keys()
    for problem in variant.start.problems(variant.board):
        yield error("bad-start", "start", problem)
    for unit in variant.start.units:
        if unit.power not in names:
            yield warning("neutral-unit", "start", f"{unit} belongs to {unit.power or 'nobody'}, no power of the game")
    for province, owner in variant.start.owners.items():
        if owner not in names:
            yield error(
                "unknown-owner", province, f"it is owned by {owner}, no power of the game", nearest(owner, names)
            )
    for power in variant.powers:
        if not variant.start.of(power.name) and not variant.start.centres(power.name):
            yield error("nothing-at-start", power.name, "it has neither units nor centres, and is out before it begins")


def _victory(variant: Variant) -> Iterator[Finding]:
    goal, count = variant.victory.centres, variant.victory.count
    for power in variant.powers:
        centres, units = len(variant.start.centres(power.name)), len(variant.start.of(power.name))
        if goal <= {"centres": centres, "units": units, "either": max(centres, units)}[count]:
            yield error("won-at-start", power.name, f"it has the {goal} that win before anybody has moved")


def _calendar(variant: Variant) -> Iterator[Finding]:
    slots = variant.calendar.slots
    kinds = [slot.kind for slot in slots]
    if PhaseKind.MOVEMENT not in kinds:
        yield error("no-movement", "calendar", "no phase in which units move")
    if PhaseKind.ADJUSTMENTS not in kinds:
        yield warning("no-adjustments", "calendar", "no phase in which units are built and removed")
    if not any(slot.count for slot in slots):
        yield error("no-count", "calendar", "the owners of the centres are never settled, so nobody can win")
    for number, kind in enumerate(kinds):
        if kind is PhaseKind.MOVEMENT and kinds[(number + 1) % len(kinds)] is not PhaseKind.RETREATS:
            where = f"calendar, {slots[number].season} movement"
            yield error("no-retreats", where, "no phase of retreats follows: beaten units have nowhere to go")


def _rulebook(variant: Variant) -> Iterator[Finding]:
    try:
        Rulebook.of(variant.rulebook)
    except BadRulebook as found:
        yield error("bad-rulebook", "rulebook", found.what, found.hint)
