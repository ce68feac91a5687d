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
from gamesmaster.orders.dialect import cue, languages, note_words
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
UNKNOWN = "stands below"
CHAT = "no order"

_CODE = re.compile(r"(?:phase )?([sfwua])(\d{3,4})([mrab]?)")
_LEAST_SLIP = 5  # letters of a word of a heading that may be misspelt
_FOREIGN = 4  # letters of a word that names another power
SEASONS = ("spring", "summer", "autumn")


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


def has(table: str, text: str) -> re.Match[str] | None:
    """Find words of a table of notes."""
    return cue(table).search(text)


class Headings:
    """Understands the headings of one letter that `power` sent; `named` is the season that its first heading names."""

    def __init__(self, books: Wordbooks, phase: PhaseKind, season: Season | None, power: str) -> None:
        self.books, self.phase, self.season, self.power = books, phase, season, power
        self.named: tuple[set[str], set[str]] | None = None

    def of(self, words: Passage, *, begun: bool) -> Heading | None:
        """What a heading says; None if it is not understood.  `begun` tells that there are orders above it."""
        text = " ".join(key for key, inside in zip(words.keys, words.inside, strict=True) if not inside)
        inner = " ".join(key for key, inside in zip(words.keys, words.inside, strict=True) if inside)
        found = self._of(text or inner, inner if text else "", words, begun=begun)
        spelt = " ".join(map(_spell, text.split())) if found is None else text
        return found if spelt == text else self._of(spelt, inner, words, begun=begun)

    def _of(self, text: str, inner: str, words: Passage, *, begun: bool) -> Heading | None:
        purposes = self._later(text) or (self._later(inner) if not has("now", text) else None)
        other = self.foreign(text)
        if cue("leads").match(text):
            named = purposes and not (other and purposes.purpose is not Purpose.RETREATS)
            return purposes if named else Heading(Purpose.NOW, CONDITION)
        if cue("oops").match(text):
            return Heading(Purpose.NOW, corrects=True)
        now, said = has("now", text), has("said", text)
        own = now is not None and cue("mine").search(text[: now.start()]) is not None
        old, new = has("draft", text) or has("notice", text), has("new", text)
        last = _last_clause(words)
        if old and has("now", last) and not has("draft", last) and not has("notice", last):
            return Heading(Purpose.NOW, new=True, power=self._power(text))
        if old and not (new and new.start() < old.start()):
            return Heading(Purpose.NOTHING, DRAFT)
        if has("draft", inner) and not new and not (has("cancels", inner) and has("earlier", inner)):
            return Heading(Purpose.NOTHING, DRAFT if not has("next", text) else SEASON)
        power = self._power(text)
        if not power and (said or other) and not (own and now and not (said and said.start() < now.start())):
            return Heading(Purpose.NOTHING, SAID)
        if (listed := has("listing", text)) and not (now and now.start() < listed.start()):
            return Heading(Purpose.NOTHING, LISTED)
        if has("past", text):
            return Heading(Purpose.NOTHING, PAST)
        if purposes and not (now and re.search(rf"(?<!\S)(?:{'|'.join(note_words('join'))})(?!\S)", text)):
            return purposes
        if has("next", text) or self.is_other_season(text, heads=True, begun=begun):
            return Heading(Purpose.NOTHING, SEASON)
        if new or has("correction", text):
            return Heading(Purpose.NOW, new=bool(new), corrects=not new, power=power)
        if now or power or has("mine", text) or any(has(season, text) for season in SEASONS):
            return Heading(Purpose.NOW, power=power)
        says = cue("greeting").match(text) or all(word in note_words("heading") for word in text.split())
        return Heading(None) if says else None

    def _later(self, text: str) -> Heading | None:
        """The retreats or the Winter that words name."""
        if code := _CODE.fullmatch(text):
            kind = {"r": "retreats", "a": "winter", "b": "winter"}.get(code[3] or "b" * (code[1] in "wa"), "")
            if kind:
                return self._phase(PhaseKind.RETREATS if kind == "retreats" else PhaseKind.ADJUSTMENTS)
        if has("retreats", text):
            return self._phase(PhaseKind.RETREATS)
        removes, builds = has("removals", text), has("builds", text)
        if removes or builds or has("winter", text):
            return self._phase(PhaseKind.ADJUSTMENTS, Verb.REMOVE if removes else Verb.BUILD if builds else None)
        return None

    def _phase(self, kind: PhaseKind, verb: AnyVerb | None = None) -> Heading:
        if kind is self.phase:
            return Heading(Purpose.NOW, verb=verb)
        if self.phase is PhaseKind.ADJUSTMENTS:
            return Heading(Purpose.NOTHING, PAST)
        return Heading(Purpose.RETREATS if kind is PhaseKind.RETREATS else Purpose.ADJUSTMENTS, verb=verb)

    def is_other_season(self, text: str, *, heads: bool = False, begun: bool = False) -> bool:
        """Do words name another season, or year, than that of this phase, or than the first heading that names one?"""
        code = _CODE.fullmatch(text)
        seasons = {season for season in SEASONS if has(season, text)}
        years = {word for word in text.split() if word.isdecimal() and len(word) == 4}
        if code:
            seasons, years = {{"s": "spring", "u": "summer"}.get(code[1], "autumn")}, {code[2]}
        if not seasons and not years:
            return False
        if self.season:
            own = " ".join((self.season.name, *self.season.also)).casefold()
            mine = {season for season in SEASONS if has(season, own)}
            return bool(seasons - mine or years - {str(abs(self.season.year))})
        if heads and self.named is None and not begun and self.phase is not PhaseKind.ADJUSTMENTS:
            self.named = seasons, years
        if self.named is None and not heads:
            return False
        known = self.named or (set(), set())
        return bool(seasons - known[0] or (known[1] and years - known[1]))

    # -- powers ------------------------------------------------------------------------------------------------------

    def foreign(self, text: str) -> str:
        """Another power that words name, in the letter of one."""
        return next((power for power in self._named(text) if power != self.power), "") if self.power else ""

    def _named(self, text: str) -> list[str]:
        words = text.split()
        found = (self.power_at(words, at)[0] for at in range(len(words)) if len(words[at]) >= _FOREIGN)
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
        words = text.split()
        outside = [word for word in words if word not in note_words("heading") and word != "-" and not word.isdecimal()]
        for plain in (outside, [word for word in outside if not is_plain(word)]):
            power, end = self.power_at(plain, 0) if plain else ("", 0)
            rest = plain[end:]
            if power and (not rest or rest == ["s"]) and (plain is outside or power == self.power or not self.power):
                return power if not rest or power == self.power or not self.power else ""
            if power and rest[0] in note_words("join"):  # "Polotjans & Dregovites:"
                return power
        named = set(self._named(text))
        if not self.power and len(named) == 1:
            return named.pop()
        own = self.power or self.books.of(languages()[0]).lexicon.powers.shown
        near = process.extract(" ".join(outside), [own] if isinstance(own, str) else list(own), scorer=OSA.distance,
                               processor=str.casefold, score_cutoff=2)  # fmt: skip
        return near[0][0] if len(near) == 1 and len(" ".join(outside)) > _LEAST_SLIP else ""


def is_plain(word: str) -> bool:
    return any(cue(table).fullmatch(word) for table in ("lead", "greeting", "now", "mine"))


def _last_clause(words: Passage) -> str:
    """What stands behind the last comma outside brackets."""
    outside = [at for at, inside in enumerate(words.inside) if not inside]
    start = max((at for at in (*words.breaks, *words.stops) if not words.inside[at]), default=0)
    return " ".join(words.keys[at] for at in outside if at >= start)


def _spell(word: str) -> str:
    """A word of a heading without a slip of the pen."""
    if len(word) < _LEAST_SLIP or word in note_words("heading"):
        return word
    near = process.extractOne(word, note_words("heading"), scorer=OSA.distance, score_cutoff=1 + (len(word) > 6))
    return near[0] if near and len(near[0]) >= _LEAST_SLIP else word
