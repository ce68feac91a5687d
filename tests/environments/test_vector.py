"""Vector environments: lists as the judge has them, games as at the table, answers, seats and copies."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from gamesmaster.batches import Turning
from gamesmaster.engine.groups import each_column
from gamesmaster.environments import REWARDS, VectorEnvironment, channels, describe
from gamesmaster.errors import GamesmasterError
from gamesmaster.game import Game
from gamesmaster.judge import LegalOrders
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant
from tests.batches.test_games import shown
from tests.lengths import mark_long
from tests.open_variants import open_variants

pytestmark = pytest.mark.together


def made(name: str, games: int, years: int = 4, **options: object) -> VectorEnvironment:
    """An environment of a variant that plays some turns of its calendar."""
    variant = find_variant(name)
    until = variant.calendar.first.year + years * variant.calendar.years_per_turn - 1
    return VectorEnvironment(variant, games, seed=5, until=until, **options)  # type: ignore[arg-type]


def check_lists(env: VectorEnvironment, i: int) -> set[object]:
    """Hold the lists of a game against the judge's, and return the verbs of its Winter, or the kind of phase."""
    rules, kind = Rules.of(env.variant), env.phase(i).kind
    legal, offered = LegalOrders(rules, env.position(i)), env.orders(i)
    met: set[object] = {kind}
    for number, power in enumerate(env.powers, 1):
        slots = [k for k, slot in enumerate(env.slots_of(i)) if env.choices.power[slot] == number]
        verbs = [int(env.choices.verb[env.choices.begin[env.slots_of(i)[k]]]) for k in slots]
        own = [offered[k] for k, verb in zip(slots, verbs, strict=True) if verb != -2]
        listed = [] if power in env.batch.silent(i) else legal.of_power(kind, power)
        if kind is PhaseKind.ADJUSTMENTS:
            if any(order.verb is Verb.REMOVE for order in listed):  # builds that cost nothing are not asked about
                listed = [order for order in listed if order.verb is Verb.REMOVE]
            wanted = {str(order) for order in listed if order.verb is not Verb.WAIVE}
            assert all({str(order) for given in slot for order in given} == wanted for slot in own), power
            assert bool(own) == bool(wanted), power
            met |= {order.verb for order in listed}
        else:
            caught = {str(d.unit.at) for d in env.position(i).dislodged if not d.retreats}
            wanted_orders = [o for o in listed if kind is PhaseKind.MOVEMENT or str(o.at) not in caught]
            assert sorted(str(o) for slot in own for given in slot for o in given) == sorted(map(str, wanted_orders))
    return met


@pytest.mark.parametrize("name", mark_long(open_variants(), but=("standard", "1000ad", "conquest2")))
def test_the_lists_are_what_the_judge_allows(name: str) -> None:
    """In every phase of some games of every variant each slot offers what the judge lists, and nothing else."""
    env, met = made(name, 2), set[object]()
    for _ in range(14):
        for i in range(len(env)):
            met |= check_lists(env, i)
        env.step(env.sample())
    assert {PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS} <= met


def picked(env: VectorEnvironment, i: int, answers: NDArray[np.int32]) -> dict[str, list[Order]]:
    """The orders of a game's answers, by power."""
    found: dict[str, list[Order]] = {power: [] for power in env.powers}
    for slot, offered in zip(env.slots_of(i), env.orders(i), strict=True):
        found[env.powers[env.choices.power[slot] - 1]] += offered[answers[slot]]
    return found


def as_texts(game: Game, orders: Sequence[Order]) -> list[str]:
    """Orders as they are written."""
    return [game.rules.notation.write(order) for order in orders]


def go_on_as_at_the_table(env: VectorEnvironment) -> int:
    """Hold the games of an environment against the same at the table, till one ends; how many phases were compared."""
    games = [Game.start(env.variant, seed=env.key(i)) for i in range(len(env))]
    total, compared = len(env.variant.board.centres), 0
    while not (env.terminated.any() or env.truncated.any()):
        answers = env.sample().copy()
        before = [{p: len(game.position.centres(p)) for p in env.powers} for game in games]
        for i, game in enumerate(games):
            for power, orders in picked(env, i, answers).items():
                if orders:
                    game = game.submit(power, as_texts(game, orders), phase=game.phase.code)
            games[i] = game.process()
        env.step(answers)
        for i in np.flatnonzero(~(env.terminated | env.truncated)).tolist():
            while games[i].phase != env.phase(i):
                games[i] = games[i].process()
            assert shown(env.position(i)) == shown(games[i].position), f"game {i}, {games[i].phase.code}"
            grown = [(len(games[i].position.centres(p)) - before[i][p]) / total for p in env.powers]
            assert env.rewards[i].tolist() == pytest.approx(grown)
            compared += 1
    return compared


@pytest.mark.parametrize("name", open_variants())
def test_games_go_on_as_at_the_table(name: str) -> None:
    """The same answers, given as orders at the table, lead to the same positions, centres and rewards."""
    assert go_on_as_at_the_table(made(name, 3)) > 20


def test_impossible_answers_are_refused_or_dropped() -> None:
    """A wrong number changes nothing, or counts as the first of its list; the same build twice is made once."""
    env = made("standard", 4)
    first = np.zeros(env.choices.used[0], int)
    for wrong, complaint in (
        (np.full_like(first, 99), "slot 0 is not possible: Austria, game 0"),
        (first[:1], "88 slots"),
    ):
        with pytest.raises(GamesmasterError, match=complaint):
            env.step(wrong)
    assert env.at.tolist() == [0] * 4
    wrong = first.copy()
    wrong[[3, 50]] = -1, 99
    env.step(wrong, strict=False)
    assert env.rewards.shape == (4, 7)
    while env.phase(0).kind is not PhaseKind.ADJUSTMENTS or len(builds_of(env, 0)) < 2:
        env.step(env.sample(), strict=False)
    one, two, *_ = builds_of(env, 0)
    answers = np.zeros(env.choices.used[0], int)
    answers[[one, two]] = 1
    with pytest.raises(GamesmasterError, match=f"slot {two} is not possible"):
        env.step(answers)
    possible = env.possible(np.where(np.arange(len(answers)) == one, 1, -1))
    begin = env.choices.begin
    assert possible[begin[one] : begin[one + 1]].tolist() == [n == 1 for n in range(begin[one + 1] - begin[one])]
    assert not possible[begin[two] + 1]
    assert possible[begin[two]]  # to build nothing
    power = env.powers[env.choices.power[one] - 1]
    before = len(env.position(0).of(power))
    env.step(answers, strict=False)
    assert len(env.position(0).of(power)) == before + 1


def builds_of(env: VectorEnvironment, i: int) -> list[int]:
    """The slots of a power that may build several units in a game, none if no power may."""
    slots = [slot for slot in env.slots_of(i) if env.choices.verb[env.choices.begin[slot]] == -1]
    powers = [int(env.choices.power[slot]) for slot in slots]
    return next(
        (found for power in powers if len(found := [s for s, p in zip(slots, powers, strict=True) if p == power]) > 1),
        [],
    )


def test_players_sit_beside_learners() -> None:
    """Only learners are asked; all others play, and an episode ends when no learner is left."""
    seats = ["learner", "heuristic", "random", "holder", "random", "random", "random"]
    env = made("standard", 6, seats=seats)
    assert set(env.choices.power[: env.choices.used[0]].tolist()) == {1}
    for _ in range(12):
        env.step(env.sample())
        assert set(env.choices.power[: env.choices.used[0]].tolist()) <= {1}
    turning = made("standard", 7, seats=Turning(["learner", *["holder"] * 6]))
    assert turning.learns[:, 1:].argmax(axis=1).tolist() == list(range(7))
    with pytest.raises(GamesmasterError, match="at least one learner"):
        made("standard", 1, seats=["random"] * 7)


def test_episodes_end_and_begin_anew() -> None:
    """After the last year a game is truncated and begins anew; what was seen at its end is kept."""
    env = made("standard", 5, years=1)
    env.reward = REWARDS["squares"]
    while not env.truncated.any():
        env.step(env.sample())
    ended = np.flatnonzero(env.truncated)
    assert env.at[ended].tolist() == [0] * len(ended)
    assert env.observation["years"][ended].tolist() == [[0, 0]] * len(ended)
    assert env.rewards[ended].sum(axis=1).tolist() == pytest.approx([1] * len(ended))
    assert (env.final["centres"][ended].sum(axis=1) >= 22).all()
    assert (env.final["years"][ended] == 0).all()
    assert env.final["board"][ended].sum() > 0
    assert env.position(int(ended[0])) == env.variant.start
    assert env.key(int(ended[0])) != env.key(int((~env.truncated).argmax()))


def test_copies_have_the_same_future() -> None:
    """A clone given the same answers plays the same; a snapshot is gone back to; rollouts change nothing."""
    env = made("standard", 6)
    for _ in range(5):
        env.step(env.sample())
    kept, two = env.snapshot(), env.clone(np.array([4, 1]))
    assert shown(two.position(1)) == shown(env.position(1))
    assert [two.phase(0), two.phase(1)] == [env.phase(4), env.phase(1)]
    assert (two.observation["board"] == env.observation["board"][[4, 1]]).all()
    before = env.centres.copy()
    rolled = env.rollout(np.array([2] * 20), phases=6)
    assert rolled.shape == (20, 7)
    assert len({tuple(row) for row in rolled.tolist()}) > 1
    assert (env.centres == before).all()
    copied, futures = kept.clone(), []
    for number, other in enumerate((env, copied, env)):
        if number == 2:
            env.restore(kept)
        for _ in range(4):
            other.step(other.sample())
        futures.append([shown(other.position(i)) for i in range(len(other))])
    assert futures[0] == futures[1] == futures[2]


def test_what_is_seen() -> None:
    """Planes show units and owners where they are, and arrays are shared, not copied."""
    env = made("standard", 2)
    board, parts = env.observation["board"], channels(env.variant)
    at = {str(location): number for number, location in enumerate(env.variant.board.locations)}
    kinds, powers = list(env.variant.board.ways), len(env.powers) + 1
    france = env.powers.index("France")
    assert board[0, parts["units"].start + kinds.index("A") * powers + france, at["PAR"]] == 1
    assert board[1, parts["owners"].start + france, at["BRE"]] == 1
    assert board[0, parts["owners"].start + powers - 1, at["BEL"]] == 1
    assert int(board[0, parts["centres"].start, at["MAO"]]) == 0
    assert env.observation["due"][0].tolist() == [3, 3, 3, 3, 3, 4, 3]
    shared = np.from_dlpack(board)
    while not (env.observation["due"] < 0).any():
        env.step(env.sample())
    assert (shared == board).all()
    assert env.observation["last"][:, :, 3].max() >= 2
    orders = describe(env)
    assert len(orders) == env.choices.used[1]
    assert (orders[:, 2] > 0).any()


def test_threads_play_the_same_games() -> None:
    """Environments that play side by side in threads come to what they come to one after the other."""

    def play(seed: int) -> list[bytes]:
        env = VectorEnvironment(find_variant("standard"), 40, seed=seed, until=1903)
        for _ in range(9):
            env.step(env.sample(), strict=False)
        return [array.tobytes() for array in (*each_column(env.batch.games), *env.observation.values(), env.rewards)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(4))) == list(map(play, range(4)))


def test_arrays_are_shared_with_other_libraries() -> None:
    """Every array that is written in place can be taken over without copying, by DLPack and by the array interface."""
    env = made("standard", 2)
    arrays = [*env.observation.values(), *env.final.values(), env.rewards, *env.choices, env.batch.games.units.stance]
    for array in arrays:
        shared = np.from_dlpack(array)
        assert shared.__array_interface__["data"] == array.__array_interface__["data"]
        assert shared.shape == array.shape
