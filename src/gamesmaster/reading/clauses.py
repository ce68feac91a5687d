"""Clauses: the orders in a sentence of prose, whatever verbs it uses.

A sentence is parted into clauses.  In each, the units and places are looked for that it names, and the words that tell
what is done.  A clause is an order if it begins with one own unit, and one legal order has all of its places.  An
unknown verb between a unit and the place it may go to is a move if a word for a direction stands before that place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gamesmaster.board import Unit
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words, rank
from gamesmaster.reading.entries import action_of, unit_of
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sections import UNSURE
from gamesmaster.reading.sentences import HELPS, Clause, Mention, SentenceReader
from gamesmaster.reading.sheet import SheetLine
from gamesmaster.reading.single import CODE
from gamesmaster.reading.wordbook import LONGEST_NAME

LONGEST_SENTENCE = 120  # words
MOST_BETWEEN = 2  # unknown words between a unit and where it goes
MOST_BEFORE = 2  # unknown words before a unit
MOST_BEHIND = 3  # unknown words behind an order
_COAST = 3  # words of a coast behind a place
_FRAGMENT = 3  # words
_MOST_ABOVE = 2  # orders above that a pronoun may mean
_SHORT_CLAUSE = 2  # words beside a place in what is no sentence: "or Burgundy"
LEAVES = frozenset({"disband", "remove"})
_GOING = frozenset({"to", "send", "retreat"}) | LEAVES
_TELLING = frozenset({"hold", "convoy"}) | HELPS | LEAVES


class ClauseReader(SentenceReader):
    """Reads the sentences of one letter that are not orders as they stand."""

    def read(
        self, piece: Passage, reader: LineReader, above: Sequence[Order] = ()
    ) -> tuple[list[SheetLine], list[Passage]]:
        """Return the orders in a sentence, and its clauses that seem to be orders and are not understood.

        `above` are the orders before it, which a pronoun may mean.
        Return nothing if one unit would have two orders, or if a clause only adds a place to another.
        """
        if len(piece.keys) > LONGEST_SENTENCE:
            return [], []
        self._look_at(piece, reader, above)
        named = list(self._find())
        if not named and not any(tables & _TELLING for _, _, tables in self._tables):
            return [], []
        clauses = list(self._clauses(named))
        subject: Unit | None = None
        done = set[object]()
        for clause in clauses:
            subject = self._fill(clause, subject, done)
        for one, two in reversed(list(pairwise(clauses))):
            self._share(one, two)
        for one, two in pairwise(clauses):  # "Paris stays, so does Marseilles"
            if self.cues.has("also", two.words.said) and [o.order.verb for o in one.lines if o.order] == [Verb.HOLD]:
                self._share(two, one, also=True)
        for one, two in pairwise(clauses):  # "My plan was A Par - Bur and A Mar - Spa" gives neither
            if one.unread and one.spelt and self._is_joined(two) and two.lines:
                two.lines, two.spelt, two.unread = [], [line.order for line in two.lines if line.order], True
        lines = [line for clause in clauses for line in clause.lines]
        actions = {action_of(line.order) for line in lines}
        if len(actions) > len({unit_of(line.order) for line in lines if line.order}):
            return [], []
        if any(clause.unread and not clause.words.words for clause in clauses) or any(map(self._is_fragment, clauses)):
            return [], []
        return lines, [clause.words for clause in clauses if clause.unread]

    def _share(self, one: Clause, two: Clause, *, also: bool = False) -> None:
        """Give a unit that is only named the order of the one it is joined to: "Brest and Paris hold".

        It is the one before if words say that it does so `also`.
        """
        units = list(filter(None, map(self._named_unit, one.named)))
        orders = [line.order for line in two.lines if line.order]
        says = self._says(one) & (_TELLING | _GOING)
        strange = self._unknown(one.start, one.end, one.named)
        if one.lines or len(units) != 1 or len(one.named) != 1 or len(orders) != 1 or says or strange:
            return
        begins = one.start == 0 or one.start in self.piece.stops | self.piece.breaks
        order = orders[0]
        if (also or (begins and self._is_joined(two))) and order.at:
            told = self._write(order).removeprefix(self.reader.unit_name(order))
            one.lines = self._lawful(one, [f"{self.reader.unit_name(units[0])}{told}"])

    def backing(self, piece: Passage, reader: LineReader, order: Order) -> list[SheetLine]:
        """Return the supports of an order in a bracket beside it: "(S by A Mar)"."""
        self._look_at(piece, reader, [order])
        clause = Clause(piece, 0, len(piece.keys), list(self._find()))
        unit = self._unit_at(frozenset({order.at.province})) if order.at else None
        if unit and self._begins_help(0, len(piece.keys)):
            self._backed(clause, unit, set())
        return [] if clause.unread else clause.lines

    def _is_fragment(self, clause: Clause) -> bool:
        """Return whether a clause that is not understood may be part of an order: "a Sre sup.", "(ksc)"."""
        keys = clause.words.keys
        if clause.lines or clause.unread or len(keys) > _FRAGMENT:
            return False
        denied = self.cues("denies").fullmatch(clause.words.said)
        return bool(denied or self.reader.kind_of(keys[0])) or self.reader.is_coast(clause.words)

    def _fill(self, clause: Clause, subject: Unit | None, done: set[object]) -> Unit | None:
        """Read one clause, unless it is an order; return the unit to which later clauses may refer."""
        if clause.lines:
            order = clause.lines[-1].order
            self._note(clause, done)
            return self._unit_at(frozenset({order.at.province})) if order and order.at else None
        if subject and self._above and self._begins_help(clause.start, clause.end):
            return self._backed(clause, subject, done)
        if self._alike(clause, done):
            return subject
        if self._inverted(clause, done):
            return self._named_unit(clause.named[1])
        says = self._says(clause)
        unit, rest = self._subject(clause)
        foreign = self.headings.foreign(self.piece.part(clause.start, rest).said) if rest > clause.start else ""
        if unit is None or foreign:
            told = says & _TELLING or not self._unknown(clause.start, clause.end, clause.named)
            goes_on = subject is not None and not foreign and told
            if clause.named and subject is not None and subject.at.province in done and not foreign:
                strange = len(clause.words.keys) - sum(one.end - one.start for one in clause.named)
                clause.unread = any(one.provinces for one in clause.named) and strange <= _SHORT_CLAUSE
                if clause.unread:
                    clause.words = clause.words.part(0, 0)
                return subject
            if not goes_on or subject is None or subject.at.province in done:
                own = not foreign and clause.named and "to" in says and self._named_unit(clause.named[0])
                clause.unread = bool(own and own.at.province not in done and len(clause.named) > 1)
                return subject
            unit, rest = subject, clause.start
        line = self._order(clause, unit, rest, says)
        if line is None or (clause.spelt and [line.order] != clause.spelt):
            others = [one for one in clause.named if one.start >= rest]
            clause.unread = bool(others or says & _TELLING or clause.unread)
            return unit if len(clause.named) == 1 else None  # "Marseilles is to back Paris, which goes to Burgundy"
        clause.lines, clause.unread = [line], False
        self._note(clause, done)
        return unit

    def _note(self, clause: Clause, done: set[object]) -> bool:
        """Note the orders of a clause, to which later ones may refer, and their units; return whether it has some."""
        orders = [line.order for line in clause.lines if line.order]
        self._above += orders
        done.update(map(unit_of, orders))
        return bool(orders)

    def _alike(self, clause: Clause, done: set[object]) -> bool:
        """Read the holds of all units, or of a kind: "both armies hold", "all three hold"; return whether there are."""
        every, told = self.cues.has("every", clause.words.said), self.cues("unmoved").sub("", clause.words.said)
        kinds = {one.kind for one in clause.named if not one.provinces}
        counted = {rank("cardinals", word)[0] for word in clause.words.keys} - {0, 1}
        if not clause.named and every and (counted or self.cues.has("units", clause.words.said)):
            kinds = {unit.kind for unit in self.reader.scene.own}
        kinds = kinds if len(clause.named) == 1 or not clause.named else set()
        strange = self._unknown(clause.start, clause.end, clause.named) - sum(map(bool, (every, not clause.named)))
        if not kinds or "hold" not in self._says(clause) or strange > 0 or self.cues.has("negation", told):
            return False
        ordered = done | {unit_of(order) for order in self._above}
        alike = [u for u in self.reader.scene.own if u.kind in kinds and not u.aboard]
        free = [unit for unit in alike if unit.at.province not in ordered]
        if counted and counted != {len(alike)} & {len(free)}:
            clause.unread = True
            return False
        for unit in free if len(alike) > 1 and self.reader.kind is PhaseKind.MOVEMENT else ():
            clause.lines += self._lawful(clause, [f"{self.reader.unit_name(unit)} H"])
        return self._note(clause, done)

    def _inverted(self, clause: Clause, done: set[object]) -> bool:
        """Read a clause that names the goal before the unit: "Attack Burgundy from Paris"; return whether it is one."""
        goal, mover = clause.named if len(clause.named) == 2 else (None, None)
        unit = self._named_unit(mover) if mover else None
        if goal is None or mover is None or unit is None or self._named_unit(goal) or unit.at.province in done:
            return False
        says, strange = self._says(clause), self._unknown(clause.start, clause.end, clause.named)
        strange += LONGEST_SENTENCE * bool(self.headings.foreign(self.piece.said))  # "... is what Germany fears"
        leads = says & {"to", "send"} or self.cues.has("toward", clause.words.said)
        if not leads or says & _TELLING or strange > MOST_BEFORE or not self.reader.comes_from(self.piece, mover.start):
            return False
        name = self.reader.unit_name(unit)
        clause.lines = self._lawful(clause, [f"{name} - {there}" for there in self._with_coast(goal)])
        return self._note(clause, done)

    def _backed(self, clause: Clause, subject: Unit, done: set[object]) -> Unit:
        """Read the supports of the order before by the units that a clause names: "supported by Marseilles"."""
        units, helped = [self._named_unit(one) for one in clause.named], self._above[-1]
        for unit in units:
            text = f"{self.reader.unit_name(unit)} S {_helped(helped, self._write(helped))}" if unit else ""
            clause.lines += self._lawful(clause, [text]) if text else []
        clause.unread = len(clause.lines) < len(units)
        done.update(unit_of(line.order) for line in clause.lines if line.order)
        return subject

    def _subject(self, clause: Clause) -> tuple[Unit | None, int]:
        """Return the own unit with which a clause begins, and the end of its name."""
        if not clause.named or self._unknown(clause.start, clause.named[0].start) > MOST_BEFORE:
            return None, clause.start
        first = clause.named[0]
        before = range(clause.start, first.start)
        short = (at for at in before if len(self.piece.keys[at]) <= CODE and not (at and self._is_small(at - 1)))
        if not all(self._is_plain(at) or at in self._spoken for at in short):
            return None, clause.start  # "Wse S Pie - Spa"
        unit, left = self._named_unit(first), clause.named[1:2]  # "The army leaves Paris for Burgundy"
        if unit is None and left and self.cues("departs").fullmatch(self.piece.part(first.end, left[0].start).said):
            unit = self._named_unit(left[0])
            unit = unit if unit and unit.kind == first.kind else None
        return unit, first.end

    def _order(self, clause: Clause, unit: Unit, rest: int, says: set[str]) -> SheetLine | None:
        """Return the single legal order of a unit that the words after its name mean."""
        text = self._text(clause, unit, rest, says)
        if not text:
            return None
        lines = self._lawful(clause, [f"{self.reader.unit_name(unit)} {words}" for words in text])
        own = lines and lines[0].order and unit_of(lines[0].order) == unit.at.province
        return lines[0] if own else None

    def _text(self, clause: Clause, unit: Unit, rest: int, says: set[str]) -> list[str]:
        """Return texts, in plain words, of what a clause may order; empty if it is not clear."""
        here, moving = frozenset({unit.at.province}), self.reader.kind is PhaseKind.MOVEMENT
        told = self.cues("departs").sub("", self.cues("unmoved").sub("", clause.words.said))  # "leaves Brest for ..."
        others = [one for one in clause.named if one.start >= rest and not (one.provinces & here)]
        if self.cues.any(("negation", "idle", "keeps" if others else "idle"), told):
            return []
        if moving and (meant := self._meant(clause, unit, rest)) is not None:
            return meant
        kinds = (self.piece.keys[one.start : one.start + 2] for one in clause.named if one.kind)
        terse = any(len(words[0]) == 1 and "/" not in words for words in kinds)
        led = self._is_led(clause)
        if (terse and not led) or any(not one.provinces for one in others):
            return []
        most = 0 if says & (HELPS | {"convoy"}) else MOST_BEHIND
        end = others[-1].end if others else rest
        if self._unknown(end, clause.end) > most or (end < clause.end and self._is_name(end)):
            return []  # "to Virginia Snea"
        places = [" ".join(self.piece.keys[one.start : one.end]) for one in others]
        coast = self._with_coast(others[-1]) if others else []
        sources = [self.reader.comes_from(self.piece, one.start) for one in others]
        if len(others) > 1 and any(sources):
            if not says & HELPS or sources[1:] != [not sources[0]]:
                return []
            places, coast = (places, coast) if sources[0] else (places[::-1], self._with_coast(others[0]))
        if says & HELPS and moving and not others and self._above and not self._unknown(rest, clause.end):
            return [f"S {_helped(self._above[-1], self._write(self._above[-1]))}"]  # "Marseilles helps"
        if says & HELPS and moving:
            goals = [f"- {goal}" for goal in coast] if len(others) == 2 else [""]
            return [f"S {places[0]} {goal}" for goal in goals] if len(others) in (1, 2) else []
        verbs = range(rest, others[0].start if others else rest)
        if moving and any(at in verbs and "convoy" in tables for at, _, tables in self._tables):
            return [f"C {places[0]} - {goal}" for goal in coast] if len(others) == 2 else []
        if not others:
            if moving:
                return ["H"] if "hold" in says and not self._is_kept(clause, rest) else []
            return ["D"] if says & LEAVES and not says & {"hold"} else []
        if len(others) > 1 or says & {"hold"} or (says & LEAVES and not says & {"retreat", "to"}):
            return []
        return [f"- {goal}" for goal in coast] if led or self._leads(rest, others[0]) else []

    def _is_kept(self, clause: Clause, rest: int) -> bool:
        """Return whether a verb before the unit says more than where it stays: "keep Marseilles in mind"."""
        start = clause.named[0].start if clause.named else clause.start
        led = any("hold" in found for at, _, found in self._tables if clause.start <= at < start)
        end, size = clause.end, len(self.piece.keys)
        ends = self.piece.breaks | self.piece.stops | {at for at, _, says in self._tables if says & (_TELLING | _GOING)}
        if end < size and self.piece.keys[end] in note_words("join"):  # "keep Marseilles and the Mid secret"
            end = min((at for at in ends if at > end), default=size)
        named = {at for one in self._find() for at in range(one.start, one.end)}
        words = [word for at, word in enumerate(self.piece.keys[:end]) if at >= rest and at not in named]
        behind = self.cues("filler").sub("", " ".join(words)).split()
        return led and not note_words("join").issuperset(word for word in behind if not self.reader.is_small(word))

    def _is_led(self, clause: Clause) -> bool:
        """Return whether a verb for moving is before the unit: "Heute greift A Mun Tirol an"."""
        start = clause.named[0].start if clause.named else 0
        verbs = [end for at, end, found in self._tables if clause.start <= at < start and found & _GOING]
        return bool(verbs) and not self._unknown(verbs[-1], clause.named[-1].end, but=clause.named)

    def _meant(self, clause: Clause, unit: Unit, rest: int) -> list[str] | None:
        """Return the support or convoy of an earlier order: "F Nth convoys it", "A Mar supports the attack from Paris".

        None if no word of a clause refers to an order.
        """
        named = [one for one in clause.named if one.start >= rest and one.provinces]
        for at in range(rest, clause.end):
            helps = self.reader.says(self.piece.keys[at]) & (HELPS | {"convoy"})
            behind, before = self.piece.part(at + 1, clause.end).said, self.piece.part(rest, at).said
            found, moves = self.cues("object").match(behind), bool(self.cues.has("motion", behind))
            led = self.cues("clitic").fullmatch(before) or self.cues("object").fullmatch(before.split(" ")[-1])
            if not helps or not (found or (moves and named) or led):
                continue
            left = behind[found.end() :] if found else behind
            most = MOST_BEHIND + LONGEST_NAME * len(named)
            if len(named) > moves or self.cues.any(UNSURE, left) or len(left.split()) > most:
                return None
            others = [order for order in reversed(self._above) if order.at and order.at != unit.at]
            if named:
                others = [o for o in others if o.to and o.at and o.at.province in named[0].provinces]
            if found and self.cues.has("motion", found[0]):  # "the landing" is no convoy of it
                others = [order for order in others if order.verb.like is Verb.MOVE]
            letter = "C" if "convoy" in helps else "S"
            return [f"{letter} {_helped(order, self._write(order))}" for order in others[:_MOST_ABOVE]]
        return None

    def _with_coast(self, place: Mention) -> list[str]:
        """Return texts for a place, first with the words after it, which may name a coast."""
        return [" ".join(self.piece.keys[place.start : end]) for end in self._ends(place)]

    def _ends(self, place: Mention) -> list[int]:
        """Return the possible ends of a place's words, the furthest first: a coast after its name is never left out."""
        stop = min(len(self.piece.keys), place.end + _COAST)
        ends = range(stop, place.end - 1, -1)
        return [end for end in ends if end == stop or not self.reader.is_coast(self.piece.part(end, stop))]

    def _leads(self, start: int, goal: Mention) -> bool:
        """Return whether the words before a place say that something goes there."""
        end = goal.start
        if self._unknown(start, end) > MOST_BETWEEN:
            return False
        told = any(tables & {"to", "retreat"} for at, _, tables in self._tables if start <= at < end)
        if told and not self._unknown(start, end):
            return True
        while end > start:
            text = self.piece.part(start, end).said
            if any(found.end() == len(text) for found in self.cues("toward").finditer(text)):
                return True
            end = end - 1 if self._is_small(end - 1) else start
        return False


def _helped(order: Order, text: str) -> str:
    """Return the text of an order in a support or convoy of it: its unit alone, unless it moves."""
    goes = order.to and (order.verb.like is Verb.MOVE or order.verb.phrase.helped)
    return text.removesuffix(" VIA") if goes else " ".join(text.split()[:2])
