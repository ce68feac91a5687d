"""The words of one game: what its provinces, coasts, powers and units are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gamesmaster.board.model import Board, Location, Province, Terrain
from gamesmaster.orders.names import Names
from gamesmaster.orders.verbs import FILLERS, pairs_of, stops_of, verbs_of
from gamesmaster.orders.words import key

_DIRECTIONS = {"N": "north", "S": "south", "E": "east", "W": "west"}


class Lexicon:
    """Every word that can stand for something on this board, for these powers, kinds of unit and boats.

    `nobodies` are names for those whose units no power has; they may be said of a unit, as a power is.

    `places` are the provinces that some unit can enter, `closed` the impassable ones, named only to say so.
    `coasts` maps the words for a coast to its letters; those of `loose_coasts` need no bracket or stroke.
    `pairs` are the kinds that are two units in one; `verbs` are the words that may stand behind a unit, `stops` all
    words of grammar, `taken` those that a province without a letter before it must not be printed like.
    """

    def __init__(
        self,
        board: Board,
        powers: Mapping[str, Iterable[str]],
        kinds: Mapping[str, Iterable[str]],
        boats: Iterable[str] = (),
        nobodies: Iterable[str] = (),
    ) -> None:
        self.board = board
        self.places = _provinces(p for p in board.provinces if p.terrain is not Terrain.IMPASSABLE)
        self.closed = _provinces(p for p in board.provinces if p.terrain is Terrain.IMPASSABLE)
        others = [(word, power) for power, words in powers.items() for word in words]
        unowned = [(name, name) for name in nobodies]
        self.powers = Names({p: p for p in powers}, [[(p, p) for p in powers], others, unowned])
        self.kinds = {key(word): kind for kind, words in kinds.items() for word in (kind, *words)}
        self.kinds_begin = frozenset(word.split()[0] for word in self.kinds)
        self.longest_kind = max((word.count(" ") + 1 for word in self.kinds), default=0)
        self.loose_coasts, self.coasts = _coasts(board)
        self.boats = _boats(tuple(boats))
        self.boat = next(iter(self.boats.shown), "")
        self.pairs = pairs_of(kinds)
        self.verbs = verbs_of(pairs=bool(self.pairs), boats=bool(self.boat))
        self.stops = stops_of(self.verbs, boats=bool(self.boat))
        self.taken = frozenset({*self.kinds, *self.verbs, *FILLERS})
        self.longest = max(names.longest for names in (self.places, self.closed, self.powers, self.boats))
        self.letters = frozenset("".join(self.places.exact))

    def at(self, province: str, coast: str) -> Location:
        """The location that a province and the letters of a coast name.

        `N` and `NC` are the same coast to a province that has one of them, and a coast may have other names; one that
        the province has not is kept as it is, for the rules to judge (DATC 4.B.6).
        """
        found = self.board.province(province)
        known = {own: own for own in found.coasts} | dict(found.coast_aliases)
        if coast in known or not _direction(coast):
            return Location(province, known.get(coast, coast))
        return Location(province, next((own for name, own in known.items() if _direction(name) == coast[0]), coast))


def _coasts(board: Board) -> tuple[dict[str, str], dict[str, str]]:
    """The words for coasts that may stand loose, and all of them: the board's own go before the usual directions."""
    loose: dict[str, str] = {}
    short: dict[str, str] = {}
    for letter, direction in _DIRECTIONS.items():
        code, small = letter + "C", letter.lower()
        loose |= dict.fromkeys((code.lower(), f"{small} coast", f"{direction} coast"), code)
        short |= {small: letter, direction: code}
    named = (name for p in board.provinces for name in (*p.coasts, *dict(p.coast_aliases)))
    own = {coast.lower(): coast for coast in named}
    loose |= {word: coast for word, coast in own.items() if len(word) > 1}
    return loose, short | loose | own


def _boats(words: tuple[str, ...]) -> Names:
    """The words for a boat, all of which mean the first; each may have an s behind it."""
    return Names({word: word for word in words[:1]}, [[(word + end, words[0]) for word in words for end in ("", "s")]])


def _direction(coast: str) -> str:
    """The letter of a coast named by its direction, as `N` or `NC`; of any other, nothing."""
    return coast[0] if coast[:1] in _DIRECTIONS and coast[1:] in ("", "C") else ""


def _provinces(provinces: Iterable[Province]) -> Names:
    """Names of provinces: ids before abbreviations, before full names, before aliases."""
    listed = tuple(provinces)
    return Names(
        {p.id: f"{p.name} ({p.abbr})" for p in listed},
        [
            [(p.id, p.id) for p in listed],
            [(p.abbr, p.id) for p in listed],
            [(p.name, p.id) for p in listed],
            [(alias, p.id) for p in listed for alias in p.aliases],
        ],
        beginnings_from=2,
    )
