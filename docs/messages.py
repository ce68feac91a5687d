"""The catalogues of every text of the site: `src/gamesmaster/host/locale/*/LC_MESSAGES/*.po`.

    python docs/messages.py

The English ones are what translators start from. Those of other languages lose the texts that are gone, get the new
ones without a translation, and are compiled (`*.mo`). Texts are sorted, and nothing in a catalogue tells when it was
made, so that two people who add texts seldom meet.
"""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from gamesmaster.mechanics import MECHANICS
from gamesmaster.orders import Verb
from gamesmaster.variant import house_rule_settings

HOST = Path(__file__).parents[1] / "src" / "gamesmaster" / "host"
KEYWORDS = {
    "_": None, "gettext": None, "gettext_lazy": None, "gettext_noop": None, "ngettext": (1, 2), "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip
KINDS = {"django": (".py", ".html", ".txt", ".toml"), "djangojs": (".js",)}
"""The catalogues, with the files whose texts they hold."""
SAID = (
    "title", "says", "label", "refused", "hint", "task", "well", "subject", "own_subject", "own", "body", "notice",
)  # fmt: skip
"""The keys of TOML files whose values are texts."""
SIGNS = (
    "army", "army and fleet", "army in a boat", "boat", "builds a boat", "builds no boat", "canal", "convoy is broken",
    "convoys", "destroys a boat", "disbands", "fleet", "holds", "home centre, with its power's letter",
    "home province, not owned", "is built", "is dislodged", "is ordered", "is removed", "is stopped",
    "leaves a build unused", "moves", "not carried out", "out of play", "passage by water", "passage for fleets",
    "passage off the map, to the province named", "retreats", "supply centre", "support is cut", "supports",
    "war party", "war party in a canoe", "way by land",
)  # fmt: skip
"""The words of the keys to the maps of the package's variants, which the library makes."""


def path(domain: str, language: str = "en") -> Path:
    """Where a catalogue is kept."""
    return HOST / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def translations() -> list[str]:
    """The languages into which the site is translated."""
    return sorted(found.name for found in (HOST / "locale").iterdir() if found.name != "en")


def translated(domain: str, language: str) -> Catalog:
    """A translation of every text that there is now; a text without one has none."""
    kept = read_po(io.BytesIO(path(domain, language).read_bytes()), locale=language)
    for message in (made := catalogue(domain)):
        known = kept.get(message.id, message.context) if message.id else None
        if known is not None:
            message.string = known.string
    made.locale = language
    return made


def catalogue(domain: str) -> Catalog:
    """Every text that is marked in the files of this kind."""
    found = Catalog(project="Gamesmaster", fuzzy=False)
    for file in sorted(one for one in HOST.rglob("*") if one.suffix in KINDS[domain] and "locale" not in one.parts):
        for context, text in texts(file):
            found.add(text, context=context, locations=[(file.relative_to(HOST).as_posix(), 0)])
    for verb in (*Verb, *(own for known in MECHANICS.values() for own in known.verbs)) if domain == "django" else ():
        for text in (verb.label, verb.phrase.says):  # what verbs are called is declared where they are
            found.add(text, locations=[("orders/choices.py", 0)])
    for text in SIGNS if domain == "django" else ():
        found.add(text, locations=[("templatetags/site_tags.py", 0)])
    for setting in house_rule_settings().values() if domain == "django" else ():
        for text in ("{n} BC", setting.question, *setting.answers.values()):
            found.add(text, locations=[("games/words.py", 0)])
    return found


def texts(file: Path) -> Iterator[tuple[str | None, str | tuple[str, ...]]]:
    """The texts that are marked in a file, each with its context; with plural forms as a pair."""
    source = file.read_text(encoding="utf-8")
    if file.suffix == ".toml":
        yield from ((None, text) for text in _said(tomllib.loads(source)))
        return
    if file.suffix in (".html", ".txt"):  # read as the statements in Python that stand for its tags
        source = re.sub(r"^[ \t]+", "", templatize(source, origin=str(file)), flags=re.MULTILINE)
    kind = "javascript" if file.suffix == ".js" else "python"
    for _line, text, _comments, context in extract(kind, io.BytesIO(source.encode()), keywords=KEYWORDS):
        yield context, text


def _said(value: Any, key: str = "") -> Iterator[str]:
    """The texts of a TOML file."""
    if isinstance(value, dict):
        for inner in value:
            yield from _said(value[inner], inner)
    elif isinstance(value, list):
        for one in value:
            yield from _said(one, key)
    elif key in SAID and isinstance(value, str) and re.sub(r"\{\w+\}", "", value):
        yield value


def written(domain: str, language: str = "en") -> str:
    """A catalogue as it is kept."""
    body, told = io.BytesIO(), {"Content-Type": "text/plain; charset=UTF-8", "Language": language}
    made = catalogue(domain) if language == "en" else translated(domain, language)
    if language != "en":
        told["Plural-Forms"] = made.plural_forms
    write_po(body, made, width=0, omit_header=True, sort_output=True, include_lineno=False)
    head = "".join(f'"{name}: {value}\\n"\n' for name, value in told.items())
    return f'msgid ""\nmsgstr ""\n{head}\n{body.getvalue().decode().strip()}\n'


def compiled(domain: str, language: str) -> bytes:
    """A translation as gettext reads it."""
    body, made = io.BytesIO(), translated(domain, language)
    made.revision_date = made.creation_date = datetime(2026, 1, 1, tzinfo=UTC)  # it does not tell when it was made
    write_mo(body, made)
    return body.getvalue()


if __name__ == "__main__":
    settings.configure()
    for domain in KINDS:
        path(domain).write_text(written(domain), encoding="utf-8")
        for language in translations():
            path(domain, language).write_text(written(domain, language), encoding="utf-8")
            path(domain, language).with_suffix(".mo").write_bytes(compiled(domain, language))
