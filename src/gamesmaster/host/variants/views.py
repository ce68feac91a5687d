"""Variants: the shelf, a page for each with its map and what differs, and its rulebook."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gamesmaster.errors import NotFound
from gamesmaster.game import rules_of
from gamesmaster.host.games import hosting
from gamesmaster.host.games.forms import SandboxOptions
from gamesmaster.host.games.hosting import card_of, cards
from gamesmaster.host.maps.pictures import picture
from gamesmaster.host.tables.requests import person
from gamesmaster.judge import Rulebook
from gamesmaster.pictures import STYLES, looks_of, marks_of
from gamesmaster.variant import RulesText, Variant, find_brief, find_rules_text, find_variant, start_rows, variant_names
from gamesmaster.variant.texts import facts

MAP_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""A map brings its own sheet of styles along, and nothing else."""
A_DAY = 86400
FONTS = Path(__file__).parents[1] / "static" / "host" / "fonts"


def variant_or_404(name: str) -> Variant:
    """The variant of this name, without options; 404 if there is none."""
    if name not in variant_names():
        raise Http404
    return find_variant(name)


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    """All variants."""
    return render(request, "variants/list.html", {"variants": cards()})


@require_safe
def variant(request: HttpRequest, name: str) -> HttpResponse:
    """A variant: its map, the rules in brief, how to begin."""
    found = variant_or_404(name)
    context = {
        "variant": found,
        "card": card_of(found),
        "options": SandboxOptions(found),
        "facts": list(facts(found)),
        "starts": list(start_rows(found)),
        "brief": find_brief(found.family),
        "intro": " ".join(find_rules_text(found.family).brief.split()),
        "games": hosting.find_tables("open", person(request), words=found.family, most=6),
    }
    return render(request, "variants/page.html", context)


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The rulebook, every clause with an address of its own (`#IND-6.c`)."""
    found = variant_or_404(name)
    try:
        text = find_rules_text(found.family)
    except NotFound:
        raise Http404 from None
    return render(request, "variants/rules.html", {"variant": found, "book": _book(found.family), "title": text.title})


@require_safe
@gzip_page
def map_svg(request: HttpRequest, name: str) -> HttpResponse:
    """The map of the start, in the style `?style=` names; with `?letters=own` it brings its letters along."""
    found = variant_or_404(name)
    style = request.GET.get("style", "light")
    if style not in STYLES:
        raise Http404
    text = _map(found.id, style)
    if request.GET.get("letters") == "own":
        text = text.replace("<style>", f"<style>{_faces()}", 1)
    tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:20]}"'
    if request.headers.get("If-None-Match") == tag:
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(text, content_type="image/svg+xml; charset=utf-8")
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = f"public, max-age={A_DAY}"
    answer.headers["Content-Security-Policy"] = MAP_POLICY
    return answer


@lru_cache(maxsize=64)
def _map(name: str, style: str) -> str:
    found = find_variant(name)
    rules = rules_of(found, Rulebook.of(found.rulebook))
    drawn = picture(name, style)
    return drawn.svg(
        found.start, title=found.name, subtitle=found.calendar.name(found.calendar.first),
        marks=marks_of(rules, found.start), looks=looks_of(rules, found.start),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _faces() -> str:
    """Roboto as it stands in a style sheet: a picture in a page may fetch nothing."""
    cuts = (("regular", "400", "normal"), ("bold", "700", "normal"), ("italic", "400", "italic"))
    return "".join(
        f"@font-face{{font-family:Roboto;font-weight:{weight};font-style:{slant};"
        f"src:url(data:font/woff2;base64,{b64encode((FONTS / f'roboto-{cut}.woff2').read_bytes()).decode()})}}"
        for cut, weight, slant in cuts
    )


# -- rulebooks -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section of a rulebook, made into a page: `mark` is what addresses it."""

    mark: str
    heading: str
    html: str


def _markdown() -> MarkdownIt:
    """Markdown without raw HTML, and without the inline styles of columns, which the content policy refuses."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def render_cell(renderer: object, tokens: list[Token], index: int, options: object, env: object) -> str:
        token = tokens[index]
        kind = ' class="num"' if "right" in str(token.attrs.get("style", "")) else ""
        return f"<{token.tag}{kind}>"

    reader.add_render_rule("th_open", render_cell)
    reader.add_render_rule("td_open", render_cell)
    return reader


@lru_cache(maxsize=16)
def _book(name: str) -> tuple[Chapter, ...]:
    text: RulesText = find_rules_text(name)
    reader = _markdown()
    chapters = [Chapter("intro", "", reader.render(text.intro))]
    for number, section in enumerate(text.sections, 1):
        html = reader.render(section.text)
        for clause in section.clauses:
            html = html.replace(
                f"<strong>{clause.id}</strong>",
                f'<a class="clause" id="{clause.id}" href="#{clause.id}">{clause.id}</a>',
                1,
            )
        html = html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
        chapters.append(Chapter(f"section-{section.number or number}", section.heading, html))
    return tuple(chapters)


urlpatterns: list[URLPattern] = [
    path("variants/", shelf, name="variants"),
    path("variants/<slug:name>/", variant, name="variant"),
    path("variants/<slug:name>/map.svg", map_svg, name="variant-map"),
    path("variants/<slug:name>/rules/", rules, name="variant-rules"),
]
