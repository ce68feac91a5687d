"""Letters: what each line of a letter is for, read from the top to the end.

A line is an order, a heading, a correction, something for later, or nothing of the kind.  What is in doubt is no order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gamesmaster.judge.legal import dislodge
from gamesmaster.orders import UNREAD, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import cue, note_words
from gamesmaster.orders.sentence import defect
from gamesmaster.orders.words import key
from gamesmaster.reading.corrections import Entry, Part, correction, doubtful, same_unit, settle, supersede
from gamesmaster.reading.layout import Layout, Passage, bare, lay_out, passages
from gamesmaster.reading.lines import UNSURE, Effort, LineReader, Spans
from gamesmaster.reading.sections import (
    CHAT, CHOICE, COMMAND, CONDITION, DRAFT, LISTED, PAST, QUESTION, REPLACED, SAID, SEASON, UNKNOWN, Heading, Headings, has,
    is_plain,
)  # fmt: skip
from gamesmaster.reading.sheet import OrderSheet, Purpose, Section, SheetLine, unread
from gamesmaster.reading.wordbook import Wordbooks

if TYPE_CHECKING:
    from gamesmaster.reading.reader import Situation

SHORTEST_ORDER = 3  # words
MOST_SENTENCES = 10  # of a line that are looked at together
LONGEST_HEADING = 12  # words without a colon
LONGEST_COMMAND = 6
MOST_COLONS = 8  # behind a colon
_KINDS = {Purpose.RETREATS: PhaseKind.RETREATS, Purpose.ADJUSTMENTS: PhaseKind.ADJUSTMENTS}
_FOR_LATER = {
    Verb.RETREAT: Purpose.RETREATS, Verb.DISBAND: Purpose.RETREATS, Verb.BUILD: Purpose.ADJUSTMENTS,
    Verb.REMOVE: Purpose.ADJUSTMENTS, Verb.WAIVE: Purpose.ADJUSTMENTS,
}  # fmt: skip


class LetterReader:
    """Reads one letter of `power`, or of a Gamesmaster for `powers`."""

    def __init__(self, at: Situation, power: str, powers: Collection[str]) -> None:
        self.at, self.power, self.powers = at, power, powers
        self.headings = Headings(at.rules.derive(Wordbooks), at.kind, at.season, power)
        self.effort = Effort()
        self.part = Part(Heading(Purpose.NOW), power)
        self.entries: list[Entry] = []
        self._begun = self._version = self._number = 0
        self._lines: list[Layout] = []
        self._until = ""
        self._readers: dict[tuple[str, Purpose], LineReader] = {}

    def read(self, text: str) -> OrderSheet:
        """The sheet that the text of a letter makes."""
        self._lines = lay_out(text)
        while self._number < len(self._lines):
            line = self._lines[self._number]
            if line.skipped:
                written = SheetLine(line.written.strip(), line.number, what=line.skipped)
                self.entries.append(Entry(Purpose.NOTHING, self.part, written))
            elif not line.text.strip():
                if self.part.outer and len(self.entries) > self._begun and not self._until:
                    self.part = self.part.outer
            elif line.cells:
                self._safely(self._row, line, line)
            else:
                for passage in passages(line):
                    self._safely(self._take, passage, line)
            self._number += 1
        own = {p: {u.at.province for u in r.scene.own} for (p, q), r in self._readers.items() if q is Purpose.NOW}
        settle(self.entries, own)
        return OrderSheet(text, self.power, self.at.kind, tuple(self._sections()))

    def _safely(self, take: Callable[[Any], None], words: Passage | Layout, line: Layout) -> None:
        """Take some words; what the program itself falls over is refused, and stands in the log."""
        try:
            take(words)
        except Exception as error:  # whatever it is, it is a fault of ours
            text, hint = words.text.strip(), f"write line {line.number} anew"
            fault = SheetLine(text, line.number, stored=unread(text), what=defect(error).what, hint=hint)
            self.entries.append(Entry(Purpose.NOW, self.part, fault))

    def _sections(self) -> Iterator[Section]:
        """The lines by what they are for and their headings, in the order written."""
        grouped = groupby(self.entries, key=lambda entry: (entry.purpose, entry.part.power, entry.part.title))
        for (purpose, power, title), listed in grouped:
            yield Section(purpose, power, tuple(line for one in listed for line in self._written_out(one)), title)

    def _written_out(self, entry: Entry) -> Iterator[SheetLine]:
        """A line, with "all hold" and "the rest hold" written out for the units that are meant."""
        line, order = entry.line, entry.line.order
        if order is None or order.at is not None or order.verb is Verb.WAIVE:
            yield line
            return
        reader, power = self._reader(entry.part.power), entry.part.power
        named = {e.order.at.province for e in self.entries if e.order and e.order.at and e.part.power == power}
        for unit in reader.scene.own:
            if not unit.aboard and unit.at.province not in named:
                each = Order(order.verb, unit.kind, unit.at)
                yield replace(
                    line, order=each, read_as=reader.read_as(line.text, each), stored=reader.notation.write(each)
                )

    def _reader(self, power: str, purpose: Purpose = Purpose.NOW) -> LineReader:
        """The reader of a power's lines for a purpose: of retreats, from where each unit is now to any place beside."""
        if (power, purpose) not in self._readers:
            at, position, kind = self.at, self.at.position, _KINDS.get(purpose, self.at.kind)
            if purpose is Purpose.RETREATS:
                own = tuple(unit for unit in position.units if unit.power == power and not unit.aboard)
                position = dislodge(at.rules, replace(position, units=()), own)
            season = at.season if kind is at.kind else None
            self._readers[power, purpose] = LineReader(at.rules, kind, position, power, season, self.effort)
        return self._readers[power, purpose]

    @property
    def _here(self) -> LineReader:
        """The reader of the lines of this part."""
        reader = self._reader(self.part.power, self.part.heading.purpose or Purpose.NOW)
        reader.carried = self.part.heading.verb
        return reader

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _keep(self, lines: Iterable[SheetLine], purpose: Purpose | None = None, *, corrects: bool = False) -> None:
        """Keep lines for a purpose, by default that of this part, or of another phase that their verbs belong to."""
        for line in lines:
            own = purpose or self.part.heading.purpose or Purpose.NOW
            if line.order and own is Purpose.NOW and self.at.kind is not PhaseKind.ADJUSTMENTS:
                later = _FOR_LATER.get(line.order.verb, own)  # type: ignore[call-overload]
                own = own if _KINDS.get(later) is self.at.kind else later
            if line.order and self.part.heading.why == CONDITION:
                line = doubtful(line, CONDITION)
            if own in _KINDS and any(
                e.purpose is own and e.line.order == line.order for e in self.entries if line.order
            ):
                continue
            entry = Entry(own, self.part, line, self._version)
            if corrects or self.part.heading.corrects:
                supersede(self.entries, entry)
            self.entries.append(entry)

    def _pass(self, why: str, piece: Passage) -> None:
        """Note words that are passed over."""
        line = SheetLine(piece.text, piece.line.number, piece.column(0), what=why)
        self.entries.append(Entry(Purpose.CHAT if why == CHAT else Purpose.NOTHING, self.part, line, self._version))

    def _begin(self, heading: Heading, title: Passage, *, brief: bool) -> None:
        """Go on below a heading."""
        if heading.purpose is None:
            return
        outer = self.part.outer or self.part
        power = heading.power or outer.power
        if heading.new and any(entry.order and entry.part.power == power for entry in self.entries):
            self._version += 1
        brief = (brief and heading.purpose is not Purpose.NOW) or heading.why == CONDITION or heading.why == UNKNOWN
        self.part = Part(heading, power, title.text, outer if brief else None)
        self._begun = len(self.entries)

    # -- taking ------------------------------------------------------------------------------------------------------

    def _row(self, row: Layout) -> None:
        """Take a row of a table: the cells that are orders each, or several beside each other that are one."""
        number = len(row.cells)
        if not self.power and (power := self.headings.power_at(key(row.cells[0]).split(), 0)[0]):
            self.part = Part(Heading(Purpose.NOW), power, row.cells[0])
        for size in (1, *range(number, 1, -1)):
            texts = [" ".join(row.cells[start : start + size]) for start in range(number - size + 1)]
            taken = [self._read(words) for text in texts for words in passages(Layout(row.number, bare(text), text))]
            if any(taken):
                return
        for words in passages(replace(row, text=bare(row.text))):
            self._take(words)

    def _take(self, passage: Passage) -> None:
        """Take some words: a heading, an order or several, or none."""
        if passage.keys[0] == UNREAD:
            self._keep(self._reader(self.part.power or self.power).read_marked(passage))
        elif not self._command(passage) and not self._read(passage):
            before = len(self.entries)
            for piece in self._sentences(passage):
                leads = cue("leads").match(" ".join(piece.keys)) and len(self.entries) > before
                if leads and not self._here.begins(piece):  # "A Par - Bur. Unless ..."
                    self._ask_again(before)
                if not self._read(piece):
                    self._piece(piece)

    def _sentences(self, passage: Passage) -> Iterator[Passage]:
        """The sentences of a line, several as one where they are an order together: "A St. Petersburg - Mos".

        What stands behind a colon is left for `_piece`.
        """
        asked = {at + 1 for at, word in enumerate(passage.keys[:-1]) if word == "?"}
        colon = _colon(passage)
        cuts = [0, *(at for at in sorted(passage.stops | asked) if colon is None or at <= colon), len(passage.keys)]
        at = 0
        while at < len(cuts) - 1:
            ends = range(len(cuts) - 1 if len(cuts) < MOST_SENTENCES else at + 1, at, -1)
            pieces = {end: passage.part(cuts[at], cuts[end]) for end in ends}
            broken = 1 + (at + 2 in pieces and self._is_broken(pieces[at + 1]))
            at = next((end for end in ends if end > at + 1 and self._is_read(pieces[end])), at + broken)
            yield pieces[at]

    def _is_broken(self, piece: Passage) -> bool:
        """Return whether a sentence is a unit and a word that is no order: what follows may be the rest of one."""
        reader = self._here if self._reads else None
        if reader is None or len(piece.keys) > SHORTEST_ORDER or reader.orders(piece):
            return False
        return reader.is_kind(piece.keys[0]) or bool(reader.begins(piece))

    def _is_read(self, piece: Passage) -> bool:
        return self._reads and ":" not in piece.keys and bool(self._here.orders(piece))

    @property
    def _reads(self) -> bool:
        """Return whether orders are read in this part."""
        return self.part.heading.purpose is not Purpose.NOTHING and self.part.power in self.powers

    def _read(self, piece: Passage) -> bool:
        """Read orders, and what is said beside them; return whether they are some."""
        if not self.part.power and self.part.heading.purpose is not Purpose.NOTHING and ":" not in piece.keys:
            power, end = self.headings.power_at(piece.keys, 0)  # "Germany A Mun H" in a sheet of all powers
            if power and end < len(piece.keys):
                outer, self.part = self.part, Part(self.part.heading, power, self.part.title)
                taken = self._read(piece.part(end, len(piece.keys)))
                self.part = outer
                return taken
        if not self._reads or ":" in piece.keys:
            return False
        reader = self._here
        lines, aside = reader.orders(piece), reader.aside
        self._keep(lines)
        for words in aside if self.at.kind is PhaseKind.MOVEMENT and lines else ():
            if has("retreats", " ".join(words.keys)):
                self._retreat(words, lines[-1].order)
        return bool(lines)

    def _command(self, passage: Passage) -> bool:
        """Take a command to a judge, or a message within such."""
        text = " ".join(passage.keys)
        if self._until and cue(self._until).match(text):
            self._until, self.part = "", self.part.outer or self.part
            self._pass(COMMAND, passage)
        elif self._until == "unblock":
            self._pass(SAID, passage)
        elif cue("block").match(text) and self._follows("unblock"):
            self._until = "unblock"
            self._pass(COMMAND, passage)
        elif len(passage.keys) <= LONGEST_COMMAND and has("judge", passage.keys[0]) and not self._is_read(passage):
            self._pass(COMMAND, passage)
        else:
            return False
        return True

    def _follows(self, table: str) -> bool:
        """Return whether a line below ends a block."""
        return any(cue(table).match(key(line.text)) for line in self._lines[self._number + 1 :])

    def _piece(self, piece: Passage) -> None:
        """Take a heading with what follows it, or words that are no order as they are."""
        colon = _colon(piece)
        if colon is None:
            if heading := self._unmarked(piece):
                self._begin(heading, piece, brief=False)
                self._pass(CHAT, piece)
            else:
                self._other(piece)
            return
        title, rest = piece.part(0, colon), piece.part(colon + 1, len(piece.keys))
        if not title.words or self._read(title):  # "A Par - Bur: to be safe"
            unsure = title.words and any(has(table, " ".join(rest.keys)) for table in UNSURE)
            self._ask_again(len(self.entries) - 1) if unsure else self._rest(rest)
            return
        heading = self._heading(title)
        if heading is None and rest.words and self._read(piece.without(":")):  # "Kiel: fleet"
            return
        if heading is None and self._reads and self._here.begins(title):  # "F SMed: maybe ..."
            heading = Heading(None)
            if any(has(table, " ".join(title.keys)) for table in UNSURE):
                self._refuse(piece, CHOICE)
                return
        outer, before = self.part, next((entry for entry in reversed(self.entries) if entry.order), None)
        self._begin(heading or Heading(Purpose.NOTHING, UNKNOWN), title, brief=bool(rest.words))
        if rest.words:
            self._rest(rest)
        else:
            self._pass(CHAT, piece)
        beside = before and before is not self.entries[-1] and same_unit(before.order, self.entries[-1].line.order)
        if rest.words and self.part.outer and (all(piece.inside) or beside):  # below an order, for its unit alone
            self.part = outer

    def _rest(self, words: Passage) -> None:
        """Take what stands behind a colon."""
        if words.keys.count(":") > MOST_COLONS:
            self._pass(CHAT, words)
        elif words.words:
            self._take(words)

    def _heading(self, words: Passage) -> Heading | None:
        """What a heading says; below one for drafts, "Orders:" is no end of them."""
        heading = self.headings.of(words, begun=any(entry.order for entry in self.entries))
        empty = self.part.heading.purpose is Purpose.NOTHING and self.part.title and len(self.entries) == self._begun
        plain = heading and heading.purpose is Purpose.NOW and not (heading.new or heading.why or heading.power)
        return Heading(None) if empty and plain else heading

    def _unmarked(self, piece: Passage) -> Heading | None:
        """What a line that has no colon, but looks like a heading, says of those below it."""
        line, below = piece.line, [*self._lines[self._number + 1 : self._number + 2]]
        ended = re.search(r"[.!?…]\W*$", line.written) and not has("follows", " ".join(piece.keys))
        whole = piece.words[0].start == next(passages(line)).words[0].start
        if not below or not whole or (ended and not line.headed) or len(piece.keys) > LONGEST_HEADING:
            return None
        heading, above = self._heading(piece), self._lines[self._number - 1] if self._number else None
        if heading is None or heading.purpose is None:
            return None
        loose = heading.why in (SAID, LISTED, PAST, DRAFT) and not line.headed
        if loose and (not below[0].text.strip() or (heading.why == SAID and above and above.text.strip())):
            return None
        if self._reads and (self._here.spans(piece) or self._here.begins(piece) and heading.why != CONDITION):
            return None
        if heading.why == CONDITION:
            self._until = "endif" if self._follows("endif") else ""
        return heading

    # -- what is no order as it stands -------------------------------------------------------------------------------

    def _other(self, piece: Passage) -> None:
        """Take words that are no order as they are: orders for later, a correction, a doubt, or none of these."""
        part, text = self.part, " ".join(piece.keys)
        if part.heading.purpose is Purpose.NOTHING:
            self._pass(part.heading.why + f" {part.title!r}" * (part.heading.why == UNKNOWN), piece)
            return
        reader = self._here if self._reads else self._reader(part.power or next(iter(self.at.rules.powers)))
        begins = bool(reader.begins(piece)) or (self._reads and not reader.orders(piece) and reader.is_in_doubt)
        if not self._reads:
            self._strange(piece) if begins else self._pass(CHAT, piece)
        elif (part.heading.purpose is Purpose.RETREATS or self._is_ahead("retreats", text)) and self._retreat(piece):
            pass
        elif (part.heading.purpose is Purpose.ADJUSTMENTS or self._is_ahead("winter", text)) and self._winter(piece):
            pass
        else:
            found, why = reader.spans(piece), self._reason(text)
            if has("correction", text) and (new := correction(self._own(), piece, found, reader)) is not None:
                self._keep(new)
                self._pass(REPLACED, piece)
            elif not found and not begins and not reader.resembled(piece):
                self._pass(DRAFT if has("notice", text) and piece.words[0].start == 0 else CHAT, piece)
            elif why in (CONDITION, CHOICE):
                self._refuse(piece, why)
            elif why:
                self._pass(why, piece)
            elif self._is_prose(piece, found):
                self._keep(line for _, lines in found for line in lines)
            elif not self._goes_on(piece):
                self._keep(reader.read(piece))

    def _is_ahead(self, table: str, text: str) -> bool:
        """Return whether words name a phase that is to come."""
        tables = ("winter", "builds", "removals") if table == "winter" else (table,)
        later = self.at.kind is PhaseKind.MOVEMENT or (table == "winter" and self.at.kind is PhaseKind.RETREATS)
        return later and any(has(one, text) for one in tables)

    def _own(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.part.power == self.part.power]

    def _refuse(self, piece: Passage, why: str) -> None:
        """Ask about words, naming the orders that stand in them."""
        (line, *_), write = self._here.read(piece), self.at.rules.notation.write
        orders = tuple(one.order for _, lines in self._here.spans(piece) for one in lines if one.order)
        if orders and not line.options:
            listed = " or ".join(map(write, orders))
            hint = f"did you mean {listed}?" if len(orders) == 1 else f"write one of these: {listed}"
            line = replace(line, what=why, hint=hint, options=orders, column=piece.column(0), stored=unread(line.text))
        self._keep([line])

    def _strange(self, piece: Passage) -> None:
        """Refuse an order under no power, or of somebody else."""
        power, what, hint = self.part.power, "an order under no power", 'write the power above it, as in "England:"'
        if power:
            what, hint = f"orders for {power}" + f" in a set of {self.power}" * bool(self.power), ""
        self._keep([SheetLine(piece.text, piece.line.number, piece.column(0), what=what, hint=hint, of=power)])

    def _reason(self, text: str) -> str:
        """Why words with an order among them are none."""
        if has("results", text) or has("past", text):
            return PAST
        if has("next", text) or self.headings.is_other_season(text):
            return SEASON
        if not has("leads", text) and self.headings.foreign(text) and has("said", text):
            return SAID
        if has("unchanged", text):
            return CHAT
        if has("leads", text) or has("condition", text):
            return CONDITION
        if has("alternative", text) or has("doubt", text):
            return CHOICE
        asks = "?" in text or cue("question").match(text)
        return QUESTION if asks else DRAFT if has("draft", text) else ""

    def _is_prose(self, piece: Passage, found: Spans) -> bool:
        """Return whether nothing is said around orders that could touch them: "My orders are A Par - Bur"."""
        inside = {at for where, _ in found for at in where}
        rest = [word for at, word in enumerate(piece.keys) if at not in inside]
        names = {word for word in rest if self.headings.power_at([word], 0)[0] == self.part.power}
        if any(self._here.is_coast(" ".join(piece.keys[at.start : at.stop])) for at in piece.remarks()):
            return False
        return bool(found) and all(word in names | note_words("join") or is_plain(word) for word in rest)

    def _goes_on(self, piece: Passage) -> bool:
        """Read a line that goes on in the next one, where a mail program broke it."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        if not below or not below[0].text.strip() or line.text[piece.words[-1].end :].strip(" -,"):
            return False
        text = f"{line.text[piece.words[0].start :]} {below[0].text.strip()}"
        words, alone = next(passages(Layout(line.number, text, text))), next(passages(below[0]))
        if self._is_read(alone) or not self._read(words):
            return False
        self._number += 1
        return True

    def _ask_again(self, start: int) -> None:
        """Ask about the orders from an entry on: a condition is said behind them."""
        for entry in self.entries[start:]:
            if entry.order:
                entry.line = doubtful(entry.line, CONDITION)

    # -- for later ---------------------------------------------------------------------------------------------------

    def _retreat(self, piece: Passage, unit: Order | None = None) -> bool:
        """Keep the retreats that words name, those of one unit in the order of preference."""
        reader, words = self._reader(self.part.power, Purpose.RETREATS), piece.without(":", "?")
        cut = min((at.start for table in ("retreats", "leads") for at in words.find(cue(table))), default=0)
        behind, lines = words.part(cut, len(words.keys)), list[SheetLine]()
        if unit is None and cut and self.part.heading.purpose is Purpose.NOW:
            moves = self._here.orders(words.part(0, cut))
            if moves and (order := moves[-1].order) and (lines := self._goals(behind, order)):
                self._keep(moves)
                unit = order
        elif unit:
            lines = self._goals(behind, unit)
        if not lines:
            spans = [] if (lines := reader.orders(words)) else reader.spans(words)
            lines = lines or [line for _, listed in spans for line in listed]
            unit = lines[-1].order if spans else None if lines else self._unit_named(words)
            lines += self._goals(words.part(spans[-1][0].stop if spans else 0, len(words.keys)), unit) if unit else []
        lines = [line for line in lines if line.order and line.order.verb in (Verb.RETREAT, Verb.DISBAND)]
        self._keep(lines, Purpose.RETREATS)
        return bool(lines)

    def _unit_named(self, words: Passage) -> Order | None:
        """The own unit that stands in the first place that words name, or is ordered there."""
        reader = self._reader(self.part.power)
        named = next((place[1] for at in range(len(words.keys)) if (place := reader.place_at(words, at))), frozenset())
        own = [Order(Verb.HOLD, unit.kind, unit.at) for unit in reader.scene.own if unit.at.province in named]
        gone = [e.order for e in self._own() if e.order and e.order.verb is Verb.MOVE]
        goals = [Order(Verb.HOLD, order.kind, order.to) for order in gone if order.to and order.to.province in named]
        return next(iter((*own, *goals)), None)

    def _goals(self, words: Passage, unit: Order) -> list[SheetLine]:
        """The retreats of a unit to the places beside it that words name, or its removal."""
        reader, board, write = (
            self._reader(self.part.power, Purpose.RETREATS),
            self.at.rules.board,
            self.at.rules.notation.write,
        )
        if unit.at is None or unit.at not in board.location_index or unit.kind not in board.ways:
            return []
        near, found, at = board.reach(unit.kind, board.location_index[unit.at]), list[SheetLine](), 0
        cues = {at for where in words.find(cue("retreats")) for at in where}
        while at < len(words.keys):
            place = None if at in cues else reader.place_at(words, at)
            if place and any(board.index[province] in near for province in place[1] - {unit.at.province}):
                text = f"{write(Order(Verb.HOLD, unit.kind, unit.at))[:-2]} - {' '.join(words.keys[at : place[0]])}"
                found += reader.orders(next(passages(Layout(words.line.number, text, text))))
            at = place[0] if place else at + 1
        if not found and reader.disbands(words):
            order = Order(Verb.DISBAND, unit.kind, unit.at)
            found = [SheetLine("", words.line.number, order=order, stored=write(order))]
        return [replace(line, text=words.text, column=words.column(0), read_as="") for line in found]

    def _winter(self, piece: Passage) -> bool:
        """Keep the builds and removals that words name, if nothing but the need for them decides."""
        reader, words = self._reader(self.part.power, Purpose.ADJUSTMENTS), piece.without(":")
        reader.carried = self.part.heading.verb if self.part.heading.purpose is Purpose.ADJUSTMENTS else None
        text = " ".join(words.keys)
        lines = reader.orders(words) or [line for _, listed in reader.spans(words) for line in listed]
        lines = [line for line in lines if line.order and line.order.verb in (Verb.BUILD, Verb.REMOVE, Verb.WAIVE)]
        if has("alternative", text) or has("doubt", text) or (has("condition", text) and self.headings.foreign(text)):
            lines = [doubtful(line, CONDITION) for line in lines]
        self._keep(lines, Purpose.ADJUSTMENTS)
        return bool(lines)


def _colon(words: Passage) -> int | None:
    """Where a heading ends: at the first colon outside brackets, or in them where everything is."""
    whole = all(words.inside)
    return next((at for at, word in enumerate(words.keys) if word == ":" and (whole or not words.inside[at])), None)
