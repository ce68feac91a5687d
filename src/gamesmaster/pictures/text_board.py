"""The board in words, for screen readers and terminals: it says what the map shows.

Lines are short and plain: no columns, no drawing, no colour; each is understood by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType

from gamesmaster.board import (
    Board,
    Dislodged,
    Edge,
    Location,
    Position,
    Province,
    Terrain,
    Unit,
    coast_words,
    place_code,
    place_words,
    unit_code,
    unit_name,
)
from gamesmaster.english import many
from gamesmaster.game import Ledger
from gamesmaster.pictures.orders.model import Drawable, drawable_words, result_words
from gamesmaster.pictures.signs import PowerMark, Sign
from gamesmaster.pictures.snapshot import Snapshot, snapshot_of
from gamesmaster.rules import SEEN, Rules, Ruling, unseen
from gamesmaster.variant import Phase, Power, Variant

WIDTH = 78

KINDS: Mapping[str, str] = MappingProxyType({"A": "army", "F": "fleet"})
"""Words for the kinds of unit; a variant gives its own beside them."""

_TERRAINS = MappingProxyType({Terrain.COAST: "coastal", Terrain.BOX: "ocean", Terrain.IMPASSABLE: "out of play"})


def text_board(
    board: Board, shown: Snapshot, powers: Iterable[Power | str], *, kinds: Mapping[str, str] = KINDS
) -> str:
    """Return a position in words, with the results of its orders, or with planned orders.

    First the powers, in order, with their units and centres; then the free centres, the provinces with several units,
    the dislodged units with the places open to them, and the orders. Of the things in provinces beside units the ledger
    speaks; without it, the marks.
    """
    words, position, ledger = _Words(board, kinds), shown.position, shown.ledger
    names = [power if isinstance(power, str) else power.name for power in powers]
    extra = {u.power for u in position.units} | {d.unit.power for d in position.dislodged} | {*position.owners.values()}
    names += sorted(extra - {*names})
    lines = [", ".join(filter(None, (shown.title or board.name, shown.subtitle))), ""]
    for name in names:
        lines += words.power(position, name, ledger)
    lines += words.describe_free_centres(position)
    lines += words.together(position)
    lines += words.ledger_lines(ledger) if ledger else words.beside(shown.marks)
    lines += words.dislodged_lines(position.dislodged)
    lines += words.orders(names, shown.rulings)
    return _text(lines)


def board_in_words(
    variant: Variant, rules: Rules, phase: Phase, position: Position, rulings: Sequence[Drawable] = ()
) -> str:
    """Return the text board of a phase of a game, with the ledger."""
    shown = snapshot_of(variant, rules, phase, position, rulings)
    kinds = {kind: words[0] for kind, words in rules.kinds.items() if words}
    return text_board(variant.board, shown, variant.powers, kinds=kinds)


def neighbourhood(board: Board, position: Position, province: str, *, kinds: Mapping[str, str] = KINDS) -> str:
    """Return the neighbours of a province and their units: where each kind of unit can go from it, by coast.

    `province` is its id, its name or what orders call it, in any case; raises `NotFound` with the nearest.
    """
    here, words = board.find_province(province), _Words(board, kinds)
    lines = [f"{words.describe(here)}.", *words.standing(position, here), ""]
    for way, letters in words.travellers().items():
        for coast in ("", *here.coasts):
            at = Location(here.id, coast)
            out = [edge for edge in board.edges if edge.way == way and edge.a == at]
            if out:
                lines += [f"{letters} {_from(coast)} can go to:", *words.steps(position, out), ""]
    closed = [closure.reason for closure in board.closures if closure.province == here.id]
    return _text([*lines, *(reason for reason in closed if reason)])


class _Words:
    """Says things about one board."""

    def __init__(self, board: Board, kinds: Mapping[str, str]) -> None:
        self.board, self.kinds = board, {**KINDS, **kinds}

    # -- places and units --------------------------------------------------------------------------------------------

    def place(self, at: Location) -> str:
        """Return a location as `St Petersburg, south coast (Stp/SC)`."""
        if at.province not in self.board.index:
            return str(at)
        return f"{place_words(self.board, at)} ({place_code(self.board, at)})"

    def kind(self, unit: Unit) -> str:
        return self.kinds.get(unit.kind, unit.kind)

    def unit(self, unit: Unit) -> str:
        """Return a unit as `fleet in St Petersburg, south coast (F Stp/SC)`."""
        place = place_words(self.board, unit.at) if unit.at.province in self.board.index else str(unit.at)
        return f"{self.kind(unit)} in {place} ({unit_code(self.board, unit)})"

    def describe(self, province: Province) -> str:
        """Return a province as `Burgundy (Bur), inland`, followed by what else is known about it."""
        words = [self.place(Location(province.id)), _TERRAINS.get(province.terrain, province.terrain.value)]
        if province.centre:
            words.append(f"home centre of {province.home}" if province.home else "supply centre")
        elif province.home:
            words.append(f"home province of {province.home}")
        return ", ".join(words)

    # -- sections: lines, ending with an empty one -------------------------------------------------------------------

    def power(self, position: Position, name: str, ledger: Ledger | None = None) -> Iterator[str]:
        units, owned = position.of(name), position.centres(name)
        centres = [p for p in owned if p in self.board.index and self.board.province(p).centre]
        if not (units or owned):
            in_sight = " in sight" if SEEN in position.state else ""
            yield from (f"{name}: neither units nor centres{in_sight}.", "")
            return
        strength = next((h.strength for h in ledger.holdings if h.power == name), None) if ledger else None
        strong = "" if strength is None else f", strength {strength}"
        yield f"{name}: {many(len(centres), 'centre')}, {many(len(units), 'unit')}{strong}."
        numbers = {unit.number: unit for unit in position.units}
        for unit in units:
            carrier = numbers.get(unit.aboard)
            aboard = f", aboard {unit_name(self.board, carrier)}" if carrier else ""
            yield f"{_first(self.unit(unit))}{aboard}."
        yield from self._places("Centres: ", centres)
        yield from self._places("Other provinces: ", [p for p in owned if p not in centres])
        yield ""

    def describe_free_centres(self, position: Position) -> Iterator[str]:
        hidden = unseen(self.board, position)
        free = [p.id for p in self.board.provinces if p.centre and p.id not in position.owners and not hidden(p.id)]
        if free:
            yield from (*self._places("Centres of nobody: ", free), "")

    def together(self, position: Position) -> Iterator[str]:
        """Yield the provinces with several units."""
        found: dict[str, list[Unit]] = {}
        for unit in position.units:
            found.setdefault(unit.at.province, []).append(unit)
        crowds = {place: units for place, units in found.items() if len(units) > 1}
        for place, units in crowds.items():
            yield f"Together in {self.place(Location(place))}: {many(len(units), 'unit')}."
            yield from (f"{_first(self.kind(unit))} of {unit.power}." for unit in units)
        if crowds:
            yield ""

    def beside(self, marks: Mapping[str, Sequence[Sign | PowerMark]]) -> Iterator[str]:
        """Yield the things that mechanics mark in provinces."""
        signs = dict.fromkeys(sign for found in marks.values() for sign in found)
        for sign in signs:
            counted = {place: list(found).count(sign) for place, found in marks.items() if sign in found}
            places = [f"{self.place(Location(p))}{f' {n}' if n > 1 else ''}" for p, n in counted.items()]
            words = sign.plural if sum(counted.values()) > 1 else sign.words
            yield from self._list(f"{_first(words)}: ", places, "")
        if signs:
            yield ""

    def ledger_lines(self, ledger: Ledger) -> Iterator[str]:
        """Yield the things that mechanics keep, such as deferred builds and terms."""
        for heading, lines in ledger.sections.items():
            yield f"{heading}:"
            yield from (f"{line}." for line in lines)
            yield ""

    def dislodged_lines(self, waiting: Sequence[Dislodged]) -> Iterator[str]:
        for out in waiting:
            attacked = f", attacked from {self.place(Location(out.by))}" if out.by else ""
            yield f"Dislodged, {out.unit.power}: {self.unit(out.unit)}{attacked}."
            yield from self._list("It may retreat to ", list(map(self.place, out.retreats)), "nowhere; it must disband")
        if waiting:
            yield ""

    def orders(self, names: Iterable[str], rulings: Sequence[Drawable]) -> Iterator[str]:
        for name in dict.fromkeys([*names, *(one.power for one in rulings)]):
            own = [one for one in rulings if one.power == name]
            if own:
                done = any(isinstance(one, Ruling) for one in own)
                yield f"{'Orders and results' if done else 'Orders'} of {name}:"
                for one in own:
                    result = f" {result_words(one)}." if isinstance(one, Ruling) else ""
                    yield f"{drawable_words(self.board, one)}.{result}"
                yield ""

    # -- neighbourhood -----------------------------------------------------------------------------------------------

    def standing(self, position: Position, here: Province) -> Iterator[str]:
        if unseen(self.board, position)(here.id):
            yield "It is out of sight."
            return
        owner = position.owners.get(here.id)
        if owner or here.centre:
            yield f"It belongs to {owner or 'nobody'}."
        units = [unit for unit in position.units if unit.at.province == here.id]
        yield from (f"Here: {self.unit(unit)} of {unit.power}." for unit in units)
        out = [d.unit for d in position.dislodged if d.unit.at.province == here.id]
        yield from (f"Here, dislodged: {self.unit(unit)} of {unit.power}." for unit in out)
        if not (units or out):
            yield "No unit is here."

    def travellers(self) -> dict[str, str]:
        """Map each way of travel to the kinds of unit that use it: `an army`."""
        found: dict[str, list[str]] = {}
        for kind, way in self.board.ways.items():
            found.setdefault(way, []).append(_a(self.kinds.get(kind, kind)))
        return {way: _first(" or ".join(kinds)) for way, kinds in found.items()}

    def steps(self, position: Position, edges: Iterable[Edge]) -> Iterator[str]:
        """Yield where these edges lead, in the board's order, and the units there."""
        hidden = unseen(self.board, position)
        for edge in sorted(edges, key=lambda edge: self.board.location_index[edge.b]):
            goal = self.board.province(edge.b.province)
            words = [self.describe(goal).replace(self.place(Location(goal.id)), self.place(edge.b), 1)]
            owner = position.owners.get(goal.id)
            words += [f"owned by {owner}"] if owner else []
            words += [f"only for {' and '.join(sorted(edge.only))}"] if edge.only else []
            words += ["out of sight"] if hidden(goal.id) else []
            here = [unit for unit in position.units if unit.at.province == goal.id]
            there = "; ".join(f"{self.kind(unit)} of {unit.power} there" for unit in here)
            yield f"{', '.join(words)}{f'; {there}' if there else ''}."

    # -- lists -------------------------------------------------------------------------------------------------------

    def _places(self, head: str, provinces: Sequence[str]) -> Iterator[str]:
        if provinces:
            yield from self._list(head, [self.place(Location(p)) for p in provinces], "")

    @staticmethod
    def _list(head: str, things: Sequence[str], none: str) -> Iterator[str]:
        """Yield a list in one sentence."""
        yield f"{head}{', '.join(things) or none}."


def _from(coast: str) -> str:
    return f"on the {coast_words(coast)}" if coast else "here"


def _first(words: str) -> str:
    return words[:1].upper() + words[1:]


def _a(word: str) -> str:
    return f"{'an' if word[:1].lower() in tuple('aeiou') else 'a'} {word}"


def _text(lines: Iterable[str]) -> str:
    """Return lines as a text that is safe to print, no line longer than `WIDTH`."""
    shown = ("".join(c if c.isprintable() else "\ufffd" for c in line) for line in lines)
    broken = (part for line in shown for part in wrap(line, WIDTH, subsequent_indent="  ") or [""])
    return "\n".join(broken).rstrip() + "\n"
