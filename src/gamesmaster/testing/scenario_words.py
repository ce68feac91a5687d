"""What scenarios say in words of their own: a variant's options by other names, and what only a host can do.

A dossier may name a variant's options otherwise than the variant does, and its powers, its results and whatever else a
scenario tells; `scenario_words.json` beside the variant then says what each word means.  Some scenarios are about
deadlines, press or who may read what: there the engine has nothing to decide, and `needs_host.json` says why.  Neither
file speaks of single scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gamesmaster.errors import BadFile
from gamesmaster.strictjson import read
from gamesmaster.variant import Variant, find_variant, full_name, read_variant, split_name, variant_names

_LARGEST, _DEEPEST = 256 * 1024, 6  # bytes, levels


@dataclass(frozen=True, slots=True)
class Words:
    """Another's words for a variant.

    `options[name][value]` are choices of ours, `host` is why a clause has no case, `results[word]` are the results of
    ours that another's word stands for (`*, dislodged` for all that end so).  Where two options speak of one choice,
    the later in the file wins.  `powers` and `fields` are our names for powers and for what is told or expected;
    `remarks` are told to the reader alone.  `parameters` name the mechanic that a word's settings belong to.
    """

    options: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    host: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, list[str]] = field(default_factory=dict)
    powers: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def covers(self, word: str, result: str) -> bool:
        """Does another's word for a result stand for this one of ours?"""
        return word == result or any(
            result == ours or (ours.startswith("*") and result.endswith(ours[1:]))
            for ours in self.results.get(word, ())
        )

    def chosen(self, options: Mapping[str, object]) -> dict[str, str]:
        """The choices that options by these words come to; raises `BadFile` for a value that has no meaning."""
        choices: dict[str, str] = {}
        for name, meanings in self.options.items():
            if name in options:
                value = option_text(options[name])
                if value not in meanings:
                    raise BadFile(f"option {name} has no value {value[:80]!r}", hint=f"values: {'; '.join(meanings)}")
                choices |= meanings[value]
        return choices


def option_text(value: object) -> str:
    """A value as the key it has among the words: `true`, `LEB`, `F ANK, F CON, A SMY`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class Stage:
    """Where scenarios are played: a variant, and the folder it lies in, None for one of the package's."""

    variant: Variant
    folder: Path | None = None

    @property
    def words(self) -> Words:
        """What the words of dossiers mean here."""
        folder = self.folder
        if folder is None and self.variant.family in variant_names():
            folder = _shelf() / self.variant.family
        return _words(folder / "scenario_words.json") if folder else Words()

    def choosing(
        self, choices: Mapping[str, str], parameters: Mapping[str, Mapping[str, object]] | None = None
    ) -> Variant:
        """The variant with these choices of its options beside those already made, and its mechanics tuned."""
        family, made = split_name(self.variant.id)
        both = {**made, **choices}
        if parameters:
            return read_variant(self.folder or _shelf() / family, both, parameters)
        if not choices:
            return self.variant
        return read_variant(self.folder, both) if self.folder else find_variant(full_name(family, both))


def _shelf() -> Path:
    return Path(str(files("gamesmaster.variants")))


def _words(path: Path) -> Words:
    if not path.exists():
        return Words()
    data = read(path, limit=_LARGEST, depth=_DEEPEST)
    known = [field.name for field in fields(Words)]
    if not isinstance(data, dict) or not data.keys() <= set(known):
        raise BadFile(f"an object with {', '.join(known)} is wanted", where=str(path))
    return Words(**data)


@lru_cache(maxsize=1)
def _needs_host() -> Mapping[str, Any]:
    data = read(Path(str(files("gamesmaster.testing"))) / "needs_host.json", limit=_LARGEST, depth=_DEEPEST)
    assert isinstance(data, dict)
    return data


def host_reason(scenario: Mapping[str, Any]) -> str:
    """Why the engine cannot decide a scenario: what it is about that only a host does; empty if it can."""
    told = {"other": scenario["other"], "state": scenario["expect"].get("state", {})}
    return _reason(_needs_host(), told)


def _reason(reasons: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    """The first reason that fits: one for a word, whatever its value, or for one of its values."""
    for word, reason in reasons.items():
        if word not in told:
            continue
        value, found = told[word], reason
        if not isinstance(reason, str):
            found = _reason(reason, value) if isinstance(value, Mapping) else reason.get(option_text(value), "")
        if found:
            return str(found)
    return ""
