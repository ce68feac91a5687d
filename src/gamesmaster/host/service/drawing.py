"""Maps of tables, from what a viewer may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypedDict

from gamesmaster.board import Position
from gamesmaster.game import Ledger
from gamesmaster.host.service import editions
from gamesmaster.host.service.viewing import TableView
from gamesmaster.judge import Rules
from gamesmaster.pictures import Picture, Sign, looks_of, marks_of, signs_of
from gamesmaster.pictures.find import shapes_of
from gamesmaster.pictures.orders_told import Drawable


@lru_cache(maxsize=64)
def picture(variant: str, style: str = "light", layout: str = "wide") -> Picture:
    """The picture of a variant, by its name or address; its base is drawn once."""
    found = editions.find(variant)
    signs = signs_of(Rules.of(found))
    return Picture(found.board, shapes_of(found), found.powers, style=style, layout=layout, signs=signs)


def title(variant: str) -> str:
    """What a map of a variant is called: as the variant is, whose board may be another's."""
    return editions.find(variant).name


def known(name: str) -> str:
    """A variant's name or address, as whoever draws it is to be told it; raises `NotFound` if there is no such."""
    found = editions.find(name)
    return found.address if "@" in name else found.id


def map_svg(
    view: TableView, ordinal: int | None = None, *, orders: Sequence[Drawable] = (), style: str = "light",
    layout: str = "wide",
) -> str:  # fmt: skip
    """The map of the phase being played with these orders over it; of one that is over, with what became of its own."""
    drawn = picture(view.variant.address, style, layout)
    position, subtitle = view.position, view.phase_name
    if ordinal is not None:
        record = view.record(ordinal)
        position, subtitle = record.position, view.variant.calendar.name(record.phase)
        orders = view.adjudication(ordinal).rulings
    return drawn.svg(
        position, title=view.name, subtitle=subtitle, rulings=orders, **scenery(view, position, view.ledger(ordinal))
    )


class Scenery(TypedDict):
    """What a map shows of the things that mechanics keep."""

    marks: Mapping[str, Sequence[Sign]]
    looks: Mapping[int, Sign]
    ledger: Ledger | None


def scenery(view: TableView, position: Position, ledger: Ledger | None) -> Scenery:
    """The marks and looks, and the ledger, of a position of a table; before the game has begun none."""
    rules = view.bare_game.rules if view.begun else None
    return {
        "marks": marks_of(rules, position) if rules else {},
        "looks": looks_of(rules, position) if rules else {},
        "ledger": ledger,
    }
