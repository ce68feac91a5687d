"""`show`: a variant at a glance."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import folder_named, variant_named
from gamesmaster.cli.console import AsJson, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.variant import Variant
    from gamesmaster.variant.facts import Brief


def show(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A variant's name, or the path of one.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Show a variant: its powers and their start, its calendar, the conditions of victory, options and special rules.

    A path leads to a variant's folder, or to a board file of another program.

    For example:

      gamesmaster show standard
      gamesmaster show standard --json
      gamesmaster show "cline9[turkey=fleet-smyrna]"
    """
    from gamesmaster.variant.facts import facts, mechanic_rows, start_rows

    found = variant_named(variant)
    brief = _brief(found, variant)
    if as_json:
        say_json(_data(found, brief))
        return
    say(f"{found.name} ({found.id})")
    for word, told in facts(found):
        say(f"  {word}: {told}")
    for name, told in mechanic_rows(found):
        say(f"  mechanic {name}: {told}")
    for option in found.options:
        choices = (f"{c} (as it stands)" if c == option.default else c for c in option.choices)
        say(f"  option {option.name}: {', '.join(choices)}")
        say(f"    {option.says}")
    say()
    table(("power", "units", "centres"), start_rows(found))
    if brief.special:
        say()
        rows = ((rule.says, ", ".join(rule.clauses), ", ".join(rule.by)) for rule in brief.special)
        table(("special rule", "clause", "by"), rows)


def _brief(variant: Variant, named: str) -> Brief:
    """What is said of it in brief, beside it or in the package."""
    from gamesmaster.variant import variant_names
    from gamesmaster.variant.facts import Brief, find_brief, read_brief

    if folder := folder_named(named):
        return read_brief(folder)
    return find_brief(variant.family) if variant.family in variant_names() else Brief()


def _data(variant: Variant, brief: Brief) -> dict[str, Any]:
    from gamesmaster.board import board_data
    from gamesmaster.game.state_file import position_data
    from gamesmaster.judge import Rulebook
    from gamesmaster.variant import HouseRules

    calendar, start, board = variant.calendar, position_data(variant.start), board_data(variant.board)
    return {
        "id": variant.id,
        "name": variant.name,
        "powers": [
            {"name": p.name, "adjective": p.adjective, "homes": list(p.homes), "provinces": list(p.provinces)}
            for p in variant.powers
        ],
        "start": {"phase": calendar.first.code, "units": start["units"], "centers": start["centers"]},
        "calendar": {
            "first": calendar.first.code,
            "years_per_turn": calendar.years_per_turn,
            "phases": [
                {"season": s.season, "letter": s.letter, "kind": s.kind.value, "years": s.years, "count": s.count}
                for s in calendar.slots
            ],
        },
        "victory": {
            "centres": variant.victory.centres,
            "count": variant.victory.count,
            "of": dict(variant.victory.of),
            "last": variant.victory.last,
            "when": variant.victory.when,
            "units": variant.victory.units,
        },
        "mechanics": [{"name": m.id, **asdict(m)} for m in variant.mechanics],  # type: ignore[call-overload]
        "build_sites": variant.build_sites.value,
        "options": [
            {"name": o.name, "says": o.says, "choices": list(o.choices), "default": o.default} for o in variant.options
        ],
        "special": [{"says": r.says, "clauses": list(r.clauses), "by": list(r.by)} for r in brief.special],
        "rulebook": Rulebook.of(variant.rulebook).choices(),
        "house_rules": HouseRules.of(variant.house_rules).choices(),
        "board": board,
        "provinces": board["provinces"],  # at the top as well: what most programs ask for
        "edges": board["edges"],
        "digest": variant.digest,
    }
