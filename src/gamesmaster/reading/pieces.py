"""Pieces: headings with what stands below them, and orders among other words."""

from __future__ import annotations

import re
from dataclasses import replace

from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.reading.corrections import named_units, numbered
from gamesmaster.reading.entries import Part, same_unit, unit_of
from gamesmaster.reading.lines import KINDS
from gamesmaster.reading.passages import Passage, passage, passages
from gamesmaster.reading.sections import UNSURE, WARNINGS, Heading, Why
from gamesmaster.reading.sheet import Purpose, SheetLine
from gamesmaster.reading.titles import TitleReader

_CITED = re.compile(r"\s*[\"'“„«‘].+[\"'”“»’]\s*")  # a line that is a quotation
MOST_COLONS = 8  # of a line that are looked behind
SHORTEST_ORDER = 3  # words
QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb'


class PieceReader(TitleReader):
    """Reads a piece of a letter at a time."""

    def _take(self, passage: Passage) -> None:
        """Take the words after a heading."""
        raise NotImplementedError

    def _takes(self, piece: Passage) -> bool:
        """Read orders and remarks beside them; return whether there are orders."""
        if self._wishes(piece):
            return True
        if colon_of(piece) is not None:
            return False
        power, end = self.headings.power_at(piece.keys, 0)  # "Germany A Mun H" in a sheet of all powers
        outer = self.read.part
        first = min((at for at in self.read.here.begins(piece) if at), default=0) if power and self.read.reads else 0
        if first and power == self.power == outer.power and (heading := self._heading(piece.part(0, first))):
            plain = replace(heading, power="") == Heading(Purpose.NOW)  # "France opens A Par - Bur"
            plain = plain and not self.cues.any(WARNINGS, " ".join(piece.keys[:first]))
            if plain and self._takes(piece.part(first, len(piece.keys))):
                return True
        other = not outer.power or (not self.power and power != outer.power)
        if other and outer.heading.purpose is not Purpose.NOTHING and power and end < len(piece.keys):
            self.read.part = Part(outer.heading, power, outer.title)
            if not self._takes(piece.part(end, len(piece.keys))):
                self.read.part = outer
                return False
            self._after_line = self._after_line or outer  # the whole line is this power's
            return True
        listed = self.read.part.heading.why == Why.LISTED and self.read.part.power in self.read.powers
        if not self.read.reads and not listed:
            return False
        reader = self.read.here
        lines, aside = reader.orders(piece), reader.aside
        apart = piece.without(*note_words("join")) if listed else piece
        if apart.words != piece.words and [line.order for line in lines] != [o.order for o in reader.orders(apart)]:
            return False  # "A/F His e A/F Bah" does not embark
        if listed and lines:  # no list of units has verbs
            self.read.part = Part(Heading(Purpose.NOW), self.read.part.power)
        outer = self.read.part
        sure = any(self.cues.has("certain", words.said) for words in aside) and not self.cues.any(UNSURE, piece.said)
        if outer.heading.asks and sure:  # "And F Tun H, that's definite"
            self.read.part = Part(Heading(Purpose.NOW), outer.power)
        self.read.keep(lines, corrects=self._corrects(lines, aside))
        self.read.part = outer
        for words in aside if self.at.kind is PhaseKind.MOVEMENT and lines else ():
            order = lines[-1].order
            if order and (helps := self.prose.clauses.backing(words, reader, order)):
                self.read.keep(helps)
            elif self.cues.ejected(words.said):
                goals = self.prose.ahead.goals(words, order)
                self.read.keep(goals or self.prose.ahead.retreats(words), Purpose.RETREATS)
            elif not self.prose.winter(words) and 0 in reader.begins(words) and not self.prose.sentence(words):
                self.read.refuse(words, Why.CHOICE)  # "A Smy - Gre (F Aeg convoys it)"
        return bool(lines)

    def _corrects(self, lines: list[SheetLine], aside: list[Passage]) -> bool:
        """Return whether a remark takes back the goal that its unit has above: "A Bel H, not Ruh"."""
        new = {unit_of(line.order) for line in lines if line.order}
        denied = [self.read.here.provinces(words) for words in aside if self.cues("instead").match(words.said)]
        if not denied or len(new) != 1:
            return False
        old = (e.order.to.province for e in self.read.own() if e.order and e.order.to and unit_of(e.order) in new)
        return not frozenset[str]().union(*denied).isdisjoint(old)

    def _wishes(self, piece: Passage) -> bool:
        """Take an order and its unit's retreat: "A Mun - Bur, r Boh"; or the retreat alone, after a semicolon."""
        reader = self.read.here
        start = reader.wish(piece) if self.read.reads and self.read.part.heading.purpose is Purpose.NOW else None
        above = [entry.line for entry in self.read.listed[-1:] if entry.line.line == piece.line.number]
        lines = self.prose.ahead.beside(piece, start, above) if start is not None else []
        self.read.keep(lines)
        later = self._referred(piece) if self.read.reads and colon_of(piece) is None else None
        if later and later.purpose is Purpose.RETREATS and not lines:  # "I may miss the retreats. Use A Par - Gas then"
            known = {unit_of(entry.order) for entry in self.read.own() if entry.order}
            kept = self.prose.ahead.retreats(piece)
            lines = kept if known.issuperset(unit_of(line.order) for line in kept if line.order) else []
            self.read.keep(lines, Purpose.RETREATS)
        if not lines and self.prose.follows_retreats(piece) and (unit := reader.unit_begun(piece)):
            ordered = any(entry.order and unit_of(entry.order) == unit.at.province for entry in self.read.own())
            hold, ahead = Order(Verb.HOLD, unit.kind, unit.at), self.prose.ahead
            lines = (ahead.retreats(piece) or ahead.goals(piece, hold)) if ordered else []  # "...; Paris, to Pic"
            self.read.keep(lines, Purpose.RETREATS)
        return bool(lines)

    def _piece(self, piece: Passage, *, alone: bool) -> None:
        """Take a heading and the words after it, or words that are not an order."""
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
        elif (
            (repeats := self._repeats(title, rest))
            or not title.words
            or (self.read.here.begins(title) and not self._heads_unit(title, rest) and self._takes(title))
        ):  # "A Par - Bur: to be safe"
            cut = min(rest.stops, default=len(rest.keys))
            if title.words and self.prose.is_struck(rest.part(0, cut)):  # "A Par - Bur: crossed out"
                self.prose.strike([line.order for line in self.read.here.orders(title) if line.order])
                self.read.pass_over(Why.DRAFT, rest.part(0, cut))
                if cut < len(rest.keys):
                    self._take(rest.part(cut, len(rest.keys)))
            elif title.words and not repeats and self.cues.any(UNSURE, rest.said):
                self.read.listed[-1].doubt(Why.CONDITION)
                self.read.refuse(rest, Why.CONDITION)
            elif rest.words:
                self._take(rest)
        elif rest.words and self.read.reads and self._tells(title, rest):
            self.prose.take(piece.without(":"), self._goes_on)
        elif not rest.words or not self._headless(piece, title, rest):
            self._headed(piece, title, rest)

    def _heads(self, piece: Passage) -> int | None:
        """Return the end of a heading: at a colon, or at a dash before a unit: "Moves - A Par - Bur"."""
        if (colon := colon_of(piece)) is not None:
            return colon
        for at in range(1, len(piece.keys) - 1):
            if piece.keys[at] == "-" and piece.is_apart(at) and piece.is_apart(at + 1):
                title, rest = piece.part(0, at), piece.part(at + 1, len(piece.keys))
                unit = self.read.here.begins(title) or self.read.here.kind_of(title.keys[0])
                heading = None if unit else self._heading(title)
                return at if heading and heading.purpose and 0 in self.read.here.begins(rest) else None
        return None

    def _repeats(self, title: Passage, rest: Passage) -> bool:
        """Return whether words are the order before a colon again: "Fleet in Kiel: F Kie" is one build."""
        if not (title.words and rest.words and self.read.reads and self.read.here.begins(title)):
            return False
        told = [line.order for line in self.read.here.orders(title)]
        return bool(told) and told == [line.order for line in self.read.here.orders(rest)]

    def _heads_unit(self, title: Passage, rest: Passage) -> bool:
        """Return whether words name the unit whose order follows: "Retirada de París: A Par - Gas"."""
        told = self.at.kind is PhaseKind.RETREATS and self.cues.has("retreats", title.said) is not None
        told = told or self.read.here.unit_alone(title) is not None  # "Fleet Mid-Atlantic: F Mao - Por"
        return told and bool(rest.words) and bool(self.read.here.orders(rest))

    def _tells(self, title: Passage, rest: Passage) -> bool:
        """Return whether words before a colon take back the order of a unit that they name, or of one behind it."""
        back, own = self.cues.any(("correction", "cancels", "oops"), title.said), self.read.own()
        if back and self.cues.has("said", title.said) and self.headings.foreign(title.said):
            for entry in named_units(title, self.read.here, own):  # "Sorry, about Munich Italy told me: ..."
                entry.doubt(Why.CHOICE)
            return False
        said = self.cues("above").sub("", self.cues("correction").sub("", title.said))  # not "Second thoughts:"
        ordered = {unit_of(line.order) for _, lines in self.read.here.spans(rest) for line in lines if line.order}
        sure = self.cues.any(("correction", "cancels"), self.cues("denies").sub("", title.said))
        sure = sure and not self.cues.has("said", title.said) and not self.headings.foreign(title.said)
        about = sure and ordered & self.read.here.provinces(title)  # "About Munich I think again: A Mun - Ruh"
        named = about or named_units(title, self.read.here, own, goals=True)
        return back and bool(named or numbered(own, said, self.cues))

    def _headless(self, piece: Passage, title: Passage, rest: Passage) -> bool:
        """Take words with a colon that is not after a heading: "Kiel: fleet", "F SMed: maybe ..."."""
        aim = title.keys[0] in note_words("for") and title.keys[1:]
        if aim and not self._referred(title):  # "For the fleet in Brest: Gascony"
            piece, title = piece.part(1, len(piece.keys)), title.part(1, len(title.keys))
        if self.read.here.says(title.said) & {"all", "rest", "both"} and self._takes(piece.without(":")):
            return True  # "The others: hold"
        said = self.cues.any(("leads", "retreats", "ejects", "draft", "next", "past", "winter"), title.said)
        if self.read.reads and self._is_dateline(piece, title, rest):
            self.read.pass_over(Why.SAID, piece)
            return True
        if not self.read.reads or said or not self.read.here.begins(title):
            if not self.read.reads or self._heading(title) is not None:
                return False
            winter, side = self.at.kind is PhaseKind.ADJUSTMENTS and not said, self.read.here.is_coast(title)
            return (not side and self._takes(piece.without(":"))) or (winter and self.prose.unnamed(rest))
        unsure = self.cues.any(UNSURE, title.said)
        begun, told = min(self.read.here.begins(title).items())[1], self.read.here.orders(rest)[:1]
        if not unsure and told and told[0].order and unit_of(told[0].order) in begun and self._takes(rest):
            return True  # "The army in Paris goes: A Par - Bur"
        if not unsure and (self._takes(piece.without(":")) or self._takes(rest) or self.prose.sentence(piece)):
            return True
        if self.prose.settles(piece):
            return True
        if self.prose.retreat(piece) or (not unsure and self.prose.unnamed(piece.without(":"))):
            return True
        if self.read.here.provinces(rest):
            for entry in named_units(title, self.read.here, self.read.own()):
                entry.doubt(Why.CHOICE)
            self.read.refuse(piece, Why.CHOICE)
        elif unsure and len(self.read.here.provinces(title)) > 1:  # "On F Bel I dither between Pic and Hol: ask me"
            self.read.refuse(piece, Why.CHOICE)
        else:
            self.read.pass_over(Why.CHOICE if self.prose.unsettles(piece) else Why.CHAT, piece)
        return True

    def _is_dateline(self, piece: Passage, title: Passage, rest: Passage) -> bool:
        """Return whether words say where press comes from: "PRESS, Paris: ...", or words in quotation marks."""
        quoted = piece.line.written[title.words[-1].end : rest.words[0].start].strip(": ")
        spoken = bool(quoted) and quoted[0] in QUOTES and not self.read.here.spans(rest)
        return self.cues("block").match(title.said) is not None or (spoken and len(rest.keys) > SHORTEST_ORDER)

    def _headed(self, piece: Passage, title: Passage, rest: Passage) -> None:
        """Take a heading and the words after it on its line."""
        known, kinds = self._heading(title), any(len(word) > 1 and self.read.here.kind_of(word) for word in title.keys)
        winter = self.at.kind is PhaseKind.ADJUSTMENTS and self.read.reads
        cut = min(rest.breaks, default=0)  # "Munich, if beaten, retires to Burgundy"
        unit = self.read.here.unit_alone(rest.part(0, cut)) if cut else None
        told = rest.part(cut if unit else 0, len(rest.keys)).said
        led = self.cues("leads").match(told) or (told and "aux" in self.read.here.says(told.split()[0]))
        ejects = led and self.cues.any(("ejects", "retreats"), rest.said)
        aside = (
            known is None
            or known.why == Why.SEASON
            or (known.why == Why.SAID and not self.cues.has("said", title.said))
        )
        if self._addresses(title, rest) or (rest.words and self.headings.is_nothing(rest.said)):
            self.read.pass_over(Why.HEADING, piece)
        elif aside and self.read.reads and ejects:
            self.read.pass_over(Why.CHAT, title)  # "Since I am away: if Paris is taken, it retreats to Gascony"
            self._take(rest)
        elif (known is None and self.read.reads and self._limits(piece, title, rest)) or (
            kinds and winter and self.prose.unnamed(piece.without(":"))  # "Una flotta: a Napoli"
        ):
            return
        else:
            heading = known or self._unknown(title, rest)
            foreign = bool(self.power) and heading.power not in ("", self.power)
            named = self.power and rest.words and self.headings.power_at(title.keys, 0)[1] == len(title.keys)
            among = self.read.part.heading.purpose is Purpose.NOTHING  # "Turkey: A Con - Smy" among results
            inside = heading.purpose in KINDS and piece.line.text[: piece.words[0].start].strip()  # "...; Builds: Bre"
            if ((named or foreign or inside) and among) or (foreign and rest.words and not self.read.here.spans(rest)):
                self.read.pass_over(self.read.part.heading.why or Why.SAID, piece)
                return
            retreats = heading.purpose is Purpose.RETREATS and rest.words and self.read.here.begins(title)
            if not (retreats and self.prose.retreat(piece)):
                self._begin(heading, piece, title, rest, foreign=foreign)

    def _greets(self, passage: Passage) -> bool:
        """Take the greeting of another power with which a letter begins: "Dear Italy, ..." has no orders."""
        cut = min(passage.breaks, default=len(passage.keys))
        title, rest = passage.part(0, cut), passage.part(cut, len(passage.keys))
        greets = not self.read.listed and self.cues("greeting").match(title.said) is not None
        dash = next((at for at, word in enumerate(passage.keys) if word == "-" and passage.is_apart(at)), 0)
        hailed, named = passage.part(0, dash), passage.part(dash + 1, len(passage.keys))
        hails = all(self.headings.is_plain(word) or self.cues("addressee").fullmatch(word) for word in hailed.keys)
        if greets and dash and named.words and hails:  # "Hi all - Par: to Bur"
            self.read.pass_over(Why.CHAT, hailed)
            self._take(named)
            return True
        if not greets or not self._is_to_others(title.outside(title.remarks()).said):
            return False
        self.read.begin(Heading(Purpose.NOTHING, Why.SAID), title, brief=False)
        self.read.pass_over(Why.HEADING, title)
        if rest.words:
            self._take(rest)
        return True

    def _limits(self, piece: Passage, title: Passage, rest: Passage) -> bool:
        """Take words behind no known heading that make a condition, or take something back."""
        spans = self.read.here.spans(rest) if rest.words else []
        if spans and self.prose.reason(rest.said) == Why.CONDITION and "?" not in rest.keys:
            self.read.refuse(piece, Why.CONDITION)
            return True
        told = self.cues.any(("correction", "cancels", "negation"), rest.said)
        unsure = self.cues.any(("condition", "doubt", "negation", "said", "rejects", "past", "next"), rest.said)
        known = [entry.order for entry in self.read.own()]
        named = [line.order for _, lines in spans for line in lines]
        again = named and all(any(same_unit(order, one) for one in known) for order in named)
        warned = unsure or self.cues.any(WARNINGS, title.said) or self.headings.foreign(piece.said)
        if not told or (self.read.here.orders(rest) if not spans else warned or not again):
            return False
        self.read.pass_over(Why.CHAT, title)
        self._take(rest) if spans else self.prose.take(rest, self._goes_on)
        return True

    def _begin(self, heading: Heading, piece: Passage, title: Passage, rest: Passage, *, foreign: bool) -> None:
        """Begin a part, and take what stands on the line of its heading, for which alone it may be."""
        if heading.new and rest.words and not heading.power:
            heading = replace(heading, new=False, corrects=True)  # "Update: A Par - Bur"
        outer, before = self.read.part, next((entry for entry in reversed(self.read.listed) if entry.order), None)
        at, lines = self._number, self._lines
        near = (*lines[max(at - 1, 0) : at], *lines[at + 1 : at + 2])  # comments: "# dropped: A Par - Bur"
        commented = lines[at].headed and any(line.headed and line.text.strip() for line in near)
        commented = commented and heading.why == Why.DRAFT and bool(rest.words and self.read.here.spans(rest))
        cited = _CITED.fullmatch(lines[at + 1].written if at + 1 < len(lines) else "") is not None
        self.read.begin(heading, title, brief=bool(rest.words) or cited)
        if not rest.words:
            self.read.pass_over(Why.HEADING, piece)
            return
        self._take(rest)
        last, why = self.read.listed[-1] if self.read.listed else None, self.read.part.heading.why
        beside = before and last and before is not last and same_unit(before.order, last.line.order)
        asks = why in (Why.CHOICE, Why.QUESTION) or (why == Why.UNKNOWN and "?" in rest.keys[-1:])
        if foreign or (self.read.part.outer and (all(piece.inside) or beside or asks or commented)):
            above = beside and before and before.line.line < piece.line.number
            goes_on = above and ";" in piece.line.text[piece.words[-1].end :]  # "Retreats: A Par - Gas; A Mar - Spa"
            self._after_line, self.read.part = (outer, self.read.part) if goes_on else (None, outer)

    def _goes_on(self, piece: Passage) -> bool:
        """Join a line with the next if a mail program broke it, read both, and return whether it did."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        if not below or not below[0].text.strip() or line.text[piece.words[-1].end :].strip(" -,"):
            return False
        text = f"{line.text[piece.words[0].start :]} {below[0].text.strip()}"
        words, alone = passage(text, line.number), next(passages(below[0]))
        if self._is_read(alone) or not self.read.here.has_verb(words) or not self._takes(words):
            return False
        self._number += 1
        return True

    def _is_read(self, piece: Passage) -> bool:
        return self.read.reads and colon_of(piece) is None and bool(self.read.here.orders(piece))


def colon_of(words: Passage) -> int | None:
    """Return where a heading ends: at the first colon outside brackets ("22:40" has none).

    If all words are in brackets, colons in them count.
    """
    whole = all(words.inside)
    return next((at for at, word in enumerate(words.keys) if word == ":" and (whole or not words.inside[at])), None)
