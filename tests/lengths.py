"""Two lengths of a test: a short one for `make test`, the whole one for `make test-long`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with a small value of the parameter `name`, and, marked `long`, with a large one."""
    return pytest.mark.parametrize(
        name, [pytest.param(short, id="short"), pytest.param(long, id="long", marks=pytest.mark.long)]
    )


def mark_long(cases: Sequence[Any]) -> list[ParameterSet]:
    """Return cases of a parameter, marked `long`."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long) for case in cases]
