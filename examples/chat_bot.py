"""The loop of a chat bot for one game: `POWER: ORDERS` stores orders, `process` plays the phase, `why` explains it."""

from gamesmaster import Game, GamesmasterError, find_variant, report


def answer(game: Game, line: str) -> tuple[Game, str]:
    """Return the game after a message, and what to say."""
    power, colon, orders = line.partition(":")
    try:
        if colon:
            power = game.rules.power(power)
            game = game.submit(power, orders.replace(";", "\n"))
            return game, f"{power}: " + "; ".join(map(str, game.orders[power]))
        if line == "process":
            game = game.process()
            return game, report(game)
        if line == "why" and game.records:
            return game, "\n".join(
                f"{ruling.given} {ruling.text}" for ruling in game.adjudication(game.records[-1]).rulings
            )
    except GamesmasterError as error:
        return game, str(error)
    return game, game.phase.code


if __name__ == "__main__":
    current = Game.start(find_variant("standard"), seed=bytes(32))
    while True:
        current, said = answer(current, input("> "))
        print(said)
