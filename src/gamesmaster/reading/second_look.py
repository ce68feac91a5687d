"""The second look: orders below headings that were not understood, once the whole letter is read."""

from __future__ import annotations

from gamesmaster.orders import Verb
from gamesmaster.orders.words import key
from gamesmaster.reading.entries import Entries, Entry, same_unit
from gamesmaster.reading.lines import UNSURE
from gamesmaster.reading.sections import SAID, UNKNOWN, Headings
from gamesmaster.reading.sheet import Purpose


class SecondLook:
    """Looks again at the lines of a letter that were passed over."""

    def __init__(self, read: Entries, headings: Headings) -> None:
        self.read, self.headings = read, headings
        self.power, self.readers, self.cues = read.power, read.readers, read.cues

    def take(self) -> None:
        """Take the orders below headings that are not understood, if the letter has no others for any of these units.

        It must be one heading and no other orders, or the orders for every unit together.  If there are none, orders
        for every unit that stand together further down below another heading are taken.
        """
        for power in {entry.part.power for entry in self.read.listed if entry.piece}:
            own = {unit.at.province for unit in self.readers.of(power).scene.own}
            known = {e.order.at.province for e in self.read.listed if e.order and e.order.at and e.part.power == power}
            below = [entry for entry in self.read.listed if entry.piece and entry.part.power == power]
            unknown = [e for e in below if e.part.heading.why == UNKNOWN and not self._is_unsure(e.part.title)]
            if self._again(unknown, known, own, {id(entry.part) for entry in unknown}) or known:
                self._contradict(unknown)
                continue
            said = [e for e in below if e.part.heading.why == SAID and not self.headings.foreign(key(e.part.title))]
            first = {id(e.part): e.block for e in reversed(below)}
            parts = [[e for e in unknown + said if id(e.part) == part] for part in first]
            blocks = sorted({e.block for e in below if e.block > first[id(e.part)]})
            lower = [[e for e in below if e.block == block] for block in blocks]
            for sets in (parts, lower):
                whole = [entries for entries in sets if self._again(entries, known, own, set(), takes=False)]
                if len(whole) == 1 and self._again(whole[0], known, own, set()):
                    break

    def _contradict(self, entries: list[Entry]) -> None:
        """Keep orders below headings that are not understood where the unit has another order: one of them counts."""
        for entry in entries:
            for line in self.readers.of(entry.part.power).orders(entry.piece) if entry.piece else ():
                others = [one for one in self.read.own(entry.part.power) if same_unit(one.order, line.order)]
                if others and entry.purpose is not Purpose.NOW and all(one.order != line.order for one in others):
                    entry.purpose, entry.line = Purpose.NOW, line

    def _again(
        self, entries: list[Entry], known: set[str], own: set[str], parts: set[int], *, takes: bool = True
    ) -> bool:
        """Take lines that are orders for units that have none, for all units or below one heading."""
        read = [(e, self.readers.of(e.part.power).orders(e.piece)) for e in entries if e.piece]
        units = [line.order.at.province for _, lines in read for line in lines if line.order and line.order.at]
        whole = bool(units) and own == known | {*units}
        alone = not known and len(parts & {id(entry.part) for entry, lines in read if lines}) == 1
        builds = any(line.order and line.order.verb is Verb.BUILD for _, lines in read for line in lines)
        if (
            not (builds or own.issuperset(units))
            or known.intersection(units)
            or len({*units}) < len(units)
            or not (whole or alone)
        ):
            return False
        for entry, lines in read if takes else ():
            for number, line in enumerate(lines):
                if number:
                    self.read.listed.append(Entry(Purpose.NOW, entry.part, line, self.read.version))
                else:
                    entry.purpose, entry.line = Purpose.NOW, line
        return True

    def _is_unsure(self, title: str) -> bool:
        """Return whether a heading says something that orders are not below."""
        text = key(title)
        tables = (*UNSURE, "said") if self.power else UNSURE
        told = any(self.cues.has(table, text) for table in tables if table != "negation")
        return told or bool(self.headings.foreign(text) or self.cues("negation").match(text))
