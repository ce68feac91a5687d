"""Codes of refusals: one list, with the status of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamesmaster import host
from gamesmaster.host.site.refusals import CODES, STATUS, Refused

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in Path(host.__path__[0]).rglob("*.py"))
RAISED = set(re.findall(r'Refused\(\s*"([\w-]+)"', SOURCES))


def test_every_code_is_raised_somewhere() -> None:
    """The list has the codes with which the site refuses something, and no others."""
    assert set(STATUS) == RAISED
    assert len(STATUS) == sum(map(len, CODES.values())), "no code has two statuses"


def test_a_code_that_is_not_in_the_list_cannot_be_raised() -> None:
    """A refusal takes its status from the list."""
    assert Refused("no-seat", "You do not play in this game.").status == 403
    with pytest.raises(KeyError, match="no-such-code"):
        Refused("no-such-code", "")
