"""Two lengths of a test: a short one for `make test`, and all of it for `make test-long`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with a small value of the parameter `name`, and, marked `long`, with a large one."""
    return pytest.mark.parametrize(
        name, [pytest.param(short, id="short"), pytest.param(long, id="long", marks=pytest.mark.long)]
    )


def mark_long(cases: Iterable[Any], *, but: Container[Any] = ()) -> list[ParameterSet]:
    """Mark the cases of a parameter `long`, but for a few that stand for all of them in the short run."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if case in but else pytest.mark.long)
        for case in cases
    ]
