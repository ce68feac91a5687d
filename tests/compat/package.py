"""Runs the installed package's own tests against the drop-in: `python -m tests.compat.package [FILE...] [OPTION...]`.

Options are those of pytest.  The modules of the drop-in stand under the names of the package, which is never imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

PACKAGE = "diplomacy"
DROP_IN = "gamesmaster.compat.diplomacy"
FILES = ("test_datc.py", "test_datc_no_check.py", "test_datc_no_expand.py", "test_game.py", "test_map.py")


def folder() -> Path | None:
    """Return where the installed package's tests are, None without it."""
    found = find_spec(PACKAGE)
    return Path(found.origin).parent / "tests" if found and found.origin else None


def stand_in(tests: Path) -> None:
    """Let the names of the package mean the modules of the drop-in; its tests are the package's own."""
    drop_in = import_module(DROP_IN)
    for found in walk_packages(drop_in.__path__, f"{DROP_IN}."):
        sys.modules[found.name.replace(DROP_IN, PACKAGE)] = import_module(found.name)
    sys.modules[PACKAGE] = drop_in
    own = ModuleType(f"{PACKAGE}.tests")
    own.__path__ = [str(tests)]
    sys.modules[own.__name__] = own


def main(arguments: list[str]) -> int:
    """Run the tests; returns what pytest returns."""
    tests = folder()
    if tests is None:
        raise SystemExit("the package is not installed: it is in the dependency group `bench`")
    stand_in(tests)
    files = [str(tests / name) for name in arguments if name.endswith(".py")] or [str(tests / name) for name in FILES]
    options = [one for one in arguments if not one.endswith(".py")]
    here = ["--rootdir", str(tests), "-c", "/dev/null", "--import-mode=importlib", "-p", "no:cacheprovider"]
    return int(pytest.main([*here, *options, *files]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
