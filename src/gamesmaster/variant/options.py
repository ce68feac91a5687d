"""Options of a variant: choices that its Gamesmaster fixes before the first move, each a small change of its data.

A variant with other choices than its own is named with them in brackets, everywhere a variant is named:
`cline9[turkey=fleet-smyrna]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gamesmaster.board import Board
from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.judge import Mechanic
from gamesmaster.mechanics import MECHANICS

if TYPE_CHECKING:
    from gamesmaster.variant.file_models import ChoiceEntry, OptionEntry, VariantFile


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
            raise BadFile(f"not an option: {part[:80]!r}", hint="write each option once, as option=choice")
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
    for (name, value), entry in zip(picked.items(), entries, strict=True):
        _check_needs(f"{name}={value}", entry, picked)
    return {name: value for name, value in picked.items() if value != options[name].default}, entries


def _entry(option: OptionEntry, value: str) -> ChoiceEntry:
    if value not in option.choices:
        hint = nearest(value, option.choices) or f"choices: {', '.join(option.choices)}"
        raise NotFound(f"option {option.name} has no choice {value[:80]!r}", hint=hint)
    return option.choices[value]


def _check_needs(told: str, entry: ChoiceEntry, picked: Mapping[str, str]) -> None:
    for name, values in entry.needs.items():
        if picked.get(name) not in values:
            hint = f"it goes with {' or '.join(f'{name}={value}' for value in values)}"
            raise NotFound(f"the option {told} does not go with {name}={picked.get(name)}", hint=hint)


Table = tuple[tuple[str | int, ...], Mapping[str, object]]
"""A table of the file that asks for a mechanic, and where it stands."""


def absent(file: VariantFile, choices: Sequence[ChoiceEntry], where: str) -> frozenset[str]:
    """The powers that the choices take out of the game.  Raises `BadFile` for one that is not there."""
    known = [entry.name for entry in file.powers]
    for name in (gone := [name for choice in choices for name in choice.without_powers]):
        if name not in known:
            raise BadFile(f"an option takes the power {name!r} away", where=where, hint=nearest(name, known))
    return frozenset(gone)


def tables(
    file: VariantFile,
    choices: Sequence[ChoiceEntry],
    parameters: Mapping[str, Mapping[str, object]],
    where: str,
) -> Sequence[Table]:
    """The tables of mechanics as the choices leave them; `parameters` change single ones, by the mechanic's name.

    Raises `BadFile` for a mechanic that is not there.
    """
    known = [_name_of(told) for told in file.mechanics]
    for choice in choices:
        parameters = {**choice.parameters, **parameters}
    gone = [name for choice in choices for name in choice.without_mechanics]
    added = [told for choice in choices for told in choice.mechanics]
    found: list[Table] = [(("mechanics", n), t) for n, t in enumerate(file.mechanics) if _name_of(t) not in gone]
    found += [(("options", "mechanics", n), told) for n, told in enumerate(added)]
    left = [_name_of(told) for _, told in found]
    for what, names, there in (("taken away", gone, known), ("tuned", parameters, left)):
        for name in names:
            if name not in there:
                raise BadFile(f"no mechanic {name[:80]!r} that could be {what}", where=where, hint=nearest(name, there))
    return [(path, {**told, **parameters.get(_name_of(told), {})}) for path, told in found]


def find_mechanics(file: VariantFile) -> list[type[Mechanic]]:
    """The mechanics that a variant, or a choice of its options, has by name; those that there are not are left out."""
    added = (table for option in file.options for choice in option.choices.values() for table in choice.mechanics)
    names = dict.fromkeys(_name_of(table) for table in (*file.mechanics, *added))
    return [MECHANICS[name] for name in names if name in MECHANICS]


def _name_of(told: Mapping[str, object]) -> str:
    return str(told.get("name", ""))


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
            raise BadFile(f"an option removes the {way} edge {a} - {b}, which does not exist", where=where)
    edges = [e for e in board.edges if not {(e.way, str(e.a), str(e.b)), (e.way, str(e.b), str(e.a))} & gone]
    provinces = [replace(p, centre=centres.get(p.id, p.centre)) for p in board.provinces]
    return replace(board, provinces=tuple(provinces), edges=tuple(edges))
