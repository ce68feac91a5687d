"""Dice as draws: every throw depends on its purpose, never on earlier throws.

draw = HMAC-SHA256(seed, phase | clause | subject).  A game rolled back and played on with one order changed throws the
same dice everywhere else.  The seed's hash, its commitment, is published when the game starts and the seed itself when
it ends, so that players can check every throw (`verify`).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gamesmaster.errors import GamesmasterError
from gamesmaster.variant import Variant

SEED_BYTES = 32
"""Bytes of a seed."""
T = TypeVar("T")
_SPAN = 1 << 256  # a draw read as a number is below this


@dataclass(frozen=True, slots=True)
class Throw:
    """One die thrown: for which phase (its code), clause and subject, with how many sides, and what fell (from 0)."""

    phase: str
    clause: str
    subject: str
    sides: int
    fell: int


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one game.  `seed` should be `SEED_BYTES` random bytes: from a shorter one its commitment is guessed.

    `phase` and `clause` are codes (`S1901M`, `STD-1.a`) and hold no `|`; `subject` may be any text.
    """

    seed: bytes

    def draw(self, phase: str, clause: str, subject: str) -> bytes:
        """Return the 32 bytes drawn for this subject."""
        if "|" in phase or "|" in clause:
            raise ValueError(f"a phase or clause with a bar would mix up two draws: {phase!r}, {clause!r}")
        return self._digest(f"{phase}|{clause}|{subject}".encode())

    def below(self, sides: int, phase: str, clause: str, subject: str) -> int:
        """Return a number from 0 to `sides` - 1, all equally likely; raises ValueError for fewer than one side."""
        if not 1 <= sides <= _SPAN:
            raise ValueError(f"no die has {sides} sides")
        drawn = self.draw(phase, clause, subject)
        fair = _SPAN - _SPAN % sides
        while (number := int.from_bytes(drawn, "big")) >= fair:  # the incomplete last round would favour low numbers
            drawn = self._digest(drawn)
        return number % sides

    def throw(self, sides: int, phase: str, clause: str, subject: str) -> Throw:
        """Return the throw with its result by `below` and what it was thrown for, for the record."""
        return Throw(phase, clause, subject, sides, self.below(sides, phase, clause, subject))

    def choice(self, options: Sequence[T], phase: str, clause: str, subject: str) -> T:
        """Return one of the options, all equally likely; raises ValueError for an empty sequence."""
        return options[self.below(len(options), phase, clause, subject)]

    def shuffle(self, names: Iterable[str], phase: str, clause: str) -> tuple[str, ...]:
        """Return the names in random order; each has its own draw, so that one more name moves no other pair."""
        return tuple(sorted(names, key=lambda name: (self.draw(phase, clause, name), name)))

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed in hexadecimal: what is published when the game starts."""
        return hashlib.sha256(self.seed).hexdigest()

    def verify(self, commitment: str, throws: Iterable[Throw]) -> list[str]:
        """Return everything in which these throws, or the commitment, do not belong to this seed, in words."""
        found = [] if hmac.compare_digest(self.commitment, commitment) else ["the seed is not the one committed to"]
        for throw in throws:
            fair = self.below(throw.sides, throw.phase, throw.clause, throw.subject)
            if throw.fell != fair:
                found.append(
                    f"{throw.phase}, {throw.clause}, {throw.subject}: recorded {throw.fell}, the seed gives {fair}"
                )
        return found

    def _digest(self, message: bytes) -> bytes:
        return hmac.digest(self.seed, message, "sha256")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Dice of which some have been thrown elsewhere; the others are thrown with `dice`, if there are any."""

    throws: tuple[Throw, ...] = ()
    dice: Dice | None = None

    def throw(self, sides: int, phase: str, clause: str, subject: str) -> Throw:
        """Return the throw for this subject, recorded or new; raises `GamesmasterError` without dice to throw."""
        for throw in self.throws:
            if (throw.phase, throw.clause, throw.subject) == (phase, clause, subject):
                if throw.sides != sides:
                    raise GamesmasterError(f"expected a die of {sides} sides for {subject} in {phase} ({clause})")
                return throw
        if self.dice is None:
            what = f"a die of {sides} sides must be thrown for {subject} in {phase} ({clause})"
            raise GamesmasterError(what, hint="give a seed, or draws with how it falls")
        return self.dice.throw(sides, phase, clause, subject)


class DiceLog:
    """The dice of one phase, from 1, as mechanics throw them; it keeps what was thrown."""

    def __init__(self, dice: Dice | Drawn, phase: str) -> None:
        self._dice, self._phase = dice, phase
        self.throws: list[Throw] = []

    def __call__(self, sides: int, clause: str, subject: str) -> int:
        """Throw a die with this number of sides for this clause and subject, and return the result, from 1."""
        self.throws.append(self._dice.throw(sides, self._phase, clause, subject))
        return 1 + self.throws[-1].fell


def new_seed() -> bytes:
    """Return a seed from the system's source of randomness: the one place where chance enters a game."""
    return secrets.token_bytes(SEED_BYTES)


LOTS = "start"
"""Stands for a phase in the draws made before the first."""

LONGEST_NAME = 100
"""Characters of the name of a player."""


def assign_seats(
    variant: Variant, dice: Dice, players: Mapping[str, str] | Sequence[str]
) -> tuple[dict[str, str], tuple[Throw, ...]]:
    """Return the player of each power, and the dice thrown to decide, if any; see `Game.start`.

    Raises `NotFound` for an unknown power, `GamesmasterError` for a name that cannot be printed, or too few or too many
    to deal the powers to.
    """
    for name in players.values() if isinstance(players, Mapping) else players:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise GamesmasterError(f"{name[:LONGEST_NAME]!r} cannot be a player's name")
    if isinstance(players, Mapping):
        return {variant.power(power).name: name for power, name in players.items()}, ()
    if players and len(players) != len(variant.powers):
        raise GamesmasterError(f"{len(variant.powers)} powers cannot be dealt to {len(players)} players")
    left, seats, throws = sorted(players), {}, []
    for power in variant.powers if players else ():
        throws.append(dice.throw(len(left), LOTS, "STD-1.a", power.name))
        seats[power.name] = left.pop(throws[-1].fell)
    return seats, tuple(throws)
