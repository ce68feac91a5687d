"""Write the pages `variants/<id>.md`, one for each variant of the package, and the list of them in `variants.md`.

    python docs/variant_pages.py

Everything comes from the variants themselves: their rulebook, `variant.toml`, the table of special rules in
`brief.toml`, and a scenario of theirs that is played here, with the explanations that the program prints.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gamesmaster.cli.reports import explanation
from gamesmaster.game import Game
from gamesmaster.variant import Variant, find_rules_text, find_variant, variant_names
from gamesmaster.variant.sources import file_of, shelf
from gamesmaster.variant.texts import Brief, find_brief, mechanic_rows, start_rows, variant_facts

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from tests.scenarios.setup import orders, position, scene  # noqa: E402 (the folder above is on the path from here on)
from tests.scenarios.words import Stage  # noqa: E402

HEAD = "<!-- made by python docs/variant_pages.py -->"
BEGIN, END = "<!-- the list, made by python docs/variant_pages.py -->", "<!-- the end of the list -->"


def pages() -> dict[str, str]:
    """Every page by its path below docs/."""
    found = {f"variants/{name}.md": page(find_variant(name)) for name in variant_names()}
    return {"variants.md": with_list((DOCS / "variants.md").read_text(encoding="utf-8")), **found}


def with_list(text: str) -> str:
    """The page of all variants, its list made anew."""
    before, _, rest = text.partition(f"{BEGIN}\n")
    _, _, after = rest.partition(f"{END}\n")
    rows = []
    for name in variant_names():
        variant = find_variant(name)
        sizes = (len(variant.powers), len(variant.board.provinces), len(variant.board.centres))
        first = variant.calendar.name(variant.calendar.first)
        rows.append((f"[{variant.name}](variants/{name}.md)", f"`{name}`", *map(str, sizes), first))
    heads = ("variant", "name to type", "powers", "provinces", "centres", "begins")
    return f"{before}{BEGIN}\n\n{_table(heads, rows)}\n\n{END}\n{after}"


def page(variant: Variant) -> str:
    """The page of one variant."""
    brief, name = find_brief(variant.family), variant.id
    board = variant.board_of or name
    parts = [
        HEAD,
        f"# {variant.name}",
        " ".join(find_rules_text(name).brief.split()),
        f"[![The map of {variant.name}](../maps/{board}.svg)](../maps/{board}.svg)",
        "## At a glance",
        _table(("", ""), [*variant_facts(variant), *_mechanics(variant), *_options(variant)]),
        _table(("power", "units at the start", "centres at the start"), start_rows(variant)),
        "## Special rules",
        _table(("rule", "clause", "by"), _special(brief)),
        *_example(variant, brief),
        "## More",
        f"- `gamesmaster new my.json --variant {name}` begins a game; [the command line](../cli.md) goes on.\n"
        f"- `gamesmaster rules {name}` has the rulebook. Name a clause to see it alone: "
        f"`gamesmaster rules {name} {brief.special[0].clauses[0]}`.\n"
        "- [The boards](../boards.md) tells how its board was made, with every province; [mechanics](../mechanics.md) "
        "what each mechanic does and how to use it in a variant of your own.\n"
        "- [The variants](../variants.md) compares its rules with the document that they come from."
        f"{_study(name)}",
    ]
    return "\n\n".join(parts) + "\n"


def _study(name: str) -> str:
    """The link to the study of a variant, empty without one: where sight is limited, batches play no games."""
    if not (DOCS / "studies" / f"{name}.md").exists():
        return ""
    what = "between players that make no agreements, and what a designer would look at."
    return f"\n- [How even it is](../studies/{name}.md) {what}"


def _mechanics(variant: Variant) -> Iterator[tuple[str, str]]:
    for name, parameters in mechanic_rows(variant):
        yield f"mechanic `{name}`", parameters


def _options(variant: Variant) -> Iterator[tuple[str, str]]:
    for option in variant.options:
        choices = ", ".join(f"**{c}**" if c == option.default else c for c in option.choices)
        yield f"option `{option.name}`", f"{option.says}: {choices}"


def _special(brief: Brief) -> Iterator[tuple[str, str, str]]:
    for rule in brief.special:
        yield rule.says, ", ".join(rule.clauses), ", ".join(rule.by)


def _example(variant: Variant, brief: Brief) -> Iterator[str]:
    """The scenario that the brief names, played: its position, its orders, and what became of each."""
    scenario = _scenario(variant.family, brief.example)
    if scenario is None:
        return
    before, after = _played(variant, scenario)
    record = after.records[0]
    units = {power.name: before.position.of(power.name) for power in variant.powers}
    yield f"## An example: {scenario['title']}"
    yield f"{brief.lead} ({scenario['id']}, {variant.calendar.name(record.phase)}.)"
    rows = [
        (power, ", ".join(str(u) for u in own if not u.aboard), "; ".join(before.orders.get(power, ())))
        for power, own in units.items()
        if own
    ]
    yield _table(("power", "units", "orders"), rows)
    yield "`gamesmaster explain` says of them:"
    lines = [line for ruling in after.adjudication(record).rulings for line in explanation(after, ruling)]
    yield "```text\n" + "\n".join(lines).strip() + "\n```"


def _scenario(family: str, number: str) -> Mapping[str, Any] | None:
    path = file_of(shelf() / family, "scenarios.json")
    scenarios: Any = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return next((scenario for scenario in scenarios if scenario["id"] == number), None)


def _played(variant: Variant, scenario: Mapping[str, Any]) -> tuple[Game, Game]:
    """The game of a scenario before its phase is played, and after."""
    ready = scene(scenario, Stage(variant))
    phase = ready.variant.calendar.read(scenario["phase"])
    begun = position(scenario, phase, ready)
    game = ready.game(phase, begun)
    for power, texts in orders(scenario, ready, phase, begun).items():
        game = game.submit(power, list(texts))
    return game, game.process()


def _table(heads: tuple[str, ...], rows: Any) -> str:
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    lines += [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows]
    return "\n".join(line.replace("|  |", "| |").replace("|  |", "| |") for line in lines)


def main() -> None:
    """Write the pages."""
    (DOCS / "variants").mkdir(exist_ok=True)
    for path, text in pages().items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
