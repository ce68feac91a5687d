"""Models of tables: seats, phases, orders, votes, messages, mails and webhooks."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.conf import settings as site
from django.db import models

KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz"

KEY_LENGTH = 10


def new_key() -> str:
    """Return a random public id of ten letters (45 bits), without i, l and o, which are easily confused."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH))


class TableState(models.TextChoices):
    """State of a table. Only running tables have deadlines."""

    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    QUARANTINED = "quarantined"


NOT_OVER = [TableState.FORMING, TableState.RUNNING, TableState.PAUSED, TableState.QUARANTINED]
"""States of a table whose game is not over."""


class SeatState(models.TextChoices):
    """State of a seat, from present to civil disorder; `left` rows are history."""

    SITTING = "sitting"
    AWAY = "away"
    STANDBY_WANTED = "standby-wanted"
    DISORDER = "disorder"
    LEFT = "left"


SEATED = [SeatState.SITTING, SeatState.AWAY, SeatState.STANDBY_WANTED, SeatState.DISORDER]
"""States of a seat that belongs to the table, with or without a player."""


class Table(models.Model):
    """A hosted game. All times are UTC."""

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, blank=True)  # digest of the variant's edition
    rulebook = models.JSONField(default=dict)  # `given`: the rulebook chosen at creation
    house_rules = models.JSONField(default=dict)
    settings = models.JSONField(default=dict)  # `TableSettings` as JSON
    state = models.CharField(max_length=12, choices=TableState.choices, default=TableState.FORMING)
    sandbox = models.BooleanField(default=False)
    # key and phase of the game that a sandbox branched off, or a mark
    forked_from = models.CharField(max_length=40, blank=True)
    seed = models.BinaryField(default=bytes)
    record = models.TextField(blank=True)  # the `Game` without the current phase's orders and votes; "" while forming
    # orders sent ahead in earlier phases, by power and kind; a `Sheet` replaces them
    ahead = models.JSONField(default=dict)
    ordinal = models.PositiveIntegerField(default=0)  # number of the current phase, from 0
    phase_code = models.CharField(max_length=24, blank=True)
    owing = models.JSONField(null=True)  # powers with orders due in the phase; None: not known, in old rows
    phase_began = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)  # None: no clock
    deadline_wall = models.CharField(max_length=80, blank=True)  # as promised: `2027-03-28 20:00 Europe/Paris`
    ready_at = models.DateTimeField(null=True)  # when the phase is processed early, because all are ready
    graced = models.IntegerField(default=-1)  # ordinal of the last phase whose grace was given
    late_since = models.DateTimeField(null=True)  # the missed deadline, while the table waits for late orders
    reminded = models.IntegerField(default=-1)  # ordinal of the last phase whose reminders were sent
    # when the reminders of the phase are due, or without a deadline the end of the wait; None: never, or it is over
    remind_at = models.DateTimeField(null=True)
    nudged_at = models.DateTimeField(null=True)  # when players were last nudged, in a phase without a deadline
    seconds_left = models.PositiveIntegerField(null=True)  # until the deadline, while paused
    # `gm`, `vote`, `deserted` when the last player was lost; "" for others
    paused_why = models.CharField(max_length=12, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # counted before each attempt to process the phase
    claimed_at = models.DateTimeField(null=True)
    claimed_by = models.CharField(max_length=64, blank=True)  # token of the worker that processes the phase
    owner = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tables_made")
    gm = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="tables_run")
    created = models.DateTimeField()
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=0)  # increases with each change of record, phase or state

    class Meta:
        """Indexes for finding due tables, every few seconds."""

        indexes = [
            models.Index(fields=["state", "deadline"], name="table_due"),
            models.Index(fields=["state", "ready_at"], name="table_ready"),
            models.Index(fields=["state", "remind_at"], name="table_remind"),
        ]

    def needs_orders(self, power: str | None) -> bool:
        """Return whether orders of a power are due in the phase, saved or not."""
        return self.owing is None or power in self.owing


class Helper(models.Model):
    """A person who helps the Gamesmaster of a table, or once did. People who know its secrets cannot play there."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="helpers")
    user = models.ForeignKey(site.AUTH_USER_MODEL, models.CASCADE, related_name="helping")
    named = models.DateTimeField()
    ended = models.DateTimeField(null=True)  # None: helps now

    class Meta:
        """One row per person and table."""

        constraints = [models.UniqueConstraint(fields=["table", "user"], name="one_helper_each")]


class Seat(models.Model):
    """A seat at a table, and its player: a user or a bot. Replaced players keep a row in the state `left`."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    power = models.CharField(max_length=60, null=True)  # null, not "", until powers are drawn
    user = models.ForeignKey(site.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=16, choices=SeatState.choices, default=SeatState.SITTING)
    preferences = models.JSONField(default=list)  # names of powers, most wanted first
    misses = models.PositiveSmallIntegerField(default=0)  # seasons of moves missed in a row
    asked = models.PositiveIntegerField(default=0)  # seasons of moves in which orders were due
    sent = models.PositiveIntegerField(default=0)  # those in which some were sent
    joined = models.DateTimeField()
    joined_ordinal = models.IntegerField(default=0)
    left_ordinal = models.IntegerField(null=True)  # phase in which the player left
    statement = models.TextField(max_length=4000, blank=True)  # the player's statement on the finished game

    class Meta:
        """A user has one current seat per table, and a power one current player."""

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

    @property
    def vacant(self) -> bool:
        """Return whether its player has left and it has no new one."""
        return self.user_id is None and not self.bot


class PhaseRow(models.Model):
    """A finished phase. `Table.record` is authoritative; this table guarantees one row per phase.

    A rollback restores `seats` and `ahead`.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="phases")
    ordinal = models.PositiveIntegerField()
    code = models.CharField(max_length=24)
    processed_at = models.DateTimeField()
    why = models.CharField(max_length=24)  # reason for processing
    late = models.PositiveIntegerField(null=True)  # seconds after it was due; None: processed on request
    digest = models.CharField(max_length=64)  # SHA-256 of the record
    seats = models.JSONField(default=dict)  # before processing, by seat: state, misses, asked, sent
    ahead = models.JSONField(default=dict)  # `Table.ahead` before processing

    class Meta:
        """Each phase is adjudicated once; an index for those of the last hour."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal"], name="one_row_a_phase")]
        indexes = [models.Index(fields=["processed_at"], name="phase_processed")]


class Invitation(models.Model):
    """A link to join a game or take over a power. It works until its uses are used up."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=16, unique=True, default=new_key)
    power = models.CharField(max_length=60, blank=True)
    uses_left = models.PositiveSmallIntegerField(default=1)
    made = models.DateTimeField()


CHANNELS = [(c, c) for c in ("web", "mail", "api", "bot", "gm", "ahead")]


class Sheet(models.Model):
    """A power's orders for a phase: the last set that was sent."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheets")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    text = models.TextField(blank=True)  # one order per line, as given
    ahead = models.JSONField(default=dict)  # orders for later phases, by kind
    # goes into the receipt's hash, so that orders cannot be guessed from it
    salt = models.CharField(max_length=32, blank=True)
    version = models.PositiveIntegerField(default=1)  # counts the sets, from 1
    sent_at = models.DateTimeField()
    channel = models.CharField(max_length=8, choices=CHANNELS)  # `ahead`: made from orders sent in an earlier phase
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    confirmed = models.BooleanField(default=False)  # the player is ready
    hold = models.BooleanField(default=False)  # the player asks to wait for the deadline

    class Meta:
        """One sheet per power and phase: the current one."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power"], name="one_sheet_a_power")]

    @property
    def whole(self) -> str:
        """Return the set with the orders sent ahead below it: the text that a receipt certifies."""
        kinds = [kind for kind in ("retreats", "adjustments") if self.ahead.get(kind)]
        return "\n".join([self.text, *("\n".join([f"{kind}:", *self.ahead[kind]]) for kind in kinds)])

    @property
    def lines(self) -> list[str]:
        """Return the orders as a list."""
        return self.text.split("\n") if self.text else []


class Receipt(models.Model):
    """Proof that a sheet was saved. It is written in the same transaction, and issued after its commit."""

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


BALLOTS = ("end", "extend", "pause", "resume", "cancel")


class Ballot(models.Model):
    """A power's vote in a phase: to end the game, for more time, a pause or its end, or to cancel the game."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="ballots")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    kind = models.CharField(max_length=8, default="end", choices=[(c, c) for c in BALLOTS])
    winners = models.JSONField(default=list)  # for `end`: the powers that share the victory
    at = models.DateTimeField()

    class Meta:
        """One ballot per power, phase and question."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power", "kind"], name="one_ballot")]


class Standby(models.Model):
    """A person's offer to take over a power of a table (CLN-H.e). Only that person sees the orders."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="standbys")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="standbys")
    wish = models.CharField(max_length=60, blank=True)  # power wished for; "" for any
    offered = models.DateTimeField()
    power = models.CharField(max_length=60, blank=True)  # power whose orders are due from the standby; "" for none
    ordinal = models.PositiveIntegerField(default=0)  # phase of the orders
    text = models.TextField(blank=True)  # one order per line
    sent_at = models.DateTimeField(null=True)  # None without orders

    class Meta:
        """One offer per person, and one standby per power."""

        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_offer_each"),
            models.UniqueConstraint(
                fields=["table", "power"], condition=~models.Q(power=""), name="one_standby_a_power"
            ),
        ]

    @property
    def lines(self) -> list[str]:
        """Return the orders as a list."""
        return self.text.split("\n") if self.text else []


LONGEST_MESSAGE = 10_000  # characters
HOUSE = "Gamesmaster"


def thread_of(sender: str, to: Iterable[str]) -> str:
    """Return the key of a message's thread: the names of its sender and readers; empty for a message to all."""
    names = {*to, sender} if to else ()
    return ",".join(sorted((name for name in names if name), key=lambda name: (name == HOUSE, name)))


class Message(models.Model):
    """A message of press, or a public notice."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    ordinal = models.PositiveIntegerField()
    sender = models.CharField(max_length=60, blank=True)  # power, or "" for the Gamesmaster and the site
    shown_as = models.CharField(max_length=60)  # sender as displayed: the power, `anonymous` or `Gamesmaster`
    to = models.JSONField(default=list)  # powers; empty for all
    thread = models.CharField(max_length=2500, blank=True, editable=False)  # `thread_of` its sender and readers
    text = models.TextField(max_length=LONGEST_MESSAGE)
    sent_at = models.DateTimeField()
    struck = models.DateTimeField(null=True)  # when the Gamesmaster struck it out; the text is kept for moderation

    class Meta:
        """Indexes for reading threads in order, for counting what a power has sent lately, and for what is struck."""

        indexes = [
            models.Index(fields=["table", "thread", "id"], name="message_thread"),
            models.Index(fields=["table", "sender", "sent_at"], name="message_sender"),
            models.Index(fields=["table"], condition=models.Q(struck__isnull=False), name="message_struck"),
        ]

    def save(self, **options: Any) -> None:
        """Save the message with the key of its thread."""
        self.thread = thread_of(self.shown_as, self.to)
        super().save(**options)


class HeldLetter(models.Model):
    """A letter that its writer can take back until a time. Only then it becomes a `Message`, which others see."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="held_letters")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="held_letters")
    # as in `Message`
    ordinal = models.PositiveIntegerField()
    sender = models.CharField(max_length=60, blank=True)
    shown_as = models.CharField(max_length=60)
    to = models.JSONField(default=list)
    text = models.TextField(max_length=LONGEST_MESSAGE)
    sent_at = models.DateTimeField()  # when it was written
    until = models.DateTimeField()


class KeptEdition(models.Model):
    """An archived edition of a variant, as `Edition.pack` makes it."""

    digest = models.CharField(max_length=64, primary_key=True)  # of the variant without options
    family = models.CharField(max_length=40, db_index=True)
    archive = models.BinaryField()
    kept = models.DateTimeField()


class OutMail(models.Model):
    """A mail to be sent. `dedupe` makes retries idempotent."""

    QUEUED, SENT, FAILED, HELD = "queued", "sent", "failed", "held"
    REPLACED = "replaced"  # by a digest, or by what happened since

    to = models.CharField(max_length=254)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails")
    event = models.CharField(max_length=24, blank=True)
    power = models.CharField(max_length=60, blank=True)  # the reader's power, for the reply address
    ordinal = models.PositiveIntegerField(default=0)  # phase of the reply address
    answers = models.CharField(max_length=255, blank=True)  # Message-ID of the mail that it answers
    attach = models.CharField(max_length=40, blank=True)  # map to draw when sending: `png 3` is that of phase 3
    why = models.CharField(max_length=40, blank=True)  # code for why it was not delivered
    subject = models.CharField(max_length=200)
    body = models.TextField()
    message_id = models.CharField(max_length=120, unique=True)
    state = models.CharField(
        max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED, HELD, REPLACED)]
    )
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()  # of a mail that was sent: when
    made = models.DateTimeField()
    dedupe = models.CharField(max_length=160, unique=True)

    class Meta:
        """Index for finding the oldest due mail."""

        indexes = [models.Index(fields=["state", "next_try"], name="mail_due")]


class Notice(models.Model):
    """An entry of a person's inbox. It holds no orders and no press, only what a subject says."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="notices")
    event = models.CharField(max_length=24)
    text = models.CharField(max_length=200)
    message = models.ForeignKey(Message, models.CASCADE, null=True, related_name="notices")  # for notices of press
    at = models.DateTimeField()
    read = models.BooleanField(default=False)
    dedupe = models.CharField(max_length=160, unique=True)  # as in `OutMail`

    class Meta:
        """Indexes for the pages of an inbox, its unread entries, and the oldest of all."""

        indexes = [
            models.Index(fields=["user", "-id"], name="notice_newest"),
            models.Index(fields=["user", "table"], condition=models.Q(read=False), name="notice_unread"),
            models.Index(fields=["at"], name="notice_at"),
        ]


class AuditLine(models.Model):
    """An entry of the audit log, never with orders, votes or press."""

    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    what = models.CharField(max_length=200)
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="audit")
    ordinal = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()


class Device(models.Model):
    """A browser on a device that a person has registered for push."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    endpoint = models.CharField(max_length=500, unique=True)  # address at the push service of the browser
    key = models.CharField(max_length=100)  # public key of the browser (p256dh)
    auth = models.CharField(max_length=32)  # secret shared with the browser
    name = models.CharField(max_length=60, blank=True)
    made = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)  # in a row


class WebHook(models.Model):
    """A URL that is called when something happens at a table, with a signature made with `secret`."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="hooks")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    url = models.URLField(max_length=500)
    form = models.CharField(max_length=8, default="json", choices=[(c, c) for c in ("json", "discord")])
    secret = models.CharField(max_length=64)
    events = models.JSONField(default=list)
    seen = models.JSONField(default=dict)  # facts last sent: phase, state, deadline
    failures = models.PositiveSmallIntegerField(default=0)  # in a row; too many stop further calls
    made = models.DateTimeField()


class HookCall(models.Model):
    """A call of a webhook, or a message to a device."""

    QUEUED, SENT, FAILED = "queued", "sent", "failed"

    # one of the two
    hook = models.ForeignKey(WebHook, models.CASCADE, null=True, related_name="calls")
    device = models.ForeignKey(Device, models.CASCADE, null=True, related_name="calls")
    code = models.CharField(max_length=32, unique=True)
    event = models.CharField(max_length=24)
    what = models.CharField(max_length=160)  # identifies the happening, so that it is sent once
    body = models.TextField()
    state = models.CharField(max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED)])
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    made = models.DateTimeField()
    why = models.CharField(max_length=60, blank=True)

    class Meta:
        """One call per hook or device and happening; an index for finding due calls."""

        constraints = [
            models.UniqueConstraint(fields=["hook", "what"], name="one_call"),
            models.UniqueConstraint(fields=["device", "what"], name="one_push"),
        ]
        indexes = [models.Index(fields=["state", "next_try"], name="call_due")]


class InMail(models.Model):
    """A mail that was received."""

    mark = models.CharField(max_length=64, unique=True)  # hash of its Message-ID and the address
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails_in")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails_in")
    verdict = models.CharField(max_length=12)  # `done`, `ignored`, `forged`, `old`, `bounce` or `public`
    at = models.DateTimeField()

    class Meta:
        """Index for counting a person's recent mails."""

        indexes = [models.Index(fields=["user", "at"], name="mail_came")]
