"""Scenarios as dossiers tell them, put into our words.

A dossier may call powers by letters, tell results under other names, and tell the same thing in another shape: who
owns what by province, who is dislodged as a list.  `scenario_words.json` beside the variant has the words; the shapes
are known here.  A scenario in our words comes out as it went in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gamesmaster.errors import BadFile
from gamesmaster.testing.scenario_words import Stage, Words

Told = dict[str, Any]

_OWN = frozenset({"orders", "after", "notes", "other", "state", "dislodged", "centres", "builds"})
"""What is expected beside the states: these parts have their own shapes."""

_COAST = re.compile(r"(?<=[A-Z0-9])/[a-z]{1,2}$")
_REMARK = re.compile(r"\s*\([^()]*\)$")


def in_our_words(scenario: Mapping[str, Any], stage: Stage) -> Told:
    """The scenario in our words and shapes."""
    words = stage.words
    other, expect = dict(scenario["other"]), dict(scenario["expect"])
    state = {**expect.get("state", {}), **expect.get("other", {})}
    state |= {word: expect[word] for word in expect if word not in _OWN}
    told: Told = {
        **scenario,
        "phase": _REMARK.sub("", scenario["phase"]),
        "units": _named(scenario["units"], words),
        "orders": _keys_named(scenario["orders"], words),
        "other": _renamed(other, words),
        "expect": {key: expect[key] for key in expect if key in _OWN - {"other", "state"}},
    }
    for part in ("after", "dislodged", "centres"):
        if part in told["expect"]:
            told["expect"][part] = _named(told["expect"][part], words)
    wanted = _renamed(state, words)
    told["other"] = _other(told, stage)
    _expect(told, wanted)
    if wanted:
        told["expect"]["state"] = wanted
    return told


# -- words -----------------------------------------------------------------------------------------------------------


def _renamed(told: Mapping[str, Any], words: Words) -> Told:
    """What is told under our names for it, and of our powers."""
    return {words.fields.get(key, key): _named(told[key], words) for key in told if key not in words.remarks}


def _named(value: Any, words: Words) -> Any:
    """With our names for powers, wherever one stands alone, as a key, or before a unit; coasts in capitals."""
    if isinstance(value, Mapping):
        return {_power(key, words): _named(part, words) for key, part in value.items()}
    if isinstance(value, list):
        return [_named(part, words) for part in value]
    return _power(value, words) if isinstance(value, str) else value


def _power(text: str, words: Words) -> str:
    first, space, rest = text.partition(" ")
    return _COAST.sub(lambda found: found[0].upper(), f"{words.powers.get(first, first)}{space}{rest}")


def _keys_named(value: Mapping[str, Any], words: Words) -> Told:
    return {words.powers.get(key, key): part for key, part in value.items()}


# -- shapes of what is told ------------------------------------------------------------------------------------------


def _other(told: Told, stage: Stage) -> Told:
    other, words = dict(told["other"]), stage.words
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
        other["dislodged"] = _driven_out(other["dislodged"], told)
    return other


def _lists(owned: Mapping[str, Any]) -> Told:
    return {power: list(map(str, of)) if isinstance(of, list) else of for power, of in owned.items()}


def _numbers(other: Told) -> None:
    """Units and centres told by number alone."""
    if "unit_counts" in other:
        counts = other.pop("unit_counts")
        other["unit_count_after_builds"] = {power: sum(kinds.values()) for power, kinds in counts.items()}
    if any(isinstance(of, int) for of in other.get("centres", {}).values()):
        other["centre_count"] = other.pop("centres")


def _driven_out(dislodged: Any, told: Told) -> Told:
    """Dislodged units by power; each with where it may go, where its attacker came from, or both."""
    found: Told = {}
    if isinstance(dislodged, list):
        for entry in dislodged:
            power, unit = _of(entry["unit"], told)
            if set(entry.get("may_not", ())) & set(entry["may_retreat_to"]):
                raise BadFile(f"scenario {told['id']} both allows and forbids a retreat of {unit}")
            way = {"from": entry["from"], "to": entry["may_retreat_to"]}
            found.setdefault(power, {})[unit] = way
        return found
    for key, entry in dislodged.items():
        if " " not in key:
            found[key] = entry
            continue
        power, unit = _of(key, told)
        found.setdefault(power, {})[unit] = entry["from"]
        told["units"] = {p: [u for u in units if (p, u) != (power, unit)] for p, units in told["units"].items()}
    return found


def _of(text: str, told: Told) -> tuple[str, str]:
    """Whose unit is meant, and the unit: `Graham A 73`, or `A 73` where only one power has one there."""
    first, _, rest = text.partition(" ")
    if first in told["units"] or first in told["orders"]:
        return first, rest
    owners = [power for power, units in told["units"].items() if text in units]
    if len(owners) != 1:
        raise BadFile(f"scenario {told['id']} does not say whose {text} is meant")
    return owners[0], text


# -- shapes of what is expected --------------------------------------------------------------------------------------


def _expect(told: Told, wanted: Told) -> None:
    """Bring what is expected into its places; what a dossier does not mention has not changed."""
    expect, other = told["expect"], told["other"]
    if "retreats" in wanted:
        out: Told = {}
        for text, places in wanted.pop("retreats").items():
            power, unit = _of(text, told)
            out.setdefault(power, {})[unit] = places
        expect["dislodged"] = out
    if "centres" in wanted:
        wanted["centres"] = _lists(wanted["centres"])
    if "taken_off" in wanted:
        wanted["taken_off"] = [_REMARK.sub("", text) for text in wanted["taken_off"]]
    for word in UNCHANGED:
        if word in other and word not in wanted:
            wanted[word] = other[word]


UNCHANGED = ("canoes", "boats", "taboo", "embargo", "bay_entered")
"""What a position holds beside units; where a scenario does not say what becomes of it, it has not changed."""
