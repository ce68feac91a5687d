"""Tables: hosted games, who sits at them, and the phases they have been through."""

from __future__ import annotations

import secrets

from django.conf import settings as site
from django.db import models

KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz"
KEY_LENGTH = 10


def new_key() -> str:
    """A public id that nobody guesses: ten letters, 45 bits; no i, l, o, that people mix up."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH))


class TableState(models.TextChoices):
    """Where a table stands.  Only a running one has deadlines."""

    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    QUARANTINED = "quarantined"


NOT_OVER = [TableState.FORMING, TableState.RUNNING, TableState.PAUSED, TableState.QUARANTINED]
"""States in which a table's game is still to be played, or is."""


class SeatState(models.TextChoices):
    """Who is in a seat: from notice to civil disorder; `left` rows are the past."""

    SITTING = "sitting"
    AWAY = "away"
    STANDBY_WANTED = "standby-wanted"
    DISORDER = "disorder"
    LEFT = "left"


SEATED = [SeatState.SITTING, SeatState.AWAY, SeatState.STANDBY_WANTED, SeatState.DISORDER]
"""States in which a seat is at the table, player or not."""


class Table(models.Model):
    """A hosted game.

    `record` is the record of the whole `Game` without the orders and votes of the phase being played, which are
    `Sheet`s and `Ballot`s; it is empty while the table is forming.  `ordinal` is the number of the phase being played,
    from 0: as many phases are over.  `version` rises whenever record, phase or state changes.  Times are UTC.

    `deadline` is when orders are due (none: nobody waits for a clock), `deadline_wall` what was promised in words
    (`2027-03-28 20:00 Europe/Paris`), `ready_at` when the phase is processed early because all are ready, `graced` and
    `reminded` the ordinals whose grace and notice have been given (-1: none).  `late_since` is the deadline that was
    missed while the table waits for late orders (none: it does not).  `paused_why` says who has paused it: `gm`,
    `owner`, `vote`, or `deserted` when its last player was lost.  `claimed_by` is the token of the worker that
    processes the phase since `claimed_at`; `attempts` are counted before they are made.
    """

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, blank=True)
    rulebook = models.JSONField(default=dict)
    house_rules = models.JSONField(default=dict)
    settings = models.JSONField(default=dict)
    state = models.CharField(max_length=12, choices=TableState.choices, default=TableState.FORMING)
    sandbox = models.BooleanField(default=False)
    forked_from = models.CharField(max_length=40, blank=True)
    seed = models.BinaryField(default=bytes)
    record = models.TextField(blank=True)
    ordinal = models.PositiveIntegerField(default=0)
    phase_code = models.CharField(max_length=24, blank=True)
    phase_began = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    deadline_wall = models.CharField(max_length=80, blank=True)
    ready_at = models.DateTimeField(null=True)
    graced = models.IntegerField(default=-1)
    late_since = models.DateTimeField(null=True)
    reminded = models.IntegerField(default=-1)
    seconds_left = models.PositiveIntegerField(null=True)  # of the deadline, while paused
    paused_why = models.CharField(max_length=12, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True)
    claimed_by = models.CharField(max_length=64, blank=True)
    owner = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tables_made")
    gm = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tables_run")
    created = models.DateTimeField()
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        """What is due is asked every few seconds."""

        indexes = [
            models.Index(fields=["state", "deadline"], name="table_due"),
            models.Index(fields=["state", "ready_at"], name="table_ready"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.key})"


class Seat(models.Model):
    """A place at a table, and who is in it: a user or a bot.  `power` is null until the powers are drawn.

    `preferences` are powers' names, dearest first; `misses` the seasons of moves missed in a row.  A replaced player's
    row stays, as `left`; `left_ordinal` says in which phase.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    power = models.CharField(max_length=60, null=True)  # none is not the empty name
    user = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=16, choices=SeatState.choices, default=SeatState.SITTING)
    preferences = models.JSONField(default=list)
    misses = models.PositiveSmallIntegerField(default=0)
    asked = models.PositiveIntegerField(default=0)  # seasons of moves in which orders were asked for
    sent = models.PositiveIntegerField(default=0)  # those in which some came
    joined = models.DateTimeField()
    joined_ordinal = models.IntegerField(default=0)
    left_ordinal = models.IntegerField(null=True)
    statement = models.TextField(max_length=4000, blank=True)  # what the player says of the game when it is over

    class Meta:
        """Nobody sits twice, and no power is played twice."""

        constraints = [
            models.UniqueConstraint(
                fields=["table", "user"], condition=models.Q(state__in=SEATED, user__isnull=False), name="one_seat_each"
            ),
            models.UniqueConstraint(
                fields=["table", "power"],
                condition=models.Q(state__in=SEATED, power__isnull=False),
                name="one_seat_a_power",
            ),
            models.CheckConstraint(condition=models.Q(bot="") | models.Q(user__isnull=True), name="user_or_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.power or 'a seat'} at table {self.table_id}"

    @property
    def vacant(self) -> bool:
        """Has its player left, and nobody come?"""
        return self.user_id is None and not self.bot


class PhaseRow(models.Model):
    """A phase that is over.  The truth is in `Table.record`; that there is one row a phase is kept here.

    `seats` is how each seat stood before it was processed, by its number: state, misses, asked, sent; a rollback puts
    that back.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="phases")
    ordinal = models.PositiveIntegerField()
    code = models.CharField(max_length=24)
    processed_at = models.DateTimeField()
    why = models.CharField(max_length=24)
    digest = models.CharField(max_length=64)
    seats = models.JSONField(default=dict)

    class Meta:
        """Each phase is adjudicated once."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal"], name="one_row_a_phase")]

    def __str__(self) -> str:
        return f"{self.code} of table {self.table_id}"


class Invitation(models.Model):
    """A link that lets somebody join, or take over a power; it holds until it is used as often as it may be."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=16, unique=True, default=new_key)
    power = models.CharField(max_length=60, blank=True)
    uses_left = models.PositiveSmallIntegerField(default=1)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"invitation to table {self.table_id}"
