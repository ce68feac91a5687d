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
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.entries import action_of, unit_of
from gamesmaster.reading.lines import UNSURE, LineReader
from gamesmaster.reading.meaning import core
from gamesmaster.reading.passages import Passage, passage
from gamesmaster.reading.sections import Headings
from gamesmaster.reading.sheet import SheetLine
from gamesmaster.reading.single import CODE, LONGEST_VERB
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.wordbook import ANY_KIND, LONGEST_NAME, SHORT, SLIP

LONGEST_SENTENCE = 120  # words
MOST_BETWEEN = 2  # unknown words between a unit and where it goes
MOST_BEFORE = 2  # unknown words before a unit
MOST_BEHIND = 3  # unknown words behind an order
_LEAST_STEM = 4  # letters of a province's name that its adjective begins with
_COAST = 3  # words of a coast behind a place
_MOST_PARTS = 4  # between commas, of one order
_FRAGMENT = 3  # words
_MOST_ABOVE = 2  # orders above that a pronoun may mean
_SHORT_CLAUSE = 2  # words beside a place in what is no sentence: "or Burgundy"
_HELPS = frozenset({"support", "supporthold", "supportmove"})
LEAVES = frozenset({"disband", "remove"})
_GOING = frozenset({"to", "send", "retreat"}) | LEAVES
_IDLE = ("also", "lead", "polite")
"""Tables of words that say nothing of what is done."""
_TELLING = frozenset({"hold", "convoy"}) | _HELPS | LEAVES
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
        for one, two in reversed(list(pairwise(clauses))):
            self._share(one, two)
        lines = [line for clause in clauses for line in clause.lines]
        actions = {action_of(line.order) for line in lines}
        if len(actions) > len({unit_of(line.order) for line in lines if line.order}):
            return [], []
        if any(clause.unread and not clause.words.words for clause in clauses) or any(map(self._is_fragment, clauses)):
            return [], []
        return lines, [clause.words for clause in clauses if clause.unread]

    def _share(self, one: Clause, two: Clause) -> None:
        """Give a unit that is only named the order of the one it is joined to: "Brest and Paris hold"."""
        units = list(filter(None, map(self._named_unit, one.named)))
        orders = [line.order for line in two.lines if line.order]
        says = self._says(one) & (_TELLING | _GOING)
        strange = self._unknown(one.start, one.end, one.named)
        if one.lines or len(units) != 1 or len(one.named) != 1 or len(orders) != 1 or says or strange:
            return
        begins = one.start == 0 or one.start in self.piece.stops | self.piece.breaks
        order = orders[0]
        if begins and self._is_joined(two) and order.at:
            told = self._write(order).removeprefix(self._name(Unit(0, order.kind, "", order.at)))
            one.lines = self._lawful(one, [f"{self._name(units[0])}{told}"])

    def _is_joined(self, clause: Clause) -> bool:
        """Return whether a clause follows a word that joins."""
        return clause.start > 0 and self.piece.keys[clause.start - 1] in note_words("join")

    def backing(self, piece: Passage, reader: LineReader, order: Order) -> list[SheetLine]:
        """Return the supports of an order in a bracket beside it: "(S by A Mar)"."""
        self._look_at(piece, reader, [order])
        clause = Clause(piece, 0, len(piece.keys), list(self._find()))
        unit = self._unit_at(frozenset({order.at.province})) if order.at else None
        if unit and self._begins_help(0, len(piece.keys)):
            self._backed(clause, unit, set())
        return [] if clause.unread else clause.lines

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
        found, large = self.reader.place_at(piece, at), piece.is_large(at)
        if found:
            short = found[0] == at + 1 and len(keys[at]) <= CODE and not keys[at].isdecimal()
            placed = len(keys[at]) == 1 and at and self._is_small(at - 1)
            return None if short and not placed and not large else found
        for size in (3, 2, 1) if large and at not in self._unnamed and len(keys[at]) > CODE else ():
            words = tuple(keys[at : at + size])
            if len(words) < size or self._is_small(at + size - 1) or len("".join(words)) <= _LEAST_STEM:
                continue
            for spot in filter(None, (book.places.find(words) for book in self.reader.books)):
                if spot.cost <= SLIP and (len(spot.nearest) == 1 or spot.cost == SHORT):
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
        cuts |= {at for at in range(1, size) if self._begins_help(at, min((c for c in cuts if c > at), default=size))}
        ends, number = sorted({0, *cuts, size}), 0
        while number < len(ends) - 1:
            start, end = ends[number : number + 2]
            number += 1
            while start < end and (piece.keys[start] in note_words("join") or piece.keys[start] in ":-"):
                start += 1
            while start < end < size and piece.keys[end - 1] == "-":
                end -= 1
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
        rest = " ".join(self.piece.keys[at] for at in range(start, end) if at not in taken)
        holds = any(line.order and line.order.verb.like is Verb.SUPPORT and not line.order.to for line in orders)
        if holds and self.cues.has("motion", rest):  # "F Mao supports Brest's move"
            return [], []
        return orders if plain else [], orders

    def _is_coast(self, at: int) -> bool:
        """Return whether a coast is named from one word on: ", on the north coast"."""
        while self._is_article(at):
            at += 1
        coasts = set(self.reader.books.coasts)
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

    def _alike(self, clause: Clause, done: set[object]) -> bool:
        """Read the holds of all units of a kind: "both fleets hold"; return whether a clause says so."""
        kinds = {one.kind for one in clause.named if not one.provinces}
        strange = self._unknown(clause.start, clause.end, clause.named)
        negated = self.cues.has("negation", self.cues("unmoved").sub("", clause.words.said))
        if len(clause.named) != 1 or len(kinds) != 1 or "hold" not in self._says(clause) or strange or negated:
            return False
        ordered = done | {unit_of(order) for order in self._above}
        alike = [u for u in self.reader.scene.own if u.kind in kinds and not u.aboard]
        free = [unit for unit in alike if unit.at.province not in ordered]
        for unit in free if len(alike) > 1 and self.reader.kind is PhaseKind.MOVEMENT else ():
            clause.lines += self._lawful(clause, [f"{self._name(unit)} H"])
            done.add(unit.at.province)
        return bool(clause.lines)

    def _inverted(self, clause: Clause, done: set[object]) -> bool:
        """Read a clause that names the goal before the unit: "Attack Burgundy from Paris"; return whether it is one."""
        goal, mover = clause.named if len(clause.named) == 2 else (None, None)
        unit = self._named_unit(mover) if mover else None
        if goal is None or mover is None or unit is None or self._named_unit(goal) or unit.at.province in done:
            return False
        says, strange = self._says(clause), self._unknown(clause.start, clause.end, clause.named)
        strange += LONGEST_SENTENCE * bool(self.headings.foreign(self.piece.said))  # "... is what Germany fears"
        leads = says & {"to", "send"} or self.cues.has("toward", clause.words.said)
        if not leads or says & _TELLING or strange > MOST_BEFORE or not self._is_from(mover):
            return False
        clause.lines = self._lawful(clause, [f"{self._name(unit)} - {name}" for name in self._with_coast(goal)])
        self._above += [line.order for line in clause.lines if line.order]
        done.update(unit_of(line.order) for line in clause.lines if line.order)
        return bool(clause.lines)

    def _begins_help(self, start: int, end: int) -> bool:
        """Return whether words begin to tell who helps: "supported by Marseilles", "with Marseilles' support"."""
        helps = any(tables & _HELPS for at, _, tables in self._tables if start < at < end)
        beside = helps and self.piece.keys[start] in note_words("beside")
        return beside or self.cues("backed").match(self.piece.part(start, end).said) is not None

    def _backed(self, clause: Clause, subject: Unit, done: set[object]) -> Unit:
        """Read the supports of the order before by the units that a clause names: "supported by Marseilles"."""
        units, helped = [self._named_unit(one) for one in clause.named], self._above[-1]
        for unit in units:
            text = f"{self._name(unit)} S {_helped(helped, self._write(helped))}" if unit else ""
            clause.lines += self._lawful(clause, [text]) if text else []
        clause.unread = len(clause.lines) < len(units)
        done.update(unit_of(line.order) for line in clause.lines if line.order)
        return subject

    def _name(self, unit: Unit) -> str:
        return self._write(Order(Verb.HOLD, unit.kind, unit.at)).removesuffix(" H")

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
        lines = self._lawful(clause, [f"{self._name(unit)} {words}" for words in text])
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
        here, moving = frozenset({unit.at.province}), self.reader.kind is PhaseKind.MOVEMENT
        told = self.cues("unmoved").sub("", clause.words.said)
        others = [one for one in clause.named if one.start >= rest and not (one.provinces & here)]
        if self.cues.any(("negation", "idle", "keeps" if others else "idle"), told):
            return []
        if moving and (meant := self._meant(clause, unit, rest)) is not None:
            return meant
        terse = any(one.kind and len(self.piece.keys[one.start]) == 1 for one in clause.named)
        led = self._is_led(clause)
        if (terse and not led) or any(not one.provinces for one in others):
            return []
        most = 0 if says & (_HELPS | {"convoy"}) else MOST_BEHIND
        end = others[-1].end if others else rest
        if self._unknown(end, clause.end) > most or (end < clause.end and self._is_name(end)):
            return []  # "to Virginia Snea"
        places = [" ".join(self.piece.keys[one.start : one.end]) for one in others]
        coast = self._with_coast(others[-1]) if others else []
        sources = [self._is_from(one) for one in others]
        if len(others) > 1 and any(sources):
            if not says & _HELPS or sources[1:] != [not sources[0]]:
                return []
            places, coast = (places, coast) if sources[0] else (places[::-1], self._with_coast(others[0]))
        if says & _HELPS and moving:
            goals = [f"- {goal}" for goal in coast] if len(others) == 2 else [""]
            return [f"S {places[0]} {goal}" for goal in goals] if len(others) in (1, 2) else []
        if "convoy" in says and moving and others and others[0].start > self._first("convoy", rest):
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
        led = any("hold" in found for at, _, found in self._tables if clause.start <= at < clause.named[0].start)
        behind = self.piece.part(rest, clause.end).said
        return led and bool(self.cues("filler").sub("", behind).strip())

    def _is_led(self, clause: Clause) -> bool:
        """Return whether a verb for going stands before the unit: "Heute greift A Mun Tirol an"."""
        start = clause.named[0].start if clause.named else 0
        verbs = [end for at, end, found in self._tables if clause.start <= at < start and found & _GOING]
        return bool(verbs) and not self._unknown(verbs[-1], clause.named[-1].end, but=clause.named)

    def _meant(self, clause: Clause, unit: Unit, rest: int) -> list[str] | None:
        """The support or convoy of an order before: "F Nth convoys it", "A Mar supports the attack from Paris".

        None if no word of a clause stands for an order.
        """
        named = [one for one in clause.named if one.start >= rest and one.provinces]
        for at in range(rest, clause.end):
            helps = self.reader.says(self.piece.keys[at]) & (_HELPS | {"convoy"})
            behind, before = self.piece.part(at + 1, clause.end).said, self.piece.part(rest, at).said
            found, moves = self.cues("object").match(behind), bool(self.cues.has("motion", behind))
            led = self.cues("clitic").fullmatch(before) or self.cues("object").fullmatch(before.split(" ")[-1])
            if not helps or not (found or (moves and named) or led):
                continue
            left = behind[found.end() :] if found else behind
            if (
                len(named) > moves
                or self.cues.any(UNSURE, left)
                or len(left.split()) > MOST_BEHIND + LONGEST_NAME * len(named)
            ):
                return None
            others = [order for order in reversed(self._above) if order.at and order.at != unit.at]
            if named:
                others = [o for o in others if o.to and o.at and o.at.province in named[0].provinces]
            letter = "C" if "convoy" in helps else "S"
            return [f"{letter} {_helped(order, self._write(order))}" for order in others[:_MOST_ABOVE]]
        return None

    def _is_from(self, place: Named) -> bool:
        """Return whether words before a place say that something comes from there."""
        start, leads = place.start, note_words("from") | note_words("agent")
        while start and self._is_article(start - 1) and self.piece.keys[start - 1] not in leads:
            start -= 1
        return start > 0 and self.piece.keys[start - 1] in leads

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
