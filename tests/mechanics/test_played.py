"""The rules of variants that other sites play are said as data: each set of rules lints and plays (docs/played.md)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.testing import check_variant
from gamesmaster.variant import Variant, lint_variant, shelf
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data
from tests.lengths import mark_long, short_and_long

ROOT = Path(__file__).parents[2]
PLAYED: dict[str, Any] = tomllib.loads((ROOT / "tests/data/played.toml").read_text(encoding="utf-8"))
SITES = {site: names.split() for site, names in PLAYED["sites"].items()}
MISSING = PLAYED["missing"]
RULES: dict[str, Any] = {rule["says"]: rule for rule in PLAYED["rules"]}


def rules_of(variant: str) -> str:
    """What says the rules of a variant of another site that are not regular, separated by semicolons."""
    return "; ".join(says for says, rule in RULES.items() if variant in rule["variants"].split())


SETS = sorted({rules_of(name) for names in SITES.values() for name in names if name not in MISSING} - {""})


def made(rules: list[str]) -> Variant:
    """The standard game with these rules."""
    data: dict[str, Any] = dict(variant_data(shelf() / "standard"))
    data["mechanics"] = [mechanic for says in rules for mechanic in RULES[says].get("mechanics", ())]
    for rule in map(RULES.__getitem__, rules):
        data["victory"] = data["victory"] | rule.get("victory", {})
        data["build_sites"] = rule.get("build_sites", data.get("build_sites", "own home centers"))
        if "begins" in rule:
            data["calendar"] = data["calendar"] | {"first_year": 1900, "first_phase": f"{rule['begins']} 1900"}
            data["powers"] = [power | {"units": []} for power in data["powers"]]
    return variant_of_data(shelf() / "standard", data)


@pytest.mark.bulk
@pytest.mark.parametrize("rules", mark_long(SETS, but=[rules_of(name) for name in ("Lepanto", "TenSixtySix", "Mars")]))
@short_and_long("phases", 12, 60)
def test_the_rules_of_a_variant_play(rules: str, phases: int) -> None:
    """The rules of each variant go together: no error in the linter, no fault in random games."""
    variant = made(rules.split("; "))
    assert [finding for finding in lint_variant(variant) if finding.level == "error"] == []
    assert check_variant(variant, phases=phases) == []


def test_the_page_says_which() -> None:
    """The page has each rule, names each rule that is missing, and counts the variants that can be said."""
    page = (ROOT / "docs/played.md").read_text(encoding="utf-8")
    assert [says for says in RULES if f"| {says} |" not in page] == []
    assert [(name, rule) for name, rule in MISSING.items() if name not in page or rule not in page] == []
    for site, names in SITES.items():
        assert len({*names}) == len(names), site
        said = len({*names} - MISSING.keys())
        assert f"{said} of {len(names)}" in page, site
    known = {name for names in SITES.values() for name in names}
    assert {name for rule in RULES.values() for name in rule["variants"].split()} | MISSING.keys() <= known
