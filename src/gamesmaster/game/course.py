"""The course of a game: orders come in, phases are adjudicated, until somebody wins or all agree to stop.

A `Game` is a value.  Whatever is done to it gives a new one; the old one stays as it was, so that a look ahead
(`what_if`) or back (`rollback`) disturbs nothing.  Nothing here reads a clock or a file, and chance comes only out of
the seed: the same start and the same orders give the same game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError, NotFound, OutOfTurn, must_be, nearest
from gamesmaster.game import state
from gamesmaster.game.ahead import DueOrders, due_orders, keeps_ahead, still_waiting, take_ahead
from gamesmaster.game.correction import MOST_CORRECTIONS, check_correction, reason
from gamesmaster.game.dice import LOTS, SEED_BYTES, Dice, Throw, assign_seats
from gamesmaster.game.judging import judge_id, past_adjudication
from gamesmaster.game.progress import Ledger, ledger_of
from gamesmaster.game.record import NOTHING_AHEAD, Correction, Outcome, Record, SentAhead, Termination, as_left
from gamesmaster.game.state import State, Status, books, merge_sets, rules_of
from gamesmaster.game.viewpoint import Viewpoint
from gamesmaster.judge import Adjudication, check_set
from gamesmaster.reading import Sent
from gamesmaster.rules import Rulebook, Rules, Season, in_season, limits_sight
from gamesmaster.variant import HouseRules, Phase, Variant


@dataclass(frozen=True, repr=False)
class Game:
    """A game under way, or over.

    A game is a value: `submit`, `process` and all other methods return a new one.

    `records` are the phases that are over, oldest first.  `phase` is the one being played, from `position`.  `orders`
    maps each power that sent a set for it to its texts as given, and `ahead` to what it sent ahead for later phases.
    `votes` maps each power that wants to end the game to the powers that should share the victory.  `disorder` has the
    powers without a player (STD-10.h).  `players` maps powers to the names of their players.  `seed` decides all dice,
    and `throws` are those thrown so far.  `rulebook` is the variant's with the changes of the `house_rules`, and the
    `variant` ends in the table's last year if these set one.
    `outcome` is None until the game is over.  `judge` names the program that began the game, and is empty if unknown.
    `corrections` are those that a Gamesmaster has made of the phase being played.
    """

    variant: Variant
    rulebook: Rulebook
    seed: bytes
    phase: Phase
    position: Position
    players: Mapping[str, str] = field(default_factory=dict)
    throws: tuple[Throw, ...] = ()
    records: tuple[Record, ...] = ()
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    votes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    disorder: frozenset[str] = frozenset()
    outcome: Outcome | None = None
    house_rules: HouseRules = field(default_factory=HouseRules)
    judge: str = field(default="", compare=False)
    ahead: Mapping[str, SentAhead] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "variant", self.house_rules.over_victory(self.variant))
        for name in ("players", "orders", "votes", "ahead"):
            if not isinstance(getattr(self, name), MappingProxyType):
                object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __hash__(self) -> int:
        return hash((self.variant, self.seed, self.phase, self.position, len(self.records)))

    def __repr__(self) -> str:
        return f"<Game {self.variant.id} {self.phase.code}>"  # no more: orders, votes and the seed are secrets

    @classmethod
    def start(
        cls,
        variant: Variant,
        *,
        seed: bytes,
        rulebook: Rulebook | str | Mapping[str, object] | None = None,
        players: Mapping[str, str] | Sequence[str] = (),
        house_rules: HouseRules | str | Mapping[str, object] | None = None,
    ) -> Game:
        """Return a new game.

        `seed` is at least `SEED_BYTES` random bytes (`new_seed()`); `rulebook` a preset or choices, the variant's own
        by default. `players` maps powers to their players, or lists one name per power, to be assigned at random
        (STD-1.a).  `house_rules` are a preset, or settings that change the variant's own.
        """
        must_be(Variant, variant, "a Variant, as find_variant finds it")
        must_be(bytes, seed, "a seed of bytes, as new_seed() draws it")
        if len(seed) < SEED_BYTES:
            raise GamesmasterError(f"a seed has at least {SEED_BYTES} bytes, this one {len(seed)}")
        seats, throws = assign_seats(variant, Dice(seed), players)
        book, house = books(variant, rulebook, house_rules)
        first, start = variant.calendar.first, variant.start
        return cls(variant, book, seed, first, start, seats, throws, house_rules=house, judge=judge_id())

    # -- looking -----------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The judge's rules: those of the variant under the game's rulebook."""
        return rules_of(self.variant, self.rulebook)

    @property
    def state(self) -> State:
        """The phase being played with its whole context, but without the orders received."""
        return replace(self._stand, misses={power: number for power, number in self.misses.items() if number})

    @property
    def _stand(self) -> State:
        """The state without the seasons missed, which take time to count."""
        return State(
            variant=self.variant,
            rulebook=self.rulebook,
            phase=self.phase,
            position=self.position,
            house_rules=self.house_rules,
            disorder=self.disorder,
            seed=self.seed,
            outcome=self.outcome,
        )

    def _stand_seen_by(self, power: str) -> State:
        """Return the state with the position that a power sees; its orders are read in that."""
        state = self._stand
        if not limits_sight(self.rules):
            return state
        return replace(state, position=Viewpoint(self.rules, self.position, (power,)).position)

    @property
    def dice(self) -> Dice:
        """The dice of this game; `dice.commitment` is what is published at the start."""
        return Dice(self.seed)

    @property
    def season(self) -> Season:
        """The phase being played, as mechanics know it."""
        return self._stand.season

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers still in the game, and whose players take part (STD-2.c)."""
        return self._stand.survivors

    @property
    def status(self) -> tuple[Status, ...]:
        """For each survivor, what is due in this phase and what it has sent; empty when the game is over."""
        return self._stand.status({power: len(given) for power, given in self.orders.items()})

    @property
    def ledger(self) -> Ledger:
        """The published ledger of the phase being played: strengths, and what mechanics keep (CNW-N3)."""
        return ledger_of(self.variant, self.rules, self.phase, self.position)

    @property
    def misses(self) -> dict[str, int]:
        """For each survivor, the number of its last movement seasons that it missed in a row (CLN-H.e)."""
        most, records = self.house_rules.missed_before_standby, self.records
        return {power: state.misses(self.variant, self.rules, records, power, most) for power in self.survivors}

    def missing(self, record: Record) -> frozenset[str]:
        """Return the powers that sent no orders for the moves of a phase that is over (CLN-H.d)."""
        return self._then(record).missing(record.orders)

    def what_if(self, orders: Mapping[str, Sent] | None = None) -> Adjudication:
        """Return the adjudication of this phase with the orders received, those in `orders` replacing a power's own.

        The game stays as it is and no die is thrown.  Raises what `submit` raises, and `OutOfTurn` if the game is over.
        """
        self._require("")
        trial = self
        must_be(Mapping, orders or {}, 'a mapping such as {"France": ["A Par - Bur"]}')
        for power, given in (orders or {}).items():
            trial = trial.submit(power, given, amend=False)
        return trial._stand.judge(trial.orders)

    def adjudication(self, record: Record) -> Adjudication:
        """Return the adjudication of a phase that is over, as it was posted.

        It is made again from its record; where that no longer comes to what the record says, the record holds.
        """
        number = next((n for n, one in enumerate(self.records) if one is record), len(self.records))
        after = as_left(self.records[number + 1] if number + 1 < len(self.records) else self).position
        return past_adjudication(record, after, self.rules, self.judge_anew)

    def judge_anew(self, record: Record) -> Adjudication:
        """Return this program's adjudication of a phase that is over, ignoring the recorded one."""
        return self._then(record).judge(record.orders)

    @property
    def due_orders(self) -> tuple[DueOrders, ...]:
        """Return the use made, at its beginning, of orders sent ahead for the phase being played."""
        return tuple(due_orders(self._stand, self.records[-1].ahead)) if self.records else ()

    # -- playing -----------------------------------------------------------------------------------------------------

    def submit(
        self, power: str, orders: Sent, *, phase: str = "", amend: bool | None = None, late: bool = False
    ) -> Game:
        """Take a set of orders.

        `phase` is the code of the phase they are meant for; orders for another one are refused.  A set replaces the
        power's earlier one, or, with `amend`, replaces the orders for the same units and leaves the others; the
        rulebook says what holds if it is left out, and may rule out one or the other (DATC 4.D.1).  What cannot be read
        is kept as given, and a ruling will say why.  Sections of a sheet for later phases are kept for them where house
        rules allow that (CLN-H.h), and passed over elsewhere.  `late` says that it came after the deadline: the house
        rules may refuse it then (CLN-H.c).

        Raises `NotFound` for an unknown power, `OutOfTurn` for one that is out, in civil disorder, late, or in another
        phase, `BadOrder` for a sheet that is too large or holds another power's orders.
        """
        self._require(phase)
        name = self._player(power)
        if late and self.house_rules.late_orders == "strict":
            raise OutOfTurn(f"{name}'s orders are late, and do not count", hint="house rule late_orders = strict")
        texts, sheet = merge_sets(self._stand_seen_by(name), name, orders, self.orders.get(name, ()), amend=amend)
        game = self._with_orders(name, texts)
        if sheet is None or not keeps_ahead(self.house_rules):
            return game
        return game.restore_ahead(name, take_ahead(self.ahead.get(name, SentAhead()), sheet, name))

    def restore_orders(self, power: str, texts: Sequence[str]) -> Game:
        """Put back the orders of a power that a game took before (`Game.orders`); they are not read again.

        Raises `NotFound` for an unknown power, `OutOfTurn` for one that is out or in civil disorder.
        """
        self._require("")
        check_set(power, texts)
        return self._with_orders(self._player(power), tuple(texts))

    def _with_orders(self, power: str, texts: tuple[str, ...]) -> Game:
        sets = {**self.orders, power: texts}
        return replace(self, orders={p: sets[p] for p in self.rules.powers if p in sets})

    def restore_ahead(self, power: str, ahead: SentAhead) -> Game:
        """Replace what a power has sent ahead by an earlier value of `Game.ahead`.

        Raises what `restore_orders` raises.
        """
        self._require("")
        sent = {**self.ahead, self._player(power): ahead}
        return replace(self, ahead={p: sent[p] for p in self.rules.powers if sent.get(p)})

    def process(self, *, phase: str = "") -> Game:
        """Adjudicate this phase with the orders received and go on to the next that must be played.

        With `phase` only if that is the phase being played, so that no deadline is kept twice.  A power that has now
        missed as many seasons as the house rules allow is in civil disorder from the next phase on (CLN-H.e).  What
        powers sent ahead for the phase that begins is now their orders, as far as it is possible (`due_orders`).
        Raises `OutOfTurn` if it is not that phase, or if the game is over.
        """
        self._require(phase)
        turn = (self.state if self.house_rules.missed_before_standby else self._stand).play(self.orders)
        record = replace(turn.record, ahead=self.ahead or NOTHING_AHEAD, corrections=self.corrections)
        following = replace(
            self,
            records=(*self.records, record),
            phase=turn.next.phase,
            position=turn.next.position,
            outcome=turn.next.outcome,
            throws=(*self.throws, *(throw for throw in turn.throws if throw not in self.throws)),
            orders={},
            votes={},
            ahead={},
            corrections=(),
            disorder=turn.next.disorder,
        )
        if following.outcome or not self.ahead:
            return following
        orders = {due.power: due.orders for due in following.due_orders if due.orders}
        left = still_waiting(self.variant.calendar, self.phase, following.phase, self.ahead)
        ahead = {power: sent for power, sent in left.items() if power not in following.disorder}
        return replace(following, orders=orders, ahead=ahead)

    def rollback(self, to: str) -> Game:
        """Return the game at an earlier phase (or this one), named as the calendar reads it.

        That phase's orders and those sent ahead are there again, ready to be amended or processed; votes are not.
        Throws of later phases are taken back; they have the same results again unless they are for something else.
        Raises `NotFound` if no such phase was played.
        """
        phase = self.variant.calendar.read(to)
        begun = self.outcome is None or self.outcome.phase == phase.code
        if phase == self.phase and begun:  # after a victory it was never begun
            return replace(self, outcome=None, votes={})
        for number, record in enumerate(self.records):
            if record.phase == phase:
                return replace(
                    self,
                    records=self.records[:number],
                    phase=record.phase,
                    position=record.position,
                    throws=self._throws_before(record),
                    orders=record.orders,
                    ahead=record.ahead,
                    corrections=record.corrections,
                    votes={},
                    disorder=record.disorder,
                    outcome=None,
                )
        played = [record.phase.code for record in self.records]
        raise NotFound(f"{phase.code} was not played", hint=nearest(phase.code, played))

    def correct(self, position: Position, why: str, *, phase: Phase | None = None) -> Game:
        """Return the game with another board, and perhaps another phase, as its Gamesmaster corrects it (CLN-H.i).

        The record keeps the reason `why` and what stood before, so that it can still be verified.  Orders received
        stay, also those that have become impossible; votes do not.  Mechanics do not begin a `phase` that is set: no
        storm comes, for example.  Raises `BadPosition` for an impossible board, `OutOfTurn` if the game is over, for a
        phase not later than the last one played, in which nobody has anything to do, or if nothing is changed.
        """
        self._require("")
        phase = phase or self.phase
        position = in_season(self.rules, self.variant.calendar.season(phase), position)
        wanted = replace(self, phase=phase, position=position, votes={})
        check_correction(self._stand, wanted._stand, self.records[-1].phase if self.records else None)
        made = Correction(reason(why), self.phase, self.position)
        if len(self.corrections) >= MOST_CORRECTIONS:
            raise OutOfTurn(f"a phase is corrected at most {MOST_CORRECTIONS} times", hint="undo the last correction")
        return replace(wanted, corrections=(*self.corrections, made))

    def undo_correction(self) -> Game:
        """Return the game without the last correction of the phase being played; raises `OutOfTurn` if it has none."""
        self._require("")
        if not self.corrections:
            raise OutOfTurn(f"nothing was corrected in {self.phase.code}")
        *left, last = self.corrections
        return replace(self, phase=last.phase, position=last.position, corrections=tuple(left), votes={})

    def set_disorder(self, power: str, *, gone: bool = True) -> Game:
        """Note that a power's player is gone, or that it has one again (STD-10.h).

        With the player go the power's orders, also those sent ahead, and its vote.  Votes already cast are not counted
        anew.
        """
        self._require("")
        name = self._surviving(power)
        orders = {p: given for p, given in self.orders.items() if p != name or not gone}
        votes = {p: wanted for p, wanted in self.votes.items() if p != name or not gone}
        ahead = {p: sent for p, sent in self.ahead.items() if p != name or not gone}
        disorder = self.disorder | {name} if gone else self.disorder - {name}
        return replace(self, orders=orders, votes=votes, ahead=ahead, disorder=disorder)

    # -- agreeing to end ---------------------------------------------------------------------------------------------

    def vote_draw(self, power: str, *, yes: bool = True, among: Collection[str] = ()) -> Game:
        """Vote for a draw shared by all survivors, or withdraw the vote; when all agree, the game is over (STD-2.b).

        `among` names those who are to share it, if not all do; house rules must allow that, and all survivors agree
        (CLN-H.j).  Raises `OutOfTurn` if they do not allow it.
        """
        return self._vote(power, self.sharing(among) if yes else None)

    def sharing(self, among: Collection[str] = ()) -> tuple[str, ...]:
        """Return who shares a draw among these powers, all survivors by default; raises what `vote_draw` raises."""
        named = {self._surviving(power) for power in among}
        winners = tuple(p for p in self.survivors if p in named or not among)
        if winners != self.survivors and self.house_rules.draw_shares == "all_survivors":
            raise OutOfTurn("all survivors share a draw", hint="house rule draw_shares = all_survivors")
        return winners

    def concede(self, power: str, to: str, *, yes: bool = True) -> Game:
        """Vote for the victory of `to`, or withdraw the vote; when all the other survivors agree, the game is over.

        House rules may require the winner's consent as well (CLN-H.j).
        """
        winner = self._surviving(to)
        if winner == self._surviving(power) and winner not in self.voters((winner,)):
            raise OutOfTurn(f"{winner} cannot concede to itself")
        return self._vote(power, (winner,) if yes else None)

    def voters(self, winners: tuple[str, ...]) -> tuple[str, ...]:
        """Return the survivors with a player who must agree if `winners` are to share the victory.

        The winner of a concession is among them only where house rules say so (CLN-H.j).
        """
        everybody = self.house_rules.concession == "all_survivors"
        return tuple(p for p in self.survivors if p not in self.disorder and (everybody or winners != (p,)))

    def _vote(self, power: str, winners: tuple[str, ...] | None) -> Game:
        """Record a power's vote, which counts in this phase only. Powers in civil disorder cannot vote."""
        self._require("")
        name = self._player(power)
        votes = {p: wanted for p, wanted in self.votes.items() if p != name}
        if winners is None:
            return replace(self, votes=votes)
        votes[name] = winners
        if any(votes.get(p) != winners for p in self.voters(winners)):
            return replace(self, votes=votes)
        alone = len(winners) == 1 and winners != self.survivors
        termination = Termination.CONCESSION if alone else Termination.DRAW
        return replace(self, votes={}, outcome=Outcome(termination, winners, self.phase.code))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _then(self, record: Record) -> State:
        """Return the state of a phase that is over."""
        return replace(self._stand, phase=record.phase, position=record.position, disorder=record.disorder)

    def _throws_before(self, record: Record) -> tuple[Throw, ...]:
        """Return the dice that were thrown when a phase that is over had just begun."""
        calendar = self.variant.calendar
        last = calendar.index(as_left(record).phase)
        return tuple(t for t in self.throws if t.phase == LOTS or calendar.index(calendar.read(t.phase)) <= last)

    def _require(self, phase: str) -> None:
        """Check that the game goes on and, if a phase is named, that it is the one being played."""
        if self.outcome:
            raise OutOfTurn(f"the game is over: {self.outcome.text}")
        if phase and self.variant.calendar.read(phase) != self.phase:
            raise OutOfTurn(f"{phase} is not being played", hint=f"it is {self.phase.code}")

    def _surviving(self, power: str) -> str:
        name = self.variant.power(power).name
        if name not in self.survivors:
            raise OutOfTurn(f"{name} is out of the game")
        return name

    def _player(self, power: str) -> str:
        """Return a power that somebody plays."""
        name = self._surviving(power)
        if name in self.disorder:
            raise OutOfTurn(f"{name} is in civil disorder")
        return name
