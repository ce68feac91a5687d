"""The linter: what is probably wrong with a board that can be read.

Most slips in a new map are in its borders and its names: an edge that leads one way only, a coast on the wrong sea, two
provinces that answer to one word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from gamesmaster.board.model import FLEET, Board, Edge, Location, Province, Terrain
from gamesmaster.errors import nearest

_MANY = 12  # neighbours: more is odd if it is also thrice the usual number
_WATER = (Terrain.SEA, Terrain.BOX)
_OF_ORDERS = """
a f army fleet h hold holds stand stands s support supports c convoy convoys transports m move moves to via by
r retreat retreats d disband disbands b build builds remove removes waive waives
"""
_OF_COASTS = """
nc sc ec wc northcoast southcoast eastcoast westcoast northerncoast southerncoast easterncoast westerncoast
"""
_MOST_UNKNOWN = 100  # powers reported: looking for the nearest name takes time
_ORDER_WORDS, _COAST_WORDS = frozenset(_OF_ORDERS.split()), frozenset(_OF_COASTS.split())


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong (`error`) or may be (`warning`).

    `code` names the kind of slip for programs, `where` its place, `text` says it in words and `hint` how to mend it.
    """

    level: Literal["error", "warning"]
    code: str
    where: str
    text: str
    hint: str = ""

    @classmethod
    def error(cls, code: str, where: object, text: str, hint: str = "") -> Self:
        """Return a finding that makes a board or variant unplayable, or makes it play differently from its drawing."""
        return cls("error", code, str(where), text, hint)

    @classmethod
    def warning(cls, code: str, where: object, text: str, hint: str = "") -> Self:
        """Return a finding that may be intended."""
        return cls("warning", code, str(where), text, hint)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{self.level}: {place}{self.text}{f' ({self.hint})' if self.hint else ''} [{self.code}]"


def lint(board: Board, powers: Mapping[str, Iterable[str]] | None = None, victory: int | None = None) -> list[Finding]:
    """Return everything suspicious about a board, errors first.

    `powers` are the names of the powers, each with other words for it, and `victory` is the number of centres needed
    to win; whatever is missing is not checked.
    """
    found = [*_centres(board, victory), *lint_edges(board), *lint_names(board, powers or {})]
    return sorted(found, key=lambda finding: finding.level)


def _centres(board: Board, victory: int | None) -> Iterator[Finding]:
    total = len(board.centres)
    if not total:
        yield Finding.error("no-centres", "", "the board has no supply centre")
    for key in board.centres:
        if board.province(key).terrain in (Terrain.SEA, Terrain.BOX):
            yield Finding.warning("centre-at-sea", key, "a supply centre that no army can take")
    if victory is not None and victory > total:
        yield Finding.error("victory-out-of-reach", "", f"{victory} centres win, but there are only {total}")
    elif victory is not None and 2 * victory <= total:
        yield Finding.warning(
            "shared-victory", "", f"{victory} of {total} centres win: two powers can get there at once"
        )


def lint_edges(board: Board) -> Iterator[Finding]:
    """Yield findings about single edges and coasts, then about what they join."""
    yield from _single_edges(board)
    yield from _footing(board)
    yield from _shores(board)
    yield from _coasts(board)
    yield from _degrees(board)
    yield from _parts(board)
    yield from _islands(board)


def _name(edge: Edge) -> str:
    return f"{edge.way} {edge.a} - {edge.b}"


def _single_edges(board: Board) -> Iterator[Finding]:
    known = {(edge.way, edge.a, edge.b) for edge in board.edges}
    for edge in board.edges:
        if edge.a.province == edge.b.province:
            yield Finding.error("edge-within-province", _name(edge), "this edge does not leave the province")
        elif (edge.way, edge.b, edge.a) not in known and not edge.reason:
            hint = "list the pair two-way, or as an exception with one_way and a reason"
            yield Finding.error("one-sided-edge", _name(edge), "there is no way back, and no reason given why", hint)
        elif (edge.only or not edge.convoy) and not edge.reason and edge.a < edge.b:
            yield Finding.warning(
                "unexplained-exception", _name(edge), "this edge is not open to all, and no reason is given"
            )
    for closure in board.closures:
        if not closure.reason:
            yield Finding.warning("unexplained-closure", closure.province, "closed to some, and no reason is given")


def _footing(board: Board) -> Iterator[Finding]:
    """Yield findings about edges that end where no unit of their way can be."""
    seen: set[tuple[str, Location]] = set()
    for edge in board.edges:
        kinds = [kind for kind, way in board.ways.items() if way == edge.way]
        for end in (edge.a, edge.b):
            if not kinds or (edge.way, end) in seen:
                continue
            seen.add((edge.way, end))
            if not any(board.can_stand(kind, end) for kind in kinds):
                yield _misplacement(board, edge, end)


def _misplacement(board: Board, edge: Edge, end: Location) -> Finding:
    province = board.province(end.province)
    if province.terrain is Terrain.IMPASSABLE:
        return Finding.error("impassable-edge", end, f"an edge leads to {province.name}, which is impassable")
    if edge.way != board.sea_way:
        if end.coast:
            return Finding.error("coast-on-foot", end, f"the edge {_name(edge)} names a coast, but goes by land")
        return Finding.error("army-at-sea", end, f"the edge {_name(edge)} leads armies to sea")
    if province.terrain is Terrain.INLAND:
        return Finding.error("fleet-inland", end, f"the edge {_name(edge)} leads fleets inland")
    hint = " or ".join(f"{end}/{coast}" for coast in province.coasts)
    return Finding.error("bare-coast", end, f"{province.name} has several coasts; a fleet edge must name one", hint)


def _shores(board: Board) -> Iterator[Finding]:
    """Yield neighbouring coasts that are adjacent for fleets but not for armies: usually a forgotten border."""
    fleet_way = board.sea_way
    walked = {(e.a.province, e.b.province) for e in board.edges if e.way != fleet_way}
    for edge in (e for e in board.edges if e.way == fleet_way and e.a < e.b):
        a, b = edge.a.province, edge.b.province
        shores = all(board.province(end).terrain is Terrain.COAST for end in (a, b))
        if shores and not {(a, b), (b, a)} & walked:
            yield Finding.warning("land-edge-missing", _name(edge), "fleets step between these shores, armies do not")


def _coasts(board: Board) -> Iterator[Finding]:
    if FLEET not in board.ways:
        return
    reach = _fleet_neighbours(board)
    for province in board.provinces:
        if province.terrain not in (Terrain.COAST, Terrain.ISLANDS):
            if province.coasts:
                yield Finding.error(
                    "coasts-without-shore", province.id, f"{province.terrain} provinces have no coasts to part"
                )
            continue
        if len(province.coasts) == 1:
            yield Finding.warning("single-coast", province.id, "only one coast is listed: it needs no name")
        for location in [Location(province.id, coast) for coast in province.coasts] or [Location(province.id)]:
            terrains = {board.province(p).terrain for p in reach.get(location, ())}
            if not terrains:
                yield Finding.error("dry-coast", location, "no fleet can go to or from this coast", "is it inland?")
            elif not terrains.intersection(_WATER):
                yield Finding.warning("coast-without-sea", location, "no sea touches this coast")


def _fleet_neighbours(board: Board) -> Mapping[Location, set[str]]:
    near: dict[Location, set[str]] = {}
    for edge in board.edges:
        if edge.way == board.ways[FLEET]:
            near.setdefault(edge.a, set()).add(edge.b.province)
            near.setdefault(edge.b, set()).add(edge.a.province)
    return near


def _degrees(board: Board) -> Iterator[Finding]:
    degrees = [len(near) for near in board.neighbours]
    usual = sorted(degrees)[len(degrees) // 2]
    for province, degree in zip(board.provinces, degrees, strict=True):
        if degree > max(_MANY, 3 * usual):
            yield Finding.warning("many-neighbours", province.id, f"{degree} neighbours, where {usual} are usual")
        elif degree == 1 and len(degrees) > 2:
            yield Finding.warning("dead-end", province.id, "a single neighbour")


def _parts(board: Board) -> Iterator[Finding]:
    """Yield provinces that no unit can reach, and parts of the board that are not connected."""
    entered = {edge.b.province for edge in board.edges if edge.a.province != edge.b.province}
    for province in board.provinces:
        shut = province.terrain is Terrain.IMPASSABLE
        if province.centre and (shut or province.id not in entered):
            yield Finding.error("unreachable-centre", province.id, "no unit can ever come to this centre")
        elif not shut and province.id not in entered:
            yield Finding.error("unreachable", province.id, "no unit can ever come here")
    near = {board.provinces[i].id: {board.provinces[j].id for j in js} for i, js in enumerate(board.neighbours) if js}
    for part in components(near, near)[1:]:
        where, text = ", ".join(sorted(part)[:8]), "no border joins this part of the board to the rest"
        if any(board.province(province).home for province in part):
            yield Finding.warning("apart", where, f"{text}: a power that begins there stays there")
        else:
            yield Finding.error("apart", where, text)


def _islands(board: Board) -> Iterator[Finding]:
    """Land from which no army gets away: no border, and no water that could carry it."""
    near: dict[str, set[str]] = {}
    for edge in board.edges:
        if edge.way != board.sea_way:
            near.setdefault(edge.a.province, set()).add(edge.b.province)
            near.setdefault(edge.b.province, set()).add(edge.a.province)
    land = [p.id for p in board.provinces if p.land]
    for part in components(land, near)[1:]:
        if not any(board.waters[board.index[province]] for province in part):
            text = "armies cannot leave: no border to the mainland, no water that carries them"
            yield Finding.warning("island-without-convoy", ", ".join(sorted(part)[:8]), text)


def components(all_of: Iterable[str], near: Mapping[str, Collection[str]]) -> list[set[str]]:
    """Return the sets of provinces joined to each other, the largest first."""
    left = dict.fromkeys(all_of)
    found = []
    while left:
        part, ring = set[str](), [next(iter(left))]
        while ring:
            here = ring.pop()
            if here not in part:
                part.add(here)
                left.pop(here, None)
                ring += near.get(here, ())
        found.append(part)
    return sorted(found, key=len, reverse=True)


def lint_names(board: Board, powers: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
    """Yield findings about words that readers of orders would misread, and about powers named on the board.

    `powers` are the names of the powers, each with other words for it; empty if they are not known.
    """
    owners: dict[str, Province] = {}
    power_words = {fold(word): name for name, words in powers.items() for word in (name, *words)}
    for province in board.provinces:
        for word, as_written in _words(province).items():
            first = owners.setdefault(word, province)
            if first is not province:
                text = f"{as_written!r} means {first.name} ({first.id}) as well"
                yield Finding.error("name-clash", province.id, text, "give one of them another name")
            if word in _ORDER_WORDS:
                yield Finding.warning("order-word", province.id, f"{as_written!r} is a word of orders")
            if word in _COAST_WORDS:
                yield Finding.warning("coast-word", province.id, f"{as_written!r} reads like a coast")
            if word in power_words:
                yield Finding.warning(
                    "power-word", province.id, f"{as_written!r} also means the power {power_words[word]}"
                )
    if powers:
        yield from _unknown_powers(board, powers)


def fold(word: str) -> str:
    """Return a name as readers of orders see it: without case, blanks and stops.

    >>> fold("St. Petersburg")
    'stpetersburg'
    """
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _words(province: Province) -> dict[str, str]:
    """Return everything the province answers to: folded, and as written."""
    return {fold(word): word for word in (*province.aliases, province.name, province.abbr, province.id)}


def _unknown_powers(board: Board, powers: Mapping[str, object]) -> Iterator[Finding]:
    """Yield one finding for each name that no power has, at its first place."""
    named = [(p.id, frozenset([p.home])) for p in board.provinces if p.home]
    named += [(f"{e.way} {e.a} - {e.b}", e.only) for e in board.edges]
    named += [(c.province, c.powers) for c in board.closures]
    places: dict[str, str] = {}
    for where, names in named:
        for name in sorted(names - powers.keys()):
            places.setdefault(name, where)
    for name in list(places)[:_MOST_UNKNOWN]:
        yield Finding.error("unknown-power", places[name], f"no power {name} in this game", nearest(name, powers))
