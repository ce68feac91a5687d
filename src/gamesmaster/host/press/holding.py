"""Second thoughts: a writer takes a letter back before it is sent, and the Gamesmaster strikes out what was sent."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.press import correspondence
from gamesmaster.host.press.threads import ANY, Line
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.access import viewer_of
from gamesmaster.host.tables.models import HeldLetter, OutMail, Table, thread_of
from gamesmaster.host.tables.view import MessageView, TableView

STRUCK = gettext_lazy("struck out a letter of phase {ordinal}")
RESTORED = gettext_lazy("restored a letter of phase {ordinal}")


def own_letters(view: TableView, thread: str | None = None) -> list[Line]:
    """Return the viewer's letters that are not sent yet, oldest first: of one thread, or of all."""
    if view.viewer.user is None:
        return []
    mine = HeldLetter.objects.filter(table__key=view.key, by=view.viewer.user).order_by("pk")
    return [line_of(one) for one in mine if thread is None or thread_of(one.shown_as, one.to) == thread]


def line_of(letter: HeldLetter) -> Line:
    """Return a letter that is not sent yet, as its writer sees it; its time is that at which it will be sent."""
    shown = MessageView(0, letter.ordinal, letter.shown_as, tuple(letter.to), letter.text, letter.until, own=True)
    return Line(0, shown, unread=False, held=letter.pk)


def take_back(table: Table | int, letter: int, user: User | None) -> HeldLetter:
    """Delete a letter of this person that is not sent yet, and return it; raise `Refused` if it has been sent."""
    with store.lock(table, record=False) as row:
        found = HeldLetter.objects.filter(pk=letter, table=row, by=user, by__isnull=False).first()
        if found is None:
            raise Refused("too-late", _("That letter has been sent, or taken back before."))
        found.delete()
    return found


def release(letter: int, now: datetime) -> None:
    """Send a letter whose time is up, with all others of its table, in the order in which they were written (a job)."""
    table = HeldLetter.objects.filter(pk=letter).values_list("table", flat=True).first()
    if table is not None:
        with store.lock(table, record=False) as row:
            flush(row, now, Q(until__lte=now))


def flush(table: Table, now: datetime, which: Q = ANY) -> None:
    """Send the letters of a table under lock, by default also those that could still be taken back."""
    for letter in HeldLetter.objects.filter(which, table=table).select_related("by").order_by("pk"):
        letter.table = table
        correspondence.publish(letter, now)


def strike(table: Table | int, number: int, user: User | None, *, struck: bool, now: datetime | None = None) -> None:
    """Strike out a player's letter as the Gamesmaster, or restore it; raise `Refused`.

    `number` is the key of the message. Its text is kept, and only the Gamesmaster sees it. Mails with it that have not
    been sent are deleted.
    """
    with store.lock(table, record=False) as row:
        at = now or clock.now()
        if row.sandbox or not viewer_of(row, user).gm:
            raise Refused("not-gm", _("Only the Gamesmaster can do that."))
        found = row.messages.filter(pk=number).exclude(sender="").first()
        if found is None:
            raise Refused("no-letter", _("There is no such letter of a player."))
        if struck == (found.struck is not None):
            return
        found.struck = at if struck else None
        found.save(update_fields=["struck"])
        if struck:
            waiting = OutMail.objects.filter(table=row, event="press", state__in=[OutMail.QUEUED, OutMail.HELD])
            waiting.filter(dedupe__contains=f":press.{found.pk}:").delete()
        store.touch(row)
        row.save(update_fields=["version"])
        store.audit(user, STRUCK if struck else RESTORED, row, at, ordinal=found.ordinal)
