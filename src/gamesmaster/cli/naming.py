"""What a user's words on the command line mean: powers, units, clauses."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from gamesmaster.errors import BadOrder, NotFound, nearest
from gamesmaster.game import Game, find_rules_text, rules_text_names
from gamesmaster.judge import Rulebook

REGULAR = "standard"  # its rules hold in every variant that does not change them


def power_named(game: Game, text: str) -> str:
    """The power of this name, in any case of letters; "" if there is none."""
    return next((p.name for p in game.variant.powers if p.name.casefold() == text.strip().casefold()), "")


def province_named(game: Game, text: str) -> str:
    """The id of the province of a unit, or of an order's unit; raises `NotFound` with the nearest power or place.

    `A Par - Bur`, `A Par`, `Par` and `Paris` all mean Paris.
    """
    notation, kind = game.rules.notation, game.phase.kind
    for words in (text, f"{text} H"):
        try:
            order = notation.read(words, kind)
        except BadOrder as error:
            problem = error
        else:
            if order.at:
                return order.at.province
    powers = nearest(text, (p.name for p in game.variant.powers))
    raise NotFound(f"no order, unit or power {text[:60]!r}: {problem.what}", hint=powers or problem.hint)


def clause_words(game: Game, clause: str) -> str:
    """A clause in its own words: from the variant's or the regular rules, or the DATC's question as answered here."""
    if clause.startswith("DATC "):
        issue = clause.removeprefix("DATC ")
        for field in fields(Rulebook):
            if field.metadata["issue"] == issue:
                answer = getattr(game.rulebook, field.name).replace("_", " ")
                return f"{field.metadata['question']} Here: {answer}."
    own = _clauses(game.variant.family)
    return own.get(clause) or _clauses(REGULAR).get(clause, "")


@cache
def _clauses(variant: str) -> dict[str, str]:
    """Clause id to its words, from the rulebook that comes with a variant of the package."""
    if variant not in rules_text_names():
        return {}
    return {clause.id: clause.words for clause in find_rules_text(variant).clauses}
