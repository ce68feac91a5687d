"""Sentences: the clauses of a sentence of prose, what each names, and the words that tell what is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gamesmaster.board import Unit
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.lines import LineReader
from gamesmaster.reading.meaning import core
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sections import UNSURE, Headings
from gamesmaster.reading.sheet import SheetLine
from gamesmaster.reading.single import CODE, LEAST_STEM, LONGEST_VERB
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.wordbook import ANY_KIND

HELPS = frozenset({"support", "supporthold", "supportmove"})
_MOST_PARTS = 4  # between commas, of one order
_IDLE = ("also", "lead", "polite")  # tables of words that say nothing of what is done


@dataclass(frozen=True, slots=True)
class Mention:
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
    named: list[Mention] = field(default_factory=list)
    lines: list[SheetLine] = field(default_factory=list)
    spelt: list[Order] = field(default_factory=list)
    unread: bool = False


class SentenceReader:
    """Parts one sentence after the other of a letter into clauses, and finds what they name and say."""

    def __init__(self, headings: Headings) -> None:
        self.headings, self.cues = headings, headings.cues

    def _look_at(self, piece: Passage, reader: LineReader, above: Sequence[Order] = ()) -> None:
        """Begin with a sentence."""
        self.reader, self.piece, self._tables = reader, piece, self._said_by(piece, reader)
        self._above = list(above)
        self._spoken = {at for table in _IDLE for where in piece.find(self.cues(table)) for at in where}
        gone = piece.find(self.cues("removals"))
        self._unnamed = self._spoken.union(*({where[0], where[-1]} for where in gone))  # "vom Brett" is not Brest
        self._shores = set[int]()
        for at, size in ((at, n) for at in range(len(piece.keys)) for n in (1, 2, 3)):
            coast = " ".join(piece.keys[at : at + size])
            if reader.kind is PhaseKind.ADJUSTMENTS and len(coast) > 1 and coast in reader.books.coasts:
                self._shores |= set(range(at, at + size))  # "on the south coast of"
        self._spoken |= self._shores
        if reader.kind is PhaseKind.RETREATS:
            back = piece.find(self.cues("retreats"))
            for where, table in [*((at, "disband") for at in gone), *((at, "retreat") for at in back)]:
                self._tables += [(where[0], where[0] + 1, {table})] * piece.stops.isdisjoint(where[1:])

    def _said_by(self, piece: Passage, reader: LineReader) -> list[tuple[int, int, set[str]]]:
        """Return the phrases that tell what is done: where they begin and end, and the tables they stand in."""
        keys, found, at = piece.keys, list[tuple[int, int, set[str]]](), 0
        books = [reader.books.of(name) for name in self.cues.languages if name] or [reader.books.of("en")]
        while at < len(keys):
            for size in range(min(LONGEST_VERB, len(keys) - at), 0, -1):
                phrase = " ".join(keys[at : at + size])
                tables = set[str]().union(*(book.says.get(phrase, ()) for book in books))
                if "convoy" in tables and at and "in" in reader.says(keys[at - 1]):
                    tables = tables - {"convoy"}  # "take the ferry to"
                if tables and (len(phrase) > INITIALS or tables & {"to", "in"}):
                    found.append((at, at + size, tables))
                    at += size
                    break
            else:
                at += 1
        return found

    def _says(self, clause: Clause) -> set[str]:
        """Return the tables of the words of a clause that tell what is done."""
        return set[str]().union(*(tables for at, _, tables in self._tables if clause.start <= at < clause.end))

    def _write(self, order: Order) -> str:
        return self.reader.notation.write(order)

    def _lawful(self, clause: Clause, texts: list[str]) -> list[SheetLine]:
        """Return the first of these texts that is a legal order, as the meaning of a clause; empty without one."""
        lawful, words = {core(order) for order in self.reader.scene.listed}, clause.words
        for text in texts:
            lines = self.reader.meant_by(words, text)
            order = lines[0].order if len(lines) == 1 else None
            if order and core(order) in lawful:
                return [replace(lines[0], read_as=self.reader.read_as(words.text, order), stored=self._write(order))]
        return []

    def _find(self) -> Iterator[Mention]:
        """Yield the places that words name, each with the kind of unit named beside it; or a kind alone."""
        keys, at, kind, since, named = self.piece.keys, 0, "", 0, 0
        moving = self.reader.kind is PhaseKind.MOVEMENT
        while at < len(keys):
            if kind and (at in self.piece.breaks or at in self.piece.stops):
                yield Mention(since, at, frozenset(), kind)
                kind = ""
            told, end = self._kind(at)
            if told:
                if kind:
                    yield Mention(since, since + 1, frozenset(), kind)
                kind, since, at, named = told, at, end, end
                continue
            place = self._place(at)
            if place is None:
                stands = "in" in self.reader.says(keys[at]) or keys[at] in note_words("small")
                stands = stands or (moving and bool(kind) and self._is_shore(at))
                if kind and not stands and (at - since) > 0:  # "the fleet goes to", not "the fleet in"
                    yield Mention(since, at, frozenset(), kind)
                    kind = ""
                at += 1
                continue
            end, provinces = place
            led = moving and any("to" in self.reader.says(word) for word in keys[named:at])
            if kind and led and not any(self.reader.scene.unit_at(one, own=False) for one in provinces):
                yield Mention(since, named, frozenset(), kind)  # "la flota al Mar Negro" goes there
                kind = ""
            again = self._place(end)
            if again and again[1] == provinces and end not in self.piece.breaks:  # "Lewis (11)"
                end = again[0]
            while moving and kind and end < len(keys) and end not in self.piece.breaks and self._is_shore(end):
                end += 1  # "the fleet on Iran's north coast"
            after, stop = ("", end) if kind or end in self.piece.breaks or self._is_small(end) else self._kind(end)
            yield Mention(since if kind else at, stop if after else end, provinces, kind or after)
            kind, at = "", stop if after else end
        if kind:
            yield Mention(since, len(keys), frozenset(), kind)

    def _is_shore(self, at: int) -> bool:
        word = self.piece.words[at]
        owned = word.key == "s" and self.piece.line.text[word.start - 1] in "'’"
        return owned or (len(word.key) > 1 and self.reader.is_coast(self.piece.part(at, at + 1)))

    def _kind(self, at: int) -> tuple[str, int]:
        """Return the kind of unit that words name from one on, empty if none, and where they end."""
        keys = self.piece.keys
        for end in range(min(at + 3, len(keys)), at, -1):
            text = " ".join(word for word in keys[at:end] if word != "-")
            letter = len(text) == 1 and (end >= len(keys) or self._place(end) is None or not self.piece.is_large(at))
            if not letter and (kind := self.reader.kind_of(text)) and kind != ANY_KIND:
                return kind, end
        return "", at

    def _place(self, at: int) -> tuple[int, frozenset[str]] | None:
        """Return the place that words name from one on, perhaps a long capitalized name that is misspelt."""
        piece, keys = self.piece, self.piece.keys
        if at >= len(keys) or keys[at] == "-":
            return None
        found, large = self.reader.place_at(piece, at), piece.is_large(at)
        if unit := self.reader.unit_from(piece, at):
            return at + 1, frozenset({unit.at.province})
        if found:
            short = found[0] == at + 1 and len(keys[at]) <= CODE and not keys[at].isdecimal()
            kind = at and len(keys[at - 1]) == 1 and piece.is_large(at - 1) and self.reader.kind_of(keys[at - 1])
            placed = kind or (at and len(keys[at]) == 1 and self._is_small(at - 1))
            article = len(keys[at]) == 1 and self._is_small(at) and self._kind(at + 1)[0]  # "a war party"
            return None if article or (short and not placed and not large) else found
        unknown = large and at not in self._unnamed and not self.headings.is_plain(keys[at])  # "Servus" is not Serbia
        loose = self.reader.place_at(piece, at, loose=True) if unknown else None
        return loose if loose and len("".join(keys[at : loose[0]])) > LEAST_STEM else None

    def _is_name(self, at: int) -> bool:
        """Return whether a word is written as a name, and says nothing."""
        written = self.piece.line.written[self.piece.words[at].start :][:1]
        return written.isupper() and self._unknown(at, at + 1) > 0 and at not in self.piece.breaks | self.piece.stops

    def _is_small(self, at: int) -> bool:
        return at < len(self.piece.keys) and self.reader.is_article(self.piece.keys[at])

    def _is_coast(self, at: int) -> bool:
        """Return whether a coast is named from one word on: ", on the north coast"."""
        while self._is_small(at):
            at += 1
        coasts, named = set(self.reader.books.coasts), self.reader.place_at(self.piece, at)  # "and Nth supports it"
        return named is None and any(" ".join(self.piece.keys[at : at + size]) in coasts for size in (1, 2, 3))

    def _is_plain(self, at: int) -> bool:
        """Return whether a word says nothing that could touch an order beside it."""
        word, power = self.piece.keys[at], self.reader.power
        return (
            word in note_words("join") or word in "-:" or self._is_small(at) or self.headings.is_plain(word)
            or self.headings.power_at([word], 0)[0] == power
        )  # fmt: skip

    def _unknown(self, start: int, end: int, but: Sequence[Mention] = ()) -> int:
        """Return how many words say nothing known, and name nothing of what is left out."""
        spared = {at for one in but for at in range(one.start, one.end)}
        known = {at for first, last, _ in self._tables for at in range(first, last)} | self._spoken
        return sum(1 for at in range(start, end) if at not in known | spared and not self._is_plain(at))

    def _named_unit(self, named: Mention) -> Unit | None:
        """Return the own unit that is named by its place, or as the only one of its kind."""
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

    def _clauses(self, named: list[Mention]) -> Iterator[Clause]:
        """Yield the parts of the sentence between its commas, full stops, brackets, and words that join."""
        piece, size, kind_of = self.piece, len(self.piece.keys), self.reader.kind_of
        inner = {at for one in named for at in range(one.start + 1, one.end)}
        cuts = {
            at for at in range(1, size)
            if at in piece.breaks or at in piece.stops or piece.keys[at] in note_words("join") or piece.keys[at] == ":"
            or (piece.inside[at] != piece.inside[at - 1] and piece.keys[at] != "-" and not kind_of(piece.keys[at - 1]))
        } - inner - {at for at in piece.breaks if self._is_coast(at)}  # fmt: skip
        coasts = self.reader.books.coasts
        cuts -= {at.start for at in piece.remarks() if piece.part(at.start, at.stop).said in coasts}  # "F Jordan (sc)"
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

    def _begins_help(self, start: int, end: int) -> bool:
        """Return whether words begin to tell who helps: "supported by Marseilles", "with Marseilles' support"."""
        helps = any(tables & HELPS for at, _, tables in self._tables if start < at < end)
        beside = helps and self.piece.keys[start] in note_words("beside")
        return beside or self.cues("backed").match(self.piece.part(start, end).said) is not None

    def _exact(self, start: int, end: int) -> tuple[list[SheetLine], list[SheetLine]]:
        """Return the orders in a clause, empty if its other words mean anything; and again with any other words."""
        found = self.reader.spans(self.piece.part(start, end))
        taken = {start + at for where, _ in found for at in where}
        last = max(taken, default=start - 1) + 1
        aims = self.piece.part(last, end)  # "A Par - Bur to put pressure on Munich"
        aimed = self.cues("reasons").match(aims.said) or self.reader.is_aim(self.piece, last)
        plain = bool(aimed) and not self.cues.any(UNSURE, aims.said)
        taken |= set(range(last, end if plain and not self.reader.begins(aims) else last))
        plain = all(self._is_plain(at) for at in range(start, end) if at not in taken | self._spoken)
        orders = [line for _, lines in found for line in lines]
        plain = plain and self._shores.issubset({*range(start), *taken, *range(end, len(self.piece.keys))})
        rest = " ".join(self.piece.keys[at] for at in range(start, end) if at not in taken)
        holds = any(line.order and line.order.verb.like is Verb.SUPPORT and not line.order.to for line in orders)
        if holds and self.cues.has("motion", rest):  # "F Mao supports Brest's move"
            return [], []
        return orders if plain else [], orders

    def _is_joined(self, clause: Clause) -> bool:
        """Return whether a clause follows a word that joins."""
        return clause.start > 0 and self.piece.keys[clause.start - 1] in note_words("join")
