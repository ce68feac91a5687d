"""Pages of notices: the inbox, settings, the calendar feed, and the parts of the installable app."""

from __future__ import annotations

from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamesmaster.host.accounts import people, signing_in
from gamesmaster.host.notices import feed, inbox, push
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.notifications import CHANNELS, CHOSEN
from gamesmaster.host.tables.requests import account, lead_back, respond

WORKER = Path(__file__).parents[1] / "static" / "host" / "worker.js"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def inbox_page(request: HttpRequest) -> HttpResponse:
    """Show a page of the person's notices, newest first; with POST mark all as read. `before` is a notice's key."""
    user = account(request)
    if request.method == "POST":
        inbox.read_all(user)
        return redirect("inbox")
    before = request.GET.get("before", "")
    shown = inbox.page(user, before=int(before[:15]) if before.isascii() and before.isdigit() else 0)
    older = shown[-1].pk if len(shown) == inbox.PAGE else None
    return render(request, "notices/inbox.html", {"notices": inbox.group_alike(shown), "older": older})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@lead_back("notice-settings")
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show how the person hears of each kind of event; with POST change it."""
    user = account(request)
    if request.method == "POST":
        people.choose(user, {"notices": {kind: request.POST[kind] for kind in CHOSEN if kind in request.POST}})
        messages.success(request, _("Settings saved."))
        return redirect("notice-settings")
    channels = people.profile(user).channels
    context = {
        "kinds": [(name, _(kind.title), channels[name]) for name, kind in CHOSEN.items()],
        "channels": CHANNELS,
        "reached": outbox.reaches(user),
        "devices": user.devices.order_by("pk"),
        "push_key": push.public_key(),
        "feed": feed.address(user),
        "here": signing_in.browser_name(request.META.get("HTTP_USER_AGENT", "")),
    }
    return render(request, "notices/settings.html", context)


@login_required
@require_POST
def devices(request: HttpRequest) -> HttpResponse:
    """Register a device for push, as a script asks; or remove one."""
    user, post, out = account(request), request.POST, request.POST.get("out", "")
    if out.isascii() and out.isdigit():
        push.drop(user, int(out[:15]))
        return redirect("notice-settings")
    try:
        push.add(user, post.get("endpoint", ""), post.get("key", ""), post.get("auth", ""), post.get("name", ""))
    except Refused as refused:
        return JsonResponse({"what": str(refused)}, status=409)
    return JsonResponse({}, status=201)


@login_required
@require_POST
def calendar(request: HttpRequest) -> HttpResponse:
    """Give the person's calendar feed a new address, or remove it."""
    feed.change(account(request), wanted="out" not in request.POST)
    return redirect("notice-settings")


@require_safe
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar feed at this secret address."""
    user = feed.reader(token)
    if user is None:
        raise Http404
    return HttpResponse(feed.calendar(user, clock.now()), content_type="text/calendar; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> HttpResponseBase:
    """Return the manifest by which browsers install the site as an app."""
    icons = [
        {"src": static(f"host/icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("mask-512", 512, "maskable"))
    ]
    told = {
        "name": "Gamesmaster", "short_name": "Gamesmaster", "description": _("Diplomacy and its variants"), "id": "/",
        "start_url": "/games", "scope": "/", "display": "standalone", "theme_color": "#24485a",
        "background_color": "#fdfbf5", "icons": icons,
    }  # fmt: skip
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponseBase:
    """Return the service worker, which shows pushes. It must come from the top of the site to serve all its pages."""
    return respond(request, WORKER.read_bytes(), "text/javascript; charset=utf-8", keep="public, no-cache")


urlpatterns: list[URLPattern] = [
    path("inbox", inbox_page, name="inbox"),
    path("me/notices", settings_page, name="notice-settings"),
    path("me/notices/devices", devices, name="devices"),
    path("me/notices/calendar", calendar, name="calendar"),
    path("calendar/<str:token>.ics", calendar_feed, name="calendar-feed"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="service-worker"),
]
