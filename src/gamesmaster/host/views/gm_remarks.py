"""Points of playability: the players' private form, and the summary for whoever runs the table (CLN-P.c)."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.models.opinions import SCALES
from gamesmaster.host.service import remarks as service
from gamesmaster.host.service.viewing import row_of
from gamesmaster.host.views.asking import account, refused_back, seen


def _back(request: HttpRequest, key: str) -> str:
    return reverse("remarks", kwargs={"key": key})


@login_required
@require_http_methods(["GET", "POST"])
@refused_back(_back)
def remarks(request: HttpRequest, key: str) -> HttpResponse:
    """The form for those who play, the summary for whoever may read it; 404 to others."""
    view = seen(request, key)
    row, user = row_of(view), account(request)
    says, reads = service.answers(row, user), service.reads(row, user)
    if not (says or reads):
        raise Http404
    if request.method == "POST":
        given = {
            name: int(request.POST[name]) for name in SCALES if request.POST.get(name, "") in ("1", "2", "3", "4", "5")
        }
        asked = request.POST.get("question", "")
        number = int(asked) if asked.isdecimal() and len(asked) < 12 else None
        service.say(row, user, request.POST.get("text", ""), given, question=number)
        messages.success(request, _("Thank you. Only the person who runs the game will read it."))
        return redirect("remarks", key=key)
    own = service.own(row, user) if says else []
    context = {
        "view": view, "says": says, "reads": reads, "own": own, "scales": SCALES, "steps": range(1, 6),
        "questions": row.questions.order_by("pk"),
        "summary": service.summary(row, user) if reads else None,
    }  # fmt: skip
    return render(request, "host/gm_remarks.html", context)


@login_required
@require_POST
@refused_back(_back)
def ask(request: HttpRequest, key: str) -> HttpResponse:
    """Put a question to the players."""
    service.ask(row_of(seen(request, key)), account(request), request.POST.get("text", ""))
    messages.success(request, _("Your question has been sent to the players."))
    return redirect("remarks", key=key)


@login_required
@require_safe
def export(request: HttpRequest, key: str) -> HttpResponse:
    """The answers as JSON, for whoever may read them."""
    row = row_of(seen(request, key))
    try:
        found = service.summary(row, account(request))
    except Refused:
        raise Http404 from None
    data = {
        "game": row.name, "variant": row.variant, "answers": found.answers,
        "scales": {s.name: {"says": s.says, "mean": s.mean, "counts": list(s.counts)} for s in found.scales},
        "remarks": [
            {"power": r.power, "phase": r.ordinal, "question": r.question.text if r.question else "", "text": r.text}
            for r in found.remarks
        ],
    }  # fmt: skip
    return JsonResponse(data, json_dumps_params={"indent": 2, "ensure_ascii": False})
