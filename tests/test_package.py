"""The package's surface: light to import, complete, and sorted."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import gamesmaster

HEAVY = ("pydantic", "typer", "rich", "numpy", "numba", "hypothesis")


def in_order(names: list[str]) -> list[str]:
    """Constants first, then types, then functions, each by the alphabet."""
    return sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def test_names_are_sorted_and_there() -> None:
    """`__all__` is sorted and every name in it can be had."""
    assert gamesmaster.__all__ == in_order(gamesmaster.__all__)
    assert all(getattr(gamesmaster, name) is not None for name in gamesmaster.__all__)
    assert dir(gamesmaster) == gamesmaster.__all__


def test_unknown_names_are_refused() -> None:
    """A name that is not there raises what Python raises."""
    with pytest.raises(AttributeError, match="nonsense"):
        _ = gamesmaster.nonsense


@pytest.mark.parametrize("room", ["board", "orders", "judge", "game"])
def test_rooms_export_what_they_name(room: str) -> None:
    """Each room's `__all__` is sorted and complete."""
    module = import_module(f"gamesmaster.{room}")
    assert module.__all__ == in_order(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("module", ["gamesmaster", "gamesmaster.judge", "gamesmaster.game"])
def test_importing_stays_light(module: str) -> None:
    """Importing a room loads none of the heavy libraries: they come when they are needed."""
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
