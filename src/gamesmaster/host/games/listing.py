"""Lists of games: those to join, one's own, those that run and those that are over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.tables import editions, store
from gamesmaster.host.tables.models import SEATED, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.variant import Variant, find_rules_text, find_variant, variant_names


@dataclass(frozen=True, slots=True)
class Card:
    """A variant as the shelf shows it."""

    id: str
    name: str
    powers: int
    centres: int
    wins: int
    says: str
    digest: str


KINDS = {
    "open": _("To join"),
    "mine": _("Mine"),
    "running": _("Running"),
    "finished": _("Finished"),
}
"""The lists, and their titles."""
PAGE = 24
WANTED = [SeatState.STANDBY_WANTED, SeatState.DISORDER]


@dataclass(frozen=True, slots=True)
class Line:
    """A game in a list; `mine` is the power of the person asking, `waiting` that his or her orders are missing."""

    key: str
    name: str
    variant: Variant
    state: str
    settings: TableSettings
    taken: int
    seats: int
    wanted: int
    phase: str
    deadline: datetime | None
    deadline_wall: str
    mine: str
    sits: bool
    runs: bool
    waiting: bool
    sandbox: bool

    @property
    def free(self) -> int:
        """How many may still sit down: empty seats before the game, lost ones in it."""
        if self.state == TableState.FORMING:
            return self.seats - self.taken
        return self.wanted if self.state in (TableState.RUNNING, TableState.PAUSED) else 0


def find(kind: str, user: User | None, *, words: str = "", page: int = 0, most: int = PAGE) -> list[Line]:
    """The games of one list that this person may know of; `words` are looked for in names and variants."""
    found = _of_kind(kind, user)
    for word in words.split()[:8]:
        found = found.filter(Q(name__icontains=word) | Q(variant__icontains=word) | Q(key=word))
    tables = list(found.defer("record")[page * most : (page + 1) * most])
    counts = _counts(tables)
    seats = _seats(tables, user)
    sent = _sent(tables, seats)
    lines = []
    for table in tables:
        try:
            lines.append(_line(table, user, seats.get(table.pk), table.pk in sent, *counts.get(table.pk, (0, 0))))
        except GamesmasterError:  # a variant that is no longer there does not hide the others
            continue
    return lines


def _of_kind(kind: str, user: User | None) -> QuerySet[Table]:
    public = Table.objects.filter(sandbox=False, settings__observers=True).exclude(settings__join="invited")
    if kind == "mine":
        if user is None:
            return Table.objects.none()
        seat = Seat.objects.filter(table=OuterRef("pk"), user=user, state__in=SEATED)
        own = Q(Exists(seat)) | Q(gm=user) | Q(owner=user)
        found = Table.objects.filter(own).exclude(state=TableState.CANCELLED)
        return found.exclude(sandbox=True, settings__join="invited").order_by("-created")  # plans are at their tables
    if kind == "open":
        lost = Seat.objects.filter(state__in=WANTED).values("table")  # asked once, not for each game
        joinable = Q(state=TableState.FORMING) | Q(pk__in=lost, state__in=[TableState.RUNNING, TableState.PAUSED])
        return public.filter(joinable, settings__join="open").order_by("-created")
    if kind == "finished":
        return public.filter(state=TableState.FINISHED).order_by("-finished")
    running = [TableState.RUNNING, TableState.PAUSED]
    return public.filter(state__in=running).order_by("-started")


def _counts(tables: Sequence[Table]) -> dict[int, tuple[int, int]]:
    """How many seats of these games are taken, and for how many a player is wanted.

    They are counted for the games of a page alone: counted along with the list, all games there are would be counted.
    """
    found = Seat.objects.filter(table__in=[table.pk for table in tables]).values("table")
    counted = found.annotate(
        taken=Count("pk", filter=Q(state__in=SEATED)), wanted=Count("pk", filter=Q(state__in=WANTED))
    )
    return {row["table"]: (row["taken"], row["wanted"]) for row in counted}


def _seats(tables: Sequence[Table], user: User | None) -> dict[int, Seat]:
    """The seats of a person in these games: asked once for all, however many there are."""
    if user is None:
        return {}
    found = Seat.objects.filter(table__in=[table.pk for table in tables], user=user, state__in=SEATED).order_by("-pk")
    return {seat.table_id: seat for seat in found}


def _sent(tables: Sequence[Table], seats: dict[int, Seat]) -> set[int]:
    """In which of these games a person has sent orders for the phase that is played."""
    now = {
        (table.pk, table.ordinal, seats[table.pk].power)
        for table in tables
        if table.pk in seats and seats[table.pk].power
    }
    if not now:
        return set()
    found = Sheet.objects.filter(table__in=[pk for pk, _, _ in now], ordinal__in={ordinal for _, ordinal, _ in now})
    return {row[0] for row in found.values_list("table", "ordinal", "power") if row in now}


def _line(table: Table, user: User | None, seat: Seat | None, sent: bool, taken: int, wanted: int) -> Line:
    variant = editions.of(table)
    return Line(
        key=table.key,
        name=table.name,
        variant=variant,
        state=table.state,
        settings=store.settings_of(table),
        taken=taken,
        seats=len(variant.powers),
        wanted=wanted,
        phase=table.phase_code,
        deadline=table.deadline,
        deadline_wall=table.deadline_wall,
        mine=(seat.power or "") if seat else "",
        sits=seat is not None,
        runs=user is not None and user.pk in (table.gm_id, table.owner_id),
        waiting=seat is not None and table.state == TableState.RUNNING and not sent,
        sandbox=table.sandbox,
    )


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """All variants, the regular game first."""
    names = sorted(variant_names(), key=lambda name: (name != "standard", name))
    return tuple(card_of(find_variant(name)) for name in names)


def card_of(found: Variant) -> Card:
    """The card of a variant."""
    says = " ".join(find_rules_text(found.family).brief.split())
    return Card(
        found.id, found.name, len(found.powers), len(found.board.centres), found.victory.centres,
        re.split(r"(?<!\b[A-Z])\. ", says)[0].rstrip(".") + ".", found.digest[:12],
    )  # fmt: skip
