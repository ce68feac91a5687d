"""Verification of records: every phase is adjudicated again and compared with what is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from gamesmaster.errors import BadFile
from gamesmaster.game.course import Game
from gamesmaster.game.dice import LOTS, Throw
from gamesmaster.game.judging import judge_id
from gamesmaster.game.progress import Step, advance
from gamesmaster.game.reasons import event_reason
from gamesmaster.game.record import Correction, Outcome, Record, Stage, Termination, as_left, in_brief
from gamesmaster.game.record_json import stand
from gamesmaster.rules import Event
from gamesmaster.variant import Variant

LONGEST = 200  # characters shown of what differs


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in a record that does not follow from the orders: in which phase, what, as recorded and as found.

    `otherwise` says that another program judged that phase, or one that is not known: then it need not be false, for
    rules are mended, and what was posted stands.
    """

    phase: str
    what: str
    recorded: str
    found: str
    otherwise: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.phase}, {self.what}: recorded {self.recorded or 'nothing'}, found {self.found or 'nothing'}"


class Untrue(BadFile):
    """A record whose contents do not follow from its orders; `differences` says in what."""

    def __init__(self, differences: list[Difference], *, where: str = "") -> None:
        self.differences = tuple(differences)
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        super().__init__(f"does not follow from the orders: {differences[0]}{more}", where=where)


def verify(game: Game) -> list[Difference]:
    """Return everything in a game's record that does not follow from its seed and orders, empty if all is well.

    Each phase is judged from its recorded position, so that one falsehood is reported once and not in every later
    phase.  Where a Gamesmaster corrected the board, what stood before must follow.
    """
    differences, thrown, judge = list(_throws(game)), list[Throw](), game.judge
    expected: Step | None = Step(game.variant.calendar.first, game.variant.start, (), None)
    for record in game.records:
        if expected:
            differences += _mark(_standing(expected, as_left(record)), judge)
        if expected and expected.outcome:
            differences += _mark([Difference(record.phase.code, "end of the game", "", expected.outcome.text)], judge)
        wrong = record.position.problems(game.variant.board)
        if wrong:
            return [*differences, Difference(record.phase.code, "position", wrong[0], "")]
        judge = record.judge
        expected, wrong_now = _judge_anew(game, record)
        differences += _mark(wrong_now, judge)
        thrown += expected.throws if expected else ()
    if expected is None:
        return differences
    other = next((r.judge for r in game.records if r.judge != judge_id()), judge)
    differences += _mark(_throw_differences(game, thrown), other)
    return [*differences, *_mark([*_standing(expected, as_left(game)), *_end(game, expected)], judge)]


def _judge_anew(game: Game, record: Record) -> tuple[Step | None, list[Difference]]:
    """Return the step after a phase if it is adjudicated now, and the differences from its record.

    The step is None if the adjudication fails.
    """
    code, position = record.phase.code, record.position
    try:
        judged = game.judge_anew(record)
        rulings = in_brief(judged.rulings)
        step = advance(game.variant, game.rules, record.phase, position, judged, game.dice)
    except Exception as error:  # after any error the other phases can still be checked
        return None, [Difference(code, "adjudication", "made", f"a fault of the program, {type(error).__name__}")]
    return step, [*_rulings(record, rulings), *_events(game.variant, record, step.events)]


def _mark(differences: Iterable[Difference], judge: str) -> Iterator[Difference]:
    """Mark differences in what another program judged: they need not be mistakes."""
    return (replace(one, otherwise=judge != judge_id()) for one in differences)


def _throws(game: Game) -> Iterator[Difference]:
    for throw in game.throws:
        fair = game.dice.throw(throw.sides, throw.phase, throw.clause, throw.subject)
        if throw != fair:
            what = _clip([f"throw for {throw.clause}, {throw.subject}"])
            yield Difference(throw.phase, what, str(throw.fell), str(fair.fell))


def _throw_differences(game: Game, due: Sequence[Throw]) -> Iterator[Difference]:
    """Yield the first difference between the dice thrown and the dice due.

    Their results and the lots are checked elsewhere.
    """
    made = [throw for throw in game.throws if throw.phase != LOTS]
    for ours, theirs in zip_longest(map(_aim, made), dict.fromkeys(map(_aim, due)), fillvalue=("", "")):
        if ours != theirs:
            yield Difference(ours[0] or theirs[0], "throw", ours[1], theirs[1])
            return


def _aim(throw: Throw) -> tuple[str, str]:
    return throw.phase, _clip([f"a die with {throw.sides} sides for {throw.clause}, {throw.subject}"])


def _standing(expected: Step, found: Stage | Correction) -> Iterator[Difference]:
    phase, position = found.phase, found.position
    if phase != expected.phase:
        yield Difference(phase.code, "phase", phase.code, expected.phase.code)
    if position == expected.position:
        return
    recorded, right = (stand(phase, p, None, frozenset(), {}) for p in (position, expected.position))
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


def _rulings(record: Record, now: tuple[str, ...]) -> Iterator[Difference]:
    orders = [f"{text} ({power})" for power, texts in record.orders.items() for text in texts]
    for number, (ours, theirs) in enumerate(zip_longest(record.rulings, now, fillvalue="")):
        if ours != theirs:
            what = orders[number] if number < len(orders) else "a unit without an order"
            yield Difference(record.phase.code, _clip([f"ruling on {what}"]), _clip([ours]), theirs)


def _events(variant: Variant, record: Record, now: tuple[Event, ...]) -> Iterator[Difference]:
    if record.events != now:
        ours, theirs = (
            _clip([event_reason(variant, record.phase, event).text for event in events])
            for events in (record.events, now)
        )
        yield Difference(record.phase.code, "events", ours, theirs)


def _end(game: Game, expected: Step) -> Iterator[Difference]:
    """Yield the differences of the end: a victory follows from the position, an agreement only must be possible."""
    won, due = game.outcome, expected.outcome
    if won and not due and won.phase == game.phase.code and _may_be_agreed(game, won):
        return
    if won != due:
        ours, theirs = (end.text if end else "" for end in (won, due))
        yield Difference(game.phase.code, "end of the game", ours, theirs)


def _may_be_agreed(game: Game, won: Outcome) -> bool:
    """Return whether survivors can agree on this end: a concession, a draw of all, or of some if that is allowed."""
    if not set(won.winners) <= set(game.survivors):
        return False
    if won.termination is not Termination.DRAW:
        return won.termination is Termination.CONCESSION and len(won.winners) == 1
    among = game.house_rules.draw_shares == "any_group"
    return won.winners == game.survivors or (among and len(won.winners) > 1)


def _clip(parts: Iterable[str]) -> str:
    text = ", ".join(parts)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
