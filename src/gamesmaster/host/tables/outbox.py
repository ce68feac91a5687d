"""The outbox: notices and mails are written in the transaction of the event they report; the mail room sends mails."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models.functions import Lower

from gamesmaster.host.site import clock
from gamesmaster.host.tables.models import Device, HookCall, Notice, OutMail, Seat, Table
from gamesmaster.host.tables.notifications import KINDS, Channel, Notification, Reader, as_read
from gamesmaster.host.tables.view import in_site_language

ACCOUNT = "account"
"""Event of mails about an account: they go to the address they were written for and cannot be answered."""
DIGEST, OPERATOR = "digest", "operator"
OF_THE_SITE = (DIGEST, OPERATOR)
"""Events of mails about several others, and of mails to those who run the site."""
MOST_FAILURES = 5
"""A device whose last messages failed as often as this gets no more."""
DAILY = "daily"
"""Value of `OutMail.why` of mails that wait for the reader's daily digest."""
MORNING = 8
"""Hour of the daily digest, in the reader's time zone."""


def sends() -> bool:
    """Return whether a mail server is configured. Without one, mails wait some days and are given up."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


@dataclass(frozen=True, slots=True)
class Post:
    """A notification for one person, about `table` if given, in which the person may play `power`."""

    user: User
    notification: Notification
    table: Table | None = None
    power: str = ""


def send(posts: Iterable[Post], now: datetime) -> None:
    """Put notifications into inboxes, and send them in the way that each person chose; each is sent once.

    Mails go only to people with a confirmed address.
    """
    posts = list(posts)
    Notice.objects.bulk_create([_notice(post, now) for post in posts], ignore_conflicts=True)
    devices = _devices(posts)
    HookCall.objects.bulk_create(
        [_push(post, device, now) for post in posts for device in devices.get(post.user.pk, ()) if _is_pushed(post)],
        ignore_conflicts=True,
    )
    wanted = [
        (post, how) for post in posts
        if (how := channel_of(post.user, post.notification.event)) != "push" or post.user.pk not in devices
    ]  # fmt: skip
    reached = reachable(post.user for post, how in wanted if how != "none")
    mails = [
        _mail(post, now, daily=how == "daily") for post, how in wanted if how != "none" and post.user.pk in reached
    ]
    OutMail.objects.bulk_create(mails, ignore_conflicts=True)


def _devices(posts: Iterable[Post]) -> dict[int, list[Device]]:
    """Map people to their devices that can be reached, for those who are to get a push."""
    users = {post.user.pk for post in posts if _is_pushed(post)}
    found: dict[int, list[Device]] = {}
    for device in Device.objects.filter(user__in=users, failures__lt=MOST_FAILURES) if users else ():
        found.setdefault(device.user_id, []).append(device)
    return found


def _is_pushed(post: Post) -> bool:
    """Return whether a notification goes to devices: if chosen, and always where nothing can be chosen."""
    event = post.notification.event
    return KINDS[event].fixed or channel_of(post.user, event) == "push"


def tell_seats(table: Table, seats: Iterable[Seat], notification: Notification, now: datetime) -> None:
    """Queue a notification to the people in these seats."""
    send([Post(seat.user, notification, table, seat.power or "") for seat in seats if seat.user is not None], now)


def tell_gm(table: Table, notification: Notification, now: datetime) -> None:
    """Queue a notification to the Gamesmaster and the helpers, or else the owner."""
    helpers = [one.user for one in table.helpers.filter(ended=None).select_related("user__profile")]
    people = [table.gm, *helpers] if table.gm else [table.owner]
    send([Post(user, notification, table) for user in people if user is not None], now)


def tell_user(table: Table, user: User, notification: Notification, now: datetime) -> None:
    """Queue a notification to one person."""
    send([Post(user, notification, table)], now)


def channel_of(user: User, event: str) -> Channel:
    """Return how a person hears of this kind of event."""
    profile, kind = getattr(user, "profile", None), KINDS[event]
    chosen: Channel | None = None if kind.fixed or profile is None else profile.notices.get(event)
    return chosen or kind.usual


def reachable(users: Iterable[User]) -> set[int]:
    """Return the ids of users to whom mail is sent: those with a confirmed address."""
    addresses = {user.pk: user.email.casefold() for user in users if user.email and user.is_active}
    if not addresses:
        return set()
    confirmed = EmailAddress.objects.filter(user__in=addresses, verified=True)
    return {
        number
        for number, email in confirmed.values_list("user", Lower("email"))
        if email.casefold() == addresses[number]
    }


def reaches(user: User) -> bool:
    """Return whether mail is sent to this person."""
    return bool(reachable([user]))


def mail(now: datetime, **fields: object) -> OutMail:
    """Return an unsaved mail that is due now."""
    return OutMail(message_id=f"<{uuid4().hex}@{settings.MAIL_DOMAIN}>", next_try=now, made=now, **fields)


def about_account(to: str, subject: str, body: str, now: datetime, *, user: User | None = None) -> None:
    """Queue a mail about an account to an address; the caller checks whether it may go there."""
    subject = " ".join(subject.split())[:200]
    mail(now, dedupe=f"{ACCOUNT}:{uuid4().hex}", to=to, user=user, event=ACCOUNT, subject=subject, body=body).save()


@in_site_language
def _notice(post: Post, now: datetime) -> Notice:
    """Return an unsaved entry of an inbox: the subject without the name of the game."""
    notification, table = post.notification, post.table
    text = as_read(notification.subject, _reader(post))
    return Notice(
        user=post.user, table=table, event=notification.event, message_id=notification.message, at=now,
        text=text.removeprefix(f"[{table.name}] ") if table else text, dedupe=_dedupe(post),
    )  # fmt: skip


@in_site_language
def _push(post: Post, device: Device, now: datetime) -> HookCall:
    """Return an unsaved message to a device, with what the person's inbox says."""
    notice, table = _notice(post, now), post.table
    url = "/inbox" if table is None else f"/t/{table.key}/{'press/' if notice.message_id else ''}"
    told = {
        "title": table.name if table else "Gamesmaster", "body": notice.text, "url": url,
        "tag": f"{table.key if table else ''} {notice.event}",
    }  # fmt: skip
    return HookCall(
        device=device, code=uuid4().hex, event=notice.event, what=notice.dedupe, body=json.dumps(told), next_try=now,
        made=now,
    )  # fmt: skip


def _reader(post: Post) -> Reader:
    profile = getattr(post.user, "profile", None)
    return Reader(post.power, profile.time_zone if profile else "")


def _dedupe(post: Post) -> str:
    """Return what identifies an event at a table for its reader."""
    notification, table = post.notification, post.table.pk if post.table else 0
    return f"{notification.event}:{table}:{notification.key}:{post.user.pk}:{post.power}"[:160]


@in_site_language
def _mail(post: Post, now: datetime, *, daily: bool) -> OutMail:
    """Return an unsaved mail, perhaps for a daily digest."""
    user, notification, table = post.user, post.notification, post.table
    reader = _reader(post)
    made = mail(
        now,
        dedupe=_dedupe(post),
        to=user.email,
        user=user,
        table=table,
        event=notification.event,
        power=post.power,
        ordinal=table.ordinal if table else 0,
        subject=as_read(notification.subject, reader),
        body=as_read(notification.body, reader),
    )
    if daily:
        made.state, made.why, made.next_try = OutMail.HELD, DAILY, clock.next_hour(now, MORNING, reader.zone)
    return made


class AnswerMail(NamedTuple):
    """An answer to a mail."""

    subject: str
    body: str
    key: str  # names the mail, so that it is answered once
    to: str = ""  # Message-ID of the mail
    table: Table | None = None
    power: str = ""
    attach: str = ""


def answer(user: User, given: AnswerMail, now: datetime) -> None:
    """Queue an answer to a mail, to the person's own address and not the sender's."""
    if not reaches(user):
        return
    made = mail(
        now, dedupe=f"answer:{given.key}"[:160], to=user.email, user=user, table=given.table, event="answer",
        power=given.power, ordinal=given.table.ordinal if given.table else 0,
        subject=" ".join(given.subject.split())[:200], body=given.body, answers=given.to[:255],
        attach=given.attach[:40],
    )  # fmt: skip
    OutMail.objects.bulk_create([made], ignore_conflicts=True)
