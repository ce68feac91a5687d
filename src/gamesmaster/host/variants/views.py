"""Pages of variants: the catalogue, a page for each with its map, and the rulebooks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import rules_of
from gamesmaster.host.games import hosting
from gamesmaster.host.games.forms import SandboxOptions
from gamesmaster.host.games.hosting import card_of, cards
from gamesmaster.host.maps.pictures import MAP_POLICY, SVG, picture, with_letters
from gamesmaster.host.tables import editions, shelf
from gamesmaster.host.tables.requests import AGAIN, person, respond
from gamesmaster.host.variants.own import listed_cards, variant_or_404
from gamesmaster.host.variants.uploads import takes_uploads
from gamesmaster.pictures import STYLES, Snapshot, looks_of, marks_of
from gamesmaster.rules import Rulebook
from gamesmaster.variant import RulesText, mechanic_rows, rules_text_of, start_rows, variant_facts

A_DAY = 86400


@require_safe
def catalogue(request: HttpRequest) -> HttpResponse:
    """Show all variants."""
    return render(
        request, "variants/list.html", {"variants": cards(), "members": listed_cards(), "takes": takes_uploads()}
    )


@require_safe
def variant(request: HttpRequest, name: str) -> HttpResponse:
    """Show a variant: its map, the rules in brief, and how to begin."""
    found = variant_or_404(request, name)
    own = shelf.own(name)
    context = {
        "own": own,
        "mine": own is not None and own.owner_id == request.user.pk,
        "takes": takes_uploads(),
        "may_begin": shelf.may_begin(name, person(request)),
        "variant": found,
        "card": card_of(found),
        "options": SandboxOptions(found),
        "facts": list(variant_facts(found)),
        "starts": list(start_rows(found)),
        "brief": shelf.brief_of(found),
        "mechanics": list(mechanic_rows(found)),
        "intro": " ".join(hosting.intro_of(found).split()),
        "games": hosting.find_tables("open", person(request), words=found.family, most=6),
    }
    return render(request, "variants/page.html", context)


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """Show the rulebook, with an anchor for every clause (`#IND-6.c`)."""
    found = variant_or_404(request, name)
    try:
        text = rules_text_of(found)
    except GamesmasterError:
        raise Http404 from None
    return render(request, "variants/rules.html", {"variant": found, "book": _book(text), "title": text.title})


@require_safe
@gzip_page
def map_svg(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return the start map in `style` of the query; with `letters=own` it embeds its fonts."""
    if name not in shelf.names() and shelf.own(name) is None:
        raise Http404
    found = editions.find_variant(name)
    style = request.GET.get("style", "light")
    if style not in STYLES:
        raise Http404
    text = _map(found.address, style)
    if request.GET.get("letters") == "own":
        text = with_letters(text)
    keep = f"public, max-age={A_DAY}" if name in shelf.names() else AGAIN
    return respond(request, text, SVG, keep=keep, policy=MAP_POLICY)


@lru_cache(maxsize=64)
def _map(name: str, style: str) -> str:
    found = editions.find_variant(name)
    rules = rules_of(found, Rulebook.of(found.rulebook))
    start, phase = found.start, found.calendar.name(found.calendar.first)
    shown = Snapshot(start, found.name, phase, marks=marks_of(rules, start), looks=looks_of(rules, start))
    return picture(name, style).svg(shown)


# -- rulebooks -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section of a rulebook as HTML; `mark` is its anchor."""

    mark: str
    heading: str
    html: str


def _markdown() -> MarkdownIt:
    """Return a Markdown renderer without raw HTML, and without inline styles, which the content policy blocks."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def render_cell(renderer: object, tokens: list[Token], index: int, options: object, env: object) -> str:
        token = tokens[index]
        kind = ' class="num"' if "right" in str(token.attrs.get("style", "")) else ""
        return f"<{token.tag}{kind}>"

    reader.add_render_rule("th_open", render_cell)
    reader.add_render_rule("td_open", render_cell)
    return reader


@lru_cache(maxsize=16)
def _book(text: RulesText) -> tuple[Chapter, ...]:
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
    path("variants/", catalogue, name="variants"),
    path("variants/<slug:name>/", variant, name="variant"),
    path("variants/<slug:name>/map.svg", map_svg, name="variant-map"),
    path("variants/<slug:name>/rules/", rules, name="variant-rules"),
]
