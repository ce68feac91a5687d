"""Every text of the site goes through gettext: the catalogues are whole, and in another language nothing stays English.

The other language is made here: each text stands between ⟦ and ⟧.  Pages of a table in every state, other pages and
all e-mails are written in it, and every word that a reader meets outside of those brackets must be data: a name, an
order, a time, or a sentence of the library about a board and its rules.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import allauth
import django
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from gamesmaster.host.models import OutMail
from gamesmaster.host.site import clock
from gamesmaster.host.site.places import languages
from gamesmaster.host.web import home
from gamesmaster.orders.dialect import dialects
from gamesmaster.variant import find_rules_text, find_variant, variant_names
from gamesmaster.variant.texts import find_brief, variant_facts
from tests.host.test_game_mails import Course, are_missing, begins, come_back, ends
from tests.host.world import LATER, PHASES, make_world
from tests.lengths import mark_long

ROOT = Path(__file__).parents[2]
LANGUAGE = "qps"
LIBRARIES = [Path(allauth.__file__).parent, *(Path(django.__file__).parent / part for part in ("conf", "contrib/auth"))]
ATTRIBUTES = ("title", "aria-label", "alt", "placeholder", "data-told", "label", "aria-description")
"""Attributes that are read or heard."""


@cache
def script() -> ModuleType:
    """`docs/messages.py`, which writes the catalogues."""
    spec = importlib.util.spec_from_file_location("messages", ROOT / "docs" / "messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_the_catalogues_hold_every_text(domain: str) -> None:
    """Nothing is missing in the catalogues, and nothing in them is gone from the code."""
    kept = script().path(domain).read_text(encoding="utf-8")
    assert kept == script().written(domain), "write them anew: make messages"


@pytest.mark.parametrize("domain", ["django", "djangojs"])
@pytest.mark.parametrize("language", script().translations())
def test_translations_are_whole(language: str, domain: str) -> None:
    """Each text has a translation with the same values and tags in it, and what is compiled is what is written."""
    source = script().path(domain, language)
    assert source.read_text(encoding="utf-8") == script().written(domain, language), "write them anew: make messages"
    with source.with_suffix(".mo").open("rb") as compiled:
        known = read_mo(compiled)
    assert len(known) == len(script().translated(domain, language)), "make messages"
    for message in script().translated(domain, language):
        told = message.string if isinstance(message.string, tuple) else (message.string,)
        asked = message.id if isinstance(message.id, tuple) else (message.id,)
        assert all(told), f"translate: {asked[0]}"
        kept: Any = known.get(asked[0], message.context)
        assert not message.id or "".join(kept.string) == "".join(map(str, told)), f"make messages: {asked[0]}"
        for text in told if message.id else ():
            assert filled(text) in map(filled, asked), text


def filled(text: str) -> list[str]:
    """What is filled into a text, and its tags, in any order."""
    return sorted(re.findall(r"\{\w*(?:![rs])?\}|%\(\w+\)[sd]|%[sd]|</?\w+(?: [^>]*)?>", text))


def test_a_german_plays_in_german(client: Client, db: None) -> None:
    """Whoever's browser asks for German gets the pages in it."""
    world = make_world("moves")
    client.force_login(world.people["own"])
    for address, words in {
        "/accounts/signup/": "", "/games": "Partien", "/games/find": "Finde mir eine Partie", "/games/new": "Eine neue",
        f"/t/{world.table.key}/": "Befehle von", "/me/notices": "Mitteilungen", "/help/board/": "Befehle geben",
    }.items():  # fmt: skip
        page = client.get(address, follow=True, headers={"Accept-Language": "de-DE,de;q=0.9"})
        assert '<html lang="de"' in page.content.decode(), address
        assert words in page.content.decode(), address


# -- another language ------------------------------------------------------------------------------------------------


def bracketed(catalogues: Iterable[Catalog]) -> Catalog:
    """A translation in which every text stands between brackets."""
    made = Catalog(locale=None, fuzzy=False)
    for message in (message for one in catalogues for message in one if message.id):
        forms = message.id if isinstance(message.id, tuple) else (message.id,)
        told = tuple(f"⟦{form}⟧" for form in forms)
        made.add(message.id, told if len(told) > 1 else told[0], context=message.context)
    return made


def read(file: Path) -> Catalog:
    """A catalogue of a library."""
    with file.open("rb") as body:
        return read_po(body)


@cache
def compiled(domain: str) -> bytes:
    """The translation of a domain in which every text stands between brackets, as a file for gettext."""
    theirs = [read(file) for part in LIBRARIES for file in part.glob("locale/en/LC_MESSAGES/django.po")]
    body = BytesIO()
    write_mo(body, bracketed([*(theirs if domain == "django" else []), script().catalogue(domain)]))
    return body.getvalue()


@pytest.fixture
def other_language(tmp_path: Path, settings: Any) -> Iterator[None]:
    """The site and whoever looks at it speak the language of brackets."""
    folder = tmp_path / "locale" / LANGUAGE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    for domain in ("django", "djangojs"):
        (folder / f"{domain}.mo").write_bytes(compiled(domain))
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGES = languages(tmp_path / "locale")
    settings.LANGUAGE_CODE = LANGUAGE
    forget()
    with translation.override(LANGUAGE):
        yield
    forget()


def forget() -> None:
    """Forget what is kept of languages."""
    for kept in (*vars(trans_real).values(), home.catalogue, home._digest):
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()
    vars(trans_real)["_translations"] = {}


# -- what is left in English -----------------------------------------------------------------------------------------

INLINE = {"a", "strong", "em", "small", "b", "i", "span", "br", "code", "kbd", "bdi", "time", "cite"}
"""Tags within a sentence."""
ALONE = {"input", "br", "img", "meta", "link", "hr", "source", "path", "circle", "polyline"}
DATA_TAGS = {"pre", "code", "kbd", "script", "style", "textarea", "time", "datalist", "cite", "bdi"}
"""What stands in these is data: orders, reports, programs, times, names."""
DATA_CLASSES = {
    "order", "because", "rules", "clauses", "who", "link", "book", "statement", "letter", "brand",
    "unit", "log", "seat-name", "who-with", "standings", "invitation",
}  # fmt: skip
"""What stands in elements of these classes: orders, reasons and rules in the words of the library, names, press."""
DATA = (
    r"(.*· )?(Spring|Fall|Summer|Autumn|Winter) \d+( \w+)?", r"\d+ (minute|hour|day|week)s?",
    r"/\S*", r"\S+@\S+", r".*Table of secrets.*", r"Was it fair\?.*", r".* share a draw", r"\w+, \w+ and \w+.*",
    r"standard|postal-1972|today|dptg|datc|read|orders|press|tables|me|moderation|gm", r"zq\w+", r"(A|F) \w{3}.*",
    r"\d+ provinces, \d+ centres|\d+ centres|\d+ powers",
)  # fmt: skip
"""What is data by its form: phases, what is due, lengths as they are typed, addresses, names that programs use, what
the players of the world of these tests have written."""


class Reading(HTMLParser):
    """The texts and spoken attributes of a page, but for those that are data; sentences are whole."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []
        self.said = ""

    def end(self) -> None:
        """A sentence, or what else stands for itself, is over."""
        self.found.append(self.said)
        self.said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is spoken of an element, and whether it holds data."""
        given = {name: value or "" for name, value in attrs}
        data = tag in DATA_TAGS or bool(DATA_CLASSES & set(given.get("class", "").split()))
        data = data or bool(self.open and self.open[-1][1])
        if tag not in INLINE:
            self.end()
        if not data:
            self.found += [given[name] for name in ATTRIBUTES if given.get(name)]
        if tag not in ALONE:
            self.open.append((tag, data))

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag not in INLINE:
            self.end()
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Read a text; of data only the brackets count, in which they may stand."""
        self.said += re.sub(r"[^⟦⟧]", " ", data) if self.open and self.open[-1][1] else data


def outside(text: str) -> str:
    """What of a text stands in no brackets; where a text was cut, its bracket is open to the end."""
    while (less := re.sub(r"⟦[^⟦⟧]*(⟧|$)", " ", text)) != text:
        text = less
    return text


@cache
def library() -> tuple[frozenset[str], str]:
    """Words that are names (of powers, places, variants), and all that is said of boards, options, rules, dialects."""
    names, told = {"Gamesmaster", "UTC", "SVG", "PNG", "PDF", "JSON", LANGUAGE}, []
    for name in variant_names():
        variant = find_variant(name)
        text = find_rules_text(variant.family)
        names |= set(re.findall(r"\w+", " ".join([variant.name, *(power.name for power in variant.powers)])))
        told += [text.brief, text.title, *(one.says for one in variant.options)]
        told += [word for one in variant.options for word in (one.name, one.name.replace("_", " "), *one.choices)]
        told += [str(cell) for pair in variant_facts(variant) for cell in pair]
        told += [rule.says for rule in find_brief(variant.family).special]
    for province in find_variant("standard").board.provinces:
        names |= set(re.findall(r"\w+", f"{province.name} {province.id}"))
    told += [dialect.title for dialect in dialects().values()]
    return frozenset(word.casefold() for word in names), " ".join(" ".join(told).split()).casefold()


def left_over(page: str) -> list[str]:
    """The texts of a page that are in English still."""
    reading = Reading()
    reading.feed(page)
    reading.end()
    return english(reading.found)


def english(texts: Iterable[str]) -> list[str]:
    """Those of the texts that have words outside of brackets which are no data."""
    names, told = library()
    found = []
    for text in texts:
        left = " ".join(outside(text).split()).strip(" .,:;()·")
        spoken = [
            w for w in re.findall(r"[A-Za-z][a-z’']+|[A-Z]{2,}", left) if w.casefold() not in names and w[:2] != "zq"
        ]
        if spoken and left.casefold().rstrip(".") not in told and not any(re.fullmatch(one, left) for one in DATA):
            found.append(left)
    return found


# -- pages -----------------------------------------------------------------------------------------------------------

OF_TABLE = ("", "lobby/", "press/", "press/?new=1", "gm/", "remarks/", "p/0/", "p/0/?why=all")
OTHERS = (
    "/", "/games", "/games?list=mine", "/games?list=open", "/games/new", "/sandbox", "/variants/", "/variants/standard",
    "/ratings", "/receipts/verify", "/report", "/me", "/me/data", "/me/tokens/", "/help/", "/nothing-here",
    "/moderation/", "/moderation/people", "/moderation/alike", "/moderation/log", "/moderation/mail",
    "/accounts/login/", "/accounts/signup/", "/accounts/email/", "/accounts/password/reset/", "/people/zqown",
)  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("phase", mark_long(PHASES, but=("forming", "finished")))
def test_pages_of_a_table(phase: str, other_language: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of a table in every state, for everybody who may see them, have no text that stays English."""
    monkeypatch.setattr(clock, "now", lambda: LATER)
    world = make_world(phase)
    wrong = {}
    for role in ("stranger", "own", "standby", "gm", "moderator"):
        for page in OF_TABLE:
            wrong.update(seen(world.client(role), f"/t/{world.table.key}/{page}", role))
    assert not wrong, told(wrong)


@pytest.mark.django_db
def test_other_pages(other_language: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other pages of the site have no text that stays English."""
    monkeypatch.setattr(clock, "now", lambda: LATER)
    world = make_world("later")
    wrong = {}
    for role in ("stranger", "own", "staff"):
        for page in OTHERS:
            wrong.update(seen(world.client(role), page, role))
    assert not wrong, told(wrong)


def told(wrong: dict[str, list[str]]) -> str:
    """Each text once, with the first page that has it."""
    first: dict[str, str] = {}
    for place, texts in wrong.items():
        for text in texts:
            first.setdefault(text, place)
    return "\n".join(f"{place}: {text[:200]}" for text, place in first.items())


def seen(client: Client, address: str, role: str) -> dict[str, list[str]]:
    """What somebody sees at an address and is in English, by role and address; nothing if there is none."""
    answer = client.get(address, HTTP_ACCEPT_LANGUAGE=LANGUAGE, follow=True)
    found = left_over(answer.content.decode()) if "html" in answer.headers["Content-Type"] else []
    return {f"{role} {address} {answer.status_code}": found} if found else {}


# -- e-mails ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_mails_of_a_whole_game(other_language: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """No e-mail of a game in which everything happens has a sentence that stays English, but for reports."""
    game = Course(monkeypatch)
    for act in (begins, are_missing, come_back, ends):
        act(game)
        game.table.refresh_from_db()
    wrong: dict[str, list[str]] = {}
    for one in OutMail.objects.exclude(event="phase"):
        paragraphs = [line for line in f"{one.subject}\n{one.body}".split("\n") if not line.startswith("  ")]
        wrong[f"{one.event} {one.pk}"] = [
            line
            for line in english(paragraphs)
            if not re.search(
                r"https?://|^\[?Sunday game|cannot be trusted|^Yes, you|^(\| )?(May I|Shall|Welcome|Please|One) ",
                line,
            )
        ]
    assert OutMail.objects.count() > 50
    assert not any(wrong.values()), told(wrong)
