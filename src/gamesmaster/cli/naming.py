"""What a user's words on the command line mean: powers and units."""

from __future__ import annotations

from gamesmaster.errors import BadOrder, NotFound, nearest
from gamesmaster.game import Game


def power_named(game: Game, text: str) -> str:
    """The power of this name, in any case of letters; "" if there is none."""
    try:
        return game.variant.power(text.strip()).name
    except NotFound:
        return ""


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
