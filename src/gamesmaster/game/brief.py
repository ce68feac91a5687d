"""A variant in brief: what it does otherwise than the regular game, in a table, and one worked example.

It stands in `brief.toml` beside the variant, written by hand; `gamesmaster show` and the page of the variant print it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from gamesmaster.errors import BadFile
from gamesmaster.game.variant_file import toml_data

PAGE = "brief.toml"


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """One thing that a variant does otherwise: the rule in a sentence, its clauses, and what carries it out.

    `by` are names of mechanics, or parts of the variant's data: `board`, `start`, `victory`, `calendar`, `rulebook`.
    """

    says: str
    clauses: tuple[str, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """The special rules, and the id of a scenario that shows one of them, with what to look at there."""

    special: tuple[SpecialRule, ...] = ()
    example: str = ""
    lead: str = ""


@cache
def find_brief(name: str) -> Brief:
    """That of a variant of the package; read once in a process."""
    return read_brief(Path(str(files("gamesmaster.variants"))) / name)


def read_brief(folder: Path) -> Brief:
    """That in the folder of a variant; an empty one if it has none.

    Raises `BadFile` with the key for what is not in the form.
    """
    path = folder / PAGE
    if not path.exists():
        return Brief()
    from gamesmaster.board.file_faults import checked
    from gamesmaster.game.brief_models import BriefFile

    file = checked(BriefFile, toml_data(path), BadFile, str(path))
    special = tuple(SpecialRule(e.says, tuple(e.clauses.split()), tuple(e.by.split())) for e in file.special)
    example = file.example
    return Brief(special, example.scenario, example.lead) if example else Brief(special)
