"""Sandboxes that belong to nobody are deleted when nobody has used them for a while.

Anybody opens one without an account, a tutorial with each visit: kept for ever, they would outgrow the games.  Those
of an account stay as long as the account, and so does the board of the demo.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Case, Exists, F, OuterRef, Value, When

from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.service.tutorial_turns import MARK

TUTORIAL, KEPT = timedelta(days=2), timedelta(days=90)
"""How long a tutorial, and any other sandbox, is kept that nobody orders or processes in."""
DEMO = "demo"
"""What `Table.forked_from` is at the board of the demo."""
MOST = 200
"""Deleted at a time: each has its whole record with it."""


def tidy(now: datetime) -> int:
    """Delete some of those that were left alone for too long; how many."""
    since = Case(When(forked_from__startswith=MARK, then=Value(now - TUTORIAL)), default=Value(now - KEPT))
    used = Sheet.objects.filter(table=OuterRef("pk"), sent_at__gte=OuterRef("since"))
    nobodys = Table.objects.filter(sandbox=True, owner=None).exclude(forked_from=DEMO)
    old = nobodys.annotate(since=since).filter(~Exists(used), phase_began__lt=F("since"))
    numbers = list(old.order_by("pk").values_list("pk", flat=True)[:MOST])
    return Table.objects.filter(pk__in=numbers).delete()[1].get(Table._meta.label, 0)
