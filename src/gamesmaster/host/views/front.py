"""The first page, and the link that makes the first admin."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.game import find_variant, variant_names
from gamesmaster.host.service import admins, clock


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and which games can be played."""
    return render(request, "host/home.html", {"variants": [find_variant(name) for name in variant_names()]})


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
