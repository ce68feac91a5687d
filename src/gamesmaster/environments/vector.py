"""Thousands of games at once for programs that learn or search, by machine code (extra `fast`).

>>> from gamesmaster.variant import find_variant
>>> env = VectorEnvironment(find_variant("standard"), 100, seed=7, until=1902)
>>> env.choices.used[0], env.observation["board"].shape[0]  # a slot for each of 22 units in 100 games
(np.int64(2200), 100)
>>> env.step(env.sample())
>>> env.rewards.shape
(100, 7)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from gamesmaster.batches import Batch, Choices, Turning
from gamesmaster.batches.chance import MASK, philox
from gamesmaster.batches.choices import (
    ANSWERS,
    FULL,
    NARROW,
    SAMPLE,
    SET,
    SLOTS,
    Answers,
    answer_all,
    list_all,
    loop,
    order_all,
    room_for_choices,
)
from gamesmaster.batches.code import lay_down, run
from gamesmaster.batches.group import key_of, phases_until
from gamesmaster.batches.heuristic.context import HOLDER
from gamesmaster.batches.heuristic.players import seats_of
from gamesmaster.batches.heuristic.questions import GivenAnswers
from gamesmaster.batches.mechanics import rules_in_batch
from gamesmaster.batches.state import ASKED, COUNT, KINDS, WINNER
from gamesmaster.board import Position
from gamesmaster.environments import planes as seen
from gamesmaster.environments.clock import clock_of
from gamesmaster.environments.rewards import Reward, Step, growth
from gamesmaster.errors import GamesmasterError
from gamesmaster.orders import Order, PhaseKind
from gamesmaster.players import Tastes, last_year
from gamesmaster.rules import limits_sight
from gamesmaster.variant import Phase, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

LEARNER = "learner"
"""The name of a seat whose orders come from outside."""

BY_SLOT, BY_UNIT = 2, 16
"""Room at the beginning: slots for each unit at the start, and answers for each slot; it grows when needed."""


class Laid(NamedTuple):
    """The arrays of an environment as machine code takes them."""

    listed: Any
    choices: Any
    answers: Any
    planes: Any
    final: Any


class VectorEnvironment:
    """Games of one variant, each in its own phase; a game that ends begins anew in the same step.

    `seats` names who plays each power, as in `Batch`, and "learner" for those whose orders come from outside, which is
    the default; those in a `Turning` move on by one power with each game.  Episodes end with a victory or when no
    learner is left (`terminated`), or are broken off when the year `until` is complete (`truncated`; by default after
    `MOST_TURNS` turns of the calendar).  A step passes over phases in which no learner is asked anything.
    `reward` is the function that rewards steps, and can be set: one of `REWARDS`, or another.  Without `planes`,
    nothing is observed.

    All arrays stay the same from step to step, and are written in place; copy what you want to keep.

    * `choices`: what is asked now, and all legal orders (`batches.Choices`); made anew if they outgrow it.
    * `observation`: what is seen of each game, by name (docs/environments.md); `final` the same at the end of the
      episodes that ended in the last step.
    * `rewards`, shape (games, powers), and `terminated` and `truncated`, shape (games,), of the last step.
    * `dropped`, by slot before the last step: 1 where the answer was not possible.

    Raises `GamesmasterError` as `Batch` does, where units come at the beginning of a Winter, and if no seat is a
    learner's; `NotFound` for an unknown player.
    """

    def __init__(
        self,
        variant: Variant,
        games: int,
        *,
        seed: int = 0,
        until: int | None = None,
        seats: Sequence[str | Tastes] = (),
        planes: bool = True,
    ) -> None:
        self.variant, self.seed, self.powers = variant, seed, tuple(power.name for power in variant.powers)
        self.phases = tuple(phases_until(variant, last_year(variant, until)))
        if limits_sight(rules_in_batch(variant)):
            what = f"{variant.name} limits what powers see, and observations show the whole board"
            raise GamesmasterError(what, hint="its players see what `players.views` gives them")
        names = seats or (LEARNER,) * len(self.powers)
        self.learns = _learners(variant, games, names)
        played = _renamed(names, {LEARNER: "random"})
        self.batch = Batch(variant, games, seed=seed, seats=played)
        if comes := self.batch.comes_in_winter:
            raise GamesmasterError(f"there are no choices where {comes} come in Winter", where=variant.id)
        self.reward: Reward = growth
        self._seated = not self.learns[:, 1:].all()
        self._start = Batch(variant, 1, seed=0)
        self._clock = clock_of(variant, self.phases, by_year=self.batch.asks_for_years)
        self._askers = self.batch.askers
        self.at, self.episode = np.zeros(games, np.int64), np.arange(games)
        self._begun, self._draws = games, 0
        slots = BY_SLOT * games * max(len(variant.start.units), len(self.powers))
        self._make_room(slots, slots * BY_UNIT, planes=planes)
        self._ask_all(np.ones(games, np.bool_))

    def _make_room(self, slots: int, answers: int, *, planes: bool) -> None:
        """Make the arrays that are written in place."""
        games, powers = len(self), len(self.powers)
        self.rewards = np.zeros((games, powers), np.float32)
        self.terminated, self.truncated = np.zeros(games, np.bool_), np.zeros(games, np.bool_)
        self._before = np.zeros((games, powers), np.int16)
        self._won = np.zeros((games, powers), np.bool_)
        self.kind = np.zeros(games, np.int16)
        self._make_choices(slots, answers)
        self._aside = np.zeros((4, self.batch.games.units.number.shape[1] + 1), np.int16)
        kept = np.zeros_like(self.batch.games.kept)
        self.batch.given = GivenAnswers(self.learns, kept)
        self.batch.set_keys(self.key)
        self._planes = seen.new_planes(self.variant, games if planes else 0)
        self._final = seen.new_planes(self.variant, games if planes else 0)
        self._lay_down()
        self.observation = self._named(self._planes)
        self.final = self._named(self._final)

    def _named(self, planes: seen.Planes) -> dict[str, Array]:
        """Return the arrays of an observation by their names."""
        games = len(planes.board)
        more = {"phase": np.zeros(games, np.int16), "years": np.zeros((games, 2), np.int32)}
        centres = self.batch.games.powers.centres[:games, 1:]
        return {**planes._asdict(), **more, "centres": centres if planes is self._planes else centres.copy()}

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; the same `seed` gives the same games from here on, and without one others follow."""
        if seed is not None:
            self.seed, self._draws, self._begun = seed, 0, 0
        self.terminated[:] = self.truncated[:] = False
        self.rewards[:] = 0
        everywhere = np.ones(len(self), np.bool_)
        self._begin(everywhere)
        self._ask_all(everywhere)

    def __len__(self) -> int:
        return len(self.batch)

    # -- asking ------------------------------------------------------------------------------------------------------

    def _ask_all(self, waiting: Array) -> None:
        """List what is asked in all games, and go on with those in which nothing is asked."""
        self._listed.used[:] = 0
        while waiting.any():
            self._end(waiting)
            for group in self._clock.groups(self.batch, self.at, waiting):
                self._list(group)
            waiting &= self._listed.first == self._listed.last
            if waiting.any():
                self._play(waiting, self._listed)
        run(loop(order_all), len(self), self._laid.listed, self._laid.choices)
        np.take(self._clock.kind, self.at, out=self.kind)
        if len(self._planes.board):
            self._observe(self._planes, self.observation, np.ones(len(self), np.bool_))

    def _list(self, group: Array) -> None:
        """List the choices of a group of games."""
        batch, kind = self.batch, KINDS.index(self.batch.phase.kind)
        waives = batch.rules.rulebook.waive_builds == "allowed"
        batch.survey()
        askers = self._askers if batch.asks_powers else self._askers[:0]
        used = self._listed.used.copy()
        while True:
            columns = (self._laid.listed, *batch.laid)
            run(loop(list_all), len(self), kind, waives, self.learns, askers, *columns)
            if not self._listed.used[FULL]:
                return
            self._grow()
            self._listed.used[:] = used

    def _grow(self) -> None:
        """Make room for twice as many choices."""
        old = self._listed
        self._make_choices(2 * len(old.power), 2 * len(old.verb))
        for name, column in old._asdict().items():
            getattr(self._listed, name)[: len(column)] = column
        self._lay_down()

    def _lay_down(self) -> None:
        """Lay the arrays down as machine code takes them."""
        self._laid = Laid(*lay_down(self._listed, self.choices, self._answers, self._planes, self._final))

    def _make_choices(self, slots: int, answers: int) -> None:
        """Make room for choices and for the answers to them."""
        self._listed, self.choices = (room_for_choices(len(self), slots, answers) for _ in range(2))
        fits = np.zeros(answers, np.uint8)
        self._answers = Answers(np.zeros(slots, np.int32), np.zeros(slots, np.uint8), fits, self.kind)

    def sample(self) -> Array:
        """Return legal answers to all slots, drawn with equal probability, in Winters one after the other."""
        self._draws += 1
        word, _ = philox(self._draws, 1, self.seed & MASK)
        self._answer(SAMPLE, self.choices, word)
        drawn: Array = self._answers.number[: self.choices.used[SLOTS]]
        return drawn

    def possible(self, answers: Array | None = None) -> Array:
        """Return which answers are possible beside those given: a mask over all answers in `choices`.

        `answers` are numbers by slot, -1 for slots that are still open. Of a slot that is answered only its answer is
        possible; in Winters, what a power has answered limits its other slots.
        """
        self._take(np.full(self.choices.used[SLOTS], -1) if answers is None else answers)
        self._answer(NARROW, self.choices)
        mask: Array = self._answers.fits[: self.choices.used[ANSWERS]] > 0
        return mask

    def _answer(self, mode: int, choices: Choices, seed: int = 0) -> None:
        """Draw, set or narrow the answers to these choices."""
        laid = self._laid.choices if choices is self.choices else self._laid.listed
        columns = (self._laid.answers, laid, *self.batch.laid)
        run(loop(answer_all), len(self), mode, seed, self.learns, self._aside, *columns)

    def _take(self, answers: Array) -> None:
        """Take in answers, one for each slot; raises `GamesmasterError` for other shapes or what is not whole."""
        slots, given = int(self.choices.used[SLOTS]), np.asarray(answers)
        if given.shape != (slots,) or given.dtype.kind not in "iu":
            raise GamesmasterError(f"answers are whole numbers, one for each of {slots} slots")
        np.copyto(self._answers.number[:slots], given, casting="same_kind" if given.dtype.kind == "i" else "unsafe")

    # -- playing -----------------------------------------------------------------------------------------------------

    def step(self, answers: Array, *, strict: bool = True) -> None:
        """Carry out the answers, one number for each slot of `choices`, and ask anew.

        Raises `GamesmasterError` for answers that are not legal, or in a Winter not possible beside those before them,
        and changes nothing.  Unless `strict`, the first answer of the list that is possible counts instead, what is to
        be removed is removed by the rules, and `dropped` says where.
        """
        self._take(answers)
        if strict:
            self._answer(SET, self.choices)
            if (wrong := np.flatnonzero(self.dropped)).size:
                slot = int(wrong[0])
                game, power = int(self.choices.game[slot]), self.powers[self.choices.power[slot] - 1]
                raise GamesmasterError(f"answer {answers[slot]} to slot {slot} is not possible: {power}, game {game}")
        np.copyto(self._before, self.centres)
        self.terminated[:] = self.truncated[:] = False
        self._hand_over()
        waiting = np.ones(len(self), np.bool_)
        self._play(waiting, self.choices)
        self._ask_all(waiting)
        self._gain(~(self.terminated | self.truncated))

    @property
    def dropped(self) -> Array:
        """By slot of the last answers: 1 where the answer was not possible."""
        dropped: Array = self._answers.dropped[: self.choices.used[SLOTS]]
        return dropped

    @property
    def centres(self) -> Array:
        """How many centres each power owned at the last count, shape (games, powers)."""
        centres: Array = self.batch.games.powers.centres[:, 1:]
        return centres

    def _hand_over(self) -> None:
        """Give the batch the answers to what mechanics ask."""
        c, given = self.choices, self.batch.given
        if len(self._askers) and given:
            slots = np.arange(c.used[SLOTS])
            slots = slots[c.verb[c.begin[slots]] == ASKED]
            given.answers[:] = 0
            number = self._answers.number[slots]
            within = (number >= 0) & (number < c.begin[slots + 1] - c.begin[slots])
            given.answers[c.game[slots], c.about[c.begin[slots]]] = np.where(within, number, 0)

    def _play(self, games: Array, choices: Choices) -> None:
        """Carry out the phase of these games, by the answers taken in to the choices and by the players."""
        batch = self.batch
        self._draws += 1
        batch.seed, _ = philox(self._draws, 0, self.seed & MASK)
        batch.played = self._draws
        for group in self._clock.groups(batch, self.at, games):
            if self._seated:
                batch.draw()
            else:
                batch.answer_questions()
            self._answer(SET, choices)
            if batch.phase.kind is PhaseKind.ADJUSTMENTS:  # who waives all builds has been asked as well
                batch.note_asked(choices.last > choices.first)
            batch.name_own_orders()
            moves = batch.phase.kind is PhaseKind.MOVEMENT and len(self._planes.last) > 0
            stood = self._where_they_stand() if moves else None
            batch.carry_out()
            if stood is not None:
                self._see(self._planes, group, stood)
        self.at[games] += 1

    def _where_they_stand(self) -> Array:
        """Return the stances of units by row, -1 for rows without one and for units aboard another."""
        g = self.batch.games
        rows = np.arange(g.units.number.shape[1])
        return np.where((rows <= g.tally[:, [COUNT]]) & (g.units.aboard == 0), g.units.stance, -1).astype(np.int16)

    # -- ends --------------------------------------------------------------------------------------------------------

    def _end(self, games: Array) -> None:
        """See which of these games have ended, keep what is seen of them, and begin them anew."""
        over = games & (self.batch.games.tally[:, WINNER] != 0)
        if self._seated:
            over |= games & ~(self.learns[:, 1:] & self._alive).any(axis=1)
        stopped = games & ~over & (self.at == len(self.phases))
        ended = over | stopped
        if not ended.any():
            return
        self.terminated |= over
        self.truncated |= stopped
        self._gain(ended)
        if len(self._planes.board):
            for name in ("last", "centres"):
                self.final[name][ended] = self.observation[name][ended]
            self._observe(self._final, self.final, ended)
        self._begin(ended)

    def _begin(self, games: Array) -> None:
        """Begin these games anew."""
        places = np.flatnonzero(games)
        self.batch.take_over(self._start, places)
        self.at[places] = 0
        self._planes.last[places[: len(self._planes.last)]] = 0
        self.episode[places] = self._begun + np.arange(len(places))
        self._begun += len(places)

    @property
    def _alive(self) -> Array:
        """True for powers that are not eliminated, shape (games, powers)."""
        alive: Array = self.batch.games.powers.fallen[:, 1:] == 0
        return alive

    def _gain(self, games: Array) -> None:
        """Write the rewards of these games."""
        g = self.batch.games
        won = self._won
        for i in np.flatnonzero(games & self.terminated):
            winners = self.batch.winners(int(i))
            won[i] = [power in winners for power in self.powers]
        alive = self._alive & (g.powers.silent[:, 1:] == 0)
        total = max(1, len(self.variant.board.centres))
        step = Step(self._before, self.centres, total, alive, won, self.terminated, self.truncated)
        np.copyto(self.rewards, self.reward(step), where=games[:, None], casting="same_kind")

    # -- seeing ------------------------------------------------------------------------------------------------------

    def _observe(self, planes: seen.Planes, named: Mapping[str, Array], games: Array) -> None:
        """Write what is seen of these games."""
        self._see(planes, games, np.zeros((0, 0), np.int16))
        at = np.minimum(self.at, len(self.phases) - 1)
        np.copyto(named["phase"], self._clock.slot[at], where=games)
        np.copyto(named["years"], self._clock.years[at], where=games[:, None])

    def _see(self, planes: seen.Planes, games: Array, stood: Array) -> None:
        laid = self._laid.planes if planes is self._planes else self._laid.final
        run(seen.loop(), len(self), games, stood, laid, self._laid.choices, *self.batch.laid[:2])

    # -- one game ----------------------------------------------------------------------------------------------------

    def phase(self, i: int) -> Phase:
        """Return the phase that game i is in."""
        return self.phases[int(self.at[i])]

    def key(self, i: int) -> bytes:
        """Return the seed of the dice of the episode that game i is in, as `Game.start` takes it."""
        return key_of(self.seed, int(self.episode[i]))

    def slots_of(self, i: int) -> range:
        """Return the numbers of the slots of game i."""
        return range(int(self.choices.first[i]), int(self.choices.last[i]))

    def orders(self, i: int) -> list[list[list[Order]]]:
        """Return, for each slot of game i and each of its answers, the orders that it gives: mostly one, or none."""
        batch, c = self.batch.select(np.array([i])), self.choices
        batch.set_keys(self.key)
        batch.go_to(self.phase(i), int(self._clock.winters[self.at[i]]))
        batch.survey()
        return [
            [
                batch.order_of(0, int(c.row[slot]), (int(c.verb[k]), int(c.to[k]), int(c.about[k])))
                for k in range(c.begin[slot], c.begin[slot + 1])
            ]
            for slot in self.slots_of(i)
        ]

    def position(self, i: int) -> Position:
        """Return the position of game i."""
        return self.batch.transcript.position(i, int(self._clock.winters[self.at[i]]))

    # -- searching ---------------------------------------------------------------------------------------------------

    def clone(self, games: Array | None = None) -> Self:
        """Return an environment with copies of these games, in this order, or of all; it plays on by itself.

        Given the same answers, the copy of the whole environment has the same future.
        """
        chosen = np.arange(len(self)) if games is None else np.asarray(games)
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.batch, other.learns = self.batch.select(chosen), self.learns[chosen]
        other.at, other.episode = self.at[chosen], self.episode[chosen]
        planes, each = len(self._planes.board) > 0, 1 + len(self.choices.power) // len(self)
        other._make_room(each * len(chosen), each * len(chosen) * BY_UNIT, planes=planes)
        other._planes.last[:] = self._planes.last[chosen if planes else chosen[:0]]
        other._ask_all(np.ones(len(chosen), np.bool_))
        return other

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def snapshot(self) -> Self:
        """Return the state of all games, for `restore`."""
        return self.clone()

    def restore(self, snapshot: Self) -> None:
        """Go back to the state of a snapshot of this environment."""
        self.batch.take_over(snapshot.batch)
        self._planes.last[:] = snapshot._planes.last
        self.at[:], self.episode[:] = snapshot.at, snapshot.episode
        self._begun, self._draws = snapshot._begun, snapshot._draws
        self._ask_all(np.ones(len(self), np.bool_))

    def rollout(
        self,
        games: Array | None = None,
        *,
        phases: int | None = None,
        seats: Sequence[str | Tastes] = (),
        seed: int = 0,
    ) -> Array:
        """Let players play copies of these games on, and return the centres of each power, shape (games, powers).

        At most this number of `phases` is played, or to the end of the episode; `seats` are as in `Batch`.  Games that
        end do not begin anew.  The same `seed` gives the same result.
        """
        chosen = np.arange(len(self)) if games is None else np.asarray(games)
        batch, at = self.batch.select(chosen), self.at[chosen]
        batch.take_seats(seats)
        for number in range(len(self.phases) if phases is None else phases):
            going = (batch.games.tally[:, WINNER] == 0) & (at < len(self.phases))
            if not going.any():
                break
            batch.seed, _ = philox(self._draws, number, seed & MASK)
            batch.played = self._draws + number
            for _ in self._clock.groups(batch, at, going):
                batch.draw()
                batch.carry_out()
            at[going] += 1
        centres: Array = batch.games.powers.centres[:, 1:]
        return centres


def _learners(variant: Variant, games: int, names: Sequence[str | Tastes]) -> Array:
    """Return whose orders come from outside, shape (games, powers + 1); raises `GamesmasterError` if nobody's do."""
    if LEARNER not in names:
        raise GamesmasterError("an environment has at least one learner", where=variant.id)
    places = _renamed(names, {name: "holder" if name == LEARNER else "random" for name in names})
    learns: Array = seats_of(variant, games, 0, places)[0] == HOLDER
    learns[:, 0] = False
    return learns


def _renamed(names: Sequence[str | Tastes], others: Mapping[str | Tastes, str]) -> Sequence[str | Tastes]:
    """Return the names of seats with others in place of some; seats that turn still do."""
    found = [others.get(name, name) for name in names]
    return Turning(found) if isinstance(names, Turning) else found
