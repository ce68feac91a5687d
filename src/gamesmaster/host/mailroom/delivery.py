"""Sending the mails in the outbox, handling bounces, and stopping mails at the reader's request."""

from __future__ import annotations

import logging
import smtplib
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed, email_confirmed
from django.contrib.auth.models import User
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, QuerySet
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import Profile
from gamesmaster.host.mailroom import brake, compose
from gamesmaster.host.mailroom.compose import compose_mail
from gamesmaster.host.site import clock, jobs
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox, store
from gamesmaster.host.tables.models import InMail, OutMail
from gamesmaster.host.tables.notifications import CHOSEN

LOG = logging.getLogger("gamesmaster.host")
CLAIM_LASTS = timedelta(minutes=10)
WAITS = (1, 5, 20, 60, 240, 720, 1440, 1440)  # minutes before each next attempt
TOO_OLD = timedelta(days=5)
MOST_AT_ONCE = 200
KEPT = timedelta(days=60)
LONGEST_ROUND = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of a round of sending."""

    sent: int = 0  # mails sent
    again: int = 0  # mails put back for a later attempt
    failed: int = 0  # mails given up
    down: bool = False  # the mail server was not reachable
    more: bool = False  # others are due as well


def deliver(now: datetime) -> Sent:
    """Send the mails that are due and that the brake allows, and return the counts."""
    if not outbox.sends():
        return Sent()  # no mail server is configured: mails wait
    _give_up_old(now)
    due = OutMail.objects.filter(state=OutMail.QUEUED, next_try__lte=now).order_by("next_try", "pk")
    numbers = brake.allowed(due, MOST_AT_ONCE, now)
    if not numbers:
        return Sent()
    connection: BaseEmailBackend = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        LOG.warning("the mail server cannot be reached", exc_info=error, extra={"event": "mail"})
        return Sent(down=True)
    counts = {OutMail.SENT: 0, OutMail.QUEUED: 0, OutMail.FAILED: 0, OutMail.HELD: 0}
    down, until = False, time.monotonic() + LONGEST_ROUND
    try:
        for number in numbers:
            if time.monotonic() > until:
                break
            mail = _claim(number, now)
            if mail is None:
                continue
            state, down = _send(connection, mail, now)
            counts[state] += 1
            if down:
                break
    finally:
        _close(connection)
    return Sent(counts[OutMail.SENT], counts[OutMail.QUEUED], counts[OutMail.FAILED], down, due.exists())


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except (OSError, smtplib.SMTPException):
        LOG.info("the mail server did not say goodbye", extra={"event": "mail"})


def _claim(number: int, now: datetime) -> OutMail | None:
    """Claim a mail for sending and return it; None if another process has it. The attempt is counted first."""
    free = OutMail.objects.filter(pk=number, state=OutMail.QUEUED, next_try__lte=now)
    if not free.update(next_try=now + CLAIM_LASTS, tries=F("tries") + 1):
        return None
    mail = OutMail.objects.select_related("user__profile", "table__gm", "table__owner").get(pk=number)
    # mails about accounts go to an address, perhaps a new one
    reader = mail.user_id if mail.event != outbox.ACCOUNT else None
    profile = Profile.objects.filter(user=reader).first() if reader else None
    if profile is not None and profile.gets_no_mail:
        _put(mail, OutMail.HELD, "bounces")
        return None
    return mail


def _send(connection: BaseEmailBackend, mail: OutMail, now: datetime) -> tuple[str, bool]:
    """Send one mail; return its new state, and True if the mail server has gone away."""
    try:
        message = compose_mail(mail)
        (mail.to,) = message.to  # perhaps the reader has another address by now
        connection.send_messages([message])
    except Refused as refused:
        return _finish(mail, OutMail.FAILED, refused.code), False
    except smtplib.SMTPServerDisconnected as error:
        LOG.warning("the mail server went away", exc_info=error, extra={"event": "mail"})
        return _again(mail, "disconnected", now), True
    except smtplib.SMTPException as error:
        return _handle_refusal(mail, error, now), False
    except OSError as error:
        LOG.warning("the mail server went away", exc_info=error, extra={"event": "mail"})
        return _again(mail, type(error).__name__, now), True
    except Exception as error:  # a faulty mail must not hold up the others
        LOG.error("a mail cannot be made", exc_info=error, extra={"event": "mail"})
        return _again(mail, type(error).__name__, now), False
    mail.next_try = now
    return _finish(mail, OutMail.SENT, ""), False


def _handle_refusal(mail: OutMail, error: smtplib.SMTPException, now: datetime) -> str:
    code = _code(error)
    if not 500 <= code < 600:
        return _again(mail, str(code or type(error).__name__), now)
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        came_back(mail, str(code))
        return OutMail.FAILED
    return _finish(mail, OutMail.FAILED, str(code))


def _code(error: smtplib.SMTPException) -> int:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max((code for code, _ in error.recipients.values()), default=0)
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0


def _again(mail: OutMail, why: str, now: datetime) -> str:
    """Schedule a later attempt, or give the mail up after the last; return its new state."""
    if mail.tries > len(WAITS):
        return _finish(mail, OutMail.FAILED, why)
    mail.next_try = now + timedelta(minutes=WAITS[mail.tries - 1])
    mail.why = why[:40]
    mail.save(update_fields=["next_try", "why"])
    return OutMail.QUEUED


def _finish(mail: OutMail, state: str, why: str) -> str:
    _put(mail, state, why)
    return state


def _put(mail: OutMail, state: str, why: str) -> None:
    mail.state, mail.why = state, why[:40]
    if mail.event == outbox.ACCOUNT and state == OutMail.SENT:
        mail.body = ""  # it may contain a link that opens the account
    mail.save(update_fields=["state", "why", "body", "to", "next_try"])
    if state == OutMail.FAILED:
        LOG.warning("a mail was given up", extra={"event": "mail", "why": mail.why, "table": mail.table_id})


def _give_up_old(now: datetime) -> None:
    """Give up mails that have waited longer than `TOO_OLD`."""
    OutMail.objects.filter(state=OutMail.QUEUED, made__lt=now - TOO_OLD).update(state=OutMail.FAILED, why="too old")


def came_back(mail: OutMail, why: str) -> None:
    """Record a permanent delivery failure; count it once per mail."""
    with transaction.atomic():
        new = OutMail.objects.filter(pk=mail.pk).exclude(state=OutMail.FAILED)
        if not new.update(state=OutMail.FAILED, why=why[:40]):
            return
        user = mail.user
        if user is not None and mail.event != outbox.ACCOUNT and user.email.casefold() == mail.to.casefold():
            Profile.objects.get_or_create(user=user)
            Profile.objects.filter(user=user).update(bounces=1 if _arrived_before(mail) else F("bounces") + 1)


def _arrived_before(mail: OutMail) -> bool:
    """Return whether the last mail to the same person before this one was sent and did not come back."""
    earlier = OutMail.objects.filter(user=mail.user_id, pk__lt=mail.pk, state__in=[OutMail.SENT, OutMail.FAILED])
    last = earlier.exclude(event=outbox.ACCOUNT).order_by("-pk").first()
    return last is not None and last.state == OutMail.SENT


@receiver([email_confirmed, email_changed])
def _hear_of_address(**given: Any) -> None:
    """Send mails again to a person who has confirmed an address, or chosen another one that is confirmed."""
    new: EmailAddress = given.get("to_email_address") or given["email_address"]
    if new.primary:
        heard_from(new.user_id)


def heard_from(user_id: int) -> None:
    """Reset a person's bounces, because the address works, and release the held mails."""
    if Profile.objects.filter(user=user_id, bounces__gt=0).update(bounces=0):
        held = OutMail.objects.filter(user=user_id, state=OutMail.HELD, why="bounces")
        held.update(state=OutMail.QUEUED, why="", next_try=clock.now(), tries=0)


def dead_letters() -> list[OutMail]:
    """Return the newest 500 mails that were given up or are held; for admins."""
    return list(_undelivered().select_related("table", "user").order_by("-made")[:500])


def _undelivered() -> QuerySet[OutMail]:
    return OutMail.objects.filter(state__in=[OutMail.FAILED, OutMail.HELD]).exclude(why=outbox.DAILY)


def try_again(now: datetime, numbers: list[int] | None = None) -> int:
    """Queue these mails that were given up or held, or all of them, as if new; return how many were queued."""
    mails = _undelivered()
    if numbers is not None:
        mails = mails.filter(pk__in=numbers)
    return mails.update(state=OutMail.QUEUED, tries=0, why="", next_try=now, made=now)


def tidy(now: datetime) -> int:
    """Delete old mails and marks of received ones, and return their number; without a mail server, give up old ones."""
    old, _ = OutMail.objects.exclude(state=OutMail.QUEUED).filter(made__lt=now - KEPT).delete()
    if not outbox.sends():
        _give_up_old(now)  # `deliver` does it otherwise
    older, _ = InMail.objects.filter(at__lt=now - KEPT).delete()
    return old + older


def send_due(now: datetime) -> bool:
    """Send mails as a job, and return whether more are due; raise `NotNow` while the mail server is away."""
    done = deliver(now)
    if done.down:
        raise jobs.NotNow("the mail server cannot be reached")
    return done.more


@csrf_exempt  # the token identifies the reader; mail programs post without a session (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop mails of a kind; a POST stops them."""
    wish = compose.stop_read(token)
    user = User.objects.filter(pk=wish[0], is_active=True).first() if wish else None
    if wish is None or user is None or wish[1] not in CHOSEN:
        raise Http404
    done = request.method == "POST"
    if done:
        people.choose(user, {"notices": {wish[1]: "none"}})
    return render(request, "mailroom/stop.html", {"kind": gettext(CHOSEN[wish[1]].says), "done": done})


@require_http_methods(["GET", "HEAD", "POST"])
def dead_letters_page(request: HttpRequest) -> HttpResponse:
    """Show undelivered mails without their texts to admins; a POST queues them again."""
    user = request.user
    if not isinstance(user, User) or not user.is_active or not user.is_superuser:
        raise Http404
    if request.method == "POST":
        mail = request.POST.get("mail", "")
        number = try_again(clock.now(), [int(mail)] if mail.isascii() and mail.isdigit() else None)
        store.audit(user, _("sent {number} undelivered e-mails again"), None, clock.now(), number=number)
        return redirect("dead-letters")
    return render(request, "mailroom/dead.html", {"mails": dead_letters()})


urlpatterns: list[URLPattern] = [
    path("mail/stop/<str:token>", stop, name="mail-stop"),
    path("mail/dead", dead_letters_page, name="dead-letters"),
]
