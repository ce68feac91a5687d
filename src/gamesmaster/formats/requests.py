"""What programs ask about a phase: a state document with orders, and what they want to know of it.

    {"variant": "standard", "phase": "S1901M", "orders": {"France": ["A Par - Bur"]}, "ask": ["next", "legal"]}

An answer's `next`, with `orders` added, is the next request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from gamesmaster.errors import BadFile
from gamesmaster.formats.phases import ruling_data
from gamesmaster.game import Event, Game, Turn, draw_data, event_reason, report, state_data, state_of
from gamesmaster.game.state import LARGEST_SET
from gamesmaster.game.state_models import MOST, Name, Short, StateEntry, Text, state_schema
from gamesmaster.judge import LegalOrders, Ruling
from gamesmaster.judge.reading.sheets import in_plain_words
from gamesmaster.schemas import checked
from gamesmaster.variant import Variant, clause_words

LARGEST = 2**20
"""Bytes of one request; longer ones are refused."""

Wanted = Literal["next", "legal", "explain", "report"]
Sheet = Annotated[str, Field(max_length=LARGEST_SET)]


class Request(StateEntry):
    """A state, the orders given in it, and what is asked."""

    variant: Name = Field("", description="its name; options may follow in brackets; standard by default")
    map: Name = Field("", description="the same as variant")
    orders: dict[Short, Sheet | Annotated[list[Text], Field(max_length=MOST)]] = Field(
        {}, description="orders by power: a list, or a whole sheet as one text"
    )
    ask: list[Wanted] = Field(["next"], max_length=8, description="what to answer")

    @property
    def name(self) -> str:
        """The variant's name, as it is called here."""
        return self.variant or self.map or "standard"


class Query:
    """A request read: the state it tells of, and its answer.

    `rulebook` is used where the request names none.  Raises a `GamesmasterError` that names what is wrong and where.
    """

    def __init__(self, data: object, find: Callable[[str], Variant], *, rulebook: object = None) -> None:
        self._request = checked(Request, data, BadFile)
        book = self._request.rulebook if self._request.rulebook is not None else rulebook
        entry = self._request.model_copy(update={"variant": self._request.name, "rulebook": book})
        self.state = state_of(entry, find)
        self.orders = self.state.read(self._house_style(self._request.orders))

    def _house_style(self, orders: Mapping[str, str | Sequence[str]]) -> dict[str, str | Sequence[str]]:
        """Orders in any dialect, as every door reads them, in the house style; those of nobody are left as they are."""
        state, names = self.state, {name.casefold(): name for name in self.state.rules.powers}
        phase = (state.rules, state.phase.kind, state.position)
        return {
            power: in_plain_words(*phase, names[power.casefold()], texts, state.season)
            if power.casefold() in names
            else texts
            for power, texts in orders.items()
        }

    @cached_property
    def turn(self) -> Turn:
        """The phase adjudicated."""
        return self.state.adjudicate(self.orders)

    def answer(self) -> dict[str, Any]:
        """All that is asked, as JSON."""
        asked: Mapping[Wanted, Callable[[], dict[str, Any]]] = {
            "next": self._next,
            "legal": lambda: {"legal": self._legal()},
            "explain": lambda: {"explain": self._explained()},
            "report": lambda: {"report": report(self._game)},
        }
        found: dict[str, Any] = {}
        for wanted in dict.fromkeys(self._request.ask):
            found |= asked[wanted]()
        return found

    def _next(self) -> dict[str, Any]:
        """A ruling for every order given, what befell, how dice fell, who has won, and the state to go on with."""
        turn, outcome = self.turn, self.turn.next.outcome
        return {
            "orders": [ruling_data(r) for r in turn.adjudication.rulings if r.given],
            "events": [self._event_data(event) for event in turn.record.events],
            "draws": [draw_data(throw) for throw in turn.throws],
            "winner": outcome.winners[0] if outcome and len(outcome.winners) == 1 else None,
            "next": state_data(turn.next, self._request.name.partition("[")[0].strip()),
        }

    def _event_data(self, event: Event) -> dict[str, str]:
        told = event_reason(self.state.variant, self.state.phase, event)
        return {
            "kind": event.kind.value,
            "power": event.power,
            "province": event.province,
            "of": event.of,
            "text": told.text,
            "clause": told.clause,
        }

    def _legal(self) -> dict[str, list[str]]:
        """What each power may be ordered in the phase asked about."""
        state, write = self.state, self.state.rules.notation.write
        legal = LegalOrders(state.rules, state.position)
        if state.outcome:
            return {}
        found = {p: list(map(write, legal.of_power(state.phase.kind, p, state.season))) for p in state.survivors}
        return {power: orders for power, orders in found.items() if orders}

    def _explained(self) -> list[dict[str, Any]]:
        """For every order and every unit without one: what became of it, by whose doing, and the clause's own words."""
        return [self._explanation(ruling) for ruling in self.turn.adjudication.rulings]

    def _explanation(self, ruling: Ruling) -> dict[str, Any]:
        return {
            **ruling_data(ruling),
            "unit": str(ruling.unit) if ruling.unit else None,
            "by": [{"power": unit.power, "unit": str(unit)} for unit in ruling.by],
            "strengths": list(ruling.strengths) if ruling.strengths else None,
            "rule": clause_words(self.state.variant, self.state.rulebook, ruling.clause),
        }

    @property
    def _game(self) -> Game:
        """A game of this one phase, as reports tell of it."""
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
    """The JSON Schema of a request, with what every mechanic keeps."""
    return state_schema(Request)
