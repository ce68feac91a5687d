"""The linter for whole variants: the board's findings, and what is odd about powers, start, calendar and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gamesmaster.board.lint import lint
from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.errors import nearest
from gamesmaster.game.variant import MOST_POWERS, Power, Variant
from gamesmaster.game.variant_lint_rules import lint_played, lint_rulebook
from gamesmaster.judge.rules import Rules
from gamesmaster.orders.model import PhaseKind

_OF_REACH = ("unreachable", "unreachable-centre", "apart", "island-without-convoy", "dead-end")
"""Findings about what units can come to, by whatever way of travel."""


def lint_variant(variant: Variant) -> list[Finding]:
    """Everything suspicious about a variant and its board, errors first.

    What shows only when rules and mechanics are taken together is looked at when the rest is free of errors.
    """
    powers = {power.name: (power.adjective, *power.also) for power in variant.powers}
    found = [
        *_powers(variant),
        *_homes(variant),
        *_start(variant),
        *_victory(variant),
        *_calendar(variant),
        *lint_rulebook(variant),
        *_board(variant, powers),
    ]
    if not any(finding.level == "error" for finding in found):
        found += lint_played(variant, Rules.of(variant))
    return sorted(found, key=lambda finding: finding.level)


def _board(variant: Variant, powers: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """The findings on the board as it is drawn; what mechanics add to it may help to come somewhere."""
    board, goal = variant.board, variant.victory.centres
    ways = {kind: board.ways[kind] for kind in board.kinds}
    edges = tuple(edge for edge in board.edges if edge.way in ways.values())
    still = {(f.code, f.where) for f in lint(board, powers, goal)} if board.forms else set()
    for finding in lint(replace(board, edges=edges, ways=ways, forms={}), powers, goal):
        if not (board.forms and finding.code in _OF_REACH) or (finding.code, finding.where) in still:
            yield finding


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
        for word in {word.casefold() for word in (power.name, power.adjective, *power.also)}:
            if word in taken:
                yield error("power-clash", power.name, f"{word!r} also means {taken[word]}")
            taken.setdefault(word, power.name)
    yield from _alike(variant.powers)


def _alike(powers: Iterable[Power]) -> Iterator[Finding]:
    """Powers that maps show by the same colour or letters, because the file asks for it."""
    taken: dict[str, str] = {}
    for power in powers:
        for what, word in (("colour", power.colour), ("letter", power.letter)):
            if word and (other := taken.setdefault(f"{what} {word}", power.name)) != power.name:
                yield warning(f"same-{what}", power.name, f"maps show it by the {what} of {other}: {word}")


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
                yield error("home-without-centre", power.name, f"its home {key} is not a supply centre")
            if holder.setdefault(key, power) is not power:
                yield error("shared-home", power.name, f"its home {key} is {holder[key].name}'s home as well")


def _start(variant: Variant) -> Iterator[Finding]:
    names = variant.homes.keys()
    for problem in variant.start.problems(variant.board):
        yield error("bad-start", "start", problem)
    for province, owner in variant.start.owners.items():
        if owner not in names:
            yield error(
                "unknown-owner", province, f"it is owned by {owner}, no power of the game", nearest(owner, names)
            )
    for power in variant.powers:
        if not variant.start.of(power.name) and not variant.start.centres(power.name):
            yield error("nothing-at-start", power.name, "it has neither units nor centres, and is out before it begins")
        elif not variant.start.of(power.name) and variant.calendar.first.kind is PhaseKind.MOVEMENT:
            text = "it begins without units, and nobody can build before the first moves"
            yield warning("waits", power.name, text, "first_phase in [calendar] can be a Winter")


def _victory(variant: Variant) -> Iterator[Finding]:
    goal, count = variant.victory.centres, variant.victory.count
    for power in variant.powers:
        centres, units = len(variant.start.centres(power.name)), len(variant.start.of(power.name))
        own = variant.victory.needed(power.name)
        if own > len(variant.board.centres) >= goal and count == "centres":
            text = f"it needs {own} centres to win, but there are only {len(variant.board.centres)}"
            yield error("victory-out-of-reach", power.name, text)
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
    elif not any(slot.count and slot.kind is not PhaseKind.MOVEMENT for slot in slots):
        yield warning("early-count", "calendar", "the owners are settled before the beaten units have retreated")
    if PhaseKind.ADJUSTMENTS not in kinds and (variant.victory.count == "units" or variant.victory.when == "winter"):
        yield error("never-counted", "victory", "victory is counted after a winter, but no phase is in winter")
    for number, kind in enumerate(kinds):
        if kind is PhaseKind.MOVEMENT and kinds[(number + 1) % len(kinds)] is not PhaseKind.RETREATS:
            where = f"calendar, {slots[number].season} movement"
            yield error("no-retreats", where, "no phase of retreats follows: beaten units have nowhere to go")
