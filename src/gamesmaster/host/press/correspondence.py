"""Correspondence: messages of players and the Gamesmaster, and public notices.

Press is plain text. The table's policy decides who may write to whom; `tables.access` alone decides who may read it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from gamesmaster.errors import nearest
from gamesmaster.host.site import clock, jobs
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, notifications, outbox, store
from gamesmaster.host.tables.access import viewer_of
from gamesmaster.host.tables.models import HOUSE as HOUSE
from gamesmaster.host.tables.models import LONGEST_MESSAGE, SEATED, HeldLetter, Message, Seat, Table, TableState
from gamesmaster.host.tables.notifications import Notification, Said
from gamesmaster.host.tables.settings import FIELDS, TableSettings
from gamesmaster.host.tables.view import Viewer, in_site_language, this_game_is


class ReadMark(models.Model):
    """The last message of a thread that a seat has read."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="marks")
    thread = models.CharField(max_length=400, blank=True)  # powers joined by commas; "" for the public thread
    message = models.BigIntegerField(default=0)

    class Meta:
        """One mark per seat and thread."""

        constraints = [models.UniqueConstraint(fields=["seat", "thread"], name="one_mark")]


class Mute(models.Model):
    """A power whose messages a seat does not want to see. Others are not affected."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="mutes")
    power = models.CharField(max_length=60)

    class Meta:
        """One mute per seat and power."""

        constraints = [models.UniqueConstraint(fields=["seat", "power"], name="one_mute")]


ALL = "all"
"""Addressee of messages that everybody who can see the game may read."""
ANONYMOUS = "anonymous"
LIMITS = ((timedelta(minutes=10), 60), (timedelta(days=1), 300))
"""Limits on the messages of one power: a time, and the number in it. They allow forty items in one mail (CLN-P.a)."""
TWICE = timedelta(minutes=1)
"""The same text to the same readers within this time counts as sent once."""
LETTERS = "letters"
"""The job that sends a letter at the end of the time in which it can be taken back."""
NEAR = timedelta(minutes=2)
"""A letter is sent at once if less than this would be left of the phase."""
_JUDGE = r"(?:the )?(?:judge|games? ?master|gm)"
_NOTICE = r"(?:notice|announcement|announces|message|ruling|rules|bulletin|letter|press|report|word|decision)"
_FALSE_NAME = re.compile(
    rf"(?:(?:an? |the )?(?:\w+ )?{_NOTICE} (?:(?:from|of|by) )?|from:? |signed:? )?"
    rf"{_JUDGE}(?:'s)?(?: (?:official|public|own))?(?: {_NOTICE})?"
)
"""Matches a heading or signature in the Gamesmaster's name."""
_REMOVED = frozenset("\u200b\u200e\u200f\u2060\u061c\ufeff")
_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))


def announce(table: Table, text: Said, now: datetime) -> None:
    """Post a notice that everybody sees."""
    notice(table, text, now).save()


@in_site_language
def notice(table: Table, text: Said, now: datetime) -> Message:
    """Return a notice for everybody at a table, not stored yet."""
    body = str(text)
    return Message(table=table, ordinal=table.ordinal, sender="", shown_as=HOUSE, to=[], text=body, sent_at=now)


def notify(table: Table, notification: Notification, now: datetime, seats: Sequence[Seat] | None = None) -> None:
    """Post a notification's notice, and mail it to these seats, by default to all seats."""
    if notification.notice:
        announce(table, notification.notice, now)
    outbox.tell_seats(table, store.seats_at(table) if seats is None else seats, notification, now)


class Press(NamedTuple):
    """A message as it is written."""

    text: str
    to: Sequence[str]  # powers and `Gamesmaster`, or `all` alone
    grey: bool = False  # hides the sender's name, if the table allows that


def send(
    table: Table | int,
    power: str,
    press: Press,
    *,
    user: User | None,
    now: datetime | None = None,
) -> Message | HeldLetter:
    """Send a message from `power` ("" for the Gamesmaster).

    The same message sent twice within a minute counts once. Its writer can take it back for some seconds (`holding`),
    but not if the phase ends soon. Raise `Refused`; nothing is sent then.
    """
    text, to, grey = press
    with store.lock(table) as row:
        at = now or clock.now()
        viewer = viewer_of(row, user)
        _check_sender(row, viewer, power)
        chosen = store.settings_of(row)
        readers, words = _addressees(row, power, to), clean(text)
        if power:
            if grey and not chosen.grey:
                raise Refused("no-grey", _("Press must be signed in this game."))
            if refused := Policy(chosen, row.state, row.phase_code, row.gm_id is not None).refusal(readers):
                raise refused
            _check_name(readers, words)
        shown = ANONYMOUS if grey and power else power or HOUSE
        own = Message.objects.filter(table=row, sender=power, sent_at__gt=at - LIMITS[-1][0])
        held = HeldLetter.objects.filter(table=row, sender=power)
        same = {"text": words, "to": readers, "shown_as": shown, "sent_at__gt": at - TWICE}
        again = held.filter(**same).first() or own.filter(**same).first()
        if again is not None:
            return again
        _check_limits(own, at, held.count())
        written = {"ordinal": row.ordinal, "text": words, "sent_at": at}
        return _post(HeldLetter(table=row, by=user, sender=power, shown_as=shown, to=readers, **written), at)


def answer(
    table: Table | int, question: int, text: str, *, user: User | None, now: datetime | None = None
) -> Message | HeldLetter:
    """Answer a power's question to the Gamesmaster, to all players or to the asker, as the house rules say.

    The asker's name is not revealed (CLN-P.e). `question` is the number of the message. Raise `Refused`.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        _check_sender(row, viewer_of(row, user), "")
        original = row.messages.filter(pk=question).exclude(sender="").first()
        if original is None or HOUSE not in original.to:
            raise Refused("no-question", _("No power has asked the Gamesmaster that."))
        to_all = store.load(row).house_rules.rule_answers == "to_all"
        if not to_all and original.shown_as == ANONYMOUS:
            raise Refused("no-addressee", _("You cannot reply to an unsigned message."), _("write to all"))
        readers = [] if to_all else [original.sender]
        written = {"ordinal": row.ordinal, "text": clean(text), "sent_at": at}
        return _post(HeldLetter(table=row, by=user, sender="", shown_as=HOUSE, to=readers, **written), at)


def _post(letter: HeldLetter, now: datetime) -> Message | HeldLetter:
    """Hold a new letter, or send it at once where nothing is held or the phase ends soon."""
    table, letter.until = letter.table, now + timedelta(seconds=settings.PRESS_HOLD)
    ends = min((at for at in (table.deadline, table.ready_at) if at is not None), default=None)
    if letter.until <= now or (ends is not None and ends < letter.until + NEAR):
        return publish(letter, now)
    letter.save()
    jobs.ask(LETTERS, letter.until, letter.pk)
    return letter


def publish(letter: HeldLetter, now: datetime) -> Message:
    """Send a letter, of a table under lock: store it as a message, and mail it to its readers."""
    made = Message.objects.create(
        table=letter.table, ordinal=letter.ordinal, sender=letter.sender, shown_as=letter.shown_as, to=letter.to,
        text=letter.text, sent_at=now,
    )  # fmt: skip
    _tell(letter.table, made, now)
    if letter.pk is not None:
        letter.delete()
    return made


def clean(text: str) -> str:
    """Return press as it is stored, without invisible characters and those that change the writing direction.

    Raise `Refused` if the result is empty or too long.
    """
    if len(text) > 4 * LONGEST_MESSAGE:
        raise Refused(
            "too-long", _("A message has at most {longest_message} characters."), longest_message=LONGEST_MESSAGE
        )
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    visible = "\n".join("".join(c for c in line if _is_visible(c)).rstrip() for line in lines).strip("\n")
    if not visible.strip():
        raise Refused("empty", _("The message is empty."))
    if len(visible) > LONGEST_MESSAGE:
        hint = _("it has {many}; send it in parts").format(many=len(visible))
        raise Refused(
            "too-long", _("A message has at most {longest_message} characters."), hint, longest_message=LONGEST_MESSAGE
        )
    return visible


def _is_visible(char: str) -> bool:
    if char in _REMOVED or char in _TURNING:
        return False
    return char == "\t" or unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")


def mute(table: Table | int, user: User, power: str, *, muted: bool) -> None:
    """Hide a power's messages (`anonymous`: unsigned press) from a player, or show them again."""
    with store.lock(table) as row:
        seat = row.seats.filter(user=user, state__in=SEATED).first()
        if seat is None:
            raise Refused("no-seat", _("You do not play in this game."))
        name = ANONYMOUS if power == ANONYMOUS else _match_names(row, [power])[0]
        if name in (HOUSE, ALL, seat.power):
            raise Refused("no-mute", _("You cannot mute {name}."), name=name)
        if muted:
            Mute.objects.get_or_create(seat=seat, power=name)
        else:
            Mute.objects.filter(seat=seat, power=name).delete()


# -- who may write what ----------------------------------------------------------------------------------------------


def _check_sender(table: Table, viewer: Viewer, power: str) -> None:
    if table.sandbox:
        raise Refused("no-press", _("A sandbox has no press: you are alone in it."))
    if power not in viewer.powers if power else not viewer.gm:
        raise Refused("no-seat", _("You cannot write as {name}."), name=power[:60] or _("the Gamesmaster"))
    if table.state in (TableState.FORMING, TableState.CANCELLED):
        raise Refused("not-running", this_game_is(table.state))


def _addressees(table: Table, power: str, to: Sequence[str]) -> list[str]:
    """Return the addressees in the variant's order, without the sender; an empty list for a message to all.

    Raise `Refused` for an empty list, for `all` beside other names, and for unknown names.
    """
    names = _match_names(table, [name for name in to if name.strip()])
    if not names:
        raise Refused("no-addressee", _("Choose who the message is for."), _("one or more powers, or all"))
    if ALL in names:
        if len(names) > 1:
            raise Refused("no-addressee", _("Send the message either to all or to the powers that you choose."))
        return []
    others = [name for name in names if name != (power or HOUSE)]
    if not others:
        raise Refused("no-addressee", _("You cannot send a message to yourself."))
    return others


def _match_names(table: Table, names: Sequence[str]) -> list[str]:
    known = [ALL, *(power.name for power in editions.variant_of(table).powers), HOUSE]
    spelling = {name.casefold(): name for name in known}
    for name in names:
        if name.strip().casefold() not in spelling:
            hint = nearest(name, known) or ", ".join(known)
            raise Refused("no-power", _("There is no {name!r} to write to."), hint[:300], name=name[:60])
    wanted = {spelling[name.strip().casefold()] for name in names}
    return [name for name in known if name in wanted]


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may write to whom at a table, as it stands now."""

    settings: TableSettings
    state: str
    phase_code: str
    has_gm: bool

    def refusal(self, to: Sequence[str]) -> Refused | None:
        """Return why a player may not write to these powers, with an empty list to all; None if that is allowed.

        Messages to the Gamesmaster alone are always allowed.
        """
        if HOUSE in to and not self.has_gm:
            return Refused("no-gm", _("This game has no Gamesmaster."), _("report a problem instead"))
        over, policy = self.state == TableState.FINISHED, self.settings.press
        words = FIELDS["press"].choice(policy)
        why = str(words.refused), str(words.hint)
        if list(to) == [HOUSE]:
            return None
        if policy in ("none", "broadcast") and not over:
            return Refused("no-press", *why)
        if policy == "public" and to:
            return Refused("public-only", *why)
        if policy == "private" and len(to) > 1:
            return Refused("no-groups", *why)
        if policy == "rulebook" and not over and not self.phase_code.upper().endswith("M"):
            return Refused("not-now", *why)
        return None


def _check_name(to: list[str], text: str) -> None:
    """Raise `Refused` for a heading or signature in the Gamesmaster's name, unless the Gamesmaster alone reads it."""
    lines = [line for line in text.splitlines() if line.strip()]
    heads = (lines[0].partition(":")[0], lines[0], lines[-1])
    if to != [HOUSE] and any(map(poses, heads)):
        raise Refused(
            "false-name",
            _("Press must not pose as a message from the Gamesmaster."),
            _("use another heading or signature"),
        )


def poses(line: str) -> bool:
    """Return whether this heading, signature or name is one of the Gamesmaster."""
    return bool(_FALSE_NAME.fullmatch(_plain(line)))


def _plain(line: str) -> str:
    """Return a line in lower case with single spaces and without punctuation other than apostrophes and colons."""
    folded = unicodedata.normalize("NFKC", line).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w':]+|_+", " ", folded).strip(" ':").split())


def _check_limits(own: QuerySet[Message], now: datetime, held: int) -> None:
    for time, most in LIMITS:
        if own.filter(sent_at__gt=now - time).count() + held >= most:
            minutes = int(time.total_seconds() // 60)
            raise Refused(
                "too-many",
                _("You can send at most {most} messages in {words}."),
                _("write again later"),
                most=most,
                words="a day" if time.days else _("{many} minutes").format(many=minutes),
            )


def _tell(table: Table, message: Message, now: datetime) -> None:
    """Mail a message to its readers, except those who have muted the sender."""
    notification = notifications.press(table, message)
    deaf = set(Mute.objects.filter(seat__table=table, power=message.shown_as).values_list("seat", flat=True))
    outbox.tell_seats(
        table, [s for s in store.seats_at(table) if _for(message, s) and s.pk not in deaf], notification, now
    )
    if message.sender and HOUSE in message.to and table.gm is not None:
        outbox.tell_gm(table, notification, now)


def _for(message: Message, seat: Seat) -> bool:
    return seat.power != message.sender and (not message.to or seat.power in message.to)
