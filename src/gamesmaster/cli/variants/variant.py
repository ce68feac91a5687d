"""Variants: `variants` lists them, `show` shows one, `variant new` begins one, `variant lint` and `check` try it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamesmaster.cli.arguments import VariantName, find_folder, find_variant_or_folder
from gamesmaster.cli.console import AsJson, ExitCode, many, progress_bar, say, say_findings, say_json, table
from gamesmaster.cli.variants.board import BOARD, RULES, SHAPES, VARIANT, board_source
from gamesmaster.cli.variants.board_build import title_of
from gamesmaster.errors import BadBoard, OutOfTurn
from gamesmaster.files import write_folder

if TYPE_CHECKING:
    from gamesmaster.board import Board, Province
    from gamesmaster.variant import Brief, Variant


def variants(as_json: AsJson = False) -> None:
    """List the variants that can be played.

    For example:

      gamesmaster variants
    """
    from gamesmaster.variant import find_variant, variant_names

    all_variants = [find_variant(name) for name in variant_names()]
    if as_json:
        say_json([{"id": v.id, "name": v.name, "powers": [p.name for p in v.powers]} for v in all_variants])
        return
    rows = [(v.id, v.name, len(v.powers), v.victory.centres, v.calendar.name(v.calendar.first)) for v in all_variants]
    table(("id", "name", "powers", "centres to win", "begins"), rows)


def show(
    variant: VariantName,
    as_json: AsJson = False,
) -> None:
    """Show a variant: its powers and their start, its calendar, the conditions of victory, options and special rules.

    A path leads to a variant's folder, or to a board file of another program.

    For example:

      gamesmaster show standard
      gamesmaster show standard --json
      gamesmaster show "cline9[turkey=fleet-smyrna]"
    """
    from gamesmaster.variant import mechanic_rows, start_rows, variant_facts

    played = find_variant_or_folder(variant)
    brief = _brief(played, variant)
    if as_json:
        say_json(_data(played, brief))
        return
    say(f"{played.name} ({played.id})")
    for word, text in variant_facts(played):
        say(f"  {word}: {text}")
    for name, text in mechanic_rows(played):
        say(f"  mechanic {name}: {text}")
    for option in played.options:
        choices = (f"{c} (as it stands)" if c == option.default else c for c in option.choices)
        say(f"  option {option.name}: {', '.join(choices)}")
        say(f"    {option.says}")
    say()
    table(("power", "units", "centres"), start_rows(played))
    if brief.special:
        say()
        rows = ((rule.says, ", ".join(rule.clauses), ", ".join(rule.by)) for rule in brief.special)
        table(("special rule", "clause", "by"), rows)


def _brief(variant: Variant, named: str) -> Brief:
    """Return the brief of a variant, from its folder or from the package."""
    from gamesmaster.variant import Brief, find_brief, read_brief, variant_names

    if folder := find_folder(named):
        return read_brief(folder)
    return find_brief(variant.family) if variant.family in variant_names() else Brief()


def _data(variant: Variant, brief: Brief) -> dict[str, Any]:
    from gamesmaster.board import board_data
    from gamesmaster.game import position_data
    from gamesmaster.rules import Rulebook
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
        "victory": asdict(variant.victory) | {"of": dict(variant.victory.of)},
        "mechanics": [{"name": m.id, **asdict(m)} for m in variant.mechanics],  # type: ignore[call-overload]
        "build_sites": variant.build_sites.value,
        "options": list(map(asdict, variant.options)),
        "special": list(map(asdict, brief.special)),
        "rulebook": Rulebook.of(variant.rulebook).choices(),
        "house_rules": HouseRules.of(variant.house_rules).choices(),
        "board": board,
        "provinces": board["provinces"],  # at the top as well: what most programs ask for
        "edges": board["edges"],
        "digest": variant.digest,
    }


# -- `variant lint` --------------------------------------------------------------------------------------------------


def lint(
    variant: VariantName,
    as_json: AsJson = False,
) -> None:
    """Look for everything that is wrong with a variant: files, powers, start, calendar, victory, mechanics, board, map.

    It reports all faults, not only the first, each with its file, its key and a suggestion. The exit code is 1 if
    there is an error; a warning may be intended.

    For example:

      gamesmaster variant lint my_game
      gamesmaster variant lint standard
    """
    from gamesmaster.pictures import lint_files
    from gamesmaster.variant import lint_folder, lint_variant

    folder = Path(variant)
    findings = (
        [*lint_folder(folder), *lint_files(folder)]
        if folder.is_dir()
        else lint_variant(find_variant_or_folder(variant))
    )
    say_findings(sorted(findings, key=lambda finding: finding.level), as_json=as_json)


# -- `variant check` -------------------------------------------------------------------------------------------------


def check(
    variant: VariantName,
    phases: Annotated[int, typer.Option(metavar="N", help="How many phases.", min=1, max=1_000_000)] = 10_000,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Play this many whole games instead.", min=1, max=100_000)
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The seed of the first game; each further game adds one.", min=0)
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Play a variant at random, and check that nothing breaks.

    Games consist of random legal orders, with some orders missing. After each phase, the command checks that units,
    builds, dice and what mechanics keep add up; every game is saved and loaded, taken back and played again. Each
    problem is printed with its phase, its orders and a command that reproduces it; the exit code is then 1.

    If the variant's folder has worked cases (scenarios.json), they are run first, and each that comes out differently
    is a problem. Those that need more than a position, its owners and orders are counted as not run.

    For example:

      gamesmaster variant check my_game
      gamesmaster variant check my_game --phases 500 --seed 7
      gamesmaster variant check my_game --games 200
    """
    from gamesmaster.testing import SCENARIOS, check_games, check_scenarios, check_variant

    size = {"games": games} if games else {"phases": phases}
    ((unit, number),) = ((word.removesuffix("s"), most or 0) for word, most in size.items())
    found_variant, folder = find_variant_or_folder(variant), find_folder(variant)
    cases = folder / SCENARIOS if folder else None
    worked = check_scenarios(found_variant, cases.read_bytes(), str(cases)) if cases and cases.is_file() else None
    with progress_bar() as tell:

        def show_progress(now: str, done: int) -> None:
            tell(now, done, number)

        if games:
            problems = check_games(found_variant, games=games, seed=seed, tell=show_progress, name=variant)
        else:
            problems = check_variant(found_variant, phases=phases, seed=seed, tell=show_progress, name=variant)
    played = many(number, unit)
    if worked:
        problems = [*worked.problems, *problems]
        played += f", {many(len(worked.run), 'scenario')} ({len(worked.not_run)} not run)"
    if as_json:
        say_json({"variant": found_variant.id, **size, "seed": seed, "problems": problems})
    else:
        for problem in problems:
            say(problem)
        say(f"{found_variant.name}: {played}, {many(len(problems), 'problem')}")
    if problems:
        raise typer.Exit(ExitCode.FAILED)


LONGEST_ID = 32
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")  # what TOML takes for a key without quotes
Homes = Mapping[str, "Sequence[Province]"]
"""Power to its home centres."""


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")],
    board: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="A board's folder, a board.json, or the name of a variant or board; FOLDER itself by default.",
        ),
    ] = None,
    power: Annotated[
        list[str] | None, typer.Option(metavar="NAME=HOMES", help="A power and its homes, in place of the board's own.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The game's name; by default that of the folder or the board.")
    ] = None,
) -> None:
    """Start a variant of your own on a board: a folder that can be linted, played and changed at once.

    Each power that has a home on the board gets a unit in each of its home centres. The comments of variant.toml say
    what may be changed. If the folder contains the board already, only missing files are written.

    For example:

      gamesmaster variant new my_game --board my_island
      gamesmaster variant new my_island
      gamesmaster variant new duel --board standard --power France=PAR,BRE,MAR --power Germany=BER,MUN,KIE
    """
    inside = board is None or Path(board).resolve() == folder.resolve()
    taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if (folder / VARIANT).exists() or (taken and not inside):
        raise OutOfTurn(f"{folder} exists already", hint="choose another name, or empty it first")
    played, texts = _board_files(str(folder) if board is None else board, power or [])
    title, homes = title_of(folder, played.name if inside and name is None else name), homes_of(played)
    texts |= {VARIANT: _variant_text(folder, title, played, homes), RULES: _rules_text(folder, title, played, homes)}
    wanted = {key: text for key, text in texts.items() if not (inside and (folder / key).exists() and not power)}
    write_folder(folder, wanted)
    say(f"{folder}: {title}, {many(len(homes), 'power')}, {many(len(played.centres), 'centre')}.")
    for key in wanted:
        say(f"  {key}")
    say(f"Next: gamesmaster variant lint {folder}")


# -- the board -------------------------------------------------------------------------------------------------------


def _board_files(text: str, powers: Sequence[str]) -> tuple[Board, dict[str, bytes]]:
    """Return the board that a user means, with other homes if some are named, and what its files hold."""
    from gamesmaster.board import board_text, read_board

    source = board_source(text)
    files = {name: source.folder / name for name in (BOARD, SHAPES)} if source.folder else {}
    files_there = {name: path.read_bytes() for name, path in files.items() if path.is_file()}
    board = read_board(files[BOARD]) if BOARD in files_there else source.board
    if powers:
        board = _with_homes(board, powers)
    if powers or BOARD not in files_there:
        files_there = {BOARD: board_text(board).encode(), **{k: v for k, v in files_there.items() if k != BOARD}}
    if not any(province.home and province.centre for province in board.provinces):
        hint = 'name them: --power "Ash=ABC,DEF" --power "Birch=GHI"'
        raise BadBoard(f"the board {board.name} marks no homes, so there are no powers to play", hint=hint)
    return board, files_there


def _with_homes(board: Board, powers: Sequence[str]) -> Board:
    """Return the board with these homes (`France=PAR,BRE`) and no others.

    Raises `NotFound`, or `BadBoard` for no centre.
    """
    homes: dict[str, str] = {}
    for text in powers:
        name, sign, places = (part.strip() for part in text.partition("="))
        if not (name and sign and places):
            raise typer.BadParameter(f"{text!r} is not written NAME=HOME,HOME", param_hint="--power")
        for key in map(str.strip, places.split(",")):
            if not board.province(key).centre:
                raise BadBoard(f"{board.province(key).name} cannot be {name}'s home", hint="it is not a supply centre")
            if homes.setdefault(key, name) != name:
                raise BadBoard(f"{board.province(key).name} cannot be home to both {homes[key]} and {name}")
    return _reduce(board, homes)


def _reduce(board: Board, homes: Mapping[str, str]) -> Board:
    """Return the board with these homes (province to power), and without rules for absent powers."""
    playing = frozenset(homes.values())
    edges = (e._replace(only=e.only & playing) for e in board.edges if not e.only or e.only & playing)
    closures = (replace(c, powers=c.powers & playing) for c in board.closures if not c.powers or c.powers & playing)
    provinces = (replace(province, home=homes.get(province.id)) for province in board.provinces)
    return replace(board, provinces=tuple(provinces), edges=tuple(edges), closures=tuple(closures))


def homes_of(board: Board) -> dict[str, list[Province]]:
    """Map each power to its home centres, in alphabetical order of the powers."""
    homes: dict[str, list[Province]] = {}
    for province in board.provinces:
        if province.home and province.centre:
            homes.setdefault(province.home, []).append(province)
    return dict(sorted(homes.items()))


def opening(board: Board, homes: Sequence[Province]) -> list[str]:
    """Return a unit for each home centre in plain form: armies, and a fleet in each power's first centre on a coast.

    Where no army could move away, a centre on a coast gets a fleet, too. A power with a single centre begins with an
    army, if it can move away.
    """
    units, fleet_due = [], len(homes) > 1
    sailors = [kind for kind in board.kinds if board.sails(kind)]
    walkers = [kind for kind in board.kinds if not board.sails(kind)]
    for province in homes:
        here = f"{province.id}/{province.coasts[0]}" if province.coasts else province.id
        number = board.index[province.id]
        walks = any(board.reach(kind, board.locations_of(number)[0]) for kind in walkers)
        if sailors and board.waters[number] and (fleet_due or not walks):
            units.append(f"{sailors[0]} {here}")
            fleet_due = False
        else:
            units.append(f"{walkers[0] if walkers else sailors[0]} {province.id}")
    return units


# -- the files of the game -------------------------------------------------------------------------------------------


def _variant_text(folder: Path, title: str, board: Board, homes: Homes) -> bytes:
    first = next(iter(homes))
    needed = len(board.centres) // 2 + 1
    border = next((edge for edge in board.edges if edge.way != "fleet"), board.edges[0] if board.edges else None)
    return _fill(
        VARIANT,
        title=title,
        name=_quote(title),
        folder=str(folder).ljust(12),
        id=_quote(_id(folder)).ljust(30),
        victory=f"{needed:<4}",
        centres=f"{len(board.centres)}",
        of=f"{first if _BARE_KEY.fullmatch(first) else _quote(first)} = {needed + 1} }}".ljust(26),
        here=border.a.province if border else "ABC",
        there=border.b.province if border else "DEF",
        powers="".join(
            f"\n[[powers]]\nname = {_quote(power)}\nadjective = {_quote(power)}\n"
            f"units = [{', '.join(map(_quote, opening(board, centres)))}]\n"
            for power, centres in homes.items()
        ),
    )


def _rules_text(folder: Path, title: str, board: Board, homes: Homes) -> bytes:
    return _fill(
        RULES,
        title=title,
        letters=("".join(filter(str.isalpha, _id(folder)))[:3] or "my").upper(),
        count=f"{len(homes)}",
        provinces=f"{len(board.provinces)}",
        centres=f"{len(board.centres)}",
        victory=f"{len(board.centres) // 2 + 1}",
        names=", ".join(homes),
    )


def _fill(template: str, **words: str) -> bytes:
    path = Path(str(files("gamesmaster.cli.variants"))) / "variant_templates" / template
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found[1]], path.read_text(encoding="utf-8")).encode()


def _id(folder: Path) -> str:
    """Return an id made of the folder's name; the folder's name itself, where that can be an id."""
    return re.sub(r"[^a-z0-9_]+", "_", folder.resolve().name.casefold()).strip("_")[:LONGEST_ID] or "game"


def _quote(text: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)
