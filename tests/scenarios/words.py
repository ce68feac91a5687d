"""The words of scenarios and dossiers, translated into ours; and the clauses that only a host carries out.

Scenarios may name a variant's options differently. A dossier may also name its powers, its results and any fields
differently from the variant; `scenario_words.json` beside the variant then says what each word means. Some scenarios
are about deadlines, press or permissions to read: there the engine has nothing to decide, and `needs_host.json` says
why. Neither file is about single scenarios.

A dossier may call powers by letters, give results other names, and have another shape: owners by province, dislodged
units as a list. `scenario_words.json` beside the variant has the words; the shapes are known here. A scenario in our
words is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from gamesmaster.errors import BadFile
from gamesmaster.strictjson import read
from gamesmaster.variant import (
    Variant,
    file_of,
    find_variant,
    full_name,
    read_variant,
    shelf,
    split_name,
    variant_names,
)

_LARGEST, _DEEPEST = 256 * 1024, 6  # bytes, levels


@dataclass(frozen=True, slots=True)
class Words:
    """A dossier's words for a variant.

    `options[name][value]` are choices of ours, `host` is the reason why a clause has no case, `results[word]` are the
    results of ours that a dossier's word stands for (`*, dislodged` for every result that ends so). Where two options
    concern one choice, the later in the file wins. `powers` and `fields` are our names for powers and for fields;
    `remarks` are for readers alone.  `parameters` name the mechanic that a word's settings belong to.
    """

    options: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    host: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, list[str]] = field(default_factory=dict)
    powers: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def covers(self, word: str, result: str) -> bool:
        """Return whether a dossier's word for a result stands for this one of ours."""
        return word == result or any(
            result == ours or (ours.startswith("*") and result.endswith(ours[1:]))
            for ours in self.results.get(word, ())
        )

    def choices(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return the choices that options by these words come to; raises `BadFile` for a value that has no meaning."""
        choices: dict[str, str] = {}
        for name, meanings in self.options.items():
            if name in options:
                value = option_text(options[name])
                if value not in meanings:
                    raise BadFile(f"option {name} has no value {value[:80]!r}", hint=f"values: {'; '.join(meanings)}")
                choices |= meanings[value]
        return choices


def option_text(value: object) -> str:
    """Return a value as the key it has among the words: `true`, `LEB`, `F ANK, F CON, A SMY`."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class Stage:
    """The variant of scenarios, and its folder, None for one of the package's."""

    variant: Variant
    folder: Path | None = None

    @property
    def words(self) -> Words:
        """The meaning of the words of dossiers here."""
        if self.folder:
            return _words(self.folder)
        return _packaged_words(self.variant.family) if self.variant.family in variant_names() else Words()

    def choosing(
        self, choices: Mapping[str, str], parameters: Mapping[str, Mapping[str, object]] | None = None
    ) -> Variant:
        """Return the variant with these choices of its options beside those already made, and its mechanics tuned."""
        family, made = split_name(self.variant.id)
        both = {**made, **choices}
        if parameters:
            return read_variant(self.folder or shelf() / family, both, parameters)
        if not choices:
            return self.variant
        return read_variant(self.folder, both) if self.folder else find_variant(full_name(family, both))


@cache
def _packaged_words(family: str) -> Words:
    return _words(shelf() / family)


def _words(folder: Path) -> Words:
    path = file_of(folder, "scenario_words.json")
    if not path.exists():
        return Words()
    data = read(path, limit=_LARGEST, depth=_DEEPEST)
    known = [field.name for field in fields(Words)]
    if not isinstance(data, dict) or not data.keys() <= set(known):
        raise BadFile(f"an object with {', '.join(known)} is wanted", where=str(path))
    return Words(**data)


@lru_cache(maxsize=1)
def _needs_host() -> Mapping[str, Any]:
    data = read(Path(__file__).with_name("needs_host.json"), limit=_LARGEST, depth=_DEEPEST)
    assert isinstance(data, dict)
    return data


def host_reason(scenario: Mapping[str, Any]) -> str:
    """Why the engine cannot decide a scenario: what it is about that only a host does; empty if it can."""
    data = {"other": scenario["other"], "state": scenario["expect"].get("state", {})}
    return _reason(_needs_host(), data)


def _reason(reasons: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Return the first reason that fits: one for a word, whatever its value, or for one of its values."""
    for word, reason in reasons.items():
        if word not in data:
            continue
        value, text = data[word], reason
        if not isinstance(reason, str):
            text = _reason(reason, value) if isinstance(value, Mapping) else reason.get(option_text(value), "")
        if text:
            return str(text)
    return ""


Data = dict[str, Any]

_OWN = frozenset({"orders", "after", "notes", "other", "state", "dislodged", "centres", "builds"})
"""The fields of an expectation beside the states, which have their own shapes."""

_COAST = re.compile(r"(?<=[A-Z0-9])/[a-z]{1,2}$")
_REMARK = re.compile(r"\s*\([^()]*\)$")


def in_our_words(scenario: Mapping[str, Any], stage: Stage) -> Data:
    """Return the scenario in our words and shapes."""
    words = stage.words
    other, expect = dict(scenario["other"]), dict(scenario["expect"])
    state = {**expect.get("state", {}), **expect.get("other", {})}
    state |= {word: expect[word] for word in expect if word not in _OWN}
    ours: Data = {
        **scenario,
        "phase": _REMARK.sub("", scenario["phase"]),
        "units": _rename_powers(scenario["units"], words),
        "orders": _rename_keys(scenario["orders"], words),
        "other": _rename_fields(other, words),
        "expect": {key: expect[key] for key in expect if key in _OWN - {"other", "state"}},
    }
    for part in ("after", "dislodged", "centres"):
        if part in ours["expect"]:
            ours["expect"][part] = _rename_powers(ours["expect"][part], words)
    wanted = _rename_fields(state, words)
    ours["other"] = _other(ours, stage)
    _expect(ours, wanted)
    if wanted:
        ours["expect"]["state"] = wanted
    return ours


# -- words -----------------------------------------------------------------------------------------------------------


def _rename_fields(fields: Mapping[str, Any], words: Words) -> Data:
    """Return the fields under our names for them, and for our powers."""
    return {
        words.fields.get(key, key): _rename_powers(fields[key], words) for key in fields if key not in words.remarks
    }


def _rename_powers(value: Any, words: Words) -> Any:
    """With our names for powers, wherever one stands alone, as a key, or before a unit; coasts in capitals."""
    if isinstance(value, Mapping):
        return {_power(key, words): _rename_powers(part, words) for key, part in value.items()}
    if isinstance(value, list):
        return [_rename_powers(part, words) for part in value]
    return _power(value, words) if isinstance(value, str) else value


def _power(text: str, words: Words) -> str:
    first, space, rest = text.partition(" ")
    return _COAST.sub(lambda found: found[0].upper(), f"{words.powers.get(first, first)}{space}{rest}")


def _rename_keys(value: Mapping[str, Any], words: Words) -> Data:
    return {words.powers.get(key, key): part for key, part in value.items()}


# -- shapes of the fields ----------------------------------------------------------------------------------------------


def _other(scenario: Data, stage: Stage) -> Data:
    other, words = dict(scenario["other"]), stage.words
    options = {name: other.pop(name) for name in words.options if name in other}
    if options:
        other["options"] = {**other.get("options", {}), **options}
    tuned = {words.parameters[word]: other.pop(word) for word in words.parameters if word in other}
    if tuned:
        other["parameters"] = tuned
    for word in ("centres", "centres_before"):
        if word in other:
            other[word] = _lists(other[word])
    _numbers(other)
    if "dislodged" in other:
        other["dislodged"] = _driven_out(other["dislodged"], scenario)
    return other


def _lists(owned: Mapping[str, Any]) -> Data:
    return {power: list(map(str, of)) if isinstance(of, list) else of for power, of in owned.items()}


def _numbers(other: Data) -> None:
    """Units and centres told by number alone."""
    if "unit_counts" in other:
        counts = other.pop("unit_counts")
        other["unit_count_after_builds"] = {power: sum(kinds.values()) for power, kinds in counts.items()}
    if any(isinstance(of, int) for of in other.get("centres", {}).values()):
        other["centre_count"] = other.pop("centres")


def _driven_out(dislodged: Any, scenario: Data) -> Data:
    """Dislodged units by power; each with where it may go, where its attacker came from, or both."""
    by_power: Data = {}
    if isinstance(dislodged, list):
        for entry in dislodged:
            power, unit = _of(entry["unit"], scenario)
            if set(entry.get("may_not", ())) & set(entry["may_retreat_to"]):
                raise BadFile(f"scenario {scenario['id']} both allows and forbids a retreat of {unit}")
            way = {"from": entry["from"], "to": entry["may_retreat_to"]}
            by_power.setdefault(power, {})[unit] = way
        return by_power
    for key, entry in dislodged.items():
        if " " not in key:
            by_power[key] = entry
            continue
        power, unit = _of(key, scenario)
        by_power.setdefault(power, {})[unit] = entry["from"]
        scenario["units"] = {p: [u for u in units if (p, u) != (power, unit)] for p, units in scenario["units"].items()}
    return by_power


def _of(text: str, scenario: Data) -> tuple[str, str]:
    """Return the power and the unit meant: `Graham A 73`, or `A 73` if only one power has one there."""
    first, _, rest = text.partition(" ")
    if first in scenario["units"] or first in scenario["orders"]:
        return first, rest
    owners = [power for power, units in scenario["units"].items() if text in units]
    if len(owners) != 1:
        raise BadFile(f"scenario {scenario['id']} does not say whose {text} is meant")
    return owners[0], text


# -- shapes of what is expected --------------------------------------------------------------------------------------


def _expect(scenario: Data, wanted: Data) -> None:
    """Bring what is expected into its places; what a dossier does not mention has not changed."""
    expect, other = scenario["expect"], scenario["other"]
    if "retreats" in wanted:
        out: Data = {}
        for text, places in wanted.pop("retreats").items():
            power, unit = _of(text, scenario)
            out.setdefault(power, {})[unit] = places
        expect["dislodged"] = out
    if "centres" in wanted:
        wanted["centres"] = _lists(wanted["centres"])
    if "taken_off" in wanted:
        wanted["taken_off"] = [_REMARK.sub("", text) for text in wanted["taken_off"]]
    for word in UNCHANGED:
        if word in other and word not in wanted:
            wanted[word] = other[word]


BOATS = ("boats", "canoes")
"""The words for boats."""

UNCHANGED = (*BOATS, "taboo", "embargo", "bay_entered")
"""The parts of a position beside units that are unchanged where a scenario does not mention them."""
