"""Does a record tell the truth?  Every phase is adjudicated again and compared with what is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from gamesmaster.board import Position
from gamesmaster.errors import BadFile
from gamesmaster.game.calendar import Phase
from gamesmaster.game.course import Game
from gamesmaster.game.dice import Throw
from gamesmaster.game.progress import Step, advance
from gamesmaster.game.record import Event, Outcome, Record, Termination, in_brief
from gamesmaster.game.record_data import stand
from gamesmaster.game.seats import LOTS
from gamesmaster.game.variant import Variant

LONGEST = 200  # characters shown of what differs


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in a record that does not follow from the orders: in which phase, what, as recorded and as found."""

    phase: str
    what: str
    recorded: str
    found: str

    def __str__(self) -> str:
        return f"{self.phase}, {self.what}: recorded {self.recorded or 'nothing'}, found {self.found or 'nothing'}"


class Untrue(BadFile):
    """A record whose contents do not follow from its orders; `differences` says in what."""

    def __init__(self, differences: list[Difference], *, where: str = "") -> None:
        self.differences = tuple(differences)
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        super().__init__(f"does not follow from the orders: {differences[0]}{more}", where=where)


def verify(game: Game) -> list[Difference]:
    """Everything in the record of a game that does not follow from its seed and orders; nothing if all is well.

    Each phase is judged from its recorded position, so that one falsehood is told once and not in all that follows.
    """
    found, thrown = list(_throws(game)), list[Throw]()
    expected = Step(game.variant.calendar.first, game.variant.start, (), None)
    for record in game.records:
        found += _standing(expected, record.phase, record.position)
        if expected.outcome:
            found.append(Difference(record.phase.code, "end of the game", "", expected.outcome.text))
        wrong = record.position.problems(game.variant.board)
        if wrong:
            return [*found, Difference(record.phase.code, "position", wrong[0], "")]
        judged = game.adjudication(record)
        expected = advance(
            game.variant, game.rules, record.phase, record.position, judged.position, judged.happened, game.dice
        )
        thrown += expected.throws
        found += _rulings(record, in_brief(judged.rulings))
        found += _events(game.variant, record, expected.events)
    found += _thrown(game, thrown)
    return [*found, *_standing(expected, game.phase, game.position), *_end(game, expected)]


def _throws(game: Game) -> Iterator[Difference]:
    for throw in game.throws:
        fair = game.dice.throw(throw.sides, throw.phase, throw.clause, throw.subject)
        if throw != fair:
            what = _clip([f"throw for {throw.clause}, {throw.subject}"])
            yield Difference(throw.phase, what, str(throw.fell), str(fair.fell))


def _thrown(game: Game, due: Sequence[Throw]) -> Iterator[Difference]:
    """Dice that were not due, and dice not thrown: what fell is looked at elsewhere, and so are the lots."""
    made = [throw for throw in game.throws if throw.phase != LOTS]
    for ours, theirs in zip_longest(map(_aim, made), map(_aim, due), fillvalue=("", "")):
        if ours != theirs:
            yield Difference(ours[0] or theirs[0], "throw", ours[1], theirs[1])
            return


def _aim(throw: Throw) -> tuple[str, str]:
    return throw.phase, _clip([f"a die with {throw.sides} sides for {throw.clause}, {throw.subject}"])


def _standing(expected: Step, phase: Phase, position: Position) -> Iterator[Difference]:
    if phase != expected.phase:
        yield Difference(phase.code, "phase", phase.code, expected.phase.code)
    if position == expected.position:
        return
    recorded, right = (stand(phase, p, {}, frozenset(), {}) for p in (position, expected.position))
    for part in ("units", "owners", "dislodged", "state"):
        ours, theirs = (_entries(side.get(part, [])) for side in (recorded, right))
        if ours != theirs:
            alone = [entry for entry in ours if entry not in theirs]
            missing = [entry for entry in theirs if entry not in ours]
            reordered = not alone and not missing
            yield Difference(
                phase.code, part, _clip(ours if reordered else alone), _clip(theirs if reordered else missing)
            )


def _entries(part: Any) -> list[str]:
    if isinstance(part, dict):
        return [f"{key} {value}" for key, value in sorted(part.items())]
    return [str(entry) for entry in part]


def _rulings(record: Record, found: tuple[str, ...]) -> Iterator[Difference]:
    orders = [f"{text} ({power})" for power, texts in record.orders.items() for text in texts]
    for number, (ours, theirs) in enumerate(zip_longest(record.rulings, found, fillvalue="")):
        if ours != theirs:
            what = orders[number] if number < len(orders) else "a unit without an order"
            yield Difference(record.phase.code, _clip([f"ruling on {what}"]), _clip([ours]), theirs)


def _events(variant: Variant, record: Record, found: tuple[Event, ...]) -> Iterator[Difference]:
    if record.events != found:
        ours, theirs = (_clip([event.text(variant.board) for event in events]) for events in (record.events, found))
        yield Difference(record.phase.code, "events", ours, theirs)


def _end(game: Game, expected: Step) -> Iterator[Difference]:
    """A victory follows from the position; an agreement stands for itself, if it could have been made."""
    won, due = game.outcome, expected.outcome
    if won and not due and won.phase == game.phase.code and _could_be_agreed(game, won):
        return
    if won != due:
        ours, theirs = (end.text if end else "" for end in (won, due))
        yield Difference(game.phase.code, "end of the game", ours, theirs)


def _could_be_agreed(game: Game, won: Outcome) -> bool:
    """Is this an end that survivors may agree on: a concession to one, a draw of all, or of those that may share it?"""
    if not set(won.winners) <= set(game.survivors):
        return False
    if won.termination is not Termination.DRAW:
        return won.termination is Termination.CONCESSION and len(won.winners) == 1
    among = game.house_rules.draw_shares == "any_group"
    return won.winners == game.survivors or (among and len(won.winners) > 1)


def _clip(parts: Iterable[str]) -> str:
    text = ", ".join(parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
