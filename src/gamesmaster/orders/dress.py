"""Dress: orders written in a dialect, by the patterns of its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gamesmaster.board.model import Location
from gamesmaster.orders.dialect import Dialect
from gamesmaster.orders.lexicon import Lexicon
from gamesmaster.orders.model import Order, Verb
from gamesmaster.orders.words import key

_SHORT_POWER = 3


class Dress:
    """Writes orders in a dialect on one board; what the dialect has no pattern for, it leaves to the house style.

    `short` and `full` are the names of provinces by id as the house style prints them.
    """

    def __init__(self, lexicon: Lexicon, dialect: Dialect, short: Mapping[str, str], full: Mapping[str, str]) -> None:
        self.lexicon, self.table = lexicon, dialect.write
        self.names = dict(full if self.table.get("names") == "full" else short)
        if self.table.get("names") == "dialect":
            self.names |= _own_names(lexicon, dialect, {} if self.table.get("case") else full)

    def write(self, order: Order) -> str | None:
        """The order, or None if this dialect cannot say it."""
        pattern = self.table.get(_pattern(order))
        if pattern is None or order.boats or order.landing or (order.of_kind and not order.of):
            return None
        if order.route and "{route}" not in pattern:
            return None
        if "{power}" not in self.table["unit"]:
            order = replace(order, of_power="")
        parts = {
            "unit": self._unit(order.power, order.kind, order.at) if order.at else "",
            "kind": self._kind(order.kind),
            "power": self._power(order.power),
            "of": self._helped(order) if order.of else "",
            "goal": self._place(order.to) if order.to else "",
            "route": self.table.get("between", " ").join(self._place(Location(water)) for water in order.route),
        }
        return " ".join(pattern.format(**parts).split())

    def _helped(self, order: Order) -> str:
        assert order.of is not None
        if "of" in self.table:
            return str(self.table["of"].format(place=self._place(order.of)))
        return self._unit(order.of_power, order.of_kind, order.of)

    def _unit(self, power: str, kind: str, at: Location) -> str:
        parts: dict[str, Any] = {"power": self._power(power), "kind": self._kind(kind), "place": self._place(at)}
        written = " ".join(str(self.table["unit"].format(**parts)).split())
        return written.replace("( ", "(")

    def _kind(self, kind: str) -> str:
        return str(self.table.get("kind", {}).get(kind, kind))

    def _power(self, power: str) -> str:
        return power[:_SHORT_POWER].upper()

    def _place(self, at: Location) -> str:
        name = self._cased(self.names[at.province])
        if not at.coast:
            return name
        coast = self.table.get("coasts", {}).get(at.coast, self._cased(at.coast))
        return str(self.table["coast"].format(place=name, coast=coast))

    def _cased(self, name: str) -> str:
        case = self.table.get("case")
        return name.upper() if case == "upper" else name.lower() if case == "lower" else name


def _own_names(lexicon: Lexicon, dialect: Dialect, full: Mapping[str, str]) -> dict[str, str]:
    """The dialect's own names of provinces, the first that its table has; those of the board where it has none.

    None is written with which another place's name begins: "Roma" might be Romania, cut short.
    """
    ids = {province.name: province.id for province in lexicon.board.provinces}
    known = [(key(name), p.id) for p in lexicon.board.provinces for name in (p.name, *p.aliases)]
    own = {ids[name]: words[0] for name, words in dialect.names.items() if name in ids and words}
    clear = {at: word for at, word in own.items() if not any(n.startswith(key(word)) and i != at for n, i in known)}
    return {**full, **clear}


def _pattern(order: Order) -> str:
    """Which pattern of the table an order goes by."""
    if order.verb is Verb.MOVE:
        return "route" if order.route else "via" if order.via else "move"
    if order.verb is Verb.SUPPORT and order.to is None:
        return "supporthold"
    return order.verb.value
