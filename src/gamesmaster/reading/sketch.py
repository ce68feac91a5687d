"""Sketches: what the words of an order say in some dialect, with every province they may mean.

A text often has several: the position decides (`gamesmaster.reading.lines`).  A sketch is made of a form
(`Form`) whose parts are found in the words one after the other; nothing is taken that the words do not say.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.spelling import INITIAL, SLIP, Spot
from gamesmaster.reading.wordbook import ANY_KIND, LONGEST_NAME, Form, Wordbook, Words

MOST_STEPS = 2_000  # looked at for one text; what people write takes a few hundred at most
INITIALS = 2  # letters of a word that could also begin the name of a place
_PARTED = frozenset({"hold", "support", "supporthold", "supportmove", "convoy", "retreat", "disband"})
"""What may stand behind a dash that means nothing."""
_GROUPS = frozenset({"ALL", "REST", "BOTH"})
_AFTER_BREAK = frozenset({"VIA", "BYSEA", "BY", "route", "WITH", "ASHOME", "FROM"})
"""Parts that may stand behind a comma; else a new order begins there."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place named: what it may be, and the coast as written."""

    spot: Spot
    coast: str = ""
    at: int = 0  # the written word that begins it
    end: int = 0  # the written word behind it


@dataclass(frozen=True, slots=True)
class Named:
    """A unit named: its power and kind, "" where none is said, and its place.

    It is `twofold` if the power's word is a place's, too.
    """

    place: Place
    kind: str = ""
    power: str = ""
    twofold: bool = False


@dataclass(frozen=True, slots=True)
class Sketch:
    """What words say.  `cost` is how far they are from a plain order; parts that the order has not are None."""

    verb: AnyVerb
    cost: int
    unit: Named | None = None
    of: Named | None = None
    goal: Place | None = None
    via: bool = False
    route: tuple[Place, ...] = ()
    power: str = ""
    group: str = ""
    parts: tuple[str, ...] = ()
    carried: int = 0

    @property
    def places(self) -> list[Place]:
        """The places of the unit, the unit helped and the goal, as far as they are named."""
        named = [one.place for one in (self.unit, self.of) if one]
        return [*named, self.goal] if self.goal else named


class _Filled(NamedTuple):
    """The fields of a sketch found in the words up to one."""

    at: int
    cost: int
    found: dict[str, Any]

    def plus(self, at: int, cost: int = 0, **found: object) -> _Filled:
        return _Filled(at, self.cost + cost, {**self.found, **found})


class Sketcher:
    """Finds what words up to an `end` say by one wordbook; `breaks` are the written words behind a comma."""

    def __init__(self, book: Wordbook, words: Words, end: int, phase: PhaseKind, breaks: Container[int]) -> None:
        self.book, self.phase = book, phase
        self.keys, self.marked, self.written = words.keys[:end], words.marked[:end], words.written[:end]
        new = (at for at in range(1, len(self.keys)) if self.written[at] != self.written[at - 1])
        self.breaks = {at for at in new if self.written[at] in breaks}
        self.steps = 0
        self._places: dict[int, list[tuple[int, Place]]] = {}
        self._units: dict[int, list[tuple[int, Named]]] = {}
        self._tables: dict[tuple[int, str], list[tuple[int, int]]] = {}

    def whole(self, start: int) -> list[Sketch]:
        """Return what the words from `start` on say as one order."""
        return [
            Sketch(form.verb, filled.cost, power=power, parts=form.parts, **filled.found)
            for first, power in self._openings(start)
            for form in self.book.forms[self.phase]
            if form.tables <= self._said_at_all
            for filled in self._fill(form, first)
            if filled.at == len(self.keys)
        ]

    @cached_property
    def _said_at_all(self) -> frozenset[str]:
        """The tables that have a word here.  No form is tried that needs another one."""
        keys, longest = self.keys, self.book.longest
        starts = range(len(keys))
        phrases = {" ".join(keys[at : at + size]) for at in starts for size in range(1, longest + 1)}
        return frozenset(table for phrase in phrases for table in self.book.meant_by(phrase))

    def _openings(self, start: int) -> Iterator[tuple[int, str]]:
        """Yield where the order may begin: at its first word, or after its power."""
        yield start, ""
        for after, power in self._said(self.book.powers, start, 2):
            dashed = self.keys[after : after + 1] == ["-"]
            yield from ((at, power) for at in range(after, after + 1 + dashed) if at < len(self.keys))

    def _said(self, meanings: Mapping[str, str], at: int, longest: int) -> Iterator[tuple[int, str]]:
        """Yield the meanings of a table's phrases that begin at a word, and their ends, the longest first."""
        for after in range(min(at + longest, len(self.keys)), at, -1):
            if meant := meanings.get(" ".join(self.keys[at:after])):
                yield after, meant

    def _fill(self, form: Form, start: int) -> Iterator[_Filled]:
        open_ = [(0, _Filled(start, form.cost, {}))]
        while open_:
            number, filled = open_.pop()
            self.steps += 1
            if self.steps > MOST_STEPS:
                return
            if number == len(form.parts):
                yield filled
                continue
            part = form.parts[number]
            loose, at = part in _AFTER_BREAK or form.parts[0] in _GROUPS, filled.at
            coasts = (" ".join(self.keys[at - size : at]) for size in (3, 2, 1) if size < at)  # "Iran, north coast, to"
            if number and at in self.breaks and not loose and self.book.coasts.keys().isdisjoint(coasts):
                continue
            open_ += [(number + 1, more) for more in self._part(part, filled, form)]

    def _part(self, part: str, filled: _Filled, form: Form) -> Iterator[_Filled]:
        at = filled.at
        if part.isupper():
            for after, cost in self._ends(part.lower(), at):
                yield filled.plus(after, cost, **_told(part, form.verb))
        elif part in ("water", "route"):
            yield from self._route(filled, many=part == "route")
        elif part == "kind":
            for start in {at, self._past_small(at)}:
                yield from (filled.plus(after) for after, kind in self._kinds(start) if kind)
        elif part == "letter":  # the kind of the unit named before, behind its place
            unit = filled.found["unit"]
            for after, kind in self._kinds(at):
                if kind and not unit.kind:
                    yield filled.plus(after, unit=replace(unit, kind=kind))
        else:
            for after, named in self._unit(at):
                cost = named.place.spot.cost
                if part in ("unit", "of") or (part == "told" and named.kind):  # of one it must be told what it is
                    yield filled.plus(after, cost, **{"unit" if part == "unit" else "of": named})
                elif part == "vessel":
                    yield filled.plus(after, cost, goal=named.place)
                elif part == "goal" and not named.power and not (form.cost and cost >= SLIP):
                    yield filled.plus(after, cost + bool(named.kind), goal=named.place)

    def _route(self, filled: _Filled, *, many: bool) -> Iterator[_Filled]:
        for after, place in self._waters(filled.at):
            route = (*filled.found.get("route", ()), place)
            more = filled.plus(after, place.spot.cost, route=route, via=True)
            yield more
            if many:
                parted = not {"-", ",", *note_words("join")}.isdisjoint(self.keys[after : after + 1])
                yield from self._route(more._replace(at=after + parted), many=True)

    def _waters(self, at: int) -> Iterator[tuple[int, Place]]:
        """Yield the water here through which a convoy may pass, by its longest name only, to limit the alternatives."""
        province = self.book.lexicon.board.province
        named = [(after, unit.place) for after, unit in self._unit(at) if not unit.power]  # "via F Nth"
        for after, place in sorted(named, key=lambda one: -one[0])[:1]:
            passes = {p: cost for p, cost in place.spot.meanings.items() if province(p).convoy}
            if passes and place.spot.cost < SLIP:
                spot = place.spot
                yield after, replace(place, spot=Spot(passes, spot.exact & passes.keys(), spot.own & passes.keys()))

    def _ends(self, table: str, at: int) -> list[tuple[int, int]]:
        """Return the possible ends of phrases of a table that begin here, and the distance of the words from these."""
        if (at, table) not in self._tables:
            found: dict[int, int] = {}
            word = "".join(self.keys[at + 1 : at + 2])
            goal = self.keys[at + 2 : at + 3] != ["-"] and self.book.places.exact(word)  # "Smy-Con Ank-Bla"
            long_verb = table in _PARTED and len(word) > INITIALS and not goal
            start = at + (long_verb and self.keys[at] == "-")  # "Brest - support hold"
            behind_dash = start > at  # where a place with a slip is likelier than a verb with one: "Wales - Treste"
            while start < len(self.keys) and start < at + 3:
                for size in range(min(self.book.longest, len(self.keys) - start), 0, -1):
                    cost = self.book.meant_by(" ".join(self.keys[start : start + size])).get(table)
                    if cost is not None and not (cost and behind_dash):
                        found[start + size] = min(cost, found.get(start + size, cost))
                if "aux" not in self.book.meant_by(self.keys[start]):
                    break
                start += 1
            if behind_dash:  # "- support hold - Rome"
                found |= {after + 1: cost for after, cost in found.items() if self.keys[after : after + 1] == ["-"]}
            if table == "to":  # "moves into", "- to"
                for after, cost in list(found.items()):
                    for further, extra in self._ends("to", after):
                        found.setdefault(further, cost + extra)
            self._tables[at, table] = sorted(found.items(), reverse=True)
        return self._tables[at, table]

    def _unit(self, at: int) -> list[tuple[int, Named]]:
        if at not in self._units:
            self._units[at] = list(self._read_units(at))
        return self._units[at]

    def _read_units(self, start: int) -> Iterator[tuple[int, Named]]:
        for at, power in self._powers(self._past_small(start)):
            twofold = bool(power and self.book.places.exact(*self.keys[start:at]))
            for after, kind in self._kinds(at):
                if power or not kind:
                    for last, named in self._units_at(after, kind, power):
                        yield last, replace(named, twofold=twofold and not kind)
                else:
                    for behind, other in self._powers(after):
                        yield from self._units_at(behind, kind, other)

    def _powers(self, at: int) -> Iterator[tuple[int, str]]:
        yield at, ""
        for after, power in self._said(self.book.powers, at, 3):
            yield after, power
            if self.keys[after : after + 1] == ["s"]:  # "Austria's"
                yield after + 1, power

    def _kinds(self, at: int) -> Iterator[tuple[int, str]]:
        yield at, ""
        yield from self._said(self.book.kinds, at, 4)

    def _units_at(self, at: int, kind: str, power: str) -> Iterator[tuple[int, Named]]:
        for after, place in self._place(at):
            yield after, Named(place, "" if kind == ANY_KIND else kind, power)
            for behind, other in self._kinds(after) if not kind else ():
                word = self.keys[after] if other else ""
                if len(word) > INITIALS and not self._is_known(word):  # "Burgundy army"
                    yield behind, Named(place, "" if other == ANY_KIND else other, power)
            if not power:
                for behind, other in self._powers(after):
                    if other:
                        yield behind, Named(place, "" if kind == ANY_KIND else kind, other)

    def _past_small(self, at: int) -> int:
        """Return the place after the articles here, unless a word could begin a name, or a comma follows."""
        while at + 1 < len(self.keys) and at + 1 not in self.breaks and self._small(at):
            at += 1
        return at

    def _small(self, at: int) -> bool:
        """Return whether it is an article or preposition, not the letter of a unit."""
        if at >= len(self.keys) or self.keys[at] in self.book.kinds:
            return False
        return "in" in self.book.meant_by(self.keys[at])

    def _place(self, at: int) -> list[tuple[int, Place]]:
        if at not in self._places:
            found, written = self._read_places(at), self.written
            self._places[at] = [(to, replace(one, at=written[at], end=written[to - 1] + 1)) for to, one in found]
        return self._places[at]

    def _read_places(self, at: int) -> Iterator[tuple[int, Place]]:
        yield from self._behind_coast(at)
        size = 0
        while size < 3 and self._small(at + size):
            size += 1
            yield from self._places_at(at + size)
        yield from self._places_at(at)

    def _behind_coast(self, at: int) -> Iterator[tuple[int, Place]]:
        """Yield a province whose coast is named before it: "the south coast of Spain", "N.C. Spain"."""
        for start in {at, at + 1 if self._small(at) else at}:
            for after, coast in self._coasts(start, loose=False):
                behind = after
                while behind < len(self.keys) and self._small(behind):
                    behind += 1
                for last, place in self._places_at(behind):
                    if not place.coast and self._splits(place.spot):
                        yield last, Place(place.spot, coast)

    def _places_at(self, at: int) -> Iterator[tuple[int, Place]]:
        for size in range(min(LONGEST_NAME, len(self.keys) - at), 0, -1):
            words = tuple(self.keys[at : at + size])
            if "-" in (words[0], words[-1]) or not all(w == "-" or w.replace("/", "").isalnum() for w in words):
                continue
            if "-" in words and all(self._is_known(word) for word in words):
                continue  # "Swe-Den" is no Sweden
            dashed, words = "-" in words, tuple(word for word in words if word != "-")
            if any(inner in self.breaks for inner in range(at + 1, at + size)):
                continue
            spot = self.book.places.find(words)
            if spot and not spot.exact and words[0] in self.book.kinds and len(words[0]) == 1 == size:
                continue  # the letter of a unit is no name cut short
            dashed = dashed and words[0] not in note_words("feature")  # "Mid-Altantic"
            if spot and (size == 1 or spot.cost < SLIP or not (dashed or self._grammar(words, spot))):
                yield from self._with_coasts(at + size, spot)
                yield from self._again(at + size, spot)
            if size == 1:
                yield from self._split_coast(at)

    def _is_known(self, word: str) -> bool:
        """Return whether it is a dash or a name."""
        return word == "-" or bool(self.book.places.exact(word))

    def _grammar(self, words: tuple[str, ...], spot: Spot) -> bool:
        """Return whether a word of grammar, a unit or another name is among these: they cannot be one misspelt name."""
        spoken = [word for word in words if word not in note_words("small")]  # "Mer du Nrod"
        if any(word in self.book.kinds or self.book.says.get(word, set()) - {"in", "aux"} for word in spoken):
            return True
        if any(len(word) == INITIALS and word in self.book.coasts for word in words):
            return True
        return any(self.book.places.exact(word) - spot.meanings.keys() for word in words)

    def _again(self, at: int, spot: Spot) -> Iterator[tuple[int, Place]]:
        """Yield the same place after another name of it: "14 (Seneca)", "89 Cumberland"."""
        for size in range(min(LONGEST_NAME, len(self.keys) - at), 0, -1):
            both = spot.meanings.keys() & self.book.places.exact(*self.keys[at : at + size])
            letter = size == 1 and len(self.keys[at]) == 1 and not self.marked[at]
            if both and spot.cost < INITIAL and not letter:
                yield from self._with_coasts(at + size, Spot.of(*both))

    def _split_coast(self, at: int) -> Iterator[tuple[int, Place]]:
        """Yield a province with its coast joined to it: "StPsc"."""
        word = self.keys[at]
        for cut in (3, 2):
            coast = self.book.coasts.get(word[-cut:])
            spot = self.book.places.find((word[:-cut],)) if coast and len(word) > cut + 1 else None
            if coast and spot and spot.exact and self._splits(spot):
                yield at + 1, Place(spot, coast)

    def _with_coasts(self, at: int, spot: Spot) -> Iterator[tuple[int, Place]]:
        sign = at
        while sign < len(self.keys) and sign < at + 3 and (self.keys[sign] in ("/", "-", "on") or self._small(sign)):
            sign += 1
        marked = any(self.marked[at : at + 1])
        loose = not marked and at not in self.breaks
        for start in {at, sign}:
            for after, coast in self._coasts(start, loose=loose and start == at):
                again = self.book.places.exact(*self.keys[start:after])  # another name of the place, no coast
                signed = marked or self.keys[at] == "/"
                if self._splits(spot) or (signed and again.isdisjoint(spot.meanings)):
                    yield after, Place(spot, coast)
        yield at, Place(spot)

    def _coasts(self, at: int, *, loose: bool) -> Iterator[tuple[int, str]]:
        for after, coast in self._said(self.book.coasts, at, 3):
            if not (loose and after == at + 1 and len(self.keys[at]) == 1):
                yield after, coast

    def _splits(self, spot: Spot) -> bool:
        """Return whether any of these provinces has coasts."""
        province = self.book.lexicon.board.province
        return any(province(p).coasts for p in spot.meanings)


def _told(part: str, verb: AnyVerb) -> dict[str, object]:
    """Return the fields of a sketch that the words of a table give."""
    if part in _GROUPS:
        return {"group": part.lower()}
    if part in ("BYSEA", "VIASEA", "VIA"):
        return {"via": True}
    return {"carried": 1} if part == "CARRIED" and verb is Verb.MOVE else {}
