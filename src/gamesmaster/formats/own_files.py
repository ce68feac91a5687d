"""The files of a variant's folder, written from a variant: `variant.toml` and `board.json`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields

from gamesmaster.board import board_text
from gamesmaster.rules import BuildSites, Mechanic
from gamesmaster.variant import BOARD, VARIANT, Calendar, Power, Variant

_WIDTH = 110
"""Characters of a line of a list or a comment."""


def variant_files(variant: Variant, comments: Iterable[str] = ()) -> dict[str, str]:
    """Return the texts of `variant.toml` and `board.json` by their names; `comments` begin the first.

    Only the parts that a variant of another program can have are written, not options, clauses and kinds of unit.  The
    board is that of the edition, if there is one: mechanics have extended the variant's.
    """
    board = (variant.edition and variant.edition.text(BOARD)) or board_text(variant.board)
    return {VARIANT: variant_text(variant, comments), BOARD: board}


def variant_text(variant: Variant, comments: Iterable[str] = ()) -> str:
    """Return the text of `variant.toml` for a variant."""
    head = {"format": 1, "id": variant.id, "name": variant.name}
    if variant.build_sites is not BuildSites.OWN_HOMES:
        head["build_sites"] = variant.build_sites.value
    parts = [
        *(textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="#   ") for text in comments),
        _table("", head),
        _table("[victory]", {"centres": variant.victory.centres}),
        _calendar(variant.calendar),
        *(_power(variant, power) for power in variant.powers),
        *(_table("[[mechanics]]", _parameters(mechanic)) for mechanic in variant.mechanics),
    ]
    return "\n".join(parts)


def _table(head: str, values: Mapping[str, object]) -> str:
    lines = [head] if head else []
    return "\n".join([*lines, *(f"{key} = {_value(value)}" for key, value in values.items())]) + "\n"


def _value(value: object) -> str:
    """Return a value as TOML writes it; long lists take several lines."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    assert isinstance(value, Iterable)
    words = [_value(word) for word in value]
    line = f"[{', '.join(words)}]"
    if len(line) <= _WIDTH:
        return line
    return "[\n" + "".join(f"  {row},\n" for row in _rows(words)) + "]"


def _rows(words: Iterable[str]) -> Iterator[str]:
    row = ""
    for word in words:
        if row and len(row) + len(word) > _WIDTH:
            yield row
            row = ""
        row = f"{row}, {word}" if row else word
    yield row


def _calendar(calendar: Calendar) -> str:
    values: dict[str, object] = {"first_year": calendar.first_year}
    if calendar.years_per_turn != 1:
        values["years_per_turn"] = calendar.years_per_turn
    if calendar.era:
        values["era"] = calendar.era.value
    if calendar.start:
        values["first_phase"] = calendar.first.code
    phases = []
    for slot in calendar.slots:
        words: dict[str, object] = {"season": slot.season, "kind": slot.kind.value}
        words |= {"letter": slot.letter} if slot.letter != slot.season[0].upper() else {}
        words |= {"also": list(slot.also)} if slot.also else {}
        words |= {"years": slot.years} if slot.years else {}
        words |= {"count": True} if slot.count else {}
        phases.append("{ " + ", ".join(f"{key} = {_value(value)}" for key, value in words.items()) + " }")
    return _table("[calendar]", values) + "phases = [\n" + "".join(f"  {phase},\n" for phase in phases) + "]\n"


def _power(variant: Variant, power: Power) -> str:
    board, start = variant.board, variant.start
    values: dict[str, object] = {"name": power.name}
    if power.adjective != power.name:
        values["adjective"] = power.adjective
    if power.also:
        values["also"] = power.also
    if power.homes != tuple(p.id for p in board.provinces if p.home == power.name and p.centre):
        values["homes"] = power.homes
    centres = tuple(key for key in board.centres if start.owners.get(key) == power.name)
    if centres != power.homes:
        values["centres"] = centres
    return _table("[[powers]]", values | {"units": power.units})


def _parameters(mechanic: Mechanic) -> dict[str, object]:
    """Return the table of a mechanic: its name, and the parameters that differ from their defaults."""
    given = {own.name: (own, getattr(mechanic, own.name)) for own in fields(mechanic)}  # type: ignore[arg-type]
    usual = {
        key: own.default if own.default_factory is MISSING else own.default_factory() for key, (own, _) in given.items()
    }
    return {"name": mechanic.id} | {key: value for key, (_, value) in given.items() if value != usual[key]}
