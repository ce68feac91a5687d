"""A round of the chaos, on SQLite or on the database that is named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lengths import short_and_long

pytest.importorskip("aiosmtpd", reason="the site is not installed")

ROOT = Path(__file__).parents[2]
URL = os.environ.get("GAMESMASTER_TEST_DATABASE_URL", "")


@pytest.mark.chaos
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@short_and_long("minutes", 0.2, 5)
def test_nothing_acknowledged_is_lost_and_nothing_is_done_twice(minutes: float) -> None:
    """Killed, stopped, cut off, with wrong clocks: what was acknowledged is kept, once; nobody is late (H13)."""
    hurt("--minutes", str(minutes), "--tables", "2")


@pytest.mark.chaos
@pytest.mark.long
@pytest.mark.skipif(not URL, reason="needs PostgreSQL")
def test_hundreds_of_games() -> None:
    """The same with 300 games and 600 players, whose orders come by page, API and mail (the short one is above)."""
    hurt("--minutes", "8", "--tables", "300", "--phase", "3")


def hurt(*words: str) -> None:
    """Hurt a site, and find nothing wrong."""
    asked = [sys.executable, "-m", "tests.chaos", *words]
    done = subprocess.run(
        [*asked, "--url", URL] if URL else asked, cwd=ROOT, capture_output=True, text=True, check=False
    )
    told = json.loads(done.stdout)
    assert told["wrong"] == [], done.stderr
    assert done.returncode == 0
    assert told["counts"]["order sets acknowledged"] > 0
    assert told["counts"]["phases"] > 0
    assert told["faults"]
