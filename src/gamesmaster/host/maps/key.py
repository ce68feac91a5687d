"""The key to maps as one small drawing per variant and style, of which pages show a part each: `...svg#move`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.maps import pictures
from gamesmaster.host.tables import editions
from gamesmaster.host.tables.requests import DRAWING, FOR_EVER, answered
from gamesmaster.judge import Rules
from gamesmaster.pictures import STYLES, KeyRow, order_key, order_sheet
from gamesmaster.pictures.legend import Entry
from gamesmaster.pictures.map.pieces import letter
from gamesmaster.pictures.powers import Bearer
from gamesmaster.pictures.signs import Sign
from gamesmaster.pictures.style import FONT
from gamesmaster.pictures.svg import number

BADGE = 100  # side of a power's badge, in its own units
SAMPLE = (112, 48)  # width and height of the room for a sign of the board


@dataclass(frozen=True, slots=True)
class Key:
    """The drawing, its address, and what it shows: of board and orders ids and meanings, of powers the ids by name."""

    svg: str
    address: str
    board: tuple[tuple[str, str], ...]
    orders: tuple[tuple[str, str], ...]
    powers: dict[str, str]


@lru_cache(maxsize=64)
def key(variant: str, style: str) -> Key:
    """The key of a variant, as it is without options too, in this style."""
    rows, picture = order_rows(variant, style), pictures.picture(variant, style)
    entries, bearers = picture.key, picture.heraldry.bearers
    drawn = [_row(n, row) for n, row in enumerate(rows)] + [_badge(n, bearer) for n, bearer in enumerate(bearers)]
    drawn += [_sign(n, entry) for n, entry in enumerate(entries)]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" font-family="{FONT}"><defs>{picture.key_defs}'
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
    """What lines and signs of orders mean; of boats only where there are any."""
    boats = Rules.of(editions.find(variant)).carried_words
    return tuple(row for row in order_key(style) if boats or not row.label.endswith("boat"))


def _row(n: int, row: KeyRow) -> str:
    y = 1000 * n
    box = f"{number(-row.width / 2)} {number(y - row.height / 2)} {number(row.width)} {number(row.height)}"
    return f'<view id="order{n}" viewBox="{box}"/><g transform="translate(0 {y})">{row.sample}</g>'


def _sign(n: int, entry: Entry) -> str:
    y = -1000 * (n + 1)
    box = f"{number(-SAMPLE[0] / 2)} {number(y - SAMPLE[1] / 2)} {SAMPLE[0]} {SAMPLE[1]}"
    return f'<view id="sign{n}" viewBox="{box}"/><g transform="translate(0 {y})">{entry.sample}</g>'


def _badge(n: int, bearer: Bearer) -> str:
    x, paint = 1000 * (n + 1), bearer.paint
    return (
        f'<view id="power{n}" viewBox="{x - BADGE / 2:g} {-BADGE / 2:g} {BADGE} {BADGE}"/>'
        f'<g transform="translate({x} 0)" fill="{paint.plate}" font-weight="bold" text-anchor="middle">'
        f'<circle r="44" stroke="{paint.rim}" stroke-width="6"/>{letter(Sign.ARMY, bearer)}</g>'
    )


@require_safe
@gzip_page
def map_key(request: HttpRequest, variant: str, style: str, digest: str) -> HttpResponseBase:
    """The drawing: asked for once, and kept."""
    try:
        known = pictures.known_variant(variant)
    except GamesmasterError:
        raise Http404("There is no such map.") from None
    if style not in STYLES:
        raise Http404("There is no such map.")
    found = key(known, style)
    keep = FOR_EVER if found.address.endswith(f".{digest}.svg") else "public, no-cache"
    return answered(request, found.svg, "image/svg+xml; charset=utf-8", keep=keep, policy=DRAWING)


urlpatterns: list[URLPattern] = [
    path("maps/<str:variant>/key-<slug:style>.<slug:digest>.svg", map_key, name="map-key"),
]
