"""Maps of tables: the sheet of a board, drawn once, the layer with units and orders, and the key.

The key is one drawing per variant and style; pages show parts of it: `...svg#move`.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.orders import drafts
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, editions
from gamesmaster.host.tables.requests import DRAWING, FOR_EVER, over, respond, view_of
from gamesmaster.host.tables.view import TableView, Viewer
from gamesmaster.pictures import (
    FONT,
    STYLES,
    Bearer,
    Drawable,
    KeyEntry,
    KeyRow,
    Look,
    Picture,
    Planned,
    Sign,
    Snapshot,
    looks_of,
    marks_of,
    order_key,
    order_sheet,
    shapes_of,
    signs_of,
    unit_letter,
)
from gamesmaster.rules import Rules

BADGE = 100  # side of a power's badge, in its own units
SAMPLE = (112, 48)  # width and height of a sample of a board sign


@lru_cache(maxsize=64)
def picture(variant: str, style: str = "light", layout: str = "wide") -> Picture:
    """Return the picture of a variant, by name or address. Its base is drawn once."""
    found = editions.find_variant(variant)
    signs = signs_of(Rules.of(found))
    return Picture(found.board, shapes_of(found), found.powers, Look(style, layout), signs=signs)


def title(variant: str) -> str:
    """Return the title of a variant's map: the variant's name, since the board may belong to another variant."""
    return editions.find_variant(variant).name


def table_title(view: TableView) -> str:
    """Return the title of a table's map: the table's name, with the variant unless the name contains it."""
    name, variant = view.name, view.variant_name
    return name if variant.casefold() in name.casefold() else f"{name} ({variant})"


def known_variant(name: str, style: str, layout: str = "wide") -> str:
    """Return the name under which a variant is drawn: its address or id. Raise 404 for an unknown map."""
    try:
        found = editions.find_variant(name)
    except GamesmasterError:
        raise Http404("There is no such map.") from None
    if style not in STYLES or layout not in LAYOUTS:
        raise Http404("There is no such map.")
    return found.address if "@" in name else found.id


def map_svg(
    view: TableView, ordinal: int | None = None, *, orders: Sequence[Drawable] = (), style: str = "light",
    layout: str = "wide",
) -> str:  # fmt: skip
    """Return the map of the current phase with `orders`, or of a finished phase with its results."""
    drawn = picture(view.variant.address, style, layout)
    return drawn.svg(_snapshot(view, ordinal, orders))


def _snapshot(view: TableView, ordinal: int | None, orders: Sequence[Drawable]) -> Snapshot:
    """Return what the map shows: the current phase with `orders`, or a finished phase with its results."""
    position, subtitle = view.position, view.phase_name
    if ordinal is not None:
        record = view.record(ordinal)
        position, subtitle = record.position, view.variant.calendar.name(record.phase)
        orders = view.adjudication(ordinal).rulings
    rules = view.bare_game.rules if view.begun else None
    marks, looks = (marks_of(rules, position), looks_of(rules, position)) if rules else ({}, {})
    return Snapshot(position, table_title(view), subtitle, orders, marks, looks, view.ledger(ordinal))


LAYOUTS = ("wide", "narrow")
SVG = "image/svg+xml; charset=utf-8"
MAP_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""Content policy of a map: its own styles, images and fonts, and nothing else."""
FONTS = Path(__file__).parents[1] / "static" / "host" / "fonts"


def with_letters(svg: str) -> str:
    """Return a map with its fonts embedded, because a picture in a page may not load anything."""
    return svg.replace("<style>", f"<style>{_faces()}", 1)


@lru_cache(maxsize=1)
def _faces() -> str:
    cuts = (("regular", "400", "normal"), ("bold", "700", "normal"), ("italic", "400", "italic"))
    return "".join(
        f"@font-face{{font-family:Roboto;font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff2;base64,{b64encode((FONTS / f'roboto-{cut}.woff2').read_bytes()).decode()})}}"
        for cut, weight, slant in cuts
    )


_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An empty board as a complete SVG, with a digest of it.

    It contains no style sheet, which the content security policy would block; `order_rules` has the rules.
    """

    svg: str
    digest: str


@lru_cache(maxsize=64)
def sheet(variant: str, style: str, layout: str) -> Sheet:
    """Return the empty board of a variant."""
    drawn = picture(variant, style, layout)
    svg = _STYLE.sub("", drawn.empty(title=title(variant)))
    return Sheet(svg, hashlib.sha256(svg.encode()).hexdigest()[:12])


@lru_cache(maxsize=1)
def order_rules() -> tuple[str, str]:
    """Return the style sheet of orders for all styles and layouts, and its digest."""
    css = "\n".join(order_sheet(style, layout) for style in STYLES for layout in LAYOUTS)
    return css, hashlib.sha256(css.encode()).hexdigest()[:12]


def addresses(variant: str) -> dict[str, str]:
    """Map style and layout (`light-wide`) to the address of the empty board, and `css` to that of the style sheet."""
    found = {
        f"{style}-{layout}": reverse("map-sheet", args=[variant, style, layout, sheet(variant, style, layout).digest])
        for style in STYLES
        for layout in LAYOUTS
    }
    return {**found, "css": reverse("map-orders", args=[order_rules()[1]])}


def map_box(variant: str) -> str:
    """Return the viewBox of the map without the strip of title and key; the same in every style and layout."""
    drawn = picture(variant)
    margin, (width, height) = drawn.sizes.margin, drawn.shapes.size
    return f"{-margin} {-margin} {width + 2 * margin} {height + 2 * margin}"


def least_text(variant: str) -> int:
    """Return the size of the smallest name on the map, in units of the map."""
    return min(label.size for place in picture(variant).shapes.layouts["wide"].values() for label in place.labels)


def frame(view: TableView, ordinal: int | None = None) -> dict[str, object]:
    """Return the template context that shows the map of a table in the current or a finished phase."""
    query = "" if ordinal is None else f"?p={ordinal}"
    variant = view.variant.address
    return {
        "layer": reverse("table-layer", args=[view.key]) + query,
        "picture": reverse("table-map", args=[view.key]) + query,
        "sheets": addresses(variant),
        "box": map_box(variant),
        "least": least_text(variant),
    }


def layer(
    view: TableView, ordinal: int | None, given: Sequence[Drawable], style: str = "light", layout: str = "wide"
) -> str:
    """Return the layer over the board: the orders `given` in the current phase, or the results of a finished one."""
    drawn = picture(view.variant.address, style, layout).layer(_snapshot(view, ordinal, given))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'


def plans_of(view: TableView, lines: Mapping[str, Sequence[str]]) -> list[Planned]:
    """Return these orders as undecided plans; orders that cannot be read are left out."""
    found = []
    for power, texts in lines.items():
        try:
            rulings = drafts.draft_preview(view, power, texts).rulings
        except Refused:  # the power has been eliminated
            continue
        found += [Planned(r.power, r.unit, r.order) for r in rulings if r.given and r.order and r.possible]
    return found


PUBLIC = "public"
"""The query parameter of a map that shows a player no more than anybody may see."""


def requested_view(request: HttpRequest, key: str) -> TableView:
    """Return the table as the map is to show it; raise 404 if it is hidden or does not exist."""
    view = view_of(request, key)
    return access.view(access.row_of(view), Viewer(None)) if view.partial and PUBLIC in request.GET else view


def requested_plans(request: HttpRequest, view: TableView, ordinal: int | None) -> list[Planned]:
    """Return the viewer's own saved orders for a map of the current phase, unless the map is to be public."""
    if ordinal is not None or not view.begun or PUBLIC in request.GET:
        return []
    return plans_of(view, own_orders(view))


def own_orders(view: TableView) -> dict[str, tuple[str, ...]]:
    """Return the saved orders of the viewer's own powers. A Gamesmaster does not see those of others here."""
    return {s.power: s.lines for s in view.sheets if s.power in view.viewer.powers}


def requested_look(request: HttpRequest) -> tuple[str, str]:
    """Return the requested style and layout; light and wide if they are unknown."""
    data = request.GET if request.method in ("GET", "HEAD") else request.POST
    style, layout = data.get("style", ""), data.get("layout", "")
    return style if style in STYLES else "light", layout if layout in LAYOUTS else "wide"


def requested_phase(request: HttpRequest, view: TableView) -> int | None:
    """Return the number of the phase named by `p`, None for the current one; raise 404 if it is not over."""
    number = request.GET.get("p", "")
    if not number:
        return None
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        raise Http404("There are no results for that phase.")
    return over(view, int(number))


@require_safe
@gzip_page
def map_sheet(request: HttpRequest, variant: str, style: str, layout: str, digest: str) -> HttpResponseBase:
    """Return the empty board; the address contains its digest, so browsers may cache it."""
    found = sheet(known_variant(variant, style, layout), style, layout)
    keep = FOR_EVER if digest == found.digest else "public, no-cache"
    return respond(request, found.svg, SVG, keep=keep)


@require_safe
@gzip_page
def map_orders(request: HttpRequest, digest: str) -> HttpResponseBase:
    """Return the style sheet of orders for all maps."""
    css, current = order_rules()
    return respond(request, css, "text/css; charset=utf-8", keep=FOR_EVER if digest == current else "public, no-cache")


@require_safe
@gzip_page
def table_layer(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the layer of a table: with the viewer's own orders, or with the results of a finished phase."""
    view = requested_view(request, key)
    ordinal = requested_phase(request, view)
    given = requested_plans(request, view, ordinal)
    return respond(request, layer(view, ordinal, given, *requested_look(request)), SVG)


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a variant: a drawing and the ids of its parts."""

    svg: str
    address: str
    board: tuple[tuple[str, str], ...]  # ids and meanings of the board's signs
    orders: tuple[tuple[str, str], ...]  # ids and meanings of the signs of orders
    powers: dict[str, str]  # ids by power


@lru_cache(maxsize=64)
def key(variant: str, style: str) -> Key:
    """Return the key of a variant in this style; variant options do not change it."""
    rows, drawing = order_rows(variant, style), picture(variant, style)
    entries, bearers = drawing.key, drawing.heraldry.bearers
    drawn = [_row(n, row) for n, row in enumerate(rows)] + [_badge(n, bearer) for n, bearer in enumerate(bearers)]
    drawn += [_sign(n, entry) for n, entry in enumerate(entries)]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" font-family="{FONT}"><defs>{drawing.key_defs}'
        f"</defs><style>{order_sheet(style)}</style>{''.join(drawn)}</svg>"
    )
    digest = hashlib.sha256(svg.encode()).hexdigest()[:12]
    return Key(
        svg,
        reverse("map-key", args=[variant, style, digest]),
        tuple((f"sign{n}", entry.words) for n, entry in enumerate(entries)),
        tuple((f"order{n}", row.label) for n, row in enumerate(rows)),
        {bearer.name: f"power{n}" for n, bearer in enumerate(bearers)},
    )


def order_rows(variant: str, style: str) -> tuple[KeyRow, ...]:
    """Return the rows of the key about orders; signs of mechanics only if the variant has them."""
    return order_key(style, verbs=Rules.of(editions.find_variant(variant)).verbs)


def _row(n: int, row: KeyRow) -> str:
    y = 1000 * n
    box = f"{-row.width / 2:g} {y - row.height / 2:g} {row.width:g} {row.height:g}"
    return f'<view id="order{n}" viewBox="{box}"/><g transform="translate(0 {y})">{row.sample}</g>'


def _sign(n: int, entry: KeyEntry) -> str:
    y = -1000 * (n + 1)
    box = f"{-SAMPLE[0] / 2:g} {y - SAMPLE[1] / 2:g} {SAMPLE[0]} {SAMPLE[1]}"
    return f'<view id="sign{n}" viewBox="{box}"/><g transform="translate(0 {y})">{entry.sample}</g>'


def _badge(n: int, bearer: Bearer) -> str:
    x, paint = 1000 * (n + 1), bearer.paint
    return (
        f'<view id="power{n}" viewBox="{x - BADGE / 2:g} {-BADGE / 2:g} {BADGE} {BADGE}"/>'
        f'<g transform="translate({x} 0)" fill="{paint.plate}" font-weight="bold" text-anchor="middle">'
        f'<circle r="44" stroke="{paint.rim}" stroke-width="6"/>{unit_letter(Sign.ARMY, bearer)}</g>'
    )


@require_safe
@gzip_page
def map_key(request: HttpRequest, variant: str, style: str, digest: str) -> HttpResponseBase:
    """Return the drawing of a key; the address contains its digest, so browsers may cache it."""
    found = key(known_variant(variant, style), style)
    keep = FOR_EVER if found.address.endswith(f".{digest}.svg") else "public, no-cache"
    return respond(request, found.svg, SVG, keep=keep, policy=DRAWING)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/layer.svg", table_layer, name="table-layer"),
    path("maps/orders.<slug:digest>.css", map_orders, name="map-orders"),
    path("maps/<str:variant>/key-<slug:style>.<slug:digest>.svg", map_key, name="map-key"),
    path("maps/<str:variant>/<slug:style>-<slug:layout>.<slug:digest>.svg", map_sheet, name="map-sheet"),
]
