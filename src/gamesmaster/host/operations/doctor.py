"""The doctor: is a site well, what is not, and what to do about it; some of it is mended.

`checks` look at what this machine can see by itself.  What is here goes the way of the world: to the site by its own
address, and with a mail out of the house and back in.
"""

from __future__ import annotations

import json
import smtplib
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import DatabaseError, connections

from gamesmaster.host.mailroom import addresses
from gamesmaster.host.operations import checks
from gamesmaster.host.operations.checks import Finding, green, red, yellow
from gamesmaster.host.site.clock import Pulse
from gamesmaster.host.tables import outbox

PATIENCE = 10.0  # seconds for an answer
SOON, NOW = timedelta(days=14), timedelta(days=3)
"""A certificate that ends so soon should have been renewed, and must be."""
MOST_BYTES = 64 * 1024


def _address(now: datetime) -> Iterator[Finding]:
    """The site answers at its own address, with a certificate that browsers take."""
    base = urlsplit(settings.BASE_URL)
    try:
        answer, body, certificate = _asked(base.scheme, base.hostname or "", base.port, "/healthz")
    except ssl.SSLCertVerificationError as error:
        advice = "renew it, or name the right host; Caddy does both by itself (deploy/)"
        yield red(f"browsers refuse the certificate of {base.netloc}: {error.verify_message}", advice)
        return
    except (OSError, HTTPException) as error:
        advice = "does the name lead here, and do the TLS server and `serve` run?"
        yield red(f"{settings.BASE_URL} cannot be reached: {type(error).__name__}: {str(error)[:100]}", advice)
        return
    yield from _health(answer, body)
    if certificate is not None:
        yield from _certificate(certificate, now)
        yield from _insists(base.hostname or "", answer)


def _asked(scheme: str, host: str, port: int | None, path: str) -> tuple[HTTPResponse, bytes, dict[str, Any] | None]:
    """An answer, its body, and the certificate that was shown."""
    connection: HTTPConnection
    if scheme == "https":
        connection = HTTPSConnection(host, port, timeout=PATIENCE, context=ssl.create_default_context())
    else:
        connection = HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.connect()
        sock = connection.sock
        certificate = sock.getpeercert() if isinstance(sock, ssl.SSLSocket) else None
        connection.request("GET", path, headers={"Accept": "application/json", "User-Agent": "gamesmaster-doctor"})
        answer = connection.getresponse()
        return answer, answer.read(MOST_BYTES), certificate
    finally:
        connection.close()


def _health(answer: HTTPResponse, body: bytes) -> Iterator[Finding]:
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict) or "well" not in told:
        advice = "another site is at this address, or the server before it hands on nothing"
        yield red(f"{settings.BASE_URL}/healthz answers {answer.status}, not as this program does", advice)
    elif not told["well"]:
        yield yellow("it answers, and says that it is not well", "; ".join(map(str, told.get("reasons", []))))
    else:
        yield green(f"{settings.BASE_URL} answers")


def _certificate(certificate: dict[str, Any], now: datetime) -> Iterator[Finding]:
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
    told = f"the certificate holds until {ends:%Y-%m-%d}"
    left = ends - now
    begins = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notBefore"]), UTC)
    short = (ends - begins) / 4  # those for a few days are renewed in their last third
    if left < min(NOW, short):
        yield red(told, "renew it now")
    elif left < min(SOON, short):
        yield yellow(told, "it should have been renewed by itself: see the log of the TLS server")
    else:
        yield green(told)


def _insists(host: str, answer: HTTPResponse) -> Iterator[Finding]:
    """Browsers are told to come by https alone, and sent there when they come otherwise."""
    if not answer.headers.get("Strict-Transport-Security"):
        yield yellow(
            "browsers are not told to come by https alone", "GAMESMASTER_BEHIND_PROXY=yes, and X-Forwarded-Proto"
        )
    try:
        plain, _, _ = _asked("http", host, 80, "/")
    except (OSError, HTTPException):
        return  # nobody listens there, which is as good
    if not plain.headers.get("Location", "").startswith("https://"):
        yield yellow(f"http://{host}/ does not lead to https", "let the TLS server redirect")


def mail_loop(patience: float) -> Iterator[Finding]:
    """A mail to a sealed address of the house comes out by the mail host and in by the mail room."""
    if not outbox.sends() or not patience:
        yield yellow("not tried", "set GAMESMASTER_MAIL_HOST" if patience else "leave --no-mail out")
        return
    number = time.time_ns() // 1_000_000
    to = addresses.trial(number)
    message = EmailMessage("A trial of the mail room", "Sent by gamesmaster doctor; it is read by nobody.\n", to=[to])
    begun = time.monotonic()
    try:
        message.send()
    except (OSError, smtplib.SMTPException) as error:
        why = f"{type(error).__name__}: {str(error)[:100]}"
        told = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} does not take mails: {why}"
        yield red(told, "GAMESMASTER_MAIL_HOST, _PORT, _USER, _PASSWORD, _TLS; is the mail server running?")
        return
    while time.monotonic() - begun < patience:
        if Pulse.objects.filter(name=addresses.TRIAL, beat=addresses.trial_time(number)).exists():
            yield green(f"{time.monotonic() - begun:.1f} s there and back")
            return
        time.sleep(0.2)
    advice = f"does the mail server for {settings.MAIL_DOMAIN} (its MX record) hand on to gamesmaster mailroom?"
    yield red(f"it went out, and did not come back within {patience:.0f} s", advice)


Check = Callable[[datetime], Iterable[Finding]]

CHECKS: list[tuple[str, Check]] = [*checks.CHECKS, ("address", _address)]
"""What needs no mail to be sent: first what this machine can see by itself, then the site at its address."""


def examine(now: Callable[[], datetime], *, mend: bool = False, patience: float = 60.0) -> Iterator[Finding]:
    """Look at everything, a check at a time; with `mend`, put right what can be, and look at that again.

    `patience` is how many seconds a mail may take out of the house and back; 0: none is sent.
    """
    mailed: tuple[str, Check] = ("mail out and in", lambda _: mail_loop(patience))
    for name, check in (*CHECKS, mailed):
        found = _looked(name, check, now())
        mends = [one.mend for one in found if one.mend is not None]
        if mend and mends:
            done = [line for work in mends for line in _mended(work)]
            found = [yellow(f"mended: {line}") for line in done] + _looked(name, check, now())
        for one in found:
            one.check = name
            yield one
    connections.close_all()


def _looked(name: str, check: Check, now: datetime) -> list[Finding]:
    try:
        return list(check(now)) or [green("nothing found")]
    except DatabaseError as error:
        told = " ".join(str(error).split())[:200]
        return [red(f"the database does not answer: {told}", "see `database`, and the log of the database's server")]
    except Exception as error:  # one check's fault is not the others'
        return [red(f"this check failed: {type(error).__name__}: {str(error)[:200]}", "please report it")]


def _mended(work: Callable[[], Iterable[str]]) -> list[str]:
    try:
        return list(work())
    except Exception as error:
        return [f"no: {type(error).__name__}: {str(error)[:200]}"]
