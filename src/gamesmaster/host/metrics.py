"""Figures for whoever watches the site, as Prometheus reads them: counts and times, nothing that anybody wrote.

What concerns the whole site is asked of the database when somebody looks; how requests were answered is counted by each
process for itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from gamesmaster.host.models import HookCall, Outage, OutMail, PhaseRow, Pulse, Table, TableState
from gamesmaster.host.service import clock, health, phases

Answer = Callable[[HttpRequest], HttpResponse]
REGISTRY = CollectorRegistry()
ANSWERS = Histogram(
    "gamesmaster_request_seconds", "Time to the beginning of an answer.", ["method", "view", "status"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30), registry=REGISTRY,
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")


def timed(answer: Answer) -> Answer:
    """Count and time every answer, by the view that gave it (a middleware; the outermost, so that it sees all)."""

    def answered(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = answer(request)
        match = request.resolver_match
        method = request.method if request.method in METHODS else "other"
        view = match.view_name if match else "none"
        ANSWERS.labels(method, view, str(response.status_code)).observe(time.perf_counter() - begun)
        return response

    return answered


def written() -> bytes:
    """All figures, in Prometheus's text format; raises what the database raises if it does not answer."""
    site = CollectorRegistry()
    site.register(_Gathered(list(_of_the_site(clock.now()))))
    return generate_latest(site) + generate_latest(REGISTRY)


class _Gathered(Collector):
    """Figures that are there already."""

    def __init__(self, found: list[GaugeMetricFamily]) -> None:
        self.found = found

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The figures."""
        yield from self.found


def _of_the_site(now: datetime) -> Iterator[GaugeMetricFamily]:
    found = health.look(now)
    yield _figure("well", "1 if the site is well, as /healthz tells.", found.well)
    yield _figure("clock_doubted", "1 while the clock is not believed, and nothing is processed.", bool(found.clock))
    yield _each("pulse_age_seconds", "How long ago each was seen.", "name", found.seen)
    yield _figure("phases", "Phases that are over, in all games.", PhaseRow.objects.count())
    yield _each("tables", "Games by state.", "state", _by_state(Table))
    due = phases.due(now, 100_000)
    running = Table.objects.filter(state=TableState.RUNNING, pk__in=[number for number, _ in due[:1]])
    oldest = running.values_list("deadline", flat=True).first()
    yield _figure("due_games", "Games whose phase is to be processed now.", len(due))
    yield _figure("oldest_due_seconds", "How long the oldest of them has been due.", _age(oldest, now))
    yield _figure("overdue_games", "Games whose deadline passed more than three minutes ago.", found.overdue)
    yield _each("mails", "E-mails by state.", "state", _by_state(OutMail))
    waiting = OutMail.objects.filter(state=OutMail.QUEUED).aggregate(first=Min("made"))["first"]
    yield _figure("oldest_mail_seconds", "How long the oldest e-mail has been waiting.", _age(waiting, now))
    yield _figure("stuck_mails", "E-mails that should have gone out long ago.", found.stuck)
    yield _each("hook_calls", "Calls of webhooks by state.", "state", _by_state(HookCall))
    yield _each("outages", "Outages for which time was given back.", "name", _counts(Outage, "name"))
    beats = {pulse.name: pulse.beat.timestamp() for pulse in Pulse.objects.all()}
    yield _each("pulse_timestamp_seconds", "When each was last seen.", "name", beats)


def _by_state(model: type[Table] | type[OutMail] | type[HookCall]) -> dict[str, int]:
    states: dict[str, int] = dict.fromkeys((str(value) for value, _ in model._meta.get_field("state").choices or ()), 0)
    return states | _counts(model, "state")


def _counts(model: type[Table] | type[OutMail] | type[HookCall] | type[Outage], field: str) -> dict[str, int]:
    found = model._default_manager.order_by().values_list(field).annotate(Count("pk"))
    return {str(name): int(number) for name, number in found}


def _age(since: datetime | None, now: datetime) -> float:
    return max((now - since).total_seconds(), 0.0) if since else 0.0


def _figure(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"gamesmaster_{name}", about, value=float(value))


def _each(name: str, about: str, label: str, values: dict[str, int] | dict[str, float]) -> GaugeMetricFamily:
    found = GaugeMetricFamily(f"gamesmaster_{name}", about, labels=[label])
    for key, value in values.items():
        found.add_metric([key], float(value))
    return found
