"""Variants that are there: `variants` lists them, `show` shows one, `variant lint` and `variant check` try it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import find_folder, find_variant_or_folder
from gamesmaster.cli.console import AsJson, ExitCode, many, progress_bar, say, say_findings, say_json, table
from gamesmaster.cli.variants.board import RULES, SHAPES
from gamesmaster.errors import GamesmasterError, NotFound

if TYPE_CHECKING:
    from gamesmaster.board import Finding
    from gamesmaster.variant import Brief, Variant


def variants(as_json: AsJson = False) -> None:
    """List the variants that can be played.

    For example:

      gamesmaster variants
    """
    from gamesmaster.variant import find_variant, variant_names

    found = [find_variant(name) for name in variant_names()]
    if as_json:
        say_json([{"id": v.id, "name": v.name, "powers": [p.name for p in v.powers]} for v in found])
        return
    rows = [(v.id, v.name, len(v.powers), v.victory.centres, v.calendar.name(v.calendar.first)) for v in found]
    table(("id", "name", "powers", "centres to win", "begins"), rows)


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
    from gamesmaster.variant import mechanic_rows, start_rows
    from gamesmaster.variant.facts import facts

    found = find_variant_or_folder(variant)
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
    from gamesmaster.variant import Brief, find_brief, read_brief, variant_names

    if folder := find_folder(named):
        return read_brief(folder)
    return find_brief(variant.family) if variant.family in variant_names() else Brief()


def _data(variant: Variant, brief: Brief) -> dict[str, Any]:
    from gamesmaster.board import board_data
    from gamesmaster.game import position_data
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


# -- `variant lint` --------------------------------------------------------------------------------------------------


def lint(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A variant's folder, or its name.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Look for everything that is wrong with a variant: files, powers, start, calendar, victory, mechanics, board, map.

    It reports all faults, not only the first, each with its file, its key and a suggestion. The exit code is 1 if
    there is an error; a warning may be intended.

    For example:

      gamesmaster variant lint my_game
      gamesmaster variant lint standard
    """
    from gamesmaster.variant import lint_folder, lint_variant

    folder = Path(variant)
    found = (
        [*lint_folder(folder), *_of_files(folder)] if folder.is_dir() else lint_variant(find_variant_or_folder(variant))
    )
    say_findings(sorted(found, key=lambda finding: finding.level), as_json=as_json)


def _of_files(folder: Path) -> list[Finding]:
    """What is wrong with the files beside `variant.toml`: the rules for players, and the map."""
    from gamesmaster.board import Finding
    from gamesmaster.pictures import lint_shapes, shapes_of
    from gamesmaster.variant import read_rules_text, read_variant

    found: list[Finding] = []
    try:
        read_rules_text(folder)
    except NotFound:
        found.append(Finding.warning("no-rules", folder / RULES, "there are no rules for players to read"))
    except GamesmasterError as fault:
        found.append(Finding.error("bad-rules", fault.where, fault.what, fault.hint))
    try:
        played = read_variant(folder)
    except GamesmasterError:
        return found  # told already; the map is looked at when the rest can be read
    try:
        found += lint_shapes(played.board, shapes_of(played, folder))
    except NotFound:
        found.append(Finding.warning("no-map", folder / SHAPES, "there is no map", "gamesmaster board build makes one"))
    except GamesmasterError as fault:
        found.append(Finding.error("bad-map", fault.where, fault.what, fault.hint))
    return found


# -- `variant check` -------------------------------------------------------------------------------------------------


def check(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A variant's folder, or its name.", show_default=False)
    ],
    phases: Annotated[int, typer.Option(metavar="N", help="How many phases.", min=1, max=1_000_000)] = 10_000,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Play this many whole games instead.", min=1, max=100_000)
    ] = None,
    texts: Annotated[
        int | None, typer.Option(metavar="N", help="Write this many random orders instead.", min=1, max=10_000_000)
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The seed of the first game; each further game adds one.", min=0)
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Play a variant at random, and check that nothing breaks.

    Games consist of random legal orders, with some orders missing. After each phase, the command checks that units,
    boats, builds and dice add up; every game is saved and loaded, taken back and played again. Each problem is printed
    with its phase, its orders and a command that reproduces it; the exit code is then 1.

    With --texts the orders are arbitrary texts: legal orders with slips, words in any order, other scripts, nothing.
    None of them may stop the game.

    For example:

      gamesmaster variant check my_game
      gamesmaster variant check my_game --phases 500 --seed 7
      gamesmaster variant check my_game --games 200
      gamesmaster variant check my_game --texts 20000
    """
    from gamesmaster.testing import check_games, check_texts, check_variant

    size = {"texts": texts} if texts else {"games": games} if games else {"phases": phases}
    ((unit, number),) = ((word.removesuffix("s"), most or 0) for word, most in size.items())
    found_variant = find_variant_or_folder(variant)
    with progress_bar() as tell:

        def told(now: str, done: int) -> None:
            tell(now, done, number)

        if texts:
            found = check_texts(found_variant, texts=texts, seed=seed, tell=told)
        elif games:
            found = check_games(found_variant, games=games, seed=seed, tell=told, name=variant)
        else:
            found = check_variant(found_variant, phases=phases, seed=seed, tell=told, name=variant)
    played = many(number, unit)
    if as_json:
        say_json({"variant": found_variant.id, **size, "seed": seed, "problems": found})
    else:
        for problem in found:
            say(problem)
        say(f"{found_variant.name}: {played}, {many(len(found), 'problem')}")
    if found:
        raise typer.Exit(ExitCode.FAILED)
