"""Asking the judge: which program it is, what becomes of orders that it cannot judge, and what was once posted.

An order with which this program fails is void, with a cause of its own, and the phase goes on.  Of a phase that is over
result and cause of every order stand as the record has them, whatever a later program makes of the orders.  Strengths,
who stopped whom, and the wording are worked out again when somebody asks; where that does not come to what was posted,
or fails, they are left out and the record speaks alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from gamesmaster.board import Position, Unit
from gamesmaster.errors import GamesmasterError
from gamesmaster.game.record import Record, in_brief
from gamesmaster.judge import Adjudication, Decided, OrderReader, OrderWarning, adjudicate, corroborate
from gamesmaster.orders import GivenOrder, PhaseKind
from gamesmaster.rules import Cause, Result, Rules, Ruling, causes_with
from gamesmaster.version import __version__

ROOMS = ("board", "orders", "engine", "rules", "judge", "mechanics", "variant", "game")
LETTERS = 12
LONGEST_PROGRAM = 60  # characters, of the name of any program


@cache
def judge_id() -> str:
    """Return the program that is running, as records name it: `1.0.0+3f2a91c07d5e`; looked up once in a process."""
    import hashlib

    found, home = hashlib.sha256(), Path(str(files("gamesmaster")))
    for path in sorted(path for room in ROOMS for path in (home / room).rglob("*.py")):
        found.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return f"{__version__}+{found.hexdigest()[:LETTERS]}"


LOG = logging.getLogger("gamesmaster")
Orders = Mapping[str, Sequence[GivenOrder]]
Done = TypeVar("Done")


def adjudicate_all(
    rules: Rules, kind: PhaseKind, position: Position, orders: Orders, disorder: Collection[str]
) -> Adjudication:
    """Adjudicate a phase with any orders, given as texts by power.

    If that fails, the orders are tried one after the other, in the order written, and those that cause a failure are
    void (`Cause.DEFECT`), so that nobody's order stops the others'.  Raises errors of `adjudicate` itself, and errors
    that occur even without orders.
    """
    done, sound = _contain(lambda given: _whole(rules, kind, position, given, disorder), orders)
    if all(sound):
        return done
    rest = iter(done.rulings)
    given = [next(rest) if good else _void(rules, *one) for one, good in zip(_each(orders), sound, strict=True)]
    return Decided(done.position, (*given, *rest), done.happened)


def corroborate_all(rules: Rules, kind: PhaseKind, position: Position, orders: Orders) -> list[OrderWarning]:
    """Return warnings about any orders, given as texts by power; orders that cannot be judged have no warnings.

    Raises errors of `corroborate` itself, and errors that occur even without orders.
    """
    return _contain(lambda given: corroborate(rules, kind, position, given), orders)[0]


def defective(record: Record) -> bool:
    """Return whether an order of this phase was void because the program could not adjudicate it."""
    return any(words.endswith(f": {Cause.DEFECT.name.lower()}") for words in record.rulings)


def _contain(judge: Callable[[Orders], Done], orders: Orders) -> tuple[Done, list[bool]]:
    """Return the result for the orders that the judge can rule on, and for each order in turn whether it can."""
    try:
        return judge(orders), [True for _ in _each(orders)]
    except GamesmasterError:
        raise
    except Exception as error:  # any error here is a fault of this program
        LOG.error("a phase could not be adjudicated with all of its orders", exc_info=error, extra={"event": "defect"})
    kept: dict[str, list[GivenOrder]] = {power: [] for power in orders}
    sound: list[bool] = []
    for power, text in _each(orders):
        try:
            judge({**kept, power: [*kept[power], text]})
        except Exception:  # what happened is in the log
            sound.append(False)
        else:
            kept[power].append(text)
            sound.append(True)
    return judge(kept), sound


def _each(orders: Orders) -> Iterator[tuple[str, GivenOrder]]:
    """Return the orders in the order written, each with its power."""
    return ((power, text) for power, texts in orders.items() for text in texts)


def _void(rules: Rules, power: str, given: GivenOrder) -> Ruling:
    text = rules.derive(OrderReader).words(given)
    return Ruling(power, None, None, text, Result.VOID, Cause.DEFECT, board=rules.board, clauses=rules.wording)


def _whole(
    rules: Rules, kind: PhaseKind, position: Position, orders: Orders, disorder: Collection[str]
) -> Adjudication:
    """Return the adjudication with position and rulings made now, so that any failure occurs here."""
    done = adjudicate(rules, kind, position, orders, disorder=disorder)
    done.rulings, done.position, done.happened  # noqa: B018
    return done


NOTE = "as posted"
_LIKELY = {
    Result.SUCCEEDS: Cause.CAME, Result.HOLDS: Cause.HELD, Result.BOUNCES: Cause.STOOD_OFF,
    Result.CUT: Cause.CUT_BY_ATTACK, Result.VOID: Cause.UNMATCHED, Result.NO_CONVOY: Cause.NO_CHAIN,
    Result.DISRUPTED: Cause.CONVOY_BROKEN, Result.FAILS: Cause.UNMATCHED,
}  # fmt: skip
"""The cause of a result, where that in the record has another name by now."""


class Posted(Decided):
    """The published results of a phase that this program rules differently, or can no longer adjudicate."""


def past_adjudication(
    record: Record, after: Position, rules: Rules, judge: Callable[[Record], Adjudication]
) -> Adjudication:
    """Return the adjudication of a phase that is over: made again, if it comes to what the record says; else `Posted`.

    `after` is the position with which the next phase began, `judge` judges the phase anew.
    """
    try:
        judged = judge(record)
        if in_brief(judged.rulings) == record.rulings:
            return judged
    except Exception as error:  # after any error a game that is over can still be read
        LOG.error("a phase that is over can no longer be judged", exc_info=error, extra={"event": "posted"})
        judged = None
    happened = judged.happened if judged else ()
    return Posted(after, tuple(_rulings(rules, record, judged)), happened)


def _rulings(rules: Rules, record: Record, judged: Adjudication | None) -> Iterator[Ruling]:
    """Yield the rulings of the record, those on orders first, with unit and order if these can be determined."""
    anew = sorted(judged.rulings, key=lambda ruling: not ruling.given) if judged else []
    given = [(power, text) for power, texts in record.orders.items() for text in texts]
    ordered = [r for r in anew if r.given] or [_ruling_on_text(rules, record, *one) for one in given]
    rulings = [_recorded_ruling(rules, *pair) for pair in zip(ordered, record.rulings, strict=False)]
    yield from rulings
    rest = record.rulings[len(given) :]
    silent = [r for r in anew if not r.given]
    if len(silent) != len(rest):
        busy = {ruling.unit.number for ruling in rulings if ruling.unit and ruling.result is not Result.VOID}
        silent = [_silent(rules, unit) for unit in _units(record) if unit.number not in busy]
    yield from (_recorded_ruling(rules, *pair) for pair in zip(silent, rest, strict=False))


def _recorded_ruling(rules: Rules, anew: Ruling, brief: str) -> Ruling:
    """Return a ruling with the recorded result and cause; unchanged if the new ones are the same."""
    if in_brief([anew]) == (brief,):
        return anew
    word, _, why = brief.partition(": ")
    result = Result(word) if word in list(Result) else anew.result
    cause = causes_with(rules.mechanics).get(why.replace(" ", "_"), _LIKELY[result])
    return anew._replace(result=result, cause=cause, by=(), dislodged_by=None, strengths=None, detail=NOTE)


def _ruling_on_text(rules: Rules, record: Record, power: str, text: str) -> Ruling:
    """Return a ruling on an order known only by its text; the record has the result."""
    try:
        order = rules.derive(OrderReader).read(text, record.phase.kind).order
    except Exception:  # it could be read once, or could not: the text is there in any case
        order = None
    at = order.at.province if order and order.at else ""
    unit = next((u for u in _units(record) if u.at.province == at and u.power == power), None)
    return Ruling(power, unit, order, text, Result.VOID, Cause.DEFECT, board=rules.board, clauses=rules.wording)


def _silent(rules: Rules, unit: Unit) -> Ruling:
    return Ruling(
        unit.power, unit, None, "", Result.HOLDS, Cause.UNORDERED,
        board=rules.board, clauses=rules.wording,
    )  # fmt: skip


def _units(record: Record) -> Sequence[Unit]:
    """Return the units that needed orders."""
    if record.phase.kind is PhaseKind.RETREATS:
        return [out.unit for out in record.position.dislodged]
    return record.position.units
