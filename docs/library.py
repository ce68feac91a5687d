"""Print the page `library.md`: every public name of every room, with the first sentence of its description."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module

ROOMS = (
    "board",
    "orders",
    "judge",
    "mechanics",
    "game",
    "players",
    "pictures",
    "atlas",
    "formats",
    "lab",
    "testing",
    "errors",
)

HEAD = """# The library

Every public name, room by room. Those marked `gm` can be had from the package itself (`import gamesmaster as gm`).
This page is made by `python docs/library.py > docs/library.md`; the tests see to it that it is current.
"""


def sentence(thing: object) -> str:
    """The first sentence of a name's description."""
    text = inspect.getdoc(thing) if not isinstance(thing, (str, int, dict, tuple)) else ""
    first = " ".join((text or "A constant.").split("\n\n")[0].split())
    return first.replace("|", "\\|")


MOMENTS = ("BoardMechanic", "MovementMechanic", "YearMechanic", "WinterMechanic", "ReportMechanic")


def hooks() -> Iterator[str]:
    """The hooks of mechanics, a table for each moment."""
    judge = import_module("gamesmaster.judge")
    yield "\n## Hooks of mechanics\n\nWhat a mechanic may override, by the moment at which it is asked; every hook is"
    yield "described in full where it is defined."
    for moment in MOMENTS:
        base = getattr(judge, moment)
        own = [
            one
            for one in reversed(base.__mro__)
            if one.__module__.startswith("gamesmaster") and one.__name__ != "Mechanic"
        ]
        rows = [
            f"| `{name}` | {sentence(hook)} |"
            for one in own
            for name, hook in vars(one).items()
            if inspect.isfunction(hook) and not name.startswith("_")
        ]
        yield "\n".join([f"\n### {moment}\n\n{sentence(base)}\n", "| hook | |", "| --- | --- |", *rows])


def page() -> str:
    """The whole page."""
    top = set(import_module("gamesmaster").__all__)
    parts = [HEAD]
    for room in ROOMS:
        module = import_module(f"gamesmaster.{room}")
        names = getattr(module, "__all__", None) or sorted(
            name
            for name, thing in vars(module).items()
            if inspect.isclass(thing) and thing.__module__ == module.__name__
        )
        title = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ")
        rows = [f"| `{n}` | {'gm' if n in top else ''} | {sentence(getattr(module, n))} |" for n in names]
        parts.append(
            "\n".join([f"\n## gamesmaster.{room}\n", f"{title}\n", "| name | | |", "| --- | --- | --- |", *rows])
        )
    return "\n".join([*parts, *hooks()]) + "\n"


if __name__ == "__main__":
    print(page(), end="")
