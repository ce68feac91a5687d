"""Maps of tables, from what a viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gamesmaster.game import find_variant
from gamesmaster.host.service.viewing import TableView
from gamesmaster.judge import Rules
from gamesmaster.pictures import Picture, looks_of, marks_of, signs_of
from gamesmaster.pictures.find import shapes_of
from gamesmaster.pictures.orders_told import Drawable


@lru_cache(maxsize=64)
def picture(variant: str, style: str = "light", layout: str = "wide") -> Picture:
    """The picture of a variant, whose base is drawn once."""
    found = find_variant(variant)
    signs = signs_of(Rules.of(found))
    return Picture(found.board, shapes_of(found), found.powers, style=style, layout=layout, signs=signs)


def map_svg(
    view: TableView, ordinal: int | None = None, *, orders: Sequence[Drawable] = (), style: str = "light",
    layout: str = "wide",
) -> str:  # fmt: skip
    """The map of the phase being played with these orders over it; of one that is over, with what became of its own."""
    drawn = picture(view.variant.id, style, layout)
    position, subtitle = view.position, view.phase_name
    if ordinal is not None:
        record = view.record(ordinal)
        position, subtitle = record.position, view.variant.calendar.name(record.phase)
        orders = view.adjudication(ordinal).rulings
    rules = view.bare_game.rules if view.begun else None
    marks = marks_of(rules, position) if rules else {}
    looks = looks_of(rules, position) if rules else {}
    return drawn.svg(position, title=view.name, subtitle=subtitle, rulings=orders, marks=marks, looks=looks)
