"""`{% table_tabs view "press" %}`: the way from each page of a table to its others, with what is new for the reader."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from gamesmaster.host.gm import remarks
from gamesmaster.host.press import press
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import Table
from gamesmaster.host.tables.view import TableView

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the table: its name, what it is called, its address, and how much in it is new."""

    name: str
    title: str
    address: str
    new: int = 0


@register.inclusion_tag("host/parts/table_tabs.html")
def table_tabs(view: TableView, here: str) -> dict[str, object]:
    """The pages of the table that this reader may open; `here` is the one that is open."""
    return {"tabs": list(tabs(view)), "here": here, "key": view.key}


def tabs(view: TableView) -> list[Tab]:
    """The pages of the table that this reader may open; a sandbox has one, and so needs none of this."""
    if view.sandbox:
        return []
    found = [_tab("table", _("Board"), view)]
    if view.begun:
        found.append(_tab("press", _("Press"), view, press.unread(view) if view.viewer.seat else 0))
    found.append(_tab("lobby", _("Seats"), view))
    user = view.viewer.user
    if user is None:
        return found
    row = row_of(view)
    if remarks.may_read(row, user) or remarks.may_answer(row, user):
        found.append(_tab("remarks", _("Remarks"), view))
    if _runs(view, row, user):
        found.append(_tab("gm", _("Desk"), view))
    return found


def _tab(name: str, title: str, view: TableView, new: int = 0) -> Tab:
    return Tab(name, title, reverse(name, args=[view.key]), new)


def _runs(view: TableView, row: Table, user: User) -> bool:
    if not (view.viewer.gm or user.is_superuser):
        return False
    try:
        access.must_run(row, user)
    except Refused:
        return False
    return True
