"""Whatever players do, in whatever order, a game keeps its promises."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gamesmaster.errors import OutOfTurn
from gamesmaster.game import Game, dumps, history, loads, verify
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import find_variant

STANDARD = find_variant("standard")
POWERS = tuple(power.name for power in STANDARD.powers)
PLACES = [str(place) for place in STANDARD.board.locations]
WILD = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@st.composite
def order_sets(draw: st.DrawFn, game: Game, power: str) -> list[str]:
    """Orders for some of a power's units, most of them possible, some nonsense."""
    orders = []
    board = game.variant.board
    for unit in (*game.position.of(power), *(d.unit for d in game.position.dislodged if d.unit.power == power)):
        near = sorted(board.neighbours[board.index[unit.at.province]])
        to = board.provinces[draw(st.sampled_from(near))].id
        text = draw(
            st.sampled_from(["{u} - {to}", "{u} H", "{u} S A {to} - {far}", "{u} C A {to} - {far}", "{u} D", ""])
        )
        orders.append(text.format(u=unit, to=to, far=draw(st.sampled_from(PLACES))))
    if game.phase.kind is PhaseKind.ADJUSTMENTS:
        orders += [f"Build A {home}" for home in game.variant.power(power).homes]
    return [*orders, draw(WILD)] if draw(st.booleans()) else orders


class Play(RuleBasedStateMachine):
    """Players submit, vote, vanish; the Gamesmaster processes, looks ahead and rolls back."""

    def __init__(self) -> None:
        super().__init__()
        self.game = Game.start(STANDARD, seed=bytes(32))

    @rule(data=st.data())
    @precondition(lambda self: not self.game.outcome)
    def everybody_submits(self, data: st.DataObject) -> None:
        """All powers that may send orders do."""
        for power in self.game.survivors:
            if power not in self.game.disorder:
                orders = "\n".join(data.draw(order_sets(self.game, power))).replace(":", " ")
                self.game = self.game.submit(power, orders, phase=self.game.phase.code)

    @rule()
    @precondition(lambda self: not self.game.outcome)
    def process(self) -> None:
        """What comes of a phase is what a look ahead said, and the year never goes back."""
        before, seen = self.game, self.game.what_if().position
        self.game = before.process(phase=before.phase.code)
        assert self.game.phase.year >= before.phase.year
        assert {unit.number for unit in self.game.position.units} <= {
            unit.number for unit in (*seen.units, *(d.unit for d in seen.dislodged))
        }

    @rule(power=st.sampled_from(POWERS), yes=st.booleans())
    def vote(self, power: str, yes: bool) -> None:
        """Anybody may vote; who may not is told."""
        try:
            self.game = self.game.vote_draw(power, yes=yes)
        except OutOfTurn:
            assert self.game.outcome or power in self.game.disorder or power not in self.game.survivors

    @rule(power=st.sampled_from(POWERS), gone=st.booleans())
    @precondition(lambda self: not self.game.outcome)
    def vanish(self, power: str, gone: bool) -> None:
        """A player goes, or comes back."""
        if power in self.game.survivors:
            self.game = self.game.set_disorder(power, gone=gone)

    @rule(number=st.integers(0, 9))
    @precondition(lambda self: self.game.records)
    def rollback(self, number: int) -> None:
        """The Gamesmaster takes some phases back."""
        record = self.game.records[number % len(self.game.records)]
        self.game = self.game.rollback(record.phase.code)
        assert self.game.position == record.position

    @invariant()
    def the_record_is_true(self) -> None:
        """The record comes back as it was, follows from its orders, and can be told."""
        text = dumps(self.game)
        assert loads(text, verify=False) == self.game
        assert verify(self.game) == []
        assert self.game.position.problems(STANDARD.board) == []
        assert history(self.game).startswith("Diplomacy")


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=5, stateful_step_count=20, deadline=None)


class PlayOn(Play):
    """The same in more games."""


TestPlayOn = pytest.mark.long(PlayOn.TestCase)
TestPlayOn.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
