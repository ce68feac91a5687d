"""What the reference of the documentation needs beyond what mkdocstrings does for MkDocs."""

from __future__ import annotations

import re
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"Enum\b|AnyCause|AnyEvent|AnyVerb")
PAGES = Path(__file__).parent / "reference"


class Descriptions(griffe.Extension):
    """Examples, which Markdown would take for quotations, are fenced as code; members of enums stand with their values.

    A name without a description is left out of the pages.  That is right for fields, which their class describes.
    """

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of one name."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)

    def on_class(self, *, cls: griffe.Class, **_: object) -> None:
        """Describe an enum's members."""
        if ENUM.search(" ".join(map(str, cls.bases))):
            for member in cls.attributes.values():
                if member.value is not None and not member.docstring:
                    member.docstring = griffe.Docstring(f"`{member.value}`", parent=member)


def _fenced(example: re.Match[str]) -> str:
    return f"```pycon\n{example[0].rstrip()}\n```\n"


def on_post_build(config: dict[str, Any]) -> None:
    """What MkDocs calls when it has built the documentation: a public name that is nowhere described ends the build."""
    inventory = (Path(config["site_dir"]) / "objects.inv").read_bytes()  # four lines of text, and the names compressed
    described = {line.split(" ")[0] for line in zlib.decompress(inventory.split(b"\n", 4)[4]).decode().splitlines()}
    for room in sorted(page.stem for page in PAGES.glob("*.md")):
        for name in getattr(import_module(f"gamesmaster.{room}"), "__all__", ()):
            if not {f"gamesmaster.{room}.{name}", f"gamesmaster.{room}.{name}.{name}"} & described:
                raise LookupError(f"gamesmaster.{room}.{name} is not in the reference")
