"""One notation of orders for every door: the site, mail, files, bots and the command line read and write with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from gamesmaster.board import ARMY, FLEET, Board, Location, Province, with_coast
from gamesmaster.errors import Ambiguous, Unreadable
from gamesmaster.orders.model import DASH, UNREAD, WITH, AnyVerb, Order, PhaseKind, Verb
from gamesmaster.orders.sentence import LONGEST_ORDER, CommonForms, Sentence
from gamesmaster.orders.words import Lexicon, key

if TYPE_CHECKING:
    from gamesmaster.orders.dialect import Dress

HOUSE = "house"  # the dialect that orders are written in if no other is asked for

STANDARD_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType({ARMY: ("army",), FLEET: ("fleet",)})
"""Letters of the regular units, and other words for them."""


MOST_MEANINGS = 12  # a text that could mean more orders than this is not looked into


class _Style(NamedTuple):
    """How orders are printed: with verbs in `full`, the names of provinces by id, and coasts `spelt` out."""

    full: bool
    names: Mapping[str, str]
    spelt: bool = False

    def verb(self, verb: AnyVerb) -> str:
        """Return a verb as `S`, or `supports`."""
        phrase = verb.phrase
        return phrase.full if self.full and phrase.full else phrase.short

    def place(self, at: Location) -> str:
        """Return a location as `Stp/SC`, or `St Petersburg (sc)`."""
        name = self.names[at.province]
        return with_coast(name, at.coast, spelt=self.spelt) if at.coast else name


class Notation:
    """Reads orders from text and writes them, for one board.

    `powers` gives each power's name and other words for it (`{"France": ["French"]}`), `kinds` each letter of a unit
    and other words for it, `carried` the words for things that units make and carry, the printed one first.  `nobodies`
    are names of those whose units no power has, `verbs` the verbs that mechanics add.  Reading looks at one order only,
    never at a position (STD-4.f); the same text always gives the same order.
    """

    def __init__(
        self,
        board: Board,
        powers: Mapping[str, Iterable[str]] = MappingProxyType({}),
        kinds: Mapping[str, Iterable[str]] = STANDARD_KINDS,
        carried: Iterable[str] = (),
        nobodies: Iterable[str] = (),
        verbs: Iterable[AnyVerb] = (),
    ) -> None:
        self._lexicon = Lexicon(board, powers, kinds, carried, nobodies, verbs)
        self._dresses: dict[str, Dress] = {}
        short = {p.id: self._unique_name(p, p.abbr, p.id, p.name) for p in board.provinces}
        self._common = CommonForms(self._lexicon)
        self._printed = CommonForms(self._lexicon, only=frozenset(map(key, short.values())))
        full = {p.id: self._unique_name(p, p.name, p.abbr, p.id) for p in board.provinces}
        named = {p.id for p in board.provinces if full[p.id] == p.name != short[p.id]}  # "14 (Seneca)"
        beside = short | {at: f"{short[at]} ({full[at]})" for at in named}
        self._by_name = _Style(True, full, spelt=True)
        self._in_short = _Style(False, short)
        self._in_full = _Style(True, beside) if board.numbered else self._by_name
        self._told = _Style(False, beside) if board.numbered else self._in_short

    @property
    def lexicon(self) -> Lexicon:
        """The words of this game."""
        return self._lexicon

    def _unique_name(self, province: Province, *names: str) -> str:
        """Return the first name that means this province and no other."""
        meant = self._lexicon.places.exact
        return next((name for name in names if meant.get(key(name)) == (province.id,)), province.id)

    def read(self, text: str, phase: PhaseKind | None = None, *, settled: Mapping[int, str] | None = None) -> Order:
        """Return the order in a text.

        `phase` decides what a few words mean: in a retreat phase a step is a retreat, in an adjustment phase to
        disband is to remove.  A missing unit letter gives `kind` "", a wrong one is kept (DATC 4.C.1, 4.C.2), and so is
        a coast that the province has not (DATC 4.B.6): the rules judge those.  Names are read exactly.  `settled` says
        which province the name at a word (from 0) means, where two have that name.

        Raises `Unreadable` if the words make no order, `Ambiguous` if a name in it could mean several things; both
        name the column (from 1).
        """
        if len(text) > LONGEST_ORDER:
            raise Unreadable(f"an order of {len(text)} characters; the most is {LONGEST_ORDER}")
        if text.startswith(UNREAD):
            raise Unreadable("this was not understood when it was sent")
        return self._common.read(text, phase) or Sentence(self._lexicon, text, settled).read(phase)

    def look_up(self, text: str, phase: PhaseKind) -> Order | None:
        """Return the order of a text in one of the forms that `write` prints most often; None for any other text."""
        return self._printed.read(text, phase)

    def prints(self, order: Order, text: str) -> bool:
        """Return whether a text is just as `write` prints an order, in upper or lower case."""
        return self.write(order).casefold() == text.casefold()

    def power(self, name: str) -> str:
        """Return the power that a name means, however it is spelt; empty if none or several."""
        meanings = self._lexicon.powers.exact.get(key(name), ())
        return meanings[0] if len(meanings) == 1 else ""

    def meanings(self, text: str, phase: PhaseKind | None = None) -> tuple[Order, ...]:
        """Return every order that a text can mean, one for each province that has a name in it (CLN-H.f).

        One for a clear text; none if it is not an order, or could mean more than `MOST_MEANINGS`.
        """
        found: list[Order] = []
        trials: list[dict[int, str]] = [{}]
        while trials and len(trials) + len(found) <= MOST_MEANINGS:
            settled = trials.pop()
            try:
                found.append(self.read(text, phase, settled=settled))
            except Ambiguous as doubt:
                trials += [{**settled, doubt.word: meaning} for meaning in reversed(doubt.meanings)]
            except Unreadable:
                continue
        return () if trials else tuple(found)

    def write(self, order: Order, *, full: bool = False, dialect: str = "") -> str:
        """Return an order as text: `A Mun S A Par - Bur`, or, `full`, `A Munich supports A Paris - Burgundy`.

        In a `dialect` it is written as people or programs with that habit do (`(GER AMY MUN) SUP (FRA AMY PAR) MTO
        BUR`), in the house style if the dialect has no words for it. Raises `NotFound` for an unknown dialect.

        If provinces have numbers, `full` puts the names beside them: `W 14 (Seneca) supports W 13 (Cayuga)`. Reading
        the text in the order's own phase gives the order again.
        """
        dressed = self._dress(dialect).write(order) if dialect not in ("", HOUSE) else None
        return dressed or self._text(order, self._in_full if full else self._in_short)

    def _dress(self, dialect: str) -> Dress:
        if dialect not in self._dresses:
            from gamesmaster.orders.dialect import Dress, find_dialect

            found = find_dialect(dialect)
            self._dresses[dialect] = Dress(self._lexicon, found, self._in_short.names, self._by_name.names)
        return self._dresses[dialect]

    def tell(self, order: Order) -> str:
        """Return an order as reports and maps print it: short, with the names beside numbers.

        `A Mun S A Par - Bur` on most boards, `W 14 (Seneca) - 13 (Cayuga)` if provinces have numbers. Reading the
        text in the order's own phase gives the order again.
        """
        return self._text(order, self._told)

    def _text(self, order: Order, style: _Style) -> str:
        if order.at is None:
            return " ".join(filter(None, (order.power, "Waive")))
        if order.verb.phrase.led or (order.of_kind and not order.of):
            return " ".join(filter(None, (order.power, order.verb.capitalize(), self._object(order, order.at, style))))
        text = self._unit(order.power, order.kind, order.at, style)
        if verb := style.verb(order.verb):
            text = f"{text} {verb}"
        if order.of:
            text = f"{text} {self._unit(order.of_power, order.of_kind, order.of, style)}"
        if order.to:
            text = f"{text} {self._goal(order, order.to, style)}"
        if order.via:
            text = f"{text} {self._convoy(order, style)}"
        return f"{text} {self._things(order)}" if order.carried else text

    def _object(self, order: Order, at: Location, style: _Style) -> str:
        """Return the text after a verb that begins its order: a home centre, a unit, or one half of a pair."""
        if order.verb.phrase.place:
            return style.place(at)
        if order.of_kind:
            return f"{order.kind} from {self._unit('', order.of_kind, at, style)}"
        return self._unit("", order.kind, at, style)

    def _goal(self, order: Order, to: Location, style: _Style) -> str:
        """Return the destination of the unit, or of the one that it supports or convoys, as text."""
        if order.of_power and not order.of:
            return self._unit(order.of_power, "", to, style)
        if order.doing is None and not order.verb.phrase.bare:
            return f"{DASH} {style.place(to)}"
        doing = order.doing or order.verb
        before = doing.phrase.short if order.doing else ""
        return " ".join(filter(None, (before, "" if doing.phrase.bare else DASH, style.place(to))))

    def _things(self, order: Order) -> str:
        """Return the things that the unit takes along, makes or destroys as text; a number only if there are several.

        If the notation has no words for them, they have their names on the board, which it cannot read.
        """
        thing, builders = self._lexicon.thing or self._lexicon.board.thing, order.builders
        counted = f"{order.carried} {thing}" if order.carried > 1 or len(builders) > 1 else thing
        along = order.verb in (Verb.MOVE, Verb.RETREAT)
        return " ".join(filter(None, (WITH if along else "", counted, "of" if builders else "", *builders)))

    def _unit(self, power: str, kind: str, at: Location, style: _Style) -> str:
        """Return a unit as text; its power is behind it only if the power's word looks like a unit's letter.

        Without a letter, a province printed like a letter or a verb has its full name.
        """
        doubtful = not kind and key(self._in_short.names[at.province]) in self._lexicon.taken
        place = self._by_name.place(at) if doubtful else style.place(at)
        if not power:
            return f"{kind} {place}" if kind else place
        before, behind = ("", f"({power})") if key(power) in self._lexicon.kinds else (power, "")
        return " ".join(filter(None, (before, kind, place, behind)))

    def _convoy(self, order: Order, style: _Style) -> str:
        names = ", ".join(style.place(Location(water)) for water in order.route)
        return f"via {names}" if names else "VIA" if style is self._in_short else "via convoy"
