"""`legal`: what may be ordered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import GameFile, open_game
from gamesmaster.cli.console import AsJson, say, say_json

if TYPE_CHECKING:
    from gamesmaster.game import Game
    from gamesmaster.judge import LegalOrders
    from gamesmaster.orders import Order


def legal(
    file: GameFile,
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="A unit or a power; all by default.", show_default=False)
    ] = "",
    tree: Annotated[bool, typer.Option("--tree", help="As nested choices, for guided entry.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the legal orders of the phase being played: all that the units on the board could carry out.

    For example:

      gamesmaster legal winter.json "A Par"
      gamesmaster legal winter.json france --tree
    """
    from gamesmaster.judge import LegalOrders, order_tree

    game = open_game(file)
    found = _asked(game, LegalOrders(game.rules, game.position), what)
    notation = game.rules.notation
    if as_json:
        shown = {p: order_tree(notation, o) if tree else list(map(notation.write, o)) for p, o in found.items()}
        say_json(shown)
        return
    for power, orders in found.items():
        say(power)
        for line in _branches(order_tree(notation, orders)) if tree else map(notation.tell, orders):
            say(f"  {line}")


def _asked(game: Game, legal: LegalOrders, what: str) -> dict[str, list[Order]]:
    """The legal orders of all powers, of one, or of one unit; raises `NotFound`."""
    from gamesmaster.cli.arguments import power_named, province_named
    from gamesmaster.errors import NotFound

    kind = game.phase.kind
    power = power_named(game, what)
    if power or not what:
        powers = [power] if power else game.rules.powers
        return {p: orders for p in powers if (orders := legal.of_power(kind, p, game.season)) or power}
    province = province_named(game, what)
    found: dict[str, list[Order]] = {}
    for name in game.rules.powers:
        orders = [o for o in legal.of_power(kind, name, game.season) if o.at and o.at.province == province]
        if orders:
            found[name] = orders
    if not found:
        raise NotFound(f"no unit to be ordered in {game.variant.board.province(province).name}")
    return found


def _branches(tree: object, depth: int = 0) -> list[str]:
    """A tree as lines, each level indented under its choice."""
    lines = []
    if isinstance(tree, dict):
        for choice, branch in tree.items():
            leaf = f": {branch}" if isinstance(branch, str) else ""
            lines += [f"{'  ' * depth}{choice}{leaf}", *_branches(branch, depth + 1)]
    return lines
