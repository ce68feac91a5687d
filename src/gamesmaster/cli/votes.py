"""Commands of the end and of the players: agree to a draw, concede, note that a player is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from gamesmaster.cli.arguments import GameFile, change_game
from gamesmaster.cli.console import AsJson, complain, say, say_json
from gamesmaster.cli.status import proposals, proposed, status_data

if TYPE_CHECKING:
    from gamesmaster.game import Game

Goal: TypeAlias = "Callable[[Game], tuple[str, ...]]"
"""Who wins, of a game, if those who vote have their way."""

Agreeing = Annotated[list[str], typer.Argument(metavar="POWER", help="Who agrees.", show_default=False)]
Withdraw = Annotated[bool, typer.Option("--withdraw", help="Withdraw their votes.")]


def draw(
    file: GameFile,
    powers: Agreeing,
    among: Annotated[
        list[str] | None,
        typer.Option("--among", metavar="POWER", help="A power that shares it, if not all survivors do; repeatable.",
                     show_default=False),
    ] = None,
    withdraw: Withdraw = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Record that powers vote for a draw, shared by all survivors or, if house rules allow that, by some of them.

    The game is over when all survivors agree. Each power has one vote for the phase being played: a new vote replaces
    the old one. Powers in civil disorder are not asked, but share in a draw of all survivors.

    For example:

      gamesmaster draw winter.json france germany
      gamesmaster draw winter.json germany --withdraw
      gamesmaster draw winter.json italy --among france --among germany
    """
    _vote(file, powers, lambda game: game.sharing(among or ()), withdraw=withdraw, as_json=as_json)


def concede(
    file: GameFile,
    powers: Agreeing,
    to: Annotated[str, typer.Option("--to", metavar="POWER", help="The power that would win.", show_default=False)],
    withdraw: Withdraw = False,
    as_json: AsJson = False,
) -> None:
    """Record that powers vote for the victory of another.

    The game is over when all the other survivors agree; house rules can require the winner's consent too. Each power
    has one vote for the phase being played: a new vote replaces the old one. Powers in civil disorder are not asked.

    For example:

      gamesmaster concede winter.json austria italy --to france
      gamesmaster concede winter.json italy --to france --withdraw
    """
    _vote(file, powers, lambda game: (game.variant.power(to).name,), withdraw=withdraw, as_json=as_json)


def absent(
    file: GameFile,
    powers: Annotated[
        list[str], typer.Argument(metavar="POWER", help="Powers that have lost their players.", show_default=False)
    ],
    back: Annotated[bool, typer.Option("--back", help="They have players again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Record that powers have lost their players, or have players again.

    A power without a player is in civil disorder: its units hold, and it needs neither orders nor votes. Its orders for
    this phase and its vote are deleted, and do not come back with a new player.

    For example:

      gamesmaster absent winter.json italy
      gamesmaster absent winter.json italy --back
    """
    game = change_game(file, lambda game: _seats_changed(game, powers, back=back))
    if as_json:
        say_json(status_data(game))
        return
    say(f"{'With a player again' if back else 'In civil disorder'}: {', '.join(_names(game, powers))}.")
    for proposal in proposals(game):
        if not proposal.missing:  # the one who had not agreed is gone, and the votes are not counted anew
            complain("note", proposal.text)


def _names(game: Game, powers: Iterable[str]) -> list[str]:
    """Each power that is named, once; raises `NotFound`."""
    return list(dict.fromkeys(game.variant.power(power).name for power in powers))


def _seats_changed(game: Game, powers: Iterable[str], *, back: bool) -> Game:
    from gamesmaster.errors import OutOfTurn

    for name in _names(game, powers):
        changed = game.set_disorder(name, not back)
        if back and name not in game.disorder:
            raise OutOfTurn(f"{name} is not in civil disorder")
        game = changed
    return game


def _vote(file: Path, powers: list[str], goal: Goal, *, withdraw: bool, as_json: bool) -> None:
    """Take the votes of these powers, all of them or none, for an end of the game; say how it stands."""
    game = change_game(file, lambda game: _voted(game, _names(game, powers), goal(game), withdraw=withdraw))
    if as_json:
        say_json(status_data(game))
    elif game.outcome:
        say(f"The game is over: {game.outcome.text}")
    else:
        say(proposed(game, goal(game)).text)


def _voted(game: Game, names: list[str], winners: tuple[str, ...], *, withdraw: bool) -> Game:
    from gamesmaster.errors import OutOfTurn

    def vote(game: Game, name: str) -> Game:
        if len(winners) == 1 and winners != game.survivors:
            return game.concede(name, *winners, yes=not withdraw)
        return game.vote_draw(name, not withdraw, among=winners)

    for name in names:  # each by itself first: who may not vote is told so, even where the others end the game
        vote(game, name)
        if withdraw and game.votes.get(name) != winners:  # or its other vote would be dropped unawares
            raise OutOfTurn(f"{name} has not agreed {proposed(game, winners).goal}")
    for name in names:
        game = game if game.outcome else vote(game, name)
    return game
