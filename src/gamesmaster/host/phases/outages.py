"""Give back the time of an outage: move deadlines on, then write notices and e-mails.

The transaction that finds an outage moves the first deadlines.  Jobs do the rest in batches.  A batch is one
transaction, which also stores how far the work has come (`Outage.step`, `Outage.upto`): after a kill another worker
goes on from there, and does nothing twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import DateTimeField, Exists, Func, JSONField, OuterRef, QuerySet, Value
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from gamesmaster.host.games import deadlines
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import jobs
from gamesmaster.host.site.clock import Outage
from gamesmaster.host.tables import notifications, outbox, store
from gamesmaster.host.tables.models import SEATED, Message, Seat, Table, TableState

MAIL = "mail"
MOVES, NEWS = "deadlines", "news of outages"
"""Jobs that move deadlines, and that write notices and e-mails about them."""
LONGEST_AWAY = timedelta(minutes=15)
"""After a longer outage all deadlines are moved, not only those that are near."""
NEAR = timedelta(hours=1)
"""After a short outage a deadline is moved if it comes within this time."""
SECOND_CHANCE = timedelta(hours=24)
"""Everybody has at least this much time after an outage, or as much as it lasted if that is less."""
WRITES_BY_MAIL = timedelta(days=60)
BATCH, PEOPLE = 2000, 25
"""Tables, and people with all their tables, of one transaction."""
NEEDED = (
    "name", "state", "settings", "sandbox", "ordinal", "phase_code", "phase_began", "deadline", "deadline_wall",
    "late_since", "reminded", "remind_at",
)  # fmt: skip
"""Columns that have a part in deadlines and notices. Whole rows of many tables would take several times as long."""


class _OfRow(Func):
    """The text that a JSON object has under the number of the row; NULL if it has none."""

    template = "(%(expressions)s ->> id::text)"

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the SQL for SQLite, which stores times as texts."""
        return self.as_sql(compiler, connection, template="JSON_EXTRACT(%(expressions)s, '$.\"' || id || '\"')")

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the SQL for PostgreSQL, with a cast for times."""
        cast = "::timestamptz" if isinstance(self.output_field, DateTimeField) else ""
        return self.as_sql(compiler, connection, template=self.template + cast)


def by_mail(now: datetime) -> Exists:
    """Return a condition on tables: somebody plays there who writes by mail."""
    since = now - WRITES_BY_MAIL
    return Exists(Seat.objects.filter(table=OuterRef("pk"), state__in=SEATED, user__mails_in__at__gt=since))


def begin(outage: Outage) -> None:
    """Store an outage that is over, and move the first deadlines."""
    outage.step = Outage.MOVING
    outage.save()
    _advance(outage, outage.ended)
    jobs.ask(MOVES, outage.ended)


def is_moving() -> bool:
    """Return whether deadlines are still to be moved, so that no phase may be processed."""
    return Outage.objects.filter(step=Outage.MOVING).exists()


def move_on(now: datetime) -> bool:
    """Move the next batch of deadlines, and return whether there was work."""
    return _do_batch([Outage.MOVING], now)


def tell(now: datetime) -> bool:
    """Write the next batch of notices or e-mails about moved deadlines, and return whether there was work."""
    return _do_batch([Outage.NOTICES, Outage.MAILS], now)


def move(_subject: int, now: datetime) -> bool:
    """Move the next batch of deadlines as a job, and ask for their news after the last."""
    if move_on(now):
        return True
    jobs.ask(NEWS, now)
    return False


def write(_subject: int, now: datetime) -> bool:
    """Write the next batch of news as a job."""
    return tell(now)


def count_late(now: datetime, slow: timedelta) -> int:
    """Count the phases that several outages held up, and whose first deadline passed more than `slow` ago.

    One outage makes no phase late: players were told of another deadline.
    """
    chains: dict[str, list[str]] = {}  # by table: the deadline before the first outage, and after each
    for moved in Outage.objects.filter(ended__gt=now - NEAR).order_by("pk").values_list("moved", flat=True):
        for number, (was, at) in moved.items():
            chain = chains.get(number, [])
            chains[number] = [*chain, at] if chain[-1:] == [was] else [was, at]
    late = {
        number: chain[-1]
        for number, chain in chains.items()
        if len(chain) > 2 and datetime.fromisoformat(chain[0]) < now - slow
    }
    tables = Table.objects.filter(state=TableState.RUNNING, pk__in=late)
    return sum(at.isoformat() == late[str(number)] for number, at in tables.values_list("pk", "deadline") if at)


# -- batches ---------------------------------------------------------------------------------------------------------


def _do_batch(steps: Collection[str], now: datetime) -> bool:
    left = Outage.objects.filter(step__in=steps).order_by("pk")
    if not left.exists():
        return False
    with transaction.atomic():
        outage = left.select_for_update().first()
        if outage is None:
            return False
        _advance(outage, now)
    return True


def _advance(outage: Outage, now: datetime) -> None:
    """Do a batch of the outage's step, and store how far the work has come."""
    work, following = _STEPS[outage.step]
    fields = ["step", "upto", "moved"] if outage.step == Outage.MOVING else ["step", "upto"]
    outage.upto = work(outage, now)
    if not outage.upto:
        outage.step = following
    outage.save(update_fields=fields)


def _move_batch(outage: Outage, now: datetime) -> int:
    rows = _hit(outage).filter(pk__gt=outage.upto).select_for_update(of=("self",))
    tables = list(rows.only(*NEEDED)[:BATCH])
    if not tables:
        store.audit(None, _summary(outage), None, now)
        return 0
    for table in tables:
        assert table.deadline is not None
        was, settings = table.deadline, store.settings_of(table)
        later = max(was + outage.lasted, outage.ended + min(outage.lasted, SECOND_CHANCE))
        due = (
            deadlines.due_on_hour(table, later)
            if outage.lasted > LONGEST_AWAY
            else deadlines.due_on_working_day(settings, later)
        )
        deadlines.put_deadline(table, due, late_since=table.late_since)
        outage.moved[str(table.pk)] = [was.isoformat(), due.at.isoformat()]
    _save_deadlines(tables)
    return tables[-1].pk


def _save_deadlines(tables: list[Table]) -> None:
    """Save the deadlines of these tables in one statement, which costs much less than `bulk_update`."""
    changed = {}
    for field in Table._meta.concrete_fields:
        if field.attname in ("deadline", "deadline_wall", "remind_at"):
            values = {table.pk: field.get_db_prep_save(getattr(table, field.attname), connection) for table in tables}
            texts = {number: str(value) for number, value in values.items() if value is not None}
            changed[field.attname] = _OfRow(Value(texts, JSONField()), output_field=field)
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(**changed)


def _write_notices(outage: Outage, now: datetime) -> int:
    numbers = sorted(number for number in map(int, outage.moved) if number > outage.upto)[:BATCH]
    tables = Table.objects.filter(pk__in=numbers).only(*NEEDED)
    Message.objects.bulk_create(
        correspondence.notice(table, notifications.write(table, "new_deadline", why=_why(outage)).notice, now)
        for table in tables
        if _is_news(table, outage)
    )
    return numbers[-1] if numbers else 0


def _write_mails(outage: Outage, now: datetime) -> int:
    seats = Seat.objects.filter(table__in=map(int, outage.moved), state__in=SEATED, user__gt=outage.upto)
    people = list(seats.order_by("user").values_list("user", flat=True).distinct()[:PEOPLE])
    mine: dict[int, list[Seat]] = defaultdict(list)
    rows = seats.filter(user__in=people).select_related("user__profile", "table").defer("table__record")
    for seat in rows.order_by("table"):
        if seat.user_id is not None and _is_news(seat.table, outage):
            mine[seat.user_id].append(seat)
    outbox.send((_post(seats, outage) for seats in mine.values()), now)
    return people[-1] if people else 0


_STEPS: dict[str, tuple[Callable[[Outage, datetime], int], str]] = {
    Outage.MOVING: (_move_batch, Outage.NOTICES),
    Outage.NOTICES: (_write_notices, Outage.MAILS),
    Outage.MAILS: (_write_mails, Outage.DONE),
}
"""For each step, the function that does a batch, and the next step.

The function returns the number of the last row that it reached, 0 if no row was left.
"""


def _post(seats: list[Seat], outage: Outage) -> outbox.Post:
    """Return the notification for the person in these seats; one about a single game can be answered with orders."""
    user = seats[0].user
    assert user is not None
    if len(seats) == 1:
        table = seats[0].table
        return outbox.Post(
            user, notifications.write(table, "new_deadline", why=_why(outage)), table, seats[0].power or ""
        )
    return outbox.Post(user, notifications.new_deadlines([seat.table for seat in seats], _why(outage)))


def _is_news(table: Table, outage: Outage) -> bool:
    """Return whether the deadline is still the one that this outage has set."""
    _was, at = outage.moved[str(table.pk)]
    return table.state == TableState.RUNNING and table.deadline == datetime.fromisoformat(at)


def _summary(outage: Outage) -> Promise:
    return format_lazy(
        gettext_lazy("the {name} was away since {since:%Y-%m-%d %H:%M} UTC: {many} deadlines moved"),
        name=outage.name,
        since=outage.began,
        many=len(outage.moved),
    )


def _why(outage: Outage) -> Promise:
    if outage.name == MAIL:
        return gettext_lazy("No e-mail could be received for a while, so everybody gets more time.")
    return gettext_lazy("The site was down, so everybody gets more time.")


# -- which deadlines, and until when ---------------------------------------------------------------------------------


def _hit(outage: Outage) -> QuerySet[Table]:
    """Return the tables whose deadlines an outage moves."""
    tables = Table.objects.filter(state=TableState.RUNNING, deadline__isnull=False)
    tables = tables.exclude(phase_began__gt=outage.ended)
    if outage.name == MAIL:
        tables = tables.filter(by_mail(outage.ended))
    if outage.lasted <= LONGEST_AWAY:
        tables = tables.filter(deadline__gte=outage.began, deadline__lt=outage.ended + NEAR)
    return tables.order_by("pk")
