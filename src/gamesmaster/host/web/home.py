"""The first page with a board that one can try at once, and the link that makes the first admin."""

from __future__ import annotations

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.games import hosting, listing
from gamesmaster.host.games.forms import SandboxOptions
from gamesmaster.host.games.listing import cards
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import person
from gamesmaster.variant import find_variant, variant_names

SHOWN = 6
"""Games on the first page."""
DEMO = "standard"
SECURITY_HOLDS = timedelta(days=90)
"""It is made anew whenever it is asked for: who has an old copy is to look again."""
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


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to tell of weaknesses of the site (RFC 9116); not there if nobody has said where."""
    if not settings.SECURITY_CONTACTS:
        raise Http404
    expires = clock.now() + SECURITY_HOLDS
    lines = [*(f"Contact: {contact}" for contact in settings.SECURITY_CONTACTS)]
    lines += [f"Expires: {expires:%Y-%m-%dT00:00:00Z}", "Preferred-Languages: en"]
    lines += [f"Canonical: {settings.BASE_URL}/.well-known/security.txt"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_http_methods(["GET", "POST"])
def new_sandbox(request: HttpRequest) -> HttpResponse:
    """A board of one's own, for all powers at once; no account is needed.  GET asks which variant."""
    if request.method != "POST":
        return render(request, "host/sandbox_new.html", {"variants": cards()})
    family = request.POST.get("variant", DEMO)
    if family not in variant_names():
        raise Http404
    variant = find_variant(family)
    options = SandboxOptions(variant, request.POST)
    if not options.is_valid():
        messages.error(request, _("These options are not offered: %(names)s") % {"names": ", ".join(
            str(options[name].label) for name in options.errors)})  # fmt: skip
        return redirect("variant", family)
    try:
        limits.check(SANDBOXES, request)
        made = hosting.sandbox(
            options.variant_name(), person(request), name=_("{name}: a board to try").format(name=variant.name)
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("variant", family)
    return redirect("table", key=made.key)


@require_http_methods(["GET", "POST"])
def first_admin(request: HttpRequest, token: str) -> HttpResponse:
    """The form behind the one-time link; who fills it in is the first admin."""
    if not sign_up.link_holds(token):
        raise Http404
    form: UserCreationForm[User] = UserCreationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = sign_up.first_admin(token, form.save(commit=False), clock.now())
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        UserSession.objects.create_from_request(request)
        return redirect("home")
    return render(request, "host/first_admin.html", {"form": form})


urlpatterns: list[URLPattern] = [
    path("sandbox/new", new_sandbox, name="new-sandbox"),
    path("", home, name="home"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("first/<str:token>", first_admin, name="first-admin"),
]
