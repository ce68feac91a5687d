"""Winters: the builds and removals in a sentence of prose.

A list of units is built or removed as a whole.  If a part of it is not understood, there are no orders in the sentence.
"""

from __future__ import annotations

from itertools import pairwise

from gamesmaster.orders import AnyVerb, Order, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.clauses import LEAVES, LONGEST_SENTENCE, MOST_BEHIND, Clause, ClauseReader, Named
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sheet import SheetLine

MOST_STRANGE = 2  # unknown words beside a unit that is built


class WinterReader(ClauseReader):
    """Reads the sentences of a Winter."""

    def winter(self, piece: Passage, reader: LineReader, verb: AnyVerb | None) -> list[SheetLine]:
        """Return the builds or removals of a Winter in prose, none if one of them is unclear or there are too many.

        `verb` is that of the heading above.  A unit is only removed if it is said to be, or stands below such a heading
        with little beside it.
        """
        if len(piece.keys) > LONGEST_SENTENCE or self.cues.has("spares", piece.said):
            return []
        self._look_at(piece, reader)
        clauses = list(self._clauses(list(self._find())))
        coasts = {one.words.said for one in clauses if not one.named and self.reader.is_coast(one.words)}
        if not coasts.issubset(self.reader.books.coasts):
            return []  # "(North Coats)"
        owned = len(reader.scene.position.centres(reader.power))
        need = owned - len(reader.scene.own) if owned else 0
        told = [self._does(clause) for clause in clauses]
        found, place, kind, before = list[SheetLine](), None, "", list[Named]()
        for at, clause in enumerate(clauses):
            found += clause.lines
            known = {line.order.at.province for line in found if line.order and line.order.at}
            kind = next((o.kind for o in (*(line.order for line in clause.lines), *clause.spelt) if o), kind)
            if clause.lines or self._spares(clause) or any(known & one.provinces for one in clause.named):
                continue
            if (
                not told[at]
                and clauses[at + 1 :]
                and self._spares(clauses[at + 1])
                and self._is_joined(clauses[at + 1])
            ):
                continue  # "Serbia and Budapest stay"
            does, near = told[at], self._beside(clauses, told, at)
            if not does and "hold" in self._says(clause):
                continue
            behind = told[at + 1 : at + 2] == [Verb.REMOVE] and not clauses[at + 1].named
            strange = self._unknown(clause.start, clause.end, but=clause.named)
            listed = not does and near is not None and not strange
            if (
                not does
                and near is Verb.REMOVE
                and not listed
                and not behind
                and any(map(self._named_unit, clause.named))
            ):
                return []  # "I remove F Gre, and A Ser ..."
            free = need >= 0 and not any(self._unit_at(one.provinces) for one in clause.named)
            verb_here = does or (near if listed else None) or verb or (Verb.BUILD if free else None)
            unknown = self._unknown(clause.start, clause.end)
            may_be = verb_here is Verb.BUILD or (verb_here is Verb.REMOVE and (need < 0 or not owned))
            spelt = [order for order in clause.spelt[:1] if order.verb is verb_here and not coasts]
            spelt = spelt if len(set(filter(None, map(self._named_unit, clause.named)))) <= 1 else []
            if spelt and does and may_be and unknown <= MOST_BEHIND + 1:
                found += self._lawful(clause, list(map(self._write, spelt)))
                continue
            loose = not does and not listed and unknown > (MOST_STRANGE if verb_here is Verb.BUILD else 0)
            named = clause.named or (
                before if verb_here is Verb.REMOVE else []
            )  # "The fleet (Brest) is to be paid off"
            before = clause.named if verb_here is None or loose else []
            if loose or not may_be:
                continue
            if verb_here is Verb.REMOVE:
                lines = [line for one in named for line in self._removed(clause, one)]
                if len(lines) < len(named) or not self._is_list(named):
                    return []
                found += lines
                continue
            kinds = {one.kind for one in named if one.kind}
            for one in named:
                kind = one.kind or (next(iter(kinds)) if len(kinds) == 1 else kind)
                if not one.provinces:
                    one, place = (place, None) if place else (one, place)  # "Ankara, make it a fleet"
                    if not one.provinces or clause.words.inside[0]:
                        continue
                if not kind:
                    place = one
                    continue
                if not (lines := self._raised(clause, one, kind)):
                    return []
                found += lines
        orders = {line.order for line in found}
        clear = len(orders) == len(found) and place is None and (not need or len(found) <= abs(need))
        return found if clear else []

    def _is_joined(self, clause: Clause) -> bool:
        """Return whether a clause follows a word that joins."""
        return clause.start > 0 and self.piece.keys[clause.start - 1] in note_words("join")

    def _does(self, clause: Clause) -> AnyVerb | None:
        """Return whether a clause of a Winter says that something is built or removed."""
        raises, leaves = (self._touches(table, clause) for table in ("builds", "removals"))
        if not raises and not leaves:
            says = self._says(clause)
            raises, leaves = not says.isdisjoint({"build", "plus"}), not says.isdisjoint({*LEAVES, "minus"})
        return Verb.REMOVE if leaves else Verb.BUILD if raises else None

    def _touches(self, table: str, clause: Clause) -> bool:
        """Return whether a phrase of a table, all of it in one sentence, has a word in a clause."""
        spans = (at for at in self.piece.find(self.cues(table)) if self.piece.stops.isdisjoint(at[1:]))
        return any(at.start < clause.end and clause.start < at.stop for at in spans)

    def _beside(self, clauses: list[Clause], told: list[AnyVerb | None], at: int) -> AnyVerb | None:
        """What the clauses of the same sentence say: the nearest before a clause that does, or else the next behind."""
        ends = sorted(self.piece.stops)
        same = [
            n
            for n in range(len(clauses))
            if not any(
                min(clauses[n].start, clauses[at].start) < end <= max(clauses[n].start, clauses[at].start)
                for end in ends
            )
        ]
        near = [told[n] for n in reversed(same) if n < at] + [told[n] for n in same if n > at]
        return next((verb for verb in near if verb), None)

    def _is_list(self, named: list[Named]) -> bool:
        """Return whether only words that join stand between units."""
        between = (self.piece.part(one.end, two.start) for one, two in pairwise(named) if one.end < two.start)
        left = (self.cues("also").sub("", words.said).split() for words in between)
        return all(word in note_words("join") or self.reader.is_small(word) for words in left for word in words)

    def _spares(self, clause: Clause) -> bool:
        """Return whether a clause says that nothing happens to what it names."""
        return self.cues.any(("negation", "nothing", "keeps", "idle"), clause.words.said)

    def _raised(self, clause: Clause, place: Named, kind: str) -> list[SheetLine]:
        """The build of a unit in a place; none if there may be none."""
        names = [at for at in range(place.start, place.end) if not self._kind(at)[0] and not self._is_small(at)]
        words = " ".join(self.piece.keys[names[0] : names[-1] + 1]) if names else ""
        behind = [" ".join(self.piece.keys[place.end : end]) for end in self._ends(place)]
        return self._lawful(clause, [f"Build {kind} {words} {coast}".strip() for coast in behind])

    def _removed(self, clause: Clause, named: Named) -> list[SheetLine]:
        """The removal of the own unit that is named, by its place or as the only one of its kind."""
        unit = self._named_unit(named)
        return self._lawful(clause, [self._write(Order(Verb.REMOVE, unit.kind, unit.at))]) if unit else []
