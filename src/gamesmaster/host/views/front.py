"""The first page with a board that one can try at once, and the link that makes the first admin."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.game import find_variant, variant_names
from gamesmaster.host.errors import Refused
from gamesmaster.host.service import admins, clock, limits, listing, tables
from gamesmaster.host.views.asking import person
from gamesmaster.host.views.variants import cards

SHOWN = 6
"""Games on the first page."""
DEMO = "standard"
SANDBOXES = limits.Limit("sandbox", 30, 3600)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, a board to try, games to join, the variants."""
    user = person(request)
    context = {
        "variants": cards(),
        "demo": DEMO,
        "open_games": listing.find("open", user, most=SHOWN),
        "running_games": listing.find("running", user, most=SHOWN),
    }
    return render(request, "host/home.html", context)


@require_http_methods(["GET", "POST"])
def new_sandbox(request: HttpRequest) -> HttpResponse:
    """A board of one's own, for all powers at once; no account is needed.  GET asks which variant."""
    if request.method != "POST":
        return render(request, "host/sandbox_new.html", {"variants": cards()})
    name = request.POST.get("variant", DEMO)
    if name.partition("[")[0] not in variant_names():
        raise Http404
    try:
        limits.check(SANDBOXES, request)
        made = tables.sandbox(name, person(request), name=f"{find_variant(name).name}: a board to try")
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("new-sandbox")
    return redirect("table", key=made.key)


@require_http_methods(["GET", "POST"])
def first_admin(request: HttpRequest, token: str) -> HttpResponse:
    """The form behind the one-time link; who fills it in is the first admin."""
    if not admins.link_holds(token):
        raise Http404
    form: UserCreationForm[User] = UserCreationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = admins.first_admin(token, form.save(commit=False), clock.now())
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("home")
    return render(request, "host/first_admin.html", {"form": form})
