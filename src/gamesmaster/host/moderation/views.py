"""Order: telling the moderators something, their desk, roles, and the audit log."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamesmaster.host.accounts import people, sign_up
from gamesmaster.host.moderation import oversight
from gamesmaster.host.moderation.oversight import CONCERNS, Complaint
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.requests import account, refused_back


def _to_report(request: HttpRequest) -> str:
    return reverse("report")


def _to_desk(request: HttpRequest, *_: object, **__: object) -> str:
    return reverse("moderation")


@login_required
@require_http_methods(["GET", "POST"])
@refused_back(_to_report)
def report(request: HttpRequest) -> HttpResponse:
    """Tell the moderators something; `?table=` says of which game."""
    if request.method == "POST":
        told = request.POST
        oversight.complain(account(request), told.get("about", ""), told.get("text", ""), key=told.get("table", ""))
        messages.success(
            request, _("Your report has been sent. You will find the moderators' answer on your account page.")
        )
        return redirect("me")
    return render(
        request, "host/moderation_report.html", {"concerns": CONCERNS, "key": request.GET.get("table", "")[:16]}
    )


@login_required
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """What is to be settled, and what was."""
    user = account(request)
    try:
        todo = oversight.complaints(user)
        done = oversight.complaints(user, state=Complaint.CLOSED).order_by("-closed")[:20]
    except Refused:
        raise Http404 from None
    lines = [(one, one.table is not None and oversight.sits(user, one.table)) for one in todo]
    return render(request, "host/moderation.html", {"todo": lines, "done": done})


@login_required
@require_POST
@refused_back(_to_desk)
def close(request: HttpRequest, number: int) -> HttpResponse:
    """Close a report."""
    oversight.close(number, account(request), request.POST.get("answer", ""))
    messages.success(request, "Settled.")
    return redirect("moderation")


@login_required
@require_http_methods(["GET", "POST"])
@refused_back(lambda request: reverse("roles"))
def roles(request: HttpRequest) -> HttpResponse:
    """Accounts: who keeps order, and who is barred."""
    user = account(request)
    people.must_keep_order(user)
    if request.POST.get("what") == "invite":
        token = sign_up.invite(user, clock.now())
        return _accounts(request, user, invitation=settings.BASE_URL + reverse("invited-to-site", args=[token]))
    if request.method == "POST":
        found = User.objects.filter(username=request.POST.get("name", "")).first()
        if found is None:
            raise Refused("no-player", _("There is no account with that name."))
        match request.POST.get("what"):
            case "moderator" | "no moderator" as what:
                people.set_moderator(found, what == "moderator", user)
            case "suspend" | "let in" as what:
                oversight.suspend(found, user, what == "suspend")
            case "approve" | "turn down" as what:
                sign_up.settle(found, user, what == "approve", clock.now())
                own = EmailAddress.objects.get_primary(found) if what == "approve" else None
                if own is not None and not own.verified and outbox.sends():
                    own.send_confirmation(request)
            case "password":
                return _accounts(request, user, link=sign_up.password_link(found, user, clock.now()), whose=found)
            case _:
                raise Refused("no-such-thing", _("Unknown action."))
        messages.success(request, _("Done. The action has been logged."))
        return redirect("roles")
    return _accounts(request, user)


def _accounts(
    request: HttpRequest, user: User, *, link: str = "", whose: User | None = None, invitation: str = ""
) -> HttpResponse:
    """The list of accounts, with a password link or an invitation just made."""
    words = request.GET.get("q", "")[:60]
    found_people = User.objects.filter(username__icontains=words).order_by("username")[:50]
    helped = user.is_superuser
    lines = [(one, people.is_moderator(one), helped and sign_up.needs_link(one)) for one in found_people]
    context = {
        "people": lines, "q": words, "link": link, "whose": whose, "invitation": invitation,
        "mode": sign_up.mode(), "waiting": sign_up.waiting(user), "days": sign_up.LASTS.days,
    }  # fmt: skip
    return render(request, "host/moderation_people.html", context)


@login_required
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """The audit log, of all or of the table `?table=` names."""
    key = request.GET.get("table", "")[:16]
    try:
        lines = oversight.log(account(request), key=key)
    except Refused:
        raise Http404 from None
    return render(request, "host/moderation_log.html", {"lines": lines, "key": key})


@login_required
@require_safe
def same_address(request: HttpRequest) -> HttpResponse:
    """Players of one table who send from one address."""
    try:
        found = oversight.shared_addresses(account(request))
    except Refused:
        raise Http404 from None
    return render(request, "host/moderation_alike.html", {"pairs": found, "days": oversight.TRACES_KEPT.days})


urlpatterns: list[URLPattern] = [
    path("report", report, name="report"),
    path("moderation/", desk, name="moderation"),
    path("moderation/alike", same_address, name="alike"),
    path("moderation/log", log, name="audit-log"),
    path("moderation/close/<int:number>", close, name="close-complaint"),
    path("moderation/people", roles, name="roles"),
]
