"""Letters: what each line of a letter is for, read from the top to the end.

A line is an order, a heading, a correction, something for later, or nothing of the kind.  What is in doubt is no order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from gamesmaster.orders import UNREAD, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.orders.sentence import defect
from gamesmaster.orders.words import key
from gamesmaster.reading.ahead import KINDS, PHASES, Ahead, Readers
from gamesmaster.reading.corrections import Entry, Part, ask_for_units, correction, doubtful, same_unit, settle
from gamesmaster.reading.layout import Layout, Passage, bare, lay_out, passages
from gamesmaster.reading.lines import UNSURE, LineReader, Spans
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


class LetterReader:
    """Reads one letter of `power`, or of a Gamesmaster for `powers`.

    Every line of a `printed` letter is an order as the notation prints it: it means what it says, also where the power
    has no such unit.
    """

    def __init__(
        self,
        at: Situation,
        power: str,
        powers: Collection[str],
        text: str,
        *,
        only_orders: bool = False,
        printed: bool = False,
    ) -> None:
        self._only_orders, self._printed = only_orders, printed
        self.at, self.power, self.powers, self.text = at, power, powers, text
        self.cues = Cues.of(text)
        self.readers = Readers(at, self.cues)
        self.headings = Headings(at.rules.derive(Wordbooks), self.cues, at.kind, at.season, power)
        self.ahead = Ahead(self.readers, self.headings)
        self.part = Part(Heading(Purpose.NOW), power)
        self.entries: list[Entry] = []
        self._begun = self._version = self._number = self._block = 0
        self._lines = lay_out(text)
        self._until = ""
        self._columns: tuple[Heading | None, ...] = ()

    def read(self) -> OrderSheet:
        """The sheet that the letter makes."""
        while self._number < len(self._lines):
            line = self._lines[self._number]
            if line.skipped:
                written = SheetLine(line.written.strip(), line.number, what=line.skipped)
                self.entries.append(Entry(Purpose.NOTHING, self.part, written))
            elif not line.text.strip():
                self._columns, self._block = (), self._block + 1
                if self.part.outer and len(self.entries) > self._begun and not self._until:
                    self.part = self.part.outer
            elif line.cells:
                self._safely(self._row, line, line)
            else:
                for passage in passages(line):
                    self._safely(self._take, passage, line)
            self._number += 1
        if not self._printed:
            ask_for_units(self.entries, self.readers.own)
        self._reconsider()
        settle(self.entries, self.readers.own)
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
        """Take the orders below headings that are not understood, if the letter has no others for any of these units.

        It must be one heading and no other orders, or the orders for every unit together.  If there are none, orders
        for every unit that stand together further down below another heading are taken.
        """
        for power in {entry.part.power for entry in self.entries if entry.piece}:
            own = {unit.at.province for unit in self.readers.of(power).scene.own}
            known = {e.order.at.province for e in self.entries if e.order and e.order.at and e.part.power == power}
            below = [entry for entry in self.entries if entry.piece and entry.part.power == power]
            unknown = [e for e in below if e.part.heading.why == UNKNOWN and not self._is_unsure(e.part.title)]
            taken = self._again(unknown, known, own, {id(entry.part) for entry in unknown})
            said = [e for e in below if e.part.heading.why == SAID and not self.headings.foreign(key(e.part.title))]
            for part in {id(entry.part) for entry in said} if not known else ():
                taken = taken or self._again([e for e in said if id(e.part) == part], known, own, set())
            first = {id(e.part): e.block for e in reversed(below)}
            for block in (
                sorted({e.block for e in below if e.block > first[id(e.part)]}) if not (taken or known) else ()
            ):
                taken = taken or self._again([e for e in below if e.block == block], known, own, set())

    def _again(self, entries: list[Entry], known: set[str], own: set[str], parts: set[int]) -> bool:
        """Take lines that are orders for units that have none, for all units or below one heading."""
        read = [(e, self.readers.of(e.part.power).orders(e.piece)) for e in entries if e.piece]
        units = [line.order.at.province for _, lines in read for line in lines if line.order and line.order.at]
        whole = bool(units) and own == known | {*units}
        alone = not known and len(parts & {id(entry.part) for entry, lines in read if lines}) == 1
        if not own.issuperset(units) or known.intersection(units) or len({*units}) < len(units) or not (whole or alone):
            return False
        for entry, lines in read:
            for number, line in enumerate(lines):
                if number:
                    self.entries.append(Entry(Purpose.NOW, entry.part, line, self._version))
                else:
                    entry.purpose, entry.line = Purpose.NOW, line
        return True

    def _is_unsure(self, title: str) -> bool:
        """Return whether a heading says something that orders are not below."""
        text = key(title)
        tables = (*UNSURE, "said") if self.power else UNSURE
        return any(self.cues.has(table, text) for table in tables if table != "negation") or bool(
            self.headings.foreign(text)
        )

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
            if purpose in KINDS and all(self._says_none(entry, title) for entry in listed):
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
        reader, power = self.readers.of(entry.part.power), entry.part.power
        named = {e.order.at.province for e in self.entries if e.order and e.order.at and e.part.power == power}
        for unit in reader.scene.own:
            if not unit.aboard and unit.at.province not in named:
                each = Order(order.verb, unit.kind, unit.at)
                read_as, stored = reader.read_as(line.text, each), reader.notation.write(each)
                yield replace(line, order=each, read_as=read_as, stored=stored)

    @property
    def _here(self) -> LineReader:
        """The reader of the lines of this part, or of any if nobody's orders are read in it."""
        purpose = self.part.heading.purpose if self.part.heading.purpose in KINDS else Purpose.NOW
        power = self.part.power if self.part.power in self.at.rules.powers else self.at.rules.powers[0]
        reader = self.readers.of(power, purpose)
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
            kind = PHASES.get(line.order.verb, self.at.kind) if line.order else self.at.kind
            if own in KINDS and line.order and kind is not KINDS[own]:
                own = Purpose.NOTHING
            elif own is Purpose.NOW and kind is not self.at.kind:
                ahead = {kind: purpose for purpose, kind in KINDS.items()}.get(kind, Purpose.NOTHING)
                own = Purpose.NOTHING if self.at.kind is PhaseKind.ADJUSTMENTS else ahead
            if own is Purpose.NOTHING:
                line = replace(line, order=None, read_as="", what=SEASON)
            if line.order and own is Purpose.NOW and self.part.heading.why == CONDITION:
                line = doubtful(line, CONDITION)
            if own in KINDS and line.order and line.order in {e.line.order for e in self.entries if e.purpose is own}:
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
        again = piece if why in (UNKNOWN, SAID, PAST) and self.part.power in self.powers else None
        what = f"{why} {self.part.title!r}" if why == UNKNOWN else why
        line = SheetLine(piece.text, piece.line.number, piece.column(0), what=what)
        purpose = Purpose.CHAT if why in (CHAT, HEADING) else Purpose.NOTHING
        self.entries.append(Entry(purpose, self.part, line, self._version, again, self._block))

    def _refuse(self, piece: Passage, why: str) -> None:
        """Ask about words, naming the orders that stand in them."""
        (line, *_), write = self._here.read(piece), self.at.rules.notation.write
        orders = tuple(one.order for _, lines in self._here.spans(piece) for one in lines if one.order)
        if orders and not line.options:
            listed = " or ".join(map(write, orders))
            hint = f"did you mean {listed}?" if len(orders) == 1 else f"write one of these: {listed}"
            line = replace(line, what=why, hint=hint, options=orders, column=piece.column(0), stored=unread(line.text))
        for entry in self._own() if self.part.heading.corrects else ():
            if any(same_unit(entry.order, order) for order in line.options):
                entry.doubt(CHOICE)
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
        aside = {
            at for at, one in enumerate(self._columns) if one and (one.purpose in KINDS or one.why in (DRAFT, SEASON))
        }
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
                self._keep(self.ahead.goals(cell, last, self.part.power), Purpose.RETREATS)

    def _take(self, passage: Passage) -> None:
        """Take some words: a heading, an order or several, or none."""
        if passage.keys[0] == UNREAD:
            self._keep(self._here.read_marked(passage))
        elif not self._command(passage) and not self._read(passage):
            before = len(self.entries)
            for piece in self._sentences(passage):
                leads = self.cues("leads").match(piece.said)
                again = self.cues("oops").match(piece.said) or self.cues.has("cancels", piece.said)
                if (leads or again) and not self._here.begins(piece):  # "A Par - Bur. Unless ...", "... No, wait."
                    self._ask_again(before)
                if not self._read(piece):
                    self._piece(piece, alone=piece.words == passage.words)

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
                self._keep(self._aside(words, lines[-1].order), Purpose.RETREATS)
        return bool(lines)

    def _aside(self, words: Passage, order: Order | None) -> list[SheetLine]:
        """The retreats that a remark beside an order names."""
        goals = self.ahead.goals(words, order, self.part.power) if order else []
        return goals or self.ahead.retreats(words, self.part.power, self.entries)

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
        if self._retreat(piece):
            return True
        if any(self._here.place_at(rest, at) for at in range(len(rest.keys))):
            self._refuse(piece, CHOICE)
        else:
            self._pass(CHAT, piece)
        return True

    def _headed(self, piece: Passage, title: Passage, rest: Passage) -> None:
        """Take what stands below a heading."""
        known = self._heading(title)
        if (
            known is None
            and self._reads
            and self.cues.has("leads", rest.said)
            and "?" not in rest.keys
            and self._here.spans(rest)
        ):
            self._refuse(piece, CONDITION)
            return
        heading = known or Heading(Purpose.NOTHING, UNKNOWN)
        outer, before = self.part, next((entry for entry in reversed(self.entries) if entry.order), None)
        foreign = self.power and heading.power not in ("", self.power)
        named = self.power and rest.words and self.headings.power_at(title.keys, 0)[1] == len(title.keys)
        among = (
            named or foreign
        ) and self.part.heading.purpose is Purpose.NOTHING  # "Turkey: A Con - Smy" among results
        if among or (foreign and rest.words and not self._here.spans(rest)):
            self._pass(self.part.heading.why or SAID, piece)
            return
        if heading.purpose is Purpose.RETREATS and rest.words and self._here.begins(title) and self._retreat(piece):
            return
        self._begin(heading, title, brief=bool(rest.words))
        if rest.words:
            self._take(rest)
        else:
            self._pass(HEADING, piece)
        last = self.entries[-1] if self.entries else None
        beside = before and last and before is not last and same_unit(before.order, last.line.order)
        asks = self.part.heading.why == UNKNOWN and "?" in rest.keys[-1:]
        if rest.words and (
            (self.part.outer and (all(piece.inside) or beside or asks)) or foreign
        ):  # for one line alone
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
        elif self._retreat(piece) or self._winter(piece):
            return
        else:
            found, why = reader.spans(piece), self._reason(piece.said)
            told = self.cues.has("correction", piece.said) or self.cues.has("cancels", piece.said)
            corrects = bool(told) or part.heading.corrects
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

    def _retreat(self, piece: Passage) -> bool:
        """Keep retreats that are sent ahead, with the order before them; return whether there are some."""
        told = self.part.heading.purpose is Purpose.RETREATS
        if not told and not self.ahead.is_for(Purpose.RETREATS, piece):
            return False
        if not told and (lines := self.ahead.beside(piece, self.part.power)):
            self._keep(lines)
            return True
        first = min((at.start for at in piece.find(self.cues("retreats"))), default=0)
        if not told and self.cues.has("alternative", piece.part(0, first).said):
            return False
        lines = self.ahead.retreats(piece, self.part.power, self.entries)
        self._keep(lines, Purpose.RETREATS)
        return bool(lines)

    def _winter(self, piece: Passage) -> bool:
        """Keep builds and removals that are sent ahead; return whether there are some."""
        told = self.part.heading.purpose is Purpose.ADJUSTMENTS
        if not told and not self.ahead.is_for(Purpose.ADJUSTMENTS, piece):
            return False
        lines = self.ahead.winter(piece, self.part.power, self.part.heading)
        self._keep(lines, Purpose.ADJUSTMENTS)
        return bool(lines)

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
        has, text = self.cues.has, self.cues("polite").sub("", text)
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


def _colon(words: Passage) -> int | None:
    """Where a heading ends: at the first colon outside brackets, or in them where everything is; "22:40" has none."""
    whole = all(words.inside)
    return next((at for at, word in enumerate(words.keys) if word == ":" and (whole or not words.inside[at])), None)
