"""Commands about variants and boards: list, show, lint."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.console import AsJson, many, say, say_json, table, variant_named
from gamesmaster.cli.findings import say_findings

if TYPE_CHECKING:
    from gamesmaster.board import Finding
    from gamesmaster.game import Variant, Victory

VariantName = Annotated[
    str, typer.Argument(metavar="VARIANT", help="A variant's name, or the path of one.", show_default=False)
]


def variants(as_json: AsJson = False) -> None:
    """List the variants that can be played.

    For example:

      gamesmaster variants
    """
    from gamesmaster.game import find_variant, variant_names

    found = [find_variant(name) for name in variant_names()]
    if as_json:
        say_json([{"id": v.id, "name": v.name, "powers": [p.name for p in v.powers]} for v in found])
        return
    rows = [(v.id, v.name, len(v.powers), v.victory.centres, v.calendar.name(v.calendar.first)) for v in found]
    table(("id", "name", "powers", "centres to win", "begins"), rows)


def show(variant: VariantName, as_json: AsJson = False) -> None:
    """Show a variant: its powers and what they start with, its calendar, its board.

    A path is that of a variant's folder, or of a board file of another program.

    For example:

      gamesmaster show standard
      gamesmaster show standard --json
      gamesmaster show "cline9[turkey=fleet-smyrna]"
    """
    found = variant_named(variant)
    if as_json:
        say_json(_data(found))
        return
    board, calendar = found.board, found.calendar
    say(f"{found.name} ({found.id})")
    say(f"  board: {many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}")
    say(f"  victory: {_victory(found.victory)}")
    say(f"  builds: {found.build_sites.replace('center', 'centre')}")
    say(f"  begins: {calendar.name(calendar.first)}")
    say(f"  each turn: {', '.join(f'{slot.season} {slot.kind.value}' for slot in calendar.slots)}")
    for mechanic in found.mechanics:
        about = (type(mechanic).__doc__ or "").strip().splitlines()[0]
        say(f"  mechanic {mechanic.id}: {about}")
    for option in found.options:
        told = ", ".join(
            f"{choice} (as it stands)" if choice == option.default else choice for choice in option.choices
        )
        say(f"  option {option.name}: {told}")
        say(f"    {option.says}")
    rows = [
        (power.name, ", ".join(map(str, found.start.of(power.name))), ", ".join(found.start.centres(power.name)))
        for power in found.powers
    ]
    say()
    table(("power", "units", "centres"), rows)


def _victory(victory: Victory) -> str:
    """What wins, in words: `25 centres; 28 for Moors; or most centres when 3 powers are left`."""
    words = [f"{victory.centres} {victory.count.replace('either', 'centres or units')}"]
    numbers = sorted(set(victory.of.values()))
    words += [f"{n} for {', '.join(power for power, own in victory.of.items() if own == n)}" for n in numbers]
    if victory.last:
        words.append(f"or most centres when {victory.last} powers are left")
    return "; ".join(words)


def _data(variant: Variant) -> dict[str, Any]:
    from gamesmaster.board import board_data
    from gamesmaster.formats.phase_data import position_data
    from gamesmaster.judge import Rulebook

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
        },
        "mechanics": [{"name": m.id, **asdict(m)} for m in variant.mechanics],  # type: ignore[call-overload]
        "build_sites": variant.build_sites.value,
        "options": [
            {"name": o.name, "says": o.says, "choices": list(o.choices), "default": o.default} for o in variant.options
        ],
        "rulebook": Rulebook.of(variant.rulebook).choices(),
        "board": board,
        "provinces": board["provinces"],  # at the top as well: what most programs ask for
        "edges": board["edges"],
        "digest": variant.digest,
    }


def lint(
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A variant's or a board's folder, a board.json, or the name of a variant or board.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Look for what is probably wrong with a board or a variant: one-way edges, lost coasts, clashing names.

    A folder with a board.toml is built first. Where there are shapes, they are compared with the edges: what touches on
    the map and is no border, and the reverse. The exit code is 1 if there is an error; warnings may be meant.

    For example:

      gamesmaster board lint my_variant/
      gamesmaster board lint my_variant/board.json
      gamesmaster board lint my_island
    """
    say_findings(_findings(path), as_json=as_json)


def _findings(text: str) -> list[Finding]:
    """All that is found in a folder to build from, a variant or a board, errors first."""
    from gamesmaster.board import lint as lint_board
    from gamesmaster.cli.board_build import built
    from gamesmaster.cli.board_source import SOURCE, VARIANT, BoardSource, board_source
    from gamesmaster.game import lint_variant
    from gamesmaster.pictures import lint_shapes

    folder = Path(text)
    made = None
    if (folder / SOURCE).exists() and not (folder / VARIANT).exists():
        made = built(folder)
        source = BoardSource(folder.name, made.board)
    else:
        source = board_source(text)
    found = lint_variant(source.variant) if source.variant else lint_board(source.board)
    if made or source.has_shapes:
        found = [*found, *lint_shapes(source.board, made.shapes if made else source.shapes())]
    return sorted(found, key=lambda finding: finding.level)
