"""The available mechanics, by name: ours, and those of other packages, as entry points.

A package names its mechanics in its `pyproject.toml`; each is loaded when its name is first looked up:

    [project.entry-points."gamesmaster.mechanics"]
    floods = "my_package:Floods"
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from gamesmaster.errors import BadFile, GamesmasterError, nearest
from gamesmaster.plugins import brought, load
from gamesmaster.rules import Clauses, Mechanic, ReasonText

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

M = TypeVar("M", bound=Mechanic)


class Registry(Mapping[str, type[Mechanic]]):
    """Mechanics by their names in `variant.toml`."""

    def __init__(self) -> None:
        self._known: dict[str, type[Mechanic]] = {}
        self._complete = False

    def add(self, name: str, kind: type[Mechanic]) -> None:
        """Enter a mechanic; raises `ValueError` if another one has its name."""
        if not kind.__module__.startswith(__package__):
            self._load_ours()
        known = self._known.setdefault(name, kind)
        if (known.__module__, known.__qualname__) != (kind.__module__, kind.__qualname__):
            raise ValueError(f"there is a mechanic {name!r} already, {known.__module__}.{known.__qualname__}")
        self._known[name] = kind

    @property
    def loaded(self) -> Mapping[str, type[Mechanic]]:
        """Return the loaded mechanics by name: all of ours, and those of other packages that have been looked up."""
        self._load_ours()
        return MappingProxyType(self._known)

    def _load_ours(self) -> None:
        """Load the modules of this room, once; most programs play games without mechanics, and do not wait for them."""
        if not self._complete:
            for module in iter_modules(sys.modules[__package__].__path__):
                import_module(f"{__package__}.{module.name}")
            self._complete = True  # not before: other threads wait for the modules too

    @cached_property
    def _brought(self) -> Mapping[str, EntryPoint]:
        return brought("mechanics")

    def __getitem__(self, name: str) -> type[Mechanic]:
        if name not in self.loaded and name in self._brought:
            self._load(self._brought[name])
        return self.loaded[name]

    def _load(self, entry: EntryPoint) -> None:
        kind = load(entry, "mechanic", type)
        try:
            self.add(entry.name, kind)
        except ValueError as error:
            raise GamesmasterError(str(error), where=entry.value) from error

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.loaded, *self._brought}))

    def __len__(self) -> int:
        return len({*self.loaded, *self._brought})

    def __contains__(self, name: object) -> bool:
        return name in self.loaded or name in self._brought


MECHANICS = Registry()
"""Every mechanic by its name in files."""


def mechanic(name: str) -> Callable[[type[M]], type[M]]:
    """Register a class as the mechanic of this name: its `id`, its name in `variant.toml`, the key of its state.

    >>> @mechanic("idle")
    ... class Idle(Mechanic):
    ...     pass
    >>> MECHANICS["idle"].id
    'idle'
    """

    def register(kind: type[M]) -> type[M]:
        kind.id = name
        MECHANICS.add(name, kind)
        return kind

    return register


def make_mechanic(table: Mapping[str, object], where: str) -> Mechanic:
    """Return the mechanic that a `[[mechanics]]` table asks for.

    `where` names the table in complaints.  Raises `BadFile` for an unknown name, an unknown or missing parameter, or a
    value that a parameter cannot have, with the nearest right thing.
    """
    from pydantic import TypeAdapter, ValidationError

    parameters = dict(table)
    name = parameters.pop("name", None)
    if not isinstance(name, str) or name not in MECHANICS:
        hint = nearest(str(name)[:80], MECHANICS) or f"known: {', '.join(MECHANICS)}"
        raise BadFile(f"no mechanic {str(name)[:80]!r}", where=f"{where}.name", hint=hint)
    kind = MECHANICS[name]
    known = [key for key in getattr(kind, "__dataclass_fields__", {}) if key != "id"]
    for key in parameters:
        if key not in known:
            hint = nearest(key, known) or f"known: {', '.join(known) or 'none'}"
            raise BadFile(f"{name} has no parameter {key[:80]!r}", where=where, hint=hint)
    try:
        return TypeAdapter(kind).validate_python(parameters)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        path = ".".join(map(str, fault["loc"]))
        raise BadFile(str(fault["msg"])[:200], where=f"{where}.{path}" if path else where) from None


def clauses_beside(file: str) -> Clauses:
    """Return the wording of reasons in `reasons.toml` beside a module: tables of clauses and words, by aspect."""
    told = tomllib.loads(Path(file).with_name("reasons.toml").read_text(encoding="utf-8"))
    return Clauses(**{kind: {word: ReasonText(*said) for word, said in table.items()} for kind, table in told.items()})
