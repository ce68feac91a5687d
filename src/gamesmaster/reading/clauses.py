"""Clauses: the orders in a sentence of prose, whatever verbs it uses.

A sentence is parted into clauses.  In each, the units and places are looked for that it names, and the words that tell
what is done.  A clause is an order if it begins with one own unit, and one legal order has all of its places.  An
unknown verb between a unit and the place it may go to is a move if a word for a direction stands before that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gamesmaster.board import Unit
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.entries import action_of, unit_of
from gamesmaster.reading.lines import CODE, LONGEST_VERB, UNSURE, LineReader
from gamesmaster.reading.meaning import core
from gamesmaster.reading.passages import Passage, passage
from gamesmaster.reading.sections import Headings
from gamesmaster.reading.sheet import SheetLine
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.wordbook import ANY_KIND, SLIP

LONGEST_SENTENCE = 120  # words
MOST_BETWEEN = 2  # unknown words between a unit and where it goes
MOST_STRANGE = 2  # unknown words beside a unit that is built
MOST_BEFORE = 2  # unknown words before a unit
MOST_BEHIND = 3  # unknown words behind an order
_LEAST_STEM = 4  # letters of a province's name that its adjective begins with
_COAST = 3  # words of a coast behind a place
_MOST_PARTS = 4  # between commas, of one order
_FRAGMENT = 3  # words
_MOST_ABOVE = 2  # orders above that a pronoun may mean
_SHORT_CLAUSE = 2  # words beside a place in what is no sentence: "or Burgundy"
_HELPS = frozenset({"support", "supporthold", "supportmove"})
_LEAVES = frozenset({"disband", "remove"})
_GOING = frozenset({"to", "send", "retreat"}) | _LEAVES
_IDLE = ("also", "lead", "polite")
"""Tables of words that say nothing of what is done."""
_TELLING = frozenset({"hold", "convoy"}) | _HELPS | _LEAVES
_SPECIAL = frozenset({"board", "take", "land", "make", "destroy", "carry", "designate", "arrive", "decline", "build"})


@dataclass(frozen=True, slots=True)
class Named:
    """A place or a unit among the words from `start` to before `end`: its provinces, and its kind if that is said."""

    start: int
    end: int
    provinces: frozenset[str]
    kind: str = ""


@dataclass(slots=True)
class Clause:
    """Some words of a sentence, what they name, and the tables of the words in them that tell what is done."""

    words: Passage
    start: int
    end: int
    named: list[Named] = field(default_factory=list)
    lines: list[SheetLine] = field(default_factory=list)
    spelt: list[Order] = field(default_factory=list)
    unread: bool = False


class ClauseReader:
    """Reads the sentences of one letter that are not orders as they stand."""

    def __init__(self, headings: Headings) -> None:
        self.headings, self.cues = headings, headings.cues

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
        lines = [line for clause in clauses for line in clause.lines]
        actions = {action_of(line.order) for line in lines}
        if len(actions) > len({unit_of(line.order) for line in lines if line.order}):
            return [], []
        if any(clause.unread and not clause.words.words for clause in clauses) or any(map(self._is_fragment, clauses)):
            return [], []
        return lines, [clause.words for clause in clauses if clause.unread]

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
            raises, leaves = not says.isdisjoint({"build", "plus"}), not says.isdisjoint({*_LEAVES, "minus"})
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

    def _look_at(self, piece: Passage, reader: LineReader, above: Sequence[Order] = ()) -> None:
        """Begin with a sentence."""
        self.reader, self.piece, self._tables = reader, piece, self._said_by(piece, reader)
        self._above = list(above)
        self._spoken = {at for table in _IDLE for where in piece.find(self.cues(table)) for at in where}
        gone = piece.find(self.cues("removals"))
        self._unnamed = self._spoken | {
            at for where in gone for at in (where[0], where[-1])
        }  # "vom Brett" is not Brest
        if reader.kind is PhaseKind.RETREATS:
            for where, table in [
                *((at, "disband") for at in gone),
                *((at, "retreat") for at in piece.find(self.cues("retreats"))),
            ]:
                self._tables += [(where[0], where[0] + 1, {table})] * piece.stops.isdisjoint(where[1:])

    def _says(self, clause: Clause) -> set[str]:
        """Return the tables of the words of a clause that tell what is done."""
        return set[str]().union(*(tables for at, _, tables in self._tables if clause.start <= at < clause.end))

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

    def _write(self, order: Order) -> str:
        return self.reader.notation.write(order)

    def _is_fragment(self, clause: Clause) -> bool:
        """Return whether a clause that is not understood may be a piece of an order: "a Sre sup.", "(ksc)"."""
        keys = clause.words.keys
        if clause.lines or clause.unread or len(keys) > _FRAGMENT:
            return False
        denied = self.cues("denies").fullmatch(clause.words.said)
        return bool(denied) or self.reader.is_kind(keys[0]) or self.reader.is_coast(clause.words)

    # -- what is named -----------------------------------------------------------------------------------------------

    def _said_by(self, piece: Passage, reader: LineReader) -> list[tuple[int, int, set[str]]]:
        """Return the phrases that tell what is done: where they begin and end, and the tables they stand in."""
        keys, found, at = piece.keys, list[tuple[int, int, set[str]]](), 0
        books = [reader.books.of(name) for name in self.cues.languages if name] or [reader.books.of("en")]
        while at < len(keys):
            for size in range(min(LONGEST_VERB, len(keys) - at), 0, -1):
                phrase = " ".join(keys[at : at + size])
                tables = set[str]().union(*(book.says.get(phrase, ()) for book in books))
                if tables and (len(phrase) > INITIALS or tables & {"to", "in"}):
                    found.append((at, at + size, tables))
                    at += size
                    break
            else:
                at += 1
        return found

    def _find(self) -> Iterator[Named]:
        """The places that words name, each with the kind of unit that is said beside it; or a kind alone."""
        keys, at, kind, since = self.piece.keys, 0, "", 0
        while at < len(keys):
            if kind and (at in self.piece.breaks or at in self.piece.stops):
                yield Named(since, at, frozenset(), kind)
                kind = ""
            told, end = self._kind(at)
            if told:
                if kind:
                    yield Named(since, since + 1, frozenset(), kind)
                kind, since, at = told, at, end
                continue
            place = self._place(at)
            if place is None:
                if kind and not self._is_small(at) and (at - since) > 0:
                    yield Named(since, at, frozenset(), kind)
                    kind = ""
                at += 1
                continue
            end, provinces = place
            again = self._place(end)
            if again and again[1] == provinces and end not in self.piece.breaks:  # "Lewis (11)"
                end = again[0]
            after, stop = ("", end) if kind or end in self.piece.breaks or self._is_article(end) else self._kind(end)
            yield Named(since if kind else at, stop if after else end, provinces, kind or after)
            kind, at = "", stop if after else end
        if kind:
            yield Named(since, len(keys), frozenset(), kind)

    def _kind(self, at: int) -> tuple[str, int]:
        """The kind of unit that words name from one on, empty if none, and where they end."""
        keys = self.piece.keys
        for end in range(min(at + 3, len(keys)), at, -1):
            text = " ".join(word for word in keys[at:end] if word != "-")
            letter = len(text) == 1 and (end >= len(keys) or self._place(end) is None or not self.piece.is_large(at))
            if not letter and (kind := self.reader.kind_of(text)) and kind != ANY_KIND:
                return kind, end
        return "", at

    def _place(self, at: int) -> tuple[int, frozenset[str]] | None:
        """The place that words name from one on, perhaps with a slip in a long name that is written large."""
        piece, keys = self.piece, self.piece.keys
        if at >= len(keys) or keys[at] == "-":
            return None
        found = self.reader.place_at(piece, at)
        if found:
            short = found[0] == at + 1 and len(keys[at]) <= CODE and not keys[at].isdecimal()
            placed = len(keys[at]) == 1 and at and self._is_small(at - 1)
            return None if short and not placed and not self.piece.is_large(at) else found
        for size in (3, 2, 1) if at not in self._unnamed else ():
            words = tuple(keys[at : at + size])
            small = len(words) < size or self._is_small(at + size - 1)
            if small or len("".join(words)) <= _LEAST_STEM or not self.piece.is_large(at):
                continue
            for book in self.reader.books:
                spot = book.places.find(words)
                if spot and spot.cost <= SLIP and len(spot.nearest) == 1 and len(words[0]) > CODE:
                    return at + size, frozenset(spot.nearest)
        return None

    def _is_name(self, at: int) -> bool:
        """Return whether a word is written as a name, and says nothing."""
        written = self.piece.line.written[self.piece.words[at].start :][:1]
        return written.isupper() and self._unknown(at, at + 1) > 0 and at not in self.piece.breaks | self.piece.stops

    def _is_article(self, at: int) -> bool:
        return at < len(self.piece.keys) and self._is_small(at)

    def _is_small(self, at: int) -> bool:
        word = self.piece.keys[at]
        return self.reader.is_small(word) or word in note_words("small")

    # -- clauses -----------------------------------------------------------------------------------------------------

    def _clauses(self, named: list[Named]) -> Iterator[Clause]:
        """The parts of the sentence between its commas, full stops, brackets, and words that join."""
        piece, size = self.piece, len(self.piece.keys)
        inner = {at for one in named for at in range(one.start + 1, one.end)}
        cuts = {
            at for at in range(1, size)
            if at in piece.breaks or at in piece.stops or piece.keys[at] in note_words("join") or piece.keys[at] == ":"
            or (
                piece.inside[at] != piece.inside[at - 1]
                and piece.keys[at] != "-"
                and not self.reader.is_kind(piece.keys[at - 1])
            )
        } - inner - {at for at in piece.breaks if self._is_coast(at)}  # fmt: skip
        ends, number = sorted({0, *cuts, size}), 0
        while number < len(ends) - 1:
            start, end = ends[number : number + 2]
            number += 1
            while start < end and (piece.keys[start] in note_words("join") or piece.keys[start] in ":-"):
                start += 1
            if start == end:
                continue
            lines, found = self._exact(start, end)
            for more in range(number + 1, min(number + _MOST_PARTS, len(ends))) if not found else ():
                if lines := self.reader.orders(piece.part(start, ends[more])):
                    end, number = ends[more], more
                    break
            inside = [one for one in named if start <= one.start < end]
            orders = [line.order for line in found if line.order] if not lines else []
            yield Clause(piece.part(start, end), start, end, inside, lines, orders, unread=bool(orders))

    def _exact(self, start: int, end: int) -> tuple[list[SheetLine], list[SheetLine]]:
        """The orders that stand in a clause if the rest of it says nothing, and whatever the rest says."""
        found = self.reader.spans(self.piece.part(start, end))
        taken = {start + at for where, _ in found for at in where}
        plain = all(self._is_plain(at) for at in range(start, end) if at not in taken)
        orders = [line for _, lines in found for line in lines]
        return orders if plain else [], orders

    def _is_coast(self, at: int) -> bool:
        """Return whether a coast is named from one word on: ", on the north coast"."""
        while self._is_article(at):
            at += 1
        coasts = self.reader.books.first.coasts
        return any(" ".join(self.piece.keys[at : at + size]) in coasts for size in (1, 2, 3))

    def _is_plain(self, at: int) -> bool:
        """Return whether a word says nothing that could touch an order beside it."""
        word, power = self.piece.keys[at], self.reader.power
        return (
            word in note_words("join") or word in "-:" or self._is_small(at) or self.headings.is_plain(word)
            or self.headings.power_at([word], 0)[0] == power
        )  # fmt: skip

    def _fill(self, clause: Clause, subject: Unit | None, done: set[object]) -> Unit | None:
        """Read one clause, if it is not an order as it stands; return the unit that what follows may go on with."""
        if clause.lines:
            order = clause.lines[-1].order
            done.update(unit_of(line.order) for line in clause.lines if line.order)
            self._above += [line.order for line in clause.lines if line.order]
            return self._unit_at(frozenset({order.at.province})) if order and order.at else None
        says = self._says(clause)
        unit, rest = self._subject(clause)
        foreign = self.headings.foreign(self.piece.part(clause.start, rest).said) if rest > clause.start else ""
        if unit is None or foreign:
            told = says & _TELLING or not self._unknown(clause.start, clause.end)
            goes_on = subject is not None and not foreign and told
            if clause.named and subject is not None and subject.at.province in done and not foreign:
                clause.unread = any(one.provinces for one in clause.named) and self._is_short(clause)
                if clause.unread:
                    clause.words = clause.words.part(0, 0)
                return subject
            if not goes_on or subject is None or subject.at.province in done:
                return subject
            unit, rest = subject, clause.start
        line = self._order(clause, unit, rest, says)
        if line is None or (clause.spelt and [line.order] != clause.spelt):
            others = [one for one in clause.named if one.start >= rest]
            clause.unread = bool(others or says & _TELLING or clause.unread)
            return unit
        clause.lines = [line]
        self._above += [line.order] if line.order else []
        clause.unread = False
        done.add(unit.at.province)
        return unit

    def _is_short(self, clause: Clause) -> bool:
        """Return whether a clause is a place with few words, which may belong to the order before it."""
        return len(clause.words.keys) - sum(one.end - one.start for one in clause.named) <= _SHORT_CLAUSE

    def _subject(self, clause: Clause) -> tuple[Unit | None, int]:
        """The own unit with which a clause begins, and where its name ends."""
        if not clause.named or self._unknown(clause.start, clause.named[0].start) > MOST_BEFORE:
            return None, clause.start
        first = clause.named[0]
        before = range(clause.start, first.start)
        if any(len(self.piece.keys[at]) <= CODE and not self._is_plain(at) for at in before):
            return None, clause.start  # "Wse S Pie - Spa"
        return self._named_unit(first), first.end

    def _named_unit(self, named: Named) -> Unit | None:
        """The own unit that is named by its place, or as the only one of its kind."""
        if named.provinces:
            unit = self._unit_at(named.provinces)
            return unit if unit and named.kind[:1] in ("", unit.kind[:1]) else None
        alike = [unit for unit in self.reader.scene.own if unit.kind == named.kind and not unit.aboard]
        if named.end < len(self.piece.keys) and self._is_name(named.end):
            return None  # "Flotte Atlantis nach Mao"
        return alike[0] if len(alike) == 1 else None

    def _unit_at(self, provinces: frozenset[str]) -> Unit | None:
        own = [unit for unit in self.reader.scene.own if unit.at.province in provinces and not unit.aboard]
        return own[0] if len(own) == 1 else None

    def _unknown(self, start: int, end: int, but: Sequence[Named] = ()) -> int:
        """Return how many words say nothing known, and name nothing of what is left out."""
        spared = {at for one in but for at in range(one.start, one.end)}
        known = {at for first, last, _ in self._tables for at in range(first, last)} | self._spoken
        return sum(1 for at in range(start, end) if at not in known | spared and not self._is_plain(at))

    # -- orders ------------------------------------------------------------------------------------------------------

    def _order(self, clause: Clause, unit: Unit, rest: int, says: set[str]) -> SheetLine | None:
        """The one legal order of a unit that the words behind its name mean."""
        text = self._text(clause, unit, rest, says)
        if not text:
            return None
        name = self._write(Order(Verb.HOLD, unit.kind, unit.at)).removesuffix(" H")
        lines = self._lawful(clause, [f"{name} {words}" for words in text])
        own = lines and lines[0].order and unit_of(lines[0].order) == unit.at.province
        return lines[0] if own else None

    def _lawful(self, clause: Clause, texts: list[str]) -> list[SheetLine]:
        """The first of these orders that may be given, as what a clause means; none if none may."""
        lawful, words = {core(order) for order in self.reader.scene.listed}, clause.words
        for text in texts:
            lines = self.reader.orders(passage(text, self.piece.line.number))
            order = lines[0].order if len(lines) == 1 else None
            if order and core(order) in lawful:
                read_as, stored = self.reader.read_as(words.text, order), self._write(order)
                return [replace(lines[0], text=words.text, column=words.column(0), read_as=read_as, stored=stored)]
        return []

    def _text(self, clause: Clause, unit: Unit, rest: int, says: set[str]) -> list[str]:
        """What is done, in plain words, in the ways that may be read; none if it is not clear."""
        here = frozenset({unit.at.province})
        told = clause.words.said
        others = [one for one in clause.named if one.start >= rest and not (one.provinces & here)]
        if self.cues.any(("negation", "idle", "keeps" if others else "idle"), told):
            return []
        if self.reader.kind is PhaseKind.MOVEMENT and (meant := self._meant(clause, unit, rest)):
            return meant
        terse = any(one.kind and len(self.piece.keys[one.start]) == 1 for one in clause.named)
        led = self._is_led(clause)
        if (terse and not led) or any(not one.provinces for one in others):
            return []
        most = 0 if says & (_HELPS | {"convoy"}) else MOST_BEHIND
        if self._unknown(others[-1].end if others else rest, clause.end) > most:
            return []
        places = [" ".join(self.piece.keys[one.start : one.end]) for one in others]
        coast = self._with_coast(others[-1]) if others else []
        moving = self.reader.kind is PhaseKind.MOVEMENT
        if self._first("from", rest) < clause.end and len(others) > 1:
            return []  # "S to Serbia from Rumania"
        if says & _HELPS and moving:
            goals = [f"- {goal}" for goal in coast] if len(others) == 2 else [""]
            return [f"S {places[0]} {goal}" for goal in goals] if len(others) in (1, 2) else []
        if "convoy" in says and moving and others and others[0].start > self._first("convoy", rest):
            return [f"C {places[0]} - {goal}" for goal in coast] if len(others) == 2 else []
        if not others:
            if moving:
                return ["H"] if "hold" in says else []
            return ["D"] if says & _LEAVES and not says & {"hold"} else []
        if len(others) > 1 or says & {"hold"} or (says & _LEAVES and not says & {"retreat", "to"}):
            return []
        return [f"- {goal}" for goal in coast] if led or self._leads(rest, others[0]) else []

    def _is_led(self, clause: Clause) -> bool:
        """Return whether a verb for going stands before the unit: "Heute greift A Mun Tirol an"."""
        start = clause.named[0].start if clause.named else 0
        verbs = [end for at, end, found in self._tables if clause.start <= at < start and found & _GOING]
        return bool(verbs) and not self._unknown(verbs[-1], clause.named[-1].end, but=clause.named)

    def _meant(self, clause: Clause, unit: Unit, rest: int) -> list[str]:
        """The support or convoy of the order before, for which a pronoun stands beside the verb: "F Nth convoys it"."""
        keys, write = self.piece.keys, self._write
        for at in range(rest, clause.end):
            helps = self.reader.says(keys[at]) & (_HELPS | {"convoy"})
            behind, before = self.piece.part(at + 1, clause.end).said, self.piece.part(rest, at).said
            found = self.cues("object").match(behind)
            if not helps or not (found or self.cues("clitic").fullmatch(before)):
                continue
            left = behind[found.end() :] if found else behind
            named = any(one.provinces for one in clause.named if one.start >= rest)
            if named or self.cues.any(UNSURE, left) or len(left.split()) > MOST_BEHIND:
                return []
            others = [order for order in reversed(self._above) if order.at and order.at != unit.at][:_MOST_ABOVE]
            letter = "C" if "convoy" in helps else "S"
            return [f"{letter} {_helped(order, write(order))}" for order in others]
        return []

    def _first(self, table: str, start: int) -> int:
        return next((at for at, _, tables in self._tables if at >= start and table in tables), len(self.piece.keys))

    def _with_coast(self, place: Named) -> list[str]:
        """The words of a place, with those behind it first, which may name a coast."""
        return [" ".join(self.piece.keys[place.start : end]) for end in self._ends(place)]

    def _ends(self, place: Named) -> list[int]:
        """Return where the words of a place may end, the furthest first: a coast behind its name is never left out."""
        stop = min(len(self.piece.keys), place.end + _COAST)
        ends = range(stop, place.end - 1, -1)
        return [end for end in ends if end == stop or not self.reader.is_coast(self.piece.part(end, stop))]

    def _leads(self, start: int, goal: Named) -> bool:
        """Return whether the words before a place say that something goes there."""
        end = goal.start
        if self._unknown(start, end) > MOST_BETWEEN:
            return False
        told = any(tables & {"to", "retreat"} for at, _, tables in self._tables if start <= at < end)
        if told and not self._unknown(start, end):
            return True
        text = self.piece.part(start, end).said
        return any(found.end() == len(text) for found in self.cues("toward").finditer(text))


def _helped(order: Order, text: str) -> str:
    """How an order is named in one that helps it: its unit alone, unless it goes somewhere."""
    goes = order.to and (order.verb.like is Verb.MOVE or order.verb.phrase.helped)
    return text.removesuffix(" VIA") if goes else " ".join(text.split()[:2])
