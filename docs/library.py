"""Print the page `library.md`: every public name of every room, with the first sentence of its description."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

ROOMS = (
    "board",
    "orders",
    "judge",
    "mechanics",
    "variant",
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


@cache
def constants(room: str) -> dict[str, str]:
    """What stands below the constants of a room, by their names: a description, where there is one."""
    found: dict[str, str] = {}
    for file in Path(import_module(f"gamesmaster.{room}").__file__ or "").parent.rglob("*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for one, below in pairwise(body):
            targets: list[ast.expr] = getattr(one, "targets", [getattr(one, "target", one)])
            if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr):
                text = below.value.value if isinstance(below.value, ast.Constant) else None
                found |= {t.id: text for t in targets if isinstance(t, ast.Name) and isinstance(text, str)}
    return found


def sentence(thing: object, room: str = "", name: str = "") -> str:
    """The first sentence of a name's description."""
    made = inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing)) or inspect.ismodule(thing)  # type: ignore[arg-type]
    text = inspect.getdoc(thing) if made else constants(room).get(name)
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
        rows = [f"| `{n}` | {'gm' if n in top else ''} | {sentence(getattr(module, n), room, n)} |" for n in names]
        parts.append(
            "\n".join([f"\n## gamesmaster.{room}\n", f"{title}\n", "| name | | |", "| --- | --- | --- |", *rows])
        )
    return "\n".join([*parts, *hooks()]) + "\n"


if __name__ == "__main__":
    print(page(), end="")
