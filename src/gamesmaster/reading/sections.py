"""Sections: what some words say of the lines below them.

The words that tell are tables of the dialects' files (`[notes]`): a new language needs no code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.judge import Season
from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, languages, note_words
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.sheet import Purpose
from gamesmaster.reading.wordbook import Wordbooks

DRAFT = "an earlier version, or a draft"
SAID = "somebody else's orders, or a plan"
LISTED = "a list of units"
PAST = "what is over"
SEASON = "for another season"
REPLACED = "replaced by what stands elsewhere in this letter"
CONDITION = "this depends on a condition"
CHOICE = "this leaves a choice"
QUESTION = "a question"
COMMAND = "a command to a judge"
NOTICE = "what says that this is no set of orders"
UNKNOWN = "stands below"
HEADING = "a heading"
CHAT = "no order"

_CODE = re.compile(r"(?:phase )?([sfwua])(\d{3,4}|\d\d)([mrab]?)")
_LEAST_SLIP = 5  # letters of a word of a heading that may be misspelt
_LONG_WORD = 7  # letters of one that may have two slips
_LEAST_NAME = 4  # letters of a word that names another power
_FIRST_WORDS = 3  # in which a condition begins
_DIGITS_OF_YEAR = 4
_SEASONS = ("spring", "summer", "autumn")


@dataclass(frozen=True, slots=True)
class Heading:
    """What some words say of the lines below them: what those are for, or `why` they are no orders.

    Without a purpose it says nothing of them.  `verb` is that of bare units below it, `new` tells that the orders below
    replace all above, `corrects` that each replaces that of its unit above.
    """

    purpose: Purpose | None
    why: str = ""
    verb: AnyVerb | None = None
    power: str = ""
    new: bool = False
    corrects: bool = False


class Headings:
    """Understands the headings of one letter that `power` sent in a phase."""

    def __init__(self, books: Wordbooks, cues: Cues, phase: PhaseKind, season: Season | None, power: str) -> None:
        self.books, self.cues, self.phase, self.season, self.power = books, cues, phase, season, power
        self._named: tuple[set[str], set[str]] | None = None  # season and year that the first heading names

    def of(self, words: Passage, *, begun: bool) -> Heading | None:
        """What a heading says; None if it is not understood.  `begun` tells that there are orders above it."""
        outer = words.outside(words.remarks()) if not all(words.inside) else words
        inner = " ".join(key for key, inside in zip(words.keys, words.inside, strict=True) if inside)
        ends = outer.breaks | outer.stops
        last = outer.part(max(ends, default=0), len(outer.keys)).said
        found = self._of(outer.said, inner, last, begun=begun)
        if found is None and (spelt := " ".join(map(_spell, outer.keys))) != outer.said:
            return self._of(spelt, inner, last, begun=begun)
        return found

    def _of(self, text: str, inner: str, last: str, *, begun: bool) -> Heading | None:
        has = self.cues.has
        later = self.later(text) or (None if has("now", text) else self.later(inner))
        other = self.foreign(text)
        if self.cues("addressee").fullmatch(" ".join(word for word in text.split() if not has("greeting", word))):
            return Heading(Purpose.NOW, power=self.power)
        if self._leads(text):
            ahead = later and not (other and later.purpose is not Purpose.RETREATS)
            return later if ahead else Heading(Purpose.NOW, CONDITION)
        if self.cues("oops").match(text):
            return Heading(Purpose.NOW, corrects=True)
        now, said, new = has("now", text), has("said", text), has("new", text)
        own = bool(now and has("mine", text[: now.end()]))
        power = self._power(text) or (self.power if has("mine", text) else "")
        listed = has("listing", text) or has("units", text)
        if not (now and (not listed or now.start() < listed.start())):
            own = False
        elif (
            has("now", last) and has("mine", last) and not any(has(one, last) for one in ("draft", "negation", "said"))
        ):
            return Heading(Purpose.NOW, new=bool(new or has("draft", text)), power=power)
        if (old := has("draft", text) or has("notice", text)) and not (new and new.start() < old.start()):
            clear = (
                any(has(table, last) for table in ("now", "new")) and not has("draft", last) and not has("notice", last)
            )
            return Heading(Purpose.NOW, new=True, power=power) if clear else Heading(Purpose.NOTHING, DRAFT)
        if has("draft", inner) and not new and not (has("cancels", inner) and has("earlier", inner)):
            return Heading(Purpose.NOTHING, SEASON if has("next", text) else DRAFT)
        if other and power in ("", self.power) and not (own and not (said and now and said.start() < now.start())):
            return Heading(Purpose.NOTHING, SAID)
        if later and later.purpose is Purpose.RETREATS and not now:
            return later
        if (listed := has("listing", text)) and not (now and now.start() < listed.start()):
            return Heading(Purpose.NOTHING, LISTED)
        if has("past", text):
            return Heading(Purpose.NOTHING, PAST)
        if later and not (now and note_words("join") & set(text.split())):
            return later
        if said and not (own and now and now.start() < said.start()):
            return Heading(Purpose.NOTHING, SAID)
        if (units := has("units", text)) and not (now and now.start() < units.start()):
            return Heading(Purpose.NOTHING, LISTED)
        if has("next", text) or self.is_other_season(text, heads=True, begun=begun):
            return Heading(Purpose.NOTHING, SEASON)
        if has("negation", last):
            return None
        if new or has("correction", text):
            return Heading(Purpose.NOW, new=bool(new), corrects=not new, power=power)
        if (
            now
            or power
            or any(has(table, text) for table in ("mine", "proposes", "follows"))
            or any(has(season, text) for season in _SEASONS)
        ):
            return Heading(Purpose.NOW, power=power)
        says = self.cues("greeting").match(text) or all(word in note_words("heading") for word in text.split())
        return Heading(None) if says else None

    def _leads(self, text: str) -> bool:
        """Return whether words begin with a condition."""
        found = self.cues.has("leads", text)
        return bool(found and text.count(" ", 0, found.start()) < _FIRST_WORDS)

    def later(self, text: str) -> Heading | None:
        """The retreats or the Winter that words name."""
        code = _CODE.fullmatch(text)
        phase = (code[3] or "b" * (code[1] == "w")).strip("m") if code else ""
        removes, builds = self.cues.has("removals", text), self.cues.has("builds", text)
        ejected = self._leads(text) and self.cues.has("ejects", text)
        if phase == "r" or ejected or self.cues.has("retreats", text):
            return self._phase(PhaseKind.RETREATS)
        if removes or builds or phase or self.cues.has("winter", text):
            return self._phase(PhaseKind.ADJUSTMENTS, Verb.REMOVE if removes else Verb.BUILD if builds else None)
        return None

    def _phase(self, kind: PhaseKind, verb: AnyVerb | None = None) -> Heading:
        if kind is self.phase:
            return Heading(Purpose.NOW, verb=verb)
        if self.phase is PhaseKind.ADJUSTMENTS:
            return Heading(Purpose.NOTHING, PAST)
        return Heading(Purpose.RETREATS if kind is PhaseKind.RETREATS else Purpose.ADJUSTMENTS, verb=verb)

    def is_other_season(self, text: str, *, heads: bool = False, begun: bool = False) -> bool:
        """Return whether words name another season, or year, than that of the phase, or than the first heading does."""
        code = _CODE.fullmatch(text)
        seasons = {season for season in _SEASONS if self.cues.has(season, text)}
        years = {word for word in text.split() if word.isdecimal() and len(word) == _DIGITS_OF_YEAR}
        if code:
            seasons, years = {{"s": "spring", "u": "summer"}.get(code[1], "autumn")}, {code[2]}
        if not seasons and not years:
            return False
        if self.season:
            own = " ".join((self.season.name, *self.season.also)).casefold()
            mine = {season for season in _SEASONS if self.cues.has(season, own)}
            return bool(seasons - mine or years - {str(abs(self.season.year))})
        if heads and self._named is None and not begun and self.phase is not PhaseKind.ADJUSTMENTS:
            self._named = seasons, years
        known = self._named or (set(), set())
        return (heads or self._named is not None) and bool(seasons - known[0] or (known[1] and years - known[1]))

    # -- powers ------------------------------------------------------------------------------------------------------

    def foreign(self, text: str) -> str:
        """Another power that words name, in the letter of one."""
        return next((power for power in self._powers(text) if power != self.power), "") if self.power else ""

    def _powers(self, text: str) -> list[str]:
        words = text.split()
        found = (self.power_at(words, at)[0] for at in range(len(words)) if len(words[at]) >= _LEAST_NAME)
        return [power for power in found if power]

    def power_at(self, words: list[str], at: int) -> tuple[str, int]:
        """The power that words name from one on, and where its name ends."""
        for size in (3, 2, 1):
            for language in languages() if at + size <= len(words) else ():
                if power := self.books.of(language).powers.get(" ".join(words[at : at + size])):
                    return power, at + size
        return "", at

    def _power(self, text: str) -> str:
        """The power whose orders follow, if the heading says nothing else."""
        heading = note_words("heading")
        outside = [word for word in text.split() if word not in heading and word != "-" and not word.isdecimal()]
        for plain in (outside, [word for word in outside if not self.is_plain(word)]):
            power, end = self.power_at(plain, 0) if plain else ("", 0)
            ours = power and (power == self.power or not self.power)
            if power and (not plain[end:] or (ours and plain[end:] == ["s"])) and (ours or plain is outside):
                return power
            if power and plain[end:] and plain[end] in note_words("join"):  # "Polotjans & Dregovites:"
                return power
        if not self.power and len(named := set(self._powers(text))) == 1:
            return named.pop()
        known = [self.power] if self.power else list(self.books.of(languages()[0]).lexicon.powers.shown)
        name = " ".join(outside)
        near = [power for power in known if OSA.distance(name, power.casefold(), score_cutoff=2) <= len(name) // 4]
        return near[0] if len(near) == 1 and len(name) > _LEAST_SLIP else ""

    def is_plain(self, word: str) -> bool:
        """Return whether a word says nothing of the orders beside it."""
        return any(self.cues(table).fullmatch(word) for table in ("lead", "greeting", "now", "mine"))


def _spell(word: str) -> str:
    """A word of a heading without a slip of the pen."""
    if len(word) < _LEAST_SLIP or word in note_words("heading"):
        return word
    most = 1 + (len(word) >= _LONG_WORD)
    near = process.extractOne(word, note_words("heading"), scorer=OSA.distance, score_cutoff=most)
    return near[0] if near and len(near[0]) >= _LEAST_SLIP else word
