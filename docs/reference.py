"""What the reference needs beyond what mkdocstrings does."""

from __future__ import annotations

import re

import griffe

from gamesmaster.lazy import exports

EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)
ENUM = re.compile(r"Enum\b|AnyCause|AnyEvent|AnyVerb")
COMMENT = re.compile(r"  # (.+)$")


class Descriptions(griffe.Extension):
    """Examples, which Markdown would take for quotations, are fenced as code; members of enums stand with their values.

    Fields are described by the comments behind them.  A name without a description is left out of the pages: that is
    right for fields which their class describes.
    """

    def on_module_members(self, *, mod: griffe.Module, **_: object) -> None:
        """Tell which names a package exports: those that it imports as themselves."""
        if mod.is_init_module and (names := exports(mod.filepath)):
            mod.exports = list(names)

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of one name."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)

    def on_class(self, *, cls: griffe.Class, **_: object) -> None:
        """Describe an enum's members, and the fields that have a comment."""
        for field in cls.attributes.values():
            if not field.docstring and (comment := COMMENT.search(field.source)):
                field.docstring = griffe.Docstring(comment[1], parent=field)
        if ENUM.search(" ".join(map(str, cls.bases))):
            for member in cls.attributes.values():
                if member.value is not None and not member.docstring:
                    member.docstring = griffe.Docstring(f"`{member.value}`", parent=member)


def _fenced(example: re.Match[str]) -> str:
    return f"```pycon\n{example[0].rstrip()}\n```\n"
