"""Sections: what some words say of the lines below them.

The words that tell are tables of the dialects' files (`[notes]`): a new language needs no code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import dropwhile, pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import Cues, note_words
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sheet import Purpose
from gamesmaster.reading.wordbook import DIGITS_OF_YEAR, Wordbooks
from gamesmaster.rules import Season

_CODE = re.compile(r"(?:phase )?([sfwua])(\d{3,4}|\d\d)([mrab]?)")
_LEAST_SLIP = 5  # letters of a word of a heading that may be misspelt
_LONG_WORD = 7  # letters of one that may have two slips
_LEAST_NAME = 4  # letters of a word that names another power
_MOST_STRANGE = 2  # words of a heading for the orders that say nothing known
_LONGEST_PHASE = 4  # words of a phase in brackets
_FIRST_WORDS = 3  # in which a condition begins
_LEAST_ENDING = 2  # letters in which the name of a power may differ from language to language
_SEASONS = ("spring", "summer", "autumn")
UNSURE = ("condition", "alternative", "negation", "doubt", "draft", "next", "past")
"""Tables of words with which nothing is an order, nor a remark beside one."""
WARNINGS = (
    *UNSURE, "said", "others", "listing", "units", "hopes", "queries", "question", "elsewhere", "notice", "results",
    "spare", "retreats", "winter", "builds", "removals", "cancels", "leads", "ejects", "spares", "unreal",
)  # fmt: skip
"""Tables of words with which what stands below a heading that is not understood may be no orders."""


class Why(StrEnum):
    """Why words are not an order for this phase."""

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


@dataclass(frozen=True, slots=True)
class Heading:
    """What some words say of the lines below them: what those are for, or `why` they do not count.

    Without a purpose it says nothing of them.  `verb` is that of bare units below it, `new` tells that the orders below
    replace all above, `corrects` that each replaces that of its unit above, `shared` that the names of other powers go
    on with it.
    """

    purpose: Purpose | None
    why: str = ""
    verb: AnyVerb | None = None
    power: str = ""
    new: bool = False
    corrects: bool = False
    shared: bool = False

    @property
    def asks(self) -> bool:
        """Return whether the orders below are asked about."""
        return self.why in (Why.CONDITION, Why.CHOICE)


_DRAFT = Heading(Purpose.NOTHING, Why.DRAFT)
REVOKED = replace(_DRAFT, new=True)
"""No orders, but it takes back everything above it: "Scrap all that, my friend has a better plan"."""
_UNKNOWN = Heading(None, Why.UNKNOWN)  # stops what is below it, whatever it means


@dataclass(frozen=True, slots=True)
class _Title:
    """A heading's words outside and inside brackets, and its clauses.

    `begun` tells that orders stand above it, `recaps` that the results of the last turn do.
    """

    cues: Cues
    text: str
    inner: str
    clauses: tuple[str, ...]
    begun: bool
    recaps: bool = False

    @property
    def last(self) -> str:
        """The last clause."""
        return self.clauses[-1]

    def __getitem__(self, table: str) -> re.Match[str] | None:
        """Return the first phrase of a table of notes."""
        return self.cues.has(table, self.text)

    def is_first(self, table: str, *others: str) -> bool:
        """Return whether a phrase of a table comes before those of others."""
        found, rest = self[table], [self[other] for other in others]
        return found is not None and all(other is None or found.start() < other.start() for other in rest)

    def is_own(self, *others: str) -> bool:
        """Return whether the sender speaks of the own orders, before phrases of other tables."""
        found = (self[other] for other in ("listing", "units", *others))
        before = self.text[: min((one.start() for one in found if one), default=len(self.text))]
        return self.cues.has("now", before) is not None and self.cues.has("mine", before) is not None


class Headings:
    """Understands the headings of one letter that `power` sent in a phase."""

    def __init__(self, books: Wordbooks, cues: Cues, phase: PhaseKind, season: Season | None, power: str) -> None:
        self.books, self.cues, self.phase, self.season, self.power = books, cues, phase, season, power
        self._named: tuple[set[str], set[str]] | None = None  # season and year that the first heading names

    def of(self, words: Passage, *, begun: bool, recaps: bool = False) -> Heading | None:
        """Return the heading that words are; None if it is not understood.

        `begun` says that there are orders above it, `recaps` that there are the results of the last turn.
        """
        outer = words.outside(words.remarks())
        inner = " ".join(key for key, inside in zip(words.keys, words.inside, strict=True) if inside)
        ends = [0, *sorted(outer.breaks | outer.stops), len(outer.keys)]
        clauses = tuple(self._said(outer.part(start, end).said) for start, end in pairwise(ends))
        if not self.power and not self._powers(outer.said) and self._power(inner):
            return Heading(Purpose.NOW, power=self._power(inner))  # "Ben (Austria):"
        found = self._of(_Title(self.cues, self._said(outer.said), inner, clauses, begun, recaps))
        if found is None and (spelt := " ".join(map(_spell, outer.keys))) != outer.said:
            found = self._of(_Title(self.cues, self._said(spelt), inner, clauses, begun, recaps))
        return found if found is not _UNKNOWN else None

    def _said(self, text: str) -> str:
        """Return words without those that mean nothing: "A Merry Christmas", or "as received" in some sheets."""
        plain = self.cues("polite").sub("", text)
        plain = self.cues("tasks").sub("orders", plain) if self.power else self.cues("reported").sub("", plain)
        return " ".join(plain.split()) or text

    def _of(self, title: _Title) -> Heading | None:
        """Return the heading that the first matching rule finds, None without a match."""
        rules = (
            self._elsewhere, self._addressed, self._conditional, self._mine, self._commanded, self._draft,
            self._doubtful, self._foreign, self._ahead, self._other_season, self._now,
        )  # fmt: skip
        return next((found for rule in rules if (found := rule(title))), None)

    def _elsewhere(self, title: _Title) -> Heading | None:
        """Return a heading for another game, or for questions."""
        if title["elsewhere"]:
            return _UNKNOWN
        return Heading(Purpose.NOTHING, Why.QUESTION) if title["queries"] and not title["now"] else None

    def _addressed(self, title: _Title) -> Heading | None:
        """Return a heading for words to the Gamesmaster, or for a change of mind."""
        named = " ".join(word for word in title.text.split() if not self.cues.has("greeting", word))
        if any(map(self.cues("addressee").fullmatch, (named, title.text))):
            return Heading(Purpose.NOW, power=self.power)
        if title.begun and self.cues("correction").fullmatch(title.text):
            return Heading(Purpose.NOW, corrects=True)  # "Strike the second line. Instead:"
        if title.begun and title["clock"] and not self.cues.any(("draft", "said", "units"), title.text):
            return Heading(Purpose.NOW, corrects=True)  # "Later the same evening:"
        denied = self.cues("denies").match(title.text)  # "No, wait"
        if denied and self._contrasts(title):
            return Heading(Purpose.NOW, corrects=True)
        oops = self.cues("oops").match(title.text) or (
            self.cues("oops").match(title.text, denied.end() + 1) if denied and title.begun else None
        )
        if not oops:
            return None
        rest = replace(title, text=title.text[oops.end() :].strip())
        found = self._of(rest) if rest.text else None
        postscript = oops[0].replace(" ", "") == "ps"  # "P.S. Retreats:"
        draft = found and found.why == Why.DRAFT and not rest["above"] and not rest["earlier"]  # "Sorry, ignore this:"
        stops = found and (found.why or found.purpose in (Purpose.RETREATS, Purpose.ADJUSTMENTS))
        return found if draft or (postscript and stops) else Heading(Purpose.NOW, corrects=True)

    def _contrasts(self, title: _Title) -> bool:
        """Return whether words only put something right: "No, that is a one, not a two"."""
        said = self.cues("denies").sub("", " ".join(title.clauses[:-1]))
        plain = len(title.clauses) > 1 and not self.cues.any({*WARNINGS, "others"}, said)
        denied = self.cues("instead").match(title.last) or self.cues("negation").match(title.last)
        return plain and denied is not None and not self.foreign(title.text)

    def _conditional(self, title: _Title) -> Heading | None:
        """Return a heading for conditional orders, such as retreats, or the need for builds or removals."""
        given = self.cues("given").match(title.text)  # "With a German fleet there", "Without one"
        behind = title.text[given.end() :] if given else ""
        if given and not title["now"] and (self.foreign(behind) or self.cues.any(("pronouns", "cardinals"), behind)):
            return Heading(Purpose.NOW, Why.CONDITION)
        caused = title["leads"] and self.named_phase(title.clauses[0])  # "Pour l'hiver, si j'ai une unité"
        if not self._leads(title.text) and not caused:
            return None
        if (negated := title["negation"]) and self.cues("dependent").match(title.text[negated.end() :].strip()):
            return self._for_now(title)  # "Not depending on anything"
        later = self._later(title)
        ahead = later and (later.purpose is Purpose.RETREATS or not self.foreign(title.text))
        return later if ahead else Heading(Purpose.NOW, Why.CONDITION)

    def _mine(self, title: _Title) -> Heading | None:
        """Return a heading for the sender's own orders in the last clause: "Forget the above, here are my orders"."""
        others = self.cues.any(("draft", "negation", "said"), title.last) or (
            len(title.clauses) > 1 and self.named_phase(title.clauses[0])  # "Builds, entered now as I am away"
        )
        spoken = self.cues("proposes").sub("", self.cues("contrast").sub("", title.last))  # "Nice, but I do:"
        mine, plain = self.cues.has("mine", title.last), all(map(self.is_plain, spoken.split()))
        said = mine and (self.cues.has("now", title.last) or (len(title.clauses) > 1 and plain))  # "Italy attacks, me:"
        strange = self._relates(title) or self._unreal(title.last)
        if others or not said or strange or not title.is_first("now", "listing", "units"):
            return None
        return self._for_now(title, new=bool(title["new"] or title["draft"]))

    def _unreal(self, text: str) -> bool:
        """Return whether words are about orders without an author in this game: "what my cat would order"."""
        said = self.cues("now").sub("", text)  # not "this goes in the book"
        return self.cues.has("unreal", said) is not None

    def _relates(self, title: _Title) -> bool:
        """Return whether words name what the sender did with moves in a way that is not known: "What I feared"."""
        found = title["relates"]
        if not found or title["new"] or self.cues("now").match(title.text, found.start()):
            return False
        words = [word for word in title.text[found.end() :].split() if not word.endswith("ly")]
        behind = " ".join(dropwhile(self.is_plain, words))
        return not self.cues("proposes").match(behind)

    def _commanded(self, title: _Title) -> Heading | None:
        """Return the heading for orders that a title commands: "The Lord of the Isles commands"."""
        found = [one.start() for one in self.cues("commands").finditer(title.text) if one.end() == len(title.text)]
        ours = self._power(title.text) in ("", self.power) and not self.foreign(title.text)
        warned = not found or not found[0] or self.cues.any(WARNINGS, title.text[: found[0]])
        return self._for_now(title) if ours and not warned else None

    def _draft(self, title: _Title) -> Heading | None:
        """Return a heading for an old version, unless the words continue with a new one."""
        has, text = self.cues.has, self.cues("ejects").sub("", title.text)  # "when it all goes wrong"
        if self.phase is PhaseKind.ADJUSTMENTS:  # "To be struck off"
            text = self.cues("removals").sub(lambda found: found[0] if " " not in found[0] else "", text)
        old, past = has("draft", text) or title["notice"], title["past"] and not title["cancels"]
        if title["spare"] and (later := self.named_phase(title.text)) and later.purpose is Purpose.RETREATS:
            return later  # "Plan B for beaten units"
        if past and title["negation"] and title.is_first("new", "negation", "past", "draft"):
            return self._for_now(title, new=True)  # "Use this set, not the one from an hour ago"
        if old and not past and not title.is_first("new", "draft", "notice"):
            clear = has("now", title.last) or has("new", title.last)
            over = has("draft", title.last) or has("notice", title.last)
            revokes = title.begun and title["cancels"] is not None and title["above"] is not None
            return self._for_now(title, new=True) if clear and not over else _DRAFT if not revokes else REVOKED
        earlier = has("cancels", title.inner) and has("earlier", title.inner)
        renewed = replace(title, text=title.inner).is_first("new", "draft")  # "Orders (v3, forget v1 and v2)"
        if has("draft", title.inner) and not title["new"] and not earlier and not renewed:
            return Heading(Purpose.NOTHING, Why.SEASON if title["next"] else Why.DRAFT)
        return None

    def _foreign(self, title: _Title) -> Heading | None:
        """Return a heading for what another power does, or is asked to do."""
        ours = self._power(title.text) in ("", self.power)
        named = ours and self.foreign(title.text) and not title.is_own("said")
        return Heading(Purpose.NOTHING, Why.SAID) if named else None

    def _ahead(self, title: _Title) -> Heading | None:
        """Return a heading for a future phase, a list, past events, or somebody's words."""
        later = self._later(title)
        if title["now"] and (title["bracketed"] or not note_words("join").isdisjoint(title.text.split())):
            later = None  # "Orders and retreats", "My orders, retreats in brackets"
        if later and later.purpose is Purpose.RETREATS:
            return later
        if title["past"] and title.is_first("past", "listing", "now"):
            return Heading(Purpose.NOTHING, Why.PAST)
        due = later and later.verb and self.phase is PhaseKind.ADJUSTMENTS
        if due and any(title.is_first(table, "listing", "past") for table in ("builds", "removals")):
            return later  # "Two new units stand at my disposal"
        if title["listing"] and not title.is_first("now", "listing"):
            return Heading(Purpose.NOTHING, Why.LISTED)
        over = title["past"]
        done = over and over.end() == len(title.text) and self.cues("received").fullmatch(over[0])
        if over and not (done and title["now"]):  # but "Set so far"
            return Heading(Purpose.NOTHING, Why.PAST)
        if later:
            return later
        reported = not self.power and len(set(self._powers(title.text))) == 1  # "Italy's Ben wrote:"
        retold = self.cues("new").sub("", self.cues("correction").sub("", title.text))  # "I think better of it"
        reported = reported or not self.cues.has("said", retold)
        if title["said"] and not reported and not title.is_own("said") and not self._names_self(title):
            return Heading(Purpose.NOTHING, Why.SEASON if title["next"] and not title.recaps else Why.SAID)
        return Heading(Purpose.NOTHING, Why.LISTED) if title["units"] and not title.is_first("now", "units") else None

    def _other_season(self, title: _Title) -> Heading | None:
        """Return a heading for another season, or for words that are denied.

        After results, the next season is this one.
        """
        if title["next"] and title.recaps and not title.begun and not title["draft"]:
            return self._for_now(title)
        if title["next"] or self.is_other_season(title.text, heads=True, begun=title.begun):
            return Heading(Purpose.NOTHING, Why.SEASON)
        if self._relates(title):
            return Heading(Purpose.NOTHING, Why.SAID)
        elsewhere = title.is_own() and not self.cues.has("now", title.last)
        return _UNKNOWN if self.cues.has("negation", title.last) and not elsewhere else None

    def _doubtful(self, title: _Title) -> Heading | None:
        """Return a heading for what its writer has not decided."""
        other = self.foreign(title.text) or self._later(title) or title["next"] or title["past"]
        later = title.begun and self.is_other_season(title.text, heads=True, begun=True)
        said = self.cues("greeting").fullmatch(title.text) or title.is_first("now", "alternative", "doubt")
        follows = len(title.clauses) > 1 and self.cues("follows").fullmatch(title.last)  # "I think not, hence:"
        if other or later or said or follows:
            return None
        text = self.cues("musing").sub("", title.text)
        unsure = self.cues.any(("alternative", "doubt", "hopes"), text)
        asks = "?" in text and self.cues.has("these", text)
        return Heading(Purpose.NOW, Why.CHOICE) if unsure or asks else None

    def _now(self, title: _Title) -> Heading | None:
        """Return a heading for this phase's orders, also for words that mean nothing."""
        if title["new"] or title["correction"]:
            return self._for_now(title, new=bool(title["new"]), corrects=not title["new"])
        if self.cues.has("new", title.inner) and not self.cues.any(WARNINGS, title.inner):
            return self._for_now(title, new=True)  # "The yellow slip (this one counts)"
        strange = [word for word in title.text.split() if not self.is_plain(word)]
        named = self.power != "" and self.power in self._powers(title.text)
        mine = (said for said in title.clauses if self.cues.has("mine", said))
        brief = any(all(map(self.is_plain, self.cues("mine").sub("", said).split())) for said in mine)
        clear = brief or any(title[table] for table in ("now", *_SEASONS)) or bool(self.cues.has("follows", title.last))
        told = named or any(title[table] for table in ("mine", "proposes", "follows"))
        told = told and len(strange) - named <= _MOST_STRANGE
        real = (clear or told) and not self._unreal(title.text)
        if real or _CODE.fullmatch(title.text) or self._power(title.text) or self._names_self(title):
            return self._for_now(title)
        spoken = self.cues("polite").sub("", title.text).split()  # "Schweren Herzens:"
        plain = all(word in note_words("heading") | note_words("join") for word in spoken)  # "Then:"
        return Heading(None) if plain or self.cues("greeting").match(title.text) else None

    def _for_now(self, title: _Title, *, new: bool = False, corrects: bool = False) -> Heading:
        power = self._power(title.text) or (self.power if title["mine"] else "")
        return Heading(Purpose.NOW, power=power, new=new, corrects=corrects)

    def _leads(self, text: str) -> bool:
        """Return whether words begin with a condition."""
        found = self.cues.has("leads", text)
        return bool(found and text.count(" ", 0, found.start()) < _FIRST_WORDS)

    def _later(self, title: _Title) -> Heading | None:
        """Return a heading for the retreats or the Winter that words name, perhaps in brackets."""
        brief = len(title.inner.split()) <= _LONGEST_PHASE or self._leads(title.inner)  # not "(read back to me)"
        inner = title.inner if brief and not title["now"] else ""
        return self.named_phase(title.text) or self.named_phase(inner)

    def named_phase(self, text: str) -> Heading | None:
        """Return the heading for the retreats or the Winter that words name."""
        code = _CODE.fullmatch(text)
        phase = (code[3] or "b" * (code[1] == "w")).strip("m") if code else ""
        removes, builds = self.cues.has("removals", text), self.cues.has("builds", text)
        words = text.split() if self.phase is PhaseKind.ADJUSTMENTS and not builds else []
        if words and words[0] in note_words("interrogatives") and "remove" in self.books.says.get(words[-1], ()):
            return Heading(Purpose.NOW, verb=Verb.REMOVE)  # "What goes"
        ejected = self._leads(text) and self.cues.has("ejects", text) and not self.cues.has("winter", text)
        if phase == "r" or ejected or self.cues.has("retreats", text):
            return self._phase(PhaseKind.RETREATS)
        if self.phase is PhaseKind.RETREATS and removes and "disband" in self.books.says.get(removes[0], ()):
            return Heading(Purpose.NOW, verb=Verb.DISBAND)  # not "One removal"
        if removes or builds or phase or self.cues.has("winter", text):
            return self._phase(PhaseKind.ADJUSTMENTS, Verb.REMOVE if removes else Verb.BUILD if builds else None)
        return None

    def _phase(self, kind: PhaseKind, verb: AnyVerb | None = None) -> Heading:
        if kind is self.phase:
            return Heading(Purpose.NOW, verb=verb)
        if self.phase is PhaseKind.ADJUSTMENTS:
            return Heading(Purpose.NOTHING, Why.PAST)
        return Heading(Purpose.RETREATS if kind is PhaseKind.RETREATS else Purpose.ADJUSTMENTS, verb=verb)

    def is_other_season(self, text: str, *, heads: bool = False, begun: bool = False) -> bool:
        """Return whether words name another season, or year, than that of the phase, or than the first heading does."""
        turn = re.search(rf"(?:{self.cues('turn').pattern}) (\d{{1,2}})(?!\S)", text)
        ours = self.cues.has("mine", text) or self.power in self._powers(text)
        if turn and int(turn[1]) > 1 and (begun or not ours):
            return True
        code = _CODE.fullmatch(text)
        seasons = {season for season in _SEASONS if self.cues.has(season, text)}
        years = {word for word in text.split() if word.isdecimal() and len(word) == DIGITS_OF_YEAR}
        if code:
            seasons, years = {{"s": "spring", "u": "summer"}.get(code[1], "autumn")}, {code[2]}
        if not seasons and not years:
            return False
        if self.season:
            own = " ".join((self.season.name, *self.season.also)).casefold()
            mine = {season for season in _SEASONS if self.cues.has(season, own)}
            year = str(abs(self.season.year))
            return bool(seasons - mine or not all(map(year.endswith, years)))  # "S01:" is Spring 1901
        if self.phase is PhaseKind.ADJUSTMENTS and not heads:
            return True
        if heads and not (self._named and self._named[0]) and not begun and self.phase is not PhaseKind.ADJUSTMENTS:
            self._named = seasons, years or (self._named[1] if self._named else set())
        known = self._named or (set(), set())
        return (heads or self._named is not None) and bool(seasons - known[0] or (known[1] and years - known[1]))

    def foreign(self, text: str) -> str:
        """Return another power that words name, in a letter of one power."""
        return next((power for power in self._powers(text) if power != self.power), "") if self.power else ""

    def _powers(self, text: str) -> list[str]:
        words = text.split()
        found = (self.power_at(words, at)[0] for at in range(len(words)) if len(words[at]) >= _LEAST_NAME)
        return [power for power in found if power]

    def names_owner(self, text: str) -> bool:
        """Return whether words say whose something is, and do not name the own power: "Bob's homework"."""
        words = text.split()
        if self.power in self._powers(text) or any(word.startswith(self.power.casefold()) for word in words):
            return False
        owners = (words[at - 1] for at, word in enumerate(words) if at and word == "s")
        return any(not self.is_plain(word) and self.power_at([word], 0)[0] != self.power for word in owners)

    def power_at(self, words: list[str], at: int) -> tuple[str, int]:
        """Return the power that words name from one on, and the end of its name."""
        for size in (3, 2, 1):
            for book in self.books if at + size <= len(words) else ():
                if power := book.powers.get(" ".join(words[at : at + size])):
                    return power, at + size
        return "", at

    def _names_self(self, title: _Title) -> bool:
        """Return whether the sender speaks as the own power alone: "Caddo say:", "From the Dutch admiralty:"."""
        words = list(dropwhile(self.is_plain, title.text.split()))
        sender = bool(words) and (words[0] in note_words("from") or self.power_at(words, 0)[0] == self.power)
        advised = not self.cues.has("said", self.cues("proposes").sub("", title.text)) and title["now"] is not None
        sender = sender or (advised and not note_words("for").isdisjoint(words))  # "Suggested moves for the British"
        doubt = any(title[table] for table in ("negation", "draft", "past", "next", "elsewhere", "listing", "nothing"))
        return bool(sender and self.power and set(self._powers(title.text)) == {self.power} and not doubt)

    def _power(self, text: str) -> str:
        """Return the power whose orders follow, if the heading says nothing else."""
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
        known = [self.power] if self.power else list(self.books.first.lexicon.powers.shown)
        name = " ".join(plain).removesuffix(" s")
        least = max(_LEAST_NAME, len(name) - _LEAST_ENDING)
        begun = [power for power in known if name[:least] == power.casefold()[:least]]
        if len(begun) == 1 and name.isalpha():  # "Persien"
            return begun[0]
        near = [power for power in known if OSA.distance(name, power.casefold()) <= min(2, len(name) // 4)]
        return near[0] if len(near) == 1 and len(name) >= _LEAST_SLIP else ""

    def is_nothing(self, text: str) -> bool:
        """Return whether words only say that nothing was sent: "nothing so far"."""
        return self.cues("nothing").fullmatch(" ".join(self.cues("received").sub("", text).split())) is not None

    def is_plain(self, word: str) -> bool:
        """Return whether a word says nothing of the orders beside it."""
        return any(self.cues(table).fullmatch(word) for table in ("lead", "greeting", "now", "mine"))


def _spell(word: str) -> str:
    """Return a word of a heading with a misspelling corrected."""
    if len(word) < _LEAST_SLIP or word in note_words("heading"):
        return word
    most = 1 + (len(word) >= _LONG_WORD)
    near = process.extractOne(word, note_words("heading"), scorer=OSA.distance, score_cutoff=most)
    return near[0] if near and len(near[0]) >= _LEAST_SLIP else word
