"""`{% power_sign view power %}` and `{% order_signs view %}`: signs of the map in the text of a page."""

from __future__ import annotations

from django import template
from django.template import Context

from gamesmaster.host.maps.key import key
from gamesmaster.host.tables.view import TableView

register = template.Library()


def _looks(context: Context, view: TableView) -> dict[str, object]:
    """The drawing by day, and the one by night where that is another."""
    day, night = context.get("map_style", "light"), context.get("map_style_at_night", "light")
    other = key(view.variant.address, night).address if night != day else ""
    return {"day": key(view.variant.address, day).address, "night": other}


@register.inclusion_tag("host/parts/power_sign.html", takes_context=True)
def power_sign(context: Context, view: TableView, power: str) -> dict[str, object]:
    """The badge of a power, nothing for one that is not known yet."""
    return {**_looks(context, view), "id": key(view.variant.address, "light").powers.get(power, "")}


@register.inclusion_tag("host/parts/order_signs.html", takes_context=True)
def order_signs(context: Context, view: TableView) -> dict[str, object]:
    """The key to the board, and to how orders are drawn."""
    found = key(view.variant.address, "light")
    return {**_looks(context, view), "board": found.board, "orders": found.orders}
