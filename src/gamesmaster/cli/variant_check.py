"""`variant check`: thousands of random phases of a variant, and what must hold after each."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.cli.arguments import variant_named
from gamesmaster.cli.console import AsJson, ExitCode, many, progress_bar, say, say_json


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
    from gamesmaster.testing.conformance import check_games, check_variant
    from gamesmaster.testing.free_text import check_texts

    size = {"texts": texts} if texts else {"games": games} if games else {"phases": phases}
    ((unit, number),) = ((word.removesuffix("s"), most or 0) for word, most in size.items())
    found_variant = variant_named(variant)
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
