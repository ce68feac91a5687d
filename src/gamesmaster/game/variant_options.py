"""Options of a variant: choices that its Gamesmaster fixes before the first move, each a small change of its data.

A variant with other choices than its own is named with them in brackets, everywhere a variant is named:
`cline9[turkey=fleet-smyrna]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gamesmaster.board.model import Board
from gamesmaster.errors import BadFile, NotFound, nearest

if TYPE_CHECKING:
    from gamesmaster.game.variant_models import ChoiceEntry, OptionEntry, VariantFile

_NAMED = re.compile(r"([^\[\]]*)(?:\[([^\[\]]*)\])?")


def split_name(name: str) -> tuple[str, dict[str, str]]:
    """A variant's name without its options, and the options; raises `BadFile` for brackets that cannot be read.

    >>> split_name("cline9[turkey=fleet-smyrna]")
    ('cline9', {'turkey': 'fleet-smyrna'})
    """
    found = _NAMED.fullmatch(name)
    if not found:
        raise BadFile(f"not a variant's name: {name[:80]!r}", hint="options follow in brackets: name[option=choice]")
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (found[2] or "").split(","))):
        key, sign, value = (word.strip() for word in part.partition("="))
        if not (key and sign and value) or key in chosen:
            raise BadFile(f"not an option: {part[:80]!r}", hint="each option stands once, as option=choice")
        chosen[key] = value
    return found[1].strip(), chosen


def full_name(name: str, chosen: Mapping[str, str]) -> str:
    """The name with its options in brackets, in alphabetical order; the bare name if there are none."""
    told = ",".join(f"{key}={value}" for key, value in sorted(chosen.items()))
    return f"{name}[{told}]" if told else name


def choose(file: VariantFile, chosen: Mapping[str, str]) -> tuple[dict[str, str], list[ChoiceEntry]]:
    """The choices that differ from the variant's own, and what all choices say; raises `NotFound` with the nearest."""
    options = {option.name: option for option in file.options}
    for key in chosen:
        if key not in options:
            known = f"options: {', '.join(options)}" if options else f"{file.name} has no options"
            raise NotFound(f"no option {key[:80]!r} in {file.name}", hint=nearest(key, options) or known)
    picked = {name: chosen.get(name, option.default) for name, option in options.items()}
    entries = [_entry(options[name], value) for name, value in picked.items()]
    return {name: value for name, value in picked.items() if value != options[name].default}, entries


def _entry(option: OptionEntry, value: str) -> ChoiceEntry:
    if value not in option.choices:
        hint = nearest(value, option.choices) or f"choices: {', '.join(option.choices)}"
        raise NotFound(f"option {option.name} has no choice {value[:80]!r}", hint=hint)
    return option.choices[value]


def changed_board(board: Board, choices: Sequence[ChoiceEntry], where: str) -> Board:
    """The board as the choices leave it: other centres, steps taken away.  Raises `BadFile` for what is not there."""
    centres = dict.fromkeys((key for choice in choices for key in choice.centre), True)
    centres |= dict.fromkeys((key for choice in choices for key in choice.no_centre), False)
    gone = {(way, a, b) for choice in choices for way, pairs in choice.without.items() for a, b in pairs}
    if not centres and not gone:
        return board
    for key in centres:
        if key not in board.index:
            raise BadFile(f"an option speaks of {key!r}", where=where, hint=nearest(key, board.index))
    known = {(e.way, str(e.a), str(e.b)) for e in board.edges}
    for way, a, b in gone:
        if (way, a, b) not in known and (way, b, a) not in known:
            raise BadFile(f"an option takes away the {way} edge {a} - {b}, which there is not", where=where)
    edges = [e for e in board.edges if not {(e.way, str(e.a), str(e.b)), (e.way, str(e.b), str(e.a))} & gone]
    provinces = [replace(p, centre=centres.get(p.id, p.centre)) for p in board.provinces]
    return replace(board, provinces=tuple(provinces), edges=tuple(edges))
