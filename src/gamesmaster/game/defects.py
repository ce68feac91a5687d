"""Defects of the program: an order that it cannot judge is void, with a cause of its own, and the phase goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from gamesmaster.board import Position
from gamesmaster.errors import GamesmasterError
from gamesmaster.game.record import Record
from gamesmaster.judge import Adjudication, Cause, OrderWarning, Result, Rules, Ruling, adjudicate, corroborate
from gamesmaster.judge.adjudication import Decided
from gamesmaster.orders import PhaseKind

LOG = logging.getLogger("gamesmaster")
Orders = Mapping[str, Sequence[str]]
Done = TypeVar("Done")


def adjudicate_all(
    rules: Rules, kind: PhaseKind, position: Position, orders: Orders, disorder: Collection[str]
) -> Adjudication:
    """Adjudicate a phase whatever is ordered, texts by power.

    Where that fails, the orders are tried one after the other, in the order written, and those with which it fails are
    void (`Cause.DEFECT`), so that nobody's order stops the others'.  Raises what `adjudicate` raises of its own, and
    what fails without any order.
    """
    done, sound = _contain(lambda given: _whole(rules, kind, position, given, disorder), orders)
    if all(sound):
        return done
    rest = iter(done.rulings)
    given = [next(rest) if good else _void(rules, *one) for one, good in zip(_each(orders), sound, strict=True)]
    return Decided(done.position, (*given, *rest), done.happened)


def corroborate_all(rules: Rules, kind: PhaseKind, position: Position, orders: Orders) -> list[OrderWarning]:
    """Warnings about orders, texts by power, whatever is ordered; of those that cannot be judged none.

    Raises what `corroborate` raises of its own, and what fails without any order.
    """
    return _contain(lambda given: corroborate(rules, kind, position, given), orders)[0]


def defective(record: Record) -> bool:
    """Was an order of this phase void because the program could not judge it?"""
    return any(words.endswith(f": {Cause.DEFECT.name.lower()}") for words in record.rulings)


def _contain(judge: Callable[[Orders], Done], orders: Orders) -> tuple[Done, list[bool]]:
    """What the judge makes of the orders that it can judge, and for each in turn whether it is one of them."""
    try:
        return judge(orders), [True for _ in _each(orders)]
    except GamesmasterError:
        raise
    except Exception as error:  # whatever it is, it is a fault of ours
        LOG.error("a phase could not be adjudicated with all of its orders", exc_info=error, extra={"event": "defect"})
    kept: dict[str, list[str]] = {power: [] for power in orders}
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


def _each(orders: Orders) -> Iterator[tuple[str, str]]:
    """The orders in the order written, each with its power."""
    return ((power, text) for power, texts in orders.items() for text in texts)


def _void(rules: Rules, power: str, text: str) -> Ruling:
    return Ruling(power, None, None, text, Result.VOID, Cause.DEFECT, board=rules.board, clauses=rules.told)


def _whole(
    rules: Rules, kind: PhaseKind, position: Position, orders: Orders, disorder: Collection[str]
) -> Adjudication:
    """The adjudication with position and rulings, which are else made when somebody asks: what fails fails here."""
    done = adjudicate(rules, kind, position, orders, disorder=disorder)
    done.rulings, done.position, done.happened  # noqa: B018
    return done
