"""Requests of programs about phases: JSON documents in a stream, each a state with orders and questions about it.

    {"variant": "standard", "phase": "S1901M", "orders": {"France": ["A Par - Bur"]}, "ask": ["next", "legal"]}

An answer's `next`, with `orders` added, is the next request.  Documents come one per line (JSON Lines), or a single one
over several lines, and are read in bounded memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Annotated, Any, BinaryIO, Literal, NamedTuple

from pydantic import Field

from gamesmaster import strictjson
from gamesmaster.errors import BadFile, BadOrder, with_line
from gamesmaster.formats.form import DEEPEST
from gamesmaster.formats.phases import ruling_data
from gamesmaster.formats.states import orders_by_place, request_of
from gamesmaster.game import LARGEST_SET, Game, Turn, draw_data, happenings, report, state_data, state_of
from gamesmaster.game.state_models import MOST, Name, Short, StateEntry, Text, state_schema
from gamesmaster.judge import LegalOrders
from gamesmaster.rules import Ruling
from gamesmaster.schemas import validate
from gamesmaster.variant import Variant, clause_words

OVERHEAD = 64
"""The memory for a stored line beyond its bytes."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Document(NamedTuple):
    """The text of a document, or of a blank line, and the number of its first line, from 1.

    `text` is None if it is longer than allowed.
    """

    line: int
    text: bytes | None

    @property
    def blank(self) -> bool:
        """True if the line is empty."""
        return self.text is not None and not self.text.strip()

    def place(self, file: str = "") -> str:
        """Return where the document begins: `games.jsonl, line 3`."""
        return f"{file}, line {self.line}" if file else f"line {self.line}"

    def data(self, limit: int, file: str = "") -> object:
        """Return the JSON data it spells; raises `BadFile` with the place in the file."""
        if self.text is None:
            raise BadFile(f"longer than {limit:,} bytes", where=self.place(file))
        try:
            return strictjson.loads(self.text.rstrip(), limit=limit, depth=DEEPEST, sparse=True)
        except BadFile as error:
            within = re.match(r"line (\d+), (.*)", error.where)
            start = self._replace(line=self.line + int(within[1]) - 1) if within else self
            place = [start.place(file), within[2] if within else error.where]
            raise BadFile(error.what, where=", ".join(filter(None, place)), hint=error.hint) from None


def read_documents(stream: BinaryIO, limit: int) -> Iterator[Document]:
    """Yield every line of a stream as a document; blank ones too, so that answers can keep their line.

    If the first text breaks off where more could follow, and no other line is an object by itself, all that follows is
    taken for one document.  A document longer than `limit` bytes is passed over, never held.
    """
    lines = _number_lines(stream, limit)
    for document in lines:
        if not document.blank:
            yield from _documents(document, lines, limit)
        else:
            yield document


def _documents(first: Document, lines: Iterator[Document], limit: int) -> Iterator[Document]:
    """Yield the documents from the first that is not blank on: one over all the lines, or a line each."""
    held = [first]
    if _breaks_off(first.text):
        size = 0
        for document in lines:
            held.append(document)
            size += limit if document.text is None else len(document.text) + OVERHEAD
            if size > limit:
                break
        else:
            whole = b"".join(document.text or b"" for document in held)
            if _fault(whole) is None or not any(map(_is_object, held)):
                held = [first._replace(text=whole)]
    yield from held
    yield from lines


def _breaks_off(text: bytes | None) -> bool:
    """Return whether this is the incomplete beginning of a JSON text."""
    if text is None:
        return False
    fault = _fault(text)
    return isinstance(fault, json.JSONDecodeError) and fault.pos >= len(fault.doc.rstrip())


def _is_object(document: Document) -> bool:
    text = document.text or b""
    return text.lstrip().startswith(b"{") and _fault(text) is None


def _fault(text: bytes) -> Exception | None:
    """Return why this is not JSON, or is not read; None if it is."""
    if strictjson.crowded(text):
        return ValueError("crowded")
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, or no UTF-8
        return error
    return None


def _number_lines(stream: BinaryIO, limit: int) -> Iterator[Document]:
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        long = len(line.rstrip(b"\r\n")) > limit
        while long and not line.endswith(b"\n") and line:
            line = stream.readline(limit)
        yield Document(number, None if long else line)


# -- what programs ask about a phase -----------------------------------------------------------------------------------


LARGEST_DOCUMENT = 2**20
"""Bytes of one request; longer ones are refused."""

Wanted = Literal["next", "legal", "explain", "report"]
Sheet = Annotated[str, Field(max_length=LARGEST_SET)]

ByPlace = Annotated[dict[Short, Text | Annotated[list[Short], Field(max_length=8)]], Field(max_length=MOST)]


class Request(StateEntry):
    """A state, the orders given in it, and what is asked."""

    variant: Name = Field("", description="its name; options may follow in brackets; standard by default")
    map: Name = Field("", description="the same as variant")
    orders: dict[Short, Sheet | Annotated[list[Text], Field(max_length=MOST)] | ByPlace] = Field(
        {}, description="orders by power: a list, a whole sheet as one text, or an order by the place of its unit"
    )
    ask: list[Wanted] = Field(["next"], max_length=8, description="what to answer")

    @property
    def name(self) -> str:
        """The variant's name, as it is called here."""
        return self.variant or self.map or "standard"


class Query:
    """A request: the state that it describes, and its answer.

    `rulebook` is used if the request names none. Raises a `GamesmasterError` that says what is wrong and where.
    """

    def __init__(self, data: object, find: Callable[[str], Variant], *, rulebook: object = None) -> None:
        self._request = validate(Request, request_of(data), BadFile)
        book = self._request.rulebook if self._request.rulebook is not None else rulebook
        entry = self._request.model_copy(update={"variant": self._request.name, "rulebook": book})
        self.state = state_of(entry, find)
        try:
            self.orders = self.state.read(self._as_sent())
        except BadOrder as error:  # its line is one of the orders
            raise with_line(error, "$.orders") from None

    def _as_sent(self) -> dict[str, str | Sequence[str]]:
        """Return the orders of each power as a sheet or a list."""
        rules, kind = self.state.rules, self.state.phase.kind
        return {
            power: orders_by_place(rules, kind, given) if isinstance(given, Mapping) else given
            for power, given in self._request.orders.items()
        }

    @cached_property
    def turn(self) -> Turn:
        """The phase adjudicated."""
        return self.state.play(self.orders)

    def answer(self) -> dict[str, Any]:
        """Return the answers to all questions, as JSON."""
        answers: Mapping[Wanted, Callable[[], dict[str, Any]]] = {
            "next": self._next,
            "legal": lambda: {"legal": self._legal()},
            "explain": lambda: {"explain": [self._explanation(ruling) for ruling in self.turn.adjudication.rulings]},
            "report": lambda: {"report": report(self._game)},
        }
        data: dict[str, Any] = {}
        for wanted in dict.fromkeys(self._request.ask):
            data |= answers[wanted]()
        return data

    def _next(self) -> dict[str, Any]:
        """Return a ruling for each order, the events, the dice, the winner, and the state to go on with."""
        turn, outcome = self.turn, self.turn.next.outcome
        return {
            "orders": [ruling_data(r) for r in turn.adjudication.rulings if r.given],
            "events": [asdict(one) for one in happenings(self.state.variant, turn.record, turn.adjudication)],
            "draws": [draw_data(throw) for throw in turn.throws],
            "winner": outcome.winners[0] if outcome and len(outcome.winners) == 1 else None,
            "next": state_data(turn.next, self._request.name.partition("[")[0].strip()),
        }

    def _legal(self) -> dict[str, list[str]]:
        """Return the legal orders of each power in the phase asked about."""
        state, write = self.state, self.state.rules.notation.write
        legal = LegalOrders(state.rules, state.position)
        if state.outcome:
            return {}
        by_power = {p: list(map(write, legal.of_power(state.phase.kind, p, state.season))) for p in state.survivors}
        return {power: orders for power, orders in by_power.items() if orders}

    def _explanation(self, ruling: Ruling) -> dict[str, Any]:
        """Return the result of an order, or of a unit without one, with its cause and the words of the clause."""
        return {
            **ruling_data(ruling),
            "unit": str(ruling.unit) if ruling.unit else None,
            "by": [{"power": unit.power, "unit": str(unit)} for unit in ruling.by],
            "strengths": list(ruling.strengths) if ruling.strengths else None,
            "rule": clause_words(self.state.variant, self.state.rulebook, ruling.clause),
        }

    @property
    def _game(self) -> Game:
        """A game of this one phase, as reports need it."""
        turn, state = self.turn, self.turn.next
        return Game(
            variant=state.variant,
            rulebook=state.rulebook,
            seed=state.seed,
            phase=state.phase,
            position=state.position,
            throws=turn.throws,
            records=(turn.record,),
            disorder=state.disorder,
            outcome=state.outcome,
            house_rules=state.house_rules,
        )


def request_schema() -> dict[str, Any]:
    """Return the JSON Schema of a request, with what every mechanic keeps."""
    return state_schema(Request)
