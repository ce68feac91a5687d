"""The linters of variants: of a whole variant, and of a folder that may not make one yet.

Of a variant: the board's findings, and what is odd about powers, start, calendar and end.  Of a folder: every fault of
its files, where reading them stops at the first.  What is at fault is noted and left out, and the rest is read again,
until it makes a variant that the other linters can look at, or nothing more can be left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

from gamesmaster.board import ARMY, FLEET, FLEET_WAY, Board, Finding, Position, lint
from gamesmaster.errors import BadBoard, BadFile, BadRulebook, GamesmasterError, NotFound, nearest
from gamesmaster.judge import build_sites
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BoardMechanic, ReportMechanic, Rulebook, Rules, WinterMechanic
from gamesmaster.variant.model import MOST_POWERS, Power, Variant
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data

_OF_REACH = ("unreachable", "unreachable-centre", "apart", "island-without-convoy", "dead-end")
"""Findings about what units can come to, by whatever way of travel."""
FILE = "variant.toml"
MOST_FAULTS = 200
MISSING = "this key is missing"

_STEP = re.compile(r'\.([A-Za-z0-9_-]+)|\[(\d+)\]|\["([^"]*)"\]')
_SPRING = {"season": "Spring", "kind": "movement"}, {"season": "Spring", "kind": "retreats", "count": True}
_STAND_INS: Mapping[str, Any] = {
    "format": 1,
    "id": "nameless",
    "name": "Nameless",
    "victory": {"centres": 1_000},
    "calendar": {"first_year": 1, "phases": [*_SPRING, {"season": "Winter", "kind": "adjustments"}]},
    "powers": [],
}
"""Values to read in place of a required part that is missing, or of a wrong type as a whole."""

_FOLLOW: Mapping[str, Sequence[str]] = {
    "powers": ("unknown-power", "unknown-owner", "nothing-at-start", "no-powers", "one-power", "waits"),
    "victory": (
        "victory-out-of-reach",
        "shared-victory",
        "won-at-start",
        "beyond-reach",
        "never-counted",
        "over-at-start",
    ),
    "calendar": ("over-at-start", "no-movement", "no-adjustments", "no-count", "no-retreats", "never-counted", "waits"),
}
"""Findings about the whole that may say no more than that a part of it was left out."""

Keys = tuple[str | int, ...]
_Across = Callable[[int], set[int]]


def lint_variant(variant: Variant) -> list[Finding]:
    """Return everything suspicious about a variant and its board, errors first.

    What shows only when rules and mechanics are taken together is looked at when the rest is free of errors.
    """
    powers = {power.name: (power.adjective, *power.also) for power in variant.powers}
    findings = [
        *_powers(variant),
        *_homes(variant),
        *_start(variant),
        *_victory(variant),
        *_calendar(variant),
        *lint_rulebook(variant),
        *_board(variant, powers),
    ]
    if not any(finding.level == "error" for finding in findings):
        findings += lint_play(variant, Rules.of(variant))
    return sorted(findings, key=lambda finding: finding.level)


def _board(variant: Variant, powers: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """Yield the findings on the board as it is drawn; what mechanics add to it may help to come somewhere.

    On the board of another variant, homes and borders of powers that do not play here count for nothing.
    """
    board, goal = variant.board, variant.victory.centres
    if variant.board_of:
        board = _without_absent(board, powers)
    ways = _drawn_ways(board)
    edges = tuple(edge for edge in board.edges if edge.way in ways.values())
    still = {(f.code, f.where) for f in lint(board, powers, goal)} if board.forms else set()
    names = {key: power.name for power in variant.powers for key in power.homes}
    alike = {p.id for p in board.provinces if names.get(p.id) in (p.name, *p.aliases)}
    for finding in lint(replace(board, edges=edges, ways=ways, forms={}, traits={}), powers, goal):
        if finding.code == "power-word" and finding.where in alike:
            continue  # a power that is called after its home
        if not (board.forms and finding.code in _OF_REACH) or (finding.code, finding.where) in still:
            yield finding


def _drawn_ways(board: Board) -> dict[str, str]:
    """Return the ways of travel by kind of unit; kinds with traits make theirs of the ways of armies and fleets."""
    ways = {kind: board.ways[kind] for kind in board.kinds if kind not in board.traits}
    drawn = {edge.way for edge in board.edges} if board.traits else set()
    return ways | {kind: way for kind, way in ((ARMY, "army"), (FLEET, FLEET_WAY)) if way in drawn}


def _without_absent(board: Board, powers: Mapping[str, Iterable[str]]) -> Board:
    """Return the board without the names of powers that do not play."""
    names = frozenset(powers)
    return replace(
        board,
        provinces=tuple(p if p.home in names else replace(p, home=None) for p in board.provinces),
        edges=tuple(edge._replace(only=edge.only & names) for edge in board.edges),
        closures=tuple(replace(closure, powers=closure.powers & names) for closure in board.closures),
    )


def _powers(variant: Variant) -> Iterator[Finding]:
    count, centres = len(variant.powers), len(variant.board.centres)
    if not count:
        yield Finding.error("no-powers", "", "nobody plays")
    elif count == 1:
        yield Finding.warning("one-power", "", f"{variant.powers[0].name} plays alone")
    elif count > MOST_POWERS:
        yield Finding.error("too-many-powers", "", f"{count} powers; {MOST_POWERS} is the most")
    if count > centres:
        yield Finding.warning("more-powers-than-centres", "", f"{count} powers for {centres} centres")
    taken: dict[str, str] = {}
    for power in variant.powers:
        for word in {word.casefold() for word in (power.name, power.adjective, *power.also)}:
            if word in taken:
                yield Finding.error("power-clash", power.name, f"{word!r} also means {taken[word]}")
            taken.setdefault(word, power.name)
    yield from _alike(variant.powers)


def _alike(powers: Iterable[Power]) -> Iterator[Finding]:
    """Warn of powers with the same colour or letter on maps, if the file sets it and there are colours enough."""
    from gamesmaster.variant.file_models import Colour

    taken: dict[str, str] = {}
    row = tuple(powers)
    enough = len(row) < len(get_args(Colour))  # one of which is no colour
    for power in row:
        for what, word in (("colour", power.colour if enough else ""), ("letter", power.letter)):
            if word and (other := taken.setdefault(f"{what} {word}", power.name)) != power.name:
                yield Finding.warning(f"same-{what}", power.name, f"maps show it by the {what} of {other}: {word}")


def _homes(variant: Variant) -> Iterator[Finding]:
    board = variant.board
    holder: dict[str, Power] = {}
    for power in variant.powers:
        for key in power.homes:
            if key not in board.index:
                yield Finding.error(
                    "unknown-home", power.name, f"its home {key} is not on the board", nearest(key, board.index)
                )
            elif not board.province(key).centre:
                yield Finding.error("home-without-centre", power.name, f"its home {key} is not a supply centre")
            if holder.setdefault(key, power) is not power:
                yield Finding.error("shared-home", power.name, f"its home {key} is {holder[key].name}'s home as well")


def _start(variant: Variant) -> Iterator[Finding]:
    names = variant.homes.keys()
    for problem in variant.start.problems(variant.board):
        yield Finding.error("bad-start", "start", problem)
    for province, owner in variant.start.owners.items():
        if owner not in names:
            yield Finding.error(
                "unknown-owner", province, f"it is owned by {owner}, no power of the game", nearest(owner, names)
            )
    for power in variant.powers:
        if not variant.start.of(power.name) and not variant.start.centres(power.name):
            yield Finding.error(
                "nothing-at-start", power.name, "it has neither units nor centres, and is out before it begins"
            )
        elif not variant.start.of(power.name) and variant.calendar.first.kind is PhaseKind.MOVEMENT:
            text = "it begins without units, and nobody can build before the first moves"
            yield Finding.warning("waits", power.name, text, "first_phase in [calendar] can be a Winter")


def _victory(variant: Variant) -> Iterator[Finding]:
    goal, count = variant.victory.centres, variant.victory.count
    lead, last, first = variant.victory.lead, variant.victory.last_year, variant.calendar.date(variant.calendar.first)
    if lead and lead.centres > len(variant.board.centres) and not lead.falls:
        text = f"a lead of {lead.centres} centres wins, but there are only {len(variant.board.centres)}"
        yield Finding.error("victory-out-of-reach", "victory lead", text)
    if last is not None and last < first:
        yield Finding.error("over-at-start", "victory last_year", f"the game begins in {first}, after its last year")
    for power in variant.powers:
        centres, units = len(variant.start.centres(power.name)), len(variant.start.of(power.name))
        own = variant.victory.target(power.name)
        if own > len(variant.board.centres) >= goal and count == "centres":
            text = f"it needs {own} centres to win, but there are only {len(variant.board.centres)}"
            yield Finding.error("victory-out-of-reach", power.name, text)
        second = max((len(variant.start.centres(p.name)) for p in variant.powers if p is not power), default=0)
        if lead and centres - second >= lead.needed(0):
            yield Finding.error("won-at-start", power.name, "it has the lead that wins before anybody has moved")
        if goal <= {"centres": centres, "units": units, "either": max(centres, units)}[count]:
            yield Finding.error("won-at-start", power.name, f"it has the {goal} that win before anybody has moved")


def _calendar(variant: Variant) -> Iterator[Finding]:
    slots = variant.calendar.slots
    kinds = [slot.kind for slot in slots]
    if PhaseKind.MOVEMENT not in kinds:
        yield Finding.error("no-movement", "calendar", "no phase in which units move")
    if PhaseKind.ADJUSTMENTS not in kinds:
        yield Finding.warning("no-adjustments", "calendar", "no phase in which units are built and removed")
    if not any(slot.count for slot in slots):
        yield Finding.error("no-count", "calendar", "the owners of the centres are never settled, so nobody can win")
    elif not any(slot.count and slot.kind is not PhaseKind.MOVEMENT for slot in slots):
        yield Finding.warning(
            "early-count", "calendar", "the owners are settled before the beaten units have retreated"
        )
    if PhaseKind.ADJUSTMENTS not in kinds and (variant.victory.count == "units" or variant.victory.when == "winter"):
        yield Finding.error("never-counted", "victory", "victory is counted after a winter, but no phase is in winter")
    for number, kind in enumerate(kinds):
        if kind is PhaseKind.MOVEMENT and kinds[(number + 1) % len(kinds)] is not PhaseKind.RETREATS:
            where = f"calendar, {slots[number].season} movement"
            yield Finding.error("no-retreats", where, "no phase of retreats follows: beaten units have nowhere to go")


def lint_rulebook(variant: Variant) -> Iterator[Finding]:
    """Yield findings on unknown, contradictory or unavailable rulebook choices."""
    try:
        book = Rulebook.of(variant.rulebook)
    except BadRulebook as error:
        yield Finding.error("bad-rulebook", "rulebook", error.what, error.hint)
        return
    choices = {} if isinstance(variant.rulebook, str) else variant.rulebook
    for name, issue in ((field.name, field.metadata["issue"]) for field in fields(Rulebook)):
        if name in choices and issue in choices:
            one, other = (Rulebook.of({key: choices[key]}) for key in (name, issue))
            if one != other:
                yield Finding.error(
                    "rule-twice", "rulebook", f"{name} and {issue} are one question, with two answers here"
                )
    if book.convoy_path == "required" and book.adjacent_convoy == "when_swapping":
        text = "an army must name its convoy (4.A.6), but goes by sea only where it is not asked (4.A.3)"
        yield Finding.warning("rules-at-odds", "rulebook", text)
    has_order = bool(Rules.of(variant, book).hooks(WinterMechanic.removal_order))
    if book.default_removal.startswith("nearest_home") and not has_order:
        for power in variant.powers:
            if not power.homes and not power.provinces:
                text = f"removals go by the distance from home (4.D.8), and {power.name} has none"
                yield Finding.warning("no-home-to-measure", "rulebook", text)


def lint_play(variant: Variant, rules: Rules) -> Iterator[Finding]:
    """Yield the findings that need the rules and mechanics together, for a variant that is sound otherwise."""
    seasons = [name for slot in variant.calendar.slots for name in (slot.season, *slot.also)]
    for name, number in Counter(mechanic.id for mechanic in variant.mechanics).items():
        if number > 1 and not next(m for m in variant.mechanics if m.id == name).several:
            yield Finding.error("mechanic-twice", f"mechanics {name}", "it is there twice, and can only be once")
    for look in rules.hooks(BoardMechanic.lint):
        yield from look(rules, seasons)
    standing = {number for signs in rules.hooks(ReportMechanic.unit_signs) for number in signs(rules, variant.start)}
    for unit in variant.start.units:
        if unit.power not in rules.numbers and unit.number not in standing:
            yield Finding.warning(
                "neutral-unit", "start", f"{unit} belongs to {unit.power or 'nobody'}, no power of the game"
            )
    for power in variant.powers:
        rich = Position(owners=dict.fromkeys(variant.board.centres, power.name), state=variant.start.state)
        if not build_sites(rules, rich, power.name):
            yield Finding.warning(
                "homeless", power.name, "it can never build: no home centre, and nowhere else that it may"
            )
    yield from lint_reach(variant, rules)


def lint_reach(variant: Variant, rules: Rules) -> Iterator[Finding]:
    """Yield a finding for each power that can never own the centres it needs.

    It starts from its units, its homes and the places that it may win there.
    """
    total = len(variant.board.centres)
    across = cache(partial(_across, variant.board))
    for power in variant.powers:
        needed = variant.victory.target(power.name)
        if variant.victory.count != "centres" or needed > total:
            continue  # a target above the total is reported above
        can = _reachable(variant, rules, power.name, across)
        owned = {*can, *variant.start.centres(power.name)} & set(variant.board.centres)
        if owned and len(owned) < needed:
            text = f"{needed} centres win, and it can never come to more than {len(owned)}"
            missing = [key for key in variant.board.centres if key not in owned]
            yield Finding.error("beyond-reach", power.name, text, f"out of its reach: {', '.join(missing[:8])}")


def _reachable(variant: Variant, rules: Rules, power: str, across: _Across) -> set[str]:
    """Return the provinces that a power's units, including those it may still build, could reach unhindered."""
    board, start = variant.board, variant.start
    standing = {(unit.kind, board.location_index[unit.at]) for unit in start.of(power)}
    seen: set[tuple[str, int]] = set()
    while True:
        seen |= _reach(board, power, standing, across)
        mine = {board.provinces[board.place[location]].id for _, location in seen}
        owned = {key: power for key in {*mine, *start.centres(power)} if board.province(key).centre}
        more = set(_possible_builds(rules, power, Position(owners=owned, state=start.state))) - seen
        if not more:
            return mine
        standing = more


def _possible_builds(rules: Rules, power: str, position: Position) -> Iterator[tuple[str, int]]:
    """Yield what the power could build if it owned all of this position's centres, by kind and location."""
    board = rules.board
    for province, kinds in build_sites(rules, position, power).items():
        for location in board.locations_of(board.index[province]):
            for kind in kinds.intersection(board.kinds):
                if board.can_stand(kind, board.locations[location]):
                    yield kind, location


def _reach(board: Board, power: str, begun: Iterable[tuple[str, int]], across: _Across) -> set[tuple[str, int]]:
    """Return the kinds of unit and locations reachable from these, by steps and by convoys of any power."""
    seen, ring = set(begun), list(begun)
    while ring:
        kind, here = ring.pop()
        ahead = [to for locations in board.reach(kind, here).values() for to in locations]
        ahead = [to for to in ahead if not (board.restricted and board.barred(power, kind, here, to))]
        if kind not in board.forms and board.convoyed(kind):
            ahead += [board.locations_of(p)[0] for p in across(board.place[here])]
        near = {(kind, to) for to in ahead} | {(other, here) for other in _forms(board, kind, here)}
        ring += near - seen
        seen |= near
    return seen


def _forms(board: Board, kind: str, here: int) -> Iterator[str]:
    """Yield the forms that a unit may take in a place: other forms of its kind, and its own kind again."""
    if kind in board.forms and board.can_stand(board.base(kind), board.locations[here]):
        yield board.base(kind)
    yield from (form for form, entry in board.forms.items() if entry.base == kind and board.reach(form, here))


def _across(board: Board, shore: int) -> set[int]:
    """Return the shores to which a chain of fleets could convoy an army."""
    waters, ring = set(board.waters[shore]), list(board.waters[shore])
    touched: set[int] = set()
    while ring:
        for place in board.shores[ring.pop()]:
            if board.carries[place] and place not in waters:
                waters.add(place)
                ring.append(place)
            if board.provinces[place].land:
                touched.add(place)
    return touched


def lint_folder(folder: Path) -> list[Finding]:
    """Return all findings on the variant in a folder, errors first: on its files, then on the whole.

    Raises `NotFound` if `variant.toml` is missing.
    """
    try:
        reading = _Reading(folder, variant_data(folder))
    except BadFile as fault:
        return [Finding.error("bad-file", fault.where, fault.what, fault.hint)]
    findings = reading.found
    if variant := reading.variant():
        follow = {code for key in reading.gone for code in _FOLLOW.get(key, ())}
        findings += [finding for finding in lint_variant(variant) if finding.code not in follow]
        if "id" not in reading.gone:
            findings += _names(folder, variant)
    return sorted(findings, key=lambda finding: finding.level)


def _names(folder: Path, variant: Variant) -> Iterator[Finding]:
    """Yield findings on names: a game is saved with its variant's id, and finds the folder by that name."""
    called = folder.resolve().name
    if called != variant.family:
        text = f"the folder is called {called}, but games look for one called {variant.family}"
        yield Finding.error("id-and-folder", f"{folder / FILE}, id", text, "give both the same name")


class _Reading:
    """Reads a variant's data without its faulty parts: `found` has their findings, `gone` their outermost keys."""

    def __init__(self, folder: Path, data: Mapping[str, Any]) -> None:
        self.folder, self.data = folder, deepcopy(dict(data))
        self.found: list[Finding] = []
        self.gone: set[str] = set()
        self.places: set[str] = set()

    def variant(self) -> Variant | None:
        """Return the variant that the sound parts make, None if they do not make one."""
        for _ in range(MOST_FAULTS):
            try:
                return variant_of_data(self.folder, self.data)
            except (BadBoard, NotFound) as fault:  # of the board's file: nothing here could mend it
                self.found.append(Finding.error("bad-board", fault.where, fault.what, fault.hint))
                return None
            except GamesmasterError as fault:
                keys = self.keys(fault.where)
                place = self.place(keys) if keys else fault.where
                if fault.what != MISSING or place not in self.places:  # else it is missed because it was left out
                    self.found.append(Finding.error("bad-file", place, fault.what, fault.hint))
                self.places.add(place)
                if not (keys and self.leave_out(keys)):
                    return None
        return None

    def keys(self, where: str) -> Keys:
        """Return the keys of the place named in a complaint; for a mechanic those of its whole table."""
        tables = self.data.get("mechanics")
        named = [t.get("name") for t in tables if isinstance(t, dict)] if isinstance(tables, list) else []
        if where in named:
            return "mechanics", named.index(where)
        _, sign, path = where.rpartition(", $")
        steps = _STEP.findall(path) if sign else ()
        result: Keys = tuple(int(number) if number else name or quoted for name, number, quoted in steps)
        return result[:2] if result[:1] == ("mechanics",) else result

    def place(self, keys: Keys) -> str:
        """Return a place as a reader of the file finds it: tables by their names, not by their numbers."""
        words: list[str] = []
        node: Any = self.data
        for key in keys:
            try:
                node = node[key]
            except (KeyError, IndexError, TypeError):
                node = None
            if isinstance(node, dict) and isinstance(key, int):
                words.append(str(node.get("name") or node.get("season") or f"number {key + 1}"))
            elif isinstance(key, str):
                words.append(key)
        return f"{self.folder / FILE}, {' '.join(words)}"

    def leave_out(self, keys: Keys) -> bool:
        """Remove the value at a place, or what depends on it; return False if nothing can be removed."""
        *outer, last = keys
        node: Any = self.data
        for key in outer:
            node = node[key]
        self.gone.add(str(keys[0]))
        if not outer and last in _STAND_INS:
            before, node[last] = node.get(last), deepcopy(_STAND_INS[str(last)])
            return bool(before != node[last])
        if isinstance(node, dict) and last not in node:
            return bool(outer) and self.leave_out(tuple(outer))
        del node[last]
        return True
