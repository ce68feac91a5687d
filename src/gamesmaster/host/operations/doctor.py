"""The doctor: checks a site, says what is wrong and what to do, and repairs some of it.

The first checks use what this machine can see by itself. The last ones use the site's public address, and send a mail
out and receive it again.
"""

from __future__ import annotations

import json
import os
import shutil
import smtplib
import ssl
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.core import checks
from django.core.mail import EmailMessage
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q

from gamesmaster.english import many
from gamesmaster.errors import OutOfTurn, nearest
from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.signing_in import FACTORS
from gamesmaster.host.mailroom import addresses, brake
from gamesmaster.host.operations import health, serving, upkeep
from gamesmaster.host.operations.backup import HEARTBEAT as BACKUP
from gamesmaster.host.site import clock, jobs, places, processes
from gamesmaster.host.site.clock import Heartbeat
from gamesmaster.host.site.processes import Process
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.models import OutMail, Table, TableState


class Colour(IntEnum):
    """Severity: fine, needs attention, or broken."""

    GREEN, YELLOW, RED = range(3)


@dataclass(slots=True)
class Finding:
    """A finding of a check."""

    colour: Colour
    text: str  # what was found
    advice: str = ""  # what to do
    mend: Callable[[], Iterable[str]] | None = None  # repairs it and yields what was done
    check: str = ""  # name of the check

    @property
    def data(self) -> dict[str, object]:
        """Return the finding as data for JSON."""
        return {
            "check": self.check, "colour": self.colour.name.lower(), "told": self.text, "advice": self.advice,
            "mendable": self.mend is not None,
        }  # fmt: skip


def green(text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(Colour.GREEN, text)


def yellow(text: str, advice: str = "") -> Finding:
    """Return a finding that works but needs attention."""
    return Finding(Colour.YELLOW, text, advice)


def red(text: str, advice: str = "", mend: Callable[[], Iterable[str]] | None = None) -> Finding:
    """Return a finding that is broken or soon will be."""
    return Finding(Colour.RED, text, advice, mend)


def worst(findings: Iterable[Finding]) -> Colour:
    """Return the most severe colour."""
    return max((one.colour for one in findings), default=Colour.GREEN)


ELSEWHERE = {"GAMESMASTER_DATA", "GAMESMASTER_SECRET", "GAMESMASTER_WAIT", "GAMESMASTER_TOKEN", "GAMESMASTER_BESIDE"}
"""Variables that are read outside the settings."""
OF_TESTS = ("GAMESMASTER_TEST", "GAMESMASTER_NO_SKIPS")
ENOUGH, LITTLE = 2 * 1024**3, 256 * 1024**2
"""Free bytes on disk: what should be free, and what may not last a night."""
LATE_BACKUP = timedelta(hours=48)
FEW = 10
"""Maximum number of lines about the same fault."""
VARIED = 16
"""A secret with fewer different characters was not drawn at random."""


def _settings(now: datetime) -> Iterator[Finding]:
    known = set(settings.VARIABLES) | ELSEWHERE
    for name in sorted(os.environ):
        if name.startswith(places.PREFIX) and name not in known and not name.startswith(OF_TESTS):
            yield yellow(f"{name} is not a setting", nearest(name, known) or "docs/hosting.md lists all settings")
    if "*" in settings.ALLOWED_HOSTS:
        yield red("GAMESMASTER_ALLOWED_HOSTS is `*`: links in mails can be forged", "name the hosts")
    public = not settings.BASE_URL.startswith(("http://127.", "http://localhost", "http://[::1]"))
    if public and settings.BASE_URL.startswith("http:"):
        advice = "GAMESMASTER_BASE_URL=https://…, with a server before it that speaks TLS (deploy/ has one)"
        yield red("passwords go in the clear: the site's address is not https", advice)
    if not public:
        yield yellow("the site's address is this machine alone", "GAMESMASTER_BASE_URL says how it is reached")
        return
    for message in checks.run_checks(include_deployment_checks=True):
        if message.level >= checks.WARNING and not message.is_silenced():
            yield yellow(f"{message.id}: {' '.join(str(message.msg).split())[:200]}", str(message.hint or ""))
    yield green(f"{settings.BASE_URL}, {many(len([v for v in settings.VARIABLES.values() if v]), 'setting')}")


def _keys(now: datetime) -> Iterator[Finding]:
    secret = places.read_secret()
    if len(set(secret)) < VARIED:
        yield red(
            "the secret is easily guessed",
            "a new one from: python -c 'import secrets; print(secrets.token_urlsafe(48))'",
        )
        return
    outside = bool(os.environ.get(places.SECRET_VARIABLE))
    file = settings.DATA / places.SECRET_FILE
    if outside and file.is_file() and file.read_text(encoding="ascii").strip() != secret:
        yield yellow("there are two secrets: that of GAMESMASTER_SECRET holds", f"take {file} away if it is not needed")
    yield green(f"a secret of {len(secret)} characters, {'told from outside' if outside else f'in {file}'}")


def _database(now: datetime) -> Iterator[Finding]:
    connection.ensure_connection()
    try:
        upkeep.check_database()
    except OutOfTurn as error:
        older = not _is_newer()
        yield red(
            str(error), "gamesmaster upgrade" if older else "start the newer Gamesmaster", _upgrade if older else None
        )
        return
    try:
        with transaction.atomic():
            Heartbeat.objects.update_or_create(name="doctor", defaults={"beat": now})
            transaction.set_rollback(True)
    except Exception as error:
        yield red(f"it cannot be written: {type(error).__name__}", "are the disk full, or its rights wrong?")
        return
    if connection.vendor == "sqlite":
        yield from _sqlite()
    else:
        yield from _postgresql()


def _is_newer() -> bool:
    try:
        upkeep.refuse_newer(MigrationExecutor(connection))
    except OutOfTurn:
        return True
    return False


def _upgrade() -> Iterator[str]:
    serving.migrate()
    yield "the database was brought up to date"


def _sqlite() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check(3)")
        problems = [str(row[0]) for row in cursor.fetchall()]
    if problems != ["ok"]:
        yield red(f"the file is damaged: {'; '.join(problems)[:200]}", "stop the site, and restore the last backup")
        return
    yield green("SQLite, whole, up to date and writable")


def _postgresql() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, inet_server_addr()")
        version, address = cursor.fetchone()
        cursor.execute("SELECT COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)")
        (encrypted,) = cursor.fetchone()
    if address is not None and not encrypted and not str(address).startswith(("127.", "::1")):
        yield yellow(f"what goes to {address} is not encrypted", "add ?sslmode=verify-full to GAMESMASTER_DATABASE_URL")
    yield green(f"PostgreSQL {version // 10000}.{version % 100}, up to date and writable")


def _clock(now: datetime) -> Iterator[Finding]:
    doubts = health.look(now).clock
    advice = "put the clock right (chrony), then gamesmaster doctor --mend"
    for doubt in doubts:
        yield red(doubt, advice, lambda: health.mend_clock(clock.now()))
    if not doubts:
        yield green(f"{now:%Y-%m-%d %H:%M:%S} UTC, the database's too")


def _files(now: datetime) -> Iterator[Finding]:
    """Check that only the owner can read the data folder. Programs ensure this at their start."""
    folder = Path(settings.DATA)
    wrong = [path for path in (folder, *folder.iterdir()) if _open_to_others(path, within=path != folder)]
    wrong += [path for path in _databases() if path.exists() and _open_to_others(path)]
    for path in wrong:
        yield red(f"others may read {path}", "chmod go= on it", _close)
    if os.name == "posix" and folder.stat().st_uid != os.geteuid():
        yield red(f"{folder} belongs to another account than this one", "run this as the account of the site")
    elif not wrong:
        yield green(f"{folder} is its owner's alone")


def _open_to_others(path: Path, *, within: bool = False) -> bool:
    mode = path.lstat().st_mode
    return bool(mode & 0o077) and not stat.S_ISLNK(mode) and not (within and not stat.S_ISREG(mode))


def _databases() -> list[Path]:
    name = settings.DATABASES["default"]["NAME"]
    return [Path(name)] if connection.vendor == "sqlite" else []


def _close() -> Iterator[str]:
    yield from places.close_to_others(Path(settings.DATA), _databases()) or ["closed to others"]


def _disk(now: datetime) -> Iterator[Finding]:
    free = shutil.disk_usage(settings.DATA).free
    text = f"{free / 1024**3:.1f} GB are free"
    if free < LITTLE:
        yield red(text, "make room now: nothing can be stored when it is full")
    elif free < ENOUGH:
        yield yellow(text, "make room soon")
    else:
        yield green(text)


def _parts(now: datetime) -> Iterator[Finding]:
    state = health.look(now)
    for name, ago in state.seen.items():
        if ago >= health.SLOW.total_seconds():
            yield red(f"{name}: not seen for {ago} s", "is it running? see its log")
        else:
            yield green(f"{name}: seen {max(ago, 0)} s ago")
    for row in processes.away(now)[:FEW]:
        text = f"{row.kind} on {row.host}, process {row.pid}: not seen since {row.pulse:%Y-%m-%d %H:%M} UTC"
        yield red(text, "start it again; if it is gone for good: gamesmaster doctor --mend", partial(_forget, row))
    if state.worker is None:
        yield red("no worker was ever seen: nothing is processed", "gamesmaster serve, or gamesmaster worker")


def _forget(process: Process) -> Iterator[str]:
    process.delete()
    yield f"{process.kind} on {process.host}, process {process.pid}, is no longer waited for"


def _backups(now: datetime) -> Iterator[Finding]:
    last = Heartbeat.objects.filter(name=BACKUP).first()
    if last is None:
        yield yellow("none was made into a folder yet", "gamesmaster backup FOLDER --keep 14, every night")
    elif now - last.beat > LATE_BACKUP:
        yield red(f"the last is {(now - last.beat).days} days old", "see the log of the backup's timer")
    else:
        yield green(f"the last is of {last.beat:%Y-%m-%d %H:%M} UTC")


def _games(now: datetime) -> Iterator[Finding]:
    state = health.look(now)
    if state.quarantined:
        yield yellow(f"{many(state.quarantined, 'game')} stopped by a fault", "gamesmaster repair tells which, and why")
    if state.overdue:
        yield red(f"{many(state.overdue, 'game')} overdue for minutes", "does a worker run? see its log")
    running = Table.objects.filter(state=TableState.RUNNING).count()
    if not (state.quarantined or state.overdue):
        yield green(f"{many(running, 'game')} running, none stopped or overdue")


def _jobs(now: datetime) -> Iterator[Finding]:
    failing, behind = list(jobs.stuck()[:FEW]), list(jobs.behind(now)[:FEW])
    for job in failing:
        yield red(f"{job.name} has failed {job.attempts} times in a row: {job.why}", "see the log of the worker")
    for job in behind:
        yield red(f"{job.name} has been due since {job.due:%Y-%m-%d %H:%M} UTC", "does a worker run? see its log")
    if not (failing or behind):
        yield green("none failing, none behind")


def _mails(now: datetime) -> Iterator[Finding]:
    if not outbox.sends():
        yield yellow("no mail goes out", "set GAMESMASTER_MAIL_HOST")
        return
    waiting = OutMail.objects.filter(state=OutMail.QUEUED).count()
    stuck = health.stuck_mails(now).aggregate(number=Count("pk"), first=Min("made"))
    failed = OutMail.objects.filter(state=OutMail.FAILED, made__gt=now - timedelta(days=1)).count()
    if stuck["number"]:
        hours = (now - stuck["first"]).total_seconds() / 3600
        yield red(f"{many(stuck['number'], 'mail')} stuck, for up to {hours:.1f} h", "can the mail host be reached?")
    if held := brake.held().count():
        yield yellow(f"{many(held, 'mail')} held back until a digest", "GAMESMASTER_MAILS_PER_PERSON sets the limit")
    if (sent := brake.sent_since(now - timedelta(hours=1))) >= settings.MAILS_PER_HOUR:
        yield yellow(f"{many(sent, 'mail')} sent within an hour: the others wait", "GAMESMASTER_MAILS_PER_HOUR")
    if failed:
        yield yellow(f"{many(failed, 'mail')} of the last day given up", "gamesmaster mailroom --dead tells which")
    if not failed:
        yield green(f"{many(waiting, 'mail')} waiting")


def _accounts(now: datetime) -> Iterator[Finding]:
    """Check that the accounts of admins and moderators have a second factor."""
    staff = User.objects.filter(Q(is_superuser=True) | Q(groups__name=people.MODERATORS), is_active=True).distinct()
    without = staff.exclude(authenticator__type__in=FACTORS).count()
    text = f"{many(staff.count(), 'account')} of admins and moderators"
    if not staff:
        yield green("no admins or moderators yet")
    elif without:
        advice = "a passkey or one-time codes, under Security on the account page"
        yield yellow(f"{text}, {without} without a second factor", advice)
    else:
        yield green(f"{text}, each with a second factor")


PATIENCE = 10.0  # seconds to wait for an answer
SOON, NOW = timedelta(days=14), timedelta(days=3)
"""Remaining validity of a certificate: it should have been renewed, or must be."""
MOST_BYTES = 64 * 1024


def _address(now: datetime) -> Iterator[Finding]:
    """Check that the site answers at its own address, with a certificate that browsers accept."""
    base = urlsplit(settings.BASE_URL)
    try:
        answer, body, certificate = _fetch(base.scheme, base.hostname or "", base.port, "/healthz")
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


def _fetch(scheme: str, host: str, port: int | None, path: str) -> tuple[HTTPResponse, bytes, dict[str, Any] | None]:
    """Return an answer, its body, and the server's certificate if it has one."""
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
        data = json.loads(body)
    except ValueError:
        data = None
    if not isinstance(data, dict) or "well" not in data:
        advice = "another site is at this address, or the server before it hands on nothing"
        yield red(f"{settings.BASE_URL}/healthz answers {answer.status}, not as this program does", advice)
    elif not data["well"]:
        yield yellow("it answers, and says that it is not well", "; ".join(map(str, data.get("reasons", []))))
    else:
        yield green(f"{settings.BASE_URL} answers")


def _certificate(certificate: dict[str, Any], now: datetime) -> Iterator[Finding]:
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
    text = f"the certificate holds until {ends:%Y-%m-%d}"
    left = ends - now
    begins = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notBefore"]), UTC)
    short = (ends - begins) / 4  # short-lived certificates are renewed in their last third
    if left < min(NOW, short):
        yield red(text, "renew it now")
    elif left < min(SOON, short):
        yield yellow(text, "it should have been renewed by itself: see the log of the TLS server")
    else:
        yield green(text)


def _insists(host: str, answer: HTTPResponse) -> Iterator[Finding]:
    """Check that the site insists on HTTPS, and redirects HTTP to it."""
    if not answer.headers.get("Strict-Transport-Security"):
        yield yellow(
            "browsers are not told to come by https alone", "GAMESMASTER_BEHIND_PROXY=yes, and X-Forwarded-Proto"
        )
    try:
        plain, _, _ = _fetch("http", host, 80, "/")
    except (OSError, HTTPException):
        return  # nothing listens there, which is as good
    if not plain.headers.get("Location", "").startswith("https://"):
        yield yellow(f"http://{host}/ does not lead to https", "let the TLS server redirect")


def mail_loop(patience: float) -> Iterator[Finding]:
    """Check that a mail leaves by the mail server and returns to the mail room within `patience` seconds."""
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
        text = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} does not take mails: {why}"
        yield red(text, "GAMESMASTER_MAIL_HOST, _PORT, _USER, _PASSWORD, _TLS; is the mail server running?")
        return
    while time.monotonic() - begun < patience:
        if Heartbeat.objects.filter(name=addresses.TRIAL, beat=addresses.trial_time(number)).exists():
            yield green(f"{time.monotonic() - begun:.1f} s there and back")
            return
        time.sleep(0.2)
    advice = f"does the mail server for {settings.MAIL_DOMAIN} (its MX record) hand on to gamesmaster mailroom?"
    yield red(f"it went out, and did not come back within {patience:.0f} s", advice)


Check = Callable[[datetime], Iterable[Finding]]

CHECKS: list[tuple[str, Check]] = [
    ("settings", _settings), ("keys", _keys), ("database", _database), ("clock", _clock), ("files", _files),
    ("disk", _disk), ("parts", _parts), ("backups", _backups), ("games", _games), ("jobs", _jobs), ("mails", _mails),
    ("accounts", _accounts), ("address", _address),
]  # fmt: skip
"""The checks that send no mail: local ones first, then the site at its address."""


def examine(now: Callable[[], datetime], *, mend: bool = False, patience: float = 60.0) -> Iterator[Finding]:
    """Run all checks and yield their findings; with `mend`, repair what can be and check that again.

    `patience` is the number of seconds that the trial mail may take; 0 sends none.
    """
    mailed: tuple[str, Check] = ("mail out and in", lambda _: mail_loop(patience))
    for name, check in (*CHECKS, mailed):
        findings = _run_check(name, check, now())
        mends = [one.mend for one in findings if one.mend is not None]
        if mend and mends:
            done = [line for work in mends for line in _mend(work)]
            findings = [yellow(f"mended: {line}") for line in done] + _run_check(name, check, now())
        for one in findings:
            one.check = name
            yield one
    connections.close_all()


def _run_check(name: str, check: Check, now: datetime) -> list[Finding]:
    try:
        return list(check(now)) or [green("nothing found")]
    except DatabaseError as error:
        fault = " ".join(str(error).split())[:200]
        return [red(f"the database does not answer: {fault}", "see `database`, and the log of the database's server")]
    except Exception as error:  # a failing check must not stop the others
        return [red(f"this check failed: {type(error).__name__}: {str(error)[:200]}", "please report it")]


def _mend(work: Callable[[], Iterable[str]]) -> list[str]:
    try:
        return list(work())
    except Exception as error:
        return [f"no: {type(error).__name__}: {str(error)[:200]}"]
