"""Web feeds (Atom) of what everybody may know of a table."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import PhaseRow
from gamesmaster.host.service import viewing
from gamesmaster.host.views.table_answers import answered

MOST = 20


class _Feed(Atom1Feed):
    """A feed that is as old as its table while there is nothing in it: asked again, it is the same."""

    def latest_post_date(self) -> datetime:
        """When something was last added."""
        return super().latest_post_date() if self.items else self.feed["made"]


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponseBase:
    """The last phases of a table with their reports, newest first; the same for everybody, whoever asks."""
    try:
        view = viewing.look(key, None)
    except Refused as refused:
        raise Http404(str(refused)) from None
    here = f"{settings.BASE_URL}/t/{view.key}/"
    feed = _Feed(
        title=_plain(view.name), link=here, description=view.variant_name,
        feed_url=f"{settings.BASE_URL}/feeds/{view.key}.atom", feed_guid=f"urn:gamesmaster:{view.key}",
        made=view.created,
    )  # fmt: skip
    rows = PhaseRow.objects.filter(table__key=view.key, ordinal__lt=len(view.records)).order_by("-ordinal")[:MOST]
    for row in rows:
        name = view.variant.calendar.name(view.record(row.ordinal).phase)
        feed.add_item(
            title=name, link=f"{here}p/{row.ordinal}/", description=_plain(view.report(row.ordinal)),
            pubdate=row.processed_at, updateddate=row.processed_at,
            unique_id=f"urn:gamesmaster:{view.key}:{row.ordinal}:{row.digest[:12]}",
        )  # fmt: skip
    if view.started is not None and len(rows) < MOST:
        begun = f"urn:gamesmaster:{view.key}:begun"
        feed.add_item(_("The game begins"), here, view.commitment, pubdate=view.started, unique_id=begun)
    return answered(request, feed.writeString("utf-8"), "application/atom+xml; charset=utf-8")


def _plain(text: str) -> str:
    """Text without the signs that XML cannot hold."""
    return "".join(c for c in text if c in "\n\t" or (c >= " " and c not in "\ufffe\uffff"))
