"""`variant check`: thousands of random phases of a variant, and what must hold after each."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.cli.console import AsJson, ExitCode, many, say, say_json, variant_named
from gamesmaster.cli.progress import progress_bar


def check(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A variant's folder, or its name.", show_default=False)
    ],
    phases: Annotated[int, typer.Option(metavar="N", help="How many phases.", min=1, max=1_000_000)] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the first game; the next has the next number.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Play a variant at random, and see that nothing is broken on the way.

    Every game is of random lawful orders, some of them none. After each phase it is looked at whether units, boats,
    builds and dice are all accounted for; every game is saved and read back, taken back and played again. What goes
    wrong is told with its phase, its orders and the command that shows it again. The exit code is 1 then.

    For example:

      gamesmaster variant check my_game
      gamesmaster variant check my_game --phases 500 --seed 7
    """
    from gamesmaster.testing.conformance import check_variant

    found_variant = variant_named(variant)
    with progress_bar() as tell:
        found = check_variant(
            found_variant, phases=phases, seed=seed, tell=lambda now, done: tell(now, done, phases), name=variant
        )
    if as_json:
        say_json({"variant": found_variant.id, "phases": phases, "seed": seed, "problems": found})
    else:
        for problem in found:
            say(problem)
        say(f"{found_variant.name}: {many(phases, 'phase')}, {many(len(found), 'problem')}")
    if found:
        raise typer.Exit(ExitCode.FAILED)
