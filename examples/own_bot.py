"""A bot that attacks centres, against six that play at random: `python examples/own_bot.py`."""

from gamesmaster import Order, Variant, find_variant
from gamesmaster.players import Bot, Match, Random, View, play


class Greedy(Bot):
    """Moves each unit to a centre that it does not own, where it can, and stays there."""

    name = "greedy"

    def orders(self, view: View) -> list[Order]:
        """Return an order for each unit; builds and removals are the first that are legal."""
        wanted = {*view.variant.board.centres} - {*view.position.centres(view.power)}
        found: dict[str, Order] = {}
        for order in view.legal.of_power(view.phase.kind, view.power):
            goal = order.to.province if order.to and not order.of else ""
            stays = order.at is not None and order.at.province in wanted
            if str(order.at) not in found or (goal in wanted and not stays):
                found[str(order.at)] = order
                wanted.discard(goal)
        return list(found.values())


def match(variant: Variant, seed: int = 1) -> Match:
    """Play a game to 1905."""
    others = [Random() for _ in variant.powers[1:]]
    return play(variant, [Greedy(), *others], seed=seed, until=1905)


if __name__ == "__main__":
    print(match(find_variant("standard")).centres)
