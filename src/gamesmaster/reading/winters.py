"""Winters: the builds and removals in a sentence of prose.

A list of units is built or removed as a whole: if a part of it is not understood, the sentence gives no orders.
"""

from __future__ import annotations

from bisect import bisect
from itertools import dropwhile, pairwise

from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.clauses import LEAVES, LONGEST_SENTENCE, MOST_BEHIND, ClauseReader
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sentences import Clause, Mention
from gamesmaster.reading.sheet import SheetLine

MOST_STRANGE = 1  # unknown words beside a unit that is built


class WinterReader(ClauseReader):
    """Reads the sentences of a Winter.

    `_need` is how many units are to be built, less than none if some are to be removed.  `_said_kind` is the kind of
    unit named last, and `_open` has the places whose kind of unit is not said yet.
    """

    _need: int
    _said_kind: str
    _open: list[Mention]

    def winter(self, piece: Passage, reader: LineReader, verb: AnyVerb | None) -> list[SheetLine]:
        """Return the builds or removals of a Winter in prose, none if one of them is unclear or there are too many.

        `verb` is that of the heading above.  A unit is only removed if it is said to be, or stands below such a heading
        with little beside it.
        """
        if len(piece.keys) > LONGEST_SENTENCE or self.cues.has("spares", piece.said):
            return []
        self._look_at(piece, reader)
        found_from = reader.comes_from
        named = [m for m in self._find() if m.kind or m.start - 2 in self._shores or not found_from(piece, m.start)]
        clauses = list(self._clauses(named))
        coasts = {one.words.said for one in clauses if not one.named and self.reader.is_coast(one.words)}
        if not coasts.issubset(self.reader.books.coasts):
            return []  # "(North Coats)"
        named = [one for clause in clauses for one in clause.named]
        told_kinds = [one.kind for one in dropwhile(lambda one: not one.kind, named)]
        if len(named) - len(told_kinds) > 1 and len({*told_kinds}) > 1:
            return []  # "Brest and Marseilles, fleet and army respectively"
        due = reader.at.due(reader.power)
        self._need = due or 0
        self._said_kind, self._open = "", []
        told = [self._does(clause) for clause in clauses]
        found, before, waiver = list[SheetLine](), list[Mention](), Order(Verb.WAIVE)
        for at, clause in enumerate(clauses):
            once = self._need > len(found) and all(line.order != waiver for line in found)
            waives = not clause.named and self.cues.has("waives", clause.words.said) and not self._spares(clause)
            found += clause.lines or (self._lawful(clause, [self._write(waiver)]) if once and waives else [])
            known = {line.order.at.province for line in found if line.order and line.order.at}
            spoken = (o.kind for o in (*(line.order for line in clause.lines), *clause.spelt) if o)
            self._said_kind = next(spoken, self._said_kind)
            if clause.lines or self._stays(clauses, told, at) or any(known & one.provinces for one in clause.named):
                continue
            only_named = not self._unknown(clause.start, clause.end, clause.named)
            does = told[at] or (self._beside(clauses, told, at) if only_named else None)
            sure = does is not None
            follows = told[at + 1 : at + 2] == [Verb.REMOVE] and not clauses[at + 1].named
            removes = not sure and not follows and self._beside(clauses, told, at) is Verb.REMOVE
            if removes and any(map(self._named_unit, clause.named)):
                return []  # "I remove F Gre, and A Ser ..."
            free = self._need >= 0 and not any(self._unit_at(one.provinces) for one in clause.named)
            does = does or verb or (Verb.BUILD if free else None)
            unknown = self._unknown(clause.start, clause.end)
            behind = clause.named[-1].end if clause.named else clause.end
            ended = self.reader.is_coast(self.piece.part(behind, clause.end)) if behind < clause.end else False
            strange = self._unknown(clause.start, behind if ended else clause.end, clause.named)
            strange += bool(before) and self._is_joined(clause)  # "The lads of Kiel and Berlin"
            loose = not sure and strange > (MOST_STRANGE if does is Verb.BUILD else 0)
            named = clause.named or before * (does is Verb.REMOVE)  # "The fleet (Brest) is to be paid off"
            before = clause.named if does is None or loose else []
            if loose or not (does is Verb.BUILD or (does is Verb.REMOVE and (self._need < 0 or due is None))):
                continue
            kinds = {one.kind for one in clause.named} - {""} or {order.kind for order in clause.spelt}
            spelt = [o for o in clause.spelt[:1] if o.verb is does and sure and o.kind in kinds]
            spelt = spelt if not coasts and not self._shores else []  # the coast is said apart
            if spelt and unknown <= MOST_BEHIND + 1 and len({self._named_unit(one) for one in named} - {None}) <= 1:
                found += self._lawful(clause, list(map(self._write, spelt)))
            elif (lines := (self._removals if does is Verb.REMOVE else self._builds)(clause, named)) is None:
                return []
            else:
                found += lines
        orders = {line.order for line in found}
        clear = len(orders) == len(found) and not self._open and (not self._need or len(found) <= abs(self._need))
        return found if clear else []

    def _stays(self, clauses: list[Clause], told: list[AnyVerb | None], at: int) -> bool:
        """Return whether a clause, or the one that it is joined to, says that nothing happens to what it names."""
        pairs = [] if told[at] else [(at - 1, at), (at, at + 1)][not at : len(clauses) - at]
        joined = {one for pair in pairs if self._is_joined(clauses[pair[1]]) for one in pair}
        if any(self._spares(clauses[one]) for one in {at, *joined}):
            return True  # "Serbia and Budapest stay", "I like Serbia and Budapest"
        return not told[at] and "hold" in self._says(clauses[at])

    def _removals(self, clause: Clause, named: list[Mention]) -> list[SheetLine] | None:
        """Return the removals of all units named; None if one is unclear.

        A unit named by its place alone is only removed if no unknown words are beside it.
        """
        bare = any(not one.kind for one in named)
        if self.headings.foreign(clause.words.said) or (bare and self._unknown(clause.start, clause.end, named) > 0):
            return None
        units = [unit for unit in map(self._named_unit, named) if unit]
        orders = [self._write(Order(Verb.REMOVE, unit.kind, unit.at)) for unit in units]
        lines = [line for order in orders for line in self._lawful(clause, [order])]
        between = (self.piece.part(one.end, two.start) for one, two in pairwise(named) if one.end < two.start)
        left = (word for words in between for word in self.cues("also").sub("", words.said).split())
        joined = all(word in note_words("join") or self.reader.is_small(word) for word in left)
        return lines if len(lines) == len(named) and joined else None

    def _builds(self, clause: Clause, named: list[Mention]) -> list[SheetLine] | None:
        """Return the builds of all units named; None if one is unclear.

        A place without a kind of unit stays open until a kind is said: "Ankara, make it a fleet".
        """
        found, kinds = list[SheetLine](), {one.kind for one in named if one.kind}
        for one in named:
            self._said_kind = one.kind or (next(iter(kinds)) if len(kinds) == 1 else self._said_kind)
            if not one.provinces:
                places, self._open = ([], self._open) if clause.words.inside[0] else (self._open, [])
            elif self._said_kind:
                places = [one]
            else:
                self._open.append(one)
                continue
            for place in places:
                if not (lines := self._raised(clause, place, self._said_kind)):
                    return None
                found += lines
        return found

    def _does(self, clause: Clause) -> AnyVerb | None:
        """Return whether a clause of a Winter says that something is built or removed."""
        raises, leaves = (self._touches(table, clause) for table in ("builds", "removals"))
        if not raises and not leaves:
            says = self._says(clause)
            raises, leaves = not says.isdisjoint({"build", "plus"}), not says.isdisjoint({*LEAVES, "minus"})
            leaves = leaves and self._need <= 0  # "a fleet goes down in Kiel"
        if not raises and not leaves and self._touches("farewell", clause) and clause.named:  # no end of a letter
            owned = "of" in self.piece.keys[clause.start : clause.named[0].start]  # "The captain of the fleet goes"
            afar = owned or self.cues.has("afar", clause.words.said)
            leaves = not afar and all(one.kind for one in clause.named)
        return Verb.REMOVE if leaves else Verb.BUILD if raises else None

    def _touches(self, table: str, clause: Clause) -> bool:
        """Return whether a phrase of a table, all of it in one sentence, has a word in a clause."""
        spans = (at for at in self.piece.find(self.cues(table)) if self.piece.stops.isdisjoint(at[1:]))
        return any(at.start < clause.end and clause.start < at.stop for at in spans)

    def _beside(self, clauses: list[Clause], told: list[AnyVerb | None], at: int) -> AnyVerb | None:
        """Return the verb of the nearest clause before in the same sentence that has one, or else of the next after."""
        inside = [bisect(sorted(self.piece.stops), clause.start) for clause in clauses]
        same = [n for n in range(len(clauses)) if inside[n] == inside[at]]
        near = [told[n] for n in reversed(same) if n < at] + [told[n] for n in same if n > at]
        return next((verb for verb in near if verb), None)

    def _spares(self, clause: Clause) -> bool:
        """Return whether a clause says that nothing happens to what it names."""
        said = clause.words.said if clause.named else self.cues("waives").sub("", clause.words.said)
        return self.cues.any(("negation", "nothing", "keeps", "idle"), said)

    def _raised(self, clause: Clause, place: Mention, kind: str) -> list[SheetLine]:
        """Return the build of a unit in a place; empty if it is not possible."""
        behind = [" ".join(self.piece.keys[place.end : end]) for end in self._ends(place)]
        if len(place.provinces) > 1:
            return []
        (name,) = place.provinces  # which means the same in every language
        said = {" ".join(self.piece.keys[at : at + n]) for at in range(clause.start, clause.end) for n in (1, 2, 3)}
        split = self.reader.rules.board.province(name).coasts  # else "este" is only Spanish for "this"
        books = self.reader.books if split else ()
        coasts = {coast for book in books for phrase, coast in book.coasts.items() if phrase in said}
        if len(coasts) > 1:
            return []
        behind = [*coasts] or behind  # "In St Petersburg a fleet, on the north coast"
        return self._lawful(clause, [f"Build {kind} {name} {coast}".strip() for coast in behind])
