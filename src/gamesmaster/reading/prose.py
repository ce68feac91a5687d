"""Prose: words of a letter that are not an order as they stand.

They are orders for later, a correction, a doubt, orders in a sentence, or none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.dialect import note_words
from gamesmaster.orders.words import key
from gamesmaster.reading.ahead import Ahead
from gamesmaster.reading.corrections import concerned, correction, denied_builds, named_units, swapped_goal
from gamesmaster.reading.entries import Entries, Entry, action_of, same_unit, unit_of
from gamesmaster.reading.layout import QUOTED
from gamesmaster.reading.lines import Spans
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sections import UNSURE, Heading, Headings, Why
from gamesmaster.reading.sheet import Purpose, SheetLine
from gamesmaster.reading.sketch import INITIALS
from gamesmaster.reading.winters import WinterReader
from gamesmaster.reading.wordbook import ANY_KIND

UNSETTLING = ("doubt", "alternative", "negation", "condition", "cancels")
"""Tables of words that cast doubt on an order whose unit is named beside them."""
_UNSURE = ("condition", "alternative", "doubt")
_ACTS = frozenset({"to", "hold", "support", "convoy", "send"})
_LISTING = ("listing", "units", "past", "said", "draft", "next", "negation")
"""Tables of words in sentences that go on with a list of units, or with something else that orders nothing."""
_VERBS = _ACTS - {"send"} | {"build", "remove"}
_NEAR = 12  # lines above in which a pronoun may mean an order
_ACTING = ("builds", "removals", "cancels", "correction", "oops")
"""Tables of words with which something is done in a Winter, or taken back."""


class ProseReader:
    """Reads the prose of one letter."""

    def __init__(self, read: Entries, headings: Headings) -> None:
        self.read, self.headings = read, headings
        self.at, self.power, self.cues = read.at, read.power, read.cues
        self.ahead = Ahead(read, headings)
        self.clauses = WinterReader(headings)
        self._lost: tuple[Entry, Order] | None = None  # the order that the words before these took back

    def take(self, piece: Passage, goes_on: Callable[[Passage], bool]) -> None:
        """Take words that are not an order: orders for later, a correction, a doubt, or none of these."""
        if self._orders_anew(piece):
            return
        part, reader = self.read.part, self.read.here
        reader.effort.sentences += 1
        if part.heading.why == Why.LISTED and self._ends_list(piece):
            self.read.part = part = replace(part, heading=Heading(Purpose.NOW))
            reader = self.read.here
        if part.heading.purpose is Purpose.NOTHING:
            self._doubt_goal(piece)
            self.read.pass_over(part.heading.why, piece)
            return
        if reader.effort.is_spent:
            self.read.keep(reader.read(piece))
            return
        takes = (self._swaps, self.retreat, self.winter, self.unnamed, self.settles, self._all_but)
        begins = bool(reader.begins(piece)) or reader.is_lost(piece)
        begins = begins or (self.read.reads and not reader.orders(piece) and reader.doubt is not None)
        if not self.read.reads:
            self._strange(piece) if begins else self.read.pass_over(Why.CHAT, piece)
        elif part.heading.asks and begins and not self.cues.has("retreats", piece.said):
            self.read.refuse(piece, part.heading.why)
        elif self._recalls(piece):
            self.read.pass_over(Why.CHAT, piece)
        elif any(take(piece) for take in takes):
            return
        else:
            found, why = reader.spans(piece), self.reason(piece.said)
            tables = ("correction", "cancels", *(["instead"] if len(found) > 1 else []))
            told = self.cues.any(tables, piece.said)
            corrects = told or (part.heading.corrects and why != Why.SAID)  # "Sorry: Italy told me A Par - Bur"
            corrects = corrects and why not in (Why.SEASON, Why.QUESTION)
            corrects = corrects and not self._is_plan(piece)
            led = self.at.kind is PhaseKind.ADJUSTMENTS and piece.keys[0] in self.at.rules.notation.lexicon.first
            plain = piece.without_phrases(self.cues("polite"))
            rejected = self._is_rejected(piece, found)
            ordered = [(entry, entry.order) for entry in self.read.own() if entry.order]
            new = correction(self.read.own(), plain, reader) if corrects and plain.words and not rejected else None
            lost = [(entry, order) for entry, order in ordered if not entry.order] if not new else []
            self._lost = lost[0] if len(lost) == 1 else None
            if new is not None:
                self.read.keep(new)
                self.read.pass_over(Why.REPLACED, piece)
            elif corrects and self._restates(plain):
                return
            elif rejected:
                self.read.pass_over(Why.DRAFT, piece)
            elif why not in (Why.PAST, Why.SEASON, Why.SAID, Why.QUESTION) and self.unsettles(piece):
                self.read.refuse(piece, Why.CHOICE) if found else self.read.pass_over(Why.CHOICE, piece)
            elif (begins and not why and goes_on(piece)) or self.sentence(piece):
                return
            elif not (found or begins or reader.seems(piece) or led or self._is_lost(piece, why)):
                notice = self.cues.has("notice", piece.said) and piece.words[0].start == 0
                notice = notice and not self.headings.is_nothing(piece.said)
                self.read.pass_over(Why.NOTICE if notice else Why.CHAT, piece)
            elif why in (Why.CONDITION, Why.CHOICE):
                self.read.refuse(piece, why)
            elif self._is_lost(piece, why):
                self.read.refuse(piece, Why.CHOICE)
            elif why:
                if why == Why.DRAFT and self.is_struck(piece.outside(where for where, _ in found)):
                    self.strike([line.order for _, lines in found for line in lines if line.order])
                self.read.pass_over(why, piece)
            elif self._is_idle(piece):
                self.read.pass_over(Why.CHAT, piece)
            elif not goes_on(piece):
                self.read.refuse(piece)

    def _orders_anew(self, piece: Passage) -> bool:
        """Take an order for the unit whose order was just taken back: "Strike line 2. That fleet is to hold"."""
        lost, self._lost = self._lost, None
        where = self._meant(piece) if lost else None
        if lost is None or where is None:
            return False
        (entry, order), reader = lost, self.read.here
        lines = reader.meant_by(piece, " ".join([reader.unit_name(order), *piece.keys[where:]]))
        if len(lines) != 1 or not same_unit(lines[0].order, order):
            return False
        entry.drop()
        self.read.keep(lines)
        return True

    def _doubt_goal(self, piece: Passage) -> None:
        """Doubt the order that somebody else wants changed: "Italy told me: A Mun - Ruh instead of A Mun - Bur"."""
        part = self.read.part
        told = part.heading.why in (Why.SAID, Why.UNKNOWN, Why.SEASON) and part.line == piece.line.number
        told = told and not self.headings.foreign(part.title)
        swapped = swapped_goal(piece, self.read.own(), self.read.here) if told else None
        if swapped:
            swapped[0].doubt(Why.CHOICE)

    def _ends_list(self, piece: Passage) -> bool:
        """Return whether a sentence below a list of units says what is done: "One too many, so F Bre comes off"."""
        reader, part = self.read.here, self.read.part
        if part.power not in self.read.powers:
            return False
        if self.cues.has("mine", piece.said) and not self.cues.any(_LISTING, piece.said):
            return 0 not in reader.begins(piece) and not reader.kind_of(piece.keys[0])  # "That is one build, I ..."
        told = self.cues.any(("builds", "removals"), piece.said) and not self.cues.any((*UNSURE, "said"), piece.said)
        told = told and self.at.kind is PhaseKind.ADJUSTMENTS and bool(reader.provinces(piece))
        return told and not self.headings.foreign(piece.said)

    def _recalls(self, piece: Passage) -> bool:
        """Return whether words only say that an order stands: "No wait, Burgundy leaves", "Brest is fine"."""
        bare = piece.without_phrases(self.cues("confirms"), self.cues("unchanged"))
        named = list(self.read.here.places(bare)) if bare.words and bare.words != piece.words else []
        left = bare.outside(where for where, _ in named)
        left = left.without_phrases(self.cues("keeps")) if self.cues.has("unchanged", piece.said) else left
        plain = all(map(self._says_nothing, left.keys)) and "?" not in piece.keys
        known = {place for o in self.read.own() if o.order for place in (o.order.at, o.order.to) if place}
        provinces = {place.province for place in known}
        if named and plain and all(provinces & places for _, places in named):
            return True  # "Vienna and Trieste as above"
        words = piece.without_phrases(*map(self.cues, ("oops", "denies", "correction", "polite")))
        reader, unit = self.read.here, self.read.here.unit_begun(words)
        place = unit and reader.place_at(words, reader.kind_of(words.keys[0]) != "")
        behind = words.keys[place[0] :] if place else []
        plain = all(self.headings.is_plain(word) or reader.says(word) & {"to", "aux", "in"} for word in behind)
        orders = [entry.order for entry in self.read.own() if plain and unit and entry.order]
        moved = any(unit and order.at == unit.at and order.to and not order.of for order in orders)
        return moved and any(reader.says(word) & {"to", "aux"} for word in behind)

    def is_struck(self, words: Passage) -> bool:
        """Return whether words only say that something does not count: "crossed out"."""
        left = words.without_phrases(*map(self.cues, ("draft", "filler"))) if words.words else words
        return self.cues.has("draft", words.said) is not None and all(map(self.headings.is_plain, left.keys))

    def strike(self, orders: Sequence[Order]) -> None:
        """Drop these orders."""
        actions = set(map(action_of, orders))
        for entry in self.read.own():
            if entry.order and action_of(entry.order) in actions:
                entry.drop(Why.DRAFT)

    def _meant(self, piece: Passage) -> int | None:
        """Return where words go on behind "it", or "that fleet", with which they begin; None if they do not."""
        if pronoun := self.cues("pronouns").match(piece.said):
            return pronoun[0].count(" ") + 1
        kinds = (at for at in (0, 1) if at < len(piece.keys) and len(piece.keys[at]) > 1)
        kind = next((at for at in kinds if self.read.here.kind_of(piece.keys[at])), None)
        plain = kind is not None and all(map(self._says_nothing, piece.keys[:kind]))
        return kind + 1 if kind is not None and plain else None

    def _swaps(self, piece: Passage) -> bool:
        """Read another goal for a unit, with the former one: "Budapest goes to Serbia and not to Rumania"."""
        swapped = swapped_goal(piece, self.read.own(), self.read.here)
        told = self.headings.foreign(piece.said) and self.cues.has("said", piece.said)
        return swapped is not None and not told and self._restates(swapped[1].without_phrases(self.cues("polite")))

    def _says_nothing(self, word: str) -> bool:
        """Return whether a word beside the names of units says nothing of them."""
        reader = self.read.here
        joins = word in note_words("join") or reader.is_article(word) or self.headings.is_plain(word)
        return joins or (len(word) > 1 and reader.kind_of(word) != "")

    def _is_rejected(self, piece: Passage, found: Spans) -> bool:
        """Return whether words name orders only to say why they are not given: "I considered ..., too risky"."""
        last = self.read.listed[-1:]
        if last and last[0].line.what == QUOTED and not found and not self.read.here.begins(piece):
            return self.cues.has("cancels", piece.said) is not None  # "> It's here: A Par - Bur", "Scrap that line"
        first = piece.part(0, found[0][0].start).said if found and found[0][0].start else ""
        was = self.cues("pronouns").match(piece.said) and self.cues("instead").fullmatch(" ".join(piece.keys[1:2]))
        told = was or self.cues.has("rejects", piece.said) or self.cues.has("offers", first)  # "It was A Par - Bur"
        mused = any(one.end() == len(first) for one in self.cues("mused").finditer(first))
        known = self._known()
        orders = [line.order for _, lines in found for line in lines if line.order]
        rest = piece.part(found[-1][0].stop if found else 0, len(piece.keys))  # "... A Par - Pic, but Gas it is"
        chosen = self.cues.has("decides", rest.said) and self.read.here.provinces(rest)
        if "?" in piece.keys or not (told or mused) or chosen:
            return False
        others = all(known.get(unit_of(order)) != action_of(order) for order in orders)
        return others and bool(told or all(unit_of(order) in known for order in orders))

    def _all_but(self, piece: Passage) -> bool:
        """Read an order for all units but some, which have their own: "Everyone holds except Brest, which goes ..."."""
        found = piece.find(self.cues("except")) if self.at.kind is PhaseKind.MOVEMENT else []
        if not found or not found[0].start or found[0].stop == len(piece.keys):
            return False
        whole = self.read.here.orders(piece.part(0, found[0].start))
        rest = piece.part(found[0].stop, len(piece.keys))
        if len(whole) != 1 or not whole[0].order or whole[0].order.at or self.reason(rest.said):
            return False
        lines = self.read.here.orders(rest) or self.clauses.read(rest, self.read.here)[0]
        self.read.keep([*lines, *whole] if lines else [])
        return bool(lines)

    def unsettles(self, piece: Passage) -> bool:
        """Ask about the orders of units that words name, if they take back, limit or doubt something."""
        text = self.cues("musing").sub("", self.cues("polite").sub("", piece.said))
        doubted = [table for table in UNSETTLING if self.cues.has(table, text)]
        if not doubted or "?" in piece.keys[-1:] or self.read.part.heading.purpose is not Purpose.NOW:
            return False
        if self.at.kind is not PhaseKind.MOVEMENT and self.cues.any(("spring", "summer", "autumn"), text):
            return False  # "In Spring we shall see if Gascony comes back"
        denied = self.cues("negation").match(piece.said)
        place = self.read.here.place_at(piece, denied[0].count(" ") + 1) if denied else None
        alone = place is not None and place[0] == len(piece.keys)  # "Not Gascony!"
        reader, words = self.read.here, [word for word in piece.keys if len(word) > 1]
        acts = any(reader.kind_of(word) or (len(word) > INITIALS and _ACTS & reader.says(word)) for word in words)
        if doubted == ["negation"] and not alone and not acts:
            return False  # "Paris is not in danger"
        if "condition" in doubted and self._is_plan(piece):
            return False
        plain = piece.without_phrases(self.cues("polite"))
        own, find = self.read.own(), concerned if "condition" in doubted else named_units
        named = find(plain, self.read.here, own, goals="cancels" in doubted or alone)
        if not named and "condition" in doubted:
            orders = [entry for entry in own if entry.order]
            latter, all_of_it = self.cues.has("latter", text), self.cues.has("reserves", text)
            named = orders if all_of_it else orders[-1:] if latter else []
        whole = not self.read.here.begins(piece) and piece.line.text.strip()[:1] not in "-*=("
        if whole and not named and {"doubt", "alternative", "cancels"} & {*doubted}:
            named = own if self.cues.has("line" if "cancels" in doubted else "these", text) else []
        for entry in named:
            entry.doubt(Why.CONDITION if "condition" in doubted else Why.CHOICE)
        return bool(named)

    def _is_plan(self, piece: Passage) -> bool:
        """Return whether words say what is to be done once something else is: "As soon as the boats are ready, ..."."""
        when = self.cues.has("temporal", piece.said)
        ifs = self.cues.has("condition", self.cues("temporal").sub("", piece.said))
        return bool(when) and not ifs and not self.headings.foreign(piece.said) and not self.read.here.spans(piece)

    def _is_idle(self, piece: Passage) -> bool:
        """Return whether words say nothing that is done in a Winter for which all builds or removals are ordered."""
        winter = self.at.kind is PhaseKind.ADJUSTMENTS
        if not winter or self.cues.any(_ACTING, piece.said) or self.read.here.leads(piece):
            return False
        due, ordered = self.at.due(self.read.part.power), sum(entry.order is not None for entry in self.read.own())
        return due is not None and ordered == abs(due) > 0

    def _is_lost(self, piece: Passage, why: str) -> bool:
        """Return whether an order would be lost if words are passed over: "A Par - Bur (I'll ask Germany first)"."""
        reader = self.read.here
        if self.at.kind is not PhaseKind.ADJUSTMENTS:
            return why in (Why.SAID, Why.QUESTION, Why.CHAT) and "?" not in piece.keys and 0 in reader.begins(piece)
        changes = self.cues.has("oops", piece.said) and self.cues.has("prefers", piece.said)
        acts = changes or self.cues.any(("builds", "removals"), piece.said) or reader.leads(piece)
        kinds = (reader.kind_of(word) for word in piece.keys if len(word) > 1)
        names = any(kind not in ("", ANY_KIND) for kind in kinds) or reader.begins(piece)
        free = why == Why.DRAFT and not self._known()  # "one too many: the fleet is scrapped"
        plain = (free or why in ("", Why.CHAT, Why.SAID, Why.QUESTION)) and "?" not in piece.keys
        return bool(plain and acts and names and not self.headings.foreign(piece.said))

    def retreat(self, piece: Passage) -> bool:
        """Keep retreats that are sent ahead, with the order before them; return whether there are some."""
        told = self.read.part.heading.purpose is Purpose.RETREATS
        later = self.cues.has("next", piece.said) and not self.cues.has("ejects", piece.said)
        if told and (later or "?" in piece.keys[-1:]):
            return False  # "Next year, A Ser - Alb if all goes well", "A Ser - Bul? No, that is taken."
        if not told and not self.ahead.is_for(Purpose.RETREATS, piece) and not self._goes_on_retreating(piece):
            return False
        retreats, leads = (piece.find(self.cues(table)) for table in ("retreats", "leads"))
        cut = min((at.start for at in (*retreats, *leads)), default=0)
        if not told and (lines := self.ahead.beside(piece, cut)):
            self.read.keep(lines)
            return True
        if not told and self.cues.has("alternative", piece.part(0, retreats[0].start if retreats else 0).said):
            return False
        cued = self.cues.any(("retreats", "leads", "ejects"), piece.said)
        if not cued and 0 not in self.read.here.begins(piece) and not self.read.here.orders(piece):
            return False
        denied = not told and self.cues.has("denies", piece.said)  # "If F Sev is hit -> Armenia no, it is disbanded"
        lines = [] if denied else self.ahead.retreats(piece)
        self.read.keep(lines, Purpose.RETREATS)
        return bool(lines)

    def follows_retreats(self, piece: Passage) -> bool:
        """Return whether the words before these in their line are retreats sent ahead, outside a heading."""
        last = self.read.listed[-1:]
        kept = last and last[0].purpose is Purpose.RETREATS and last[0].line.line == piece.line.number
        return bool(kept) and self.read.part.heading.purpose is Purpose.NOW

    def _goes_on_retreating(self, piece: Passage) -> bool:
        """Return whether words go on with the retreats before them in their line: "...; if it is Bur, A Bur - Gas"."""
        leads = self.cues("leads").match(piece.said)
        if not leads or not self.follows_retreats(piece):
            return False
        same = self.cues("repeats").match(piece.said, leads.end() + 1)
        if not same or self.at.kind is not PhaseKind.MOVEMENT or self.headings.foreign(piece.said):
            return False
        at, reader = piece.said.count(" ", 0, same.end()) + 1, self.read.here  # not "if it is quiet, ..."
        return at < len(piece.keys) and (reader.is_small(piece.keys[at]) or reader.place_at(piece, at) is not None)

    def winter(self, piece: Passage) -> bool:
        """Keep builds and removals that are sent ahead; return whether there are some."""
        told = self.read.part.heading.purpose is Purpose.ADJUSTMENTS
        if not told and not self.ahead.is_for(Purpose.ADJUSTMENTS, piece):
            return False
        lines = self.ahead.winter(piece)
        if self.read.denies(piece.text):
            lines = [line for line in lines if line.order and line.order.verb is not Verb.REMOVE]
        self.read.keep(lines, Purpose.ADJUSTMENTS)
        return bool(lines)

    def settles(self, piece: Passage) -> bool:
        """Read what words settle on, behind others: "It could go to Albania or Bulgaria, and Bulgaria it is"."""
        ends = piece.breaks | piece.stops | {at for at, word in enumerate(piece.keys) if word == ":"}
        contrasts = {where.start for where in piece.find(self.cues("contrast"))}
        contrasts |= {at + 1 for at, word in enumerate(piece.keys[:-1]) if word in note_words("join")}
        size = len(piece.keys)
        told = [at for at in ends | contrasts if self.cues.has("decides", piece.part(at, size).said)]
        start = max(told or ends | contrasts, default=0)
        stop = min((at for at in piece.breaks if at > start), default=size)
        rest = piece.part(stop, size)  # "..., but Hol it is, final answer"
        stop = size if self.read.here.provinces(rest) or self.cues.any(UNSURE, rest.said) else stop
        last, before = piece.part(start, stop), piece.part(0, start)
        words = last.without_phrases(self.cues("decides"), self.cues("contrast"))
        if self.at.kind is PhaseKind.MOVEMENT or not self.cues.has("decides", last.said) or not words.words:
            return False
        if self.cues.any(("cancels", "correction"), before.said) and self.read.here.provinces(before):
            return False  # "Cancel Moscow, it's a fleet in Sevastopol"
        if self.at.kind is PhaseKind.ADJUSTMENTS:
            due = self.at.due(self.read.part.power) or 0
            return self.unnamed(words, verb=Verb.REMOVE if due < 0 else Verb.BUILD)
        unit = self.read.here.unit_alone(piece.part(0, min(ends))) if ends else None
        goals = [] if self.reason(words.said) else self.ahead.goals(words, unit, now=True)
        self.read.keep(goals if len(goals) == 1 else [])
        return len(goals) == 1 or self.unnamed(words)

    def unnamed(self, piece: Passage, *, verb: AnyVerb | None = None) -> bool:
        """Read a retreat or a Winter of this phase in prose; return whether there is some.

        `verb` is what words around these say that is done, by default the heading.
        """
        if self.at.kind is PhaseKind.MOVEMENT:
            return False
        power, end = self.headings.power_at(piece.keys, int(self.read.here.is_article(piece.keys[0])))
        mine = power == self.power != "" or self.cues("mine").match(piece.said)
        if mine and self.cues.has("asks", piece.said):  # "Persia asks for an army in Iraq"
            piece = piece.part(end, len(piece.keys)).without_phrases(self.cues("asks"))
        known = self._known()
        revoked = known and self.cues("oops").match(piece.said) and self.cues.has("cancels", piece.said)
        if revoked or denied_builds(piece, self.read.own(), self.read.here):
            return False  # a correction
        piece = self._without_rest(piece)
        places = {provinces for _, provinces in self.read.here.places(piece)}
        swaps = self.cues.has("instead", piece.said) is not None and len(places) > 1
        told = bool(known) and self.cues.any(("correction", "oops"), self.cues("waives").sub("", piece.said))
        prefers = told and self.cues.has("prefers", piece.said) is not None
        tables = ("oops", "correction") if told and not swaps else ()  # "Sorry, Moscow instead"
        piece = piece.without_phrases(*map(self.cues, tables))
        text = self.cues("waives").sub("", self.cues("polite").sub("", piece.said))  # "I don't use the other one"
        if not known and (self.at.due(self.read.part.power) or 0) < 0:
            text = self.cues("removals").sub("", text)  # "F Bla is scrapped"
        unsure = self.cues.any((*UNSURE, "hopes", "said", "keeps", "denies", "spring", "summer", "autumn"), text)
        if self.at.kind is PhaseKind.RETREATS and piece.breaks and self.cues.has("negation", text):
            return self._does_else(piece.part(0, min(piece.breaks)), piece.part(min(piece.breaks), len(piece.keys)))
        if not piece.words or swaps or "?" in text or unsure:
            return False
        if self.read.part.power not in self.at.rules.powers or self.read.part.heading.asks:
            return False
        if self.at.kind is PhaseKind.ADJUSTMENTS:
            lines = self.clauses.winter(piece, self.read.here, verb or self.read.part.heading.verb)
        else:
            lines = self.ahead.away(piece)
        spared = frozenset[object]().union(*places) - {unit_of(line.order) for line in lines if line.order}
        if (told or self.read.part.heading.corrects) and not spared.isdisjoint(known):
            return False  # "Correction: nothing in Moscow, a fleet in Sevastopol"
        again = [line for line in lines if line.order and unit_of(line.order) in known]
        if any(action_of(line.order) != known[unit_of(line.order)] for line in again if line.order):
            self.read.keep(lines if told else (), corrects=True)
            return told
        self.read.keep((line for line in lines if line not in again), prefers=prefers)
        return bool(lines)

    def _does_else(self, first: Passage, rest: Passage) -> bool:
        """Read what becomes of a unit that does not do something: "Don't retreat A Boh, disband it"."""
        reader, begun = self.read.here, frozenset[str]().union(*self.read.here.begins(first).values())
        units = [unit for unit in reader.scene.own if unit.at.province in begun]
        if len(units) != 1 or self.cues.any(UNSURE, rest.said):
            return False
        lines = self.ahead.goals(rest, Order(Verb.HOLD, units[0].kind, units[0].at), now=True, leaves=True)
        self.read.keep(lines if len(lines) == 1 else [])
        return len(lines) == 1

    def _known(self) -> dict[object, object]:
        """Return the orders so far, by unit."""
        return {unit_of(entry.order): action_of(entry.order) for entry in self.read.own() if entry.order}

    def _without_rest(self, piece: Passage) -> Passage:
        """Return the words before what is for later or not done: "next season Burgundy", "not Moscow"."""
        if ahead := piece.find(self.cues("next")):
            return piece.part(0, max((at for at in piece.breaks if at <= ahead[0].start), default=0))
        joins = {at + 1 for at, word in enumerate(piece.keys[:-1]) if word in note_words("join")}
        for at in sorted(piece.breaks | piece.stops | joins):
            rest = piece.part(at, len(piece.keys))
            unsure = self.cues.any(("alternative", "condition", "doubt"), rest.said)  # "or none, I leave it to you"
            stays = self.cues.has("keeps", rest.said) and not self.read.here.begins(rest) and not unsure
            told = self.cues("said").match(" ".join(word for word in rest.keys if word not in note_words("join")))
            if stays or self.cues("negation").match(rest.said) or (told and not self.read.here.provinces(rest)):
                return piece.part(0, at)
        return piece

    def _strange(self, piece: Passage) -> None:
        """Refuse an order under no power, or of somebody else."""
        power = self.read.part.power
        what, hint = "an order under no power", 'write the power above it, as in "England:"'
        if power:
            what, hint = f"orders for {power}" + f" in a set of {self.power}" * bool(self.power), ""
        self.read.keep([SheetLine(piece.text, piece.line.number, piece.column(0), what=what, hint=hint, of=power)])

    def reason(self, text: str) -> str:
        """Return why words with an order among them are refused."""
        text = self.cues("unmoved").sub("", self.cues("polite").sub("", text)).strip()
        text = self._requested(text).removesuffix("?") or text
        has, text = self.cues.has, self._without_modals(text.strip().removesuffix(" instead"))
        if text.endswith("?") and text.split()[0] in note_words("interrogatives") and not has("musing", text):
            return Why.QUESTION
        if self.at.kind is PhaseKind.ADJUSTMENTS and has("temporal", text) and self.headings.is_other_season(text):
            return Why.SEASON  # "See you in Spring, when F Smy goes out"
        if has("leads", self.cues("next").sub("", text)):  # "when the time comes"
            return Why.CONDITION
        if has("results", text) or has("past", text):
            return Why.PAST
        if has("next", text) or self.headings.is_other_season(text):
            return Why.SEASON
        if self.headings.foreign(text) and has("said", text):
            return Why.SAID
        if has("unchanged", text) or (has("keeps", text) and self.at.kind is PhaseKind.ADJUSTMENTS):
            return Why.CHAT
        if has("condition", text):
            return Why.CONDITION
        if self.cues.any(("alternative", "negation", "doubt"), text):
            return Why.CHOICE
        asks = "?" in text or self.cues("question").match(text)
        return Why.QUESTION if asks else Why.DRAFT if has("draft", text) else ""

    def _requested(self, text: str) -> str:
        """Return what a polite question asks to enter, not to change: "Could you enter A Par - Bur?"."""
        asked = self.cues("requests").match(text)
        rest = text[asked.end() :].strip() if asked else ""
        return "" if self.cues("correction").match(rest) else rest

    def _without_modals(self, text: str) -> str:
        """Return words without "should" before a verb, unless it begins a condition: "Paris should go to Burgundy"."""
        words, does = text.split(), _VERBS | {"aux"}
        modal = {
            at for at, word in enumerate(words[1:-1], 1)
            if word in note_words("inverts") and not does.isdisjoint(self.read.here.says(words[at + 1]))
        }  # fmt: skip
        return " ".join(word for at, word in enumerate(words) if at not in modal)

    def _restates(self, piece: Passage) -> bool:
        """Read a sentence that gives units other orders than above, without the words that say so."""
        words = piece.without_phrases(*map(self.cues, ("correction", "oops", "denies")))
        if not words.words or self.reason(words.said) or self.at.kind is not PhaseKind.MOVEMENT:
            return False
        lines, unread = self.clauses.read(words, self.read.here)
        known = self._known()
        clear = bool(lines) and not unread and all(line.order and unit_of(line.order) in known for line in lines)
        self.read.keep(lines if clear else [], corrects=True)
        return clear

    def _without_aside(self, piece: Passage) -> Passage:
        """Return the words before a last clause that only denies something of nothing named: "..., I can't use it"."""
        at, size = max(piece.breaks, default=0), len(piece.keys)
        rest = piece.part(at, size)
        named = self.read.here.provinces(rest.without_phrases(self.cues("negation"))) if at else frozenset[str]()
        plain = at and self.cues.has("negation", rest.said) and not named  # "can't" is no Channel
        plain = plain and not self.cues.any({*UNSURE, "cancels", "retreats"} - {"negation"}, rest.said)
        spoken = self.cues.any(("mine", "pronouns", "others"), rest.keys[0]) if at else False
        return piece.part(0, at) if plain and spoken and not any(map(self.read.here.kind_of, rest.keys)) else piece

    def sentence(self, piece: Passage) -> bool:
        """Read a sentence clause by clause; refuse those that are not understood.  Return whether there are orders."""
        piece = self._without_aside(piece)
        if self._requested(piece.said):
            piece = piece.part(piece.find(self.cues("requests"))[0].stop, len(piece.keys)).without("?")
        told = self.cues.any(("hopes", "said", "unchanged", "draft"), piece.said)
        if told or self.reason(piece.said) or self.at.kind is PhaseKind.ADJUSTMENTS:
            return False
        near, power = self.read.listed[-_NEAR:], self.read.part.power
        above = [entry.order for entry in near if entry.order and entry.part.power == power]
        lines, unread = self.clauses.read(piece, self.read.here, above)
        known = self._known() if lines else {}
        others = [o for line in lines if (o := line.order) and known.get(unit_of(o), action_of(o)) != action_of(o)]
        kept = self.cues.has("mine", piece.said) and all(one.verb is Verb.HOLD for one in others)
        if others and kept:
            return False  # "I keep Paris" below an order for it
        spoken = key(" ".join(entry.line.text for entry in takewhile(lambda entry: not entry.order, reversed(near))))
        if others and self.cues.has("oops", spoken) and not self.cues.any(_UNSURE, spoken):
            self.read.keep(lines, corrects=True)  # "Oh bother, I promised Italy not to. The fleet stays"
            return True
        if others:
            for entry in self.read.own():
                if any(same_unit(entry.order, other) for other in others):
                    entry.doubt(Why.CHOICE)  # "The fleet stays at home" below an order for it
            self.read.refuse(piece, Why.CHOICE)
            return True
        self.read.keep(lines)
        for words in unread if lines else ():
            self.read.refuse(words, Why.CHOICE)
        return bool(lines)
