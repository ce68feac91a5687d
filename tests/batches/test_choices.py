"""What programs of one's own choose from in batches: all that is legal, as arrays, and their answers as orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gamesmaster.batches import choices as module
from gamesmaster.batches.choices import ASKED, Choices
from gamesmaster.batches.state import PHASES, WAIVED
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders
from gamesmaster.lab import Batch
from gamesmaster.mechanics import HomeVerb, ReinforcementVerb
from gamesmaster.mechanics.supply import OffBoardSupply
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant
from tests.batches.test_games import shown, submitted
from tests.batches.test_mechanics import bereft, with_winters

pytestmark = pytest.mark.together


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops as they are written: nobody waits for the compiler."""

    def itself(loop: Callable[..., None]) -> Callable[..., None]:
        return loop

    monkeypatch.setattr(module, "_loop", itself)
    monkeypatch.setattr(module, "lay_down", lambda *columns: columns)


def random_answers(choices: Choices, chance: np.random.Generator) -> NDArray[np.intp]:
    """One legal answer for each slot, all equally likely; those of a Winter may contradict one another."""
    answers: NDArray[np.intp] = np.argmax(np.where(choices.legal, chance.random(choices.legal.shape), -1), axis=2)
    return answers


def orders_of(batch: Batch, i: int, choices: Choices) -> list[list[Order]]:
    """The orders on offer for each slot of a game; none for what mechanics ask."""
    game, rows = batch.game(i), []
    for slot in range(choices.power.shape[1]):
        row, offered = slot + 1 if batch.phase.kind is not PhaseKind.ADJUSTMENTS else 1, []
        for n in np.flatnonzero(choices.legal[i, slot] & (choices.verb[i, slot] != ASKED)):
            game.verb[row], game.to[row] = choices.verb[i, slot, n], choices.to[i, slot, n]
            game.about[row] = choices.about[i, slot, n]
            waived = batch.phase.kind is PhaseKind.ADJUSTMENTS and game.verb[row] == WAIVED
            batch.name_own_orders()
            offered += [Order(Verb.WAIVE)] if waived else batch.transcript.orders_of_row(i, row, batch.phase.kind)[1]
            game.load[row] = game.rider[row] = 0
        rows.append(offered)
    return rows


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", ["standard", "1000ad", "indianomacy", "scottomacy"])
def test_the_lists_are_what_is_lawful(name: str) -> None:
    """In every phase of some games the slots are the units or what is due, and their answers what the judge lists."""
    met = lists_met(Batch(find_variant(name), 3, seed=4), 24)
    assert {PhaseKind.MOVEMENT, PhaseKind.RETREATS, Verb.BUILD, Verb.REMOVE} <= met


@pytest.mark.usefixtures("interpreted")
def test_an_eliminated_power_is_asked_nothing() -> None:
    """England has lost her seats: from then on nothing is listed for her, though Fleets would cost her nothing."""
    scottomacy = find_variant("scottomacy")
    batch = Batch(bereft(scottomacy, "England"), 3, seed=4)
    england = 1 + [power.name for power in scottomacy.powers].index("England")
    lists_met(batch, 9)
    fallen = batch.games.fallen[:, england] == 1
    assert batch.phase.code == "W1492A"
    assert fallen.any()
    assert not (batch.choices().power[fallen] == england).any()


@pytest.mark.usefixtures("interpreted")
def test_several_are_built_in_one_place() -> None:
    """As long as there is room there, the same answer may be given again."""
    variant = with_winters([OffBoardSupply("IRI", ("England", "France"), (1, 1, 3))], "IRI")
    batch = Batch(replace(variant, start=replace(variant.start, units=())), 3, seed=4)
    assert Verb.BUILD in lists_met(batch, 2)
    choices = batch.choices()
    asked = choices.power[0] == variant.powers.index(next(p for p in variant.powers if p.name == "England")) + 1
    offered = orders_of(batch, 0, choices)[int(asked.argmax())]
    answers = np.zeros(choices.power.shape, np.int64)
    answers[0, asked] = next(n for n, order in enumerate(offered) if str(order.at) == "IRI")
    batch.choose(answers, choices)
    assert len(batch.orders(0)["England"]) == asked.sum() == 2
    assert {str(order.at) for order in batch.orders(0)["England"]} == {"IRI"}


def lists_met(batch: Batch, phases: int) -> set[object]:
    """Hold the lists of some phases against the judge's; the kinds of phase, and Winters' verbs, that were met."""
    met: set[object] = set()
    rules = Rules.of(batch.variant)
    for _ in range(phases):
        kind, choices = batch.phase.kind, batch.choices()
        for i in range(len(batch)):
            position, offered = batch.position(i), orders_of(batch, i, choices)
            orders = LegalOrders(rules, position)
            for number, power in enumerate(rules.powers, 1):
                slots = np.flatnonzero((choices.power[i] == number) & (choices.verb[i, :, 0] != ASKED))
                own = [offered[slot] for slot in slots]
                legal = [] if power in batch.silent(i) else orders.of_power(kind, power)
                if any(order.verb is Verb.REMOVE for order in legal):  # builds that cost nothing are not asked about
                    legal = [order for order in legal if order.verb is Verb.REMOVE]
                if kind is PhaseKind.ADJUSTMENTS:
                    assert all(sorted(map(str, slot)) == sorted(map(str, legal)) for slot in own), (power, position)
                    assert bool(own) == bool(legal)
                    met |= {order.verb for order in legal}
                else:
                    assert sorted(str(order) for slot in own for order in slot) == sorted(map(str, legal))
                    met.add(kind)
        batch.draw()
        batch.carry_out()
    return met


def test_answers_become_orders() -> None:
    """As machine code: the answers given are the orders carried out; a Winter's that contradict are refused whole."""
    batch, chance, given, refused = Batch(find_variant("standard"), 20, seed=1), np.random.default_rng(1), 0, 0
    while batch.phase.year < 1904:
        choices = batch.choices()
        answers = random_answers(choices, chance)
        expected = []
        for i in range(len(batch)):
            offered = orders_of(batch, i, choices)
            picked = [offered[slot][answers[i, slot]] for slot in np.flatnonzero(choices.power[i])]
            expected.append([order for order in picked if order.verb is not Verb.WAIVE])
        places = [[order.at.province for order in orders if order.at] for orders in expected]
        if any(len(set(own)) < len(own) for own in places):
            with pytest.raises(GamesmasterError, match="build in one place, or remove one unit"):
                batch.choose(answers, choices)
            batch.draw()
            refused += 1
        else:
            batch.choose(answers, choices)
            for i, orders in enumerate(expected):
                written = [str(order) for own in batch.orders(i).values() for order in own]
                assert sorted(written) == sorted(map(str, orders))
                given += len(written)
        batch.carry_out()
    assert given > 1000
    assert refused


@pytest.mark.usefixtures("interpreted")
def test_a_winter_that_everybody_waives_is_played() -> None:
    """Who may build and does not has been asked all the same, as at the table; where nobody may, it is skipped."""
    standard = find_variant("standard")
    for units, played in ((standard.start.units[1:], True), (standard.start.units, False)):
        batch = Batch(replace(standard, start=replace(standard.start, units=units)), 2, seed=1)
        game = Game.start(batch.variant, seed=batch.key(0))
        while game.phase.year == 1901:
            game = game.process()
        while batch.phase.year == 1901:
            choices = batch.choices()
            batch.choose(np.zeros(choices.power.shape, np.int64), choices)  # to hold, and to waive
            if batch.phase.kind is PhaseKind.ADJUSTMENTS:
                assert [batch.is_played(i) for i in range(2)] == [played] * 2
            batch.carry_out()
        assert batch.games.tally[:, PHASES].tolist() == [len(game.records)] * 2


@pytest.mark.usefixtures("interpreted")
def test_answers_that_are_none() -> None:
    """An answer beyond its list, a negative one and an array of another shape are refused; nothing is carried out."""
    batch = Batch(find_variant("standard"), 2, seed=1)
    choices = batch.choices()
    first = np.zeros(choices.power.shape, np.int64)
    batch.choose(first, choices)
    assert {order.verb for orders in batch.orders(1).values() for order in orders} == {Verb.HOLD}
    for wrong in (99, -1, int(choices.legal[1, 3].sum())):
        answers = first.copy()
        answers[1, 3] = wrong
        with pytest.raises(GamesmasterError, match="answer 3 of game 1 is not legal"):
            batch.choose(answers, choices)
    for shapeless in (first[:1], first.astype(float)):
        with pytest.raises(GamesmasterError, match=r"whole numbers of shape \(2, 22\)"):
            batch.choose(shapeless, choices)


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("standard", set()),
        ("1000ad[af_module=yes]", set()),
        ("indianomacy2", set()),
        ("scottomacy", {*ReinforcementVerb}),
        ("conquest2", {HomeVerb.DESIGNATE}),
    ],
)
def test_answers_are_carried_out_as_at_the_table(name: str, verbs: set[AnyVerb]) -> None:
    """Units that cost nothing, and what mechanics ask of powers, among them: the judge makes the same of the orders."""
    variant, chance, met, chosen = find_variant(name), np.random.default_rng(7), set[AnyVerb](), 0
    batch = Batch(variant, 12, seed=3)
    games = [Game.start(variant, seed=batch.key(i)) for i in range(len(batch))]
    for _ in range(26):
        choices = batch.choices()
        for _ in range(300):
            try:
                batch.choose(random_answers(choices, chance), choices)
                chosen += 1
                break
            except GamesmasterError:
                continue
        else:
            batch.draw()
        for i, game in enumerate(games):
            if game.phase == batch.phase and not game.outcome:
                met |= {order.verb for orders in batch.orders(i).values() for order in orders}
                games[i] = submitted(game, batch, i).process()
        batch.carry_out()
        for i, game in enumerate(games):
            if game.phase == batch.phase:
                assert shown(batch.position(i)) == shown(game.position), f"game {i}, {game.phase.code}"
    assert met > {Verb.MOVE, Verb.SUPPORT, Verb.BUILD, Verb.REMOVE} | verbs
    assert chosen > 20
