"""Finds coasts in texts for people that are spelt otherwise than orders are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from gamesmaster.board import Board, Location, place_code, place_name, place_words, with_coast
from gamesmaster.board.position import coast_words

_SHOWN = re.compile(r"""\b(?:aria-label|title|alt|placeholder)=(?:"([^"]*)"|'([^']*)')""")
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)


def seen(page: str) -> str:
    """What people see of a page or picture, or have read to them."""
    page = _UNSEEN.sub(" ", page)
    labels = ["".join(found) for found in _SHOWN.findall(page)]
    return unescape("\n".join([re.sub(r"<[^>]*>", " ", page), *labels]))


def spellings(board: Board, at: Location) -> set[str]:
    """How a place with a coast may be written: in orders, short and full, beside its number, and in words."""
    province = board.province(at.province)
    full = place_name(board, at) if board.numbered else with_coast(province.name, at.coast, spelt=True)
    return {place_code(board, at), place_name(board, at), full, place_words(board, at)}


def coasts(board: Board, text: str) -> Iterator[tuple[str, bool]]:
    """Every coast named in a text as it stands there, and whether it is written as it should be."""
    for province in (province for province in board.provinces if province.coasts):
        names = {province.id, province.abbr, province.name}
        before = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        beside = rf"(?: \({re.escape(province.name)}(?:, [^)]*)?\))?"
        letters = "|".join(coast for coast in province.coasts)
        words = "|".join(coast_words(coast) for coast in province.coasts)
        coast = rf"\s*/\s*(?:{letters})\b|\s*\((?:{letters}|{words})\)|,?\s(?:{words})\b"
        coast += rf"|\s(?:{letters})\b" if len(province.coasts[0]) > 1 else ""
        allowed = {one for letter in province.coasts for one in spellings(board, Location(province.id, letter))}
        for found in re.finditer(rf"\b(?:{before}){beside}(?:{coast})", text, re.IGNORECASE):
            plain = re.sub(rf"\(({re.escape(province.name)}), [^)]*\)", r"(\1)", found[0])
            yield found[0], " ".join(plain.split()) in allowed


def misspelt(board: Board, text: str) -> set[str]:
    """The coasts in a text that are spelt otherwise than they should be."""
    return {found for found, right in coasts(board, text) if not right}
