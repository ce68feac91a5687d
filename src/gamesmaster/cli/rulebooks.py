"""`rulebook`: the choices that rules leave open, and the presets."""

from __future__ import annotations

from typing import Annotated

import typer

from gamesmaster.cli.arguments import read_rulebook
from gamesmaster.cli.console import AsJson, say, say_json, table


def rulebook(
    choices: Annotated[
        str, typer.Argument(metavar="[CHOICES]", help="A preset, choices, or both; as --rulebook takes them.")
    ] = "datc",
    as_json: AsJson = False,
) -> None:
    """List every choice that the rules leave open, with its answers; the one chosen is in brackets.

    For example:

      gamesmaster rulebook
      gamesmaster rulebook 1971
      gamesmaster rulebook 2000,4.A.2=f
    """
    from dataclasses import fields

    from gamesmaster.judge import PRESETS

    book = read_rulebook(choices)
    rows = [(f.metadata["issue"], f.name, f.metadata["question"], f.metadata["answers"]) for f in fields(book)]
    if as_json:
        say_json(
            {
                "presets": list(PRESETS),
                "choices": [
                    {"issue": i, "name": n, "question": q, "answers": list(a), "chosen": getattr(book, n)}
                    for i, n, q, a in rows
                ],
            }
        )
        return
    shown = [
        (issue, name, " ".join(f"[{word}]" if word == getattr(book, name) else word for word in answers))
        for issue, name, _, answers in rows
    ]
    table(("DATC", "choice", "answers"), shown)
    say(f"Presets: {', '.join(PRESETS)}")
