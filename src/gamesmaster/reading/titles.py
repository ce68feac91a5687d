"""Titles: what the headings of a letter say of the lines below them, as far as it was read."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from gamesmaster.orders import PhaseKind
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.orders.words import key
from gamesmaster.reading.entries import Entries, Part
from gamesmaster.reading.layout import lay_out
from gamesmaster.reading.lines import KINDS, Readers
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.prose import ProseReader
from gamesmaster.reading.sections import UNSURE, WARNINGS, Heading, Headings, Why
from gamesmaster.reading.sheet import Purpose
from gamesmaster.reading.situation import Situation
from gamesmaster.reading.wordbook import Wordbooks

LONGEST_HEADING = 12  # words without a colon


class TitleReader:
    """Knows one letter as far as it was read, and what a heading in it means there.

    `read` is what was read.  A heading that says `trusted`, and is not understood, begins the orders.
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
        self.trusted = ""
        self.headings = Headings(at.rules.derive(Wordbooks), self.cues, at.kind, at.season, power)
        self.read = Entries(Readers(at, self.cues), power, powers, only_orders=only_orders)
        self.prose = ProseReader(self.read, self.headings)
        self._lines, self._number = lay_out(text), 0
        self._until = ""
        self._known = 0, False, False  # how many entries there were, whether with an order, and with results
        self._last: dict[str, int] = {}  # the last line that ends a block, by the table of the words that do
        self._after_line: Part | None = None  # the part that goes on below this line
        self._columns: tuple[Heading | None, ...] = ()

    def _heading(self, words: Passage) -> Heading | None:
        """Return what a heading says; "Orders:" does not end the part below a heading for drafts.

        In a sheet of all powers the name of one, directly below a heading, goes on with what that is for.
        """
        part, listed = self.read.part, self.read.listed
        if not self.power and self.headings.is_nothing(words.said):
            return Heading(None)  # "GER: nothing so far"
        if self._known[0] != len(listed):
            recaps = any(entry.part.heading.why == Why.PAST for entry in listed)
            self._known = len(listed), any(entry.order for entry in listed), recaps
        heading = self._referred(words) or self.headings.of(words, begun=self._known[1], recaps=self._known[2])
        lost = heading and heading.why == Why.CONDITION and self.at.kind is PhaseKind.MOVEMENT
        if lost and self.cues.ejected(words.said) and not self.cues.has("next", words.said):
            here = self.read.here  # "Should Paris fall"
            own = not here.provinces(words).isdisjoint(unit.at.province for unit in here.scene.own)
            heading = Heading(Purpose.RETREATS) if own else heading
        plain = heading and heading.purpose is Purpose.NOW and not (heading.new or heading.why)
        empty = part.title and all(entry.line.what == Why.HEADING for entry in listed[self.read.begun :])
        if not heading or not plain:
            return heading
        shared = (empty or part.heading.shared) and heading.power and not self.power
        if shared and (part.heading.purpose in KINDS or part.heading.why == Why.DRAFT):
            return replace(part.heading, power=heading.power, shared=True)
        drafts = part.heading.purpose is Purpose.NOTHING and part.heading.why in (Why.DRAFT, Why.SAID, Why.PAST)
        named = heading.power and not (part.heading.why == Why.PAST and self._known[1])  # "Russia:" below its results
        return Heading(None) if empty and drafts and not named else heading

    def _referred(self, words: Passage) -> Heading | None:
        """Return the heading for the later phase before these words: "I may miss the retreats. Use this then"."""
        last = self.read.listed[-1].line if self._known[1] else None
        if not last or last.what not in (Why.CHAT, Why.SEASON) or not self.cues.has("refers", words.said):
            return None
        said = key(last.text)
        told = self.headings.foreign(said) or self.cues.any(("past", "said", "hopes"), said)
        later = None if told or self.cues.has("now", words.said) else self.headings.named_phase(said)
        return later if later and later.purpose in KINDS else None

    def _unmarked(self, piece: Passage) -> Heading | None:
        """Return the heading in a line that has no colon but looks like a heading."""
        line, below = piece.line, self._lines[self._number + 1 : self._number + 2]
        first = not self.read.listed and not self.cues("leads").match(piece.said)
        greets = first and line.text.rstrip().endswith(",")  # "Hello, old friend,"
        if greets or ";" in line.text[: piece.words[0].start]:
            return None
        asks = "?" in piece.keys[-1:] and below and below[0].text.strip()
        follows = self.cues.has("follows", piece.said) or (asks and self.cues.has("these", piece.said))
        ended = re.search(r"[.!?…]\W*$", line.written) and not follows
        headed, size = line.headed or line.written.isupper(), len(piece.outside(piece.remarks()).keys)
        if not below or (ended and not headed) or size > LONGEST_HEADING or self.read.here.spans(piece):
            return None
        heading = self._heading(piece)
        told = heading and heading.why in (Why.PAST, Why.SAID, Why.LISTED)
        if told and not self.power and ":" in line.text[: piece.words[0].start]:
            return None  # "RUS: asked for two more days"
        foreign = heading and self.power and heading.power not in ("", self.power)
        if not heading or not heading.purpose or (foreign and self.read.part.heading.purpose is Purpose.NOTHING):
            return None
        if self.cues.has("above", piece.said) and heading.why == Why.DRAFT:
            return None  # "Scrap that"
        loose = heading.why in (Why.SAID, Why.LISTED, Why.PAST, Why.DRAFT) and not headed
        said = heading.why == Why.SAID and not follows and not self.headings.foreign(piece.said)
        ordered = self.read.here.begins(piece) or self.read.here.is_lost(piece)
        if (loose and (not below[0].text.strip() or said)) or (not heading.asks and ordered):
            return None
        if heading.why == Why.CONDITION:
            self._until = "endif" if self._follows("endif") else ""
        return heading

    def _unknown(self, title: Passage, rest: Passage) -> Heading:
        """Return the heading for unknown words: it continues a condition above it, or stops reading below."""
        part, above = self.read.part, self.read.listed[-1:]
        if self.trusted and key(title.text) == self.trusted:
            return Heading(Purpose.NOW)
        if part.heading.why == Why.CONDITION and above and above[0].part is part and above[0].block == self.read.block:
            return part.heading
        if self.at.kind is PhaseKind.MOVEMENT and "retreat" in self.read.here.says(title.said):
            return Heading(Purpose.RETREATS)  # "R: A Par - Gas"
        others = [bool(self.read.here.says(word) & {"rest", "both"}) for word in (title.said, *title.keys)]
        holds = all(self._counts(word) or self.read.here.says(word) & {"rest", "both", "hold"} for word in title.keys)
        if (others[0] or (holds and any(others))) and rest.words and self.read.here.orders(rest):
            return part.heading  # "The others: A Mar H, A Par H", "Both others stand: ..."
        title = next((words for words in (title.without_phrases(self.cues("polite")), title) if words.words), title)
        cut = min(title.breaks, default=len(title.keys))
        head, said = title.part(0, cut), self.cues("polite").sub("", " ".join(title.keys[cut:]))
        head = head.outside(where for where, _ in self.read.here.places(head))
        words = [word for word in head.keys if len(word) > 1]
        sided = any(self.cues("sides").fullmatch(word) or self.read.here.kind_of(word) for word in words)
        plain = all(map(self._counts, head.keys)) and (not said or (sided and not self.cues.any(WARNINGS, said)))
        if (self.at.kind is PhaseKind.ADJUSTMENTS or sided) and plain and not self.headings.foreign(title.said):
            return Heading(Purpose.NOW)  # "One army, one fleet:", "North:", "Landing at Tunis, as planned:"
        first = next((at for at, word in enumerate(title.keys) if not self.read.here.is_small(word)), 0)
        own = first in self.read.here.begins(title) and not self.cues.any((*UNSURE, "said"), title.said)
        warned = self.headings.foreign(title.said) or self.cues.any(WARNINGS, title.said) or {"s", "?"} & {*title.keys}
        turns = self.at.kind is PhaseKind.MOVEMENT and (not self.power or self.cues.has("turn", title.said))
        plain = part.heading.purpose is Purpose.NOW and ((turns and not warned) or self._agrees(title))
        if (own and not rest.words) or (plain and (not rest.words or self.read.here.orders(rest))):
            return Heading(Purpose.NOW)
        return Heading(Purpose.NOTHING, Why.UNKNOWN)

    def _counts(self, word: str) -> bool:
        """Return whether a word names a kind of unit, a side or a number, or joins such."""
        known = word in note_words("numbers") | note_words("join") | note_words("small")
        known = known or self.headings.is_plain(word) or self.cues("sides").fullmatch(word) is not None
        return known or (len(word) > 1 and self.read.here.kind_of(word) != "") or self.read.here.is_small(word)

    def _agrees(self, title: Passage) -> bool:
        """Return whether words end by saying yes to what follows, and warn of nothing: "He left, so yes, attack:"."""
        warned = self.headings.foreign(title.said) or self.cues.any((*UNSURE, "said", "unreal", "question"), title.said)
        for tail in (title.part(at, len(title.keys)) for at in title.breaks | title.stops if not warned):
            plain = all(self.headings.is_plain(word) or "to" in self.read.here.says(word) for word in tail.keys)
            if (plain and self.cues.has("greeting", tail.said)) or self.cues("unchanged").fullmatch(tail.said):
                return True  # "Fine, that one stays:"
        return False

    def _follows(self, table: str) -> bool:
        """Return whether a line below ends a block."""
        if table not in self._last:
            ends = (at for at, line in enumerate(self._lines) if self.cues(table).match(key(line.text)))
            self._last[table] = max(ends, default=-1)
        return self._last[table] > self._number

    def _addresses(self, title: Passage, rest: Passage) -> bool:
        """Return whether words are from the head of a mail and name another power.

        Below "To: Italy" nothing is an order until a heading says so; "Cc: Italy" is nobody's heading.
        """
        named = rest.outside(rest.remarks()).said if rest.words else ""
        to, part = title.said in note_words("addresses"), self.read.part
        below = part.heading.why == Why.SAID and part.line == title.line.number - 1
        copied = below and self.cues.has("addressee", named)
        if not (to or self.cues("greeting").fullmatch(title.said)) or not (copied or self._is_to_others(named)):
            return False
        if to and not copied:
            self.read.begin(Heading(Purpose.NOTHING, Why.SAID), title, brief=False)
        return True

    def _is_to_others(self, named: str) -> bool:
        """Return whether words name other powers, and neither the Gamesmaster nor anything else."""
        left = [word for word in named.split() if not self.headings.is_plain(word) and word not in note_words("join")]
        others = bool(left) and all(self.headings.power_at([word], 0)[0] not in ("", self.power) for word in left)
        return bool(self.power) and others and not self.cues.has("addressee", named)
