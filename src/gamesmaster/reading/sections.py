"""Sections: what a heading says of the lines below it."""

from __future__ import annotations

from gamesmaster.orders import AnyVerb, PhaseKind, Verb
from gamesmaster.orders.dialect import languages, note_words
from gamesmaster.reading.layout import Passage
from gamesmaster.reading.wordbook import Wordbooks

_LONGEST_TITLE = 12  # words before a colon


def title_of(passage: Passage) -> tuple[int, list[tuple[int, str]]]:
    """Where a passage has its colon, beyond its end if it has none, and the words before that, each with its place."""
    keys = passage.keys
    colon = keys.index(":") if ":" in keys[:_LONGEST_TITLE] else len(keys)
    return colon, [(at, word) for at, word in enumerate(keys[:colon]) if word != "-" and not word.isdecimal()]


def power_headed(books: Wordbooks, passage: Passage) -> str:
    """The power that a passage names as the one whose orders follow; empty if it is no such heading."""
    colon, title = title_of(passage)
    alone = colon == len(passage.keys)
    if alone and passage.keys[-2:-1] == ["-"] and passage.keys[-1] in books.of(languages()[0]).lexicon.places.exact:
        return ""  # "Shoshoni - 31" is an order where a province is called so
    outside = [word for at, word in title if word not in note_words("heading") and not passage.inside[at]]
    power = _power(books, outside)
    if not power and colon < len(passage.keys) and set(outside) & note_words("join"):  # "Polotjans & Dregovites:"
        power = _power(books, outside[: next(at for at, word in enumerate(outside) if word in note_words("join"))])
    return power


def behind_title(passage: Passage) -> Passage:
    """The words behind a heading."""
    colon, keys = title_of(passage)[0], len(passage.keys)
    return passage.part(min(colon + 1, keys), keys)


def is_title(passage: Passage) -> bool:
    """Return whether a passage begins with a heading that says nothing of its lines: "Order 1:", "My orders:"."""
    colon, title = title_of(passage)
    return bool(title) and colon < len(passage.keys) and all(word in note_words("heading") for _, word in title)


def verb_headed(books: Wordbooks, passage: Passage, phase: PhaseKind) -> AnyVerb | None:
    """The verb of the units below a heading of a Winter, such as "Removals:"."""
    colon, title = title_of(passage)
    if phase is not PhaseKind.ADJUSTMENTS or not title or colon == len(passage.keys):
        return None
    words = [word for _, word in title]
    for language in languages():
        says = books.of(language).says.get(" ".join(words), set())
        if "build" in says or words == ["builds"]:
            return Verb.BUILD
        if says & {"remove", "disband"} or words in (["removals"], ["disbands"], ["removes"]):
            return Verb.REMOVE
    return None


def _power(books: Wordbooks, words: list[str]) -> str:
    name = " ".join(words)
    if not name:
        return ""
    for language in languages():
        power = books.of(language).powers.get(name)
        if power:
            return power
    without = name.removesuffix(" s")
    return books.of(languages()[0]).powers.get(without, "") if without != name else ""
