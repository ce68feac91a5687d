"""A game as some of its powers see it: the one place that decides what partial sight hides (FOG-2 to FOG-5).

`seen_by` makes of a game what these powers may see.  All doors are given that, and show it as any other game.  Units
and owners out of sight are not in it, the numbers of units are made up, and neither orders of others nor reasons say
more than somebody can know who sees no more.  The results of a phase depend on what was seen when it began.  When a
game is over, everything is open.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError
from gamesmaster.game.ahead import DueOrders
from gamesmaster.game.course import Game
from gamesmaster.game.record import Record
from gamesmaster.game.state import Status
from gamesmaster.game.viewpoint import SeenAdjudication, Viewpoint, seen_corrections
from gamesmaster.rules import Rules, limits_sight
from gamesmaster.variant import Phase


def seen_by(game: Game, powers: Collection[str]) -> Game:
    """Return a game as these powers together see it; without powers, as anybody may.

    A game that hides nothing is returned as it is, with all orders and votes.
    """
    if game.outcome or not limits_sight(game.rules) or isinstance(game, SeenGame):
        return game
    viewers = tuple(power for power in game.rules.powers if power in powers)
    secret = game.house_rules.votes == "secret"
    return SeenGame(
        variant=game.variant,
        rulebook=game.rulebook,
        seed=game.seed,
        phase=game.phase,
        position=Viewpoint(game.rules, game.position, viewers).position,
        players=game.players,
        throws=game.throws,
        records=tuple(_seen_record(game.rules, record, viewers) for record in game.records),
        orders={power: texts for power, texts in game.orders.items() if power in viewers},
        votes={power: wanted for power, wanted in game.votes.items() if power in viewers or not secret},
        disorder=game.disorder,
        house_rules=game.house_rules,
        judge=game.judge,
        ahead={power: sent for power, sent in game.ahead.items() if power in viewers},
        corrections=seen_corrections(game.rules, game.corrections, viewers),
        truth=game,
        viewers=viewers,
    )


@lru_cache(maxsize=8192)
def _seen_record(rules: Rules, record: Record, viewers: tuple[str, ...]) -> Record:
    """Return a record as these powers see it; remembered, because a game that goes on keeps its records."""
    return Viewpoint(rules, record.position, viewers).record(record)


@dataclass(frozen=True, repr=False)
class SeenGame(Game):
    """A game as some powers, the `viewers`, see it.  It can be read, and tried out by `what_if`, but not played.

    Who is still in the game, who has missed orders and who is in civil disorder everybody knows.  Other powers have no
    `status`, because what is due from them depends on their units.
    """

    truth: Game | None = field(default=None, compare=False)
    viewers: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((super().__hash__(), self.viewers))

    @property
    def _whole(self) -> Game:
        assert self.truth is not None
        return self.truth

    @property
    def survivors(self) -> tuple[str, ...]:
        """The powers still in the game, and whose players take part."""
        return self._whole.survivors

    @property
    def status(self) -> tuple[Status, ...]:
        """What is due from the viewers, and what they have sent."""
        return tuple(status for status in self._whole.status if status.power in self.viewers)

    @property
    def misses(self) -> dict[str, int]:
        """For each survivor, how many of its last seasons of moves it has missed in a row."""
        return self._whole.misses

    @property
    def due_orders(self) -> tuple[DueOrders, ...]:
        """Return the use made of what the viewers sent ahead for the phase being played."""
        return tuple(due for due in self._whole.due_orders if due.power in self.viewers)

    def missing(self, record: Record) -> frozenset[str]:
        """Return the powers that sent no orders for the moves of a phase that is over."""
        return self._whole.missing(self._original(record))

    def adjudication(self, record: Record) -> SeenAdjudication:
        """Return what the viewers learn about the results of a phase that is over."""
        original = self._original(record)
        view = Viewpoint(self.rules, original.position, self.viewers)
        return view.told(self._whole.adjudication(original), record.phase.kind)

    def judge_anew(self, record: Record) -> SeenAdjudication:
        """Return this program's adjudication of a phase that is over, as `Game.judge_anew` does, for these viewers."""
        return self.adjudication(record)

    def process(self, *, phase: str = "") -> Game:
        """Raise `GamesmasterError`: only the whole game can go on."""
        raise GamesmasterError("a game as a power sees it cannot be played", hint="process the whole game")

    def rollback(self, to: str) -> Game:
        """Raise `GamesmasterError`: only the whole game can go back."""
        raise GamesmasterError("a game as a power sees it cannot go back", hint="take the whole game back")

    def correct(self, position: Position, why: str, *, phase: Phase | None = None) -> Game:
        """Raise `GamesmasterError`: only the whole game can be corrected."""
        raise GamesmasterError("a game as a power sees it cannot be corrected", hint="correct the whole game")

    def _original(self, record: Record) -> Record:
        """Return the whole record of a phase that is over."""
        found = (whole for whole in self._whole.records if whole.phase == record.phase)
        return next(found)
