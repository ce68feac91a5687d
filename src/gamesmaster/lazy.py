"""The public names of a package: what its `__init__` imports as itself, at once or when a name is first used.

`from a import B as B` makes `B` public for type checkers, and each name is said once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType


def exported(names: Mapping[str, object]) -> list[str]:
    """Return `__all__` of a package that imports its names at once: its globals, without modules and private names."""
    return _in_order(n for n, value in names.items() if not n.startswith("_") and not isinstance(value, ModuleType))


def loaders(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` (PEP 562) and `__all__` of a package whose names are loaded when first used.

    Which module each name comes from is said once, to type checkers and to this: by the imports that the package's
    `file` makes under `TYPE_CHECKING`.
    """
    home = exports(file)
    public = _in_order(home)

    def get(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return get, lambda: public, public


def exports(file: str | Path) -> dict[str, str]:
    """Map each name that a file imports as itself to the module that has it."""
    imports = [node for node in ast.walk(ast.parse(Path(file).read_bytes())) if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names if alias.asname == alias.name}


def _in_order(names: Iterable[str]) -> list[str]:
    """Return names with constants first, then types, then functions."""
    return sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
