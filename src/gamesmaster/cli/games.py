"""Commands that play a game: begin it, take orders, process, roll back, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.console import (
    AsJson,
    ExitCode,
    GameFile,
    RulebookText,
    change_game,
    complain,
    finder,
    many,
    open_game,
    rulebook_of,
    say,
    say_json,
    table,
)

if TYPE_CHECKING:
    from gamesmaster.game import Game
    from gamesmaster.orders import Line, Sheet


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.", show_default=False)],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYERS]...", help="POWER=NAME for some, or a name for each, dealt by lot.", show_default=False
        ),
    ] = None,
    variant: Annotated[str, typer.Option(metavar="NAME", help="The variant to play.")] = "standard",
    rulebook: RulebookText = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="The seed of all dice: 64 hexadecimal digits.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Begin a game.

    For example:

      gamesmaster new winter.json
      gamesmaster new winter.json Ann Bob Cid Dora Eve Fred Gus
      gamesmaster new winter.json France=Ann Germany=Bob --rulebook 1971
    """
    from gamesmaster.errors import OutOfTurn
    from gamesmaster.game import Game, save

    if file.exists() and not force:
        raise OutOfTurn(f"{file} exists already", hint="choose another name, or replace it with --force")
    found = finder(file.parent)(variant)
    game = Game.start(found, seed=_seed(seed), rulebook=rulebook_of(rulebook), players=_seats(players or []))
    save(game, file)
    commitment = game.dice.commitment
    if as_json:
        say_json({"file": str(file), "variant": found.id, "phase": game.phase.code, "players": dict(game.players),
                  "commitment": commitment})  # fmt: skip
        return
    say(f"{file}: {found.name}, {found.calendar.name(game.phase)}.")
    for power, player in game.players.items():
        say(f"  {power}: {player}")
    say(f"SHA-256 of the seed, for the players: {commitment}")


def _seed(text: str | None) -> bytes:
    from gamesmaster.game import new_seed

    try:
        return new_seed() if text is None else bytes.fromhex(text)
    except ValueError:
        raise typer.BadParameter("hexadecimal digits are wanted", param_hint="--seed") from None


def _seats(players: list[str]) -> dict[str, str] | list[str]:
    pairs = {power.strip(): name.strip() for power, sign, name in (t.partition("=") for t in players) if sign}
    if pairs and len(pairs) < len(players):
        raise typer.BadParameter("either POWER=NAME for each, or only names", param_hint="PLAYERS")
    return pairs or players


# -- orders ----------------------------------------------------------------------------------------------------------


def order(
    file: GameFile,
    power: Annotated[str, typer.Argument(metavar="POWER", help="Whose orders they are.", show_default=False)],
    orders: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ORDERS]...", help="The orders; - reads a sheet of them.", show_default=False),
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option("--file", metavar="SHEET", help="Read the orders from a file.", show_default=False)
    ] = None,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="Refuse them unless this phase is being played.")] = "",
    amend: Annotated[
        bool | None,
        typer.Option(
            "--amend/--replace", help="Keep earlier orders of other units, or drop them all.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Give a power's orders.

    What can be read is stored, and said in full words so that you see how it was understood. Slips are pointed out:
    errors are orders that were not stored, warnings are about orders that were. A later set replaces an earlier one.

    For example:

      gamesmaster order winter.json france "A Par - Bur" "A Mar S A Par - Bur" "F Bre - Mao"
      gamesmaster order winter.json france --amend "F Bre - Eng"
      gamesmaster order winter.json france --file orders.txt
    """
    text = _sheet_text(orders or [], sheet)
    game = open_game(file)
    name, code = game.variant.power(power).name, phase or game.phase.code
    read = game.rules.notation.sheet(text, game.phase.kind, name)
    lines = _own(read, name)
    texts = [line.text for line in lines if line.order]
    if texts:
        game = change_game(file, lambda game: game.submit(name, texts, phase=code, amend=amend))
    _say_understood(game, name, lines, as_json=as_json)
    if read.errors or not texts:
        raise typer.Exit(ExitCode.FAILED)


def _sheet_text(orders: list[str], sheet: Path | None) -> str:
    from gamesmaster import strictjson
    from gamesmaster.errors import BadFile
    from gamesmaster.orders.sheet import LONGEST_SHEET

    if bool(orders) == (sheet is not None):
        raise typer.BadParameter("give orders, - to read them from the input, or --file", param_hint="ORDERS")
    if sheet is None and orders != ["-"]:
        return "\n".join(orders)
    where = str(sheet or "-")
    if sheet is None:
        data = typer.get_binary_stream("stdin").read(LONGEST_SHEET + 1)
    else:
        data = strictjson.read_bytes(sheet, limit=LONGEST_SHEET)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"no UTF-8 text: {error.reason} at byte {error.start}", where=where) from None


def _own(sheet: Sheet, power: str) -> tuple[Line, ...]:
    """The lines of this power; raises `Unreadable` if there are another's among them (STD-4.h)."""
    from gamesmaster.errors import Unreadable

    for other, lines in sheet.orders.items():
        if other != power and lines:
            raise Unreadable(f"orders for {other} in a set of {power}", line=lines[0].number)
    return sheet.orders[power]


def _say_understood(game: Game, power: str, lines: tuple[Line, ...], *, as_json: bool) -> None:
    from gamesmaster.judge import corroborate

    kind, stored = game.phase.kind, list(game.orders.get(power, ()))
    warnings = corroborate(game.rules, kind, game.position, {power: stored}) if stored else []
    errors = [line.error for line in lines if line.error]
    understood = [{"text": text, "order": _in_full(game, text)} for text in stored]
    if as_json:
        say_json(
            {
                "power": power,
                "phase": game.phase.code,
                "orders": understood,
                "warnings": [{"about": w.subject, "text": w.text, "clause": w.clause} for w in warnings],
                "errors": [
                    {"line": e.line, "column": e.column, "text": e.text, "what": e.what, "hint": e.hint} for e in errors
                ],
            }
        )
        return
    say(f"{power}, {game.variant.calendar.name(game.phase)}: {many(len(stored), 'order')}.")
    for entry in understood:
        say(f"  {entry['order']}")
    for warning in warnings:
        complain("warning", f"{warning} [{warning.clause}]")
    for error in errors:
        complain("error", str(error))
    if not stored:
        complain("warning", "nothing was stored")


def _in_full(game: Game, text: str) -> str:
    """An order in full words; as it was given, if it makes none."""
    order = game.rules.clerk.read(text, game.phase.kind).order
    return game.rules.notation.write(order, full=True) if order else text


# -- the course of the game ------------------------------------------------------------------------------------------


def status(file: GameFile, as_json: AsJson = False) -> None:
    """Say where a game stands: the phase, what is asked of whom, whose orders are in.

    For example:

      gamesmaster status winter.json
    """
    game = open_game(file)
    if as_json:
        say_json(_status_data(game))
        return
    say(f"{game.variant.name}, {game.variant.calendar.name(game.phase)} ({game.phase.code})")
    if game.outcome:
        say(game.outcome.text)
        return
    rows = [
        (s.power, game.players.get(s.power, ""), s.centres, s.units, s.text, _received(s.orders, disorder=s.disorder))
        for s in game.status
    ]
    table(("power", "player", "centres", "units", "asked for", "received"), rows)


def _received(orders: int | None, *, disorder: bool) -> str:
    if disorder:
        return "in civil disorder"
    return "nothing" if orders is None else many(orders, "order")


def _status_data(game: Game) -> dict[str, object]:
    return {
        "variant": game.variant.id,
        "phase": game.phase.code,
        "outcome": game.outcome.text if game.outcome else None,
        "powers": [
            {"power": s.power, "player": game.players.get(s.power), "centers": s.centres, "units": s.units,
             "asked_for": s.text, "orders": s.orders, "waiting": s.waiting, "civil_disorder": s.disorder}
            for s in game.status
        ],
    }  # fmt: skip


def process(
    file: GameFile,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="Only if this phase is being played.")] = "",
    preview: Annotated[bool, typer.Option("--preview", help="Show what would come out, and write nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Adjudicate the phase with the orders received, report it, and go on to the next.

    Units without orders hold. Given the phase, a deadline that is kept twice does no harm.

    For example:

      gamesmaster process winter.json --preview
      gamesmaster process winter.json --phase S1901M
    """
    before = open_game(file)
    silent = [s.power for s in before.status if s.waiting]
    if silent:
        complain("warning", f"no orders from {', '.join(silent)}")
    code = phase or before.phase.code
    game = before.process(phase=code) if preview else change_game(file, lambda game: game.process(phase=code))
    _say_report(game, "", as_json=as_json)
    if preview:
        complain("warning", "this was a preview: nothing was written")


def rollback(
    file: GameFile,
    phase: Annotated[str, typer.Argument(metavar="PHASE", help="The phase to go back to.", show_default=False)],
) -> None:
    """Take a game back to an earlier phase, with the orders it had then.

    The phases after it are dropped. Dice of later phases fall as before if nothing changes.

    For example:

      gamesmaster rollback winter.json F1902M
    """
    game = change_game(file, lambda game: game.rollback(phase))
    orders = sum(map(len, game.orders.values()))
    say(f"Back in {game.variant.calendar.name(game.phase)}, with its {many(orders, 'order')}.")


def report(
    file: GameFile,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="A phase that is over; the last if left out.")] = "",
    every: Annotated[bool, typer.Option("--all", help="The whole game, from its beginning.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the report of a phase, as a Gamesmaster posts it: every order with its result and the reason.

    No secret is told: orders of the phase being played are not in it.

    For example:

      gamesmaster report winter.json
      gamesmaster report winter.json --phase S1901M
      gamesmaster report winter.json --all
    """
    if phase and every:
        raise typer.BadParameter("a phase, or all of them", param_hint="--phase")
    _say_report(open_game(file), phase, every=every, as_json=as_json)


def _say_report(game: Game, phase: str, *, every: bool = False, as_json: bool = False) -> None:
    from gamesmaster.cli.game_data import phases_data
    from gamesmaster.game import history
    from gamesmaster.game import report as report_text

    if as_json:
        say_json(phases_data(game, phase, every=every))
    else:
        say((history(game) if every else report_text(game, phase)).rstrip())
