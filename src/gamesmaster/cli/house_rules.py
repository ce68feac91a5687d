"""`house-rules`: what a Gamesmaster settles beside the rules, and the presets; or what holds in a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamesmaster.cli.arguments import open_game, read_house_rules
from gamesmaster.cli.console import AsJson, say, say_json, table

if TYPE_CHECKING:
    from gamesmaster.variant import HouseRules


def house_rules(
    choices: Annotated[
        str, typer.Argument(metavar="[CHOICES]", help="A preset, settings, or both; as --house-rules takes them.")
    ] = "standard",
    game: Annotated[
        Path | None,
        typer.Option("--game", metavar="FILE", help="The rules of this game, as sentences.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List every house rule with its answers, the one chosen in brackets; or print the house rules of a game.

    For example:

      gamesmaster house-rules
      gamesmaster house-rules postal-1972,late_orders=strict
      gamesmaster house-rules --game winter.json
    """
    from gamesmaster.variant import HouseRules
    from gamesmaster.variant.house_rules import PRESETS, settings

    house = open_game(game).house_rules if game else HouseRules.of(read_house_rules(choices))
    if as_json:
        told = [
            {"clause": s.clause, "name": name, "question": s.question, "answers": dict(s.answers),
             "most": s.most or None, "host": s.host, "chosen": getattr(house, name), "says": house.sentence(name)}
            for name, s in settings().items()
        ]  # fmt: skip
        say_json({"presets": list(PRESETS), "house_rules": str(house), "settings": told})
        return
    if game:
        _say_sentences(house)
        return
    for title, host in (("Carried out by the program", False), ("For the Gamesmaster", True)):
        say(f"{title}:")
        rows = [(s.clause, name, _answers(house, name)) for name, s in settings().items() if s.host is host]
        table(("clause", "setting", "answers"), rows)
        say()
    say(f"Presets: {', '.join(PRESETS)}")


def _answers(house: HouseRules, name: str) -> str:
    """The answers of a setting, the one that holds in brackets; of a number what it may be."""
    from gamesmaster.variant.house_rules import settings

    setting, chosen = settings()[name], getattr(house, name)
    if setting.most:
        return f"[{chosen}] from 0 to {setting.most}"
    return " ".join(f"[{word}]" if word == chosen else word for word in setting.answers)


def _say_sentences(house: HouseRules) -> None:
    from gamesmaster.variant.house_rules import settings

    say(f"House rules: {house}")
    say()
    for name, setting in settings().items():
        say(f"{setting.question} [{setting.clause}]")
        say(f"  {house.sentence(name)}")
