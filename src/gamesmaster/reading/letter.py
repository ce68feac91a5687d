"""Letters: what each line of a letter is for, read from the top to the end.

A line is an order, a heading, a correction, something for later, or nothing of the kind.  Doubtful orders do not
count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from gamesmaster.orders import UNREAD, Order, PhaseKind, defect
from gamesmaster.orders.dialect import Cues
from gamesmaster.orders.words import key
from gamesmaster.reading.corrections import ask_for_units, named_units, settle
from gamesmaster.reading.entries import Entries, Entry, Part, same_unit
from gamesmaster.reading.layout import Layout, bare, lay_out
from gamesmaster.reading.lines import UNSURE
from gamesmaster.reading.passages import Passage, passage, passages
from gamesmaster.reading.prose import ProseReader
from gamesmaster.reading.readers import KINDS, Readers
from gamesmaster.reading.sections import Heading, Headings, Why
from gamesmaster.reading.sheet import OrderSheet, Purpose, SheetLine, unread
from gamesmaster.reading.situation import Situation
from gamesmaster.reading.wordbook import Wordbooks

SHORTEST_ORDER = 3  # words
SHORTEST_LABELLED = 2
MOST_SENTENCES = 10  # of a line that are looked at together
MOST_COLONS = 8  # of a line that are looked behind
LONGEST_HEADING = 12  # words without a colon
LONGEST_COMMAND = 6
_LEGEND = re.compile(r"\s*\(?\s*\w{1,12}\s*:?\s*=\s")
"""What begins a line that says what a letter of the sheet means: "(r: = where it retreats)"."""


class LetterReader:
    """Reads one letter of `power`, or of a Gamesmaster for `powers`; `read` is what it has read so far.

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
        self.at, self.power, self.text, self.cues = at, power, text, Cues.of(text)
        self._printed = printed
        self.headings = Headings(at.rules.derive(Wordbooks), self.cues, at.kind, at.season, power)
        self.read = Entries(Readers(at, self.cues), power, powers, only_orders=only_orders)
        self.prose = ProseReader(self.read, self.headings)
        self._lines, self._number = lay_out(text), 0
        self._until = ""
        self._known = 0, False, False  # how many entries there were, whether with an order, and with results
        self._last: dict[str, int] = {}  # the last line that ends a block, by the table of the words that do
        self._columns: tuple[Heading | None, ...] = ()

    def sheet(self) -> OrderSheet:
        """The sheet that the letter makes."""
        readers = self.read.readers
        while self._number < len(self._lines):
            line = self._lines[self._number]
            if line.skipped:
                written = SheetLine(line.written.strip(), line.number, what=line.skipped)
                self.read.listed.append(Entry(Purpose.NOTHING, self.read.part, written))
            elif "|" in line.written and not line.text.strip():
                pass  # the rule below the headings of a table
            elif not line.text.strip():
                self._columns, self.read.block = (), self.read.block + 1
                if (
                    self.read.part.outer
                    and not self._until
                    and any(map(_is_below, self.read.listed[self.read.begun :]))
                ):
                    self.read.part = self.read.part.outer
            elif line.cells:
                self._safely(self._row, line, line)
            else:
                for passage in passages(line):
                    self._safely(self._take, passage, line)
            self._number += 1
        self.read.ask_about_lists()
        if not self._printed:
            ask_for_units(self.read.listed, readers.own)
            settle(self.read.listed, readers.own, self.cues, {line.number: line.written for line in self._lines})
        return OrderSheet(self.text, self.power, self.at.kind, tuple(self.read.sections()))

    def _safely(self, take: Callable[[Any], None], words: Passage | Layout, line: Layout) -> None:
        """Take some words; what the program itself falls over is refused, and stands in the log."""
        try:
            take(words)
        except Exception as error:  # whatever it is, it is a fault of ours
            text, hint = words.text.strip(), f"write line {line.number} anew"
            fault = SheetLine(text, line.number, stored=unread(text), what=defect(error).what, hint=hint)
            self.read.listed.append(Entry(Purpose.NOW, self.read.part, fault))

    def _row(self, row: Layout) -> None:
        """Take a row of a table: its headings, or the cells that are orders, or several together that are one."""
        cells = [next(passages(Layout(row.number, bare(text), text)), None) for text in row.cells]
        found = tuple(self._heading(cell) if cell else None for cell in cells)
        if not self._columns and not any(cell and self.read.here.begins(cell) for cell in cells) and any(found):
            self._columns = found
            self.read.pass_over(Why.HEADING, next(passages(replace(row, text=bare(row.text)))))
            return
        if not self.power and cells[0] and (power := self.headings.power_at(cells[0].keys, 0)[0]):
            self.read.part = Part(Heading(Purpose.NOW), power, cells[0].text)
        aside = {
            at
            for at, one in enumerate(self._columns)
            if one and (one.purpose in KINDS or one.why in (Why.DRAFT, Why.SEASON))
        }
        labelled = {at for at, cell in enumerate(cells) if cell and self._is_for_retreat(cell)}
        aside |= labelled
        texts = [text for at, text in enumerate(row.cells) if at not in aside]
        sizes = [1, *range(len(texts), 1, -1)]
        if cells[0] and 0 in self.read.here.begins(cells[0]) and not self.read.here.orders(cells[0]):
            sizes = [*sizes[1:], 1]  # a unit and, in the cells beside it, its order
        for size in sizes:
            joined = [" ".join(texts[start : start + size]) for start in range(len(texts) - size + 1)]
            pieces = [words for text in joined for words in passages(Layout(row.number, bare(text), text))]
            if sum(map(self._takes, pieces)):
                break
        else:
            for words in passages(replace(row, text=bare(" ".join(texts)))):
                self._take(words)
        last = self.read.listed[-1].line.order if self.read.listed else None
        retreats = {at for at, one in enumerate(self._columns) if one and one.purpose is Purpose.RETREATS}
        for at, cell in enumerate(cells):
            if cell and last and at in retreats | labelled:
                self.read.keep(self.prose.ahead.goals(cell, last, self.read.part.power), Purpose.RETREATS)

    def _is_for_retreat(self, cell: Passage) -> bool:
        """Return whether a cell begins with a word for a retreat and a colon: "r: Ber"."""
        labelled = len(cell.keys) > SHORTEST_LABELLED and cell.keys[1] == ":"
        return labelled and "retreat" in self.read.here.says(cell.keys[0])

    def _take(self, passage: Passage) -> None:
        """Take some words: a heading, an order or several, or none."""
        if passage.keys[0] == UNREAD:
            self.read.keep(self.read.here.read_marked(passage))
        elif _LEGEND.match(passage.line.written) and not self.read.here.begins(passage):
            self.read.pass_over(Why.HEADING, passage)
        elif not (self._command(passage) or self._corrected(passage) or self._edited(passage) or self._takes(passage)):
            before = len(self.read.listed)
            for piece in self._sentences(passage):
                leads = self.cues("leads").match(piece.said)
                told = before < len(self.read.listed) and self.read.listed[-1].line.what == Why.REPLACED  # "... Sorry!"
                again = self.cues.has("cancels", piece.said) or (self.cues("oops").match(piece.said) and not told)
                if (leads or again) and not self.read.here.begins(piece):  # "A Par - Bur. Unless ...", "... No, wait."
                    self.read.ask_from(self._last_line(passage) if leads else before)
                if not self._takes(piece):
                    self._piece(piece, alone=piece.words == passage.words)

    def _last_line(self, passage: Passage) -> int:
        """Where the entries begin that a condition at the head of these words is for: those of the line above."""
        known, at = self.read.listed, len(self.read.listed)
        named = self.headings.foreign(passage.said) or passage.inside[0] or passage.line.text.strip()[:1].islower()
        if (
            not named
            or "?" in passage.keys
            or (known and known[-1].block != self.read.block)
            or self._unmarked(passage)
            or self.read.here.spans(passage)  # "When Bur is empty, A Par - Bur"
        ):
            return at
        while at and known[at - 1].order and known[at - 1].line.line == known[-1].line.line == passage.line.number - 1:
            at -= 1
        return at

    def _corrected(self, passage: Passage) -> bool:
        """Take orders that are corrected at once: "A Par - Bur, no wait, A Par - Pic", "No, A Par - Pic"."""
        size = len(passage.keys)
        denied = 1 in passage.breaks and self.cues("denies").fullmatch(passage.keys[0])
        found = passage.find(self.cues("oops")) if self.read.reads else []
        for where in [range(1)] * bool(denied and self.read.reads) + found:
            start = next((at for at in range(where.stop, size) if passage.keys[at] not in "-:"), size)
            end = next((at for at in range(where.start, 0, -1) if passage.keys[at - 1] != "-"), 0)
            old, new = passage.part(0, end), self.read.here.orders(passage.part(start, size))
            if new and (denied or self._takes(old)):
                self.read.keep(new, corrects=True)
                return True
        return False

    def _edited(self, passage: Passage) -> bool:
        """Take an order with a bracket that has another one for its unit: "A Par - Pic (v1: A Par - Bur)"."""
        brackets = passage.remarks()
        if len(brackets) != 1 or not brackets[0].start or not self.read.reads:
            return False
        inner, reader = passage.part(brackets[0].start, brackets[0].stop), self.read.here
        outer = reader.orders(passage.outside(brackets))
        edits = [line for _, lines in reader.spans(inner) for line in lines]
        if len(outer) != 1 or len(edits) != 1 or not same_unit(outer[0].order, edits[0].order):
            return False
        unsure = ("condition", "alternative", "doubt", "next", "retreats", "said")
        if self.cues("denies").match(inner.said) or self.cues.any(unsure, inner.said):
            return False
        if self.cues.any(("oops", "correction"), inner.said):
            self.read.keep(outer)
            self.read.keep(edits, corrects=True)
        elif self.cues.any(("draft", "earlier", "past", "instead"), inner.said):
            self.read.keep(outer)
            self.read.pass_over(Why.REPLACED, inner)
        else:
            return False
        return True

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
        """Return whether a sentence is a unit and a word without an order: what follows may be the rest of one."""
        reader = self.read.here if self.read.reads else None
        if reader is None or len(piece.keys) > SHORTEST_ORDER or reader.orders(piece):
            return False
        return reader.is_kind(piece.keys[0]) or 0 in reader.begins(piece)

    def _is_read(self, piece: Passage) -> bool:
        return self.read.reads and _colon(piece) is None and bool(self.read.here.orders(piece))

    def _takes(self, piece: Passage) -> bool:
        """Read orders, and what is said beside them; return whether they are some."""
        if self._wishes(piece):
            return True
        if _colon(piece) is not None:
            return False
        power, end = self.headings.power_at(piece.keys, 0)  # "Germany A Mun H" in a sheet of all powers
        if (
            (not self.read.part.power or (not self.power and power != self.read.part.power))
            and self.read.part.heading.purpose is not Purpose.NOTHING
            and power
            and end < len(piece.keys)
        ):
            outer, self.read.part = self.read.part, Part(self.read.part.heading, power, self.read.part.title)
            taken = self._takes(piece.part(end, len(piece.keys)))
            self.read.part = outer
            return taken
        listed = self.read.part.heading.why == Why.LISTED and self.read.part.power in self.read.powers
        if not self.read.reads and not listed:
            return False
        reader = self.read.here
        lines, aside = reader.orders(piece), reader.aside
        if listed and lines:  # no list of units has verbs
            self.read.part = Part(Heading(Purpose.NOW), self.read.part.power)
        self.read.keep(lines)
        for words in aside if self.at.kind is PhaseKind.MOVEMENT and lines else ():
            if self.cues.has("retreats", words.said):
                self.read.keep(self._aside(words, lines[-1].order), Purpose.RETREATS)
            elif not self.prose.winter(words) and 0 in reader.begins(words) and not self.prose.sentence(words):
                self.read.refuse(words, Why.CHOICE)  # "A Smy - Gre (F Aeg convoys it)"
        return bool(lines)

    def _wishes(self, piece: Passage) -> bool:
        """Take an order and where its unit retreats to: "A Mun - Bur, r Boh"; or that alone, behind a semicolon."""
        reader = self.read.here
        start = reader.wish(piece) if self.read.reads and self.read.part.heading.purpose is Purpose.NOW else None
        if start is None:
            return False
        end = next((at for at in range(start, 0, -1) if piece.keys[at - 1] not in ":-/"), 0)
        lines = reader.orders(piece.part(0, end))
        above = [entry.line for entry in self.read.listed[-1:] if entry.line.line == piece.line.number and not end]
        order = (lines or above or [SheetLine("", 0)])[-1].order
        goals = self.prose.ahead.goals(piece.part(start, len(piece.keys)), order, self.read.part.power) if order else []
        self.read.keep(lines if goals else [])
        self.read.keep(goals, Purpose.RETREATS)
        return bool(goals)

    def _aside(self, words: Passage, order: Order | None) -> list[SheetLine]:
        """The retreats that a remark beside an order names."""
        goals = self.prose.ahead.goals(words, order, self.read.part.power) if order else []
        return goals or self.prose.ahead.retreats(words, self.read.part.power, self.read.listed)

    def _command(self, passage: Passage) -> bool:
        """Take a command to a judge, or a message within such."""
        if self._until and self.cues(self._until).match(passage.said):
            self._until, self.read.part = "", self.read.part.outer or self.read.part
            self.read.pass_over(Why.COMMAND, passage)
        elif self._until == "unblock":
            self.read.pass_over(Why.SAID, passage)
        elif self.cues("block").match(passage.said) and self._follows("unblock"):
            self._until = "unblock"
            self.read.pass_over(Why.COMMAND, passage)
        elif not self._until and (leads := self.cues("leads").match(passage.said)) and self._is_block(passage, leads):
            self._until = "endif" if self._follows("endif") else ""
            self.read.begin(Heading(Purpose.NOW, Why.CONDITION), passage, brief=False)
            self.read.refuse(passage, Why.CONDITION)
            self.read.begun = len(self.read.listed)
        elif len(passage.keys) <= LONGEST_COMMAND and self.cues("judge").match(passage.keys[0]):
            self.read.pass_over(Why.COMMAND, passage)
        else:
            return False
        return True

    def _is_block(self, passage: Passage, leads: re.Match[str]) -> bool:
        """Return whether a condition is for the lines below it, since an order is all that it says."""
        start = leads[0].count(" ") + 1
        spans = self.read.here.spans(passage) if self.read.reads and _colon(passage) is None else []
        alone = len(spans) == 1 and spans[0][0] == range(start, len(passage.keys)) and not passage.breaks
        return alone or self._follows("endif")

    def _follows(self, table: str) -> bool:
        """Return whether a line below ends a block."""
        if table not in self._last:
            ends = (at for at, line in enumerate(self._lines) if self.cues(table).match(key(line.text)))
            self._last[table] = max(ends, default=-1)
        return self._last[table] > self._number

    def _piece(self, piece: Passage, *, alone: bool) -> None:
        """Take a heading with what follows it, or words that are not an order as they stand."""
        colon = self._heads(piece)
        if colon is None:
            if heading := self._unmarked(piece) if alone else None:
                self.read.begin(heading, piece, brief=False)
                self.read.pass_over(Why.HEADING, piece)
            else:
                self.prose.take(piece, self._goes_on)
            return
        title, rest = piece.part(0, colon), piece.part(colon + 1, len(piece.keys))
        if rest.keys.count(":") > MOST_COLONS:
            self.read.pass_over(Why.CHAT, piece)
        elif not title.words or (self.read.here.begins(title) and self._takes(title)):  # "A Par - Bur: to be safe"
            unsure = title.words and self.cues.any(UNSURE, rest.said)
            if unsure:
                self.read.ask_from(len(self.read.listed) - 1)
            elif rest.words:
                self._take(rest)
        elif rest.words and self.read.reads and self._tells(title):
            self.prose.take(piece.without(":"), self._goes_on)
        elif not rest.words or not self._headless(piece, title, rest):
            self._headed(piece, title, rest)

    def _heads(self, piece: Passage) -> int | None:
        """Where a heading ends: at a colon, or at a dash before a unit: "Moves - A Par - Bur"."""
        if (colon := _colon(piece)) is not None:
            return colon
        for at in range(1, len(piece.keys) - 1):
            if piece.keys[at] == "-" and piece.is_apart(at) and piece.is_apart(at + 1):
                title, rest = piece.part(0, at), piece.part(at + 1, len(piece.keys))
                unit = self.read.here.begins(title) or self.read.here.is_kind(title.keys[0])
                heading = None if unit else self._heading(title)
                return at if heading and heading.purpose and 0 in self.read.here.begins(rest) else None
        return None

    def _tells(self, title: Passage) -> bool:
        """Return whether words before a colon take back the order of a unit that they name."""
        back = self.cues.any(("correction", "cancels", "oops"), title.said)
        return back and bool(named_units(title, self.read.here, self.read.own()))

    def _headless(self, piece: Passage, title: Passage, rest: Passage) -> bool:
        """Take words with a colon that is not behind a heading: "Kiel: fleet", "F SMed: maybe ..."."""
        said = self.cues.any(("leads", "retreats", "ejects", "draft", "next", "past"), title.said)
        if not self.read.reads or said or not self.read.here.begins(title):
            if not self.read.reads or self._heading(title) is not None:
                return False
            winter = self.at.kind is PhaseKind.ADJUSTMENTS and not said
            return self._takes(piece.without(":")) or (winter and self.prose.unnamed(rest, headed=False))
        unsure = self.cues.any(UNSURE, title.said)
        if not unsure and rest.keys[:2] == title.keys[:2] and self._takes(rest):
            return True  # "A Par goes: A Par - Bur"
        if not unsure and (self._takes(piece.without(":")) or self._takes(rest) or self.prose.sentence(piece)):
            return True
        if self.prose.retreat(piece):
            return True
        if any(self.read.here.place_at(rest, at) for at in range(len(rest.keys))):
            for entry in named_units(title, self.read.here, self.read.own()):
                entry.doubt(Why.CHOICE)
            self.read.refuse(piece, Why.CHOICE)
        elif not self.prose.unnamed(piece.without(":")):
            self.read.pass_over(Why.CHOICE if self.prose.unsettles(piece) else Why.CHAT, piece)
        return True

    def _headed(self, piece: Passage, title: Passage, rest: Passage) -> None:
        """Take what stands below a heading."""
        if self.cues("nothing").fullmatch(rest.said):  # "Retreats: none"
            self.read.pass_over(Why.HEADING, piece)
            return
        known = self._heading(title)
        if (
            known is None
            and self.read.reads
            and self.cues.has("leads", rest.said)
            and "?" not in rest.keys
            and self.read.here.spans(rest)
        ):
            self.read.refuse(piece, Why.CONDITION)
            return
        told = self.cues.any(("correction", "cancels", "negation"), rest.said)
        if (
            known is None
            and self.read.reads
            and told
            and not self.read.here.orders(rest)
            and not self.read.here.spans(rest)
        ):
            self.read.pass_over(Why.CHAT, title)
            self.prose.take(rest, self._goes_on)
            return
        part, above = self.read.part, self.read.listed[-1:]
        goes_on = (
            part.heading.why == Why.CONDITION and above and above[0].part is part and above[0].block == self.read.block
        )
        unknown = (
            Heading(Purpose.NOW) if self._is_own(title) and not rest.words else Heading(Purpose.NOTHING, Why.UNKNOWN)
        )
        heading = known or (part.heading if goes_on else unknown)
        outer, before = self.read.part, next((entry for entry in reversed(self.read.listed) if entry.order), None)
        foreign = self.power and heading.power not in ("", self.power)
        named = self.power and rest.words and self.headings.power_at(title.keys, 0)[1] == len(title.keys)
        among = (
            named or foreign
        ) and self.read.part.heading.purpose is Purpose.NOTHING  # "Turkey: A Con - Smy" among results
        if among or (foreign and rest.words and not self.read.here.spans(rest)):
            self.read.pass_over(self.read.part.heading.why or Why.SAID, piece)
            return
        if (
            heading.purpose is Purpose.RETREATS
            and rest.words
            and self.read.here.begins(title)
            and self.prose.retreat(piece)
        ):
            return
        if heading.new and rest.words and not heading.power:
            heading = replace(heading, new=False, corrects=True)  # "Update: A Par - Bur"
        self.read.begin(heading, title, brief=bool(rest.words))
        if rest.words:
            self._take(rest)
        else:
            self.read.pass_over(Why.HEADING, piece)
        last = self.read.listed[-1] if self.read.listed else None
        beside = before and last and before is not last and same_unit(before.order, last.line.order)
        why = self.read.part.heading.why
        asks = why in (Why.CHOICE, Why.QUESTION) or (why == Why.UNKNOWN and "?" in rest.keys[-1:])
        if rest.words and (
            (self.read.part.outer and (all(piece.inside) or beside or asks)) or foreign
        ):  # for one line alone
            self.read.part = outer

    def _is_own(self, title: Passage) -> bool:
        """Return whether words begin with an own unit, and leave what is said of it as it is."""
        first = next((at for at, word in enumerate(title.keys) if not self.read.here.is_small(word)), 0)
        told = self.cues.any((*UNSURE, "said"), title.said)
        return first in self.read.here.begins(title) and not told

    def _heading(self, words: Passage) -> Heading | None:
        """Return what a heading says; "Orders:" does not end the part below a heading for drafts.

        In a sheet of all powers the name of one, directly below a heading, goes on with what that is for.
        """
        part, listed = self.read.part, self.read.listed
        if self._known[0] != len(listed):
            recaps = any(entry.part.heading.why == Why.PAST for entry in listed)
            self._known = len(listed), any(entry.order for entry in listed), recaps
        heading = self.headings.of(words, begun=self._known[1], recaps=self._known[2])
        plain = heading and heading.purpose is Purpose.NOW and not (heading.new or heading.why)
        empty = part.title and len(listed) <= self.read.begun + 1
        if not heading or not plain:
            return heading
        if (
            heading.power
            and not self.power
            and (empty or part.heading.shared)
            and (part.heading.purpose in KINDS or part.heading.why == Why.DRAFT)
        ):
            return replace(part.heading, power=heading.power, shared=True)
        drafts = part.heading.purpose is Purpose.NOTHING and part.heading.why in (Why.DRAFT, Why.SAID, Why.PAST)
        return Heading(None) if empty and drafts and not heading.power else heading

    def _unmarked(self, piece: Passage) -> Heading | None:
        """What a line that has no colon, but looks like a heading, says of those below it."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        if ";" in line.text[: piece.words[0].start]:
            return None
        asks = "?" in piece.keys[-1:] and below and below[0].text.strip()
        follows = self.cues.has("follows", piece.said) or (asks and self.cues.has("these", piece.said))
        ended = re.search(r"[.!?…]\W*$", line.written) and not follows
        if not below or (ended and not line.headed) or len(piece.keys) > LONGEST_HEADING or self.read.here.spans(piece):
            return None
        heading = self._heading(piece)
        foreign = heading and self.power and heading.power not in ("", self.power)
        if (
            heading is None
            or heading.purpose is None
            or (foreign and self.read.part.heading.purpose is Purpose.NOTHING)
        ):
            return None
        if self.cues.has("above", piece.said) and heading.why == Why.DRAFT:
            return None  # "Scrap that"
        loose = heading.why in (Why.SAID, Why.LISTED, Why.PAST, Why.DRAFT) and not line.headed
        said = heading.why == Why.SAID and not follows and not self.headings.foreign(piece.said)
        ordered = self.read.here.begins(piece) or self.read.here.is_lost(piece)
        if (loose and (not below[0].text.strip() or said)) or (not heading.asks and ordered):
            return None
        if heading.why == Why.CONDITION:
            self._until = "endif" if self._follows("endif") else ""
        return heading

    def _goes_on(self, piece: Passage) -> bool:
        """Read a line that goes on in the next one, where a mail program broke it."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        if not below or not below[0].text.strip() or line.text[piece.words[-1].end :].strip(" -,"):
            return False
        text = f"{line.text[piece.words[0].start :]} {below[0].text.strip()}"
        words, alone = passage(text, line.number), next(passages(below[0]))
        if self._is_read(alone) or not self.read.here.has_verb(words) or not self._takes(words):
            return False
        self._number += 1
        return True


def _is_below(entry: Entry) -> bool:
    """Return whether an entry is more than a heading with a colon, below which an empty line may stand."""
    return entry.line.what != Why.HEADING or not entry.line.text.endswith(":")


def _colon(words: Passage) -> int | None:
    """Where a heading ends: at the first colon outside brackets, or in them where everything is; "22:40" has none."""
    whole = all(words.inside)
    return next((at for at, word in enumerate(words.keys) if word == ":" and (whole or not words.inside[at])), None)
