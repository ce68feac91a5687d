"""The brake on mail: nobody gets more than some mails a day, and the site sends no more than some an hour.

What is beyond a person's share is held back and sent as one digest later; what is beyond the site's share waits. The
operator is notified once a day. Answers and mails about accounts are free: other limits hold for these.
"""

from __future__ import annotations

import logging
from collections import Counter
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from gamesmaster.host.mailroom import newcomers
from gamesmaster.host.mailroom.compose import may_read
from gamesmaster.host.tables import notifications, outbox
from gamesmaster.host.tables.models import OutMail, TableState
from gamesmaster.host.tables.view import in_site_language

LOG = logging.getLogger("gamesmaster.host")
FREE = (outbox.ACCOUNT, newcomers.EVENT, "answer", *outbox.OF_THE_SITE)
BRAKE, REPLACED_BY, SUPERSEDED = "brake", "digest", "superseded"
"""Values of `OutMail.why`: held back until a digest; part of a digest; dropped, because it was no longer of use."""
DIGEST_AFTER = timedelta(hours=1)
"""Age of the oldest mail held back at which a digest is sent."""
PEOPLE_AT_ONCE, MAILS_AT_ONCE = 20, 200
LONGEST_DIGEST = 100_000
"""Characters after which a digest has only the subjects."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
RULE = "\n\n" + "-" * 72 + "\n\n"


def allowed(due: QuerySet[OutMail], most: int, now: datetime) -> list[int]:
    """Return the keys of the mails that may be sent now, oldest first, and hold back what is beyond a share.

    Free ones are chosen first where more are due than the `most` that are sent at once.
    """
    free = list(due.filter(event__in=FREE).values_list("pk", flat=True)[:most])
    others, room = due.exclude(event__in=FREE), settings.MAILS_PER_HOUR - sent_since(now - HOUR)
    rows: list[tuple[int, int | None]] = list(others.values_list("pk", "user")[: max(min(most - len(free), room), 0)])
    if room <= 0 and others.exists():
        _tell("brake_hour", now)
    counts, within, beyond = _counts({user for _number, user in rows if user}, now), list[int](), list[int]()
    for number, user in rows:
        counts[user] += 1
        (within if user is None or counts[user] <= settings.MAILS_PER_PERSON else beyond).append(number)
    if beyond:
        OutMail.objects.filter(pk__in=beyond, state=OutMail.QUEUED).update(state=OutMail.HELD, why=BRAKE)
        _tell("brake_person", now)
    return sorted([*free, *within])


def sent_since(since: datetime) -> int:
    """Return how many mails have been sent since then."""
    return OutMail.objects.filter(state=OutMail.SENT, next_try__gt=since).count()


def held(why: str = BRAKE) -> QuerySet[OutMail]:
    """Return the mails that are held back until a digest."""
    return OutMail.objects.filter(state=OutMail.HELD, why=why)


def _counts(users: set[int], now: datetime) -> Counter[int | None]:
    """Count the mails that each of these users got in the last day, without the free ones."""
    sent = OutMail.objects.filter(user__in=users, state=OutMail.SENT, next_try__gt=now - DAY).exclude(event__in=FREE)
    return Counter(dict(sent.order_by().values_list("user").annotate(Count("pk"))))


def send_digests(now: datetime) -> int:
    """Write digests for the next people whose mails are held back or wait for the day's, and return their number."""
    written = 0
    for why, due in ((BRAKE, Q(made__lte=now - DIGEST_AFTER)), (outbox.DAILY, Q(next_try__lte=now))):
        waiting = held(why).filter(due, user__isnull=False).order_by("user")
        people = list(User.objects.filter(pk__in=waiting.values("user"))[:PEOPLE_AT_ONCE])
        for user in people:
            with transaction.atomic():
                _write_digest(user, why, now)
        written += len(people)
    return written


@in_site_language
def _write_digest(user: User, why: str, now: datetime) -> None:
    rows = held(why).filter(user=user).select_for_update(of=("self",)).select_related("table").defer("table__record")
    mails = list(rows.order_by("pk")[:MAILS_AT_ONCE])
    useful = [mail for mail in mails if _is_useful(mail)]
    dropped = [mail.pk for mail in mails if mail not in useful]
    OutMail.objects.filter(pk__in=dropped).update(state=OutMail.REPLACED, why=SUPERSEDED)
    if dropped:
        LOG.info("mails were dropped", extra={"event": "mail", "why": SUPERSEDED, "number": len(dropped)})
    if not useful:
        return
    OutMail.objects.filter(pk__in=[mail.pk for mail in useful]).update(state=OutMail.REPLACED, why=REPLACED_BY)
    name = "daily" if why == outbox.DAILY else "digest"
    subject, head = notifications.compose(name, number=len(useful), most=settings.MAILS_PER_PERSON)
    body, length = [head], 0
    for mail in useful:
        length += len(mail.body)
        body.append(f"{mail.subject}\n\n{mail.body.strip()}" if length <= LONGEST_DIGEST else mail.subject)
    outbox.mail(
        now, dedupe=f"digest:{user.pk}:{useful[-1].pk}", to=user.email, user=user, event=outbox.DIGEST,
        subject=subject, body=RULE.join(body),
    ).save()  # fmt: skip


def _is_useful(mail: OutMail) -> bool:
    """Return whether a mail still says something: no reminder of a phase that is over, nothing of a lost seat."""
    table = mail.table
    if mail.event == "deadline" and table is not None:
        return table.state == TableState.RUNNING and table.ordinal == mail.ordinal and may_read(mail)
    return may_read(mail)


@in_site_language
def _tell(name: str, now: datetime) -> None:
    """Log that a limit is reached, and write to the admins: each once a day."""
    if not cache.add(f"{name}:{now:%Y-%m-%d}", 1, int(DAY.total_seconds())):
        return
    LOG.warning("the brake on mail holds mails back", extra={"event": "mail", "why": name})
    subject, text = notifications.compose(name, person=settings.MAILS_PER_PERSON, hour=settings.MAILS_PER_HOUR)
    admins = User.objects.filter(is_superuser=True, is_active=True)
    reached = outbox.reachable(admins)
    OutMail.objects.bulk_create(
        outbox.mail(
            now, dedupe=f"{name}:{now:%Y-%m-%d}:{user.pk}", to=user.email, user=user, event=outbox.OPERATOR,
            subject=subject, body=text,
        )
        for user in admins if user.pk in reached
    )  # fmt: skip
