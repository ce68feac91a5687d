"""Let language models negotiate and play each other: `python examples/compat/model_arena.py`.

Written for the PyPI package `diplomacy`; only the imports are of its drop-in.  `StandIn` answers in the place of a
model: with a sentence to a neighbour, and with orders of which some are not possible.
"""

import random

from gamesmaster.compat.diplomacy import Game, Message
from gamesmaster.compat.diplomacy.utils.export import to_saved_game_format


class StandIn:
    """Answers prompts at random, as a model would that reads them badly."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def write(self, prompt, others):
        """A recipient and a message."""
        return self.chance.choice([*others, "GLOBAL"]), f"I have {prompt.count(',') + 1} units. Peace?"

    def order(self, prompt, possible):
        """One order for each place, and one that is not possible."""
        return [self.chance.choice(orders) for orders in possible.values() if orders] + ["A PAR - MOS"]


def prompt_of(game, power):
    """What a model is shown: its units and centres, what was said to it, and the last results."""
    said = game.filter_messages(game.messages, power)
    lines = [f"{game.get_current_phase()}: you are {power}", ", ".join(game.get_units(power))]
    lines += [f"{message.sender} to {message.recipient}: {message.message}" for message in said.values()]
    lines += [
        f"{unit}: {' '.join(map(str, results))}" for unit, results in game.get_order_status(power).items() if results
    ]
    return "\n".join(lines)


def negotiate(game, models, rounds=1):
    """Every power that is still in the game writes in each round."""
    for _ in range(rounds):
        for power, model in models.items():
            if not game.powers[power].is_eliminated():
                others = [name for name in game.powers if name != power]
                recipient, body = model.write(prompt_of(game, power), others)
                game.add_message(
                    Message(sender=power, recipient=recipient, message=body, phase=game.current_short_phase)
                )


def play(until=1903, seed=1, path=None):
    """The game at its end, and how many orders were not possible."""
    game = Game(rules=["SOLITAIRE", "POWER_CHOICE"])
    models = {power: StandIn(seed + number) for number, power in enumerate(game.powers)}
    refused = 0
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < until:
        if game.phase_type == "M":
            negotiate(game, models)
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            orders = models[power].order(prompt_of(game, power), {place: possible[place] for place in places})
            game.set_orders(power, orders)
            refused += len(orders) - len(game.get_orders(power))
        game.process()
    to_saved_game_format(game, path, "w")
    return game, refused


if __name__ == "__main__":
    played, lost = play(path="arena.jsonl")
    print({name: len(power.centers) for name, power in played.powers.items()}, f"{lost} orders were not possible")
