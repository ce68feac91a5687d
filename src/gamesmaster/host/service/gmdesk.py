"""What the Gamesmaster does beside running the clock: word to all, and orders in a player's stead, both on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.contrib.auth.models import User
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.board import Position
from gamesmaster.game import Game, verify
from gamesmaster.game.attacked import attacks
from gamesmaster.game.judge_id import judge_id
from gamesmaster.game.progress import centre_counts, unit_counts
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Receipt, Table
from gamesmaster.host.models.press import LONGEST_MESSAGE
from gamesmaster.host.service import (
    clock,
    drafts,
    letters,
    orders,
    outbox,
    press,
    rows,
    seat_letters,
    store,
    tables,
)
from gamesmaster.host.service.viewing import TableView


@dataclass(frozen=True, slots=True)
class Course:
    """A power in one phase, compared with the average; `change`: its centres since the phase before.

    Of a phase that is over: how many of its units were `dislodged`, how many went off the board (`lost`), and the
    powers that `attacked` its units, or provinces that were its own and empty.
    """

    phase: str
    centres: int
    units: int
    mean_centres: float
    mean_units: float
    change: int
    dislodged: int = 0
    lost: int = 0
    attacked: tuple[str, ...] = ()


def tell_all(table: Table | int, by: User | None, text: str, *, now: datetime | None = None) -> None:
    """Write to everybody at the table in the Gamesmaster's name; raises `Refused`."""
    with rows.locked(table) as row:
        at = now or clock.now()
        tables.must_run(row, by)
        if not text.strip() or len(text) > LONGEST_MESSAGE:
            raise Refused("bad-message", _("A message must have between 1 and 10,000 characters."))
        press.proclaim(row, letters.word(row, text.strip()), at)
        rows.audit(by, gettext_lazy("wrote to all"), row, at)


def override(
    table: Table | int,
    power: str,
    text: str,
    by: User | None,
    *,
    ordinal: int,
    sure: bool = False,
    now: datetime | None = None,
) -> Receipt:
    """Put orders in for a power in its player's stead; everybody is told that it was done, nobody which orders.

    Who is not `sure` is refused a set that lacks something (`lacking`).  Raises `Refused`, and nothing is stored then.
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        if not rows.is_gm(row, by):
            raise Refused("not-gm", _("Only the Gamesmaster can enter orders for a player."))
        if not sure and drafts.look_over(store.load(row), power, text).lacks:
            raise Refused(
                "lacking",
                _("These orders for {power} have not been entered yet, because they are incomplete.").format(
                    power=power
                ),
                _("look them over"),
            )
        receipt = orders.submit(row, power, text, ordinal=ordinal, user=by, channel="gm", amend=False, now=at)
        said = gettext_lazy("The Gamesmaster has entered orders for {power}.")
        press.announce(row, format_lazy(said, power=power), at)
        own = [seat for seat in rows.seated(row) if seat.power == power]
        outbox.tell_seats(row, own, seat_letters.put_in(row, power), at)
        rows.audit(by, format_lazy(gettext_lazy("entered orders for {power}"), power=power), row, at)
    return receipt


def watched(view: TableView, power: str) -> list[Course]:
    """How one power has fared, phase by phase, compared with the average (CLN-P.d); for whoever runs the table."""
    found: list[Course] = []
    before = None
    stages = [(r.phase.code, r.position) for r in view.records] + [(view.phase_code, view.position)]
    for number, (code, position) in enumerate(stages):
        centres, units = _counts(view, position)
        many = max(len(centres), 1)
        now = centres.get(power, 0)
        change = 0 if before is None else now - before
        before = now
        found.append(
            Course(
                code,
                now,
                units.get(power, 0),
                round(sum(centres.values()) / many, 1),
                round(sum(units.values()) / many, 1),
                change,
                *_suffered(view, power, number, stages),
            )
        )
    return found


def judged_otherwise(table: Table) -> tuple[str, ...]:
    """The phases that this program would judge otherwise than was posted; raises `Refused` before the game begins.

    Looked for only where another program has judged something.
    """
    game = store.load(table)
    return _otherwise(game) if any(record.judge != judge_id() for record in game.records) else ()


@lru_cache(maxsize=64)
def _otherwise(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.phase for one in verify(game)))


def _suffered(
    view: TableView, power: str, number: int, stages: Sequence[tuple[str, Position]]
) -> tuple[int, int, tuple[str, ...]]:
    """How many units a power had dislodged and lost in a phase, and who attacked it; none in the one being played."""
    if number == len(view.records):
        return 0, 0, ()
    position, after = stages[number][1], stages[number + 1][1]
    rulings = view.adjudication(number).rulings
    beaten = {r.unit.number for r in rulings if r.unit and r.unit.power == power and r.dislodged_by}
    lost = _numbers(position, power) - _numbers(after, power)
    who = {one.who for one in attacks(position, rulings) if one.whom == power != one.who}
    return len(beaten), len(lost), tuple(p.name for p in view.variant.powers if p.name in who)


def _numbers(position: Position, power: str) -> set[int]:
    """The numbers of a power's units, of those that must retreat as well."""
    return {u.number for u in (*position.units, *(d.unit for d in position.dislodged)) if u.power == power}


def _counts(view: TableView, position: Position) -> tuple[dict[str, int], dict[str, int]]:
    return dict(centre_counts(view.variant, position)), dict(unit_counts(view.variant, position))
