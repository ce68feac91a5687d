"""Pages of members' own variants: uploading, the findings of a check, who may see it, copies, removal, and listing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.host.accounts.people import must_keep_order
from gamesmaster.host.games.hosting import card_of
from gamesmaster.host.maps.pictures import MAP_POLICY, SVG, with_letters
from gamesmaster.host.site import limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.tables.models import KeptEdition
from gamesmaster.host.tables.requests import account, lead_back, person, posted, respond
from gamesmaster.host.tables.shelf import OwnVariant, Shown
from gamesmaster.host.variants import checking, uploads
from gamesmaster.unpacking import LARGEST_UPLOAD, MOST_FILES
from gamesmaster.variant import Variant

UPLOADS = limits.Limit("upload", 20, 3600)
MOST_LISTED = 100
AGAIN = "3"
"""Seconds after which the page of an upload looks again for the result of its check."""


def variant_or_404(request: HttpRequest, name: str) -> Variant:
    """Return the variant with this name, without options; raise 404 if it does not exist or is hidden."""
    found = shelf.own(name)
    if name not in shelf.names() and (found is None or not shelf.may_see(found, person(request))):
        raise Http404
    return editions.find_variant(name)


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("own-variants")
def mine(request: HttpRequest) -> HttpResponse:
    """Show a person's variants and the form for an upload; with POST keep an upload for its check."""
    user = account(request)
    if request.method == "POST":
        limits.check(UPLOADS, request)
        return redirect("own-variant", key=uploads.upload(user, _files(request)).key)
    context = {"variants": shelf.of_member(user), "most": LARGEST_UPLOAD // 1024, "takes": uploads.takes_uploads()}
    return render(request, "variants/mine.html", context)


def _files(request: HttpRequest) -> dict[str, bytes]:
    """Return the uploaded files by name; raise `Refused` if they are too many or too large."""
    sent = [one for field in ("files", "folder") for one in request.FILES.getlist(field)]
    if len(sent) > MOST_FILES or sum(one.size or 0 for one in sent) > LARGEST_UPLOAD:
        raise Refused("too-large", _("That is more than an upload may have."), _("only the files of one variant"))
    return {one.name or "upload": one.read() for one in sent}


def _own(request: HttpRequest, key: str) -> OwnVariant:
    """Return the person's variant with this key; raise 404 for anybody else's."""
    found = shelf.of_member(account(request)).filter(key=key).first()
    if found is None:
        raise Http404
    return found


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("own-variant", "key")
def one(request: HttpRequest, key: str) -> HttpResponse:
    """Show what came of an upload, and the settings of a variant; with POST upload another edition or change them."""
    row = _own(request, key)
    user = account(request)
    if request.method == "POST":
        match request.POST.get("what"):
            case "upload":
                limits.check(UPLOADS, request)
                uploads.upload(user, _files(request), row)
            case "choose":
                limits.check(UPLOADS, request)
                uploads.choose(row, user, request.POST.getlist("only"))
                return redirect("own-variant", key=key) if row.digest else redirect("own-variants")
            case "show":
                uploads.show(row, user, request.POST.get("shown", ""))
                messages.success(request, _("Saved."))
            case "remove":
                uploads.remove(row, user)
                messages.success(request, _("The variant has been removed. Games on it go on."))
                return redirect("own-variants")
            case _:
                raise Refused("no-such-thing", _("Unknown action."))
        return redirect("own-variant", key=key)
    context = {
        "row": row, "waits": row.sent is not None, "faulty": any(one["level"] == "error" for one in row.findings),
        "shown": [choice for choice in Shown.choices if choice[0] in (row.shown, *Shown.values[:3])],
        "editions": KeptEdition.objects.filter(family__startswith=row.name).defer("archive").order_by("-kept")
        if row.name
        else (),
        "most": LARGEST_UPLOAD // 1024,
        "drawn": bool(uploads.beside(row, checking.MAP)),
        "together": uploads.MOST_WAITING,
    }  # fmt: skip
    response = render(request, "variants/own.html", context)
    if row.sent is not None:
        response.headers["Refresh"] = AGAIN
    return response


@login_required
@require_safe
@gzip_page
def drawing(request: HttpRequest, key: str, name: str) -> HttpResponseBase:
    """Return the picture of an upload's start, or of a variant in a pack, as the check drew it."""
    svg = uploads.beside(_own(request, key), f"{name}.svg").decode()
    if not svg:
        raise Http404
    return respond(request, with_letters(svg), SVG, policy=MAP_POLICY)


@posted("variant", "name")
def copy(request: HttpRequest, name: str) -> HttpResponse:
    """Begin a new variant of the person as a copy of another one."""
    limits.check(UPLOADS, request)
    return redirect("own-variant", key=uploads.copy(variant_or_404(request, name), account(request)).key)


@require_safe
def files(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return the files of a variant as a zip."""
    found = variant_or_404(request, name)
    return respond(request, uploads.archive(found), "application/zip", name=f"{found.family}.zip")


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("asked-variants")
def asked(request: HttpRequest) -> HttpResponse:
    """Show moderators the variants to look at and those that are listed; with POST list one, or take it off."""
    user = account(request)
    must_keep_order(user)
    if request.method == "POST":
        row = shelf.own(request.POST.get("name", ""))
        if row is None:
            raise Http404
        if request.POST.get("what") == "remove":
            uploads.remove(row, user)
        else:
            listing = request.POST.get("what") == "list"
            uploads.show(row, user, Shown.LISTED if listing else Shown.LINK)
        messages.success(request, _("Done. The action has been logged."))
        return redirect("asked-variants")
    context = {"asked": uploads.asked(), "listed": shelf.listed().select_related("owner")}
    return render(request, "variants/asked.html", context)


def listed_cards() -> list[object]:
    """Return the cards of the members' variants that are listed."""
    return [card_of(editions.find_variant(row.name)) for row in shelf.listed()[:MOST_LISTED]]


urlpatterns: list[URLPattern] = [
    path("my-variants/", mine, name="own-variants"),
    path("my-variants/<slug:key>/", one, name="own-variant"),
    path("my-variants/<slug:key>/<slug:name>.svg", drawing, name="own-drawing"),
    path("variants/<slug:name>/copy", copy, name="copy-variant"),
    path("variants/<slug:name>/files.zip", files, name="variant-files"),
    path("moderation/variants", asked, name="asked-variants"),
]
