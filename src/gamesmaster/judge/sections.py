"""Sections: which power the orders of a sheet are for, by the names that stand above them or before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamesmaster.orders import Notation
from gamesmaster.orders.dialect import languages, noted
from gamesmaster.orders.layout import Passage, laid_out, passages

_LONGEST_TITLE = 12  # words before a colon


def title_of(passage: Passage) -> tuple[int, list[tuple[int, str]]]:
    """Where a passage has its colon, beyond its end if it has none, and the words before that, each with its place."""
    keys = passage.keys
    colon = keys.index(":") if ":" in keys[:_LONGEST_TITLE] else len(keys)
    return colon, [(at, word) for at, word in enumerate(keys[:colon]) if word != "-" and not word.isdecimal()]


def power_headed(notation: Notation, passage: Passage) -> str:
    """The power that a passage names as the one whose orders follow; empty if it is no such heading."""
    colon, title = title_of(passage)
    alone = colon == len(passage.keys)
    if alone and passage.keys[-2:-1] == ["-"] and passage.keys[-1] in notation.lexicon.places.exact:
        return ""  # "Shoshoni - 31" is an order where a province is called so
    outside = [word for at, word in title if word not in noted("heading") and not passage.inside[at]]
    power = _power(notation, outside)
    if not power and colon < len(passage.keys) and set(outside) & noted("join"):  # "Polotjans & Dregovites:"
        power = _power(notation, outside[: next(at for at, word in enumerate(outside) if word in noted("join"))])
    return power


def behind_title(passage: Passage) -> Passage:
    """The words behind a heading."""
    colon, keys = title_of(passage)[0], len(passage.keys)
    return passage.part(min(colon + 1, keys), keys)


def sections(notation: Notation, text: str, author: str) -> dict[str, str]:
    """The text once for each power whose orders stand in it, without those of the others.

    What stands above all headings is the `author`'s, who may be nobody ("").  Every letter that is left stands where
    it stood.
    """
    spans = list(_spans(notation, text, author))
    return {
        power: _without(text, [span for whose, span in spans if whose != power])
        for power in dict.fromkeys(whose for whose, _ in spans)
    }


def _spans(notation: Notation, text: str, author: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Whose each passage of a text is, with its line (from 0), and where it begins and ends there."""
    power = author
    for line in laid_out(text):
        found = [] if line.skipped else list(passages(line))
        starts = [0, *(passage.words[0].start for passage in found[1:]), len(line.text)]
        for number, passage in enumerate(found):
            power = power_headed(notation, passage) or power
            yield power, (line.number - 1, starts[number], starts[number + 1])


def _without(text: str, spans: Sequence[tuple[int, int, int]]) -> str:
    """A text with spaces in the place of these parts of its lines."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, start, end in spans:
        line = lines[number]
        lines[number] = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return "\n".join(lines)


def _power(notation: Notation, words: list[str]) -> str:
    name = " ".join(words)
    if not name:
        return ""
    for language in languages():
        power = notation.wordbook(language).powers.get(name)
        if power:
            return power
    without = name.removesuffix(" s")
    return notation.wordbook(languages()[0]).powers.get(without, "") if without != name else ""
