"""Letters: what each line of a letter is for, read from the top to the end.

A line is an order, a heading, a correction, something for later, or nothing of the kind.  Doubtful orders do not
count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from gamesmaster.orders import UNREAD, Order, PhaseKind, Verb, defect
from gamesmaster.orders.dialect import note_words
from gamesmaster.orders.words import key
from gamesmaster.reading.corrections import rerouted, settle
from gamesmaster.reading.entries import Entry, Part, same_unit, unit_of
from gamesmaster.reading.layout import QUOTED, Layout, bare
from gamesmaster.reading.lines import KINDS, MOST_WORDS, UNPARTED
from gamesmaster.reading.passages import Passage, passage, passages
from gamesmaster.reading.pieces import QUOTES, SHORTEST_ORDER, PieceReader, colon_of
from gamesmaster.reading.sections import UNSURE, WARNINGS, Heading, Why
from gamesmaster.reading.sheet import OrderSheet, Purpose, SheetLine, unread

SHORTEST_LINE = 2  # cuts of a line that is one sentence
MOST_SENTENCES = 10  # of a line that are looked at together
LONGEST_COMMAND = 6
LONGEST_TITLE = 4  # words of a heading that ends with a full stop
_NO_SET = ("notice", "doubt", "draft", "next", "alternative")  # tables of words of what is perhaps no set of orders
_NO_COLON = ("said", "draft", "past", "spring", "summer", "autumn", "winter", "retreats")  # nor these before a colon
_ASIDE = ("others", "ejects")  # tables of words that do not warn where a heading tells about its writer
_NO_REASON = ("condition", "alternative", "doubt", "next", "question")  # tables of words without a reason
_LEGEND = re.compile(r"\s*\(?\s*\w{1,12}\s*:?\s*=\s")  # a line that explains a letter: "(r: = where it retreats)"
_CITED = re.compile(rf"\s*[{QUOTES}][^{QUOTES}]{{5,}}[{QUOTES}](?=\s+\w)")
"""What begins a sentence about what stands in quotation marks."""


class LetterReader(PieceReader):
    """Reads one letter of `power`, or of a Gamesmaster for `powers`; `read` is what it has read so far.

    Every line of a `printed` letter is an order as the notation prints it: it means what it says, also where the power
    has no such unit.
    """

    def sheet(self) -> OrderSheet:
        """Return the sheet that the letter makes."""
        while self._number < len(self._lines):
            line = self._lines[self._number]
            if line.skipped == QUOTED and self._is_own_quotation():
                line = replace(line, text=bare(line.written, quoted=True), skipped="")
                self._lines[self._number] = line
            if line.skipped:
                written = SheetLine(line.written.strip(), line.number, what=line.skipped)
                self.read.listed.append(Entry(Purpose.NOTHING, self.read.part, written))
                self.read.part = self.read.part.outer or self.read.part  # an answer ends at the next quotation
            elif not line.text.strip() and ("|" in line.written or (self._columns and line.written.strip())):
                pass  # the rule below the headings of a table
            elif not line.text.strip():
                self._columns, self.read.block = (), self.read.block + 1
                lines = (entry.line for entry in self.read.listed[self.read.begun :])
                if any(one.what != Why.HEADING or not one.text.endswith(":") for one in lines) and not self._until:
                    self.read.part = self.read.part.outer or self.read.part
            elif line.cells:
                self._safely(self._row, line, line)
            else:
                for passage in passages(line):
                    self._safely(self._take, passage, line)
                self.read.part, self._after_line = self._after_line or self.read.part, None
            self._number += 1
        self.read.settle_counts()
        if not self._printed:
            lines_written = {line.number: line.written for line in self._lines}
            made = self.read.readers.made.items()
            now = {power: reader.scene.own for (power, purpose), reader in made if purpose is Purpose.NOW}
            own = {power: Counter(unit.at.province for unit in units) for power, units in now.items()}
            settle(self.read.listed, self.headings, own, lines_written)
        return OrderSheet(self.text, self.power, self.at.kind, tuple(self.read.sections()))

    def _is_own_quotation(self) -> bool:
        """Return whether the quotation directly below "These are my orders, once more:" is the sender's own."""
        part, listed = self.read.part, self.read.listed[self.read.begun :]
        titles, above = {key(part.title), key(part.title.split(",")[-1])}, self._lines[self._number - 1]
        goes_on = above.written[:1] == ">" and not above.skipped
        begun = goes_on or all(entry.line.what == Why.HEADING for entry in listed)
        clear = (one for one in titles if not self.cues.any(WARNINGS, one) and not self.headings.foreign(one))
        named = any(all(self.cues.has(table, one) for table in ("mine", "now")) for one in clear)
        return part.heading.purpose is Purpose.NOW and begun and named

    def lone_title(self) -> str:
        """Return the heading that is not understood below which everything stands that was sent; "" if there is more.

        It must not warn of what stands below it, nor may anything else in the letter.
        """
        listed = self.read.listed
        below = [entry for entry in listed if entry.part.heading.why == Why.UNKNOWN]
        titles = {key(entry.part.title) for entry in below if entry.held} or {key(entry.part.title) for entry in below}
        ordered = any(entry.purpose is Purpose.NOW for entry in listed)
        if ordered or len(titles) != 1 or not self.power:
            return ""
        beside = (entry for entry in listed if entry.line.column and not entry.held)  # but for lines left out
        said = [*titles, *(key(entry.line.text) for entry in beside)]
        aside = self.cues.has("aside", said[0])  # "From the Marquess, at his fireside:"
        warned = self.cues.any(set(WARNINGS) - {*_ASIDE}, said[0]) or any(self.cues.any(_NO_SET, text) for text in said)
        tells = aside and (said[0].split()[0] in note_words("from") or self.cues.has("mine", aside[0]))
        warned = warned or self.cues.any(_ASIDE, said[0][: aside.start()] if aside and tells else said[0])
        return "" if warned or self.headings.foreign(said[0]) or self.headings.names_owner(said[0]) else said[0]

    def is_whole(self) -> bool:
        """Return whether every unit has one order, or all that is due is built or removed, and nothing is refused."""
        lines = [entry.line for entry in self.read.listed if entry.purpose is Purpose.NOW]
        if any(line.options for line in lines):
            return False
        ordered = Counter(unit_of(line.order) for line in lines if line.order)
        if self.at.kind is PhaseKind.ADJUSTMENTS:
            due = self.at.due(self.power)
            return due is not None and abs(due) == len(ordered) == ordered.total() > 0
        return ordered == Counter[object](unit.at.province for unit in self.read.here.scene.own if not unit.aboard)

    def _safely(self, take: Callable[[Any], None], words: Passage | Layout, line: Layout) -> None:
        """Take some words; if the program itself fails on them, refuse them and log the failure."""
        try:
            take(words)
        except Exception as error:  # any error here is a fault of this program
            text, hint = words.text.strip(), f"write line {line.number} anew"
            fault = SheetLine(text, line.number, stored=unread(text), what=defect(error).what, hint=hint)
            self.read.listed.append(Entry(Purpose.NOW, self.read.part, fault))

    def _row(self, row: Layout) -> None:
        """Take a row of a table: its headings, or the cells that are orders, or several together that are one."""
        cells = [next(passages(Layout(row.number, bare(text), text)), None) for text in row.cells]
        loose = not self._columns and re.search(r"[;,]", row.written)
        if loose and not self.read.here.has_verb(passage(" ".join(row.cells), 1)):
            for words in passages(row):
                self._take(words)
            return  # "A Par;A Mar;F Bre" is no row of a table
        lettered = len(cells) > 1 and cells[1] and len(cells[1].keys) == 1 and self.read.here.kind_of(cells[1].keys[0])
        if lettered and cells[0] and not self.read.here.kind_of(cells[0].keys[0]):  # "Par;A;move;Bur"
            cells[:2], row = cells[1::-1], replace(row, cells=(*row.cells[1::-1], *row.cells[2:]))
        found = tuple(self._heading(cell) if cell else None for cell in cells)
        if not self._columns and not any(cell and self.read.here.begins(cell) for cell in cells) and any(found):
            self._columns, above = found, self.read.part
            unsure = above.heading.why in (Why.SAID, Why.UNKNOWN) and not self.headings.foreign(key(above.title))
            says = (self.headings.of(cell, begun=True) for cell in cells if cell)
            if unsure and any(one and one.purpose is Purpose.NOW for one in says):  # "Hope the tabs survive:"
                self.read.part = Part(Heading(Purpose.NOW), above.power)
            self.read.pass_over(Why.HEADING, next(passages(replace(row, text=bare(row.text)))))
            return
        if not self.power and cells[0] and (power := self.headings.power_at(cells[0].keys, 0)[0]):
            self.read.part = Part(Heading(Purpose.NOW), power, cells[0].text)
        other = (Why.DRAFT, Why.SEASON)
        aside = {at for at, one in enumerate(self._columns) if one and (one.purpose in KINDS or one.why in other)}
        labelled = {  # "r: Ber"
            at for at, cell in enumerate(cells)
            if cell and cell.keys[1:2] == [":"] and cell.keys[2:] and "retreat" in self.read.here.says(cell.keys[0])
        }  # fmt: skip
        aside |= labelled
        texts = [text for at, text in enumerate(row.cells) if at not in aside]
        sizes = [1, *range(len(texts), 1, -1)]
        named = [cell for at, cell in enumerate(cells) if cell and at not in aside and 0 in self.read.here.begins(cell)]
        if named and not self.read.here.orders(named[0]):
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
                self.read.keep(self.prose.ahead.goals(cell, last, leaves=True), Purpose.RETREATS)

    def _take(self, passage: Passage) -> None:
        """Take some words: a heading, an order or several, or none."""
        takes = (self._greets, self._closes, self._command, self._corrected, self._edited, self._takes, self._announces)
        if passage.keys[0] == UNREAD:
            self.read.keep(self.read.here.read_marked(passage))
        elif _LEGEND.match(passage.line.written) and not self.read.here.begins(passage):
            self.read.pass_over(Why.HEADING, passage)
        elif not any(take(passage) for take in takes):
            before, last = len(self.read.listed), None
            for sentence in self._sentences(passage):
                piece = self._with_last(passage, last, sentence)
                last = sentence
                leads = self.cues("leads").match(piece.said)
                told = before < len(self.read.listed) and self.read.listed[-1].line.what == Why.REPLACED  # "... Sorry!"
                said = self.cues("polite").sub("", piece.said).strip()  # "Sorry for the terse mail"
                again = self.cues.has("cancels", said) or (self.cues("oops").match(said) and not told)
                again = again or self.cues("alternative").match(said)  # "Build A Par. Or nothing at all"
                start = self._last_line(passage) if leads else before if again else len(self.read.listed)
                if leads and before < start and self._limits_last(piece):
                    start -= 1
                doubted = self.read.listed[start:]  # "A Par - Bur. Unless ...", "... No, wait."
                doubted = [] if self.read.here.begins(piece) else [entry for entry in doubted if entry.order]
                corrects = before < len(self.read.listed) and self._corrected(piece)  # "A Par - Bur... no, A Par - Pic"
                if not corrects and self._cites(piece):
                    self.read.pass_over(Why.SAID, piece)
                elif not corrects and not self._takes(piece):
                    last_one = piece.words[-1] == passage.words[-1] and piece.is_large(0)
                    self._piece(piece, alone=piece.words == passage.words or (last_one and len(piece.keys) > 1))
                for entry in doubted if leads or all(entry.order for entry in doubted) else ():
                    entry.doubt(Why.CONDITION)

    def _closes(self, passage: Passage) -> bool:
        """Take words that end a block without orders: "--- end of report ---"."""
        ends = self.cues("closes").match(passage.said) and len(passage.keys) <= LONGEST_COMMAND
        part = self.read.part
        others = part.heading.purpose is Purpose.NOTHING or self.power not in ("", part.power)
        if not ends or not others or ":" in passage.keys:
            return False
        self.read.begin(Heading(Purpose.NOW, power=self.power), passage, brief=False)
        self.read.pass_over(Why.HEADING, passage)
        return True

    def _announces(self, passage: Passage) -> bool:
        """Take a line whose first sentence is a heading: "Draft. A Par - Bur", "I must lose one. Greece it is".

        It says that something is built or removed, or briefly that what follows it does not count now.
        """
        if not passage.stops or not self.read.reads:
            return False
        cut, reader = min(passage.stops), self.read.here
        title, rest = passage.part(0, cut), passage.part(cut, len(passage.keys))
        named = colon_of(title) or reader.orders(title) or reader.provinces(title)
        heading = None if named else self._heading(title)
        if heading is None:
            return False
        raises = heading.verb is not None and heading.purpose is Purpose.NOW and self.at.kind is PhaseKind.ADJUSTMENTS
        stops = heading.purpose in KINDS or heading.why in (Why.DRAFT, Why.SEASON)
        brief = stops and cut <= LONGEST_TITLE and not self.cues.any(("above", "cancels"), title.said)
        if not raises and not (brief and 0 in reader.begins(rest)):
            return False
        self._headed(passage, title, rest)
        return True

    def _with_last(self, passage: Passage, last: Passage | None, sentence: Passage) -> Passage:
        """Return a sentence, with the one before it if a correction needs both: "Picardy is bad. Make it Burgundy"."""
        said = self.read.listed[-1:]
        passed = last is not None and said and said[0].purpose is Purpose.CHAT and said[0].line.text == last.text
        reader, oops = self.read.here, last is not None and self.cues("oops").fullmatch(last.said) is not None
        if last is None or not passed or not (oops or self.cues("correction").match(sentence.said)):
            return sentence
        whole = Passage(passage.line, [*last.words, *sentence.words])
        if oops and self.at.kind is PhaseKind.ADJUSTMENTS and 0 not in reader.begins(sentence):
            return whole  # "Oops. In Brest I need a fleet"
        named = all(map(reader.provinces, (last, sentence)))
        return whole if named and not reader.begins(sentence) and colon_of(whole) is None else sentence

    def _cites(self, piece: Passage) -> bool:
        """Return whether a sentence tells who wants the orders in quotation marks before it."""
        start = piece.words[0].start
        cited = _CITED.match(piece.line.written, max(start - 1, 0))
        if not cited:
            return False
        size = sum(word.end <= cited.end() for word in piece.words)
        words = piece.part(size, len(piece.keys))
        told = [found.start() for table in ("said", "hopes", "proposes") if (found := self.cues.has(table, words.said))]
        return bool(told) and not self.cues.has("mine", words.said[: min(told)])

    def _limits_last(self, piece: Passage) -> bool:
        """Return whether a sentence is a condition without what depends on it: "A Par - Bur. Only if Italy agrees"."""
        brief = len(piece.keys) <= LONGEST_COMMAND and not piece.breaks and self.headings.foreign(piece.said)
        limits = brief or self.cues("limits").match(piece.said)
        return bool(limits) and not self.cues.ejected(piece.said) and not self.read.here.spans(piece)

    def _last_line(self, passage: Passage) -> int:
        """Return the number of the first entry of the line above, to which a condition in these words applies."""
        known, at = self.read.listed, len(self.read.listed)
        named = self.headings.foreign(passage.said) or passage.inside[0] or passage.line.text.strip()[:1].islower()
        apart = not named or "?" in passage.keys or (known and known[-1].block != self.read.block)
        if apart or self._unmarked(passage) or self.read.here.spans(passage):  # "When Bur is empty, A Par - Bur"
            return at
        while at and known[at - 1].order and known[at - 1].line.line == known[-1].line.line == passage.line.number - 1:
            at -= 1
        return at

    def _corrected(self, passage: Passage) -> bool:
        """Take orders that are corrected at once: "A Par - Bur, no wait, A Par - Pic", "No, A Par - Pic"."""
        reads = self.read.reads and len(passage.keys) <= MOST_WORDS
        for start, new in self._replacements(passage) if reads else ():
            before = passage.part(0, start)
            if not start or self._takes(before) or self._is_begun(before, new):
                self.read.keep(new, corrects=True, prefers=self.cues.has("prefers", passage.said) is not None)
                return True
        return False

    def _replacements(self, passage: Passage) -> Iterator[tuple[int, list[SheetLine]]]:
        """Yield where words begin to take back what is before them, and the orders behind them or behind a reason."""
        reader, colons = self.read.here, {at + 1 for at, word in enumerate(passage.keys) if word == ":"}
        for start, end, size in self._denials(passage):
            for at in [end, *(stop for stop in sorted(passage.stops | colons) if end < stop < size)]:
                behind, reason = passage.part(at, size), passage.part(end, at)
                told = self.cues.any(_NO_COLON, reason.said) or self.headings.foreign(reason.said)
                stops = at in colons and (told or self.cues("negation").match(reason.said))
                if at > end and (stops or reader.begins(reason) or self.cues.any(_NO_REASON, reason.said)):
                    break  # not "A Par - Bur -- no! It can't hold. A Par - Pic"
                dashed = passage.keys[at - 1] == "-"
                loose = dashed or start in passage.breaks | passage.stops  # not "A Ven - Tri -- no, Tyr"
                rerouting = rerouted(passage.part(0, start), behind, reader, dashed=dashed) if loose else []
                if new := reader.orders(behind) or rerouting:
                    yield start, new

    def _denials(self, passage: Passage) -> Iterator[tuple[int, int, int]]:
        """Yield where words that take something back begin and end, and where what is said instead of it ends."""
        places = self.read.here.books.first.places
        oops, denies = ({at for one in passage.find(self.cues(cue)) for at in one} for cue in ("oops", "denies"))
        oops = {at for at in oops if not places.exact(passage.keys[at])}  # Arg: a place in 1000 AD
        back_at = [word in "-:/" or at in oops | denies for at, word in enumerate(passage.keys)]
        size = next((at for at in range(len(back_at), 0, -1) if not back_at[at - 1]), 0)  # "..., A Par - Pic I mean"
        for back, run in groupby(range(len(back_at)), key=back_at.__getitem__):
            where = list(run) if back else [0]
            start, end = where[0], where[-1] + 1
            ends = passage.breaks | passage.stops | {0} | ({start} if passage.keys[start] == "-" else set())
            denied = start in ends and not denies.isdisjoint(where)
            parted = denied and not ends.isdisjoint([*where[1:], end])  # ", no, "
            heads = not start and passage.keys[end - 1] == ":"  # "No, wait:"
            if back and not heads and end < size and (parted or (start and not oops.isdisjoint(where))):
                yield start, end, size

    def _is_begun(self, before: Passage, new: list[SheetLine]) -> bool:
        """Pass over what begins with the unit of a new order: "F Aeg S ... no, F Aeg - Ion"; return whether it does."""
        unit = self.read.here.unit_begun(before)
        if unit is None or len(new) != 1 or not same_unit(Order(Verb.HOLD, unit.kind, unit.at), new[0].order):
            return False
        self.read.pass_over(Why.REPLACED, before)
        return True

    def _edited(self, passage: Passage) -> bool:
        """Take an order with a bracket that has another one for its unit: "A Par - Pic (v1: A Par - Bur)"."""
        brackets = passage.remarks()
        if len(brackets) != 1 or not brackets[0].start or not self.read.reads:
            return False
        inner, reader = passage.part(brackets[0].start, brackets[0].stop), self.read.here
        bare, goal = passage.outside(brackets), inner.without_phrases(self.cues("oops"), self.cues("denies"))
        outer = reader.orders(bare)
        cuts = (at.start for at in inner.find(self.cues("instead")) if at.start)  # "(A Par - Bur was my first thought)"
        spans = reader.spans(inner) or reader.spans(inner.part(0, min(cuts, default=len(inner.keys))))
        edits = [line for _, lines in spans for line in lines] or rerouted(bare, goal, reader)
        if len(outer) != 1 or len(edits) != 1 or not same_unit(outer[0].order, edits[0].order):
            return False
        unsure = ("condition", "alternative", "doubt", "next", "retreats", "said")
        denied = self.cues("denies").match(inner.said)
        if (denied and not inner.breaks and not self.cues.has("oops", inner.said)) or self.cues.any(unsure, inner.said):
            return False
        if denied or self.cues.any(("oops", "correction"), inner.said):
            self.read.keep(outer)
            self.read.keep(edits, corrects=True)
        elif self.cues.any(("draft", "earlier", "past", "instead"), inner.said):
            self.read.keep(outer)
            self.read.pass_over(Why.REPLACED, inner)
        else:
            return False
        return True

    def _sentences(self, passage: Passage) -> Iterator[Passage]:
        """Yield the sentences of a line, several as one if they form an order: "A St. Petersburg - Mos".

        The words after a colon are left for `_piece`.
        """
        asked = {at + 1 for at, word in enumerate(passage.keys[:-1]) if word == "?"}
        colon = colon_of(passage)
        if colon and self.read.reads and self.read.here.unit_alone(passage.part(0, colon)):
            colon = None  # "Par: to Bur. Mar: to Spa."
        cuts = [0, *(at for at in sorted(passage.stops | asked) if colon is None or at <= colon), len(passage.keys)]
        cuts = self._dictated(passage) if len(cuts) == SHORTEST_LINE and colon is None else cuts
        at = 0
        while at < len(cuts) - 1:
            ends = range(len(cuts) - 1 if len(cuts) < MOST_SENTENCES else at + 1, at, -1)
            pieces = {end: passage.part(cuts[at], cuts[end]) for end in ends}
            broken = 1 + (at + 2 in pieces and self._is_broken(pieces[at + 1]))
            at = next((end for end in ends if end > at + 1 and self._is_read(pieces[end])), at + broken)
            yield pieces[at]

    def _dictated(self, passage: Passage) -> list[int]:
        """Return where to part a long line without commas or full stops: at its orders, if nothing else limits them."""
        size = len(passage.keys)
        looked_at = self.read.reads and UNPARTED < size <= MOST_WORDS and not passage.breaks
        spans = self.read.here.spans(passage) if looked_at else []
        bare = passage.part(0, spans[-1][0].stop if spans else 0).outside(where for where, _ in spans)
        if len(spans) < 2 or self.cues.any((*UNSURE, "said", "leads", "retreats", "winter"), bare.said):
            return [0, size]
        return sorted({0, size, *(end for where, _ in spans for end in (where.start, where.stop))})

    def _is_broken(self, piece: Passage) -> bool:
        """Return whether a sentence is a unit and a word without an order, which the next may complete."""
        reader = self.read.here if self.read.reads else None
        if reader is None or len(piece.keys) > SHORTEST_ORDER or reader.helps_alone(piece, len(piece.keys)):
            return False
        if ":" in piece.keys or reader.orders(piece):
            return False
        return bool(reader.kind_of(piece.keys[0])) or 0 in reader.begins(piece)

    def _command(self, passage: Passage) -> bool:
        """Take a command to a judge, or a message within such."""
        judged = self.cues("judge").match(passage.keys[0]) is not None
        numbered = passage.keys[1:] and passage.keys[1] in note_words("numbers")  # "Set two" is a heading
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
        elif self.cues("wipes").fullmatch(passage.said) or (
            len(passage.keys) <= LONGEST_COMMAND and judged and ":" not in passage.keys and not numbered
        ):
            for entry in self.read.own() if not judged else ():  # "CLEAR"
                entry.drop() if entry.line.order else None
            self.read.pass_over(Why.COMMAND, passage)
        else:
            return False
        return True

    def _is_block(self, passage: Passage, leads: re.Match[str]) -> bool:
        """Return whether a condition is for the lines below it, since an order is all that it says."""
        start = leads[0].count(" ") + 1
        spans = self.read.here.spans(passage) if self.read.reads and colon_of(passage) is None else []
        alone = len(spans) == 1 and spans[0][0] == range(start, len(passage.keys)) and not passage.breaks
        return alone or self._follows("endif")
