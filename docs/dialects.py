"""Print the page `dialects.md`: every dialect of orders side by side, from its table."""

from __future__ import annotations

from gamesmaster.board import Location
from gamesmaster.orders import Order, Verb
from gamesmaster.orders.dialect import HOUSE, Dialect, dialects
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

HEAD = """# Dialects of orders

Orders are read in all of these, whichever a player likes, and mixed; `gamesmaster read --dialect` and
`Notation.write(order, dialect=...)` write them. Each dialect is a file in `src/gamesmaster/orders/dialects/`: its
words, its names of provinces, powers and coasts, its forms. A new dialect is a new file.
This page is made by `python docs/dialects.py > docs/dialects.md`; the tests see to it that it is current.
"""

A_PAR, A_MAR, BUR = Location("PAR"), Location("MAR"), Location("BUR")
SHOWN = {
    "hold": Order(Verb.HOLD, "A", A_PAR, power="France"),
    "move": Order(Verb.MOVE, "F", Location("MAO"), Location("SPA", "NC"), power="France"),
    "support": Order(Verb.SUPPORT, "A", A_MAR, BUR, A_PAR, "A", power="France", of_power="France"),
    "support in place": Order(Verb.SUPPORT, "A", A_MAR, None, BUR, "A", power="France", of_power="France"),
    "convoy": Order(
        Verb.CONVOY, "F", Location("NTH"), Location("NWY"), Location("LON"), "A", "England", power="England"
    ),
    "move by convoy": Order(Verb.MOVE, "A", Location("LON"), Location("NWY"), via=True, power="England"),
    "retreat": Order(Verb.RETREAT, "A", BUR, Location("GAS"), power="France"),
    "disband": Order(Verb.DISBAND, "A", BUR, power="France"),
    "build": Order(Verb.BUILD, "F", Location("STP", "SC"), power="Russia"),
    "remove": Order(Verb.REMOVE, "A", Location("WAR"), power="Russia"),
    "waive": Order(Verb.WAIVE, power="Russia"),
}
"""One order of each sort, in the regular game."""

TABLES = {
    "to": "to go",
    "hold": "to hold",
    "support": "to support",
    "supportletter": "to support, before a unit",
    "supporthold": "to support in place",
    "supportmove": "to support a move",
    "convoy": "to convoy",
    "retreat": "to retreat",
    "disband": "to disband",
    "build": "to build",
    "remove": "to remove",
    "waive": "to waive",
    "bysea": "by convoy",
    "viasea": "to go by convoy",
    "board": "to go aboard",
    "take": "to take aboard",
    "land": "to go ashore",
    "make": "to build a boat",
    "destroy": "to destroy a boat",
    "carry": "to carry a boat",
    "designate": "to name a home centre",
}


def main() -> None:
    """Print the page."""
    notation = Rules.of(find_variant("standard")).notation
    print(HEAD)
    print("## The same orders in every dialect\n")
    for name, order in SHOWN.items():
        print(f"### {name[0].upper()}{name[1:]}\n\n| dialect | |\n| --- | --- |")
        for dialect in dialects().values():
            if dialect.write or dialect.id == HOUSE:
                plain = dialect.id == HOUSE or "{power}" not in str(dialect.write)
                said = _bare(order) if plain else order
                print(f"| {dialect.title} | {_code(notation.write(said, dialect=dialect.id))} |")
        print()
    print("## Words\n\nBesides the signs and letters that all share.\n")
    for dialect in dialects().values():
        _words(dialect)


def _bare(order: Order) -> Order:
    from dataclasses import replace

    return replace(order, power="", of_power="")


def _words(dialect: Dialect) -> None:
    rows = [(said, words) for table, said in TABLES.items() if (words := dialect.words.get(table))]
    units = [(f"unit {kind}", words) for kind, words in dialect.kinds.items() if kind != "?"]
    names = [(name, words) for name, words in dialect.names.items()]
    print(f"### {dialect.title}\n\n{dialect.about}\n")
    for head, found in (("meaning", [*rows, *units]), ("province", names)):
        if found:
            print(f"| {head} | |\n| --- | --- |")
            for said, words in found:
                print(f"| {said} | {', '.join(map(_code, words))} |")
            print()


def _code(text: str) -> str:
    return f"`{text}`"


if __name__ == "__main__":
    main()
