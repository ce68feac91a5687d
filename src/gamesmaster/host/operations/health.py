"""Health of the site, for load balancers and operators, and its metrics."""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Max, Min, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.urls import URLPattern, path
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from gamesmaster.host.mailroom import brake
from gamesmaster.host.phases import downtime, outages, processing
from gamesmaster.host.site import clock, jobs, processes
from gamesmaster.host.site.clock import Heartbeat, Outage
from gamesmaster.host.site.processes import Process
from gamesmaster.host.site.refusals import unavailable
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.models import HookCall, OutMail, PhaseRow, Table, TableState

SLOW = timedelta(minutes=3)
"""Age at which a missing heartbeat or an overdue phase counts as a fault."""
HOUR = timedelta(hours=1)
IN_TIME = timedelta(minutes=1)
"""A phase processed later than this after it was due is late."""
MANY_OUTAGES = 3
UNTRIED, PUT_OFF = timedelta(minutes=30), timedelta(hours=4)
"""A mail is stuck if it was due this long ago without an attempt, or was written this long ago."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the site."""

    seen: dict[str, int]  # seconds since the last heartbeat of the worker, the web server and the mail room
    overdue: int  # phases overdue by more than `SLOW`
    quarantined: int  # tables stopped by a fault
    mails: int  # mails that wait
    stuck: int = 0  # mails among these that are stuck; games go on, so this is not a fault
    late: int = 0  # phases delayed by several outages, so that their deadlines are not overdue
    clock: list[str] = field(default_factory=list)  # reasons to doubt the clock
    alarms: list[str] = field(default_factory=list)  # what the operator should see to, though games go on

    @property
    def worker(self) -> int | None:
        """Return the seconds since the worker's last heartbeat; None without one."""
        return self.seen.get(downtime.WORKER)

    @property
    def reasons(self) -> list[str]:
        """Return the faults of the site. Tables stopped by a fault are not among them."""
        found = [*self.clock]
        if self.worker is None:
            found.append("no worker was ever seen")
        found += [f"{name}: not seen for {ago} s" for name, ago in self.seen.items() if ago >= SLOW.total_seconds()]
        if self.overdue:
            found.append(f"{self.overdue} phases are overdue")
        if self.late:
            found.append(f"{self.late} phases are late: outages have moved their deadlines again and again")
        return found

    @property
    def well(self) -> bool:
        """Return whether no fault was found."""
        return not self.reasons

    @property
    def data(self) -> dict[str, object]:
        """Return the state as data for JSON."""
        return {
            "well": self.well, "reasons": self.reasons, "alarms": self.alarms, "worker_seconds": self.worker,
            "web_seconds": self.seen.get(downtime.WEB), "mail_seconds": self.seen.get(downtime.MAIL),
            "overdue": self.overdue, "late": self.late, "quarantined": self.quarantined,
            "mails_waiting": self.mails, "mails_stuck": self.stuck,
        }  # fmt: skip


def look(now: datetime) -> Health:
    """Return the state of the site; database errors are passed on."""
    heartbeats = {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.all()}
    names = (downtime.WORKER, *downtime.DOORS)
    return Health(
        seen={name: int((now - heartbeats[name].beat).total_seconds()) for name in names if name in heartbeats},
        overdue=Table.objects.filter(state=TableState.RUNNING, deadline__lt=now - SLOW).count(),
        quarantined=Table.objects.filter(state=TableState.QUARANTINED).count(),
        mails=OutMail.objects.filter(state=OutMail.QUEUED).count(),
        stuck=stuck_mails(now).count(),
        late=outages.count_late(now, SLOW),
        clock=list(_doubts(heartbeats, now)),
        alarms=list(_alarms(now)),
    )


def _alarms(now: datetime) -> Iterator[str]:
    """Yield alarms in numbers alone: everybody may read /healthz."""
    if away := processes.away(now).count():
        yield f"processes away: {away}"
    hour = _last_hour(now)
    if hour["slow"] * 10 > hour["phases"]:
        yield f"phases of the last hour late by more than a minute: {hour['slow']} of {hour['phases']}"
    if hour["outages"] >= MANY_OUTAGES:
        yield f"outages within an hour: {hour['outages']}"
    if failing := jobs.stuck().count():
        yield f"jobs that failed {jobs.MOST_ATTEMPTS} times in a row, or more: {failing}"
    if late := jobs.behind(now).count():
        yield f"jobs behind by more than two minutes: {late}"
    if held := brake.held().count():
        yield f"mails held back until a digest: {held}"
    if (sent := brake.sent_since(now - HOUR)) >= settings.MAILS_PER_HOUR:
        yield f"mails sent within an hour: {sent}; the others wait"


def _last_hour(now: datetime) -> dict[str, int]:
    """Count the phases of the last hour, those that were late, the most seconds that one was late, and the outages."""
    phases = PhaseRow.objects.filter(processed_at__gt=now - HOUR, late__isnull=False)
    late = Count("pk", filter=Q(late__gt=IN_TIME.total_seconds()))
    found = phases.aggregate(phases=Count("pk"), latest=Max("late"), slow=late)
    outages = Outage.objects.filter(ended__gt=now - HOUR).count()
    return {**found, "latest": found["latest"] or 0, "outages": outages}


def stuck_mails(now: datetime) -> QuerySet[OutMail]:
    """Return the mails that should have been sent long ago: due without an attempt, or postponed repeatedly.

    Without a mail server, the result is empty.
    """
    if not outbox.sends():
        return OutMail.objects.none()
    untried, put_off = Q(next_try__lt=now - UNTRIED), Q(made__lt=now - PUT_OFF)
    return OutMail.objects.filter(untried | put_off, state=OutMail.QUEUED)


def mend_clock(now: datetime) -> list[str]:
    """Trust the machine's clock as it is now, repair the effects of a wrong one, and return what was done.

    For an operator who has checked the clock and does not want to wait until the workers trust it.
    """
    doubts = list(_doubts({heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.all()}, now))
    if not doubts:
        return []
    moved = downtime.accept_clock(now)
    return [*doubts, f"the clock is taken for right: {moved} deadlines put right"]


def _doubts(heartbeats: dict[str, Heartbeat], now: datetime) -> Iterator[str]:
    if (skew := clock.skew()) > downtime.MOST_BACK:
        yield f"this machine's clock and the database's differ by {int(skew.total_seconds())} s"
    if leap := heartbeats.get(downtime.LEAP):
        until = leap.beat + downtime.DOUBTED
        yield (
            f"the clock leapt ahead by {leap.seconds} s; nothing is processed until it is put right, or until "
            f"{until:%Y-%m-%d %H:%M} UTC (gamesmaster doctor --mend: go by it now)"
        )
    ahead = max((heartbeat.beat - now for heartbeat in heartbeats.values()), default=timedelta(0))
    if ahead > downtime.MOST_BACK:
        yield (
            f"the clock was put back by {int(ahead.total_seconds())} s; nothing is processed until it has stayed so "
            f"for {int(downtime.SETTLING.total_seconds())} s (gamesmaster doctor --mend: go by it now)"
        )


Answer = Callable[[HttpRequest], HttpResponse]
REGISTRY = CollectorRegistry()
ANSWERS = Histogram(
    "gamesmaster_request_seconds", "Time to the beginning of an answer.", ["method", "view", "status"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30), registry=REGISTRY,
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")


def time_answers(answer: Answer) -> Answer:
    """Count and time every answer by view (the outermost middleware, so that it sees all answers)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = answer(request)
        match = request.resolver_match
        method = request.method if request.method in METHODS else "other"
        view = match.view_name if match else "none"
        ANSWERS.labels(method, view, str(response.status_code)).observe(time.perf_counter() - begun)
        return response

    return middleware


def metrics_text() -> bytes:
    """Return all metrics in Prometheus's text format; database errors are passed on."""
    site = CollectorRegistry()
    site.register(_Gathered(list(_of_the_site(clock.now()))))
    return generate_latest(site) + generate_latest(REGISTRY)


class _Gathered(Collector):
    """A collector of metrics computed beforehand."""

    def __init__(self, found: list[GaugeMetricFamily]) -> None:
        self.found = found

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics."""
        yield from self.found


def _of_the_site(now: datetime) -> Iterator[GaugeMetricFamily]:
    state = look(now)
    yield _figure("well", "1 if the site is well, as /healthz tells.", state.well)
    yield _figure("clock_doubted", "1 while the clock is not believed, and nothing is processed.", bool(state.clock))
    yield _each("pulse_age_seconds", "How long ago each was seen.", "name", state.seen)
    yield _figure("phases", "Phases that are over, in all games.", PhaseRow.objects.count())
    hour = _last_hour(now)
    yield _figure("phases_hour", "Phases processed within the last hour because they were due.", hour["phases"])
    yield _figure("late_phases_hour", "Those that were processed more than a minute late.", hour["slow"])
    yield _figure("latest_phase_seconds", "By how much the latest of them was late.", hour["latest"])
    yield _figure("outages_hour", "Outages that ended within the last hour.", hour["outages"])
    yield _each("tables", "Games by state.", "state", _by_state(Table))
    due = processing.due(now, 100_000)
    running = Table.objects.filter(state=TableState.RUNNING, pk__in=[number for number, _ in due[:1]])
    oldest = running.values_list("deadline", flat=True).first()
    yield _figure("due_games", "Games whose phase is to be processed now.", len(due))
    yield _figure("oldest_due_seconds", "How long the oldest of them has been due.", _age(oldest, now))
    yield _figure("overdue_games", "Games whose deadline passed more than three minutes ago.", state.overdue)
    yield _figure("late_games", "Games held up for more than three minutes by several outages.", state.late)
    yield _each("mails", "E-mails by state.", "state", _by_state(OutMail))
    waiting = OutMail.objects.filter(state=OutMail.QUEUED).aggregate(first=Min("made"))["first"]
    yield _figure("oldest_mail_seconds", "How long the oldest e-mail has been waiting.", _age(waiting, now))
    yield _figure("mails_hour", "E-mails sent within the last hour.", brake.sent_since(now - HOUR))
    yield _figure("mails_hour_limit", "How many e-mails may be sent within an hour.", settings.MAILS_PER_HOUR)
    yield _figure("held_mails", "E-mails held back until a digest.", brake.held().count())
    yield _figure("stuck_mails", "E-mails that should have gone out long ago.", state.stuck)
    yield _each("hook_calls", "Calls of webhooks by state.", "state", _by_state(HookCall))
    yield _each("outages", "Outages for which time was given back.", "name", _counts(Outage, "name"))
    first = jobs.behind(now).values_list("due", flat=True).first()
    yield _figure("jobs_behind", "Jobs that have been due for more than two minutes.", jobs.behind(now).count())
    yield _figure("oldest_job_seconds", "How long the oldest of them has been due.", _age(first, now))
    yield _figure("jobs_failing", "Jobs that have failed five times in a row, or more.", jobs.stuck().count())
    yield _figure("alarms", "What the operator should see to, as /healthz tells.", len(state.alarms))
    yield _processes(now)
    beats = {heartbeat.name: heartbeat.beat.timestamp() for heartbeat in Heartbeat.objects.all()}
    yield _each("pulse_timestamp_seconds", "When each was last seen.", "name", beats)


def _processes(now: datetime) -> GaugeMetricFamily:
    labels, about = ["name", "host", "pid"], "How long ago each process was seen."
    family = GaugeMetricFamily("gamesmaster_process_pulse_age_seconds", about, labels=labels)
    for row in Process.objects.order_by("pk"):
        family.add_metric([row.kind, row.host, str(row.pid)], _age(row.pulse, now))
    return family


def _by_state(model: type[Table] | type[OutMail] | type[HookCall]) -> dict[str, int]:
    states: dict[str, int] = dict.fromkeys((str(value) for value, _ in model._meta.get_field("state").choices or ()), 0)
    return states | _counts(model, "state")


def _counts(model: type[Table] | type[OutMail] | type[HookCall] | type[Outage], field: str) -> dict[str, int]:
    rows = model._default_manager.order_by().values_list(field).annotate(Count("pk"))
    return {str(name): int(number) for name, number in rows}


def _age(since: datetime | None, now: datetime) -> float:
    return max((now - since).total_seconds(), 0.0) if since else 0.0


def _figure(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"gamesmaster_{name}", about, value=float(value))


def _each(name: str, about: str, label: str, values: dict[str, int] | dict[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"gamesmaster_{name}", about, labels=[label])
    for key, value in values.items():
        family.add_metric([key], float(value))
    return family


def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 if the database answers and the site is well, else 503, with the reasons in JSON."""
    try:
        state = look(clock.now())
    except DatabaseError:
        return JsonResponse({"well": False, "reasons": ["the database does not answer"]}, status=503)
    return JsonResponse(state.data, status=200 if state.well else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to operators, who have the token or ask from this machine; 404 to others."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    wanted = settings.METRICS_TOKEN
    has_token = bool(wanted) and hmac.compare_digest(token.encode(), wanted.encode())
    if not (has_token or _from_here(request)):
        return HttpResponseNotFound()
    try:
        text = metrics_text()
    except DatabaseError:
        return unavailable(request)
    return HttpResponse(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def _from_here(request: HttpRequest) -> bool:
    """Return whether a program on this machine asks, and not a proxy on behalf of somebody else."""
    if any(
        name in request.headers for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip", "Via")
    ):
        return False
    host = request.get_host().rpartition(":")[0] or request.get_host()
    try:
        here = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
        return here and (host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback)
    except ValueError:
        return False


urlpatterns: list[URLPattern] = [
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
]
