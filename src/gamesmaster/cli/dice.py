"""`dice verify`: did the dice fall as the seed says?"""

from __future__ import annotations

import typer

from gamesmaster.cli.arguments import GameFile, edition_reader, finder
from gamesmaster.cli.console import AsJson, ExitCode, complain, many, say, say_json


def verify(file: GameFile, as_json: AsJson = False) -> None:
    """Check every throw of a game against its seed, and the seed against its published SHA-256.

    For example:

      gamesmaster dice verify winter.json
    """
    from gamesmaster.game import load

    game = load(file, find=finder(file.parent), read=edition_reader, verify=False)
    # the seed's hash is checked in any case
    wrong = game.dice.verify(game.dice.commitment, game.throws)
    if as_json:
        say_json({"commitment": game.dice.commitment, "throws": len(game.throws), "wrong": wrong})
    else:
        for text in wrong:
            complain("error", text)
        say(f"SHA-256 of the seed: {game.dice.commitment}")
        say(f"{many(len(game.throws), 'throw')}, {len(wrong)} wrong")
    if wrong:
        raise typer.Exit(ExitCode.FAILED)
