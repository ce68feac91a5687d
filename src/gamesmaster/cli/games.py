"""Commands that play a game: begin it, process, roll back, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import (
    GameFile,
    HouseRulesText,
    RulebookText,
    change_game,
    open_game,
    read_house_rules,
    rulebook_of,
    variant_beside,
)
from gamesmaster.cli.console import AsJson, complain, many, say, say_json

if TYPE_CHECKING:
    from gamesmaster.game import Game


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make.", show_default=False)],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYERS]...",
            help="POWER=NAME for some powers, or one name for each, assigned by lot.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[str, typer.Option(metavar="NAME", help="The variant to play, or its folder.")] = "standard",
    rulebook: RulebookText = None,
    house_rules: HouseRulesText = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="The seed of all dice: 64 hexadecimal digits.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if there is one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Begin a game.

    For example:

      gamesmaster new winter.json
      gamesmaster new winter.json p1 p2 p3 p4 p5 p6 p7
      gamesmaster new winter.json France=p1 Germany=p2 --rulebook 1971
      gamesmaster new winter.json --house-rules postal-1972,deadline_days=14
    """
    from gamesmaster.errors import OutOfTurn
    from gamesmaster.game import Game, save

    if file.exists() and not force:
        raise OutOfTurn(f"{file} exists already", hint="choose another name, or replace it with --force")
    found = variant_beside(file, variant)
    house = read_house_rules(house_rules)
    game = Game.start(
        found, seed=_seed(seed), rulebook=rulebook_of(rulebook), players=_seats(players or []), house_rules=house
    )
    save(game, file)
    commitment = game.dice.commitment
    if as_json:
        say_json({"file": str(file), "variant": found.id, "phase": game.phase.code, "players": dict(game.players),
                  "house_rules": str(game.house_rules), "commitment": commitment})  # fmt: skip
        return
    say(f"{file}: {found.name}, {found.calendar.name(game.phase)}.")
    for power, player in game.players.items():
        say(f"  {power}: {player}")
    if game.house_rules.choices():
        say(f"House rules: {game.house_rules}")
    say(f"SHA-256 of the seed, for the players: {commitment}")


def _seed(text: str | None) -> bytes:
    from gamesmaster.game import new_seed

    try:
        return new_seed() if text is None else bytes.fromhex(text)
    except ValueError:
        raise typer.BadParameter("expected hexadecimal digits", param_hint="--seed") from None


def _seats(players: list[str]) -> dict[str, str] | list[str]:
    pairs = {power.strip(): name.strip() for power, sign, name in (t.partition("=") for t in players) if sign}
    if pairs and len(pairs) < len(players):
        raise typer.BadParameter("either POWER=NAME for each, or only names", param_hint="PLAYERS")
    return pairs or players


# -- the course of the game ------------------------------------------------------------------------------------------


def process(
    file: GameFile,
    phase: Annotated[str, typer.Option(metavar="PHASE", help="Only if this is the current phase.")] = "",
    preview: Annotated[bool, typer.Option("--preview", help="Show the results, and write nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Adjudicate the phase with the orders received, report it, and go on to the next.

    Units without orders hold. If you name the phase, it is never processed twice.

    For example:

      gamesmaster process winter.json --preview
      gamesmaster process winter.json --phase S1901M
    """
    before = open_game(file)
    code = phase or before.phase.code
    game = before.process(phase=code) if preview else change_game(file, lambda game: game.process(phase=code))
    silent = [s.power for s in before.status if s.waiting]
    if silent:
        complain("warning", f"no orders from {', '.join(silent)}")
    if gone := sorted(game.disorder - before.disorder):
        complain("note", f"in civil disorder from now on: {', '.join(gone)} [CLN-H.e]")
    _say_report(game, "", as_json=as_json)
    if preview:
        complain("warning", "this was a preview; nothing was written")


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
    phase: Annotated[str, typer.Option(metavar="PHASE", help="A phase that is over; the last one by default.")] = "",
    every: Annotated[bool, typer.Option("--all", help="The whole game, from its beginning.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the report of a phase, as a Gamesmaster posts it: every order with its result and the reason.

    It contains no secrets: orders of the phase being played are not in it.

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
