"""What is sent ahead: retreats, builds and removals that stand among the orders of an earlier phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.entries import Entries, doubtful
from gamesmaster.reading.lines import PHASES, LineReader
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sections import Headings, Why
from gamesmaster.reading.sheet import Purpose, SheetLine


class Ahead:
    """Finds what words of one letter send ahead for the power whose orders are being read."""

    def __init__(self, read: Entries, headings: Headings) -> None:
        self.read, self.headings = read, headings
        self.at, self.cues = read.at, read.cues

    def _reader(self, purpose: Purpose = Purpose.NOW) -> LineReader:
        return self.read.readers.of(self.read.part.power, purpose)

    def is_for(self, purpose: Purpose, piece: Passage) -> bool:
        """Return whether words outside a heading are for a phase that is to come."""
        has, said = self.cues.has, piece.outside(piece.remarks()).said
        if "?" in piece.keys[-1:] or has("question", said):
            return False
        if purpose is Purpose.RETREATS:
            if has("next", said) or (has("winter", said) and not has("retreats", said)):
                return False  # "Next year the fleet goes home", "Should I lose a unit in Winter, ..."
            leads = [where.start() for where in self.cues("leads").finditer(said)]
            if leads and self.headings.foreign(said) and not self.cues.any(("retreats", "ejects"), said[leads[-1] :]):
                return False  # "A Par - Pic if Germany orders a retreat, otherwise A Par - Bur"
            if self._others_retreat(piece):
                return False
            return self.at.kind is PhaseKind.MOVEMENT and self.cues.ejected(said)
        removes = has("removals", said) and not has("cancels", said) and self.at.kind is PhaseKind.MOVEMENT
        names = bool(has("winter", said) or has("builds", said) or removes)
        return self.at.kind is not PhaseKind.ADJUSTMENTS and names

    def _others_retreat(self, piece: Passage) -> bool:
        """Return whether words depend on another power's retreat: "When France is back in Brest, F Mao - Eng"."""
        first = piece.part(0, min(piece.breaks, default=len(piece.keys)))
        rest = piece.part(len(first.keys), len(piece.keys)).said if piece.breaks else ""
        ours = bool(self._reader().begins(first)) or self.cues.any(("ejects", "pronouns"), first.said)
        return bool(self.headings.foreign(first.said)) and not ours and not self.cues.any(("retreats", "ejects"), rest)

    def beside(self, piece: Passage, start: int, above: Sequence[SheetLine] = ()) -> list[SheetLine]:
        """Return an order and its unit's retreats, named from `start` on: "A Mun - Tyr, r Boh"; empty without any.

        If nothing is before them, they are for the last of the orders `above`.
        """
        loose = note_words("join") | {":", "-", "/"}
        end = next((at for at in range(start, 0, -1) if piece.keys[at - 1] not in loose), 0)
        moves = self._reader().orders(piece.part(0, end))
        if ":" in piece.keys[:end] and not moves:  # "The fleet in Brest: F Bre - Eng, and if beaten, Gas"
            moves = self._reader().orders(piece.part(end - piece.keys[:end][::-1].index(":"), end))
        told = [line.order for line in (moves if end else above)]
        goals = self.goals(piece.part(start, len(piece.keys)), told[-1] if told else None, leaves=True)
        return [*moves, *goals] if goals else []

    def retreats(self, piece: Passage) -> list[SheetLine]:
        """Return the retreats that words name, those of one unit in the order of preference."""
        reader, words = self._reader(Purpose.RETREATS), piece.without(":", "?")
        ejected = self.cues.any(("retreats", "leads", "ejects"), words.said)
        lines = reader.orders(words)
        for part in self._units_apart(words) if not lines else ():
            spans = reader.spans(part)
            found = [line for _, listed in spans for line in listed]
            unit = found[-1].order if found else self._unit(part) if ejected else None
            rest = part.part(spans[-1][0].stop if spans else 0, len(part.keys))
            lines += [*found, *self.goals(rest, unit, leaves=self.cues.has("retreats", words.said) is not None)]
        return [line for line in lines if line.order and PHASES.get(line.order.verb) is PhaseKind.RETREATS]

    def _units_apart(self, words: Passage) -> Iterator[Passage]:
        """Yield the words about each unit of a sentence: "If Paris is taken, it goes to Gascony, and Brest, to Mao"."""
        reader, size, cuts = self._reader(), len(words.keys), [0]
        own, known = {unit.at.province for unit in reader.scene.own}, frozenset[str]()
        joined = {at + 1 for at, word in enumerate(words.keys[:-1]) if word in note_words("join")}
        for start, end in pairwise([*sorted({0, *words.breaks, *words.stops, *joined}), size]):
            clause, rest = words.part(start, end), words.part(end, size).said
            at, places = min(reader.begins(clause).items(), default=(0, frozenset[str]()))
            led = any(reader.says(word) & {"to", "retreat"} for word in clause.keys[:at])
            alone = at < len(clause.keys) and bool(reader.unit_alone(clause.part(at, len(clause.keys))))
            goes_on = rest and (
                reader.is_small(rest.split()[0]) or self.cues.any(("leads", "ejects", "retreats"), rest)
            )
            if places & own - known and not led and (not alone or goes_on):
                cuts += [start] * bool(known)
                known = places & own
        for start, end in pairwise([*cuts, size]):
            yield words.part(start, end)

    def _unit(self, words: Passage) -> Order | None:
        """Return a hold of the own unit in a place that words name, or of one that moves to the first of these."""
        reader = self._reader()
        places = [provinces for _, provinces in reader.places(words)]
        for unit in (unit for place in places for unit in reader.scene.own if unit.at.province in place):
            return Order(Verb.HOLD, unit.kind, unit.at)
        named = places[0] if places else frozenset()
        for order in (entry.order for entry in self.read.own()):
            if order and order.verb is Verb.MOVE and order.to and order.to.province in named:
                return Order(Verb.HOLD, order.kind, order.to)
        return None

    def goals(self, words: Passage, unit: Order | None, *, now: bool = False, leaves: bool = False) -> list[SheetLine]:
        """Return the retreats of an order's unit to the adjacent places that words name, or its removal.

        If it `leaves`, words for a removal in Winter count, too.
        """
        reader, board = self._reader(Purpose.NOW if now else Purpose.RETREATS), self.at.rules.board
        if not words.words or unit is None or unit.at not in board.location_index or unit.kind not in board.ways:
            return []
        near, found, at = board.reach(unit.kind, board.location_index[unit.at]), list[SheetLine](), 0
        name = reader.unit_name(unit)
        cues = {at for where in words.find(self.cues("retreats")) for at in (where[0], where[-1])}
        while at < len(words.keys):
            place = None if at in cues or reader.comes_from(words, at) else reader.place_at(words, at)
            if place and any(board.index[province] in near for province in place[1] - {unit.at.province}):
                goals = (f"{name} - {' '.join(words.keys[at : place[0] + more])}" for more in (2, 1, 0))  # with a coast
                found += next(filter(None, (reader.meant_by(words, text) for text in goals)), [])
            at = place[0] if place else at + 1
        if not found and (reader.disbands(words) or (leaves and self.cues.has("removals", words.said))):
            order = Order(Verb.DISBAND, unit.kind, unit.at)
            stored = reader.notation.write(order)
            return [SheetLine(words.text, words.line.number, words.column(0), order, stored=stored)]
        return [replace(line, read_as="") for line in found]

    def away(self, piece: Passage) -> list[SheetLine]:
        """Return the retreat of the only dislodged unit, from words that name just one place where it may go."""
        reader = self._reader()
        beaten = reader.scene.own
        if len(beaten) != 1:
            return []
        piece = piece.outside(range(at, at + 2) for at in range(len(piece.keys)) if reader.unit_from(piece, at))
        words = piece.without_phrases(self.cues("polite")).without(*note_words("join")).keys
        strange = [w for w in words if not (self.headings.is_plain(w) or reader.is_small(w))]
        placed = {word for where, _ in reader.places(piece) for word in where}
        if not self.cues.has("retreats", piece.said) and len(strange) > len(placed):
            return []
        goals = self.goals(piece, Order(Verb.HOLD, beaten[0].kind, beaten[0].at), now=True, leaves=True)
        return goals if len({line.order for line in goals}) == 1 else []

    def winter(self, piece: Passage) -> list[SheetLine]:
        """Return the builds and removals that words name, in doubt if they depend on a condition besides their need."""
        reader, words, has = self._reader(Purpose.ADJUSTMENTS), piece.without(":"), self.cues.has
        heading = self.read.part.heading
        told = heading.purpose is Purpose.ADJUSTMENTS
        builds, removes = has("builds", words.said), has("removals", words.said)
        stand = {unit.kind[:1] for unit in reader.scene.own if unit.at.province in reader.provinces(words)}
        kinds = {reader.kind_of(word)[:1] for word in words.keys if len(word) > 1} - {""}
        other = told and stand and kinds and stand.isdisjoint(kinds)  # "Winter: a fleet in Smyrna", where an army is
        verb = Verb.BUILD if builds else Verb.REMOVE if removes else None
        reader.carried = (heading.verb or (Verb.BUILD if other else None)) if told else verb
        lines = reader.orders(words) if told or reader.leads(words) else []
        for at, found in reader.spans(words) if not lines else ():
            unit = reader.carried and any(map(reader.kind_of, words.keys[at.start : at.stop]))  # "Kiel (fleet)"
            goes = words.keys[at.stop : at.stop + 1] == ["-"]  # no build is in "A Vie - Tyr"
            lines += found if not goes and (told or unit or reader.leads(words.part(at.start, at.stop))) else []
        lines = [line for line in lines if line.order and PHASES.get(line.order.verb) is PhaseKind.ADJUSTMENTS]
        for number, line in enumerate(lines) if removes and not builds else ():
            if line.order and line.order.verb is Verb.BUILD:  # "Take away F Apu" below "F Nap - Apu"
                order = replace(line.order, verb=Verb.REMOVE)
                read_as, stored = reader.read_as(line.text, order), reader.notation.write(order)
                lines[number] = replace(line, order=order, stored=stored, read_as=read_as)
        unsure = has("alternative", words.said) or has("doubt", words.said)
        if unsure or (has("condition", words.said) and self.headings.foreign(words.said)):
            return [doubtful(line, Why.CONDITION) for line in lines]
        return lines
