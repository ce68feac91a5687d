"""Sandboxes: processing, going back, branching, deleting old ones; and plans.

Plans are private sandboxes in which a player tries orders before sending them, listed on the game's page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from gamesmaster.host.games import seats
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing
from gamesmaster.host.phases.processing import Done
from gamesmaster.host.site import limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import MARK, look, row_of
from gamesmaster.host.tables.models import Seat, Sheet, Table
from gamesmaster.host.tables.requests import begun_view, lead_back, person, posted, posted_ordinal
from gamesmaster.host.tables.view import TableView

MOST_PLANS = 12
"""Maximum number of plans per player and game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan in the list on the game's page; `current` if it begins in the current phase."""

    key: str
    name: str
    phase: str
    current: bool


@dataclass(frozen=True, slots=True)
class Home:
    """The game that a plan belongs to."""

    key: str
    name: str
    power: str  # the player's power
    phase: str  # code of the phase in which the plan begins
    current: bool  # that phase is still the current one


def may_plan(view: TableView) -> bool:
    """Return whether the viewer plays in this game, sees its whole board, and it is not over."""
    playing = view.begun and view.viewer.seat and view.viewer.powers and not view.outcome
    return bool(playing and not (view.sandbox or view.partial))


def own_plans(view: TableView) -> tuple[Plan, ...]:
    """Return the viewer's plans for this game, newest first."""
    if not may_plan(view):
        return ()
    plans = []
    for table in _plans(view).only("key", "name", "forked_from"):
        phase = table.forked_from.partition(" ")[2]
        plans.append(Plan(table.key, table.name, phase, phase == view.phase_code))
    return tuple(plans)


def home_of(view: TableView) -> Home | None:
    """Return the game of this plan if the viewer still plays in it; None if this is not a plan."""
    if not view.sandbox or view.settings.join != "invited":
        return None
    key, _, phase = view.forked_from.partition(" ")
    try:
        game = look(key, view.viewer.user)
    except Refused:
        return None
    if not may_plan(game):
        return None
    return Home(key, game.name, game.viewer.powers[0], phase, phase == game.phase_code)


def begin_plan(view: TableView, name: str = "") -> Table:
    """Create a plan from the game's current state and the player's saved orders; raise `Refused`."""
    if not may_plan(view):
        raise Refused("no-seat", _("Only those who play in this game can plan in it."))
    count = _plans(view).count()
    if count >= MOST_PLANS:
        raise Refused("too-many", _("You can keep {most} plans for a game."), _("delete one first"), most=MOST_PLANS)
    sent = {sheet.power: sheet.lines for sheet in view.sheets if sheet.power in view.viewer.powers}
    called = " ".join(name.split()) or _("Plan {many}").format(many=count + 1)
    game = replace(view.bare_game, orders=sent)
    return past.branch(view, game, view.viewer.user, name=called, private=True)


def guess_others(view: TableView, bot: str) -> tuple[str, ...]:
    """Let a bot order for the powers for which the player has not, and return these powers.

    Each call replaces earlier guesses. Raise `Refused` if this is not a plan of the viewer's.
    """
    at = _home_of(view)
    seats.check_bot(bot)
    table = row_of(view)
    by_hand = Sheet.objects.filter(table=table, ordinal=table.ordinal, by__isnull=False).values_list("power", flat=True)
    others = [p.name for p in view.variant.powers if p.name != at.power and p.name not in set(by_hand)]
    answers = seats.bot_orders(store.load(table), [Seat(table=table, power=power, bot=bot) for power in others])
    for power, lines in answers.items():
        submission.submit(table, power, lines, Submission(table.ordinal, amend=False), user=view.viewer.user)
    Sheet.objects.filter(table=table, ordinal=table.ordinal, power__in=answers).update(by=None)
    return tuple(answers)


def adopt_plan(view: TableView) -> Home:
    """Save the orders of a plan as the player's orders in the game; raise `Refused`, also if the phase is over."""
    at = _home_of(view)
    game = look(at.key, view.viewer.user)
    if not at.current:
        raise Refused(
            "not-this-phase",
            _("This plan is for {phase}; the game is in {phase2} now."),
            phase=at.phase,
            phase2=game.phase_code,
        )
    lines = _lines(view, at.power, game.ordinal)
    if not lines:
        raise Refused("no-orders", _("There are no orders for {power} in this plan yet."), power=at.power)
    submission.submit(row_of(game), at.power, lines, Submission(game.ordinal, amend=False), user=view.viewer.user)
    return at


def drop_plan(view: TableView) -> str:
    """Delete a plan and return the key of its game."""
    if not view.sandbox or view.settings.join != "invited":
        raise Refused("no-plan", _("This is not a plan."))
    row_of(view).delete()
    return view.forked_from.partition(" ")[0]


def _home_of(view: TableView) -> Home:
    home = home_of(view)
    if home is None:
        raise Refused("no-plan", _("This is not a plan for a game that you play in."))
    return home


def _lines(view: TableView, power: str, ordinal: int) -> Sequence[str]:
    """Return the power's orders in this phase of the plan, processed there or not."""
    if ordinal < len(view.records):
        return view.record(ordinal).orders.get(power, ())
    return next((sheet.lines for sheet in view.sheets if sheet.power == power), ())


def _plans(view: TableView) -> QuerySet[Table]:
    user = view.viewer.user
    assert isinstance(user, User)
    tables = Table.objects.filter(owner=user, sandbox=True, settings__join="invited")
    return tables.filter(forked_from__startswith=f"{view.key} ").order_by("-pk")


GUESSES = limits.Limit("guess", 60, 3600)


@dataclass(frozen=True, slots=True)
class Planning:
    """What the page of a table shows about plans: those for this game, or the game of this plan."""

    plans: tuple[Plan, ...]
    home: Home | None
    bots: tuple[seats.Bot, ...] = tuple(seats.BOTS.values())


def planning(view: TableView) -> Planning | None:
    """Return what the page shows about plans; None for a viewer who cannot plan here."""
    home = home_of(view)
    return Planning(own_plans(view), home) if home or may_plan(view) else None


def _plan_address(key: str, power: str) -> str:
    return f"{reverse('table', args=[key])}?{urlencode({'power': power})}"


@posted("table")
def make_plan(request: HttpRequest, key: str) -> HttpResponse:
    """Create a plan."""
    view = begun_view(request, key)
    made = begin_plan(view, request.POST.get("name", ""))
    return redirect(_plan_address(made.key, view.viewer.powers[0]))


@posted("table")
def guess_orders(request: HttpRequest, key: str) -> HttpResponse:
    """Let a bot order for the other powers of a plan."""
    view = begun_view(request, key)
    limits.check(GUESSES, request)
    bot = request.POST.get("bot", "")
    orders = guess_others(view, bot)
    if orders:
        messages.success(
            request,
            _("{title} has guessed the orders of {found}.").format(title=seats.bot_title(bot), found=", ".join(orders)),
        )
    else:
        messages.info(request, _("There is nothing to guess: no other power without orders of yours is asked for any."))
    return redirect("table", key)


@posted("table")
def use_plan(request: HttpRequest, key: str) -> HttpResponse:
    """Save the plan's orders in the game."""
    home = adopt_plan(begun_view(request, key))
    messages.success(
        request,
        _(
            "The orders of your plan are saved as {power}'s orders in the game. Say that you are ready when you are."
        ).format(power=home.power),
    )
    return redirect(_plan_address(home.key, home.power))


@posted("table")
def delete_plan(request: HttpRequest, key: str) -> HttpResponse:
    """Delete the plan."""
    view = begun_view(request, key)
    home = drop_plan(view)
    messages.success(request, _("Your plan “{name}” is deleted.").format(name=view.name))
    return redirect("table", home)


TUTORIAL, KEPT = timedelta(days=2), timedelta(days=90)
"""How long an unused tutorial, and an unused sandbox without an owner, is kept."""
DEMO = "demo"
"""Value of `Table.forked_from` of the demo board."""
MOST = 200
"""Maximum number deleted at a time, because each has a whole record."""


def tidy(now: datetime) -> int:
    """Delete some of the unused sandboxes and return how many were deleted."""
    since = Case(When(forked_from__startswith=MARK, then=Value(now - TUTORIAL)), default=Value(now - KEPT))
    used = Sheet.objects.filter(table=OuterRef("pk"), sent_at__gte=OuterRef("since"))
    nobodys = Table.objects.filter(sandbox=True, owner=None).exclude(forked_from=DEMO)
    old = nobodys.annotate(since=since).filter(~Exists(used), phase_began__lt=F("since"))
    numbers = list(old.order_by("pk").values_list("pk", flat=True)[:MOST])
    return Table.objects.filter(pk__in=numbers).delete()[1].get(Table._meta.label, 0)


SAID = {
    Done.BUSY: gettext_lazy("The phase is being adjudicated right now."),
    Done.NOT_DUE: gettext_lazy("The phase has only just begun; try again in a moment."),
    Done.WAITING: gettext_lazy("The game waits for missing orders."),
    Done.FAILED: gettext_lazy("The phase could not be adjudicated; nothing was changed."),
    Done.QUARANTINED: gettext_lazy("The phase cannot be adjudicated; the game is stopped by a fault."),
}


def _sandbox(request: HttpRequest, key: str) -> TableView:
    view = begun_view(request, key)
    if not view.sandbox:
        raise Http404("This game is not a sandbox.")
    return view


@require_POST
@lead_back("table")
def process(request: HttpRequest, key: str) -> HttpResponse:
    """Adjudicate the phase with the saved orders, and show the results."""
    view = _sandbox(request, key)
    ordinal = posted_ordinal(request)
    done = processing.ask(row_of(view), ordinal, person(request))
    if done in SAID:
        messages.error(request, SAID[done])
        return redirect("table", key)
    return redirect("table-past", key, ordinal) if done is Done.PROCESSED else redirect("table", key)


@require_POST
@lead_back("table")
def back(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Take the sandbox back to a finished phase, with its orders ready to be edited."""
    past.rollback(row_of(_sandbox(request, key)), ordinal, person(request))
    return redirect("table", key)


@require_POST
@lead_back("table")
def fork(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Create a sandbox from a finished phase of the table, or from the current one."""
    return redirect("table", past.fork(begun_view(request, key), ordinal, person(request)).key)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/plans", make_plan, name="table-plan"),
    path("t/<slug:key>/plan/guess", guess_orders, name="table-plan-guess"),
    path("t/<slug:key>/plan/use", use_plan, name="table-plan-use"),
    path("t/<slug:key>/plan/delete", delete_plan, name="table-plan-delete"),
    path("t/<slug:key>/process", process, name="table-process"),
    path("t/<slug:key>/back/<int:ordinal>", back, name="table-back"),
    path("t/<slug:key>/fork/<int:ordinal>", fork, name="table-fork"),
]
