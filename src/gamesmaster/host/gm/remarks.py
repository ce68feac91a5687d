"""Players' remarks on how a game plays, the Gamesmaster's questions about it, and their page (CLN-P.c)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import mean

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, store
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import Seat, Table, TableState
from gamesmaster.host.tables.requests import account, lead_back, posted, view_of

LONGEST_REMARK = 4_000  # characters

SCALES = {
    "balance": gettext_lazy("The game is balanced"),
    "clarity": gettext_lazy("The rules are clear"),
    "pace": gettext_lazy("The pace is right"),
    "joy": gettext_lazy("It is fun"),
}
"""The statements on playability, each rated from 1 (no) to 5 (yes)."""


class Question(models.Model):
    """A question on playability to the players of a game (CLN-P.c)."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="questions")
    ordinal = models.PositiveIntegerField()
    text = models.CharField(max_length=400)
    asked = models.DateTimeField()


class Remark(models.Model):
    """A player's remark on playability, visible only to the person who runs the game (CLN-P.c)."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="remarks")
    question = models.ForeignKey(Question, models.CASCADE, null=True, related_name="answers")  # None: unasked
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="remarks")
    power = models.CharField(max_length=60, blank=True)
    ordinal = models.PositiveIntegerField()  # phase of the question, or in which it was said
    scores = models.JSONField(default=dict)  # ratings by names in `SCALES`
    text = models.TextField(max_length=LONGEST_REMARK, blank=True)
    made = models.DateTimeField()

    class Meta:
        """One answer per person and question, and one remark per person and phase."""

        constraints = [models.UniqueConstraint(fields=["table", "user", "ordinal", "question"], name="one_remark")]


LOWEST, HIGHEST = 1, 5
MOST_QUESTIONS = 50


@dataclass(frozen=True, slots=True)
class Scale:
    """Ratings of one statement: mean (None without ratings), and the number of each rating."""

    name: str
    says: str
    mean: float | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """All answers without the players' names: ratings, remarks and questions."""

    answers: int  # number of people
    scales: tuple[Scale, ...]
    remarks: tuple[Remark, ...]
    questions: tuple[Question, ...]


def may_read(table: Table, user: User | None) -> bool:
    """Return whether this person may read the remarks: the Gamesmaster, or the owner of a game without one."""
    if user is None or table.sandbox:
        return False
    if table.gm_id is not None:
        return store.is_gm(table, user) and not _has_played(table, user)
    over = table.state in (TableState.FINISHED, TableState.CANCELLED)
    return table.owner_id == user.pk and (over or not _has_played(table, user))


def may_answer(table: Table, user: User | None) -> bool:
    """Return whether this person may answer: the game has begun and the person has or had a seat."""
    return user is not None and table.started is not None and _has_played(table, user)


def ask(table: Table | int, by: User | None, text: str, *, now: datetime | None = None) -> Question:
    """Ask the players a question; raise `Refused`."""
    with store.lock(table) as row:
        at = now or clock.now()
        if not may_read(row, by) or row.started is None:
            raise Refused("not-gm", _("Only the Gamesmaster can ask the players."))
        text = " ".join(text.split())
        if not 1 <= len(text) <= 400 or row.questions.count() >= MOST_QUESTIONS:
            raise Refused("bad-question", _("A question must have between 1 and 400 characters."))
        made = Question.objects.create(table=row, ordinal=row.ordinal, text=text, asked=at)
        correspondence.notify(row, notifications.write(row, "question", text=text), at)
    return made


def say(
    table: Table | int,
    user: User | None,
    text: str,
    scores: Mapping[str, int] | None = None,
    *,
    question: int | None = None,
    now: datetime | None = None,
) -> Remark:
    """Save a player's remark in place of the player's earlier one on the same question; raise `Refused`."""
    with store.lock(table) as row:
        at = now or clock.now()
        if user is None or not may_answer(row, user):
            raise Refused("no-seat", _("Only the players of this game can answer."))
        about = row.questions.filter(pk=question).first() if question is not None else None
        if question is not None and about is None:
            raise Refused("no-question", _("There is no such question."))
        given = {name: score for name, score in (scores or {}).items() if name in SCALES}
        if any(not LOWEST <= score <= HIGHEST for score in given.values()) or len(text) > LONGEST_REMARK:
            raise Refused("bad-remark", _("Answers go from 1 to 5, and the text may have up to 4,000 characters."))
        if not given and not text.strip():
            raise Refused("bad-remark", _("Please answer at least one question."))
        seat = row.seats.filter(user=user).order_by("-pk").first()
        ordinal = about.ordinal if about else row.ordinal
        made, _new = Remark.objects.update_or_create(
            table=row, user=user, question=about, ordinal=ordinal,
            defaults={"power": (seat.power if seat else "") or "", "scores": given, "text": text.strip(), "made": at},
        )  # fmt: skip
    return made


def own_remarks(table: Table, user: User) -> list[Remark]:
    """Return the remarks of this player."""
    return list(table.remarks.filter(user=user).select_related("question").order_by("pk"))


def summary(table: Table, user: User | None) -> Summary:
    """Return a summary of all remarks, with each player's last ratings.

    Raise `Refused` unless `user` may read it.
    """
    if not may_read(table, user):
        raise Refused("not-gm", _("Only the Gamesmaster can read this."))
    remarks = list(table.remarks.select_related("question").order_by("made", "pk"))
    last: dict[tuple[object, str], int] = {}
    for remark in remarks:
        for name, score in remark.scores.items():
            last[remark.user_id or f"gone {remark.power}", name] = score
    scales = []
    for name, says in SCALES.items():
        scores = [score for (_who, key), score in last.items() if key == name]
        counts = tuple(scores.count(n) for n in range(LOWEST, HIGHEST + 1))
        scales.append(Scale(name, str(says), round(mean(scores), 1) if scores else None, counts))
    texts = tuple(remark for remark in remarks if remark.text)
    people = {remark.user_id or f"gone {remark.power}" for remark in remarks}
    return Summary(len(people), tuple(scales), texts, tuple(table.questions.order_by("pk")))


def _has_played(table: Table, user: User) -> bool:
    return Seat.objects.filter(table=table, user=user).exists()


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("remarks")
def remarks_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form to players and the summary to those who may read it; 404 to others."""
    view = view_of(request, key)
    row, user = row_of(view), account(request)
    says, reads = may_answer(row, user), may_read(row, user)
    if not (says or reads):
        raise Http404
    if request.method == "POST":
        scores = {
            name: int(request.POST[name]) for name in SCALES if request.POST.get(name, "") in ("1", "2", "3", "4", "5")
        }
        asked = request.POST.get("question", "")
        number = int(asked) if asked.isdecimal() and len(asked) < 12 else None
        say(row, user, request.POST.get("text", ""), scores, question=number)
        messages.success(request, _("Thank you. Only the person who runs the game will read it."))
        return redirect("remarks", key=key)
    own = own_remarks(row, user) if says else []
    context = {
        "view": view, "says": says, "reads": reads, "own": own, "scales": SCALES, "steps": range(1, 6),
        "questions": row.questions.order_by("pk"),
        "summary": summary(row, user) if reads else None,
    }  # fmt: skip
    return render(request, "gm/remarks.html", context)


@posted("remarks")
def ask_players(request: HttpRequest, key: str) -> HttpResponse:
    """Ask the players a question."""
    ask(row_of(view_of(request, key)), account(request), request.POST.get("text", ""))
    messages.success(request, _("Your question has been sent to the players."))
    return redirect("remarks", key=key)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/remarks/", remarks_page, name="remarks"),
    path("t/<slug:key>/remarks/ask", ask_players, name="remarks-ask"),
]
