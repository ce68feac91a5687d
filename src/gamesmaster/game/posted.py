"""Phases as they were posted: what a record says of its orders stands, whatever a later program makes of them.

A record keeps result and cause of every order.  Strengths, who stopped whom, and the wording are worked out again when
somebody asks; where that does not come to what was posted, or fails, they are left out and the record speaks alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gamesmaster.board import Position, Unit
from gamesmaster.game.record import Record, in_brief
from gamesmaster.judge import Adjudication, Cause, Result, Rules, Ruling
from gamesmaster.judge.adjudication import Decided
from gamesmaster.judge.resolution import OrderReader
from gamesmaster.judge.values import causes_with
from gamesmaster.orders import PhaseKind

LOG = logging.getLogger("gamesmaster")
NOTE = "as posted"
_LIKELY = {
    Result.SUCCEEDS: Cause.CAME, Result.HOLDS: Cause.HELD, Result.BOUNCES: Cause.STOOD_OFF,
    Result.CUT: Cause.CUT_BY_ATTACK, Result.VOID: Cause.UNMATCHED, Result.NO_CONVOY: Cause.NO_CHAIN,
    Result.DISRUPTED: Cause.CONVOY_BROKEN, Result.FAILS: Cause.UNMATCHED,
}  # fmt: skip
"""The cause of a result, where that in the record has another name by now."""


class Posted(Decided):
    """What was posted of a phase that this program judges otherwise, or can no longer judge."""


def as_posted(record: Record, after: Position, rules: Rules, judge: Callable[[Record], Adjudication]) -> Adjudication:
    """The adjudication of a phase that is over: made again, if it comes to what the record says; else `Posted`.

    `after` is the position with which the next phase began, `judge` judges the phase anew.
    """
    try:
        judged = judge(record)
        if in_brief(judged.rulings) == record.rulings:
            return judged
    except Exception as error:  # whatever it is: a game that is over can be read
        LOG.error("a phase that is over can no longer be judged", exc_info=error, extra={"event": "posted"})
        judged = None
    happened = judged.happened if judged else ()
    return Posted(after, tuple(_rulings(rules, record, judged)), happened)


def _rulings(rules: Rules, record: Record, judged: Adjudication | None) -> Iterator[Ruling]:
    """The rulings of the record, those of its orders first, with unit and order where these can be made out."""
    anew = sorted(judged.rulings, key=lambda ruling: not ruling.given) if judged else []
    given = [(power, text) for power, texts in record.orders.items() for text in texts]
    ordered = [r for r in anew if r.given] or [_unjudged(rules, record, *one) for one in given]
    told = [_told(rules, *pair) for pair in zip(ordered, record.rulings, strict=False)]
    yield from told
    rest = record.rulings[len(given) :]
    silent = [r for r in anew if not r.given]
    if len(silent) != len(rest):
        silent = [_silent(rules, unit) for unit in _without_orders(record, told)]
    yield from (_told(rules, *pair) for pair in zip(silent, rest, strict=False))


def _told(rules: Rules, anew: Ruling, brief: str) -> Ruling:
    """A ruling as the record has it; nothing is changed in one that comes to the same."""
    if in_brief([anew]) == (brief,):
        return anew
    word, _, why = brief.partition(": ")
    result = Result(word) if word in list(Result) else anew.result
    cause = causes_with(rules.mechanics).get(why.replace(" ", "_"), _LIKELY[result])
    return replace(anew, result=result, cause=cause, by=(), dislodged_by=None, strengths=None, detail=NOTE)


def _unjudged(rules: Rules, record: Record, power: str, text: str) -> Ruling:
    """A ruling on an order that only its text tells of; what it comes to is for the record to say."""
    try:
        order = rules.derived(OrderReader).read(text, record.phase.kind).order
    except Exception:  # it could be read once, or could not: the text is there in any case
        order = None
    at = order.at.province if order and order.at else ""
    unit = next((u for u in _units(record) if u.at.province == at and u.power == power), None)
    return Ruling(power, unit, order, text, Result.VOID, Cause.DEFECT, board=rules.board, clauses=rules.told)


def _silent(rules: Rules, unit: Unit) -> Ruling:
    return Ruling(
        unit.power, unit, None, "", Result.HOLDS, Cause.UNORDERED,
        board=rules.board, clauses=rules.told,
    )  # fmt: skip


def _without_orders(record: Record, told: Sequence[Ruling]) -> Iterator[Unit]:
    """The units that had no order of effect, in the order of the board."""
    busy = {ruling.unit.number for ruling in told if ruling.unit and ruling.result is not Result.VOID}
    yield from (unit for unit in _units(record) if unit.number not in busy)


def _units(record: Record) -> Sequence[Unit]:
    """The units that orders were asked for."""
    if record.phase.kind is PhaseKind.RETREATS:
        return [out.unit for out in record.position.dislodged]
    return record.position.units
