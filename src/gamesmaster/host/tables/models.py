"""Tables: hosted games, who sits at them, their phases, orders, votes and messages, and what is written about them."""

from __future__ import annotations

import secrets

from django.conf import settings
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
    from 0: as many phases are over.  `ahead` is what powers sent ahead in earlier phases and still waits, by power and
    kind; a `Sheet` of the phase being played replaces it.  `version` rises whenever record, phase or state changes.
    Times are UTC.

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
    ahead = models.JSONField(default=dict)
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

    `seats` is how each seat stood before it was processed, by its number: state, misses, asked, sent; `ahead` is what
    `Table.ahead` was then.  A rollback puts both back.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="phases")
    ordinal = models.PositiveIntegerField()
    code = models.CharField(max_length=24)
    processed_at = models.DateTimeField()
    why = models.CharField(max_length=24)
    digest = models.CharField(max_length=64)
    seats = models.JSONField(default=dict)
    ahead = models.JSONField(default=dict)

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


CHANNELS = [(c, c) for c in ("web", "mail", "api", "bot", "gm", "ahead")]


class Sheet(models.Model):
    """The orders that a power has sent for a phase: the last set, as it was given, a line an order.

    `ahead` are its orders for later phases, by kind.  A set of the channel `ahead` was made of those of an earlier one.
    `version` counts the sets, from 1.  `confirmed`: the player is ready; `hold`: the phase must not be processed before
    its deadline.  `salt` goes into the hash of the receipt, so that the orders cannot be guessed from it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheets")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    text = models.TextField(blank=True)
    ahead = models.JSONField(default=dict)
    salt = models.CharField(max_length=32, blank=True)
    version = models.PositiveIntegerField(default=1)
    sent_at = models.DateTimeField()
    channel = models.CharField(max_length=8, choices=CHANNELS)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    confirmed = models.BooleanField(default=False)
    hold = models.BooleanField(default=False)

    class Meta:
        """One sheet a power and phase: the current one."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power"], name="one_sheet_a_power")]

    def __str__(self) -> str:
        return f"sheet {self.version} of {self.power}, phase {self.ordinal} of table {self.table_id}"

    @property
    def whole(self) -> str:
        """The set with what was sent ahead below it: the text that a receipt vouches for."""
        kinds = [kind for kind in ("retreats", "adjustments") if self.ahead.get(kind)]
        return "\n".join([self.text, *("\n".join([f"{kind}:", *self.ahead[kind]]) for kind in kinds)])

    @property
    def lines(self) -> list[str]:
        """The orders, one each."""
        return self.text.split("\n") if self.text else []


class Receipt(models.Model):
    """Proof that a sheet was stored: written with it, given out only when both are safe."""

    code = models.CharField(max_length=24, unique=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="receipts")
    table_key = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()
    phase = models.CharField(max_length=24)
    power = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    at = models.DateTimeField()
    channel = models.CharField(max_length=8, choices=CHANNELS)
    sheet_hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=64)
    void = models.BooleanField(default=False)  # a rollback took the phase back

    def __str__(self) -> str:
        return f"receipt {self.code}"


BALLOTS = ("end", "extend", "pause", "resume", "cancel")


class Ballot(models.Model):
    """A vote of a power in a phase.

    To end the game (`end`: `winners` share it), for more time, for a pause or its end, or to cancel the game.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="ballots")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    kind = models.CharField(max_length=8, default="end", choices=[(c, c) for c in BALLOTS])
    winners = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        """One ballot a power, phase and question."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power", "kind"], name="one_ballot")]

    def __str__(self) -> str:
        return f"ballot of a power, phase {self.ordinal} of table {self.table_id}"


class Standby(models.Model):
    """A person who offers to take a power of a table: `wish`, or any if that is empty (CLN-H.e).

    `power` is the one for which he or she is asked for orders now, empty while none is in danger.  `text` are the
    orders, a line each, for the phase `ordinal`; they are no sheet of the power's, and none but their writer sees them.
    `sent_at` is none while there are none.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="standbys")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="standbys")
    wish = models.CharField(max_length=60, blank=True)
    offered = models.DateTimeField()
    power = models.CharField(max_length=60, blank=True)
    ordinal = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Nobody offers twice, and one is asked for each power."""

        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_offer_each"),
            models.UniqueConstraint(
                fields=["table", "power"], condition=~models.Q(power=""), name="one_standby_a_power"
            ),
        ]

    def __str__(self) -> str:
        return f"standby {self.pk} of table {self.table_id}"

    @property
    def lines(self) -> list[str]:
        """The orders, one each."""
        return self.text.split("\n") if self.text else []


LONGEST_MESSAGE = 10_000  # characters


class Message(models.Model):
    """A message.  `sender` is a power, or empty for the Gamesmaster and the house; `to` are powers, empty for all.

    `shown_as` is what is shown as its sender: the power, `anonymous`, `Gamesmaster`.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    ordinal = models.PositiveIntegerField()
    sender = models.CharField(max_length=60, blank=True)
    shown_as = models.CharField(max_length=60)
    to = models.JSONField(default=list)
    text = models.TextField(max_length=LONGEST_MESSAGE)
    sent_at = models.DateTimeField()

    class Meta:
        """Threads are read in order."""

        indexes = [models.Index(fields=["table", "sent_at"], name="message_time")]

    def __str__(self) -> str:
        return f"message {self.pk} at table {self.table_id}"


class KeptEdition(models.Model):
    """All that a variant is, as the archive `Edition.pack` makes; `digest` is that of the variant without options."""

    digest = models.CharField(max_length=64, primary_key=True)
    family = models.CharField(max_length=40, db_index=True)
    archive = models.BinaryField()
    kept = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.family}, edition {self.digest[:16]}"


class OutMail(models.Model):
    """A mail to be sent.  `dedupe` makes that nobody is told the same thing twice, whoever tries again.

    `ordinal` is the phase of its reply address, `answers` the Message-ID of the mail that it answers, `attach` what is
    drawn for it when it is sent (`png 3`: the map of the phase 3), `why` why it was not delivered: a code, no text.
    """

    QUEUED, SENT, FAILED, HELD = "queued", "sent", "failed", "held"

    to = models.CharField(max_length=254)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails")
    event = models.CharField(max_length=24, blank=True)
    power = models.CharField(max_length=60, blank=True)  # the power told, for its reply address
    ordinal = models.PositiveIntegerField(default=0)
    answers = models.CharField(max_length=255, blank=True)
    attach = models.CharField(max_length=40, blank=True)
    why = models.CharField(max_length=40, blank=True)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    message_id = models.CharField(max_length=120, unique=True)
    state = models.CharField(max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED, HELD)])
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    made = models.DateTimeField()
    dedupe = models.CharField(max_length=160, unique=True)

    class Meta:
        """The oldest that is due goes first."""

        indexes = [models.Index(fields=["state", "next_try"], name="mail_due")]

    def __str__(self) -> str:
        return f"mail {self.pk} ({self.event}, {self.state})"


class AuditLine(models.Model):
    """Who did what at which table, and when; never an order, a vote or press."""

    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    what = models.CharField(max_length=200)
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="audit")
    ordinal = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what}"


class WebHook(models.Model):
    """An address that is told of what happens at a table, with a signature made with `secret`.

    `seen` is what it was last told: phase, state, deadline.  After too many `failures` in a row it is told no more.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="hooks")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=64)
    events = models.JSONField(default=list)
    seen = models.JSONField(default=dict)
    failures = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"hook {self.pk} of table {self.table_id}"


class HookCall(models.Model):
    """Something that a hook is to be told, once: `what` names the happening."""

    QUEUED, SENT, FAILED = "queued", "sent", "failed"

    hook = models.ForeignKey(WebHook, models.CASCADE, related_name="calls")
    code = models.CharField(max_length=32, unique=True)
    event = models.CharField(max_length=24)
    what = models.CharField(max_length=120)
    body = models.TextField()
    state = models.CharField(max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED)])
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    made = models.DateTimeField()
    why = models.CharField(max_length=60, blank=True)

    class Meta:
        """Nobody is told the same twice; what is due is asked every few seconds."""

        constraints = [models.UniqueConstraint(fields=["hook", "what"], name="one_call")]
        indexes = [models.Index(fields=["state", "next_try"], name="call_due")]

    def __str__(self) -> str:
        return f"call {self.code} ({self.event}, {self.state})"


class InMail(models.Model):
    """A mail that came in.  `mark` is the hash of its Message-ID and of the address it came to.

    `verdict` says what became of it: `done`, `ignored`, `forged`, `old`, `bounce`, `public`.
    """

    mark = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails_in")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails_in")
    verdict = models.CharField(max_length=12)
    at = models.DateTimeField()

    class Meta:
        """How many somebody has sent of late is asked for each."""

        indexes = [models.Index(fields=["user", "at"], name="mail_came")]

    def __str__(self) -> str:
        return f"mail in {self.pk} ({self.verdict})"
