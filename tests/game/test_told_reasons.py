"""Every reason that is given has been reviewed: its clause says what happened, and its sentence says the same.

`tests/data/told_reasons.tsv` has them: variant, cause (with what a mechanic knows better of it) or event, clause,
sentence.  A reason that is not in it fails here with the line to add, once somebody has read the clause beside the
sentence.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from gamesmaster.mechanics import IMPLIED, MECHANICS
from gamesmaster.rules import causes_with
from gamesmaster.variant import find_rules_text, find_variant
from gamesmaster.variant.sources import file_of, shelf
from tests.lengths import mark_long, short_and_long
from tests.open_variants import ruled_variants
from tests.reasons import Given, Reason, in_games, in_scenarios
from tests.scenarios.setup import with_ends

TABLE = Path(__file__).parents[1] / "data/told_reasons.tsv"
FAMILIES = ruled_variants()
OPTIONS = (
    "1000ad[af_module=yes]", "conquest2[indians=sixth]", "indianomacy[bay_exit=may]",
    "scottomacy[england_free_replaced=no,second_force=postponed,taking_aboard=fleet]",
)  # fmt: skip

GAMES = frozenset({"standard", "cline9", "fog", "welfare", "1900", *OPTIONS[1:]})
"""Variants of which a game is looked at in the short run, too; they have all mechanics between them."""


@cache
def reviewed() -> frozenset[Reason]:
    """The reasons that somebody has reviewed."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return frozenset(Reason(*line.split("\t")) for line in lines)


def _unknown(given: list[Given]) -> str:
    """The lines to add to the table, each once, with an example."""
    found = {one.reason: one for one in given if one.reason not in reviewed()}
    shown = [(one, "\t".join(reason)) for reason, one in sorted(found.items())]
    return "\n".join(f"{line}\n    # {one.order} => {one.text} ({one.where})" for one, line in shown)


@pytest.mark.parametrize("name", FAMILIES)
@short_and_long("step", 4, 1)
def test_reasons_in_scenarios_are_reviewed(name: str, step: int) -> None:
    """In the scenarios of a variant, or in every `step`-th of them."""
    assert _unknown(list(in_scenarios(find_variant(name), file_of(shelf() / name, "scenarios.json"), step))) == ""


@pytest.mark.parametrize("name", mark_long([*FAMILIES, *OPTIONS], but=GAMES))
@short_and_long("games", 1, 40)
def test_reasons_in_games_are_reviewed(name: str, games: int) -> None:
    """In random games of it, with orders good, bad and mad; and no sentence is contradicted by its numbers."""
    given = list(in_games(name, games))
    assert _unknown(given) == ""
    assert [one for one in given if one.contrary] == []


@pytest.mark.parametrize("name", FAMILIES)
def test_what_was_reviewed_is_still_told_so(name: str) -> None:
    """A clause or a sentence that was reviewed and has been changed since is to be reviewed again."""
    told = [find_variant(one).clauses for one in (name, *(one for one in OPTIONS if one.startswith(f"{name}[")))]
    scenarios = json.loads(file_of(shelf() / name, "scenarios.json").read_text(encoding="utf-8"))
    ends = (one["other"]["ends"] for one in scenarios if "ends" in one.get("other", {}))
    told += [with_ends(find_variant(name), **one).clauses for one in ends]
    causes = causes_with((*MECHANICS.values(), *IMPLIED))
    known = {clause.id for book in (name, "standard") for clause in find_rules_text(book).clauses}
    for reason in sorted(one for one in reviewed() if one.variant == name):
        assert reason.clause in known or reason.clause.startswith("DATC "), reason
        if not reason.word.startswith("event "):
            word, _, aspect = reason.word.partition(".")
            cause = causes[word]
            assert (reason.clause, reason.says) in [(t.of(cause, aspect), t.words(cause, aspect)) for t in told], reason
