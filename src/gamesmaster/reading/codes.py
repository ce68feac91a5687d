"""Codes: a move said by the codes of two places and nothing else, as the map shows them: `par bur`.

A code goes before what the word says in some language: "7 t" goes to the sea "t", although Frenchmen hold by "t".
"""

from __future__ import annotations

from collections.abc import Callable

from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.reading.meaning import Meaning, Scene
from gamesmaster.reading.passages import Passage
from gamesmaster.reading.sketch import Named, Place, Sketch
from gamesmaster.reading.wordbook import EXACT, Spot
from gamesmaster.rules import Rules


def coded_move(scene: Scene, passage: Passage, is_kind: Callable[[str], bool]) -> Meaning | None:
    """Return the move that these words say if they are two codes and it may be made, else None.

    It is in doubt if the second word also says to hold: "12 h". "a d" is the army at "d", if there is one.
    """
    if scene.kind is not PhaseKind.MOVEMENT or len(passage.keys) != 2 or passage.breaks | passage.stops:
        return None
    unit, goal = (_place(scene.rules, word) for word in passage.keys)
    if not unit or not goal or (is_kind(passage.keys[0]) and scene.unit_at(goal, own=True)):
        return None
    named, there = Named(Place(_spot(unit), at=0, end=1)), Place(_spot(goal), at=1, end=2)
    meaning = scene.meaning([Sketch(Verb.MOVE, EXACT, unit=named, goal=there)])
    if meaning.order and passage.keys[1] == Verb.HOLD.phrase.short.casefold():
        holds = [order for order in scene.by_verb[Verb.HOLD] if order.at and order.at.province == unit]
        return Meaning(doubtful=(*holds[:1], meaning.order), at=1)
    return meaning if meaning.order or meaning.doubtful else None


def _place(rules: Rules, word: str) -> str:
    """Return the province whose code a word is, "" if the word is not one or names several."""
    found = [rules.board.province(place) for place in rules.notation.lexicon.places.exact.get(word, ())]
    coded = [one.id for one in found if word in (one.id.casefold(), one.abbr.casefold())]
    return coded[0] if len(coded) == len(found) == 1 else ""


def _spot(province: str) -> Spot:
    own = frozenset({province})
    return Spot({province: EXACT}, own, own)
