"""Letters: what each line of a letter is for, read from the top to the end.

A line is an order, a heading, a correction, something for later, or nothing of the kind.  What is in doubt is no order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from gamesmaster.judge.legal import dislodge
from gamesmaster.orders import UNREAD, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.orders.sentence import defect
from gamesmaster.orders.words import key
from gamesmaster.reading.corrections import Entry, Part, correction, doubtful, same_unit, settle
from gamesmaster.reading.layout import Layout, Passage, bare, lay_out, passages
from gamesmaster.reading.lines import UNSURE, Effort, LineReader, Spans
from gamesmaster.reading.sections import (
    CHAT,
    CHOICE,
    COMMAND,
    CONDITION,
    DRAFT,
    HEADING,
    LISTED,
    NOTICE,
    PAST,
    QUESTION,
    REPLACED,
    SAID,
    SEASON,
    UNKNOWN,
    Heading,
    Headings,
)  # fmt: skip
from gamesmaster.reading.sheet import OrderSheet, Purpose, Section, SheetLine, unread
from gamesmaster.reading.situation import Situation
from gamesmaster.reading.wordbook import Wordbooks

SHORTEST_ORDER = 3  # words
MOST_SENTENCES = 10  # of a line that are looked at together
MOST_COLONS = 8  # of a line that are looked behind
LONGEST_HEADING = 12  # words without a colon
LONGEST_COMMAND = 6
_KINDS = {Purpose.RETREATS: PhaseKind.RETREATS, Purpose.ADJUSTMENTS: PhaseKind.ADJUSTMENTS}
_PHASES: dict[object, PhaseKind] = {
    Verb.MOVE: PhaseKind.MOVEMENT, Verb.HOLD: PhaseKind.MOVEMENT, Verb.SUPPORT: PhaseKind.MOVEMENT,
    Verb.CONVOY: PhaseKind.MOVEMENT, Verb.RETREAT: PhaseKind.RETREATS, Verb.DISBAND: PhaseKind.RETREATS,
    Verb.BUILD: PhaseKind.ADJUSTMENTS, Verb.REMOVE: PhaseKind.ADJUSTMENTS, Verb.WAIVE: PhaseKind.ADJUSTMENTS,
}  # fmt: skip
"""The phase that the verb of an order belongs to."""


class LetterReader:
    """Reads one letter of `power`, or of a Gamesmaster for `powers`."""

    def __init__(
        self, at: Situation, power: str, powers: Collection[str], text: str, *, only_orders: bool = False
    ) -> None:
        self._only_orders = only_orders
        self.at, self.power, self.powers, self.text = at, power, powers, text
        self.cues = Cues.of(text)
        self.headings = Headings(at.rules.derive(Wordbooks), self.cues, at.kind, at.season, power)
        self.effort = Effort()
        self.part = Part(Heading(Purpose.NOW), power)
        self.entries: list[Entry] = []
        self._begun = self._version = self._number = 0
        self._lines = lay_out(text)
        self._until = ""
        self._columns: tuple[Heading | None, ...] = ()
        self._readers: dict[tuple[str, Purpose], LineReader] = {}

    def read(self) -> OrderSheet:
        """The sheet that the letter makes."""
        while self._number < len(self._lines):
            line = self._lines[self._number]
            if line.skipped:
                written = SheetLine(line.written.strip(), line.number, what=line.skipped)
                self.entries.append(Entry(Purpose.NOTHING, self.part, written))
            elif not line.text.strip():
                self._columns = ()
                if self.part.outer and len(self.entries) > self._begun and not self._until:
                    self.part = self.part.outer
            elif line.cells:
                self._safely(self._row, line, line)
            else:
                for passage in passages(line):
                    self._safely(self._take, passage, line)
            self._number += 1
        self._reconsider()
        own = {p: {u.at.province for u in r.scene.own} for (p, q), r in self._readers.items() if q is Purpose.NOW}
        settle(self.entries, own)
        return OrderSheet(self.text, self.power, self.at.kind, tuple(self._sections()))

    def _safely(self, take: Callable[[Any], None], words: Passage | Layout, line: Layout) -> None:
        """Take some words; what the program itself falls over is refused, and stands in the log."""
        try:
            take(words)
        except Exception as error:  # whatever it is, it is a fault of ours
            text, hint = words.text.strip(), f"write line {line.number} anew"
            fault = SheetLine(text, line.number, stored=unread(text), what=defect(error).what, hint=hint)
            self.entries.append(Entry(Purpose.NOW, self.part, fault))

    def _reconsider(self) -> None:
        """Take the orders below the one heading that is not understood, if the letter has no other orders."""
        below = [entry for entry in self.entries if entry.piece]
        if any(entry.order or entry.line.options for entry in self.entries) or not below:
            return
        read = [(entry, self._reader(entry.part.power).orders(entry.piece)) for entry in below if entry.piece]
        parts = {id(entry.part) for entry, lines in read if lines}
        for entry, lines in read if len(parts) == 1 else ():
            if len(lines) == 1 and id(entry.part) in parts:
                entry.purpose, entry.line = Purpose.NOW, lines[0]
            elif lines:
                entry.drop(CHAT)
                self.entries += [Entry(Purpose.NOW, entry.part, line, self._version) for line in lines]

    def _sections(self) -> Iterator[Section]:
        """The lines by what they are for and their headings, in the order written."""
        grouped = groupby(self.entries, key=lambda entry: (entry.purpose, entry.part.power, entry.part.title))
        for (purpose, power, title), listed in grouped:
            yield Section(purpose, power, tuple(line for one in listed for line in self._written_out(one)), title)
        yield from self._empty()

    def _empty(self) -> Iterator[Section]:
        """A section for each heading of a later phase with nothing below it, or "none": what was sent is taken back."""
        below: dict[tuple[Purpose | None, str, str], list[Entry]] = {}
        for entry in self.entries:
            below.setdefault((entry.part.heading.purpose, entry.part.power, entry.part.title), []).append(entry)
        for (purpose, power, title), listed in below.items():
            if purpose in _KINDS and all(self._says_none(entry, title) for entry in listed):
                yield Section(purpose, power, (), title)

    def _says_none(self, entry: Entry, title: str) -> bool:
        text = entry.line.text.rstrip(":. ")
        return entry.purpose is Purpose.CHAT and (text == title or bool(self.cues("nothing").fullmatch(key(text))))

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
                read_as, stored = reader.read_as(line.text, each), reader.notation.write(each)
                yield replace(line, order=each, read_as=read_as, stored=stored)

    def _reader(self, power: str, purpose: Purpose = Purpose.NOW) -> LineReader:
        """The reader of a power's lines for a purpose: of retreats, from where each unit is now to any place beside."""
        if (power, purpose) not in self._readers:
            at, position, kind = self.at, self.at.position, _KINDS.get(purpose, self.at.kind)
            if purpose is Purpose.RETREATS:
                own = tuple(unit for unit in position.units if unit.power == power and not unit.aboard)
                position = dislodge(at.rules, replace(position, units=()), own)
            season = at.season if kind is at.kind else None
            reader = LineReader(at.rules, kind, position, power, season, self.effort, self.cues)
            self._readers[power, purpose] = reader
        return self._readers[power, purpose]

    @property
    def _here(self) -> LineReader:
        """The reader of the lines of this part, or of any if nobody's orders are read in it."""
        purpose, powers = self.part.heading.purpose, self.at.rules.powers
        power = self.part.power if self.part.power in powers else powers[0]
        reader = self._reader(power, purpose if purpose in _KINDS else Purpose.NOW)
        reader.carried = self.part.heading.verb
        return reader

    @property
    def _reads(self) -> bool:
        """Return whether orders are read in this part."""
        return self.part.heading.purpose is not Purpose.NOTHING and self.part.power in self.powers

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _keep(self, lines: Iterable[SheetLine], purpose: Purpose | None = None, *, corrects: bool = False) -> None:
        """Keep lines for a purpose, by default that of this part, or of the phase that their verbs belong to."""
        for line in lines:
            own = purpose or self.part.heading.purpose or Purpose.NOW
            kind = _PHASES.get(line.order.verb, self.at.kind) if line.order else self.at.kind
            if own is Purpose.NOW and kind is not self.at.kind:
                ahead = {kind: purpose for purpose, kind in _KINDS.items()}.get(kind, Purpose.NOTHING)
                own = Purpose.NOTHING if self.at.kind is PhaseKind.ADJUSTMENTS else ahead
            if own is Purpose.NOTHING:
                line = replace(line, order=None, read_as="", what=SEASON)
            if line.order and own is Purpose.NOW and self.part.heading.why == CONDITION:
                line = doubtful(line, CONDITION)
            if own in _KINDS and line.order and line.order in {e.line.order for e in self.entries if e.purpose is own}:
                continue
            entry = Entry(own, self.part, line, self._version)
            for other in self.entries if corrects or self.part.heading.corrects else ():
                if other.part.power == self.part.power and same_unit(other.order, entry.order):
                    other.drop()
            self.entries.append(entry)

    def _pass(self, why: str, piece: Passage) -> None:
        """Note words that are passed over."""
        if self._only_orders and why == CHAT and self.part.heading.purpose in (None, Purpose.NOW) and self._reads:
            self._keep([self._here.refuse(piece)])
            return
        why, below = (f"{why} {self.part.title!r}", piece) if why == UNKNOWN else (why, None)
        line = SheetLine(piece.text, piece.line.number, piece.column(0), what=why)
        purpose = Purpose.CHAT if why in (CHAT, HEADING) else Purpose.NOTHING
        self.entries.append(Entry(purpose, self.part, line, self._version, below))

    def _refuse(self, piece: Passage, why: str) -> None:
        """Ask about words, naming the orders that stand in them."""
        (line, *_), write = self._here.read(piece), self.at.rules.notation.write
        orders = tuple(one.order for _, lines in self._here.spans(piece) for one in lines if one.order)
        if orders and not line.options:
            listed = " or ".join(map(write, orders))
            hint = f"did you mean {listed}?" if len(orders) == 1 else f"write one of these: {listed}"
            line = replace(line, what=why, hint=hint, options=orders, column=piece.column(0), stored=unread(line.text))
        self._keep([line])

    def _begin(self, heading: Heading, title: Passage, *, brief: bool) -> None:
        """Go on below a heading."""
        if heading.purpose is None:
            return
        outer = self.part.outer or self.part
        power = heading.power or outer.power
        if heading.new and any(entry.order and entry.part.power == power for entry in self.entries):
            self._version += 1
        brief = (brief and heading.purpose is not Purpose.NOW) or heading.why in (CONDITION, UNKNOWN)
        self.part = Part(heading, power, title.text, outer if brief else None)
        self._begun = len(self.entries)

    # -- taking ------------------------------------------------------------------------------------------------------

    def _row(self, row: Layout) -> None:
        """Take a row of a table: its headings, or the cells that are orders, or several together that are one."""
        cells = [next(passages(Layout(row.number, bare(text), text)), None) for text in row.cells]
        found = tuple(self._heading(cell) if cell else None for cell in cells)
        if not self._columns and not any(cell and self._here.begins(cell) for cell in cells) and any(found):
            self._columns = found
            self._pass(HEADING, next(passages(replace(row, text=bare(row.text)))))
            return
        if not self.power and cells[0] and (power := self.headings.power_at(cells[0].keys, 0)[0]):
            self.part = Part(Heading(Purpose.NOW), power, cells[0].text)
        aside = [at for at, one in enumerate(self._columns) if one and one.purpose not in (None, Purpose.NOW)]
        texts = [text for at, text in enumerate(row.cells) if at not in aside]
        for size in (1, *range(len(texts), 1, -1)):
            joined = [" ".join(texts[start : start + size]) for start in range(len(texts) - size + 1)]
            pieces = [words for text in joined for words in passages(Layout(row.number, bare(text), text))]
            if sum(map(self._read, pieces)):
                break
        else:
            for words in passages(replace(row, text=bare(" ".join(texts)))):
                self._take(words)
        last = self.entries[-1].line.order if self.entries else None
        for cell, heading in zip(cells, self._columns, strict=False):
            if cell and last and heading and heading.purpose is Purpose.RETREATS:
                self._retreat(cell, last)

    def _take(self, passage: Passage) -> None:
        """Take some words: a heading, an order or several, or none."""
        if passage.keys[0] == UNREAD:
            self._keep(self._here.read_marked(passage))
        elif not self._command(passage) and not self._read(passage) and not self._read_parted(passage):
            before = len(self.entries)
            for piece in self._sentences(passage):
                leads = self.cues("leads").match(piece.said) and len(self.entries) > before
                if leads and not self._here.begins(piece):  # "A Par - Bur. Unless ..."
                    self._ask_again(before)
                if not self._read(piece):
                    self._piece(piece, alone=piece.words == passage.words)

    def _read_parted(self, passage: Passage) -> bool:
        """Read an order that has a colon behind its unit: "Fleet, St. Petersburg (south coast): move to Bothnia"."""
        colon = _colon(passage)
        title = passage.part(0, colon or 0)
        if not title.words or not self._reads or not self._here.begins(title) or self._here.orders(title):
            return False
        heading = self._heading(title)
        if heading and (
            heading.purpose is not Purpose.NOW or heading.why or heading.power not in ("", self.part.power)
        ):
            return False
        return self._read(passage.without(":"))

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
        return self._reads and _colon(piece) is None and bool(self._here.orders(piece))

    def _read(self, piece: Passage) -> bool:
        """Read orders, and what is said beside them; return whether they are some."""
        if _colon(piece) is not None:
            return False
        power, end = self.headings.power_at(piece.keys, 0)  # "Germany A Mun H" in a sheet of all powers
        if not self.part.power and self.part.heading.purpose is not Purpose.NOTHING and power and end < len(piece.keys):
            outer, self.part = self.part, Part(self.part.heading, power, self.part.title)
            taken = self._read(piece.part(end, len(piece.keys)))
            self.part = outer
            return taken
        listed = self.part.heading.why == LISTED and self.part.power in self.powers
        if not self._reads and not listed:
            return False
        reader = self._here
        lines, aside = reader.orders(piece), reader.aside
        if listed and lines:  # no list of units has verbs
            self.part = Part(Heading(Purpose.NOW), self.part.power)
        self._keep(lines)
        for words in aside if self.at.kind is PhaseKind.MOVEMENT and lines else ():
            if self.cues.has("retreats", words.said):
                self._retreat(words, lines[-1].order)
        return bool(lines)

    def _command(self, passage: Passage) -> bool:
        """Take a command to a judge, or a message within such."""
        if self._until and self.cues(self._until).match(passage.said):
            self._until, self.part = "", self.part.outer or self.part
            self._pass(COMMAND, passage)
        elif self._until == "unblock":
            self._pass(SAID, passage)
        elif self.cues("block").match(passage.said) and self._follows("unblock"):
            self._until = "unblock"
            self._pass(COMMAND, passage)
        elif len(passage.keys) <= LONGEST_COMMAND and self.cues("judge").match(passage.keys[0]):
            self._pass(COMMAND, passage)
        else:
            return False
        return True

    def _follows(self, table: str) -> bool:
        """Return whether a line below ends a block."""
        return any(self.cues(table).match(key(line.text)) for line in self._lines[self._number + 1 :])

    def _piece(self, piece: Passage, *, alone: bool) -> None:
        """Take a heading with what follows it, or words that are no order as they are."""
        colon = _colon(piece)
        if colon is None:
            if heading := self._unmarked(piece) if alone else None:
                self._begin(heading, piece, brief=False)
                self._pass(HEADING, piece)
            else:
                self._other(piece)
            return
        title, rest = piece.part(0, colon), piece.part(colon + 1, len(piece.keys))
        if rest.keys.count(":") > MOST_COLONS:
            self._pass(CHAT, piece)
        elif not title.words or (self._here.begins(title) and self._read(title)):  # "A Par - Bur: to be safe"
            unsure = title.words and any(self.cues.has(table, rest.said) for table in UNSURE)
            if unsure:
                self._ask_again(len(self.entries) - 1)
            elif rest.words:
                self._take(rest)
        elif not rest.words or not self._headless(piece, title, rest):
            self._headed(piece, title, rest)

    def _headless(self, piece: Passage, title: Passage, rest: Passage) -> bool:
        """Take words with a colon that is not behind a heading: "Kiel: fleet", "F SMed: maybe ..."."""
        said = any(
            self.cues.has(table, title.said) for table in ("leads", "retreats", "ejects", "draft", "next", "past")
        )
        if not self._reads or said or not self._here.begins(title):
            return self._reads and self._heading(title) is None and self._read(piece.without(":"))
        unsure = any(self.cues.has(table, title.said) for table in UNSURE)
        if not unsure and (self._read(piece.without(":")) or self._read(rest)):
            return True
        if any(self._here.place_at(rest, at) for at in range(len(rest.keys))):
            self._refuse(piece, CHOICE)
        else:
            self._pass(CHAT, piece)
        return True

    def _headed(self, piece: Passage, title: Passage, rest: Passage) -> None:
        """Take what stands below a heading."""
        heading = self._heading(title) or Heading(Purpose.NOTHING, UNKNOWN)
        outer, before = self.part, next((entry for entry in reversed(self.entries) if entry.order), None)
        foreign = self.power and heading.power not in ("", self.power)
        if foreign and (self.part.heading.purpose is Purpose.NOTHING or (rest.words and not self._here.spans(rest))):
            self._pass(self.part.heading.why or SAID, piece)  # "Turkey: A Con - Smy" among results
            return
        self._begin(heading, title, brief=bool(rest.words))
        if rest.words:
            self._take(rest)
        else:
            self._pass(HEADING, piece)
        last = self.entries[-1] if self.entries else None
        beside = before and last and before is not last and same_unit(before.order, last.line.order)
        if rest.words and ((self.part.outer and (all(piece.inside) or beside)) or foreign):  # for one line alone
            self.part = outer

    def _heading(self, words: Passage) -> Heading | None:
        """What a heading says; below one for drafts, "Orders:" is no end of them."""
        heading = self.headings.of(words, begun=any(entry.order for entry in self.entries))
        empty = (
            self.part.heading.purpose is Purpose.NOTHING and self.part.title and len(self.entries) <= self._begun + 1
        )
        plain = heading and heading.purpose is Purpose.NOW and not (heading.new or heading.why or heading.power)
        return Heading(None) if empty and plain and self.part.heading.why in (DRAFT, SAID, PAST) else heading

    def _unmarked(self, piece: Passage) -> Heading | None:
        """What a line that has no colon, but looks like a heading, says of those below it."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        follows = self.cues.has("follows", piece.said)
        ended = re.search(r"[.!?…]\W*$", line.written) and not follows
        if not below or (ended and not line.headed) or len(piece.keys) > LONGEST_HEADING or self._here.spans(piece):
            return None
        heading = self._heading(piece)
        foreign = heading and self.power and heading.power not in ("", self.power)
        if heading is None or heading.purpose is None or (foreign and self.part.heading.purpose is Purpose.NOTHING):
            return None
        loose = heading.why in (SAID, LISTED, PAST, DRAFT) and not line.headed
        said = heading.why == SAID and not follows and not self.headings.foreign(piece.said)
        if (loose and (not below[0].text.strip() or said)) or (heading.why != CONDITION and self._here.begins(piece)):
            return None
        if heading.why == CONDITION:
            self._until = "endif" if self._follows("endif") else ""
        return heading

    # -- what is no order as it stands -------------------------------------------------------------------------------

    def _other(self, piece: Passage) -> None:
        """Take words that are no order as they are: orders for later, a correction, a doubt, or none of these."""
        part, reader = self.part, self._here
        if part.heading.purpose is Purpose.NOTHING:
            self._pass(part.heading.why, piece)
            return
        begins = bool(reader.begins(piece)) or (self._reads and not reader.orders(piece) and reader.is_in_doubt)
        if not self._reads:
            self._strange(piece) if begins else self._pass(CHAT, piece)
        elif part.heading.why == CONDITION and begins and not self.cues.has("retreats", piece.said):
            self._refuse(piece, CONDITION)
        elif (self._is_ahead(Purpose.RETREATS, piece) and self._retreat(piece)) or (
            self._is_ahead(Purpose.ADJUSTMENTS, piece) and self._winter(piece)
        ):
            return
        else:
            found, why = reader.spans(piece), self._reason(piece.said)
            corrects = self.cues.has("correction", piece.said)
            kept = {at for where in piece.find(self.cues("instead")) for at in where}
            filler = [where for where in piece.find(self.cues("filler")) if not kept & set(where)]
            plain = piece.outside(filler) if corrects else piece
            new = correction(self._own(), plain, reader.spans(plain), reader) if corrects and plain.words else None
            if new is not None:
                self._keep(new)
                self._pass(REPLACED, piece)
            elif not found and not begins and not reader.seems(piece) and not self._is_led(piece):
                notice = self.cues.has("notice", piece.said) and piece.words[0].start == 0
                self._pass(NOTICE if notice else CHAT, piece)
            elif why in (CONDITION, CHOICE):
                self._refuse(piece, why)
            elif why:
                self._pass(why, piece)
            elif not self._prose(piece, found) and not self._goes_on(piece):
                self._keep(reader.read(piece))

    def _is_led(self, piece: Passage) -> bool:
        """Return whether words of a Winter begin with a verb that begins an order: "Waive nothing"."""
        return self.at.kind is PhaseKind.ADJUSTMENTS and piece.keys[0] in self.at.rules.notation.lexicon.first

    def _is_ahead(self, purpose: Purpose, piece: Passage) -> bool:
        """Return whether words are for a phase that is to come."""
        has, said = self.cues.has, (piece if all(piece.inside) else piece.outside(piece.remarks())).said
        if self.part.heading.purpose is purpose:
            return True
        if purpose is Purpose.RETREATS:
            ejected = has("leads", said) and has("ejects", said)
            return self.at.kind is PhaseKind.MOVEMENT and bool(has("retreats", said) or ejected)
        names = any(has(table, said) for table in ("winter", "builds", "removals"))
        return self.at.kind is not PhaseKind.ADJUSTMENTS and names

    def _own(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.part.power == self.part.power]

    def _strange(self, piece: Passage) -> None:
        """Refuse an order under no power, or of somebody else."""
        power, what, hint = self.part.power, "an order under no power", 'write the power above it, as in "England:"'
        if power:
            what, hint = f"orders for {power}" + f" in a set of {self.power}" * bool(self.power), ""
        self._keep([SheetLine(piece.text, piece.line.number, piece.column(0), what=what, hint=hint, of=power)])

    def _reason(self, text: str) -> str:
        """Why words with an order among them are none."""
        has = self.cues.has
        if has("leads", text):
            return CONDITION
        if has("results", text) or has("past", text):
            return PAST
        if has("next", text) or self.headings.is_other_season(text):
            return SEASON
        if self.headings.foreign(text) and has("said", text):
            return SAID
        if has("unchanged", text) or (has("keeps", text) and self.at.kind is PhaseKind.ADJUSTMENTS):
            return CHAT
        if has("condition", text):
            return CONDITION
        if any(has(table, text) for table in ("alternative", "negation", "doubt")):
            return CHOICE
        asks = "?" in text or self.cues("question").match(text)
        return QUESTION if asks else DRAFT if has("draft", text) else ""

    def _prose(self, piece: Passage, found: Spans) -> bool:
        """Read orders around which nothing is said that could touch them: "My orders are A Par - Bur"."""
        reader, winter = self._here, self.at.kind is PhaseKind.ADJUSTMENTS
        if winter and self.cues.has("removals", piece.said) and not self.cues.has("builds", piece.said):
            reader.carried = Verb.REMOVE  # "One removal, F Mao"
            found = reader.spans(piece)
        inside = {at for where, _ in found for at in where}
        rest = [word for at, word in enumerate(piece.keys) if at not in inside]
        names = {word for word in rest if self.headings.power_at([word], 0)[0] == self.part.power}
        names |= {
            word for word in rest if winter and any(self.cues.has(t, word) for t in ("winter", "builds", "removals"))
        }
        coasts = [at for at in piece.remarks() if self._here.is_coast(piece.part(at.start, at.stop))]
        if (
            not found
            or coasts
            or not all(word in names | note_words("join") or self.headings.is_plain(word) for word in rest)
        ):
            return False
        self._keep(line for _, lines in found for line in lines)
        return True

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
            if entry.purpose is Purpose.NOW:
                entry.doubt(CONDITION)

    # -- for later ---------------------------------------------------------------------------------------------------

    def _retreat(self, piece: Passage, unit: Order | None = None) -> bool:
        """Keep the retreats that words name, those of one unit in the order of preference."""
        reader, words = self._reader(self.part.power, Purpose.RETREATS), piece.without(":", "?")
        if not words.words:
            return False
        cut = min((at.start for table in ("retreats", "leads") for at in words.find(self.cues(table))), default=0)
        ejected = bool(cut or words.find(self.cues("retreats")) or words.find(self.cues("ejects")))
        behind, lines = words.part(cut, len(words.keys)), list[SheetLine]()
        if unit is None and cut and self.part.heading.purpose is Purpose.NOW:
            moves = self._here.orders(words.part(0, cut))
            if moves and (order := moves[-1].order) and (lines := self._goals(behind, order)):
                self._keep(moves)
        elif unit:
            lines = self._goals(words, unit)
        if not lines:
            spans = [] if (lines := reader.orders(words)) else reader.spans(words)
            lines = lines or [line for _, listed in spans for line in listed]
            unit = lines[-1].order if spans else None if lines or not ejected else self._unit_named(words)
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
        reader, board = self._reader(self.part.power, Purpose.RETREATS), self.at.rules.board
        if not words.words or unit.at not in board.location_index or unit.kind not in board.ways:
            return []
        near, found, at = board.reach(unit.kind, board.location_index[unit.at]), list[SheetLine](), 0
        here, write = unit.at.province, reader.notation.write
        cues = {at for where in words.find(self.cues("retreats")) for at in where}
        while at < len(words.keys):
            place = None if at in cues else reader.place_at(words, at)
            if place and any(board.index[province] in near for province in place[1] - {here}):
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
        told = self.part.heading.purpose is Purpose.ADJUSTMENTS
        spans = [
            (at, listed) for at, listed in reader.spans(words) if told or reader.leads(words.part(at.start, at.stop))
        ]
        lines = (reader.orders(words) if told or reader.leads(words) else []) or [
            one for _, listed in spans for one in listed
        ]
        lines = [line for line in lines if line.order and _PHASES.get(line.order.verb) is PhaseKind.ADJUSTMENTS]
        unsure = any(self.cues.has(table, words.said) for table in ("alternative", "doubt"))
        if unsure or (self.cues.has("condition", words.said) and self.headings.foreign(words.said)):
            lines = [doubtful(line, CONDITION) for line in lines]
        self._keep(lines, Purpose.ADJUSTMENTS)
        return bool(lines)


def _colon(words: Passage) -> int | None:
    """Where a heading ends: at the first colon outside brackets, or in them where everything is; "22:40" has none."""
    whole = all(words.inside)
    return next((at for at, word in enumerate(words.keys) if word == ":" and (whole or not words.inside[at])), None)
